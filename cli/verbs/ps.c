/* ilcov ps: lists the programs that are being measured, or all that run .NET. */
#include <stdio.h>

#include "base/text.h"
#include "cli/base/columns.h"
#include "cli/base/exit.h"
#include "cli/base/json_output.h"
#include "cli/base/option_values.h"
#include "cli/base/say.h"
#include "cli/launch/environment.h"
#include "cli/process/attachable_text.h"
#include "cli/process/measured.h"
#include "cli/verbs/verbs.h"
#include "system/user.h"

/* --- what is measured ------------------------------------------------------------------------- */

static const struct columns_row measured_header = {
    {{"PID", 3}, {"SINCE", 5}, {"MODE", 4}, {"USER", 4}, {"PROGRAM", 7}, {"SESSION", 7}}};

static bool make_measured(struct columns_row *row, const struct measured *program,
                          struct arena *arena, struct err *err)
{
    char date[UTC_ROOM], user[USER_NAME_ROOM];
    row->cells[2] = str_of(program->has_mode ? mode_name(program->mode) : "-");
    row->cells[4] = program->name;
    row->cells[5] = program->session;
    return text_format(&row->cells[0], arena, err, "%d", program->pid) &&
           str_copy(&row->cells[1], str_of(utc_text(date, program->since)), arena, err) &&
           str_copy(&row->cells[3], str_of(user_name(user, program->user)), arena, err);
}

static bool print_measured(const struct measured *programs, uint32_t count, struct arena *arena,
                           struct err *err)
{
    struct columns_row *rows = ARENA_NEW(arena, struct columns_row, count + 1, err);
    if (rows == NULL)
        return false;
    rows[0] = measured_header;
    for (uint32_t i = 0; i < count; i++)
        if (!make_measured(&rows[i + 1], &programs[i], arena, err))
            return false;
    columns_print(rows, count + 1);
    return true;
}

static void put_measured(struct json_writer *json, const struct measured *programs, uint32_t count)
{
    char user[USER_NAME_ROOM];
    jw_begin(json, "programs", '[');
    for (uint32_t i = 0; i < count; i++) {
        const struct measured *program = &programs[i];
        jw_begin_line(json, NULL, '{');
        jw_number(json, "pid", (uint64_t)program->pid);
        jw_signed(json, "since", program->since);
        if (program->has_mode)
            jw_text_c(json, "mode", mode_name(program->mode));
        else
            jw_null(json, "mode");
        jw_text_c(json, "user", user_name(user, program->user));
        jw_number(json, "uid", program->user);
        jw_text(json, "program", program->name);
        jw_text(json, "session", program->session);
        jw_end(json, '}');
    }
    jw_end(json, ']');
}

/* --- the whole -------------------------------------------------------------------------------- */

struct ps_options {
    bool json, all;
};

struct found {
    struct measured *measured;
    struct attachable *attachable;
    uint32_t measured_count, attachable_count;
};

static int print_json(const struct found *found, bool all)
{
    struct err err = {0};
    struct json_output out;
    if (!json_output_open(&out, "1.0.0", &err))
        return say_error(&err);
    put_measured(&out.json, found->measured, found->measured_count);
    if (all)
        attachable_put(&out.json, found->attachable, found->attachable_count);
    return json_output_end(&out, true, EXIT_FINE, &err);
}

static bool search(struct found *out, const struct ps_options *options, struct arena *arena,
                   struct err *err)
{
    char library[PATH_ROOM];
    *out = (struct found){NULL, NULL, 0, 0};
    if (options->all &&
        (!environment_library(library, err) ||
         !attachable_list(&out->attachable, &out->attachable_count, library, arena, err)))
        return false;
    return (options->all && !options->json) ||
           measured_list(&out->measured, &out->measured_count, arena, err);
}

static bool print(const struct found *found, const struct ps_options *options, struct arena *arena,
                  struct err *err)
{
    if (options->all)
        return found->attachable_count == 0 ||
               attachable_print(found->attachable, found->attachable_count, arena, err);
    return found->measured_count == 0 ||
           print_measured(found->measured, found->measured_count, arena, err);
}

static int list(const void *parsed, const struct operands *operands, struct arena *arena)
{
    struct found found;
    struct err err = {0};
    const struct ps_options *options = parsed;
    (void)operands;
    if (!search(&found, options, arena, &err) ||
        (!options->json && !print(&found, options, arena, &err)))
        return say_error(&err);
    if (options->json)
        return print_json(&found, options->all);
    if (options->all && found.attachable_count == 0)
        say("no program runs .NET");
    else if (!options->all && found.measured_count == 0)
        say("no program is being measured");
    return EXIT_FINE;
}

static const struct option_row own_rows[] = {
    {.name = "all",
     .take = option_take_flag,
     .field = offsetof(struct ps_options, all),
     .help = "list all programs that run .NET, and whether each can be attached to",
     .typed = true},
    {.name = NULL},
};

static const struct option_group groups[] = {
    {own_rows, 0, NULL},
    {json_rows, offsetof(struct ps_options, json), NULL},
    {NULL, 0, NULL},
};

const struct verb verb_ps = {
    .name = "ps",
    .brief = "list the programs that are being measured",
    .operands = "[OPTION...]",
    .summary = "Lists the .NET programs that are being measured: those of 'ilcov run', 'ilcov env' "
               "and 'ilcov attach', with their process ID, since when they are measured, the mode, "
               "the user, and the session in which they count. With --all, those that could be "
               "attached to are listed, too. Only root sees programs of other users.",
    .exits = "3: processes cannot be listed.",
    .manual = "A program that runs under 'dotnet' is named after its assembly. A session without "
              "a program is not shown; 'ilcov doctor' lists it.",
    .operand_max = 0,
    .groups = groups,
    .options_size = sizeof(struct ps_options),
    .act = list,
};

/* ilcov ps: lists the programs that are being measured, or all that run .NET. */
#include <stdio.h>

#include "base/text.h"
#include "cli/options/exit.h"
#include "cli/options/json_output.h"
#include "cli/options/option_values.h"
#include "cli/options/say.h"
#include "cli/process/environment.h"
#include "cli/process/programs.h"
#include "cli/verbs/verbs.h"
#include "reporters/legible.h"
#include "system/user.h"

struct ps_options {
    bool json, all;
};

struct found {
    struct program *programs;
    uint32_t count;
};

static bool is_program_shown(const struct program *program, bool all)
{
    return all ? program->is_listed : program->session.len != 0;
}

/* --- for people ------------------------------------------------------------------------------- */

enum {
    CELLS = 6,
    GAP = 2 /* spaces between two columns */
};

struct ps_row {
    struct str cells[CELLS]; /* the last with text may be long; those behind it are empty */
};

static void widen_columns(size_t widths[CELLS], const struct ps_row *row)
{
    for (size_t i = 0; i < CELLS; i++) {
        size_t width = legible_width(row->cells[i]);
        if (width > widths[i])
            widths[i] = width;
    }
}

static void print_row(const struct ps_row *row, const size_t widths[CELLS])
{
    for (size_t i = 0; i < CELLS && widths[i] != 0; i++) {
        bool is_last = i + 1 == CELLS || widths[i + 1] == 0;
        size_t blanks = is_last ? 0 : widths[i] - legible_width(row->cells[i]) + GAP;
        legible_put(stdout, row->cells[i]);
        printf("%*s", (int)blanks, "");
    }
    printf("\n");
}

/* Columns as wide as what they hold. The first row is the header. */
static void print_rows(const struct ps_row *rows, uint32_t count)
{
    size_t widths[CELLS] = {0};
    for (uint32_t i = 0; i < count; i++)
        widen_columns(widths, &rows[i]);
    for (uint32_t i = 0; i < count; i++)
        print_row(&rows[i], widths);
}

static const struct ps_row measured_header = {
    {{"PID", 3}, {"SINCE", 5}, {"MODE", 4}, {"USER", 4}, {"PROGRAM", 7}, {"SESSION", 7}}};
static const struct ps_row all_header = {
    {{"PID", 3}, {".NET", 4}, {"USER", 4}, {"PROGRAM", 7}, {"STATE", 5}}};

static bool make_row(struct ps_row *row, const struct program *program, bool all,
                     struct arena *arena, struct err *err)
{
    char date[UTC_ROOM], user[USER_NAME_ROOM];
    struct str *cell = row->cells;
    if (!text_format(cell++, arena, err, "%d", program->pid))
        return false;
    if (all)
        *cell++ = str_of(program->version[0] != '\0' ? program->version : "-");
    else if (!str_copy(cell++, str_of(utc_text(date, program->since)), arena, err))
        return false;
    if (!all)
        *cell++ = str_of(program->has_mode ? mode_name(program->mode) : "-");
    if (!str_copy(cell++, str_of(user_name(user, program->user)), arena, err))
        return false;
    *cell++ = program->name;
    *cell = all ? program->state : program->session;
    return true;
}

static bool print_programs(const struct found *found, bool all, struct arena *arena,
                           struct err *err)
{
    struct ps_row *rows = ARENA_NEW(arena, struct ps_row, found->count + 1, err);
    uint32_t count = 0;
    if (rows == NULL)
        return false;
    rows[count++] = all ? all_header : measured_header;
    for (uint32_t i = 0; i < found->count; i++)
        if (is_program_shown(&found->programs[i], all) &&
            !make_row(&rows[count++], &found->programs[i], all, arena, err))
            return false;
    if (count > 1)
        print_rows(rows, count);
    else
        say(all ? "no program runs .NET" : "no program is being measured");
    return true;
}

/* --- as JSON ---------------------------------------------------------------------------------- */

static void put_text_or_null(struct json_writer *json, const char *key, const char *text)
{
    if (text != NULL)
        jw_text_c(json, key, text);
    else
        jw_null(json, key);
}

static void put_program(struct json_writer *json, const struct program *program, bool all)
{
    char user[USER_NAME_ROOM];
    jw_begin_line(json, NULL, '{');
    jw_number(json, "pid", (uint64_t)program->pid);
    if (all) {
        put_text_or_null(json, "runtime", program->version[0] != '\0' ? program->version : NULL);
    } else {
        jw_signed(json, "since", program->since);
        put_text_or_null(json, "mode", program->has_mode ? mode_name(program->mode) : NULL);
    }
    jw_text_c(json, "user", user_name(user, program->user));
    jw_number(json, "uid", program->user);
    jw_text(json, "program", program->name);
    if (all) {
        jw_bool(json, "measured", program->session.len != 0);
        jw_bool(json, "attachable", program->is_fit);
        jw_text(json, "state", program->state);
    } else {
        jw_text(json, "session", program->session);
    }
    jw_end(json, '}');
}

static void put_programs(struct json_writer *json, const char *key, const struct found *found,
                         bool all)
{
    jw_begin(json, key, '[');
    for (uint32_t i = 0; i < found->count; i++)
        if (is_program_shown(&found->programs[i], all))
            put_program(json, &found->programs[i], all);
    jw_end(json, ']');
}

static int print_ps_json(const struct found *found, bool all)
{
    struct err err = {0};
    struct json_output out;
    if (!json_output_open(&out, "1.0.0", &err))
        return say_error(&err);
    put_programs(&out.json, "programs", found, false);
    if (all)
        put_programs(&out.json, "processes", found, true);
    return json_output_end(&out, true, EXIT_FINE, &err);
}

/* ---------------------------------------------------------------------------------------------- */

static int list_programs(const void *parsed, const struct operands *operands, struct arena *arena)
{
    const struct ps_options *options = parsed;
    char library[PATH_ROOM];
    struct found found = {NULL, 0};
    struct err err = {0};
    (void)operands;
    if ((options->all && !environment_library(library, &err)) ||
        !programs_list(&found.programs, &found.count, options->all ? library : NULL, arena, &err) ||
        (!options->json && !print_programs(&found, options->all, arena, &err)))
        return say_error(&err);
    return options->json ? print_ps_json(&found, options->all) : EXIT_FINE;
}

static const struct option_row own_rows[] = {
    {.name = "all",
     .take = option_take_flag,
     .field = offsetof(struct ps_options, all),
     .help = "list all programs that run .NET, and whether each can be attached to",
     .cli_only = true},
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
    .act = list_programs,
};

/* ilcov ps: lists the programs that are being measured. */
#include <stdio.h>

#include "base/utc.h"
#include "cli/base/exit.h"
#include "cli/base/json_output.h"
#include "cli/base/say.h"
#include "cli/process/measured.h"
#include "cli/verbs/verbs.h"
#include "reporters/legible.h"
#include "system/user_name.h"

enum {
    COLUMNS = 6,
    GAP = 2 /* spaces between two columns */
};

struct row {
    struct str cells[COLUMNS]; /* the session is the last: it is long */
};

static const struct row header = {
    {{"PID", 3}, {"SINCE", 5}, {"MODE", 4}, {"USER", 4}, {"PROGRAM", 7}, {"SESSION", 7}}};

static bool make_row(struct row *row, const struct measured *program, struct arena *arena,
                     struct err *err)
{
    char date[UTC_ROOM], user[USER_NAME_ROOM];
    row->cells[2] = str_of(program->has_mode ? mode_name(program->mode) : "-");
    row->cells[4] = program->name;
    row->cells[5] = program->session;
    return text_format(&row->cells[0], arena, err, "%d", program->pid) &&
           str_copy(&row->cells[1], str_of(utc_text(date, program->since)), arena, err) &&
           str_copy(&row->cells[3], str_of(user_name(user, program->user)), arena, err);
}

static void widen(size_t widths[COLUMNS], const struct row *row)
{
    for (size_t i = 0; i < COLUMNS; i++) {
        size_t width = legible_width(row->cells[i]);
        if (width > widths[i])
            widths[i] = width;
    }
}

static void print_row(const struct row *row, const size_t widths[COLUMNS])
{
    for (size_t i = 0; i < COLUMNS; i++) {
        size_t blanks = i + 1 < COLUMNS ? widths[i] - legible_width(row->cells[i]) + GAP : 0;
        legible_put(stdout, row->cells[i]);
        printf("%*s", (int)blanks, "");
    }
    printf("\n");
}

static bool print(const struct measured *programs, uint32_t count, struct arena *arena,
                  struct err *err)
{
    size_t widths[COLUMNS] = {0};
    struct row *rows = ARENA_NEW(arena, struct row, count, err);
    if (rows == NULL)
        return false;
    widen(widths, &header);
    for (uint32_t i = 0; i < count; i++) {
        if (!make_row(&rows[i], &programs[i], arena, err))
            return false;
        widen(widths, &rows[i]);
    }
    print_row(&header, widths);
    for (uint32_t i = 0; i < count; i++)
        print_row(&rows[i], widths);
    return true;
}

struct ps_options {
    bool json;
};

static int print_json(const struct measured *programs, uint32_t count)
{
    struct err err = {0};
    struct json_output out;
    char user[USER_NAME_ROOM];
    if (!json_output_open(&out, "1.0.0", &err)) {
        say("%s", err.text);
        return EXIT_BAD;
    }
    jw_begin(&out.json, "programs", '[');
    for (uint32_t i = 0; i < count; i++) {
        const struct measured *program = &programs[i];
        jw_begin_line(&out.json, NULL, '{');
        jw_number(&out.json, "pid", (uint64_t)program->pid);
        jw_signed(&out.json, "since", program->since);
        if (program->has_mode)
            jw_text_c(&out.json, "mode", mode_name(program->mode));
        else
            jw_null(&out.json, "mode");
        jw_text_c(&out.json, "user", user_name(user, program->user));
        jw_number(&out.json, "uid", program->user);
        jw_text(&out.json, "program", program->name);
        jw_text(&out.json, "session", program->session);
        jw_end(&out.json, '}');
    }
    jw_end(&out.json, ']');
    return json_output_end(&out, true, EXIT_FINE, &err);
}

static int list(const void *parsed, const struct operands *operands, struct arena *arena)
{
    struct measured *programs = NULL;
    uint32_t count = 0;
    struct err err = {0};
    const struct ps_options *options = parsed;
    (void)operands;
    if (!measured_list(&programs, &count, arena, &err) ||
        (!options->json && count != 0 && !print(programs, count, arena, &err))) {
        say("%s", err.text);
        return EXIT_BAD;
    }
    if (options->json)
        return print_json(programs, count);
    if (count == 0)
        say("no program is being measured");
    return EXIT_FINE;
}

static const struct option_group groups[] = {
    {json_rows, offsetof(struct ps_options, json), NULL},
    {NULL, 0, NULL},
};

const struct verb verb_ps = {
    .name = "ps",
    .brief = "list the programs that are being measured",
    .operands = "[OPTION...]",
    .summary = "Lists the .NET programs that are being measured: those of 'ilcov run', 'ilcov env' "
               "and 'ilcov attach', with their process ID, since when they are measured, the mode, "
               "the user, and the session in which they count. Only root sees programs of other "
               "users.",
    .exits = "3: processes cannot be listed.",
    .manual = "A program that runs under 'dotnet' is named after its assembly. A session without "
              "a program is not shown; 'ilcov doctor' lists it.",
    .operand_max = 0,
    .groups = groups,
    .options_size = sizeof(struct ps_options),
    .act = list,
};

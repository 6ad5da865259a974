/* LCOV tracefiles, as genhtml, editors and services read them: a record for each source file,
 * whichever assemblies have compiled it.
 *
 *   TN:                                      once: the tests have no name
 *   SF:<path>                                relative to the root
 *   FN:<first line>,<name>                   a method
 *   FNDA:<hits>,<name>
 *   FNF:<methods>
 *   FNH:<methods that ran>
 *   BRDA:<line>,<condition>,<outcome>,<hits>  both from 0; - where the condition was never asked,
 *                                            but 0 if that is true of all of a line that ran
 *   BRF: BRH:
 *   DA:<line>,<hits>
 *   LF: LH:
 *   end_of_record
 *
 * This is what every reader takes: lcov of 2.2 and later can tell last lines of functions, in
 * records that others do not know. Tests have no records of their own, because most readers take a
 * file for as many as it has records.
 *
 * Readers that split at each comma (diff-cover) fail on one in a name, so names have ';' there.
 * genhtml refuses two functions of one name on different lines, so such names end with the line.
 * There is no comment, because few readers skip it. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/sort.h"
#include "base/utf16.h"
#include "coverage/report/file_lines.h"
#include "reporters/report/report_formats.h"

/* Some readers hold counts in an int. */
enum {
    HITS_MAX = INT32_MAX
};

struct tracefile {
    FILE *file;
    struct arena *arena; /* of one record */
    struct err *err;
};

static void put_lcov_totals(const struct tracefile *t, const char *found, uint64_t valid,
                            const char *hit, uint64_t covered)
{
    (void)fprintf(t->file, "%s:%" PRIu64 "\n%s:%" PRIu64 "\n", found, valid, hit, covered);
}

/* A value ends with its line. */
static void put_lcov_text(const struct tracefile *t, struct str text, char comma)
{
    for (size_t pos = 0; pos < text.len;) {
        size_t start = pos;
        uint32_t c = utf8_next(text.text, text.len, &pos);
        if (c < 0x20 || c == 0x7F || c == 0xFFFD)
            (void)fputs("\xEF\xBF\xBD", t->file);
        else if (c == ',')
            (void)fputc(comma, t->file);
        else
            (void)fwrite(text.text + start, 1, pos - start, t->file);
    }
}

/* --- functions -------------------------------------------------------------------------------- */

ORDER(order_lcov_functions, struct file_function *const, BY_ORDER(str_cmp((*a)->name, (*b)->name)))

/* Names that several functions have, on different lines: a flag for each function. */
static bool find_namesakes(bool **out, const struct file_functions *functions,
                           const struct tracefile *t)
{
    const struct file_function **sorted =
        ARENA_NEW(t->arena, const struct file_function *, functions->count, t->err);
    *out = ARENA_NEW(t->arena, bool, functions->count, t->err);
    if (sorted == NULL || *out == NULL)
        return false;
    for (uint32_t i = 0; i < functions->count; i++)
        sorted[i] = &functions->items[i];
    if (functions->count != 0)
        qsort(sorted, functions->count, sizeof(struct file_function *), order_lcov_functions);
    for (uint32_t i = 1; i < functions->count; i++)
        if (str_eq(sorted[i - 1]->name, sorted[i]->name))
            (*out)[sorted[i - 1] - functions->items] = (*out)[sorted[i] - functions->items] = true;
    return true;
}

static void put_function(const struct tracefile *t, const char *record, uint64_t number,
                         const struct file_function *function, bool has_namesake)
{
    (void)fprintf(t->file, "%s:%" PRIu64 ",", record, number);
    put_lcov_text(t, function->name, ';');
    if (has_namesake)
        (void)fprintf(t->file, " (line %" PRIu32 ")", function->first_line);
    (void)fputc('\n', t->file);
}

static bool put_functions(const struct tracefile *t, const struct report_file *group,
                          uint32_t group_count)
{
    struct file_functions functions;
    bool *has_namesake;
    if (!file_functions_make(&functions, group, group_count, t->arena, t->err) ||
        !find_namesakes(&has_namesake, &functions, t))
        return false;
    const struct file_function *items = functions.items;
    for (uint32_t i = 0; i < functions.count; i++)
        put_function(t, "FN", items[i].first_line, &items[i], has_namesake[i]);
    for (uint32_t i = 0; i < functions.count; i++)
        put_function(t, "FNDA", number_min(items[i].hits, HITS_MAX), &items[i], has_namesake[i]);
    put_lcov_totals(t, "FNF", functions.count, "FNH", functions.hit_count);
    return true;
}

/* --- lines ------------------------------------------------------------------------------------ */

/* genhtml refuses a line that ran without any branch that was evaluated. */
static bool any_asked(const struct report_line *line)
{
    bool any = false;
    for (uint32_t i = 0; i < line->condition_count; i++)
        any |= !line->conditions[i].never_asked;
    return any;
}

static void put_branches(const struct tracefile *t, const struct report_line *line)
{
    bool says_never = any_asked(line);
    for (uint32_t i = 0; i < line->condition_count; i++) {
        const struct report_condition *condition = &line->conditions[i];
        bool asked = line->hits != 0 && !(says_never && condition->never_asked);
        for (uint32_t o = 0; o < condition->outcome_count; o++) {
            (void)fprintf(t->file, "BRDA:%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",", line->number, i, o);
            if (asked)
                (void)fprintf(t->file, "%" PRIu64 "\n",
                              number_min(condition->outcome_hits[o], HITS_MAX));
            else
                (void)fputs("-\n", t->file);
        }
    }
}

static void put_lcov_lines(const struct tracefile *t, const struct file_lines *lines)
{
    const struct report_totals *totals = &lines->totals;
    for (uint32_t i = 0; i < lines->count; i++)
        put_branches(t, &lines->lines[i]);
    put_lcov_totals(t, "BRF", totals->branches_valid, "BRH", totals->branches_covered);
    for (uint32_t i = 0; i < lines->count; i++)
        (void)fprintf(t->file, "DA:%" PRIu32 ",%" PRIu64 "\n", lines->lines[i].number,
                      number_min(lines->lines[i].hits, HITS_MAX));
    put_lcov_totals(t, "LF", totals->lines_valid, "LH", totals->lines_covered);
}

/* --- the whole -------------------------------------------------------------------------------- */

void *lcov_open(const struct format_job *job, struct err *err)
{
    struct tracefile *t = ARENA_NEW(job->arena, struct tracefile, 1, err);
    if (t == NULL)
        return NULL;
    *t = (struct tracefile){.file = job->destination->file, .arena = job->scratch};
    (void)fputs("TN:\n", t->file); /* an empty file would be no tracefile */
    return t;
}

bool lcov_take(void *writer, const struct report_file *files, uint32_t count, struct err *err)
{
    struct tracefile *t = writer;
    struct file_lines lines;
    arena_reset(t->arena);
    t->err = err;
    if (!file_lines_make(&lines, files, count, t->arena, err))
        return false;
    (void)fputs("SF:", t->file);
    put_lcov_text(t, files->path, ',');
    (void)fputc('\n', t->file);
    if (!put_functions(t, files, count))
        return false;
    put_lcov_lines(t, &lines);
    (void)fputs("end_of_record\n", t->file);
    return true;
}

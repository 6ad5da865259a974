#include "reporters/diff/findings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/fnv.h"
#include "base/list.h"
#include "base/sort.h"

/* Blank lines and braces that a run may contain. */
enum {
    GAP_MOST = 3
};

/* --- rules ------------------------------------------------------------------------------------ */

static uint32_t outcomes_not_taken(const struct diff *diff, const struct diff_line *line)
{
    uint32_t count = diff->base_name.len != 0 ? diff_line_outcomes(line, DIFF_NEW_MISSED) : 0;
    if (!line->in_patch)
        return count;
    return diff_line_outcomes(line, DIFF_NEW_MISSED) + diff_line_outcomes(line, DIFF_STILL_MISSED);
}

enum finding_rule finding_rule_of(const struct diff *diff, const struct diff_line *line)
{
    bool has_base = diff->base_name.len != 0;
    if (has_base && line->state == DIFF_LOST)
        return FINDING_LOST;
    if (has_base && line->state == DIFF_NEW_MISSED)
        return FINDING_NEW_MISSED;
    if (!diff_state_is_covered(line->state))
        return line->in_patch ? FINDING_PATCH_MISSED : FINDING_NONE;
    if (has_base && diff_line_outcomes(line, DIFF_LOST) != 0)
        return FINDING_LOST_BRANCH;
    return outcomes_not_taken(diff, line) != 0 ? FINDING_MISSED_BRANCH : FINDING_NONE;
}

static const struct {
    const char *name, *title, *one, *many;
} rules[] = {
    [FINDING_LOST] = {"ilcov/lost", "Coverage lost", "line was covered and is not any more",
                      "lines were covered and are not any more"},
    [FINDING_NEW_MISSED] = {"ilcov/new-missed", "New code not covered", "new line is not covered",
                            "new lines are not covered"},
    [FINDING_PATCH_MISSED] = {"ilcov/patch-missed", "Patch not covered",
                              "line of the patch is not covered",
                              "lines of the patch are not covered"},
    [FINDING_LOST_BRANCH] = {"ilcov/lost-branch", "Branch coverage lost",
                             "line lost an outcome of a branch", "lines lost outcomes of branches"},
    [FINDING_MISSED_BRANCH] = {"ilcov/missed-branch", "Branch not covered",
                               "line has an outcome of a branch that was not taken",
                               "lines have outcomes of branches that were not taken"},
};
_Static_assert(ARRAY_LEN(rules) == FINDING_RULES, "texts for each");

const char *finding_name(enum finding_rule rule)
{
    return rules[rule].name;
}

const char *finding_title(enum finding_rule rule)
{
    return rules[rule].title;
}

uint32_t finding_first_line(const struct finding *finding)
{
    return finding->file->lines[finding->first].number;
}

uint32_t finding_last_line(const struct finding *finding)
{
    return finding->file->lines[finding->first + finding->count - 1].number;
}

void finding_message(char message[FINDING_MESSAGE_ROOM], const struct finding *finding)
{
    (void)snprintf(message, FINDING_MESSAGE_ROOM, "%" PRIu32 " %s", finding->count,
                   finding->count == 1 ? rules[finding->rule].one : rules[finding->rule].many);
}

/* --- runs ------------------------------------------------------------------------------------- */

static bool continues_run(const struct diff_file *file, uint32_t index)
{
    return file->lines[index].number - file->lines[index - 1].number <= GAP_MOST + 1;
}

static bool add_findings(struct list *list, struct findings *out, const struct diff *diff,
                         const struct diff_file *file, struct arena *arena, struct err *err)
{
    struct finding *run = NULL; /* that may go on */
    for (uint32_t i = 0; i < file->line_count; i++) {
        enum finding_rule rule = finding_rule_of(diff, &file->lines[i]);
        if (rule != FINDING_NONE)
            out->lines[rule]++;
        if (run != NULL && rule == run->rule && continues_run(file, i)) {
            run->count++;
            continue;
        }
        run = rule != FINDING_NONE ? list_add(list, sizeof *run, arena, err) : NULL;
        if (run != NULL)
            *run = (struct finding){.file = file, .rule = rule, .first = i, .count = 1};
        else if (rule != FINDING_NONE)
            return false;
    }
    return true;
}

/* --- fingerprints ----------------------------------------------------------------------------- */

static uint64_t hash_field(uint64_t hash, struct str s)
{
    return fnv_bytes(fnv_word(hash, s.len), s.text, s.len);
}

static uint64_t hash_finding(const struct finding *finding, const struct sources *sources)
{
    const struct diff_file *file = finding->file;
    const struct source_place place = {sources, file->package, file->path};
    struct str line = sources_line(&place, finding_first_line(finding));
    struct str name = str_of(finding_name(finding->rule));
    uint64_t hash = hash_field(FNV_START, str_from(name, sizeof "ilcov/" - 1));
    return hash_field(hash_field(hash_field(hash, file->package), file->path),
                      str_trim(line, " \t\r\n\f\v"));
}

ORDER(order_by_fingerprint, struct finding *const,
      BY_ORDER(number_order((*a)->fingerprint, (*b)->fingerprint)) BY_ORDER((*a > *b) - (*a < *b)))

/* Lines with equal text in a file are distinguished by their order. */
static bool set_fingerprints(struct findings *findings, const struct sources *sources,
                             struct arena *arena, struct err *err)
{
    uint32_t count = findings->count;
    struct finding **sorted = arena_raw(arena, count, sizeof *sorted, err);
    if (sorted == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        findings->items[i].fingerprint = hash_finding(&findings->items[i], sources);
        sorted[i] = &findings->items[i];
    }
    if (count != 0)
        qsort(sorted, count, sizeof(struct finding *), order_by_fingerprint);
    uint64_t previous = 0, ordinal = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t hash = sorted[i]->fingerprint;
        ordinal = i != 0 && hash == previous ? ordinal + 1 : 0;
        previous = hash;
        sorted[i]->fingerprint = fnv_word(hash, ordinal);
    }
    return true;
}

bool findings_build(struct findings *out, const struct diff *diff, const struct sources *sources,
                    struct arena *arena, struct err *err)
{
    struct list list = {0};
    *out = (struct findings){0};
    for (uint32_t i = 0; i < diff->file_count; i++)
        if (!add_findings(&list, out, diff, &diff->files[i], arena, err))
            return false;
    out->items = list.items;
    out->count = list.count;
    return sources == NULL || set_fingerprints(out, sources, arena, err);
}

ORDER(order_by_importance, struct finding,
      BY(rule) BY_ORDER(number_order(b->count, a->count)) BY(file->path) BY(file->package)
          BY(first))

void findings_order(struct findings *findings)
{
    if (findings->count != 0)
        qsort(findings->items, findings->count, sizeof(struct finding), order_by_importance);
}

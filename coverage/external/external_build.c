/* Everything found is appended; external_build_finish sorts it and unites neighbours. So however
 * repetitive a report is, it costs no more than its sorting. */
#include "coverage/external/external_build.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/sort.h"
#include "coverage/facts/facts.h"

struct found_file {
    struct str package, path;
    uint32_t index; /* as it was found */
};

struct found_line {
    uint32_t file, number, member;
    uint32_t covered_count, outcome_count;
    uint64_t hits, member_hits;
    bool has_hits; /* the report says how many; else only what its branches or methods did */
    bool is_share; /* external_build_share */
};

struct found_outcome {
    uint32_t file, number, record, order;
    uint32_t nth; /* among those of its record with its group and place */
    uint64_t group, place, hits;
};

bool external_build_open(struct external_build *b, struct arena *arena, struct err *err)
{
    *b = (struct external_build){.arena = arena, .err = err};
    return list_add(&b->members, sizeof(struct external_member), arena, err) != NULL;
}

/* coverlet writes "Calculator", older versions of Microsoft's collector "calculator.dll". */
static struct str strip_extension(struct str package)
{
    struct str end = {package.text + (package.len > 4 ? package.len - 4 : 0), 4};
    if (package.len > 4 && (str_eq_nocase(end, STR(".dll")) || str_eq_nocase(end, STR(".exe"))))
        package.len -= 4;
    return package;
}

bool external_build_file(struct external_build *b, struct str package, struct str path)
{
    uint32_t index = b->files.count;
    struct found_file *file = list_add(&b->files, sizeof *file, b->arena, b->err);
    if (file == NULL)
        return false;
    *file = (struct found_file){strip_extension(package), path, index};
    b->file = index;
    b->member = 0;
    return true;
}

bool external_build_member(struct external_build *b, struct str class_name, struct str method_name,
                           struct str method_signature)
{
    b->member = b->members.count;
    const struct external_member added = {class_name, method_name, method_signature, 0};
    return list_put(&b->members, &added, sizeof added, b->arena, b->err);
}

/* FACT_LINE_LIMIT itself is what compilers write for hidden code. */
static bool is_source_line(struct external_build *b, uint64_t number)
{
    b->beyond_count += number > FACT_LINE_LIMIT;
    return number != 0 && number < FACT_LINE_LIMIT;
}

/* Of the current file; `line` has the rest. */
static bool add_found_line(struct external_build *b, uint32_t number, struct found_line line)
{
    line.file = b->file;
    line.number = number;
    return list_put(&b->lines, &line, sizeof line, b->arena, b->err);
}

bool external_build_line(struct external_build *b, uint64_t number, uint64_t hits,
                         uint32_t covered_count, uint32_t outcome_count)
{
    if (!is_source_line(b, number))
        return true;
    const struct found_line line = {
        .member = b->member,
        .covered_count = covered_count,
        .outcome_count = outcome_count,
        .hits = hits,
        .member_hits = hits,
        .has_hits = true,
    };
    return add_found_line(b, (uint32_t)number, line);
}

bool external_build_share(struct external_build *b, uint64_t number, uint32_t member, uint64_t hits)
{
    const struct found_line share = {.member = member, .member_hits = hits, .is_share = true};
    return number >= FACT_LINE_LIMIT || add_found_line(b, (uint32_t)number, share);
}

bool external_build_outcome(struct external_build *b, uint64_t number, uint64_t group,
                            uint64_t place, uint64_t hits)
{
    if (!is_source_line(b, number))
        return true;
    uint32_t order = b->outcomes.count;
    struct found_outcome *outcome = list_add(&b->outcomes, sizeof *outcome, b->arena, b->err);
    if (outcome == NULL)
        return false;
    *outcome =
        (struct found_outcome){b->file, (uint32_t)number, b->record, order, 0, group, place, hits};
    return add_found_line(b, (uint32_t)number, (struct found_line){.member = b->member});
}

void external_build_assign(struct external_build *b, uint32_t first,
                           uint32_t (*member)(void *context, uint32_t number), void *context)
{
    struct found_line *lines = b->lines.items;
    for (uint32_t i = first; i < b->lines.count; i++)
        lines[i].member = member(context, lines[i].number);
}

/* --- order ------------------------------------------------------------------------------------ */

ORDER(same_file, struct found_file, BY(package) BY(path))
ORDER(by_file, struct found_file, BY_ORDER(same_file(a, b)) BY(index))
ORDER(order_external_members, struct external_member,
      BY(class_name) BY(method_name) BY(method_signature))
ORDER(order_found_lines, struct found_line, BY(file) BY(number))

static int by_line(const void *a, const void *b, void *members)
{
    const struct found_line *left = a, *right = b;
    const struct external_member *all = members;
    int order = order_found_lines(left, right);
    return order != 0 ? order : order_external_members(&all[left->member], &all[right->member]);
}

ORDER(same_place, struct found_outcome, BY(file) BY(number) BY(group) BY(place))
ORDER(by_record, struct found_outcome, BY_ORDER(same_place(a, b)) BY(record) BY(order))
ORDER(by_outcome, struct found_outcome, BY_ORDER(same_place(a, b)) BY(nth) BY(order))

static void sort_found(struct list *list, size_t size, int (*order)(const void *, const void *))
{
    sort_unless_sorted(list->items, list->count, size, order);
}

/* Sorts the files, and gives lines and outcomes the index of the first equal file. */
static bool unite_files(struct external_build *b)
{
    struct found_file *files = b->files.items;
    struct found_line *lines = b->lines.items;
    struct found_outcome *outcomes = b->outcomes.items;
    uint32_t *places = ARENA_NEW(b->arena, uint32_t, b->files.count, b->err);
    if (places == NULL)
        return false;
    sort_found(&b->files, sizeof *files, by_file);
    for (uint32_t i = 0, first = 0; i < b->files.count; i++) {
        if (same_file(&files[first], &files[i]) != 0)
            first = i;
        places[files[i].index] = first;
    }
    for (uint32_t i = 0; i < b->lines.count; i++)
        lines[i].file = places[lines[i].file];
    for (uint32_t i = 0; i < b->outcomes.count; i++)
        outcomes[i].file = places[outcomes[i].file];
    return true;
}

/* Two lambdas on one line may have branches at the same offset, and coverlet's LCOV does not
 * distinguish them further. */
static void sort_outcomes(struct external_build *b)
{
    struct found_outcome *outcomes = b->outcomes.items;
    sort_found(&b->outcomes, sizeof *outcomes, by_record);
    for (uint32_t i = 1; i < b->outcomes.count; i++) {
        const struct found_outcome *before = &outcomes[i - 1];
        if (same_place(before, &outcomes[i]) == 0 && before->record == outcomes[i].record)
            outcomes[i].nth = before->nth + 1;
    }
    sort_found(&b->outcomes, sizeof *outcomes, by_outcome);
}

/* --- uniting ---------------------------------------------------------------------------------- */

struct uniter {
    const struct external_build *build;
    struct external *external;           /* its last file is the current one */
    const struct found_outcome *outcome; /* the next that has no line yet */
    uint32_t outcomes_left;
    struct external_line *line; /* the next */
    uint64_t *hits;             /* where its own go */
    struct external_member *members;
};

static uint64_t unite_hits(const struct external_build *b, uint64_t a, uint64_t c)
{
    if (b->adds)
        return number_add(a, c);
    return a > c ? a : c;
}

/* Each has a line: external_build_outcome made it. */
static void take_outcomes(struct external_line *line, struct uniter *u, uint32_t file)
{
    const struct found_outcome *last = NULL;
    for (; u->outcomes_left != 0; last = u->outcome++, u->outcomes_left--) {
        const struct found_outcome *outcome = u->outcome;
        if (outcome->file != file || outcome->number != line->number)
            break;
        if (last != NULL && same_place(last, outcome) == 0 && last->nth == outcome->nth) {
            u->hits[-1] = unite_hits(u->build, u->hits[-1], outcome->hits);
            continue;
        }
        if (line->outcomes == NULL) {
            line->outcomes = u->hits;
            line->outcome_count = 0;
        }
        *u->hits++ = outcome->hits;
        line->outcome_count++;
    }
    if (line->outcomes == NULL)
        return;
    line->covered_count = 0;
    for (uint32_t i = 0; i < line->outcome_count; i++)
        line->covered_count += line->outcomes[i] != 0;
}

/* A line of which only the branches are told was hit if one of them was taken. */
static void reach_line(struct external_line *line)
{
    line->hits = line->covered_count != 0;
    for (uint32_t i = 0; line->outcomes != NULL && i < line->outcome_count; i++)
        if (line->outcomes[i] > line->hits)
            line->hits = line->outcomes[i];
}

/* The hits say whether the line ran: so it counts for the tool that wrote them, too. */
static void note_unhit(struct external *out, const struct external_line *line)
{
    if (out->unhit_count++ != 0)
        return;
    out->unhit_path = out->files[out->file_count - 1].path;
    out->unhit_line = line->number;
}

/* Does the line know more about its branches than is known already? */
static bool is_fuller(const struct found_line *line, const struct external_line *known)
{
    if (line->outcome_count != known->outcome_count)
        return line->outcome_count > known->outcome_count;
    return line->covered_count > known->covered_count;
}

/* --- the methods of a line -------------------------------------------------------------------- */

/* The line has the largest hits of its methods: so it has when it is made of them again. */
static void fit_members(struct external_member *members, uint32_t count, uint64_t hits)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (members[i].hits > hits)
            members[i].hits = hits;
        if (members[i].hits > members[most].hits)
            most = i;
    }
    members[most].hits = hits;
}

/* One that is named tells more than those that are not. */
static void unite_members(struct external_line *out, struct uniter *u,
                          const struct found_line *lines, uint32_t count)
{
    const struct external_member *all = u->build->members.items;
    bool any_named = false;
    for (uint32_t i = 0; i < count; i++)
        any_named |= all[lines[i].member].method_name.len != 0;
    out->members = u->members;
    for (uint32_t i = 0; i < count; i++) {
        const struct external_member *member = &all[lines[i].member];
        if (any_named ? member->method_name.len == 0 : i != 0)
            continue;
        if (out->member_count == 0 || order_external_members(u->members - 1, member) != 0) {
            *u->members++ = *member;
            out->member_count++;
        }
        u->members[-1].hits = unite_hits(u->build, u->members[-1].hits, lines[i].member_hits);
    }
    fit_members(u->members - out->member_count, out->member_count, out->hits);
}

/* --- lines ------------------------------------------------------------------------------------ */

static void unite_lines(struct uniter *u, const struct found_line *lines, uint32_t count)
{
    struct external_line *out = u->line++;
    bool has_hits = false;
    u->external->files[u->external->file_count - 1].line_count++;
    *out = (struct external_line){.number = lines[0].number};
    for (uint32_t i = 0; i < count; i++) {
        const struct found_line *line = &lines[i];
        has_hits |= line->has_hits;
        out->hits = unite_hits(u->build, out->hits, line->hits);
        if (is_fuller(line, out)) {
            out->outcome_count = line->outcome_count;
            out->covered_count = line->covered_count;
        }
    }
    take_outcomes(out, u, lines[0].file);
    if (!has_hits)
        reach_line(out);
    else if (out->hits == 0 && out->covered_count != 0)
        note_unhit(u->external, out);
    unite_members(out, u, lines, count);
}

/* How many are of one line. *is_told: methods alone do not make one. */
static uint32_t run_length(bool *is_told, const struct found_line *lines, uint32_t count)
{
    uint32_t n = 0;
    for (*is_told = false; n < count && order_found_lines(lines, &lines[n]) == 0; n++)
        *is_told |= !lines[n].is_share;
    return n;
}

/* Room for all that is found. */
static bool open_uniter(struct uniter *u, struct external *out, const struct external_build *b)
{
    const struct found_line *lines = b->lines.items;
    uint32_t file_count = 0, line_count = 0, member_count = 0;
    for (uint32_t i = 0; i < b->lines.count; i++) {
        bool begins_file = i == 0 || lines[i].file != lines[i - 1].file;
        bool begins_line = begins_file || lines[i].number != lines[i - 1].number;
        file_count += begins_file;
        line_count += begins_line;
        member_count += begins_line || lines[i].member != lines[i - 1].member;
    }
    *u = (struct uniter){
        .build = b,
        .external = out,
        .outcome = b->outcomes.items,
        .outcomes_left = b->outcomes.count,
        .line = ARENA_NEW(b->arena, struct external_line, line_count, b->err),
        .hits = ARENA_NEW(b->arena, uint64_t, b->outcomes.count, b->err),
        .members = ARENA_NEW(b->arena, struct external_member, member_count, b->err),
    };
    out->files = ARENA_NEW(b->arena, struct external_file, file_count, b->err);
    return u->line != NULL && u->hits != NULL && u->members != NULL && out->files != NULL;
}

static void begin_united_file(struct uniter *u, uint32_t file)
{
    const struct found_file *found = (const struct found_file *)u->build->files.items + file;
    u->external->files[u->external->file_count++] =
        (struct external_file){found->package, found->path, u->line, 0};
}

bool external_build_finish(struct external *out, struct external_build *b)
{
    struct uniter u;
    const struct found_line *lines = b->lines.items;
    if (!unite_files(b))
        return false;
    if (b->lines.count != 0)
        qsort_r(b->lines.items, b->lines.count, sizeof *lines, by_line, b->members.items);
    sort_outcomes(b);
    if (!open_uniter(&u, out, b))
        return false;
    out->beyond_count = b->beyond_count;
    for (uint32_t i = 0, n = 0, file = NO_INDEX; i < b->lines.count; i += n) {
        bool is_told;
        n = run_length(&is_told, &lines[i], b->lines.count - i);
        if (!is_told)
            continue;
        if (lines[i].file != file)
            begin_united_file(&u, lines[i].file);
        file = lines[i].file;
        unite_lines(&u, &lines[i], n);
        if (u.line[-1].outcome_count > EXTERNAL_OUTCOMES_MAX)
            return err_set(b->err, ERR_LIMIT,
                           "line %u of %.200s has %u branches, at most %d are read",
                           u.line[-1].number, out->files[out->file_count - 1].path.text,
                           u.line[-1].outcome_count, EXTERNAL_OUTCOMES_MAX);
    }
    return true;
}

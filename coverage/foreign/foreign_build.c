/* Everything found is appended; foreign_build_finish sorts it and unites neighbours. So however
 * repetitive a report is, it costs no more than its sorting. */
#include "coverage/foreign/foreign_build.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "coverage/facts/facts.h"

struct found_file {
    struct str package, path;
    uint32_t index; /* as it was found */
};

struct found_member {
    struct str class_name, method_name, method_signature;
    uint32_t name; /* the same for those of equal names, ascending with these */
};

struct found_line {
    uint32_t file, number, order, member;
    uint32_t covered_count, outcome_count;
    uint32_t first_condition, condition_count;
    uint64_t hits, member_hits;
    bool has_hits; /* the report says how many; else only what its branches or methods did */
};

struct found_outcome {
    uint32_t file, number, record, order;
    uint32_t nth; /* among those of its record with its group and place */
    uint64_t group, place, hits;
};

bool foreign_build_open(struct foreign_build *b, struct arena *arena, struct err *err)
{
    *b = (struct foreign_build){.arena = arena, .err = err};
    return list_add(&b->members, sizeof(struct found_member), arena, err) != NULL;
}

/* coverlet writes "Calculator", older versions of Microsoft's collector "calculator.dll". */
static struct str without_extension(struct str package)
{
    struct str end = {package.text + (package.len > 4 ? package.len - 4 : 0), 4};
    if (package.len > 4 && (str_eq_nocase(end, STR(".dll")) || str_eq_nocase(end, STR(".exe"))))
        package.len -= 4;
    return package;
}

bool foreign_build_file(struct foreign_build *b, struct str package, struct str path)
{
    uint32_t index = b->files.count;
    struct found_file *file = list_add(&b->files, sizeof *file, b->arena, b->err);
    if (file == NULL)
        return false;
    *file = (struct found_file){without_extension(package), path, index};
    b->file = index;
    b->member = 0;
    return true;
}

bool foreign_build_member(struct foreign_build *b, struct str class_name, struct str method_name,
                          struct str method_signature)
{
    b->member = b->members.count;
    struct found_member *member = list_add(&b->members, sizeof *member, b->arena, b->err);
    if (member == NULL)
        return false;
    *member = (struct found_member){class_name, method_name, method_signature, 0};
    return true;
}

/* FACT_LINE_LIMIT itself is what compilers write for hidden code. */
static bool is_line(struct foreign_build *b, uint64_t number)
{
    b->beyond_count += number > FACT_LINE_LIMIT;
    return number != 0 && number < FACT_LINE_LIMIT;
}

/* Of the current file; `line` has the rest. */
static bool add_line(struct foreign_build *b, uint32_t number, struct found_line line)
{
    line.file = b->file;
    line.number = number;
    line.order = b->lines.count;
    struct found_line *added = list_add(&b->lines, sizeof line, b->arena, b->err);
    if (added == NULL)
        return false;
    *added = line;
    return true;
}

bool foreign_build_line(struct foreign_build *b, uint64_t number, uint64_t hits,
                        uint32_t covered_count, uint32_t outcome_count)
{
    uint32_t first_condition = b->conditions_taken;
    b->conditions_taken = b->conditions.count;
    if (!is_line(b, number))
        return true;
    const struct found_line line = {
        .member = b->member,
        .covered_count = covered_count,
        .outcome_count = outcome_count,
        .first_condition = first_condition,
        .condition_count = b->conditions_taken - first_condition,
        .hits = hits,
        .member_hits = hits,
        .has_hits = true,
    };
    return add_line(b, (uint32_t)number, line);
}

bool foreign_build_share(struct foreign_build *b, uint32_t number, uint32_t member, uint64_t hits)
{
    return add_line(b, number, (struct found_line){.member = member, .member_hits = hits});
}

bool foreign_build_condition(struct foreign_build *b, struct foreign_condition condition)
{
    struct foreign_condition *added = list_add(&b->conditions, sizeof condition, b->arena, b->err);
    if (added == NULL)
        return false;
    *added = condition;
    return true;
}

bool foreign_build_outcome(struct foreign_build *b, uint64_t number, uint64_t group, uint64_t place,
                           uint64_t hits)
{
    if (!is_line(b, number))
        return true;
    uint32_t order = b->outcomes.count;
    struct found_outcome *outcome = list_add(&b->outcomes, sizeof *outcome, b->arena, b->err);
    if (outcome == NULL)
        return false;
    *outcome =
        (struct found_outcome){b->file, (uint32_t)number, b->record, order, 0, group, place, hits};
    return add_line(b, (uint32_t)number, (struct found_line){.member = b->member});
}

void foreign_build_assign(struct foreign_build *b, uint32_t first,
                          uint32_t (*member)(void *context, uint32_t number), void *context)
{
    struct found_line *lines = b->lines.items;
    for (uint32_t i = first; i < b->lines.count; i++)
        lines[i].member = member(context, lines[i].number);
}

/* --- order ------------------------------------------------------------------------------------ */

static int same_file(const struct found_file *a, const struct found_file *b)
{
    int order = str_cmp(a->package, b->package);
    return order != 0 ? order : str_cmp(a->path, b->path);
}

static int by_file(const void *a, const void *b)
{
    const struct found_file *left = a, *right = b;
    int order = same_file(left, right);
    return order != 0 ? order : number_order(left->index, right->index);
}

static int by_line(const void *a, const void *b)
{
    const struct found_line *left = a, *right = b;
    int order = number_order(left->file, right->file);
    if (order == 0)
        order = number_order(left->number, right->number);
    return order != 0 ? order : number_order(left->order, right->order);
}

static int same_place(const struct found_outcome *a, const struct found_outcome *b)
{
    int order = number_order(a->file, b->file);
    if (order == 0)
        order = number_order(a->number, b->number);
    if (order == 0)
        order = number_order(a->group, b->group);
    return order != 0 ? order : number_order(a->place, b->place);
}

static int by_record(const void *a, const void *b)
{
    const struct found_outcome *left = a, *right = b;
    int order = same_place(left, right);
    if (order == 0)
        order = number_order(left->record, right->record);
    return order != 0 ? order : number_order(left->order, right->order);
}

static int by_outcome(const void *a, const void *b)
{
    const struct found_outcome *left = a, *right = b;
    int order = same_place(left, right);
    if (order == 0)
        order = number_order(left->nth, right->nth);
    return order != 0 ? order : number_order(left->order, right->order);
}

static void sort(struct list *list, size_t size, int (*order)(const void *, const void *))
{
    if (list->count != 0)
        qsort(list->items, list->count, size, order);
}

/* Sorts the files, and gives lines and outcomes the index of the first equal file. */
static bool unite_files(struct foreign_build *b)
{
    struct found_file *files = b->files.items;
    struct found_line *lines = b->lines.items;
    struct found_outcome *outcomes = b->outcomes.items;
    uint32_t *places = ARENA_NEW(b->arena, uint32_t, b->files.count, b->err);
    if (places == NULL)
        return false;
    sort(&b->files, sizeof *files, by_file);
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
static void sort_outcomes(struct foreign_build *b)
{
    struct found_outcome *outcomes = b->outcomes.items;
    sort(&b->outcomes, sizeof *outcomes, by_record);
    for (uint32_t i = 1; i < b->outcomes.count; i++) {
        const struct found_outcome *before = &outcomes[i - 1];
        if (same_place(before, &outcomes[i]) == 0 && before->record == outcomes[i].record)
            outcomes[i].nth = before->nth + 1;
    }
    sort(&b->outcomes, sizeof *outcomes, by_outcome);
}

static int by_name(const void *a, const void *b)
{
    const struct found_member *left = *(struct found_member *const *)a;
    const struct found_member *right = *(struct found_member *const *)b;
    int order = str_cmp(left->class_name, right->class_name);
    if (order == 0)
        order = str_cmp(left->method_name, right->method_name);
    return order != 0 ? order : str_cmp(left->method_signature, right->method_signature);
}

static bool name_members(struct foreign_build *b)
{
    struct found_member *members = b->members.items;
    struct found_member **sorted =
        ARENA_NEW(b->arena, struct found_member *, b->members.count, b->err);
    if (sorted == NULL)
        return false;
    for (uint32_t i = 0; i < b->members.count; i++)
        sorted[i] = &members[i];
    qsort(sorted, b->members.count, sizeof *sorted, by_name);
    for (uint32_t i = 1; i < b->members.count; i++)
        sorted[i]->name = sorted[i - 1]->name + (by_name(&sorted[i - 1], &sorted[i]) != 0);
    return true;
}

/* --- uniting ---------------------------------------------------------------------------------- */

struct uniter {
    const struct foreign_build *build;
    struct foreign *foreign;                            /* its last file is the current one */
    const struct found_outcome *outcome, *outcomes_end; /* the next that has no line yet */
    uint64_t *hits;                                     /* where the next line's go */
};

static uint64_t united(const struct foreign_build *b, uint64_t a, uint64_t c)
{
    if (b->adds)
        return number_add(a, c);
    return a > c ? a : c;
}

/* Each has a line: foreign_build_outcome made it. */
static void take_outcomes(struct foreign_line *line, struct uniter *u, uint32_t file)
{
    const struct found_outcome *last = NULL;
    for (; u->outcome != u->outcomes_end; last = u->outcome++) {
        const struct found_outcome *outcome = u->outcome;
        if (outcome->file != file || outcome->number != line->number)
            break;
        if (last != NULL && same_place(last, outcome) == 0 && last->nth == outcome->nth) {
            u->hits[-1] = united(u->build, u->hits[-1], outcome->hits);
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
static void reach(struct foreign_line *line)
{
    line->hits = line->covered_count != 0;
    for (uint32_t i = 0; line->outcomes != NULL && i < line->outcome_count; i++)
        if (line->outcomes[i] > line->hits)
            line->hits = line->outcomes[i];
}

/* The hits say whether the line ran: so it counts for the tool that wrote them, too. */
static void note_unhit(struct foreign *out, const struct foreign_line *line)
{
    if (out->unhit_count++ != 0)
        return;
    out->unhit_path = out->files[out->file_count - 1].path;
    out->unhit_line = line->number;
}

/* Does the line know more about its branches than is known already? */
static bool is_fuller(const struct found_line *line, const struct foreign_line *known)
{
    if (line->outcome_count != known->outcome_count)
        return line->outcome_count > known->outcome_count;
    if (line->covered_count != known->covered_count)
        return line->covered_count > known->covered_count;
    return line->condition_count > known->condition_count;
}

/* --- the methods of a line -------------------------------------------------------------------- */

struct share {
    uint32_t name, member;
    uint64_t hits;
};

static int by_share(const void *a, const void *b)
{
    const struct share *left = a, *right = b;
    int order = number_order(left->name, right->name);
    return order != 0 ? order : number_order(left->member, right->member);
}

/* The line has the largest hits of its methods: so it has when it is made of them again. */
static void fit_members(struct foreign_member *members, uint32_t count, uint64_t hits)
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

static bool list_members(struct foreign_line *out, const struct foreign_build *b,
                         const struct found_line *lines, uint32_t count)
{
    const struct found_member *members = b->members.items, *first = NULL;
    bool several = false;
    uint32_t kept = 0, room = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct found_member *member = &members[lines[i].member];
        if (member->method_name.len == 0)
            continue;
        first = first == NULL ? member : first;
        several |= member->name != first->name;
        room++;
    }
    if (!several)
        return true;
    struct share *shares = ARENA_NEW(b->arena, struct share, room, b->err);
    struct foreign_member *listed = ARENA_NEW(b->arena, struct foreign_member, room, b->err);
    if (shares == NULL || listed == NULL)
        return false;
    for (uint32_t i = 0, k = 0; i < count; i++) {
        const struct found_member *member = &members[lines[i].member];
        if (member->method_name.len != 0)
            shares[k++] = (struct share){member->name, lines[i].member, lines[i].member_hits};
    }
    qsort(shares, room, sizeof *shares, by_share);
    for (uint32_t i = 0; i < room; i++) {
        const struct found_member *member = &members[shares[i].member];
        if (i == 0 || shares[i].name != shares[i - 1].name)
            listed[kept++] = (struct foreign_member){member->class_name, member->method_name,
                                                     member->method_signature, 0};
        listed[kept - 1].hits = united(b, listed[kept - 1].hits, shares[i].hits);
    }
    fit_members(listed, kept, out->hits);
    out->members = listed;
    out->member_count = kept;
    return true;
}

/* --- lines ------------------------------------------------------------------------------------ */

static bool unite_lines(struct foreign_line *out, struct uniter *u, const struct found_line *lines,
                        uint32_t count)
{
    const struct found_member *members = u->build->members.items;
    const struct found_member *member = &members[lines[0].member];
    const struct foreign_condition *conditions = u->build->conditions.items;
    bool has_hits = false;
    *out = (struct foreign_line){.number = lines[0].number};
    for (uint32_t i = 0; i < count; i++) {
        const struct found_line *line = &lines[i];
        has_hits |= line->has_hits;
        out->hits = united(u->build, out->hits, line->hits);
        if (is_fuller(line, out)) {
            out->outcome_count = line->outcome_count;
            out->covered_count = line->covered_count;
            out->condition_count = line->condition_count;
            out->conditions =
                line->condition_count != 0 ? &conditions[line->first_condition] : NULL;
        }
        const struct found_member *other = &members[line->member];
        if (member->method_name.len == 0 && other->method_name.len != 0)
            member = other;
    }
    out->class_name = member->class_name;
    out->method_name = member->method_name;
    out->method_signature = member->method_signature;
    take_outcomes(out, u, lines[0].file);
    if (!has_hits)
        reach(out);
    else if (out->hits == 0 && out->covered_count != 0)
        note_unhit(u->foreign, out);
    return list_members(out, u->build, lines, count);
}

static uint32_t run_length(const struct found_line *lines, uint32_t count)
{
    uint32_t n = 1;
    while (n < count && lines[n].file == lines[0].file && lines[n].number == lines[0].number)
        n++;
    return n;
}

static void count_united(const struct foreign_build *b, uint32_t *line_count, uint32_t *file_count)
{
    const struct found_line *lines = b->lines.items;
    *line_count = *file_count = 0;
    for (uint32_t i = 0; i < b->lines.count; i += run_length(&lines[i], b->lines.count - i)) {
        ++*line_count;
        *file_count += i == 0 || lines[i].file != lines[i - 1].file;
    }
}

static bool check_outcomes(const struct foreign *foreign, struct err *err)
{
    for (uint32_t i = 0; i < foreign->file_count; i++) {
        const struct foreign_file *file = &foreign->files[i];
        for (uint32_t k = 0; k < file->line_count; k++)
            if (file->lines[k].outcome_count > FOREIGN_OUTCOMES_MAX)
                return err_set(err, ERR_LIMIT,
                               "line %u of %.200s has %u branches, at most %d are read",
                               file->lines[k].number, file->path.text, file->lines[k].outcome_count,
                               FOREIGN_OUTCOMES_MAX);
    }
    return true;
}

bool foreign_build_finish(struct foreign *out, struct foreign_build *b)
{
    uint32_t line_count, file_count;
    if (!unite_files(b) || !name_members(b))
        return false;
    sort(&b->lines, sizeof(struct found_line), by_line);
    sort_outcomes(b);
    count_united(b, &line_count, &file_count);
    struct foreign_line *line = ARENA_NEW(b->arena, struct foreign_line, line_count, b->err);
    struct foreign_file *file = ARENA_NEW(b->arena, struct foreign_file, file_count, b->err);
    uint64_t *hits = ARENA_NEW(b->arena, uint64_t, b->outcomes.count, b->err);
    if (line == NULL || file == NULL || hits == NULL)
        return false;
    out->files = file;
    out->beyond_count = b->beyond_count;
    const struct found_file *files = b->files.items;
    const struct found_line *lines = b->lines.items;
    const struct found_outcome *outcomes = b->outcomes.items;
    struct uniter u = {b, out, outcomes, outcomes != NULL ? outcomes + b->outcomes.count : NULL,
                       hits};
    for (uint32_t i = 0, n = 0; i < b->lines.count; i += n) {
        n = run_length(&lines[i], b->lines.count - i);
        if (i == 0 || lines[i].file != lines[i - 1].file) {
            const struct found_file *found = &files[lines[i].file];
            file = &out->files[out->file_count++];
            *file = (struct foreign_file){found->package, found->path, line, 0};
        }
        if (!unite_lines(line++, &u, &lines[i], n))
            return false;
        file->line_count++;
    }
    return check_outcomes(out, b->err);
}

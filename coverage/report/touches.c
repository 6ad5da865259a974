#include "coverage/report/touches.h"

#include "base/sort.h"
#include "coverage/report/missed_text.h"

/* Lines spanned by all statements of a package, counting a line once for each statement. */
enum {
    SPANNED_LINES_LIMIT = 1 << 25
};

static bool has_file(const struct lines_module *m, const struct fact_statement *statement)
{
    return m->file_of[statement->document] != NO_INDEX;
}

/* NO_INDEX: the statement is left out. */
static uint32_t owner_of(const struct lines_module *m, const struct fact_statement *statement)
{
    return statement->reason == NULL ? m->owner_of[statement->method] : NO_INDEX;
}

bool touches_count(size_t *out, const struct lines_work *work)
{
    size_t total = 0;
    for (uint32_t i = 0; i < work->module_count; i++) {
        const struct lines_module *m = &work->modules[i];
        for (uint32_t s = 0; s < m->module->statement_count; s++) {
            const struct fact_statement *statement = &m->module->statements[s];
            if (has_file(m, statement))
                total += statement->end_line - statement->start_line + 1;
        }
        if (total > SPANNED_LINES_LIMIT)
            return err_set(work->err, ERR_LIMIT, "the statements of %.*s span more than %d lines",
                           STR_ARGS(m->module->name), SPANNED_LINES_LIMIT);
    }
    *out = total;
    return true;
}

static int order_touches(const void *left, const void *right)
{
    const struct touch *a = left, *b = right;
    int order = number_order(a->file, b->file);
    if (order == 0)
        order = number_order(a->line, b->line);
    if (order == 0)
        order = number_order(a->rank, b->rank);
    if (order == 0)
        order = number_order(a->owner, b->owner);
    if (order == 0)
        order = statement_place_order(a->statement, b->statement);
    return order != 0 ? order : number_order((uintptr_t)a->statement, (uintptr_t)b->statement);
}

size_t touches_find(struct touch *touches, const struct lines_module *m)
{
    size_t count = 0;
    for (uint32_t s = 0; s < m->module->statement_count; s++) {
        const struct fact_statement *statement = &m->module->statements[s];
        if (!has_file(m, statement))
            continue;
        for (uint32_t line = statement->start_line; line <= statement->end_line; line++)
            if (facts_has_text(statement, line))
                touches[count++] = (struct touch){.file = m->file_of[statement->document],
                                                  .line = line,
                                                  .owner = owner_of(m, statement),
                                                  .rank = facts_rank(statement, line),
                                                  .statement = statement};
    }
    sort_unless_sorted(touches, count, sizeof *touches, order_touches);
    return count;
}

bool touches_sum_copies(uint64_t **out, const struct lines_module *m, const struct copies *copies,
                        const struct lines_work *work)
{
    uint64_t *sums = ARENA_NEW(work->scratch, uint64_t, m->module->statement_count, work->err);
    if (sums == NULL)
        return false;
    for (uint32_t s = 0; s < m->module->statement_count; s++) {
        const struct fact_statement *statement = &m->module->statements[s];
        uint64_t *sum = &sums[copies->statement[s]];
        if (has_file(m, statement) && owner_of(m, statement) != NO_INDEX)
            *sum = number_add(*sum, m->counts[statement->count]);
    }
    *out = sums;
    return true;
}

/* Keeps the touches of lowest rank on each line, joined per owner. An owner's copies are
 * neighbours. A statement that is left out has no owner but keeps its line, which does not fall to
 * an enclosing statement. */
size_t touches_join(struct line_entry *entries, const struct touch *touches, size_t touch_count,
                    uint32_t module, const struct lines_module *m, const struct copies *copies,
                    const uint64_t *sums)
{
    size_t count = 0;
    uint64_t hits = 0;
    for (size_t i = 0, line = 0; i < touch_count; i++) {
        const struct touch *touch = &touches[i], *lowest = &touches[line];
        if (touch->file != lowest->file || touch->line != lowest->line) {
            line = i;
            lowest = touch;
        }
        if (touch->rank != lowest->rank || touch->owner == NO_INDEX)
            continue;
        uint32_t copy = copies->statement[touch->statement - m->module->statements];
        bool same_owner = i != line && touches[i - 1].owner == touch->owner;
        bool again = same_owner &&
                     copies->statement[touches[i - 1].statement - m->module->statements] == copy;
        hits = number_add(again ? hits : 0, m->counts[touch->statement->count]);
        if (!same_owner)
            entries[count++] = (struct line_entry){.file = touch->file,
                                                   .line = touch->line,
                                                   .owner = touch->owner,
                                                   .module = module,
                                                   .first = touch->statement};
        struct line_entry *entry = &entries[count - 1];
        entry->hits = hits > entry->hits ? hits : entry->hits;
        entry->class_hits = sums[copy] > entry->class_hits ? sums[copy] : entry->class_hits;
    }
    return count;
}

/* --- one module: statements to pieces of text ------------------------------------------------- */

static bool add_piece(const struct touch *touch, const struct lines_module *m,
                      const struct copies *copies, const uint64_t *sums,
                      const struct lines_work *work)
{
    struct text_piece piece;
    const struct fact_statement *statement = touch->statement;
    if ((touch->owner == NO_INDEX && statement->reason == NULL) || /* another build shows it */
        !text_piece_make(&piece, statement, touch->line))
        return true;
    piece.file = touch->file;
    piece.ran = sums[copies->statement[statement - m->module->statements]] != 0;
    piece.is_left_out = statement->reason != NULL;
    return list_push(work->pieces, &piece, sizeof piece, work->scratch, work->err);
}

/* One build alone tells whether some of a line ran and some did not. */
static bool may_be_mixed(const struct touch *touches, size_t count, const struct lines_module *m,
                         const struct copies *copies, const uint64_t *sums,
                         const struct lines_work *work)
{
    size_t ran = 0;
    if (work->module_count > 1)
        return true;
    for (size_t i = 0; i < count; i++)
        ran += sums[copies->statement[touches[i].statement - m->module->statements]] != 0;
    return ran != 0 && ran != count;
}

bool touches_keep_pieces(const struct touch *touches, size_t touch_count,
                         const struct lines_module *m, const struct copies *copies,
                         const uint64_t *sums, const struct lines_work *work)
{
    for (size_t i = 0, end; i < touch_count; i = end) {
        size_t edges = i;
        for (end = i; end < touch_count && touches[end].file == touches[i].file &&
                      touches[end].line == touches[i].line;
             end++)
            edges += touches[end].rank == 0;
        if (!may_be_mixed(&touches[i], edges - i, m, copies, sums, work))
            continue;
        for (size_t k = i; k < edges; k++)
            if (!add_piece(&touches[k], m, copies, sums, work))
                return false;
    }
    return true;
}

/* --- one module: statements to tests ---------------------------------------------------------- */

/* Is the touch one of those that make up the line, which `lowest` is the first of? */
static bool makes_up(const struct touch *touch, const struct touch *lowest,
                     const struct lines_module *m)
{
    return touch->rank == lowest->rank && touch->statement->reason == NULL &&
           m->own_owner_of[touch->statement->method] != NO_INDEX;
}

static size_t line_end(const struct touch *touches, size_t first, size_t touch_count)
{
    size_t end = first + 1;
    while (end < touch_count && touches[end].file == touches[first].file &&
           touches[end].line == touches[first].line)
        end++;
    return end;
}

static bool list_sets(struct count_sets *out, const struct touch *touches, size_t touch_count,
                      const struct lines_module *m, struct arena *arena, struct err *err)
{
    bool *wanted = ARENA_NEW(arena, bool, m->module->count_len, err);
    if (wanted == NULL)
        return false;
    for (size_t i = 0, end; i < touch_count; i = end) {
        end = line_end(touches, i, touch_count);
        for (size_t k = i; k < end; k++)
            wanted[touches[k].statement->count] |= makes_up(&touches[k], &touches[i], m);
    }
    return count_sets_list(out, m->tests, m->index, m->module->count_len, wanted, arena, err);
}

/* The sets of the touches of a line, in `room`. */
static bool gather(struct list *room, const struct count_sets *of, const struct touch *touches,
                   size_t count, const struct lines_module *m, struct arena *arena, struct err *err)
{
    room->count = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t at = touches[i].statement->count;
        if (!makes_up(&touches[i], touches, m))
            continue;
        for (uint32_t k = of->first[at]; k < of->first[at + 1]; k++) {
            if (!list_push(room, &of->sets[k], sizeof of->sets[k], arena, err))
                return false;
        }
    }
    return true;
}

static bool tell_lines(const struct touch *touches, size_t touch_count,
                       const struct lines_module *m, const struct lines_work *work,
                       struct arena *arena)
{
    struct count_sets of;
    struct list sets = {.items = NULL};
    if (!list_sets(&of, touches, touch_count, m, arena, work->err))
        return false;
    for (size_t i = 0, end; i < touch_count; i = end) {
        const struct line_tests *tests = NULL;
        end = line_end(touches, i, touch_count);
        if (!gather(&sets, &of, &touches[i], end - i, m, arena, work->err) ||
            !line_tests_make(&tests, work->tests, sets.items, sets.count))
            return false;
        if (tests == NULL)
            continue;
        const struct told_line added = {touches[i].file, touches[i].line, tests};
        if (!list_push(work->told, &added, sizeof added, work->scratch, work->err))
            return false;
    }
    return true;
}

bool touches_tell_tests(const struct touch *touches, size_t touch_count,
                        const struct lines_module *m, const struct lines_work *work)
{
    struct arena arena;
    if (m->tests == NULL)
        return true;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    bool ok = tell_lines(touches, touch_count, m, work, &arena);
    arena_free(&arena);
    return ok;
}

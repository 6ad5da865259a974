#include "coverage/facts/facts_tests.h"

#include <string.h>

#include "base/number.h"
#include "base/sort.h"
#include "coverage/facts/index_set.h"
#include "coverage/facts/sort_list.h"

/* --- order ------------------------------------------------------------------------------------ */

ORDER(order_fact_tests, struct fact_test, BY(run) BY(kind) BY(name))
ORDER(order_hits, struct fact_hits,
      BY(module) BY_ORDER(str_cmp((struct str){(const char *)a->counts.data, a->counts.len},
                                  (struct str){(const char *)b->counts.data, b->counts.len})))

/* --- joined ----------------------------------------------------------------------------------- */

/* In each set of tests; several may get the same number. */
static bool renumber_tests(struct facts *facts, const uint32_t *new_index, struct arena *arena,
                           struct err *err)
{
    bool ok = true;
    struct arena scratch = ARENA_EMPTY;
    for (uint32_t i = 0; ok && i < facts->hits_count; i++) {
        struct view *tests = &facts->hits[i].tests;
        arena_reset(&scratch);
        ok = index_set_renumber(tests, *tests, new_index, &scratch, arena, err);
    }
    arena_free(&scratch);
    return ok;
}

/* The tests of [first, end), which hit the same. */
static bool join_tests_of(struct view *out, const struct fact_hits *first,
                          const struct fact_hits *end, struct arena *scratch, struct arena *arena,
                          struct err *err)
{
    uint32_t count = 0, *numbers, *at;
    for (const struct fact_hits *hits = first; hits < end; hits++)
        count += index_set_count(hits->tests);
    at = numbers = arena_raw(scratch, count, sizeof *numbers, err);
    for (const struct fact_hits *hits = first; at != NULL && hits < end; hits++)
        at = index_set_list(at, hits->tests);
    return numbers != NULL && index_set_pack(out, numbers, count, arena, err);
}

/* The hits are sorted. */
static bool join_hits(struct facts *facts, struct arena *arena, struct err *err)
{
    struct fact_hits *hits = facts->hits;
    uint32_t kept = 0;
    bool ok = true;
    struct arena scratch = ARENA_EMPTY;
    for (uint32_t i = 0, end = 0; ok && i < facts->hits_count; i = end, kept++) {
        for (end = i + 1; end < facts->hits_count && order_hits(&hits[i], &hits[end]) == 0;)
            end++;
        arena_reset(&scratch);
        ok = end == i + 1 ||
             join_tests_of(&hits[i].tests, &hits[i], &hits[end], &scratch, arena, err);
        hits[kept] = hits[i];
    }
    arena_free(&scratch);
    facts->hits_count = kept;
    return ok;
}

static uint64_t at_most(uint64_t value, uint64_t most)
{
    return value < most ? value : most;
}

/* What a test did is what it did each time. */
static void add_to_test(struct fact_test *to, const struct fact_test *from)
{
    to->ns = at_most(number_add(to->ns, from->ns), INT64_MAX);
    to->rows = at_most(number_add(to->rows, from->rows), INT64_MAX);
    if (from->end == TEST_THREW || to->end == TEST_END_UNKNOWN)
        to->end = from->end;
}

/* The tests are sorted. *new_index: of the sorted ones. */
static uint32_t join_tests(uint32_t *new_index, struct facts *facts)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < facts->test_count; i++) {
        if (count != 0 && order_fact_tests(&facts->tests[count - 1], &facts->tests[i]) == 0)
            add_to_test(&facts->tests[count - 1], &facts->tests[i]);
        else
            facts->tests[count++] = facts->tests[i];
        new_index[i] = count - 1;
    }
    return count;
}

static bool sort_tests(struct facts *facts, struct arena *arena, struct err *err)
{
    uint32_t *sorted = NULL, *joined = ARENA_NEW(arena, uint32_t, facts->test_count, err);
    if (joined == NULL || !SORT(&sorted, facts->tests, facts->test_count, order_fact_tests))
        return false;
    uint32_t count = join_tests(joined, facts);
    for (uint32_t i = 0; sorted != NULL && i < facts->test_count; i++)
        sorted[i] = joined[sorted[i]];
    bool moved = sorted != NULL || count != facts->test_count;
    if (moved && !renumber_tests(facts, sorted != NULL ? sorted : joined, arena, err))
        return false;
    facts->test_count = count;
    return true;
}

bool facts_sort_tests(struct facts *facts, struct arena *arena, struct err *err)
{
    uint32_t *unused = NULL;
    return sort_tests(facts, arena, err) &&
           SORT(&unused, facts->hits, facts->hits_count, order_hits) &&
           join_hits(facts, arena, err);
}

bool facts_join_tests(struct facts *facts, struct arena *arena, struct err *err)
{
    facts->tests = arena_copy(arena, facts->tests, facts->test_count, sizeof *facts->tests, err);
    facts->hits = arena_copy(arena, facts->hits, facts->hits_count, sizeof *facts->hits, err);
    if (facts->tests == NULL || facts->hits == NULL)
        return false;
    for (uint32_t i = 0; i < facts->test_count; i++)
        facts->tests[i].run = 0;
    return sort_tests(facts, arena, err);
}

/* --- check ------------------------------------------------------------------------------------ */

bool facts_check_tests(const struct facts *facts, struct err *err)
{
    for (uint32_t i = 0; i < facts->test_count; i++)
        if (facts->tests[i].run >= facts->run_count || facts->tests[i].kind > TEST_OUTSIDE ||
            facts->tests[i].end > TEST_THREW || facts->tests[i].ns > INT64_MAX ||
            facts->tests[i].rows > INT64_MAX)
            return err_set(err, ERR_FORMAT, "test %u is of run %u and kind %u, or malformed", i,
                           facts->tests[i].run, (unsigned)facts->tests[i].kind);
    for (uint32_t i = 0; i < facts->hits_count; i++) {
        const struct fact_hits *hits = &facts->hits[i];
        if (hits->module >= facts->module_count ||
            !index_set_is_sound(hits->counts, facts->modules[hits->module].count_len) ||
            !index_set_is_sound(hits->tests, facts->test_count))
            return err_set(err, ERR_FORMAT, "hits %u are of module %u, or malformed", i,
                           hits->module);
    }
    return true;
}

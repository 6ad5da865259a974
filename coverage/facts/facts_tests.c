#include "coverage/facts/facts_tests.h"

#include <string.h>

#include "base/number.h"
#include "base/sort.h"
#include "coverage/facts/index_set.h"
#include "coverage/facts/sort_list.h"

/* --- order ------------------------------------------------------------------------------------ */

ORDER(order_tests, struct fact_test, BY(run) BY(kind) BY(name))
ORDER(order_hits, struct fact_hits,
      BY(module) BY_ORDER(str_cmp((struct str){(const char *)a->counts.data, a->counts.len},
                                  (struct str){(const char *)b->counts.data, b->counts.len})))

/* --- joined ----------------------------------------------------------------------------------- */

/* A set of tests that is being put together, without the cost of all tests there are. */
struct test_set {
    bool *has; /* by index of test; all false between sets */
    uint32_t least, most;
};

static void test_set_begin(struct test_set *set)
{
    set->least = UINT32_MAX;
    set->most = 0;
}

/* `new_index` may be NULL. */
static void test_set_add(struct test_set *set, struct view tests, const uint32_t *new_index)
{
    struct index_runs runs = index_set_runs(tests);
    uint32_t first, end;
    while (index_set_next(&runs, &first, &end))
        for (uint32_t i = first; i < end; i++) {
            uint32_t test = new_index != NULL ? new_index[i] : i;
            set->has[test] = true;
            set->least = test < set->least ? test : set->least;
            set->most = test > set->most ? test : set->most;
        }
}

static bool test_set_end(struct view *out, struct test_set *set, struct arena *arena,
                         struct err *err)
{
    struct writer w;
    *out = (struct view){NULL, 0};
    if (set->least > set->most)
        return true;
    uint32_t count = set->most - set->least + 1;
    wr_open(&w, arena);
    index_set_write_at(&w, set->has + set->least, count, set->least);
    memset(set->has + set->least, 0, count);
    *out = (struct view){w.data, w.len};
    return !w.failed || err_set(err, ERR_MEMORY, "out of memory: the tests need more");
}

/* In each set of tests; several may get the same number. */
static bool renumber_tests(struct facts *facts, const uint32_t *new_index, struct arena *arena,
                           struct err *err)
{
    struct test_set set = {.has = ARENA_NEW(arena, bool, facts->test_count, err)};
    for (uint32_t i = 0; set.has != NULL && i < facts->hits_count; i++) {
        test_set_begin(&set);
        test_set_add(&set, facts->hits[i].tests, new_index);
        if (!test_set_end(&facts->hits[i].tests, &set, arena, err))
            return false;
    }
    return set.has != NULL;
}

/* The hits are sorted. */
static bool join_hits(struct facts *facts, struct arena *arena, struct err *err)
{
    struct test_set set = {.has = ARENA_NEW(arena, bool, facts->test_count, err)};
    uint32_t kept = 0;
    for (uint32_t i = 0, end = 0; set.has != NULL && i < facts->hits_count; i = end, kept++) {
        for (end = i + 1;
             end < facts->hits_count && order_hits(&facts->hits[i], &facts->hits[end]) == 0;)
            end++;
        facts->hits[kept] = facts->hits[i];
        if (end == i + 1)
            continue;
        test_set_begin(&set);
        for (uint32_t k = i; k < end; k++)
            test_set_add(&set, facts->hits[k].tests, NULL);
        if (!test_set_end(&facts->hits[kept].tests, &set, arena, err))
            return false;
    }
    facts->hits_count = kept;
    return set.has != NULL;
}

static uint64_t at_most(uint64_t value, uint64_t most)
{
    return value < most ? value : most;
}

/* What a test did is what it did each time. */
static void add_test(struct fact_test *to, const struct fact_test *from)
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
        if (count != 0 && order_tests(&facts->tests[count - 1], &facts->tests[i]) == 0)
            add_test(&facts->tests[count - 1], &facts->tests[i]);
        else
            facts->tests[count++] = facts->tests[i];
        new_index[i] = count - 1;
    }
    return count;
}

static bool sort_tests(struct facts *facts, struct arena *arena, struct err *err)
{
    uint32_t *sorted = NULL, *joined = ARENA_NEW(arena, uint32_t, facts->test_count, err);
    if (joined == NULL || !SORT(&sorted, facts->tests, facts->test_count, order_tests))
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
            return err_set(err, ERR_FORMAT, "test %u is of run %u and kind %u, or not sound", i,
                           facts->tests[i].run, (unsigned)facts->tests[i].kind);
    for (uint32_t i = 0; i < facts->hits_count; i++) {
        const struct fact_hits *hits = &facts->hits[i];
        if (hits->module >= facts->module_count ||
            !index_set_is_sound(hits->counts, facts->modules[hits->module].count_len) ||
            !index_set_is_sound(hits->tests, facts->test_count))
            return err_set(err, ERR_FORMAT, "hits %u are of module %u, or not sound", i,
                           hits->module);
    }
    return true;
}

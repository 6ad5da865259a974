#include "coverage/session/test_sets.h"

#include <string.h>

#include "base/fnv.h"
#include "base/number.h"
#include "base/sort.h"

/* --- sets ------------------------------------------------------------------------------------- */

static bool same_bytes(struct view a, struct view b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

/* The place of a set in a table of `room` numbers + 1, a power of two, or a free one. */
static uint32_t find_slot(const uint32_t *slots, uint32_t room, const struct test_sets *s,
                          struct view set)
{
    uint32_t at = (uint32_t)fnv_bytes(FNV_START, set.data, set.len) & (room - 1);
    while (slots[at] != 0 && !same_bytes(s->sets[slots[at] - 1], set))
        at = (at + 1) & (room - 1);
    return at;
}

/* Numbers the sets in the order in which hits have them: those of a method are neighbours. */
static bool number_sets(struct test_sets *out, const struct facts *facts, struct arena *arena,
                        struct err *err)
{
    size_t room = 16;
    while (room / 2 < facts->hits_count)
        room *= 2;
    out->sets = ARENA_NEW(arena, struct view, facts->hits_count, err);
    out->set_of = arena_raw(arena, facts->hits_count, sizeof *out->set_of, err);
    if (out->sets == NULL || out->set_of == NULL)
        return false;
    struct arena scratch = ARENA_EMPTY;
    uint32_t *slots = ARENA_NEW(&scratch, uint32_t, room, err);
    for (uint32_t i = 0; slots != NULL && i < facts->hits_count; i++) {
        uint32_t slot = find_slot(slots, (uint32_t)room, out, facts->hits[i].tests);
        if (slots[slot] == 0) {
            out->sets[out->set_count] = facts->hits[i].tests;
            slots[slot] = ++out->set_count;
        }
        out->set_of[i] = slots[slot] - 1;
    }
    arena_free(&scratch);
    return slots != NULL;
}

bool test_sets_open(struct test_sets *out, const struct facts *facts, struct arena *arena,
                    struct err *err)
{
    struct facts joined = *facts;
    if (!facts_join_tests(&joined, arena, err))
        return false;
    *out = (struct test_sets){.tests = joined.tests,
                              .test_count = joined.test_count,
                              .hits = joined.hits,
                              .first_hits =
                                  ARENA_NEW(arena, uint32_t, (size_t)facts->module_count + 1, err)};
    if (out->first_hits == NULL)
        return false;
    while (out->method_count < out->test_count && out->tests[out->method_count].kind == TEST_METHOD)
        out->method_count++;
    for (uint32_t module = 0, i = 0; module <= facts->module_count; module++) {
        while (i < joined.hits_count && joined.hits[i].module < module)
            i++;
        out->first_hits[module] = i;
    }
    return number_sets(out, &joined, arena, err);
}

static struct view set_of(struct set_source source, uint32_t index)
{
    return *(const struct view *)(const void *)((const uint8_t *)&source.hits[index] +
                                                source.offset);
}

/* --- counts ----------------------------------------------------------------------------------- */

/* first[n + 2] is how many sets have number n, so that filling them in leaves them in place. */
bool set_lists_make(struct set_lists *out, struct set_source source, uint32_t limit,
                    const bool *wanted, struct arena *arena, struct err *err)
{
    uint32_t total = 0, begin, end;
    out->first = ARENA_NEW(arena, uint32_t, (size_t)limit + 2, err);
    if (out->first == NULL)
        return false;
    for (uint32_t i = 0; i < source.count; i++) {
        struct index_runs runs = index_set_runs(set_of(source, i));
        while (index_set_next(&runs, &begin, &end))
            for (uint32_t n = begin; n < end; n++)
                if (wanted == NULL || wanted[n]) {
                    out->first[n + 2]++;
                    total++;
                }
    }
    for (uint32_t n = 0; n < limit; n++)
        out->first[n + 2] += out->first[n + 1];
    out->sets = arena_raw(arena, total, sizeof *out->sets, err);
    for (uint32_t i = 0; out->sets != NULL && i < source.count; i++) {
        struct index_runs runs = index_set_runs(set_of(source, i));
        while (index_set_next(&runs, &begin, &end))
            for (uint32_t n = begin; n < end; n++)
                if (wanted == NULL || wanted[n])
                    out->sets[out->first[n + 1]++] = i;
    }
    return out->sets != NULL;
}

bool test_sets_of_counts(struct set_lists *out, const struct test_sets *all, uint32_t module,
                         uint32_t count_len, const bool *wanted, struct arena *arena,
                         struct err *err)
{
    const struct fact_hits *hits = all->hits + all->first_hits[module];
    uint32_t count = all->first_hits[module + 1] - all->first_hits[module];
    if (!set_lists_make(out, (struct set_source){hits, offsetof(struct fact_hits, counts), count},
                        count_len, wanted, arena, err))
        return false;
    for (uint32_t i = 0; i < out->first[count_len]; i++)
        out->sets[i] = all->set_of[all->first_hits[module] + out->sets[i]];
    return true;
}

/* --- lines ------------------------------------------------------------------------------------ */

bool line_tests_open(struct line_tests_maker *out, const struct test_sets *all, struct arena *arena,
                     struct arena *scratch, struct err *err)
{
    *out = (struct line_tests_maker){.all = all,
                                     .seen = ARENA_NEW(scratch, uint32_t, all->method_count, err),
                                     .arena = arena,
                                     .err = err};
    out->buffer = wr_in(scratch);
    return out->seen != NULL;
}

/* Each once: returns how many there are then. */
static uint32_t sort_numbers(uint32_t *numbers, size_t count)
{
    return (uint32_t)sort_distinct(numbers, count, sizeof *numbers, u32_order);
}

static uint32_t count_tests(struct line_tests_maker *maker, const uint32_t *sets, size_t count)
{
    uint32_t tests = 0, line = ++maker->line;
    for (size_t i = 0; i < count; i++) {
        struct index_runs runs = index_set_runs(maker->all->sets[sets[i]]);
        uint32_t first, end;
        while (index_set_next(&runs, &first, &end))
            for (uint32_t test = first; test < end && test < maker->all->method_count; test++) {
                tests += maker->seen[test] != line;
                maker->seen[test] = line;
            }
    }
    return tests;
}

bool line_tests_make(const struct line_tests **out, struct line_tests_maker *maker, uint32_t *sets,
                     size_t count)
{
    struct view numbers;
    *out = NULL;
    if (count == 0)
        return true;
    uint32_t each = sort_numbers(sets, count);
    maker->buffer.len = 0;
    index_set_write_list(&maker->buffer, sets, each);
    if (maker->buffer.failed)
        return err_set(maker->err, ERR_MEMORY, "out of memory: the tests of lines need more");
    numbers = (struct view){maker->buffer.data, maker->buffer.len};
    if (maker->last == NULL || !same_bytes(maker->last->sets, numbers)) {
        struct line_tests *line = ARENA_NEW(maker->arena, struct line_tests, 1, maker->err);
        if (line == NULL || !view_copy(&line->sets, numbers, maker->arena, maker->err))
            return false;
        line->test_count = count_tests(maker, sets, each);
        maker->last = line;
    }
    *out = maker->last;
    return true;
}

/* --- some of the sets ------------------------------------------------------------------------- */

bool some_sets_add(struct some_sets *some, const struct line_tests *tests, struct arena *arena,
                   struct err *err)
{
    uint32_t first, end;
    if (tests == NULL || tests == some->last)
        return true;
    some->last = tests;
    struct index_runs runs = index_set_runs(tests->sets);
    while (index_set_next(&runs, &first, &end))
        for (uint32_t set = first; set < end; set++) {
            if (!list_put(&some->numbers, &set, sizeof set, arena, err))
                return false;
        }
    return true;
}

void some_sets_end(struct some_sets *some)
{
    some->numbers.count = sort_numbers(some->numbers.items, some->numbers.count);
}

uint32_t some_sets_place(const struct some_sets *some, uint32_t set)
{
    const uint32_t *numbers = some->numbers.items;
    const uint32_t *found =
        sorted_find(&set, numbers, some->numbers.count, sizeof *numbers, u32_order);
    return (uint32_t)(found - numbers);
}

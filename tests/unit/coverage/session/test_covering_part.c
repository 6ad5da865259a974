/* test_covering_part.c - a part of a data file answers as all of it does: every line of every
 * source, every method. A damaged file is refused or answers something; nothing else happens. */
#include "coverage/facts/index_set.h"
#include "coverage/facts/store.h"
#include "coverage/session/covering.h"
#include "tests/support/check.h"
#include "tests/support/random_facts.h"
#include "tests/support/temporary.h"
#include "tests/support/test_arena.h"

enum {
    TESTS = 9,
    LINES = 60,
};

static struct temporary folder;
static struct facts world;
static const char *path;

static struct view random_set(uint64_t *state, uint32_t limit)
{
    bool *has = ARENA_NEW(&arena, bool, limit, NULL);
    assert_non_null(has);
    for (uint32_t i = 0; i < limit; i++)
        has[i] = random_below(state, 4) == 0;
    struct writer w = wr_in(&arena);
    index_set_write_at(&w, has, limit, 0);
    assert_false(w.failed);
    return (struct view){w.data, w.len};
}

static int open_world(void **state)
{
    uint64_t random = 11;
    struct err err = {0};
    (void)open_arena(state);
    temporary_open(&folder);
    path = temporary_path(&folder, "coverage.ilcov");
    random_world(&world, &random, &arena);
    world.tests = ARENA_NEW(&arena, struct fact_test, TESTS, &err);
    world.hits = ARENA_NEW(&arena, struct fact_hits, world.module_count, &err);
    assert_true(world.tests != NULL && world.hits != NULL);
    for (uint32_t i = 0; i < TESTS; i++)
        assert_true(text_format(&world.tests[i].name, &arena, &err, "N.T.M%u", i));
    world.test_count = TESTS;
    for (uint32_t m = 0; m < world.module_count; m++)
        if (world.modules[m].count_len != 0)
            world.hits[world.hits_count++] = (struct fact_hits){
                m, random_set(&random, world.modules[m].count_len), random_set(&random, TESTS)};
    if (!facts_sort(&world, &arena, &err) || !store_write(path, &world, NULL, &err))
        fail_msg("%s", err.text);
    return 0;
}

static int close_world(void **state)
{
    temporary_close(&folder);
    return close_arena(state);
}

/* The documents of this path in every module. */
static bool **documents_of(struct str relative)
{
    bool **documents = ARENA_NEW(&arena, bool *, world.module_count, NULL);
    assert_non_null(documents);
    for (uint32_t m = 0; m < world.module_count; m++) {
        const struct fact_module *module = &world.modules[m];
        documents[m] = ARENA_NEW(&arena, bool, module->document_count, NULL);
        assert_non_null(documents[m]);
        for (uint32_t i = 0; i < module->document_count; i++)
            documents[m][i] = str_eq(module->documents[i].relative, relative);
    }
    return documents;
}

static bool **no_methods(void)
{
    bool **none = ARENA_NEW(&arena, bool *, world.module_count, NULL);
    assert_non_null(none);
    return none;
}

/* Returns how many statements were found. */
static uint32_t check_same(const struct wanted_code *whole, const struct wanted_code *part)
{
    bool *by_whole = NULL, *by_part = NULL;
    struct err err = {0};
    assert_int_equal(whole->statements, part->statements);
    assert_true(covering_tests(&by_whole, whole, &err) && covering_tests(&by_part, part, &err));
    assert_memory_equal(by_whole, by_part, TESTS * sizeof *by_part);
    return whole->statements;
}

static uint32_t check_lines(const struct facts *part, struct str relative)
{
    uint32_t found = 0;
    struct err err = {0};
    for (uint32_t line = 1; line <= LINES; line++) {
        struct wanted_code a, b;
        assert_true(wanted_code_open(&a, &world, &arena, &err) &&
                    wanted_code_open(&b, part, &arena, &err) &&
                    wanted_code_add_lines(&a, relative, line, line, &err) &&
                    wanted_code_add_lines(&b, relative, line, line, &err));
        found += check_same(&a, &b);
    }
    return found;
}

static void part_answers_for_every_line_as_the_whole_file(void **state)
{
    struct store_part part;
    struct facts facts;
    struct err err = {0};
    uint32_t found = 0;
    (void)state;
    assert_true(store_part_open(&part, &facts, path, &arena, &err));
    for (uint32_t m = 0; m < world.module_count; m++)
        for (uint32_t i = 0; i < world.modules[m].document_count; i++) {
            struct str relative = world.modules[m].documents[i].relative;
            const struct store_wanted wanted = {documents_of(relative), no_methods()};
            if (!store_part_read(&part, &facts, &wanted, &arena, &err))
                fail_msg("%s", err.text);
            found += check_lines(&facts, relative);
        }
    assert_true(found > 100);
    store_part_close(&part);
}

static void part_answers_for_every_method_as_the_whole_file(void **state)
{
    struct store_part part;
    struct facts facts;
    struct err err = {0};
    uint32_t found = 0;
    (void)state;
    assert_true(store_part_open(&part, &facts, path, &arena, &err));
    for (uint32_t m = 0; m < world.module_count; m++)
        for (uint32_t i = 0; i < world.modules[m].method_count; i++) {
            struct str name = fact_method_display(&world.modules[m].methods[i]).name;
            bool **named = no_methods(), any = false;
            struct store_wanted wanted = {no_methods(), named};
            struct wanted_code a, b;
            assert_true(store_part_read(&part, &facts, &wanted, &arena, &err) &&
                        covering_named(&named, &any, &facts, name, &arena, &err));
            wanted.methods = named;
            assert_true(store_part_read(&part, &facts, &wanted, &arena, &err) &&
                        wanted_code_open(&a, &world, &arena, &err) &&
                        wanted_code_open(&b, &facts, &arena, &err) &&
                        wanted_code_add_methods(&a, name, &err) &&
                        wanted_code_add_methods(&b, name, &err));
            found += check_same(&a, &b);
        }
    assert_true(found > 100);
    store_part_close(&part);
}

/* Nothing is wanted: names of methods, and no code. */
static void part_has_no_statements_of_other_sources(void **state)
{
    struct store_part part;
    struct facts facts;
    struct err err = {0};
    const struct store_wanted wanted = {no_methods(), no_methods()};
    (void)state;
    assert_true(store_part_open(&part, &facts, path, &arena, &err));
    assert_true(store_part_read(&part, &facts, &wanted, &arena, &err));
    for (uint32_t m = 0; m < world.module_count; m++) {
        assert_int_equal(facts.modules[m].method_count, world.modules[m].method_count);
        assert_int_equal(facts.modules[m].statement_count, 0);
        assert_int_equal(facts.modules[m].decision_count, 0);
    }
    store_part_close(&part);
}

/* --- damage ----------------------------------------------------------------------------------- */

static bool answers(const char *file)
{
    struct store_part part;
    struct facts facts;
    struct wanted_code wanted;
    bool *tests = NULL;
    struct err err = {0};
    if (!store_part_open(&part, &facts, file, &arena, &err))
        return false;
    bool **documents = ARENA_NEW(&arena, bool *, facts.module_count, &err);
    bool **methods = ARENA_NEW(&arena, bool *, facts.module_count, &err);
    assert_true(documents != NULL && methods != NULL);
    for (uint32_t m = 0; m < facts.module_count; m++) {
        documents[m] = ARENA_NEW(&arena, bool, facts.modules[m].document_count, &err);
        assert_non_null(documents[m]);
        for (uint32_t i = 0; i < facts.modules[m].document_count; i++)
            documents[m][i] = true;
    }
    const struct store_wanted all = {documents, methods};
    bool ok = store_part_read(&part, &facts, &all, &arena, &err) &&
              facts_sort(&facts, &arena, &err) && wanted_code_open(&wanted, &facts, &arena, &err) &&
              wanted_code_add_methods(&wanted, STR("M"), &err) &&
              wanted_code_add_lines(&wanted, facts.modules[0].documents[0].relative, 1,
                                    FACT_LINE_LIMIT, &err) &&
              covering_tests(&tests, &wanted, &err);
    store_part_close(&part);
    return ok;
}

static void damaged_file_is_refused_or_answers(void **state)
{
    struct str whole = temporary_read(&folder, path);
    uint64_t random = 5;
    uint32_t refused = 0;
    (void)state;
    assert_true(answers(path));
    for (uint32_t i = repeated(2000); i-- > 0;) {
        char *copy = arena_copy_text(&arena, whole.text, whole.len, NULL);
        assert_non_null(copy);
        for (uint32_t k = 1 + random_below(&random, 3); k-- > 0;)
            copy[random_below(&random, (uint32_t)whole.len)] ^=
                (char)(1 << random_below(&random, 8));
        refused += !answers(temporary_file(&folder, "damaged", copy, whole.len));
    }
    assert_true(refused != 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(part_answers_for_every_line_as_the_whole_file, open_world,
                                    close_world),
    cmocka_unit_test_setup_teardown(part_answers_for_every_method_as_the_whole_file, open_world,
                                    close_world),
    cmocka_unit_test_setup_teardown(part_has_no_statements_of_other_sources, open_world,
                                    close_world),
    cmocka_unit_test_setup_teardown(damaged_file_is_refused_or_answers, open_world, close_world),
};
UNIT_TESTS(tests);

/* test_store_tests.c - tests and what they hit come out of a data file as they went in, and no set
 * that contradicts the file goes either way. */
#include <stdio.h>

#include <gcrypt.h>
#include <sqlite3.h>

#include "coverage/facts/store.h"
#include "tests/support/check.h"
#include "tests/support/hand_facts.h"
#include "tests/support/temporary.h"

enum {
    ROOM = 8,
    MANY = 5000, /* tests */
};

static struct temporary folder;
static struct arena arena;
static struct hand hand;
static struct facts *const facts = &hand.facts;
static struct fact_test tests_room[ROOM];
static struct fact_hits hits_room[ROOM];
static const char *path;

static void add_test(uint32_t run, enum test_kind kind, enum test_end end, struct str name)
{
    facts->tests[facts->test_count++] =
        (struct fact_test){.name = name, .kind = kind, .end = end, .run = run};
}

static void add_hits(uint32_t module, struct view counts, struct view tests)
{
    struct fact_hits *hits = &facts->hits[facts->hits_count++];
    *hits = (struct fact_hits){.module = module};
    assert_true(view_copy(&hits->counts, counts, &arena, NULL));
    assert_true(view_copy(&hits->tests, tests, &arena, NULL));
}

/* Two modules of 4 counts each, two runs, five tests. */
static int open_world(void **state)
{
    (void)state;
    temporary_open(&folder);
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    path = temporary_path(&folder, "coverage.ilcov");
    hand_open(&hand, &arena);
    hand_module(&hand, "A", 1);
    (void)hand_method(&hand, "N.C", "M", "()", "a b c");
    hand_module(&hand, "B", 1);
    (void)hand_method(&hand, "N.C", "M", "()", "a b c");
    hand_lay_out(&hand);
    (void)hand_run(&hand, 1, RUN_MEASURED);
    (void)hand_run(&hand, 2, RUN_PARTIAL);
    facts->tests = tests_room;
    facts->hits = hits_room;
    add_test(0, TEST_METHOD, TEST_RETURNED, STR("N.T.A"));
    add_test(0, TEST_METHOD, TEST_THREW, STR("N.T.\xC3\xBC`1\0'\""));
    add_test(0, TEST_CLASS, TEST_END_UNKNOWN, STR("N.T"));
    add_test(0, TEST_OUTSIDE, TEST_END_UNKNOWN, STR(""));
    add_test(1, TEST_STATIC, TEST_RETURNED, STR("N.T"));
    facts->tests[0].ns = INT64_MAX;
    facts->tests[0].rows = 1;
    facts->tests[1].ns = 1;
    facts->tests[1].rows = INT64_MAX;
    add_hits(0, BYTES_VIEW(0, 4), BYTES_VIEW(0, 5));             /* all, of all */
    add_hits(0, BYTES_VIEW(1, 1, 1, 1), BYTES_VIEW(0, 1, 3, 1)); /* 1 and 3, of 0 and 4 */
    add_hits(1, BYTES_VIEW(3, 1), BYTES_VIEW(2, 2));
    return 0;
}

static int close_world(void **state)
{
    (void)state;
    arena_free(&arena);
    temporary_close(&folder);
    return 0;
}

static void check_set(struct view set, struct view expected)
{
    assert_int_equal(set.len, expected.len);
    assert_memory_equal(set.data, expected.data, expected.len);
}

static void check_as_written(const struct facts *read)
{
    assert_int_equal(read->test_count, facts->test_count);
    for (uint32_t i = 0; i < facts->test_count; i++) {
        const struct fact_test *is = &read->tests[i], *was = &facts->tests[i];
        assert_true(str_eq(is->name, was->name));
        assert_int_equal(is->kind, was->kind);
        assert_int_equal(is->end, was->end);
        assert_int_equal(is->ns, was->ns);
        assert_int_equal(is->rows, was->rows);
        assert_int_equal(is->run, was->run);
    }
    assert_int_equal(read->hits_count, facts->hits_count);
    for (uint32_t i = 0; i < facts->hits_count; i++) {
        assert_int_equal(read->hits[i].module, facts->hits[i].module);
        check_set(read->hits[i].counts, facts->hits[i].counts);
        check_set(read->hits[i].tests, facts->hits[i].tests);
    }
}

static void write_facts(void)
{
    struct err err = {0};
    if (!store_write(path, facts, NULL, &err))
        fail_msg("%s", err.text);
}

/* --- what goes in comes out ------------------------------------------------------------------- */

static void tests_and_hits_are_read_as_they_were_written(void **state)
{
    struct facts read;
    struct store_reader reader;
    struct err err = {0};
    (void)state;
    write_facts();
    assert_true(store_read(&read, path, &arena, &err));
    check_as_written(&read);
    assert_true(store_open_facts(&reader, &read, path, NULL, &arena, &err));
    store_close(&reader);
    check_as_written(&read);
}

/* Runs that are summed keep their own tests. */
static void tests_of_summed_runs_stay_those_of_each(void **state)
{
    struct facts read;
    struct err err = {0};
    (void)state;
    facts->runs[1].kind = RUN_MEASURED;
    write_facts();
    assert_true(store_read_summed(&read, path, NULL, &arena, &arena, &err));
    check_as_written(&read);
}

static void tests_outlive_code_that_was_read_apart(void **state)
{
    struct facts read;
    struct arena code;
    struct err err = {0};
    (void)state;
    write_facts();
    arena_init(&code, NULL, 0, ARENA_NO_LIMIT);
    assert_true(store_read_summed(&read, path, NULL, &arena, &code, &err));
    facts_forget_code(&read);
    arena_free(&code);
    check_as_written(&read);
}

static void file_without_tests_has_none(void **state)
{
    struct facts read;
    struct err err = {0};
    (void)state;
    facts->test_count = facts->hits_count = 0;
    write_facts();
    assert_true(store_read(&read, path, &arena, &err));
    assert_int_equal(read.module_count, 2);
    assert_int_equal(read.test_count, 0);
    assert_int_equal(read.hits_count, 0);
}

static void many_tests_are_read(void **state)
{
    static struct fact_test tests[MANY];
    struct facts read;
    struct err err = {0};
    (void)state;
    for (uint32_t i = 0; i < MANY; i++) {
        tests[i] = (struct fact_test){.ns = i, .rows = MANY - i};
        assert_true(text_format(&tests[i].name, &arena, &err, "N.T.M%04u", i));
    }
    facts->tests = tests;
    facts->test_count = MANY;
    facts->hits_count = 0;
    add_hits(0, BYTES_VIEW(0, 1), BYTES_VIEW(0, 0x88, 0x27));       /* 5000 of them */
    add_hits(0, BYTES_VIEW(1, 1), BYTES_VIEW(0, 1, 0x86, 0x27, 1)); /* the first and the last */
    write_facts();
    assert_true(store_read(&read, path, &arena, &err));
    check_as_written(&read);
}

static void declarations_and_inputs_are_read_as_they_were_written(void **state)
{
    struct facts read;
    struct err err = {0};
    struct fact_type types[] = {{STR("N.C"), UINT64_MAX, 3}, {STR(""), 7, 0}};
    struct fact_input inputs[] = {{STR(""), STR("A/A.csproj"), {1, 2}},
                                  {STR("/out"), STR("sub/data.txt"), {3}}};
    (void)state;
    facts->modules[1].types = types;
    facts->modules[1].type_count = ARRAY_LEN(types);
    facts->modules[1].methods[0].declaration = UINT64_MAX - 1;
    facts->inputs = inputs;
    facts->input_count = ARRAY_LEN(inputs);
    write_facts();
    assert_true(store_read(&read, path, &arena, &err));
    assert_int_equal(read.modules[0].type_count, 0);
    assert_int_equal(read.modules[0].methods[0].declaration, 0);
    assert_int_equal(read.modules[1].methods[0].declaration, UINT64_MAX - 1);
    assert_int_equal(read.modules[1].type_count, ARRAY_LEN(types));
    for (uint32_t i = 0; i < ARRAY_LEN(types); i++) {
        assert_true(str_eq(read.modules[1].types[i].name, types[i].name));
        assert_int_equal(read.modules[1].types[i].declaration, types[i].declaration);
        assert_int_equal(read.modules[1].types[i].foreign_count, types[i].foreign_count);
    }
    assert_int_equal(read.input_count, ARRAY_LEN(inputs));
    for (uint32_t i = 0; i < ARRAY_LEN(inputs); i++) {
        assert_true(str_eq(read.inputs[i].folder, inputs[i].folder));
        assert_true(str_eq(read.inputs[i].path, inputs[i].path));
        assert_memory_equal(read.inputs[i].hash, inputs[i].hash, sizeof inputs[i].hash);
    }
}

static void equal_tests_give_equal_bytes(void **state)
{
    (void)state;
    write_facts();
    struct str first = temporary_read(&folder, path);
    write_facts();
    assert_true(str_eq(first, temporary_read(&folder, path)));
    facts->tests[2].end = TEST_THREW;
    write_facts();
    assert_false(str_eq(first, temporary_read(&folder, path)));
}

/* --- what is not written ---------------------------------------------------------------------- */

/* Each is for the facts as they are opened. */
static void name_module_that_is_not_there(void)
{
    facts->hits[2].module = 2;
}

static void name_count_that_is_not_there(void)
{
    static const uint8_t beyond[] = {4, 1};
    facts->hits[2].counts = VIEW(beyond);
}

static void name_test_that_is_not_there(void)
{
    facts->test_count--; /* which two hits have */
}

static void name_run_that_is_not_there(void)
{
    facts->tests[4].run = 2;
}

static void unsound_tests_leave_the_old_file(void **state)
{
    static void (*const breaks[])(void) = {name_module_that_is_not_there,
                                           name_count_that_is_not_there,
                                           name_test_that_is_not_there, name_run_that_is_not_there};
    for (size_t i = 0; i < ARRAY_LEN(breaks); i++) {
        struct err err = {0};
        assert_int_equal(close_world(state), 0);
        assert_int_equal(open_world(state), 0);
        write_facts();
        struct str before = temporary_read(&folder, path);
        breaks[i]();
        assert_failed(store_write(path, facts, NULL, &err), err, ERR_FORMAT);
        assert_int_equal(temporary_count(&folder), 1);
        assert_true(str_eq(before, temporary_read(&folder, path)));
    }
}

/* --- what is not read ------------------------------------------------------------------------- */

static void execute(sqlite3 *db, const char *sql)
{
    char *message = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s: %s", sql, message);
    assert_int_equal(sqlite3_changes(db), 1);
}

static sqlite3 *open_database(void)
{
    sqlite3 *db = NULL;
    write_facts();
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "PRAGMA synchronous = OFF", NULL, NULL, NULL), SQLITE_OK);
    return db;
}

static void hash_row(struct writer *w, sqlite3_stmt *row)
{
    wr_u8(w, 'R');
    for (int column = 0; column < sqlite3_column_count(row); column++) {
        int type = sqlite3_column_type(row, column);
        const void *bytes = type != SQLITE_INTEGER ? sqlite3_column_blob(row, column) : NULL;
        size_t len = (size_t)sqlite3_column_bytes(row, column);
        wr_u8(w, (uint8_t)type);
        wr_u64(w, type == SQLITE_INTEGER ? (uint64_t)sqlite3_column_int64(row, column) : len);
        if (bytes != NULL)
            wr_bytes(w, bytes, len);
    }
}

/* The digest by its description in store_tables.c, and by no code of it. */
static void seal(sqlite3 *db)
{
    static const char *const tables[][2] = {
        {"meta", "key"},           {"reasons", "id"},   {"runs", "id"},
        {"processes", "id"},       {"modules", "id"},   {"documents", "rowid"},
        {"methods", "rowid"},      {"tests", "id"},     {"test_hits", "rowid"},
        {"declarations", "rowid"}, {"inputs", "rowid"}, {"counts", "run, module"},
    };
    uint8_t digest[32];
    char sql[160], *hex = sql;
    struct writer w = wr_in(&arena);
    for (size_t i = 0; i < ARRAY_LEN(tables); i++) {
        sqlite3_stmt *row = NULL;
        wr_bytes(&w, tables[i][0], strlen(tables[i][0]) + 1);
        (void)snprintf(sql, sizeof sql, "SELECT * FROM %s %s ORDER BY %s", tables[i][0],
                       i == 0 ? "WHERE key <> 'digest'" : "", tables[i][1]);
        assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &row, NULL), SQLITE_OK);
        while (sqlite3_step(row) == SQLITE_ROW)
            hash_row(&w, row);
        assert_int_equal(sqlite3_finalize(row), SQLITE_OK);
    }
    assert_false(w.failed);
    gcry_md_hash_buffer(GCRY_MD_SHA256, digest, w.data, w.len);
    hex += sprintf(hex, "UPDATE meta SET value = x'");
    for (size_t i = 0; i < sizeof digest; i++)
        hex += sprintf(hex, "%02x", digest[i]);
    (void)sprintf(hex, "' WHERE key = 'digest'");
    execute(db, sql);
}

/* The file with one row changed by `sql`, and the digest made to fit. */
static bool read_changed(struct facts *read, const char *sql, struct err *err)
{
    sqlite3 *db = open_database();
    execute(db, sql);
    seal(db);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    return store_read(read, path, &arena, err);
}

static void sound_change_with_a_digest_is_read(void **state)
{
    struct facts read;
    struct err err = {0};
    (void)state;
    if (!read_changed(&read, "UPDATE tests SET ns = 7, ended = 2 WHERE id = 2", &err))
        fail_msg("%s", err.text);
    assert_int_equal(read.tests[2].ns, 7);
    assert_int_equal(read.tests[2].end, TEST_THREW);
    if (!read_changed(
            &read, "UPDATE test_hits SET counts = x'0001', tests = x'0101' WHERE rowid = 3", &err))
        fail_msg("%s", err.text);
    check_set(read.hits[2].counts, BYTES_VIEW(0, 1));
    check_set(read.hits[2].tests, BYTES_VIEW(1, 1));
}

static void changes_without_a_digest_are_refused(void **state)
{
    static const char *const changes[] = {
        "UPDATE tests SET name = 'N.T.Z' WHERE id = 0",
        "UPDATE tests SET ns = 2 WHERE id = 1",
        "UPDATE test_hits SET tests = x'0001' WHERE rowid = 1",
        "UPDATE test_hits SET counts = x'0001' WHERE rowid = 1",
        "DELETE FROM test_hits WHERE rowid = 3",
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(changes); i++) {
        struct facts read;
        struct err err = {0};
        sqlite3 *db = open_database();
        execute(db, changes[i]);
        assert_int_equal(sqlite3_close(db), SQLITE_OK);
        assert_failed(store_read(&read, path, &arena, &err), err, ERR_FORMAT);
        assert_string_equal(err.text, "damaged: the digest over its rows does not match");
    }
}

static void check_refused(const char *sql)
{
    struct facts read;
    struct err err = {0};
    if (read_changed(&read, sql, &err))
        fail_msg("%s", sql);
    assert_failed(false, err, ERR_FORMAT);
    if (strncmp(err.text, "damaged: ", strlen("damaged: ")) != 0 ||
        strstr(err.text, "digest") != NULL)
        fail_msg("%s: %s", sql, err.text);
    assert_int_equal(read.test_count, 0);
    assert_int_equal(read.hits_count, 0);
}

static void unsound_tests_are_refused(void **state)
{
    static const char *const changes[] = {
        "UPDATE tests SET id = 9 WHERE id = 4",
        "UPDATE tests SET run = 2 WHERE id = 4",
        "UPDATE tests SET run = -1 WHERE id = 4",
        "UPDATE tests SET kind = 4 WHERE id = 4",
        "UPDATE tests SET kind = -1 WHERE id = 4",
        "UPDATE tests SET ended = 3 WHERE id = 4",
        "UPDATE tests SET ns = -1 WHERE id = 4",
        "UPDATE tests SET count = -1 WHERE id = 4",
        "UPDATE tests SET ns = 'long' WHERE id = 4",
        "UPDATE tests SET name = NULL WHERE id = 4",
        "UPDATE tests SET name = x'00' WHERE id = 4",
        "DELETE FROM tests WHERE id = 4", /* hits have it */
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(changes); i++)
        check_refused(changes[i]);
}

static void unsound_declarations_and_inputs_are_refused(void **state)
{
    static const char *const changes[] = {
        "INSERT INTO declarations VALUES(2, NULL, 'N.C', 1, 0)", /* there are 2 modules */
        "INSERT INTO declarations VALUES(-1, NULL, 'N.C', 1, 0)",
        "INSERT INTO declarations VALUES(0, 1, '', 1, 0)", /* of 1 method */
        "INSERT INTO declarations VALUES(0, 0, '', 'x', 0)",
        "INSERT INTO declarations VALUES(0, NULL, NULL, 1, 0)",
        "INSERT INTO declarations VALUES(0, NULL, 'N.C', 1, -1)",
        "INSERT INTO inputs VALUES('', 'a', x'00')",
        "INSERT INTO inputs VALUES('', NULL, x'00000000000000000000000000000000')",
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(changes); i++)
        check_refused(changes[i]);
}

/* There are 4 counts and 5 tests. */
static void unsound_sets_are_refused(void **state)
{
    static const struct {
        const char *column, *what, *set;
    } sets[] = {
        {"counts", "a count that is not there", "0401"},
        {"counts", "one too many", "0005"},
        {"tests", "a test that is not there", "0501"},
        {"tests", "one too many", "0006"},
        {"counts", "an empty run", "0000"},
        {"tests", "an empty run", "0000"},
        {"counts", "a gap alone", "00"},
        {"tests", "a gap alone", "00"},
        {"counts", "runs that touch", "00010001"},
        {"tests", "runs that touch", "00010001"},
        {"counts", "a length that is cut", "0081"},
        {"tests", "a length that is cut", "0081"},
        {"counts", "a number that is longer than it must be", "800001"},
        {"tests", "a number that is longer than it must be", "008100"},
        {"counts", "a gap that leads back", "0001FFFFFFFFFFFFFFFFFF0101"},
        {"tests", "a gap that leads back", "0001FFFFFFFFFFFFFFFFFF0101"},
        {"tests", "4 billion", "00FFFFFFFF0F"},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(sets); i++) {
        char sql[128];
        (void)snprintf(sql, sizeof sql, "UPDATE test_hits SET %s = x'%s' WHERE rowid = 3 -- %s",
                       sets[i].column, sets[i].set, sets[i].what);
        check_refused(sql);
    }
}

static void unsound_hits_are_refused(void **state)
{
    static const char *const changes[] = {
        "UPDATE test_hits SET module = 2 WHERE rowid = 3",
        "UPDATE test_hits SET module = 2, counts = x'' WHERE rowid = 3",
        "UPDATE test_hits SET module = -1 WHERE rowid = 3",
        "UPDATE test_hits SET module = NULL WHERE rowid = 3",
        "UPDATE test_hits SET counts = 1 WHERE rowid = 3",
        "UPDATE test_hits SET tests = 'AB' WHERE rowid = 3",
        "UPDATE test_hits SET tests = NULL WHERE rowid = 3",
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(changes); i++)
        check_refused(changes[i]);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_world, close_world)
static const struct CMUnitTest tests[] = {
    TEST(tests_and_hits_are_read_as_they_were_written),
    TEST(tests_of_summed_runs_stay_those_of_each),
    TEST(tests_outlive_code_that_was_read_apart),
    TEST(file_without_tests_has_none),
    TEST(many_tests_are_read),
    TEST(declarations_and_inputs_are_read_as_they_were_written),
    TEST(equal_tests_give_equal_bytes),
    TEST(unsound_tests_leave_the_old_file),
    TEST(sound_change_with_a_digest_is_read),
    TEST(changes_without_a_digest_are_refused),
    TEST(unsound_tests_are_refused),
    TEST(unsound_declarations_and_inputs_are_refused),
    TEST(unsound_sets_are_refused),
    TEST(unsound_hits_are_refused),
};
UNIT_TESTS(tests);

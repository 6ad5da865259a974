/* test_store_hostile.c - reading a stranger's data file ends, and opens nothing but that file. */
#include <sqlite3.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "coverage/facts/store.h"
#include "tests/support/check.h"
#include "tests/support/facts_fixture.h"
#include "tests/support/temporary.h"

enum {
    SECONDS = 120, /* then a reading that does not end fails the test */
    LEVELS = 16,
    CHILDREN = 200,
    LONG = 100000,
    PAGE_HEADER = 12, /* of an interior page */
    FILE_HEADER = 100
};

struct world {
    struct temporary folder;
    struct arena arena;
    struct facts facts;
    const char *path;
    char before[PATH_ROOM]; /* the current folder */
};

static struct world world;

static int open_world(void **state)
{
    (void)state;
    (void)alarm(SECONDS);
    temporary_open(&world.folder);
    arena_init(&world.arena, NULL, 0, ARENA_NO_LIMIT);
    fixture_facts(&world.facts, &world.arena);
    world.path = temporary_path(&world.folder, "x.ilcov");
    assert_non_null(getcwd(world.before, sizeof world.before));
    return chdir(world.folder.folder) == 0 && store_write(world.path, &world.facts, NULL, NULL)
               ? 0
               : -1;
}

static int close_world(void **state)
{
    (void)state;
    assert_int_equal(chdir(world.before), 0);
    arena_free(&world.arena);
    temporary_close(&world.folder);
    return 0;
}

static bool reads(const char *path, struct err *err)
{
    struct facts read;
    *err = (struct err){0};
    return store_read(&read, path, &world.arena, err) && facts_equal(&read, &world.facts);
}

static void refuses(const char *path)
{
    struct err err;
    assert_false(reads(path, &err));
    if (err.code != ERR_FORMAT || strstr(err.text, "damaged") == NULL)
        fail_msg("%s", err.text);
}

/* --- names ------------------------------------------------------------------------------------ */

static void every_name_is_a_file(void **state)
{
    static const char *const names[] = {
        ":memory:", ":x", "file:x", "file::memory:", "x?mode=memory", "x%20y", "x#y", "-",
    };
    struct err err;
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        assert_true(store_write(names[i], &world.facts, NULL, NULL));
        if (!reads(names[i], &err))
            fail_msg("%s: %s", names[i], err.text);
        assert_int_equal(access(names[i], F_OK), 0);
        assert_int_equal(unlink(names[i]), 0);
        assert_false(reads(names[i], &err));
        assert_int_equal(err.code, ERR_IO);
    }
    assert_false(reads("", &err));
    assert_int_equal(err.code, ERR_IO);
    assert_false(store_write("", &world.facts, NULL, NULL));
}

/* --- what lies beside the file ---------------------------------------------------------------- */

static struct str file(const char *name)
{
    return temporary_read(&world.folder, temporary_path(&world.folder, name));
}

/* As a program leaves it that was killed while it wrote: SQLite would write it back. */
static void make_journal(void)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(world.path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db,
                                  "PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF; BEGIN;"
                                  "UPDATE runs SET root = 'elsewhere'",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    struct str journal = file("x.ilcov-journal");
    assert_true(journal.len > 512);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    (void)temporary_file(&world.folder, "x.ilcov-journal", journal.text, journal.len);
    (void)temporary_file(&world.folder, "x.ilcov-wal", journal.text, journal.len);
}

static void journals_beside_it_are_left_alone(void **state)
{
    struct err err;
    (void)state;
    make_journal();
    struct str journal = file("x.ilcov-journal"), bytes = file("x.ilcov");
    if (!reads(world.path, &err))
        fail_msg("%s", err.text);
    assert_true(str_eq(file("x.ilcov-journal"), journal));
    assert_true(str_eq(file("x.ilcov-wal"), journal));
    assert_true(str_eq(file("x.ilcov"), bytes));
}

/* --- trees whose pages lead to the same few others -------------------------------------------- */

static void store_number(uint8_t *to, uint32_t value, unsigned len)
{
    for (unsigned i = 0; i < len; i++)
        to[i] = (uint8_t)(value >> 8 * (len - 1 - i));
}

/* "Database File Format", 1.6: an interior page of a table, whose cells all lead to `child`. */
static void fill_interior(uint8_t *page, uint32_t page_size, size_t begins, uint32_t child)
{
    uint32_t content = page_size - 5 * CHILDREN;
    memset(page + begins, 0, page_size - begins);
    page[begins] = 0x05;
    store_number(page + begins + 3, CHILDREN, 2);
    store_number(page + begins + 5, content, 2);
    store_number(page + begins + 8, child, 4);
    for (uint32_t i = 0; i < CHILDREN; i++) {
        store_number(page + begins + PAGE_HEADER + 2 * i, content + 5 * i, 2);
        store_number(page + content + 5 * i, child, 4);
        page[content + 5 * i + 4] = 1; /* the key */
    }
}

/* The same cells, without the file's header before them. */
static void move_leaf(uint8_t *to, const uint8_t *from, uint32_t page_size, size_t begins)
{
    memcpy(to, from, page_size);
    memmove(to, from + begins, page_size / 4);
}

static uint32_t number_of(const char *sql)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *row = NULL;
    assert_int_equal(sqlite3_open(world.path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &row, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    uint32_t number = (uint32_t)sqlite3_column_int64(row, 0);
    assert_int_equal(sqlite3_finalize(row), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    return number;
}

/* The table at that page has CHILDREN to the power of LEVELS leaves, all of them the same page. */
static const char *with_endless_table(uint32_t root)
{
    struct str old = file("x.ilcov");
    uint32_t page_size = number_of("PRAGMA page_size");
    uint32_t count = number_of("PRAGMA page_count"), pages = count + LEVELS + 1;
    uint8_t *bytes = arena_raw(&world.arena, pages, page_size, NULL);
    size_t begins = root == 1 ? FILE_HEADER : 0;
    assert_true(old.len == (size_t)count * page_size);
    memset(bytes, 0, (size_t)pages * page_size);
    memcpy(bytes, old.text, old.len);
    uint8_t *top = bytes + (size_t)(root - 1) * page_size;
    assert_int_equal(top[begins], 0x0D); /* a leaf */
    move_leaf(bytes + (size_t)(pages - 1) * page_size, top, page_size, begins);
    fill_interior(top, page_size, begins, count + 1);
    for (uint32_t i = 0; i < LEVELS; i++)
        fill_interior(bytes + (size_t)(count + i) * page_size, page_size, 0, count + 2 + i);
    store_number(bytes + 28, pages, 4); /* the size of the file */
    return temporary_file(&world.folder, "endless.ilcov", bytes, (size_t)pages * page_size);
}

static void table_without_end_is_refused(void **state)
{
    static const char *const tables[] = {"reasons",      "runs",    "processes", "modules",
                                         "documents",    "methods", "tests",     "test_hits",
                                         "declarations", "inputs"};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(tables); i++) {
        char sql[128];
        (void)snprintf(sql, sizeof sql, "SELECT rootpage FROM sqlite_master WHERE name = '%s'",
                       tables[i]);
        refuses(with_endless_table(number_of(sql)));
    }
}

static void schema_without_end_is_refused(void **state)
{
    (void)state;
    refuses(with_endless_table(1));
}

/* --- rows that share their bytes -------------------------------------------------------------- */

/* All cells of the leaf are its first one, whose bytes are on pages of their own. */
static void repeat_first_cell(uint8_t *leaf, uint32_t count)
{
    assert_int_equal(leaf[0], 0x0D);
    store_number(leaf + 3, count, 2);
    for (uint32_t i = 1; i < count; i++)
        memcpy(leaf + 8 + 2 * i, leaf + 8, 2);
}

static void rows_that_share_bytes_are_refused(void **state)
{
    struct fact_input input = {.folder = STR("/f")};
    struct err err;
    (void)state;
    char *path = arena_raw(&world.arena, LONG, 1, NULL);
    memset(path, 'x', LONG);
    input.path = (struct str){path, LONG};
    world.facts.inputs = &input;
    world.facts.input_count = 1;
    assert_true(store_write(world.path, &world.facts, NULL, NULL));
    assert_true(reads(world.path, &err));
    struct str old = file("x.ilcov");
    uint32_t root = number_of("SELECT rootpage FROM sqlite_master WHERE name = 'inputs'");
    uint8_t *bytes = (uint8_t *)arena_copy_text(&world.arena, old.text, old.len, NULL);
    repeat_first_cell(bytes + (size_t)(root - 1) * number_of("PRAGMA page_size"), CHILDREN);
    const char *shared = temporary_file(&world.folder, "shared.ilcov", bytes, old.len);
    assert_false(reads(shared, &err));
    if (strstr(err.text, "damaged: table inputs, row ") == NULL)
        fail_msg("%s", err.text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_world, close_world)

static const struct CMUnitTest tests[] = {
    TEST(every_name_is_a_file),
    TEST(journals_beside_it_are_left_alone),
    TEST(table_without_end_is_refused),
    TEST(schema_without_end_is_refused),
    TEST(rows_that_share_bytes_are_refused),
};
UNIT_TESTS(tests);

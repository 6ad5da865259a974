#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <gcrypt.h>
#include <sqlite3.h>

#include "base/bytes.h"
#include "coverage/facts/store_tables.h"
#include "tests/support/check.h"
#include "tests/support/facts_fixture.h"
#include "tests/support/temporary.h"

enum {
    TRUNCATION_STEP = 211,
    MUTATIONS = 600,
    HEADER_USER_VERSION = 60
};

struct world {
    struct temporary folder;
    struct arena arena;
    struct facts facts; /* the fixture */
    const char *path;   /* which is written here */
};

static struct world world;

static int open_world(void **state)
{
    (void)state;
    temporary_open(&world.folder);
    arena_init(&world.arena, NULL, 0, ARENA_NO_LIMIT);
    fixture_facts(&world.facts, &world.arena);
    world.path = temporary_path(&world.folder, "coverage.ilcov");
    return store_write(world.path, &world.facts, NULL, NULL) ? 0 : -1;
}

static int close_world(void **state)
{
    (void)state;
    arena_free(&world.arena);
    temporary_close(&world.folder);
    return 0;
}

static bool round_trip(const struct facts *facts)
{
    struct facts read;
    struct err err = {0};
    bool ok = store_write(world.path, facts, NULL, &err) &&
              store_read(&read, world.path, &world.arena, &err) && facts_equal(facts, &read);
    if (!ok)
        print_error("%s\n", err.text);
    return ok;
}

/* --- what goes in comes out ------------------------------------------------------------------- */

static void what_was_written_is_read(void **state)
{
    struct facts nothing = {0}, large;
    (void)state;
    assert_true(round_trip(&world.facts));
    world.facts.counts_generated = true;
    assert_true(round_trip(&world.facts));
    world.facts.counts_generated = false;
    assert_true(round_trip(&nothing));
    fixture_large(&large, 2000, &world.arena);
    assert_true(round_trip(&large));
    assert_int_equal(temporary_count(&world.folder), 1);
}

/* "Database File Format", 1.3: at offset 16, big-endian. */
static unsigned page_size_of_file(void)
{
    uint8_t header[18] = {0};
    FILE *file = fopen(world.path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(header, 1, sizeof header, file), sizeof header);
    assert_int_equal(fclose(file), 0);
    return header[16] * 256u + header[17];
}

static void only_a_large_file_has_large_pages(void **state)
{
    struct facts large;
    (void)state;
    assert_int_equal(page_size_of_file(), 4096);
    fixture_large(&large, 6000, &world.arena);
    assert_true(round_trip(&large));
    assert_int_equal(page_size_of_file(), 32768);
}

/* No item of a file is shorter than these statements: the reader must believe that there are so
 * many. */
static void shortest_statements_are_read(void **state)
{
    enum {
        COUNT = 50000
    };
    static struct fact_statement statements[COUNT];
    struct fact_document document = {.path = STR("a"), .relative = STR("a")};
    struct fact_method method = {.token = 1};
    struct fact_module module = {.name = STR("m"),
                                 .documents = &document,
                                 .document_count = 1,
                                 .methods = &method,
                                 .method_count = 1,
                                 .statements = statements,
                                 .statement_count = COUNT,
                                 .count_len = 1};
    const struct facts facts = {.modules = &module, .module_count = 1};
    (void)state;
    for (uint32_t i = 0; i < COUNT; i++)
        statements[i] = (struct fact_statement){
            .start_line = 1, .end_line = 1, .reason = reason_of(REASON_EXCLUDED)};
    assert_true(round_trip(&facts));
}

static void who_wrote_the_code_is_kept(void **state)
{
    struct fact_module *core = &world.facts.modules[FIXTURE_CORE];
    struct facts read;
    struct err err = {0};
    (void)state;
    core->documents[0].generated =
        reason_new(REASON_GENERATED_NAME, STR(".g.cs"), STR(""), &world.arena, &err);
    core->methods[2].generated = reason_of(REASON_GENERATED_TYPE);
    assert_true(round_trip(&world.facts));
    assert_true(store_read(&read, world.path, &world.arena, &err));
    core = &read.modules[FIXTURE_CORE];
    assert_true(reason_is(core->documents[0].generated, REASON_GENERATED_NAME));
    assert_str(core->documents[0].generated->subject, ".g.cs");
    assert_true(reason_is(core->methods[2].generated, REASON_GENERATED_TYPE));
    assert_null(core->documents[1].generated);
    assert_null(core->methods[1].generated);
}

static void counts_of_any_size_are_read(void **state)
{
    static const uint64_t values[] = {
        0, 1, 127, 128, 16383, 16384, UINT32_MAX, UINT64_C(1) << 63, UINT64_MAX};
    uint64_t *counts = world.facts.counts[0].counts;
    uint32_t len = world.facts.modules[world.facts.counts[0].module].count_len;
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(values); i++) {
        for (uint32_t k = 0; k < len; k++)
            counts[k] = k % 3 != 1 ? values[i] : 0;
        assert_true(round_trip(&world.facts));
    }
}

static void reasons_are_kept(void **state)
{
    (void)state;
    world.facts.modules[FIXTURE_CORE].statements[1].reason = COMMENT_REASON("why");
    world.facts.modules[FIXTURE_CORE].decisions[2].reason = ATTRIBUTE_REASON("Ignore");
    assert_true(round_trip(&world.facts));
}

static void lines_without_text_are_kept(void **state)
{
    struct fact_statement *statement = &world.facts.modules[FIXTURE_CORE].statements[1];
    (void)state;
    statement->end_line = statement->start_line + 10;
    statement->gaps = (struct view){BYTES(0x05, 0x01), 2};
    assert_true(facts_has_text(statement, statement->start_line));
    assert_false(facts_has_text(statement, statement->start_line + 1));
    assert_true(facts_has_text(statement, statement->start_line + 2));
    assert_false(facts_has_text(statement, statement->start_line + 3));
    assert_false(facts_has_text(statement, statement->start_line + 9));
    assert_true(facts_has_text(statement, statement->end_line));
    assert_true(round_trip(&world.facts));
}

static void text_of_any_bytes_is_read(void **state)
{
    (void)state;
    world.facts.modules[FIXTURE_LEGACY].reason = ERROR_REASON("nul \0 inside");
    world.facts.modules[FIXTURE_LEGACY].path = (struct str){"\xFF\xC0\x80'\"", 5};
    world.facts.modules[FIXTURE_CORE].plan_hash = UINT64_MAX;
    world.facts.runs[0].started = INT64_MIN;
    assert_true(round_trip(&world.facts));
}

static void equal_facts_give_equal_bytes(void **state)
{
    struct str first = temporary_read(&world.folder, world.path);
    (void)state;
    assert_true(store_write(world.path, &world.facts, NULL, NULL));
    assert_true(str_eq(first, temporary_read(&world.folder, world.path)));
}

/* What a comparison needs of BASE to the end is there when its code is gone; so are texts. */
static void names_outlive_code_that_was_read_apart(void **state)
{
    struct facts read;
    struct arena code;
    struct err err = {0};
    (void)state;
    arena_init(&code, NULL, 0, ARENA_NO_LIMIT);
    assert_true(store_read_summed(&read, world.path, NULL, &world.arena, &code, &err));
    const struct fact_method *was = &world.facts.modules[FIXTURE_CORE].methods[0];
    struct str name = read.modules[FIXTURE_CORE].methods[0].name;
    facts_forget_code(&read);
    arena_free(&code);
    assert_true(str_eq(name, was->name));
    assert_int_equal(read.module_count, world.facts.module_count);
    for (uint32_t i = 0; i < read.module_count; i++) {
        const struct fact_module *a = &read.modules[i], *b = &world.facts.modules[i];
        assert_int_equal(a->method_count + a->statement_count + a->decision_count, 0);
        assert_true(str_eq(a->name, b->name));
        assert_int_equal(a->document_count, b->document_count);
        for (uint32_t d = 0; d < a->document_count; d++)
            assert_true(str_eq(a->documents[d].path, b->documents[d].path));
    }
    assert_int_equal(read.counts_count, 0);
}

static void odd_paths_are_written_and_read(void **state)
{
    static const char *const names[] = {"a b?immutable=0.ilcov", "50%25#x.ilcov", "f&vfs=x",
                                        "\xC3\xBC.ilcov"};
    struct facts read;
    struct err err = {0};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        const char *path = temporary_path(&world.folder, names[i]);
        assert_true(store_write(path, &world.facts, NULL, &err));
        assert_int_equal(access(path, R_OK), 0);
        assert_true(store_read(&read, path, &world.arena, &err));
        assert_true(facts_equal(&world.facts, &read));
    }
}

static void relative_path_is_written_and_read(void **state)
{
    char old[4096];
    struct facts read;
    struct err err = {0};
    (void)state;
    assert_non_null(getcwd(old, sizeof old));
    assert_int_equal(chdir(world.folder.folder), 0);
    bool ok = store_write("here.ilcov", &world.facts, NULL, &err) &&
              store_read(&read, "here.ilcov", &world.arena, &err);
    assert_int_equal(chdir(old), 0);
    assert_true(ok);
    assert_true(facts_equal(&world.facts, &read));
}

static void link_and_permissions_stay(void **state)
{
    struct stat info;
    struct err err = {0};
    const char *link = temporary_path(&world.folder, "link.ilcov");
    (void)state;
    assert_int_equal(symlink("coverage.ilcov", link), 0);
    assert_int_equal(chmod(world.path, 0640), 0);
    assert_true(store_write(link, &world.facts, NULL, &err));
    assert_int_equal(lstat(link, &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(stat(world.path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    assert_int_equal(temporary_count(&world.folder), 2);
}

/* --- what cannot be written ------------------------------------------------------------------- */

static void write_fails(const char *path, const char *expected)
{
    struct err err = {0};
    assert_false(store_write(path, &world.facts, NULL, &err));
    assert_int_equal(err.code, ERR_IO);
    assert_non_null(strstr(err.text, expected));
    assert_null(strchr(err.text, '\n'));
}

static void unwritable_paths_are_refused(void **state)
{
    struct str before = temporary_read(&world.folder, world.path);
    (void)state;
    write_fails(world.folder.folder, "is a directory");
    write_fails(temporary_path(&world.folder, "coverage.ilcov/x"), "Not a directory");
    write_fails("", "an empty path");
    write_fails("/dev/null", "not a regular file");
    write_fails("/dev/full", "not a regular file");
    assert_int_equal(temporary_count(&world.folder), 1);
    assert_true(str_eq(before, temporary_read(&world.folder, world.path)));
}

/* As on a full disk, wherever the writing stops. */
static void file_that_cannot_grow_leaves_the_old_one(void **state)
{
    struct rlimit old, limited;
    struct str before = temporary_read(&world.folder, world.path);
    (void)state;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    assert_true(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
    limited = old;
    for (size_t limit = 0; limit < before.len; limit += 4000) {
        struct err err = {0};
        limited.rlim_cur = limit;
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &limited), 0);
        bool ok = store_write(world.path, &world.facts, NULL, &err);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
        assert_false(ok);
        assert_int_equal(err.code, ERR_IO);
        assert_int_equal(temporary_count(&world.folder), 1);
        assert_true(str_eq(before, temporary_read(&world.folder, world.path)));
    }
}

static void unsound_facts_leave_the_old_file(void **state)
{
    struct err err = {0};
    struct str before = temporary_read(&world.folder, world.path);
    (void)state;
    world.facts.modules[FIXTURE_CORE].statements[0].count = NO_INDEX;
    assert_false(store_write(world.path, &world.facts, NULL, &err));
    world.facts.modules[FIXTURE_CORE].statements[0].count = 0;
    world.facts.counts[1] = world.facts.counts[0]; /* twice the same run and module */
    assert_false(store_write(world.path, &world.facts, NULL, &err));
    assert_int_equal(temporary_count(&world.folder), 1);
    assert_true(str_eq(before, temporary_read(&world.folder, world.path)));
}

/* --- what cannot be read ---------------------------------------------------------------------- */

static void read_fails(const char *path, enum err_code code, const char *expected)
{
    struct facts facts;
    struct err err = {0};
    assert_false(store_read(&facts, path, &world.arena, &err));
    assert_int_equal(err.code, code);
    if (strstr(err.text, expected) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", err.text, expected);
    assert_null(strchr(err.text, '\n'));
    assert_int_equal(facts.module_count, 0);
}

static void what_is_not_a_data_file_is_refused(void **state)
{
    static const char text[] = "SQLite format 3 is what this text is about, at length: "
                               "lorem ipsum dolor sit amet, consectetur adipiscing elit";
    const char *other = temporary_path(&world.folder, "other.db");
    sqlite3 *db = NULL;
    (void)state;
    read_fails(world.folder.folder, ERR_IO, "is a directory");
    read_fails(temporary_path(&world.folder, "missing"), ERR_IO, "No such file");
    read_fails("/dev/null", ERR_IO, "not a regular file");
    read_fails(temporary_file(&world.folder, "empty", "", 0), ERR_FORMAT, "not a data file");
    read_fails(temporary_file(&world.folder, "text", text, sizeof text), ERR_FORMAT,
               "not a data file");
    assert_int_equal(sqlite3_open(other, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "CREATE TABLE runs(id)", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    read_fails(other, ERR_FORMAT, "not a data file");
}

static void other_versions_are_refused(void **state)
{
    struct str bytes = temporary_read(&world.folder, world.path);
    uint8_t *copy = (uint8_t *)arena_copy_text(&world.arena, bytes.text, bytes.len, NULL);
    (void)state;
    copy[HEADER_USER_VERSION + 3] = STORE_VERSION + 1;
    read_fails(temporary_file(&world.folder, "x", copy, bytes.len), ERR_FORMAT,
               "has version 2, and this ilcov reads version 1: update ilcov");
    copy[HEADER_USER_VERSION + 3] = STORE_VERSION - 1;
    read_fails(temporary_file(&world.folder, "x", copy, bytes.len), ERR_FORMAT,
               "has version 0, and this ilcov reads version 1: measure again");
}

/* Either it is refused, or what was changed says nothing. */
static void is_refused_or_unchanged(const uint8_t *bytes, size_t len)
{
    struct facts read;
    struct err err = {0};
    struct arena arena;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    const char *path = temporary_file(&world.folder, "x", bytes, len);
    if (store_read(&read, path, &arena, &err))
        assert_true(facts_equal(&read, &world.facts));
    else
        assert_in_range(err.code, ERR_IO, ERR_UNSUPPORTED);
    arena_free(&arena);
    assert_int_equal(temporary_count(&world.folder), 2);
}

static void every_truncation_is_refused_or_unchanged(void **state)
{
    struct str bytes = temporary_read(&world.folder, world.path);
    (void)state;
    const size_t step = TRUNCATION_STEP * TRUNCATION_STEP / repeated(TRUNCATION_STEP);
    for (size_t len = 0; len < bytes.len; len += len < 128 ? 1 : step)
        is_refused_or_unchanged((const uint8_t *)bytes.text, len);
}

static uint32_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33);
}

static void every_mutation_is_refused_or_unchanged(void **state)
{
    struct str bytes = temporary_read(&world.folder, world.path);
    uint64_t seed = 20;
    (void)state;
    for (unsigned i = 0; i < repeated(MUTATIONS); i++) {
        uint8_t *copy = (uint8_t *)arena_copy_text(&world.arena, bytes.text, bytes.len, NULL);
        /* One byte, or a few near the header of the file or of a page, where the structure is. */
        for (uint32_t n = i % 3 == 0 ? 1 : next_random(&seed) % 4 + 1; n > 0; n--) {
            size_t at = next_random(&seed) % bytes.len;
            if (i % 3 == 2)
                at = at / 4096 * 4096 + at % 128;
            copy[at] = (uint8_t)next_random(&seed);
        }
        is_refused_or_unchanged(copy, bytes.len);
    }
}

static void reader_without_memory_says_so(void **state)
{
    bool ok = false;
    (void)state;
    for (size_t limit = 0; !ok; limit += 97) {
        struct facts read;
        struct err err = {0};
        struct arena arena;
        arena_init(&arena, NULL, 0, limit);
        ok = store_read(&read, world.path, &arena, &err);
        if (ok)
            assert_true(facts_equal(&read, &world.facts));
        else
            assert_int_equal(err.code, ERR_LIMIT);
        arena_free(&arena);
    }
}

/* --- a digest that is right does not make a file trusted -------------------------------------- */

static sqlite3 *open_database(void)
{
    sqlite3 *db = NULL;
    assert_true(store_write(world.path, &world.facts, NULL, NULL));
    assert_int_equal(sqlite3_open(world.path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "PRAGMA synchronous = OFF", NULL, NULL, NULL), SQLITE_OK);
    return db;
}

static void execute(sqlite3 *db, const char *sql)
{
    char *message = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s: %s", sql, message);
}

/* The digest by its description in store_tables.c, and by no code of it. */
static void digest_of(uint8_t digest[32], sqlite3 *db)
{
    static const char *const tables[][2] = {
        {"meta", "key"},           {"reasons", "id"},   {"runs", "id"},
        {"processes", "id"},       {"modules", "id"},   {"documents", "rowid"},
        {"methods", "rowid"},      {"tests", "id"},     {"test_hits", "rowid"},
        {"declarations", "rowid"}, {"inputs", "rowid"}, {"counts", "run, module"},
    };
    struct writer w = wr_in(&world.arena);
    for (size_t i = 0; i < ARRAY_LEN(tables); i++) {
        char sql[128];
        sqlite3_stmt *row = NULL;
        wr_bytes(&w, tables[i][0], strlen(tables[i][0]) + 1);
        (void)snprintf(sql, sizeof sql, "SELECT * FROM %s %s ORDER BY %s", tables[i][0],
                       i == 0 ? "WHERE key <> 'digest'" : "", tables[i][1]);
        assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &row, NULL), SQLITE_OK);
        while (sqlite3_step(row) == SQLITE_ROW) {
            wr_u8(&w, 'R');
            for (int column = 0; column < sqlite3_column_count(row); column++) {
                int type = sqlite3_column_type(row, column);
                const void *bytes =
                    type != SQLITE_INTEGER ? sqlite3_column_blob(row, column) : NULL;
                size_t len = (size_t)sqlite3_column_bytes(row, column);
                wr_u8(&w, (uint8_t)type);
                wr_u64(&w,
                       type == SQLITE_INTEGER ? (uint64_t)sqlite3_column_int64(row, column) : len);
                if (bytes != NULL)
                    wr_bytes(&w, bytes, len);
            }
        }
        assert_int_equal(sqlite3_finalize(row), SQLITE_OK);
    }
    assert_false(w.failed);
    gcry_md_hash_buffer(GCRY_MD_SHA256, digest, w.data, w.len);
}

/* The fixture's file with a change made by `sql`, and the digest made to fit. */
static const char *resealed(const char *sql)
{
    uint8_t digest[32];
    sqlite3 *db = open_database();
    sqlite3_stmt *update = NULL;
    execute(db, sql);
    digest_of(digest, db);
    assert_int_equal(
        sqlite3_prepare_v2(db, "UPDATE meta SET value = ? WHERE key = 'digest'", -1, &update, NULL),
        SQLITE_OK);
    assert_int_equal(sqlite3_bind_blob(update, 1, digest, sizeof digest, SQLITE_STATIC), SQLITE_OK);
    assert_int_equal(sqlite3_step(update), SQLITE_DONE);
    assert_int_equal(sqlite3_finalize(update), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    return world.path;
}

static void digest_is_what_its_description_says(void **state)
{
    struct facts read;
    struct err err = {0};
    (void)state;
    assert_true(store_read(&read, resealed("SELECT 1"), &world.arena, &err));
    assert_true(facts_equal(&read, &world.facts));
    assert_true(store_read(&read, resealed("UPDATE runs SET started = 5"), &world.arena, &err));
    assert_int_equal(read.runs[0].started, 5);
}

static void rows_that_other_hands_changed_are_refused(void **state)
{
    static const char *const changes[] = {
        "UPDATE runs SET started = started + 1 WHERE id = 1",
        "UPDATE modules SET name = 'Shop.Core2' WHERE id = 1",
        "DELETE FROM processes",
        "UPDATE meta SET value = x'00' WHERE key = 'writer'",
        "UPDATE meta SET value = x'00' WHERE key = 'digest'",
        "DELETE FROM meta WHERE key = 'digest'",
        "UPDATE counts SET counts = x'0001' WHERE module = 0 AND run = 0",
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(changes); i++) {
        sqlite3 *db = open_database();
        execute(db, changes[i]);
        assert_int_equal(sqlite3_close(db), SQLITE_OK);
        read_fails(world.path, ERR_FORMAT, "damaged: the digest over its rows does not match");
    }
}

static void missing_table_is_refused(void **state)
{
    sqlite3 *db = open_database();
    (void)state;
    execute(db, "DROP TABLE counts");
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    read_fails(world.path, ERR_FORMAT, "damaged: it has 13 tables and views, not 14");
}

/* A value of the first statement or decision of each method that has one. */
#define ITEM(list, value, to)                                                                      \
    "UPDATE methods SET " list " = json_replace(" list ", '$[0][" value "]', " to ")"
#define STATEMENT(value, to) ITEM("statements", value, to)
#define DECISION(value, to)  ITEM("decisions", value, to)

static void unsound_rows_with_a_digest_are_refused(void **state)
{
    static const char *const changes[] = {
        "UPDATE runs SET id = 7 WHERE id = 1",
        "UPDATE runs SET uuid = x'00'",
        "UPDATE runs SET uuid = zeroblob(17)",
        "UPDATE runs SET started = 1.5",
        "UPDATE runs SET mode = NULL",
        "UPDATE runs SET kind = 4",
        "UPDATE runs SET folded = x'00'",
        "UPDATE runs SET label = NULL",
        "UPDATE runs SET reason = 99",
        "UPDATE reasons SET code = 0",
        "UPDATE reasons SET code = 65536",
        "UPDATE reasons SET code = 'x'",
        "UPDATE reasons SET subject = NULL",
        "UPDATE reasons SET remark = x'00'",
        "UPDATE reasons SET id = 7 WHERE id = 1",
        "DELETE FROM reasons WHERE id = 3",
        "UPDATE documents SET reason = -1",
        "UPDATE methods SET reason = 'excluded by -x'",
        "UPDATE processes SET declined = 99",
        "UPDATE processes SET method_count = -1",
        "UPDATE processes SET module_count = 4294967296",
        "UPDATE modules SET identity = x'00'",
        "UPDATE methods SET body = zeroblob(15)",
        "UPDATE runs SET mode = x'00'",
        "UPDATE processes SET run = 2",
        "UPDATE processes SET run = -1",
        "UPDATE modules SET name = ''",
        "UPDATE modules SET state = 4",
        "UPDATE modules SET state = 'x'",
        "UPDATE modules SET count_len = 4294967296",
        "UPDATE modules SET count_len = 16777217",
        "UPDATE modules SET count_len = 3 WHERE id = 0",
        "DELETE FROM modules WHERE id = 5",
        "UPDATE documents SET module = 77 WHERE module = 2",
        "UPDATE documents SET module = -1 WHERE module = 2",
        "UPDATE documents SET id = 9 WHERE module = 0 AND id = 1",
        "UPDATE documents SET hash_algorithm = x''",
        "UPDATE documents SET hash = zeroblob(65)",
        "DELETE FROM documents WHERE module = 0",
        "UPDATE methods SET user_method = 14",
        "UPDATE methods SET entry_count = 39",
        "UPDATE methods SET entry_count = 4294967295",
        "UPDATE methods SET state = 3",
        "DELETE FROM methods WHERE module = 0 AND id = 13",
        "UPDATE modules SET statement_count = statement_count + 1 WHERE id = 0",
        "UPDATE modules SET statement_count = statement_count - 1 WHERE id = 0",
        "UPDATE modules SET statement_count = 4294967294",
        "UPDATE modules SET statement_count = NULL",
        "UPDATE modules SET decision_count = decision_count + 1 WHERE id = 0",
        "UPDATE modules SET decision_count = decision_count - 1 WHERE id = 0",
        "UPDATE modules SET decision_count = 100000000",
        "UPDATE methods SET first_statement = first_statement + 1 WHERE id = 1",
        "UPDATE methods SET first_decision = first_decision + 1 WHERE id = 1",
        "UPDATE methods SET statements = NULL",
        "UPDATE methods SET statements = CAST(statements AS BLOB)",
        STATEMENT("2", "0"),      /* start_line */
        STATEMENT("3", "65536"),  /* start_column */
        STATEMENT("6", "NULL"),   /* count_index */
        STATEMENT("7", "99"),     /* reason */
        STATEMENT("8", "NULL"),   /* gaps */
        STATEMENT("8", "'0100'"), /* ends with a zero */
        STATEMENT("8", "'01'") " WHERE json_extract(statements, '$[0][2]') ="
                               " json_extract(statements, '$[0][4]')",
        STATEMENT("9", "'FF'"),                                         /* causes */
        DECISION("4", "2"),                                             /* is_switch */
        DECISION("3", "0") " WHERE json_extract(decisions, '$[0][4]')", /* outcome_count */
        DECISION("5", "38") " WHERE module = 0",                        /* first_count */
        DECISION("8", "65536"),                                         /* start_column */
        DECISION("8", "0"),
        DECISION("9", "json_extract(decisions, '$[0][7]') - 1"), /* end_line */
        DECISION("11", "2"),                                     /* is_exact */
        DECISION("12", "first_decision + 1"),                    /* expression: a later one */
        "UPDATE methods SET decisions ="
        " json_replace(decisions, '$[' || (2 - first_decision) || '][12]', 0)"
        " WHERE module = 0 AND first_decision <= 2", /* of another method */
        DECISION("13", "7"),                         /* words */
        DECISION("13", "1") " WHERE json_extract(decisions, '$[0][4]')",
        DECISION("15", "'01'"), /* arms */
        DECISION("15", "NULL"),
        "UPDATE reasons SET code = 0",
        "UPDATE reasons SET code = 99", /* no reason has this number */
        "UPDATE counts SET module = 6 WHERE module = 5",
        "UPDATE counts SET run = 2 WHERE run = 1",
        "UPDATE counts SET counts = NULL",
        "UPDATE counts SET counts = x'0000'",                  /* a count of 0 */
        "UPDATE counts SET counts = x'00'",                    /* half a pair */
        "UPDATE counts SET counts = x'0080'",                  /* half a number */
        "UPDATE counts SET counts = x'2701' WHERE module = 0", /* just behind the vector */
        "UPDATE counts SET counts = x'26010001' WHERE module = 0",
        "UPDATE counts SET counts = x'80808080800101' WHERE module = 0",
        "UPDATE counts SET counts = x'00FFFFFFFFFFFFFFFFFF02' WHERE module = 0", /* 65 bits */
        "UPDATE counts SET counts = x'0080808080808080808080800101' WHERE module = 0",
        "CREATE TABLE more(x)",
        "CREATE INDEX more ON runs(started)",
        "CREATE VIEW more AS SELECT 1",
        "CREATE TRIGGER more AFTER INSERT ON runs BEGIN SELECT 1; END",
        "ALTER TABLE runs ADD COLUMN more",
        "ALTER TABLE runs RENAME COLUMN root TO source",
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(changes); i++)
        read_fails(resealed(changes[i]), ERR_FORMAT, "damaged: ");
}

/* The fixture's file, with `text` for the statements of the first method that has any. */
static const char *with_statements(const char *text)
{
    char sql[512];
    (void)snprintf(sql, sizeof sql,
                   "UPDATE methods SET statements = '%s' WHERE rowid ="
                   " (SELECT min(rowid) FROM methods WHERE statements <> '[]')",
                   text);
    return resealed(sql);
}

static void items_of_another_form_are_refused(void **state)
{
    static const char *const texts[] = {
        "",
        "[",
        "]",
        "[]x",
        "[[",
        "[[]]",
        "[0]",
        "[null]",
        "{}",
        "[[0,0,1,1,1,1,0,null,\"\"]]",        /* too short */
        "[[0,0,1,1,1,1,0,null,\"\",\"\",0]]", /* too long */
        "[[0,0,1,1,1,1,0,null,\"\",\"\"]",    /* not closed */
        "[[0,0,1,1,1,1,0,null,\"\",\"\"]] ",
        "[ [0,0,1,1,1,1,0,null,\"\",\"\"]]",
        "[[0,0,1,1,1,1,0,null,\"\",\"\"],]",
        "[[0,0,1,1,1,1,0,null,\"\",\"\"][]",
        "[[0,,1,1,1,1,0,null,\"\",\"\"]]",
        "[[0,-1,1,1,1,1,0,null,\"\",\"\"]]",
        "[[0,4294967296,1,1,1,1,0,null,\"\",\"\"]]",
        "[[0,99999999999999999999999,1,1,1,1,0,null,\"\",\"\"]]",
        "[[0,1.5,1,1,1,1,0,null,\"\",\"\"]]",
        "[[0,\"1\",1,1,1,1,0,null,\"\",\"\"]]",
        "[[null,0,1,1,1,1,0,null,\"\",\"\"]]",
        "[[0,0,1,1,1,1,0,nul,\"\",\"\"]]",
        "[[0,0,1,1,1,1,0,null,0,\"\"]]",
        "[[0,0,1,1,1,1,0,null,\"\",\"0\"]]", /* half a byte */
        "[[0,0,1,1,1,1,0,null,\"\",\"0g\"]]",
        "[[0,0,1,1,1,1,0,null,\"\",\"]]",
        "[[0,0,1,1,1,1,0,null,\"\",\"000000000000000000000000\"]]", /* 12 bytes */
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        read_fails(with_statements(texts[i]), ERR_FORMAT, "damaged: ");
}

static void items_that_are_cut_are_refused(void **state)
{
    static const char whole[] = "[[0,0,1,1,1,1,0,null,\"\",\"\"]]";
    (void)state;
    for (size_t len = 0; len < sizeof whole - 1; len++) {
        char text[sizeof whole];
        (void)snprintf(text, sizeof text, "%.*s", (int)len, whole);
        read_fails(with_statements(text), ERR_FORMAT, "damaged: ");
    }
}

/* It would do so in a temporary file. */
static void no_table_is_sorted_to_read_it(void **state)
{
    sqlite3 *db = open_database();
    (void)state;
    for (enum store_table_id table = 0; table < STORE_TABLE_COUNT; table++) {
        const char *const queries[] = {store_tables[table].select, store_tables[table].owners};
        bool has_owners = table >= DOCUMENTS && table <= METHODS;
        for (size_t i = 0; i < (has_owners ? 2u : 1u) && !store_tables[table].is_view; i++) {
            char sql[256];
            sqlite3_stmt *row = NULL;
            (void)snprintf(sql, sizeof sql, "EXPLAIN QUERY PLAN %s", queries[i]);
            assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &row, NULL), SQLITE_OK);
            while (sqlite3_step(row) == SQLITE_ROW)
                assert_null(strstr((const char *)sqlite3_column_text(row, 3), "TEMP"));
            assert_int_equal(sqlite3_finalize(row), SQLITE_OK);
        }
    }
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* The value of a query, as text. */
static struct str query(const char *sql)
{
    struct str value = STR("");
    sqlite3 *db = NULL;
    sqlite3_stmt *row = NULL;
    assert_int_equal(sqlite3_open(world.path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &row, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(row), SQLITE_ROW);
    assert_true(
        str_copy(&value, str_of((const char *)sqlite3_column_text(row, 0)), &world.arena, NULL));
    assert_int_equal(sqlite3_finalize(row), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    return value;
}

static void views_show_what_the_rows_of_methods_hold(void **state)
{
    const struct fact_module *core = &world.facts.modules[FIXTURE_CORE];
    uint64_t lines = 0, outcomes = 0;
    struct str expected;
    (void)state;
    for (uint32_t i = 0; i < core->statement_count; i++)
        lines +=
            (uint64_t)core->statements[i].end_line * (i + 1) * (core->statements[i].method + 1);
    for (uint32_t i = 0; i < core->decision_count; i++)
        outcomes += (uint64_t)core->decisions[i].outcome_count * (i + 1) * core->decisions[i].words;
    assert_true(text_format(&expected, &world.arena, NULL, "%u %" PRIu64 " %u %" PRIu64,
                            core->statement_count, lines, core->decision_count, outcomes));
    assert_str(query("SELECT format('%d %d ', count(*), sum(end_line * (id + 1) * (method + 1))) ||"
                     " (SELECT format('%d %d', count(*), sum(outcome_count * (id + 1) * words))"
                     "  FROM decisions WHERE module = 0) FROM statements WHERE module = 0"),
               expected.text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_world, close_world)

static const struct CMUnitTest tests[] = {
    TEST(what_was_written_is_read),
    TEST(only_a_large_file_has_large_pages),
    TEST(counts_of_any_size_are_read),
    TEST(reasons_are_kept),
    TEST(shortest_statements_are_read),
    TEST(who_wrote_the_code_is_kept),
    TEST(lines_without_text_are_kept),
    TEST(text_of_any_bytes_is_read),
    TEST(equal_facts_give_equal_bytes),
    TEST(names_outlive_code_that_was_read_apart),
    TEST(odd_paths_are_written_and_read),
    TEST(relative_path_is_written_and_read),
    TEST(link_and_permissions_stay),
    TEST(unwritable_paths_are_refused),
    TEST(file_that_cannot_grow_leaves_the_old_one),
    TEST(unsound_facts_leave_the_old_file),
    TEST(what_is_not_a_data_file_is_refused),
    TEST(other_versions_are_refused),
    TEST(every_truncation_is_refused_or_unchanged),
    TEST(every_mutation_is_refused_or_unchanged),
    TEST(reader_without_memory_says_so),
    TEST(digest_is_what_its_description_says),
    TEST(rows_that_other_hands_changed_are_refused),
    TEST(missing_table_is_refused),
    TEST(unsound_rows_with_a_digest_are_refused),
    TEST(items_of_another_form_are_refused),
    TEST(items_that_are_cut_are_refused),
    TEST(no_table_is_sorted_to_read_it),
    TEST(views_show_what_the_rows_of_methods_hold),
};
UNIT_TESTS(tests);

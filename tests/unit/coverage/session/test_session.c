/* test_session.c - a session is made as the library expects it, and whatever stands in its files
 * afterwards is either counted or named; nothing in them can crash the program. */
#include "coverage/session/session.h"
#include "coverage/session/session_directory.h"
#include "coverage/session/session_text.h"

#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/bytes.h"
#include "contract/session_format.h"
#include "contract/verdict.h"
#include "tests/support/check.h"
#include "tests/support/reasons.h"
#include "tests/support/temporary.h"

/* --- a counter file of K shards, N counters, M methods, as the library writes it -------------- */

enum {
    PAGE = 4096,
    METHODS = 3,
    COUNTERS = 5,
    SHARDS = 4,
    FILE_LEN = PAGE + SHARDS * PAGE
};

static const char counts_name[] = "000102030405060708090a0b0c0d0e0f-00000000deadbeef-0.counts";
static const char module_name[] = "App", module_path[] = "/app/App.dll";

struct counter_image {
    uint8_t data[FILE_LEN];
};

static void make_image(struct counter_image *image, enum count_mode mode)
{
    uint8_t *data = image->data;
    uint32_t name = COUNTERS_HEADER_LEN, path = name + (uint32_t)strlen(module_name),
             verdicts = path + (uint32_t)strlen(module_path);
    memset(image, 0, sizeof *image);
    memcpy(data, COUNTERS_MAGIC, 8);
    store_u32(data + COUNTERS_AT_VERSION, COUNTERS_VERSION);
    store_u32(data + COUNTERS_AT_MODE, (uint32_t)mode);
    store_u64(data + COUNTERS_AT_PLAN_HASH, 0xdeadbeef);
    store_u32(data + COUNTERS_AT_SHARD_COUNT, SHARDS);
    store_u32(data + COUNTERS_AT_COUNTER_COUNT, COUNTERS);
    store_u64(data + COUNTERS_AT_SHARD_STRIDE, PAGE);
    store_u64(data + COUNTERS_AT_SHARDS, PAGE);
    for (uint8_t i = 0; i < 16; i++)
        data[COUNTERS_AT_MVID + i] = i;
    store_u32(data + COUNTERS_AT_METHOD_COUNT, METHODS);
    store_u32(data + COUNTERS_AT_VERDICTS, verdicts);
    store_u32(data + COUNTERS_AT_PATH, path);
    store_u32(data + COUNTERS_AT_PATH + 4, (uint32_t)strlen(module_path));
    store_u32(data + COUNTERS_AT_NAME, name);
    store_u32(data + COUNTERS_AT_NAME + 4, (uint32_t)strlen(module_name));
    store_u32(data + COUNTERS_AT_READY, COUNTERS_READY);
    memcpy(data + name, module_name, strlen(module_name));
    memcpy(data + path, module_path, strlen(module_path));
    data[verdicts] = VERDICT_OK;
    data[verdicts + 1] = VERDICT_DECLINED_STACK;
    data[verdicts + 2] = VERDICT_NO_IL;
}

/* Counter n of shard k. */
static uint8_t *counter_at(struct counter_image *image, uint32_t k, uint32_t n, size_t size)
{
    return image->data + PAGE + k * PAGE + n * size;
}

static bool parse_image(struct session_counters *out, const struct counter_image *image, size_t len,
                        struct err *err)
{
    struct view head = exact_copy((struct view){image->data, len < PAGE ? len : PAGE});
    bool ok = session_parse_counters(out, str_of(counts_name), head, len, err);
    if (ok) {
        assert_str(out->module_name, module_name);
        assert_str(out->module_path, module_path);
    }
    exact_free(head);
    return ok;
}

static void counter_file_is_read_as_it_was_written(void **state)
{
    (void)state;
    struct counter_image image;
    struct session_counters counters;
    struct err err = {0};
    make_image(&image, MODE_EXACT);
    assert_true(session_parse_counters(&counters, str_of(counts_name),
                                       (struct view){image.data, PAGE}, FILE_LEN, &err));
    assert_str(counters.module_name, "App");
    assert_str(counters.module_path, "/app/App.dll");
    assert_int_equal(counters.mode, MODE_EXACT);
    assert_int_equal(counters.plan_hash, 0xdeadbeef);
    assert_int_equal(counters.shard_count, SHARDS);
    assert_int_equal(counters.counter_count, COUNTERS);
    assert_int_equal(counters.method_count, METHODS);
    assert_int_equal(counters.verdicts.len, METHODS);
    assert_int_equal(counters.verdicts.data[1], VERDICT_DECLINED_STACK);
    assert_int_equal(counters.mvid[15], 15);
}

static void every_truncation_of_a_counter_file_is_refused(void **state)
{
    (void)state;
    struct counter_image image;
    make_image(&image, MODE_COUNT);
    for (size_t len = 0; len < FILE_LEN; len++) {
        struct session_counters counters;
        struct err err = {0};
        assert_failed(parse_image(&counters, &image, len, &err), err, ERR_FORMAT);
    }
}

static const struct {
    const char *name;
    size_t at;
    unsigned len; /* 4 or 8 */
    uint64_t value;
} bad_fields[] = {
    {"magic", 0, 4, 0x21474C49},
    {"version", COUNTERS_AT_VERSION, 4, COUNTERS_VERSION + 1},
    {"mode", COUNTERS_AT_MODE, 4, MODE_EXACT + 1},
    {"plan hash of another name", COUNTERS_AT_PLAN_HASH, 8, 1},
    {"no shard", COUNTERS_AT_SHARD_COUNT, 4, 0},
    {"too many shards", COUNTERS_AT_SHARD_COUNT, 4, SHARDS_MAX + 1},
    {"more shards than the file has", COUNTERS_AT_SHARD_COUNT, 4, 8},
    {"more counters than a shard holds", COUNTERS_AT_COUNTER_COUNT, 4, PAGE / 8 + 1},
    {"absurdly many counters", COUNTERS_AT_COUNTER_COUNT, 4, UINT32_MAX},
    {"odd stride", COUNTERS_AT_SHARD_STRIDE, 8, PAGE + 1},
    {"stride of nothing", COUNTERS_AT_SHARD_STRIDE, 8, 0},
    {"absurd stride", COUNTERS_AT_SHARD_STRIDE, 8, (uint64_t)PAGE << 51},
    {"stride that wraps", COUNTERS_AT_SHARD_STRIDE, 8, UINT64_MAX - PAGE + 1},
    {"odd shards", COUNTERS_AT_SHARDS, 8, PAGE - 1},
    {"shards in the header", COUNTERS_AT_SHARDS, 8, 0},
    {"shards after the end", COUNTERS_AT_SHARDS, 8, 64 * PAGE},
    {"absurd shards", COUNTERS_AT_SHARDS, 8, UINT64_MAX - PAGE + 1},
    {"mvid of another name", COUNTERS_AT_MVID, 8, 0},
    {"absurdly many methods", COUNTERS_AT_METHOD_COUNT, 4, UINT32_MAX},
    {"methods after the head", COUNTERS_AT_METHOD_COUNT, 4, PAGE},
    {"verdicts in the header", COUNTERS_AT_VERDICTS, 4, 8},
    {"verdicts after the head", COUNTERS_AT_VERDICTS, 4, PAGE - 1},
    {"path after the head", COUNTERS_AT_PATH, 4, PAGE + 1},
    {"absurd path", COUNTERS_AT_PATH, 4, UINT32_MAX},
    {"absurdly long path", COUNTERS_AT_PATH + 4, 4, UINT32_MAX},
    {"name in the header", COUNTERS_AT_NAME, 4, 0},
    {"no name", COUNTERS_AT_NAME + 4, 4, 0},
    {"not ready", COUNTERS_AT_READY, 4, 0},
    {"half ready", COUNTERS_AT_READY, 4, 0x4552},
    {"name with a NUL", COUNTERS_HEADER_LEN, 4, 0},
    {"name that is not UTF-8", COUNTERS_HEADER_LEN, 4, 0xFFFEFDFC},
    {"unknown verdict", COUNTERS_HEADER_LEN + sizeof "App" - 1 + sizeof "/app/App.dll" - 1, 4,
     0xFF},
};

static void counter_file_with_a_bad_field_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad_fields); i++) {
        struct counter_image image;
        struct session_counters counters;
        struct err err = {0};
        make_image(&image, MODE_COUNT);
        if (bad_fields[i].len == 4)
            store_u32(image.data + bad_fields[i].at, (uint32_t)bad_fields[i].value);
        else
            store_u64(image.data + bad_fields[i].at, bad_fields[i].value);
        if (parse_image(&counters, &image, FILE_LEN, &err))
            fail_msg("%s was taken", bad_fields[i].name);
        assert_int_not_equal(err.text[0], '\0');
    }
}

/* Not every change is an error, but none may be read past the end: ASan is the judge. */
static void any_byte_of_a_counter_file_may_be_wrong(void **state)
{
    (void)state;
    static const uint8_t values[] = {0x00, 0x01, 0x7F, 0x80, 0xFF};
    struct counter_image image;
    make_image(&image, MODE_COUNT);
    for (size_t at = 0; at < COUNTERS_HEADER_LEN + 32; at++) {
        for (size_t i = 0; i < ARRAY_LEN(values); i++) {
            struct counter_image changed = image;
            struct session_counters counters;
            struct err err = {0};
            changed.data[at] = values[i];
            struct view head = exact_copy((struct view){changed.data, PAGE});
            if (session_parse_counters(&counters, str_of(counts_name), head, FILE_LEN, &err))
                assert_true(counters.counter_count <= PAGE / 8);
            exact_free(head);
        }
    }
}

static void name_and_header_must_agree(void **state)
{
    (void)state;
    static const char *const names[] = {
        "000102030405060708090a0b0c0d0e0e-00000000deadbeef-0.counts",
        "000102030405060708090a0b0c0d0e0f-00000000deadbeee-0.counts",
        "000102030405060708090a0b0c0d0e0f-00000000deadbeef.counts",
        "000102030405060708090a0b0c0d0e0f-00000000deadbeef-x.counts",
        "000102030405060708090a0b0c0d0e-00000000deadbeef-0.counts",
        "g00102030405060708090a0b0c0d0e0f-00000000deadbeef-0.counts",
        "000102030405060708090a0b0c0d0e0f-deadbeefdeadbeefd-0.counts",
        ".counts",
        "counts",
        "",
    };
    struct counter_image image;
    make_image(&image, MODE_COUNT);
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct session_counters counters;
        struct err err = {0};
        assert_failed(session_parse_counters(&counters, str_of(names[i]),
                                             (struct view){image.data, PAGE}, FILE_LEN, &err),
                      err, ERR_FORMAT);
    }
}

/* --- counts ----------------------------------------------------------------------------------- */

static void read_session(struct session *out, struct temporary *t)
{
    struct err err = {0};
    assert_true(session_read(out, t->folder, &t->arena, &err));
}

static void counts_are_summed_over_shards(void **state)
{
    (void)state;
    struct temporary t;
    struct counter_image image;
    struct session session;
    struct err err = {0};
    uint64_t sums[COUNTERS] = {0, 0, 0, 0, 1};
    temporary_open(&t);
    make_image(&image, MODE_COUNT);
    for (uint32_t k = 0; k < SHARDS; k++)
        for (uint32_t n = 0; n < COUNTERS; n++)
            store_u64(counter_at(&image, k, n, 8), 10 * k + n);
    store_u64(counter_at(&image, 1, 1, 8), UINT64_C(1) << 40);
    store_u64(counter_at(&image, 2, 3, 8), UINT64_MAX);
    (void)temporary_file(&t, counts_name, image.data, FILE_LEN);
    read_session(&session, &t);
    assert_int_equal(session.counters_count, 1);
    assert_true(session_add_counts(sums, &session.counters[0], &err));
    assert_int_equal(sums[0], 0 + 10 + 20 + 30);
    assert_int_equal(sums[1], (UINT64_C(1) << 40) + 1 + 21 + 31);
    assert_int_equal(sums[2], 60 + 4 * 2);
    assert_true(sums[3] == UINT64_MAX);
    assert_int_equal(sums[4], 1 + 60 + 4 * 4);
    temporary_close(&t);
}

static void hit_counts_whether_in_any_shard(void **state)
{
    (void)state;
    struct temporary t;
    struct counter_image image;
    struct session session;
    struct err err = {0};
    uint64_t sums[COUNTERS] = {0};
    temporary_open(&t);
    make_image(&image, MODE_HIT);
    *counter_at(&image, 0, 1, 1) = 1;
    *counter_at(&image, 3, 1, 1) = 1;
    *counter_at(&image, 2, 4, 1) = 0xFF;
    (void)temporary_file(&t, counts_name, image.data, FILE_LEN);
    read_session(&session, &t);
    assert_true(session_add_counts(sums, &session.counters[0], &err));
    assert_int_equal(sums[0], 0);
    assert_true(sums[1] != 0 && sums[4] != 0);
    assert_int_equal(sums[4], 1);
    temporary_close(&t);
}

static void a_file_that_shrank_meanwhile_is_an_error(void **state)
{
    (void)state;
    struct temporary t;
    struct counter_image image;
    struct session session;
    uint64_t sums[COUNTERS] = {0};
    temporary_open(&t);
    make_image(&image, MODE_COUNT);
    const char *path = temporary_file(&t, counts_name, image.data, FILE_LEN);
    read_session(&session, &t);
    static const size_t lens[] = {0, PAGE, FILE_LEN - PAGE + 1};
    for (size_t i = 0; i < ARRAY_LEN(lens); i++) {
        struct err err = {0};
        assert_int_equal(truncate(path, (off_t)lens[i]), 0);
        assert_failed(session_add_counts(sums, &session.counters[0], &err), err, ERR_IO);
        assert_non_null(strstr(err.text, counts_name));
    }
    temporary_close(&t);
}

/* --- process records -------------------------------------------------------------------------- */

#define MVID_HEX "000102030405060708090a0b0c0d0e0f"

static const char record[] = "ilcov-process\t0.1.0\n"
                             "program\t/app/with\\ttab\\nand\\\\slash.dll\n"
                             "runtime\t10.0.12\t/usr/share/dotnet/shared/x\n"
                             "skipped\tSystem.Runtime\t/r/System.Runtime.dll\t30\t\n"
                             "instrumented\tApp\t/app/App.dll\t" MVID_HEX "\t120\t3\n"
                             "trouble\tshared memory is full\n"
                             "parent\t77\n"
                             "tests\t/a/A.dll\n"
                             "tests\tB\\tb.dll\n"
                             "asks-coverage\n"
                             "changed\tApp\t" MVID_HEX "\t5\tN.C/D.M\n"
                             "added\tApp\t" MVID_HEX "\t121\t\n"
                             "sharing\t42\t192\n"
                             "sharing\t45\t\n"
                             "attached\t1777636800\n"
                             "skipped\tB\t\t37\tnot a DLL: \\t\n";

static bool parse_record(struct session_process *out, const char *text, size_t len,
                         struct arena *arena, struct err *err)
{
    struct view copy = exact_copy((struct view){(const uint8_t *)text, len});
    bool ok = session_parse_process(out, STR("process-42-123456"), copy, arena, err);
    exact_free(copy);
    return ok;
}

static void process_record_is_read_as_it_was_written(void **state)
{
    (void)state;
    struct session_process process;
    struct arena arena;
    struct err err = {0};
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    assert_true(parse_record(&process, record, sizeof record - 1, &arena, &err));
    assert_int_equal(process.pid, 42);
    assert_str(process.program, "/app/with\ttab\nand\\slash.dll");
    assert_true(process.attached == 1777636800);
    assert_int_equal(process.parent, 77);
    assert_true(process.asks_coverage);
    assert_int_equal(process.test_count, 2);
    assert_str(process.tests[0], "/a/A.dll");
    assert_str(process.tests[1], "B\tb.dll");
    assert_str(process.runtime, "10.0.12");
    assert_str(process.runtime_dir, "/usr/share/dotnet/shared/x");
    assert_int_equal(process.declined.code, REASON_NONE);
    assert_int_equal(process.skip_count, 2);
    assert_reason(&process.skips[0].reason, "part of the .NET installation");
    assert_reason(&process.skips[1].reason, "not a DLL: \t");
    assert_str(process.skips[1].path, "");
    assert_int_equal(process.instrumented_count, 1);
    assert_int_equal(process.instrumented[0].methods, 120);
    assert_int_equal(process.instrumented[0].declined, 3);
    assert_int_equal(process.instrumented[0].mvid[15], 15);
    assert_int_equal(process.warning_count, 1);
    assert_int_equal(process.change_count, 2);
    assert_str(process.changes[0].module_name, "App");
    assert_str(process.changes[0].method, "N.C/D.M");
    assert_int_equal(process.changes[0].mvid[15], 15);
    assert_int_equal(process.changes[0].method_rid, 5);
    assert_false(process.changes[0].is_added);
    assert_true(process.changes[1].is_added);
    assert_int_equal(process.sharing_count, 2);
    assert_reason(&process.sharings[0], "more than 192 threads ran at once");
    assert_reason(&process.sharings[1], "there was no room for more counters");
    arena_free(&arena);
}

/* Of the lines of the record that end within its first `len` bytes, those that begin so. */
static unsigned whole_lines(const char *start, size_t len)
{
    unsigned count = 0;
    for (const char *line = record, *end; (end = strchr(line, '\n')) != NULL; line = end + 1)
        count += (size_t)(end + 1 - record) <= len && strncmp(line, start, strlen(start)) == 0;
    return count;
}

/* The process was killed while it wrote the last one. */
static void every_truncation_of_a_record_is_its_whole_lines(void **state)
{
    (void)state;
    for (size_t len = 0; len < sizeof record - 1; len++) {
        struct session_process process;
        struct arena arena;
        struct err err = {0};
        arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
        assert_true(parse_record(&process, record, len, &arena, &err));
        assert_int_equal(process.test_count, whole_lines("tests\t", len));
        assert_int_equal(process.skip_count, whole_lines("skipped\t", len));
        assert_int_equal(process.instrumented_count, whole_lines("instrumented\t", len));
        assert_int_equal(process.warning_count, whole_lines("trouble\t", len));
        assert_int_equal(process.asks_coverage, whole_lines("asks-coverage", len));
        assert_int_equal(process.attached != 0, whole_lines("attached\t", len));
        arena_free(&arena);
    }
}

static void process_that_became_another_is_what_it_became(void **state)
{
    (void)state;
    static const char text[] = "ilcov-process\t0.1.0\nprogram\tdotnet\ndeclined\t33\t\n"
                               "ilcov-process\t0.1.0\nprogram\tapp\n";
    struct session_process process;
    struct arena arena;
    struct err err = {0};
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    assert_true(parse_record(&process, text, sizeof text - 1, &arena, &err));
    assert_str(process.program, "app");
    assert_int_equal(process.declined.code, REASON_NONE);
    arena_free(&arena);
}

static void a_process_is_detached_until_it_is_attached_again(void **state)
{
    (void)state;
    static const char text[] = "ilcov-process\t0.1.0\nattached\t1777636800\ndetached\t1777636810\n"
                               "attached\t1777636820\n";
    for (unsigned lines = 2; lines <= 4; lines++) {
        size_t len = 0;
        for (unsigned line = 0; line < lines; line++)
            len += strcspn(text + len, "\n") + 1;
        struct session_process process;
        struct arena arena;
        struct err err = {0};
        arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
        assert_true(parse_record(&process, text, len, &arena, &err));
        assert_int_equal(process.is_detached, lines == 3);
        assert_int_equal(process.is_again, lines == 4);
        assert_int_equal(process.attached, lines == 4 ? 1777636820 : 1777636800);
        arena_free(&arena);
    }
}

static void malformed_records_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t len;
    } cases[] = {
#define CASE(text) {text, sizeof(text) - 1}
        CASE("\n"),
        CASE("program\tx\n"),
        CASE("ilcov-process\n"),
        CASE("ilcov-process\t1\t2\n"),
        CASE("ilcov-process\t1\nunknown\tx\n"),
        CASE("ilcov-process\t1\nattached\t\n"),
        CASE("ilcov-process\t1\ndetached\n"),
        CASE("ilcov-process\t1\nparent\t\n"),
        CASE("ilcov-process\t1\nparent\t-1\n"),
        CASE("ilcov-process\t1\ntests\n"),
        CASE("ilcov-process\t1\nasks-coverage\tx\n"),
        CASE("ilcov-process\t1\nattached\t0\n"),
        CASE("ilcov-process\t1\nattached\t-1\n"),
        CASE("ilcov-process\t1\nattached\t253402300800\n"),
        CASE("ilcov-process\t1\n\n"),
        CASE("ilcov-process\t1\nprogram\n"),
        CASE("ilcov-process\t1\nprogram\ta\tb\n"),
        CASE("ilcov-process\t1\ndeclined\t\n"),
        CASE("ilcov-process\t1\ndeclined\t1\n"),
        CASE("ilcov-process\t1\ndeclined\t\t\n"),
        CASE("ilcov-process\t1\ndeclined\t0\t\n"),
        CASE("ilcov-process\t1\ndeclined\t99\t\n"),
        CASE("ilcov-process\t1\ndeclined\t65536\t\n"),
        CASE("ilcov-process\t1\ndeclined\ta build tool\t\n"),
        CASE("ilcov-process\t1\nskipped\ta\tb\t1\n"),
        CASE("ilcov-process\t1\nprogram\tbad\\x\n"),
        CASE("ilcov-process\t1\nprogram\tbad\\\n"),
        CASE("ilcov-process\t1\nprogram\tnul\0\n"),
        CASE("ilcov-process\t1\nprogram\t\xC3\x28\n"),
        CASE("ilcov-process\t1\nprogram\t\xED\xA0\x80\n"),
        CASE("ilcov-process\t1\nskipped\ta\tb\tc\td\te\tf\tg\n"),
        CASE("ilcov-process\t1\ninstrumented\ta\tb\t" MVID_HEX "\t1\t-1\n"),
        CASE("ilcov-process\t1\ninstrumented\ta\tb\t" MVID_HEX "\t4294967296\t1\n"),
        CASE("ilcov-process\t1\ninstrumented\ta\tb\t" MVID_HEX "\t\t1\n"),
        CASE("ilcov-process\t1\ninstrumented\ta\tb\t0011\t1\t1\n"),
        CASE("ilcov-process\t1\nchanged\ta\t" MVID_HEX "\t0\tM\n"),
        CASE("ilcov-process\t1\nchanged\ta\t" MVID_HEX "\t16777216\tM\n"),
        CASE("ilcov-process\t1\nchanged\ta\t0011\t1\tM\n"),
        CASE("ilcov-process\t1\nadded\ta\t" MVID_HEX "\t1\n"),
#undef CASE
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct session_process process;
        struct arena arena;
        struct err err = {0};
        arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
        if (parse_record(&process, cases[i].text, cases[i].len, &arena, &err))
            fail_msg("case %zu was taken", i);
        assert_failed(false, err, ERR_FORMAT);
        assert_non_null(strstr(err.text, i == 0 ? "line 1" : "line"));
        arena_free(&arena);
    }
}

static void record_needs_a_number_in_its_name(void **state)
{
    (void)state;
    static const char *const names[] = {"process-", "process-x-1", "process--1",
                                        "process-4294967296-1", "proc"};
    struct arena arena;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct session_process process;
        struct err err = {0};
        assert_failed(
            session_parse_process(&process, str_of(names[i]), (struct view){NULL, 0}, &arena, &err),
            err, ERR_FORMAT);
    }
    arena_free(&arena);
}

/* --- the directory ---------------------------------------------------------------------------- */

static void damaged_files_are_named_and_the_rest_is_read(void **state)
{
    (void)state;
    struct temporary t;
    struct counter_image image;
    struct session session;
    temporary_open(&t);
    make_image(&image, MODE_COUNT);
    (void)temporary_file(&t, counts_name, image.data, FILE_LEN);
    (void)temporary_file(&t, "000102030405060708090a0b0c0d0e0f-00000000deadbeef-1.counts",
                         image.data, FILE_LEN - 1);
    (void)temporary_file(&t, "00.counts", "short", 5);
    (void)temporary_file(&t, "process-2-7", record, sizeof record - 1);
    (void)temporary_file(&t, "process-1-7", record, sizeof record - 1);
    (void)temporary_file(&t, "process-3-7", record, sizeof record - 2);
    (void)temporary_file(&t, "process-4-7", "", 0);
    (void)temporary_file(&t, "process-x-7", record, sizeof record - 1);
    (void)temporary_file(&t, MVID_HEX ".module", "MZ", 2);
    (void)temporary_file(&t, "config", "version=1\n", 10);
    (void)temporary_file(&t, "something else", "x", 1);
    assert_int_equal(symlink("process-1-7", temporary_path(&t, "process-5-7")), 0);
    assert_int_equal(mkfifo(temporary_path(&t, "process-6-7"), 0600), 0);
    read_session(&session, &t);
    assert_int_equal(session.counters_count, 1);
    assert_int_equal(session.process_count, 4); /* the third was cut in its last line */
    for (uint32_t i = 0; i < session.process_count; i++)
        assert_int_equal(session.processes[i].pid, i + 1);
    assert_int_equal(session.module_copy_count, 1);
    assert_str(session.module_copies[0], temporary_path(&t, MVID_HEX ".module"));
    assert_int_equal(session.warning_count, 5);
    for (uint32_t i = 0; i < session.warning_count; i++)
        assert_true(str_starts(session.warnings[i], "session file "));
    temporary_close(&t);
}

static void unfinished_counter_files_count_nothing(void **state)
{
    (void)state;
    struct temporary t;
    struct counter_image image;
    struct session session;
    temporary_open(&t);
    make_image(&image, MODE_COUNT);
    store_u32(image.data + COUNTERS_AT_READY, 0);
    (void)temporary_file(&t, counts_name, image.data, FILE_LEN);
    (void)temporary_file(&t, "000102030405060708090a0b0c0d0e0f-00000000deadbeef-1.counts", "", 0);
    read_session(&session, &t);
    assert_int_equal(session.counters_count, 0);
    assert_int_equal(session.warning_count, 0);
    temporary_close(&t);
}

/* Anybody may write to it: what makes no sense is left out, what would move a cursor is not
 * shown. */
static void warnings_of_processes_without_a_record_are_read(void **state)
{
    (void)state;
    static const char text[] = "trouble\tfirst\nnonsense\ntrouble\ta\tb\ntrouble\tbad \xC3\x28\n"
                               "trouble\t\x1b[31mred\\n\ntrouble\tlast";
    for (size_t len = 0; len < sizeof text; len++) {
        struct temporary t;
        struct session session;
        temporary_open(&t);
        (void)temporary_file(&t, SESSION_WARNINGS, text, len);
        read_session(&session, &t);
        assert_int_equal(session.warning_count, 0);
        assert_true(session.loss_count <= 3);
        if (len >= 14)
            assert_str(session.losses[0], "first");
        if (len == sizeof text - 1) {
            assert_int_equal(session.loss_count, 3);
            assert_str(session.losses[1], "?[31mred?");
            assert_str(session.losses[2], "last");
        }
        temporary_close(&t);
    }
}

static void kept_session_has_no_owner(void **state)
{
    (void)state;
    struct temporary t;
    struct err err = {0};
    struct session_config config = {.mode = MODE_COUNT, .keep = true};
    char path[512];
    temporary_open(&t);
    assert_true(session_create(path, sizeof path, t.folder, &config, &err));
    assert_int_equal(session_owner(strrchr(path, '/') + 1), 0);
    assert_true(session_remove(path, &err));
    temporary_close(&t);
}

/* A place that has no room is passed over, even when a directory can still be made there. */
static void full_place_is_passed_over(void **state)
{
    (void)state;
    struct temporary t, full;
    struct err err = {0};
    struct session_config config = {.mode = MODE_COUNT};
    char path[512];
    temporary_open(&t);
    temporary_open(&full);
    if (mount("none", full.folder, "tmpfs", 0, "size=4k") != 0)
        skip();
    bool made = session_create(path, sizeof path, full.folder, &config, &err);
    unsigned left = temporary_count(&full);
    assert_int_equal(umount(full.folder), 0);
    assert_failed(made, err, ERR_IO);
    assert_non_null(strstr(err.text, full.folder));
    assert_int_equal(left, 0);
    temporary_close(&full);
    temporary_close(&t);
}

/* --- while it is written ---------------------------------------------------------------------- */

enum {
    WRITTEN = 250 /* modules; each with a record of its own */
};

static void put_whole(const char *folder, const char *name, const void *data, size_t len)
{
    char part[600], path[600];
    (void)snprintf(part, sizeof part, "%s/part.tmp", folder);
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(part, "we");
    bool ok = file != NULL && fwrite(data, 1, len, file) == len;
    if (file == NULL || fclose(file) != 0 || !ok || rename(part, path) != 0)
        _exit(1);
}

/* As the library does: the counter file is there when the record names the module. */
static void write_modules(const char *folder)
{
    struct counter_image image;
    char name[128], text[256];
    make_image(&image, MODE_COUNT);
    for (uint32_t i = 0; i < WRITTEN; i++) {
        char mvid[33];
        (void)snprintf(mvid, sizeof mvid, "%02x0102030405060708090a0b0c0d0e0f", i);
        image.data[COUNTERS_AT_MVID] = (uint8_t)i;
        (void)snprintf(name, sizeof name, "%s-00000000deadbeef-0.counts", mvid);
        put_whole(folder, name, image.data, FILE_LEN);
        int len = snprintf(text, sizeof text, "ilcov-process\t1\ninstrumented\tApp\t/a\t%s\t1\t0\n",
                           mvid);
        (void)snprintf(name, sizeof name, "process-%u-1", i);
        put_whole(folder, name, text, (size_t)len);
    }
    _exit(0);
}

static bool has_counters(const struct session *session, uint8_t module)
{
    for (uint32_t i = 0; i < session->counters_count; i++)
        if (session->counters[i].mvid[0] == module)
            return true;
    return false;
}

static void module_of_a_record_has_its_counters_while_both_are_written(void **state)
{
    (void)state;
    struct temporary t;
    struct session session = {0};
    int status = 0;
    temporary_open(&t);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        write_modules(t.folder);
    while (session.process_count < WRITTEN && waitpid(child, &status, WNOHANG) != -1) {
        struct err err = {0};
        struct arena arena;
        arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
        assert_true(session_read(&session, t.folder, &arena, &err));
        for (uint32_t i = 0; i < session.process_count; i++)
            assert_true(has_counters(&session, session.processes[i].instrumented[0].mvid[0]));
        assert_int_equal(session.warning_count, 0);
        arena_free(&arena);
    }
    assert_int_equal(status, 0);
    assert_int_equal(session.process_count, WRITTEN);
    (void)waitpid(child, NULL, 0);
    temporary_close(&t);
}

static void session_that_is_gone_is_an_error(void **state)
{
    (void)state;
    struct session session;
    struct arena arena;
    struct err err = {0};
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    assert_failed(session_read(&session, "/nonexistent", &arena, &err), err, ERR_IO);
    arena_free(&arena);
}

/* --- making and removing ---------------------------------------------------------------------- */

static const struct str includes[] = {{"[A]*", 4}, {"[B.*]*", 6}};
static const struct str excludes[] = {{"[*]*.G", 6}};

static void session_is_made_private_with_its_config(void **state)
{
    (void)state;
    struct temporary t;
    struct stat status;
    struct err err = {0};
    char path[512], config[600];
    const struct session_config wanted = {.mode = MODE_HIT,
                                          .include = includes,
                                          .include_count = 2,
                                          .exclude = excludes,
                                          .exclude_count = 1,
                                          .include_tests = true,
                                          .id = {0xAB, 1, [15] = 0xCD},
                                          .started = 1777636800};
    temporary_open(&t);
    assert_true(session_create(path, sizeof path, t.folder, &wanted, &err));
    assert_int_equal(path[0], '/');
    assert_int_equal(stat(path, &status), 0);
    assert_true(S_ISDIR(status.st_mode));
    assert_int_equal(status.st_mode & 0777, 0700);
    (void)snprintf(config, sizeof config, "%s/config", path);
    assert_int_equal(stat(config, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    (void)snprintf(config, sizeof config, "%s/troubles", path);
    assert_int_equal(stat(config, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    assert_int_equal(status.st_size, 0);
    assert_true(status.st_blocks > 0); /* room for when there is none */
    assert_int_equal(session_owner(strrchr(path, '/') + 1), getpid());
    (void)snprintf(config, sizeof config, "%s/config", path);
    assert_str(temporary_read(&t, config), "version=1\nmode=hit\ninclude=[A]*\ninclude=[B.*]*\n"
                                           "exclude=[*]*.G\ninclude-tests=1\n"
                                           "id=ab0100000000000000000000000000cd\n"
                                           "started=1777636800\n");
    assert_true(session_remove(path, &err));
    assert_int_equal(temporary_count(&t), 0);
    temporary_close(&t);
}

/* They could rename it, and put another in its place. */
static void session_is_not_made_where_others_may_write(void **state)
{
    (void)state;
    struct session_config config = {.mode = MODE_COUNT};
    struct temporary t;
    struct err err = {0};
    char path[512];
    temporary_open(&t);
    assert_int_equal(chmod(t.folder, 0777), 0);
    assert_failed(session_create(path, sizeof path, t.folder, &config, &err), err, ERR_UNSUPPORTED);
    assert_non_null(strstr(err.text, "chmod o-w"));
    assert_int_equal(temporary_count(&t), 0);
    assert_int_equal(chmod(t.folder, 01777), 0);
    assert_true(session_create(path, sizeof path, t.folder, &config, &err));
    assert_true(session_remove(path, &err));
    temporary_close(&t);
}

static void session_without_a_parent_goes_somewhere(void **state)
{
    (void)state;
    struct session_config config = {.mode = MODE_COUNT};
    struct err err = {0};
    char path[512];
    assert_true(session_create(path, sizeof path, NULL, &config, &err));
    assert_true(session_remove(path, &err));
    assert_int_not_equal(access(path, F_OK), 0);
}

static void session_cannot_be_made_where_nothing_is(void **state)
{
    (void)state;
    struct session_config config = {.mode = MODE_COUNT};
    struct err err = {0};
    char path[512], small[8];
    assert_failed(session_create(path, sizeof path, "/nonexistent/x", &config, &err), err, ERR_IO);
    assert_non_null(strstr(err.text, "/nonexistent/x"));
    assert_failed(session_create(small, sizeof small, "/tmp", &config, &err), err, ERR_IO);
}

static void pattern_with_a_line_end_cannot_forge_config(void **state)
{
    (void)state;
    struct temporary t;
    struct err err = {0};
    const struct str forged = STR("[A]*\nmode=exact");
    struct session_config config = {.mode = MODE_COUNT, .include = &forged, .include_count = 1};
    char path[512];
    temporary_open(&t);
    assert_failed(session_create(path, sizeof path, t.folder, &config, &err), err, ERR_USAGE);
    assert_int_equal(temporary_count(&t), 0);
    temporary_close(&t);
}

static void session_with_a_file_of_others_is_not_removed(void **state)
{
    (void)state;
    struct temporary t, session;
    struct err err = {0};
    temporary_open(&t);
    temporary_open(&session);
    (void)temporary_file(&session, "config", "x", 1);
    (void)temporary_file(&session, "process-1-1", "x", 1);
    (void)temporary_file(&session, counts_name, "x", 1);
    (void)temporary_file(&session, MVID_HEX ".module", "x", 1);
    (void)temporary_file(&session, MVID_HEX ".module-1.part", "x", 1);
    (void)temporary_file(&session, SESSION_WARNINGS, "x", 1);
    const char *mine = temporary_file(&session, "mine.txt", "x", 1);
    assert_failed(session_remove(session.folder, &err), err, ERR_IO);
    assert_int_equal(temporary_count(&session), 1);
    assert_int_equal(access(mine, F_OK), 0);
    assert_int_equal(symlink(session.folder, temporary_path(&t, "link")), 0);
    assert_false(session_remove(temporary_path(&t, "link"), &err));
    assert_false(session_remove("/nonexistent", &err));
    temporary_close(&session);
    temporary_close(&t);
}

static void only_session_names_have_an_owner(void **state)
{
    (void)state;
    assert_int_equal(session_owner("ilcov-123-abcdef"), 123);
    static const char *const others[] = {"",
                                         "ilcov-",
                                         "ilcov-x-abcdef",
                                         "ilcov-12-abc",
                                         "ilcov-12",
                                         "ilcov-0-abcdef",
                                         "ilcov--1-abcdef",
                                         "ilcov-99999999999-abcdef",
                                         "ilcov-test-XXXXXX",
                                         "other"};
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        assert_int_equal(session_owner(others[i]), 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(counter_file_is_read_as_it_was_written),
    cmocka_unit_test(every_truncation_of_a_counter_file_is_refused),
    cmocka_unit_test(counter_file_with_a_bad_field_is_refused),
    cmocka_unit_test(any_byte_of_a_counter_file_may_be_wrong),
    cmocka_unit_test(name_and_header_must_agree),
    cmocka_unit_test(counts_are_summed_over_shards),
    cmocka_unit_test(hit_counts_whether_in_any_shard),
    cmocka_unit_test(a_file_that_shrank_meanwhile_is_an_error),
    cmocka_unit_test(process_record_is_read_as_it_was_written),
    cmocka_unit_test(every_truncation_of_a_record_is_its_whole_lines),
    cmocka_unit_test(process_that_became_another_is_what_it_became),
    cmocka_unit_test(a_process_is_detached_until_it_is_attached_again),
    cmocka_unit_test(malformed_records_are_refused),
    cmocka_unit_test(record_needs_a_number_in_its_name),
    cmocka_unit_test(damaged_files_are_named_and_the_rest_is_read),
    cmocka_unit_test(unfinished_counter_files_count_nothing),
    cmocka_unit_test(warnings_of_processes_without_a_record_are_read),
    cmocka_unit_test(kept_session_has_no_owner),
    cmocka_unit_test(full_place_is_passed_over),
    cmocka_unit_test(module_of_a_record_has_its_counters_while_both_are_written),
    cmocka_unit_test(session_that_is_gone_is_an_error),
    cmocka_unit_test(session_is_made_private_with_its_config),
    cmocka_unit_test(session_is_not_made_where_others_may_write),
    cmocka_unit_test(session_without_a_parent_goes_somewhere),
    cmocka_unit_test(session_cannot_be_made_where_nothing_is),
    cmocka_unit_test(pattern_with_a_line_end_cannot_forge_config),
    cmocka_unit_test(session_with_a_file_of_others_is_not_removed),
    cmocka_unit_test(only_session_names_have_an_owner),
};
UNIT_TESTS(tests);

/* test_body.c - headers and exception clauses of II.25.4 are read in all their forms, declined by
 * name when they are malformed, and written so that they read the same. */
#include "rewriter/body.h"
#include "tests/support/check.h"
#include "tests/support/check_rewrite.h"

enum {
    CODE_LEN = 8
};

/* A body put together of parts, each of which a test may spoil. */
struct parts {
    uint16_t flags;
    uint16_t max_stack;
    uint32_t code_size, local_sig;
    unsigned code_len; /* bytes of `nop` that are there */
    uint8_t sections[160];
    unsigned section_len;
};

static const struct parts sound = {0x3003, 5, CODE_LEN, 0x11000001, CODE_LEN, {0}, 0};

static struct view put_together(struct arena *arena, const struct parts *parts)
{
    struct writer w = wr_in(arena);
    wr_u16(&w, parts->flags);
    wr_u16(&w, parts->max_stack);
    wr_u32(&w, parts->code_size);
    wr_u32(&w, parts->local_sig);
    for (unsigned i = 0; i < parts->code_len; i++)
        wr_u8(&w, 0);
    wr_align(&w, 4);
    wr_bytes(&w, parts->sections, parts->section_len);
    return (struct view){w.data, w.len};
}

/* Parses a copy that ends where it should end. */
static enum verdict parse(struct il_body *out, struct view bytes, struct arena *arena)
{
    struct view copy = exact_copy(bytes);
    enum verdict verdict = body_parse(out, copy, arena);
    out->code = NULL; /* not to be read */
    exact_free(copy);
    return verdict;
}

static void add_section(struct parts *parts, uint32_t head)
{
    parts->flags |= 0x8;
    store_u32(parts->sections + parts->section_len, head);
    parts->section_len += 4;
}

static void add_small(struct parts *parts, const struct eh_clause *c, uint32_t last)
{
    uint8_t *at = parts->sections + parts->section_len;
    store_u16(at, (uint16_t)c->flags);
    store_u16(at + 2, (uint16_t)c->try_offset);
    at[4] = (uint8_t)c->try_length;
    store_u16(at + 5, (uint16_t)c->handler_offset);
    at[7] = (uint8_t)c->handler_length;
    store_u32(at + 8, last);
    parts->section_len += 12;
}

static void add_fat(struct parts *parts, const struct eh_clause *c, uint32_t last)
{
    const uint32_t words[] = {c->flags,          c->try_offset,     c->try_length,
                              c->handler_offset, c->handler_length, last};
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        store_u32(parts->sections + parts->section_len + 4 * i, words[i]);
    parts->section_len += sizeof words;
}

/* --- headers ---------------------------------------------------------------------------------- */

static void tiny_header_has_what_the_standard_gives_it(void **state)
{
    static const uint8_t bytes[] = {3 << 2 | 2, 0x00, 0x00, 0x2A, 0xEE, 0xEE};
    struct arena arena;
    struct il_body body;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    assert_int_equal(body_parse(&body, VIEW(bytes), &arena), VERDICT_OK);
    assert_true(body.tiny);
    assert_int_equal(body.code_size, 3);
    assert_ptr_equal(body.code, bytes + 1);
    assert_int_equal(body.max_stack, 8);
    assert_false(body.init_locals);
    assert_int_equal(body.local_sig, 0);
    assert_int_equal(body.clause_count, 0);
    assert_int_equal(body.whole.len, 4);
    arena_free(&arena);
}

static void tiny_header_has_at_most_63_bytes_of_code(void **state)
{
    uint8_t bytes[64] = {63 << 2 | 2};
    struct arena arena;
    struct il_body body;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    assert_int_equal(body_parse(&body, VIEW(bytes), &arena), VERDICT_OK);
    assert_int_equal(body.code_size, 63);
    arena_free(&arena);
}

static void fat_header_keeps_its_fields(void **state)
{
    struct arena arena;
    struct il_body body;
    struct parts parts = sound;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    assert_int_equal(parse(&body, put_together(&arena, &parts), &arena), VERDICT_OK);
    assert_false(body.tiny);
    assert_int_equal(body.code_size, CODE_LEN);
    assert_int_equal(body.max_stack, 5);
    assert_int_equal(body.local_sig, 0x11000001);
    assert_false(body.init_locals);
    assert_int_equal(body.whole.len, 12 + CODE_LEN);
    parts.flags |= 0x10;
    assert_int_equal(parse(&body, put_together(&arena, &parts), &arena), VERDICT_OK);
    assert_true(body.init_locals);
    arena_free(&arena);
}

static const struct {
    const char *name;
    uint16_t flags;
    uint32_t code_size;
    enum verdict verdict;
} bad_headers[] = {
    {"neither tiny nor fat: kind 0", 0x3000, CODE_LEN, VERDICT_DECLINED_HEADER},
    {"kind 1", 0x3001, CODE_LEN, VERDICT_DECLINED_HEADER},
    {"of two words", 0x2003, CODE_LEN, VERDICT_DECLINED_HEADER},
    {"of four words", 0x4003, CODE_LEN, VERDICT_DECLINED_HEADER},
    {"of no words", 0x0003, CODE_LEN, VERDICT_DECLINED_HEADER},
    {"no code", 0x3003, 0, VERDICT_DECLINED_HEADER},
    {"more code than bytes", 0x3003, CODE_LEN + 1, VERDICT_DECLINED_HEADER},
    {"4 GiB of code", 0x3003, UINT32_MAX, VERDICT_DECLINED_HEADER},
    {"sections promised and not there", 0x300B, CODE_LEN, VERDICT_DECLINED_ODD_EH},
};

static void bad_headers_are_declined_by_name(void **state)
{
    struct arena arena;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    for (size_t i = 0; i < ARRAY_LEN(bad_headers); i++) {
        struct parts parts = sound;
        struct il_body body;
        parts.flags = bad_headers[i].flags;
        parts.code_size = bad_headers[i].code_size;
        enum verdict verdict = parse(&body, put_together(&arena, &parts), &arena);
        if (verdict != bad_headers[i].verdict)
            fail_msg("%s: %s", bad_headers[i].name, verdict_text(verdict));
    }
    struct il_body body;
    static const uint8_t tiny_without_code[] = {2};
    assert_int_equal(body_parse(&body, VIEW(tiny_without_code), &arena), VERDICT_DECLINED_HEADER);
    arena_free(&arena);
}

static void code_beyond_the_limit_is_too_large(void **state)
{
    size_t len = 12 + (size_t)BODY_CODE_MAX + 1;
    uint8_t *bytes = calloc(len, 1);
    struct il_body body;
    struct arena arena;
    (void)state;
    assert_non_null(bytes);
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    store_u16(bytes, 0x3003);
    store_u32(bytes + 4, BODY_CODE_MAX + 1);
    assert_int_equal(body_parse(&body, (struct view){bytes, len}, &arena),
                     VERDICT_DECLINED_TOO_LARGE);
    store_u32(bytes + 4, BODY_CODE_MAX);
    assert_int_equal(body_parse(&body, (struct view){bytes, len}, &arena), VERDICT_OK);
    free(bytes);
    arena_free(&arena);
}

/* --- clauses ---------------------------------------------------------------------------------- */

static const struct eh_clause catch_clause = {EH_CATCH, 0, 2, 2, 2, 0, 0};
static const struct eh_clause filter_clause = {EH_FILTER, 0, 2, 4, 1, 0, 0}; /* filter at 2 */
static const struct eh_clause finally_clause = {EH_FINALLY, 0, 4, 4, 4, 0, 0};
static const struct eh_clause fault_clause = {EH_FAULT, 1, 1, 6, 2, 0, 0};

static void assert_clause(const struct eh_clause *clause, const struct eh_clause *expected,
                          uint32_t token, uint32_t filter)
{
    assert_int_equal(clause->flags, expected->flags);
    assert_int_equal(clause->try_offset, expected->try_offset);
    assert_int_equal(clause->try_length, expected->try_length);
    assert_int_equal(clause->handler_offset, expected->handler_offset);
    assert_int_equal(clause->handler_length, expected->handler_length);
    assert_int_equal(clause->class_token, token);
    assert_int_equal(clause->filter_offset, filter);
}

static void assert_all_kinds(const struct il_body *body)
{
    assert_int_equal(body->clause_count, 4);
    assert_clause(&body->clauses[0], &catch_clause, 0x02000003, 0);
    assert_clause(&body->clauses[1], &filter_clause, 0, 2);
    assert_clause(&body->clauses[2], &finally_clause, 0, 0);
    assert_clause(&body->clauses[3], &fault_clause, 0, 0);
}

static struct parts with_all_kinds(bool fat, uint32_t size)
{
    struct parts parts = sound;
    void (*add)(struct parts *, const struct eh_clause *, uint32_t) = fat ? add_fat : add_small;
    add_section(&parts, (fat ? 0x41u : 0x01u) | size << 8);
    add(&parts, &catch_clause, 0x02000003);
    add(&parts, &filter_clause, 2);
    add(&parts, &finally_clause, 0x77777777); /* padding, which means nothing */
    add(&parts, &fault_clause, 0);
    return parts;
}

static void clauses_of_all_kinds_are_read_small_and_fat(void **state)
{
    struct arena arena;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    for (int fat = 0; fat < 2; fat++) {
        struct il_body body;
        struct parts parts = with_all_kinds(fat != 0, 4 + 4 * (fat != 0 ? 24 : 12));
        struct view bytes = put_together(&arena, &parts);
        assert_int_equal(parse(&body, bytes, &arena), VERDICT_OK);
        assert_int_equal(body.whole.len, bytes.len);
        assert_all_kinds(&body);
    }
    arena_free(&arena);
}

static void section_size_may_leave_out_its_own_header(void **state)
{
    struct arena arena;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    for (int fat = 0; fat < 2; fat++) {
        struct il_body body;
        struct parts parts = with_all_kinds(fat != 0, 4 * (fat != 0 ? 24 : 12));
        assert_int_equal(parse(&body, put_together(&arena, &parts), &arena), VERDICT_OK);
        assert_all_kinds(&body);
    }
    arena_free(&arena);
}

/* Code of 9 bytes: 3 of padding before the section. */
static void sections_begin_on_a_multiple_of_four(void **state)
{
    struct arena arena;
    struct il_body body;
    struct parts parts = with_all_kinds(false, 4 + 4 * 12);
    (void)state;
    parts.code_size = parts.code_len = CODE_LEN + 1;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    assert_int_equal(parse(&body, put_together(&arena, &parts), &arena), VERDICT_OK);
    assert_all_kinds(&body);
    arena_free(&arena);
}

static void other_sections_are_passed_over(void **state)
{
    struct arena arena;
    struct il_body body;
    struct parts parts = sound;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    add_section(&parts, 0x82 | 8u << 8); /* II.25.4.5 OptILTable, another follows */
    store_u32(parts.sections + 4, 0x12345678);
    parts.section_len += 4;
    add_section(&parts, 0x01 | 16u << 8);
    add_small(&parts, &catch_clause, 0x02000003);
    assert_int_equal(parse(&body, put_together(&arena, &parts), &arena), VERDICT_OK);
    assert_int_equal(body.clause_count, 1);
    assert_clause(&body.clauses[0], &catch_clause, 0x02000003, 0);
    arena_free(&arena);
}

static const struct {
    const char *name;
    struct eh_clause clause;
    uint32_t last;
} bad_clauses[] = {
    {"kind 3", {3, 0, 2, 2, 2, 0, 0}, 0},
    {"kind 8", {8, 0, 2, 2, 2, 0, 0}, 0},
    {"filter and finally", {EH_FILTER | EH_FINALLY, 0, 2, 4, 2, 0, 0}, 2},
    {"empty try", {EH_CATCH, 0, 0, 2, 2, 0, 0}, 0},
    {"empty handler", {EH_CATCH, 0, 2, 2, 0, 0, 0}, 0},
    {"try beyond the code", {EH_CATCH, 7, 2, 2, 2, 0, 0}, 0},
    {"try after the code", {EH_CATCH, 9, 1, 2, 2, 0, 0}, 0},
    {"handler beyond the code", {EH_FINALLY, 0, 2, 2, 7, 0, 0}, 0},
    {"handler after the code", {EH_FAULT, 0, 2, 200, 1, 0, 0}, 0},
    {"filter at its handler", {EH_FILTER, 0, 2, 4, 2, 0, 0}, 4},
    {"filter after its handler", {EH_FILTER, 0, 2, 4, 2, 0, 0}, 6},
    {"filter far outside", {EH_FILTER, 0, 2, 4, 2, 0, 0}, 0xFFFFFFFF},
};

static void bad_clauses_are_declined(void **state)
{
    struct arena arena;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    for (size_t i = 0; i < ARRAY_LEN(bad_clauses); i++)
        for (int fat = 0; fat < 2; fat++) {
            struct il_body body;
            struct parts parts = sound;
            add_section(&parts, fat != 0 ? 0x41 | 28u << 8 : 0x01 | 16u << 8);
            (fat != 0 ? add_fat : add_small)(&parts, &bad_clauses[i].clause, bad_clauses[i].last);
            enum verdict verdict = parse(&body, put_together(&arena, &parts), &arena);
            if (verdict != VERDICT_DECLINED_ODD_EH)
                fail_msg("%s: %s", bad_clauses[i].name, verdict_text(verdict));
        }
    arena_free(&arena);
}

static void offsets_that_wrap_around_are_declined(void **state)
{
    static const struct eh_clause wrapping[] = {
        {EH_CATCH, 0xFFFFFFFF, 3, 2, 2, 0, 0},
        {EH_CATCH, 1, 0xFFFFFFFF, 2, 2, 0, 0},
        {EH_CATCH, 0, 2, 0xFFFFFFFE, 4, 0, 0},
        {EH_CATCH, 0, 2, 2, 0xFFFFFFFF, 0, 0},
    };
    struct arena arena;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    for (size_t i = 0; i < ARRAY_LEN(wrapping); i++) {
        struct il_body body;
        struct parts parts = sound;
        add_section(&parts, 0x41 | 28u << 8);
        add_fat(&parts, &wrapping[i], 0);
        assert_int_equal(parse(&body, put_together(&arena, &parts), &arena),
                         VERDICT_DECLINED_ODD_EH);
    }
    arena_free(&arena);
}

static const struct {
    const char *name;
    uint32_t heads[2];
} bad_sections[] = {
    {"more clauses than bytes", {0x41 | 0xFFFFFFu << 8}},
    {"another follows and does not", {0x81 | 4u << 8}},
    {"a kind that is passed over, of no size", {0xBF}},
    {"likewise, larger than the rest", {0x02 | 200u << 8}},
    {"two sections of clauses", {0x81 | 4u << 8, 0x01 | 4u << 8}},
};

static void bad_sections_are_declined(void **state)
{
    struct arena arena;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    for (size_t i = 0; i < ARRAY_LEN(bad_sections); i++) {
        struct il_body body;
        struct parts parts = sound;
        add_section(&parts, bad_sections[i].heads[0]);
        if (bad_sections[i].heads[1] != 0)
            add_section(&parts, bad_sections[i].heads[1]);
        enum verdict verdict = parse(&body, put_together(&arena, &parts), &arena);
        if (verdict != VERDICT_DECLINED_ODD_EH)
            fail_msg("%s: %s", bad_sections[i].name, verdict_text(verdict));
    }
    arena_free(&arena);
}

/* --- truncations, round trips ----------------------------------------------------------------- */

static void every_truncation_is_declined(void **state)
{
    struct arena arena;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    for (int fat = 0; fat < 2; fat++) {
        struct parts parts = with_all_kinds(fat != 0, 4 + 4 * (fat != 0 ? 24 : 12));
        struct view bytes = put_together(&arena, &parts);
        for (size_t len = 0; len < bytes.len; len++) {
            struct il_body body;
            enum verdict verdict = parse(&body, (struct view){bytes.data, len}, &arena);
            assert_int_equal(verdict, len < 12 + CODE_LEN ? VERDICT_DECLINED_HEADER
                                                          : VERDICT_DECLINED_ODD_EH);
        }
    }
    arena_free(&arena);
}

static void what_is_written_is_read_the_same(void **state)
{
    static const uint8_t tiny[] = {2 << 2 | 2, 0x00, 0x2A};
    struct arena arena;
    struct err err;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    assert_true(check_round_trip(VIEW(tiny), &arena, &err));
    for (unsigned extra = 0; extra < 4; extra++)
        for (int fat = 0; fat < 2; fat++) {
            struct parts parts = with_all_kinds(fat != 0, 4 + 4 * (fat != 0 ? 24 : 12));
            parts.code_size = parts.code_len = CODE_LEN + extra;
            parts.flags |= 0x10;
            if (!check_round_trip(put_together(&arena, &parts), &arena, &err))
                fail_msg("%s", err.text);
        }
    arena_free(&arena);
}

static void exact_length_is_known_before_writing(void **state)
{
    struct eh_clause clauses[3] = {{EH_CATCH, 0, 1, 1, 1, 0, 0}};
    uint8_t code[9] = {0}, bytes[256];
    (void)state;
    for (uint32_t count = 0; count <= 3; count++)
        for (uint32_t len = 1; len <= sizeof code; len++) {
            struct il_body body = {.clauses = clauses, .clause_count = count};
            struct writer w = wr_over(bytes, body_written_len(&body, len));
            body_write(&w, &body, code, len);
            assert_false(w.failed);
            assert_int_equal(w.len, w.room);
        }
}

static void no_memory_for_clauses_is_reported(void **state)
{
    struct arena plenty, none;
    struct il_body body;
    struct parts parts = with_all_kinds(false, 4 + 4 * 12);
    (void)state;
    arena_init(&plenty, NULL, 0, ARENA_NO_LIMIT);
    arena_init(&none, NULL, 0, sizeof(struct eh_clause) * 4 - 1);
    assert_int_equal(parse(&body, put_together(&plenty, &parts), &none), VERDICT_DECLINED_MEMORY);
    arena_free(&none);
    arena_free(&plenty);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(tiny_header_has_what_the_standard_gives_it),
    cmocka_unit_test(tiny_header_has_at_most_63_bytes_of_code),
    cmocka_unit_test(fat_header_keeps_its_fields),
    cmocka_unit_test(bad_headers_are_declined_by_name),
    cmocka_unit_test(code_beyond_the_limit_is_too_large),
    cmocka_unit_test(clauses_of_all_kinds_are_read_small_and_fat),
    cmocka_unit_test(section_size_may_leave_out_its_own_header),
    cmocka_unit_test(sections_begin_on_a_multiple_of_four),
    cmocka_unit_test(other_sections_are_passed_over),
    cmocka_unit_test(bad_clauses_are_declined),
    cmocka_unit_test(offsets_that_wrap_around_are_declined),
    cmocka_unit_test(bad_sections_are_declined),
    cmocka_unit_test(every_truncation_is_declined),
    cmocka_unit_test(what_is_written_is_read_the_same),
    cmocka_unit_test(exact_length_is_known_before_writing),
    cmocka_unit_test(no_memory_for_clauses_is_reported),
};
UNIT_TESTS(tests);

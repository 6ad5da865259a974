/* test_statements.c - statements are the visible sequence points: one for each span, braces only
 * where there is nothing else, and each with the blocks in which it begins. */
#include "coverage/statements/statements.h"

#include <stdio.h>

#include "tests/support/check.h"
#include "tests/support/il_builder.h"

static const struct {
    /* lines in order; xN: begins in N places; +N: returns in N more */
    const char *name, *signature, *expected;
    const char *text;
    bool is_state_machine;
    enum language language;
} sources[] = {
    {"one a point", "void()", "2 3", ".point 2; call void(); .point 3; call void(); ret", false,
     LANGUAGE_CSHARP},
    {"braces do not count", "void()", "2",
     ".point 1 1-2; nop; .point 2; call void(); .point 3 1-2;"
     "ret",
     false, LANGUAGE_CSHARP},
    {"hidden points do not count", "void()", "2",
     ".hidden; nop; .point 2; call void(); .hidden;"
     "ret",
     false, LANGUAGE_CSHARP},
    {"a method of braces has its last", "void()", "3", ".point 2 1-2; nop; .point 3 1-2; ret",
     false, LANGUAGE_CSHARP},
    {"a closing brace may return what was kept", "int32()", "2",
     ".locals int32; .point 1 1-2; nop; .point 2; ldc.i4.1; stloc.0; br.s E; E: .point 3 1-2;"
     "ldloc.0; ret",
     false, LANGUAGE_CSHARP},
    {"a brace may leave a try", "void()", "3",
     ".try A C catch C E; A: .point 2 1-2; nop; .point 3; call void(); .point 4 1-2; leave.s E;"
     "C: .hidden; pop; .point 5 1-2; nop; .point 6 1-2; leave.s E; E: .point 7 1-2; ret",
     false, LANGUAGE_CSHARP},
    {"a brace may end a finally", "void()", "3 5",
     ".try A H finally H E; A: .point 2 1-2; nop; .point 3; nop; leave.s E; H: .point 4 1-2; nop;"
     ".point 5; call void(); .point 6 1-2; endfinally; E: .point 7 1-2; ret",
     false, LANGUAGE_CSHARP},
    {"an argument of one letter is not a brace", "int32(int32)", "2", ".point 2 5-6; ldarg.0; ret",
     false, LANGUAGE_CSHARP},
    {"nor is a call of one column", "void()", "2", ".point 2 5-6; call void(); ret", false,
     LANGUAGE_CSHARP},
    {"two statements on a line", "void()", "2 2",
     ".point 2 1-9; call void(); .point 2 11-19; call void(); ret", false, LANGUAGE_CSHARP},
    {"points of one span are one", "void(bool)", "2x2 4",
     "ldarg.0; brtrue.s T; .point 2 1-9; call void(); br.s E; T: .point 2 1-9; call void();"
     "E: .point 4; nop; ret",
     false, LANGUAGE_CSHARP},
    {"the end of a state machine sets its result", "this:void()", "2",
     ".point 1 1-2; nop; .point 2; call void(); .point 3 1-2; ldarg.0; ldc.i4.m1;"
     "stfld int32 <>1__state; ret",
     true, LANGUAGE_CSHARP},
    {"and is a statement elsewhere", "this:void()", "2 3",
     ".point 1 1-2; nop; .point 2; call void(); .point 3 1-2; ldarg.0; ldc.i4.m1;"
     "stfld int32 f; ret",
     false, LANGUAGE_CSHARP},
    {"what can't be reached does not count", "void()", "2 4",
     ".point 2; br.s E; .point 3; call void(); E: .point 4; nop; ret", false, LANGUAGE_CSHARP},
    {"nothing", "void()", "", "ret", false, LANGUAGE_CSHARP},
    {"only hidden", "void()", "", ".hidden; ret", false, LANGUAGE_CSHARP},
    {"in the order of the code, not of lines", "void()", "9 2",
     ".point 9; call void(); .point 2; call void(); ret", false, LANGUAGE_CSHARP},
    {"the first statement may lie under the opening brace", "void()", "3",
     ".point 1 1-2; call void(); .point 3; call void(); .point 4 1-2; ret", false, LANGUAGE_CSHARP},
    {"the end of a finalizer calls its base", "this:void()", "2",
     ".try A H finally H E; A: .point 2; call void(); .hidden; leave.s E; H: .point 3 1-2; ldarg.0;"
     "pop; endfinally; E: .point 3 1-2; ret",
     false, LANGUAGE_CSHARP},
    {"words around a block", "void()", "2 4",
     ".point 1 1-20; nop; .point 2; call void(); .point 3 5-9; nop; .point 4; call void();"
     ".point 5 1-8; ret",
     false, LANGUAGE_VISUAL_BASIC},
    {"a jump is a statement in the middle", "void()", "2 3",
     ".point 1 1-20; nop; L: .point 2; call void(); .point 3 5-13; br.s L; .point 5 1-8; ret",
     false, LANGUAGE_VISUAL_BASIC},
    {"the first statement of a Finally is no End Using", "void()", "2 3",
     ".try A H finally H E; A: .point 2; call void(); .hidden; leave.s E; H: .point 3 9-17;"
     "call void(); endfinally; E: .point 4 1-8; ret",
     false, LANGUAGE_VISUAL_BASIC},
    {"End Using disposes", "void()", "2",
     ".try A H finally H E; A: .point 2; call void(); .hidden; leave.s E; H: .point 3 9-18;"
     "call void(); endfinally; E: .point 4 1-8; ret",
     false, LANGUAGE_VISUAL_BASIC},
    {"a constructor's header calls the base", "this:void()", "1 2",
     ".point 1 1-20; nop; call void(); .point 2; call void(); .point 3 1-8; ret", false,
     LANGUAGE_VISUAL_BASIC},
    {"a Sub without statements has its end", "void()", "3", ".point 1 1-20; nop; .point 3 1-8; ret",
     false, LANGUAGE_VISUAL_BASIC},
    {"the end of an Async Function sets its result", "this:void()", "2",
     ".point 1 1-20; nop; .point 2; call void(); .point 3 1-13; ldarg.0; ldc.i4.m1;"
     "stfld int32 $State; ret",
     true, LANGUAGE_VISUAL_BASIC},
    {"each end of a statement is a return", "int32(bool)", "2 3+1",
     ".point 2; ldarg.0; brtrue.s T; ldc.i4.1; ret; T: ldc.i4.2; .point 3; ret", false,
     LANGUAGE_CSHARP},
    {"an arm is within its statement", "int32(bool)", "2 2 2 3+2",
     ".point 2 1-40; ldarg.0; brtrue.s T; .point 2 10-12; ldc.i4.1; ret; T: .point 2 20-22;"
     "ldarg.0; brtrue.s U; ldc.i4.2; ret; U: .hidden; ldc.i4.3; .point 3; ret",
     false, LANGUAGE_CSHARP},
    {"it is not known whether a tail call returned", "int32(bool)", "2",
     ".point 2; ldarg.0; brtrue.s T; call int32(); ret; T: ldc.i4.2; .point 3; ret", false,
     LANGUAGE_CSHARP},
    {"a return between statements was a jump to somewhere", "void(bool)", "2 3 4",
     ".point 2; ldarg.0; brtrue.s T; .point 3; call void(); ret; T: .point 4; ret", false,
     LANGUAGE_CSHARP},
    {"a return of a value has what it computes", "int32(bool)", "2 3 4",
     ".point 2; ldarg.0; brtrue.s T; .point 3; ldarg.0; brtrue.s U; ldc.i4.1; ret;"
     "U: ldc.i4.2; ret; T: .point 4; ldc.i4.3; ret",
     false, LANGUAGE_CSHARP},
    {"there are no braces in F#", "int32()", "2 3",
     ".locals int32; .point 2; ldc.i4.1; stloc.0; .point 3 5-6; ldloc.0; ret", false,
     LANGUAGE_FSHARP},
};

static void describe(char *out, size_t room, const struct statements *statements,
                     const struct seq_points *points)
{
    size_t len = 0;
    out[0] = '\0';
    for (uint32_t i = 0; i < statements->count; i++) {
        const struct statement *s = &statements->items[i];
        int written = snprintf(out + len, room - len, "%s%u", i == 0 ? "" : " ",
                               (unsigned)points->points[s->point].start_line);
        len += (size_t)written;
        if (s->block_count != 1)
            len += (size_t)snprintf(out + len, room - len, "x%u", (unsigned)s->block_count);
        if (s->return_count != 0)
            len += (size_t)snprintf(out + len, room - len, "+%u", (unsigned)s->return_count);
        assert_true(len < room);
    }
}

static bool find(struct statements *out, const struct il_method *m, const struct seq_points *points,
                 enum language language, bool is_state_machine, struct arena *arena,
                 struct err *err)
{
    struct reach reach;
    return reach_make(&reach, &m->flow, NULL, arena, err) &&
           statements_find(out,
                           &(struct statements_source){.flow = &m->flow,
                                                       .reach = &reach,
                                                       .points = points,
                                                       .language = language,
                                                       .is_state_machine = is_state_machine},
                           arena, err);
}

static void statements_are_what_was_written(void **state)
{
    unsigned wrong = 0;
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(sources); i++) {
        struct il_method m;
        struct statements statements;
        struct err err;
        char found[128];
        il_method_open(&m, sources[i].signature, sources[i].text);
        struct seq_points points = il_points(&m.builder);
        assert_true(find(&statements, &m, &points, sources[i].language, sources[i].is_state_machine,
                         &m.arena, &err));
        describe(found, sizeof found, &statements, &points);
        if (strcmp(found, sources[i].expected) != 0) {
            print_error("%s: \"%s\" instead of \"%s\"\n", sources[i].name, found,
                        sources[i].expected);
            wrong++;
        }
        il_method_close(&m);
    }
    assert_int_equal(wrong, 0);
}

/* The same code of two sources: in the second one, the last `return` is dropped, since nothing runs
 * on to it. */
static void the_source_tells_which_return_comes_next(void **state)
{
    static const struct {
        const char *text, *expected;
    } sources_of_one[] = {
        {"if (a)\nF();\nelse { G();\nreturn; }", "1 2 3 4"},
        {"if (a)\nF();\nelse   G();\nreturn;  ", "1 2 3 4+1"},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(sources_of_one); i++) {
        struct il_method m;
        struct statements statements;
        struct reach reach;
        struct line_index index;
        struct tokens tokens;
        char found[64];
        il_method_open(&m, "void(bool)",
                       ".point 1 1-7; ldarg.0; brfalse.s E; .point 2 1-5; call void(); ret;"
                       "E: .point 3 8-12; call void(); .point 4 1-8; ret");
        struct seq_points points = il_points(&m.builder);
        struct statements_source source = {
            .flow = &m.flow, .reach = &reach, .points = &points, .text = &index, .tokens = &tokens};
        struct str text = str_of(sources_of_one[i].text);
        assert_true(line_index_make(&index, text, &m.arena, NULL));
        assert_true(tokens_find(&tokens, text, LANGUAGE_CSHARP, &m.arena, NULL));
        assert_true(reach_make(&reach, &m.flow, NULL, &m.arena, NULL));
        assert_true(statements_find(&statements, &source, &m.arena, NULL));
        describe(found, sizeof found, &statements, &points);
        assert_string_equal(found, sources_of_one[i].expected);
        il_method_close(&m);
    }
}

static void statements_know_the_blocks_in_which_they_begin(void **state)
{
    struct il_method m;
    struct statements statements;
    (void)state;
    il_method_open(&m, "void(bool)",
                   "ldarg.0; brtrue.s T; F: .point 2 1-9; call void(); br.s E; T: .point 2 1-9;"
                   "call void(); E: .point 4; nop; ret");
    struct seq_points points = il_points(&m.builder);
    assert_true(find(&statements, &m, &points, LANGUAGE_CSHARP, false, &m.arena, NULL));
    assert_int_equal(statements.count, 2);
    const uint32_t *blocks = statements.blocks + statements.items[0].first_block;
    assert_int_equal(statements.items[0].block_count, 2);
    assert_int_equal(blocks[0], il_block(&m, "F"));
    assert_int_equal(blocks[1], il_block(&m, "T"));
    assert_int_equal(statements.blocks[statements.items[1].first_block], il_block(&m, "E"));
    il_method_close(&m);
}

/* Several spans that begin at one place: the outer and the inner one. */
static void spans_that_differ_anywhere_are_two(void **state)
{
    static const struct seq_point spans[] = {
        {0, 1, false, 2, 2, 1, 9}, {1, 2, false, 2, 2, 1, 9}, {2, 1, false, 2, 2, 1, 10},
        {3, 1, false, 2, 2, 2, 9}, {4, 1, false, 2, 3, 1, 9}, {5, 1, false, 1, 2, 1, 9},
    };
    struct il_method m;
    struct statements statements;
    struct seq_point points[ARRAY_LEN(spans)];
    struct seq_points all = {points, ARRAY_LEN(points)};
    (void)state;
    memcpy(points, spans, sizeof points);
    il_method_open(&m, "void()", "nop; nop; nop; nop; nop; nop; ret");
    assert_true(find(&statements, &m, &all, LANGUAGE_CSHARP, false, &m.arena, NULL));
    assert_int_equal(statements.count, ARRAY_LEN(spans));
    il_method_close(&m);
}

static void points_that_fit_nothing_are_left_out(void **state)
{
    static const struct seq_point spans[] = {
        {1, 1, false, 2, 2, 1, 9}, /* within an instruction */
        {5, 1, false, 3, 3, 1, 9},
        {7, 1, false, 4, 4, 1, 9}, /* behind the code */
        {UINT32_MAX, 1, false, 5, 5, 1, 9},
    };
    struct il_method m;
    struct statements statements;
    struct seq_point points[ARRAY_LEN(spans)];
    struct seq_points all = {points, ARRAY_LEN(points)};
    (void)state;
    memcpy(points, spans, sizeof points);
    il_method_open(&m, "void()", "ldc.i4 5; pop; ret");
    assert_true(find(&statements, &m, &all, LANGUAGE_CSHARP, false, &m.arena, NULL));
    assert_int_equal(statements.count, 1);
    assert_int_equal(points[statements.items[0].point].start_line, 3);
    il_method_close(&m);
}

static void no_memory_is_reported_wherever_it_ends(void **state)
{
    struct il_method m;
    struct err err;
    bool found = false;
    (void)state;
    il_method_open(&m, "void()", ".point 2; call void(); .point 3; call void(); ret");
    struct seq_points points = il_points(&m.builder);
    for (size_t limit = 0; !found; limit++) {
        struct arena arena;
        struct statements statements;
        arena_init(&arena, NULL, 0, limit);
        found = find(&statements, &m, &points, LANGUAGE_CSHARP, false, &arena, &err);
        if (!found)
            assert_int_equal(err.code, ERR_LIMIT);
        arena_free(&arena);
        assert_true(limit < 1 << 16);
    }
    il_method_close(&m);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(statements_are_what_was_written),
    cmocka_unit_test(the_source_tells_which_return_comes_next),
    cmocka_unit_test(statements_know_the_blocks_in_which_they_begin),
    cmocka_unit_test(spans_that_differ_anywhere_are_two),
    cmocka_unit_test(points_that_fit_nothing_are_left_out),
    cmocka_unit_test(no_memory_is_reported_wherever_it_ends),
};
UNIT_TESTS(tests);

/* test_line_text.c - on which lines a statement has text: not on blank lines, in comments,
 * directives, what #if leaves out, nor in the body of a lambda. */
#include "coverage/source/line_text.h"

#include <string.h>

#include "coverage/source/preprocessor.h"
#include "tests/support/check.h"

/* The statement begins at `S`; `expected` has a character for each line: `x` text, `.` none. */
static const struct {
    const char *name, *text, *expected;
    enum language language;
    const char *defined;
} cases[] = {
    {"blank lines and comments", "S(\n\n  // c\n/* c\n c */\n  a /* c */,\n b);", "x....xx",
     LANGUAGE_CSHARP, ""},
    {"strings of several lines", "S(@\"a\n\n// b\", \"\"\"\n\n  \"\"\",\n\n b);", "xxxxx.x",
     LANGUAGE_CSHARP, ""},
    {"the body of a lambda", "S(x =>\n{\n  A();\n}\n, y => {\n B();\n}, c\n);", "x...x.xx",
     LANGUAGE_CSHARP, ""},
    {"of an anonymous method", "S(delegate\n{\n A();\n}, delegate (int a, (int, int) b)\n{\n}\n);",
     "x..x..x", LANGUAGE_CSHARP, ""},
    {"not other braces", "S(new A\n{\n B = 1,\n}, c switch\n{\n 1 => 2\n}\n);", "xxxxxxxx",
     LANGUAGE_CSHARP, ""},
    {"a statement in a lambda", "F(x =>\n{\nS(\n\n a, () =>\n {\n },\n b);", "..x.x.xx",
     LANGUAGE_CSHARP, ""},
    {"inactive code", "S(\n#if A\n a,\n#elif B && !C\n b,\n#else\n c,\n#endif\n d);", "x...x...x",
     LANGUAGE_CSHARP, "X,B"},
    {"#if in #if",
     "S(\n#if !A\n#if A\n a,\n#else\n b,\n#endif\n#else\n#if B\n#endif\n c,\n#endif\n"
     " d);",
     "x....x......x", LANGUAGE_CSHARP, ""},
    {"what was defined is not known", "S(\n#if A\n a,\n#endif\n d);", "x.x.x", LANGUAGE_CSHARP,
     NULL},
    {"a condition", "S(\n#if (A || B) == true && A != B\n a,\n#endif\n#if false\n b\n#endif\n);",
     "x.x....x", LANGUAGE_CSHARP, "A"},
    {"what the source itself defines",
     "#define A\n#undef B\nS(\n#if A\n a,\n#endif\n#if B\n b,\n#endif\n#if C\n#undef C\n c,\n"
     "#endif\n#if C\n d,\n#endif\n e);",
     "..x.x......x....x", LANGUAGE_CSHARP, "B,C"},
    {"defines in what is left out", "S(\n#if X\n#define A\n#endif\n#if A\n a,\n#endif\n b);",
     "x......x", LANGUAGE_CSHARP, ""},
    {"a name that begins like a directive", "S(\n#if A\n#iffy\n#endif\n b);", "x...x",
     LANGUAGE_CSHARP, ""},
    {"no end of anything", "S(\n#if A\n a", "x..", LANGUAGE_CSHARP, ""},
    {"closed too often", "S(}}}\n\n a);", "x.x", LANGUAGE_CSHARP, ""},
    {"Visual Basic", "S(\n\n ' c\n \"'\",\n#If A Then\n a,\n#End If\n b)", "x..x...x",
     LANGUAGE_VISUAL_BASIC, ""},
    {"Visual Basic: the body of a lambda",
     "S(Function(a) a,\n function(\n n) As List(Of Integer)\n x\n y(Sub()\n z\n End Sub)\n"
     " End Function,\n b)",
     "xxx....xx", LANGUAGE_VISUAL_BASIC, ""},
    {"Visual Basic: every branch",
     "S\n#If A AndAlso Level = 3 Then ' c\n a\n#ElseIf b\n b\n#Else\n c\n#End If\n d\n#if Not B "
     "then\n e\n# Else\n f\n#END IF",
     "x.x.....x...x.", LANGUAGE_VISUAL_BASIC, "T=\"a,\"\"B=0\",level=3,A=-1,B=True"},
    {"Visual Basic: what is not known is active",
     "S\n#If D > 1 Then\n a\n#Else\n b\n#End If\n#If A + 1 = 0 Then\n c\n#ElseIf A Then\n d\n#End "
     "If",
     "x.x.x..x.x.", LANGUAGE_VISUAL_BASIC, "A=-1,D=1.5"},
    {"Visual Basic: the constants are not known", "S\n#If A Then\n a\n#Else\n b\n#End If", "x.x.x.",
     LANGUAGE_VISUAL_BASIC, NULL},
    {"Visual Basic: constants of the source",
     "#Const A = B + 1\n#Const C = Not B ' c\nS\n#If A Then\n a\n#End If\n#If C Then\n c\n#End If\n"
     "#Const B = 0\n#If B Then\n d\n#End If",
     "..x.x........", LANGUAGE_VISUAL_BASIC, "B=-1"},
    {"F#", "S (fun x ->\n\n  // c\n  (* c\n *)\n  a)\n#if A\n#endif\n b", "x....x..x",
     LANGUAGE_FSHARP, ""},
};

static void lines_with_text_are_told_from_others(void **state)
{
    unsigned wrong = 0;
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct arena arena;
        struct line_index index;
        struct line_text lines;
        char found[32] = "";
        arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
        struct str text = str_of(cases[i].text);
        struct str defined = {cases[i].defined,
                              cases[i].defined != NULL ? strlen(cases[i].defined) : 0};
        assert_true(line_index_make(&index, text, &arena, NULL));
        assert_true(line_text_make(&lines, &index, cases[i].language, defined, &arena, NULL));
        uint32_t start = (uint32_t)(strchr(cases[i].text, 'S') - cases[i].text);
        uint32_t line, column;
        line_index_place(&line, &column, &index, start);
        for (uint32_t n = 1; n <= index.count; n++)
            found[n - 1] = n >= line && line_text_is_on(&lines, start, n) ? 'x' : '.';
        if (strcmp(found, cases[i].expected) != 0) {
            print_error("%s: \"%s\" instead of \"%s\"\n", cases[i].name, found, cases[i].expected);
            wrong++;
        }
        arena_free(&arena);
    }
    assert_int_equal(wrong, 0);
}

/* Each with A=-1 (true), N=3, T="a b", E=False. */
static void conditions_of_visual_basic_are_worked_out(void **state)
{
    static const struct {
        const char *condition;
        enum truth truth;
    } expected[] = {
        {"A", TRUTH_YES},
        {"E", TRUTH_NO},
        {"Undefined", TRUTH_NO},
        {"a then", TRUTH_YES},
        {"N And 4", TRUTH_NO},
        {"N AndAlso 4", TRUTH_YES},
        {"N = 3 And N <> 4 And N < 4 And N <= 3 And N > 2 And N >= 3", TRUTH_YES},
        {"N >= 4 Or N <= 2 OrElse N < 3", TRUTH_NO},
        {"A Xor A", TRUTH_NO},
        {"A Or A Xor A", TRUTH_NO},
        {"E And E Or A", TRUTH_YES},
        {"E And (E Or A)", TRUTH_NO},
        {"Not E And E", TRUTH_NO},
        {"Not (E And E)", TRUTH_YES},
        {"Not Not A", TRUTH_YES},
        {"Not N", TRUTH_YES}, /* of the bits */
        {"Not N = 3", TRUTH_NO},
        {"A = True", TRUTH_YES},
        {"A = -1", TRUTH_YES},
        {"T = \"a b\"", TRUTH_YES},
        {"T <> \"a b\"", TRUTH_NO},
        {"T = \"b\"", TRUTH_NO},
        {"\"\" = \"\"", TRUTH_YES},
        {"T = \"A B\"", TRUTH_UNKNOWN}, /* Option Compare */
        {"T < \"b\"", TRUTH_UNKNOWN},
        {"T = 3", TRUTH_UNKNOWN},
        {"T", TRUTH_UNKNOWN},
        {"N + 1 = 4", TRUTH_UNKNOWN},
        {"N = 3.0", TRUTH_UNKNOWN},
        {"N = &H3", TRUTH_UNKNOWN},
        {"CInt(N)", TRUTH_UNKNOWN},
        {"(A", TRUTH_UNKNOWN},
        {"A Then B", TRUTH_UNKNOWN},
        {"\"a", TRUTH_UNKNOWN},
        {"-", TRUTH_UNKNOWN},
        {"", TRUTH_UNKNOWN},
    };
    const struct preprocessor p = {.language = LANGUAGE_VISUAL_BASIC,
                                   .given = STR("A=-1,N=3,T=\"a b\",E=False")};
    unsigned wrong = 0;
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(expected); i++)
        if (preprocessor_holds(&p, str_of(expected[i].condition)) != expected[i].truth) {
            print_error("%s\n", expected[i].condition);
            wrong++;
        }
    assert_int_equal(wrong, 0);
}

static void parentheses_may_be_nested_as_deep_as_they_like(void **state)
{
    enum {
        DEPTH = 100000
    };
    const struct preprocessor p = {.language = LANGUAGE_VISUAL_BASIC, .given = STR("A=-1")};
    const char *const openings[] = {"(", "Not "};
    static char text[DEPTH * 4];
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(openings); i++) {
        size_t len = strlen(openings[i]);
        for (size_t n = 0; n < DEPTH; n++)
            memcpy(text + n * len, openings[i], len);
        assert_int_equal(preprocessor_holds(&p, (struct str){text, DEPTH * len}), TRUTH_UNKNOWN);
    }
}

/* Any piece of it, and any byte in place of another. */
static void anything_can_be_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        size_t len = strlen(cases[i].text);
        for (size_t end = 0; end <= len; end++) {
            struct arena arena;
            struct line_index index;
            struct line_text lines;
            arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
            struct view copy = exact_copy((struct view){(const uint8_t *)cases[i].text, end});
            assert_true(
                line_index_make(&index, (struct str){(const char *)copy.data, end}, &arena, NULL));
            assert_true(line_text_make(&lines, &index, cases[i].language, STR("A"), &arena, NULL));
            (void)line_text_is_on(&lines, 0, 1);
            exact_free(copy);
            arena_free(&arena);
        }
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(lines_with_text_are_told_from_others),
    cmocka_unit_test(conditions_of_visual_basic_are_worked_out),
    cmocka_unit_test(parentheses_may_be_nested_as_deep_as_they_like),
    cmocka_unit_test(anything_can_be_read),
};
UNIT_TESTS(tests);

/* test_line_text.c - on which lines a statement has text: not on blank lines, in comments,
 * directives, what #if leaves out, nor in the body of a lambda. */
#include "coverage/source/line_text.h"

#include <string.h>

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
    {"no end of anything", "S(\n#if A\n a", "x..", LANGUAGE_CSHARP, ""},
    {"closed too often", "S(}}}\n\n a);", "x.x", LANGUAGE_CSHARP, ""},
    {"Visual Basic", "S(\n\n ' c\n \"'\",\n#If A Then\n a,\n#End If\n b)", "x..x.x.x",
     LANGUAGE_VISUAL_BASIC, ""},
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

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_with_text_are_told_from_others),
        cmocka_unit_test(anything_can_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* test_body_text.c - a change stays within one method's body, or it may declare something; in doubt
 * it may. */
#include "coverage/affected/body_text.h"

#include <string.h>

#include "tests/support/check.h"

enum {
    LINES_MAX = 8
};

static uint32_t split(struct str *lines, const char *text)
{
    uint32_t count = 0;
    while (*text != '\0') {
        size_t len = strcspn(text, "\n");
        assert_true(count < LINES_MAX);
        lines[count++] = (struct str){text, len};
        text += len + (text[len] != '\0');
    }
    return count;
}

static void only_comments_and_blank_lines_are_empty(void **state)
{
    static const struct {
        const char *line;
        enum language language;
        bool empty;
    } cases[] = {
        {"", LANGUAGE_CSHARP, true},
        {" \t", LANGUAGE_CSHARP, true},
        {"  /// <summary>", LANGUAGE_CSHARP, true},
        {"/* a */", LANGUAGE_CSHARP, true},
        {"/**/", LANGUAGE_CSHARP, true},
        {"/*/", LANGUAGE_CSHARP, false},
        {"/* a */ int b; /* c */", LANGUAGE_CSHARP, false},
        {"/* a", LANGUAGE_CSHARP, false},
        {"int a; // b", LANGUAGE_CSHARP, false},
        {"' a", LANGUAGE_CSHARP, false},
        {"  ' a", LANGUAGE_VISUAL_BASIC, true},
        {"// a", LANGUAGE_VISUAL_BASIC, false},
        {"// a", LANGUAGE_FSHARP, true},
        {"#if A", LANGUAGE_CSHARP, false},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        if (body_text_is_empty(str_of(cases[i].line), cases[i].language) != cases[i].empty)
            fail_msg("\"%s\"", cases[i].line);
}

/* Lines of the middle of a body. */
static const struct {
    const char *was, *now;
    bool stays;
} middles[] = {
    {"x++;", "x--;", true},
    {"x++;", "", true},
    {"", "x++;\nreturn Foo(x);", true},
    {"x++;", "if (x) {\n  x++;\n}", true},
    {"if (x) {\n  x++;\n}", "x++;", true},
    {"", "var y = new Foo(x);\nawait Foo (y);\nsum += F(y) + G (z);", true},
    {"", "var s = \"}\"; char c = '}'; // }", true},
    {"", "}\nint New()\n{", false},
    {"", "}", false},
    {"", "public int New() =>", false},
    {"", "y;\nint New() =>", false},
    {"", "y;\nDictionary<string, int> New(int a) =>", false},
    {"", "y;\n(int, int) New() =>", false},
    {"", "y;\nint IThing.New() =>", false},
    {"", "y;\nint IThing.Value =>", false},
    {"", "y;\nstatic async Task New() =>", false},
    {"", "[Fact]", false},
    {"", "#if A", false},
    {"#if A", "", false},
    {"", "var s = \"\"\"", false},
    {"", "/* x", false},
    {"int Local() => 1;", "  int Local() => 1;", true},
};

static void what_may_close_a_body_or_declare_does_not_stay(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(middles); i++) {
        struct str was[LINES_MAX], now[LINES_MAX];
        int depth = 0;
        const struct body_edit edit = {.was = was,
                                       .now = now,
                                       .was_count = split(was, middles[i].was),
                                       .now_count = split(now, middles[i].now),
                                       .first = BODY_ELSEWHERE,
                                       .last = BODY_ELSEWHERE};
        if (body_text_stays(&edit, LANGUAGE_CSHARP, &depth) != middles[i].stays)
            fail_msg("\"%s\" to \"%s\"", middles[i].was, middles[i].now);
    }
}

/* Where the body is in the old text: between [ and ], which are not in it. */
static const struct {
    const char *was, *now;
    bool stays;
} wholes[] = {
    {"int A() => [1];", "int A() => 2;", true},
    {"int A() => [1];", "int A() => 2 +\n  3;", true},
    {"int A() => [1];", "long A() => 1;", false},
    {"int A() => [1];", "int A() => 1; int B() => 2;", false},
    {"int A() => [1];", "int A() => 1;\nint B() => 2;", false},
    {"int A() => [1];", "[Old] int A() => 1;", false},
    {"int A() => [1];", "// why\nint A() => 2;", true},
    {"int A() => [1];", "[Old]\nint A() => 2;", false},
    {"int A() => [1];", "int A() => 1; // why", false},
    {"int A() => [1];", "", false},
    {"int A() => [x switch { 1 => 2 }];", "int A() => x switch { 1 => 3 };", true},
    {"[Fact] int A() [{ x(); }]", "[Fact] int A() { x(); y(); }", true},
    {"[Fact] int A() [{ x(); }]", "[Fact] int A() { x(); } int B() { y(); }", false},
    {"[Fact] int A() [{ x(); }]", "[Fact] int A() { x(); }\nint b;", false},
    {"[Fact] int A() [{ x(); }]", "[Fact(Skip)] int A() { x(); }", false},
    {"int A { [get;] }", "int A { get; set; }", false},
    {"int A { get => [a]; }", "int A { get => b; }", true},
    {"[{\n  x++;\n}]", "{\n  x--;\n}", true},
    {"[{\n  x++;\n}]", "{\n  x--;\n}\nint B()\n{\n}", false},
    {"[{\n  x++;\n}]", "// why\n{\n}", true},
    {"int \303\244() => [1];", "int \303\244() => 2;", false},
};

/* Takes the marks out. Only attributes have others, which begin a line. */
static void read_whole(struct body_edit *edit, struct str *was, char *room, const char *text)
{
    const char *open = strchr(text[0] == '[' && text[1] == 'F' ? text + 1 : text, '[');
    const char *close = strrchr(text, ']');
    size_t first = (size_t)(open - text), last = (size_t)(close - text) - 1, len = 0;
    for (const char *c = text; *c != '\0'; c++)
        if (c != open && c != close)
            room[len++] = *c;
    room[len] = '\0';
    edit->was_count = split(was, room);
    for (uint32_t i = 0; i < edit->was_count; i++) {
        size_t at = (size_t)(was[i].text - room);
        if (first >= at && first <= at + was[i].len) {
            edit->first = i;
            edit->start_column = (uint32_t)(first - at + 1);
        }
        if (last >= at && last <= at + was[i].len) {
            edit->last = i;
            edit->end_column = (uint32_t)(last - at + 1);
        }
    }
}

static void what_is_around_a_body_must_stay(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(wholes); i++) {
        struct str was[LINES_MAX], now[LINES_MAX];
        char room[256];
        int depth = 0;
        struct body_edit edit = {.was = was, .now = now};
        read_whole(&edit, was, room, wholes[i].was);
        edit.now_count = split(now, wholes[i].now);
        if (body_text_stays(&edit, LANGUAGE_CSHARP, &depth) != wholes[i].stays)
            fail_msg("\"%s\" to \"%s\"", wholes[i].was, wholes[i].now);
    }
}

static void braces_are_told_over_all_changes_of_a_body(void **state)
{
    const struct str opens = STR("if (x) {"), closes = STR("}");
    const struct body_edit open = {
        .now = &opens, .now_count = 1, .first = BODY_ELSEWHERE, .last = BODY_ELSEWHERE};
    struct body_edit close = open;
    int depth = 0;
    (void)state;
    close.now = &closes;
    assert_true(body_text_stays(&open, LANGUAGE_CSHARP, &depth));
    assert_int_equal(depth, 1);
    assert_true(body_text_stays(&close, LANGUAGE_CSHARP, &depth));
    assert_int_equal(depth, 0);
    assert_false(body_text_stays(&close, LANGUAGE_CSHARP, &depth));
}

static void visual_basic_ends_methods_in_words(void **state)
{
    static const struct {
        const char *now;
        bool stays;
    } cases[] = {
        {"x = 1", true},       {"If x Then\ny()\nEnd If", true}, {"End Sub\nSub New_()", false},
        {"end sub", false},    {"Public X As Integer", false},   {"<Fact>", false},
        {"Return F(x)", true},
    };
    struct str now[LINES_MAX];
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        int depth = 0;
        const struct body_edit edit = {.now = now,
                                       .now_count = split(now, cases[i].now),
                                       .first = BODY_ELSEWHERE,
                                       .last = BODY_ELSEWHERE};
        if (body_text_stays(&edit, LANGUAGE_VISUAL_BASIC, &depth) != cases[i].stays)
            fail_msg("\"%s\"", cases[i].now);
    }
}

static void the_line_that_declares_a_method_of_visual_basic_is_no_body(void **state)
{
    const struct str was = STR("Sub A()"), now = STR("Sub A(x As Integer)");
    struct body_edit edit = {&was, &now, 1, 1, 0, BODY_ELSEWHERE, 1, 1};
    int depth = 0;
    (void)state;
    assert_false(body_text_stays(&edit, LANGUAGE_VISUAL_BASIC, &depth));
    edit.first = BODY_ELSEWHERE;
    edit.last = 0;
    assert_false(body_text_stays(&edit, LANGUAGE_VISUAL_BASIC, &depth));
}

static void no_body_of_fsharp_stays(void **state)
{
    const struct str was = STR("x + 1"), now = STR("x + 2");
    const struct body_edit edit = {&was, &now, 1, 1, BODY_ELSEWHERE, BODY_ELSEWHERE, 1, 1};
    int depth = 0;
    (void)state;
    assert_false(body_text_stays(&edit, LANGUAGE_FSHARP, &depth));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_comments_and_blank_lines_are_empty),
        cmocka_unit_test(what_may_close_a_body_or_declare_does_not_stay),
        cmocka_unit_test(what_is_around_a_body_must_stay),
        cmocka_unit_test(braces_are_told_over_all_changes_of_a_body),
        cmocka_unit_test(visual_basic_ends_methods_in_words),
        cmocka_unit_test(the_line_that_declares_a_method_of_visual_basic_is_no_body),
        cmocka_unit_test(no_body_of_fsharp_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

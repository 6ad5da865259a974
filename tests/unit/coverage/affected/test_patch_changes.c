/* test_patch_changes.c - lines of a patch name the methods of BASE that they are in; what may
 * declare something, and files that nobody can judge, need all tests. */
#include "coverage/affected/patch_changes.h"

#include <string.h>

#include "coverage/diff/patch_reader.h"
#include "tests/support/check.h"
#include "tests/support/hand_facts.h"

static struct arena arena;
static struct hand base;

/* What BASE has of A.cs, a Debug build:
 *
 *    1  class C {
 *    2      int A(int x)
 *    3      {
 *    4          x++;
 *    5          return Make(() => x);
 *    6      }
 *    7
 *    8      int B() => 1;
 *    9      int D() => 2;
 *   10      static int s = F();
 *   11      int f = G();
 *   12      C()
 *   13      {
 *   14          f = 3;
 *   15      }
 *   16  }                                                                       */
static const struct {
    const char *method;
    uint32_t first, last, start_column, end_column;
} spans[] = {
    {"A", 3, 3, 5, 6},       {"A", 4, 4, 9, 13},        {"A", 5, 5, 9, 30},
    {"A", 6, 6, 5, 6},       {"<A>b__0", 5, 5, 27, 28}, {"B", 8, 8, 16, 17},
    {"D", 9, 9, 16, 17},     {".cctor", 10, 10, 5, 24}, {".ctor", 11, 11, 5, 17},
    {".ctor", 12, 12, 5, 8}, {".ctor", 13, 13, 5, 6},   {".ctor", 14, 14, 9, 15},
    {".ctor", 15, 15, 5, 6},
};

static void make_base(void)
{
    hand_open(&base, &arena);
    hand_module(&base, "Lib", 1);
    uint32_t user = hand_method(&base, "N.C", "A", "()", "a b c d");
    (void)hand_made(&base, user, "N.C", "<A>b__0", "e");
    (void)hand_made(&base, user, "N.C/<>c", ".cctor", ""); /* without statements */
    (void)hand_method(&base, "N.C", "B", "()", "a");
    (void)hand_method(&base, "N.C", "D", "()", "b");
    (void)hand_method(&base, "N.C", ".cctor", "()", "c");
    (void)hand_method(&base, "N.C", ".ctor", "()", "a b c d e");
    struct fact_module *m = base.facts.modules;
    m->methods[hand_find(&base, 0, ".ctor")].display =
        (struct fact_display){STR("N.C"), STR("C"), STR("()")};
    assert_int_equal(m->statement_count, ARRAY_LEN(spans));
    for (uint32_t i = 0; i < m->statement_count; i++) {
        struct fact_statement *s = &m->statements[i];
        assert_string_equal(m->methods[s->method].name.text, spans[i].method);
        s->start_line = spans[i].first;
        s->end_line = spans[i].last;
        s->start_column = (uint16_t)spans[i].start_column;
        s->end_column = (uint16_t)spans[i].end_column;
    }
    hand_lay_out(&base);
}

static int open_base(void **state)
{
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    make_base();
    return 0;
}

static int close_base(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static struct patch read_patch(const char *diff)
{
    struct patch patch;
    struct err err = {0};
    if (!patch_read(&patch, (struct view){(const uint8_t *)diff, strlen(diff)}, &arena, &err))
        fail_msg("%s", err.text);
    return patch;
}

/* "CHANGE; CHANGE; all: WHY; [METHOD METHOD]": the methods whose counts are marked. */
static const char *changes_of(const char *diff, const char *ignore)
{
    struct patch patch = read_patch(diff);
    const struct str glob = str_of(ignore != NULL ? ignore : "");
    const struct patch_rules rules = {&patch, &glob, ignore != NULL};
    struct build_changes c;
    struct err err = {0};
    struct text text;
    struct str drawn = STR("");
    if (!patch_changes_find(&c, &base.facts, &rules, &arena, &err))
        fail_msg("%s", err.text);
    text_open(&text, &arena);
    for (uint32_t i = 0; i < c.list.count; i++)
        text_addf(&text, "%s; ", ((const struct build_change *)c.list.items)[i].text.text);
    for (uint32_t i = 0; i < c.all.count; i++)
        text_addf(&text, "all: %s; ", ((const struct str *)c.all.items)[i].text);
    text_add_c(&text, "[");
    for (uint32_t m = 0; m < c.base.module_count; m++)
        for (uint32_t i = 0; i < c.base.modules[m].method_count; i++)
            if (c.of_count[m][c.base.modules[m].methods[i].entry_count] != 0)
                text_addf(&text, " %s", c.base.modules[m].methods[i].name.text);
    text_add_c(&text, " ]");
    assert_true(text_take(&drawn, &text, &err));
    return drawn.text;
}

#define A_CS       "--- a/A.cs\n+++ b/A.cs\n"
#define IN_A(n)    "A.cs:" #n " changed, in N.C.A()"
#define OUTSIDE(n) "all: A.cs:" #n " is outside of methods: a declaration may have changed; "

static const struct {
    const char *name, *diff, *expected;
} line_cases[] = {
    {"nothing", "", "[ ]"},
    {"a line of a method", A_CS "@@ -4 +4 @@\n-        x++;\n+        x--;\n",
     IN_A(4) "; [ A <A>b__0 ]"},
    {"a line that went", A_CS "@@ -4 +3,0 @@\n-        x++;\n", IN_A(4) "; [ A <A>b__0 ]"},
    {"a line that came", A_CS "@@ -3,0 +4 @@\n+        y++;\n", IN_A(4) "; [ A <A>b__0 ]"},
    {"before its brace", A_CS "@@ -5,0 +6 @@\n+        y++;\n", IN_A(6) "; [ A <A>b__0 ]"},
    {"behind its brace", A_CS "@@ -6,0 +7 @@\n+    int y;\n", OUTSIDE(7) "[ ]"},
    {"before its first brace", A_CS "@@ -2,0 +3 @@\n+        where T : class\n", OUTSIDE(3) "[ ]"},
    {"its signature", A_CS "@@ -2 +2 @@\n-    int A(int x)\n+    long A(int x)\n",
     OUTSIDE(2) "[ ]"},
    {"its signature and a line",
     A_CS "@@ -2,3 +2,3 @@\n-    int A(int x)\n-    {\n-        x++;\n"
          "+    long A(int x)\n+    {\n+        x--;\n",
     OUTSIDE(2) "[ ]"},
    {"another method within it",
     A_CS "@@ -4,0 +5,4 @@\n+    }\n+    int New()\n+    {\n+        x++;\n", OUTSIDE(5) "[ ]"},
    {"braces over two changes",
     A_CS "@@ -3,0 +4 @@\n+        if (x > 0) {\n@@ -4,0 +6 @@\n+        }\n",
     IN_A(4) "; " IN_A(5) "; [ A <A>b__0 ]"},
    {"braces that stay open",
     A_CS "@@ -3,0 +4 @@\n+        if (x > 0) {\n@@ -8 +9 @@\n"
          "-    int B() => 1;\n+    int B() => 3;\n",
     IN_A(4) "; A.cs:8 changed, in N.C.B(); " OUTSIDE(4) "[ A <A>b__0 B ]"},
    {"a method on a line", A_CS "@@ -8 +8 @@\n-    int B() => 1;\n+    int B() => 3;\n",
     "A.cs:8 changed, in N.C.B(); [ B ]"},
    {"its declaration", A_CS "@@ -8 +8 @@\n-    int B() => 1;\n+    long B() => 1;\n",
     OUTSIDE(8) "[ ]"},
    {"two methods, line by line",
     A_CS "@@ -8,2 +8,2 @@\n-    int B() => 1;\n-    int D() => 2;\n"
          "+    int B() => 3;\n+    int D() => 4;\n",
     "A.cs:8 changed, in N.C.B(); A.cs:9 changed, in N.C.D(); [ B D ]"},
    {"two methods, and nobody knows which line is which",
     A_CS "@@ -8,2 +8 @@\n-    int B() => 1;\n-    int D() => 2;\n+    int B() => 3;\n",
     OUTSIDE(9) "[ ]"},
    {"blank lines between methods", A_CS "@@ -7 +7,2 @@\n-\n+\n+    // why\n", "[ ]"},
    {"a field", A_CS "@@ -7,0 +8 @@\n+    int g;\n", OUTSIDE(8) "[ ]"},
    {"a directive at the top", A_CS "@@ -0,0 +1 @@\n+using System;\n", OUTSIDE(1) "[ ]"},
    {"an initialiser", A_CS "@@ -11 +11 @@\n-    int f = G();\n+    int f = H();\n",
     OUTSIDE(11) "[ ]"},
    {"a static one", A_CS "@@ -10 +10 @@\n-    static int s = F();\n+    static int s = H();\n",
     "all: A.cs:10 changed, in the static constructor of N.C; [ ]"},
    {"a constructor's body", A_CS "@@ -14 +14 @@\n-        f = 3;\n+        f = 4;\n",
     "A.cs:14 changed, in N.C.C(); [ .ctor ]"},
};

static void lines_name_the_methods_they_are_in(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(line_cases); i++) {
        const char *got = changes_of(line_cases[i].diff, NULL);
        if (strcmp(got, line_cases[i].expected) != 0)
            fail_msg("%s: \"%s\" instead of \"%s\"", line_cases[i].name, got,
                     line_cases[i].expected);
    }
}

#define GIT(name) "diff --git a/" name " b/" name "\n"
#define RENAME(from, to)                                                                           \
    "diff --git a/" from " b/" to "\nsimilarity index 100%\nrename from " from "\nrename to " to   \
    "\n"

static const struct {
    const char *name, *diff, *expected;
} file_cases[] = {
    {"a submodule with its files", "Submodule lib 1..2:\n" GIT("lib/A.md"), "[ ]"},
    {"a submodule alone", "Submodule lib 1..2 (commits not present)\n", "all: lib changed; [ ]"},
    {"a new source", "--- /dev/null\n+++ b/New.cs\n@@ -0,0 +1 @@\n+// a\n",
     "all: New.cs is new: it may have tests and overrides; [ ]"},
    {"a source that went", "--- a/A.cs\n+++ /dev/null\n@@ -1 +0,0 @@\n-class C {\n",
     "A.cs:3 is gone, in N.C.A(); A.cs:8 is gone, in N.C.B(); A.cs:9 is gone, in N.C.D(); "
     "A.cs:11 is gone, in N.C.C(); all: A.cs is gone, with the static constructor of N.C; [ A "
     "<A>b__0 B D .ctor ]"},
    {"one that declared only", "--- a/I.cs\n+++ /dev/null\n@@ -1 +0,0 @@\n-interface I { }\n",
     "all: I.cs is gone, with what it declared; [ ]"},
    {"a part of a type that went",
     "--- a/A.cs\n+++ /dev/null\n@@ -1 +0,0 @@\n-partial class C : I {\n",
     "A.cs:3 is gone, in N.C.A(); A.cs:8 is gone, in N.C.B(); A.cs:9 is gone, in N.C.D(); "
     "A.cs:11 is gone, in N.C.C(); all: A.cs is gone, with the static constructor of N.C; all: "
     "A.cs "
     "is gone, with what it declared; [ A <A>b__0 B D .ctor ]"},
    {"renamed", RENAME("A.cs", "B.cs"), "[ ]"},
    {"renamed, with a change",
     "diff --git a/A.cs b/B.cs\nrename from A.cs\nrename to B.cs\n--- a/A.cs\n+++ b/B.cs\n"
     "@@ -4 +4 @@\n-        x++;\n+        x--;\n",
     IN_A(4) "; [ A <A>b__0 ]"},
    {"moved", RENAME("A.cs", "x/A.cs"),
     "all: x/A.cs was in another folder, maybe of another project; [ ]"},
    {"no source any more", RENAME("A.cs", "A.txt"),
     "all: A.cs was renamed; all: A.txt is new; [ ]"},
    {"binary", "Binary files a/A.cs and b/A.cs differ\n",
     "all: A.cs changed, and the patch does not say which lines; [ ]"},
    {"F#", "--- a/A.fs\n+++ b/A.fs\n@@ -4 +4 @@\n-    x + 1\n+    x + 2\n",
     "all: A.fs:4 is outside of methods: a declaration may have changed; [ ]"},
    {"a comment of F#", "--- a/A.fs\n+++ b/A.fs\n@@ -4 +4 @@\n-// a\n+// b\n", "[ ]"},
    {"a source that BASE does not know",
     "--- a/I.cs\n+++ b/I.cs\n@@ -4 +4 @@\n-    int A();\n+    int B();\n",
     "all: I.cs:4 is outside of methods: a declaration may have changed; [ ]"},
    {"documentation", GIT("notes/A.md") "old mode 1\nnew mode 2\n" GIT("LICENSE") GIT(".gitignore"),
     "[ ]"},
    {"documentation that a build copies", GIT("notes/read.md"), "all: notes/read.md changed; [ ]"},
    {"a project", GIT("Lib.csproj"), "all: Lib.csproj changed; [ ]"},
    {"any other file", GIT("data/x.txt"), "all: data/x.txt changed; [ ]"},
};

static void files_that_are_no_code_need_all_tests_but_for_documentation(void **state)
{
    struct fact_input inputs[] = {{.folder = STR("/r/bin"), .path = STR("read.md")}};
    (void)state;
    base.facts.inputs = inputs;
    base.facts.input_count = 1;
    for (size_t i = 0; i < ARRAY_LEN(file_cases); i++) {
        const char *got = changes_of(file_cases[i].diff, NULL);
        if (strcmp(got, file_cases[i].expected) != 0)
            fail_msg("%s: \"%s\" instead of \"%s\"", file_cases[i].name, got,
                     file_cases[i].expected);
    }
}

static void ignored_files_change_nothing(void **state)
{
    (void)state;
    assert_string_equal(changes_of(GIT("data/x.txt"), "data/*"), "[ ]");
    assert_string_equal(changes_of(GIT("x.txt"), "data/*"), "all: x.txt changed; [ ]");
}

static void a_method_without_record_needs_all_tests(void **state)
{
    const char *diff = A_CS "@@ -4 +4 @@\n-        x++;\n+        x--;\n";
    struct fact_module *m = base.facts.modules;
    (void)state;
    m->methods[hand_find(&base, 0, "<A>b__0")].state = METHOD_REFUSED;
    assert_string_equal(changes_of(diff, NULL), "all: " IN_A(4) ", which was not measured; [ ]");
    m->state = MODULE_NOT_LOADED;
    assert_string_equal(changes_of(diff, NULL), IN_A(4) "; [ A <A>b__0 ]");
}

static void beside_a_build_only_other_files_count(void **state)
{
    struct patch patch = read_patch(A_CS "@@ -2 +2 @@\n-a\n+b\n" GIT("Lib.csproj"));
    const struct patch_rules rules = {&patch, NULL, 0};
    struct build_changes c;
    struct err err = {0};
    (void)state;
    assert_true(build_changes_open(&c, &base.facts, &arena, &err));
    assert_true(patch_changes_add_files(&c, &rules, &err));
    assert_int_equal(c.all.count, 1);
    assert_string_equal(((const struct str *)c.all.items)->text, "Lib.csproj changed");
}

static void tests_of_sources_that_went_are_gone(void **state)
{
    struct fact_test tests[] = {
        {.name = STR("N.C.B"), .kind = TEST_METHOD},
        {.name = STR("N.E.Inherited"), .kind = TEST_METHOD},
        {.name = STR("N.C.A"), .kind = TEST_METHOD},
        {.name = STR("N.C"), .kind = TEST_CLASS},
        {.name = STR("N.C.B"), .kind = TEST_METHOD, .run = 1},
    };
    const char *diffs[] = {"", "--- a/A.cs\n+++ /dev/null\n@@ -1 +0,0 @@\n-class C {\n"};
    struct build_changes c;
    struct new_tests out;
    struct err err = {0};
    (void)state;
    base.facts.tests = tests;
    base.facts.test_count = ARRAY_LEN(tests);
    base.facts.modules->state = MODULE_SKIPPED;
    for (size_t i = 0; i < ARRAY_LEN(diffs); i++) {
        struct patch patch = read_patch(diffs[i]);
        const struct patch_rules rules = {&patch, NULL, 0};
        assert_true(patch_changes_find(&c, &base.facts, &rules, &arena, &err));
        assert_true(patch_changes_tests(&out, &c, &rules, &err));
        assert_int_equal(out.count, i == 0 ? 3 : 1);
        assert_non_null(new_tests_named(&out, STR("N.E.Inherited")));
        assert_int_equal(new_tests_named(&out, STR("N.C.B")) != NULL, i == 0);
    }
    assert_true(str_is(out.items[0].class, "N.E"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_base, close_base)
        TEST(lines_name_the_methods_they_are_in),
        TEST(files_that_are_no_code_need_all_tests_but_for_documentation),
        TEST(ignored_files_change_nothing),
        TEST(a_method_without_record_needs_all_tests),
        TEST(beside_a_build_only_other_files_count),
        TEST(tests_of_sources_that_went_are_gone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

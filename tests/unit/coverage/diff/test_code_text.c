/* test_code_text.c - a source without code that runs is told by its text, and anything that is not
 * understood has code. */
#include "coverage/diff/code_text.h"

#include "tests/support/check.h"

static const char *const without[] = {
    "",
    "// nothing\n/* class C { void M() { } } */\n",
    "\xEF\xBB\xBFusing System;\nusing static System.Math;\nglobal using X = System.Text;\n",
    "extern alias Other;\nusing A = (int, string);\n",
    "#nullable enable\n#pragma warning disable CS1591\n[assembly: A(\"a;{b\", X = 1)]\n",
    ("namespace N;\npublic interface I<T> : J where T : class, new()\n{\n"
     "    [A] int this[int i] { get; set; }\n    T P { get; }\n    void M<U>(int n = 3) where U : "
     "class;\n"
     "    event System.Action E;\n    const int K = 1;\n}\n"),
    "namespace N { namespace M { [A] public enum E : byte { A = 1, B = A << 2, } } }",
    "namespace N;\npublic delegate int D(int a, [In] int b = 2);\n",
    "class C { const int K = 1; const string S = \"=>\", T = @\"{\"; static int n; }",
    ("abstract class C : B { public abstract int P { get; protected set; } abstract void M(int n); "
     "}"),
    "public class C { interface I { } enum E { A } delegate void D(); class Inner { } };",
    "#if A\nusing X;\n#else\nusing Y;\n#endif\nstruct S { public int a, b; }",
};

static const char *const with[] = {
    "class C { void M() { } }",
    "class C { int P { get; set; } }",
    "class C { int n = 1; }",
    "class C { int P => 1; }",
    "class C(int n) { }",
    "class C : B(1);",
    "record R;",
    "record R { }",
    "record struct R(int N);",
    "class C { static C() { } }",
    "class C { class Inner { ~Inner() { } } }",
    "class C { public abstract int P { get { return 1; } } }",
    "interface I { void M() { } }",
    "interface I { int P => 1; }",
    "interface I { static int P { get; set; } }",
    "interface I { int P { get { return 1; } } }",
    "interface I { static int n = 1; }",
    "using System;\nConsole.WriteLine();\n",
    "using var file = Open();\n",
    "using (Open()) { }\n",
    "using File file = Open();\n",
    "{ }",
    "enum E { A",
    "interface I {",
    "#if A\ninterface I {\n#else\ninterface J {\n#endif\n}\n",
    "}",
    "not C# at all",
};

static bool has_code(const char *path, const char *text)
{
    bool has = false;
    struct arena arena;
    struct err err;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    assert_true(code_text_has_code(&has, str_of(path), str_of(text), &arena, &err));
    arena_free(&arena);
    return has;
}

static void csharp_without_bodies_and_values_has_no_code(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(without); i++)
        if (has_code("a.cs", without[i]))
            fail_msg("has code: %s", without[i]);
}

static void any_other_csharp_has_code(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(with); i++)
        if (!has_code("a.cs", with[i]))
            fail_msg("has no code: %s", with[i]);
}

static void types_in_types_without_end_have_code(void **state)
{
    char text[64 * 10 + 1] = "";
    (void)state;
    for (int i = 0; i < 64; i++)
        (void)strcat(text, "class C { ");
    assert_true(has_code("a.cs", text));
}

static void other_languages_are_judged_by_their_lines(void **state)
{
    (void)state;
    assert_false(has_code("A.vb", "' a\r\nImports System\r\nOption Strict On\r\n\r\n"
                                  "<Assembly: AssemblyTitle(\"a\")>\r\n"));
    assert_true(has_code("A.vb", "Imports System\nModule M\nEnd Module\n"));
    assert_false(has_code("A.fs", "namespace N\nopen System\n[<assembly: A>]\ndo ()\n"));
    assert_false(has_code("A.fs", "module N.M\n// nothing\n"));
    assert_true(has_code("A.fs", "module M = let a = 1\n"));
    assert_true(has_code("A.fs", "namespace N\ntype T() = class end\n"));
    assert_false(has_code("_Imports.razor", "@using System\n@using N.Pages\n\n"));
    assert_true(has_code("A.razor", "@page \"/a\"\n<p>@Name</p>\n"));
    assert_false(has_code("A.cshtml", "<p class=\"a\">text</p>\n"));
    assert_false(has_code("A.razor", "@page \"/\"\n\n<PageTitle>Home</PageTitle>\n"));
    assert_true(has_code("A.razor", "<Child Value=\"Total(1)\" />\n"));
    assert_true(has_code("A.cshtml", "<input asp-for=\"Name\" />\n"));
}

static void sources_are_told_by_their_names(void **state)
{
    (void)state;
    assert_true(code_text_is_source(STR("src/A.cs")));
    assert_true(code_text_is_source(STR("src/A.razor")));
    assert_false(code_text_is_source(STR("src/A.csproj")));
    assert_false(code_text_is_source(STR("a.md")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(csharp_without_bodies_and_values_has_no_code),
        cmocka_unit_test(any_other_csharp_has_code),
        cmocka_unit_test(types_in_types_without_end_have_code),
        cmocka_unit_test(other_languages_are_judged_by_their_lines),
        cmocka_unit_test(sources_are_told_by_their_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

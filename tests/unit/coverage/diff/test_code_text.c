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
    "/*\n####\n# Banner\n#### */\ninterface I { }\n",
    "  #region don't\r\n#pragma warning disable // \"\r\ninterface I { }\r\n\t#endregion",
    "unsafe interface I { const string A = @\"\n#\"; void M(delegate*<void> f); }",
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
    "/*\n####\n# Banner #\n#### */\nclass C { void M() { } }\n",
    "/*\n# Banner #\n#### */\nclass C { void M() { } }\n/* end */\n",
    "class C { const string S = @\"\n#\"; void M() { }\n const string T = @\"x;\n#\"; }",
    "#pragma warning disable\rclass C { void M() { } }",
    "#pragma warning disable // \xC2\x85"
    "class C { void M() { } }",
    "#pragma warning disable\xE2\x80\xA8"
    "class C { void M() { } }",
    "#pragma warning disable\xE2\x80\xA9"
    "class C { void M() { } }",
    "#if A\n/*\n#endif\nclass C { void M() { } }\n/* */\n",
    "#if A\n@\"\n # else\nclass C { void M() { } }\n#endif\n/* \" */\n",
    "class C { const decimal X = 1.5m; }",
    "class C { const System.Decimal X = 1; }",
    "class C { const Money X = 1; }",
    "interface I { const decimal X = 1.5m; }",
    "unsafe class C { static delegate*<void> F = &M; }",
    "unsafe class C { static delegate* unmanaged<int, void> F { get; set; } }",
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

/* A line is idle as a whole, or not at all. */
static void code_behind_what_has_none_is_code(void **state)
{
    static const struct {
        const char *path, *text;
    } texts[] = {
        {"A.CS", "class C { void M() { } }"},
        {"A.FS", "module M\nlet a = 1\n"},
        {"A.VB", "Module M\nEnd Module\n"},
        {"A.fs", "module M\ndo () ; printfn \"x\"\n"},
        {"A.fs", "module M\n[<assembly: X>] do f ()\n"},
        {"A.fs", "module M\n[<assembly: X>] do f [g<int>]\n"},
        {"A.fs", "open System;; printfn \"x\"\n"},
        {"A.fs", "module M; f ()\n"},
        {"A.fs", "module M\nOpen file\n"},
        {"A.vb", "Namespace N : Module M : Sub F() : G() : End Sub : End Module : End Namespace\n"},
        {"A.vb", "<Assembly: X> : Module M : Sub F() : G() : End Sub : End Module\n"},
        {"A.vb", "Option Strict On : Module M : Sub F() : G() : End Sub : End Module\n"},
        {"A.cshtml", "@using (Html.BeginForm()) {\n<p>text</p>\n}\n"},
        {"A.cshtml", "@model int\n@Model items\n"},
        {"A.cshtml", "@layout items\n"},
        {"A.razor", "@model items\n"},
        {"A.razor", "<h1>\n@pageTitle\n</h1>\n"},
        {"A.cshtml", "<b>\n@page.Title\n</b>\n"},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(texts); i++)
        if (!has_code(texts[i].path, texts[i].text))
            fail_msg("%s has no code: %s", texts[i].path, texts[i].text);
    assert_false(has_code("A.cshtml", "@page\n@model int\n@addTagHelper *, X\n"));
    assert_false(has_code("A.VB", "IMPORTS System\nimports System.IO\n"));
}

static void sources_are_told_by_their_names(void **state)
{
    (void)state;
    assert_true(code_text_is_source(STR("src/A.cs")));
    assert_true(code_text_is_source(STR("src/A.razor")));
    assert_true(code_text_is_source(STR("src/A.CS")));
    assert_false(code_text_is_source(STR("src/A.csproj")));
    assert_false(code_text_is_source(STR("a.md")));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(csharp_without_bodies_and_values_has_no_code),
    cmocka_unit_test(any_other_csharp_has_code),
    cmocka_unit_test(types_in_types_without_end_have_code),
    cmocka_unit_test(other_languages_are_judged_by_their_lines),
    cmocka_unit_test(code_behind_what_has_none_is_code),
    cmocka_unit_test(sources_are_told_by_their_names),
};
UNIT_TESTS(tests);

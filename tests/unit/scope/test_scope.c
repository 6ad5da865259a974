/* test_scope.c - which modules are the user's own, and the reason why the others are left out. */
#include "scope/scope.h"

#include <stdio.h>

#include "tests/support/check.h"
#include "tests/support/signed_image.h"
#include "tests/support/temporary.h"

#define FRAMEWORK "/opt/dotnet/shared/Microsoft.NETCore.App/10.0.12"

/* A module in memory: its name, what it references, whether it names a PDB. */
struct sample {
    struct image image;
    struct module module;
};

static void add_debug(struct image *image, const char *pdb_path, bool embedded)
{
    uint8_t codeview[24 + 256] = {'R', 'S', 'D', 'S'};
    static const uint8_t inflated[] = {'M', 'P', 'D', 'B', 0, 0, 0, 0, 3, 0};
    if (pdb_path != NULL) {
        size_t len = strlen(pdb_path) + 1;
        assert_true(len <= 256);
        memcpy(codeview + 24, pdb_path, len);
        image_add_debug(image, 2, 1, 0x504D, (struct view){codeview, 24 + len});
    }
    if (embedded)
        image_add_debug(image, 17, 0, 0x100, VIEW(inflated));
}

static void sample_open_signed(struct sample *s, const char *name, const char *reference,
                               const char *pdb_path, bool embedded, bool is_signed)
{
    static const uint8_t mvid[16] = {1, 2, 3};
    struct err err;
    struct image *image = &s->image;
    image_begin(image);
    IMAGE_ROW(image, Module, 0, image_string(image, "x.dll"), image_guid(image, mvid), 0, 0);
    IMAGE_ROW(image, Assembly, 0x8004, 1, 0, 0, 0, 0, is_signed ? signed_image_key(image) : 0,
              image_string(image, name), 0);
    IMAGE_ROW(image, AssemblyRef, 8, 0, 0, 0, 0, 0, image_string(image, "System.Runtime"), 0, 0);
    if (reference != NULL)
        IMAGE_ROW(image, AssemblyRef, 8, 0, 0, 0, 0, 0, image_string(image, reference), 0, 0);
    add_debug(image, pdb_path, embedded);
    if (!module_open_image(&s->module, image_pe(image, false), false, &err))
        fail_msg("%s", err.text);
}

static void sample_open(struct sample *s, const char *name, const char *reference,
                        const char *pdb_path, bool embedded)
{
    sample_open_signed(s, name, reference, pdb_path, embedded, false);
}

static void sample_close(struct sample *s)
{
    image_free(&s->image);
}

/* --- by path ---------------------------------------------------------------------------------- */

static const struct {
    const char *path, *framework;
    bool is_installation;
} paths[] = {
    {FRAMEWORK "/System.Linq.dll", FRAMEWORK, true},
    {"/opt/dotnet/shared/Microsoft.AspNetCore.App/10.0.12/X.dll", FRAMEWORK, true},
    {"/opt/dotnet/sdk/10.0.401/MSBuild.dll", FRAMEWORK, true},
    {"/opt/dotnet/packs/A/B.dll", FRAMEWORK, true},
    {"/opt/dotnet/host/fxr/h.dll", FRAMEWORK, true},
    {"/opt/dotnet/mine/App.dll", FRAMEWORK, false},
    {"/opt/dotnet/App.dll", FRAMEWORK, false},
    {"/opt/dotnet/sharedstuff/App.dll", FRAMEWORK, false},
    {"/opt/dotnet2/shared/App.dll", FRAMEWORK, false},
    {"/home/me/shared/App.dll", FRAMEWORK, false},
    {"/home/me/opt/dotnet/shared/a/App.dll", FRAMEWORK, false},
    {"", FRAMEWORK, false},
    {FRAMEWORK "/System.Linq.dll", "", false},
    /* self-contained: the framework lies beside the application */
    {"/srv/app/System.Linq.dll", "/srv/app", false},
    {"/srv/app/App.dll", "/srv/app", false},
    {"/shared/a/1/App.dll", "/shared/a/1", false}, /* an installation at the root is none */
};

static void installation_is_recognised_by_the_framework_directory(void **state)
{
    static const struct scope scope;
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
        struct str path = str_of(paths[i].path), framework = str_of(paths[i].framework);
        if (scope_is_installation(path, framework) != paths[i].is_installation)
            fail_msg("%s beside %s", paths[i].path, paths[i].framework);
        assert_int_equal(scope_skip_by_path(&scope, path, framework) != REASON_NONE,
                         paths[i].is_installation);
    }
}

/* --- by module -------------------------------------------------------------------------------- */

enum {
    PATTERNS_MAX = 2
};

static const struct {
    const char *what;
    const char *name, *reference;
    bool has_symbols;
    const char *path; /* NULL: /app/<something>.dll */
    const char *include[PATTERNS_MAX], *exclude[PATTERNS_MAX];
    bool include_tests;
    enum reason_code reason; /* REASON_NONE: in scope */
} modules[] = {
    {"the user's own", "App", NULL, true, NULL, {0}, {0}, false, REASON_NONE},
    {"without symbols", "App", NULL, false, NULL, {0}, {0}, false, REASON_NO_PDB_BESIDE},
    {"without symbols, but named", "App", NULL, false, NULL, {"[App]*"}, {0}, false, REASON_NONE},
    {"of the installation",
     "System.Linq",
     NULL,
     true,
     FRAMEWORK "/System.Linq.dll",
     {0},
     {0},
     false,
     REASON_INSTALLATION},
    {"of the installation, but named",
     "System.Linq",
     NULL,
     true,
     FRAMEWORK "/System.Linq.dll",
     {"[System.*]*"},
     {0},
     false,
     REASON_NONE},
    {"not named", "App", NULL, true, NULL, {"[Other]*"}, {0}, false, REASON_NOT_INCLUDED},
    {"named by the second",
     "App",
     NULL,
     true,
     NULL,
     {"[Other]*", "[A*]*"},
     {0},
     false,
     REASON_NONE},
    {"named in another case", "App", NULL, true, NULL, {"[app]*"}, {0}, false, REASON_NONE},
    {"named by one of its types", "App", NULL, true, NULL, {"[App]N.T"}, {0}, false, REASON_NONE},
    {"excluded", "App", NULL, true, NULL, {0}, {"[App]*"}, false, REASON_EXCLUDED},
    {"excluded though named",
     "App",
     NULL,
     true,
     NULL,
     {"[App]*"},
     {"[A*]*"},
     false,
     REASON_EXCLUDED},
    {"of which types are excluded", "App", NULL, true, NULL, {0}, {"[App]N.*"}, false, REASON_NONE},
    {"with tests: xunit", "App.Tests", "xunit.core", true, NULL, {0}, {0}, false, REASON_TESTS},
    {"with tests: xunit 3",
     "App.Tests",
     "xunit.v3.core",
     true,
     NULL,
     {0},
     {0},
     false,
     REASON_TESTS},
    {"with tests: nunit",
     "App.Tests",
     "nunit.framework",
     true,
     NULL,
     {0},
     {0},
     false,
     REASON_TESTS},
    {"with tests: MSTest",
     "App.Tests",
     "Microsoft.VisualStudio.TestPlatform.TestFramework",
     true,
     NULL,
     {0},
     {0},
     false,
     REASON_TESTS},
    {"with tests, in another case",
     "App.Tests",
     "XUnit.Core",
     true,
     NULL,
     {0},
     {0},
     false,
     REASON_TESTS},
    {"with tests that count", "App.Tests", "xunit.core", true, NULL, {0}, {0}, true, REASON_NONE},
    {"with tests, but named",
     "App.Tests",
     "xunit.core",
     true,
     NULL,
     {"[App.Tests]*"},
     {0},
     false,
     REASON_NONE},
    {"a name that only sounds like tests",
     "App.Tests",
     NULL,
     true,
     NULL,
     {0},
     {0},
     false,
     REASON_NONE},
    {"a test platform", "xunit.core", NULL, true, NULL, {0}, {0}, false, REASON_TEST_PLATFORM},
    {"tests that are called like a test platform",
     "NUnit.App.Tests",
     "nunit.framework",
     true,
     NULL,
     {0},
     {0},
     false,
     REASON_TESTS},
    {"a part of an adapter that lies in no folder of a package",
     "MSTestAdapter.PlatformServices",
     "MSTest.TestFramework",
     true,
     NULL,
     {0},
     {0},
     true,
     REASON_TEST_PLATFORM},
    {"a test host", "testhost", NULL, true, NULL, {0}, {0}, true, REASON_TEST_PLATFORM},
    {"another collector",
     "coverlet.collector",
     NULL,
     true,
     NULL,
     {0},
     {0},
     true,
     REASON_TEST_PLATFORM},
    {"without a file, with symbols", "App", NULL, true, "", {0}, {0}, false, REASON_NONE},
};

static uint32_t parse(struct pattern *out, const char *const *texts)
{
    uint32_t count = 0;
    while (count < PATTERNS_MAX && texts[count] != NULL) {
        assert_true(pattern_parse(&out[count], str_of(texts[count]), NULL));
        count++;
    }
    return count;
}

static void modules_are_in_scope_or_left_out_for_a_reason(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(modules); i++) {
        struct sample s;
        struct pattern include[PATTERNS_MAX], exclude[PATTERNS_MAX];
        struct scope scope = {.include = include,
                              .exclude = exclude,
                              .include_count = parse(include, modules[i].include),
                              .exclude_count = parse(exclude, modules[i].exclude),
                              .include_tests = modules[i].include_tests};
        sample_open_signed(&s, modules[i].name, modules[i].reference, NULL, modules[i].has_symbols,
                           modules[i].reason == REASON_TEST_PLATFORM);
        const char *path = modules[i].path != NULL ? modules[i].path : "/app/x.dll";
        enum reason_code reason =
            scope_skip_reason(&scope, &s.module, str_of(path), str_of(FRAMEWORK));
        if (reason != modules[i].reason)
            fail_msg("%s: %u", modules[i].what, (unsigned)reason);
        sample_close(&s);
    }
}

static void own_libraries_may_be_called_like_a_test_platform(void **state)
{
    static const char *const names[] = {"TestHostKit",
                                        "testhost",
                                        "xunit.Extras",
                                        "NUnit.App",
                                        "NUnit3.Tools",
                                        "Microsoft.TestPlatform.Mine",
                                        "Microsoft.VisualStudio.TestPlatform.Mine",
                                        "Microsoft.Testing.Mine",
                                        "MSTest.Mine",
                                        "MSTestAdapter.Mine",
                                        "TUnit.Mine",
                                        "coverlet.Mine",
                                        "Microsoft.CodeCoverage.Mine"};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct sample s;
        static const struct scope scope;
        sample_open(&s, names[i], NULL, NULL, true);
        assert_int_equal(scope_skip_reason(&scope, &s.module, STR("/app/x.dll"), str_of(FRAMEWORK)),
                         REASON_NONE);
        sample_close(&s);
    }
}

static void signature_alone_makes_no_test_platform(void **state)
{
    struct sample s;
    static const struct scope scope;
    (void)state;
    sample_open_signed(&s, "App", NULL, NULL, true, true);
    assert_int_equal(scope_skip_reason(&scope, &s.module, STR("/app/x.dll"), str_of(FRAMEWORK)),
                     REASON_NONE);
    sample_close(&s);
}

/* --- symbols and packages, which are files ---------------------------------------------------- */

static enum reason_code skip_of(struct temporary *t, const char *pdb_path,
                                struct packages *packages)
{
    struct sample s;
    struct scope scope = {.packages = packages};
    sample_open(&s, "App", NULL, pdb_path, false);
    enum reason_code reason = scope_skip_reason(
        &scope, &s.module, str_of(temporary_path(t, "App.dll")), str_of(FRAMEWORK));
    sample_close(&s);
    return reason;
}

static void debug_record_without_its_file_is_no_symbols(void **state)
{
    struct temporary t;
    (void)state;
    temporary_open(&t);
    assert_int_equal(skip_of(&t, NULL, NULL), REASON_NO_PDB_BESIDE);
    assert_int_equal(skip_of(&t, "", NULL), REASON_NO_PDB_BESIDE);
    assert_int_equal(skip_of(&t, "/_/obj/App.pdb", NULL), REASON_NO_PDB_BESIDE);
    const char *elsewhere = temporary_file(&t, "Other.pdb", "", 0);
    assert_int_equal(skip_of(&t, elsewhere, NULL),
                     REASON_NONE); /* at the very path that is named */
    (void)temporary_file(&t, "App.pdb", "", 0);
    assert_int_equal(skip_of(&t, "/_/obj/App.pdb", NULL), REASON_NONE);
    assert_int_equal(skip_of(&t, "C:\\src\\obj\\App.pdb", NULL), REASON_NONE);
    assert_int_equal(skip_of(&t, "App.pdb", NULL), REASON_NONE);
    temporary_close(&t);
}

static bool is_tests_of_user(struct temporary *t, struct packages *packages, const char *reference)
{
    struct sample s;
    struct pattern pattern;
    struct scope scope = {.packages = packages, .include = &pattern, .include_count = 1};
    assert_true(pattern_parse(&pattern, STR("[Other]*"), NULL));
    sample_open(&s, "App", reference, NULL, false);
    bool is = scope_is_tests_of_user(&scope, &s.module, str_of(temporary_path(t, "App.dll")),
                                     str_of(FRAMEWORK));
    sample_close(&s);
    return is;
}

static void files_of_packages_are_left_out(void **state)
{
    static const char *const types[] = {"package", "project"};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(types); i++) {
        struct temporary t;
        struct packages packages;
        char json[256];
        temporary_open(&t);
        packages_init(&packages);
        (void)temporary_file(&t, "App.pdb", "", 0);
        int len =
            snprintf(json, sizeof json,
                     "{\"targets\":{\"net\":{\"App/1.0\":{\"runtime\":{\"lib/App.dll\":{}}}}},"
                     "\"libraries\":{\"App/1.0\":{\"type\":\"%s\"}}}",
                     types[i]);
        (void)temporary_file(&t, "Main.deps.json", json, (size_t)len);
        enum reason_code reason = skip_of(&t, "App.pdb", &packages);
        assert_int_equal(reason, i == 0 ? REASON_PACKAGE : REASON_NONE);
        assert_int_equal(is_tests_of_user(&t, &packages, "xunit.core"), i == 1);
        assert_false(is_tests_of_user(&t, &packages, NULL));
        packages_close(&packages);
        temporary_close(&t);
    }
}

/* --- patterns that may mean the framework ----------------------------------------------------- */

static const struct {
    const char *pattern;
    bool may;
} patterns[] = {
    {"[*]*", true},        {"[System.Linq]*", true}, {"[System*]*", true}, {"[S*]*", true},
    {"[sys*]*", true},     {"[Microsoft.*]*", true}, {"[M*]*", true},      {"[?ystem]*", true},
    {"[App]*", false},     {"[MyApp.*]*", false},    {"[Sx*]*", false},    {"[netstandard]*", true},
    {"[mscorlib]*", true}, {"System", true},
};

static void patterns_that_may_mean_the_framework_are_known(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(patterns); i++) {
        struct pattern pattern;
        assert_true(pattern_parse(&pattern, str_of(patterns[i].pattern), NULL));
        struct scope included = {.include = &pattern, .include_count = 1};
        struct scope excluded = {.exclude = &pattern, .exclude_count = 1};
        if (scope_may_include_framework(&included) != patterns[i].may)
            fail_msg("%s", patterns[i].pattern);
        assert_false(scope_may_include_framework(&excluded));
    }
}

static void names_are_asked_of_includes_alone(void **state)
{
    struct pattern pattern;
    (void)state;
    assert_true(pattern_parse(&pattern, STR("[My*]*"), NULL));
    struct scope included = {.include = &pattern, .include_count = 1};
    struct scope excluded = {.exclude = &pattern, .exclude_count = 1};
    struct scope neither = {.include_count = 0};
    assert_true(scope_names(&included, STR("MyApp")));
    assert_false(scope_names(&included, STR("App")));
    assert_false(scope_names(&excluded, STR("MyApp")));
    assert_false(scope_names(&neither, STR("MyApp")));
}

static void tests_of_expecto_are_values(void **state)
{
    static const struct {
        const char *reference;
        bool has_tests, has_values;
    } rows[] = {{"Expecto", true, true},
                {"xunit.core", true, false},
                {"Expecto.Hopac", false, false},
                {NULL, false, false}};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        struct sample s;
        sample_open(&s, "T", rows[i].reference, NULL, true);
        assert_int_equal(scope_has_tests(&s.module), rows[i].has_tests);
        assert_int_equal(scope_has_values_as_tests(&s.module), rows[i].has_values);
        sample_close(&s);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(installation_is_recognised_by_the_framework_directory),
    cmocka_unit_test(modules_are_in_scope_or_left_out_for_a_reason),
    cmocka_unit_test(own_libraries_may_be_called_like_a_test_platform),
    cmocka_unit_test(signature_alone_makes_no_test_platform),
    cmocka_unit_test(debug_record_without_its_file_is_no_symbols),
    cmocka_unit_test(files_of_packages_are_left_out),
    cmocka_unit_test(patterns_that_may_mean_the_framework_are_known),
    cmocka_unit_test(names_are_asked_of_includes_alone),
    cmocka_unit_test(tests_of_expecto_are_values),
};
UNIT_TESTS(tests);

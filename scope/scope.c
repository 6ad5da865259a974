#include "scope/scope.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "scope/signer.h"
#include "system/file_status.h"

/* An assembly that references one of these contains tests; these themselves are never the user's
 * own. */
static const char *const test_frameworks[] = {
    "xunit.core",           "xunit.v3.core", "nunit.framework",
    "TUnit.Core",           "Fixie",         "Microsoft.VisualStudio.TestPlatform.TestFramework",
    "MSTest.TestFramework", "Expecto"};
/* Names to look at: a test platform is known by its signature (is_test_platform). */
static const char *const test_platform[] = {"testhost*",
                                            "xunit.*",
                                            "nunit.*",
                                            "NUnit3.*",
                                            "Microsoft.TestPlatform.*",
                                            "Microsoft.VisualStudio.TestPlatform.*",
                                            "Microsoft.Testing.*",
                                            "MSTest.*",
                                            "MSTestAdapter.*",
                                            "TUnit.*",
                                            "coverlet.*",
                                            "Microsoft.CodeCoverage.*"};

static bool matches_assembly(const struct pattern *patterns, uint32_t count, struct str assembly)
{
    for (uint32_t i = 0; i < count; i++)
        if (pattern_matches_assembly(&patterns[i], assembly))
            return true;
    return false;
}

static bool matches_name(const char *const *globs, size_t count, struct str name)
{
    for (size_t i = 0; i < count; i++)
        if (str_glob_nocase(str_of(globs[i]), name))
            return true;
    return false;
}

/* One of the two texts starts with the other. */
static bool share_start(struct str a, const char *b)
{
    size_t len = a.len < strlen(b) ? a.len : strlen(b);
    return str_eq_nocase((struct str){a.text, len}, (struct str){b, len});
}

bool scope_may_include_framework(const struct scope *scope)
{
    static const char *const starts[] = {"System", "Microsoft.", "mscorlib", "netstandard",
                                         "WindowsBase"};
    for (uint32_t i = 0; i < scope->include_count; i++) {
        struct str literal = scope->include[i].assembly;
        size_t len = 0;
        while (len < literal.len && literal.text[len] != '*' && literal.text[len] != '?')
            len++;
        literal.len = len;
        for (size_t n = 0; n < ARRAY_LEN(starts); n++)
            if (share_start(literal, starts[n]))
                return true;
    }
    return false;
}

bool scope_names(const struct scope *scope, struct str assembly)
{
    return matches_assembly(scope->include, scope->include_count, assembly);
}

bool scope_is_installation(struct str path, struct str framework_dir)
{
    struct str shared = path_dir(path_dir(framework_dir));
    if (!str_is(path_file(shared), "shared"))
        return false;
    static const char *const places[] = {"shared", "sdk", "packs", "host"};
    struct str root = path_dir(shared);
    if (root.len <= 1 || !path_is_below(path, root))
        return false;
    size_t at = root.len + 1;
    struct str place = path_part(path, &at);
    for (size_t i = 0; i < ARRAY_LEN(places); i++)
        if (at < path.len && str_is(place, places[i]))
            return true;
    return false;
}

enum reason_code scope_skip_by_path(const struct scope *scope, struct str path,
                                    struct str framework_dir)
{
    if (scope->include_count == 0 && scope_is_installation(path, framework_dir))
        return REASON_INSTALLATION;
    return REASON_NONE;
}

static bool refers_to_any(const struct metadata *md, const char *const *names, size_t count)
{
    for (uint32_t rid = 1; rid <= tables_rows(&md->tables, TABLE_AssemblyRef); rid++)
        if (matches_name(names, count, row_string(md, COL_AssemblyRef_Name, rid)))
            return true;
    return false;
}

bool scope_has_tests(const struct module *module)
{
    return refers_to_any(&module->md, test_frameworks, ARRAY_LEN(test_frameworks));
}

bool scope_has_values_as_tests(const struct module *module)
{
    static const char *const names[] = {"Expecto"};
    return refers_to_any(&module->md, names, ARRAY_LEN(names));
}

bool scope_may_have_contexts(enum reason_code reason)
{
    return reason == REASON_TESTS || reason == REASON_NOT_INCLUDED || reason == REASON_EXCLUDED;
}

/* A file that this process may not read, the program may. */
static bool is_there_for_program(const char *path)
{
    return file_is_readable(path) || errno == EACCES;
}

/* A compiler's debug record is not enough: packages without symbols have one too. */
static bool has_symbols_beside(const struct module *module, struct str path)
{
    char pdb[PATH_ROOM];
    struct str written = {(const char *)module->debug.pdb_path.data, module->debug.pdb_path.len};
    if (module->debug.embedded.len != 0 || module->debug.is_pdb_in_memory)
        return true;
    if (!module->debug.has_codeview || written.len == 0)
        return false;
    if (path_join_in(pdb, path_dir(path), any_path_file(written)) && is_there_for_program(pdb))
        return true;
    (void)snprintf(pdb, sizeof pdb, "%.*s", STR_ARGS(written));
    return is_there_for_program(pdb);
}

/* Recognised by the namespace of the type that each tool adds. */
static enum reason_code rewritten_reason(const struct metadata *md)
{
    static const struct {
        const char *name_space;
        enum reason_code reason;
    } signs[] = {
        {"Coverlet.Core.Instrumentation.Tracker", REASON_REWRITTEN_BY_COVERLET},
        {"Microsoft.CodeCoverage.Instrumentation.Static.Tracker", REASON_REWRITTEN_BY_MICROSOFT},
    };
    for (uint32_t rid = 1; rid <= tables_rows(&md->tables, TABLE_TypeDef); rid++) {
        struct str name_space = row_string(md, COL_TypeDef_TypeNamespace, rid);
        for (size_t i = 0; i < ARRAY_LEN(signs); i++)
            if (str_starts(name_space, signs[i].name_space))
                return signs[i].reason;
    }
    return REASON_NONE;
}

/* Parts of adapters lie in the folder of the tests, where no *.deps.json lists them as a package's.
 */
static bool is_test_platform(const struct module *module)
{
    return matches_name(test_platform, ARRAY_LEN(test_platform), module->name) &&
           signer_is_known(&module->md);
}

static enum reason_code choice_reason(const struct scope *scope, const struct module *module,
                                      struct str path, struct str framework_dir)
{
    enum reason_code by_path = scope_skip_by_path(scope, path, framework_dir);
    for (uint32_t i = 0; i < scope->exclude_count; i++)
        if (pattern_is_whole_assembly(&scope->exclude[i]) &&
            pattern_matches_assembly(&scope->exclude[i], module->name))
            return REASON_EXCLUDED;
    if (scope->include_count != 0)
        return scope_names(scope, module->name) ? REASON_NONE : REASON_NOT_INCLUDED;
    if (by_path != REASON_NONE)
        return by_path;
    if (is_test_platform(module))
        return REASON_TEST_PLATFORM;
    if (scope->packages != NULL && packages_list(scope->packages, path))
        return REASON_PACKAGE;
    if (!scope->include_tests && scope_has_tests(module))
        return REASON_TESTS;
    if (!has_symbols_beside(module, path))
        return REASON_NO_PDB_BESIDE;
    return REASON_NONE;
}

enum reason_code scope_skip_reason(const struct scope *scope, const struct module *module,
                                   struct str path, struct str framework_dir)
{
    enum reason_code reason = choice_reason(scope, module, path, framework_dir);
    return reason != REASON_NONE ? reason : rewritten_reason(&module->md);
}

bool scope_is_tests_of_user(const struct scope *scope, const struct module *module, struct str path,
                            struct str framework_dir)
{
    const struct scope usual = {.packages = scope->packages};
    return choice_reason(&usual, module, path, framework_dir) == REASON_TESTS;
}

/* The settings of Microsoft's collector, as the page on configuration in
 * github.com/microsoft/codecoverage describes them. */
#include <string.h>

#include "cli/settings/import_pattern.h"
#include "cli/settings/import_tools.h"

typedef bool translation(struct import_patterns *out, struct str text, struct arena *arena,
                         struct err *err);

/* Lists of regular expressions, with <Include> and <Exclude>. */
static const struct {
    const char *name;
    translation *translate;    /* NULL: no counterpart */
    const char *include, *key; /* what Include and Exclude are; NULL: no counterpart */
    const char *why;
} lists[] = {
    {"ModulePaths", import_module_regex, "include", "exclude", NULL},
    {"Sources", import_source_regex, NULL, "excludeFiles", "ilcov has no --include-files"},
    {"Functions", import_function_regex, NULL, "exclude",
     "of what is included, name the types in 'include'"},
    {"Attributes", import_attribute_regex, NULL, "excludeAttribute",
     "ilcov includes nothing by attribute"},
    {"CompanyNames", NULL, NULL, NULL, "not needed: assemblies of packages are not measured"},
    {"PublicKeyTokens", NULL, NULL, NULL, "not needed: assemblies of packages are not measured"},
};

/* What has no counterpart, and what ilcov does instead. */
static const struct {
    const char *name, *why;
} without[] = {
    {"CollectFromChildProcesses", "ilcov always measures child processes"},
    {"PerTestCodeCoverage", "ilcov does not tell tests apart"},
    {"DeterministicReport",
     "not needed: paths of deterministic builds are mapped to the source root; --deterministic "
     "makes equal bytes of equal counts"},
    {"ExcludeAssembliesWithoutSources", "not needed: assemblies of packages are not measured"},
    {"DoesNotReturnAttribute", "ilcov always knows [DoesNotReturn]"},
    {"CoverageFileName", "name the file in 'format', as in \"cobertura=out/coverage.xml\""},
    {"SymbolSearchPaths", "ilcov looks for the PDB beside its DLL and inside it"},
    {"UseVerifiableInstrumentation", "not needed: it is about .NET Framework"},
    {"AllowLowIntegrityProcesses", "not needed: it is about Windows"},
    {"AllowedUsers", "not needed: it is about .NET Framework"},
    {"CollectAspDotNet", "not needed: it is about .NET Framework"},
};

static struct str from_of(struct import *import, const char *name, struct str value)
{
    return import_text(import, "%s: %.*s", name, STR_ARGS(value));
}

/* --- lists ------------------------------------------------------------------------------------ */

static void take_item(struct import *import, translation *translate, const char *key,
                      struct str regex, struct str from, bool includes)
{
    struct import_patterns patterns;
    if (import->failed || !translate(&patterns, regex, import->arena, import->err)) {
        import->failed = true;
        return;
    }
    if (patterns.matches_always)
        import_drop(import, from,
                    includes || strcmp(key, "excludeAttribute") == 0
                        ? "not needed: ilcov does so without it"
                        : "it leaves everything out",
                    STR(""));
    else if (patterns.count == 0)
        import_drop(import, from, patterns.why, patterns.nearest);
    for (size_t i = 0; i < patterns.count; i++)
        import_add(import, key, IMPORT_LIST, patterns.items[i], from, patterns.why);
}

static void take_side(struct import *import, const xmlNode *side, const char *name, size_t list)
{
    bool includes = import_is(side, "Include");
    const char *key = includes ? lists[list].include : lists[list].key;
    const xmlNode *node = NULL;
    while (!import->failed && (node = import_next(side, node)) != NULL) {
        struct str regex = import_content(import, node);
        struct str from =
            import_text(import, "%s/%s: %.*s", name, (const char *)side->name, STR_ARGS(regex));
        if (regex.len == 0)
            continue;
        if (key == NULL || lists[list].translate == NULL)
            import_drop(import, from, lists[list].why, STR(""));
        else
            take_item(import, lists[list].translate, key, regex, from, includes);
    }
}

static bool take_list(struct import *import, const xmlNode *node)
{
    for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
        if (!import_is(node, lists[i].name))
            continue;
        const xmlNode *side = NULL;
        while ((side = import_next(node, side)) != NULL)
            take_side(import, side, lists[i].name, i);
        return true;
    }
    return false;
}

/* --- the rest --------------------------------------------------------------------------------- */

static void take_format(struct import *import, const char *name, struct str value)
{
    struct str from = from_of(import, name, value);
    if (str_eq_nocase(value, STR("cobertura")))
        import_add(import, "format", IMPORT_LIST, STR("cobertura"), from, NULL);
    else
        import_drop(import, from,
                    "only Microsoft's tools write it; ilcov's data file and "
                    "Cobertura take its place",
                    STR(""));
}

static void drop(struct import *import, const char *name, struct str value)
{
    static const char *const needless[] = {"Enable", "Symbols", "CLRIE", "Dump"};
    const char *why = "it is about the collector itself";
    for (size_t i = 0; i < ARRAY_LEN(needless); i++)
        if (strncmp(name, needless[i], strlen(needless[i])) == 0)
            why = "not needed: it is about how the collector instruments";
    for (size_t i = 0; i < ARRAY_LEN(without); i++)
        if (strcmp(name, without[i].name) == 0)
            why = without[i].why;
    import_drop(import, from_of(import, name, value), why, STR(""));
}

static void take(struct import *import, const xmlNode *node)
{
    const char *name = (const char *)node->name;
    struct str value = import_content(import, node);
    if (value.len == 0 || import->failed || take_list(import, node))
        return;
    if (strcmp(name, "Format") == 0)
        take_format(import, name, value);
    else if (strcmp(name, "SkipAutoProperties") == 0)
        import_add(import, "excludeAutoProperties", IMPORT_FLAG,
                   import_is_true(value) ? STR("true") : STR("false"), from_of(import, name, value),
                   NULL);
    else if (strcmp(name, "IncludeTestAssembly") == 0)
        import_add(import, "includeTests", IMPORT_FLAG,
                   import_is_true(value) ? STR("true") : STR("false"), from_of(import, name, value),
                   NULL);
    else
        drop(import, name, value);
}

/* What holds whatever is set. The attributes were tried with Microsoft.CodeCoverage 17.14. */
static void add_defaults(struct import *import)
{
    static const char *const left_out[] = {"System.Diagnostics.DebuggerHiddenAttribute",
                                           "System.Diagnostics.DebuggerNonUserCodeAttribute"};
    import_add(import, "includeTests", IMPORT_FLAG, STR("true"),
               STR("IncludeTestAssembly, which is true by default"), NULL);
    for (size_t i = 0; i < ARRAY_LEN(left_out); i++)
        import_add(import, "excludeAttribute", IMPORT_LIST, str_of(left_out[i]),
                   STR("the collector always leaves it out"), NULL);
}

void import_microsoft(struct import *import, const xmlNode *configuration)
{
    const xmlNode *node = NULL, *inner;
    add_defaults(import);
    while ((node = import_next(configuration, node)) != NULL) {
        if (!import_is(node, "CodeCoverage")) {
            take(import, node);
            continue;
        }
        for (inner = NULL; (inner = import_next(node, inner)) != NULL;)
            take(import, inner);
    }
}

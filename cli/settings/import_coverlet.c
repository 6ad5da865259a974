/* The options of coverlet: of its collector in a .runsettings file, and of coverlet.msbuild in a
 * project. Source: its Documentation, VSTestIntegration.md and MSBuildIntegration.md. */
#include <string.h>

#include "base/ascii.h"
#include "cli/settings/import_pattern.h"
#include "cli/settings/import_tools.h"

static struct str from_of(struct import *import, const char *name, struct str value)
{
    return import_text(import, "%s: %.*s", name, STR_ARGS(value));
}

/* --- values ----------------------------------------------------------------------------------- */

typedef bool translation(struct import_patterns *out, struct str text, struct arena *arena,
                         struct err *err);

static void take_patterns(struct import *import, const char *name, struct str list, const char *key,
                          translation *translate)
{
    struct str item;
    while (!import->failed && import_split(&item, &list)) {
        struct import_patterns patterns;
        struct str from = from_of(import, name, item);
        if (!translate(&patterns, item, import->arena, import->err)) {
            import->failed = true;
            return;
        }
        if (patterns.count == 0)
            import_drop(import, from, patterns.why, patterns.nearest);
        for (size_t i = 0; i < patterns.count; i++)
            import_add(import, key, IMPORT_LIST, patterns.items[i], from, patterns.why);
    }
}

static void take_attributes(struct import *import, const char *name, struct str list)
{
    static const char *const always[] = {
        "ExcludeFromCodeCoverage", "ExcludeFromCodeCoverageAttribute",
        "System.Diagnostics.CodeAnalysis.ExcludeFromCodeCoverageAttribute"};
    struct str item;
    while (!import->failed && import_split(&item, &list)) {
        struct str from = from_of(import, name, item);
        bool is_needless = false;
        for (size_t i = 0; i < ARRAY_LEN(always); i++)
            is_needless = is_needless || str_is(item, always[i]);
        if (is_needless)
            import_drop(import, from, "not needed: ilcov always leaves it out", STR(""));
        else
            import_add(import, "excludeAttribute", IMPORT_LIST, item, from, NULL);
    }
}

static void take_formats(struct import *import, const char *name, struct str list)
{
    static const char *const same[] = {"cobertura", "lcov", "opencover", "teamcity"};
    struct str item;
    while (!import->failed && import_split(&item, &list)) {
        struct str from = from_of(import, name, item);
        bool is_same = false;
        for (size_t i = 0; i < ARRAY_LEN(same); i++)
            if (str_eq_nocase(item, str_of(same[i]))) {
                import_add(import, "format", IMPORT_LIST, str_of(same[i]), from, NULL);
                is_same = true;
            }
        if (!is_same)
            import_drop(import, from,
                        str_eq_nocase(item, STR("json"))
                            ? "this is coverlet's own; ilcov's data file takes its place"
                            : "coverlet has no such format",
                        STR(""));
    }
}

static void take_flag(struct import *import, const char *name, struct str value, const char *key)
{
    import_add(import, key, IMPORT_FLAG, import_is_true(value) ? STR("true") : STR("false"),
               from_of(import, name, value), NULL);
}

/* --- options ---------------------------------------------------------------------------------- */

/* What has no counterpart, and what ilcov does instead. */
static const struct {
    const char *name, *why;
} without[] = {
    {"MergeWith", "'ilcov merge' combines the data files of runs"},
    {"UseSourceLink", "reports have paths below the source root"},
    {"DeterministicReport",
     "not needed: paths of deterministic builds are mapped to the source root; --deterministic "
     "makes equal bytes of equal counts"},
    {"IncludeDirectory", "not needed: ilcov measures what the program loads, from anywhere"},
    {"DoesNotReturnAttribute", "ilcov knows [DoesNotReturn] alone"},
    {"ExcludeAssembliesWithoutSources", "not needed: assemblies of packages are not measured"},
    {"DisableManagedInstrumentationRestore", "not needed: ilcov changes no file"},
    {"CoverletOutput", "name the file in 'format', as in \"cobertura=out/coverage.xml\"; there is "
                       "one for all projects"},
    {"CollectCoverage", "not needed: 'ilcov run' measures"},
};

static const char no_option[] = "it is no option of coverlet";

static bool take_option(struct import *import, const char *name, struct str value)
{
    if (strcmp(name, "Include") == 0)
        take_patterns(import, name, value, "include", import_filter);
    else if (strcmp(name, "Exclude") == 0)
        take_patterns(import, name, value, "exclude", import_filter);
    else if (strcmp(name, "ExcludeByFile") == 0)
        take_patterns(import, name, value, "excludeFiles", import_glob);
    else if (strcmp(name, "ExcludeByAttribute") == 0)
        take_attributes(import, name, value);
    else if (strcmp(name, "IncludeTestAssembly") == 0)
        take_flag(import, name, value, "includeTests");
    else if (strcmp(name, "SkipAutoProps") == 0)
        take_flag(import, name, value, "excludeAutoProperties");
    else if (strcmp(name, "SingleHit") == 0)
        import_add(import, "mode", IMPORT_TEXT, import_is_true(value) ? STR("hit") : STR("count"),
                   from_of(import, name, value), NULL);
    else
        return false;
    return true;
}

static bool drop_option(struct import *import, const char *name, struct str value)
{
    for (size_t i = 0; i < ARRAY_LEN(without); i++)
        if (strcmp(name, without[i].name) == 0) {
            import_drop(import, from_of(import, name, value), without[i].why, STR(""));
            return true;
        }
    return false;
}

void import_coverlet(struct import *import, const xmlNode *configuration)
{
    const xmlNode *node = NULL;
    while ((node = import_next(configuration, node)) != NULL) {
        const char *name = (const char *)node->name;
        struct str value = import_content(import, node);
        if (value.len == 0)
            continue;
        if (strcmp(name, "Format") == 0)
            take_formats(import, name, value);
        else if (!take_option(import, name, value) && !drop_option(import, name, value))
            import_drop(import, from_of(import, name, value), no_option, STR(""));
    }
}

/* --- properties of projects ------------------------------------------------------------------- */

/* MSBuild's escape of a comma. */
static struct str unescape(struct import *import, struct str value)
{
    struct text text;
    struct str out = value;
    text_open(&text, import->arena);
    for (size_t i = 0; i < value.len; i++) {
        struct str rest = {value.text + i, value.len - i < 3 ? value.len - i : 3};
        bool is_comma = str_eq_nocase(rest, STR("%2c"));
        text_add(&text, is_comma ? STR(",") : (struct str){rest.text, 1});
        i += is_comma ? 2 : 0;
    }
    if (!text_take(&out, &text, import->err))
        import->failed = true;
    return out;
}

static bool is_threshold(const char *name)
{
    return strncmp(name, "Threshold", strlen("Threshold")) == 0;
}

/* Kept as settings until all groups are read: they are about each other. */
static bool take_property(struct import *import, const char *name, struct str value)
{
    if (strcmp(name, "CoverletOutputFormat") == 0)
        take_formats(import, name, value);
    else if (strcmp(name, "Threshold") == 0)
        import_add(import, "Threshold", IMPORT_TEXT, value, value, NULL);
    else if (strcmp(name, "ThresholdType") == 0)
        import_add(import, "ThresholdType", IMPORT_TEXT, value, value, NULL);
    else if (strcmp(name, "ThresholdStat") == 0)
        import_add(import, "ThresholdStat", IMPORT_TEXT, value, value, NULL);
    else
        return take_option(import, name, value) || drop_option(import, name, value);
    return true;
}

static bool is_property(const char *name)
{
    static const char *const names[] = {"Include",
                                        "Exclude",
                                        "ExcludeByFile",
                                        "SkipAutoProps",
                                        "SingleHit",
                                        "ExcludeByAttribute",
                                        "MergeWith",
                                        "UseSourceLink",
                                        "IncludeTestAssembly",
                                        "CollectCoverage",
                                        "DeterministicReport",
                                        "IncludeDirectory",
                                        "DoesNotReturnAttribute",
                                        "ExcludeAssembliesWithoutSources"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return is_threshold(name) || strncmp(name, "Coverlet", strlen("Coverlet")) == 0;
}

static bool has_condition(const xmlNode *node)
{
    return xmlHasProp(node, (const xmlChar *)"Condition") != NULL;
}

static bool is_from(struct str from, const char *name)
{
    return str_take(&from, name) && str_starts(from, ": ");
}

/* A property that is set again has its last value. */
static void forget(struct import *import, const char *name)
{
    struct import_setting *items = import->settings.items;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < import->settings.count; i++) {
        struct import_value *values = items[i].values.items;
        uint32_t left = 0;
        for (uint32_t j = 0; j < items[i].values.count; j++)
            if (!is_from(values[j].from, name))
                values[left++] = values[j];
        items[i].values.count = left;
        if (left != 0)
            items[kept++] = items[i];
    }
    import->settings.count = kept;
}

bool import_properties(struct import *import, const xmlNode *group)
{
    const xmlNode *node = NULL;
    bool any = false;
    while ((node = import_next(group, node)) != NULL) {
        const char *name = (const char *)node->name;
        struct str value = unescape(import, import_content(import, node));
        any = any || is_property(name);
        if (value.len == 0 || import->failed)
            continue;
        if (!is_property(name))
            continue;
        if (strstr(value.text, "$(") != NULL)
            import_drop(import, from_of(import, name, value), "only MSBuild knows its value",
                        STR(""));
        else if (has_condition(node) || has_condition(group))
            import_drop(import, from_of(import, name, value),
                        "it has a condition, which only MSBuild knows", STR(""));
        else {
            forget(import, name);
            if (!take_property(import, name, value))
                import_drop(import, from_of(import, name, value), no_option, STR(""));
        }
    }
    return any;
}

/* --- thresholds ------------------------------------------------------------------------------- */

/* Takes a setting out that is none of ilcov's. */
static struct str pull(struct import *import, const char *key, struct str usual)
{
    struct import_setting *items = import->settings.items;
    for (uint32_t i = 0; i < import->settings.count; i++) {
        if (strcmp(items[i].key, key) != 0)
            continue;
        struct str value = ((const struct import_value *)items[i].values.items)->value;
        import->settings.count--;
        memmove(&items[i], &items[i + 1], (import->settings.count - i) * sizeof *items);
        return value;
    }
    return usual;
}

static bool is_metric(struct str type)
{
    return str_eq_nocase(type, STR("line")) || str_eq_nocase(type, STR("branch")) ||
           str_eq_nocase(type, STR("method"));
}

static bool is_number(struct str value)
{
    for (size_t i = 0; i < value.len; i++)
        if (!ascii_is_digit(value.text[i]) && value.text[i] != '.')
            return false;
    return value.len != 0;
}

static struct str lower(struct import *import, struct str word)
{
    struct str out = import_text(import, "%.*s", STR_ARGS(word));
    for (size_t i = 0; i < out.len && !import->failed; i++)
        ((char *)(uintptr_t)out.text)[i] = ascii_lower(out.text[i]);
    return out;
}

/* "80" is for all types; of "80,70" each is for one. */
static void add_gates(struct import *import, struct str threshold, struct str types,
                      const char *scope, struct str from)
{
    bool is_list = memchr(threshold.text, ',', threshold.len) != NULL;
    struct str type, value = threshold;
    while (!import->failed && import_split(&type, &types)) {
        if (!is_metric(type))
            continue;
        if (is_list && !import_split(&value, &threshold))
            return;
        if (!is_number(value))
            import_drop(import, from, "coverlet expects numbers", STR(""));
        else
            import_add(import, "gate", IMPORT_LIST,
                       import_text(import, "%s%.*s>=%.*s", scope, STR_ARGS(lower(import, type)),
                                   STR_ARGS(value)),
                       from, NULL);
    }
}

void import_properties_end(struct import *import)
{
    struct str threshold = pull(import, "Threshold", STR(""));
    struct str types = pull(import, "ThresholdType", STR("line,branch,method"));
    struct str stat = pull(import, "ThresholdStat", STR("minimum"));
    if (threshold.len == 0 || str_is(threshold, "0"))
        return;
    struct str from = import_text(import,
                                  "Threshold: %.*s, ThresholdType: %.*s, ThresholdStat: "
                                  "%.*s",
                                  STR_ARGS(threshold), STR_ARGS(types), STR_ARGS(stat));
    if (str_eq_nocase(stat, STR("average")))
        import_drop(import, from, "gates are about all code or each assembly, not their average",
                    STR(""));
    else
        add_gates(import, threshold, types, str_eq_nocase(stat, STR("total")) ? "" : "[*]", from);
}

#include "cli/options/import.h"

#include <libxml/tree.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include "cli/options/setting_key.h"
#include "cli/options/xml_document.h"
#include "reporters/json_writer.h"
#include "reporters/legible.h"
#include "system/file.h"

/* --- what is found ---------------------------------------------------------------------------- */

struct str import_text(struct import *import, const char *format, ...)
{
    char *text = NULL;
    va_list args;
    va_start(args, format);
    int len = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (len >= 0 && !import->failed)
        text = arena_alloc(import->arena, (size_t)len + 1, 1, import->err);
    import->failed = text == NULL;
    if (text == NULL)
        return STR("");
    va_start(args, format);
    (void)vsnprintf(text, (size_t)len + 1, format, args);
    va_end(args);
    return (struct str){text, (size_t)len};
}

/* A new item before the one at `at`. */
static void insert_item(struct import *import, struct list *list, uint32_t at,
                        struct import_item item)
{
    struct import_item *added =
        import->failed ? NULL : list_add(list, sizeof *added, import->arena, import->err);
    struct import_item *items = list->items;
    import->failed = added == NULL;
    if (added == NULL)
        return;
    memmove(&items[at + 1], &items[at], (list->count - 1 - at) * sizeof *items);
    items[at] = item;
}

void import_drop(struct import *import, const char *why)
{
    insert_item(import, &import->rest, import->rest.count,
                (struct import_item){.from = import->from, .why = why});
}

/* Why the option refuses the value; NULL: it takes it. */
static const char *refusal_of(struct import *import, const struct option_row *row,
                              const char *value)
{
    _Alignas(max_align_t) uint8_t field[4096] = {0}; /* a group's struct has a few hundred bytes */
    const struct option_context context = {.name = row->name, .arena = import->arena, .room = 1};
    struct err err = {0};
    if (import->failed || row->argument == NULL || row->take(field, value, &context, &err))
        return NULL;
    if (err.code == ERR_MEMORY || err.code == ERR_LIMIT)
        import->failed = !err_set(import->err, err.code, "%s", err.text);
    return import_text(import, "%s", err.text).text;
}

void import_add(struct import *import, struct str value)
{
    struct import_item item = {setting_option(import->verbs, NULL, import->key), import->key,
                               import->from, import_text(import, "%.*s", STR_ARGS(value)), NULL};
    struct import_item *items = import->settings.items;
    uint32_t at = import->settings.count;
    const char *why = refusal_of(import, item.row, item.value.text);
    for (uint32_t i = 0; why == NULL && i < import->settings.count; i++) {
        if (items[i].row != item.row)
            continue;
        at = i + 1;
        if (!item.row->repeats)
            items[i] = item;
        if (str_eq(items[i].value, item.value))
            return;
    }
    if (why != NULL)
        import_drop(import, why);
    else
        insert_item(import, &import->settings, at, item);
}

/* --- the settings of the tools ---------------------------------------------------------------- */

static void take_flag(struct import *import, struct str value)
{
    import_add(import, str_eq_nocase(value, STR("true")) ? STR("true") : STR("false"));
}

static void take_single_hit(struct import *import, struct str value)
{
    import_add(import, str_eq_nocase(value, STR("true")) ? STR("hit") : STR("count"));
}

static void take_import_format(struct import *import, struct str value)
{
    static const char *const same[] = {"cobertura", "lcov", "opencover", "teamcity"};
    for (size_t i = 0; i < ARRAY_LEN(same); i++)
        if (str_eq_nocase(value, str_of(same[i]))) {
            import_add(import, str_of(same[i]));
            return;
        }
    import_drop(import, "ilcov does not write this format; its own data file takes its place");
}

enum {
    COVERLET = 1 << 0,  /* its collector, in a .runsettings file */
    PROPERTY = 1 << 1,  /* coverlet's MSBuild properties */
    MICROSOFT = 1 << 2, /* its collector; ModulePaths/Include are the items of a list */
    COMMAS = 1 << 3,    /* several values, with commas between them */
    BOTH = COVERLET | PROPERTY,
    COLLECTOR = COVERLET | MICROSOFT,
    ALL = BOTH | MICROSOFT,
};

/* Without a `take` there is no counterpart, and `text` says what takes its place. The first row
 * that fits counts. Sources: coverlet's Documentation, VSTestIntegration.md, MSBuildIntegration.md;
 * the page on configuration in github.com/microsoft/codecoverage. */
/* clang-format off */
static const struct import_row {
    const char *name; /* `*` is any text */
    unsigned tools;
    import_taker *take;
    const char *text; /* the key of ilcov's setting */
} import_rows[] = {
    {"Include",                         BOTH | COMMAS,     import_take_filter,     "include"},
    {"Exclude",                         BOTH | COMMAS,     import_take_filter,     "exclude"},
    {"ExcludeByFile",                   BOTH | COMMAS,     import_take_glob,       "excludeFiles"},
    {"ExcludeByAttribute",              BOTH | COMMAS,     import_add,             "excludeAttribute"},
    {"ModulePaths/Include",             MICROSOFT,         import_take_modules,    "include"},
    {"ModulePaths/Exclude",             MICROSOFT,         import_take_modules,    "exclude"},
    {"Sources/Exclude",                 MICROSOFT,         import_take_sources,    "excludeFiles"},
    {"Attributes/Exclude",              MICROSOFT,         import_take_attributes, "excludeAttribute"},
    {"IncludeTestAssembly",             ALL,               take_flag,              "includeTests"},
    {"SkipAutoProps",                   BOTH,              take_flag,              "excludeAutoProperties"},
    {"SkipAutoProperties",              MICROSOFT,         take_flag,              "excludeAutoProperties"},
    {"PerTestCodeCoverage",             MICROSOFT,         take_flag,              "perTest"},
    {"SingleHit",                       BOTH,              take_single_hit,        "mode"},
    {"Format",                          COLLECTOR | COMMAS, take_import_format,           "format"},
    {"CoverletOutputFormat",            PROPERTY | COMMAS, take_import_format,            "format"},
    {"Functions/Exclude",               MICROSOFT, NULL, "ilcov excludes whole types: \"[*]NAMESPACE.TYPE\" in 'exclude'"},
    {"CompanyNames*",                   MICROSOFT, NULL, "not needed: assemblies of packages are not measured"},
    {"PublicKeyTokens*",                MICROSOFT, NULL, "not needed: assemblies of packages are not measured"},
    {"ExcludeAssembliesWithoutSources", ALL,       NULL, "not needed: assemblies of packages are not measured"},
    {"*/Include",                       MICROSOFT, NULL, "ilcov's 'include' names only assemblies and types"},
    {"DeterministicReport",             ALL,       NULL, "not needed: reports have paths below the source root"},
    {"UseSourceLink",                   BOTH,      NULL, "reports have paths below the source root"},
    {"DoesNotReturnAttribute",          ALL,       NULL, "ilcov knows only [DoesNotReturn]"},
    {"IncludeDirectory",                BOTH,      NULL, "not needed: ilcov measures what is loaded, from anywhere"},
    {"MergeWith",                       BOTH,      NULL, "'ilcov merge' combines the data files of runs"},
    {"CollectCoverage",                 PROPERTY,  NULL, "not needed: 'ilcov run' measures"},
    {"CoverletOutput",                  PROPERTY,  NULL, "name the file in 'format': \"cobertura=out/coverage.xml\""},
    {"CoverageFileName",                MICROSOFT, NULL, "name the file in 'format': \"cobertura=out/coverage.xml\""},
    {"CollectFromChildProcesses",       MICROSOFT, NULL, "ilcov always measures child processes"},
    {"SymbolSearchPaths",               MICROSOFT, NULL, "ilcov finds a PDB where the compiler wrote it, or beside its DLL"},
    {"Enable*Native*",                  MICROSOFT, NULL, "ilcov measures .NET code only"},
    {"*",                               COLLECTOR, NULL, "ilcov has no such setting"},
};
/* clang-format on */

/* Takes off the next of several values. */
static struct str take_list_value(struct str *values, char separator)
{
    return str_trim(str_take_until(values, separator), " \t\r\n");
}

static void take_row(struct import *import, const struct import_row *row, const char *name,
                     struct str values)
{
    while (values.len != 0 && !import->failed) {
        struct str value = take_list_value(&values, (row->tools & COMMAS) != 0 ? ',' : '\0');
        import->key = row->text;
        import->from = import_text(import, "%s: %.*s", name, STR_ARGS(value));
        if (value.len != 0 && row->take != NULL)
            row->take(import, value);
        else if (value.len != 0)
            import_drop(import, row->text);
    }
}

/* --- collectors ------------------------------------------------------------------------------- */

static const char *name_of_element(const xmlNode *node)
{
    return (const char *)node->name;
}

static struct str content_of(struct import *import, const xmlNode *node)
{
    xmlChar *content = xmlNodeGetContent(node);
    struct str text = import_text(import, "%s", content != NULL ? (const char *)content : "");
    xmlFree(content);
    return str_trim(text, " \t\r\n");
}

static xmlNode *child_of(xmlNode *parent, const char *name)
{
    xmlNode *node = parent != NULL ? xmlFirstElementChild(parent) : NULL;
    while (node != NULL && strcmp(name_of_element(node), name) != 0)
        node = xmlNextElementSibling(node);
    return node;
}

/* `list`: the names of the elements around these, or NULL. */
static void read_settings(struct import *import, unsigned tool, xmlNode *parent, const char *list)
{
    for (xmlNode *node = xmlFirstElementChild(parent); node != NULL;
         node = xmlNextElementSibling(node)) {
        const char *name = list != NULL ? list : name_of_element(node);
        const struct import_row *row = import_rows;
        if (strcmp(name, "CodeCoverage") == 0) {
            read_settings(import, tool, node, NULL);
        } else if (xmlFirstElementChild(node) != NULL) {
            name = list != NULL ? import_text(import, "%s/%s", list, name_of_element(node)).text
                                : name;
            read_settings(import, tool, node, name);
        } else {
            while ((row->tools & tool) == 0 || !str_glob(str_of(row->name), str_of(name)))
                row++;
            take_row(import, row, name, content_of(import, node));
        }
    }
}

/* What holds whatever is set. The attributes were tried with Microsoft.CodeCoverage 17.14. */
static void read_microsoft(struct import *import, xmlNode *configuration)
{
    import->from = STR("the collector's default");
    import->key = "includeTests";
    import_add(import, STR("true"));
    import->key = "excludeAttribute";
    import_add(import, STR("System.Diagnostics.DebuggerHiddenAttribute"));
    import_add(import, STR("System.Diagnostics.DebuggerNonUserCodeAttribute"));
    read_settings(import, MICROSOFT, configuration, NULL);
}

/* False: none is of these tools. Names of collectors are compared without regard to case. */
static bool read_collectors(struct import *import, xmlNode *root)
{
    xmlNode *all = child_of(child_of(root, "DataCollectionRunSettings"), "DataCollectors");
    xmlNode *node = all != NULL ? xmlFirstElementChild(all) : NULL;
    bool any = false;
    for (; node != NULL; node = xmlNextElementSibling(node)) {
        xmlNode *configuration = child_of(node, "Configuration");
        xmlChar *name = xmlGetProp(node, (const xmlChar *)"friendlyName");
        struct str collector = str_of(name != NULL ? (const char *)name : "");
        bool coverlet = str_eq_nocase(collector, STR("XPlat Code Coverage"));
        bool microsoft = str_eq_nocase(collector, STR("Code Coverage"));
        xmlFree(name);
        any = any || coverlet || microsoft;
        if (configuration != NULL && coverlet)
            read_settings(import, COVERLET, configuration, NULL);
        else if (configuration != NULL && microsoft)
            read_microsoft(import, configuration);
    }
    return any;
}

/* --- projects and files ----------------------------------------------------------------------- */

/* The last value of a property, or `usual`. Those that only MSBuild knows are named. */
static struct str read_property(struct import *import, xmlNode *root, const char *name,
                                struct str usual, bool *any)
{
    static const xmlChar condition[] = "Condition";
    struct str last = usual;
    xmlNode *group = xmlFirstElementChild(root);
    for (; group != NULL; group = xmlNextElementSibling(group)) {
        xmlNode *node = strcmp(name_of_element(group), "PropertyGroup") == 0
                            ? xmlFirstElementChild(group)
                            : NULL;
        for (; node != NULL; node = xmlNextElementSibling(node)) {
            if (strcmp(name_of_element(node), name) != 0)
                continue;
            struct str value = content_of(import, node);
            *any = true;
            import->from = import_text(import, "%s: %.*s", name, STR_ARGS(value));
            if (xmlHasProp(group, condition) != NULL || xmlHasProp(node, condition) != NULL ||
                strpbrk(value.text, "$%") != NULL)
                import_drop(import, "only MSBuild can evaluate its condition, $(...) or %-escape");
            else
                last = value;
        }
    }
    return last;
}

/* "80" is for all types; of "80,70" each is for one. */
static void add_gates(struct import *import, struct str values, struct str types, const char *scope)
{
    static const char *const metrics[] = {"line", "branch", "method"};
    bool is_list = memchr(values.text, ',', values.len) != NULL;
    while (types.len != 0 && values.len != 0) {
        struct str type = take_list_value(&types, ','),
                   value = is_list ? take_list_value(&values, ',') : values;
        for (size_t i = 0; i < ARRAY_LEN(metrics); i++)
            if (str_eq_nocase(type, str_of(metrics[i])))
                import_add(import,
                           import_text(import, "%s%s>=%.*s", scope, metrics[i], STR_ARGS(value)));
    }
}

static void read_thresholds(struct import *import, xmlNode *root, bool *any)
{
    struct str values = read_property(import, root, "Threshold", STR("0"), any);
    struct str types = read_property(import, root, "ThresholdType", STR("line,branch,method"), any);
    struct str stat = read_property(import, root, "ThresholdStat", STR("minimum"), any);
    import->key = "gate";
    import->from = import_text(import, "Threshold: %.*s, ThresholdType: %.*s, ThresholdStat: %.*s",
                               STR_ARGS(values), STR_ARGS(types), STR_ARGS(stat));
    if (values.len == 0 || str_is(values, "0"))
        return;
    if (str_eq_nocase(stat, STR("average")))
        import_drop(import, "gates are about all code or each assembly, not their average");
    else
        add_gates(import, values, types, str_eq_nocase(stat, STR("total")) ? "" : "[*]");
}

/* False: none of the properties is coverlet's. */
static bool read_project(struct import *import, xmlNode *root)
{
    bool any = false;
    for (size_t i = 0; i < ARRAY_LEN(import_rows); i++) {
        const struct import_row *row = &import_rows[i];
        if ((row->tools & PROPERTY) != 0)
            take_row(import, row, row->name, read_property(import, root, row->name, STR(""), &any));
    }
    read_thresholds(import, root, &any);
    return any;
}

static bool read_import_root(struct import *import, xmlNode *root)
{
    const char *name = root != NULL ? name_of_element(root) : "";
    bool is_microsoft = strcmp(name, "Configuration") == 0;
    if (is_microsoft)
        read_microsoft(import, root);
    return is_microsoft || (strcmp(name, "RunSettings") == 0 && read_collectors(import, root)) ||
           (strcmp(name, "Project") == 0 && read_project(import, root));
}

bool import_parse(struct import *out, struct view bytes, const char *path,
                  const struct verb *const *verbs, struct arena *arena, struct err *err)
{
    *out = (struct import){.path = path, .verbs = verbs, .arena = arena, .err = err};
    xmlDoc *document = xml_document_read(bytes, path, err);
    if (document == NULL)
        return false;
    bool fine =
        read_import_root(out, xmlDocGetRootElement(document)) ||
        err_set(err, ERR_FORMAT, "%s has no settings of coverlet or Microsoft's collector", path);
    xmlFreeDoc(document);
    return fine && !out->failed;
}

bool import_read(struct import *out, const char *path, const struct verb *const *verbs,
                 struct arena *arena, struct err *err)
{
    struct view bytes;
    if (!file_bytes_read(&bytes, path, err)) {
        err_prefix(err, "%s", path);
        return false;
    }
    bool fine = import_parse(out, bytes, path, verbs, arena, err);
    file_bytes_release(&bytes);
    return fine;
}

/* --- what is written -------------------------------------------------------------------------- */

/* A comment ends with its line, so nothing in it may end the line. */
static void print_value(FILE *out, const struct import_item *item, bool has_comma)
{
    if (item->row->argument != NULL)
        json_put_string(out, item->value);
    else
        (void)fprintf(out, "%.*s", STR_ARGS(item->value));
    (void)fputs(has_comma ? ", // " : " // ", out);
    legible_put(out, item->from);
    (void)fputc('\n', out);
}

static void print_settings(FILE *out, const struct import_item *items, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        bool is_list = items[i].row->repeats, is_end = i + 1 == count;
        bool is_last = is_end || items[i + 1].row != items[i].row;
        if (i == 0 || items[i - 1].row != items[i].row)
            (void)fprintf(out, "    \"%s\": %s", items[i].key, is_list ? "[\n" : "");
        (void)fputs(is_list ? "        " : "", out);
        print_value(out, &items[i], is_list ? !is_last : !is_end);
        if (is_list && is_last)
            (void)fputs(is_end ? "    ]\n" : "    ],\n", out);
    }
}

void import_print(FILE *out, const struct import *import)
{
    const struct import_item *rest = import->rest.items;
    (void)fputs("// made by 'ilcov config --from ", out);
    legible_put(out, str_of(import->path));
    (void)fputs("'\n// ilcov leaves generated code out, which other tools count: "
                "\"includeGenerated\": true\n{\n",
                out);
    print_settings(out, import->settings.items, import->settings.count);
    if (import->rest.count != 0)
        (void)fputs("\n    // What has no counterpart:\n", out);
    for (uint32_t i = 0; i < import->rest.count; i++) {
        (void)fputs("    // ", out);
        legible_put(out, rest[i].from);
        (void)fprintf(out, "\n    //     %s\n", rest[i].why);
    }
    (void)fputs("}\n", out);
}

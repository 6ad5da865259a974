#include "cli/outcome/unmatched.h"

#include "cli/base/say.h"
#include "coverage/source/paths.h"
#include "scope/pattern.h"

/* --- patterns --------------------------------------------------------------------------------- */

struct matches {
    bool assembly, type;
};

/* The methods of a module that was skipped are not known: any type may be among them. */
static bool matches_type(const struct pattern *pattern, const struct fact_module *module)
{
    if (pattern_is_whole_assembly(pattern) || module->method_count == 0)
        return true;
    for (uint32_t i = 0; i < module->method_count; i++)
        if (pattern_matches_type(pattern, module->name, module->methods[i].type))
            return true;
    return false;
}

static struct matches find_matches(const struct pattern *pattern, const struct facts *facts)
{
    struct matches found = {false, false};
    for (uint32_t i = 0; i < facts->module_count && !found.type; i++) {
        if (!pattern_matches_assembly(pattern, facts->modules[i].name))
            continue;
        found.assembly = true;
        found.type = matches_type(pattern, &facts->modules[i]);
    }
    return found;
}

/* "Lib" of "Lib.dll"; else empty. */
static struct str without_extension(struct str assembly)
{
    struct str name = {assembly.text, assembly.len > 4 ? assembly.len - 4 : 0};
    struct str end = {assembly.text + name.len, assembly.len - name.len};
    return str_eq_nocase(end, STR(".dll")) || str_eq_nocase(end, STR(".exe")) ? name
                                                                              : (struct str){"", 0};
}

void unmatched_patterns_say(const char *option, const struct str *patterns, uint32_t count,
                            const struct facts *facts)
{
    for (uint32_t i = 0; i < count; i++) {
        struct pattern pattern;
        if (!pattern_parse(&pattern, patterns[i], NULL))
            continue;
        struct matches found = find_matches(&pattern, facts);
        struct str name = without_extension(pattern.assembly);
        if (found.type)
            continue;
        if (found.assembly)
            say("%s '%.*s' matches no type: the assembly has none of that name", option,
                STR_ARGS(patterns[i]));
        else if (name.len != 0)
            say("%s '%.*s' matches nothing: an assembly's name has no extension, as in %s '%.*s'",
                option, STR_ARGS(patterns[i]), option, STR_ARGS(name));
        else
            say("%s '%.*s' matches nothing: no assembly of that name was loaded", option,
                STR_ARGS(patterns[i]));
    }
}

/* --- files ------------------------------------------------------------------------------------ */

static bool matches_file(struct str glob, const struct facts *facts)
{
    for (uint32_t m = 0; m < facts->module_count; m++)
        for (uint32_t d = 0; d < facts->modules[m].document_count; d++) {
            struct str path = facts->modules[m].documents[d].relative;
            if (path.len != 0 && paths_match(glob, path))
                return true;
        }
    return false;
}

void unmatched_files_say(const struct option_list *globs, const struct facts *facts)
{
    for (uint32_t i = 0; i < globs->count; i++)
        if (!matches_file(globs->items[i], facts))
            say("--exclude-files '%.*s' matches nothing: no measured source has such a path below "
                "the root",
                STR_ARGS(globs->items[i]));
}

/* --- maps ------------------------------------------------------------------------------------- */

void unmatched_maps_say(const struct path_maps *maps)
{
    for (uint32_t i = 0; i < maps->count; i++)
        if (!maps->items[i].is_used)
            say("--map '%.*s' matches nothing: no measured source has a path below %.*s%s",
                STR_ARGS(maps->items[i].text), STR_ARGS(maps->items[i].from),
                maps->items[i].from.len != 0 ? "" : "/");
}

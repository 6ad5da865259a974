#include "cli/publish/left_out.h"

#include "cli/options/say.h"
#include "coverage/collect/excluded_by_attribute.h"
#include "coverage/source/paths.h"
#include "scope/pattern.h"

bool generated_counts(const struct filter_options *filter, const struct facts *facts)
{
    return filter->include_generated.is_given ? filter->include_generated.yes
                                              : facts->counts_generated;
}

bool report_filter(struct report_options *out, const struct filter_options *filter,
                   const struct facts *facts, struct arena *arena, struct err *err)
{
    struct pattern *exclude = NULL;
    if (!pattern_parse_all(&exclude, filter->exclude.items, filter->exclude.count, arena, err))
        return false;
    out->exclude = exclude;
    out->exclude_count = filter->exclude.count;
    out->exclude_files = filter->exclude_files.items;
    out->exclude_file_count = filter->exclude_files.count;
    out->include_generated = generated_counts(filter, facts);
    out->inlined_missed = filter->inlined_missed;
    return true;
}

void generated_line_say(struct report_left_out left_out)
{
    char lines[GROUPED_ROOM], files[GROUPED_ROOM];
    bool one = left_out.line_count == 1;
    if (left_out.line_count != 0)
        say("%s %s in %s %s %s generated code, and not counted; --include-generated counts %s",
            grouped(lines, left_out.line_count), plural(left_out.line_count, "line", "lines"),
            grouped(files, left_out.file_count), plural(left_out.file_count, "file", "files"),
            one ? "is" : "are", one ? "it" : "them");
}

/* --- patterns --------------------------------------------------------------------------------- */

struct pattern_matches {
    bool assembly, type;
    bool skipped; /* an assembly whose types are not known */
};

static bool matches_type(const struct pattern *pattern, const struct fact_module *module)
{
    if (pattern_is_whole_assembly(pattern))
        return true;
    for (uint32_t i = 0; i < module->method_count; i++)
        if (pattern_matches_type(pattern, module->name, module->methods[i].type))
            return true;
    return false;
}

static void find_matches(struct pattern_matches *found, const struct pattern *pattern,
                         const struct facts *facts)
{
    for (uint32_t i = 0; facts != NULL && i < facts->module_count && !found->type; i++) {
        const struct fact_module *module = &facts->modules[i];
        if (!pattern_matches_assembly(pattern, module->name))
            continue;
        found->type = matches_type(pattern, module);
        if (module->method_count == 0)
            found->skipped = true;
        else
            found->assembly = true;
    }
}

/* "Lib" of "Lib.dll"; else empty. */
static struct str without_extension(struct str assembly)
{
    struct str name = {assembly.text, assembly.len > 4 ? assembly.len - 4 : 0};
    struct str end = {assembly.text + name.len, assembly.len - name.len};
    return str_eq_nocase(end, STR(".dll")) || str_eq_nocase(end, STR(".exe")) ? name
                                                                              : (struct str){"", 0};
}

/* The types of an assembly that was skipped are not known: any may be among them. `base` may be
 * NULL. */
static void say_patterns(const char *option, const struct str *patterns, uint32_t count,
                         const struct facts *facts, const struct facts *base)
{
    for (uint32_t i = 0; i < count; i++) {
        struct pattern pattern;
        struct pattern_matches found = {.type = false};
        if (!pattern_parse(&pattern, patterns[i], NULL))
            continue;
        find_matches(&found, &pattern, facts);
        find_matches(&found, &pattern, base);
        struct str name = without_extension(pattern.assembly);
        if (found.type || (found.skipped && !found.assembly))
            continue;
        if (found.assembly)
            say("%s '%.*s' matches no type: no measured type has that name", option,
                STR_ARGS(patterns[i]));
        else if (name.len != 0)
            say("%s '%.*s' matches nothing: an assembly's name has no extension, as in %s '%.*s'",
                option, STR_ARGS(patterns[i]), option, STR_ARGS(name));
        else
            say("%s '%.*s' matches nothing: no assembly of that name was loaded", option,
                STR_ARGS(patterns[i]));
    }
}

void unmatched_includes_say(const struct str *patterns, uint32_t count, const struct facts *facts)
{
    say_patterns("-i", patterns, count, facts, NULL);
}

/* --- attributes ------------------------------------------------------------------------------- */

static bool is_attribute(const struct reason *reason, struct str name)
{
    return reason_is(reason, REASON_ATTRIBUTE) && str_eq(reason->subject, name);
}

static bool excludes_any(struct str name, const struct fact_module *module)
{
    for (uint32_t i = 0; i < module->method_count; i++)
        if (is_attribute(module->methods[i].reason, name))
            return true;
    for (uint32_t i = 0; i < module->statement_count; i++)
        if (is_attribute(module->statements[i].reason, name))
            return true;
    return false;
}

void unmatched_attributes_say(const struct option_list *names, const struct facts *facts)
{
    for (uint32_t i = 0; i < names->count; i++) {
        struct str name = exclusions_attribute(names->items[i]);
        bool found = str_is(name, "ExcludeFromCodeCoverage"); /* which needs no option */
        for (uint32_t m = 0; m < facts->module_count && !found; m++)
            found = excludes_any(name, &facts->modules[m]);
        if (!found)
            say("--exclude-attribute '%.*s' excludes nothing: no measured code has such an "
                "attribute",
                STR_ARGS(names->items[i]));
    }
}

/* --- -x and --exclude-files ------------------------------------------------------------------- */

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

void unmatched_filter_say(const struct filter_options *filter, const struct facts *facts,
                          const struct facts *base)
{
    const struct option_list *globs = &filter->exclude_files;
    say_patterns("-x", filter->exclude.items, filter->exclude.count, facts, base);
    for (uint32_t i = 0; i < globs->count; i++)
        if (!matches_file(globs->items[i], facts) &&
            (base == NULL || !matches_file(globs->items[i], base)))
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

#include "cli/outcome/outside_line.h"

#include "cli/base/say.h"
#include "cli/outcome/generated_line.h"
#include "coverage/report/outside.h"
#include "system/file_status.h"

static bool is_changed(const struct outside_module *module)
{
    return reason_is(module->reason, REASON_CHANGED);
}

static bool is_pardoned(const struct outside_module *module, const char *given_root)
{
    return reason_is(module->reason, REASON_OUTSIDE_GIVEN_ROOT) ||
           (given_root != NULL && !is_changed(module));
}

/* Which module the line is about: rather one that stops gates, then one that ran, then one that is
 * missing as a whole. */
static int weight(const struct outside_module *module, const char *given_root)
{
    return (is_pardoned(module, given_root) ? 0 : 4) + (module->ran ? 2 : 0) +
           (module->outside_count == module->source_count ? 1 : 0);
}

static const struct outside_module *choose(const struct outside *outside, const char *given_root)
{
    const struct outside_module *chosen = &outside->modules[0];
    for (uint32_t i = 1; i < outside->count; i++)
        if (weight(&outside->modules[i], given_root) > weight(chosen, given_root))
            chosen = &outside->modules[i];
    return chosen;
}

/* "Lib ran, but its sources are", "App ran, but 1 of its 3 sources is" */
static void add_subject(struct text *line, const struct outside_module *module)
{
    text_addf(line, "%.*s %s, %s ", STR_ARGS(module->name),
              module->ran ? "ran" : "was never loaded", module->ran ? "but" : "and");
    if (module->outside_count < module->source_count)
        text_addf(line, "%u of its %u sources %s", module->outside_count, module->source_count,
                  plural(module->outside_count, "is", "are"));
    else
        text_add_c(line, "its sources are");
}

static void add_others(struct text *line, const struct outside *outside,
                       const struct outside_module *first)
{
    const struct outside_module *other = &outside->modules[first == outside->modules ? 1 : 0];
    if (outside->count == 2)
        text_addf(line, ", and so are sources of %.*s", STR_ARGS(other->name));
    else if (outside->count > 2)
        text_addf(line, ", and so are sources of %.*s and %u more", STR_ARGS(other->name),
                  outside->count - 2);
}

static void add_place(struct text *line, const struct outside_module *first, struct str root)
{
    if (is_changed(first))
        text_addf(line, " not as compiled (%.*s)", STR_ARGS(first->first));
    else
        text_addf(line, " outside the root %.*s (%.*s)", STR_ARGS(root), STR_ARGS(first->first));
}

/* A source that was compiled on this machine, where it still is. */
static bool is_here(struct str path, struct arena *arena)
{
    struct str copy;
    return str_copy(&copy, path, arena, NULL) && file_exists(copy.text);
}

static void add_advice(struct text *line, const struct outside_module *first, bool has_gates)
{
    if (is_changed(first))
        text_add_c(line, "; build again");
    else
        text_addf(line, "; %s, -x '[%.*s]*' leaves them out",
                  is_here(first->first, line->arena) ? "-r DIR sets a root that contains them"
                                                     : "--map FROM=TO says where they are here",
                  STR_ARGS(first->name));
    if (has_gates)
        text_add_c(line, "; without them no gate passes");
}

bool outside_line_say(struct outside_line *out, const struct facts *facts,
                      const struct outcome_options *options, struct str root, struct arena *arena,
                      struct err *err)
{
    const char *given_root = options->sources.root;
    struct outside outside;
    struct report_options report = {.exclude_count = 0};
    struct text line;
    struct str text;
    *out = (struct outside_line){.any = false};
    if (!report_filter(&report, &options->filter, facts, arena, err) ||
        !outside_find(&outside, facts, &report, arena, err))
        return false;
    if (outside.count == 0)
        return true;
    const struct outside_module *first = choose(&outside, given_root);
    out->any = true;
    out->stops_gates = !is_pardoned(first, given_root);
    for (uint32_t i = 0; i < facts->run_count && root.len == 0; i++)
        root = facts->runs[i].root;
    text_open(&line, arena);
    add_subject(&line, first);
    add_place(&line, first, root);
    add_others(&line, &outside, first);
    if (out->stops_gates)
        add_advice(&line, first, options->gates.list.count != 0);
    if (!text_take(&text, &line, err))
        return false;
    say("%s", text.text);
    return true;
}

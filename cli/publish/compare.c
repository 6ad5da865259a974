#include "cli/publish/compare.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/bytes.h"
#include "base/list.h"
#include "base/path.h"
#include "cli/options/say.h"
#include "cli/publish/git.h"
#include "cli/publish/left_out.h"
#include "cli/publish/source_root.h"
#include "coverage/diff/diff_build.h"
#include "coverage/diff/patch_reader.h"
#include "coverage/external/external_facts.h"
#include "coverage/external/external_reader.h"
#include "coverage/facts/store.h"
#include "coverage/source/paths.h"
#include "scope/scope.h"
#include "system/file.h"
#include "system/file_status.h"
#include "system/folder.h"
#include "system/terminal.h"

enum {
    PATCH_LIMIT = 1 << 30,
    READ_LEN = 1 << 16
};

/* --- base ------------------------------------------------------------------------------------- */

bool compare_can_read_base(const char *path, struct err *err)
{
    if (file_is_readable(path))
        return true;
    return file_exists(path) ? err_set_errno(err, "%s cannot be read", path)
                             : err_set(err, ERR_IO, "there is no data file or report %s", path);
}

static bool read_base(struct facts *out, const char *path, struct str root,
                      struct progress_line *line, struct arena *arena, struct arena *code,
                      struct err *err)
{
    struct external external;
    struct str losses = STR("");
    const struct progress_hook *progress = progress_line_hook(line);
    bool ok = external_is_file(path) ? external_read_file(&external, path, progress, arena, err) &&
                                           external_losses(&losses, &external, arena, err) &&
                                           external_facts(out, &external, root, arena, err)
                                     : store_read_summed(out, path, progress, arena, code, err);
    progress_line_erase(line);
    if (!ok)
        err_prefix(err, "%s", path);
    else if (losses.len != 0)
        say("%s: %.*s", path, STR_ARGS(losses));
    return ok;
}

/* "3 runs, the last of 2026-11-21 21:34" */
static bool describe_runs(struct str *out, const struct facts *facts, struct arena *arena,
                          struct err *err)
{
    char day[32] = "";
    struct tm parts;
    *out = STR("");
    if (facts->run_count == 0)
        return true;
    const struct fact_run *last = &facts->runs[facts->run_count - 1];
    time_t started = (time_t)last->started;
    if (last->started != 0 && gmtime_r(&started, &parts) != NULL)
        (void)strftime(day, sizeof day, "%Y-%m-%d %H:%M UTC", &parts);
    if (last->kind == RUN_EXTERNAL)
        return text_format(out, arena, err, "%.*s%s%s", STR_ARGS(last->label),
                           day[0] != '\0' ? ", " : "", day);
    return text_format(out, arena, err, "%u %s%s%s", facts->run_count,
                       plural(facts->run_count, "run", "runs"),
                       day[0] == '\0'          ? ""
                       : facts->run_count == 1 ? " of "
                                               : ", the last of ",
                       day);
}

/* --- patch ------------------------------------------------------------------------------------ */

static bool read_patch_stream(struct view *out, int fd, struct arena *arena, struct err *err)
{
    struct writer w = wr_in(arena);
    for (;;) {
        uint8_t *room = w.len < PATCH_LIMIT ? wr_space(&w, READ_LEN) : NULL;
        if (room == NULL)
            return err_set(err, w.failed ? ERR_MEMORY : ERR_LIMIT,
                           w.failed ? "out of memory: the patch is too long"
                                    : "the patch is too long");
        int64_t len = file_read_some(fd, room, READ_LEN);
        if (len < 0)
            return err_set_errno(err, "cannot be read");
        w.len -= (size_t)(READ_LEN - len);
        if (len == 0)
            break;
    }
    *out = (struct view){w.data, w.len};
    return true;
}

static bool read_patch_file(struct view *out, const char *path, struct arena *arena,
                            struct err *err)
{
    if (strcmp(path, "-") == 0)
        return read_patch_stream(out, STREAM_INPUT, arena, err);
    int fd = file_open(path, FILE_READ | FILE_WAITS);
    if (fd < 0)
        return err_set_errno(err, "cannot be opened");
    bool ok = read_patch_stream(out, fd, arena, err);
    (void)file_close(fd);
    return ok;
}

static bool is_patch_file(const char *path)
{
    return strcmp(path, "-") == 0 || (file_exists(path) && !file_is_folder(path));
}

bool compare_can_read_patch(const char *spec, struct str root, struct arena *arena, struct err *err)
{
    bool ok = is_patch_file(spec) ? strcmp(spec, "-") == 0 || file_is_readable(spec) ||
                                        err_set_errno(err, "cannot be opened")
                                  : git_can_diff(root.text, spec, arena, err);
    if (!ok)
        err_prefix(err, "--patch %s", spec);
    return ok;
}

/* HEAD of another clone, or of another work tree, may be another commit than HEAD is here. */
static void say_other_checkout(const char *spec, struct str top)
{
    char here[PATH_ROOM];
    struct err ignored = {0};
    if (!paths_root(here, NULL, &ignored) || !str_is(top, here))
        say("--patch %s: the revisions are looked up in %.*s, where the sources are; -r DIR names "
            "another checkout",
            spec, STR_ARGS(top));
}

bool compare_read_patch(struct patch *out, struct str *name, const char *spec, struct str root,
                        struct arena *arena, struct err *err)
{
    struct view bytes;
    struct git_diff diff;
    if (!is_patch_file(spec)) {
        if (!git_diff(&diff, root.text, spec, arena, err)) {
            err_prefix(err, "--patch %s", spec);
            return false;
        }
        say_other_checkout(spec, diff.top);
        bytes = diff.bytes;
        *name = diff.text;
    } else if (!read_patch_file(&bytes, spec, arena, err)) {
        err_prefix(err, "--patch %s", spec);
        return false;
    } else {
        *name = strcmp(spec, "-") == 0 ? STR("standard input") : str_of(spec);
    }
    if (patch_read(out, bytes, arena, err))
        return true;
    err_prefix(err, "--patch %s", spec);
    return false;
}

/* --- assemblies that are missing -------------------------------------------------------------- */

/* Assemblies that BASE measured, that HEAD knows nothing of, and whose sources are still there:
 * what they covered can't be compared. One that was deleted, renamed or left out on purpose is not
 * missing. */
struct missing_assemblies {
    struct str *names;
    uint32_t count;
    struct str first; /* a source of the first */
};

/* Was it measured or found, or left out on purpose? */
static bool knows_assembly(const struct facts *head, struct str name)
{
    for (uint32_t i = 0; i < head->module_count; i++) {
        const struct fact_module *module = &head->modules[i];
        bool is_chosen = module->reason != NULL &&
                         scope_may_have_contexts((enum reason_code)module->reason->code);
        if ((facts_has_code(module) || is_chosen) && str_eq(module->name, name))
            return true;
    }
    return false;
}

static bool has_source(const struct facts *head, struct str relative)
{
    for (uint32_t m = 0; m < head->module_count; m++)
        for (uint32_t d = 0; d < head->modules[m].document_count; d++)
            if (str_eq(head->modules[m].documents[d].relative, relative))
                return true;
    return false;
}

/* Is it below the root, and in no other assembly now? */
static bool is_still_there(const struct fact_document *document, const struct facts *head,
                           struct str root, const struct option_list *exclude_files)
{
    char path[PATH_ROOM];
    return document->relative.len != 0 && document->reason == NULL && document->generated == NULL &&
           !paths_match_any(exclude_files->items, exclude_files->count, document->relative) &&
           path_join_in(path, root, document->relative) && file_exists(path) &&
           !has_source(head, document->relative);
}

static const struct fact_document *find_source(const struct fact_module *module,
                                               const struct facts *head, struct str root,
                                               const struct option_list *exclude_files)
{
    for (uint32_t i = 0; i < module->statement_count; i++) {
        const struct fact_document *document = &module->documents[module->statements[i].document];
        bool is_same =
            i != 0 && module->statements[i].document == module->statements[i - 1].document;
        if (!is_same && is_still_there(document, head, root, exclude_files))
            return document;
    }
    return NULL;
}

static bool is_excluded_assembly(struct str name, const struct pattern *exclude, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (pattern_is_whole_assembly(&exclude[i]) && pattern_matches_assembly(&exclude[i], name))
            return true;
    return false;
}

/* Builds of one assembly stand together. */
static bool ends_with(const struct list *names, struct str name)
{
    return names->count != 0 && str_eq(((struct str *)names->items)[names->count - 1], name);
}

static bool find_missing(struct missing_assemblies *out, const struct facts *base,
                         const struct facts *head, struct str root, const struct pattern *exclude,
                         const struct filter_options *filter, struct arena *arena, struct err *err)
{
    struct list names = {.items = NULL};
    *out = (struct missing_assemblies){.first = STR("")};
    for (uint32_t i = 0; i < base->module_count; i++) {
        const struct fact_module *module = &base->modules[i];
        if (!facts_has_code(module) || ends_with(&names, module->name) ||
            knows_assembly(head, module->name) ||
            is_excluded_assembly(module->name, exclude, filter->exclude.count))
            continue;
        const struct fact_document *source =
            find_source(module, head, root, &filter->exclude_files);
        if (source == NULL)
            continue;
        if (!list_put(&names, &module->name, sizeof module->name, arena, err))
            return false;
        if (names.count == 1)
            out->first = source->relative;
    }
    out->names = names.items;
    out->count = names.count;
    return true;
}

/* --- both ------------------------------------------------------------------------------------- */

static bool read_sides(struct comparison *out, struct patch *patch,
                       const struct comparison_request *what, struct str root, struct arena *arena,
                       struct arena *code, struct err *err)
{
    const struct publish_options *options = what->options;
    const struct gate_options *gates = &options->gates;
    if (gates->patch != NULL &&
        (!compare_read_patch(patch, &out->patch_name, gates->patch, root, arena, err) ||
         !patch_sources_find(&out->sources, patch, what->head, root, &options->filter, arena, err)))
        return false;
    return gates->base == NULL ||
           (read_base(&out->base, gates->base, root, what->line, arena, code, err) &&
            new_root_apply(&out->base, what->root, false, NULL, arena, err) &&
            path_maps_apply(&options->sources.maps, &out->base, what->root, arena, err) &&
            source_root_given(&out->was_root, gates->base_root, arena, err) &&
            source_root_find(&out->was_root, &out->base, out->was_root, arena, err));
}

static bool note_missing(struct str *note, const struct missing_assemblies *missing,
                         struct arena *arena, struct err *err)
{
    struct str before = *note;
    return missing->count == 0 ||
           text_format(note, arena, err,
                       "%.*s%s%u %s of BASE %s not in HEAD, although sources are still there, so "
                       "their coverage is unknown: %.*s (%.*s)%s",
                       STR_ARGS(before), before.len != 0 ? "; " : "", missing->count,
                       plural(missing->count, "assembly", "assemblies"),
                       plural(missing->count, "is", "are"), STR_ARGS(missing->names[0]),
                       STR_ARGS(missing->first), missing->count > 1 ? " and others" : "");
}

/* `code`: what it gets of BASE is not needed afterwards. */
static bool compare_apart(struct comparison *out, const struct comparison_request *what,
                          struct arena *arena, struct arena *code, struct err *err)
{
    struct patch patch;
    struct str root;
    struct missing_assemblies missing;
    const struct publish_options *options = what->options;
    const struct gate_options *gates = &options->gates;
    struct diff_options diff_options = {.wants_sections = what->wants_sections, .base_code = code};
    struct report_options *report = &diff_options.report;
    bool has_base = gates->base != NULL;
    *out = (struct comparison){.was_root = STR(""), .patch_name = STR("")};
    if (!source_root_find(&root, what->head, what->root, arena, err) ||
        !report_filter(report, &options->filter, what->head, arena, err) ||
        !read_sides(out, &patch, what, root, arena, code, err) ||
        !find_missing(&missing, &out->base, what->head, root, report->exclude, &options->filter,
                      arena, err))
        return false;
    bool by_line = has_base && (external_only(&out->base) || external_only(what->head));
    diff_options.patch = gates->patch != NULL ? &patch : NULL;
    diff_options.head = what->report;
    diff_options.head_options = what->report_options;
    report->root = root;
    report->progress = progress_line_hook(what->line);
    bool ok = diff_build(&out->diff, what->head, has_base ? &out->base : NULL, by_line,
                         &diff_options, arena, err);
    progress_line_erase(what->line);
    if (!ok)
        return false;
    out->diff.head_name = str_of(options->data);
    out->diff.base_name = has_base ? str_of(gates->base) : STR("");
    out->diff.patch_name = out->patch_name;
    out->diff.note = out->sources.note;
    out->diff.missing = missing.names;
    out->diff.missing_count = missing.count;
    out->diff.patch_is_unknown = out->sources.is_unknown;
    out->diff.unmeasured = out->sources.unmeasured;
    out->diff.unmeasured_count = out->sources.unmeasured_count;
    if (by_line && gates->patch == NULL)
        out->diff.note = STR("--patch shows where the lines of BASE are now");
    return note_missing(&out->diff.note, &missing, arena, err) &&
           describe_runs(&out->diff.head_about, what->head, arena, err) &&
           (!has_base || describe_runs(&out->diff.base_about, &out->base, arena, err));
}

bool compare(struct comparison *out, const struct comparison_request *what, struct arena *arena,
             struct err *err)
{
    struct arena code = ARENA_EMPTY;
    bool ok = compare_apart(out, what, arena, &code, err);
    facts_forget_code(&out->base);
    arena_free(&code);
    return ok;
}

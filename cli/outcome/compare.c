#include "cli/outcome/compare.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/bytes.h"
#include "base/list.h"
#include "base/path.h"
#include "cli/base/exit.h"
#include "cli/base/outcome_options.h"
#include "cli/base/say.h"
#include "cli/outcome/generated_line.h"
#include "cli/outcome/git.h"
#include "cli/outcome/missing_assemblies.h"
#include "cli/outcome/new_root.h"
#include "cli/outcome/source_root.h"
#include "coverage/diff/diff_build.h"
#include "coverage/diff/gate_places.h"
#include "coverage/diff/patch_reader.h"
#include "coverage/foreign/foreign_facts.h"
#include "coverage/foreign/foreign_reader.h"
#include "coverage/source/paths.h"
#include "coverage/store/store.h"
#include "system/file/file_exists.h"
#include "system/file/file_name.h"
#include "system/file/file_read.h"
#include "system/file/file_status.h"
#include "system/file/open_file.h"
#include "system/standard_streams.h"

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
    struct foreign foreign;
    struct str losses = STR("");
    const struct progress_hook *progress = progress_line_hook(line);
    bool ok = foreign_is_file(path) ? foreign_read_file(&foreign, path, progress, arena, err) &&
                                          foreign_losses(&losses, &foreign, arena, err) &&
                                          foreign_facts(out, &foreign, root, arena, err)
                                    : store_read_apart(out, path, progress, arena, code, err);
    progress_line_erase(line);
    if (!ok)
        err_prefix(err, "%s", path);
    else if (losses.len != 0)
        say("%s: %.*s", path, STR_ARGS(losses));
    return ok;
}

/* "3 runs, the last of 2026-11-21 21:34" */
static bool about(struct str *out, const struct facts *facts, struct arena *arena, struct err *err)
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
    if (last->kind == RUN_FOREIGN)
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

static bool read_stream(struct view *out, int fd, struct arena *arena, struct err *err)
{
    struct writer w;
    wr_open(&w, arena);
    for (;;) {
        uint8_t *room = w.len < PATCH_LIMIT ? wr_space(&w, READ_LEN) : NULL;
        if (room == NULL)
            return err_set(err, w.failed ? ERR_MEMORY : ERR_LIMIT,
                           w.failed ? "out of memory: the patch is long" : "the patch is too long");
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
        return read_stream(out, STREAM_INPUT, arena, err);
    int fd = file_open(path, FILE_READ | FILE_WAITS);
    if (fd < 0)
        return err_set_errno(err, "cannot be opened");
    bool ok = read_stream(out, fd, arena, err);
    (void)file_close(fd);
    return ok;
}

static bool is_file(const char *path)
{
    return strcmp(path, "-") == 0 || (file_exists(path) && !file_is_folder(path));
}

bool compare_can_read_patch(const char *spec, struct str root, struct arena *arena, struct err *err)
{
    bool ok = is_file(spec) ? strcmp(spec, "-") == 0 || file_is_readable(spec) ||
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
        say("--patch %s: the revisions are those of %.*s, where the sources are; -r DIR names "
            "another checkout",
            spec, STR_ARGS(top));
}

bool compare_read_patch(struct patch *out, struct str *name, const char *spec, struct str root,
                        struct arena *arena, struct err *err)
{
    struct view bytes;
    struct git_diff diff;
    if (!is_file(spec)) {
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

/* --- both ------------------------------------------------------------------------------------- */

static bool read_sides(struct comparison *out, struct patch *patch, const struct comparing *what,
                       struct str root, struct arena *arena, struct arena *code, struct err *err)
{
    if (what->patch != NULL &&
        (!compare_read_patch(patch, &out->patch_name, what->patch, root, arena, err) ||
         !patch_sources_find(&out->sources, patch, what->head, root, what->filter, arena, err)))
        return false;
    return what->base == NULL ||
           (read_base(&out->base, what->base, root, what->line, arena, code, err) &&
            new_root_apply(&out->base, what->root, false, NULL, arena, err) &&
            path_maps_apply(what->maps, &out->base, what->root, arena, err) &&
            source_root_given(&out->was_root, what->base_root, arena, err) &&
            source_root_find(&out->was_root, &out->base, out->was_root, arena, err));
}

static bool note_missing(struct str *note, const struct missing_assemblies *missing,
                         struct arena *arena, struct err *err)
{
    struct str before = *note;
    return missing->count == 0 ||
           text_format(note, arena, err,
                       "%.*s%s%u %s of BASE %s not in HEAD, although sources are still there: what "
                       "they cover now is not known: %.*s (%.*s)%s",
                       STR_ARGS(before), before.len != 0 ? "; " : "", missing->count,
                       plural(missing->count, "assembly", "assemblies"),
                       plural(missing->count, "is", "are"), STR_ARGS(missing->names[0]),
                       STR_ARGS(missing->first), missing->count > 1 ? " and others" : "");
}

/* `code`: what it gets of BASE is not needed afterwards. */
static bool compare_apart(struct comparison *out, const struct comparing *what, struct arena *arena,
                          struct arena *code, struct err *err)
{
    struct patch patch;
    struct str root;
    struct missing_assemblies missing;
    struct pattern *exclude = NULL;
    const struct filter_options *filter = what->filter;
    bool has_base = what->base != NULL;
    *out = (struct comparison){.was_root = STR(""), .patch_name = STR("")};
    if (!source_root_find(&root, what->head, what->root, arena, err) ||
        !pattern_parse_all(&exclude, filter->exclude.items, filter->exclude.count, arena, err) ||
        !read_sides(out, &patch, what, root, arena, code, err) ||
        !missing_assemblies_find(&missing, &out->base, what->head, root, exclude, filter, arena,
                                 err))
        return false;
    bool by_line = has_base && (foreign_only(&out->base) || foreign_only(what->head));
    struct diff_options diff_options = {
        .report = {.exclude = exclude,
                   .exclude_count = filter->exclude.count,
                   .exclude_files = filter->exclude_files.items,
                   .exclude_file_count = filter->exclude_files.count,
                   .include_generated = generated_counts(filter, what->head),
                   .root = root},
        .patch = what->patch != NULL ? &patch : NULL,
        .wants_sections = what->wants_sections,
        .base_code = code,
    };
    diff_options.report.progress = progress_line_hook(what->line);
    bool ok = diff_build(&out->diff, what->head, has_base ? &out->base : NULL, by_line,
                         &diff_options, arena, err);
    progress_line_erase(what->line);
    if (!ok)
        return false;
    out->diff.head_name = str_of(what->head_name);
    out->diff.base_name = has_base ? str_of(what->base) : STR("");
    out->diff.patch_name = out->patch_name;
    out->diff.note = out->sources.note;
    out->diff.missing = missing.names;
    out->diff.missing_count = missing.count;
    out->diff.patch_is_unknown = out->sources.is_unknown;
    out->diff.unmeasured = out->sources.unmeasured;
    out->diff.unmeasured_count = out->sources.unmeasured_count;
    if (by_line && what->patch == NULL)
        out->diff.note = STR("--patch shows where the lines of BASE are now");
    return note_missing(&out->diff.note, &missing, arena, err) &&
           about(&out->diff.head_about, what->head, arena, err) &&
           (!has_base || about(&out->diff.base_about, &out->base, arena, err));
}

bool compare(struct comparison *out, const struct comparing *what, struct arena *arena,
             struct err *err)
{
    struct arena code;
    arena_init(&code, NULL, 0, ARENA_NO_LIMIT);
    bool ok = compare_apart(out, what, arena, &code, err);
    facts_forget_code(&out->base);
    arena_free(&code);
    return ok;
}

/* --- gates ------------------------------------------------------------------------------------ */

bool compare_gates_fit(const struct gate_options *gates, const char *missing_base, struct err *err)
{
    for (uint32_t i = 0; i < gates->gates.count; i++) {
        struct gate gate;
        if (!gate_parse(&gate, gates->gates.items[i], err))
            return false;
        if (gate_needs_base(&gate) && missing_base != NULL)
            return err_set(err, ERR_USAGE, "gate '%.*s' requires %s to compare with",
                           STR_ARGS(gate.text), missing_base);
        if (gate_needs_patch(&gate) && gates->patch == NULL)
            return err_set(err, ERR_USAGE,
                           "gate '%.*s' requires --patch SPEC, for example --patch main...HEAD",
                           STR_ARGS(gate.text));
    }
    return true;
}

static bool applies(const struct gate *gate, const struct diff *diff, struct err *err)
{
    return gate->metric != GATE_NEW_UNCOVERED || !diff->by_line ||
           err_set(err, ERR_USAGE,
                   "gate %.*s compares methods, which the report %.*s does not have",
                   STR_ARGS(gate->text), STR_ARGS(diff->base_name));
}

bool compare_gates_apply(const struct gate_options *gates, const struct diff *diff, struct err *err)
{
    for (uint32_t i = 0; i < gates->gates.count; i++) {
        struct gate gate;
        if (!gate_parse(&gate, gates->gates.items[i], err) || !applies(&gate, diff, err))
            return false;
    }
    return true;
}

static void note_failure(struct gate_failures *failures, const struct gate *gate)
{
    if (gate_needs_patch(gate))
        failures->of_patch = true;
    else if (gate_needs_base(gate))
        failures->of_base = true;
    else if (gate->metric == GATE_BRANCH)
        failures->of_branches = true;
    else
        failures->of_lines = true;
}

static bool say_places(const struct gate *gate, const struct gate_result *result,
                       const struct diff *diff, struct arena *arena, struct err *err)
{
    struct gate_places places;
    if (!gate_places(&places, gate, result->package, diff, arena, err))
        return false;
    for (uint32_t i = 0; i < places.count; i++)
        say("  %.*s", STR_ARGS(places.places[i]));
    if (places.more != 0)
        say("  and %u more %s", places.more,
            gate->metric == GATE_NEW_UNCOVERED ? plural(places.more, "method", "methods")
                                               : plural(places.more, "file", "files"));
    return true;
}

static int test_gate(struct str text, const struct diff *diff, struct gate_failures *failures,
                     struct arena *arena)
{
    struct err err = {0};
    struct gate gate;
    struct gate_result *results = NULL;
    uint32_t count = 0;
    int status = EXIT_FINE;
    if (!gate_parse(&gate, text, &err) || !applies(&gate, diff, &err) ||
        !gate_test(&results, &count, &gate, diff, arena, &err))
        return say_error(&err);
    for (uint32_t i = 0; i < count; i++) {
        if (results[i].text.len != 0)
            say("%.*s", STR_ARGS(results[i].text));
        if (!results[i].failed)
            continue;
        status = exit_worse(status, results[i].is_unknown ? EXIT_BAD : EXIT_THRESHOLD);
        if (!results[i].was_tested)
            continue;
        if (!results[i].is_unknown)
            note_failure(failures, &gate);
        if (!say_places(&gate, &results[i], diff, arena, &err))
            return say_error(&err);
    }
    return status;
}

int compare_test_gates(const struct diff *diff, const struct gate_options *gates,
                       struct gate_failures *failures, struct arena *arena)
{
    int status = EXIT_FINE;
    for (uint32_t i = 0; i < gates->gates.count; i++)
        status = exit_worse(status, test_gate(gates->gates.items[i], diff, failures, arena));
    return status;
}

/* One that can't be tested has failed. */
static bool note_untested(struct list *all, struct str gate, const struct err *why,
                          struct arena *arena)
{
    struct err err = {0};
    struct gate_result *result = list_add(all, sizeof *result, arena, &err);
    if (result == NULL)
        return false;
    *result = (struct gate_result){.gate = gate, .failed = true, .text = STR("")};
    return str_copy(&result->why, str_of(why->text), arena, &err);
}

void compare_note_gates(struct diff *diff, const struct gate_options *gates, struct arena *arena)
{
    struct list all = {.items = NULL};
    for (uint32_t i = 0; i < gates->gates.count; i++) {
        struct err err = {0};
        struct gate gate;
        struct gate_result *results = NULL;
        uint32_t count = 0;
        if (!gate_parse(&gate, gates->gates.items[i], &err) || !applies(&gate, diff, &err) ||
            !gate_test(&results, &count, &gate, diff, arena, &err)) {
            (void)note_untested(&all, gates->gates.items[i], &err, arena);
            continue;
        }
        for (uint32_t k = 0; k < count; k++) {
            struct gate_result *result = list_add(&all, sizeof *result, arena, &err);
            if (result != NULL)
                *result = results[k];
        }
    }
    diff->gates = all.items;
    diff->gate_count = all.count;
}

/* " -d x.ilcov", unless it is the default. */
static void add_data(struct text *command, const char *option, const char *data)
{
    if (strcmp(data, data_file_to_read()) != 0)
        text_addf(command, "%s %s", option, data);
}

static void say_command(const char *verb, const char *option, const char *data, const char *lists,
                        struct arena *arena)
{
    struct err err = {0};
    struct text text;
    struct str command;
    text_open(&text, arena);
    text_add_c(&text, verb);
    add_data(&text, option, data);
    say("'%s' lists %s", text_take(&command, &text, &err) ? command.text : verb, lists);
}

void compare_say_where(const struct gate_failures *failures, const struct gate_options *gates,
                       const char *data, struct arena *arena)
{
    if (failures->of_lines)
        say_command("ilcov show --uncovered", " -d", data, "the lines that did not run", arena);
    if (failures->of_branches)
        say_command("ilcov report -f missed", "", data, "the outcomes that never happened", arena);
    if (failures->of_patch)
        say("'ilcov diff --patch %s %s' shows the changed lines that are not covered", gates->patch,
            data);
    if (failures->of_base)
        say("'ilcov diff %s %s' shows what is no longer covered", gates->base, data);
}

/* JSON for scripts and services: all of struct diff, as docs/diff.schema.json describes it. Numbers
 * are integers; readers compute percentages. The first number of the schema's version changes only
 * if readers must change.
 *
 *   { "schema": "1.0.0", "generator": { "name", "version" },
 *     "base": { "name", "about" } or null, "head": { "name", "about" }, "patch": { "name" } or
 *     null, "root", "by_line", "note", "totals": TOTALS,
 *     "packages": [ { "name", "is_in_base", "totals": TOTALS } ],
 *     "files": [ { "package", "path", "lines": [ LINE ] } ],
 *     "methods": [ { "kind", "package", "type", "name", "signature", "display_type",
 *                    "display_name", "display_signature", "file", "first_line", "from",
 *                    "display_from", "lines": STATES } ] }
 *
 * A LINE is on one line. Lines that, with all their branches, are kept or still missed are left out
 * unless they are in the patch; so are files without other lines. */
#include "coverage/diff/diff.h"
#include "reporters/diff/diff_formats.h"
#include "reporters/json_writer.h"

/* 1.0.0: the first. */
#define SCHEMA_VERSION "1.0.0"

static const char *state_key(enum diff_state state)
{
    static const char *const keys[] = {
        [DIFF_KEPT] = "kept",
        [DIFF_GAINED] = "gained",
        [DIFF_NEW_COVERED] = "new_covered",
        [DIFF_LOST] = "lost",
        [DIFF_STILL_MISSED] = "still_missed",
        [DIFF_NEW_MISSED] = "new_missed",
        [DIFF_NOT_RUN] = "not_run",
        [DIFF_CARRIED] = "carried",
    };
    _Static_assert(ARRAY_LEN(keys) == DIFF_STATE_COUNT, "a key for each");
    return keys[state];
}

static void write_states(struct json_writer *w, const char *key, const uint64_t *counts)
{
    jw_begin_line(w, key, '{');
    for (int i = 0; i < DIFF_STATE_COUNT; i++)
        jw_number(w, state_key((enum diff_state)i), counts[i]);
    jw_end(w, '}');
}

static void write_kinds(struct json_writer *w, const uint64_t *counts)
{
    jw_begin_line(w, "methods", '{');
    for (int i = 0; i < DIFF_KIND_COUNT; i++)
        jw_number(w, diff_kind_text((enum diff_kind)i), counts[i]);
    jw_end(w, '}');
}

static void write_totals(struct json_writer *w, const struct diff_totals *totals)
{
    jw_begin(w, "totals", '{');
    write_states(w, "lines", totals->lines);
    write_states(w, "branches", totals->outcomes);
    write_kinds(w, totals->methods);
    jw_share(w, "head_methods", totals->methods_covered, totals->methods_valid);
    jw_share(w, "base_lines", totals->base.lines_covered, totals->base.lines_valid);
    jw_share(w, "base_branches", totals->base.branches_covered, totals->base.branches_valid);
    jw_share(w, "base_methods", totals->base.methods_covered, totals->base.methods_valid);
    jw_share(w, "patch_lines", totals->patch_covered, totals->patch_owed);
    jw_share(w, "patch_branches", totals->patch_branches_covered, totals->patch_branches_owed);
    jw_begin_line(w, "removed_lines", '{');
    jw_number(w, "covered", totals->removed_covered);
    jw_number(w, "missed", totals->removed_missed);
    jw_end(w, '}');
    jw_number(w, "changed_methods_missed_lines", totals->new_missed);
    jw_end(w, '}');
}

static void write_side(struct json_writer *w, const char *key, struct str name, struct str about)
{
    jw_begin_line(w, key, '{');
    jw_text(w, "name", name);
    jw_text(w, "about", about);
    jw_end(w, '}');
}

static void write_header(struct json_writer *w, const struct diff *diff)
{
    jw_text_c(w, "schema", SCHEMA_VERSION);
    jw_generator(w);
    if (diff->base_name.len != 0)
        write_side(w, "base", diff->base_name, diff->base_about);
    else
        jw_null(w, "base");
    write_side(w, "head", diff->head_name, diff->head_about);
    if (diff->patch_name.len != 0) {
        jw_begin_line(w, "patch", '{');
        jw_text(w, "name", diff->patch_name);
        jw_end(w, '}');
    } else {
        jw_null(w, "patch");
    }
    jw_text(w, "root", diff->root);
    jw_bool(w, "by_line", diff->by_line);
    jw_text(w, "note", diff->note);
    jw_begin_line(w, "generated", '{');
    jw_number(w, "lines", diff->generated.line_count);
    jw_number(w, "files", diff->generated.file_count);
    jw_end(w, '}');
}

static void write_line_outcomes(struct json_writer *w, const struct diff_line *line)
{
    jw_begin(w, "branches", '{');
    for (int i = 0; i < DIFF_STATE_COUNT; i++)
        if (diff_line_outcomes(line, (enum diff_state)i) != 0)
            jw_number(w, state_key((enum diff_state)i),
                      diff_line_outcomes(line, (enum diff_state)i));
    jw_end(w, '}');
}

static void write_diff_line(struct json_writer *w, const struct diff_line *line)
{
    jw_begin_line(w, NULL, '{');
    jw_number(w, "number", line->number);
    jw_text_c(w, "state", state_key(line->state));
    jw_bool(w, "in_patch", line->in_patch);
    jw_bool(w, "was_covered", line->was_covered);
    jw_number(w, "hits", line->hits);
    jw_number(w, "base_hits", line->base_hits);
    write_line_outcomes(w, line);
    jw_end(w, '}');
}

static void write_diff_file(struct json_writer *w, const struct diff_file *file)
{
    uint32_t first = 0;
    while (first < file->line_count && !diff_line_is_shown(&file->lines[first]))
        first++;
    if (first == file->line_count)
        return;
    jw_begin(w, NULL, '{');
    jw_text(w, "package", file->package);
    jw_text(w, "path", file->path);
    jw_begin(w, "lines", '[');
    for (uint32_t i = first; i < file->line_count; i++)
        if (diff_line_is_shown(&file->lines[i]))
            write_diff_line(w, &file->lines[i]);
    jw_end(w, ']');
    jw_end(w, '}');
}

static void write_diff_method(struct json_writer *w, const struct diff_method *method)
{
    uint64_t counts[DIFF_STATE_COUNT];
    for (int i = 0; i < DIFF_STATE_COUNT; i++)
        counts[i] = method->lines[i];
    jw_begin(w, NULL, '{');
    jw_text_c(w, "kind", diff_kind_text(method->kind));
    jw_text(w, "package", method->package);
    jw_text(w, "type", method->type);
    jw_text(w, "name", method->name);
    jw_text(w, "signature", method->signature);
    jw_text(w, "display_type", method->display.type);
    jw_text(w, "display_name", method->display.name);
    jw_text(w, "display_signature", method->display.signature);
    jw_text(w, "file", method->file);
    jw_number(w, "first_line", method->first_line);
    jw_text(w, "from", method->from);
    jw_text(w, "display_from", method->display_from);
    write_states(w, "lines", counts);
    jw_end(w, '}');
}

static void write_package(struct json_writer *w, const struct diff_package *package)
{
    jw_begin(w, NULL, '{');
    jw_text(w, "name", package->name);
    jw_bool(w, "is_in_base", package->is_in_base);
    write_totals(w, &package->totals);
    jw_end(w, '}');
}

bool diff_json_write(const struct format_job *job, struct err *err)
{
    const struct diff *diff = job->diff;
    struct json_writer w;
    (void)err;
    jw_open(&w, job->destination->file);
    jw_begin(&w, NULL, '{');
    write_header(&w, diff);
    write_totals(&w, &diff->totals);
    jw_begin(&w, "packages", '[');
    for (uint32_t i = 0; i < diff->package_count; i++)
        write_package(&w, &diff->packages[i]);
    jw_end(&w, ']');
    jw_begin(&w, "files", '[');
    for (uint32_t i = 0; i < diff->file_count; i++) {
        progress_at(job->progress, "writing files of JSON", i, diff->file_count);
        write_diff_file(&w, &diff->files[i]);
    }
    jw_end(&w, ']');
    jw_begin(&w, "methods", '[');
    for (uint32_t i = 0; i < diff->method_count; i++)
        write_diff_method(&w, &diff->methods[i]);
    jw_end(&w, ']');
    jw_end(&w, '}');
    jw_finish(&w);
    return true;
}

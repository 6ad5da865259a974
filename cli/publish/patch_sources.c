#include "cli/publish/patch_sources.h"

#include "base/list.h"
#include "base/path.h"
#include "cli/options/say.h"
#include "cli/publish/left_out.h"
#include "coverage/diff/code_text.h"
#include "coverage/diff/patch_line.h"
#include "coverage/external/external_facts.h"
#include "coverage/source/checksum.h"
#include "coverage/source/generated_file.h"
#include "coverage/source/paths.h"
#include "system/file.h"
#include "system/file_status.h"

/* What the data say of a file of the patch. */
struct knowledge {
    bool is_measured;   /* by at least one assembly, or another tool */
    bool is_stale;      /* the file below the root is not the one that was compiled there */
    bool is_left_out;   /* wherever it was compiled */
    bool is_unmeasured; /* it has code, or may have */
    const struct reason *reason;
};

struct patch_looking {
    const struct patch *patch;
    const struct facts *head;
    const struct filter_options *filter;
    struct str root;
    struct knowledge *known; /* of each file of the patch */
    struct list unmeasured, omissions;
    struct arena *arena;
    struct err *err;
};

/* --- the files below the root ----------------------------------------------------------------- */

/* Are these the lines that the patch says? Then the file is that of the new side. */
static bool has_patch_lines(struct str text, const struct patch_file *file)
{
    struct str here = STR("");
    uint32_t number = 0; /* of the line here */
    for (uint32_t i = 0; i < file->hunk_count; i++) {
        const struct patch_hunk *hunk = &file->hunks[i];
        struct str line, rest = hunk->text;
        for (uint32_t k = 0; k < hunk->new_count && patch_next_text(&line, &rest, '+'); k++) {
            for (; number < hunk->new_start + k; number++) {
                if (text.len == 0)
                    return false;
                here = patch_line_take(&text);
            }
            if (!str_eq(line, here))
                return false;
        }
    }
    return true;
}

/* Line ends do not matter. One that cannot be read is none. */
static bool is_other_side(const struct patch_looking *l, const struct patch_file *file)
{
    struct view bytes;
    char path[PATH_ROOM];
    if (!path_join_in(path, l->root, file->path) || !file_bytes_read(&bytes, path, NULL))
        return false;
    bool is_other = !has_patch_lines((struct str){(const char *)bytes.data, bytes.len}, file);
    file_bytes_release(&bytes);
    return is_other;
}

/* All lines of a copy are new, also those that the patch does not show. */
static bool has_new_lines(const struct patch_file *file)
{
    bool is_text = !file->is_binary && !file->is_link && !file->is_submodule;
    return file->line_count != 0 || (file->kind == PATCH_COPIED && is_text);
}

/* --- what was compiled ------------------------------------------------------------------------ */

/* Does the file below the root differ from the one that was measured? */
static bool is_stale_document(const struct patch_looking *l, const struct fact_document *document)
{
    char path[PATH_ROOM];
    return document->hash.len != 0 && path_join_in(path, l->root, document->relative) &&
           file_is_readable(path) &&
           !checksum_matches(path, document->hash_algorithm, document->hash);
}

static void note_document(struct patch_looking *l, struct knowledge *known,
                          const struct fact_module *module, const struct fact_document *document)
{
    bool is_counted = facts_has_code(module) || module->state == MODULE_EXTERNAL;
    bool lacks = facts_lacks_source(document->reason);
    bool is_generated = document->generated != NULL && !generated_counts(l->filter, l->head);
    if (is_counted && !is_generated && (document->reason == NULL || lacks)) {
        known->is_measured = true;
        known->is_stale = known->is_stale || reason_is(document->reason, REASON_CHANGED) ||
                          is_stale_document(l, document);
        return;
    }
    known->is_left_out = true;
    known->reason = document->reason != NULL && !lacks ? document->reason
                    : !is_counted                      ? module->reason
                                                       : document->generated;
}

/* One that a build named by its path in the repository, and that is another one here, has none. */
static bool place_of_document(struct str *relative, const struct patch_looking *l,
                              const struct fact_document *document)
{
    enum path_place place;
    *relative = document->relative;
    return relative->len != 0 || !reason_is(document->reason, REASON_CHANGED) ||
           paths_place(&place, relative, l->root, document->path, l->arena, l->err);
}

static bool look_up_documents(struct patch_looking *l)
{
    for (uint32_t m = 0; m < l->head->module_count; m++)
        for (uint32_t d = 0; d < l->head->modules[m].document_count; d++) {
            const struct fact_document *document = &l->head->modules[m].documents[d];
            struct str relative;
            if (!place_of_document(&relative, l, document))
                return false;
            const struct patch_file *file =
                relative.len != 0 ? patch_find(l->patch, relative) : NULL;
            if (file != NULL && (has_new_lines(file) || file->is_binary))
                note_document(l, &l->known[file - l->patch->files], &l->head->modules[m], document);
        }
    return true;
}

/* --- what was not ----------------------------------------------------------------------------- */

/* The new side of an added file. */
static bool added_text(struct str *out, const struct patch_looking *l,
                       const struct patch_file *file)
{
    struct text text = text_in(l->arena);
    for (uint32_t i = 0; i < file->hunk_count; i++) {
        struct str line, rest = file->hunks[i].text;
        while (patch_next_text(&line, &rest, '+')) {
            text_add(&text, line);
            text_add_c(&text, "\n");
        }
    }
    return text_take(out, &text, l->err);
}

/* `*is_known` false: it is not at hand. */
static bool text_below_root(bool *is_known, struct str *out, const struct patch_looking *l,
                            const struct patch_file *file)
{
    struct view bytes;
    char path[PATH_ROOM];
    *is_known = false;
    if (!path_join_in(path, l->root, file->path) || !file_bytes_read(&bytes, path, NULL))
        return true;
    bool ok = str_copy(out, (struct str){(const char *)bytes.data, bytes.len}, l->arena, l->err);
    file_bytes_release(&bytes);
    *is_known = ok && has_patch_lines(*out, file);
    return ok;
}

static bool add_omission(struct patch_looking *l, struct str path, const struct reason *reason)
{
    const struct patch_omission added = {path, reason};
    return list_put(&l->omissions, &added, sizeof added, l->arena, l->err);
}

/* A text that is not at hand may have code. */
static bool judge_text(struct patch_looking *l, const struct patch_file *file)
{
    bool is_known = file->kind == PATCH_ADDED, has_code = true;
    struct generated_file generated = {.path = file->path};
    const struct reason *reason = NULL;
    struct str text = STR("");
    if (!(is_known ? added_text(&text, l, file) : text_below_root(&is_known, &text, l, file)) ||
        (is_known && !code_text_has_code(&has_code, file->path, text, l->arena, l->err)) ||
        !path_join(&generated.place, l->root, file->path, l->arena, l->err))
        return false;
    generated.text = (struct view){(const uint8_t *)text.text, is_known ? text.len : 0};
    if (!generated_counts(l->filter, l->head) &&
        !generated_file_reason(&reason, &generated, l->arena, l->err))
        return false;
    if (reason != NULL || !has_code)
        return add_omission(l, file->path, reason);
    l->known[file - l->patch->files].is_unmeasured = true;
    return list_put(&l->unmeasured, &file->path, sizeof file->path, l->arena, l->err);
}

/* --- each file -------------------------------------------------------------------------------- */

static bool is_excluded_by_glob(const struct patch_looking *l, const struct patch_file *file)
{
    return paths_match_any(l->filter->exclude_files.items, l->filter->exclude_files.count,
                           file->path);
}

static bool judge_file(struct patch_looking *l, const struct patch_file *file,
                       const struct knowledge *known)
{
    if (file->kind == PATCH_DELETED || !has_new_lines(file) || !code_text_is_source(file->path))
        return true;
    if (is_excluded_by_glob(l, file))
        return add_omission(l, file->path, reason_of(REASON_EXCLUDED_FILE));
    if (known->is_measured || (!known->is_left_out && external_only(l->head)))
        return true; /* another tool's report does not say what was left out, such as tests */
    return known->is_left_out ? add_omission(l, file->path, known->reason) : judge_text(l, file);
}

/* Its changed lines are not known, and may be wanted. */
static bool is_binary_source(const struct patch_looking *l, uint32_t i)
{
    const struct patch_file *file = &l->patch->files[i];
    return file->is_binary && file->kind != PATCH_DELETED && code_text_is_source(file->path) &&
           !is_excluded_by_glob(l, file) && (l->known[i].is_measured || !l->known[i].is_left_out);
}

/* Is it a submodule with measured sources whose changes the patch does not have? */
static bool is_closed_submodule(const struct patch_looking *l, uint32_t i)
{
    const struct patch_file *file = &l->patch->files[i];
    const struct facts *head = l->head;
    if (!file->is_submodule || file->has_contents || file->kind == PATCH_DELETED)
        return false;
    for (uint32_t m = 0; m < head->module_count; m++)
        for (uint32_t d = 0; d < head->modules[m].document_count; d++)
            if (path_is_below(head->modules[m].documents[d].relative, file->path))
                return true;
    return false;
}

static bool is_unmeasured(const struct patch_looking *l, uint32_t i)
{
    return l->known[i].is_unmeasured;
}

/* Line numbers of a patch fit the measured source only if the same source is here. */
static bool is_stale_source(const struct patch_looking *l, uint32_t i)
{
    const struct patch_file *file = &l->patch->files[i];
    return l->known[i].is_stale && !file->is_binary && !is_excluded_by_glob(l, file);
}

/* Nor if what is here is what was measured, but not what the patch leads to. */
static bool is_of_other_side(const struct patch_looking *l, uint32_t i)
{
    const struct patch_file *file = &l->patch->files[i];
    return l->known[i].is_measured && !l->known[i].is_stale && !is_excluded_by_glob(l, file) &&
           is_other_side(l, file);
}

/* --- the note --------------------------------------------------------------------------------- */

static const struct patch_note {
    bool (*is_about)(const struct patch_looking *l, uint32_t file);
    const char *one, *many; /* what is so, of one file and of several */
    const char *advice;
} notes[] = {
    {is_binary_source, "source is binary to git, so its changed lines are unknown",
     "sources are binary to git, so their changed lines are unknown", ""},
    {is_closed_submodule,
     "submodule changed, and the patch does not say which lines, so none of them is checked",
     "submodules changed, and the patch does not say which lines, so none of them is checked",
     " ('git diff --submodule=diff' says it, if both commits were fetched)"},
    {is_unmeasured,
     "changed source is in no assembly that was measured or found (paths are compared below the "
     "root)",
     "changed sources are in no assembly that was measured or found (paths are compared below the "
     "root)",
     " ('ilcov run --solution' finds what no test loads, --exclude-files excludes sources)"},
    {is_stale_source,
     "file of the patch was changed since the build that ran, so line numbers may differ there",
     "files of the patch were changed since the build that ran, so line numbers may differ there",
     ""},
    {is_of_other_side,
     "measured source differs from what the patch leaves, so line numbers may differ there",
     "measured sources differ from what the patch leaves, so line numbers may differ there",
     " (measure a build of the commit that the patch ends at)"},
};

/* How many files it is about, and the first of them. Notes are joined as sentences. */
static void add_patch_note(struct text *out, const struct patch_looking *l,
                           const struct patch_note *note)
{
    struct str first = STR("");
    uint32_t count = 0;
    for (uint32_t i = 0; i < l->patch->file_count; i++)
        if (note->is_about(l, i) && count++ == 0)
            first = l->patch->files[i].path;
    if (count != 0)
        text_addf(out, "%s%u %s: %.*s%s%s", out->len != 0 ? "; " : "", count,
                  plural(count, note->one, note->many), STR_ARGS(first),
                  count > 1 ? " and others" : "", note->advice);
}

bool patch_sources_find(struct patch_sources *out, const struct patch *patch,
                        const struct facts *head, struct str root,
                        const struct filter_options *filter, struct arena *arena, struct err *err)
{
    struct patch_looking l = {
        .patch = patch, .head = head, .filter = filter, .root = root, .arena = arena, .err = err};
    *out = (struct patch_sources){.note = STR("")};
    l.known = ARENA_NEW(arena, struct knowledge, patch->file_count, err);
    if (l.known == NULL || !look_up_documents(&l))
        return false;
    for (uint32_t i = 0; i < patch->file_count; i++)
        if (!judge_file(&l, &patch->files[i], &l.known[i]))
            return false;
    struct text text = text_in(arena);
    for (size_t i = 0; i < ARRAY_LEN(notes); i++)
        add_patch_note(&text, &l, &notes[i]);
    out->is_unknown = text.len != 0;
    out->unmeasured = l.unmeasured.items;
    out->unmeasured_count = l.unmeasured.count;
    out->omissions = l.omissions.items;
    out->omission_count = l.omissions.count;
    return text_take(&out->note, &text, err);
}

/* --- --verbose -------------------------------------------------------------------------------- */

void patch_sources_explain(const struct patch_sources *sources, struct arena *arena)
{
    for (uint32_t i = 0; i < sources->omission_count; i++) {
        const struct patch_omission *omission = &sources->omissions[i];
        struct err err = {0};
        struct str why = STR("has no code");
        if (omission->reason != NULL && !reason_text(&why, omission->reason, arena, &err))
            why = STR("out of memory");
        say("not checked in the patch: %.*s: %.*s", STR_ARGS(omission->path), STR_ARGS(why));
    }
}

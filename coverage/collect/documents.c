#include "coverage/collect/documents.h"

#include <string.h>

#include "base/path.h"
#include "coverage/collect/gaps.h"
#include "coverage/source/checksum.h"
#include "coverage/source/excluded_by_comment.h"
#include "coverage/source/generated_file.h"
#include "coverage/source/line_text.h"
#include "coverage/source/paths.h"
#include "coverage/source/source.h"
#include "coverage/source/source_link.h"
#include "system/file_status.h"

enum {
    TOKENS_LIMIT = 8 << 20 /* bytes of tokens that are kept; the last ones may be larger */
};

/* The source of a document that is reported, and what its comments exclude. */
struct document_text {
    struct ignored ignored;
    struct source source;
    struct line_index index;
    struct line_text lines;
    struct tokens tokens;
    bool is_indexed, has_lines, has_tokens; /* done when it is first asked for */
};

/* Of the document with that index in `list`. It stays where it is: others point into it. */
static struct document_text *text_at(const struct documents *d, uint32_t index)
{
    return ((struct document_text *const *)d->texts.items)[index];
}

static struct document_text *add_document_text(struct documents *d, struct err *err)
{
    struct document_text *text = ARENA_NEW(&d->text_arena, struct document_text, 1, err);
    bool is_added = text != NULL &&
                    list_put(&d->texts, &text, sizeof(struct document_text *), &d->text_arena, err);
    return is_added ? text : NULL;
}

static uint32_t row_count(const struct documents *d)
{
    return d->module->has_pdb ? tables_rows(&d->module->pdb.md.tables, TABLE_Document) : 0;
}

bool documents_open(struct documents *out, const struct documents_options *options,
                    const struct module *module, struct arena *arena, struct arena *scratch,
                    struct err *err)
{
    *out = (struct documents){
        .options = options, .module = module, .arena = arena, .scratch = scratch};
    out->text_arena = ARENA_EMPTY;
    out->token_arena = ARENA_EMPTY;
    out->index_of = arena_no_indexes(arena, row_count(out), err);
    return out->index_of != NULL;
}

void documents_close(struct documents *d)
{
    for (uint32_t i = 0; i < d->texts.count; i++)
        source_close(&text_at(d, i)->source);
    arena_free(&d->token_arena);
    arena_free(&d->text_arena);
}

/* A path outside the root that a source link maps is treated as if the build had named its
 * repository /_/. */
static bool map_place(enum path_place *place, struct str *relative, const struct documents *d,
                      struct str path, struct err *err)
{
    struct str root = d->options->root;
    bool is_mapped = false;
    if (d->options->maps != NULL &&
        !path_maps_place(&is_mapped, place, relative, d->options->maps, root, path, d->arena, err))
        return false;
    if (is_mapped)
        return true;
    if (!paths_place(place, relative, root, path, d->arena, err))
        return false;
    if (*place != PATH_OUTSIDE)
        return true;
    struct str rest = source_link_rest(pdb_source_link(&d->module->pdb), path);
    return rest.len == 0 || paths_place(place, relative, root, rest, d->arena, err);
}

/* A path like /_/src/A.cs is under the root if the root has that file, unchanged. If there is none,
 * the path is kept for a machine without sources (collect.c); a generated file exists only as the
 * PDB's copy. */
static bool look_in_root(struct fact_document *document, struct str relative, struct view embedded,
                         struct documents *d, struct err *err)
{
    struct str path;
    if (!path_join(&path, d->options->root, relative, d->arena, err))
        return false;
    bool is_there = file_exists(path.text);
    bool is_generated = !is_there && embedded.len != 0 && !any_path_is_absolute(document->path);
    if (is_generated || checksum_matches(path.text, document->hash_algorithm, document->hash)) {
        document->relative = relative;
    } else {
        document->reason = reason_of(is_there ? REASON_CHANGED : REASON_NO_SOURCE);
        document->relative = is_there || !any_path_is_absolute(document->path) ? STR("") : relative;
    }
    return true;
}

static bool place_document(struct documents *d, struct fact_document *document,
                           struct view embedded, struct err *err)
{
    enum path_place place;
    struct str relative;
    if (!map_place(&place, &relative, d, document->path, err))
        return false;
    if (place == PATH_INSIDE)
        document->relative = relative;
    else if (place == PATH_OUTSIDE)
        document->reason = reason_of(REASON_OUTSIDE_ROOT);
    else if (!look_in_root(document, relative, embedded, d, err))
        return false;
    if (document->reason == NULL &&
        paths_match_any(d->options->exclude_files, d->options->exclude_file_count,
                        document->relative))
        document->reason = reason_of(REASON_EXCLUDED_FILE);
    return true;
}

/* The source from the PDB, if a report could not show it otherwise. */
static bool keep_source(struct documents *d, struct fact_document *document, struct str path,
                        struct view embedded, struct err *err)
{
    return embedded.len == 0 || document->relative.len == 0 || document->reason != NULL ||
           checksum_matches(path.text, document->hash_algorithm, document->hash) ||
           view_copy(&document->source, embedded, d->arena, err);
}

/* What the comments of a reported document exclude. */
static bool read_comments(struct documents *d, uint32_t rid, const struct fact_document *document,
                          struct str path, struct view embedded, struct err *err)
{
    struct comments comments;
    struct document_text *text = add_document_text(d, err);
    if (text == NULL)
        return false;
    struct source *source = &text->source;
    bool is_outside = reason_is(document->reason, REASON_OUTSIDE_ROOT);
    if (!is_outside && (document->relative.len == 0 || document->reason != NULL))
        return true;
    if (is_outside)
        path = document->path; /* a report may get another root, and show it */
    if (!source_open(source, path.text, document, embedded, &d->text_arena, err))
        return false;
    if (source->text.len == 0 && !is_outside && d->sources_missed++ == 0)
        d->first_missed = document->relative;
    return comments_find(&comments, source->text, language_of(&d->module->pdb, rid), d->scratch,
                         err) &&
           ignored_make(&text->ignored, &comments, is_outside ? document->path : document->relative,
                        d->options->warnings, d->arena, err);
}

/* Did a generator write it? Its text is known, if it is at hand. */
static bool find_generator(struct documents *d, uint32_t rid, struct fact_document *document,
                           struct str path, struct err *err)
{
    struct generated_file file = {.path = document->path,
                                  .place = path,
                                  .text = text_at(d, d->texts.count - 1)->source.text,
                                  .language = language_of(&d->module->pdb, rid)};
    if (document->relative.len == 0)
        file.place = any_path_is_absolute(document->path) ? document->path : STR("");
    return generated_file_reason(&document->generated, &file, d->arena, err);
}

static struct fact_document *add_pdb_document(struct documents *d, const struct pdb_document *read,
                                              struct err *err)
{
    struct fact_document *document = list_add(&d->list, sizeof *document, d->arena, err);
    if (document == NULL)
        return NULL;
    if (read->hash_algorithm != NULL)
        memcpy(document->hash_algorithm, read->hash_algorithm, sizeof document->hash_algorithm);
    return str_copy(&document->path, read->name, d->arena, err) &&
                   view_copy(&document->hash, read->hash, d->arena, err) &&
                   place_document(d, document, read->embedded_source, err)
               ? document
               : NULL;
}

uint32_t documents_find(struct documents *d, uint32_t rid, struct err *err)
{
    uint32_t rows = row_count(d);
    struct pdb_document read;
    if (rid == 0 || rid > rows)
        return err_set(err, ERR_FORMAT, "a sequence point names document %u of %u", rid, rows)
                   ? 0
                   : NO_INDEX;
    if (d->index_of[rid - 1] != NO_INDEX)
        return d->index_of[rid - 1];
    if (!pdb_read_document(&read, &d->module->pdb, rid, d->arena, err))
        return NO_INDEX;
    struct fact_document *document = add_pdb_document(d, &read, err);
    struct str path = STR(""); /* below the root */
    if (document == NULL ||
        (document->relative.len != 0 &&
         !path_join(&path, d->options->root, document->relative, d->scratch, err)) ||
        !keep_source(d, document, path, read.embedded_source, err) ||
        !read_comments(d, rid, document, path, read.embedded_source, err) ||
        !find_generator(d, rid, document, path, err))
        return NO_INDEX;
    return d->index_of[rid - 1] = d->list.count - 1;
}

/* One that can't be read is none: no statement needs it. */
bool documents_add_others(struct documents *d, struct err *err)
{
    for (uint32_t rid = 1; rid <= row_count(d); rid++) {
        struct pdb_document read;
        struct err why = {.code = ERR_NONE};
        if (d->index_of[rid - 1] != NO_INDEX)
            continue;
        bool is_read = pdb_read_document(&read, &d->module->pdb, rid, d->arena, &why);
        if (!err_tolerate(err, &why) || (is_read && add_pdb_document(d, &read, err) == NULL))
            return false;
    }
    return true;
}

bool documents_text(const struct line_index **out, struct documents *d, uint32_t rid,
                    struct err *err)
{
    *out = NULL;
    uint32_t index = documents_find(d, rid, err);
    if (index == NO_INDEX)
        return false;
    struct document_text *text = text_at(d, index);
    struct view bytes = text->source.text;
    const struct fact_document *document = (struct fact_document *)d->list.items + index;
    if (bytes.len == 0 || bytes.len >= UINT32_MAX || document->reason != NULL)
        return true;
    if (!text->is_indexed &&
        !line_index_make(&text->index, (struct str){(const char *)bytes.data, bytes.len},
                         &d->text_arena, err))
        return false;
    text->is_indexed = true;
    *out = &text->index;
    return true;
}

/* Tokens take more than the text that they are of. The methods of a file mostly stand together, so
 * few are made again. */
static void forget_tokens(struct documents *d)
{
    if (d->token_arena.used < TOKENS_LIMIT)
        return;
    for (uint32_t i = 0; i < d->texts.count; i++)
        text_at(d, i)->has_tokens = false;
    arena_reset(&d->token_arena);
}

bool documents_tokens(const struct tokens **out, struct documents *d, uint32_t rid, struct err *err)
{
    const struct line_index *index;
    *out = NULL;
    if (!documents_text(&index, d, rid, err))
        return false;
    if (index == NULL || index->is_mapped)
        return true;
    uint32_t place = d->index_of[rid - 1];
    struct document_text *text = text_at(d, place);
    enum language language = language_of(&d->module->pdb, rid);
    static const char *const endings[] = {[LANGUAGE_CSHARP] = ".cs",
                                          [LANGUAGE_FSHARP] = ".fs",
                                          [LANGUAGE_VISUAL_BASIC] = ".vb",
                                          [LANGUAGE_IL] = ".cs"};
    if (!str_ends(((struct fact_document *)d->list.items)[place].path, endings[language]))
        return true;
    if (!text->has_tokens) {
        forget_tokens(d);
        if (!tokens_find(&text->tokens, index->text, language, &d->token_arena, err))
            return false;
    }
    text->has_tokens = true;
    *out = &text->tokens;
    return true;
}

/* Portable PDB, "Compilation Options": names and values, each with a NUL. C#, F# and
 * Visual Basic give the symbols of #if (preprocessor.h). */
static struct str defined_symbols(const struct pdb *pdb)
{
    static const uint8_t kind[16] = {0x05, 0xEC, 0xFE, 0xB5, 0xD0, 0x8C, 0x83, 0x4A,
                                     0x96, 0xDA, 0x46, 0x62, 0x84, 0xBB, 0x4B, 0xD8};
    struct view options = pdb_custom_info(pdb, TOKEN(TABLE_Module, 1), kind);
    struct str rest = {(const char *)options.data, options.len}, found = {NULL, 0};
    bool is_value = false, is_wanted = false;
    while (rest.len != 0) {
        size_t len = strnlen(rest.text, rest.len);
        struct str part = {rest.text, len};
        if (is_value && is_wanted)
            found = part;
        is_wanted = !is_value && str_is(part, "define");
        is_value = !is_value;
        len += len < rest.len;
        rest = (struct str){rest.text + len, rest.len - len};
    }
    return found.text == NULL && options.len != 0 ? STR("") : found;
}

static bool read_line_text(const struct line_text **out, const struct line_index **index,
                           struct documents *d, uint32_t rid, struct err *err)
{
    *out = NULL;
    if (!documents_text(index, d, rid, err))
        return false;
    if (*index == NULL || (*index)->is_mapped)
        return true;
    struct document_text *text = text_at(d, d->index_of[rid - 1]);
    if (!text->has_lines &&
        !line_text_make(&text->lines, &text->index, language_of(&d->module->pdb, rid),
                        defined_symbols(&d->module->pdb), &d->text_arena, err))
        return false;
    text->has_lines = true;
    *out = &text->lines;
    return true;
}

bool documents_gaps(struct view *out, struct documents *d, const struct seq_point *point,
                    struct err *err)
{
    const struct line_index *index;
    const struct line_text *lines = NULL;
    uint32_t offset;
    *out = (struct view){NULL, 0};
    if (point->end_line - point->start_line < 2)
        return true;
    if (!read_line_text(&lines, &index, d, point->document, err))
        return false;
    if (lines == NULL || point->end_line > index->count ||
        !line_index_offset(&offset, index, point->start_line, point->start_column))
        return true;
    struct gaps gaps = {NULL, 0};
    for (uint32_t line = point->start_line + 1; line < point->end_line; line++)
        if (!line_text_is_on(lines, offset, line) &&
            !gaps_add(&gaps, point->start_line, point->end_line, line, d->arena, err))
            return false;
    *out = gaps_view(&gaps);
    return true;
}

/* Only C# itself: #line may lead to anything else, at columns of what was made of it. */
bool documents_lack_lines(bool **out, struct documents *d, struct arena *arena, struct err *err)
{
    const struct fact_document *documents = d->list.items;
    *out = ARENA_NEW(arena, bool, d->list.count, err);
    for (uint32_t i = 0; *out != NULL && i < d->list.count; i++)
        (*out)[i] = !text_at(d, i)->has_lines && documents[i].reason == NULL &&
                    str_ends(documents[i].path, ".cs");
    return *out != NULL;
}

const struct reason *documents_ignored_reason(struct documents *d, uint32_t index,
                                              uint32_t start_line, uint32_t end_line)
{
    return ignored_reason(&text_at(d, index)->ignored, start_line, end_line);
}

/* --- comments without effect ------------------------------------------------------------------ */

static bool add_note(struct documents *d, struct str text, struct err *err)
{
    return list_put(d->options->notes, &text, sizeof text, d->arena, err);
}

bool documents_note_comments(struct documents *d, struct err *err)
{
    struct str text;
    const struct fact_document *documents = d->list.items;
    for (uint32_t n = 0; n < d->texts.count; n++) {
        const struct ignored *ignored = &text_at(d, n)->ignored;
        struct str path =
            documents[n].relative.len != 0 ? documents[n].relative : documents[n].path;
        for (uint32_t i = 0; i < ignored->count; i++)
            if (!ignored->items[i].is_used &&
                (!text_format(&text, d->arena, err,
                              "%.*s:%u: ilcov:ignore excludes nothing: there is no statement",
                              STR_ARGS(path), ignored->items[i].first) ||
                 !add_note(d, text, err)))
                return false;
    }
    return d->sources_missed == 0 ||
           (text_format(&text, d->arena, err,
                        "%.*s: %u of its sources %s not as compiled, so comments there exclude "
                        "nothing: %.*s%s",
                        STR_ARGS(d->module->name), d->sources_missed,
                        d->sources_missed == 1 ? "is" : "are", STR_ARGS(d->first_missed),
                        d->sources_missed == 1 ? "" : " and others") &&
            add_note(d, text, err));
}

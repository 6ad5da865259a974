/* documents.h - the sources that a module's symbols name: the path of each below the root, why it
 * is not reported, and what its comments exclude.
 * Owner:  everything lives in the arena; the scratch arena may be reset between calls. */
#pragma once

#include "base/list.h"
#include "coverage/facts/facts.h"
#include "coverage/source/line_index.h"
#include "coverage/source/path_map.h"
#include "coverage/source/tokens.h"
#include "metadata/module.h"

struct documents_options {
    struct str root;
    const struct path_maps *maps;    /* or NULL */
    const struct str *exclude_files; /* globs (paths_match) */
    uint32_t exclude_file_count;
    struct list *warnings; /* struct str, in the arena: comments that look like mistakes */
    struct list *notes;    /* struct str, in the arena: comments that exclude nothing */
};

struct documents {
    const struct documents_options *options;
    const struct module *module;
    struct list list;         /* struct fact_document, in the order of the requests */
    struct list texts;        /* struct document_text *, one per document */
    struct arena text_arena;  /* of these */
    struct arena token_arena; /* of the tokens among them */
    uint32_t *index_of;       /* by Document row: index in list, or NO_INDEX */
    uint32_t sources_missed;  /* number of sources whose comments are not known */
    struct str first_missed;
    struct arena *arena, *scratch;
};

NODISCARD bool documents_open(struct documents *out, const struct documents_options *options,
                              const struct module *module, struct arena *arena,
                              struct arena *scratch, struct err *err);

void documents_close(struct documents *documents);

/* The index in `list` of the document in that row, read at the first request; NO_INDEX with `err`
 * set. */
NODISCARD uint32_t documents_find(struct documents *documents, uint32_t rid, struct err *err);

/* The text of that document as it was compiled, until documents_close; *out NULL: it is not to be
 * had, or the document is not reported. False without memory. */
NODISCARD bool documents_text(const struct line_index **out, struct documents *documents,
                              uint32_t rid, struct err *err);

/* Its tokens, if it is source itself: #line may lead to anything else, at columns of what was
 * made of it. *out NULL: as above. They may be gone at the next call. */
NODISCARD bool documents_tokens(const struct tokens **out, struct documents *documents,
                                uint32_t rid, struct err *err);

/* Which lines between the first and the last of a statement have no text of it: see
 * fact_statement.gaps. Empty if the text is not to be had. */
NODISCARD bool documents_gaps(struct view *out, struct documents *documents,
                              const struct seq_point *point, struct err *err);

/* By index in `list`: documents of C# whose text documents_gaps did not have, or was not asked
 * for. */
NODISCARD bool documents_lack_lines(bool **out, struct documents *documents, struct arena *arena,
                                    struct err *err);

/* Why a comment excludes a statement on these lines of the document; empty: none does. */
const struct reason *documents_ignored_reason(struct documents *documents, uint32_t index,
                                              uint32_t start_line, uint32_t end_line);

/* Adds the documents that no request has named, such as those of interfaces: what was compiled and
 * has no statement. Nothing else can be asked of them: call it last. */
NODISCARD bool documents_add_others(struct documents *documents, struct err *err);

/* Call after the last statement: notes comments that excluded nothing, and missing sources. */
NODISCARD bool documents_note_comments(struct documents *documents, struct err *err);

/* heaps.h - the metadata root and its heaps: what a module's and a portable PDB's metadata have in
 * common.
 * Source: ECMA-335 II.24.2; Portable PDB specification, "#Pdb stream".
 * Owner:  everything points into the image.
 * Errors: ERR_FORMAT bytes contradict the specification. */
#pragma once

#include "base/text.h"
#include "metadata/tables.h"

struct metadata {
    struct view root;   /* all of it */
    struct str version; /* "v4.0.30319", "PDB v1.0" */
    struct view strings, user_strings, guids, blobs;
    struct view pdb_stream; /* empty in a module */
    struct tables tables;
    /* Built with optimisation: no DebuggableAttribute forbids it. Set by module.c. */
    bool optimised;
};

NODISCARD bool metadata_open(struct metadata *out, struct view root, struct err *err);

/* A heap item; empty for an offset outside the heap (and for offset 0). */
struct str heap_string(const struct metadata *md, uint32_t offset);
struct view heap_blob(const struct metadata *md, uint32_t offset);

/* 16 bytes, or NULL. `index` counts GUIDs from 1. */
const uint8_t *heap_guid(const struct metadata *md, uint32_t index);
/* The UTF-16LE bytes of a #US item without its final flag byte. */
struct view heap_user_string(const struct metadata *md, uint32_t offset);

/* The same for a column that has its offset; a column that has a coded index, as a token. */
static inline struct str row_string(const struct metadata *md, enum column column, uint32_t rid)
{
    return heap_string(md, tables_get(&md->tables, column, rid));
}

static inline struct view row_blob(const struct metadata *md, enum column column, uint32_t rid)
{
    return heap_blob(md, tables_get(&md->tables, column, rid));
}

static inline uint32_t row_token(const struct metadata *md, enum coded_index kind,
                                 enum column column, uint32_t rid)
{
    return coded_to_token(kind, tables_get(&md->tables, column, rid));
}

/* Of a MethodSpec the token of its method; other tokens are returned as they are. */
static inline uint32_t method_of_instance(const struct metadata *md, uint32_t token)
{
    return TOKEN_TABLE(token) == TABLE_MethodSpec
               ? row_token(md, CODED_METHOD_DEF_OR_REF, COL_MethodSpec_Method, TOKEN_RID(token))
               : token;
}

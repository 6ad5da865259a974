/* pdb.h - Portable PDB: which source lines a method's IL came from.
 * Source: dotnet/runtime docs/design/specs/PortablePdb-Metadata.md.
 * Units:  il_offset in bytes from the first instruction; lines and columns from 1; hidden points
 *         have no line.
 * Owner:  results live in `arena` or point into the image; both outlive struct pdb.
 * Errors: ERR_FORMAT bytes contradict the spec; ERR_LIMIT larger than ilcov accepts. */
#pragma once

#include "metadata/heaps.h"
#include "metadata/pe.h"

struct pdb {
    struct view image;
    struct metadata md;
    uint8_t id[20]; /* GUID and stamp: equal to the CodeView entry of the module it belongs to */
    uint32_t entry_point; /* token, or 0 */
};

NODISCARD bool pdb_open(struct pdb *out, struct view image, struct err *err);

/* Does it belong to the module of this CodeView entry, whose GUID and time stamp are its id
 * (PE-COFF.md, "Portable CodeView record")? ERR_MISMATCH if not. */
NODISCARD bool pdb_is_of(const struct pdb *pdb, const struct pe_debug *debug, struct err *err);

/* The image with its id zeroed, hashed with the algorithm of the module's PdbChecksum entry, must
 * give its digest. Only the program links a hash library, so this only gives the byte range of the
 * id in the image. */
void pdb_id_range(size_t *offset, size_t *len, const struct pdb *pdb);

struct pdb_document {
    struct str name;               /* as the compiler wrote it, maybe mapped to /_/ */
    const uint8_t *language;       /* GUID or NULL */
    const uint8_t *hash_algorithm; /* GUID or NULL */
    struct view hash;
    /* CustomDebugInformation blob: int32 uncompressed size (0: raw), bytes; or empty */
    struct view embedded_source;
};
NODISCARD bool pdb_read_document(struct pdb_document *out, const struct pdb *pdb, uint32_t rid,
                                 struct arena *arena, struct err *err);

struct seq_point {
    uint32_t il_offset;
    uint32_t document; /* Document rid */
    bool hidden;       /* then the lines and columns are 0 */
    uint32_t start_line, end_line;
    uint16_t start_column, end_column;
};
struct seq_points {
    struct seq_point *points; /* ascending il_offset */
    uint32_t count;
};
NODISCARD bool pdb_sequence_points(struct seq_points *out, const struct pdb *pdb,
                                   uint32_t method_rid, struct arena *arena, struct err *err);

/* StateMachineMethod: the user's method whose body moved into MoveNext `method_rid`; 0 if it is
 * not a MoveNext. */
uint32_t pdb_kickoff_method(const struct pdb *pdb, uint32_t move_next_rid);

/* The JSON of the module's SourceLink record, or empty. */
struct view pdb_source_link(const struct pdb *pdb);

/* A custom debug information blob by parent token and kind (GUID in memory order); empty when
 * absent. */
struct view pdb_custom_info(const struct pdb *pdb, uint32_t parent_token, const uint8_t kind[16]);

/* Is the span within the other, and not equal to it? */
bool seq_point_is_within(const struct seq_point *inner, const struct seq_point *outer);

/* By document, start and end of their spans; 0 if these are equal. Ordered as for qsort. */
int seq_point_order(const struct seq_point *a, const struct seq_point *b);

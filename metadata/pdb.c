/* A sequence points blob ("Sequence Points Blob" of the Portable PDB specification): a header, a
 * visible or hidden point, and then any number of records. All integers are compressed:
 *
 *   header          local signature rid
 *                   document rid, if the row's Document column is 0
 *   visible point   delta IL
 *                   delta lines
 *                   delta columns, signed unless delta lines is 0
 *                   start line, start column: absolute in the first visible point; later the
 *                   signed difference from the previous visible point
 *   hidden point    delta IL | 0 | 0
 *   document        0 | document rid of the points that follow
 *
 * The first delta IL is the offset itself; a later one of 0 marks a document record. */
#include "metadata/pdb.h"

#include "base/number.h"

#include <string.h>

enum {
    PDB_ID_LEN = 20,
    IL_OFFSET_END = 0x20000000,
    LINE_END = 0x20000000,
    COLUMN_END = 0x10000,
    HIDDEN_LINE = 0xFEEFEE,
    DOCUMENT_NAME_MAX = 32 * 1024,
};

/* GUIDs in memory order: the first three fields little-endian. */
static const uint8_t kind_source_link[16] = {0x56, 0x05, 0x11, 0xCC, 0x91, 0xA0, 0x38, 0x4D,
                                             0x9F, 0xEC, 0x25, 0xAB, 0x9A, 0x35, 0x1A, 0x6A};
static const uint8_t kind_embedded_source[16] = {0x1B, 0x57, 0x8A, 0x0E, 0x26, 0x69, 0x6E, 0x46,
                                                 0xB4, 0xAD, 0x8A, 0xB0, 0x46, 0x11, 0xF5, 0xFE};

bool pdb_open(struct pdb *out, struct view image, struct err *err)
{
    static const char windows_pdb[] = "Microsoft C/C++ MSF 7.00";
    size_t signature_len = sizeof windows_pdb - 1;
    *out = (struct pdb){.image = image};
    if (image.len >= signature_len && memcmp(image.data, windows_pdb, signature_len) == 0)
        return err_set(err, ERR_UNSUPPORTED,
                       "this is a Windows PDB; build with DebugType portable or embedded");
    if (!metadata_open(&out->md, image, err))
        return false;
    struct reader r = rd_view(out->md.pdb_stream);
    const uint8_t *id = rd_take(&r, PDB_ID_LEN);
    out->entry_point = rd_u32(&r);
    if (r.failed || id == NULL)
        return err_set(err, ERR_FORMAT, "PDB has no stream #Pdb");
    memcpy(out->id, id, PDB_ID_LEN);
    return true;
}

bool pdb_is_of(const struct pdb *pdb, const struct pe_debug *debug, struct err *err)
{
    uint8_t id[PDB_ID_LEN];
    if (!debug->has_codeview)
        return true;
    memcpy(id, debug->pdb_guid, sizeof debug->pdb_guid);
    store_u32(id + sizeof debug->pdb_guid, debug->pdb_stamp);
    /* A PDB converted from the Windows format keeps only the GUID: symreader-converter. */
    if (memcmp(id, pdb->id, debug->portable ? PDB_ID_LEN : sizeof debug->pdb_guid) != 0)
        return err_set(err, ERR_MISMATCH,
                       "PDB is of another build: its id differs from the module's");
    return true;
}

void pdb_id_range(size_t *offset, size_t *len, const struct pdb *pdb)
{
    *offset = (size_t)(pdb->md.pdb_stream.data - pdb->image.data);
    *len = PDB_ID_LEN;
}

/* Document name blob: a separator (0: none), then the blob offsets of the parts that it
 * separates. */
static bool read_document_name(struct str *out, const struct pdb *pdb, uint32_t rid,
                               struct arena *arena, struct err *err)
{
    struct reader r = rd_view(row_blob(&pdb->md, COL_Document_Name, rid));
    struct text text = text_in(arena);
    char separator = (char)rd_u8(&r);
    bool first = true;
    for (; rd_left(&r) != 0 && !r.failed; first = false) {
        struct view part = heap_blob(&pdb->md, rd_compressed(&r));
        if (!first && separator != '\0')
            text_add(&text, (struct str){&separator, 1});
        text_add(&text, (struct str){(const char *)part.data, part.len});
        if (text.len > DOCUMENT_NAME_MAX)
            return err_set(err, ERR_LIMIT, "name of document %u is longer than %u bytes",
                           (unsigned)rid, (unsigned)DOCUMENT_NAME_MAX);
    }
    if (r.failed || (unsigned char)separator > 0x7F)
        return err_set(err, ERR_FORMAT, "name of document %u is malformed", (unsigned)rid);
    return text_take(out, &text, err);
}

bool pdb_read_document(struct pdb_document *out, const struct pdb *pdb, uint32_t rid,
                       struct arena *arena, struct err *err)
{
    const struct metadata *md = &pdb->md;
    *out = (struct pdb_document){0};
    if (rid == 0 || rid > tables_rows(&md->tables, TABLE_Document))
        return err_set(err, ERR_FORMAT, "PDB has no document %u, only %u", (unsigned)rid,
                       (unsigned)tables_rows(&md->tables, TABLE_Document));
    if (!read_document_name(&out->name, pdb, rid, arena, err))
        return false;
    out->language = heap_guid(md, tables_get(&md->tables, COL_Document_Language, rid));
    out->hash_algorithm = heap_guid(md, tables_get(&md->tables, COL_Document_HashAlgorithm, rid));
    out->hash = row_blob(md, COL_Document_Hash, rid);
    out->embedded_source = pdb_custom_info(pdb, TOKEN(TABLE_Document, rid), kind_embedded_source);
    return true;
}

/* What the records read so far have set. */
struct point_state {
    struct seq_point previous;
    uint32_t line, column; /* of the previous visible point */
    bool any, any_visible;
};

/* Reads the lines and columns of one point, which follow its IL offset; false if they contradict
 * the specification. */
static bool read_point_span(struct seq_point *point, struct point_state *state, struct reader *r)
{
    uint32_t delta_lines = rd_compressed(r);
    int64_t delta_columns = delta_lines == 0 ? (int64_t)rd_compressed(r) : rd_compressed_signed(r);
    if (delta_lines == 0 && delta_columns == 0) {
        point->hidden = true;
        return !r->failed;
    }
    int64_t line = state->any_visible ? (int64_t)state->line + rd_compressed_signed(r)
                                      : (int64_t)rd_compressed(r);
    int64_t column = state->any_visible ? (int64_t)state->column + rd_compressed_signed(r)
                                        : (int64_t)rd_compressed(r);
    int64_t end_line = line + delta_lines;
    int64_t end_column = column + delta_columns;
    if (r->failed || line < 0 || end_line >= LINE_END || line == HIDDEN_LINE ||
        end_line == HIDDEN_LINE || column < 0 || column >= COLUMN_END || end_column < 0 ||
        end_column >= COLUMN_END)
        return false;
    point->start_line = state->line = (uint32_t)line;
    point->start_column = (uint16_t)column;
    point->end_line = (uint32_t)end_line;
    point->end_column = (uint16_t)end_column;
    state->column = (uint32_t)column;
    state->any_visible = true;
    return true;
}

/* Reads the next point, past any document records; false if the bytes are malformed. */
static bool read_point(struct seq_point *out, struct point_state *state, struct reader *r)
{
    uint32_t delta_il = rd_compressed(r);
    while (state->any && delta_il == 0 && !r->failed) {
        state->previous.document = rd_compressed(r);
        delta_il = rd_compressed(r);
    }
    *out = (struct seq_point){.document = state->previous.document,
                              .il_offset = state->previous.il_offset + delta_il};
    if (r->failed || delta_il >= IL_OFFSET_END || out->il_offset >= IL_OFFSET_END)
        return false;
    if (!read_point_span(out, state, r))
        return false;
    state->previous = *out;
    state->any = true;
    return true;
}

bool pdb_sequence_points(struct seq_points *out, const struct pdb *pdb, uint32_t method_rid,
                         struct arena *arena, struct err *err)
{
    const struct tables *t = &pdb->md.tables;
    *out = (struct seq_points){NULL, 0};
    uint32_t offset = tables_get(t, COL_MethodDebugInformation_SequencePoints, method_rid);
    if (offset == 0)
        return true;
    struct view blob = heap_blob(&pdb->md, offset);
    struct reader r = rd_view(blob);
    struct point_state state = {0};
    (void)rd_compressed(&r); /* local signature */
    state.previous.document = tables_get(t, COL_MethodDebugInformation_Document, method_rid);
    if (state.previous.document == 0)
        state.previous.document = rd_compressed(&r);
    if (r.failed)
        return err_set(err, ERR_FORMAT, "sequence points of method %u: no header at blob 0x%x",
                       (unsigned)method_rid, (unsigned)offset);
    /* A point takes at least 3 bytes. */
    out->points = arena_raw(arena, rd_left(&r) / 3, sizeof *out->points, err);
    if (out->points == NULL)
        return false;
    while (rd_left(&r) != 0) {
        struct seq_point point;
        size_t at = r.pos;
        if (!read_point(&point, &state, &r))
            return err_set(err, ERR_FORMAT,
                           "sequence points of method %u: record at byte %zu of %zu is malformed",
                           (unsigned)method_rid, at, blob.len);
        if (point.document == 0 || point.document > tables_rows(t, TABLE_Document))
            return err_set(err, ERR_FORMAT,
                           "sequence points of method %u: document %u of %u at byte %zu",
                           (unsigned)method_rid, (unsigned)point.document,
                           (unsigned)tables_rows(t, TABLE_Document), at);
        out->points[out->count++] = point;
    }
    return true;
}

uint32_t pdb_kickoff_method(const struct pdb *pdb, uint32_t move_next_rid)
{
    const struct tables *t = &pdb->md.tables;
    if (move_next_rid == 0)
        return 0;
    uint32_t row = tables_find(t, COL_StateMachineMethod_MoveNextMethod, move_next_rid);
    return tables_get(t, COL_StateMachineMethod_KickoffMethod, row);
}

struct view pdb_custom_info(const struct pdb *pdb, uint32_t parent_token, const uint8_t kind[16])
{
    const struct tables *t = &pdb->md.tables;
    bool sorted = (t->sorted >> TABLE_CustomDebugInformation & 1) != 0;
    uint32_t parent = coded_from_token(CODED_HAS_CUSTOM_DEBUG_INFORMATION, parent_token);
    uint32_t rid = tables_find(t, COL_CustomDebugInformation_Parent, parent);
    if (parent == NO_INDEX || rid == 0)
        return (struct view){NULL, 0};
    for (; rid <= tables_rows(t, TABLE_CustomDebugInformation); rid++) {
        if (tables_get(t, COL_CustomDebugInformation_Parent, rid) != parent) {
            if (sorted)
                break;
            continue;
        }
        const uint8_t *guid =
            heap_guid(&pdb->md, tables_get(t, COL_CustomDebugInformation_Kind, rid));
        if (guid != NULL && memcmp(guid, kind, 16) == 0)
            return row_blob(&pdb->md, COL_CustomDebugInformation_Value, rid);
    }
    return (struct view){NULL, 0};
}

struct view pdb_source_link(const struct pdb *pdb)
{
    return pdb_custom_info(pdb, TOKEN(TABLE_Module, 1), kind_source_link);
}

static uint64_t start_of_span(const struct seq_point *point)
{
    return (uint64_t)point->start_line << 32 | point->start_column;
}

static uint64_t end_of_span(const struct seq_point *point)
{
    return (uint64_t)point->end_line << 32 | point->end_column;
}

bool seq_point_is_within(const struct seq_point *inner, const struct seq_point *outer)
{
    return inner->document == outer->document && start_of_span(inner) >= start_of_span(outer) &&
           end_of_span(inner) <= end_of_span(outer) && seq_point_order(inner, outer) != 0;
}

int seq_point_order(const struct seq_point *a, const struct seq_point *b)
{
    int order = number_order(a->document, b->document);
    if (order == 0)
        order = number_order(start_of_span(a), start_of_span(b));
    return order != 0 ? order : number_order(end_of_span(a), end_of_span(b));
}

/* The metadata root, II.24.2.1 and II.24.2.2:
 *
 *   u32   0x424A5342, "BSJB"
 *   u16   major version
 *   u16   minor version
 *   u32   reserved
 *   u32   length of the version string, a multiple of 4
 *   ...   version string, padded with NULs
 *   u16   flags
 *   u16   number of streams
 *   for each stream:
 *     u32   offset from the root
 *     u32   size
 *     ...   name, padded with NULs to a multiple of 4, at most 32 bytes
 *
 * The stream #Pdb of a standalone PDB has the row counts of the module's tables, on which the width
 * of columns depends:
 *
 *   20 bytes   PDB id
 *   u32        entry point
 *   u64        referenced tables, one bit each
 *   u32        row count, for each bit that is set, lowest first */
#include "metadata/heaps.h"

#include <string.h>

enum {
    ROOT_SIGNATURE = 0x424A5342,
    VERSION_LEN_MAX = 256,
    STREAM_NAME_MAX = 32,
    PDB_ID_LEN = 20
};

/* Where the stream of this name goes (II.24.2.2). NULL for an unknown name: it is skipped. */
static struct view *stream_place(struct metadata *md, struct view *tables, struct str name)
{
    if (str_is(name, "#~"))
        return tables;
    if (str_is(name, "#Strings"))
        return &md->strings;
    if (str_is(name, "#US"))
        return &md->user_strings;
    if (str_is(name, "#GUID"))
        return &md->guids;
    if (str_is(name, "#Blob"))
        return &md->blobs;
    if (str_is(name, "#Pdb"))
        return &md->pdb_stream;
    return NULL;
}

/* Bytes up to the first NUL, or all of them. */
static struct str cut_at_nul(const uint8_t *bytes, size_t len)
{
    const uint8_t *end = memchr(bytes, 0, len);
    return (struct str){(const char *)bytes, end != NULL ? (size_t)(end - bytes) : len};
}

static bool read_stream_header(struct metadata *out, struct view *tables, struct reader *r,
                               struct err *err)
{
    uint32_t offset = rd_u32(r);
    uint32_t size = rd_u32(r);
    size_t left = rd_left(r);
    if (r->failed || left == 0)
        return err_set(err, ERR_FORMAT, "metadata root ends at byte %zu within its streams",
                       r->len);
    struct str name = cut_at_nul(r->data + r->pos, left < STREAM_NAME_MAX ? left : STREAM_NAME_MAX);
    if (name.len == left || name.len == STREAM_NAME_MAX)
        return err_set(err, ERR_FORMAT, "stream name at byte %zu of the metadata has no end",
                       r->pos);
    (void)rd_take(r, name.len + 1);
    rd_align(r, 4);
    if (offset > r->len || size > r->len - offset)
        return err_set(err, ERR_FORMAT, "stream %.*s is bytes %u to %llu, metadata has %zu",
                       STR_ARGS(name), (unsigned)offset, (unsigned long long)offset + size, r->len);
    if (str_is(name, "#-"))
        return err_set(err, ERR_UNSUPPORTED, "metadata is uncompressed (stream #-)");
    if (str_is(name, "#JTD"))
        return err_set(err, ERR_UNSUPPORTED,
                       "metadata is an edit-and-continue delta (stream #JTD)");
    struct view *place = stream_place(out, tables, name);
    if (place != NULL && place->data != NULL)
        return err_set(err, ERR_FORMAT, "metadata has two streams %.*s", STR_ARGS(name));
    if (place != NULL)
        *place = (struct view){r->data + offset, size};
    return true;
}

static bool read_foreign_rows(uint32_t rows[TABLE_COUNT], struct view pdb_stream, struct err *err)
{
    struct reader r = rd_view(pdb_stream);
    (void)rd_take(&r, PDB_ID_LEN + 4); /* id, entry point */
    uint64_t referenced = rd_u64(&r);
    for (unsigned id = 0; id < TABLE_COUNT; id++)
        rows[id] = (referenced >> id & 1) != 0 ? rd_u32(&r) : 0;
    if (r.failed)
        return err_set(err, ERR_FORMAT, "stream #Pdb ends at byte %zu", pdb_stream.len);
    return true;
}

bool metadata_open(struct metadata *out, struct view root, struct err *err)
{
    struct reader r = rd_view(root);
    struct view tables = {NULL, 0};
    uint32_t foreign_rows[TABLE_COUNT];
    *out = (struct metadata){.root = root};
    uint32_t signature = rd_u32(&r);
    (void)rd_take(&r, 8); /* versions, reserved */
    uint32_t version_len = rd_u32(&r);
    if (!r.failed && signature != ROOT_SIGNATURE)
        return err_set(err, ERR_FORMAT, "metadata root begins with 0x%08x instead of 0x%08x",
                       (unsigned)signature, (unsigned)ROOT_SIGNATURE);
    if (!r.failed && version_len > VERSION_LEN_MAX)
        return err_set(err, ERR_FORMAT, "metadata version has %u bytes, at most %u are allowed",
                       (unsigned)version_len, (unsigned)VERSION_LEN_MAX);
    const uint8_t *version = rd_take(&r, version_len);
    rd_align(&r, 4);
    (void)rd_u16(&r); /* flags */
    uint16_t stream_count = rd_u16(&r);
    if (r.failed || version == NULL)
        return err_set(err, ERR_FORMAT, "metadata root ends at byte %zu", root.len);
    out->version = cut_at_nul(version, version_len);
    for (unsigned i = 0; i < stream_count; i++)
        if (!read_stream_header(out, &tables, &r, err))
            return false;
    if (tables.data == NULL)
        return err_set(err, ERR_FORMAT, "metadata has no stream #~ among %u",
                       (unsigned)stream_count);
    if (out->pdb_stream.data == NULL)
        return tables_open(&out->tables, tables, NULL, err);
    return read_foreign_rows(foreign_rows, out->pdb_stream, err) &&
           tables_open(&out->tables, tables, foreign_rows, err);
}

struct str heap_string(const struct metadata *md, uint32_t offset)
{
    if (offset >= md->strings.len)
        return (struct str){NULL, 0};
    return cut_at_nul(md->strings.data + offset, md->strings.len - offset);
}

/* II.24.2.4: a compressed length, then that many bytes. */
static struct view find_item(struct view heap, uint32_t offset)
{
    if (offset >= heap.len)
        return (struct view){NULL, 0};
    const uint8_t *bytes = heap.data + offset;
    size_t left = heap.len - offset - 1;
    if (bytes[0] < 0x80) /* nearly all are this short: saves a call */
        return bytes[0] <= left ? (struct view){bytes + 1, bytes[0]} : (struct view){NULL, 0};
    struct reader r = rd_open(bytes, left + 1);
    uint32_t len = rd_compressed(&r);
    const uint8_t *data = rd_take(&r, len);
    return r.failed ? (struct view){NULL, 0} : (struct view){data, len};
}

struct view heap_blob(const struct metadata *md, uint32_t offset)
{
    return find_item(md->blobs, offset);
}

const uint8_t *heap_guid(const struct metadata *md, uint32_t index)
{
    return index != 0 && index <= md->guids.len / 16 ? md->guids.data + (size_t)(index - 1) * 16
                                                     : NULL;
}

struct view heap_user_string(const struct metadata *md, uint32_t offset)
{
    struct view v = find_item(md->user_strings, offset);
    v.len -= v.len & 1; /* the final byte says whether a character needs more than 8 bits */
    return v;
}

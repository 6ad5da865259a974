/* An embedded PDB:     "MPDB" | u32 length when inflated, not 0 | raw deflate data
 * An embedded source:  i32 length when inflated, or 0 | raw deflate data, with 0 the text itself */
#include "coverage/source/embedded.h"

#include <limits.h>
#define ZLIB_CONST /* next_in points to const */
#include <zlib.h>

#include "base/bytes.h"

enum {
    DEFLATE_RATIO_MAX = 1032
}; /* zlib's documentation: the best that deflate can do */

/* Exactly `len` bytes must come out, and the data must end with them. */
static bool inflate_exactly(struct view *out, struct view data, uint32_t len, struct arena *arena,
                            struct err *err)
{
    if (len > EMBEDDED_LEN_MAX)
        return err_set(err, ERR_LIMIT, "embedded data would have %u bytes, at most %u are accepted",
                       (unsigned)len, (unsigned)EMBEDDED_LEN_MAX);
    if (data.len > UINT_MAX || len / DEFLATE_RATIO_MAX > data.len)
        return err_set(err, ERR_LIMIT, "embedded data of %zu bytes cannot inflate to %u", data.len,
                       (unsigned)len);
    uint8_t *inflated = arena_raw(arena, len, 1, err);
    if (inflated == NULL)
        return false;
    z_stream z = {
        .next_in = data.data, .avail_in = (uInt)data.len, .next_out = inflated, .avail_out = len};
    if (inflateInit2(&z, -MAX_WBITS) != Z_OK) /* negative: raw, no zlib header */
        return err_set(err, ERR_MEMORY, "out of memory: zlib could not begin");
    int state = inflate(&z, Z_FINISH);
    (void)inflateEnd(&z);
    if (state != Z_STREAM_END || z.total_out != len)
        return err_set(err, ERR_FORMAT, "embedded data inflates to %lu of %u bytes%s%s",
                       z.total_out, (unsigned)len, z.msg != NULL ? ": " : "",
                       z.msg != NULL ? z.msg : "");
    *out = (struct view){inflated, len};
    return true;
}

bool embedded_pdb(struct view *out, struct view mpdb, struct arena *arena, struct err *err)
{
    struct reader r = rd_view(mpdb);
    *out = (struct view){NULL, 0};
    uint32_t signature = rd_u32(&r);
    uint32_t len = rd_u32(&r);
    if (r.failed || signature != 0x4244504D) /* "MPDB" */
        return err_set(err, ERR_FORMAT, "embedded PDB of %zu bytes does not begin with MPDB",
                       mpdb.len);
    if (len == 0 || len > INT32_MAX)
        return err_set(err, ERR_UNSUPPORTED,
                       "embedded PDB has length 0x%x, reserved for a later format", (unsigned)len);
    return inflate_exactly(out, (struct view){mpdb.data + r.pos, rd_left(&r)}, len, arena, err);
}

bool embedded_source(struct view *out, struct view blob, struct arena *arena, struct err *err)
{
    struct reader r = rd_view(blob);
    *out = (struct view){NULL, 0};
    uint32_t len = rd_u32(&r);
    if (r.failed)
        return err_set(err, ERR_FORMAT, "embedded source has %zu bytes, its header alone 4",
                       blob.len);
    if (len > INT32_MAX)
        return err_set(err, ERR_UNSUPPORTED,
                       "embedded source has length 0x%x, reserved for a later format",
                       (unsigned)len);
    struct view data = {blob.data + r.pos, rd_left(&r)};
    if (len != 0)
        return inflate_exactly(out, data, len, arena, err);
    *out = data;
    return true;
}

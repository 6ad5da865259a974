/* A method body, II.25.4. It starts on a multiple of 4, unless its header is tiny:
 *
 *   tiny header   u8    size << 2 | 2: code < 64 bytes, at most 8 stack slots, no locals or clauses
 *
 *   fat header    u16   flags | 3 << 12 (the size of the header in words)
 *                       flags: 0x3 fat, 0x8 sections follow, 0x10 zero the locals
 *                 u16   max stack
 *                 u32   code size
 *                 u32   local signature token
 *
 *   code
 *
 *   sections, each on a multiple of 4:
 *                 u8    kind: 0x1 clauses, 0x40 fat, 0x80 another section follows
 *                 u24   size; in a small section a u8 and 2 bytes of padding
 *     small clause, 12 bytes: flags2 try2 len1 handler2 len1 token4
 *     fat clause,   24 bytes: flags4 try4 len4 handler4 len4 token4
 */
#include "rewriter/body.h"

enum {
    HEADER_TINY = 0x2,
    HEADER_FAT = 0x3,
    HEADER_KIND_MASK = 0x3,
    HEADER_MORE_SECTS = 0x8,
    HEADER_INIT_LOCALS = 0x10,
    HEADER_FAT_LEN = 12,
    TINY_MAX_STACK = 8,
    SECT_EH_TABLE = 0x1,
    SECT_KIND_MASK = 0x3F,
    SECT_FAT = 0x40,
    SECT_MORE = 0x80,
    SMALL_CLAUSE_LEN = 12,
    FAT_CLAUSE_LEN = 24,
};

static bool is_in_code(const struct il_body *body, uint32_t offset, uint32_t length)
{
    return offset <= body->code_size && length <= body->code_size - offset;
}

static bool clause_is_sound(const struct il_body *body, const struct eh_clause *clause)
{
    bool kind_known = clause->flags == EH_CATCH || clause->flags == EH_FILTER ||
                      clause->flags == EH_FINALLY || clause->flags == EH_FAULT;
    return kind_known && clause->try_length != 0 && clause->handler_length != 0 &&
           is_in_code(body, clause->try_offset, clause->try_length) &&
           is_in_code(body, clause->handler_offset, clause->handler_length) &&
           (clause->flags != EH_FILTER || clause->filter_offset < clause->handler_offset);
}

static void read_clause(struct eh_clause *out, struct reader *r, bool fat)
{
    out->flags = fat ? rd_u32(r) : rd_u16(r);
    out->try_offset = fat ? rd_u32(r) : rd_u16(r);
    out->try_length = fat ? rd_u32(r) : rd_u8(r);
    out->handler_offset = fat ? rd_u32(r) : rd_u16(r);
    out->handler_length = fat ? rd_u32(r) : rd_u8(r);
    uint32_t token = rd_u32(r);
    out->class_token = out->flags == EH_CATCH ? token : 0;
    out->filter_offset = out->flags == EH_FILTER ? token : 0;
}

static enum verdict read_sections(struct il_body *out, struct reader *r, struct arena *arena)
{
    uint8_t kind = SECT_MORE;
    while ((kind & SECT_MORE) != 0) {
        rd_align(r, 4);
        size_t start = r->pos;
        kind = rd_u8(r);
        bool fat = (kind & SECT_FAT) != 0;
        uint32_t size = rd_u8(r);
        const uint8_t *rest = rd_take(r, 2);
        if (r->failed)
            return VERDICT_DECLINED_ODD_EH;
        if (fat)
            size |= (uint32_t)rest[0] << 8 | (uint32_t)rest[1] << 16;
        if ((kind & SECT_KIND_MASK) == SECT_EH_TABLE) {
            /* Some compilers do not count the section's own 4 bytes: rounding down allows both. */
            uint32_t count = size / (fat ? FAT_CLAUSE_LEN : SMALL_CLAUSE_LEN);
            if (out->clauses != NULL ||
                count > rd_left(r) / (fat ? FAT_CLAUSE_LEN : SMALL_CLAUSE_LEN))
                return VERDICT_DECLINED_ODD_EH;
            out->clauses = ARENA_NEW(arena, struct eh_clause, count, NULL);
            if (out->clauses == NULL)
                return VERDICT_DECLINED_MEMORY;
            for (; out->clause_count < count; out->clause_count++) {
                read_clause(&out->clauses[out->clause_count], r, fat);
                if (!clause_is_sound(out, &out->clauses[out->clause_count]))
                    return VERDICT_DECLINED_ODD_EH;
            }
        } else {
            rd_seek(r, size < 4 ? r->len + 1 : start + size);
        }
        if (r->failed)
            return VERDICT_DECLINED_ODD_EH;
    }
    return VERDICT_OK;
}

enum verdict body_parse(struct il_body *out, struct view bytes, struct arena *arena)
{
    *out = (struct il_body){.whole = bytes};
    struct reader r = rd_view(bytes);
    uint8_t first = rd_u8(&r);
    bool more_sections = false;
    if ((first & HEADER_KIND_MASK) == HEADER_TINY) {
        out->tiny = true;
        out->code_size = first >> 2;
        out->max_stack = TINY_MAX_STACK;
    } else if ((first & HEADER_KIND_MASK) == HEADER_FAT) {
        uint8_t size_in_words = rd_u8(&r) >> 4;
        out->max_stack = rd_u16(&r);
        out->code_size = rd_u32(&r);
        out->local_sig = rd_u32(&r);
        out->init_locals = (first & HEADER_INIT_LOCALS) != 0;
        more_sections = (first & HEADER_MORE_SECTS) != 0;
        if (size_in_words * 4 != HEADER_FAT_LEN)
            return VERDICT_DECLINED_HEADER;
    } else {
        return VERDICT_DECLINED_HEADER;
    }
    out->code = rd_take(&r, out->code_size);
    if (r.failed || out->code_size == 0)
        return VERDICT_DECLINED_HEADER;
    if (out->code_size > BODY_CODE_MAX)
        return VERDICT_DECLINED_TOO_LARGE;
    enum verdict verdict = more_sections ? read_sections(out, &r, arena) : VERDICT_OK;
    out->whole.len = r.pos;
    return verdict;
}

static size_t align_section(size_t len)
{
    return (len + 3) & ~(size_t)3;
}

size_t body_written_len(const struct il_body *body, uint32_t code_size)
{
    size_t len = HEADER_FAT_LEN + (size_t)code_size;
    return body->clause_count == 0
               ? len
               : align_section(len) + 4 + (size_t)body->clause_count * FAT_CLAUSE_LEN;
}

void body_write(struct writer *w, const struct il_body *body, const uint8_t *code,
                uint32_t code_size)
{
    uint32_t flags = HEADER_FAT | (body->init_locals ? HEADER_INIT_LOCALS : 0u) |
                     (body->clause_count != 0 ? HEADER_MORE_SECTS : 0u) | HEADER_FAT_LEN / 4 << 12;
    wr_u16(w, (uint16_t)flags);
    wr_u16(w, body->max_stack);
    wr_u32(w, code_size);
    wr_u32(w, body->local_sig);
    wr_bytes(w, code, code_size);
    if (body->clause_count == 0)
        return;
    wr_align(w, 4);
    wr_u32(w, SECT_EH_TABLE | SECT_FAT | (4 + body->clause_count * FAT_CLAUSE_LEN) << 8);
    for (uint32_t i = 0; i < body->clause_count; i++) {
        const struct eh_clause *clause = &body->clauses[i];
        wr_u32(w, clause->flags);
        wr_u32(w, clause->try_offset);
        wr_u32(w, clause->try_length);
        wr_u32(w, clause->handler_offset);
        wr_u32(w, clause->handler_length);
        wr_u32(w, clause->flags == EH_FILTER ? clause->filter_offset : clause->class_token);
    }
}

uint32_t body_handler_around(const struct il_body *body, uint32_t offset)
{
    for (uint32_t i = 0; i < body->clause_count; i++) { /* inner before outer */
        const struct eh_clause *clause = &body->clauses[i];
        if (offset >= clause->handler_offset &&
            offset - clause->handler_offset < clause->handler_length)
            return 2 * i + 1;
        if (clause->flags == EH_FILTER && offset >= clause->filter_offset &&
            offset < clause->handler_offset)
            return 2 * i + 2;
    }
    return 0;
}

bool body_is_in_filter(const struct il_body *body, uint32_t offset)
{
    uint32_t home = body_handler_around(body, offset);
    return home != 0 && home % 2 == 0;
}

uint32_t body_handler_of_filter(uint32_t filter)
{
    return filter - 1;
}

bool body_is_in_handler_of_filter(const struct il_body *body, uint32_t offset)
{
    uint32_t home = body_handler_around(body, offset);
    return home % 2 == 1 && body->clauses[home / 2].flags == EH_FILTER;
}

/* A stream:
 *
 *   "Nettrace"  u32 length, "!FastSerialization.1"
 *   objects     5 5 1, u32 version, u32 least reader, u32 length, name, 6, contents, 6
 *   1           the end
 *
 * The contents of the first, "Trace", have TRACE_LEN bytes. Those of all others are a block: u32
 * length, zeros to the next multiple of 4 of the stream, and so many bytes; of a "MetadataBlock" or
 * "EventBlock" u16 length of its header, u16 flags, more of the header, and items. An item has a
 * header (take_item) and a payload, which in a MetadataBlock describes events:
 *
 *   u32 metadata id, provider, u32 event id, ...        a text is UTF-16 with a NUL
 *
 * and in an EventBlock is that of an event; of ProfilerMessage: u16, text. */
#include "cli/process/nettrace.h"

#include <string.h>

#include "base/utf16.h"

enum {
    OBJECT_BEGINS = 5,
    OBJECT_ENDS = 6,
    NULL_OBJECT = 1,
    TRACE_LEN = 48,
    BLOCK_HEADER_LEN = 4,
    BLOCK_IS_COMPRESSED = 1,
    PROFILER_MESSAGE = 299,
    GUID_LEN = 16,
};

enum item_flags {
    ITEM_METADATA = 1,
    ITEM_SEQUENCE = 2,
    ITEM_THREAD = 4,
    ITEM_STACK = 8,
    ITEM_ACTIVITY = 0x10,
    ITEM_RELATED = 0x20,
    ITEM_LENGTH = 0x80,
};

struct trace {
    char *out;
    bool is_known; /* the number that ProfilerMessage has in this stream */
    uint64_t message;
};

/* What an item does not say is as in the one before. */
struct item {
    uint64_t metadata, len;
    struct view payload;
};

static bool take_item(struct item *item, struct reader *r)
{
    uint8_t flags = rd_u8(r);
    if ((flags & ITEM_METADATA) != 0)
        item->metadata = rd_leb128(r);
    for (int i = 0; (flags & ITEM_SEQUENCE) != 0 && i < 3; i++)
        (void)rd_leb128(r); /* number, thread, processor */
    if ((flags & ITEM_THREAD) != 0)
        (void)rd_leb128(r);
    if ((flags & ITEM_STACK) != 0)
        (void)rd_leb128(r);
    (void)rd_leb128(r); /* time */
    if ((flags & ITEM_ACTIVITY) != 0)
        (void)rd_take(r, GUID_LEN);
    if ((flags & ITEM_RELATED) != 0)
        (void)rd_take(r, GUID_LEN);
    if ((flags & ITEM_LENGTH) != 0)
        item->len = rd_leb128(r);
    item->payload = (struct view){rd_take(r, item->len), item->len};
    return !r->failed;
}

/* The start of it, as far as there is room; false unless it ends. */
static bool take_utf16_text(char *out, size_t room, struct reader *r)
{
    uint16_t units[NETTRACE_MESSAGE_ROOM];
    size_t count = 0;
    for (uint16_t unit; (unit = rd_u16(r)) != 0 && !r->failed;)
        if (count < ARRAY_LEN(units))
            units[count++] = unit;
    (void)utf16_to_utf8(out, room, units, count);
    return !r->failed;
}

static void take_metadata(struct trace *trace, const struct item *item)
{
    char provider[sizeof NETTRACE_PROVIDER + 1];
    struct reader r = rd_view(item->payload);
    uint32_t id = rd_u32(&r);
    if (!take_utf16_text(provider, sizeof provider, &r) ||
        strcmp(provider, NETTRACE_PROVIDER) != 0 || rd_u32(&r) != PROFILER_MESSAGE || r.failed)
        return;
    trace->is_known = true;
    trace->message = id;
}

/* Sentences are apart by two blanks. */
static void take_event(struct trace *trace, const struct item *item)
{
    char text[NETTRACE_MESSAGE_ROOM];
    struct reader r = rd_view(item->payload);
    (void)rd_u16(&r);
    if (!trace->is_known || item->metadata != trace->message ||
        !take_utf16_text(text, sizeof text, &r))
        return;
    char *end = strstr(text, "  ");
    if (end != NULL)
        *end = '\0';
    for (char *c = text; *c != '\0'; c++)
        *c = (unsigned char)*c < ' ' || *c == 0x7F ? ' ' : *c;
    memcpy(trace->out, text, sizeof text);
}

static void take_block(struct trace *trace, struct view block, bool is_metadata)
{
    struct reader r = rd_view(block);
    struct item item = {0};
    uint16_t len = rd_u16(&r), flags = rd_u16(&r);
    if (r.failed || len < BLOCK_HEADER_LEN || (flags & BLOCK_IS_COMPRESSED) == 0)
        return;
    (void)rd_take(&r, len - (size_t)BLOCK_HEADER_LEN);
    while (rd_left(&r) != 0 && take_item(&item, &r)) {
        if (is_metadata)
            take_metadata(trace, &item);
        else
            take_event(trace, &item);
    }
}

static bool take_object(struct trace *trace, struct reader *r)
{
    if (rd_u8(r) != OBJECT_BEGINS || rd_u8(r) != OBJECT_BEGINS || rd_u8(r) != NULL_OBJECT)
        return false;
    (void)rd_u64(r); /* versions */
    uint32_t len = rd_u32(r);
    struct str name = {(const char *)rd_take(r, len), len};
    if (rd_u8(r) != OBJECT_ENDS || r->failed)
        return false;
    if (str_is(name, "Trace")) {
        (void)rd_take(r, TRACE_LEN);
    } else {
        uint32_t block_len = rd_u32(r);
        (void)rd_take(r, -r->pos & 3);
        struct view block = {rd_take(r, block_len), block_len};
        bool is_metadata = str_is(name, "MetadataBlock");
        if (!r->failed && (is_metadata || str_is(name, "EventBlock")))
            take_block(trace, block, is_metadata);
    }
    return rd_u8(r) == OBJECT_ENDS && !r->failed;
}

bool nettrace_message(char out[NETTRACE_MESSAGE_ROOM], struct view stream)
{
    static const char magic[] = "Nettrace", serialization[] = "!FastSerialization.1";
    struct trace trace = {.out = out};
    struct reader r = rd_view(stream);
    out[0] = '\0';
    const uint8_t *start = rd_take(&r, sizeof magic - 1);
    uint32_t len = rd_u32(&r);
    const uint8_t *form = rd_take(&r, len);
    if (start == NULL || form == NULL || memcmp(start, magic, sizeof magic - 1) != 0 ||
        !str_is((struct str){(const char *)form, len}, serialization))
        return false;
    while (take_object(&trace, &r))
        continue;
    return out[0] != '\0';
}

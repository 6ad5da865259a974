#include "tests/support/nettrace_stream.h"

#include <string.h>

enum {
    ALL_BUT_SORTED = 0xBF
};

static void begin_object(struct writer *w, const char *name)
{
    wr_bytes(w, "\5\5\1", 3);
    wr_u32(w, 4);
    wr_u32(w, 4);
    wr_u32(w, (uint32_t)strlen(name));
    wr_bytes(w, name, strlen(name));
    wr_u8(w, 6);
}

void stream_begin(struct writer *w)
{
    static const uint8_t trace[48] = {0};
    wr_bytes(w, "Nettrace", 8);
    wr_u32(w, 20);
    wr_bytes(w, "!FastSerialization.1", 20);
    begin_object(w, "Trace");
    wr_bytes(w, trace, sizeof trace);
    wr_u8(w, 6);
}

void stream_end(struct writer *w)
{
    wr_u8(w, 1);
}

static void put_text(struct writer *w, const char *text)
{
    for (size_t i = 0; i <= strlen(text); i++)
        wr_u16(w, (uint8_t)text[i]);
}

static void add_block(struct writer *w, const char *name, uint32_t id, const struct writer *payload)
{
    static const uint8_t guid[16] = {0};
    uint8_t header[128];
    struct writer h = wr_over(header, sizeof header);
    wr_u16(&h, 20);
    wr_u16(&h, 1);
    wr_bytes(&h, guid, 16);
    wr_u8(&h, ALL_BUT_SORTED);
    wr_leb128(&h, id);
    for (int i = 0; i < 6; i++) /* number, thread, processor; thread; stack; time */
        wr_leb128(&h, 300);
    wr_bytes(&h, guid, sizeof guid);
    wr_bytes(&h, guid, sizeof guid);
    wr_leb128(&h, payload->len);
    begin_object(w, name);
    wr_u32(w, (uint32_t)(h.len + payload->len));
    while (w->len % 4 != 0)
        wr_u8(w, 0);
    wr_bytes(w, h.data, h.len);
    wr_bytes(w, payload->data, payload->len);
    wr_u8(w, 6);
}

void stream_add_metadata(struct writer *w, uint32_t id, const char *provider, uint32_t event)
{
    uint8_t payload[256];
    struct writer p = wr_over(payload, sizeof payload);
    wr_u32(&p, id);
    put_text(&p, provider);
    wr_u32(&p, event);
    add_block(w, "MetadataBlock", 0, &p);
}

void stream_add_event(struct writer *w, uint32_t id, const char *text)
{
    uint8_t payload[2048];
    struct writer p = wr_over(payload, sizeof payload);
    wr_u16(&p, 0);
    put_text(&p, text);
    add_block(w, "EventBlock", id, &p);
}

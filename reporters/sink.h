/* sink.h - bytes on their way into a FILE, gathered in a buffer of its own: reports consist of
 * millions of short pieces, and a call of stdio for each costs more than all else in a writer.
 * Owner:  whoever opened it; nothing else writes to the FILE before sink_flush.
 * Errors: the FILE remembers what could not be written. */
#pragma once

#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum {
    SINK_ROOM = 64 << 10 /* one large write costs the kernel a third of many small ones */
};

struct sink {
    FILE *file;       /* or NULL: bytes are only counted */
    uint64_t flushed; /* bytes that left the buffer */
    size_t len;
    char bytes[SINK_ROOM];
};

void sink_open(struct sink *out, FILE *file);
/* Into the FILE; what that has buffered stays there. */
void sink_flush(struct sink *sink);
/* The slow way of sink_add: what has no room in the buffer. */
void sink_add_large(struct sink *sink, const char *bytes, size_t len);

static inline void sink_add(struct sink *sink, const char *bytes, size_t len)
{
    if (len > SINK_ROOM - sink->len) {
        sink_add_large(sink, bytes, len);
        return;
    }
    memcpy(sink->bytes + sink->len, bytes, len);
    sink->len += len;
}

static inline void sink_c(struct sink *sink, const char *text)
{
    sink_add(sink, text, strlen(text));
}

static inline void sink_byte(struct sink *sink, char c)
{
    if (sink->len == SINK_ROOM)
        sink_flush(sink);
    sink->bytes[sink->len++] = c;
}

void sink_spaces(struct sink *sink, size_t count);
/* In decimal. */
void sink_number(struct sink *sink, uint64_t value);
void sink_signed(struct sink *sink, int64_t value);

/* All bytes that were added. */
static inline uint64_t sink_position(const struct sink *sink)
{
    return sink->flushed + sink->len;
}

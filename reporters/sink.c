#include "reporters/sink.h"

#include "base/number.h"

void sink_open(struct sink *out, FILE *file)
{
    out->file = file;
    out->flushed = 0;
    out->len = 0;
}

static void pass_on(struct sink *sink, const char *bytes, size_t len)
{
    if (sink->file != NULL && len != 0)
        (void)fwrite(bytes, 1, len, sink->file);
    sink->flushed += len;
}

void sink_flush(struct sink *sink)
{
    pass_on(sink, sink->bytes, sink->len);
    sink->len = 0;
}

void sink_add_large(struct sink *sink, const char *bytes, size_t len)
{
    sink_flush(sink);
    if (len > SINK_ROOM) {
        pass_on(sink, bytes, len);
        return;
    }
    memcpy(sink->bytes, bytes, len);
    sink->len = len;
}

void sink_spaces(struct sink *sink, size_t count)
{
    static const char spaces[] = "                                                                ";
    for (; count >= sizeof spaces; count -= sizeof spaces - 1)
        sink_add(sink, spaces, sizeof spaces - 1);
    sink_add(sink, spaces, count);
}

void sink_number(struct sink *sink, uint64_t value)
{
    char room[NUMBER_DIGITS_MAX], *end = room + sizeof room;
    const char *first = number_digits(end, value);
    sink_add(sink, first, (size_t)(end - first));
}

void sink_signed(struct sink *sink, int64_t value)
{
    if (value < 0)
        sink_byte(sink, '-');
    sink_number(sink, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

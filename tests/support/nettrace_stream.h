/* nettrace_stream.h - streams of events as a runtime writes them (cli/process/nettrace.c). */
#pragma once

#include "base/bytes.h"

void stream_begin(struct writer *w);
void stream_end(struct writer *w);

/* One item in a block of its own: what describes an event, and an event with a text. */
void stream_add_metadata(struct writer *w, uint32_t id, const char *provider, uint32_t event);
void stream_add_event(struct writer *w, uint32_t id, const char *text);

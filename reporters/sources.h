/* sources.h - the source text that writers may show; writers do not read files themselves.
 * Units:  lines from 1. */
#pragma once

#include "base/text.h"

/* `line` returns the text of a line as it was compiled, without its end; valid until the next call.
 * `package` and `path` are as in struct report_class or struct diff_file. `text` is NULL if the
 * source is not known and after the last line; reading lines in order is fast. */
struct sources {
    struct str (*line)(void *context, struct str package, struct str path, uint32_t number);
    void *context;
    bool withheld; /* the user wants no source text in what is written: `line` knows none */
    /* Why no line is known, in words that complete "The source is not shown: ". */
    const char *(*lack)(void *context, struct str package, struct str path);
};

/* A source file of them. */
struct source_place {
    const struct sources *sources;
    struct str package, path;
};

static inline struct str sources_line(const struct source_place *place, uint32_t number)
{
    const struct sources *sources = place->sources;
    return sources->line(sources->context, place->package, place->path, number);
}

static inline const char *sources_lack(const struct source_place *place)
{
    return place->sources->lack(place->sources->context, place->package, place->path);
}

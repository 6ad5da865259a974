/* sources.h - the source text that writers may show; writers do not read files themselves.
 * Units:  lines from 1. */
#ifndef ILCOV_REPORTERS_SOURCES_H
#define ILCOV_REPORTERS_SOURCES_H

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

static inline struct str sources_line(const struct sources *sources, struct str package,
                                      struct str path, uint32_t number)
{
    return sources->line(sources->context, package, path, number);
}

static inline const char *sources_lack(const struct sources *sources, struct str package,
                                       struct str path)
{
    return sources->lack(sources->context, package, path);
}

#endif

/* err.h - what went wrong, in one line for a human.
 * The text is written once, where the fact is known, and passed up unchanged; the outermost caller
 * adds the name of the file. */
#pragma once

#include "base/base.h"

enum err_code {
    ERR_NONE,
    ERR_USAGE,       /* the caller asked for something that makes no sense */
    ERR_IO,          /* the operating system refused */
    ERR_FORMAT,      /* bytes contradict their specification */
    ERR_LIMIT,       /* valid, but larger than ilcov accepts; the limit is a named constant */
    ERR_MEMORY,      /* out of memory */
    ERR_MISMATCH,    /* two inputs that should belong together do not */
    ERR_UNSUPPORTED, /* valid, but not handled; the text says why */
};

struct err {
    enum err_code code;
    char text[480];
};

/* Sets code and text and returns false, so that a function can `return err_set(...)`. `err` may be
 * NULL. */
bool err_set(struct err *err, enum err_code code, const char *format, ...) PRINTF_LIKE(3, 4);

/* May the caller go on as if nothing were wrong? Not if memory ran out: then `err` says so, too. */
bool err_tolerate(struct err *err, const struct err *why);

/* Like err_set, followed by ": " and the text of errno. */
bool err_set_errno(struct err *err, const char *format, ...) PRINTF_LIKE(2, 3);

/* Puts "prefix: " in front of a text that is already set; "prefix " if the text goes on from it:
 * "cannot be opened", "is empty", "has no object", "ends within <a>". */
void err_prefix(struct err *err, const char *format, ...) PRINTF_LIKE(2, 3);

/* json_writer.h - writes JSON directly, without a tree (RFC 8259). For readability each value has
 * its own line; jw_begin_line keeps a whole value on one line. Keys are literals and need no
 * escapes; values may hold any bytes: invalid UTF-8 becomes U+FFFD.
 * Errors: the FILE remembers them. */
#pragma once

#include "reporters/sink.h"

struct json_writer {
    unsigned depth;
    unsigned line_depth; /* of the value on one line; 0: none */
    bool has_member;     /* the open object or array has a value already */
    struct sink sink;
};

/* Until jw_finish, nothing else writes to the file. */
void jw_open(struct json_writer *out, FILE *file);

/* `key` is NULL in an array, and for the outermost value. `bracket` is '{' or '['. */
void jw_begin(struct json_writer *w, const char *key, char bracket);
void jw_begin_line(struct json_writer *w, const char *key, char bracket);
/* `bracket` is '}' or ']'. */
void jw_end(struct json_writer *w, char bracket);
/* After the outermost value: the end of the last line. Everything is handed to the FILE; another
 * value may follow. */
void jw_finish(struct json_writer *w);

void jw_number(struct json_writer *w, const char *key, uint64_t value);
void jw_signed(struct json_writer *w, const char *key, int64_t value);
void jw_bool(struct json_writer *w, const char *key, bool value);
void jw_null(struct json_writer *w, const char *key);
void jw_text(struct json_writer *w, const char *key, struct str value);
void jw_text_c(struct json_writer *w, const char *key, const char *value);

/* An object of two numbers, on one line. */
void jw_share(struct json_writer *w, const char *key, uint64_t covered, uint64_t valid);
/* "generator": the name and version of this program. */
void jw_generator(struct json_writer *w);

/* A string alone, for a file that is not written by a json_writer. */
void json_put_string(FILE *out, struct str value);

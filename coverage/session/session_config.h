/* session_config.h - the config of a session: the library's settings and the id of the run, for the
 * library and for collecting the session later. The format is drawn in contract/session_format.h.
 * Owner:  what is read lives in the arena.
 * Errors: ERR_FORMAT not a config, or one of another version; ERR_UNSUPPORTED the directory is not
 *         a session, or belongs to another user; ERR_IO a system call failed. The text names the
 *         directory. */
#pragma once

#include "base/text.h"
#include "contract/mode.h"

enum {
    SESSION_CONFIG_LIMIT = 1 << 20, /* bytes; the library has the same limit */
};

struct session_config {
    enum count_mode mode;
    const struct str *include, *exclude; /* patterns as text */
    uint32_t include_count, exclude_count;
    bool include_tests;
    bool control;    /* a thread of the library listens */
    bool per_test;   /* hits are attributed to tests */
    bool keep;       /* the session's name has no owner; not written */
    uint8_t id[16];  /* of the run in its data file, however often it is collected */
    int64_t started; /* Unix seconds */
};

/* ERR_USAGE if a pattern contains a line break. */
NODISCARD bool session_config_write(struct str *out, const struct session_config *config,
                                    struct arena *arena, struct err *err);

NODISCARD bool session_config_parse(struct session_config *out, struct str text,
                                    struct arena *arena, struct err *err);

/* Reads that of the session in the directory `path`, which must belong to the caller. */
NODISCARD bool session_config_read(struct session_config *out, const char *path,
                                   struct arena *arena, struct err *err);

/* The bytes of an open file of a session, which the text calls `what`: ERR_FORMAT if it is not a
 * regular file of up to `limit` bytes. */
NODISCARD bool session_read_bytes(struct view *out, int file, const char *what, uint64_t limit,
                                  struct arena *arena, struct err *err);

/* Writes a new file, on the disk if it `flushes`, and closes it; -1 has failed already. False with
 * errno. */
NODISCARD bool session_write_new(int file, const void *data, size_t len, bool flushes);

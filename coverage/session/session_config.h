/* session_config.h - the config of a session: what the library is told, and which run it is, so
 * that who collects it later knows both. The format is drawn in contract/counters.h.
 * Owner:  what is read lives in the arena.
 * Errors: ERR_FORMAT it is none, or of another version; ERR_UNSUPPORTED the directory is no
 *         session, or another user's; ERR_IO the system said no. The text names the directory. */
#ifndef ILCOV_COVERAGE_SESSION_SESSION_CONFIG_H
#define ILCOV_COVERAGE_SESSION_SESSION_CONFIG_H

#include "base/text.h"
#include "contract/mode.h"

enum {
    SESSION_CONFIG_LIMIT = 1 << 20, /* bytes, as for the library */
};

struct session_config {
    enum count_mode mode;
    const struct str *include, *exclude; /* patterns as text */
    uint32_t include_count, exclude_count;
    bool include_tests;
    bool control;    /* a thread of the library listens */
    bool keep;       /* the session's name tells no owner; not written */
    uint8_t id[16];  /* of the run that its data file holds, however often it is collected */
    int64_t started; /* Unix seconds */
};

/* ERR_USAGE when a pattern holds the end of a line. */
NODISCARD bool session_config_write(struct str *out, const struct session_config *config,
                                    struct arena *arena, struct err *err);

NODISCARD bool session_config_parse(struct session_config *out, struct str text,
                                    struct arena *arena, struct err *err);

/* That of the session in the directory `path`, which must be ours. */
NODISCARD bool session_config_read(struct session_config *out, const char *path,
                                   struct arena *arena, struct err *err);

#endif

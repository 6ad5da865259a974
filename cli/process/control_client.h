/* control_client.h - asks the library in a running process: the client of its control socket.
 * Source: contract/protocol.h. The process at the other end is the target, in which anything may be
 * broken: its answer is bounded, and checked before it is used.
 * Owner:  the answer lives in `arena`. */
#pragma once

#include "coverage/session/session_text.h"

enum {
    CONTROL_ANSWER_LIMIT = 64 << 20, /* bytes of an answer */
    CONTROL_LINES_LIMIT = 1 << 20,   /* its lines, of which each takes the memory of six fields */
};

struct control_answer {
    struct session_line *lines; /* without the last */
    uint32_t line_count;
    uint32_t hr; /* how it ended */
};

/* Sends `request` (CONTROL_...) to the process whose library counts in `session`, and reads to the
 * end of the answer. False with ERR_UNSUPPORTED when no library listens there, ERR_IO when it does
 * not answer within `limit_ms` or goes away before it has, ERR_FORMAT and ERR_LIMIT for a malformed
 * answer, ERR_MISMATCH for a socket of another user. */
NODISCARD bool control_ask(struct control_answer *out, const char *session, int pid,
                           const char *request, uint32_t limit_ms, struct arena *arena,
                           struct err *err);

/* The number in the line that begins with `keyword`. False if there is none. */
NODISCARD bool control_number(uint64_t *out, const struct control_answer *answer,
                              const char *keyword);

/* What control_ask does with the bytes: false with ERR_FORMAT, too, when the end is missing. */
NODISCARD bool control_parse(struct control_answer *out, struct str answer, struct arena *arena,
                             struct err *err);

/* "0x" and eight digits. */
NODISCARD bool control_parse_hr(uint32_t *hr, struct str field);

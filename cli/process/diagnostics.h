/* diagnostics.h - requests to a .NET runtime in another process, through the socket on which it
 * listens for tools: attach a profiler, report its version.
 * Source: dotnet/diagnostics, documentation/design-docs/ipc-protocol.md; what the answers mean:
 *         dotnet/runtime src/native/eventpipe/ds-profiler-protocol.c, ds-process-protocol.c.
 * Errors: as socket.h; also ERR_FORMAT for a malformed answer, ERR_LIMIT for one that is too long.
 *         A refusal of the runtime is not an error here: the HRESULT reports it. */
#pragma once

#include "cli/process/nettrace.h"
#include "cli/process/other_process.h"

enum {
    DIAGNOSTICS_ANSWER_LIMIT = 0xFFFF, /* bytes: a length has 16 bits */
    DIAGNOSTICS_VERSION_ROOM = 64,
    DIAGNOSTICS_HEADER_LEN = 20,
};

/* Does the process have the socket of a runtime? */
bool diagnostics_listens(const struct process *process);

/* Makes the runtime load this library for the profiler of this class id and pass it the client
 * data. `library` as the process sees it. */
NODISCARD bool diagnostics_attach(uint32_t *hr, const struct process *process, const char *clsid,
                                  const char *library, struct view client_data, uint32_t limit_ms,
                                  struct err *err);

/* The same for libilcov.so, whose client data is the session. */
NODISCARD bool diagnostics_attach_ilcov(uint32_t *hr, const struct process *process,
                                        const char *library, const char *session, uint32_t limit_ms,
                                        struct err *err);
/* ... as a guest beside any other profiler or, if the runtime miscounts its guests, in the place of
 * one (contract/protocol.h). */
NODISCARD bool diagnostics_attach_guest(uint32_t *hr, const struct process *process,
                                        const char *library, const char *session, uint32_t limit_ms,
                                        struct err *err);

/* After a failed attempt: another, while the runtime tells of it. `message`: the last that it said
 * of its profilers, or empty. Returns what the attempt does. */
NODISCARD bool diagnostics_attach_again(uint32_t *hr, char message[NETTRACE_MESSAGE_ROOM],
                                        const struct process *process, const char *library,
                                        const char *session, uint32_t limit_ms, struct err *err);

/* "10.0.1", without any suffix; empty for a runtime before .NET 6, which does not report it. */
NODISCARD bool diagnostics_version(char out[DIAGNOSTICS_VERSION_ROOM],
                                   const struct process *process, uint32_t limit_ms,
                                   struct err *err);

/* How these parse the bytes of an answer: the header says what follows. */
struct diagnostics_header {
    bool is_error;
    size_t payload_len;
};
NODISCARD bool diagnostics_parse_header(struct diagnostics_header *out,
                                        const uint8_t data[DIAGNOSTICS_HEADER_LEN],
                                        struct err *err);
NODISCARD bool diagnostics_parse_hr(uint32_t *hr, struct view payload, struct err *err);
NODISCARD bool diagnostics_parse_version(char out[DIAGNOSTICS_VERSION_ROOM], struct view payload,
                                         struct err *err);

/* The version in the path of a runtime of a shared framework, else empty. */
void diagnostics_version_of_path(char out[DIAGNOSTICS_VERSION_ROOM], const char *runtime);

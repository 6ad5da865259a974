/* diagnostics.h - asks a .NET runtime in another process, by the socket on which it listens for
 * tools: attach a profiler, say which version it is.
 * Source: dotnet/diagnostics, documentation/design-docs/ipc-protocol.md; what the answers mean:
 *         dotnet/runtime src/native/eventpipe/ds-profiler-protocol.c, ds-process-protocol.c.
 * Errors: as peer.h; ERR_FORMAT, too, for an answer that is none, ERR_LIMIT for one that is too
 *         long. That the runtime refused is no error here: its HRESULT tells. */
#ifndef ILCOV_CLI_PROCESS_DIAGNOSTICS_H
#define ILCOV_CLI_PROCESS_DIAGNOSTICS_H

#include "cli/process/process.h"

enum {
    DIAGNOSTICS_ANSWER_LIMIT = 0xFFFF, /* bytes: a length has 16 bits */
    DIAGNOSTICS_VERSION_ROOM = 64,
    DIAGNOSTICS_HEADER_LEN = 20,
};

/* Has the process the socket of a runtime? */
bool diagnostics_listens(const struct process *process);

/* Has the runtime load this library and hand it the client data. `library` as the process sees
 * it. */
NODISCARD bool diagnostics_attach(uint32_t *hr, const struct process *process, const char *library,
                                  struct view client_data, uint32_t limit_ms, struct err *err);

/* The same of our library, which is told its session. */
NODISCARD bool diagnostics_attach_ilcov(uint32_t *hr, const struct process *process,
                                        const char *library, const char *session, uint32_t limit_ms,
                                        struct err *err);

/* "10.0.1", with what may stand behind it cut off; empty for a runtime before .NET 6, which does
 * not tell. */
NODISCARD bool diagnostics_version(char out[DIAGNOSTICS_VERSION_ROOM],
                                   const struct process *process, uint32_t limit_ms,
                                   struct err *err);

/* What these do with the bytes of an answer: the header tells what follows. */
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

#endif

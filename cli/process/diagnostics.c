/* A message:
 *
 *   0   14  "DOTNET_IPC_V1" and a NUL
 *   14  2   length of all of it
 *   16  1   command set, or 0xFF for an answer     17  1  command, or the kind of answer
 *   18  2   0
 *   20 ...  payload
 *
 * Little-endian; a string is a count of 16-bit characters, which includes the final NUL, and the
 * characters. One connection per command. */
#include "cli/process/diagnostics.h"

#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/path.h"
#include "base/utf16.h"
#include "cli/process/hresult.h"
#include "cli/process/stop.h"
#include "contract/protocol.h"
#include "contract/session_format.h"
#include "system/file.h"
#include "system/file_status.h"
#include "system/socket.h"

static const char magic[14] = "DOTNET_IPC_V1";

enum {
    HEADER_LEN = DIAGNOSTICS_HEADER_LEN,
    MAGIC_LEN = sizeof magic,
    SET_EVENT_PIPE = 2,
    EVENT_PIPE_STOP = 1,
    EVENT_PIPE_COLLECT2 = 3,
    FORMAT_NETTRACE = 1,
    LEVEL_INFORMATIONAL = 4,
    SESSION_ID_LEN = 8,
    STREAM_LIMIT = 256 << 10, /* bytes: more than a few messages take */
    SET_PROFILER = 3,
    PROFILER_ATTACH = 1,
    SET_PROCESS = 4,
    PROCESS_INFO2 = 4,
    SET_ANSWER = 0xFF,
    ANSWER_OK = 0,
    ANSWER_ERROR = 0xFF,
    REQUEST_ROOM = HEADER_LEN + 64 + 4 * PATH_ROOM, /* a library's path, a session's */
    GUID_LEN = 16,
};

struct ipc_answer {
    uint8_t data[DIAGNOSTICS_ANSWER_LIMIT];
    struct diagnostics_header header;
    struct view payload;
};

/* --- the socket ------------------------------------------------------------------------------- */

static void socket_name(char *out, size_t room, const struct process *process)
{
    (void)snprintf(out, room, "dotnet-diagnostic-%d-%llu-socket", process->inner_pid,
                   (unsigned long long)process->start_ticks);
}

static int open_folder(const struct process *process, struct err *err)
{
    char path[PATH_ROOM];
    if (!process_temporary(path, sizeof path, process, err))
        return -1;
    int fd = file_open(path, FILE_PLACE | FILE_FOLDER);
    if (fd < 0)
        (void)err_set_errno(err, "its folder of temporary files %s cannot be opened", path);
    return fd;
}

bool diagnostics_listens(const struct process *process)
{
    char name[96];
    socket_name(name, sizeof name, process);
    struct file_status status;
    int fd = open_folder(process, NULL);
    bool there = fd >= 0 && file_status_in(&status, fd, name);
    (void)file_close(fd);
    return there;
}

/* --- messages --------------------------------------------------------------------------------- */

struct ipc_request {
    uint8_t data[REQUEST_ROOM];
    struct writer w;
};

static void open_ipc_request(struct ipc_request *out, uint8_t set, uint8_t command)
{
    out->w = wr_over(out->data, sizeof out->data);
    wr_bytes(&out->w, magic, MAGIC_LEN);
    wr_u16(&out->w, 0); /* the length, once it is known */
    wr_u8(&out->w, set);
    wr_u8(&out->w, command);
    wr_u16(&out->w, 0);
}

static bool put_length(struct ipc_request *request, struct err *err)
{
    const struct writer *w = &request->w;
    if (w->failed || w->len > UINT16_MAX)
        return err_set(err, ERR_LIMIT, "the paths of library and session are too long");
    store_u16(w->data + MAGIC_LEN, (uint16_t)w->len);
    return true;
}

static bool receive_exactly(const struct peer *peer, uint8_t *data, size_t len)
{
    for (size_t at = 0, got = 0; at < len; at += got) {
        if (!peer_receive(&got, peer, data + at, len - at))
            return false;
        if (got == 0)
            return err_set(peer->err, ERR_IO,
                           "it closed the connection after %zu of the %zu bytes of its answer", at,
                           len);
    }
    return true;
}

bool diagnostics_parse_header(struct diagnostics_header *out, const uint8_t data[HEADER_LEN],
                              struct err *err)
{
    struct reader r = rd_open(data, HEADER_LEN);
    const uint8_t *start = rd_take(&r, MAGIC_LEN);
    uint16_t len = rd_u16(&r);
    uint8_t set = rd_u8(&r), code = rd_u8(&r);
    if (r.failed || memcmp(start, magic, MAGIC_LEN) != 0 || set != SET_ANSWER ||
        (code != ANSWER_OK && code != ANSWER_ERROR))
        return err_set(err, ERR_FORMAT, "the answer is not that of a .NET runtime's diagnostics");
    if (len < HEADER_LEN)
        return err_set(err, ERR_FORMAT, "its answer claims a length of %u bytes", len);
    *out = (struct diagnostics_header){code == ANSWER_ERROR, len - (size_t)HEADER_LEN};
    return true;
}

static bool read_answer(struct ipc_answer *out, const struct peer *peer)
{
    if (!receive_exactly(peer, out->data, HEADER_LEN) ||
        !diagnostics_parse_header(&out->header, out->data, peer->err))
        return false;
    out->payload = (struct view){out->data + HEADER_LEN, out->header.payload_len};
    return receive_exactly(peer, out->data + HEADER_LEN, out->payload.len);
}

/* The process that answers must be the one that was meant, not another with a socket of that
 * name. */
static bool is_meant(const struct peer *peer, const struct process *process)
{
    return peer->pid == process->pid ||
           err_set(peer->err, ERR_MISMATCH, "process %d listens on its %s", peer->pid, peer->what);
}

/* More may follow the answer; the caller closes `peer` in any case. */
static bool begin_to_ask(struct peer *peer, struct ipc_answer *out, const struct process *process,
                         struct ipc_request *request, uint32_t limit_ms, struct err *err)
{
    char name[96];
    *peer = (struct peer){.fd = -1};
    socket_name(name, sizeof name, process);
    if (!put_length(request, err))
        return false;
    int folder = open_folder(process, err);
    bool ok = folder >= 0 && peer_open(peer, folder, name, "diagnostics socket", limit_ms, err) &&
              is_meant(peer, process) &&
              peer_send(peer, (struct view){request->data, request->w.len}) &&
              read_answer(out, peer);
    (void)file_close(folder);
    if (!ok)
        stop_explain(err, process);
    return ok;
}

static bool ask_runtime_once(struct ipc_answer *out, const struct process *process,
                             struct ipc_request *request, uint32_t limit_ms, struct err *err)
{
    struct peer peer;
    bool ok = begin_to_ask(&peer, out, process, request, limit_ms, err);
    peer_close(&peer);
    return ok;
}

/* --- attach ----------------------------------------------------------------------------------- */

/* "{xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx}" as a GUID is laid out in memory. */
static void put_guid(struct writer *w, const char *text)
{
    unsigned a = 0, b = 0, c = 0, d[8] = {0};
    (void)sscanf(text, "{%8x-%4x-%4x-%2x%2x-%2x%2x%2x%2x%2x%2x}", &a, &b, &c, &d[0], &d[1], &d[2],
                 &d[3], &d[4], &d[5], &d[6], &d[7]);
    wr_u32(w, a);
    wr_u16(w, (uint16_t)b);
    wr_u16(w, (uint16_t)c);
    for (size_t i = 0; i < ARRAY_LEN(d); i++)
        wr_u8(w, (uint8_t)d[i]);
}

static bool put_ipc_string(struct writer *w, const char *text, struct err *err)
{
    uint16_t units[PATH_ROOM];
    size_t count = utf8_to_utf16(units, ARRAY_LEN(units), text, strlen(text));
    if (count >= ARRAY_LEN(units))
        return err_set(err, ERR_LIMIT, "%s is longer than %d characters", text, PATH_ROOM);
    wr_u32(w, (uint32_t)count + 1);
    for (size_t i = 0; i < count; i++)
        wr_u16(w, units[i]);
    wr_u16(w, 0);
    return true;
}

bool diagnostics_parse_hr(uint32_t *hr, struct view payload, struct err *err)
{
    struct reader r = rd_view(payload);
    *hr = rd_u32(&r);
    return !r.failed || err_set(err, ERR_FORMAT, "its answer has no HRESULT");
}

/* The runtime's own limit is for the end of a garbage collection, which it waits for. */
bool diagnostics_attach(uint32_t *hr, const struct process *process, const char *clsid,
                        const char *library, struct view client_data, uint32_t limit_ms,
                        struct err *err)
{
    struct ipc_request request;
    struct ipc_answer answer;
    open_ipc_request(&request, SET_PROFILER, PROFILER_ATTACH);
    wr_u32(&request.w, limit_ms);
    put_guid(&request.w, clsid);
    if (!put_ipc_string(&request.w, library, err))
        return false;
    wr_u32(&request.w, (uint32_t)client_data.len);
    wr_bytes(&request.w, client_data.data, client_data.len);
    return ask_runtime_once(&answer, process, &request, limit_ms, err) &&
           diagnostics_parse_hr(hr, answer.payload, err);
}

/* contract/protocol.h */
static bool attach_as(const char *clsid, uint32_t *hr, const struct process *process,
                      const char *library, const char *session, uint32_t limit_ms, struct err *err)
{
    uint8_t data[CLIENT_DATA_HEADER_LEN + PATH_ROOM];
    size_t len = strlen(session);
    struct writer w = wr_over(data, sizeof data);
    wr_bytes(&w, CLIENT_DATA_MAGIC, CLIENT_DATA_AT_VERSION);
    wr_u32(&w, PROTOCOL_VERSION);
    wr_u32(&w, (uint32_t)(CLIENT_DATA_HEADER_LEN + len));
    wr_u32(&w, (uint32_t)len);
    wr_bytes(&w, session, len);
    if (w.failed)
        return err_set(err, ERR_LIMIT, "the path of the session is too long");
    return diagnostics_attach(hr, process, clsid, library, (struct view){data, w.len}, limit_ms,
                              err);
}

bool diagnostics_attach_ilcov(uint32_t *hr, const struct process *process, const char *library,
                              const char *session, uint32_t limit_ms, struct err *err)
{
    return attach_as(PROFILER_CLSID, hr, process, library, session, limit_ms, err);
}

bool diagnostics_attach_guest(uint32_t *hr, const struct process *process, const char *library,
                              const char *session, uint32_t limit_ms, struct err *err)
{
    return attach_as(GUEST_CLSID, hr, process, library, session, limit_ms, err) &&
           (*hr != HR_CORPROF_E_INCONSISTENT_WITH_FLAGS ||
            attach_as(LONE_GUEST_CLSID, hr, process, library, session, limit_ms, err));
}

/* --- what it says of it ----------------------------------------------------------------------- */

/* CollectTracing2: a buffer of 1 MB, format "nettrace", without a rundown; one provider, its
 * keywords, level, name, arguments. */
static bool begin_to_listen(struct peer *peer, struct view *session, struct ipc_answer *answer,
                            const struct process *process, uint32_t limit_ms, struct err *err)
{
    struct ipc_request request;
    open_ipc_request(&request, SET_EVENT_PIPE, EVENT_PIPE_COLLECT2);
    wr_u32(&request.w, 1);
    wr_u32(&request.w, FORMAT_NETTRACE);
    wr_u8(&request.w, 0);
    wr_u32(&request.w, 1);
    wr_u64(&request.w, NETTRACE_PROFILER_KEYWORD);
    wr_u32(&request.w, LEVEL_INFORMATIONAL);
    *peer = (struct peer){.fd = -1};
    if (!put_ipc_string(&request.w, NETTRACE_PROVIDER, err) ||
        !put_ipc_string(&request.w, "", err) ||
        !begin_to_ask(peer, answer, process, &request, limit_ms, err))
        return false;
    *session = (struct view){answer->payload.data, SESSION_ID_LEN};
    return !answer->header.is_error && answer->payload.len >= SESSION_ID_LEN;
}

/* Then the stream ends. */
static bool end_listening(const struct process *process, struct view session, uint32_t limit_ms,
                          struct err *err)
{
    struct ipc_request request;
    struct ipc_answer answer;
    open_ipc_request(&request, SET_EVENT_PIPE, EVENT_PIPE_STOP);
    wr_bytes(&request.w, session.data, session.len);
    return ask_runtime_once(&answer, process, &request, limit_ms, err);
}

static void read_message(char message[NETTRACE_MESSAGE_ROOM], const struct peer *peer)
{
    static uint8_t stream[STREAM_LIMIT];
    size_t len = 0, got = 0;
    while (len < sizeof stream && peer_receive(&got, peer, stream + len, sizeof stream - len) &&
           got != 0)
        len += got;
    (void)nettrace_message(message, (struct view){stream, len});
}

bool diagnostics_attach_again(uint32_t *hr, char message[NETTRACE_MESSAGE_ROOM],
                              const struct process *process, const char *library,
                              const char *session, uint32_t limit_ms, struct err *err)
{
    struct peer peer;
    struct ipc_answer answer;
    struct view id;
    struct err quiet;
    message[0] = '\0';
    bool listens = begin_to_listen(&peer, &id, &answer, process, limit_ms, &quiet);
    bool ok = diagnostics_attach_ilcov(hr, process, library, session, limit_ms, err);
    if (listens && end_listening(process, id, limit_ms, &quiet))
        read_message(message, &peer);
    peer_close(&peer);
    return ok;
}

/* --- version ---------------------------------------------------------------------------------- */

static void skip_ipc_string(struct reader *r)
{
    uint32_t count = rd_u32(r);
    (void)rd_take(r, 2 * (size_t)count);
}

/* Digits and dots: what follows them ("+commit", "-preview") does not matter here. */
static void keep_version(char out[DIAGNOSTICS_VERSION_ROOM], const char *text)
{
    (void)snprintf(out, DIAGNOSTICS_VERSION_ROOM, "%.*s", (int)strspn(text, "0123456789."), text);
}

bool diagnostics_parse_version(char out[DIAGNOSTICS_VERSION_ROOM], struct view payload,
                               struct err *err)
{
    uint16_t units[DIAGNOSTICS_VERSION_ROOM];
    char text[DIAGNOSTICS_VERSION_ROOM];
    struct reader r = rd_view(payload);
    (void)rd_u64(&r); /* process, cookie, command line, system, processor, program */
    (void)rd_take(&r, GUID_LEN);
    for (int i = 0; i < 4; i++)
        skip_ipc_string(&r);
    uint32_t count = rd_u32(&r);
    const uint8_t *data = rd_take(&r, 2 * (size_t)count);
    if (r.failed)
        return err_set(err, ERR_FORMAT, "its answer is cut off in the description of the process");
    if (count > ARRAY_LEN(units))
        count = ARRAY_LEN(units);
    for (uint32_t i = 0; i < count; i++)
        units[i] = load_u16(data + 2 * (size_t)i);
    (void)utf16_to_utf8(text, sizeof text, units, count);
    keep_version(out, text);
    return true;
}

bool diagnostics_version(char out[DIAGNOSTICS_VERSION_ROOM], const struct process *process,
                         uint32_t limit_ms, struct err *err)
{
    struct ipc_request request;
    struct ipc_answer answer;
    out[0] = '\0';
    open_ipc_request(&request, SET_PROCESS, PROCESS_INFO2);
    if (!ask_runtime_once(&answer, process, &request, limit_ms, err))
        return false;
    return answer.header.is_error || diagnostics_parse_version(out, answer.payload, err);
}

/* .../shared/Microsoft.NETCore.App/<version>/libcoreclr.so */
void diagnostics_version_of_path(char out[DIAGNOSTICS_VERSION_ROOM], const char *runtime)
{
    struct str folder = path_dir(str_of(runtime));
    bool shared = str_is(path_file(path_dir(folder)), "Microsoft.NETCore.App");
    out[0] = '\0';
    if (shared)
        keep_version(out, path_file(folder).text);
}

/* test_diagnostics.c - a runtime is asked in its own protocol, and whatever answers in its place is
 * an answer or a named error, in the time that there is. */
#include "cli/process/diagnostics.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/path.h"
#include "contract/session_format.h"
#include "tests/support/check.h"
#include "tests/support/temporary.h"

enum {
    LIMIT_MS = 100000,
    TICKS = 4711,
    REQUEST_MAX = 1024,
};

#define MAGIC 'D', 'O', 'T', 'N', 'E', 'T', '_', 'I', 'P', 'C', '_', 'V', '1', 0

/* --- a runtime of our own --------------------------------------------------------------------- */

struct server {
    struct temporary folder;
    char variable[300];
    struct process process;
    struct view answer;
    bool is_silent; /* never answers, and does not go away */
    bool in_pieces; /* a byte at a time */
    uint8_t request[REQUEST_MAX];
    size_t request_len;
    int fd, hold; /* hold: a pipe that closes when the test is over */
    pthread_t thread;
};

static void read_request(struct server *server, int fd)
{
    size_t want = 20;
    while (server->request_len < want) {
        ssize_t n = read(fd, server->request + server->request_len, want - server->request_len);
        if (n <= 0)
            return;
        server->request_len += (size_t)n;
        if (server->request_len == 20)
            want = load_u16(server->request + 14);
    }
}

static void *serve(void *argument)
{
    struct server *server = argument;
    char nothing;
    int fd = accept(server->fd, NULL, NULL);
    read_request(server, fd);
    size_t step = server->in_pieces ? 1 : server->answer.len;
    for (size_t at = 0; at < server->answer.len; at += step)
        if (send(fd, server->answer.data + at, step, MSG_NOSIGNAL) < 0)
            break;
    if (server->is_silent)
        (void)!read(server->hold, &nothing, 1);
    (void)close(fd);
    return NULL;
}

/* Where nobody listens yet. */
static void describe(struct server *server)
{
    temporary_open(&server->folder);
    int len =
        snprintf(server->variable, sizeof server->variable, "TMPDIR=%s", server->folder.folder);
    server->process = (struct process){
        .pid = getpid(),
        .inner_pid = 17,
        .start_ticks = TICKS,
        .has_our_files = true,
        .environment = {(const uint8_t *)server->variable, (size_t)len + 1},
    };
}

static void listen_there(struct server *server)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    (void)snprintf(address.sun_path, sizeof address.sun_path, "%s",
                   temporary_path(&server->folder, "dotnet-diagnostic-17-4711-socket"));
    server->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(server->fd, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(server->fd, 4), 0);
}

static int start(struct server *server)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    describe(server);
    listen_there(server);
    server->hold = ends[0];
    assert_int_equal(pthread_create(&server->thread, NULL, serve, server), 0);
    return ends[1];
}

static void stop(struct server *server, int hold)
{
    (void)close(hold);
    assert_int_equal(pthread_join(server->thread, NULL), 0);
    (void)close(server->hold);
    (void)close(server->fd);
    temporary_close(&server->folder);
}

static bool attach(uint32_t *hr, struct server *server, uint32_t limit_ms, struct err *err)
{
    int hold = start(server);
    bool ok = diagnostics_attach(hr, &server->process, PROFILER_CLSID, "/lib/\xC3\xA9.so",
                                 BYTES_VIEW(1, 2, 3), limit_ms, err);
    stop(server, hold);
    return ok;
}

/* --- what is asked ---------------------------------------------------------------------------- */

static const uint8_t answer_ok[] = {MAGIC, 24, 0, 0xFF, 0, 0, 0, 0, 0, 0, 0};
static const uint8_t answer_active[] = {MAGIC, 24, 0, 0xFF, 0xFF, 0, 0, 0x6A, 0x13, 0x13, 0x80};

static void attach_is_asked_as_the_protocol_has_it(void **state)
{
    static const uint8_t expected[] = {
        MAGIC, 71,   0,    3,    1,    0,    0,                       /* header */
        0xA0,  0x86, 1,    0,                                         /* 100,000 ms */
        0xDE,  0xC0, 0x0F, 0x1C, 0xED, 0x5E, 0x0F, 0x4C,              /* PROFILER_CLSID */
        0xA1,  0x1C, 0xC0, 0xDE, 0xC0, 0xDE, 0x11, 0xC0,              /* ... */
        10,    0,    0,    0,    '/',  0,    'l',  0,    'i', 0,      /* path */
        'b',   0,    '/',  0,    0xE9, 0,    '.',  0,    's', 0, 'o', /* ... */
        0,     0,    0,    3,    0,    0,    0,    1,    2,   3,      /* client data */
    };
    (void)state;
    struct server server = {.answer = VIEW(answer_ok)};
    struct err err = {0};
    uint32_t hr = 1;
    assert_true(attach(&hr, &server, LIMIT_MS, &err));
    assert_int_equal(hr, 0);
    assert_int_equal(server.request_len, load_u16(server.request + 14));
    assert_int_equal(server.request_len, sizeof expected);
    assert_memory_equal(server.request, expected, sizeof expected);
}

static void refusals_bring_their_hresult(void **state)
{
    (void)state;
    struct server server = {.answer = VIEW(answer_active), .in_pieces = true};
    struct err err = {0};
    uint32_t hr = 0;
    assert_true(attach(&hr, &server, LIMIT_MS, &err));
    assert_int_equal(hr, 0x8013136Au);
}

/* --- what is no answer ------------------------------------------------------------------------ */

static void cut_answers_are_reported_at_every_length(void **state)
{
    (void)state;
    for (size_t len = 0; len < sizeof answer_ok; len++) {
        struct server server = {.answer = {answer_ok, len}};
        struct err err = {0};
        uint32_t hr = 0;
        assert_failed(attach(&hr, &server, LIMIT_MS, &err), err, ERR_IO);
        assert_non_null(strstr(err.text, "closed the connection"));
    }
}

static const struct {
    const char *name;
    size_t at;
    uint8_t value;
    enum err_code code;
} bad_bytes[] = {
    {"another protocol", 7, '-', ERR_FORMAT},
    {"another version", 12, '2', ERR_FORMAT},
    {"no NUL", 13, 1, ERR_FORMAT},
    {"a request", 16, 4, ERR_FORMAT},
    {"no answer's code", 17, 1, ERR_FORMAT},
    {"shorter than a header", 14, 19, ERR_FORMAT},
    {"of no length", 14, 0, ERR_FORMAT},
    {"without an HRESULT", 14, 20, ERR_FORMAT},
    {"with part of an HRESULT", 14, 23, ERR_FORMAT},
    {"longer than what comes", 15, 0xFF, ERR_IO},
};

static void answers_with_a_wrong_byte_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(bad_bytes); i++) {
        uint8_t answer[sizeof answer_ok];
        memcpy(answer, answer_ok, sizeof answer);
        answer[bad_bytes[i].at] = bad_bytes[i].value;
        struct server server = {.answer = VIEW(answer)};
        struct err err = {0};
        uint32_t hr = 0;
        if (attach(&hr, &server, LIMIT_MS, &err) || err.code != bad_bytes[i].code)
            fail_msg("%s: %s", bad_bytes[i].name, err.text);
    }
}

static int64_t now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void runtime_that_says_nothing_is_not_waited_for_longer(void **state)
{
    (void)state;
    struct server server = {.answer = {answer_ok, 10}, .is_silent = true};
    struct err err = {0};
    uint32_t hr = 0;
    int64_t begun = now_ms();
    assert_failed(attach(&hr, &server, 200, &err), err, ERR_IO);
    assert_true(now_ms() - begun >= 200 && now_ms() - begun < LIMIT_MS);
}

static void whoever_else_listens_is_not_asked(void **state)
{
    (void)state;
    struct server server = {.fd = -1};
    struct err err = {0};
    uint32_t hr = 0;
    describe(&server);
    listen_there(&server);
    server.process.pid = 1;
    assert_failed(diagnostics_attach(&hr, &server.process, PROFILER_CLSID, "/l.so", BYTES_VIEW(0),
                                     LIMIT_MS, &err),
                  err, ERR_MISMATCH);
    (void)close(server.fd);
    temporary_close(&server.folder);
}

static void process_without_socket_is_recognised(void **state)
{
    (void)state;
    struct server server = {.fd = -1};
    struct err err = {0};
    uint32_t hr = 0;
    describe(&server);
    assert_false(diagnostics_listens(&server.process));
    assert_failed(diagnostics_attach(&hr, &server.process, PROFILER_CLSID, "/l.so", BYTES_VIEW(0),
                                     LIMIT_MS, &err),
                  err, ERR_UNSUPPORTED);
    listen_there(&server);
    assert_true(diagnostics_listens(&server.process));
    (void)close(server.fd); /* its file stays, as after a kill */
    assert_failed(diagnostics_attach(&hr, &server.process, PROFILER_CLSID, "/l.so", BYTES_VIEW(0),
                                     LIMIT_MS, &err),
                  err, ERR_UNSUPPORTED);
    temporary_close(&server.folder);
}

static void paths_without_end_are_refused(void **state)
{
    static char path[2 * PATH_ROOM];
    (void)state;
    struct server server = {.fd = -1};
    struct err err = {0};
    uint32_t hr = 0;
    describe(&server);
    memset(path, 'p', sizeof path - 1);
    assert_failed(diagnostics_attach(&hr, &server.process, PROFILER_CLSID, path, BYTES_VIEW(0),
                                     LIMIT_MS, &err),
                  err, ERR_LIMIT);
    temporary_close(&server.folder);
}

/* --- versions --------------------------------------------------------------------------------- */

static void put_text(struct writer *w, const char *text)
{
    size_t len = strlen(text);
    wr_u32(w, (uint32_t)len + 1);
    for (size_t i = 0; i <= len; i++)
        wr_u16(w, (uint8_t)text[i]);
}

static size_t make_info(uint8_t *out, size_t room, const char *version)
{
    struct writer w = wr_over(out, room);
    wr_bytes(&w, BYTES(MAGIC, 0, 0, 0xFF, 0, 0, 0), 20);
    wr_u64(&w, 17);
    wr_u64(&w, 0);
    wr_u64(&w, 0);
    put_text(&w, "dotnet app.dll");
    put_text(&w, "Linux");
    put_text(&w, "x64");
    put_text(&w, "app");
    put_text(&w, version);
    assert_false(w.failed);
    store_u16(out + 14, (uint16_t)w.len);
    return w.len;
}

static bool ask_version(char version[DIAGNOSTICS_VERSION_ROOM], struct view answer, struct err *err)
{
    struct server server = {.answer = answer};
    int hold = start(&server);
    bool ok = diagnostics_version(version, &server.process, LIMIT_MS, err);
    stop(&server, hold);
    return ok;
}

static void version_is_read_without_what_follows(void **state)
{
    static const struct {
        const char *says, *version;
    } versions[] = {{"10.0.1+0123456789abcdef", "10.0.1"},
                    {"8.0.11", "8.0.11"},
                    {"11.0.0-preview.1", "11.0.0"},
                    {"", ""},
                    {"1.1111111111111111111111111111111111111111111111111111111111111111111111",
                     "1.1111111111111111111111111111111111111111111111111111111111111"}};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(versions); i++) {
        uint8_t answer[512];
        char version[DIAGNOSTICS_VERSION_ROOM];
        struct err err = {0};
        size_t len = make_info(answer, sizeof answer, versions[i].says);
        assert_true(ask_version(version, (struct view){answer, len}, &err));
        assert_string_equal(version, versions[i].version);
    }
}

static void cut_versions_are_reported(void **state)
{
    uint8_t answer[512];
    (void)state;
    size_t len = make_info(answer, sizeof answer, "10.0.1");
    for (size_t cut = 20; cut < len; cut += 3) {
        char version[DIAGNOSTICS_VERSION_ROOM];
        struct err err = {0};
        store_u16(answer + 14, (uint16_t)cut);
        assert_failed(ask_version(version, (struct view){answer, cut}, &err), err, ERR_FORMAT);
    }
}

static void runtime_that_does_not_know_the_question_has_no_version(void **state)
{
    static const uint8_t unknown[] = {MAGIC, 24, 0, 0xFF, 0xFF, 0, 0, 0x85, 0x13, 0x13, 0x80};
    char version[DIAGNOSTICS_VERSION_ROOM] = "x";
    struct err err = {0};
    (void)state;
    assert_true(ask_version(version, VIEW(unknown), &err));
    assert_string_equal(version, "");
}

static void version_is_found_in_the_path_of_a_shared_runtime(void **state)
{
    char version[DIAGNOSTICS_VERSION_ROOM];
    (void)state;
    diagnostics_version_of_path(
        version, "/usr/share/dotnet/shared/Microsoft.NETCore.App/8.0.11/libcoreclr.so");
    assert_string_equal(version, "8.0.11");
    diagnostics_version_of_path(version, "/srv/app-2.1/libcoreclr.so");
    assert_string_equal(version, "");
    diagnostics_version_of_path(version, "");
    assert_string_equal(version, "");
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(attach_is_asked_as_the_protocol_has_it),
    cmocka_unit_test(refusals_bring_their_hresult),
    cmocka_unit_test(cut_answers_are_reported_at_every_length),
    cmocka_unit_test(answers_with_a_wrong_byte_are_refused),
    cmocka_unit_test(runtime_that_says_nothing_is_not_waited_for_longer),
    cmocka_unit_test(whoever_else_listens_is_not_asked),
    cmocka_unit_test(process_without_socket_is_recognised),
    cmocka_unit_test(paths_without_end_are_refused),
    cmocka_unit_test(version_is_read_without_what_follows),
    cmocka_unit_test(cut_versions_are_reported),
    cmocka_unit_test(runtime_that_does_not_know_the_question_has_no_version),
    cmocka_unit_test(version_is_found_in_the_path_of_a_shared_runtime),
};
UNIT_TESTS(tests);

/* test_control_client.c - the library in a process is asked, by whoever may, in as much time as
 * there is, and whatever it answers is an answer or a named error. */
#include "cli/process/control_client.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "contract/protocol.h"
#include "tests/support/check.h"
#include "tests/support/temporary.h"

enum {
    PID = 4711,
    LIMIT_MS = 120000
};

/* --- what is said ----------------------------------------------------------------------------- */

static const struct {
    const char *name, *answer;
    enum err_code code; /* ERR_NONE: it is fine */
    uint32_t lines, hr;
} answers[] = {
    {"an end alone", "end\t0x00000000\n", ERR_NONE, 0, 0},
    {"lines and an end", "thread\t12\t0x80004005\nnative\nend\t0x800705b4\n", ERR_NONE, 2,
     CONTROL_E_TIMEOUT},
    {"what follows the end is ignored", "end\t0x00000001\nend\tjunk\nx", ERR_NONE, 0, 1},
    {"nothing", "", ERR_FORMAT, 0, 0},
    {"no end", "native\n", ERR_FORMAT, 0, 0},
    {"an end that is cut", "native\nend\t0x00000000", ERR_FORMAT, 0, 0},
    {"an end without HRESULT", "end\n", ERR_FORMAT, 0, 0},
    {"an end with more", "end\t0x00000000\t1\n", ERR_FORMAT, 0, 0},
    {"an HRESULT of seven digits", "end\t0x0000000\n", ERR_FORMAT, 0, 0},
    {"an HRESULT of nine digits", "end\t0x000000000\n", ERR_FORMAT, 0, 0},
    {"an HRESULT of letters", "end\t0x0000000g\n", ERR_FORMAT, 0, 0},
    {"an HRESULT of no base", "end\t0000000000\n", ERR_FORMAT, 0, 0},
    {"seven fields", "a\tb\tc\td\te\tf\tg\nend\t0x00000000\n", ERR_FORMAT, 0, 0},
    {"no UTF-8", "dynamic\t\xff\nend\t0x00000000\n", ERR_FORMAT, 0, 0},
    {"an unknown escape", "dynamic\t\\x\nend\t0x00000000\n", ERR_FORMAT, 0, 0},
};

static void answers_are_believed_only_when_they_are_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(answers); i++) {
        struct arena arena;
        struct err err = {0};
        struct control_answer answer;
        arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
        struct view copy = exact_copy(
            (struct view){(const uint8_t *)answers[i].answer, strlen(answers[i].answer)});
        bool ok =
            control_parse(&answer, (struct str){(const char *)copy.data, copy.len}, &arena, &err);
        if (ok != (answers[i].code == ERR_NONE) || err.code != answers[i].code ||
            (ok && (answer.line_count != answers[i].lines || answer.hr != answers[i].hr)))
            fail_msg("%s: %d, '%s'", answers[i].name, ok, err.text);
        exact_free(copy);
        arena_free(&arena);
    }
}

/* Each takes the memory of one with six fields, however short it is. */
static void answers_of_very_many_lines_are_refused(void **state)
{
    (void)state;
    const size_t len = 2 * (size_t)CONTROL_LINES_LIMIT + 2;
    struct arena arena;
    struct err err = {0};
    struct control_answer answer;
    char *text = malloc(len);
    assert_non_null(text);
    for (size_t i = 0; i < len; i += 2)
        memcpy(text + i, "x\n", 2);
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    assert_failed(control_parse(&answer, (struct str){text, len}, &arena, &err), err, ERR_LIMIT);
    arena_free(&arena);
    free(text);
}

/* --- who is asked ----------------------------------------------------------------------------- */

struct server {
    struct temporary folder;
    const char *answer; /* NULL: never answers */
    size_t repeat;      /* how often the answer is sent */
    char request[CONTROL_REQUEST_MAX];
    int fd, hold; /* hold: a pipe that closes when the test is over */
    pthread_t thread;
};

static void *serve(void *argument)
{
    struct server *server = argument;
    int fd = accept(server->fd, NULL, NULL);
    ssize_t len = read(fd, server->request, sizeof server->request - 1);
    server->request[len > 0 ? len : 0] = '\0';
    for (size_t i = 0; server->answer != NULL && i < server->repeat; i++)
        if (send(fd, server->answer, strlen(server->answer), MSG_NOSIGNAL) < 0)
            break;
    char nothing;
    if (server->answer == NULL)
        (void)!read(server->hold, &nothing, 1);
    (void)close(fd);
    return NULL;
}

static void listen_in(struct server *server, const char *session)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int dir = open(session, O_PATH | O_DIRECTORY | O_CLOEXEC);
    assert_true(dir >= 0);
    server->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    (void)snprintf(address.sun_path, sizeof address.sun_path, "/proc/self/fd/%d/%s%d", dir,
                   SESSION_CONTROL, PID);
    assert_int_equal(bind(server->fd, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(server->fd, 4), 0);
    (void)close(dir);
}

/* Asks a server that sends `answer`, `repeat` times. */
static bool ask(struct control_answer *out, struct server *server, uint32_t limit_ms,
                struct arena *arena, struct err *err)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    temporary_open(&server->folder);
    server->hold = ends[0];
    listen_in(server, server->folder.folder);
    assert_int_equal(pthread_create(&server->thread, NULL, serve, server), 0);
    bool ok = control_ask(out, server->folder.folder, PID, CONTROL_HELLO, limit_ms, arena, err);
    (void)close(ends[1]);
    assert_int_equal(pthread_join(server->thread, NULL), 0);
    (void)close(ends[0]);
    (void)close(server->fd);
    temporary_close(&server->folder);
    return ok;
}

static void library_is_asked_in_its_own_words(void **state)
{
    (void)state;
    struct server server = {.answer = "instrumented\t12\nend\t0x80131370\n", .repeat = 1};
    struct control_answer answer;
    struct arena arena;
    struct err err = {0};
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    assert_true(ask(&answer, &server, LIMIT_MS, &arena, &err));
    assert_string_equal(server.request, "ilcov 1 hello\n");
    assert_int_equal(answer.line_count, 1);
    assert_str(answer.lines[0].fields[0], "instrumented");
    assert_str(answer.lines[0].fields[1], "12");
    assert_int_equal(answer.hr, 0x80131370u);
    arena_free(&arena);
}

static int64_t now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void library_that_says_nothing_is_not_waited_for_longer(void **state)
{
    (void)state;
    struct server server = {.answer = NULL};
    struct control_answer answer;
    struct arena arena;
    struct err err = {0};
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    int64_t start = now_ms();
    assert_failed(ask(&answer, &server, 200, &arena, &err), err, ERR_IO);
    assert_true(now_ms() - start >= 200 && now_ms() - start < LIMIT_MS);
    arena_free(&arena);
}

static void answer_without_end_is_cut_at_the_limit(void **state)
{
    (void)state;
    static char lines[1 << 16];
    for (size_t i = 0; i + 1 < sizeof lines; i++)
        lines[i] = "native\n"[i % 7];
    struct server server = {.answer = lines, .repeat = SIZE_MAX};
    struct control_answer answer;
    struct arena arena;
    struct err err = {0};
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    assert_failed(ask(&answer, &server, 60000, &arena, &err), err, ERR_LIMIT);
    arena_free(&arena);
}

static void library_that_dies_is_reported(void **state)
{
    (void)state;
    struct server server = {.answer = "", .repeat = 1};
    struct control_answer answer;
    struct arena arena;
    struct err err = {0};
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    assert_failed(ask(&answer, &server, LIMIT_MS, &arena, &err), err, ERR_IO);
    assert_non_null(strstr(err.text, "closed the connection"));
    arena_free(&arena);
}

/* --- where nobody listens --------------------------------------------------------------------- */

static void expect_refusal(const char *session, enum err_code code)
{
    struct control_answer answer;
    struct arena arena;
    struct err err = {0};
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    assert_failed(control_ask(&answer, session, PID, CONTROL_HELLO, LIMIT_MS, &arena, &err), err,
                  code);
    arena_free(&arena);
}

static void process_without_control_is_recognised(void **state)
{
    (void)state;
    struct temporary t;
    temporary_open(&t);
    expect_refusal(temporary_path(&t, "nowhere"), ERR_IO);
    expect_refusal(t.folder, ERR_UNSUPPORTED);
    const char *path = temporary_file(&t, "control-4711", "x", 1);
    expect_refusal(t.folder, ERR_FORMAT);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(symlink("/dev/log", path), 0);
    expect_refusal(t.folder, ERR_FORMAT);
    assert_int_equal(unlink(path), 0);
    struct server server = {.answer = NULL};
    listen_in(&server, t.folder);
    (void)close(server.fd); /* the socket stays in the directory, as after a kill */
    expect_refusal(t.folder, ERR_UNSUPPORTED);
    temporary_close(&t);
}

static void socket_of_another_user_is_refused(void **state)
{
    (void)state;
    struct temporary t;
    struct server server = {.answer = NULL};
    if (geteuid() != 0)
        skip();
    temporary_open(&t);
    listen_in(&server, t.folder);
    assert_int_equal(lchown(temporary_path(&t, "control-4711"), 65534, 65534), 0);
    expect_refusal(t.folder, ERR_MISMATCH);
    (void)close(server.fd);
    temporary_close(&t);
}

static void long_paths_are_as_good_as_short_ones(void **state)
{
    (void)state;
    struct temporary t;
    struct server server = {.answer = "end\t0x00000000\n", .repeat = 1};
    struct control_answer answer;
    struct err err = {0};
    char name[201];
    temporary_open(&t);
    memset(name, 'd', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    const char *session = temporary_path(&t, name);
    assert_int_equal(mkdir(session, 0700), 0);
    listen_in(&server, session);
    assert_int_equal(pthread_create(&server.thread, NULL, serve, &server), 0);
    assert_true(control_ask(&answer, session, PID, CONTROL_HELLO, LIMIT_MS, &t.arena, &err));
    assert_int_equal(pthread_join(server.thread, NULL), 0);
    (void)close(server.fd);
    struct str path;
    assert_true(text_format(&path, &t.arena, &err, "%s/%s%d", session, SESSION_CONTROL, PID));
    assert_int_equal(unlink(path.text), 0);
    assert_int_equal(rmdir(session), 0);
    temporary_close(&t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(answers_are_believed_only_when_they_are_whole),
    cmocka_unit_test(answers_of_very_many_lines_are_refused),
    cmocka_unit_test(library_is_asked_in_its_own_words),
    cmocka_unit_test(library_that_says_nothing_is_not_waited_for_longer),
    cmocka_unit_test(answer_without_end_is_cut_at_the_limit),
    cmocka_unit_test(library_that_dies_is_reported),
    cmocka_unit_test(process_without_control_is_recognised),
    cmocka_unit_test(socket_of_another_user_is_refused),
    cmocka_unit_test(long_paths_are_as_good_as_short_ones),
};
UNIT_TESTS(tests);

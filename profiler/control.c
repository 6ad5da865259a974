#include "profiler/control.h"

#include <stdio.h>
#include <string.h>

#include "contract/protocol.h"
#include "profiler/attach.h"
#include "profiler/rejit.h"
#include "profiler/walk.h"
#include "system/clock.h"
#include "system/file.h"
#include "system/process.h"
#include "system/socket.h"

enum {
    REQUEST_MS = 2000,
    ANSWER_MS = 10000,
    /* How long the library's callbacks may take to return. They do at once, but the runtime sleeps
     * 300 ms at least, and 5 s if more than this has passed when it first looks. */
    DETACH_MS = 300,
    BACKLOG = 8,
    FULL_MS = 100,
    GUEST_MS = 5000, /* how long a guest waits for its request */
    LEAVE_MS = 100,  /* between its attempts to leave */
};

/* --- answers ---------------------------------------------------------------------------------- */

static HRESULT answer_hello(struct profiler *p, struct text *out)
{
    (void)p;
    (void)out;
    return S_OK;
}

static HRESULT answer_revert(struct profiler *p, struct text *out)
{
    uint32_t methods = 0;
    if (!p->attached)
        return S_OK;
    HRESULT hr = rejit_stop(p, &methods);
    if (SUCCEEDED(hr))
        text_addf(out, "reverted\t%u\n", methods);
    return hr;
}

static HRESULT answer_count(struct profiler *p, struct text *out)
{
    (void)out;
    return rejit_continue(p);
}

/* A walker that still waits would return to code that is unloaded. */
static HRESULT detach_library(struct profiler *p)
{
    if (!walk_is_over(p))
        return CORPROF_E_SUSPENSION_IN_PROGRESS;
    return p->info->vtbl->RequestProfilerDetach(p->info, DETACH_MS);
}

static HRESULT answer_detach(struct profiler *p, struct text *out)
{
    text_addf(out, "instrumented\t%u\n",
              atomic_load_explicit(&p->instrumented, memory_order_relaxed));
    HRESULT hr = detach_library(p);
    if (FAILED(hr))
        (void)answer_revert(p, out);
    return hr;
}

static const struct {
    const char *name;
    HRESULT (*answer)(struct profiler *p, struct text *out);
    bool may_end; /* after success, this thread ends */
} requests[] = {
    {CONTROL_HELLO, answer_hello, false},   {CONTROL_STACKS, walk_stacks, false},
    {CONTROL_REVERT, answer_revert, false}, {CONTROL_COUNT, answer_count, false},
    {CONTROL_DETACH, answer_detach, true},
};

/* False if the library is about to be unloaded. */
static bool answer_request(struct profiler *p, struct text *out, const char *request)
{
    bool goes = false;
    HRESULT hr = E_INVALIDARG;
    for (size_t i = 0; i < ARRAY_LEN(requests); i++) {
        if (strcmp(requests[i].name, request) != 0)
            continue;
        hr = requests[i].answer(p, out);
        goes = requests[i].may_end && SUCCEEDED(hr);
    }
    text_addf(out, "end\t0x%08x\n", (unsigned)hr);
    return !goes;
}

/* --- connections ------------------------------------------------------------------------------ */

/* Accepts only the user whom the process belongs to; timeouts keep a peer from blocking it. */
static bool is_served(int fd)
{
    return connection_is_own(fd) && connection_limit(fd, REQUEST_MS, ANSWER_MS);
}

/* "ilcov 2 stacks\n": the last word, or NULL. */
static const char *read_request(char *line, size_t room, int fd)
{
    size_t len = 0;
    char start[32];
    while (len == 0 || line[len - 1] != '\n') {
        int64_t n = len < room - 1 ? connection_receive(fd, line + len, room - 1 - len) : -1;
        if (n <= 0)
            return NULL;
        len += (size_t)n;
    }
    line[len - 1] = '\0';
    int start_len = snprintf(start, sizeof start, "ilcov %d ", PROTOCOL_VERSION);
    return strncmp(line, start, (size_t)start_len) == 0 ? line + start_len : NULL;
}

static bool serve_connection(struct profiler *p, int fd)
{
    char line[CONTROL_REQUEST_MAX];
    struct str text;
    struct err err;
    bool stays = true;
    const char *request = is_served(fd) ? read_request(line, sizeof line, fd) : NULL;
    if (request == NULL)
        return true;
    struct arena arena = ARENA_EMPTY;
    struct text out = text_in(&arena);
    stays = answer_request(p, &out, request);
    if (text_take(&text, &out, &err))
        (void)!connection_send(fd, text.text, text.len);
    arena_free(&arena);
    return stays;
}

/* If no descriptor is free, waits for one; after any other failure the socket is no longer used. */
static int accept_next(const struct profiler *p, int listener)
{
    int fd = -1;
    do {
        enum listener_accepted accepted = listener_accept(&fd, listener);
        if (accepted == LISTENER_FULL)
            clock_rest(FULL_MS);
        else if (accepted != LISTENER_INTERRUPTED)
            return fd;
    } while (kept_fd(&p->control.listener) == listener);
    return -1;
}

/* The target may close the listener's descriptor and reuse its number for a socket of its own. Its
 * connections must not be accepted here, so the library then stops listening. */
static bool serve_next(struct profiler *p)
{
    int listener = kept_fd(&p->control.listener);
    int fd = listener >= 0 ? accept_next(p, listener) : -1;
    if (fd < 0)
        return false;
    bool stays = serve_connection(p, fd);
    (void)file_close(fd);
    return stays;
}

/* --- the thread ------------------------------------------------------------------------------- */

static void *run_control(void *argument)
{
    struct profiler *p = argument;
    if (p->attached)
        attach_catch_up(p);
    while (serve_next(p) && !p->control.answers_once)
        continue;
    kept_close(&p->control.listener);
    if (!p->control.answers_once)
        folder_remove(&p->folder, p->control.name);
    while (p->control.answers_once && detach_library(p) == CORPROF_E_SUSPENSION_IN_PROGRESS)
        clock_rest(LEAVE_MS);
    return NULL;
}

bool control_start(struct profiler *p)
{
    struct control *control = &p->control;
    (void)snprintf(control->name, sizeof control->name, SESSION_CONTROL "%d", process_self());
    kept_open(&control->listener, folder_listen(&p->folder, control->name, BACKLOG));
    if (control->listener.fd < 0)
        record_warning(&p->record, "stacks and detach are not available: no socket in the session");
    else if (control->answers_once)
        (void)!connection_limit(control->listener.fd, GUEST_MS, ANSWER_MS);
    control->is_running = thread_start(&control->thread, "ilcov", run_control, p);
    if (!control->is_running)
        kept_close(&control->listener);
    return control->is_running;
}

void control_join(struct profiler *p)
{
    if (p->control.is_running)
        thread_join(&p->control.thread);
    p->control.is_running = false;
}

#include "system/interruption.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "base/path.h"
#include "system/clock.h"
#include "system/command.h"

enum {
    TIME_SECONDS = 4, /* for the first signal to be asked for */
    ONE_KEY_MS = 100,
    TEXT_ROOM = 2 * PATH_ROOM + 512,
};

static const int watched[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM};

/* What the handler needs: written before it is installed. */
static struct {
    char text[TEXT_ROOM];
    size_t text_len;
    char from[PATH_ROOM], to[PATH_ROOM]; /* empty: nothing is renamed */
} at_end;

static volatile sig_atomic_t first; /* the handler's */
static int64_t first_ms;            /* likewise */

static struct {
    bool is_on;
    struct sigaction actions[ARRAY_LEN(watched)];
    sigset_t mask;
} before;

/* rename, write and _exit are async-signal-safe (POSIX.1-2008, 2.4.3). */
_Noreturn static void end_at_once(void)
{
    if (at_end.from[0] != '\0')
        (void)rename(at_end.from, at_end.to);
    ssize_t written = write(STDERR_FILENO, at_end.text, at_end.text_len);
    (void)written; /* there is nowhere left to report it */
    _exit(EXIT_STATUS_SIGNAL + first);
}

static void on_signal(int number)
{
    if (number == SIGALRM) {
        if (first != 0)
            end_at_once();
        return;
    }
    if (first == 0) {
        first = number;
        first_ms = clock_ms();
        (void)alarm(TIME_SECONDS);
    } else if (number != first || clock_ms() - first_ms > ONE_KEY_MS) {
        end_at_once();
    }
}

void interruption_watch(const struct last_words *last)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigset_t signals;
    interruption_end();
    first = 0;
    int len = snprintf(at_end.text, sizeof at_end.text, "%s", last->text);
    at_end.text_len = len > 0 && (size_t)len < sizeof at_end.text ? (size_t)len : 0;
    (void)snprintf(at_end.from, sizeof at_end.from, "%s", last->from != NULL ? last->from : "");
    (void)snprintf(at_end.to, sizeof at_end.to, "%s", last->to != NULL ? last->to : "");
    (void)sigfillset(&action.sa_mask);
    (void)sigemptyset(&signals);
    for (size_t i = 0; i < ARRAY_LEN(watched); i++) {
        struct sigaction *old = &before.actions[i];
        if (sigaction(watched[i], NULL, old) == 0 &&
            (watched[i] == SIGALRM || old->sa_handler != SIG_IGN))
            (void)sigaction(watched[i], &action, NULL);
        (void)sigaddset(&signals, watched[i]);
    }
    (void)sigprocmask(SIG_UNBLOCK, &signals, &before.mask);
    before.is_on = true;
}

int interruption_signal(void)
{
    if (first != 0)
        (void)alarm(0);
    return first;
}

void interruption_end(void)
{
    if (!before.is_on)
        return;
    (void)sigprocmask(SIG_SETMASK, &before.mask, NULL);
    (void)alarm(0);
    for (size_t i = 0; i < ARRAY_LEN(watched); i++)
        (void)sigaction(watched[i], &before.actions[i], NULL);
    before.is_on = false;
}

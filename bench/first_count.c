/* first_count.c - runs `ilcov attach` and tells how long it took until something was counted:
 *
 *     first_count FILE FOLDER PID COMMAND [ARG...]
 *
 * appends "<ms until the library listens> <ms until a counter is not zero>" to FILE, both from
 * before the command starts. FOLDER is empty, and what the command has for --session-dir; the
 * library listens when the runtime has answered that it is attached, or is about to. The counter
 * files are read as they lie there, each POLL_US. The command is interrupted then, as Ctrl-C does;
 * the exit status is 0 when it was measured within LIMIT_MS. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "contract/protocol.h"
#include "contract/session_format.h"

enum {
    LIMIT_MS = 20000,
    POLL_US = 200,
};

static double now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static bool ends_with(const char *text, const char *end)
{
    size_t len = strlen(text), end_len = strlen(end);
    return len >= end_len && strcmp(text + len - end_len, end) == 0;
}

/* Verdicts, names and the header are no counters: those are on whole pages behind them. */
static bool any_counted(const uint8_t *file, size_t len)
{
    uint64_t at = 0;
    uint32_t ready = 0;
    memcpy(&at, file + COUNTERS_AT_SHARDS, sizeof at);
    memcpy(&ready, file + COUNTERS_AT_READY, sizeof ready);
    if (ready != COUNTERS_READY)
        return false;
    while (at < len && file[at] == 0)
        at++;
    return at < len;
}

static bool counts(int session, const char *name)
{
    struct stat st;
    bool counted = false;
    int fd = openat(session, name, O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &st) == 0 && st.st_size > COUNTERS_HEADER_LEN) {
        size_t len = (size_t)st.st_size;
        const uint8_t *file = mmap(NULL, len, PROT_READ, MAP_SHARED, fd, 0);
        if (file != MAP_FAILED) {
            counted = any_counted(file, len);
            (void)munmap((void *)(uintptr_t)file, len);
        }
    }
    if (fd >= 0)
        (void)close(fd);
    return counted;
}

/* The one session in the folder, or -1. */
static int open_session(const char *folder)
{
    int session = -1;
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir != NULL && session < 0 && (entry = readdir(dir)) != NULL;)
        if (entry->d_name[0] != '.')
            session = openat(dirfd(dir), entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir != NULL)
        (void)closedir(dir);
    return session;
}

static bool has_counted(int session)
{
    bool counted = false;
    int fd = openat(session, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    for (struct dirent *entry; dir != NULL && !counted && (entry = readdir(dir)) != NULL;)
        counted = ends_with(entry->d_name, SESSION_COUNTS) && counts(session, entry->d_name);
    if (dir != NULL)
        (void)closedir(dir);
    return counted;
}

static bool measure(double *listens, double *counted, const char *folder, const char *pid)
{
    char socket[64];
    double started = now_ms();
    int session = -1;
    (void)snprintf(socket, sizeof socket, SESSION_CONTROL "%s", pid);
    for (*listens = *counted = 0; *counted == 0 && now_ms() - started < LIMIT_MS;) {
        if (session < 0)
            session = open_session(folder);
        if (session >= 0 && *listens == 0 && faccessat(session, socket, F_OK, 0) == 0)
            *listens = now_ms() - started;
        if (*listens != 0 && has_counted(session))
            *counted = now_ms() - started;
        else
            (void)nanosleep(&(struct timespec){.tv_nsec = POLL_US * 1000L}, NULL);
    }
    if (session >= 0)
        (void)close(session);
    return *counted != 0;
}

static int write_result(const char *path, double listens, double counted)
{
    FILE *out = fopen(path, "a");
    if (out != NULL && fprintf(out, "%.1f %.1f\n", listens, counted) > 0 && fclose(out) == 0)
        return 0;
    fprintf(stderr, "first_count: %s: %s\n", path, strerror(errno));
    return 3;
}

int main(int argc, char **argv)
{
    double listens = 0, counted = 0;
    if (argc < 5) {
        fputs("usage: first_count FILE FOLDER PID COMMAND [ARG...]\n", stderr);
        return 2;
    }
    pid_t child = fork();
    if (child == 0) {
        (void)execvp(argv[4], argv + 4);
        fprintf(stderr, "first_count: %s: %s\n", argv[4], strerror(errno));
        _exit(127);
    }
    bool measured = child > 0 && measure(&listens, &counted, argv[2], argv[3]);
    if (child > 0) {
        (void)kill(child, SIGINT);
        (void)waitpid(child, NULL, 0);
    }
    if (measured)
        return write_result(argv[1], listens, counted);
    fprintf(stderr, "first_count: nothing was counted within %d ms\n", LIMIT_MS);
    return 1;
}

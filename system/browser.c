#include "system/browser.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/path.h"

/* What goes wrong does so at once. */
enum {
    LOOKS = 40,
    LOOK_NS = 50000000
};

static bool name_browser(char name[PATH_ROOM])
{
    const char *wanted = getenv("BROWSER");
    if (wanted == NULL || wanted[0] == '\0')
        wanted = "xdg-open";
    size_t len = strcspn(wanted, ":");
    if (len == 0 || len >= PATH_ROOM)
        return false;
    memcpy(name, wanted, len);
    name[len] = '\0';
    return true;
}

/* In a session of its own, so that closing the terminal does not close it. */
static int start(pid_t *pid, char *name, char *path)
{
    char *arguments[] = {name, path, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed != 0)
        return failed;
    failed = posix_spawnattr_init(&attributes);
    if (failed != 0) {
        (void)posix_spawn_file_actions_destroy(&actions);
        return failed;
    }
    for (int fd = STDIN_FILENO; failed == 0 && fd <= STDERR_FILENO; fd++)
        failed = posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
    if (failed == 0)
        failed = posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    if (failed == 0)
        failed = posix_spawnp(pid, name, &actions, &attributes, arguments, environ);
    (void)posix_spawnattr_destroy(&attributes);
    (void)posix_spawn_file_actions_destroy(&actions);
    return failed;
}

bool browser_open(const char *path, struct err *err)
{
    char name[PATH_ROOM], real[PATH_ROOM];
    pid_t pid = 0;
    int status = 0;
    if (realpath(path, real) == NULL)
        return err_set_errno(err, "%s", path);
    if (!name_browser(name))
        return err_set(err, ERR_IO, "BROWSER names no program");
    errno = start(&pid, name, real);
    if (errno != 0)
        return err_set_errno(err, "%s cannot be started", name);
    for (int i = 0; i < LOOKS; i++) {
        pid_t ended = waitpid(pid, &status, WNOHANG);
        if (ended == pid && !(WIFEXITED(status) && WEXITSTATUS(status) == 0))
            return err_set(err, ERR_IO, "%s failed", name);
        if (ended != 0)
            return true;
        (void)nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
    }
    return true;
}

#include "tests/support/scenario.h"

#include <dirent.h>
#include <string.h>
#include <sys/wait.h>

#include "contract/session_format.h"
#include "tests/support/check.h"

enum {
    SECONDS_MAX = 300 /* even under memcheck */
};

bool scenario_survives(struct world *w, void (*scenario)(struct world *w), void (*after)(void))
{
    int status = 0;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)alarm(SECONDS_MAX);
        scenario(w);
        if (after != NULL)
            after();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void scenario_configure(struct temporary *session, const char *text)
{
    (void)temporary_file(session, SESSION_CONFIG, text, strlen(text));
}

struct str scenario_record(struct temporary *session)
{
    char start[64];
    struct str found = {"", 0};
    int len = snprintf(start, sizeof start, SESSION_PROCESS "%ld-", (long)getpid());
    DIR *folder = opendir(session->folder);
    EXPECT(folder != NULL);
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder))
        if (strncmp(entry->d_name, start, (size_t)len) == 0)
            found = temporary_read(session, temporary_path(session, entry->d_name));
    (void)closedir(folder);
    return found;
}

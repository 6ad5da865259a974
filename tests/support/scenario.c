#include "tests/support/scenario.h"

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

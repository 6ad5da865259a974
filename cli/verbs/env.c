/* ilcov env: what starts coverage in a program that ilcov does not launch: a service, a container, the
 * test run of an IDE. */
#include <stdio.h>

#include "cli/base/say.h"
#include "cli/base/verbs.h"
#include "cli/launch/environment.h"
#include "cli/launch/shell.h"
#include "cli/outcome/measurement.h"

/* Whoever reads standard output gets all of it or nothing. */
static bool print(const struct measurement *m, struct err *err)
{
    enum env_shell shell = m->options->shell;
    struct str text;
    struct shell_request request = {
        .variables = environment_own(m->library, m->session, m->arena, err),
        .session = m->session,
        .library = m->library,
    };
    if (request.variables == NULL || !shell_can_write(shell, &request, err) ||
        !shell_write(&text, shell, &request, m->arena, err))
        return false;
    return (fwrite(text.text, 1, text.len, stdout) == text.len && fflush(stdout) == 0) ||
           err_set_errno(err, "standard output cannot be written");
}

static int print_environment(const struct options *options, struct arena *arena)
{
    struct measurement m;
    struct err err = {0};
    int status = measurement_configure(&m, options, &verb_env.usage, arena);
    if (status != EXIT_FINE)
        return status;
    m.config.keep = true;
    if (!session_create(m.session, sizeof m.session, options->session_dir, &m.config, &err)) {
        say("%s", err.text);
        return err.code == ERR_USAGE ? EXIT_USAGE : EXIT_BAD;
    }
    if (!print(&m, &err)) {
        say("%s", err.text);
        (void)session_remove(m.session, NULL);
        return EXIT_BAD;
    }
    say("the session is %s; 'ilcov collect %s' makes the report", m.session, m.session);
    return EXIT_FINE;
}

const struct verb verb_env = {
    .usage =
        {.verb = FOR_ENV,
         .name = "env",
         .operands = "[OPTION...]",
         .summary =
             "Makes a session and prints what starts coverage in programs that ilcov does not\n"
             "launch: services, containers, test runs of an IDE. 'ilcov collect' ends it.",
         .notes = "Exit status: 2 usage or another profiler, 3 no session can be made.\n"
                  "Example: eval \"$(ilcov env)\" && ./server",
         .operand_max = 0},
    .brief = "print what starts coverage in a program that ilcov does not launch",
    .act = print_environment,
};

/* ilcov env: prints what enables coverage in a program that the user starts another way: a service,
 * a container, the test run of an IDE. */
#include <stdio.h>
#include <string.h>

#include "cli/options/add_variables.h"
#include "cli/options/exit.h"
#include "cli/options/measurement_options.h"
#include "cli/options/options.h"
#include "cli/options/say.h"
#include "cli/process/environment.h"
#include "cli/process/shell.h"
#include "cli/publish/measurement.h"
#include "cli/verbs/verbs.h"
#include "coverage/session/session_directory.h"
#include "system/file.h"

struct env_options {
    struct measurement_options measurement;
    enum env_shell shell;
    const char *merge; /* a file, or NULL */
};

/* What adds the variables to settings of the shell's kind; NULL: it has none. */
static add_variables *const adders[] = {
    [SHELL_RUNSETTINGS] = add_to_runsettings,
    [SHELL_TESTCONFIG] = add_to_testconfig,
    [SHELL_LAUNCHSETTINGS] = add_to_launchsettings,
    [SHELL_GITLAB] = NULL, /* the last */
};

/* Settings that say nothing. A comment of XML can't hold two hyphens in a row; JSON has none. */
static bool make_empty_settings(struct str *out, enum env_shell shell, const char *session,
                                struct arena *arena, struct err *err)
{
    bool fits = strstr(session, "--") == NULL && !str_ends(str_of(session), "-");
    *out = STR("{}");
    return shell != SHELL_RUNSETTINGS ||
           text_format(out, arena, err,
                       "<?xml version=\"1.0\" encoding=\"UTF-8\"?>%s%s%s<RunSettings/>",
                       fits ? "<!-- session: " : "", fits ? session : "", fits ? " -->" : "");
}

/* To the settings of the file, or to empty ones. */
static bool add_to_settings(struct str *out, const struct env_options *options,
                            const struct shell_request *request, struct arena *arena,
                            struct err *err)
{
    struct addition addition = {.path = options->merge, .variables = request->variables};
    struct str empty;
    if (options->merge == NULL) {
        if (!make_empty_settings(&empty, options->shell, request->session, arena, err))
            return false;
        addition.bytes = (struct view){(const uint8_t *)empty.text, empty.len};
        return adders[options->shell](out, &addition, arena, err);
    }
    if (!file_bytes_read(&addition.bytes, options->merge, err)) {
        err_prefix(err, "%s", options->merge);
        return false;
    }
    bool ok = adders[options->shell](out, &addition, arena, err);
    file_bytes_release(&addition.bytes);
    return ok;
}

/* Standard output gets all of the text or nothing. */
static bool print_variables(const struct measurement *m, const struct env_options *options,
                            struct err *err)
{
    struct str text;
    struct shell_request request = {
        .variables = environment_own(m->library, m->session, m->arena, err),
        .session = m->session,
        .library = m->library,
    };
    if (request.variables == NULL || !shell_can_write(options->shell, &request, err))
        return false;
    if (adders[options->shell] != NULL
            ? !add_to_settings(&text, options, &request, m->arena, err)
            : !shell_write(&text, options->shell, &request, m->arena, err))
        return false;
    return say_output(text, err);
}

static int print_environment(const void *parsed, const struct operands *operands,
                             struct arena *arena)
{
    const struct env_options *options = parsed;
    struct measurement m = {
        .options = &options->measurement, .verb = &verb_env, .arena = arena, .inherits = true};
    struct err err = {0};
    (void)operands;
    int status = measurement_configure(&m);
    if (status != EXIT_FINE)
        return status;
    m.config.control = options->measurement.measure.control;
    m.config.keep = true;
    if (!session_create(m.session, sizeof m.session, m.options->measure.session_dir, &m.config,
                        &err))
        return options_fail(&verb_env, &err);
    if (!print_variables(&m, options, &err)) {
        say("%s", err.text);
        (void)session_remove(m.session, NULL);
        return EXIT_BAD;
    }
    say("the session is %s; 'ilcov collect %s' writes the reports", m.session, m.session);
    return EXIT_FINE;
}

/* --- the table -------------------------------------------------------------------------------- */

#define AT(field) offsetof(struct env_options, field)

static bool shell_word(struct option_word *out, size_t index)
{
    static const struct option_word words[] = {
        [SHELL_SH] = {"sh", "commands for 'eval'", NULL},
        [SHELL_PWSH] = {"pwsh", "commands for PowerShell", NULL},
        [SHELL_RUNSETTINGS] = {"runsettings",
                               "the settings of a test run, for 'dotnet test --settings'", NULL},
        [SHELL_TESTCONFIG] = {"testconfig",
                              "testconfig.json of Microsoft.Testing.Platform, for its "
                              "'--config-file'",
                              NULL},
        [SHELL_LAUNCHSETTINGS] = {"launchsettings",
                                  "launchSettings.json with a profile 'ilcov', for 'dotnet run "
                                  "--launch-profile ilcov' and IDEs",
                                  NULL},
        [SHELL_DOCKER] = {"docker",
                          "arguments for 'docker run' that mount session and library and run the "
                          "program as the session's owner",
                          NULL},
        [SHELL_GITHUB] = {"github", "lines for $GITHUB_ENV", NULL},
        [SHELL_GITLAB] = {"gitlab", "a 'variables' block", NULL},
    };
    if (index >= ARRAY_LEN(words))
        return false;
    *out = words[index];
    return true;
}

static bool take_shell(void *field, const char *value, const struct option_context *context,
                       struct err *err)
{
    static const struct {
        const char *name, *meant;
    } others[] = {{"bash", "sh"}, {"zsh", "sh"},          {"dash", "sh"}, {"ksh", "sh"},
                  {"ash", "sh"},  {"powershell", "pwsh"}, {"ps", "pwsh"}, {"ps1", "pwsh"}};
    enum env_shell *shell = field;
    struct option_word word;
    for (size_t i = 0; shell_word(&word, i); i++) {
        *shell = (enum env_shell)i;
        if (strcmp(word.name, value) == 0)
            return true;
    }
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        if (strcmp(others[i].name, value) == 0)
            return err_set(err, ERR_USAGE, "unknown shell '%s'; did you mean '%s'?", value,
                           others[i].meant);
    return option_refuse_word("shell", str_of(value), shell_word, context, err);
}

static const struct option_row own_rows[] = {
    {.name = "shell",
     .argument = "SHELL",
     .take = take_shell,
     .field = AT(shell),
     .help = "format of the variables: {}; default sh",
     .completes = COMPLETE_WORD,
     .word = shell_word,
     .default_text = "sh"},
    {.name = "merge",
     .argument = "FILE",
     .take = option_take_text,
     .field = AT(merge),
     .help = "print this runsettings, testconfig or launchsettings file with the variables added",
     .more = "Everything else in FILE is kept, except comments in JSON; FILE itself is not "
             "changed. In launchSettings.json the profile 'ilcov' is a copy of the first one that "
             "starts the project.",
     .completes = COMPLETE_FILE,
     .cli_only = true},
    {.name = NULL},
};

static bool finish_env(void *parsed, const struct operands *operands,
                       const struct option_context *context, struct err *err)
{
    const struct env_options *options = parsed;
    (void)operands, (void)context;
    return options->merge == NULL || adders[options->shell] != NULL ||
           err_set(err, ERR_USAGE,
                   "--merge requires --shell runsettings, testconfig or launchsettings");
}

static const struct option_group groups[] = {
    {exclude_rows, AT(measurement.publish.filter), measure_overrides},
    {measure_rows, AT(measurement), NULL},
    {library_rows, AT(measurement), NULL},
    {own_rows, 0, NULL},
    {NULL, 0, NULL},
};

const struct verb verb_env = {
    .name = "env",
    .brief = "print the environment variables that enable coverage",
    .operands = "[OPTION...]",
    .summary = "Creates a session and prints the environment variables that enable coverage in "
               "programs that you start another way: services, containers, test runs of an IDE. "
               "'ilcov collect' writes the reports.",
    .exits = "2: wrong usage or another profiler; 3: no session can be created.",
    .examples = "eval \"$(ilcov env)\" && ./server",
    .lists = "shell",
    .manual = "Nothing else is written to standard output; the session is named on standard error. "
              "The options for reports belong to 'collect'.",
    .operand_max = 0,
    .groups = groups,
    .options_size = sizeof(struct env_options),
    .finish = finish_env,
    .act = print_environment,
};

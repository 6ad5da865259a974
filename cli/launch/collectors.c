#include "cli/launch/collectors.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/path.h"
#include "cli/base/say.h"
#include "cli/launch/run_settings.h"
#include "system/file_status.h"

static const struct {
    const char *collector; /* of VSTest */
    const char *name;
} tools[] = {
    [COLLECTOR_MICROSOFT] = {"Code Coverage", "Microsoft's code coverage"},
    [COLLECTOR_COVERLET] = {"XPlat Code Coverage", "coverlet"},
};

/* What follows `--collect`, as one argument or the next; settings may follow after a semicolon. */
static const char *collected(char *const *argument)
{
    static const char *const options[] = {"--collect", "-collect", "/collect"};
    for (size_t i = 0; i < ARRAY_LEN(options); i++) {
        size_t len = strlen(options[i]);
        if (strncasecmp(*argument, options[i], len) != 0)
            continue;
        if ((*argument)[len] == '\0')
            return argument[1];
        if ((*argument)[len] == ':' || (*argument)[len] == '=')
            return *argument + len + 1;
    }
    return NULL;
}

static bool is_called(const char *collected, const char *name)
{
    struct str text = {collected, strcspn(collected, ";")};
    return str_eq_nocase(text, str_of(name));
}

/* An application of Microsoft.Testing.Platform that has the part for coverage beside it. */
static bool has_coverage_part(const char *program)
{
    char part[PATH_ROOM];
    struct str folder = path_dir(str_of(program));
    return folder.len != 0 &&
           path_join_in(part, folder, STR("Microsoft.Testing.Extensions.CodeCoverage.dll")) &&
           file_exists(part);
}

static const char *asked_by_argument(char *const *command, enum other_collector collector)
{
    bool tests = false, knows_coverage = false;
    for (char *const *a = command; *a != NULL; a++) {
        tests |= strcmp(*a, "test") == 0 || strcmp(*a, "vstest") == 0;
        knows_coverage |= tests || has_coverage_part(*a);
        const char *name = tests ? collected(a) : NULL;
        if (name != NULL && is_called(name, tools[collector].collector))
            return name;
        if (collector == COLLECTOR_MICROSOFT && knows_coverage && strcmp(*a, "--coverage") == 0)
            return *a;
        if (collector == COLLECTOR_COVERLET && strcasestr(*a, "CollectCoverage=true") != NULL)
            return *a;
    }
    return NULL;
}

/* MSBuild takes variables for properties. */
static bool asked_by_variable(enum other_collector collector)
{
    const char *value = getenv("CollectCoverage");
    return collector == COLLECTOR_COVERLET && value != NULL && strcasecmp(value, "true") == 0;
}

const char *collectors_asked(char *const *command, enum other_collector collector)
{
    const char *file = run_settings_file(command);
    const char *argument = command != NULL ? asked_by_argument(command, collector) : NULL;
    if (argument != NULL)
        return argument;
    if (run_settings_have_collector(file, tools[collector].collector))
        return file;
    return asked_by_variable(collector) ? "CollectCoverage=true" : NULL;
}

void collectors_say(char *const *command)
{
    for (enum other_collector c = 0; c < COLLECTOR_COUNT; c++) {
        const char *asked = collectors_asked(command, c);
        if (asked != NULL)
            say("%.*s asks for %s, and ilcov cannot measure what %s measures: leave one of them "
                "out",
                (int)strcspn(asked, ";"), asked, tools[c].name, tools[c].name);
    }
}

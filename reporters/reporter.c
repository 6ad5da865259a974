#include "reporters/reporter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "coverage/output.h"

const struct reporter reporters[] = {
    {"cobertura", "cobertura.xml", "Cobertura XML, which most CI systems and services read",
     cobertura_write},
    {"json", "ilcov.json", "JSON, all that the report knows, for scripts and services", json_write},
    {"text", NULL, "a table of assemblies for people, to standard error", text_report_write},
    {0},
};

const struct reporter *reporter_find(struct str name)
{
    for (const struct reporter *reporter = reporters; reporter->name != NULL; reporter++)
        if (str_is(name, reporter->name))
            return reporter;
    return NULL;
}

/* What was buffered may fail as late as here. */
static bool finish(FILE *file, struct err *err)
{
    errno = 0;
    if (fflush(file) == 0 && !ferror(file))
        return true;
    if (errno == 0)
        errno = EIO;
    return err_set_errno(err, "cannot be written");
}

/* Leaves `fd` open. */
static bool write_to(int fd, const struct reporter *reporter, const struct report *report,
                     struct err *err)
{
    const char *no_color = getenv("NO_COLOR");
    bool colour = isatty(fd) && (no_color == NULL || no_color[0] == '\0');
    int copy = dup(fd);
    FILE *file = copy >= 0 ? fdopen(copy, "w") : NULL;
    bool ok = file != NULL || err_set_errno(err, "cannot be written");
    ok = ok && reporter->write(file, report, colour, err) && finish(file, err);
    if (file != NULL && fclose(file) != 0 && ok)
        ok = err_set_errno(err, "cannot be written");
    else if (file == NULL && copy >= 0)
        (void)close(copy);
    return ok;
}

bool reporter_write(const struct reporter *reporter, const char *path, const struct report *report,
                    struct err *err)
{
    if (path == NULL)
        return write_to(STDERR_FILENO, reporter, report, err);
    if (strcmp(path, REPORTER_STDOUT) == 0)
        return write_to(STDOUT_FILENO, reporter, report, err);
    struct output output;
    if (!output_open(&output, path, err))
        return false;
    if (write_to(output.fd, reporter, report, err))
        return output_commit(&output, err);
    output_abandon(&output);
    return false;
}

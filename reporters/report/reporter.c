#include "reporters/report/reporter.h"

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

struct job {
    const struct reporter *reporter;
    const struct report *report;
};

static bool write_report(FILE *file, const void *context, bool colour, struct err *err)
{
    const struct job *job = context;
    return job->reporter->write(file, job->report, colour, err);
}

bool reporter_write(const struct reporter *reporter, const char *path, const struct report *report,
                    struct err *err)
{
    const struct job job = {reporter, report};
    const struct destination_content content = {write_report, &job};
    return destination_write(path, &content, err);
}

/* Workflow commands of GitHub Actions, which annotate the lines of a pull request:
 *
 *   ::warning file=src/Order.cs,line=12,endLine=13,title=Coverage lost::2 lines were covered ...
 *
 * GitHub shows ten warnings per step and silently drops the others, so the ten most important are
 * printed, and a notice counts the rest. */
#include <inttypes.h>

#include "base/utf16.h"
#include "reporters/diff/diff_formats.h"
#include "reporters/diff/findings.h"
#include "reporters/legible.h"

enum {
    WARNINGS_MOST = 10
};

/* Commas and colons end a property. Characters that could control a terminal are not printed,
 * because the step's log shows them. */
static void put_property(FILE *file, struct str s)
{
    for (size_t pos = 0; pos < s.len;) {
        size_t start = pos;
        uint32_t c = utf8_next(s.text, s.len, &pos);
        if (c != 0 && c < 0x80 && strchr("%\r\n:,", (int)c) != NULL)
            (void)fprintf(file, "%%%02" PRIX32, c);
        else
            legible_put(file, (struct str){s.text + start, pos - start});
    }
}

static void put_warning(FILE *file, const struct finding *finding)
{
    char message[FINDING_MESSAGE_ROOM];
    finding_message(message, finding);
    (void)fputs("::warning file=", file);
    put_property(file, finding->file->path);
    (void)fprintf(file, ",line=%" PRIu32 ",endLine=%" PRIu32 ",title=", finding_first_line(finding),
                  finding_last_line(finding));
    put_property(file, str_of(finding_title(finding->rule)));
    (void)fprintf(file, "::%s\n", message);
}

static void put_notice(FILE *file, const struct findings *findings)
{
    uint64_t lines = 0;
    for (uint32_t i = WARNINGS_MOST; i < findings->count; i++)
        lines += findings->items[i].count;
    (void)fprintf(file, "::notice title=ilcov diff::and %" PRIu32 " more %s, of %" PRIu64 " %s\n",
                  findings->count - WARNINGS_MOST,
                  findings->count - WARNINGS_MOST == 1 ? "warning" : "warnings", lines,
                  lines == 1 ? "line" : "lines");
}

bool diff_github_write(const struct format_job *job, struct err *err)
{
    struct findings findings;
    if (!findings_build(&findings, job->diff, NULL, job->arena, err))
        return false;
    findings_order(&findings);
    for (uint32_t i = 0; i < findings.count && i < WARNINGS_MOST; i++)
        put_warning(job->destination->file, &findings.items[i]);
    if (findings.count > WARNINGS_MOST)
        put_notice(job->destination->file, &findings);
    return true;
}

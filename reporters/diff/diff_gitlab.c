/* GitLab's Code Quality report, which a merge request shows beside the lines:
 *
 *   [ { "description", "check_name", "fingerprint", "severity",
 *       "location": { "path", "lines": { "begin", "end" } } } ]
 *
 * GitLab compares the reports of two branches by fingerprint, and shows only one of several
 * findings with equal fingerprints. */
#include <inttypes.h>

#include "reporters/diff/diff_formats.h"
#include "reporters/diff/findings.h"
#include "reporters/json_writer.h"

enum {
    FINGERPRINT_ROOM = 20
};

static const char *severity_of(enum finding_rule rule)
{
    static const char *const severities[] = {"major", "minor", "minor", "minor", "info"};
    _Static_assert(ARRAY_LEN(severities) == FINDING_RULES, "a severity for each");
    return severities[rule];
}

static void write_finding(struct json_writer *w, const struct finding *finding)
{
    char message[FINDING_MESSAGE_ROOM], fingerprint[FINGERPRINT_ROOM];
    finding_message(message, finding);
    (void)snprintf(fingerprint, sizeof fingerprint, "%016" PRIx64, finding->fingerprint);
    jw_begin(w, NULL, '{');
    jw_text_c(w, "description", message);
    jw_text_c(w, "check_name", finding_name(finding->rule));
    jw_text_c(w, "fingerprint", fingerprint);
    jw_text_c(w, "severity", severity_of(finding->rule));
    jw_begin(w, "location", '{');
    jw_text(w, "path", finding->file->path);
    jw_begin_line(w, "lines", '{');
    jw_number(w, "begin", finding_first_line(finding));
    jw_number(w, "end", finding_last_line(finding));
    jw_end(w, '}');
    jw_end(w, '}');
    jw_end(w, '}');
}

bool diff_gitlab_write(const struct format_job *job, struct err *err)
{
    struct json_writer w;
    struct findings findings;
    jw_open(&w, job->destination->file);
    bool ok = findings_build(&findings, job->diff, job->sources, job->arena, err);
    jw_begin(&w, NULL, '[');
    for (uint32_t i = 0; ok && i < findings.count; i++)
        write_finding(&w, &findings.items[i]);
    jw_end(&w, ']');
    jw_finish(&w);
    return ok;
}

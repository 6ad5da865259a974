/* SARIF 2.1.0 (OASIS), as GitHub's code scanning, Azure DevOps and editors read it:
 *
 *   runs[0]
 *     tool.driver.rules[]           ilcov/lost, ...
 *     invocations[0]                a notification if there were too many results
 *     originalUriBaseIds.SRCROOT    without a location, which differs between machines
 *     results[]                     ruleId ruleIndex level message locations partialFingerprints
 *
 * The most important results come first; GitHub rejects files with more than RESULTS_MOST. */
#include <inttypes.h>

#include "base/ascii.h"
#include "base/version.h"
#include "reporters/diff/diff_formats.h"
#include "reporters/diff/findings.h"
#include "reporters/json_writer.h"

enum {
    RESULTS_MOST = 25000,
    FINGERPRINT_ROOM = 20
};

static const char *level_of(enum finding_rule rule)
{
    return rule == FINDING_MISSED_BRANCH ? "note" : "warning";
}

static void write_message(struct json_writer *w, const char *key, const char *text)
{
    jw_begin_line(w, key, '{');
    jw_text_c(w, "text", text);
    jw_end(w, '}');
}

static void write_rule(struct json_writer *w, enum finding_rule rule)
{
    static const char *const help[] = {
        "The line was covered in the base and is not any more.",
        "The line is new since the base and is not covered.",
        "The patch touches the line, and it is not covered.",
        "An outcome of a branch on the line was taken in the base and is not any more.",
        "An outcome of a branch on the line is new or in the patch, and was not taken.",
    };
    _Static_assert(ARRAY_LEN(help) == FINDING_RULES, "a sentence for each");
    jw_begin(w, NULL, '{');
    jw_text_c(w, "id", finding_name(rule));
    write_message(w, "shortDescription", finding_title(rule));
    write_message(w, "fullDescription", help[rule]);
    jw_begin_line(w, "defaultConfiguration", '{');
    jw_text_c(w, "level", level_of(rule));
    jw_end(w, '}');
    jw_end(w, '}');
}

static void write_tool(struct json_writer *w)
{
    jw_begin(w, "tool", '{');
    jw_begin(w, "driver", '{');
    jw_text_c(w, "name", "ilcov");
    jw_text_c(w, "version", ilcov_version);
    jw_begin(w, "rules", '[');
    for (int i = 0; i < FINDING_RULES; i++)
        write_rule(w, (enum finding_rule)i);
    jw_end(w, ']');
    jw_end(w, '}');
    jw_end(w, '}');
}

static void write_invocation(struct json_writer *w, uint32_t count)
{
    char text[FINDING_MESSAGE_ROOM];
    jw_begin(w, "invocations", '[');
    jw_begin(w, NULL, '{');
    jw_bool(w, "executionSuccessful", true);
    if (count > RESULTS_MOST) {
        (void)snprintf(text, sizeof text, "%" PRIu32 " more results were left out",
                       count - RESULTS_MOST);
        jw_begin(w, "toolExecutionNotifications", '[');
        jw_begin(w, NULL, '{');
        jw_text_c(w, "level", "warning");
        write_message(w, "message", text);
        jw_end(w, '}');
        jw_end(w, ']');
    }
    jw_end(w, '}');
    jw_end(w, ']');
}

static void write_base(struct json_writer *w)
{
    jw_begin(w, "originalUriBaseIds", '{');
    jw_begin(w, "SRCROOT", '{');
    write_message(w, "description", "The root of the sources.");
    jw_end(w, '}');
    jw_end(w, '}');
}

/* RFC 3986, 2.3 and 3.3: every byte except unreserved ones and '/' is percent-encoded, so nothing
 * in a path can look like a scheme, a query or a host. */
static bool make_uri(struct str *out, struct str path, struct arena *arena, struct err *err)
{
    struct text t = text_in(arena);
    text_add_c(&t, str_starts(path, "/") ? "file://" : "");
    for (size_t i = 0; i < path.len; i++) {
        char c = path.text[i];
        if (ascii_is_letter(c) || ascii_is_digit(c) || (c != '\0' && strchr("-._~/", c) != NULL))
            text_add(&t, (struct str){path.text + i, 1});
        else
            text_addf(&t, "%%%02X", (uint8_t)c);
    }
    return text_take(out, &t, err);
}

static bool write_location(struct json_writer *w, const struct finding *finding,
                           struct arena *arena, struct err *err)
{
    struct str uri;
    if (!make_uri(&uri, finding->file->path, arena, err))
        return false;
    jw_begin(w, "locations", '[');
    jw_begin(w, NULL, '{');
    jw_begin(w, "physicalLocation", '{');
    jw_begin_line(w, "artifactLocation", '{');
    jw_text(w, "uri", uri);
    if (!str_starts(finding->file->path, "/"))
        jw_text_c(w, "uriBaseId", "SRCROOT");
    jw_end(w, '}');
    jw_begin_line(w, "region", '{');
    jw_number(w, "startLine", finding_first_line(finding));
    jw_number(w, "endLine", finding_last_line(finding));
    jw_end(w, '}');
    jw_end(w, '}');
    jw_end(w, '}');
    jw_end(w, ']');
    return true;
}

static bool write_result(struct json_writer *w, const struct finding *finding, struct arena *arena,
                         struct err *err)
{
    char message[FINDING_MESSAGE_ROOM], fingerprint[FINGERPRINT_ROOM];
    finding_message(message, finding);
    (void)snprintf(fingerprint, sizeof fingerprint, "%016" PRIx64 ":1", finding->fingerprint);
    jw_begin(w, NULL, '{');
    jw_text_c(w, "ruleId", finding_name(finding->rule));
    jw_number(w, "ruleIndex", (uint64_t)finding->rule);
    jw_text_c(w, "level", level_of(finding->rule));
    write_message(w, "message", message);
    arena_reset(arena);
    if (!write_location(w, finding, arena, err))
        return false;
    jw_begin_line(w, "partialFingerprints", '{');
    jw_text_c(w, "primaryLocationLineHash", fingerprint); /* GitHub reads this one */
    jw_end(w, '}');
    jw_end(w, '}');
    return true;
}

static bool write_results(struct json_writer *w, const struct findings *findings, struct err *err)
{
    struct arena arena; /* of one result */
    bool ok = true;
    arena = ARENA_EMPTY;
    jw_begin(w, "results", '[');
    for (uint32_t i = 0; ok && i < findings->count && i < RESULTS_MOST; i++)
        ok = write_result(w, &findings->items[i], &arena, err);
    jw_end(w, ']');
    arena_free(&arena);
    return ok;
}

static bool write_sarif_log(struct json_writer *w, const struct findings *findings, struct err *err)
{
    jw_begin(w, NULL, '{');
    jw_text_c(w, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    jw_text_c(w, "version", "2.1.0");
    jw_begin(w, "runs", '[');
    jw_begin(w, NULL, '{');
    write_tool(w);
    write_invocation(w, findings->count);
    write_base(w);
    jw_text_c(w, "columnKind", "utf16CodeUnits");
    bool ok = write_results(w, findings, err);
    jw_end(w, '}');
    jw_end(w, ']');
    jw_end(w, '}');
    jw_finish(w);
    return ok;
}

bool diff_sarif_write(const struct format_job *job, struct err *err)
{
    struct json_writer w;
    struct findings findings;
    jw_open(&w, job->destination->file);
    if (!findings_build(&findings, job->diff, job->sources, job->arena, err))
        return false;
    findings_order(&findings);
    return write_sarif_log(&w, &findings, err);
}

/* JSON for scripts and services: all of struct report, as docs/report.schema.json describes it.
 * Numbers are integers; readers compute percentages. The first number of the schema's version
 * changes only if readers must change.
 *
 *   { "schema": "1.0.0", "generator": { "name", "version" }, "timestamp", "root", TOTALS,
 *     "tests": [ { "name", "kind", "ended", "rows" } ],       if the data tell tests apart
 *     "test_sets": [ [ [ first, last ] ] ],                   likewise: numbers of tests
 *     "packages": [ { "name", "not_loaded", "modules": [ { "name", "identity" } … ], TOTALS,
 *       "classes": [ { "name", "display_name", "file", TOTALS,
 *         "methods": [ { "name", "signature", "display_name", "display_signature", TOTALS,
 *                        "lines": [ LINE ] } ],
 *         "lines": [ LINE ] } ] } ],
 *     "omissions": [ { "module", "method", "reason", "code" } ],
 *     "exclusions": [ { "module", "file", "first_line", "last_line", "line_count", "reason", "code"
 *     } ] }
 *
 * Classes are in order of their files. A LINE is on one line, as are TOTALS, omissions and
 * exclusions, so that `diff` and `grep` are useful. */
#include "coverage/report/report_visit.h"
#include "reporters/report/json_parts.h"
#include "reporters/report/report_formats.h"

/* 1.0.0: the first. A report without tests is one of the version before. */
#define SCHEMA_VERSION "1.0.0"

struct packages_writer {
    struct json_writer *json;
    bool has_open; /* a package */
    struct progress_count classes;
};

static void end_package(struct packages_writer *w)
{
    if (!w->has_open)
        return;
    jw_end(w->json, ']');
    jw_end(w->json, '}');
}

static bool begin_package(void *context, const struct report_package *package)
{
    struct packages_writer *w = context;
    end_package(w);
    w->has_open = true;
    jw_begin(w->json, NULL, '{');
    json_put_package_head(w->json, package);
    jw_begin(w->json, "classes", '[');
    return true;
}

static bool write_file(void *context, const struct report_file *file)
{
    struct packages_writer *w = context;
    for (uint32_t i = 0; i < file->class_count; i++) {
        progress_next(&w->classes);
        json_put_class(w->json, file->classes[i]);
    }
    return true;
}

static bool write_packages(struct json_writer *json, const struct format_job *job, struct err *err)
{
    struct packages_writer w = {.json = json,
                                .classes = report_progress(job, "writing classes of JSON")};
    const struct report_walk walk = {.package = begin_package, .file = write_file, .context = &w};
    jw_begin(json, "packages", '[');
    bool ok = report_each_file(job->report, &walk, err);
    end_package(&w);
    jw_end(json, ']');
    return ok;
}

static void write_tests(struct json_writer *json, const struct test_sets *tests)
{
    jw_begin(json, "tests", '[');
    for (uint32_t i = 0; i < tests->test_count; i++) {
        jw_begin_line(json, NULL, '{');
        json_put_test(json, &tests->tests[i]);
        jw_end(json, '}');
    }
    jw_end(json, ']');
    jw_begin(json, "test_sets", '[');
    for (uint32_t i = 0; i < tests->set_count; i++)
        json_put_test_set(json, NULL, tests->sets[i]);
    jw_end(json, ']');
}

static bool write_exclusions(struct json_writer *json, const char *name,
                             const struct report_exclusion *exclusions, uint32_t count,
                             struct err *err)
{
    bool ok = true;
    jw_begin(json, name, '[');
    for (uint32_t i = 0; ok && i < count; i++) {
        jw_begin_line(json, NULL, '{');
        ok = json_put_exclusion(json, &exclusions[i], err);
        jw_end(json, '}');
    }
    jw_end(json, ']');
    return ok;
}

bool json_write(const struct format_job *job, struct err *err)
{
    const struct report *report = job->report;
    struct json_writer json;
    jw_open(&json, job->destination->file);
    jw_begin(&json, NULL, '{');
    json_put_head(&json, report, SCHEMA_VERSION);
    if (report->tests != NULL)
        write_tests(&json, report->tests);
    bool ok = write_packages(&json, job, err);
    jw_begin(&json, "omissions", '[');
    for (uint32_t i = 0; ok && i < report->omission_count; i++) {
        jw_begin_line(&json, NULL, '{');
        ok = json_put_omission(&json, &report->omissions[i], err);
        jw_end(&json, '}');
    }
    jw_end(&json, ']');
    ok = ok &&
         write_exclusions(&json, "generated", report->generated, report->generated_count, err) &&
         write_exclusions(&json, "exclusions", report->exclusions, report->exclusion_count, err);
    jw_end(&json, '}');
    jw_finish(&json);
    return ok;
}

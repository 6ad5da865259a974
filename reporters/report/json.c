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
 * A LINE is on one line, as are TOTALS, omissions and exclusions, so that `diff` and `grep` are
 * useful. */
#include "reporters/report/json_parts.h"
#include "reporters/report/report_formats.h"

/* 1.0.0: the first. A report without tests is one of the version before. */
#define SCHEMA_VERSION       "1.7.0"
#define SCHEMA_WITHOUT_TESTS "1.6.0"

static void write_package(struct json_writer *json, const struct report_package *package,
                          struct progress_count *classes)
{
    jw_begin(json, NULL, '{');
    json_put_package_head(json, package);
    jw_begin(json, "classes", '[');
    for (uint32_t i = 0; i < package->class_count; i++) {
        progress_next(classes);
        json_put_class(json, &package->classes[i]);
    }
    jw_end(json, ']');
    jw_end(json, '}');
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
    struct progress_count classes = report_progress(job, "writing classes of JSON");
    bool ok = true;
    jw_open(&json, job->destination->file);
    jw_begin(&json, NULL, '{');
    json_put_head(&json, report, report->tests != NULL ? SCHEMA_VERSION : SCHEMA_WITHOUT_TESTS);
    if (report->tests != NULL)
        write_tests(&json, report->tests);
    jw_begin(&json, "packages", '[');
    for (uint32_t i = 0; i < report->package_count; i++)
        write_package(&json, &report->packages[i], &classes);
    jw_end(&json, ']');
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

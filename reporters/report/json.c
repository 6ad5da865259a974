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
#include "reporters/report/json_parts.h"
#include "reporters/report/report_formats.h"

/* 1.0.0: the first. A report without tests is one of the version before. */
#define SCHEMA_VERSION "1.0.0"

struct json_writing {
    struct json_writer json;
    const struct report *report;
    uint32_t begun; /* packages */
};

static void end_package(struct json_writing *w)
{
    if (w->begun == 0)
        return;
    jw_end(&w->json, ']');
    jw_end(&w->json, '}');
}

/* Up to the one before `end`: some have no files. */
static void begin_packages(struct json_writing *w, const struct report_package *end)
{
    while (w->report->packages + w->begun < end) {
        end_package(w);
        jw_begin(&w->json, NULL, '{');
        json_put_package_head(&w->json, &w->report->packages[w->begun++]);
        jw_begin(&w->json, "classes", '[');
    }
}

static void write_test_list(struct json_writer *json, const struct test_sets *tests)
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

static bool write_exclusion_list(struct json_writer *json, const char *name,
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

void *json_open(const struct format_job *job, struct err *err)
{
    struct json_writing *w = ARENA_NEW(job->arena, struct json_writing, 1, err);
    if (w == NULL)
        return NULL;
    w->report = job->report;
    jw_open(&w->json, job->destination->file);
    jw_begin(&w->json, NULL, '{');
    json_put_head(&w->json, w->report, SCHEMA_VERSION);
    if (w->report->tests != NULL)
        write_test_list(&w->json, w->report->tests);
    jw_begin(&w->json, "packages", '[');
    return w;
}

bool json_take(void *writer, const struct report_file *files, uint32_t count, struct err *err)
{
    struct json_writing *w = writer;
    (void)err;
    for (uint32_t i = 0; i < count; i++) {
        begin_packages(w, files[i].package + 1);
        for (uint32_t c = 0; c < files[i].class_count; c++)
            json_put_class(&w->json, files[i].classes[c]);
    }
    return true;
}

bool json_close(void *writer, struct err *err)
{
    struct json_writing *w = writer;
    const struct report *report = w->report;
    bool ok = true;
    begin_packages(w, report->packages + report->package_count);
    end_package(w);
    jw_end(&w->json, ']');
    jw_begin(&w->json, "omissions", '[');
    for (uint32_t i = 0; ok && i < report->omission_count; i++) {
        jw_begin_line(&w->json, NULL, '{');
        ok = json_put_omission(&w->json, &report->omissions[i], err);
        jw_end(&w->json, '}');
    }
    jw_end(&w->json, ']');
    ok = ok &&
         write_exclusion_list(&w->json, "generated", report->generated, report->generated_count,
                              err) &&
         write_exclusion_list(&w->json, "exclusions", report->exclusions, report->exclusion_count,
                              err);
    jw_end(&w->json, '}');
    jw_finish(&w->json);
    return ok;
}

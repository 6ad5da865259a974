/* JSON lines: the JSON report as a stream, an object a line, for programs that take in one source
 * file after another. docs/jsonl.schema.json describes a line; `kind` says which it is.
 *
 *   { "kind": "report", "schema": "1.0.0", "generator", "timestamp", "root", "notes", TOTALS }
 *   { "kind": "test", "test": { "name", "kind", "ended", "rows" } } ...   if the data tell tests
 *   { "kind": "test_set", "tests": [ [ first, last ] ... ] } ...           apart
 *   { "kind": "package", "name", "not_loaded", "modules", TOTALS }      then, of this package:
 *   { "kind": "file", "package", "path", TOTALS, "classes": [ CLASS … ] } …
 *   … the next package
 *   { "kind": "omission", "module", "method", "reason", "code" } …
 *   { "kind": "exclusion", "module", "file", "first_line", "last_line", … } …
 *   { "kind": "generated", … as an exclusion … } …
 *   { "kind": "end", "lines" }                   the number of lines before it: nothing is missing
 *
 * A CLASS is one of the JSON report, and so is all that has the same name. */
#include "coverage/report/report_visit.h"
#include "reporters/report/json_parts.h"
#include "reporters/report/report_formats.h"

#define SCHEMA_VERSION "1.0.0"

struct lines_writer {
    struct json_writer json;
    uint64_t line_count;
    struct progress_count classes;
    struct err *err;
};

static void begin(struct lines_writer *w, const char *kind)
{
    w->line_count++;
    jw_begin_line(&w->json, NULL, '{');
    jw_text_c(&w->json, "kind", kind);
}

static void end(struct lines_writer *w)
{
    jw_end(&w->json, '}');
    jw_finish(&w->json);
}

static bool write_file(void *context, const struct report_file *file)
{
    struct lines_writer *w = context;
    begin(w, "file");
    jw_text(&w->json, "package", file->package->name);
    jw_text(&w->json, "path", file->path);
    json_put_totals(&w->json, &file->totals);
    jw_begin(&w->json, "classes", '[');
    for (uint32_t i = 0; i < file->class_count; i++) {
        progress_next(&w->classes);
        json_put_class(&w->json, file->classes[i]);
    }
    jw_end(&w->json, ']');
    end(w);
    return true;
}

static bool write_package(void *context, const struct report_package *package)
{
    struct lines_writer *w = context;
    begin(w, "package");
    json_put_package_head(&w->json, package);
    end(w);
    return true;
}

static bool write_exclusions(struct lines_writer *w, const char *kind,
                             const struct report_exclusion *exclusions, uint32_t count)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < count; i++) {
        begin(w, kind);
        ok = json_put_exclusion(&w->json, &exclusions[i], w->err);
        end(w);
    }
    return ok;
}

static void write_tests(struct lines_writer *w, const struct test_sets *tests)
{
    for (uint32_t i = 0; i < tests->test_count; i++) {
        begin(w, "test");
        jw_begin(&w->json, "test", '{');
        json_put_test(&w->json, &tests->tests[i]);
        jw_end(&w->json, '}');
        end(w);
    }
    for (uint32_t i = 0; i < tests->set_count; i++) {
        begin(w, "test_set");
        json_put_test_set(&w->json, "tests", tests->sets[i]);
        end(w);
    }
}

static bool write_lines(struct lines_writer *w, const struct report *report)
{
    const struct report_walk walk = {.package = write_package, .file = write_file, .context = w};
    begin(w, "report");
    json_put_head(&w->json, report, SCHEMA_VERSION);
    end(w);
    if (report->tests != NULL)
        write_tests(w, report->tests);
    bool ok = report_each_file(report, &walk, w->err);
    for (uint32_t i = 0; ok && i < report->omission_count; i++) {
        begin(w, "omission");
        ok = json_put_omission(&w->json, &report->omissions[i], w->err);
        end(w);
    }
    ok = ok && write_exclusions(w, "exclusion", report->exclusions, report->exclusion_count) &&
         write_exclusions(w, "generated", report->generated, report->generated_count);
    uint64_t line_count = w->line_count;
    begin(w, "end");
    jw_number(&w->json, "lines", line_count);
    end(w);
    return ok;
}

bool jsonl_write(const struct format_job *job, struct err *err)
{
    struct lines_writer w = {.classes = report_progress(job, "writing classes of JSON lines"),
                             .err = err};
    jw_open(&w.json, job->destination->file);
    return write_lines(&w, job->report);
}

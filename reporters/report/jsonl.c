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
#include "reporters/report/json_parts.h"
#include "reporters/report/report_formats.h"

#define SCHEMA_VERSION "1.0.0"

struct lines_writer {
    struct json_writer json;
    const struct report *report;
    uint32_t begun; /* packages */
    uint64_t line_count;
};

static void begin_json_object(struct lines_writer *w, const char *kind)
{
    w->line_count++;
    jw_begin_line(&w->json, NULL, '{');
    jw_text_c(&w->json, "kind", kind);
}

static void end_json_object(struct lines_writer *w)
{
    jw_end(&w->json, '}');
    jw_finish(&w->json);
}

static void write_file_object(struct lines_writer *w, const struct report_file *file)
{
    begin_json_object(w, "file");
    jw_text(&w->json, "package", file->package->name);
    jw_text(&w->json, "path", file->path);
    json_put_totals(&w->json, &file->totals);
    jw_begin(&w->json, "classes", '[');
    for (uint32_t i = 0; i < file->class_count; i++)
        json_put_class(&w->json, file->classes[i]);
    jw_end(&w->json, ']');
    end_json_object(w);
}

/* Up to the one before `last`: some have no files. */
static void write_packages(struct lines_writer *w, const struct report_package *last)
{
    while (w->report->packages + w->begun < last) {
        begin_json_object(w, "package");
        json_put_package_head(&w->json, &w->report->packages[w->begun++]);
        end_json_object(w);
    }
}

static bool write_exclusion_lines(struct lines_writer *w, const char *kind,
                                  const struct report_exclusion *exclusions, uint32_t count,
                                  struct err *err)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < count; i++) {
        begin_json_object(w, kind);
        ok = json_put_exclusion(&w->json, &exclusions[i], err);
        end_json_object(w);
    }
    return ok;
}

static void write_test_objects(struct lines_writer *w, const struct test_sets *tests)
{
    for (uint32_t i = 0; i < tests->test_count; i++) {
        begin_json_object(w, "test");
        jw_begin(&w->json, "test", '{');
        json_put_test(&w->json, &tests->tests[i]);
        jw_end(&w->json, '}');
        end_json_object(w);
    }
    for (uint32_t i = 0; i < tests->set_count; i++) {
        begin_json_object(w, "test_set");
        json_put_test_set(&w->json, "tests", tests->sets[i]);
        end_json_object(w);
    }
}

void *jsonl_open(const struct format_job *job, struct err *err)
{
    struct lines_writer *w = ARENA_NEW(job->arena, struct lines_writer, 1, err);
    if (w == NULL)
        return NULL;
    w->report = job->report;
    jw_open(&w->json, job->destination->file);
    begin_json_object(w, "report");
    json_put_head(&w->json, w->report, SCHEMA_VERSION);
    end_json_object(w);
    if (w->report->tests != NULL)
        write_test_objects(w, w->report->tests);
    return w;
}

bool jsonl_take(void *writer, const struct report_file *files, uint32_t count, struct err *err)
{
    (void)err;
    for (uint32_t i = 0; i < count; i++) {
        write_packages(writer, files[i].package + 1);
        write_file_object(writer, &files[i]);
    }
    return true;
}

bool jsonl_close(void *writer, struct err *err)
{
    struct lines_writer *w = writer;
    const struct report *report = w->report;
    bool ok = true;
    write_packages(w, report->packages + report->package_count);
    for (uint32_t i = 0; ok && i < report->omission_count; i++) {
        begin_json_object(w, "omission");
        ok = json_put_omission(&w->json, &report->omissions[i], err);
        end_json_object(w);
    }
    ok = ok &&
         write_exclusion_lines(w, "exclusion", report->exclusions, report->exclusion_count, err) &&
         write_exclusion_lines(w, "generated", report->generated, report->generated_count, err);
    uint64_t line_count = w->line_count;
    begin_json_object(w, "end");
    jw_number(&w->json, "lines", line_count);
    end_json_object(w);
    return ok;
}

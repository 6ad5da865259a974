/* JSON for scripts and services: all of struct report, as docs/report.schema.json describes it. Numbers are
 * integers, percentages are left to the reader; of the schema's version only the first number changes when a reader
 * has to.
 *
 *   { "schema_version": "1.0.0", "generator": { "name", "version" }, "timestamp", "root", TOTALS,
 *     "packages": [ { "name", "not_loaded", TOTALS,
 *       "classes": [ { "name", "file", TOTALS,
 *         "methods": [ { "name", "signature", TOTALS, "lines": [ LINE ] } ],
 *         "lines": [ LINE ] } ] } ],
 *     "omissions": [ { "module", "method", "reason" } ],
 *     "exclusions": [ { "module", "file", "first_line", "last_line", "line_count", "reason" } ] }
 *
 * A LINE stands on one line, as do TOTALS, omissions and exclusions, so that `diff` and `grep` are of use. It is
 * written as it goes, without a tree. */
#include <inttypes.h>

#include "base/utf16.h"
#include "reporters/reporter.h"

/* 1.0.0: the first. */
#define SCHEMA_VERSION "1.0.0"

struct json {
    FILE *file;
    unsigned depth;
    bool has_member; /* the value that is open has one already */
    bool is_inline;  /* on the line of what it is in */
};

/* --- values ----------------------------------------------------------------------------------- */

static void begin_value(struct json *json, const char *key)
{
    if (json->has_member)
        (void)fputs(json->is_inline ? ", " : ",", json->file);
    if (!json->is_inline && json->depth != 0)
        (void)fprintf(json->file, "\n%*s", (int)json->depth * 2, "");
    if (key != NULL)
        (void)fprintf(json->file, "\"%s\": ", key);
    json->has_member = true;
}

static void open_value(struct json *json, const char *key, char bracket)
{
    begin_value(json, key);
    (void)fputc(bracket, json->file);
    json->depth++;
    json->has_member = false;
}

static void close_value(struct json *json, char bracket)
{
    json->depth--;
    if (!json->is_inline && json->has_member)
        (void)fprintf(json->file, "\n%*s", (int)json->depth * 2, "");
    (void)fputc(bracket, json->file);
    json->has_member = true;
}

/* An object that stands on one line, with all that it holds. */
static void open_inline(struct json *json, const char *key)
{
    begin_value(json, key);
    (void)fputc('{', json->file);
    json->is_inline = true;
    json->has_member = false;
}

static void close_inline(struct json *json)
{
    (void)fputc('}', json->file);
    json->is_inline = false;
}

static void put_number(struct json *json, const char *key, uint64_t value)
{
    begin_value(json, key);
    (void)fprintf(json->file, "%" PRIu64, value);
}

/* RFC 8259, 7. What is no UTF-8 becomes U+FFFD. */
static void put_text(struct json *json, const char *key, struct str s)
{
    begin_value(json, key);
    (void)fputc('"', json->file);
    for (size_t pos = 0; pos < s.len;) {
        size_t start = pos;
        uint32_t c = utf8_next(s.text, s.len, &pos);
        if (c == '"' || c == '\\')
            (void)fprintf(json->file, "\\%c", (char)c);
        else if (c < 0x20 || c == 0x7F)
            (void)fprintf(json->file, "\\u%04" PRIx32, c);
        else if (c == 0xFFFD)
            (void)fputs("\xEF\xBF\xBD", json->file);
        else
            (void)fwrite(s.text + start, 1, pos - start, json->file);
    }
    (void)fputc('"', json->file);
}

static void put_bool(struct json *json, const char *key, bool value)
{
    begin_value(json, key);
    (void)fputs(value ? "true" : "false", json->file);
}

/* --- the report ------------------------------------------------------------------------------- */

static void write_share(struct json *json, const char *key, uint64_t covered, uint64_t valid)
{
    open_value(json, key, '{');
    put_number(json, "covered", covered);
    put_number(json, "valid", valid);
    close_value(json, '}');
}

static void write_totals(struct json *json, const struct report_totals *totals)
{
    open_inline(json, "totals");
    write_share(json, "lines", totals->lines_covered, totals->lines_valid);
    write_share(json, "branches", totals->branches_covered, totals->branches_valid);
    write_share(json, "methods", totals->methods_covered, totals->methods_valid);
    put_number(json, "complexity", totals->complexity);
    close_inline(json);
}

static void write_condition(struct json *json, const struct report_condition *condition)
{
    open_value(json, NULL, '{');
    put_text(json, "kind", condition->is_switch ? STR("switch") : STR("jump"));
    open_value(json, "outcome_hits", '[');
    for (uint32_t i = 0; i < condition->outcome_count; i++)
        put_number(json, NULL, condition->outcome_hits[i]);
    close_value(json, ']');
    close_value(json, '}');
}

static void write_line(struct json *json, const struct report_line *line)
{
    open_inline(json, NULL);
    put_number(json, "number", line->number);
    put_number(json, "hits", line->hits);
    open_value(json, "conditions", '[');
    for (uint32_t i = 0; i < line->condition_count; i++)
        write_condition(json, &line->conditions[i]);
    close_value(json, ']');
    close_inline(json);
}

static void write_lines(struct json *json, const struct report_lines *lines)
{
    open_value(json, "lines", '[');
    for (uint32_t i = 0; i < lines->count; i++)
        write_line(json, &lines->lines[i]);
    close_value(json, ']');
}

static void write_method(struct json *json, const struct report_method *method)
{
    open_value(json, NULL, '{');
    put_text(json, "name", method->name);
    put_text(json, "signature", method->signature);
    write_totals(json, &method->totals);
    write_lines(json, &method->lines);
    close_value(json, '}');
}

static void write_class(struct json *json, const struct report_class *class)
{
    open_value(json, NULL, '{');
    put_text(json, "name", class->name);
    put_text(json, "file", class->file);
    write_totals(json, &class->totals);
    open_value(json, "methods", '[');
    for (uint32_t i = 0; i < class->method_count; i++)
        write_method(json, &class->methods[i]);
    close_value(json, ']');
    write_lines(json, &class->lines);
    close_value(json, '}');
}

static void write_package(struct json *json, const struct report_package *package)
{
    open_value(json, NULL, '{');
    put_text(json, "name", package->name);
    put_bool(json, "not_loaded", package->not_loaded);
    write_totals(json, &package->totals);
    open_value(json, "classes", '[');
    for (uint32_t i = 0; i < package->class_count; i++)
        write_class(json, &package->classes[i]);
    close_value(json, ']');
    close_value(json, '}');
}

static void write_omission(struct json *json, const struct report_omission *omission)
{
    open_inline(json, NULL);
    put_text(json, "module", omission->module);
    if (omission->method.len != 0)
        put_text(json, "method", omission->method);
    put_text(json, "reason", omission->reason);
    close_inline(json);
}

static void write_exclusion(struct json *json, const struct report_exclusion *exclusion)
{
    open_inline(json, NULL);
    put_text(json, "module", exclusion->module);
    put_text(json, "file", exclusion->file);
    put_number(json, "first_line", exclusion->first_line);
    put_number(json, "last_line", exclusion->last_line);
    put_number(json, "line_count", exclusion->line_count);
    put_text(json, "reason", exclusion->reason);
    close_inline(json);
}

static void write_head(struct json *json, const struct report *report)
{
    put_text(json, "schema_version", STR(SCHEMA_VERSION));
    open_inline(json, "generator");
    put_text(json, "name", STR("ilcov"));
    put_text(json, "version", STR(ILCOV_VERSION));
    close_inline(json);
    begin_value(json, "timestamp");
    (void)fprintf(json->file, "%" PRId64, report->timestamp);
    put_text(json, "root", report->root);
    write_totals(json, &report->totals);
}

bool json_write(FILE *file, const struct report *report, bool colour, struct err *err)
{
    struct json json = {.file = file};
    (void)colour;
    open_value(&json, NULL, '{');
    write_head(&json, report);
    open_value(&json, "packages", '[');
    for (uint32_t i = 0; i < report->package_count; i++)
        write_package(&json, &report->packages[i]);
    close_value(&json, ']');
    open_value(&json, "omissions", '[');
    for (uint32_t i = 0; i < report->omission_count; i++)
        write_omission(&json, &report->omissions[i]);
    close_value(&json, ']');
    open_value(&json, "exclusions", '[');
    for (uint32_t i = 0; i < report->exclusion_count; i++)
        write_exclusion(&json, &report->exclusions[i]);
    close_value(&json, ']');
    close_value(&json, '}');
    (void)fputc('\n', file);
    return !ferror(file) || err_set_errno(err, "cannot be written");
}

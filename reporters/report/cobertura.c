/* Cobertura XML (coverage-04.dtd), as its consumers actually read it: ReportGenerator and Azure
 * DevOps, GitLab, Jenkins, Codecov, diff-cover, Coveralls.
 *
 *   coverage                            RATES lines-covered lines-valid branches-covered
 *                                       branches-valid complexity version timestamp
 *     sources/source                    the only source is the root
 *     packages/package                  an assembly: name RATES complexity; in it a comment for
 *                                       each build: <!-- ilcov module NAME sha256:IDENTITY -->
 *       classes/class                   a type in a file: name filename RATES complexity
 *         methods/method                name signature RATES complexity
 *           lines/line                  number hits branch condition-coverage
 *             conditions/condition      number type coverage
 *         lines/line                    the same, for the union
 *
 * RATES are line-rate and branch-rate; of no line at all, line-rate is 0. No DOCTYPE: a parser that
 * applies the DTD's defaults would report every line as covered. */
#include <inttypes.h>
#include <libxml/xmlwriter.h>
#include <stdio.h>
#include <string.h>

#include "base/hex.h"
#include "base/number.h"
#include "base/utf16.h"
#include "coverage/report/report.h"
#include "reporters/report/report_formats.h"

/* Jenkins reads an int, and a number that does not fit as 0. */
enum {
    HITS_MAX = INT32_MAX,
    NUMBER_ROOM = 48
};

/* Failure is sticky; note_error may set it during a call, so do not assign the result of a call to
 * it. */
struct xml {
    xmlTextWriterPtr writer;
    struct arena arena; /* of one attribute */
    bool failed;
};

static const xmlChar *chars(const char *text)
{
    return (const xmlChar *)text;
}

static void open_element(struct xml *xml, const char *name)
{
    if (!xml->failed && xmlTextWriterStartElement(xml->writer, chars(name)) < 0)
        xml->failed = true;
}

static void close_element(struct xml *xml)
{
    if (!xml->failed && xmlTextWriterEndElement(xml->writer) < 0)
        xml->failed = true;
}

static void put_attribute(struct xml *xml, const char *name, const char *value)
{
    if (!xml->failed && xmlTextWriterWriteAttribute(xml->writer, chars(name), chars(value)) < 0)
        xml->failed = true;
}

static void put_number(struct xml *xml, const char *name, uint64_t value)
{
    char text[NUMBER_ROOM];
    (void)snprintf(text, sizeof text, "%" PRIu64, value);
    put_attribute(xml, name, text);
}

/* XML 1.0, 2.2: Char */
static bool is_legal(uint32_t c)
{
    return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c != 0xFFFE && c != 0xFFFF);
}

/* The text with a NUL at the end and U+FFFD for characters that XML cannot hold: obfuscators use
 * control characters in names. */
static const char *legal(struct xml *xml, struct str s)
{
    struct text t;
    struct str out;
    arena_reset(&xml->arena);
    text_open(&t, &xml->arena);
    for (size_t pos = 0; pos < s.len;) {
        size_t start = pos;
        uint32_t c = utf8_next(s.text, s.len, &pos);
        if (c == 0xFFFD || !is_legal(c))
            text_add_c(&t, "\xEF\xBF\xBD");
        else
            text_add(&t, (struct str){s.text + start, pos - start});
    }
    if (text_take(&out, &t, NULL))
        return out.text;
    xml->failed = true;
    return "";
}

static void put_text(struct xml *xml, const char *name, struct str value)
{
    put_attribute(xml, name, legal(xml, value));
}

/* "0.8333", "0.5", "1": four digits rounded down, without zeros at the end, from integers alone. */
static void put_rate(struct xml *xml, const char *name, uint64_t covered, uint64_t valid)
{
    char text[NUMBER_ROOM];
    uint32_t rate = number_percent_x100(covered, valid);
    int len = snprintf(text, sizeof text, "%" PRIu32 ".%04" PRIu32, rate / 10000, rate % 10000);
    while (text[len - 1] == '0')
        text[--len] = '\0';
    if (text[len - 1] == '.')
        text[--len] = '\0';
    put_attribute(xml, name, text);
}

/* No line at all must not look like full coverage. */
static void put_rates(struct xml *xml, const struct report_totals *totals)
{
    put_rate(xml, "line-rate", totals->lines_covered,
             totals->lines_valid != 0 ? totals->lines_valid : 1);
    put_rate(xml, "branch-rate", totals->branches_covered, totals->branches_valid);
}

/* 0 and 100 mean none and all: anything in between is shown as in between. */
static uint32_t percent(uint32_t covered, uint32_t valid)
{
    uint32_t floor = number_percent_x100(covered, valid) / 100;
    return covered != 0 && floor == 0 ? 1 : floor;
}

static void write_condition(struct xml *xml, const struct report_condition *condition,
                            uint32_t number)
{
    char coverage[NUMBER_ROOM];
    (void)snprintf(coverage, sizeof coverage, "%" PRIu32 "%%",
                   percent(condition->covered_count, condition->outcome_count));
    open_element(xml, "condition");
    put_number(xml, "number", number);
    put_attribute(xml, "type", condition->outcome_count == 2 ? "jump" : "switch");
    put_attribute(xml, "coverage", coverage);
    close_element(xml);
}

static void write_line(struct xml *xml, const struct report_line *line)
{
    open_element(xml, "line");
    put_number(xml, "number", line->number);
    put_number(xml, "hits", line->hits < HITS_MAX ? line->hits : HITS_MAX);
    put_attribute(xml, "branch", line->condition_count != 0 ? "true" : "false");
    if (line->condition_count != 0) {
        char coverage[NUMBER_ROOM];
        (void)snprintf(coverage, sizeof coverage, "%" PRIu32 "%% (%" PRIu32 "/%" PRIu32 ")",
                       percent(line->covered_count, line->outcome_count), line->covered_count,
                       line->outcome_count);
        put_attribute(xml, "condition-coverage", coverage);
        open_element(xml, "conditions");
        for (uint32_t i = 0; i < line->condition_count; i++)
            write_condition(xml, &line->conditions[i], i);
        close_element(xml);
    }
    close_element(xml);
}

static void write_lines(struct xml *xml, const struct report_lines *lines)
{
    open_element(xml, "lines");
    for (uint32_t i = 0; i < lines->count; i++)
        write_line(xml, &lines->lines[i]);
    close_element(xml);
}

static void write_method(struct xml *xml, const struct report_method *method)
{
    open_element(xml, "method");
    put_text(xml, "name", method->name);
    put_text(xml, "signature", method->signature);
    put_rates(xml, &method->totals);
    put_number(xml, "complexity", method->totals.complexity);
    write_lines(xml, &method->lines);
    close_element(xml);
}

static void write_class(struct xml *xml, const struct report_class *class)
{
    open_element(xml, "class");
    put_text(xml, "name", class->name);
    put_text(xml, "filename", class->file);
    put_rates(xml, &class->totals);
    put_number(xml, "complexity", class->totals.complexity);
    open_element(xml, "methods");
    for (uint32_t i = 0; i < class->method_count; i++)
        write_method(xml, &class->methods[i]);
    close_element(xml);
    write_lines(xml, &class->lines);
    close_element(xml);
}

/* <!-- ilcov module NAME sha256:HEX -->: XML 2.5 allows no two hyphens in a comment. */
static void write_module(struct xml *xml, const struct report_module *module)
{
    struct text text;
    struct str comment;
    char identity[HEX_ROOM(sizeof module->identity)];
    const char *name = legal(xml, module->name);
    text_open(&text, &xml->arena);
    text_add_c(&text, " ilcov module ");
    for (const char *c = name; *c != '\0'; c++)
        text_add_c(&text, *c == '-' && c[1] == '-' ? "-\\" : (char[]){*c, '\0'});
    text_addf(&text, " sha256:%s ", hex_of(identity, module->identity, sizeof module->identity));
    if (!text_take(&comment, &text, NULL) ||
        xmlTextWriterWriteComment(xml->writer, chars(comment.text)) < 0)
        xml->failed = true;
}

/* Cobertura has no element for methods without lines, which is all that is known about an assembly
 * without symbols. */
static void write_package(struct xml *xml, const struct report_package *package)
{
    if (package->class_count == 0)
        return;
    open_element(xml, "package");
    put_text(xml, "name", package->name);
    put_rates(xml, &package->totals);
    put_number(xml, "complexity", package->totals.complexity);
    for (uint32_t i = 0; i < package->module_count; i++)
        write_module(xml, &package->modules[i]);
    open_element(xml, "classes");
    for (uint32_t i = 0; i < package->class_count; i++)
        write_class(xml, &package->classes[i]);
    close_element(xml);
    close_element(xml);
}

static void write_sources(struct xml *xml, struct str root)
{
    open_element(xml, "sources");
    const char *source = legal(xml, root);
    if (!xml->failed && xmlTextWriterWriteElement(xml->writer, chars("source"), chars(source)) < 0)
        xml->failed = true;
    close_element(xml);
}

static void write_coverage(struct xml *xml, const struct report *report)
{
    char timestamp[NUMBER_ROOM];
    (void)snprintf(timestamp, sizeof timestamp, "%" PRId64, report->timestamp);
    open_element(xml, "coverage");
    put_rates(xml, &report->totals);
    put_number(xml, "lines-covered", report->totals.lines_covered);
    put_number(xml, "lines-valid", report->totals.lines_valid);
    put_number(xml, "branches-covered", report->totals.branches_covered);
    put_number(xml, "branches-valid", report->totals.branches_valid);
    put_number(xml, "complexity", report->totals.complexity);
    put_attribute(xml, "version", ILCOV_VERSION);
    put_attribute(xml, "timestamp", timestamp);
    write_sources(xml, report->root);
    open_element(xml, "packages");
    for (uint32_t i = 0; i < report->package_count; i++)
        write_package(xml, &report->packages[i]);
    close_element(xml);
    close_element(xml);
}

static void write_document(struct xml *xml, const struct report *report)
{
    if (xmlTextWriterSetIndent(xml->writer, 1) < 0 ||
        xmlTextWriterSetIndentString(xml->writer, chars("  ")) < 0 ||
        xmlTextWriterStartDocument(xml->writer, "1.0", "UTF-8", NULL) < 0 ||
        /* Coveralls accepts only single-line comments before <coverage>. */
        xmlTextWriterWriteComment(xml->writer, chars(" ilcov " ILCOV_VERSION " ")) < 0)
        xml->failed = true;
    write_coverage(xml, report);
    if (!xml->failed && xmlTextWriterEndDocument(xml->writer) < 0)
        xml->failed = true;
}

/* libxml2 would print failures to the terminal, so none is reported to it: the FILE remembers
 * them. */
static int write_bytes(void *context, const char *bytes, int len)
{
    if (len > 0) /* out of memory, there may be no bytes */
        (void)fwrite(bytes, 1, (size_t)len, context);
    return len;
}

/* The writer's functions hide some failures from their callers, and would print to the terminal. */
static void note_error(void *context, xmlErrorPtr error)
{
    struct xml *xml = context;
    (void)error;
    xml->failed = true;
}

/* libxml2's lists report their failures only here. */
static void note_text(void *context, const char *format, ...)
{
    struct xml *xml = context;
    (void)format;
    xml->failed = true;
}

static void listen(struct xml *xml)
{
    xmlSetStructuredErrorFunc(xml, xml != NULL ? note_error : NULL);
    xmlSetGenericErrorFunc(xml, xml != NULL ? note_text : NULL);
}

bool cobertura_write(const struct format_job *job, struct err *err)
{
    struct xml xml = {0};
    listen(&xml);
    xmlOutputBufferPtr buffer =
        xmlOutputBufferCreateIO(write_bytes, NULL, job->destination->file, NULL);
    xml.writer = buffer != NULL ? xmlNewTextWriter(buffer) : NULL;
    if (xml.writer == NULL) {
        if (buffer != NULL)
            (void)xmlOutputBufferClose(buffer);
        listen(NULL);
        return err_set(err, ERR_MEMORY, "out of memory inside libxml2");
    }
    arena_init(&xml.arena, NULL, 0, ARENA_NO_LIMIT);
    write_document(&xml, job->report);
    xmlFreeTextWriter(xml.writer);
    listen(NULL);
    arena_free(&xml.arena);
    return !xml.failed || err_set(err, ERR_MEMORY, "out of memory while writing XML");
}

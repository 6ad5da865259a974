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
#include <stdio.h>

#include "base/hex.h"
#include "base/number.h"
#include "base/version.h"
#include "reporters/report/cobertura.h"
#include "reporters/report/report_formats.h"

/* Jenkins reads an int, and a number that does not fit as 0. */
enum {
    HITS_MAX = INT32_MAX
};

/* "0.8333", "0.5", "1": four digits rounded down, without zeros at the end, from integers alone. */
static void put_rate(struct xml_writer *xml, const char *name, uint64_t covered, uint64_t valid)
{
    static const uint32_t units[] = {1000, 100, 10, 1};
    uint32_t rate = number_percent_x100(covered, valid), rest = rate % 10000;
    struct sink *value = xw_value_begin(xml, name);
    sink_number(value, rate / 10000);
    if (rest != 0)
        sink_byte(value, '.');
    for (size_t i = 0; i < ARRAY_LEN(units) && rest != 0; i++) {
        sink_byte(value, (char)('0' + rest / units[i]));
        rest %= units[i];
    }
    xw_value_end(xml);
}

/* No line at all must not look like full coverage. */
static void put_rates(struct xml_writer *xml, const struct report_totals *totals)
{
    put_rate(xml, "line-rate", totals->lines_covered,
             totals->lines_valid != 0 ? totals->lines_valid : 1);
    put_rate(xml, "branch-rate", totals->branches_covered, totals->branches_valid);
}

/* 0 and 100 mean none and all: anything in between is shown as in between. */
static uint32_t inner_percent(uint32_t covered, uint32_t valid)
{
    uint32_t floor = number_percent_x100(covered, valid) / 100;
    return covered != 0 && floor == 0 ? 1 : floor;
}

static void write_cobertura_condition(struct xml_writer *xml,
                                      const struct report_condition *condition, uint32_t number)
{
    xw_begin(xml, "condition");
    xw_number(xml, "number", number);
    xw_text_c(xml, "type", condition->outcome_count == 2 ? "jump" : "switch");
    struct sink *coverage = xw_value_begin(xml, "coverage");
    sink_number(coverage, inner_percent(condition->covered_count, condition->outcome_count));
    sink_byte(coverage, '%');
    xw_value_end(xml);
    xw_end(xml);
}

/* "100% (2/2)" */
static void put_condition_share(struct xml_writer *xml, const struct report_line *line)
{
    struct sink *share = xw_value_begin(xml, "condition-coverage");
    sink_number(share, inner_percent(line->covered_count, line->outcome_count));
    sink_c(share, "% (");
    sink_number(share, line->covered_count);
    sink_c(share, "/");
    sink_number(share, line->outcome_count);
    sink_byte(share, ')');
    xw_value_end(xml);
}

static void write_cobertura_line(struct xml_writer *xml, const struct report_line *line)
{
    xw_begin(xml, "line");
    xw_number(xml, "number", line->number);
    xw_number(xml, "hits", number_min(line->hits, HITS_MAX));
    xw_bool(xml, "branch", line->condition_count != 0);
    if (line->condition_count != 0) {
        put_condition_share(xml, line);
        xw_begin(xml, "conditions");
        for (uint32_t i = 0; i < line->condition_count; i++)
            write_cobertura_condition(xml, &line->conditions[i], i);
        xw_end(xml);
    }
    xw_end(xml);
}

static void write_cobertura_lines(struct xml_writer *xml, const struct report_lines *lines)
{
    xw_begin(xml, "lines");
    for (uint32_t i = 0; i < lines->count; i++)
        write_cobertura_line(xml, &lines->lines[i]);
    xw_end(xml);
}

static void write_cobertura_method(struct xml_writer *xml, const struct report_method *method)
{
    xw_begin(xml, "method");
    xw_text(xml, "name", method->name);
    xw_text(xml, "signature", method->signature);
    put_rates(xml, &method->totals);
    xw_number(xml, "complexity", method->totals.complexity);
    write_cobertura_lines(xml, &method->lines);
    xw_end(xml);
}

static void write_cobertura_class(struct xml_writer *xml, const struct report_class *class)
{
    xw_begin(xml, "class");
    xw_text(xml, "name", class->name);
    xw_text(xml, "filename", class->file);
    put_rates(xml, &class->totals);
    xw_number(xml, "complexity", class->totals.complexity);
    xw_begin(xml, "methods");
    for (uint32_t i = 0; i < class->method_count; i++)
        write_cobertura_method(xml, &class->methods[i]);
    xw_end(xml);
    write_cobertura_lines(xml, &class->lines);
    xw_end(xml);
}

/* <!-- ilcov module NAME sha256:HEX --> */
static void write_module_comment(struct xml_writer *xml, const struct report_module *module)
{
    char identity[HEX_ROOM(sizeof module->identity)];
    const struct str pieces[] = {
        STR(" ilcov module "), module->name, STR(" sha256:"),
        str_of(hex_of(identity, module->identity, sizeof module->identity)), STR(" ")};
    xw_comment(xml, pieces, ARRAY_LEN(pieces));
}

static void write_sources(struct xml_writer *xml, struct str root)
{
    xw_begin(xml, "sources");
    xw_leaf(xml, "source", root);
    xw_end(xml);
}

/* Cobertura has no element for methods without lines, which is all that is known about an assembly
 * without symbols. */
static void begin_package(struct cobertura_writer *c)
{
    struct xml_writer *xml = &c->xml;
    while (c->package->class_count == 0)
        c->package++;
    c->package_start = xw_position(xml);
    c->of_classes = 0;
    c->left = c->package->class_count;
    xw_begin(xml, "package");
    xw_text(xml, "name", c->package->name);
    put_rates(xml, &c->package->totals);
    xw_number(xml, "complexity", c->package->totals.complexity);
    for (uint32_t i = 0; i < c->package->module_count; i++)
        write_module_comment(xml, &c->package->modules[i]);
    xw_begin(xml, "classes");
}

void cobertura_begin(struct cobertura_writer *out, FILE *file, const struct report *report,
                     struct str part)
{
    struct xml_writer *xml = &out->xml;
    char room[80];
    *out = (struct cobertura_writer){.package = report->packages};
    (void)snprintf(room, sizeof room, " ilcov %s ", ilcov_version);
    const struct str comment = part.len != 0 ? part : str_of(room);
    xw_open(xml, file);
    /* Coveralls accepts only single-line comments before <coverage>. */
    xw_comment(xml, &comment, 1);
    xw_begin(xml, "coverage");
    put_rates(xml, &report->totals);
    xw_number(xml, "lines-covered", report->totals.lines_covered);
    xw_number(xml, "lines-valid", report->totals.lines_valid);
    xw_number(xml, "branches-covered", report->totals.branches_covered);
    xw_number(xml, "branches-valid", report->totals.branches_valid);
    xw_number(xml, "complexity", report->totals.complexity);
    xw_text_c(xml, "version", ilcov_version);
    xw_signed(xml, "timestamp", report->timestamp);
    write_sources(xml, report->root);
    xw_begin(xml, "packages");
}

struct cobertura_size cobertura_put(struct cobertura_writer *c, const struct report_class *class)
{
    struct cobertura_size size = {0};
    if (c->left == 0)
        begin_package(c);
    uint64_t before = xw_position(&c->xml);
    write_cobertura_class(&c->xml, class);
    size.class = xw_position(&c->xml) - before;
    c->of_classes += size.class;
    if (--c->left == 0) {
        xw_end(&c->xml);
        xw_end(&c->xml);
        c->package++;
        size.package = xw_position(&c->xml) - c->package_start - c->of_classes;
    }
    return size;
}

uint64_t cobertura_end(struct cobertura_writer *c)
{
    xw_close(&c->xml);
    return xw_position(&c->xml);
}

/* --- the whole -------------------------------------------------------------------------------- */

void *cobertura_open(const struct format_job *job, struct err *err)
{
    struct cobertura_writer *c = ARENA_NEW(job->arena, struct cobertura_writer, 1, err);
    if (c != NULL)
        cobertura_begin(c, job->destination->file, job->report, STR(""));
    return c;
}

bool cobertura_take(void *writer, const struct report_file *files, uint32_t count, struct err *err)
{
    (void)err;
    for (uint32_t i = 0; i < count; i++)
        (void)cobertura_put(writer, files[i].classes[0]);
    return true;
}

bool cobertura_close(void *writer, struct err *err)
{
    (void)err;
    (void)cobertura_end(writer);
    return true;
}

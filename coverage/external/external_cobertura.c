/* The parts of a Cobertura file that are read:
 *
 *   coverage                    version complexity timestamp
 *     sources/source            a folder; none, one or several
 *     packages/package          name
 *       classes/class           name filename
 *         methods/method        name signature
 *           lines/line          number hits condition-coverage: "50% (1/2)"
 *             conditions/condition     type coverage: "jump" "50%"; of a line without fraction
 *         lines/line            the same; often repeats the lines below methods
 *
 * Rates and totals are ignored: they follow from the lines. */
#include <string.h>

#include "coverage/external/external_formats.h"
#include "coverage/external/external_path.h"
#include "coverage/external/external_text.h"

enum {
    MILLISECONDS_DIGITS = 13 /* Cobertura's own timestamp; .NET's tools write seconds */
};

struct cobertura_line {
    uint64_t number, hits;
    uint32_t covered_count, outcome_count;
    bool has_fraction; /* else it is the sum of the jumps */
};

struct cobertura_reading {
    struct external_build *build;
    struct external_xml *xml;
    struct list sources; /* struct str */
    struct str package, class_name;
    uint32_t class_member;
    bool in_class; /* and the class has a file */
    bool in_line;
    struct cobertura_line line;
};

/* --- the root --------------------------------------------------------------------------------- */

/* Both .NET tools say version 1.9, which is that of the Cobertura they imitate. ReportGenerator
 * says 0. */
static bool tell_cobertura_tool(struct external *out, struct external_xml *xml)
{
    struct str version, complexity, comment = str_trim(xml->comment, " ");
    (void)external_xml_get(xml, "version", &version);
    if (str_starts(comment, "ilcov ")) {
        out->tool = str_take_until(&comment, ','); /* ", part 1 of 3 ..." */
    } else if (str_is(version, "1.9")) {
        out->tool = external_xml_get(xml, "complexity", &complexity) ? STR("Microsoft.CodeCoverage")
                                                                     : STR("coverlet");
    } else if (str_starts(version, "gcovr ")) {
        return external_xml_copy(xml, "version", &out->tool);
    }
    return true;
}

/* A timestamp that is not a number is ignored: nothing depends on it. */
static int64_t timestamp_of(const struct external_xml *xml)
{
    struct str text;
    uint64_t value;
    if (!external_xml_get(xml, "timestamp", &text) || !external_number(&value, text))
        return 0;
    if (text.len >= MILLISECONDS_DIGITS)
        value /= 1000;
    return value < INT64_MAX ? (int64_t)value : 0;
}

/* Other formats have the root <coverage>, too. */
static bool check_child(struct external_xml *xml)
{
    if (external_xml_is(xml, "sources") || external_xml_is(xml, "packages"))
        return true;
    if (external_xml_is(xml, "project"))
        return external_xml_fail(xml, ERR_UNSUPPORTED,
                                 "is Clover's XML, which is not read: only Cobertura, LCOV and "
                                 "OpenCover are");
    if (external_xml_is(xml, "file"))
        return external_xml_fail(xml, ERR_UNSUPPORTED,
                                 "is SonarQube's generic coverage, which is not read: only "
                                 "Cobertura, LCOV and OpenCover are");
    return external_xml_fail(xml, ERR_FORMAT, "is not Cobertura: <coverage> contains <%.40s>",
                             xml->name);
}

/* --- lines ------------------------------------------------------------------------------------ */

/* "(1/2)" at the end of the text; false when it has none. */
static bool take_fraction(struct cobertura_line *line, struct str text)
{
    uint64_t covered, outcomes;
    const char *open = text.len != 0 ? memrchr(text.text, '(', text.len) : NULL;
    const char *slash = open != NULL ? strchr(open, '/') : NULL;
    const char *close = slash != NULL ? strchr(slash, ')') : NULL;
    if (close == NULL ||
        !external_number(&covered, (struct str){open + 1, (size_t)(slash - open - 1)}) ||
        !external_number(&outcomes, (struct str){slash + 1, (size_t)(close - slash - 1)}))
        return false;
    line->covered_count = covered < UINT32_MAX ? (uint32_t)covered : UINT32_MAX;
    line->outcome_count = outcomes < UINT32_MAX ? (uint32_t)outcomes : UINT32_MAX;
    return true;
}

static bool begin_cobertura_line(struct cobertura_reading *c)
{
    static const uint64_t none = 0;
    struct external_xml *xml = c->xml;
    struct str coverage;
    c->line = (struct cobertura_line){0};
    c->in_line = true;
    if (!external_xml_number(xml, "number", NULL, &c->line.number) ||
        !external_xml_number(xml, "hits", &none, &c->line.hits))
        return false;
    (void)external_xml_get(xml, "condition-coverage", &coverage);
    c->line.has_fraction = take_fraction(&c->line, coverage);
    if (c->line.covered_count <= c->line.outcome_count)
        return true;
    return external_xml_fail(xml, ERR_FORMAT, "covers %u of %u branches", c->line.covered_count,
                             c->line.outcome_count);
}

/* A jump has two outcomes; of a switch neither their number nor the base of the percentage is
 * known. */
static void add_jump(struct cobertura_reading *c)
{
    struct str type, coverage;
    (void)external_xml_get(c->xml, "type", &type);
    (void)external_xml_get(c->xml, "coverage", &coverage);
    if (!str_is(type, "jump") || c->line.outcome_count > EXTERNAL_OUTCOMES_MAX)
        return;
    c->line.outcome_count += 2;
    c->line.covered_count += str_is(coverage, "100%") ? 2 : !str_is(coverage, "0%");
}

static bool end_cobertura_line(struct cobertura_reading *c)
{
    c->in_line = false;
    return external_build_line(c->build, c->line.number, c->line.hits, c->line.covered_count,
                               c->line.outcome_count);
}

/* --- the walk --------------------------------------------------------------------------------- */

static bool add_source_folder(struct cobertura_reading *c)
{
    struct str *source = list_add(&c->sources, sizeof *source, c->build->arena, c->build->err);
    if (source == NULL || !external_xml_text(c->xml, source))
        return false;
    if (source->len == 0)
        c->sources.count--;
    return true;
}

static bool begin_cobertura_class(struct cobertura_reading *c)
{
    struct external_build *b = c->build;
    struct str name, path;
    if (!external_xml_get(c->xml, "filename", &name))
        return external_xml_fail(c->xml, ERR_FORMAT, "<class> has no filename");
    c->in_class = name.len != 0;
    if (!c->in_class)
        return true;
    if (!external_xml_copy(c->xml, "name", &c->class_name) ||
        !external_path(&path, name, c->sources.items, c->sources.count, b->arena, b->err) ||
        !external_build_file(b, c->package, path) ||
        !external_build_member(b, c->class_name, STR(""), STR("")))
        return false;
    c->class_member = b->member;
    return true;
}

static bool begin_cobertura_method(struct cobertura_reading *c)
{
    struct str name, signature;
    return external_xml_copy(c->xml, "name", &name) &&
           external_xml_copy(c->xml, "signature", &signature) &&
           external_build_member(c->build, c->class_name, name, signature);
}

static bool begin_cobertura(struct cobertura_reading *c)
{
    struct external_xml *xml = c->xml;
    if (xml->depth == 1)
        return check_child(xml);
    if (external_xml_is(xml, "source"))
        return add_source_folder(c);
    if (external_xml_is(xml, "package"))
        return external_xml_copy(xml, "name", &c->package);
    if (external_xml_is(xml, "class"))
        return begin_cobertura_class(c);
    if (!c->in_class)
        return true;
    if (external_xml_is(xml, "method"))
        return begin_cobertura_method(c);
    if (external_xml_is(xml, "line"))
        return begin_cobertura_line(c);
    if (external_xml_is(xml, "condition") && c->in_line && !c->line.has_fraction)
        add_jump(c);
    return true;
}

static bool end_cobertura(struct cobertura_reading *c)
{
    if (external_xml_is(c->xml, "class"))
        c->in_class = false;
    else if (external_xml_is(c->xml, "method") && c->in_class)
        c->build->member = c->class_member;
    else if (external_xml_is(c->xml, "line") && c->in_line)
        return end_cobertura_line(c);
    return true;
}

bool external_read_cobertura(struct external *out, struct external_build *b,
                             struct external_xml *xml)
{
    struct cobertura_reading c = {.build = b, .xml = xml, .package = STR("")};
    out->format = STR("Cobertura");
    out->timestamp = timestamp_of(xml);
    if (!tell_cobertura_tool(out, xml))
        return false;
    while (external_xml_next(xml))
        if (!(xml->is_end ? end_cobertura(&c) : begin_cobertura(&c)))
            return false;
    return !xml->failed;
}

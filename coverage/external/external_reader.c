#include "coverage/external/external_reader.h"

#include <string.h>

#include "coverage/external/external_formats.h"
#include "coverage/facts/data_file.h"
#include "coverage/facts/facts.h"

#define BLANKS " \t\r\n"
#define ONLY   "only Cobertura, LCOV and OpenCover are"

/* --- recognising the format ------------------------------------------------------------------- */

static bool head_begins(struct view bytes, const char *with, size_t len)
{
    return bytes.len >= len && memcmp(bytes.data, with, len) == 0;
}

bool external_is(struct view first_bytes)
{
    return first_bytes.len != 0 && !data_file_begins(first_bytes.data, first_bytes.len);
}

static struct str text_of_head(struct view head)
{
    struct str text = {(const char *)head.data, head.len};
    (void)str_take(&text, "\xEF\xBB\xBF");
    return str_trim_start(text, BLANKS);
}

/* As bytes, or as UTF-16 with or without a byte order mark. */
static bool is_xml(struct view head)
{
    return str_starts(text_of_head(head), "<") || head_begins(head, "\xFF\xFE", 2) ||
           head_begins(head, "\xFE\xFF", 2) || head_begins(head, "<\0", 2) ||
           head_begins(head, "\0<", 2);
}

/* Its first line that is neither empty nor a comment. */
static bool is_lcov(struct view head)
{
    static const char *const records[] = {
        "TN:",  "SF:", "VER:",  "FN:",  "FNL:", "FNA:", "FNDA:", "FNF:",
        "FNH:", "DA:", "BRDA:", "BRF:", "BRH:", "LF:",  "LH:",   "MCDC:"};
    struct str text = text_of_head(head);
    while (str_starts(text, "#")) {
        (void)str_take_until(&text, '\n');
        text = str_trim_start(text, BLANKS);
    }
    for (size_t i = 0; i < ARRAY_LEN(records); i++)
        if (str_starts(text, records[i]))
            return true;
    return false;
}

static bool is_json(struct view head)
{
    struct str text = text_of_head(head);
    return str_starts(text, "{") || str_starts(text, "[");
}

static bool refuse_report(struct view head, struct err *err)
{
    if (head.len == 0)
        return err_set(err, ERR_FORMAT, "is empty");
    if (head_begins(head, "PCH\xFF", 4))
        return err_set(err, ERR_UNSUPPORTED,
                       "is Microsoft's binary .coverage, which is not read: " ONLY
                       "; the collector writes Cobertura with Format=cobertura");
    if (is_json(head))
        return err_set(err, ERR_UNSUPPORTED,
                       "is JSON, such as coverlet's own, which is not read: " ONLY
                       "; coverlet writes Cobertura with Format=cobertura");
    return err_set(err, ERR_UNSUPPORTED,
                   "is neither an ilcov data file nor Cobertura, LCOV or OpenCover");
}

static bool refuse_xml(struct external_xml *xml)
{
    static const struct {
        const char *root, *whose;
    } known[] = {
        {"report", "JaCoCo's XML"},
        {"results", "Microsoft's XML"},
        {"Root", "dotCover's XML"},
        {"CoverageDSPriv", "Visual Studio's XML"},
    };
    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        if (external_xml_is(xml, known[i].root))
            return external_xml_fail(xml, ERR_UNSUPPORTED, "is %s, which is not read: " ONLY,
                                     known[i].whose);
    return external_xml_fail(xml, ERR_UNSUPPORTED,
                             "is neither Cobertura, LCOV nor OpenCover: its root is <%.40s>",
                             xml->name);
}

/* --- reading ---------------------------------------------------------------------------------- */

static bool read_xml_root(struct external *out, struct external_build *b, struct external_xml *xml)
{
    if (!external_xml_next(xml)) /* libxml2 has reported why, if there is no root */
        return !xml->failed && err_set(b->err, ERR_FORMAT, "has no element");
    if (external_xml_is(xml, "coverage"))
        return external_read_cobertura(out, b, xml);
    if (external_xml_is(xml, "CoverageSession"))
        return external_read_opencover(out, b, xml);
    return refuse_xml(xml);
}

static bool read_xml(struct external *out, struct external_build *b, struct external_input *input)
{
    struct external_xml xml;
    if (!external_xml_open(&xml, input, b->arena, b->err))
        return false;
    bool done = read_xml_root(out, b, &xml);
    external_xml_close(&xml);
    return done;
}

static bool read_report_input(struct external *out, struct external_input *input,
                              struct arena *arena, struct err *err)
{
    struct external_build build;
    *out = (struct external){.format = STR(""), .tool = STR("")};
    if (!external_build_open(&build, arena, err))
        return false;
    bool done = false;
    if (is_xml(input->head))
        done = read_xml(out, &build, input);
    else if (is_lcov(input->head))
        done = external_read_lcov(out, &build, input);
    else
        return refuse_report(input->head, err);
    return done && external_build_finish(out, &build);
}

bool external_read(struct external *out, struct view bytes, struct arena *arena, struct err *err)
{
    struct external_input input = {.head = bytes, .fd = -1};
    return read_report_input(out, &input, arena, err);
}

bool external_read_file(struct external *out, const char *path,
                        const struct progress_hook *progress, struct arena *arena, struct err *err)
{
    uint8_t head[EXTERNAL_HEAD_LEN];
    struct external_input input;
    *out = (struct external){.format = STR(""), .tool = STR("")};
    if (!external_input_open(&input, head, path, err))
        return false;
    input.progress = progress;
    bool done = read_report_input(out, &input, arena, err);
    external_input_close(&input);
    return done;
}

static void add_beyond(struct text *t, uint64_t count)
{
    text_addf(t, "%llu of its entries %s a line past %d, which ilcov cannot hold; ignored",
              (unsigned long long)count, count == 1 ? "names" : "name", FACT_LINE_LIMIT - 1);
}

static void add_unhit(struct text *t, const struct external *external)
{
    uint32_t count = external->unhit_count;
    text_addf(t, "line %u of %.*s ", external->unhit_line, STR_ARGS(external->unhit_path));
    if (count > 1)
        text_addf(t, "and %u more have", count - 1);
    else
        text_add_c(t, "has");
    text_add_c(t, " no hits, but branches that were taken; only hits make a line covered");
}

bool external_losses(struct str *out, const struct external *external, struct arena *arena,
                     struct err *err)
{
    struct text t = text_in(arena);
    if (external->beyond_count != 0)
        add_beyond(&t, external->beyond_count);
    if (external->beyond_count != 0 && external->unhit_count != 0)
        text_add_c(&t, "; ");
    if (external->unhit_count != 0)
        add_unhit(&t, external);
    return text_take(out, &t, err);
}

bool external_is_file(const char *path)
{
    uint8_t start[64];
    size_t len = external_input_peek(start, sizeof start, path);
    return len != 0 && external_is((struct view){start, len});
}

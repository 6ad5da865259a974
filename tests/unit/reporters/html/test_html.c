/* test_html.c - the pages of an HTML report: nothing from the data becomes markup, a path or a link
 * to elsewhere; the text of a source comes through unchanged; pages are as large as they may be,
 * and stay as they are where nothing changed. tests/e2e/test_html.sh holds the numbers against
 * JSON. */
#include "coverage/report/report_build.h"
#include "reporters/html/html_text.h"
#include "reporters/html/page_name.h"
#include "reporters/html/source_columns.h"
#include "reporters/html/source_page.h"
#include "reporters/report/report_formats.h"

#include <dirent.h>
#include <libxml/HTMLparser.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/utf16.h"
#include "reporters/legible.h"
#include "tests/support/check.h"
#include "tests/support/facts_fixture.h"
#include "tests/support/no_text.h"
#include "tests/support/test_folder.h"
#include "tests/support/written.h"

#define STR_INIT(literal)                                                                          \
    {                                                                                              \
        (literal), sizeof(literal) - 1                                                             \
    }
#define VIEW_OF(literal)                                                                           \
    {                                                                                              \
        (const uint8_t *)(literal), sizeof(literal) - 1                                            \
    }

/* --- a report of one file --------------------------------------------------------------------- */

struct lines {
    const struct str *lines;
    uint32_t count;
};

static struct str line_of(void *context, struct str package, struct str path, uint32_t number)
{
    const struct lines *lines = context;
    (void)package;
    (void)path;
    return number <= lines->count ? lines->lines[number - 1] : (struct str){NULL, 0};
}

struct made {
    struct report report;
    struct report_package package;
    struct report_class class;
    struct report_method method;
};

/* One method with all the lines. */
static void make(struct made *out, struct str name, struct str file, struct report_line *lines,
                 uint32_t count)
{
    *out = (struct made){.report = {.root = name, .package_count = 1}};
    out->report.packages = &out->package;
    out->package = (struct report_package){.name = name, .class_count = 1};
    out->package.classes = &out->class;
    out->class = (struct report_class){
        .name = name, .file = file, .method_count = 1, .lines = {.lines = lines, .count = count}};
    out->class.methods = &out->method;
    out->class.first_line = lines->number;
    out->class.first_miss = report_first_miss(&out->class.lines);
    out->method = (struct report_method){
        .name = name, .signature = name, .lines = {.lines = lines, .count = count}};
    out->method.first_line = out->class.first_line;
    out->method.first_miss = out->class.first_miss;
}

static const char *write_pages(const struct report *report, const struct lines *lines)
{
    static struct lines none;
    const char *path = temporary_path(&folder, "pages");
    struct err err = {0};
    const struct sources sources = {line_of, (void *)(uintptr_t)(lines != NULL ? lines : &none),
                                    false, no_text};
    const struct format_job job = {.report = report, .sources = &sources};
    struct destination destination;
    if (!destination_open(&destination, path, DESTINATION_DIRECTORY, &err) ||
        !written_into(&destination, format_find(report_formats, STR("html")), &job, &err))
        fail_msg("%s", err.text);
    return path;
}

static struct str page_of(const char *pages, struct str file, struct str package)
{
    struct str name, path;
    assert_true(page_name(&name, "files", file, package, 0, &folder.arena, NULL));
    assert_true(text_format(&path, &folder.arena, NULL, "%s/%s", pages, name.text));
    return temporary_read(&folder, path.text);
}

/* --- names ------------------------------------------------------------------------------------ */

static void names_of_pages_are_safe(void **state)
{
    const struct {
        struct str path;
        const char *shown;
    } cases[] = {
        {STR("src/Order.cs"), "Order.cs.html"},
        {STR("../../etc/passwd"), "passwd.html"},
        {STR(".."), "...html"},
        {STR("a\\b.cs"), "a_b.cs.html"},
        {STR("a b<c>\"&.cs"), "a_b_c___.cs.html"},
        {STR("a\0b"), "a_b.html"},
        {STR("src/\xC3\xA4.cs"), "__.cs.html"},
        {STR("src/"), ".html"},
        {STR(""), ".html"},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct str name;
        assert_true(page_name(&name, "files", cases[i].path, STR("A"), 0, &folder.arena, NULL));
        assert_true(str_starts(name, "files/"));
        assert_string_equal(name.text + strlen("files/0123456789ab-"), cases[i].shown);
        assert_int_equal(strspn(name.text + 6, "0123456789abcdef"), 12);
    }
}

static void names_of_pages_differ(void **state)
{
    const struct {
        struct str path, owner;
        uint32_t copy;
    } cases[] = {
        {STR("a/b.cs"), STR("A"), 0}, {STR("a/b.cs"), STR("B"), 0}, {STR("a_b.cs"), STR("A"), 0},
        {STR("A/B.cs"), STR("A"), 0}, {STR("a/b.cs"), STR("A"), 1}, {STR("a/b.c"), STR("sA"), 0},
    };
    struct str names[ARRAY_LEN(cases)];
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        assert_true(page_name(&names[i], "f", cases[i].path, cases[i].owner, cases[i].copy,
                              &folder.arena, NULL));
        for (size_t j = 0; j < i; j++)
            assert_false(str_eq_nocase(names[i], names[j]));
    }
}

static void a_long_name_is_cut(void **state)
{
    char path[4000];
    struct str name;
    (void)state;
    memset(path, 'x', sizeof path);
    assert_true(page_name(&name, "files", (struct str){path, sizeof path}, STR(""), 0,
                          &folder.arena, NULL));
    assert_true(name.len < 100);
}

static void text_is_escaped(void **state)
{
    const struct {
        struct str text;
        const char *content, *attribute;
    } cases[] = {
        {STR("a<b>&\"c'"), "a&lt;b>&amp;&quot;c&#39;", "a&lt;b>&amp;&quot;c&#39;"},
        {STR("\tx"), "\tx", "\xEF\xBF\xBDx"},
        {STR("a\x1B[1m\x7F"), "a\xEF\xBF\xBD[1m\xEF\xBF\xBD", NULL},
        {STR("\xE2\x80\xAE"), "\xEF\xBF\xBD", NULL},
        {STR("\xE2\x80\x8F\xC2\x85"), "\xEF\xBF\xBD\xEF\xBF\xBD", NULL},
        {STR("\xC3\xA4\xF0\x9F\x98\x80"), "\xC3\xA4\xF0\x9F\x98\x80", NULL},
        {STR("a\xC3"), "a\xEF\xBF\xBD", NULL},
        {STR("a\0b\nc"),
         "a\xEF\xBF\xBD"
         "b\xEF\xBF\xBD"
         "c",
         NULL},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct str out;
        const char *attribute = cases[i].attribute != NULL ? cases[i].attribute : cases[i].content;
        struct text text = text_in(&folder.arena);
        html_attribute(&text, cases[i].text);
        assert_true(text_take(&out, &text, NULL));
        assert_str(out, attribute);
    }
    for (size_t i = 1; i < ARRAY_LEN(cases); i++) {
        struct str out;
        struct text text = text_in(&folder.arena);
        html_text(&text, cases[i].text);
        assert_true(text_take(&out, &text, NULL));
        assert_str(out, cases[i].content);
    }
}

static void shares_are_rounded_down(void **state)
{
    static const struct {
        uint64_t covered, valid;
        const char *text;
    } cases[] = {
        {0, 0, "\xE2\x80\x93"},
        {0, 3, "0.0\xC2\xA0%"},
        {9999, 10000, "99.9\xC2\xA0%"},
        {3, 3, "100\xC2\xA0%"},
        {UINT64_MAX - 1, UINT64_MAX, "99.9\xC2\xA0%"},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct str out;
        struct text text = text_in(&folder.arena);
        html_percent(&text, cases[i].covered, cases[i].valid);
        assert_true(text_take(&out, &text, NULL));
        assert_str(out, cases[i].text);
    }
}

/* --- pages, read by a parser ------------------------------------------------------------------ */

static const char *attribute_of(const xmlNode *node, const char *name)
{
    for (const xmlAttr *a = node->properties; a != NULL; a = a->next)
        if (strcmp((const char *)a->name, name) == 0)
            return a->children != NULL ? (const char *)a->children->content : "";
    return NULL;
}

static void check_node(const xmlNode *node)
{
    static const char *const allowed[] = {
        "html",  "head", "meta",    "title",   "link",  "script", "body",  "a",  "header",
        "nav",   "ul",   "ol",      "li",      "h1",    "h2",     "p",     "dl", "div",
        "dt",    "dd",   "small",   "svg",     "rect",  "main",   "b",     "i",  "u",
        "mark",  "pre",  "section", "details", "table", "thead",  "tr",    "th", "td",
        "tbody", "abbr", "strong",  "summary", "em",    "code",   "footer"};
    bool found = false;
    for (size_t i = 0; i < ARRAY_LEN(allowed); i++)
        found |= strcmp((const char *)node->name, allowed[i]) == 0;
    if (!found)
        fail_msg("an element <%s>", (const char *)node->name);
    for (const xmlAttr *a = node->properties; a != NULL; a = a->next)
        if (strncmp((const char *)a->name, "on", 2) == 0 ||
            strcmp((const char *)a->name, "style") == 0)
            fail_msg("an attribute %s", (const char *)a->name);
    if (strcmp((const char *)node->name, "script") == 0)
        assert_null(node->children);
    const char *href = attribute_of(node, "href");
    if (href != NULL && href[strspn(href, "./#abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789_-")] != '\0')
        fail_msg("a link to %s", href);
}

static void check_nodes(const xmlNode *node)
{
    for (; node != NULL; node = node->next)
        if (node->type == XML_ELEMENT_NODE) {
            check_node(node);
            check_nodes(node->children);
        } else {
            assert_true(node->type == XML_TEXT_NODE);
        }
}

static const xmlNode *find_class(const xmlNode *node, const char *name, const char *class)
{
    for (; node != NULL; node = node->next) {
        const char *has = node->type == XML_ELEMENT_NODE ? attribute_of(node, "class") : NULL;
        if (has != NULL && strcmp(has, class) == 0 && strcmp((const char *)node->name, name) == 0)
            return node;
        const xmlNode *below = find_class(node->children, name, class);
        if (below != NULL)
            return below;
    }
    return NULL;
}

static htmlDocPtr read_page(struct str page)
{
    htmlDocPtr document =
        htmlReadMemory(page.text, (int)page.len, NULL, "UTF-8",
                       HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET);
    assert_non_null(document);
    return document;
}

static void check_page(struct str page)
{
    htmlDocPtr document = read_page(page);
    check_nodes(xmlDocGetRootElement(document));
    xmlFreeDoc(document);
}

/* All pages of a report. */
static unsigned check_pages(const char *path)
{
    unsigned count = 0;
    DIR *dir = opendir(path);
    assert_non_null(dir);
    for (struct dirent *entry = readdir(dir); entry != NULL; entry = readdir(dir)) {
        struct str name;
        struct stat info;
        if (entry->d_name[0] == '.')
            continue;
        assert_true(text_format(&name, &folder.arena, NULL, "%s/%s", path, entry->d_name));
        assert_int_equal(stat(name.text, &info), 0);
        if (S_ISDIR(info.st_mode))
            count += check_pages(name.text);
        else if (str_ends(name, ".html")) {
            check_page(temporary_read(&folder, name.text));
            count++;
        }
    }
    (void)closedir(dir);
    return count;
}

static void pages_of_the_fixture_hold_no_style_and_no_script(void **state)
{
    struct facts facts;
    struct report report;
    struct report_options options = {.timestamp = 1700000123};
    (void)state;
    fixture_facts(&facts, &folder.arena);
    assert_true(report_build(&report, &facts, &options, &folder.arena, NULL));
    assert_true(check_pages(write_pages(&report, NULL)) > 5);
}

/* --- whatever the data hold ------------------------------------------------------------------- */

static uint32_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33);
}

static struct str random_text(uint64_t *seed)
{
    const struct str pieces[] = {
        STR("<"),
        STR(">"),
        STR("&"),
        STR("\""),
        STR("'"),
        STR("/"),
        STR("../"),
        STR("\\"),
        STR("</pre>"),
        STR("</title>"),
        STR("<script>alert(1)</script>"),
        STR("<img src=x onerror=alert(1)>"),
        STR("\" onclick=\"x"),
        STR("<!--"),
        STR("-->"),
        STR("]]>"),
        STR("&lt;"),
        STR("javascript:"),
        STR("#L1"),
        STR("%2e%2e"),
        STR("\0"),
        STR("\x1B"),
        STR("\x7F"),
        STR("\t"),
        STR("\xE2\x80\xAE"),
        STR("\xE2\x81\xA6"),
        STR("\xC2\x85"),
        STR("\xF0\x9F\x98\x80"),
        STR("\xC3"),
        STR("\xED\xA0\x80"),
        STR(" "),
        STR("a"),
        STR("b.cs"),
        STR("\xD7\x90"),
    };
    struct str out;
    uint32_t count = 1 + next_random(seed) % 8;
    struct text text = text_in(&folder.arena);
    for (uint32_t i = 0; i < count; i++)
        text_add(&text, pieces[next_random(seed) % ARRAY_LEN(pieces)]);
    assert_true(text_take(&out, &text, NULL));
    return out;
}

/* What of a line is to be seen. */
static void add_legible(struct text *out, struct str line)
{
    for (size_t pos = 0; pos < line.len;) {
        size_t start = pos;
        uint32_t c = utf8_next(line.text, line.len, &pos);
        if (c == '\t' || legible_char(c))
            text_add(out, (struct str){line.text + start, pos - start});
        else
            text_add(out, STR(LEGIBLE_REPLACEMENT));
    }
    text_add(out, STR("\n"));
}

enum {
    RANDOM_LINES = 6
};

/* A span anywhere, or nowhere. */
static struct fact_span random_span(uint64_t *seed)
{
    uint32_t line = 1 + next_random(seed) % (RANDOM_LINES + 1);
    uint16_t column = (uint16_t)(1 + next_random(seed) % 20);
    return (struct fact_span){line, line + next_random(seed) % 3, column,
                              (uint16_t)(column + next_random(seed) % 9)};
}

/* In an empty folder: names of pages depend on what they show. */
static void check_random(uint64_t seed)
{
    static const uint64_t hits[] = {3, 0};
    struct str text[RANDOM_LINES];
    struct report_line lines[RANDOM_LINES];
    struct report_condition conditions[RANDOM_LINES];
    struct column_range missed[RANDOM_LINES][2] = {{{0}}};
    struct made made;
    struct str all;
    struct text expected = text_in(&folder.arena);
    for (uint32_t i = 0; i < RANDOM_LINES; i++) {
        text[i] = random_text(&seed);
        add_legible(&expected, text[i]);
        conditions[i] = (struct report_condition){.outcome_count = 2,
                                                  .covered_count = 1,
                                                  .outcome_hits = hits,
                                                  .span = random_span(&seed),
                                                  .is_exact = true};
        missed[i][0].start = (uint16_t)(1 + next_random(&seed) % 20);
        missed[i][0].end = (uint16_t)(missed[i][0].start + next_random(&seed) % 9);
        missed[i][1].start = (uint16_t)(missed[i][0].end + next_random(&seed) % 9);
        lines[i] = (struct report_line){.number = i + 1,
                                        .hits = next_random(&seed) % 3,
                                        .conditions = &conditions[i],
                                        .condition_count = 1,
                                        .outcome_count = 2,
                                        .covered_count = next_random(&seed) % 2,
                                        .missed_count = next_random(&seed) % 3,
                                        .missed = missed[i]};
        conditions[i].covered_count = lines[i].covered_count;
    }
    assert_true(text_take(&all, &expected, NULL));
    struct str name = random_text(&seed), file = random_text(&seed);
    make(&made, name, file, lines, RANDOM_LINES);
    struct lines source = {text, RANDOM_LINES};
    const char *pages = write_pages(&made.report, &source);
    struct str page = page_of(pages, file, name);
    check_page(page);
    htmlDocPtr document = read_page(page);
    const xmlNode *code = find_class(xmlDocGetRootElement(document), "pre", "s");
    assert_non_null(code);
    xmlChar *content = xmlNodeGetContent(code);
    const char *shown = (const char *)content;
    shown += *shown == '\n';
    assert_str(str_of(shown), all.text);
    xmlFree(content);
    xmlFreeDoc(document);
    assert_int_equal(check_pages(pages), 5);
}

static void nothing_in_the_data_becomes_markup(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= repeated(300); seed++) {
        temporary_close(&folder);
        temporary_open(&folder);
        check_random(seed);
    }
}

/* --- what pages show -------------------------------------------------------------------------- */

/* A statement on a line that ran has a mark of its own, a sentence above, and no condition. */
static void statements_that_did_not_run_are_marked(void **state)
{
    static const uint64_t hits[] = {3, 0}, none[] = {0, 0};
    static const struct column_range range[] = {{8, 25}}, open[] = {{9, 0}}, lambda[] = {{9, 14}};
    const struct str text[] = {STR("if (a) return b ? 1 : 2;"), STR("\tif (a) F(x,"),
                               STR("if (Any(x > 1) && b) {}")};
    struct report_condition conditions[] = {
        {.outcome_count = 2,
         .covered_count = 1,
         .outcome_hits = hits,
         .span = {1, 1, 5, 6},
         .is_exact = true,
         .words = WORDS_TRUE_FALSE},
        {.outcome_count = 2, .outcome_hits = none, .span = {1, 1, 15, 16}, .is_exact = true}};
    struct report_condition any = {.outcome_count = 2,
                                   .covered_count = 1,
                                   .outcome_hits = hits,
                                   .span = {3, 3, 5, 15},
                                   .is_exact = true};
    struct report_line lines[] = {{.number = 1,
                                   .hits = 3,
                                   .conditions = conditions,
                                   .condition_count = 2,
                                   .outcome_count = 4,
                                   .covered_count = 1,
                                   .missed_count = 1,
                                   .missed = range},
                                  {.number = 2, .hits = 3, .missed_count = 1, .missed = open},
                                  {.number = 3,
                                   .hits = 3,
                                   .conditions = &any,
                                   .condition_count = 1,
                                   .outcome_count = 2,
                                   .covered_count = 1,
                                   .missed_count = 1,
                                   .missed = lambda}};
    struct made made;
    struct lines source = {text, ARRAY_LEN(text)};
    (void)state;
    make(&made, STR("A"), STR("a.cs"), lines, ARRAY_LEN(lines));
    struct str page = page_of(write_pages(&made.report, &source), STR("a.cs"), STR("A"));
    assert_non_null(strstr(page.text, "<pre class=h>\n<i>~3\n</i><i>~3\n</i><i>~3\n</i></pre>"));
    assert_non_null(strstr(page.text,
                           "<i>if (<mark title=\"was never false\">a</mark>) "
                           "<mark class=m title=\"did not run\">return b ? 1 : 2;</mark>\n</i>"));
    assert_non_null(
        strstr(page.text, "\tif (a) <mark class=m title=\"did not run\">F(x,</mark>\n"));
    assert_non_null(strstr(page.text, "if (<mark title=\"1 of 2 outcomes never happened\">Any("
                                      "</mark><mark class=m title=\"did not run\">x > 1</mark>"
                                      "<mark title=\"1 of 2 outcomes never happened\">)</mark>"));
    assert_non_null(strstr(page.text, "<code>return b ? 1 : 2;</code> did not run\n"));
    assert_non_null(strstr(page.text, "<code>F(x, \xE2\x80\xA6</code> did not run\n"));
    assert_null(strstr(page.text, "2 of 2 outcomes"));
    page = page_of(write_pages(&made.report, NULL), STR("a.cs"), STR("A"));
    assert_non_null(strstr(page.text, "a statement did not run\n"));
}

/* Two tests, of which one has a hostile name, and what ran outside. */
static struct fact_test three_tests[] = {{.name = STR_INIT("N.C.A")},
                                         {.name = STR_INIT("N.C.\"</script>\\\n")},
                                         {.name = STR_INIT(""), .kind = TEST_OUTSIDE}};
static struct view three_sets[] = {VIEW_OF("\0\1"), VIEW_OF("\1\1"), VIEW_OF("\2\1")};
static const struct test_sets three = {
    .tests = three_tests, .test_count = 3, .method_count = 2, .sets = three_sets, .set_count = 3};
static const struct line_tests both = {2, VIEW_OF("\0\2")}, second = {1, VIEW_OF("\1\2")},
                               outside = {0, VIEW_OF("\2\1")};

static struct str test_file_of(const char *pages, const char *name)
{
    struct str path;
    assert_true(text_format(&path, &folder.arena, NULL, "%s/tests/%s", pages, name));
    return temporary_read(&folder, path.text);
}

/* Of data that tell tests apart; of others nothing of it is to be seen. */
static void tests_of_a_line_have_a_column_where_they_are_known(void **state)
{
    const struct str text[] = {STR("a();"), STR("b();"), STR(""), STR("c();"), STR("d();")};
    struct report_line lines[] = {{.number = 1, .hits = 70, .tests = &both},
                                  {.number = 2, .hits = 1, .tests = &outside},
                                  {.number = 4, .hits = 0},
                                  {.number = 5, .hits = 3}};
    struct made made;
    struct lines source = {text, ARRAY_LEN(text)};
    (void)state;
    make(&made, STR("A"), STR("a.cs"), lines, ARRAY_LEN(lines));
    struct str page = page_of(write_pages(&made.report, &source), STR("a.cs"), STR("A"));
    assert_null(strstr(page.text, "<pre class=t"));
    assert_null(strstr(page.text, "tests"));
    made.report.tests = &three;
    page = page_of(write_pages(&made.report, &source), STR("a.cs"), STR("A"));
    check_page(page);
    assert_non_null(strstr(page.text, ".js\">\n2\n<em>" TESTS_NONE "\n</em>\n\n?\n</pre></div>"));
    assert_non_null(strstr(page.text, "the second count is that of the tests that ran the line"));
    assert_non_null(strstr(page.text, "<em>?</em> not known"));
    assert_null(strstr(page.text, "N.C.A"));
}

static void names_of_tests_are_beside_the_pages(void **state)
{
    const struct str text[] = {STR("a();"), STR("b();"), STR("c();")};
    struct report_line lines[] = {{.number = 1, .hits = 7, .tests = &both},
                                  {.number = 2, .hits = 7, .tests = &both},
                                  {.number = 3, .hits = 1, .tests = &second}};
    struct made made;
    struct lines source = {text, ARRAY_LEN(text)};
    struct str name;
    (void)state;
    make(&made, STR("A"), STR("a.cs"), lines, ARRAY_LEN(lines));
    made.report.tests = &three;
    const char *pages = write_pages(&made.report, &source);
    struct str names = test_file_of(pages, "names-0.js");
    assert_non_null(strstr(names.text, "ilcovTests(\"names-0.js\",[\"N.C.A\",\n"
                                       "\"N.C.\\\"</script>\\\\\xEF\xBF\xBD\",\n\"\"]);\n"));
    assert_true(page_name(&name, "files", STR("a.cs"), STR("A"), 0, &folder.arena, NULL));
    name.len -= strlen(".html");
    struct str file, call;
    assert_true(text_format(&file, &folder.arena, NULL, "%.*s.js",
                            STR_ARGS(str_from(name, strlen("files/")))));
    struct str page = test_file_of(pages, file.text);
    assert_true(text_format(&call, &folder.arena, NULL,
                            "ilcovTests(\"%.*s\",{\"kinds\":[2,0,0,1],\n"
                            "\"sets\":[[0,1],[1,1],[2,1]],\n"
                            "\"lines\":[[1,2,[0,2]],[3,3,[1,2]]]});\n",
                            STR_ARGS(file)));
    assert_non_null(strstr(page.text, call.text));
}

/* The next report in the folder has no tests. */
static void names_of_tests_go_with_the_tests(void **state)
{
    struct report_line line = {.number = 1, .hits = 7, .tests = &both};
    struct made made;
    struct str path;
    (void)state;
    make(&made, STR("A"), STR("a.cs"), &line, 1);
    made.report.tests = &three;
    const char *pages = write_pages(&made.report, NULL);
    assert_true(text_format(&path, &folder.arena, NULL, "%s/tests", pages));
    assert_int_equal(access(path.text, F_OK), 0);
    line.tests = NULL;
    made.report.tests = NULL;
    assert_string_equal(write_pages(&made.report, NULL), pages);
    assert_int_equal(access(path.text, F_OK), -1);
}

static void signs_tell_states_apart(void **state)
{
    static const uint64_t hits[] = {3, 0};
    const struct str text[] = {STR("a();"), STR("if (b)"), STR("    c();"),
                               STR(""),     STR("d();"),   STR("e();")};
    struct report_condition condition = {.outcome_count = 2,
                                         .covered_count = 1,
                                         .outcome_hits = hits,
                                         .span = {2, 2, 5, 6},
                                         .is_exact = true,
                                         .words = WORDS_TRUE_FALSE};
    struct report_line lines[] = {
        {.number = 1, .hits = 7},
        {.number = 2,
         .hits = 3,
         .conditions = &condition,
         .condition_count = 1,
         .outcome_count = 2,
         .covered_count = 1},
        {.number = 3},
        {.number = 5},
    };
    struct made made;
    struct lines source = {text, ARRAY_LEN(text)};
    struct report_exclusion exclusion = {.module = STR("A"),
                                         .file = STR("a.cs"),
                                         .first_line = 6,
                                         .last_line = 6,
                                         .line_count = 1,
                                         .reason = reason_of(REASON_EXCLUDED_FILE)};
    (void)state;
    make(&made, STR("A"), STR("a.cs"), lines, ARRAY_LEN(lines));
    made.report.exclusions = &exclusion;
    made.report.exclusion_count = 1;
    struct str page = page_of(write_pages(&made.report, &source), STR("a.cs"), STR("A"));
    assert_non_null(
        strstr(page.text, "<pre class=h>\n7\n<i>~3\n</i><b>0\n\n0\n</b><u>x\n</u></pre>"));
    assert_non_null(strstr(page.text, "if (<mark title=\"was never false\">b</mark>)"));
    assert_non_null(strstr(page.text, "2 lines did not run"));
    made.package.not_loaded = true;
    page = page_of(write_pages(&made.report, &source), STR("a.cs"), STR("A"));
    assert_non_null(strstr(page.text, "never loaded"));
    assert_non_null(strstr(page.text, "<b>\xE2\x80\x93\n\n\xE2\x80\x93\n</b>"));
}

/* An outcome is missing on each line: a list of all of them would be larger than the source. */
static void pages_are_not_much_larger_than_their_sources(void **state)
{
    enum {
        COUNT = 4000
    };
    static const uint64_t hits[] = {3, 0};
    static struct str text[COUNT];
    static struct report_line lines[COUNT];
    struct report_condition condition = {
        .outcome_count = 2, .covered_count = 1, .outcome_hits = hits};
    struct made made;
    struct lines source = {text, COUNT};
    size_t len = 0;
    (void)state;
    for (uint32_t i = 0; i < COUNT; i++) {
        text[i] = STR("            if (index > count) return;");
        len += text[i].len + 1;
        lines[i] = (struct report_line){.number = i + 1,
                                        .hits = 3,
                                        .conditions = &condition,
                                        .condition_count = 1,
                                        .outcome_count = 2,
                                        .covered_count = 1};
    }
    make(&made, STR("A"), STR("a.cs"), lines, COUNT);
    struct str page = page_of(write_pages(&made.report, &source), STR("a.cs"), STR("A"));
    assert_true(page.len <= len * 5 / 2 + SOURCE_PAGE_FIXED);
    assert_non_null(strstr(page.text, " more, marked below"));
}

/* Properties that nobody set: the marks alone would be larger than the source. */
static void marks_do_not_make_pages_larger(void **state)
{
    enum {
        COUNT = 4000
    };
    static const struct column_range missed[] = {{5, 9}, {14, 18}};
    static struct str text[COUNT];
    static struct report_line lines[COUNT];
    struct made made;
    struct lines source = {text, COUNT};
    size_t len = 0, signs = 0;
    (void)state;
    for (uint32_t i = 0; i < COUNT; i++) {
        text[i] = STR("int A { get; set; } // in a file of such lines");
        len += text[i].len + 1;
        lines[i] =
            (struct report_line){.number = i + 1, .hits = 3, .missed_count = 2, .missed = missed};
    }
    make(&made, STR("A"), STR("a.cs"), lines, COUNT);
    struct str page = page_of(write_pages(&made.report, &source), STR("a.cs"), STR("A"));
    assert_true(page.len <= len * 5 / 2 + SOURCE_PAGE_FIXED);
    for (const char *at = page.text; (at = strstr(at, "<i>~3\n")) != NULL; at++)
        signs++;
    assert_int_equal(signs, COUNT);
    assert_non_null(strstr(page.text, "<mark class=m title"));
}

/* A generated file: all of it is there, with room for a few lines of lists. */
static void one_huge_line_is_shown_whole(void **state)
{
    enum {
        LEN = 1 << 20
    };
    static char bytes[LEN];
    struct str text[] = {{bytes, LEN}};
    struct report_line lines[] = {{.number = 1, .hits = 7}};
    struct made made;
    struct lines source = {text, 1};
    (void)state;
    for (size_t i = 0; i < LEN; i++)
        bytes[i] = "x = y;"[i % 6];
    make(&made, STR("A"), STR("a.cs"), lines, 1);
    struct str page = page_of(write_pages(&made.report, &source), STR("a.cs"), STR("A"));
    assert_true(page.len <= (size_t)LEN * 5 / 2 + SOURCE_PAGE_FIXED);
    assert_non_null(memmem(page.text, page.len, bytes, LEN));
}

static void a_file_of_very_many_lines_is_shown_whole(void **state)
{
    enum {
        COUNT = 300000
    };
    static struct str text[COUNT];
    static struct report_line lines[COUNT];
    struct made made;
    struct lines source = {text, COUNT};
    (void)state;
    for (uint32_t i = 0; i < COUNT; i++) {
        text[i] = STR("            Add(table, 12345);");
        lines[i] = (struct report_line){.number = i + 1, .hits = i % 3};
    }
    text[COUNT - 1] = STR("the last one");
    make(&made, STR("A"), STR("a.cs"), lines, COUNT);
    struct str page = page_of(write_pages(&made.report, &source), STR("a.cs"), STR("A"));
    assert_true(page.len <= (size_t)COUNT * 31 * 5 / 2 + SOURCE_PAGE_FIXED);
    assert_non_null(strstr(page.text, ">300000</a>\n</pre>"));
    assert_non_null(strstr(page.text, "the last one\n"));
}

static void unchanged_pages_are_not_written(void **state)
{
    struct report_line lines[] = {{.number = 1, .hits = 7}};
    struct made made;
    struct stat before, after;
    struct str name, path;
    (void)state;
    make(&made, STR("A"), STR("a.cs"), lines, 1);
    const char *pages = write_pages(&made.report, NULL);
    assert_true(page_name(&name, "files", STR("a.cs"), STR("A"), 0, &folder.arena, NULL));
    assert_true(text_format(&path, &folder.arena, NULL, "%s/%s", pages, name.text));
    assert_int_equal(stat(path.text, &before), 0);
    (void)write_pages(&made.report, NULL);
    assert_int_equal(stat(path.text, &after), 0);
    assert_true(before.st_ino == after.st_ino); /* a written one is a new file */
    lines[0].hits = 8;
    (void)write_pages(&made.report, NULL);
    assert_int_equal(stat(path.text, &after), 0);
    assert_false(before.st_ino == after.st_ino);
}

static void nothing_in_an_attribute_ends_it(void **state)
{
    (void)state;
    struct arena arena;
    struct str written, name = STR("a\" onclick='b'");
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    struct text out = text_in(&arena);
    html_put(&out, "<a title=\"was %.*s, %u%%\" id=\"%.*s\">\"x\" %.*s</a>", STR_ARGS(name), 7u,
             STR_ARGS(name), STR_ARGS(name));
    assert_true(text_take(&written, &out, NULL));
    assert_string_equal(written.text,
                        "<a title=\"was a&quot; onclick=&#39;b&#39;, 7%\""
                        " id=\"a&quot; onclick=&#39;b&#39;\">\"x\" a\" onclick='b'</a>");
    arena_free(&arena);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(names_of_pages_are_safe),
    cmocka_unit_test(names_of_pages_differ),
    cmocka_unit_test(a_long_name_is_cut),
    cmocka_unit_test(text_is_escaped),
    cmocka_unit_test(nothing_in_an_attribute_ends_it),
    cmocka_unit_test(shares_are_rounded_down),
    cmocka_unit_test(pages_of_the_fixture_hold_no_style_and_no_script),
    cmocka_unit_test(nothing_in_the_data_becomes_markup),
    cmocka_unit_test(signs_tell_states_apart),
    cmocka_unit_test(statements_that_did_not_run_are_marked),
    cmocka_unit_test(tests_of_a_line_have_a_column_where_they_are_known),
    cmocka_unit_test(names_of_tests_are_beside_the_pages),
    cmocka_unit_test(names_of_tests_go_with_the_tests),
    cmocka_unit_test(marks_do_not_make_pages_larger),
    cmocka_unit_test(pages_are_not_much_larger_than_their_sources),
    cmocka_unit_test(one_huge_line_is_shown_whole),
    cmocka_unit_test(a_file_of_very_many_lines_is_shown_whole),
    cmocka_unit_test(unchanged_pages_are_not_written),
};
UNIT_TESTS_WITH(tests, open_folder, close_folder);

/* test_diff_html.c - the pages of a comparison: nothing from the data becomes markup, a path or a
 * link to elsewhere; a page is as large as it may be; what does not fit is on further pages.
 * tests/e2e/test_diff.sh and test_diff_html.sh hold the numbers against JSON. */
#include <libxml/HTMLparser.h>
#include <stdio.h>

#include "coverage/diff/side_by_side.h"
#include "coverage/report/report.h"
#include "reporters/diff/change_frame.h"
#include "reporters/diff/diff_formats.h"
#include "reporters/html/page_name.h"
#include "tests/support/check.h"
#include "tests/support/diff_fixture.h"
#include "tests/support/no_text.h"
#include "tests/support/test_folder.h"

/* --- pages, read by a parser ------------------------------------------------------------------ */

static void check_node(const xmlNode *node)
{
    for (const xmlAttr *a = node->properties; a != NULL; a = a->next) {
        const char *name = (const char *)a->name;
        const char *value = a->children != NULL ? (const char *)a->children->content : "";
        if (strncmp(name, "on", 2) == 0 || strcmp(name, "style") == 0)
            fail_msg("an attribute %s", name);
        if (strcmp(name, "href") == 0 &&
            value[strspn(value, "./#abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_-")] != '\0')
            fail_msg("a link to %s", value);
    }
    if (strcmp((const char *)node->name, "script") == 0)
        assert_null(node->children);
    assert_int_not_equal(strcmp((const char *)node->name, "img"), 0);
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

static struct str check_page(const char *pages, const char *name)
{
    struct str path;
    assert_true(text_format(&path, &folder.arena, NULL, "%s/%s", pages, name));
    struct str page = temporary_read(&folder, path.text);
    htmlDocPtr document =
        htmlReadMemory(page.text, (int)page.len, NULL, "UTF-8",
                       HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET);
    assert_non_null(document);
    check_nodes(xmlDocGetRootElement(document));
    xmlFreeDoc(document);
    return page;
}

static const char *write_pages(const struct diff *diff, const struct sources *sources)
{
    const char *path = temporary_path(&folder, "pages");
    struct err err = {0};
    const struct format_job job = {.diff = diff, .sources = sources, .was = sources};
    if (!format_write(format_find(diff_formats, STR("html")), path, &job, &err))
        fail_msg("%s", err.text);
    return path;
}

static const char *const indexes[] = {"index.html", "changes-lost.html", "changes-new.html",
                                      "changes-gained.html", "changes-methods.html"};

static struct str file_page(struct str file, struct str package)
{
    struct str name;
    assert_true(page_name(&name, "changes", file, package, 0, &folder.arena, NULL));
    return name;
}

static bool contains(struct str text, const char *part)
{
    return strstr(text.text, part) != NULL;
}

/* --- the fixture ------------------------------------------------------------------------------ */

static void odd_names_become_text(void **state)
{
    struct diff diff;
    (void)state;
    fixture_diff(&diff);
    const char *pages = write_pages(&diff, &fixture_sources);
    for (size_t i = 0; i < ARRAY_LEN(indexes); i++)
        (void)check_page(pages, indexes[i]);
    for (uint32_t i = 0; i < diff.file_count; i++) {
        if (str_ends(diff.files[i].path, "Quiet.cs"))
            continue; /* nothing to tell of */
        (void)check_page(pages, file_page(diff.files[i].path, diff.files[i].package).text);
    }
}

static void lines_in_no_method_are_shown(void **state)
{
    struct diff diff;
    (void)state;
    fixture_diff(&diff);
    const char *pages = write_pages(&diff, &fixture_sources);
    struct str page = check_page(pages, file_page(STR("src/Core/Order.cs"), STR("Shop.Core")).text);
    assert_true(contains(page, "Other lines"));
    assert_true(contains(page, "lost 0"));
    assert_true(contains(page, "new ~18446744073709551615"));
}

/* --- a method as it was beside as it is ------------------------------------------------------- */

enum {
    METHODS = 400
};

static struct str one_line(void *context, struct str package, struct str path, uint32_t number)
{
    (void)context;
    (void)package;
    (void)path;
    return number <= METHODS * 10 ? STR("        return 1;") : (struct str){NULL, 0};
}

static const struct sources one_line_sources = {one_line, NULL, false, no_text};

struct made {
    struct diff diff;
    struct diff_file file;
    struct diff_line lines[METHODS];
    uint32_t numbers[METHODS];
    struct diff_old_line old[METHODS];
    struct diff_was was[METHODS];
    struct diff_section sections[METHODS];
};

/* Methods of a line each, all of them edited and lost. */
static struct made *make(struct str name)
{
    struct made *m = ARENA_NEW(&folder.arena, struct made, 1, NULL);
    assert_non_null(m);
    for (uint32_t i = 0; i < METHODS; i++) {
        m->numbers[i] = 5 + i * 10;
        m->lines[i] = (struct diff_line){
            .number = m->numbers[i], .state = DIFF_LOST, .was_covered = true, .base_hits = 2};
        m->old[i] = (struct diff_old_line){.number = m->numbers[i], .hits = 2};
        m->was[i] = (struct diff_was){name, name, &m->old[i], 1};
        m->sections[i] = (struct diff_section){.method = {.package = name,
                                                          .type = name,
                                                          .name = name,
                                                          .signature = name,
                                                          .file = name,
                                                          .display = {name, name, name},
                                                          .first_line = m->numbers[i],
                                                          .kind = DIFF_EDITED,
                                                          .from = name,
                                                          .display_from = name},
                                               .lines = &m->numbers[i],
                                               .line_count = 1,
                                               .was = &m->was[i]};
        m->sections[i].method.lines[DIFF_LOST] = 1;
    }
    m->file = (struct diff_file){name, name, m->lines, METHODS};
    m->diff = (struct diff){.base_name = name,
                            .head_name = name,
                            .root = name,
                            .files = &m->file,
                            .file_count = 1,
                            .sections = m->sections,
                            .section_count = METHODS};
    return m;
}

/* The bytes of the text in the columns. */
static size_t source_len(struct str page)
{
    size_t count = 0;
    for (const char *at = page.text; (at = strstr(at, "        return 1;")) != NULL; at++)
        count++;
    return count * (sizeof "        return 1;");
}

static void what_does_not_fit_is_on_further_pages(void **state)
{
    unsigned part = 1, sections = 0;
    (void)state;
    const char *pages = write_pages(&make(STR("A.cs"))->diff, &one_line_sources);
    struct str first = file_page(STR("A.cs"), STR("A.cs"));
    struct str name = first;
    for (;; part++) {
        struct str page = check_page(pages, name.text);
        assert_true(page.len <= source_len(page) * 5 / 2 + CHANGE_PAGE_FIXED);
        for (const char *at = page.text; (at = strstr(at, "<h2 id=s")) != NULL; at++)
            sections++;
        if (!contains(page, ">next page</a>"))
            break;
        assert_true(text_format(&name, &folder.arena, NULL, "%.*s-%u.html", (int)first.len - 5,
                                first.text, part + 1));
        assert_true(contains(page, name.text + sizeof "changes"));
    }
    assert_true(part > 5);
    assert_int_equal(sections, METHODS);
    assert_true(contains(check_page(pages, "changes-lost.html"), "-2.html#L"));
    assert_true(contains(check_page(pages, "changes-methods.html"), "-2.html#s"));
}

static void lines_that_did_not_run_say_why(void **state)
{
    static const struct fact_statement thrower = {.start_line = 3};
    static const struct fact_decision asked = {
        .line = 8,
        .is_exact = true,
        .words = WORDS_FALSE_TRUE,
        .span = {.start_line = 8, .end_line = 8, .start_column = 16, .end_column = 17}};
    static const struct report_why threw = {
        .roots = {{.kind = CAUSE_COMPLETED, .statement = &thrower}}, .root_count = 1};
    static const struct report_why never_true = {
        .roots = {{.kind = CAUSE_OUTCOME, .decision = &asked, .outcome = 1}}, .root_count = 1};
    static const struct column_range text = {9, 18};
    static const struct diff_note notes[] = {{.line = 5, .why = &threw},
                                             {.line = 15, .why = &threw},
                                             {.line = 25, .why = &never_true},
                                             {.line = 35, .missed = &text, .missed_count = 1},
                                             {.line = 45, .why = &threw}};
    (void)state;
    struct made *m = make(STR("A.cs"));
    m->sections[0].line_count = 5;
    m->sections[0].notes = notes;
    m->sections[0].note_count = ARRAY_LEN(notes);
    m->diff.section_count = 1;
    m->lines[3].state = DIFF_KEPT;
    m->lines[3].hits = 2;
    m->lines[4].state = DIFF_NOT_RUN; /* nothing is known of it */
    const char *pages = write_pages(&m->diff, &one_line_sources);
    struct str page = check_page(pages, file_page(STR("A.cs"), STR("A.cs")).text);
    assert_true(contains(
        page,
        "<ul class=whys>\n"
        "<li><a href=#L5>5</a> line 3 never completed: it threw or did not return\n"
        "<li><a href=#L15>15</a> line 3 never completed: it threw or did not return\n" /* apart */
        "<li><a href=#L25>25</a> <code>1</code> on line 8 was never true\n"
        "</ul>"));
    assert_true(contains(page, "        <mark class=m title=\"did not run\">return 1;</mark>\n"));
    assert_false(contains(page, "45</a> line 3"));
}

static void random_names_become_text(void **state)
{
    static const char *const pieces[] = {"<",     ">",    "&",         "\"",
                                         "'",     "/",    "../",       "\\",
                                         "</h2>", "<!--", "<script>x", "\" onclick=\"x",
                                         "#L1",   "%2e",  "\x1B",      "\xE2\x80\xAE",
                                         "\xC3",  "a",    "b.cs",      "<img src=x>"};
    uint64_t seed = 7;
    (void)state;
    for (unsigned i = 0; i < repeated(40); i++) {
        struct str name;
        struct text text = text_in(&folder.arena);
        for (unsigned k = 0; k < 6; k++) {
            seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            text_add_c(&text, pieces[(seed >> 33) % ARRAY_LEN(pieces)]);
        }
        assert_true(text_take(&name, &text, NULL));
        struct made *made = make(name);
        made->diff.section_count = made->file.line_count = 3;
        const char *pages = write_pages(&made->diff, &one_line_sources);
        for (size_t k = 0; k < ARRAY_LEN(indexes); k++)
            (void)check_page(pages, indexes[k]);
        (void)check_page(pages, file_page(name, name).text);
    }
}

/* --- old lines beside new ones ---------------------------------------------------------------- */

static void what_was_replaced_stands_beside_what_replaced_it(void **state)
{
    static const uint32_t was[] = {1, 2, 3, 4, 5}, now[] = {1, 9, 3, 5, 6, 7};
    static const struct side_by_side_row rows[] = {
        {0, 0, true}, {1, 1, false},        {2, 2, true},        {3, NO_INDEX, false},
        {4, 3, true}, {NO_INDEX, 4, false}, {NO_INDEX, 5, false}};
    struct side_by_side side_by_side;
    (void)state;
    assert_true(side_by_side_make(&side_by_side, was, ARRAY_LEN(was), now, ARRAY_LEN(now),
                                  &folder.arena, NULL));
    assert_int_equal(side_by_side.count, ARRAY_LEN(rows));
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        assert_int_equal(side_by_side.rows[i].was, rows[i].was);
        assert_int_equal(side_by_side.rows[i].now, rows[i].now);
        assert_int_equal(side_by_side.rows[i].is_same, rows[i].is_same);
    }
}

static void no_line_beside_no_line(void **state)
{
    struct side_by_side side_by_side;
    (void)state;
    assert_true(side_by_side_make(&side_by_side, NULL, 0, NULL, 0, &folder.arena, NULL));
    assert_int_equal(side_by_side.count, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_folder, close_folder)

static const struct CMUnitTest tests[] = {
    TEST(odd_names_become_text),
    TEST(lines_in_no_method_are_shown),
    TEST(what_does_not_fit_is_on_further_pages),
    TEST(lines_that_did_not_run_say_why),
    TEST(random_names_become_text),
    TEST(what_was_replaced_stands_beside_what_replaced_it),
    TEST(no_line_beside_no_line),
};
UNIT_TESTS(tests);

#include "reporters/html/test_files.h"

#include "base/ascii.h"
#include "base/utf16.h"
#include "base/version.h"
#include "reporters/html/page_name.h"
#include "reporters/legible.h"

enum {
    NAMES_A_FILE = 500 /* script.js knows it, too */
};

static const char names_start[] = "names-", file_end[] = ".js";

/* --- what files have in common ---------------------------------------------------------------- */

/* As JSON, which is JavaScript. */
static void put_test_name(struct text *out, struct str s)
{
    text_add(out, STR("\""));
    for (size_t pos = 0; pos < s.len;) {
        size_t start = pos;
        uint32_t c = utf8_next(s.text, s.len, &pos);
        if (!legible_char(c))
            text_add(out, STR(LEGIBLE_REPLACEMENT));
        else if (c == '"' || c == '\\')
            text_addf(out, "\\%c", (char)c);
        else
            text_add(out, (struct str){s.text + start, pos - start});
    }
    text_add(out, STR("\""));
}

static void put_list_number(struct text *out, uint32_t number)
{
    if (out->len != 0 && out->data[out->len - 1] != '[')
        text_add(out, STR(","));
    text_add_number(out, number);
}

static void put_test_runs(struct text *out, struct view set)
{
    struct index_runs runs = index_set_runs(set);
    uint32_t at = 0, first, end;
    text_add(out, STR("["));
    while (index_set_next(&runs, &first, &end)) {
        put_list_number(out, first - at);
        put_list_number(out, end - first);
        at = end;
    }
    text_add(out, STR("]"));
}

static void begin_test_file(struct text *out, struct str name, struct arena *arena)
{
    *out = text_in(arena);
    text_addf(out, TEST_FILES_HEAD "%s\nilcovTests(\"%s\",", ilcov_version,
              name.text + sizeof TEST_FILES); /* its characters need no escapes */
}

static bool end_test_file(struct text *out, struct site *site, struct str name, struct err *err)
{
    text_add(out, STR(");\n"));
    return pages_put_file(&site->pages, name, out, err);
}

/* --- a page ----------------------------------------------------------------------------------- */

bool test_file_name(struct str *out, const struct site *site, const struct site_file *file,
                    const struct source_lines *lines, struct err *err)
{
    static const char folder[] = "files/", page_end[] = ".html";
    struct str name = str_from(file->page, sizeof folder - 1);
    name.len -= sizeof page_end - 1;
    *out = STR("");
    for (uint32_t i = 0; site->report->tests != NULL && i < lines->count; i++)
        if (lines->lines[i]->tests != NULL)
            return text_format(out, site->arena, err, TEST_FILES "/%.*s%s", STR_ARGS(name),
                               file_end);
    return true;
}

/* Numbers of sets as the page has them: ascending as before. */
static void put_sets(struct text *out, struct view all, const struct some_sets *of_page)
{
    struct index_runs runs = index_set_runs(all);
    uint32_t at = 0, first, after, start = 0, stop = 0;
    text_add(out, STR("["));
    while (index_set_next(&runs, &first, &after))
        for (uint32_t set = first; set < after; set++) {
            uint32_t place = some_sets_place(of_page, set);
            if (stop != start && place != stop) {
                put_list_number(out, start - at);
                put_list_number(out, stop - start);
                at = stop;
                start = place;
            } else if (stop == start) {
                start = place;
            }
            stop = place + 1;
        }
    put_list_number(out, start - at);
    put_list_number(out, stop - start);
    text_add(out, STR("]"));
}

static void put_test_lines(struct text *out, const struct source_lines *lines,
                           const struct some_sets *sets)
{
    bool any = false;
    for (uint32_t i = 0, last; i < lines->count; i = last + 1) {
        const struct line_tests *tests = lines->lines[i]->tests;
        for (last = i; last + 1 < lines->count && lines->lines[last + 1]->tests == tests;)
            last++;
        if (tests == NULL)
            continue;
        text_add_c(out, any ? ",[" : "[");
        any = true;
        put_list_number(out, lines->lines[i]->number);
        put_list_number(out, lines->lines[last]->number);
        text_add(out, STR(","));
        put_sets(out, tests->sets, sets);
        text_add(out, STR("]"));
    }
}

static void put_test_kinds(struct text *out, const struct test_sets *tests)
{
    uint32_t counts[TEST_OUTSIDE + 1] = {0};
    for (uint32_t i = 0; i < tests->test_count; i++)
        counts[tests->tests[i].kind]++;
    for (uint32_t i = 0; i <= TEST_OUTSIDE; i++)
        put_list_number(out, counts[i]);
}

bool test_file_write(struct site *site, struct str name, const struct source_lines *lines,
                     struct err *err)
{
    const struct test_sets *tests = site->report->tests;
    struct text out;
    struct some_sets sets = {.last = NULL};
    for (uint32_t i = 0; i < lines->count; i++)
        if (!some_sets_add(&sets, lines->lines[i]->tests, site->scratch, err))
            return false;
    some_sets_end(&sets);
    begin_test_file(&out, name, site->scratch);
    text_add(&out, STR("{\"kinds\":["));
    put_test_kinds(&out, tests);
    text_add(&out, STR("],\n\"sets\":["));
    for (uint32_t i = 0; i < sets.numbers.count; i++) {
        text_add_c(&out, i != 0 ? "," : "");
        put_test_runs(&out, tests->sets[((const uint32_t *)sets.numbers.items)[i]]);
    }
    text_add(&out, STR("],\n\"lines\":["));
    put_test_lines(&out, lines, &sets);
    text_add(&out, STR("]}"));
    return end_test_file(&out, site, name, err);
}

/* --- names ------------------------------------------------------------------------------------ */

bool test_names_write(struct site *site, struct err *err)
{
    const struct test_sets *tests = site->report->tests;
    for (uint32_t first = 0; tests != NULL && first < tests->test_count; first += NAMES_A_FILE) {
        struct text out;
        struct str name;
        arena_reset(site->scratch);
        if (!text_format(&name, site->arena, err, TEST_FILES "/%s%u%s", names_start,
                         first / NAMES_A_FILE, file_end))
            return false;
        begin_test_file(&out, name, site->scratch);
        text_add(&out, STR("["));
        for (uint32_t i = first; i < tests->test_count && i - first < NAMES_A_FILE; i++) {
            text_add_c(&out, i != first ? ",\n" : "");
            put_test_name(&out, tests->tests[i].name);
        }
        text_add(&out, STR("]"));
        if (!end_test_file(&out, site, name, err))
            return false;
    }
    return true;
}

bool test_file_is_one(struct str file)
{
    if (!str_starts(file, names_start) || !str_ends(file, file_end))
        return page_name_is_one(file, file_end);
    struct str number = str_from(file, sizeof names_start - 1);
    number.len -= sizeof file_end - 1;
    for (size_t i = 0; i < number.len; i++)
        if (!ascii_is_digit(number.text[i]))
            return false;
    return number.len != 0;
}

#include "reporters/html/source_columns.h"

#include "coverage/report/sentence.h"
#include "reporters/html/html_text.h"
#include "reporters/source_text.h"

/* A line of at least so many bytes on average has room for an id for each line, so that any line
 * can be linked to; else lines with code have one. */
enum {
    ID_WORTH = 28,
    SOURCE_COLUMNS_FREE = 1024, /* bytes that the marks may take of what a page may have besides */
    MARK_LEAST = sizeof "<mark class=m></mark>",
    TITLE_MOST = sizeof " title=\"\"" + 60
};

struct column_filling {
    struct source_columns *out;
    const struct source_lines *lines;
    const struct site_file *file;
    uint32_t line, run, mark; /* the next of each */
    bool all_ids, has_tests;
    size_t source_done; /* bytes of the source up to the end of this line */
    struct arena *arena;
    struct err *err;
};

/* --- places in a line ------------------------------------------------------------------------- */

/* A page has room for 2.5 times its source: what many marks on short lines would take above that
 * is left out, first their tooltips, then the marks. The sign beside the hits is always there. */
static bool has_mark_room(const struct column_filling *f, size_t len)
{
    const struct source_columns *out = f->out;
    return out->numbers.text.len + out->hits.text.len + out->code.text.len + len <=
           f->source_done * 5 / 2 + SOURCE_COLUMNS_FREE;
}

static bool open_mark(struct column_filling *f, const struct line_mark *mark)
{
    struct text *code = &f->out->code.text;
    if (!has_mark_room(f, MARK_LEAST))
        return false;
    text_add_c(code, mark->condition != NULL ? "<mark" : "<mark class=m");
    if (has_mark_room(f, MARK_LEAST + TITLE_MOST)) {
        text_add(code, STR(" title=\""));
        if (mark->condition != NULL)
            sentence_of_condition(code, mark->condition);
        else
            text_add_c(code, SENTENCE_DID_NOT_RUN);
        text_add(code, STR("\""));
    }
    text_add(code, STR(">"));
    return true;
}

static void put_marked_line(struct column_filling *f, struct str line, uint32_t number)
{
    size_t done = 0;
    struct text *code = &f->out->code.text;
    for (; f->mark < f->lines->mark_count && f->lines->marks[f->mark].line <= number; f->mark++) {
        const struct line_mark *mark = &f->lines->marks[f->mark];
        struct str part = source_text_mark(line, mark->start_column, mark->end_column, done);
        if (mark->line != number || part.len == 0)
            continue;
        html_text(code, (struct str){line.text + done, (size_t)(part.text - line.text) - done});
        bool opened = open_mark(f, mark);
        html_text(code, part);
        if (opened)
            text_add(code, STR("</mark>"));
        done = (size_t)(part.text - line.text) + part.len;
    }
    html_text(code, str_from(line, done));
}

/* --- runs ------------------------------------------------------------------------------------- */

static bool open_excluded(struct column_filling *f, const struct line_run *run)
{
    struct text *code = &f->out->code.text;
    struct str reason;
    if (!reason_text(&reason, run->reason, f->arena, f->err))
        return false;
    text_add(code, STR("<u title=\"excluded: "));
    html_attribute(code, reason);
    text_add(code, STR("\">"));
    return true;
}

/* They are blocks in style.css. */
static const char *const tags[] = {
    [LINES_MISSED] = "b", [LINES_PARTIAL] = "i", [LINES_EXCLUDED] = "u"};

static bool open_code(struct column_filling *f, const struct line_run *run)
{
    struct page_column *code = &f->out->code;
    switch (run->state) {
    case LINES_MISSED:
        text_addf(&code->text, "<b role=region aria-label=\"Line%s ",
                  run->first == run->last ? "" : "s");
        html_range(&code->text, run->first, run->last);
        text_add(&code->text, STR(" missed\">"));
        break;
    case LINES_PARTIAL:
        page_column_use(code, tags[run->state]);
        break;
    case LINES_EXCLUDED:
        if (!open_excluded(f, run))
            return false;
        break;
    }
    code->element = tags[run->state];
    return true;
}

static bool open_run(struct column_filling *f, const struct line_run *run, bool has_text)
{
    page_column_use(&f->out->hits, tags[run->state]);
    return f->out->code.element != NULL || !has_text || open_code(f, run);
}

static void close_run(struct column_filling *f)
{
    f->run++;
    page_column_use(&f->out->hits, NULL);
    page_column_use(&f->out->code, NULL);
}

/* --- a line in all columns -------------------------------------------------------------------- */

static void put_line_number(struct column_filling *f, uint32_t number, bool has_id)
{
    struct text *out = &f->out->numbers.text;
    if (has_id)
        html_put(out, "<a id=L%u>", number);
    html_number(out, number);
    text_add_c(out, has_id ? "</a>\n" : "\n");
}

/* The sign says by itself what the colour says. */
static void put_line_hits(struct column_filling *f, const struct report_line *line,
                          const struct line_run *run)
{
    struct text *out = &f->out->hits.text;
    if (run != NULL && run->state == LINES_EXCLUDED)
        text_add(out, STR("x"));
    else if (line != NULL && line->hits == 0)
        text_add_c(out, f->file->source.package->not_loaded ? "\xE2\x80\x93" : "0");
    if (run != NULL && run->state == LINES_PARTIAL)
        text_add(out, STR("~"));
    if (line != NULL && line->hits != 0)
        html_number(out, line->hits);
    text_add(out, STR("\n"));
}

static void put_line_tests(struct column_filling *f, const struct report_line *line)
{
    struct text *out = &f->out->tests.text;
    bool ran = line != NULL && line->hits != 0;
    bool is_none = ran && line->tests != NULL && line->tests->test_count == 0;
    page_column_use(&f->out->tests, is_none ? "em" : NULL);
    if (is_none) {
        text_add(out, STR(TESTS_NONE));
    } else if (ran && line->tests != NULL) {
        html_number(out, line->tests->test_count);
    } else if (ran) {
        text_add(out, STR("?"));
        f->out->has_unknown_tests = true;
    }
    text_add(out, STR("\n"));
}

static bool put_column_line(struct column_filling *f, uint32_t number, struct str text)
{
    const struct source_lines *lines = f->lines;
    while (f->line < lines->count && lines->lines[f->line]->number < number)
        f->line++;
    bool has_code = f->line < lines->count && lines->lines[f->line]->number == number;
    while (f->run < lines->run_count && lines->runs[f->run].last < number &&
           f->out->hits.element == NULL)
        f->run++;
    const struct line_run *run = f->run < lines->run_count ? &lines->runs[f->run] : NULL;
    if (run != NULL && run->first > number)
        run = NULL;
    if (run != NULL && !open_run(f, run, text.text != NULL))
        return false;
    f->source_done += text.text != NULL ? text.len + 1 : 0;
    put_line_number(f, number, f->all_ids || has_code || (run != NULL && run->first == number));
    put_line_hits(f, has_code ? lines->lines[f->line] : NULL, run);
    if (f->has_tests)
        put_line_tests(f, has_code ? lines->lines[f->line] : NULL);
    if (text.text != NULL) {
        put_marked_line(f, text, number);
        text_add(&f->out->code.text, STR("\n"));
    }
    if (run != NULL && run->last <= number)
        close_run(f);
    return true;
}

/* --- all lines -------------------------------------------------------------------------------- */

static uint32_t measure_source(size_t *len, const struct source_place *place)
{
    uint32_t count = 0;
    *len = 0;
    for (;; count++) {
        struct str line = source_text_line(place, count + 1);
        if (line.text == NULL || count == UINT32_MAX - 1)
            return count;
        *len += line.len + 1;
    }
}

/* Lines with code after the `count` of the text: all, or those that `#line` numbers. */
static bool put_known_lines(struct column_filling *f, uint32_t count)
{
    for (uint32_t i = 0; i < f->lines->count; i++)
        if (f->lines->lines[i]->number > count &&
            !put_column_line(f, f->lines->lines[i]->number, (struct str){NULL, 0}))
            return false;
    return true;
}

bool source_columns_make(struct source_columns *out, const struct source_lines *lines,
                         const struct site *site, const struct site_file *file, struct arena *arena,
                         struct err *err)
{
    const struct source_place place = site_place(site, file);
    struct column_filling f = {.out = out,
                               .lines = lines,
                               .file = file,
                               .has_tests = site->report->tests != NULL,
                               .arena = arena,
                               .err = err};
    *out = (struct source_columns){.source_len = 0};
    out->numbers.text = text_in(arena);
    out->hits.text = text_in(arena);
    out->tests.text = text_in(arena);
    out->code.text = text_in(arena);
    uint32_t count = measure_source(&out->source_len, &place);
    f.all_ids = count == 0 || out->source_len / count >= ID_WORTH;
    for (uint32_t number = 1; number <= count; number++)
        if (!put_column_line(&f, number, source_text_line(&place, number)))
            return false;
    if (!put_known_lines(&f, count))
        return false;
    close_run(&f);
    page_column_use(&out->tests, NULL);
    return true;
}

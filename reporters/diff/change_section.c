#include "reporters/diff/change_section.h"

#include "reporters/diff/methods.h"
#include "reporters/diff/summary.h"
#include "reporters/html/html_text.h"
#include "reporters/html/page.h"

enum {
    ITEM_ROOM = 600, /* bytes that an item takes at most, with the end of the list */
    LIST_FREE = 1500 /* bytes that the list may take besides its share of the source */
};

void change_put_name(struct text *out, const struct diff_method *method)
{
    html_put(out, "%.*s.%.*s%.*s", STR_ARGS(method->display.type), STR_ARGS(method->display.name),
             STR_ARGS(method->display.signature));
}

static void put_section_heading(struct change_columns *p, struct text *out)
{
    const struct diff_method *method = &p->section->of->method;
    text_addf(out, "<h2 id=s%u>", p->section->number);
    if (method->name.len == 0) {
        text_add(out, STR("Other lines</h2>\n"));
        return;
    }
    if (p->section->diff->base_name.len != 0 && !p->section->diff->by_line)
        text_addf(out, "<small>%s</small> ", diff_kind_text(method->kind));
    change_put_name(out, method);
    text_add(out, STR("</h2>\n"));
}

static void put_section_counts(struct text *out, const struct diff_method *method)
{
    char counts[SUMMARY_COUNTS_ROOM];
    uint64_t states[DIFF_STATE_COUNT];
    struct method_lines lines = method_lines(method);
    for (int i = 0; i < DIFF_STATE_COUNT; i++)
        states[i] = method->lines[i];
    html_put(out, "%u of ", lines.covered);
    html_count(out, (uint64_t)lines.covered + lines.missed + lines.not_run, "line");
    html_put(out, "%s", method->kind == DIFF_REMOVED ? " was covered" : " covered");
    summary_states(counts, states);
    if (method->kind != DIFF_REMOVED && counts[0] != '\0')
        html_put(out, ": %s", counts);
}

/* Lines that are gone, where the text of the old source does not show them. */
static void put_gone(struct change_columns *p, struct text *out)
{
    const struct diff_was *was = p->section->of->was;
    uint32_t count = 0, covered = 0;
    if (p->shows_was || was == NULL)
        return;
    for (uint32_t i = 0; i < was->line_count; i++) {
        count += !was->lines[i].is_left;
        covered += !was->lines[i].is_left && was->lines[i].hits != 0;
    }
    if (count == 0)
        return;
    text_add(out, STR(". "));
    html_count(out, count, "line");
    text_addf(out, " of before %s gone, %u of them covered", count == 1 ? "is" : "are", covered);
}

static void put_section_words(struct change_columns *p, struct text *out)
{
    const struct diff_method *method = &p->section->of->method;
    if (method->name.len == 0)
        return;
    text_add(out, STR("<p class=of>"));
    if (p->section->diff->base_name.len != 0)
        put_section_counts(out, method);
    if (method->display_from.len != 0)
        html_put(out, ". Was %.*s", STR_ARGS(method->display_from));
    put_gone(p, out);
    text_add(out, STR("</p>\n"));
}

/* --- why lines did not run -------------------------------------------------------------------- */

struct why_listing {
    struct text *out;
    const struct change_columns *columns;
    size_t end; /* bytes of `out` after which no item begins */
    uint32_t left_out;
    bool is_open;
    /* Lines that did not run, with nothing but lines without code between them, for one reason. */
    const struct report_why *why; /* NULL: there are none */
    uint32_t first, last;
};

/* What the columns leave of the page's size (change_frame.h). */
static size_t room_for_whys(const struct change_columns *c)
{
    size_t len = 0, max = c->rows.source_len * 5 / 2 + LIST_FREE;
    for (int i = 0; i < CHANGE_COLUMNS; i++)
        len += c->all[i].text.len;
    if (c->rows.source_len == 0)
        return LIST_FREE;
    return max > len ? max - len : 0;
}

/* A line that is told of has an id where it is shown first. */
static void put_why_lines(struct why_listing *l)
{
    const struct change_section *section = l->columns->section;
    const struct diff_line *line = diff_file_line(section->file, l->first);
    bool has_id = line != NULL && section->parts[line - section->file->lines] == NO_INDEX;
    if (has_id)
        html_put(l->out, "<a href=#L%u>", l->first);
    html_range(l->out, l->first, l->last);
    html_put(l->out, "%s ", has_id ? "</a>" : "");
}

static void close_item(struct why_listing *l)
{
    const struct change_section *section = l->columns->section;
    const struct source_place place = {section->now, section->of->method.package,
                                       section->of->method.file};
    const struct report_why *why = l->why;
    l->why = NULL;
    if (why == NULL)
        return;
    if (l->left_out != 0 || l->out->len + ITEM_ROOM > l->end) {
        l->left_out++;
        return;
    }
    if (!l->is_open)
        text_add(l->out, STR("<details><summary>Why lines did not run</summary>"
                             "<ul class=whys>\n"));
    l->is_open = true;
    text_add(l->out, STR("<li>"));
    put_why_lines(l);
    condition_put_why(l->out, why, l->first, &place, &code_in_html);
    text_add(l->out, STR("\n"));
}

/* Why the line did not run; NULL: it did, or that is not known. */
static const struct report_why *why_of_line(const struct change_line *line)
{
    bool is_missed = line->now->hits == 0 && line->now->state != DIFF_NOT_RUN &&
                     line->now->state != DIFF_CARRIED;
    return is_missed && line->note != NULL ? line->note->why : NULL;
}

static void add_why_line(struct why_listing *l, const struct change_line *line)
{
    const struct report_why *why = why_of_line(line);
    if (why != l->why) {
        close_item(l);
        l->first = line->number;
    }
    l->why = why;
    l->last = line->number;
}

/* Why lines in the columns did not run, where that is known, as a folded list like that of a source
 * page. Nothing if the page has no room. */
static void put_section_whys(struct text *out, const struct change_columns *columns)
{
    struct why_listing l = {
        .out = out, .columns = columns, .end = out->len + room_for_whys(columns)};
    for (uint32_t i = 0; i < columns->rows.count; i++) {
        const struct change_row *row = &columns->rows.rows[i];
        if (row->skips)
            close_item(&l);
        if (row->now != NULL && row->now->now != NULL)
            add_why_line(&l, row->now);
    }
    close_item(&l);
    if (!l.is_open)
        return;
    if (l.left_out != 0)
        html_put(out, "<li>and %u more\n", l.left_out);
    text_add(out, STR("</ul></details>\n"));
}

/* --- the whole -------------------------------------------------------------------------------- */

static bool put_body(struct change_columns *p, struct text *out, struct err *err)
{
    bool folds = p->section->of->method.kind == DIFF_REMOVED;
    if (folds)
        text_add(out, STR("<details><summary>What was removed</summary>\n"));
    if (!change_columns_put(out, p, err))
        return false;
    text_add_c(out, folds ? "</details>\n" : "");
    if (p->rows.cut != 0) {
        text_add(out, STR("<p>"));
        html_count(out, p->rows.cut, "more line");
        text_add(out, STR(" of this method are not shown.</p>\n"));
    }
    return true;
}

bool change_section_put(struct text *out, size_t *source_len, const struct change_section *section,
                        struct arena *arena, struct err *err)
{
    struct change_columns p = {.section = section};
    const struct diff *diff = section->diff;
    if (!change_rows_make(&p.rows, section, arena, err))
        return false;
    bool is_gone = section->of->line_count == 0;
    p.shows_now = !is_gone;
    p.shows_was = is_gone || (p.rows.has_was && p.rows.has_now);
    p.shows_before =
        !p.shows_was && diff->base_name.len != 0 && section->of->method.kind != DIFF_ADDED;
    *source_len = p.rows.source_len;
    put_section_heading(&p, out);
    put_section_words(&p, out);
    if (p.rows.count == 0)
        return true;
    change_columns_fill(&p, arena);
    put_section_whys(out, &p);
    return put_body(&p, out, err);
}

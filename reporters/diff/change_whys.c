#include "reporters/diff/change_whys.h"

#include "coverage/report/report.h"
#include "reporters/html/html_text.h"
#include "reporters/html/why_item.h"

enum {
    ITEM_ROOM = 600, /* bytes that an item takes at most, with the end of the list */
    LIST_FREE = 1500 /* bytes that the list may take besides its share of the source */
};

struct listing {
    struct text *out;
    const struct change_columns *columns;
    size_t end; /* bytes of `out` after which no item begins */
    uint32_t left_out;
    bool is_open;
    /* Lines that did not run, with nothing but lines without code between them, for one reason. */
    const struct report_why *why; /* NULL: there are none */
    uint32_t first, last;
};

/* What the columns leave of the page's size (change_page.h). */
static size_t room_of(const struct change_columns *c)
{
    size_t len = c->was_numbers.text.len + c->was_hits.text.len + c->was_source.text.len +
                 c->now_numbers.text.len + c->before.text.len + c->now_hits.text.len +
                 c->now_source.text.len;
    size_t max = c->rows.source_len * 5 / 2 + LIST_FREE;
    if (c->rows.source_len == 0)
        return LIST_FREE;
    return max > len ? max - len : 0;
}

/* A line that is told of has an id where it is shown first. */
static void put_lines(struct listing *l)
{
    const struct change_section *section = l->columns->section;
    const struct diff_file *file = section->input->file;
    const struct diff_line *line = diff_file_line(file, l->first);
    bool has_id = line != NULL && section->parts[line - file->lines] == section->part;
    if (has_id)
        text_addf(l->out, "<a href=#L%u>", l->first);
    text_addf(l->out, "%u", l->first);
    if (l->last != l->first)
        text_addf(l->out, "\xE2\x80\x93%u", l->last);
    text_add_c(l->out, has_id ? "</a> " : " ");
}

static void close_item(struct listing *l)
{
    const struct change_section *section = l->columns->section;
    const struct why_source source = {section->input->now, section->of->method.package,
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
    put_lines(l);
    why_item_put(l->out, why, l->first, &source);
    text_add(l->out, STR("\n"));
}

/* Why the line did not run; NULL: it did, or that is not known. */
static const struct report_why *why_of_line(const struct change_line *line)
{
    bool is_missed = line->now->hits == 0 && line->now->state != DIFF_NOT_RUN &&
                     line->now->state != DIFF_CARRIED;
    return is_missed && line->note != NULL ? line->note->why : NULL;
}

static void add_line(struct listing *l, const struct change_line *line)
{
    const struct report_why *why = why_of_line(line);
    if (why != l->why) {
        close_item(l);
        l->first = line->number;
    }
    l->why = why;
    l->last = line->number;
}

void change_whys_put(struct text *out, const struct change_columns *columns)
{
    struct listing l = {.out = out, .columns = columns, .end = out->len + room_of(columns)};
    for (uint32_t i = 0; i < columns->rows.count; i++) {
        const struct change_row *row = &columns->rows.rows[i];
        if (row->skips)
            close_item(&l);
        if (row->now != NULL && row->now->now != NULL)
            add_line(&l, row->now);
    }
    close_item(&l);
    if (!l.is_open)
        return;
    if (l.left_out != 0)
        text_addf(out, "<li>and %u more\n", l.left_out);
    text_add(out, STR("</ul></details>\n"));
}

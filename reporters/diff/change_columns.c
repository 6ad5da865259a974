#include "reporters/diff/change_columns.h"

#include "coverage/report/report.h"
#include "reporters/diff/findings.h"
#include "reporters/html/html_text.h"
#include "reporters/source_text.h"

enum {
    TEXT_MAX = 2000, /* bytes of a line; more is cut */
    MARKS_FREE = 512 /* bytes that marks may take besides */
};

#define DASH    "\xE2\x80\x93"
#define DOTS    "\xE2\x80\xA6"
#define SKIPPED "\xE2\x8B\xAF" /* three dots in the middle */

static const char *const tags[] = {
    [TAG_NONE] = NULL,   [TAG_MISSED] = "b",    [TAG_PARTIAL] = "i",  [TAG_GAINED] = "em",
    [TAG_ADDED] = "ins", [TAG_REMOVED] = "del", [TAG_FILLER] = "span"};

/* --- what a line is --------------------------------------------------------------------------- */

static enum change_tag tag_of(const struct change_columns *p, const struct diff_line *line)
{
    if (line == NULL)
        return TAG_NONE;
    enum finding_rule rule = finding_rule_of(p->section->diff, line);
    if (rule < FINDING_LOST_BRANCH)
        return TAG_MISSED;
    if (rule < FINDING_NONE)
        return TAG_PARTIAL;
    return line->state == DIFF_GAINED || diff_line_outcomes(line, DIFF_GAINED) != 0 ? TAG_GAINED
                                                                                    : TAG_NONE;
}

/* Is it a line of the patch or, without a patch, one that was not there? */
static bool is_added_row(const struct change_columns *p, const struct change_row *row)
{
    const struct diff_line *line = row->now->now;
    if (p->section->diff->patch_name.len != 0)
        return line != NULL && line->in_patch;
    if (p->shows_was)
        return !row->is_same;
    return p->section->of->method.kind == DIFF_ADDED ||
           (line != NULL && (line->state == DIFF_NEW_COVERED || line->state == DIFF_NEW_MISSED));
}

static bool misses_outcome(const struct diff_line *line)
{
    return diff_line_outcomes(line, DIFF_LOST) + diff_line_outcomes(line, DIFF_STILL_MISSED) +
               diff_line_outcomes(line, DIFF_NEW_MISSED) + diff_line_outcomes(line, DIFF_NOT_RUN) +
               diff_line_outcomes(line, DIFF_CARRIED) !=
           0;
}

/* What happened, in a word before the hits; that of a line that ran is about its outcomes. */
static const char *change_word_of(const struct diff *diff, const struct diff_line *line)
{
    if (diff->base_name.len == 0)
        return "";
    switch (line->state) {
    case DIFF_LOST:
        return "lost ";
    case DIFF_GAINED:
        return "gained ";
    case DIFF_NEW_COVERED:
    case DIFF_NEW_MISSED:
        return "new ";
    case DIFF_CARRIED:
        return "carried ";
    case DIFF_KEPT:
        return diff_line_outcomes(line, DIFF_LOST) != 0         ? "lost "
               : diff_line_outcomes(line, DIFF_NEW_MISSED) != 0 ? "new "
               : diff_line_outcomes(line, DIFF_GAINED) != 0     ? "gained "
                                                                : "";
    case DIFF_STILL_MISSED:
    case DIFF_NOT_RUN:
    case DIFF_STATE_COUNT:
        break;
    }
    return "";
}

/* --- columns ---------------------------------------------------------------------------------- */

static void use_tag(struct page_column *column, enum change_tag tag)
{
    page_column_use(column, tags[tag]);
}

static void put_tagged_line(struct page_column *column, enum change_tag tag, const char *line)
{
    use_tag(column, tag);
    text_add_c(&column->text, line);
}

/* In columns from `first` to `last`: what only the other side has. */
static void put_fillers(struct change_columns *p, enum change_side first, enum change_side last)
{
    for (int i = (int)first; i <= (int)last; i++)
        put_tagged_line(&p->all[i], TAG_FILLER, "\n");
}

/* Marks the statements that did not run, as the page of a source does. Where lines are short their
 * marks may be too many for the page. */
static void put_marked_text(struct page_column *column, struct str s, const struct diff_note *note,
                            size_t source_len)
{
    size_t done = 0;
    struct text *out = &column->text;
    for (uint32_t i = 0; note != NULL && i < note->missed_count; i++) {
        struct str part = source_text_mark(s, note->missed[i].start, note->missed[i].end, done);
        if (part.len == 0 || out->len > source_len * 3 / 2 + MARKS_FREE)
            continue;
        html_put(out, "%.*s<mark class=m title=\"did not run\">%.*s</mark>",
                 (int)((size_t)(part.text - s.text) - done), s.text + done, STR_ARGS(part));
        done = (size_t)(part.text - s.text) + part.len;
    }
    html_text(out, str_from(s, done));
}

/* `note` may be NULL. */
static void put_source_line(struct page_column *column, enum change_tag tag, struct str s,
                            const struct diff_note *note, size_t source_len)
{
    struct str shown = source_text_start(s, TEXT_MAX);
    use_tag(column, tag);
    put_marked_text(column, shown, note, source_len);
    text_add_c(&column->text, shown.len < s.len ? DOTS "\n" : "\n");
}

/* The last line of the element that begins with row `first`. */
static uint32_t last_number_of_tag(const struct change_columns *p, uint32_t first,
                                   enum change_tag tag)
{
    uint32_t last = p->rows.rows[first].now->number;
    for (uint32_t i = first + 1; i < p->rows.count; i++) {
        const struct change_row *row = &p->rows.rows[i];
        if (row->skips || row->now == NULL || tag_of(p, row->now->now) != tag)
            break;
        last = row->now->number;
    }
    return last;
}

/* "Lines 3-4: lost", for those who do not see where an element begins. */
static void open_missed(struct change_columns *p, uint32_t row, const struct diff_line *line)
{
    struct page_column *column = &p->all[NOW_SOURCE];
    uint32_t last = last_number_of_tag(p, row, TAG_MISSED);
    use_tag(column, TAG_NONE);
    column->element = tags[TAG_MISSED];
    html_put(&column->text, "<b role=group aria-label=\"Line%s ", last == line->number ? "" : "s");
    html_range(&column->text, line->number, last);
    html_put(&column->text, " %s\">", line->state == DIFF_LOST ? "lost" : "missed");
}

static void put_now_number(struct change_columns *p, const struct change_line *line, bool added)
{
    struct page_column *column = &p->all[NOW_NUMBERS];
    const struct change_section *section = p->section;
    uint32_t *part = line->now != NULL && diff_line_is_shown(line->now)
                         ? &section->parts[line->now - section->file->lines]
                         : NULL;
    bool has_id = part != NULL && *part == 0;
    use_tag(column, added ? TAG_ADDED : TAG_NONE);
    if (has_id) {
        *part = NO_INDEX;
        text_addf(&column->text, "<a id=L%u>", line->number);
    }
    text_addf(&column->text, "%s%u%s\n", added ? "+" : "", line->number, has_id ? "</a>" : "");
}

/* As on the page of a source: what did not run is marked, whether it is new or not. */
static void put_hit_count(struct page_column *column, uint64_t hits, bool is_partial)
{
    text_add_c(&column->text, is_partial ? "~" : "");
    html_number(&column->text, hits);
}

static enum change_tag hits_tag(uint64_t hits, bool is_partial)
{
    return hits == 0 ? TAG_MISSED : is_partial ? TAG_PARTIAL : TAG_NONE;
}

static void put_now_hits(struct change_columns *p, const struct diff_line *line)
{
    struct page_column *column = &p->all[NOW_HITS];
    bool is_partial = line != NULL && line->hits != 0 && misses_outcome(line);
    enum change_tag tag = tag_of(p, line);
    if (tag == TAG_NONE && line != NULL)
        tag = hits_tag(line->hits, is_partial);
    use_tag(column, tag);
    if (line != NULL) {
        text_add_c(&column->text, change_word_of(p->section->diff, line));
        if (line->state == DIFF_NOT_RUN || line->state == DIFF_CARRIED)
            text_add(&column->text, STR(DASH));
        else
            put_hit_count(column, line->hits, is_partial);
    }
    text_add(&column->text, STR("\n"));
}

/* A line that was not there has no hits of then. */
static void put_before(struct change_columns *p, const struct diff_line *line)
{
    struct page_column *column = &p->all[NOW_BEFORE];
    bool known = line != NULL && line->state != DIFF_NEW_COVERED &&
                 line->state != DIFF_NEW_MISSED &&
                 !(line->state == DIFF_NOT_RUN && !line->was_covered);
    use_tag(column, TAG_NONE);
    if (known)
        html_number(&column->text, line->base_hits);
    text_add(&column->text, STR("\n"));
}

static void put_now(struct change_columns *p, uint32_t i)
{
    const struct change_row *row = &p->rows.rows[i];
    if (row->now == NULL) {
        put_fillers(p, NOW_NUMBERS, NOW_SOURCE);
        return;
    }
    bool added = is_added_row(p, row);
    enum change_tag tag = tag_of(p, row->now->now);
    put_now_number(p, row->now, added);
    put_before(p, row->now->now);
    put_now_hits(p, row->now->now);
    if (tag == TAG_MISSED && p->all[NOW_SOURCE].element != tags[TAG_MISSED])
        open_missed(p, i, row->now->now);
    put_source_line(&p->all[NOW_SOURCE], tag == TAG_NONE && added ? TAG_ADDED : tag, row->now->text,
                    row->now->note, p->rows.source_len);
}

static void put_was(struct change_columns *p, const struct change_row *row)
{
    if (row->was == NULL) {
        put_fillers(p, WAS_NUMBERS, WAS_SOURCE);
        return;
    }
    enum change_tag tag = row->is_same ? TAG_NONE : TAG_REMOVED;
    const struct diff_old_line *line = row->was->was;
    struct page_column *numbers = &p->all[WAS_NUMBERS], *hits = &p->all[WAS_HITS];
    use_tag(numbers, tag);
    text_addf(&numbers->text, "%s%u\n", tag == TAG_REMOVED ? "-" : "", row->was->number);
    use_tag(hits, line != NULL ? hits_tag(line->hits, line->is_partial) : TAG_NONE);
    if (line != NULL)
        put_hit_count(hits, line->hits, line->is_partial);
    text_add(&hits->text, STR("\n"));
    put_source_line(&p->all[WAS_SOURCE], tag, row->was->text, NULL, 0);
}

void change_columns_fill(struct change_columns *p, struct arena *arena)
{
    for (int i = 0; i < CHANGE_COLUMNS; i++)
        p->all[i].text = text_in(arena);
    for (uint32_t i = 0; i < p->rows.count; i++) {
        for (int k = 0; p->rows.rows[i].skips && k < CHANGE_COLUMNS; k++)
            put_tagged_line(&p->all[k], TAG_NONE,
                            k == WAS_NUMBERS || k == NOW_NUMBERS ? SKIPPED "\n" : "\n");
        put_was(p, &p->rows.rows[i]);
        put_now(p, i);
    }
    for (int i = 0; i < CHANGE_COLUMNS; i++)
        use_tag(&p->all[i], TAG_NONE);
}

/* --- sides ------------------------------------------------------------------------------------ */

/* Columns from `first` on, and the source, if it is known, beside them. */
static bool put_column_side(struct text *out, struct change_columns *p, const char *name,
                            enum change_side first, enum change_side source, bool has_source,
                            struct err *err)
{
    static const char *const classes[] = {"n", "h", "s", "n", "p", "h", "s"};
    html_put(out,
             "<div class=code tabindex=0 role=group aria-label=%s><p>%s</p>"
             "<div class=columns><div class=gutter>\n",
             name, name);
    for (int i = (int)first; i < (int)source; i++)
        if ((i != NOW_BEFORE || p->shows_before) &&
            !page_put_column(out, classes[i], &p->all[i], err))
            return false;
    text_add(out, STR("</div>\n"));
    if (has_source && !page_put_column(out, classes[source], &p->all[source], err))
        return false;
    text_add(out, STR("</div></div>\n"));
    return true;
}

bool change_columns_put(struct text *out, struct change_columns *p, struct err *err)
{
    html_put(out, "<div class=%s>\n", p->shows_was && p->shows_now ? "\"beside two\"" : "beside");
    if ((p->shows_was &&
         !put_column_side(out, p, "Before", WAS_NUMBERS, WAS_SOURCE, p->rows.has_was, err)) ||
        (p->shows_now &&
         !put_column_side(out, p, "Now", NOW_NUMBERS, NOW_SOURCE, p->rows.has_now, err)))
        return false;
    text_add(out, STR("</div>\n"));
    return true;
}

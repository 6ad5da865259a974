#include "reporters/diff/change_section.h"

#include "reporters/diff/findings.h"
#include "reporters/diff/methods.h"
#include "reporters/diff/summary.h"
#include "reporters/html/html_text.h"

enum {
    TEXT_MAX = 2000 /* bytes of a line; more is cut */
};

#define DASH    "\xE2\x80\x93"
#define DOTS    "\xE2\x80\xA6"
#define SKIPPED "\xE2\x8B\xAF" /* three dots in the middle */

/* The elements that mark what a line is; blocks in style.css. */
enum tag {
    TAG_NONE,
    TAG_MISSED,  /* lost, or new and missed, or missed in the patch */
    TAG_PARTIAL, /* it ran, but an outcome was lost, or is new and missed */
    TAG_GAINED,
    TAG_ADDED,
    TAG_REMOVED,
    TAG_FILLER /* what only the other side has: blank beside it, gone where it stands below */
};

static const char *const tags[] = {
    [TAG_NONE] = "",     [TAG_MISSED] = "b",    [TAG_PARTIAL] = "i",  [TAG_GAINED] = "em",
    [TAG_ADDED] = "ins", [TAG_REMOVED] = "del", [TAG_FILLER] = "span"};

/* A column whose lines of one tag share an element. */
struct column {
    struct text text;
    enum tag open;
};

struct putting {
    const struct change_section *section;
    struct change_rows rows;
    bool shows_was, shows_now, shows_before;
    struct column was_numbers, was_hits, was_source;
    struct column now_numbers, before, now_hits, now_source;
};

/* --- what a line is --------------------------------------------------------------------------- */

static enum tag tag_of(const struct putting *p, const struct diff_line *line)
{
    if (line == NULL)
        return TAG_NONE;
    enum finding_rule rule = finding_rule_of(p->section->input->diff, line);
    if (rule < FINDING_LOST_BRANCH)
        return TAG_MISSED;
    if (rule < FINDING_NONE)
        return TAG_PARTIAL;
    return line->state == DIFF_GAINED || diff_line_outcomes(line, DIFF_GAINED) != 0 ? TAG_GAINED
                                                                                    : TAG_NONE;
}

/* Is it a line of the patch or, without a patch, one that was not there? */
static bool is_added(const struct putting *p, const struct change_row *row)
{
    const struct diff_line *line = row->now->now;
    if (p->section->input->diff->patch_name.len != 0)
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
static const char *word_of(const struct diff *diff, const struct diff_line *line)
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

static void close_tag(struct column *column)
{
    if (column->open != TAG_NONE)
        text_addf(&column->text, "</%s>", tags[column->open]);
    column->open = TAG_NONE;
}

static void use_tag(struct column *column, enum tag tag)
{
    if (column->open == tag)
        return;
    close_tag(column);
    column->open = tag;
    if (tag != TAG_NONE)
        text_addf(&column->text, "<%s>", tags[tag]);
}

static void put_line(struct column *column, enum tag tag, const char *line)
{
    use_tag(column, tag);
    text_add_c(&column->text, line);
}

static void put_filler(struct column *column)
{
    put_line(column, TAG_FILLER, "\n");
}

static void put_source(struct column *column, enum tag tag, struct str s)
{
    bool is_cut = s.len > TEXT_MAX;
    if (is_cut)
        s.len = TEXT_MAX;
    while (is_cut && s.len != 0 && ((uint8_t)s.text[s.len] & 0xC0) == 0x80)
        s.len--;
    use_tag(column, tag);
    html_text(&column->text, s);
    text_add_c(&column->text, is_cut ? DOTS "\n" : "\n");
}

/* The last line of the element that begins with row `first`. */
static uint32_t last_number(const struct putting *p, uint32_t first, enum tag tag)
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
static void open_missed(struct putting *p, uint32_t row, const struct diff_line *line)
{
    struct text *out = &p->now_source.text;
    uint32_t last = last_number(p, row, TAG_MISSED);
    close_tag(&p->now_source);
    p->now_source.open = TAG_MISSED;
    text_addf(out, "<b role=group aria-label=\"%s %u", last == line->number ? "Line" : "Lines",
              line->number);
    if (last != line->number)
        text_addf(out, DASH "%u", last);
    text_addf(out, " %s\">", line->state == DIFF_LOST ? "lost" : "missed");
}

static void put_number(struct putting *p, const struct change_line *line, bool added)
{
    struct column *column = &p->now_numbers;
    const struct change_section *section = p->section;
    uint32_t *part = line->now != NULL && diff_line_is_told(line->now)
                         ? &section->parts[line->now - section->input->file->lines]
                         : NULL;
    bool has_id = part != NULL && *part == 0;
    use_tag(column, added ? TAG_ADDED : TAG_NONE);
    if (has_id) {
        *part = section->part;
        text_addf(&column->text, "<a id=L%u>", line->number);
    }
    text_addf(&column->text, "%s%u%s\n", added ? "+" : "", line->number, has_id ? "</a>" : "");
}

/* As on the page of a source: what did not run is marked, whether it is new or not. */
static void put_count(struct column *column, uint64_t hits, bool is_partial)
{
    text_add_c(&column->text, is_partial ? "~" : "");
    html_number(&column->text, hits);
}

static enum tag hits_tag(uint64_t hits, bool is_partial)
{
    return hits == 0 ? TAG_MISSED : is_partial ? TAG_PARTIAL : TAG_NONE;
}

static void put_hits(struct putting *p, const struct diff_line *line)
{
    struct column *column = &p->now_hits;
    bool is_partial = line != NULL && line->hits != 0 && misses_outcome(line);
    enum tag tag = tag_of(p, line);
    if (tag == TAG_NONE && line != NULL)
        tag = hits_tag(line->hits, is_partial);
    use_tag(column, tag);
    if (line != NULL) {
        text_add_c(&column->text, word_of(p->section->input->diff, line));
        if (line->state == DIFF_NOT_RUN || line->state == DIFF_CARRIED)
            text_add(&column->text, STR(DASH));
        else
            put_count(column, line->hits, is_partial);
    }
    text_add(&column->text, STR("\n"));
}

/* A line that was not there has no hits of then. */
static void put_before(struct putting *p, const struct diff_line *line)
{
    struct column *column = &p->before;
    bool known = line != NULL && line->state != DIFF_NEW_COVERED &&
                 line->state != DIFF_NEW_MISSED &&
                 !(line->state == DIFF_NOT_RUN && !line->was_covered);
    use_tag(column, TAG_NONE);
    if (known)
        html_number(&column->text, line->base_hits);
    text_add(&column->text, STR("\n"));
}

static void put_now(struct putting *p, uint32_t i)
{
    const struct change_row *row = &p->rows.rows[i];
    if (row->now == NULL) {
        put_filler(&p->now_numbers);
        put_filler(&p->before);
        put_filler(&p->now_hits);
        put_filler(&p->now_source);
        return;
    }
    bool added = is_added(p, row);
    enum tag tag = tag_of(p, row->now->now);
    put_number(p, row->now, added);
    put_before(p, row->now->now);
    put_hits(p, row->now->now);
    if (tag == TAG_MISSED && p->now_source.open != TAG_MISSED)
        open_missed(p, i, row->now->now);
    put_source(&p->now_source, tag == TAG_NONE && added ? TAG_ADDED : tag, row->now->text);
}

static void put_was(struct putting *p, const struct change_row *row)
{
    if (row->was == NULL) {
        put_filler(&p->was_numbers);
        put_filler(&p->was_hits);
        put_filler(&p->was_source);
        return;
    }
    enum tag tag = row->is_same ? TAG_NONE : TAG_REMOVED;
    const struct diff_old_line *line = row->was->was;
    use_tag(&p->was_numbers, tag);
    text_addf(&p->was_numbers.text, "%s%u\n", tag == TAG_REMOVED ? "-" : "", row->was->number);
    use_tag(&p->was_hits, line != NULL ? hits_tag(line->hits, line->is_partial) : TAG_NONE);
    if (line != NULL)
        put_count(&p->was_hits, line->hits, line->is_partial);
    text_add(&p->was_hits.text, STR("\n"));
    put_source(&p->was_source, tag, row->was->text);
}

static void columns_of(struct putting *p, struct column *all[7])
{
    all[0] = &p->was_numbers;
    all[1] = &p->was_hits;
    all[2] = &p->was_source;
    all[3] = &p->now_numbers;
    all[4] = &p->before;
    all[5] = &p->now_hits;
    all[6] = &p->now_source;
}

static void fill_columns(struct putting *p, struct arena *arena)
{
    struct column *all[7];
    columns_of(p, all);
    for (size_t i = 0; i < ARRAY_LEN(all); i++)
        text_open(&all[i]->text, arena);
    for (uint32_t i = 0; i < p->rows.count; i++) {
        for (size_t k = 0; p->rows.rows[i].skips && k < ARRAY_LEN(all); k++)
            put_line(all[k], TAG_NONE,
                     all[k] == &p->was_numbers || all[k] == &p->now_numbers ? SKIPPED "\n" : "\n");
        put_was(p, &p->rows.rows[i]);
        put_now(p, i);
    }
    for (size_t i = 0; i < ARRAY_LEN(all); i++)
        close_tag(all[i]);
}

static bool take_column(struct text *out, const char *class, struct column *column, struct err *err)
{
    struct str bytes;
    if (!text_take(&bytes, &column->text, err))
        return false;
    text_addf(out, "<pre class=%s>\n", class);
    text_add(out, bytes);
    text_add(out, STR("</pre>"));
    return true;
}

static void begin_side(struct text *out, const char *name)
{
    text_addf(out,
              "<div class=code tabindex=0 role=group aria-label=%s><p>%s</p>"
              "<div class=columns><div class=gutter>\n",
              name, name);
}

static bool put_was_side(struct putting *p, struct text *out, struct err *err)
{
    begin_side(out, "Before");
    if (!take_column(out, "n", &p->was_numbers, err) || !take_column(out, "h", &p->was_hits, err))
        return false;
    text_add(out, STR("</div>\n"));
    if (p->rows.has_was && !take_column(out, "s", &p->was_source, err))
        return false;
    text_add(out, STR("</div></div>\n"));
    return true;
}

static bool put_now_side(struct putting *p, struct text *out, struct err *err)
{
    begin_side(out, "Now");
    if (!take_column(out, "n", &p->now_numbers, err) ||
        (p->shows_before && !take_column(out, "p", &p->before, err)) ||
        !take_column(out, "h", &p->now_hits, err))
        return false;
    text_add(out, STR("</div>\n"));
    if (p->rows.has_now && !take_column(out, "s", &p->now_source, err))
        return false;
    text_add(out, STR("</div></div>\n"));
    return true;
}

/* --- words ------------------------------------------------------------------------------------ */

void change_put_name(struct text *out, const struct diff_method *method)
{
    html_text(out, method->display.type);
    text_add(out, STR("."));
    html_text(out, method->display.name);
    html_text(out, method->display.signature);
}

static void put_heading(struct putting *p, struct text *out)
{
    const struct diff_method *method = &p->section->of->method;
    text_addf(out, "<h2 id=s%u>", p->section->number);
    if (method->name.len == 0) {
        text_add(out, STR("Other lines</h2>\n"));
        return;
    }
    if (p->section->input->diff->base_name.len != 0 && !p->section->input->diff->by_line)
        text_addf(out, "<small>%s</small> ", diff_kind_text(method->kind));
    change_put_name(out, method);
    text_add(out, STR("</h2>\n"));
}

static void put_counts(struct text *out, const struct diff_method *method)
{
    char counts[SUMMARY_COUNTS_ROOM];
    uint64_t states[DIFF_STATE_COUNT];
    struct method_lines lines = method_lines(method);
    for (int i = 0; i < DIFF_STATE_COUNT; i++)
        states[i] = method->lines[i];
    text_addf(out, "%u of ", lines.covered);
    html_count(out, (uint64_t)lines.covered + lines.missed + lines.not_run, "line");
    text_add_c(out, method->kind == DIFF_REMOVED ? " was covered" : " covered");
    summary_states(counts, states);
    if (method->kind != DIFF_REMOVED && counts[0] != '\0') {
        text_add(out, STR(": "));
        text_add_c(out, counts);
    }
}

/* Lines that are gone, where the text of the old source does not show them. */
static void put_gone(struct putting *p, struct text *out)
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

static void put_words(struct putting *p, struct text *out)
{
    const struct diff_method *method = &p->section->of->method;
    if (method->name.len == 0)
        return;
    text_add(out, STR("<p class=of>"));
    if (p->section->input->diff->base_name.len != 0)
        put_counts(out, method);
    if (method->display_from.len != 0) {
        text_add(out, STR(". Was "));
        html_text(out, method->display_from);
    }
    put_gone(p, out);
    text_add(out, STR("</p>\n"));
}

static bool put_body(struct putting *p, struct text *out, struct err *err)
{
    bool folds = p->section->of->method.kind == DIFF_REMOVED;
    if (folds)
        text_add(out, STR("<details><summary>What was removed</summary>\n"));
    text_add_c(out, p->shows_was && p->shows_now ? "<div class=\"beside two\">\n"
                                                 : "<div class=beside>\n");
    if ((p->shows_was && !put_was_side(p, out, err)) ||
        (p->shows_now && !put_now_side(p, out, err)))
        return false;
    text_add_c(out, folds ? "</div></details>\n" : "</div>\n");
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
    struct putting p = {.section = section};
    const struct diff *diff = section->input->diff;
    if (!change_rows_make(&p.rows, section->of, section->input, arena, err))
        return false;
    bool is_gone = section->of->line_count == 0;
    p.shows_now = !is_gone;
    p.shows_was = is_gone || (p.rows.has_was && p.rows.has_now);
    p.shows_before =
        !p.shows_was && diff->base_name.len != 0 && section->of->method.kind != DIFF_ADDED;
    *source_len = p.rows.source_len;
    put_heading(&p, out);
    put_words(&p, out);
    if (p.rows.count == 0)
        return true;
    fill_columns(&p, arena);
    return put_body(&p, out, err);
}

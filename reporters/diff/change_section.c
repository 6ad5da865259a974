#include "reporters/diff/change_section.h"

#include "reporters/diff/change_whys.h"
#include "reporters/diff/methods.h"
#include "reporters/diff/summary.h"
#include "reporters/html/html_text.h"

void change_put_name(struct text *out, const struct diff_method *method)
{
    html_text(out, method->display.type);
    text_add(out, STR("."));
    html_text(out, method->display.name);
    html_text(out, method->display.signature);
}

static void put_heading(struct change_columns *p, struct text *out)
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

static void put_words(struct change_columns *p, struct text *out)
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
    change_columns_fill(&p, arena);
    change_whys_put(out, &p);
    return put_body(&p, out, err);
}

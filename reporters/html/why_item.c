#include "reporters/html/why_item.h"

#include "coverage/report/sentence.h"
#include "coverage/report/why.h"
#include "reporters/html/html_text.h"
#include "reporters/source_text.h"

enum {
    CUT_MAX = 80 /* bytes of a condition's text */
};

bool why_item_put_code(struct text *out, const struct fact_span *span,
                       const struct why_source *source)
{
    if (span->start_column == 0 || span->start_line != span->end_line)
        return false;
    struct str line =
        source_text_line(source->sources, source->package, source->path, span->start_line);
    struct str cut = source_text_cut(line, span->start_column, span->end_column);
    if (cut.len == 0 || cut.len > CUT_MAX)
        return false;
    text_add_c(out, "<code>");
    html_text(out, cut);
    text_add_c(out, "</code>");
    return true;
}

void why_item_put(struct text *out, const struct report_why *why, uint32_t line,
                  const struct why_source *source)
{
    struct why_said said = {.count = 0};
    for (uint32_t i = 0; i < why->root_count; i++) {
        const struct why_root *root = &why->roots[i];
        const struct fact_span *span = why_condition(root);
        why_begin(&said, out);
        if (why_needs_subject(root) && (span == NULL || !why_item_put_code(out, span, source)))
            text_add_c(out, sentence_noun(root->decision->words));
        why_words(out, why, root, line);
        why_end(&said, out);
    }
}

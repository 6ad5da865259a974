#include "coverage/statements/vb_points.h"

#include "base/ascii.h"

void vb_points_hide_whole(struct seq_points *points, const struct il *il)
{
    for (uint32_t p = 0; p < points->count; p++) {
        struct seq_point *point = &points->points[p];
        uint32_t instr = il_index(il, point->il_offset);
        bool sets_to_zero = instr != NO_INDEX && instr + 1 < il->count &&
                            il_loaded_arg(&il->instrs[instr]) == 0 &&
                            il->instrs[instr + 1].op == OP_INITOBJ;
        point->hidden |= sets_to_zero && point->end_line > point->start_line;
    }
}

/* The rest of the text behind a word, in whatever case; empty with no text if it does not begin
 * with it. */
static struct str after_word(struct str text, const char *word)
{
    size_t at = 0;
    for (; word[at] != '\0'; at++)
        if (at >= text.len || ascii_lower(text.text[at]) != word[at])
            return (struct str){NULL, 0};
    return at < text.len && ascii_is_word(text.text[at]) ? (struct str){NULL, 0}
                                                         : str_from(text, at);
}

bool vb_points_begins_with(const struct line_index *text, const struct seq_points *points,
                           uint32_t point, const char *word)
{
    return after_word(line_index_text_of(text, points, point), word).text != NULL;
}

bool vb_points_ends_block(const struct statements_source *source, uint32_t point)
{
    const struct seq_point *p = &source->points->points[point];
    struct str text = line_index_text_of(source->text, source->points, point);
    struct str loop = after_word(text, "loop");
    return p->start_line == p->end_line &&
           (after_word(text, "end").len != 0 || after_word(text, "next").text != NULL ||
            (loop.text != NULL && loop.len == 0)); /* `Loop While` has a condition, and `End` alone
                                                      ends the program */
}

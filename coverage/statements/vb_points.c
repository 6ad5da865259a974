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

bool vb_points_ends_block(const struct statements_source *source, const struct seq_point *point)
{
    uint32_t start, end;
    if (source->text == NULL || point->start_line != point->end_line ||
        point->document != source->points->points[0].document ||
        !line_index_point(&start, &end, source->text, point))
        return false;
    struct str text = {source->text->text.text + start, end - start};
    struct str loop = after_word(text, "loop");
    return after_word(text, "end").len != 0 || after_word(text, "next").text != NULL ||
           (loop.text != NULL && loop.len == 0); /* `Loop While` has a condition, and `End` alone
                                                    ends the program */
}

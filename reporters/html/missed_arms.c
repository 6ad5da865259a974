#include "reporters/html/missed_arms.h"

#include "reporters/source_text.h"

bool missed_arms_find(struct missed_cases *out, const struct report_condition *condition,
                      const struct report_file *file, const struct sources *sources,
                      struct arena *arena, struct err *err)
{
    struct str text = {NULL, 0};
    struct line_extent lines = {1, 1};
    if (missed_cases_lines(&lines, condition) &&
        !source_text_lines(&text, sources, file->package->name, file->path, lines.first, lines.last,
                           arena, err))
        return false;
    return missed_cases_find(out, condition, text, lines.first, arena, err);
}

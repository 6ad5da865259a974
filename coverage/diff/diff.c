#include "coverage/diff/diff.h"

#include "base/sort.h"

const char *diff_state_text(enum diff_state state)
{
    static const char *const texts[DIFF_STATE_COUNT] = {
        [DIFF_KEPT] = "kept",
        [DIFF_GAINED] = "gained",
        [DIFF_NEW_COVERED] = "new and covered",
        [DIFF_LOST] = "lost",
        [DIFF_STILL_MISSED] = "still missed",
        [DIFF_NEW_MISSED] = "new and missed",
        [DIFF_NOT_RUN] = "not run",
        [DIFF_CARRIED] = "carried",
    };
    return texts[state];
}

const char *diff_kind_text(enum diff_kind kind)
{
    static const char *const texts[DIFF_KIND_COUNT] = {
        [DIFF_UNCHANGED] = "unchanged", [DIFF_MOVED] = "moved",     [DIFF_EDITED] = "edited",
        [DIFF_ADDED] = "added",         [DIFF_REMOVED] = "removed",
    };
    return texts[kind];
}

bool diff_state_is_covered(enum diff_state state)
{
    return state == DIFF_KEPT || state == DIFF_GAINED || state == DIFF_NEW_COVERED;
}

static bool is_as_before(enum diff_state state)
{
    return state == DIFF_KEPT || state == DIFF_STILL_MISSED;
}

bool diff_line_is_shown(const struct diff_line *line)
{
    bool shown = line->in_patch || !is_as_before(line->state);
    for (int i = 0; i < DIFF_STATE_COUNT; i++)
        shown = shown || (diff_line_outcomes(line, (enum diff_state)i) != 0 &&
                          !is_as_before((enum diff_state)i));
    return shown;
}

ORDER(order_numbered_lines, struct diff_line, BY(number))

const struct diff_line *diff_file_line(const struct diff_file *file, uint32_t number)
{
    const struct diff_line key = {.number = number};
    return sorted_find(&key, file->lines, file->line_count, sizeof key, order_numbered_lines);
}

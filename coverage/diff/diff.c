#include "coverage/diff/diff.h"

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

static bool is_plain(enum diff_state state)
{
    return state == DIFF_KEPT || state == DIFF_STILL_MISSED;
}

bool diff_line_is_told(const struct diff_line *line)
{
    bool told = line->in_patch || !is_plain(line->state);
    for (int i = 0; i < DIFF_STATE_COUNT; i++)
        told = told ||
               (diff_line_outcomes(line, (enum diff_state)i) != 0 && !is_plain((enum diff_state)i));
    return told;
}

const struct diff_line *diff_file_line(const struct diff_file *file, uint32_t number)
{
    uint32_t low = 0, high = file->line_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (file->lines[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < file->line_count && file->lines[low].number == number ? &file->lines[low] : NULL;
}

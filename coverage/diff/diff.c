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

/* diff_views.h - the countings of HEAD's and BASE's code that a comparison reads (report_watch).
 * Owner:  everything lives in the arena. */
#pragma once

#include "coverage/merge/pairing.h"
#include "coverage/report/report.h"

/* Of HEAD. */
enum head_view {
    HEAD_REAL,
    HEAD_CARRIED, /* including carried counts */
    HEAD_RAN,     /* 1 where HEAD ran the method */
    HEAD_BASE,    /* BASE's counts at HEAD's places */
    HEAD_KNOWN, /* 1 where BASE had that statement or decision, HEAD_KNOWN_RAN if it ran in HEAD */
    HEAD_VIEW_COUNT
};

/* More than as many statements and copies as a line may have. */
#define HEAD_KNOWN_RAN ((uint64_t)1 << 32)

/* Of BASE. */
enum base_view {
    BASE_REAL,
    BASE_LEFT, /* 1 if HEAD still has it; not if BASE is compared by line */
    BASE_VIEW_COUNT
};

struct diff_views {
    struct report_view head[HEAD_VIEW_COUNT], base[BASE_VIEW_COUNT];
    uint32_t head_count, base_count; /* 0: there is no BASE */
    /* Where each view of HEAD is in `head`. Without carried counts, HEAD_CARRIED is where HEAD_REAL
     * is. NO_INDEX: HEAD_BASE and HEAD_KNOWN without BASE, and if BASE is compared by line. */
    uint32_t place[HEAD_VIEW_COUNT];
    struct pairing pairing; /* empty without BASE, and if BASE is compared by line */
};

/* `base` may be NULL. The pairing lives in an arena of its own: the views do not need it. */
NODISCARD bool diff_views_make(struct diff_views *out, const struct facts *head,
                               const struct facts *base, bool by_line, struct arena *arena,
                               struct arena *pairing, struct err *err);

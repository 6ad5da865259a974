/* context_table.h - whose hits are whose: the tests that run in this process, and the classes whose
 * code runs around them. Each context has a number, from 1 on in the order in which they first ran.
 *
 * While code of a context runs on a thread, the context is held there, and counts in a window of
 * its own (shard_windows.h). A context that is held nowhere may lose its window to another one, and
 * get another when it runs again.
 * Owner:   rows live as long as the process.
 * Threads: context_get, context_hold and context_let_go need no lock. All else does: the layout
 *          lock. */
#pragma once

#include <stdatomic.h>

#include "base/text.h"
#include "contract/session_format.h"

enum {
    CONTEXTS_IN_BLOCK = 1024,
    CONTEXT_BLOCKS_MAX = 4096,
};

struct test_context {
    uint32_t number;
    uint32_t site; /* the method that it is named after, as context_table_add was told */
    enum context_kind kind;
    struct str name;   /* of the type it runs in, or empty */
    bool is_logged;    /* the log has it; set under the lock */
    bool leaves_early; /* contexts.h, struct context_site; set under the lock */
    /* Its window + 1 (0: none) in the upper half, how often it is held in the lower one. */
    _Atomic uint64_t held;
    /* It has returned, and needs its window only while something that it left behind runs. Set by
     * any thread, relaxed: only how soon the window is free depends on it. */
    _Atomic bool is_over;
    uint64_t used;    /* when it last got a window: the least is the oldest */
    uint32_t running; /* rows of a theory may run at the same time */
    uint32_t rows;    /* that have ended since none ran */
    /* leaves_early: who was before it, and how often it was entered again by itself */
    int64_t previous;
    uint32_t again;
    bool threw;      /* one of them did */
    bool is_unknown; /* how one of them ended */
    int64_t started; /* ns, clock_ns: the first of those that run */
    /* How often threads hold it whose last act for it was to end it; any thread, relaxed. */
    _Atomic uint32_t last;
    uint64_t tests_before;      /* that had begun when it was over */
    int64_t ended;              /* ns: when it was over */
    bool outlives;              /* its flow went on while another test ran, and the log says so */
    struct test_context *rest;  /* what goes on when it is over, in a window of its own; or NULL */
    struct test_context *whole; /* whose rest it is, with the same number; or NULL */
    struct test_context *next;  /* of the same hash */
};

struct context_table {
    /* By number - 1; a block is written before a number in it is known (release). */
    _Atomic(struct test_context *) blocks[CONTEXT_BLOCKS_MAX];
    uint32_t count;
    struct test_context **by_hash; /* `mask` + 1 lists */
    uint32_t mask;
    struct test_context *of_window[SHARDS_MAX]; /* NULL: not a context's */
    uint64_t clock;
};

/* NULL if there is no such number. */
struct test_context *context_get(struct context_table *table, int64_t number);

/* The context of that site and name; a new one (*is_new) if there was none. NULL without memory. */
struct test_context *context_table_add(struct context_table *table, uint32_t site, struct str name,
                                       bool *is_new, struct arena *arena);

/* What goes on of a context that is over, apart from what may still end. NULL without memory. */
struct test_context *context_rest(struct test_context *context, struct arena *arena);

/* True if it has a window, which it keeps until context_let_go. */
bool context_hold(struct test_context *context, uint32_t *window);
/* True if it is now held nowhere. */
bool context_let_go(struct test_context *context);

/* It gets a free window, and is held. */
void context_settle(struct context_table *table, struct test_context *context, uint32_t window);
/* Takes its window away; false if it has none, or is held. */
NODISCARD bool context_unsettle(struct test_context *context, uint32_t *window);
/* The window is free again, once its hits are kept elsewhere. */
void context_table_free(struct context_table *table, uint32_t window);
/* The one that is held nowhere and got its window first, of all or of those that are over; NULL:
 * there is none. */
struct test_context *context_table_oldest(const struct context_table *table, bool is_over);

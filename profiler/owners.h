/* owners.h - `ilcov run --per-test`: who hits what, for the tests that run in this process, also at
 * the same time, and wherever their tasks, timers and continuations run.
 *
 * The bodies of tests, and of what is called around them, are enclosed (enclosures.h): managed code
 * of ours puts the owner's number into an AsyncLocal, and the runtime then tells the library
 * whenever a thread goes over to another flow (rewriter/owner_code.h). The library lets the table
 * of shards lead the whole stack of that thread to the owner's window.
 *
 * An owner has a window while its code runs, and as long as windows are not scarce. When it loses
 * it, its hits are written down (hit_log.h), added to the kept shard, and cleared, in this order:
 * whenever the process is killed, each hit is in its owner's window or in the log.
 * Sums over all shards stay what they are without owners.
 * Threads: functions lock by themselves, unless they say otherwise. */
#ifndef ILCOV_PROFILER_OWNERS_H
#define ILCOV_PROFILER_OWNERS_H

#include "profiler/instance.h"
#include "profiler/owners/hit_log.h"

/* A method that is enclosed. */
struct owner_site {
    enum owner_kind kind;
    bool leaves_early; /* runtime async: it may return long before its end, which comes elsewhere */
    const uint8_t *mvid;
    uint32_t rid;
};

struct owners {
    struct owner_table table;
    struct hit_log log;
    struct kept log_file;
    char log_name[64];
    bool is_log_broken;  /* lines are lost, or written in part: nothing may follow them */
    uint32_t *of_window; /* mapped: numbers of owners (session_format.h) */
    uint32_t kept;       /* the shard of kept hits */
    struct owner_site *sites;
    uint32_t site_count, site_room;
    uintptr_t handle; /* of the AsyncLocal; generated code reads it */
    bool is_short_told;
};

/* From Initialize. If it can't be, p->owners stays NULL, and the record says why. */
void owners_open(struct profiler *p);

/* A number for a method, under the layout lock. 0 without memory. */
uint32_t owners_add_site(struct profiler *p, const struct owner_site *site);

/* Under the layout lock. */
void owners_meet_place(struct profiler *p, struct counted_place *place);

/* The process ends: says what could not be told apart. */
void owners_finish(struct profiler *p);

/* What managed code calls (owner_code.h). `name`: UTF-16. */
int64_t owners_entered(int32_t site, const uint16_t *name, int32_t len);
int64_t owners_left(void);
void owners_ended(int64_t number, int32_t how); /* HITS_THREW and so on */
void owners_switch_to(int64_t number);
void owners_offer(uintptr_t handle);

/* What static constructors call. They run once, in the flow of whoever needs them first, so what
 * they hit belongs to none of the tests. */
int64_t owners_entered_static(int32_t site);
void owners_left_static(int64_t previous);

#endif

/* point_map.h - which sequence point applies to each instruction of a method. A point applies from
 * its offset to the next one (Portable PDB, "Sequence Points Blob"), with two exceptions. After an
 * await, and after the arms of a switch expression, the statement continues, though the last point
 * is a hidden one. And points in code that never runs, which Debug builds have for the debugger,
 * count for nothing. The F# compiler sets no point where control reaches a block from elsewhere
 * than above; there the point of the block that control comes from applies.
 * Units:  points are indexes into `points`, or NO_INDEX.
 * Owner:  arrays live in the arena. */
#pragma once

#include "coverage/statements/spans.h"
#include "coverage/statements/statements_source.h"

struct point_map {
    const struct flow *flow;
    const struct seq_points *points;
    enum language language;
    struct spans spans; /* of the points */
    bool *visible;      /* per point: neither hidden nor in code that never runs */
    uint32_t *point_of; /* per instruction: the last point at or before it */
    uint32_t *at;       /* per instruction: the point that applies */
    uint32_t *outer;    /* per visible point: the innermost that encloses it; else NO_INDEX */
    uint32_t *opens;    /* per block: the first visible point that begins in it */
};

NODISCARD bool point_map_make(struct point_map *out, const struct statements_source *source,
                              struct arena *arena, struct err *err);

bool point_map_is_visible(const struct point_map *map, uint32_t point);

/* Is it the point `outer`, or within that? */
bool point_map_is_within(const struct point_map *map, uint32_t point, uint32_t outer);

/* The innermost point around both; NO_INDEX if there is none. */
uint32_t point_map_around(const struct point_map *map, uint32_t a, uint32_t b);

/* The last visible point at or before an instruction, and the first after it, in the same handler;
 * NO_INDEX if there is none. */
uint32_t point_map_before(const struct point_map *map, uint32_t instr);
uint32_t point_map_after(const struct point_map *map, uint32_t instr);

/* The former for the branch at the end of a block. */
static inline uint32_t point_map_at_end(const struct point_map *map, uint32_t block)
{
    return point_map_before(map, flow_last_instr(map->flow, block));
}

/* Does the block end with the test of a loop in which nothing has a point, not even the test? */
bool point_map_ends_unseen_loop(const struct point_map *map, uint32_t block);

/* F#: gives code without a point the one that applies where control comes from; a test of a pattern
 * may be after the body of an arm. `goes_on_from`, per block: another block whose statement
 * continues here, or NO_INDEX; may be NULL. */
void point_map_follow_control(struct point_map *map, const uint32_t *goes_on_from);

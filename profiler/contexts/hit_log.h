/* hit_log.h - what is written down of contexts and their hits (contract/session_format.h, "Hits of
 * contexts"). A method that several contexts hit in the same way is written once: a vector. Lines
 * are gathered in memory, to be written in one piece.
 * Threads: under the layout lock. */
#pragma once

#include "base/arena.h"
#include "base/bytes.h"
#include "profiler/contexts/context_table.h"

struct hit_log {
    struct arena arena;  /* of `lines` and `hits` */
    struct writer lines; /* not written yet */
    struct writer hits;  /* the vectors of the context whose hits are gathered */
    uint64_t *known;     /* hashes of vectors, open addressing; 0: free */
    uint32_t *number_of; /* ... and their numbers */
    uint32_t known_count, known_room;
    uint32_t place_count;
};

/* The process began; once, before all else. */
void hit_log_began(struct hit_log *log, int64_t ns);
/* A context that is new. `mvid` and `rid`: its method. */
void hit_log_context(struct hit_log *log, const struct test_context *context, const uint8_t *mvid,
                     uint32_t rid);
/* None of its rows runs any more. */
void hit_log_over(struct hit_log *log, const struct test_context *context, int64_t ns);
/* Its flow went on after its end, while another test ran. */
void hit_log_outlives(struct hit_log *log, const struct test_context *context);
/* The counter file of a module; its number. */
uint32_t hit_log_place(struct hit_log *log, struct str file);
/* From now on, who hit what in this file is not known. */
void hit_log_unsure(struct hit_log *log, uint32_t place);

/* A method that the context hit: its counters, of which those that are not 0 are hits. False
 * without memory. */
NODISCARD bool hit_log_method(struct hit_log *log, uint32_t place, uint32_t rid,
                              const uint8_t *counters, uint32_t count, size_t counter_size);
/* All methods of this context have been told. */
void hit_log_hits(struct hit_log *log, uint32_t context);

/* What is to be written; empty without memory. It is valid until hit_log_written. */
struct view hit_log_lines(const struct hit_log *log);
void hit_log_written(struct hit_log *log);

#include "profiler/contexts/hit_log.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "base/hex.h"
#include "base/text.h"

enum {
    FIRST_ROOM = 1024,
    NUMBER_ROOM = 24,
};

static void open_writer(struct writer *w, struct arena *arena)
{
    if (w->arena == NULL)
        *w = wr_in(arena);
}

static void put_log_text(struct writer *w, const char *text)
{
    wr_bytes(w, text, strlen(text));
}

static void put_log_number(struct writer *w, int64_t number)
{
    char text[NUMBER_ROOM];
    (void)snprintf(text, sizeof text, "\t%" PRId64, number);
    put_log_text(w, text);
}

static void put_log_field(struct writer *w, struct str field)
{
    wr_u8(w, '\t');
    for (size_t i = 0; i < field.len; i++) {
        struct str escaped = text_escape(&field.text[i]);
        wr_bytes(w, escaped.text, escaped.len);
    }
}

static struct writer *open_lines(struct hit_log *log)
{
    open_writer(&log->lines, &log->arena);
    return &log->lines;
}

void hit_log_began(struct hit_log *log, int64_t ns)
{
    struct writer *w = open_lines(log);
    put_log_text(w, HITS_BEGAN);
    put_log_number(w, ns);
    wr_u8(w, '\n');
}

void hit_log_context(struct hit_log *log, const struct test_context *context, const uint8_t *mvid,
                     uint32_t rid)
{
    char text[HEX_ROOM(16)];
    struct writer *w = open_lines(log);
    put_log_text(w, HITS_CONTEXT);
    put_log_number(w, context->number);
    put_log_number(w, context->kind);
    put_log_field(w, str_of(hex_of(text, mvid, 16)));
    put_log_number(w, rid);
    put_log_field(w, context->name);
    wr_u8(w, '\n');
}

void hit_log_over(struct hit_log *log, const struct test_context *context, int64_t ns)
{
    struct writer *w = open_lines(log);
    put_log_text(w, HITS_OVER);
    put_log_number(w, context->number);
    put_log_number(w, ns);
    put_log_number(w, context->rows);
    put_log_number(w, context->threw        ? HITS_THREW
                      : context->is_unknown ? HITS_UNKNOWN
                                            : HITS_RETURNED);
    wr_u8(w, '\n');
}

void hit_log_outlives(struct hit_log *log, const struct test_context *context)
{
    struct writer *w = open_lines(log);
    put_log_text(w, HITS_OUTLIVES);
    put_log_number(w, context->number);
    wr_u8(w, '\n');
}

uint32_t hit_log_place(struct hit_log *log, struct str file)
{
    struct writer *w = open_lines(log);
    put_log_text(w, HITS_COUNTS);
    put_log_number(w, ++log->place_count);
    put_log_field(w, file);
    wr_u8(w, '\n');
    return log->place_count;
}

void hit_log_unsure(struct hit_log *log, uint32_t place)
{
    struct writer *w = open_lines(log);
    put_log_text(w, HITS_UNSURE);
    put_log_number(w, place);
    wr_u8(w, '\n');
}

/* --- vectors ---------------------------------------------------------------------------------- */

/* Five bits a character, the lowest first; all but the last have the sixth. */
static void put_compact(struct writer *w, uint32_t number)
{
    for (; number >= HITS_DIGIT; number /= HITS_DIGIT)
        wr_u8(w, (uint8_t)(HITS_FIRST_CHARACTER + HITS_DIGIT + number % HITS_DIGIT));
    wr_u8(w, (uint8_t)(HITS_FIRST_CHARACTER + number));
}

static bool is_hit(const uint8_t *counter, size_t size)
{
    return size == 1 ? *counter != 0 : load_u64(counter) != 0;
}

static uint64_t hash_vector(uint32_t place, uint32_t rid, const uint8_t *counters, uint32_t count,
                            size_t size)
{
    uint64_t hash = fnv_word(FNV_START, (uint64_t)place << 32 | rid), bits = 1;
    for (uint32_t i = 0; i < count; i++) {
        bits = bits << 1 | is_hit(counters + i * size, size);
        if (bits >> 63 != 0) {
            hash = fnv_word(hash, bits);
            bits = 1;
        }
    }
    hash = fnv_word(fnv_word(hash, bits), count);
    return hash != 0 ? hash : 1;
}

static void remember_vector(struct hit_log *log, uint64_t hash, uint32_t number)
{
    uint32_t at = (uint32_t)hash & (log->known_room - 1);
    while (log->known[at] != 0)
        at = (at + 1) & (log->known_room - 1);
    log->known[at] = hash;
    log->number_of[at] = number;
}

static bool grow_vectors(struct hit_log *log)
{
    struct hit_log old = *log;
    log->known_room = old.known_room != 0 ? 2 * old.known_room : FIRST_ROOM;
    log->known = calloc(log->known_room, sizeof *log->known);
    log->number_of = calloc(log->known_room, sizeof *log->number_of);
    if (log->known == NULL || log->number_of == NULL) {
        free(log->known);
        free(log->number_of);
        *log = old;
        return false;
    }
    for (uint32_t i = 0; i < old.known_room; i++)
        if (old.known[i] != 0)
            remember_vector(log, old.known[i], old.number_of[i]);
    free(old.known);
    free(old.number_of);
    return true;
}

static uint32_t find_vector(const struct hit_log *log, uint64_t hash)
{
    uint32_t at = (uint32_t)hash & (log->known_room - 1);
    while (log->known[at] != 0 && log->known[at] != hash)
        at = (at + 1) & (log->known_room - 1);
    return log->known[at] != 0 ? log->number_of[at] : 0;
}

static void put_vector(struct writer *w, uint32_t number, uint32_t place, uint32_t rid,
                       const uint8_t *counters, uint32_t count, size_t size)
{
    put_log_text(w, HITS_VECTOR);
    put_log_number(w, number);
    put_log_number(w, place);
    put_log_number(w, rid);
    wr_u8(w, '\t');
    for (uint32_t i = 0; i < count;) {
        uint32_t gap = i, end;
        while (i < count && !is_hit(counters + i * size, size))
            i++;
        for (end = i; end < count && is_hit(counters + end * size, size); end++)
            continue;
        if (end != i) {
            put_compact(w, i - gap);
            put_compact(w, end - i);
        }
        i = end;
    }
    wr_u8(w, '\n');
}

bool hit_log_method(struct hit_log *log, uint32_t place, uint32_t rid, const uint8_t *counters,
                    uint32_t count, size_t counter_size)
{
    if (2 * (log->known_count + 1) > log->known_room && !grow_vectors(log))
        return false;
    uint64_t hash = hash_vector(place, rid, counters, count, counter_size);
    uint32_t number = find_vector(log, hash);
    if (number == 0) {
        number = ++log->known_count;
        remember_vector(log, hash, number);
        put_vector(open_lines(log), number, place, rid, counters, count, counter_size);
    }
    open_writer(&log->hits, &log->arena);
    put_compact(&log->hits, number);
    return !log->lines.failed && !log->hits.failed;
}

void hit_log_hits(struct hit_log *log, uint32_t context)
{
    struct writer *w = open_lines(log);
    if (log->hits.len == 0)
        return;
    put_log_text(w, HITS_HITS);
    put_log_number(w, context);
    wr_u8(w, '\t');
    wr_bytes(w, log->hits.data, log->hits.len);
    wr_u8(w, '\n');
    log->hits.len = 0;
}

struct view hit_log_lines(const struct hit_log *log)
{
    bool failed = log->lines.failed || log->hits.failed;
    return failed ? (struct view){NULL, 0} : (struct view){log->lines.data, log->lines.len};
}

void hit_log_written(struct hit_log *log)
{
    arena_reset(&log->arena);
    log->lines = log->hits = (struct writer){.arena = NULL};
}

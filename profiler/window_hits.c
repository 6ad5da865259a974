#include "profiler/window_hits.h"

#include "base/sort.h"

static uint8_t *counters_in(const struct counter_block *place, uint32_t window)
{
    return place->file.place + ((size_t)window << WINDOW_BITS);
}

bool window_is_told_apart(const struct counter_block *place, uint32_t window)
{
    return place->log_number != 0 && place->sharded && window < place->file.window_count;
}

ORDER(order_placed_methods, struct placed_method, BY(first_counter))

/* The method that the counter belongs to: the last whose first one is at most that. */
static uint32_t find_method_of_counter(const struct counter_block *place, uint32_t counter)
{
    const struct placed_method wanted = {.first_counter = counter + 1};
    return (uint32_t)sorted_place(&wanted, place->methods, place->method_count, sizeof wanted,
                                  order_placed_methods) -
           1;
}

/* The next word that is not 0; `count` if there is none. Most are. */
static size_t next_hit(const uint64_t *words, size_t at, size_t count)
{
    while (at + 8 <= count && (words[at] | words[at + 1] | words[at + 2] | words[at + 3] |
                               words[at + 4] | words[at + 5] | words[at + 6] | words[at + 7]) == 0)
        at += 8;
    while (at < count && words[at] == 0)
        at++;
    return at;
}

/* Whole words: a shard is whole pages. */
static size_t count_words(const struct counter_block *place)
{
    return (place->counter_count * mode_counter_size(place->mode) + sizeof(uint64_t) - 1) /
           sizeof(uint64_t);
}

bool window_hits_log(struct hit_log *log, const struct counter_block *place, uint32_t window)
{
    size_t size = mode_counter_size(place->mode), count = count_words(place);
    const uint8_t *counters = counters_in(place, window);
    const uint64_t *words = (const uint64_t *)(const void *)counters;
    for (size_t at = 0; at < place->counter_count * size;) {
        if (at % sizeof *words == 0)
            at = next_hit(words, at / sizeof *words, count) * sizeof *words;
        while (at < place->counter_count * size && size == 1 && counters[at] == 0)
            at++;
        if (at >= place->counter_count * size)
            break;
        uint32_t method = find_method_of_counter(place, (uint32_t)(at / size));
        const struct placed_method *hit = &place->methods[method];
        if (!hit_log_method(log, place->log_number, method + 1,
                            counters + hit->first_counter * size, hit->counter_count, size))
            return false;
        at = (hit->first_counter + hit->counter_count) * size;
        for (; at % sizeof *words != 0 && at < place->counter_count * size && counters[at] == 0;)
            at += size;
    }
    return true;
}

void window_hits_keep(const struct counter_block *place, uint32_t window, uint32_t kept)
{
    bool is_byte = mode_counter_size(place->mode) == 1;
    size_t count = count_words(place);
    uint64_t *from = (uint64_t *)(void *)counters_in(place, window);
    uint64_t *to = (uint64_t *)(void *)counters_in(place, kept);
    for (size_t i = next_hit(from, 0, count); i < count; i = next_hit(from, i, count)) {
        to[i] = is_byte ? to[i] | from[i] : to[i] + from[i];
        from[i] = 0;
    }
}

bool window_hits_any(const struct profiler *p, uint32_t window)
{
    for (const struct counter_block *place = p->places; place != NULL; place = place->next) {
        size_t count = count_words(place);
        if (window_is_told_apart(place, window) &&
            next_hit((const uint64_t *)(const void *)counters_in(place, window), 0, count) < count)
            return true;
    }
    return false;
}

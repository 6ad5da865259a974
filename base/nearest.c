#include "base/nearest.h"

#include <string.h>

enum {
    WORD_MAX = 32
};

static size_t choose_smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Levenshtein distance, one row at a time. */
static size_t measure_distance(struct str a, struct str b)
{
    size_t row[WORD_MAX + 1];
    if (a.len > WORD_MAX || b.len > WORD_MAX)
        return WORD_MAX;
    for (size_t j = 0; j <= b.len; j++)
        row[j] = j;
    for (size_t i = 1; i <= a.len; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b.len; j++) {
            size_t changed = diagonal + (a.text[i - 1] != b.text[j - 1]);
            diagonal = row[j];
            row[j] = choose_smaller(choose_smaller(row[j] + 1, row[j - 1] + 1), changed);
        }
    }
    return row[b.len];
}

const char *nearest_word(struct str word, const char *const *names)
{
    return nearest_within(word, names, (word.len + 1) / 2); /* beyond that it is not a typo */
}

const char *nearest_within(struct str word, const char *const *names, size_t most)
{
    const char *nearest = NULL;
    size_t best = most;
    for (; *names != NULL; names++) {
        size_t d = measure_distance(word, str_of(*names));
        if (d <= best && (nearest == NULL || d < best)) {
            nearest = *names;
            best = d;
        }
    }
    return nearest;
}

/* option_values.h - the functions that a row's `take` can be, except those for values that only one
 * group has. */
#pragma once

#include "cli/options/verb.h"

struct option_list {
    struct str *items;
    uint32_t count;
};

/* A flag that something else decides if it is not given. */
struct option_choice {
    bool is_given, yes;
};

option_taker option_take_flag;                      /* bool */
option_taker option_take_choice;                    /* struct option_choice; the row `takes_no` */
option_taker option_take_text;                      /* const char *; not empty */
option_taker option_take_item, option_take_pattern; /* struct option_list */
/* "90", "90s", "500ms", "2m", "1h", up to a day, but not 0: uint32_t, in milliseconds. */
option_taker option_take_time;
/* "10MiB", "500KB", "100000", at least 1 KiB: uint64_t, in bytes. */
option_taker option_take_size;

/* "yes", "true", "on", "1" and their opposites. */
NODISCARD bool option_parse_bool(bool *out, const char *text);

/* "yes" or "no" */
const char *option_bool(bool value);

/* "unknown mode 'fats'; did you mean 'fast'?", or which words are known. */
bool option_refuse_word(const char *what, struct str value,
                        bool (*word)(struct option_word *, size_t),
                        const struct option_context *context, struct err *err);

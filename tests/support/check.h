/* check.h - what every test program needs: cmocka with its includes, and assertions about our own
 * types. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "tests/unit/unit.h"

/* How often something is repeated that is another thing each time. Where each time is slow,
 * ILCOV_TEST_BRIEF says so: `make valgrind` looks for what the first times show as well. */
static inline unsigned repeated(unsigned times)
{
    return getenv("ILCOV_TEST_BRIEF") != NULL ? (times + 9) / 10 : times;
}

/* From the nth of very many to the one that is tried next: with ILCOV_TEST_BRIEF, after the 17th
 * only every 17th is. */
static inline unsigned brief_step(unsigned nth)
{
    enum {
        BRIEF_STEP = 17
    };
    return nth >= BRIEF_STEP ? BRIEF_STEP / repeated(BRIEF_STEP) : 1;
}

/* A copy that ends where its malloc ends, so that ASan sees the first byte read past it. */
static inline struct view exact_copy(struct view bytes)
{
    uint8_t *copy = malloc(bytes.len != 0 ? bytes.len : 1);
    assert_non_null(copy);
    if (bytes.len != 0)
        memcpy(copy, bytes.data, bytes.len);
    return (struct view){copy, bytes.len};
}

/* The same of a text with a mark in it, without the mark; its place is the text's length if it has
 * none. */
static inline struct view exact_unmarked(size_t *place, const char *text, size_t len, char mark)
{
    const char *found = memchr(text, mark, len);
    *place = found != NULL ? (size_t)(found - text) : len;
    struct view copy = exact_copy((struct view){(const uint8_t *)text, len - (found != NULL)});
    if (found != NULL && *place != copy.len)
        memcpy((uint8_t *)(uintptr_t)copy.data + *place, found + 1, copy.len - *place);
    return copy;
}

static inline struct str exact_text(struct view copy)
{
    return (struct str){(const char *)copy.data, copy.len};
}

static inline void exact_free(struct view copy)
{
    free((void *)(uintptr_t)copy.data);
}

#define VIEW(array)             ((struct view){(array), sizeof(array)})
#define BYTES(...)              ((const uint8_t[]){__VA_ARGS__})
#define BYTES_VIEW(...)         ((struct view){BYTES(__VA_ARGS__), sizeof(BYTES(__VA_ARGS__))})
#define assert_str(s, expected) check_str((s), (expected), __FILE__, __LINE__)

static inline void check_str(struct str s, const char *expected, const char *file, int line)
{
    if (str_is(s, expected))
        return;
    print_error("\"%.*s\" instead of \"%s\"\n", STR_ARGS(s), expected);
    _fail(file, line);
}

/* A failure must name its kind and say something, in one line. */
#define assert_failed(result, err, expected_code)                                                  \
    do {                                                                                           \
        assert_false(result);                                                                      \
        assert_int_equal((err).code, expected_code);                                               \
        assert_int_not_equal((err).text[0], '\0');                                                 \
        assert_null(strchr((err).text, '\n'));                                                     \
    } while (0)

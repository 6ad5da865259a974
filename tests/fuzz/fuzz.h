/* fuzz.h - what a fuzz target offers and what it may use. A target is one file, fuzz_<name>.c, that
 * is linked with driver.c (any compiler, `make fuzz`) or with libFuzzer (`make fuzz-guided`).
 * It must come back in bounded time whatever the bytes are, read nothing outside of them, and leak
 * nothing; sanitizers watch. What it knows beyond that it asserts with FUZZ_ASSERT. */
#pragma once

#include "base/arena.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Gives valid inputs to start from, each under a name; `add` copies the bytes. */
typedef void fuzz_add(const char *name, struct view input);
void fuzz_seeds(fuzz_add *add);

/* Empty memory for one input. It is the same again for the next one, so that no time goes into
 * malloc; built with ILCOV_DEBUG_ARENA, as `make fuzz` does, each item is a malloc that ASan sees
 * the ends of. */
struct arena *fuzz_arena(void);

/* Keeps the compiler from dropping a computation; reads each byte, so that ASan looks at them. */
void fuzz_read(struct view bytes);

#define FUZZ_ASSERT(condition, ...)                                                                \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fuzz_fail(__FILE__, __LINE__, __VA_ARGS__);                                            \
    } while (0)
_Noreturn void fuzz_fail(const char *file, int line, const char *format, ...) PRINTF_LIKE(3, 4);

/* A failure must name its kind and say something, in one line. */
void fuzz_check_err(const struct err *err);

/* hand_facts.h - facts of methods whose code is written as a word for each statement: an
 * instruction is a letter, one byte long; a capital is a condition. "ab Cd" are two statements, and
 * a condition on the second. Lines ascend from 1 in the order of the methods, one for each
 * statement.
 * Owner:  everything lives in the arena; aborts without memory. */
#pragma once

#include "coverage/facts/facts.h"

struct hand {
    struct facts facts;
    struct arena *arena;
};

void hand_open(struct hand *out, struct arena *arena);

/* A build of an assembly; the methods that follow are its. */
void hand_module(struct hand *hand, const char *name, uint8_t build);
/* Gives its index. The code "" is not known. */
uint32_t hand_method(struct hand *hand, const char *type, const char *name, const char *signature,
                     const char *code);
/* What the compiler made of the code of `user`. */
uint32_t hand_made(struct hand *hand, uint32_t user, const char *type, const char *name,
                   const char *code);
/* Where counts are; to be called once when all modules are there. */
void hand_lay_out(struct hand *hand);

uint32_t hand_run(struct hand *hand, uint8_t id, enum run_kind kind);
/* Zeros, which the caller fills. */
uint64_t *hand_counts(struct hand *hand, uint32_t run, uint32_t module);

/* Index of a method of a module by its name; aborts when there is none. */
uint32_t hand_find(const struct hand *hand, uint32_t module, const char *name);
/* Count index of the n-th statement of a method. */
uint32_t hand_place(const struct hand *hand, uint32_t module, const char *name, uint32_t n);

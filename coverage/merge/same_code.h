/* same_code.h - the user's methods of a module, ready to be found in another build: each with all
 * code that the compiler made from it (its state machine, lambdas, local functions), and one hash
 * over that code.
 * Order:  by type, name, signature, without the numbers that compilers assign
 *         (compiler_name_strip).
 * Owner:  everything lives in the arena. */
#pragma once

#include "coverage/facts/facts.h"

struct code_member {
    struct str type, name; /* plain; only the innermost name of the type */
    uint32_t method;       /* index in the module */
    uint32_t first_statement, statement_count;
    uint32_t first_decision, decision_count;
};

struct code_method {
    struct str type, name, signature; /* of the user's method, plain */
    uint32_t method;                  /* its index in the module */
    struct code_member *members; /* the user's method first; then those with statements, by name */
    uint32_t member_count;
    uint32_t statement_count;    /* of all */
    uint32_t instruction_count;  /* in bytes of all `instructions`, which serves as well */
    uint8_t hash[FACT_BODY_LEN]; /* over the code of all; zero if the code of one is not known */
};

struct code {
    const struct fact_module *module;
    struct code_method *methods;
    uint32_t count;
    uint32_t *statement_at, *decision_at; /* per item: the instruction of its body (align.h) */
};

NODISCARD bool same_code_list(struct code *out, const struct fact_module *module,
                              struct arena *arena, struct err *err);

/* Compares by type, name and signature, the order of the list. */
int same_code_order(const struct code_method *a, const struct code_method *b);

/* Is the code of both known, and the same, wherever its statements are? */
bool same_code_text(const struct code_method *left, const struct code_method *right);

/* A hash of where the statements of a method are: equal if same_code may hold. */
uint64_t same_code_places(const struct code *code, const struct code_method *method);

/* Are their statements at the same places, too? If so, their members, statements and decisions
 * correspond in order. */
bool same_code(const struct code *a, const struct code_method *left, const struct code *b,
               const struct code_method *right);
/* The same of one member. */
bool same_code_members(const struct code *a, const struct code_member *left, const struct code *b,
                       const struct code_member *right);

/* Calls `take` for the counts that correspond in two such members: those of their entries,
 * statements and outcomes. An entry may share the place of the first statement, which then comes
 * twice. */
typedef void code_take_counts(void *context, uint32_t left, uint32_t right, uint32_t count);
void same_code_counts(const struct code *a, const struct code_member *left, const struct code *b,
                      const struct code_member *right, code_take_counts *take, void *context);

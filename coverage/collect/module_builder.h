/* module_builder.h - what the facts of a module are made with, method by method: the lists that
 * they grow in, and what is known of the module meanwhile. Of module_facts.c and the files that it
 * calls.
 * Units:  methods by MethodDef row, from 1, in method_index by row - 1. */
#pragma once

#include "coverage/collect/gaps.h"
#include "coverage/collect/module_request.h"
#include "coverage/names/method_hash.h"
#include "coverage/names/user_method_map.h"
#include "coverage/statements/reach.h"
#include "rewriter/nothrow.h"

/* A type, and the user's type that it was made for, or itself. */
struct owning_type {
    uint32_t rid, user_rid; /* 0: not a type, or none is known yet */
    struct str name, user_name;
};

/* Where the points of a method stand; document 0: it has none. */
struct method_range {
    uint32_t document;   /* row */
    uint64_t first, end; /* point_start, point_end */
};

struct module_builder {
    const struct module_facts_request *request;
    const struct module *module;
    struct arena *arena;
    struct arena working; /* of the module: what its facts are made with, but do not hold */
    struct arena scratch; /* of one method */
    struct list methods, statements, decisions, counts;
    uint32_t *method_index; /* by row: index in methods, or NO_INDEX */
    /* of the method: those of a type stand together, and share its names */
    struct owning_type owner;
    struct documents documents;
    struct exclusions exclusions;
    struct method_hasher hasher;
    struct user_method_map view;
    struct method_range *ranges; /* of methods, by row */
    struct method_extents extents;
    struct no_return no_return;
    struct nothrow nothrow; /* unless the code may change */
    struct fact_type *types;
    uint32_t type_count;
    /* methods that ran and whose lines in stack traces may be wrong */
    uint32_t first_sparse, sparse_count; /* the first one's row */
    uint32_t sparse_step;                /* the largest */
    uint32_t row_count;
    uint32_t next_counter; /* first counter of the next method */
    uint64_t plan_hash;
};

/* Methods written inside other methods: lambdas, local functions, and the state machines that the
 * compiler makes of them (nesting.c). They are reported as the enclosing method, and excluded with
 * it. nesting_note: where the code of a method was written; nesting_fold: fills in user_method of
 * the methods, and state and reason of those that are excluded with another. */
void nesting_note(struct module_builder *g, uint32_t method_rid, struct points_extent points);
NODISCARD bool nesting_fold(struct module_builder *g, struct err *err);

/* Adds a count of this value. NO_INDEX with an error. */
static inline uint32_t module_builder_add_count(struct module_builder *g, uint64_t value,
                                                struct err *err)
{
    return list_put(&g->counts, &value, sizeof value, g->arena, err) ? g->counts.count - 1
                                                                     : NO_INDEX;
}

/* new_build.h - the assemblies of a new build that the facts of an older run know, as facts: names,
 * code and declarations, without counts.
 * Owner:  everything lives in the arena. Opened modules are closed by new_build_close.
 * Errors: ERR_MEMORY. What can't be read or is missing is in the lists. */
#pragma once

#include "base/list.h"
#include "coverage/names/method_hash.h"
#include "impact/impact.h"

struct new_build {
    struct facts facts;            /* every module is MODULE_INSTRUMENTED; sorted */
    struct module *modules;        /* of each the open file */
    struct method_hasher *hashers; /* of each: names its tokens */
    uint8_t **parts;               /* of each: test_methods.h; NULL: it has no tests */
    struct list unreadable;        /* struct str: a path and why */
    struct arena *arena;
};

NODISCARD bool new_build_open(struct new_build *out, const struct impact_request *request,
                              struct arena *arena, struct err *err);
/* The module of this name: its index, or NO_INDEX. */
uint32_t new_build_module(const struct new_build *build, struct str name);
/* Where the build defines a type, by its token in *module: the row in *module, which becomes the
 * one that has it; 0: in none of them. */
uint32_t new_build_type(const struct new_build *build, uint32_t *module, uint32_t token);
/* Does it hold for a type of a module of the build, by its token, or for one that it derives
 * from? */
typedef bool new_build_test(const void *context, const struct metadata *md, uint32_t type);
bool new_build_has_base(const struct new_build *build, uint32_t module, uint32_t token,
                        new_build_test *holds, const void *context);
/* A source below the root that is not what its assembly was built from; NULL: there is none. */
const struct fact_document *new_build_stale_source(const struct new_build *build, struct str root);

void new_build_close(struct new_build *build);

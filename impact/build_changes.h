/* build_changes.h - what changed between an older run and a new build, put together by
 * method_changes.c, type_changes.c and input_changes.c; and which counts of the older run depend on
 * it.
 * Owner:  everything lives in the arena. Errors: ERR_MEMORY. */
#pragma once

#include "coverage/merge/pairing.h"
#include "impact/new_build.h"

/* Something that changed. */
struct build_change {
    struct str text; /* a phrase, such as "N.C.M() changed" */
    /* Not empty: only this type's public shape changed; its static constructor did not, so it need
     * not run again. */
    struct str type;
};

/* A type that is not what it was, as far as other code can see. */
struct changed_type {
    struct str name; /* as method_hash_token has it */
    uint32_t change; /* index */
    uint32_t shape;  /* what reflection sees without an object of it: 1 + index, or 0 */
};

/* The type in a list of struct changed_type, which has it once; NULL without memory. */
struct changed_type *changed_types_add(struct list *types, struct str name, uint32_t change,
                                       struct arena *arena, struct err *err);

/* A class of tests around whose tests, and those of classes that derive from it, more runs. */
struct changed_class {
    struct str name; /* as name_full has it */
    struct str why;
};

struct build_changes {
    struct facts base;  /* the older run; test assemblies are MODULE_INSTRUMENTED, too */
    bool *is_test_code; /* per module of it */
    const struct new_build *build;
    struct pairing pairing;
    struct list list;                           /* struct build_change */
    struct list all;                            /* struct str: why all tests are needed */
    struct list types;                          /* struct changed_type */
    struct list classes;                        /* struct changed_class */
    bool binds_late;                            /* calls of the new build are bound at run time */
    bool asks_types, asks_methods, asks_fields; /* reflection_uses.h: noted */
    uint32_t **of_count; /* per module of `base` and count: 1 + index of a change, or 0 */
    struct arena *arena;
    struct err *err;
};

/* Nothing changed yet. Test assemblies have code in `base`; other modules that were left out have
 * none. */
NODISCARD bool build_changes_open(struct build_changes *out, const struct facts *base,
                                  struct arena *arena, struct err *err);

/* Notes something that changed; its index, or NO_INDEX without memory. */
uint32_t build_changes_add(struct build_changes *changes, const char *format, ...)
    PRINTF_LIKE(2, 3);
/* Notes why all tests are needed, once. */
NODISCARD bool build_changes_add_all(struct build_changes *changes, const char *format, ...)
    PRINTF_LIKE(2, 3);
/* What depends on a change; each is false without memory, also if the change is NO_INDEX. The tests
 * of the class do. */
NODISCARD bool build_changes_add_class(struct build_changes *changes, struct str name,
                                       uint32_t change);
/* Who runs code that names the type depends on the change. */
NODISCARD bool build_changes_add_type(struct build_changes *changes, struct str name,
                                      uint32_t change);
/* The same for a change that is nothing but what other code sees of the type. */
NODISCARD bool build_changes_add_seen_type(struct build_changes *changes, struct str name,
                                           uint32_t change);
/* The same, and reflection sees it without an object of the type (type_paths.h). */
NODISCARD bool build_changes_add_declaration(struct build_changes *changes, struct str name,
                                             uint32_t change);
/* Who hit any part of this method of the pairing, in any build of its assembly, depends on the
 * change. */
void build_changes_mark(struct build_changes *changes, uint32_t module, uint32_t code_method,
                        uint32_t change);
/* The same for the method of `base` that a method of the new build was; nothing for a new one. */
void build_changes_mark_pair(struct build_changes *changes, uint32_t head_module,
                             uint32_t code_method, uint32_t change);

/* build_changes.h - what changed between an older run and a new build, put together by
 * method_changes.c, type_changes.c and input_changes.c; and which counts of the older run depend on
 * it.
 * Owner:  everything lives in the arena. Errors: ERR_MEMORY. */
#pragma once

#include "coverage/merge/pairing.h"
#include "impact/lookers.h"

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
};

/* A change that code notices which looks (lookers.h). */
struct looked_at {
    uint32_t change; /* index */
    uint8_t by;      /* enum look */
};

/* Of a method: its change, and the one before. */
struct change_mark {
    uint32_t change, next; /* index; 1 + index of a mark, or 0 */
};

/* A class of tests around whose tests, and those of classes that derive from it, more runs. */
struct changed_class {
    struct str name;  /* as name_full has it */
    uint32_t change;  /* index */
    bool may_be_none; /* it may have no tests; else all are needed if none are known */
};

struct build_changes {
    struct facts base;  /* the older run; test assemblies are MODULE_INSTRUMENTED, too */
    bool *is_test_code; /* per module of it */
    const struct new_build *build;
    struct pairing pairing;
    struct list list;      /* struct build_change */
    struct list all;       /* struct str: why all tests are needed */
    struct list types;     /* struct changed_type, each once with each change */
    struct list classes;   /* struct changed_class */
    struct list looked_at; /* struct looked_at; of metadata one at most: the first */
    struct list marks;     /* struct change_mark */
    uint32_t **marks_of;   /* per module of `base` and method of its code: 1 + the last, or 0 */
    struct arena *arena;
    struct err *err;
};

/* Nothing changed yet, and methods are paired. Test assemblies have code in `base`; other modules
 * that were left out have none. */
NODISCARD bool build_changes_open(struct build_changes *out, const struct facts *base,
                                  const struct new_build *build, struct arena *arena,
                                  struct err *err);

/* Notes something that changed; its index, or NO_INDEX without memory. */
uint32_t build_changes_add(struct build_changes *changes, const char *format, ...)
    PRINTF_LIKE(2, 3);
/* Notes why all tests are needed, once. */
NODISCARD bool build_changes_add_all(struct build_changes *changes, const char *format, ...)
    PRINTF_LIKE(2, 3);
/* What depends on a change; each is false without memory, also if the change is NO_INDEX. The tests
 * of the class do (struct changed_class). */
NODISCARD bool build_changes_add_class(struct build_changes *changes, struct str name,
                                       uint32_t change, bool may_be_none);
/* Who runs code that names the type depends on the change. */
NODISCARD bool build_changes_add_type(struct build_changes *changes, struct str name,
                                      uint32_t change);
/* The same for a change that is nothing but what other code sees of the type. */
NODISCARD bool build_changes_add_seen_type(struct build_changes *changes, struct str name,
                                           uint32_t change);
/* Metadata of a type changed: `name` is or has now `what`. Who runs code that looks at any depends
 * on it; nobody if the compiler named the type: an anonymous one, or what is in no type. */
NODISCARD bool build_changes_add_metadata(struct build_changes *changes, struct str type,
                                          struct str name, const char *what);
/* The same of a file, and who runs code that reads any. */
NODISCARD bool build_changes_add_file(struct build_changes *changes, struct str path,
                                      const char *what);
/* Somebody may have run a part of this method of the pairing, and nothing says who. */
bool build_changes_lack_record(const struct build_changes *changes, uint32_t module,
                               uint32_t code_method);
/* Who hit any part of this method of the pairing, in any build of its assembly, depends on the
 * change. */
NODISCARD bool build_changes_mark(struct build_changes *changes, uint32_t module,
                                  uint32_t code_method, uint32_t change);
/* The same for the method of `base` that a method of the new build was; nothing for a new one. If
 * nobody recorded who ran it, all tests do. */
NODISCARD bool build_changes_mark_pair(struct build_changes *changes, uint32_t head_module,
                                       uint32_t code_method, uint32_t change);

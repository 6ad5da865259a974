/* inlined.h - functions of F# that nobody can see run: an optimising compiler put their code where
 * they are called, without its lines, and nothing calls them any more. Such a method gets
 * REASON_INLINED. It is one if
 *   - its module was loaded, is optimised F#, and counted nothing of it;
 *   - no instruction of its module and no reference of a loaded one names it any more;
 *   - the source of a statement that ran names it, or that of a statement of another such method.
 * Statements of loaded modules that are not counted, such as tests, are taken to have run.
 * Owner:  the lists live in the arena of the facts, whose methods they point to. */
#pragma once

#include "base/list.h"
#include "coverage/collect/fsharp_name.h"
#include "coverage/facts/facts.h"

struct collector;
struct module_builder;

/* Names are hashes. */
enum {
    MENTION_BARE = 0,    /* nothing is before the name */
    MENTION_OF_VALUE = 1 /* a dot is, after anything but a name */
};

struct inlined_candidate {
    struct fact_method *method;
    struct str type;                  /* as in metadata: N.C/D */
    uint64_t member;                  /* hash of type and name */
    uint64_t names[FSHARP_NAMES_MAX]; /* hashes */
    uint32_t name_count;
    bool is_member;     /* it has a dot before its name in the source */
    bool is_of_builder; /* its names are those of values */
};

/* A name in a statement. */
struct inlined_mention {
    uint64_t name, qualifier; /* hashes; of the name before the dot */
    /* of a statement that did not run: the candidate that it is of; else NO_INDEX */
    uint32_t by;
};

struct inlined_functions {
    struct arena *arena;    /* of the facts */
    struct list candidates; /* struct inlined_candidate */
    struct list mentions;   /* struct inlined_mention */
    struct list references; /* uint64_t, hashes of members that a module refers to */
};

uint64_t inlined_name_hash(struct str name);
uint64_t inlined_member_hash(struct str type, struct str name);
int inlined_hash_order(const void *left, const void *right);

/* Of a module whose facts are made, while its sources are open: methods that may be inlined, and
 * what its statements name. */
NODISCARD bool inlined_note_module(struct inlined_functions *inlined, struct module_builder *g,
                                   struct err *err);

/* Once all modules that were loaded are listed: inlined_find.c. */
NODISCARD bool inlined_find(struct collector *c, struct err *err);

/* harmless.h - which methods of a module certainly return: they throw nothing, run no loop, and
 * nothing else runs on their behalf. Code that comes after a call of one needs no counter of its
 * own: it runs as often as the code before it.
 *
 * A method is harmless if it is short, has no handler, and does nothing but read and write fields
 * of its own module's objects, compute, branch forwards and call harmless methods: auto-properties,
 * constructors that fill in fields. Not if calling it may run a class constructor, nor if it may be
 * overridden (called by its token, it may be), nor if it is synchronized. A call of it is harmless
 * where the object is known not to be null (stack.h).
 *
 * Only methods of the same module are known, by their MethodDef tokens, and the constructor of
 * System.Object. Code that changes while it runs (hot reload) has none. */
#ifndef ILCOV_REWRITER_HARMLESS_H
#define ILCOV_REWRITER_HARMLESS_H

#include "metadata/heaps.h"
#include "rewriter/il.h"

struct harmless {
    uint8_t *rows; /* enum harmless_row of each row of the MethodDef table, 1 first: [rid - 1] */
    uint32_t count;
};

enum harmless_row {
    HARMLESS_NOT,
    HARMLESS_UNDECIDED, /* while they are sought */
    HARMLESS_BY_CALL,   /* virtual: by its token, but not through an object's type */
    HARMLESS_ALWAYS,
};

/* Is the instruction a call or newobj of a harmless method? `harmless` may be NULL; `md` is that of
 * any load of the module. */
bool harmless_call(const struct harmless *harmless, const struct metadata *md,
                   const struct instr *instr);

#endif

/* kept_image.h - a copy of a module in the session, for the collector, where its file does not last
 * or it has none: the parts that the collector reads (headers, metadata, symbols, method bodies),
 * at the same offsets as in its file, with holes between them. */
#pragma once

#include "profiler/instance.h"

/* Is "/" still what it was in Initialize, and what it is to the collector? */
bool kept_image_same_root(const struct profiler *p);

enum {
    KEPT_IMAGES_MOST =
        64 << 20 /* bytes of all copies that a process makes; less if room is short */
};

/* Are the symbols of a module that has no file in memory: given to the runtime with its bytes, or
 * kept of an equal module? False with the reason if what the runtime has is not its portable PDB.
 * Calls without a lock. */
NODISCARD bool kept_symbols_find(bool *found, const struct profiler *p, ModuleID id,
                                 const struct module *meta, struct err *err);
/* Keeps them as well. */
void kept_symbols_write(struct profiler *p, ModuleID id, const struct module *meta);

/* A module that has no file, or one in a directory of temporary files, is kept. Reports in the
 * record if one that has no file can't be. Calls without a lock. */
void kept_image_write(struct profiler *p, const struct instrumented_module *module,
                      struct str path);

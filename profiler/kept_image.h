/* kept_image.h - a copy of a module in the session, for the collector, where its file does not last
 * or it has none. */
#ifndef ILCOV_PROFILER_KEPT_IMAGE_H
#define ILCOV_PROFILER_KEPT_IMAGE_H

#include "profiler/instance.h"

/* Is "/" still what it was in Initialize, and what it is to the collector? */
bool kept_image_same_root(const struct profiler *p);

/* A module that has no file, or one in a directory of temporary files, is kept. */
void kept_image_write(struct profiler *p, const struct module *module, struct str path);

#endif

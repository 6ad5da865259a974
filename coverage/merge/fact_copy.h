/* fact_copy.h - copies facts of a file that is about to be closed to the union of several files.
 * Owner:  copies live in the arena. Pointers are replaced by pointers to copies: texts, lists, a
 *         module's lists and texts. */
#pragma once

#include "coverage/facts/facts.h"

NODISCARD bool fact_copy_text(struct str *text, struct arena *arena, struct err *err);
NODISCARD bool fact_copy_bytes(struct view *bytes, struct arena *arena, struct err *err);

NODISCARD bool fact_copy_arms(struct fact_decision *decision, struct arena *arena, struct err *err);

/* A module's list of types. */
NODISCARD bool fact_copy_types(struct fact_module *module, struct arena *arena, struct err *err);

NODISCARD bool fact_copy_module(struct fact_module *module, struct arena *arena, struct err *err);

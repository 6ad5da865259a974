/* external_facts.h - another tool's report as facts, so that it can be merged and compared with: a
 * module of state MODULE_EXTERNAL for each assembly in it, with a statement for each line, all of
 * one run of kind RUN_EXTERNAL.
 * Owner:  everything lives in the arena. */
#pragma once

#include "coverage/external/external.h"
#include "coverage/facts/facts.h"

/* `root`: absolute; paths below it become relative to it. Equal reports give equal facts. */
NODISCARD bool external_facts(struct facts *out, const struct external *external, struct str root,
                              struct arena *arena, struct err *err);

/* Do they contain only other tools' lines, without code? */
bool external_only(const struct facts *facts);

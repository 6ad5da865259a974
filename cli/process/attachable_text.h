/* attachable_text.h - the list of attachable.h for people, and as JSON (docs/ps.schema.json). */
#ifndef ILCOV_CLI_PROCESS_ATTACHABLE_TEXT_H
#define ILCOV_CLI_PROCESS_ATTACHABLE_TEXT_H

#include "cli/process/attachable.h"
#include "reporters/json_writer.h"

/* On standard output. False only when there is no memory. */
NODISCARD bool attachable_print(const struct attachable *programs, uint32_t count,
                                struct arena *arena, struct err *err);

/* The member "processes" of an object. */
void attachable_put(struct json_writer *json, const struct attachable *programs, uint32_t count);

#endif

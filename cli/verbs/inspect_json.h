/* inspect_json.h - what `ilcov inspect --json` says of an assembly's methods: the parts that need
 * nothing but the graph and the plan. */
#pragma once

#include "metadata/pdb.h"
#include "reporters/json_writer.h"
#include "rewriter/plan.h"

void inspect_put_hex(struct json_writer *json, const char *key, const uint8_t *bytes, size_t len);

/* A member: the clauses of a body. */
void inspect_put_clauses(struct json_writer *json, const struct il_body *body);

/* Members of an object: a block but its instructions. */
void inspect_put_block(struct json_writer *json, const struct flow *flow, const struct plan *plan,
                       uint32_t n);

/* A member, if there are any: the sequence points from *next that begin up to the offset. */
void inspect_put_points(struct json_writer *json, const struct seq_points *points, uint32_t *next,
                        uint32_t offset);

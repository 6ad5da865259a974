/* json_output.h - what a verb prints with --json: one object on standard output, as a whole or, if
 * anything goes wrong, not at all. docs/json.md describes it, and lists the schemas.
 *
 *   { "schema": "1.0.0", "generator": { "name", "version" }, MEMBERS }
 *
 * Owner: between json_output_open and _end or _drop it holds memory. */
#pragma once

#include "cli/options/verb.h"
#include "reporters/json_writer.h"

struct json_output {
    struct json_writer json; /* in the object */
    FILE *file;
    char *text;
    size_t len;
};

extern const struct option_row json_rows[]; /* --json; of a bool */

/* `schema`: its version. */
NODISCARD bool json_output_open(struct json_output *out, const char *schema, struct err *err);
void json_output_drop(struct json_output *out);

/* The object's members so far are all that there is to say; with an error, which is printed, there
 * is no output. Returns the exit status; main reports a failure to write. */
int json_output_end(struct json_output *out, bool ok, int status, const struct err *err);

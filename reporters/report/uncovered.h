/* uncovered.h - missed lines for a person, grep and programs: one file a line, nothing else.
 *
 *   src/Shop.Core/Order.cs:40,52-58
 *
 * A range spans lines without code. A file that several assemblies have compiled stands there once,
 * with the lines that did not run in at least one of them. */
#pragma once

#include "coverage/report/report_files.h"
#include "reporters/json_writer.h"
#include "reporters/screen.h"

struct uncovered {
    const struct screen *screen;
    /* objects in an array that is open, in place of the screen; or NULL */
    struct json_writer *json;
    struct err *err;
};

/* The file, as each assembly has it (report_read); `out` is a struct uncovered. */
NODISCARD bool uncovered_put(void *out, const struct report_file *files, uint32_t count);

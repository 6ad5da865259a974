/* uncovered.h - missed lines for a person, grep and programs: one file a line, nothing else.
 *
 *   src/Shop.Core/Order.cs:40,52-58
 *
 * A range spans lines without code. A file that several assemblies have compiled stands there once,
 * with the lines that did not run in at least one of them. */
#ifndef ILCOV_REPORTERS_REPORT_UNCOVERED_H
#define ILCOV_REPORTERS_REPORT_UNCOVERED_H

#include "coverage/report/report_files.h"
#include "reporters/json_writer.h"
#include "reporters/screen.h"

/* `path`: of this file only, or, if it ends with '/', of those in this folder; or NULL. */
NODISCARD bool uncovered_put(const struct screen *screen, const struct report_files *files,
                             const struct str *path, struct err *err);
/* The same as objects in an array that is open. */
NODISCARD bool uncovered_put_json(struct json_writer *json, const struct report_files *files,
                                  const struct str *path, struct err *err);

#endif

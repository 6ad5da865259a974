/* source_json.h - what source_view.h shows, for programs (docs/show.schema.json): the lines of a
 * source file that have code, with their hits, text, and what never happened on them. */
#pragma once

#include "coverage/report/report_files.h"
#include "reporters/json_writer.h"
#include "reporters/sources.h"

/* A value: the file, or what of it is in the ranges if there are any. They ascend and may
 * overlap. */
NODISCARD bool source_json_put(struct json_writer *json, const struct report *report,
                               const struct sources *sources, const struct report_file *file,
                               const struct line_range *ranges, uint32_t range_count,
                               struct err *err);

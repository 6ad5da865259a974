/* json_parts.h - what JSON and JSON lines have in common, as docs/report.schema.json describes
 * it. */
#pragma once

#include "coverage/report/report.h"
#include "reporters/json_writer.h"

void json_put_totals(struct json_writer *json, const struct report_totals *totals);
void json_put_class(struct json_writer *json, const struct report_class *class);
/* The members of a test. */
void json_put_test(struct json_writer *json, const struct fact_test *test);
/* A set of tests, as an array of pairs: the first and the last of tests that follow each other. */
void json_put_test_set(struct json_writer *json, const char *key, struct view set);

/* Members of an object that is open. `schema`: its version. */
void json_put_head(struct json_writer *json, const struct report *report, const char *schema);
/* All but the classes. */
void json_put_package_head(struct json_writer *json, const struct report_package *package);
NODISCARD bool json_put_omission(struct json_writer *json, const struct report_omission *omission,
                                 struct err *err);
NODISCARD bool json_put_exclusion(struct json_writer *json,
                                  const struct report_exclusion *exclusion, struct err *err);

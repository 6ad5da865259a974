/* diff_formats.h - what --format of `diff` offers: the formats of differences. Each has a file of
 * its own. */
#ifndef ILCOV_REPORTERS_DIFF_DIFF_FORMATS_H
#define ILCOV_REPORTERS_DIFF_DIFF_FORMATS_H

#include "reporters/format.h"

/* In the order of the help; ends with a NULL name. */
extern const struct format diff_formats[];

bool diff_text_write(const struct format_job *job, struct err *err);
bool diff_markdown_write(const struct format_job *job, struct err *err);
bool diff_json_write(const struct format_job *job, struct err *err);
bool diff_github_write(const struct format_job *job, struct err *err);
bool diff_gitlab_write(const struct format_job *job, struct err *err);
bool diff_sarif_write(const struct format_job *job, struct err *err);

#endif

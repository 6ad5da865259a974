/* diff_formats.h - the formats that `diff --format` offers. Each has a file of its own. */
#pragma once

#include "reporters/format.h"

/* In the order of --help; ends with a NULL name. */
extern const struct format diff_formats[];

bool diff_text_write(const struct format_job *job, struct err *err);
bool diff_markdown_write(const struct format_job *job, struct err *err);
bool diff_json_write(const struct format_job *job, struct err *err);
bool diff_github_write(const struct format_job *job, struct err *err);
bool diff_gitlab_write(const struct format_job *job, struct err *err);
bool diff_sarif_write(const struct format_job *job, struct err *err);
bool diff_html_write(const struct format_job *job, struct err *err);

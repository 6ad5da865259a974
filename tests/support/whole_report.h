/* whole_report.h - a report whose classes and methods have all their lines, which reports do not
 * keep (report.h). */
#pragma once

#include "coverage/report/report.h"

/* As report_build. */
NODISCARD bool whole_report_build(struct report *out, const struct facts *facts,
                                  const struct report_options *options, struct arena *arena,
                                  struct err *err);

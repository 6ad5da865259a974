/* foreign_formats.h - the readers, one per format. Each continues where foreign_reader.c recognised
 * the format: in XML, with the root as the current element. */
#ifndef ILCOV_COVERAGE_EXTERNAL_FOREIGN_FORMATS_H
#define ILCOV_COVERAGE_EXTERNAL_FOREIGN_FORMATS_H

#include "coverage/external/foreign_build.h"
#include "coverage/external/foreign_input.h"
#include "coverage/external/foreign_xml.h"

NODISCARD bool foreign_read_lcov(struct foreign *out, struct foreign_build *b,
                                 struct foreign_input *input);
NODISCARD bool foreign_read_cobertura(struct foreign *out, struct foreign_build *b,
                                      struct foreign_xml *xml);
NODISCARD bool foreign_read_opencover(struct foreign *out, struct foreign_build *b,
                                      struct foreign_xml *xml);

#endif

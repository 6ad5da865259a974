/* external_formats.h - the readers, one per format. Each continues where external_reader.c
 * recognised the format: in XML, with the root as the current element. */
#pragma once

#include "coverage/external/external_build.h"
#include "coverage/external/external_input.h"
#include "coverage/external/external_xml.h"

NODISCARD bool external_read_lcov(struct external *out, struct external_build *b,
                                  struct external_input *input);
NODISCARD bool external_read_cobertura(struct external *out, struct external_build *b,
                                       struct external_xml *xml);
NODISCARD bool external_read_opencover(struct external *out, struct external_build *b,
                                       struct external_xml *xml);

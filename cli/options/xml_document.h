/* xml_document.h - settings of other tools that are XML.
 * Owner:  the caller frees the document (xmlFreeDoc).
 * Errors: ERR_FORMAT with "PATH:LINE: ", ERR_LIMIT with the path. */
#pragma once

#include <libxml/tree.h>

#include "base/err.h"

/* NULL if it is none. Nothing outside is read, nothing is substituted; white space between
 * elements is left out. */
NODISCARD xmlDoc *xml_document_read(struct view bytes, const char *path, struct err *err);

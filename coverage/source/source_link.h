/* source_link.h - where a document lies in its repository, by the PDB's source link: so that what
 * was built in another folder is found below the root.
 * Source: dotnet/designs, "source-link.md". JSON whose object "documents" has pairs of a folder and
 *         an address, each with a star at its end. */
#ifndef ILCOV_COVERAGE_SOURCE_SOURCE_LINK_H
#define ILCOV_COVERAGE_SOURCE_SOURCE_LINK_H

#include "base/text.h"

/* What follows the repository's folder in `path`; empty when no key of the JSON is a folder that
 * the path is in. Of several it is the outermost one: submodules have keys of their own. */
struct str source_link_rest(struct view json, struct str path);

#endif

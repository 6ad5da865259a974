/* source_link.h - the path of a document in its repository, by the PDB's source link, so that
 * documents built in another folder are found below the root.
 * Source: dotnet/designs, "source-link.md". JSON whose object "documents" has pairs of a folder and
 *         an address, each with a star at its end. */
#pragma once

#include "base/text.h"

/* The part of `path` after the repository's folder; empty if no key of the JSON is a folder that
 * contains the path. If several do, the outermost one: submodules have keys of their own. */
struct str source_link_rest(struct view json, struct str path);

/* language.h - the language of a document, where it makes a difference.
 * Source: Portable PDB specification, "Document Table"; the GUIDs are those of the compilers. */
#pragma once

#include "metadata/pdb.h"

enum language {
    LANGUAGE_CSHARP, /* and unknown languages: blocks in braces */
    LANGUAGE_VISUAL_BASIC,
    LANGUAGE_FSHARP,
    LANGUAGE_IL /* each instruction has a point */
};

enum language language_of(const struct pdb *pdb, uint32_t document_rid);

/* The language of the document with the method's first visible point; if it has none, with its
 * first point. */
enum language language_of_points(const struct pdb *pdb, const struct seq_points *points);

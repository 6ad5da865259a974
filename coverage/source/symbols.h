/* symbols.h - finds the PDB of a module and checks that it belongs to it. Links zlib and libgcrypt:
 * only for the program, never for libilcov.so.
 * Source: dotnet/runtime docs/design/specs/PE-COFF.md, "CodeView", "PDB Checksum";
 *         PortablePdb-Metadata.md, "#Pdb". */
#pragma once

#include "metadata/module.h"

/* Looks for the PDB: embedded, beside `dll_path`, at the path of the CodeView entry; checks id and
 * checksum. True with has_pdb false if there is none anywhere. False with ERR_MISMATCH naming the
 * file if the only one found is of another build, ERR_UNSUPPORTED if it is a Windows PDB,
 * ERR_FORMAT if it is broken. */
NODISCARD bool symbols_find(struct module *module, const char *dll_path, struct arena *arena,
                            struct err *err);

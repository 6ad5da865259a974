/* module.h - a DLL and its PDB opened together, and its methods walked.
 * The profiler uses module_open_image (what the runtime loaded); the program module_open_file and
 * symbols_find.
 * Owner:  images live in memory that module_close releases, or in `arena`; both outlive every
 *         view. */
#pragma once

#include "metadata/names.h"
#include "metadata/pdb.h"
#include "metadata/pe.h"

struct module {
    struct pe pe;
    struct pe_debug debug;
    struct metadata md;
    struct str name; /* assembly simple name; of a netmodule its module name without ending */
    uint8_t mvid[16];
    /* what module_close releases; empty if the image is not the module's own */
    struct view file;
    struct view pdb_file;
    bool has_pdb;
    bool pdb_checksum_differs; /* only its id is the one that the module names */
    struct pdb pdb;
    char pdb_path[512]; /* where symbols_find found the PDB; "embedded" for an embedded one */
};

NODISCARD bool module_open_image(struct module *out, struct view image, bool mapped,
                                 struct err *err);

/* Reads the file. The text of an error does not name it; the caller does. */
NODISCARD bool module_open_file(struct module *out, const char *path, struct err *err);

void module_close(struct module *module);

/* A method that has IL: a MethodDef row with an RVA and IL implementation (II.23.1.11). */
struct method_def {
    uint32_t rid;
    uint32_t rva;
    uint16_t impl_flags, flags;
    /* from the header to the end of the section; empty if the RVA is in no section */
    struct view body;
};
/* False when row `rid` has no IL body (abstract, P/Invoke, runtime). */
bool module_method(struct method_def *out, const struct module *module, uint32_t rid);

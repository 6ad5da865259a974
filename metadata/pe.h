/* pe.h - a PE image with a CLI header: where its sections, metadata and debug records are.
 * Source: ECMA-335 II.25; PE/COFF specification; dotnet/runtime docs/design/specs/PE-COFF.md (debug
 *         directory).
 * Units:  rva is an offset from the image base when loaded; a file offset only in the flat layout's
 *         arithmetic.
 * Owner:  views point into the image, which outlives struct pe.
 * Errors: ERR_FORMAT bytes contradict the specification; ERR_UNSUPPORTED a native image without CLI
 *         header. */
#pragma once

#include "base/bytes.h"
#include "base/err.h"

enum {
    PE_SECTIONS_MAX = 96
};

struct pe_section {
    uint32_t rva, virtual_size;
    uint32_t file_offset, file_size;
};

struct pe {
    struct view image;
    bool mapped; /* each section is at its RVA (a loaded image), not at its file offset */
    bool pe32_plus;
    uint16_t machine;
    uint32_t timestamp;
    uint32_t size_of_image;
    uint32_t section_count;
    struct pe_section sections[PE_SECTIONS_MAX];
    uint32_t debug_rva, debug_len; /* debug directory; 0 when there is none */
    uint32_t cli_rva;              /* of the CLI header */
    uint32_t native_rva;           /* of ManagedNativeHeader; 0 when there is none */
    uint32_t cli_flags;            /* II.25.3.3.1 COMIMAGE_FLAGS_* */
    struct view metadata;          /* II.24.2.1 */
    bool ready_to_run;             /* ManagedNativeHeader begins with "RTR" */
    /* READYTORUN_FLAG_COMPONENT: the code is in a composite image */
    bool composite_component;
};

/* Reads the headers of an image of known length. */
NODISCARD bool pe_open(struct pe *out, struct view image, bool mapped, struct err *err);

/* The length of an image in memory of which only the start is known; reads no more than its headers
 * (at most `readable` bytes). For a flat image the end of its last section, for a mapped one
 * SizeOfImage. */
NODISCARD bool pe_image_len(size_t *out, const uint8_t *image, size_t readable, bool mapped,
                            struct err *err);

/* The end of the last section in the file. */
uint64_t pe_file_len(const struct pe *pe);

/* The bytes from `rva` to the end of its section; empty (data NULL) if it is in no section. */
struct view pe_at(const struct pe *pe, uint32_t rva);

/* Every part of the image that pe_open and pe_read_debug look at, metadata included: all that is
 * needed to read it but method bodies. Parts may overlap. */
void pe_visit_parts(const struct pe *pe, void (*visit)(void *context, struct view part),
                    void *context);

/* What the debug directory says about the PDB. */
struct pe_debug {
    bool has_entries;     /* any entry at all */
    bool has_codeview;    /* RSDS */
    bool portable;        /* CodeView entry with minor version 0x504d: a portable PDB */
    uint8_t pdb_guid[16]; /* of the CodeView entry; with pdb_stamp it is the PDB id */
    uint32_t pdb_stamp;   /* the entry's TimeDateStamp */
    struct view pdb_path; /* UTF-8, as the compiler wrote it, without NUL */
    /* the MPDB blob: "MPDB", length, deflate data; empty when there is none */
    struct view embedded;
    /* PdbChecksum entry: algorithm name and digest; empty when there is none */
    struct view checksum_name;
    struct view checksum;
    bool reproducible;
    /* not of the image: whoever opened it has the portable PDB elsewhere */
    bool is_pdb_in_memory;
};

/* Never fails on a bad entry: a record that does not parse counts as absent, as in the runtime. */
void pe_read_debug(struct pe_debug *out, const struct pe *pe);

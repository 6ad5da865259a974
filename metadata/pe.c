/* A PE image as II.25 lays it out:
 *
 *   DOS header        "MZ", ...; the u32 at 0x3C is the offset of the PE signature     II.25.2.1
 *   PE signature      "PE\0\0"
 *   file header       machine, section count, time stamp, ..., size of the optional    II.25.2.2
 *                     header, flags
 *   optional header   0x10B PE32 or 0x20B PE32+, ...; at its end the data              II.25.2.3
 *                     directories (RVA, size): 6 is the debug directory,
 *                     14 the CLI header
 *   section headers   40 bytes each: name, virtual size, RVA, file size,               II.25.3
 *                     file offset, ...
 *   sections          one holds the CLI header, which leads to the metadata            II.25.3.3
 *
 * In a flat image a section's bytes are at its file offset, in a mapped one at its RVA. */
#include "metadata/pe.h"

#include <string.h>

enum {
    PE_OFFSET_AT = 0x3C,
    FILE_HEADER_LEN = 20,
    SECTION_HEADER_LEN = 40,
    MAGIC_PE32 = 0x10B,
    MAGIC_PE32_PLUS = 0x20B,
    DIRECTORY_DEBUG = 6,
    DIRECTORY_CLI = 14,
    DEBUG_ENTRY_LEN = 28,
    CLI_HEADER_LEN = 72,
    NATIVE_HEADER_LEN = 12,            /* as much as is read of it */
    READYTORUN_SIGNATURE = 0x00525452, /* "RTR" */
    READYTORUN_FLAG_COMPONENT = 0x20,
};

struct directory {
    uint32_t rva, len;
};

/* Data directory `index`; `directories` are those that the optional header has. */
static struct directory directory_at(struct view directories, unsigned index)
{
    size_t offset = (size_t)index * 8;
    if (offset + 8 > directories.len)
        return (struct directory){0, 0};
    return (struct directory){load_u32(directories.data + offset),
                              load_u32(directories.data + offset + 4)};
}

static bool read_optional_header(struct pe *out, struct directory *cli, struct view header,
                                 struct err *err)
{
    struct reader r = rd_view(header);
    uint16_t magic = rd_u16(&r);
    if (!r.failed && magic != MAGIC_PE32 && magic != MAGIC_PE32_PLUS)
        return err_set(err, ERR_FORMAT, "optional header begins with 0x%04x, not PE32 or PE32+",
                       (unsigned)magic);
    out->pe32_plus = magic == MAGIC_PE32_PLUS;
    rd_seek(&r, 56);
    out->size_of_image = rd_u32(&r);
    rd_seek(&r, out->pe32_plus ? 108 : 92);
    uint32_t directory_count = rd_u32(&r);
    if (r.failed)
        return err_set(err, ERR_FORMAT, "optional header ends at byte %zu", header.len);
    size_t directories_len = rd_left(&r);
    if (directory_count < directories_len / 8)
        directories_len = (size_t)directory_count * 8;
    struct view directories = {rd_take(&r, directories_len), directories_len};
    struct directory debug = directory_at(directories, DIRECTORY_DEBUG);
    *cli = directory_at(directories, DIRECTORY_CLI);
    out->debug_rva = debug.rva;
    out->debug_len = debug.len;
    return true;
}

/* Everything before the sections themselves. */
static bool read_headers(struct pe *out, struct directory *cli, struct view image, bool mapped,
                         struct err *err)
{
    struct reader r = rd_view(image);
    *out = (struct pe){.image = image, .mapped = mapped};
    uint16_t dos_signature = rd_u16(&r);
    rd_seek(&r, PE_OFFSET_AT);
    rd_seek(&r, rd_u32(&r));
    uint32_t signature = rd_u32(&r);
    if (image.len >= 2 && dos_signature != 0x5A4D) /* "MZ" */
        return err_set(err, ERR_FORMAT, "image begins with 0x%04x instead of MZ",
                       (unsigned)dos_signature);
    if (!r.failed && signature != 0x00004550)
        return err_set(err, ERR_FORMAT, "PE signature is 0x%08x", (unsigned)signature);
    out->machine = rd_u16(&r);
    out->section_count = rd_u16(&r);
    out->timestamp = rd_u32(&r);
    (void)rd_take(&r, 8); /* symbol table */
    uint16_t optional_len = rd_u16(&r);
    (void)rd_u16(&r); /* characteristics */
    struct view optional = {rd_take(&r, optional_len), optional_len};
    if (r.failed)
        return err_set(err, ERR_FORMAT, "PE headers end beyond the %zu bytes of the image",
                       image.len);
    if (!read_optional_header(out, cli, optional, err))
        return false;
    if (out->section_count > PE_SECTIONS_MAX)
        return err_set(err, ERR_FORMAT, "image has %u sections, at most %u are allowed",
                       (unsigned)out->section_count, (unsigned)PE_SECTIONS_MAX);
    for (uint32_t i = 0; i < out->section_count; i++) {
        struct pe_section *section = &out->sections[i];
        (void)rd_take(&r, 8); /* name */
        section->virtual_size = rd_u32(&r);
        section->rva = rd_u32(&r);
        section->file_size = rd_u32(&r);
        section->file_offset = rd_u32(&r);
        (void)rd_take(&r, SECTION_HEADER_LEN - 24);
    }
    if (r.failed)
        return err_set(err, ERR_FORMAT, "%u section headers end beyond the %zu bytes of the image",
                       (unsigned)out->section_count, image.len);
    return true;
}

/* The bytes that a section has in this layout, cut at the end of the image. */
static struct view section_bytes(const struct pe *pe, const struct pe_section *section)
{
    uint32_t offset = pe->mapped ? section->rva : section->file_offset;
    uint32_t len = section->virtual_size;
    /* Without a virtual size, the file size counts. A file does not store the zeros at the end of a
     * section, so there the smaller of the two counts. */
    if (len == 0 || (!pe->mapped && section->file_size < len))
        len = section->file_size;
    if (offset > pe->image.len)
        return (struct view){NULL, 0};
    size_t left = pe->image.len - offset;
    return (struct view){pe->image.data + offset, len < left ? len : left};
}

struct view pe_at(const struct pe *pe, uint32_t rva)
{
    for (uint32_t i = 0; i < pe->section_count; i++) {
        if (rva < pe->sections[i].rva)
            continue;
        uint32_t into = rva - pe->sections[i].rva;
        struct view bytes = section_bytes(pe, &pe->sections[i]);
        if (into < bytes.len)
            return (struct view){bytes.data + into, bytes.len - into};
    }
    return (struct view){NULL, 0};
}

/* II.25.3.3 */
static bool read_cli_header(struct pe *out, struct directory cli, struct err *err)
{
    struct reader r = rd_view(pe_at(out, cli.rva));
    (void)rd_take(&r, 8); /* cb, runtime version */
    uint32_t metadata_rva = rd_u32(&r);
    uint32_t metadata_len = rd_u32(&r);
    out->cli_flags = rd_u32(&r);
    (void)rd_take(&r, 4 + 5 * 8); /* entry point; resources to export address table jumps */
    out->cli_rva = cli.rva;
    out->native_rva = rd_u32(&r);
    (void)rd_u32(&r);
    if (r.failed)
        return err_set(err, ERR_FORMAT, "CLI header at RVA 0x%x has %zu of its %u bytes",
                       (unsigned)cli.rva, r.len, (unsigned)CLI_HEADER_LEN);
    struct view metadata = pe_at(out, metadata_rva);
    if (metadata.data == NULL || metadata_len > metadata.len)
        return err_set(err, ERR_FORMAT, "metadata at RVA 0x%x has %zu of its %u bytes",
                       (unsigned)metadata_rva, metadata.len, (unsigned)metadata_len);
    out->metadata = (struct view){metadata.data, metadata_len};
    if (out->native_rva != 0) {
        struct reader native = rd_view(pe_at(out, out->native_rva));
        uint32_t signature = rd_u32(&native);
        (void)rd_u32(&native); /* versions */
        uint32_t flags = rd_u32(&native);
        out->ready_to_run = !native.failed && signature == READYTORUN_SIGNATURE;
        out->composite_component = out->ready_to_run && (flags & READYTORUN_FLAG_COMPONENT) != 0;
    }
    return true;
}

bool pe_open(struct pe *out, struct view image, bool mapped, struct err *err)
{
    struct directory cli = {0, 0};
    if (!read_headers(out, &cli, image, mapped, err))
        return false;
    if (cli.rva == 0)
        return err_set(err, ERR_UNSUPPORTED, "image has no CLI header: native code");
    return read_cli_header(out, cli, err);
}

uint64_t pe_file_len(const struct pe *pe)
{
    uint64_t len = 0;
    for (uint32_t i = 0; i < pe->section_count; i++) {
        uint64_t end = (uint64_t)pe->sections[i].file_offset + pe->sections[i].file_size;
        len = end > len ? end : len;
    }
    return len;
}

bool pe_image_len(size_t *out, const uint8_t *image, size_t readable, bool mapped, struct err *err)
{
    struct pe pe;
    struct directory cli = {0, 0};
    if (!read_headers(&pe, &cli, (struct view){image, readable}, mapped, err))
        return false;
    uint64_t len = mapped ? pe.size_of_image : pe_file_len(&pe);
    if (len > SIZE_MAX)
        return err_set(err, ERR_LIMIT, "image has %llu bytes", (unsigned long long)len);
    *out = (size_t)len;
    return true;
}

/* One entry of the debug directory: Characteristics, TimeDateStamp, versions, Type, data. */
struct debug_entry {
    uint32_t stamp, type;
    uint16_t minor;
    struct view data; /* NULL if it is not within the image */
};

enum {
    DEBUG_CODEVIEW = 2,
    DEBUG_REPRODUCIBLE = 16,
    DEBUG_EMBEDDED_PDB = 17,
    DEBUG_CHECKSUM = 19
};

static struct debug_entry read_debug_entry(const struct pe *pe, struct reader *r)
{
    struct debug_entry entry = {0};
    (void)rd_u32(r); /* characteristics */
    entry.stamp = rd_u32(r);
    (void)rd_u16(r); /* major version */
    entry.minor = rd_u16(r);
    entry.type = rd_u32(r);
    uint32_t len = rd_u32(r);
    uint32_t rva = rd_u32(r);
    uint32_t file_offset = rd_u32(r);
    if (pe->mapped) {
        struct view data = pe_at(pe, rva);
        if (data.data != NULL && len <= data.len)
            entry.data = (struct view){data.data, len};
    } else if (file_offset <= pe->image.len && len <= pe->image.len - file_offset) {
        entry.data = (struct view){pe->image.data + file_offset, len};
    }
    return entry;
}

/* "RSDS", GUID, u32 age, path with a NUL. A precompiled image may also have an entry for its native
 * PDB: the entry of the portable PDB is preferred, whatever their order. */
static void take_codeview(struct pe_debug *out, const struct debug_entry *entry)
{
    struct reader r = rd_view(entry->data);
    uint32_t signature = rd_u32(&r);
    const uint8_t *guid = rd_take(&r, 16);
    (void)rd_u32(&r); /* age */
    bool portable = entry->minor == 0x504D;
    if (r.failed || guid == NULL || signature != 0x53445352 ||
        (out->has_codeview && (out->portable || !portable)))
        return;
    size_t path_len = rd_left(&r);
    const uint8_t *path = rd_take(&r, path_len);
    const uint8_t *end = path_len != 0 ? memchr(path, 0, path_len) : NULL;
    out->has_codeview = true;
    out->portable = portable;
    memcpy(out->pdb_guid, guid, sizeof out->pdb_guid);
    out->pdb_stamp = entry->stamp;
    out->pdb_path = (struct view){path, end != NULL ? (size_t)(end - path) : path_len};
}

/* "SHA256", NUL, digest. */
static void take_checksum(struct pe_debug *out, struct view data)
{
    const uint8_t *end = data.len != 0 ? memchr(data.data, 0, data.len) : NULL;
    if (end == NULL || out->checksum_name.data != NULL)
        return;
    size_t name_len = (size_t)(end - data.data);
    out->checksum_name = (struct view){data.data, name_len};
    out->checksum = (struct view){end + 1, data.len - name_len - 1};
}

void pe_read_debug(struct pe_debug *out, const struct pe *pe)
{
    *out = (struct pe_debug){0};
    struct view directory = pe->debug_rva != 0 ? pe_at(pe, pe->debug_rva) : (struct view){NULL, 0};
    if (pe->debug_len < directory.len)
        directory.len = pe->debug_len;
    struct reader r = rd_view(directory);
    while (rd_left(&r) >= DEBUG_ENTRY_LEN) {
        struct debug_entry entry = read_debug_entry(pe, &r);
        out->has_entries = true;
        if (entry.type == DEBUG_REPRODUCIBLE)
            out->reproducible = true;
        if (entry.data.data == NULL)
            continue;
        if (entry.type == DEBUG_CODEVIEW)
            take_codeview(out, &entry);
        if (entry.type == DEBUG_CHECKSUM)
            take_checksum(out, entry.data);
        if (entry.type == DEBUG_EMBEDDED_PDB && out->embedded.data == NULL && entry.data.len >= 4 &&
            memcmp(entry.data.data, "MPDB", 4) == 0)
            out->embedded = entry.data;
    }
}

/* Headers end where the first section begins. */
static struct view view_headers(const struct pe *pe)
{
    struct view headers = pe->image;
    for (uint32_t i = 0; i < pe->section_count; i++)
        if (pe->sections[i].file_size != 0 && headers.len > pe->sections[i].file_offset)
            headers.len = pe->sections[i].file_offset;
    return headers;
}

static struct view part_at(const struct pe *pe, uint32_t rva, size_t len)
{
    struct view part = rva != 0 ? pe_at(pe, rva) : (struct view){NULL, 0};
    if (part.len > len)
        part.len = len;
    return part;
}

void pe_visit_parts(const struct pe *pe, void (*visit)(void *context, struct view part),
                    void *context)
{
    struct view debug = part_at(pe, pe->debug_rva, pe->debug_len);
    struct reader r = rd_view(debug);
    visit(context, view_headers(pe));
    visit(context, part_at(pe, pe->cli_rva, CLI_HEADER_LEN));
    visit(context, part_at(pe, pe->native_rva, NATIVE_HEADER_LEN));
    visit(context, pe->metadata);
    visit(context, debug);
    while (rd_left(&r) >= DEBUG_ENTRY_LEN)
        visit(context, read_debug_entry(pe, &r).data);
}

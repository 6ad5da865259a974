#include "profiler/kept_image.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/hex.h"
#include "base/path.h"
#include "contract/session_format.h"
#include "metadata/pdb.h"
#include "profiler/shards.h"
#include "system/file.h"
#include "system/file_status.h"
#include "system/temporary_file.h"

bool kept_image_same_root(const struct profiler *p)
{
    struct file_identity root;
    return file_identity_root(&root) && file_identity_is(&root, &p->root);
}

static bool is_lasting_file(const struct profiler *p, struct str path)
{
    const char *tmp = getenv("TMPDIR");
    return path_is_absolute(path) && file_is_readable(path.text) &&
           !str_starts(path, tmp != NULL && tmp[0] != '\0' ? tmp : TEMPORARY_FOLDER "/") &&
           kept_image_same_root(p);
}

/* --- which bytes ------------------------------------------------------------------------------ */

enum {
    PAGE = 4096 /* of the copy: what is not needed stays a hole */
};

/* The pages of the module's file that have something the collector reads. */
struct pages {
    const struct pe *pe;
    bool *needed;
    uint64_t file_len;
    uint64_t count; /* that are needed */
};

/* Where the bytes are in the file; UINT64_MAX if they are not. */
static uint64_t offset_in_file(const struct pe *pe, const uint8_t *bytes)
{
    uint64_t at = (uint64_t)(bytes - pe->image.data);
    for (uint32_t i = 0; pe->mapped && i < pe->section_count; i++) {
        const struct pe_section *section = &pe->sections[i];
        if (at >= section->rva && at - section->rva < section->file_size)
            return section->file_offset + (at - section->rva);
    }
    bool in_headers = pe->section_count == 0 || at < pe->sections[0].rva;
    return !pe->mapped || in_headers ? at : UINT64_MAX;
}

static void need_pages(void *context, struct view part)
{
    struct pages *pages = context;
    uint64_t at = part.len != 0 ? offset_in_file(pages->pe, part.data) : UINT64_MAX;
    if (at >= pages->file_len)
        return;
    uint64_t end = part.len < pages->file_len - at ? at + part.len : pages->file_len;
    for (uint64_t page = at / PAGE; page * PAGE < end; page++) {
        pages->count += !pages->needed[page];
        pages->needed[page] = true;
    }
}

static bool find_pages(struct pages *out, const struct instrumented_module *module,
                       struct arena *arena)
{
    const struct pe *pe = &module->meta.pe;
    *out = (struct pages){.pe = pe, .file_len = pe_file_len(pe)};
    out->needed = ARENA_NEW(arena, bool, out->file_len / PAGE + 1, NULL);
    if (out->needed == NULL)
        return false;
    pe_visit_parts(pe, need_pages, out);
    for (uint32_t rid = 1; rid <= module->method_count; rid++)
        need_pages(out, counter_block_original(module->place, &module->meta, rid));
    return true;
}

/* --- writing ---------------------------------------------------------------------------------- */

/* The needed pages of a stretch that lies in one piece in the file and in memory. */
static bool write_stretch(int fd, const struct pages *pages, uint64_t offset, struct view bytes)
{
    uint64_t end = offset + bytes.len;
    bool written = true;
    for (uint64_t at = offset, next = 0; at < end && written; at = next) {
        bool needed = pages->needed[at / PAGE];
        next = (at / PAGE + 1) * PAGE;
        while (next < end && pages->needed[next / PAGE] == needed)
            next += PAGE;
        if (next > end)
            next = end;
        struct view run = {bytes.data + (at - offset), (size_t)(next - at)};
        written = !needed || file_write_at(fd, run.data, run.len, at);
    }
    return written;
}

/* As the module was in its file, except for what the loader has relocated, which is neither IL nor
 * metadata. */
static bool write_image(int fd, const struct pages *pages)
{
    const struct pe *pe = pages->pe;
    if (fd < 0 || !file_length_allowed(pages->file_len) || !file_set_length(fd, pages->file_len))
        return false;
    if (!pe->mapped)
        return write_stretch(fd, pages, 0, (struct view){pe->image.data, (size_t)pages->file_len});
    uint64_t headers = pages->file_len;
    bool written = true;
    for (uint32_t i = 0; i < pe->section_count; i++) {
        const struct pe_section *section = &pe->sections[i];
        struct view bytes = pe_at(pe, section->rva);
        if (section->file_size == 0)
            continue;
        if (bytes.len > section->file_size)
            bytes.len = section->file_size;
        if (headers > section->file_offset)
            headers = section->file_offset;
        written = written && write_stretch(fd, pages, section->file_offset, bytes);
    }
    return written && write_stretch(fd, pages, 0, (struct view){pe->image.data, (size_t)headers});
}

static void name_copy(char out[FOLDER_COPY_ROOM], const struct module *meta, const char *ending)
{
    char mvid[HEX_ROOM(sizeof meta->mvid)];
    (void)snprintf(out, FOLDER_COPY_ROOM, "%s%s", hex_of(mvid, meta->mvid, sizeof meta->mvid),
                   ending);
}

/* --- how much --------------------------------------------------------------------------------- */

/* Takes that much of what copies may have. */
static bool reserve_copy(struct profiler *p, uint64_t len)
{
    mutex_lock(&p->layout_lock);
    bool fits = len <= KEPT_IMAGES_MOST - p->kept_len && len <= shards_room_to_spend(p);
    if (fits)
        p->kept_len += len;
    mutex_unlock(&p->layout_lock);
    return fits;
}

/* Once: in a program that makes thousands of modules, each further one would have a line. */
static void report_loss(struct profiler *p, const struct module *module)
{
    if (!atomic_exchange_explicit(&p->lost_image, true, memory_order_relaxed))
        record_warning(&p->record,
                       "the counts of %.*s, and of modules without a file that load after it, are "
                       "lost: there is no room to keep copies of them (%u MiB at most)",
                       STR_ARGS(module->name), KEPT_IMAGES_MOST >> 20);
}

void kept_image_write(struct profiler *p, const struct instrumented_module *module, struct str path)
{
    char name[FOLDER_COPY_ROOM];
    struct folder_copy copy;
    struct pages pages;
    if (is_lasting_file(p, path))
        return;
    name_copy(name, &module->meta, SESSION_MODULE);
    if (folder_has(&p->folder, name))
        return;
    struct arena arena = ARENA_EMPTY;
    bool kept = find_pages(&pages, module, &arena) && reserve_copy(p, pages.count * PAGE);
    if (kept) {
        folder_begin_copy(&copy, &p->folder, name);
        kept = folder_end_copy(&copy, &p->folder, write_image(copy.fd, &pages));
    }
    arena_free(&arena);
    if (!kept && !path_is_absolute(path))
        report_loss(p, &module->meta);
}

/* --- symbols in memory ------------------------------------------------------------------------ */

/* Empty if the module has none. */
static bool read_symbols(struct view *out, const struct profiler *p, ModuleID id,
                         struct arena *arena, struct err *err)
{
    uint32_t len = 0, count = 0;
    *out = (struct view){NULL, 0};
    if (!p->has_info10 || FAILED(p->info->vtbl->GetInMemorySymbolsLength(p->info, id, &len)) ||
        len == 0)
        return true;
    uint8_t *data = arena_raw(arena, len, 1, err);
    if (data == NULL)
        return false;
    HRESULT hr = p->info->vtbl->ReadInMemorySymbols(p->info, id, 0, data, len, &count);
    if (FAILED(hr) || count != len)
        return err_set(err, ERR_UNSUPPORTED, "the runtime does not show them (0x%08x)",
                       (unsigned)hr);
    *out = (struct view){data, len};
    return true;
}

/* Those that belong to the module; empty if there are none. */
static bool read_fitting(struct view *out, const struct profiler *p, ModuleID id,
                         const struct module *meta, struct arena *arena, struct err *err)
{
    struct pdb pdb;
    bool fits =
        read_symbols(out, p, id, arena, err) &&
        (out->len == 0 || (pdb_open(&pdb, *out, err) && pdb_is_of(&pdb, &meta->debug, err)));
    if (!fits)
        err_prefix(err, "its symbols from memory");
    return fits;
}

bool kept_symbols_find(bool *found, const struct profiler *p, ModuleID id,
                       const struct module *meta, struct err *err)
{
    char name[FOLDER_COPY_ROOM];
    struct arena arena;
    struct view symbols;
    arena_init(&arena, NULL, 0, KEPT_IMAGES_MOST);
    name_copy(name, meta, SESSION_PDB);
    bool fits = read_fitting(&symbols, p, id, meta, &arena, err);
    *found = fits && (symbols.len != 0 || folder_has(&p->folder, name));
    arena_free(&arena);
    return fits;
}

void kept_symbols_write(struct profiler *p, ModuleID id, const struct module *meta)
{
    char name[FOLDER_COPY_ROOM];
    struct arena arena;
    struct view symbols;
    name_copy(name, meta, SESSION_PDB);
    if (folder_has(&p->folder, name))
        return;
    arena_init(&arena, NULL, 0, KEPT_IMAGES_MOST);
    if (read_fitting(&symbols, p, id, meta, &arena, NULL) && symbols.len != 0 &&
        !(reserve_copy(p, symbols.len) && folder_write_copy(&p->folder, name, symbols)))
        report_loss(p, meta);
    arena_free(&arena);
}

#include "system/library.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/bytes.h"
#include "system/file.h"

/* --- library ---------------------------------------------------------------------------------- */

void library_pin(const void *address)
{
    Dl_info self;
    if (dladdr(address, &self) != 0 && self.dli_fname != NULL)
        (void)dlopen(self.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE); /* never closed */
}

/* --- elf file --------------------------------------------------------------------------------- */

bool elf_file_parse(struct elf_file *out, struct view bytes, struct err *err)
{
    const uint8_t *data = bytes.data;
    if (bytes.len < sizeof(Elf64_Ehdr) || memcmp(data, ELFMAG, SELFMAG) != 0 ||
        data[EI_CLASS] != ELFCLASS64 || data[EI_DATA] != ELFDATA2LSB)
        return err_set(err, ERR_FORMAT, "not a 64-bit ELF file");
    *out = (struct elf_file){bytes, load_u16(data + offsetof(Elf64_Ehdr, e_machine))};
    return true;
}

bool elf_file_open(struct elf_file *out, const char *path, struct err *err)
{
    struct view bytes;
    *out = (struct elf_file){.machine = EM_NONE};
    if (!file_bytes_read(&bytes, path, err)) {
        err_prefix(err, "%s", path);
        return false;
    }
    if (elf_file_parse(out, bytes, err))
        return true;
    file_bytes_release(&bytes);
    err_prefix(err, "%s", path);
    return false;
}

void elf_file_close(struct elf_file *file)
{
    file_bytes_release(&file->bytes);
}

uint16_t elf_file_own_machine(void)
{
#if defined(__x86_64__)
    return EM_X86_64;
#elif defined(__aarch64__)
    return EM_AARCH64;
#else
#error "name this processor's e_machine"
#endif
}

bool elf_file_names(const struct elf_file *file, struct str text)
{
    return memmem(file->bytes.data, file->bytes.len, text.text, text.len) != NULL;
}

unsigned elf_file_glibc(const struct elf_file *file)
{
    static const char prefix[] = "GLIBC_2.";
    const uint8_t *at = file->bytes.data, *end = at + file->bytes.len;
    unsigned newest = 0;
    while ((at = memmem(at, (size_t)(end - at), prefix, sizeof prefix - 1)) != NULL) {
        unsigned minor = 0;
        at += sizeof prefix - 1;
        for (int digits = 0; at < end && *at >= '0' && *at <= '9' && digits < 4; digits++)
            minor = 10 * minor + (unsigned)(*at++ - '0');
        newest = minor > newest ? minor : newest;
    }
    return newest;
}

/* --- symbols ---------------------------------------------------------------------------------- */

struct section {
    uint32_t type, link;
    struct view bytes;
};

static bool take_elf_part(struct view *out, const struct elf_file *file, uint64_t offset,
                          uint64_t len)
{
    if (offset > file->bytes.len || len > file->bytes.len - offset)
        return false;
    *out = (struct view){file->bytes.data + offset, (size_t)len};
    return true;
}

static bool take_elf_section(struct section *out, const struct elf_file *file, uint32_t index)
{
    struct view row;
    const uint8_t *header = file->bytes.data;
    uint64_t table = load_u64(header + offsetof(Elf64_Ehdr, e_shoff));
    uint16_t size = load_u16(header + offsetof(Elf64_Ehdr, e_shentsize));
    if (index >= load_u16(header + offsetof(Elf64_Ehdr, e_shnum)) || size < sizeof(Elf64_Shdr) ||
        table > file->bytes.len || !take_elf_part(&row, file, table + (uint64_t)index * size, size))
        return false;
    out->type = load_u32(row.data + offsetof(Elf64_Shdr, sh_type));
    out->link = load_u32(row.data + offsetof(Elf64_Shdr, sh_link));
    return take_elf_part(&out->bytes, file, load_u64(row.data + offsetof(Elf64_Shdr, sh_offset)),
                         load_u64(row.data + offsetof(Elf64_Shdr, sh_size)));
}

/* A symbol of section 0 is one that the file wants from others. */
static bool defines_symbol(const struct section *symbols, const struct view *names,
                           const char *symbol)
{
    size_t len = strlen(symbol) + 1;
    for (size_t at = 0; at + sizeof(Elf64_Sym) <= symbols->bytes.len; at += sizeof(Elf64_Sym)) {
        const uint8_t *row = symbols->bytes.data + at;
        uint32_t name = load_u32(row + offsetof(Elf64_Sym, st_name));
        if (load_u16(row + offsetof(Elf64_Sym, st_shndx)) != SHN_UNDEF && name < names->len &&
            names->len - name >= len && memcmp(names->data + name, symbol, len) == 0)
            return true;
    }
    return false;
}

bool elf_file_exports(const struct elf_file *file, const char *symbol)
{
    uint16_t count = load_u16(file->bytes.data + offsetof(Elf64_Ehdr, e_shnum));
    for (uint32_t i = 0; i < count; i++) {
        struct section symbols, names;
        if (take_elf_section(&symbols, file, i) && symbols.type == SHT_DYNSYM &&
            take_elf_section(&names, file, symbols.link) &&
            defines_symbol(&symbols, &names.bytes, symbol))
            return true;
    }
    return false;
}

bool elf_file_may_run(const char *path, struct err *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    void *code = fd >= 0 ? mmap(NULL, 1, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    if (code == MAP_FAILED)
        (void)err_set_errno(err, "%s", path);
    else
        (void)munmap(code, 1);
    (void)file_close(fd);
    return code != MAP_FAILED;
}

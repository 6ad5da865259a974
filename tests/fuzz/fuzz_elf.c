/* fuzz_elf.c - any bytes as an ELF file: what it names and exports is looked up. */
#include <elf.h>
#include <string.h>

#include "system/file.h"
#include "system/library.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct elf_file file;
    struct err err = {.code = ERR_NONE};
    struct str given = STR("Given");
    if (!elf_file_parse(&file, (struct view){data, size}, &err)) {
        fuzz_check_err(&err);
        return 0;
    }
    FUZZ_ASSERT(!elf_file_exports(&file, given.text) || elf_file_names(&file, given),
                "a symbol whose name is not in the file");
    FUZZ_ASSERT(elf_file_glibc(&file) < 10000, "a version of five digits");
    return 0;
}

/* A header, a table of three sections, of which one has symbols and one their names. */
void fuzz_seeds(fuzz_add *add)
{
    static struct {
        Elf64_Ehdr header;
        Elf64_Shdr sections[3];
        Elf64_Sym symbols[2];
        char names[32];
    } library = {
        .header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB},
                   .e_shoff = sizeof(Elf64_Ehdr),
                   .e_shentsize = sizeof(Elf64_Shdr),
                   .e_shnum = 3},
        .symbols = {{.st_name = 1, .st_shndx = 1}},
        .names = "\0Given\0GLIBC_2.17",
    };
    uint64_t symbols = sizeof library.header + sizeof library.sections;
    library.sections[1] = (Elf64_Shdr){.sh_type = SHT_DYNSYM,
                                       .sh_link = 2,
                                       .sh_offset = symbols,
                                       .sh_size = sizeof library.symbols};
    library.sections[2] = (Elf64_Shdr){.sh_type = SHT_STRTAB,
                                       .sh_offset = symbols + sizeof library.symbols,
                                       .sh_size = sizeof library.names};
    add("library", (struct view){(const uint8_t *)&library, sizeof library});
}

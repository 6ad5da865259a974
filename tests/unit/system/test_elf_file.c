/* test_elf_file.c - what an ELF file says of itself: one made by hand, damaged ones, its own. */
#include "system/library.h"

#include <elf.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/temporary.h"

/* A library with one defined and one wanted symbol, as little of it as elf_file_exports reads. */
struct little_library {
    Elf64_Ehdr header;
    Elf64_Shdr sections[3];
    Elf64_Sym symbols[3];
    char names[64];
};

static const char strings[] = "\0Given\0Wanted\0GLIBC_2.2.5\0GLIBC_2.17\0libc.so.6";

static struct little_library make_library(void)
{
    struct little_library l;
    memset(&l, 0, sizeof l);
    memcpy(l.header.e_ident, ELFMAG, SELFMAG);
    l.header.e_ident[EI_CLASS] = ELFCLASS64;
    l.header.e_ident[EI_DATA] = ELFDATA2LSB;
    l.header.e_type = ET_DYN;
    l.header.e_machine = EM_AARCH64;
    l.header.e_shoff = offsetof(struct little_library, sections);
    l.header.e_shentsize = sizeof(Elf64_Shdr);
    l.header.e_shnum = 3;
    l.sections[1].sh_type = SHT_DYNSYM;
    l.sections[1].sh_link = 2;
    l.sections[1].sh_offset = offsetof(struct little_library, symbols);
    l.sections[1].sh_size = sizeof l.symbols;
    l.sections[2].sh_type = SHT_STRTAB;
    l.sections[2].sh_offset = offsetof(struct little_library, names);
    l.sections[2].sh_size = sizeof l.names;
    l.symbols[1].st_name = 1;
    l.symbols[1].st_shndx = 1;
    l.symbols[2].st_name = 7;
    l.symbols[2].st_shndx = SHN_UNDEF;
    memcpy(l.names, strings, sizeof strings);
    return l;
}

static struct elf_file parsed(const struct little_library *library)
{
    struct elf_file file;
    struct err err = {.code = ERR_NONE};
    struct view bytes = {(const uint8_t *)library, sizeof *library};
    assert_true(elf_file_parse(&file, bytes, &err));
    return file;
}

static void defined_symbols_are_exported_and_wanted_ones_are_not(void **state)
{
    (void)state;
    struct little_library library = make_library();
    struct elf_file file = parsed(&library);
    assert_true(elf_file_exports(&file, "Given"));
    assert_false(elf_file_exports(&file, "Give"));
    assert_false(elf_file_exports(&file, "iven"));
    assert_false(elf_file_exports(&file, "Wanted"));
}

static void processor_and_c_library_are_said(void **state)
{
    (void)state;
    struct little_library library = make_library();
    struct elf_file file = parsed(&library);
    assert_int_equal(file.machine, EM_AARCH64);
    assert_int_equal(elf_file_glibc(&file), 17);
    assert_true(elf_file_names(&file, STR("libc.so.6")));
    assert_false(elf_file_names(&file, STR("libc.musl-")));
}

/* Tables that lie outside the file, or rows that are too short to be one. */
static void tables_that_are_not_there_have_no_symbols(void **state)
{
    (void)state;
    struct little_library library = make_library();
    struct elf_file file = parsed(&library);
    static const uint64_t places[] = {sizeof library, sizeof library - 1, UINT64_MAX,
                                      UINT64_MAX - sizeof(Elf64_Shdr)};
    for (size_t i = 0; i < ARRAY_LEN(places); i++) {
        library = make_library();
        library.header.e_shoff = places[i];
        assert_false(elf_file_exports(&file, "Given"));
        library = make_library();
        library.sections[1].sh_offset = places[i];
        assert_false(elf_file_exports(&file, "Given"));
        library = make_library();
        library.sections[2].sh_size = places[i];
        assert_false(elf_file_exports(&file, "Given"));
        library = make_library();
        library.symbols[1].st_name = (uint32_t)places[i];
        assert_false(elf_file_exports(&file, "Given"));
    }
    library = make_library();
    library.header.e_shentsize = sizeof(Elf64_Shdr) - 1;
    assert_false(elf_file_exports(&file, "Given"));
    library = make_library();
    library.sections[1].sh_link = 3;
    assert_false(elf_file_exports(&file, "Given"));
}

static void other_files_are_refused(void **state)
{
    (void)state;
    struct temporary t;
    struct elf_file file;
    struct err err = {.code = ERR_NONE};
    struct little_library library = make_library();
    temporary_open(&t);
    assert_failed(elf_file_open(&file, temporary_path(&t, "none.so"), &err), err, ERR_IO);
    const char *path = temporary_file(&t, "text.so", "no library", 10);
    assert_failed(elf_file_open(&file, path, &err), err, ERR_FORMAT);
    assert_non_null(strstr(err.text, "text.so: not a 64-bit ELF file"));
    path = temporary_file(&t, "short.so", &library, sizeof library.header - 1);
    assert_failed(elf_file_open(&file, path, &err), err, ERR_FORMAT);
    library.header.e_ident[EI_CLASS] = ELFCLASS32;
    path = temporary_file(&t, "32.so", &library, sizeof library);
    assert_failed(elf_file_open(&file, path, &err), err, ERR_FORMAT);
    temporary_close(&t);
}

static void a_program_is_for_its_own_machine_and_may_run(void **state)
{
    (void)state;
    struct elf_file file;
    struct err err = {.code = ERR_NONE};
    assert_true(elf_file_open(&file, "/proc/self/exe", &err));
    assert_int_equal(file.machine, elf_file_own_machine());
    elf_file_close(&file);
    assert_true(elf_file_may_run("/proc/self/exe", &err));
    assert_failed(elf_file_may_run("/proc/self/none", &err), err, ERR_IO);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(defined_symbols_are_exported_and_wanted_ones_are_not),
    cmocka_unit_test(processor_and_c_library_are_said),
    cmocka_unit_test(tables_that_are_not_there_have_no_symbols),
    cmocka_unit_test(other_files_are_refused),
    cmocka_unit_test(a_program_is_for_its_own_machine_and_may_run),
};
UNIT_TESTS(tests);

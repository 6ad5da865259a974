/* library.h - the library that code belongs to, in this process, and what an ELF file says of
 * itself: for which processor and which C library it is, and what it exports. Nothing of such a
 * file is loaded, because a program without a dynamic linker can load nothing, and a library may
 * be meant for another C library than the program's own.
 * Owner:  elf_file_close gives the bytes back.
 * Errors: as file_bytes_read; ERR_FORMAT: no 64-bit ELF file of this byte order, or damaged. The
 *         text names the file.
 * Source: elf(5); System V ABI, Object Files; ld.so(8) on the versions of symbols; dladdr(3). */
#pragma once

#include "base/text.h"

/* The library in which that address lies stays until the process ends, whoever unloads it. */
void library_pin(const void *address);

struct elf_file {
    struct view bytes;
    uint16_t machine; /* e_machine: the processor */
};

NODISCARD bool elf_file_open(struct elf_file *out, const char *path, struct err *err);
/* The same of bytes that stay the caller's. The text of an error names no file. */
NODISCARD bool elf_file_parse(struct elf_file *out, struct view bytes, struct err *err);
void elf_file_close(struct elf_file *file);

/* e_machine of the program that asks. */
uint16_t elf_file_own_machine(void);

/* Do its strings, which include the names of libraries and sections, have this text? */
bool elf_file_names(const struct elf_file *file, struct str text);

/* The newest version of glibc that it needs symbols of: 34 for GLIBC_2.34; 0 if it needs none. */
unsigned elf_file_glibc(const struct elf_file *file);

/* Does it define this symbol for others? */
bool elf_file_exports(const struct elf_file *file, const char *symbol);

/* May its code be run where it lies? Not on a file system that is mounted noexec. */
NODISCARD bool elf_file_may_run(const char *path, struct err *err);

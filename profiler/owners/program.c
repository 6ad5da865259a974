#include "profiler/owners/program.h"

/* The assembler copies the file, as the next C will with #embed. The Makefile knows of it. */
__asm__(".pushsection .rodata\n"
        "owners_program_begin: .incbin \"profiler/owners/owners.dll\"\n"
        "owners_program_end: .byte 0\n"
        ".popsection\n");
extern const uint8_t owners_program_begin[], owners_program_end[];

struct view owners_program(void)
{
    uintptr_t begin = (uintptr_t)owners_program_begin, end = (uintptr_t)owners_program_end;
    return (struct view){owners_program_begin, (size_t)(end - begin)};
}

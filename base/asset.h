/* asset.h - a file of the source tree that is part of the program. The assembler copies it, as the
 * next C will with #embed; the Makefile says which object needs which files. */
#pragma once

#include "base/text.h"

/* At file scope: the file at `path`, from the top of the tree, as asset_NAME. */
#define ASSET(name, path)                                                                          \
    __asm__(".pushsection .rodata\n"                                                               \
            "asset_" #name ": .incbin \"" path "\"\n"                                              \
            "asset_" #name "_end: .byte 0\n"                                                       \
            ".popsection\n");                                                                      \
    extern const char asset_##name[], asset_##name##_end[]

#define ASSET_STR(name)                                                                            \
    ((struct str){asset_##name, (size_t)((uintptr_t)asset_##name##_end - (uintptr_t)asset_##name)})

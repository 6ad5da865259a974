#include "reporters/html/asset.h"

#include "base/text.h"
#include "reporters/html/site_folder.h"

/* The assembler copies the file, as the next C will with #embed. The Makefile knows of it. */
#define ASSET(name, path)                                                                          \
    __asm__(".pushsection .rodata\n"                                                               \
            "asset_" #name ": .incbin \"" path "\"\n"                                              \
            "asset_" #name "_end: .byte 0\n"                                                       \
            ".popsection\n");                                                                      \
    extern const char asset_##name[], asset_##name##_end[]

ASSET(style, "reporters/html/style.css");
ASSET(script, "reporters/html/script.js");

static struct str between(const char *begin, const char *end)
{
    return (struct str){begin, (size_t)((uintptr_t)end - (uintptr_t)begin)};
}

bool asset_write_all(struct destination *destination, struct err *err)
{
    bool ignores = site_folder_may_be_ignored(destination->folder);
    return destination_put_file(destination, "style.css", between(asset_style, asset_style_end),
                                err) &&
           destination_put_file(destination, "script.js", between(asset_script, asset_script_end),
                                err) &&
           (!ignores || destination_put_file(destination, ".gitignore", STR("*\n"), err));
}

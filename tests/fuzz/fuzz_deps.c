/* fuzz_deps.c - *.deps.json and patterns: text that decides what is instrumented. The first byte
 * says which; a pattern's text follows up to a NUL, then what it is matched with. */
#include <string.h>

#include "scope/deps.h"
#include "scope/pattern.h"
#include "tests/fuzz/fuzz.h"

enum {
    PATTERN = 0x80
};

static void read_deps(struct view json)
{
    struct deps deps;
    struct err err = {.code = ERR_NONE};
    if (!deps_read(&deps, json, fuzz_arena(), &err)) {
        fuzz_check_err(&err);
        return;
    }
    for (uint32_t i = 0; i < deps.package_count; i++)
        FUZZ_ASSERT(deps_is_package(&deps, deps.package_files[i]),
                    "a package's file is not one of its files");
    for (uint32_t i = 0; i < deps.project_count; i++)
        FUZZ_ASSERT(deps_is_project(&deps, deps.project_files[i]),
                    "a project's file is not one of its files");
}

static void match(struct str text, struct str name)
{
    struct pattern pattern;
    struct err err = {.code = ERR_NONE};
    if (!pattern_parse(&pattern, text, &err)) {
        fuzz_check_err(&err);
        return;
    }
    bool assembly = pattern_matches_assembly(&pattern, name);
    bool type = pattern_matches_type(&pattern, name, name);
    FUZZ_ASSERT(assembly || !type, "a type of an assembly that does not match");
    FUZZ_ASSERT(!pattern_is_whole_assembly(&pattern) || assembly == type, "whole, but not all");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    if ((data[0] & PATTERN) == 0) {
        read_deps((struct view){data + 1, size - 1});
        return 0;
    }
    const uint8_t *end = memchr(data + 1, 0, size - 1);
    if (end == NULL)
        return 0;
    match((struct str){(const char *)data + 1, (size_t)(end - data - 1)},
          (struct str){(const char *)end + 1, size - (size_t)(end + 1 - data)});
    return 0;
}

static void add_text(fuzz_add *add, const char *name, const char *text, size_t len)
{
    add(name, (struct view){(const uint8_t *)text, len});
}

void fuzz_seeds(fuzz_add *add)
{
    static const char json[] =
        " {\"runtimeTarget\":{\"name\":\".NETCoreApp,Version=v10.0/linux-x64\"},\"targets\":{"
        "\".NETCoreApp,Version=v10.0/linux-x64\":{\"App/1.0.0\":{\"dependencies\":{\"P\":\"1\"},"
        "\"runtime\":{\"App.dll\":{}}},\"P/1\":{\"runtime\":{\"lib/net10.0/P\\u0041.dll\":{"
        "\"assemblyVersion\":\"1.0\"}}}}},\"libraries\":{\"App/1.0.0\":{\"type\":\"project\"},"
        "\"P/1\":{\"type\":\"package\",\"n\":[1,-2.5e3,true,null]}}}";
    static const char star[] = "\x80[My*.A?p]*.X*\0My.App.X";
    add_text(add, "deps", json, sizeof json - 1);
    add_text(add, "pattern", star, sizeof star - 1);
    add_text(add, "pattern-plain",
             "\x80"
             "App\0app",
             8);
}

/* Prints the names that people read, of each method of DLLs:
 *
 *     display_names FILE...   "<file> <token> <type>: <method>(<parameters>)"
 *
 * tests/conformance/display/Program.cs prints the same with Roslyn. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "coverage/names/display_name.h"
#include "coverage/names/display_type.h"
#include "metadata/lookup.h"
#include "metadata/module.h"

static bool print_method(const char *file, const struct metadata *md, uint32_t rid,
                         struct arena *arena, struct err *err)
{
    struct str type, name, signature;
    if (!display_type(&type, md, owner_of_method(md, rid), arena, err) ||
        !display_method(&name, &signature, md, rid, arena, err))
        return false;
    (void)printf("%s %08" PRIx32 " %.*s: %.*s%.*s\n", file, TOKEN(TABLE_MethodDef, rid),
                 STR_ARGS(type), STR_ARGS(name), STR_ARGS(signature));
    return true;
}

static bool print_module(const char *path)
{
    struct err err = {.code = ERR_NONE};
    struct module module;
    struct arena arena;
    const char *slash = strrchr(path, '/');
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    bool is_open = module_open_file(&module, path, &err), ok = is_open;
    for (uint32_t rid = 1; ok && rid <= tables_rows(&module.md.tables, TABLE_MethodDef); rid++) {
        ok = print_method(slash != NULL ? slash + 1 : path, &module.md, rid, &arena, &err);
        arena_reset(&arena);
    }
    if (!ok)
        (void)fprintf(stderr, "%s: %s\n", path, err.text);
    if (is_open)
        module_close(&module);
    arena_free(&arena);
    return ok;
}

int main(int argc, char **argv)
{
    bool ok = argc > 1;
    for (int i = 1; i < argc; i++)
        ok = print_module(argv[i]) && ok;
    return ok ? 0 : 1;
}

#include "cli/base/map_options.h"

static bool take(void *field, const char *value, const struct option_taking *taking,
                 struct err *err)
{
    struct path_maps *maps = field;
    if (maps->items == NULL)
        maps->items = ARENA_NEW(taking->arena, struct path_map, taking->room, err);
    if (maps->items == NULL)
        return false;
    if (path_map_parse(&maps->items[maps->count], str_of(value), err)) {
        maps->count++;
        return true;
    }
    err_prefix(err, "--map");
    return false;
}

const struct option_row map_rows[] = {
    {.name = "map",
     .argument = "FROM=TO",
     .take = take,
     .help = "sources that the build had below FROM are below TO here: /build/src=src",
     .more = "May be repeated; the longest FROM that fits counts. FROM is the start of a path as "
             "the compiler or another tool wrote it, in whole parts: /build/src, /_, "
             "'C:\\agent\\_work\\1\\s'. TO is below the source root, unless it is absolute.",
     .repeats = true,
     .rare = true},
    {.name = NULL},
};

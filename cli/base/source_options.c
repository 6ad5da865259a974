#include "cli/base/source_options.h"

#include "cli/base/option_values.h"

static bool take_map(void *field, const char *value, const struct option_taking *taking,
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

const struct option_row source_rows[] = {
    {.letter = 'r',
     .name = "root",
     .argument = "DIR",
     .take = option_take_text,
     .field = offsetof(struct source_options, root),
     .help = "source root (default: top of the git work tree)",
     .more = "Outside of git it is the current directory. Paths in reports are relative to it. "
             "Sources outside it are not reported: one line "
             "names them, and no gate passes unless this option is given.",
     .completes = COMPLETE_FOLDER,
     .usual = "of the run, or the top of the git work tree"},
    {.name = "map",
     .argument = "FROM=TO",
     .take = take_map,
     .field = offsetof(struct source_options, maps),
     .help = "sources that the build had below FROM are below TO here: /build/src=src",
     .more = "May be repeated; the longest FROM that fits counts. FROM is the start of a path as "
             "the compiler or another tool wrote it, in whole parts: /build/src, /_, "
             "'C:\\agent\\_work\\1\\s'. TO is below the source root, unless it is absolute.",
     .repeats = true,
     .rare = true},
    {.name = NULL},
};

const struct option_saying source_says[] = {
    {"root", "source root (default: the run's)", NULL},
    {NULL, NULL, NULL},
};

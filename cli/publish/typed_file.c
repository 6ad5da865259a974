#include "cli/publish/typed_file.h"

#include "cli/options/say.h"
#include "cli/publish/source_root.h"
#include "coverage/source/paths.h"

enum {
    PATHS_MOST = 10 /* that a message lists */
};

bool typed_file_relative(struct str *out, struct str sources_root, struct str name,
                         struct arena *arena, struct err *err)
{
    enum path_place place;
    struct str typed, absolute;
    *out = STR("");
    if (!str_copy(&typed, name, arena, err) ||
        !source_root_given(&absolute, typed.text, arena, err) ||
        !paths_place(&place, out, sources_root, absolute, arena, err))
        return false;
    if (place != PATH_INSIDE)
        *out = STR("");
    return true;
}

bool typed_file_choose(struct file_choice *out, struct str *name, struct line_list *lines,
                       const struct report_files *files, struct str sources_root, struct str typed,
                       struct arena *arena, struct err *err)
{
    struct str relative;
    return file_choice_split(name, lines, typed, arena, err) &&
           typed_file_relative(&relative, sources_root, *name, arena, err) &&
           file_choose(out, files, *name, relative, arena, err);
}

void typed_file_say_paths(const struct file_choice *choice)
{
    for (uint32_t i = 0; i < choice->path_count && i < PATHS_MOST; i++)
        say("  %.*s", STR_ARGS(choice->paths[i]));
    if (choice->path_count > PATHS_MOST)
        say("  and %u more", choice->path_count - PATHS_MOST);
}

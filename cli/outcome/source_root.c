#include "cli/outcome/source_root.h"

#include "base/path.h"
#include "coverage/source/paths.h"
#include "system/file_status.h"
#include "system/folder.h"

bool source_root_given(struct str *out, const char *given, struct arena *arena, struct err *err)
{
    char path[PATH_ROOM], here[PATH_ROOM];
    *out = (struct str){"", 0};
    if (given == NULL)
        return true;
    if (file_real_path(path, given))
        return str_copy(out, str_of(path), arena, err);
    *out = str_of(given);
    if (!path_is_absolute(*out) && file_current_folder(here) &&
        !path_join(out, str_of(here), *out, arena, err))
        return false;
    return path_tidy(out, *out, arena, err);
}

bool source_root_find(struct str *out, const struct facts *facts, struct str given,
                      struct arena *arena, struct err *err)
{
    char root[PATH_ROOM];
    *out = given;
    for (uint32_t i = facts->run_count; i-- > 0 && out->len == 0;)
        if (facts->runs[i].kind != RUN_CARRIED)
            *out = facts->runs[i].root;
    if (out->len != 0 && file_exists(out->text))
        return true;
    return paths_root(root, NULL, err) && str_copy(out, str_of(root), arena, err);
}

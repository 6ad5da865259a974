#include "cli/outcome/source_root.h"

#include "base/path.h"
#include "cli/base/say.h"
#include "coverage/report/outside.h"
#include "coverage/source/paths.h"
#include "system/file/file_exists.h"
#include "system/file/file_name.h"

bool source_root_given(struct str *out, const char *given, struct arena *arena, struct err *err)
{
    char path[PATH_ROOM], here[PATH_ROOM];
    *out = (struct str){"", 0};
    if (given == NULL)
        return true;
    if (file_real_path(path, given))
        return str_copy(out, str_of(path), arena, err);
    if (path_is_absolute(str_of(given)) || !file_current_folder(here))
        return str_copy(out, str_of(given), arena, err);
    return path_join(out, str_of(here), str_of(given), arena, err);
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

/* --- another root ----------------------------------------------------------------------------- */

/* The sources that reports show. */
struct sources_there {
    uint32_t count;
    struct str first;
    bool any; /* is there one? Then the count is not that of all. */
};

static struct sources_there look(const struct facts *facts, struct str root)
{
    struct sources_there there = {.count = 0};
    for (uint32_t m = 0; m < facts->module_count && !there.any; m++)
        for (uint32_t d = 0; d < facts->modules[m].document_count && !there.any; d++) {
            const struct fact_document *document = &facts->modules[m].documents[d];
            char path[PATH_ROOM];
            if (document->relative.len == 0 || document->reason != NULL)
                continue;
            if (there.count++ == 0)
                there.first = document->relative;
            there.any = path_join_in(path, root, document->relative) && file_exists(path);
        }
    return there;
}

bool source_root_move(struct facts *facts, struct str root, struct arena *arena, struct err *err)
{
    return root.len == 0 || outside_take_in(facts, root, look(facts, root).any, arena, err);
}

void source_root_check(const struct facts *facts, struct str root)
{
    struct sources_there there = {.any = true};
    if (root.len != 0)
        there = look(facts, root);
    if (there.any || there.count == 0)
        return;
    if (there.count == 1)
        say("the only source, %.*s, is not below the root %.*s", STR_ARGS(there.first),
            STR_ARGS(root));
    else
        say("none of the %u sources is below the root %.*s, not even %.*s", there.count,
            STR_ARGS(root), STR_ARGS(there.first));
}

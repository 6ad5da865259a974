#include "reporters/html/site_folder.h"

#include "base/path.h"
#include "reporters/html/frame.h"
#include "reporters/html/stale_pages.h"
#include "reporters/html/test_files.h"
#include "system/file_status.h"
#include "system/folder.h"
#include "system/output_folder.h"

static const char *const assets[] = {"style.css", "script.js"};
static const char *const folders[] = {"files", "folders", "types", TEST_FILES, "changes"};

static bool is_there(const char *folder, const char *name)
{
    char path[PATH_ROOM];
    return path_join_in(path, str_of(folder), str_of(name)) && file_or_link_exists(path);
}

bool site_folder_check(const char *folder, struct err *err)
{
    const char *others = NULL;
    bool is_ours = false;
    for (size_t i = 0; stale_pages_index(i) != NULL; i++) {
        const char *page = stale_pages_index(i);
        bool is_page = output_folder_has_marked(folder, page, STR(FRAME_FOOT));
        is_ours = is_ours || is_page;
        if (!is_page && is_there(folder, page))
            others = page;
    }
    for (size_t i = 0; i < ARRAY_LEN(assets) && !is_ours; i++)
        if (is_there(folder, assets[i]))
            others = assets[i];
    return others == NULL ||
           err_set(err, ERR_IO,
                   "has a file %s that is not ilcov's, and the report would replace it: name "
                   "another folder",
                   others);
}

/* --- .gitignore ------------------------------------------------------------------------------- */

static bool is_one_of(const char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (str_is(str_of(name), names[i]))
            return true;
    return false;
}

static bool is_of_site(void *context, const char *name)
{
    (void)context;
    for (size_t i = 0; stale_pages_index(i) != NULL; i++)
        if (str_is(str_of(name), stale_pages_index(i)))
            return true;
    return is_one_of(assets, ARRAY_LEN(assets), name) ||
           is_one_of(folders, ARRAY_LEN(folders), name);
}

bool site_folder_may_be_ignored(const char *folder)
{
    return folder_each_entry(folder, is_of_site, NULL);
}

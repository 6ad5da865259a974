#include "reporters/html/site_folder.h"

#include <stdlib.h>
#include <string.h>

#include "base/asset.h"
#include "base/path.h"
#include "base/sort.h"
#include "reporters/html/page_name.h"
#include "reporters/html/test_files.h"
#include "system/file_status.h"
#include "system/folder.h"
#include "system/output_folder.h"

ASSET(style, "reporters/html/style.css");
ASSET(script, "reporters/html/script.js");

static const char *const assets[] = {"style.css", "script.js"};
static const char *const indexes[] = {
    "index.html",          "types.html",       PAGE_HOTSPOTS,
    "left-out.html",       PAGE_CHANGES,       "changes-lost.html",
    "changes-gained.html", "changes-new.html", "changes-methods.html"};

static bool is_index_name(struct str file)
{
    for (size_t i = 0; i < ARRAY_LEN(indexes); i++)
        if (str_is(file, indexes[i]))
            return true;
    return false;
}

static bool is_page(struct str file)
{
    return page_name_is_one(file, ".html");
}

static const struct {
    const char *name;
    struct str mark; /* near the start or end of each of our files in it */
    bool (*is_ours)(struct str file);
} folders[] = {
    {"", {PAGE_FOOT, sizeof PAGE_FOOT - 1}, is_index_name},
    {"files", {PAGE_FOOT, sizeof PAGE_FOOT - 1}, is_page},
    {"folders", {PAGE_FOOT, sizeof PAGE_FOOT - 1}, is_page},
    {"types", {PAGE_FOOT, sizeof PAGE_FOOT - 1}, is_page},
    {"changes", {PAGE_FOOT, sizeof PAGE_FOOT - 1}, is_page},
    {TEST_FILES, {TEST_FILES_HEAD, sizeof TEST_FILES_HEAD - 1}, test_file_is_one},
};

/* --- what is somebody's ----------------------------------------------------------------------- */

static bool is_in_site(const char *folder, const char *name)
{
    char path[PATH_ROOM];
    return path_join_in(path, str_of(folder), str_of(name)) && file_or_link_exists(path);
}

bool site_folder_check(const char *folder, struct err *err)
{
    const char *others = NULL;
    bool is_ours = false;
    for (size_t i = 0; i < ARRAY_LEN(indexes); i++) {
        bool is_page = output_folder_has_marked(folder, indexes[i], STR(PAGE_FOOT));
        is_ours = is_ours || is_page;
        if (!is_page && is_in_site(folder, indexes[i]))
            others = indexes[i];
    }
    for (size_t i = 0; i < ARRAY_LEN(assets) && !is_ours; i++)
        if (is_in_site(folder, assets[i]))
            others = assets[i];
    return others == NULL ||
           err_set(err, ERR_IO,
                   "has a file %s that is not ilcov's, and the report would replace it: name "
                   "another folder",
                   others);
}

/* --- assets ----------------------------------------------------------------------------------- */

static bool is_of_site(void *context, const char *name)
{
    (void)context;
    for (size_t i = 0; i < ARRAY_LEN(folders); i++)
        if (strcmp(name, folders[i].name) == 0)
            return true;
    return is_index_name(str_of(name)) || strcmp(name, assets[0]) == 0 ||
           strcmp(name, assets[1]) == 0;
}

bool site_folder_add_assets(struct destination *destination, struct err *err)
{
    bool ignores = folder_each_entry(destination->folder, is_of_site, NULL);
    return destination_put_file(destination, assets[0], ASSET_STR(style), err) &&
           destination_put_file(destination, assets[1], ASSET_STR(script), err) &&
           (!ignores || destination_put_file(destination, ".gitignore", STR("*\n"), err));
}

/* --- what is not written any more ------------------------------------------------------------- */

struct page_sweep {
    const struct page_set *pages;
    size_t folder; /* of `folders` */
};

static bool is_stale_page(void *context, struct str file)
{
    const struct page_sweep *s = context;
    const char *folder = folders[s->folder].name;
    char room[PATH_ROOM];
    int len = snprintf(room, sizeof room, "%s%s%.*s", folder, folder[0] != '\0' ? "/" : "",
                       STR_ARGS(file));
    struct str name = {room, (size_t)len};
    return folders[s->folder].is_ours(file) && name.len < sizeof room &&
           sorted_find(&name, s->pages->written.items, s->pages->written.count, sizeof name,
                       str_order) == NULL;
}

void site_folder_sweep(const struct page_set *pages)
{
    struct page_sweep s = {.pages = pages};
    if (pages->written.count != 0)
        qsort(pages->written.items, pages->written.count, sizeof(struct str), str_order);
    for (; s.folder < ARRAY_LEN(folders); s.folder++)
        output_folder_remove(pages->job->destination->folder, folders[s.folder].name,
                             folders[s.folder].mark, is_stale_page, &s);
}

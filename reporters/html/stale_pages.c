#include "reporters/html/stale_pages.h"

#include <stdlib.h>
#include <string.h>

#include "reporters/html/frame.h"
#include "reporters/html/page_name.h"
#include "reporters/html/test_files.h"

/* The indexes that a folder may have besides index.html. */
static const struct {
    unsigned scope;
    const char *name;
} indexes[] = {
    {STALE_REPORT, "types.html"},         {STALE_REPORT, FRAME_HOTSPOTS},
    {STALE_REPORT, "left-out.html"},      {STALE_CHANGES, FRAME_CHANGES},
    {STALE_CHANGES, "changes-lost.html"}, {STALE_CHANGES, "changes-gained.html"},
    {STALE_CHANGES, "changes-new.html"},  {STALE_CHANGES, "changes-methods.html"},
};

const char *stale_pages_index(size_t index)
{
    if (index == 0)
        return "index.html";
    return index <= ARRAY_LEN(indexes) ? indexes[index - 1].name : NULL;
}

static bool is_page(struct str file)
{
    return page_name_is_one(file, ".html");
}

static const struct {
    unsigned scope;
    const char *name;
    struct str mark; /* near the start or end of each of our files in it */
    bool (*is_ours)(struct str file);
} folders[] = {
    {STALE_REPORT, "files", {FRAME_FOOT, sizeof FRAME_FOOT - 1}, is_page},
    {STALE_REPORT, "folders", {FRAME_FOOT, sizeof FRAME_FOOT - 1}, is_page},
    {STALE_REPORT, "types", {FRAME_FOOT, sizeof FRAME_FOOT - 1}, is_page},
    {STALE_REPORT, TEST_FILES, {TEST_FILES_HEAD, sizeof TEST_FILES_HEAD - 1}, test_file_is_one},
    {STALE_CHANGES, "changes", {FRAME_FOOT, sizeof FRAME_FOOT - 1}, is_page},
};

struct sweep {
    const struct list *pages; /* in order */
    const char *folder;       /* that is looked through; "" is the top */
    unsigned scope;
    bool (*is_ours)(struct str file);
};

/* --- what is kept ----------------------------------------------------------------------------- */

bool stale_pages_keep(struct list *pages, struct str page, struct arena *arena, struct err *err)
{
    return list_put(pages, &page, sizeof page, arena, err);
}

static bool keep_test_files(struct list *pages, const struct site *site, struct err *err)
{
    const struct str *files = site->test_files->items;
    for (uint32_t i = 0; i < site->test_files->count; i++)
        if (!stale_pages_keep(pages, files[i], site->scratch, err))
            return false;
    return true;
}

static bool keep_tree(struct list *pages, const struct site *site, struct tree_node *root,
                      struct err *err)
{
    for (struct tree_node *node = root; node != NULL; node = tree_next(root, node))
        if (node->page.len != 0 && !stale_pages_keep(pages, node->page, site->scratch, err))
            return false;
    return true;
}

/* --- the others ------------------------------------------------------------------------------- */

/* Is the page before or after the file of a folder in order? */
static int order_in_folder(struct str page, const char *folder, struct str file)
{
    size_t len = strlen(folder);
    struct str start = {page.text, page.len < len ? page.len : len};
    int order = str_cmp(start, str_of(folder));
    if (len == 0)
        return str_cmp(page, file);
    if (order != 0 || page.len == len)
        return order != 0 ? order : -1;
    if (page.text[len] != '/') /* "changes-lost.html" and "changes.html" */
        return page.text[len] < '/' ? -1 : 1;
    return str_cmp((struct str){page.text + len + 1, page.len - len - 1}, file);
}

static bool is_kept(const struct sweep *s, struct str file)
{
    const struct str *pages = s->pages->items;
    uint32_t low = 0, high = s->pages->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = order_in_folder(pages[middle], s->folder, file);
        if (order == 0)
            return true;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

static bool is_stale(void *context, struct str file)
{
    const struct sweep *s = context;
    return s->is_ours(file) && !is_kept(s, file);
}

static bool is_stale_index(void *context, struct str file)
{
    const struct sweep *s = context;
    for (size_t i = 0; i < ARRAY_LEN(indexes); i++)
        if ((indexes[i].scope & s->scope) && str_is(file, indexes[i].name))
            return !is_kept(s, file);
    return false;
}

void stale_pages_sweep(struct destination *destination, const struct list *pages, unsigned scope)
{
    struct sweep s = {.pages = pages, .folder = "", .scope = scope};
    if (pages->count != 0)
        qsort(pages->items, pages->count, sizeof(struct str), str_order);
    destination_remove_files(destination, "", STR(FRAME_FOOT), is_stale_index, &s);
    for (size_t i = 0; i < ARRAY_LEN(folders); i++) {
        s.folder = folders[i].name;
        s.is_ours = folders[i].is_ours;
        if (folders[i].scope & scope)
            destination_remove_files(destination, s.folder, folders[i].mark, is_stale, &s);
    }
}

bool stale_pages_remove(struct site *site, struct err *err)
{
    struct list pages = {.items = NULL};
    bool has_changes = site->parts & FRAME_HAS_CHANGES;
    arena_reset(site->scratch);
    if (!keep_tree(&pages, site, &site->folders, err) ||
        !keep_tree(&pages, site, &site->types, err) || !keep_test_files(&pages, site, err) ||
        !stale_pages_keep(&pages, STR("types.html"), site->scratch, err) ||
        !stale_pages_keep(&pages, STR("left-out.html"), site->scratch, err) ||
        ((site->parts & FRAME_HAS_HOTSPOTS) &&
         !stale_pages_keep(&pages, STR(FRAME_HOTSPOTS), site->scratch, err)))
        return false;
    stale_pages_sweep(site->destination, &pages,
                      has_changes ? STALE_REPORT : STALE_REPORT | STALE_CHANGES);
    return true;
}

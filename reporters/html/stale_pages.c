#include "reporters/html/stale_pages.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "reporters/html/frame.h"
#include "reporters/html/page_name.h"

static const char *const page_folders[] = {"files", "folders", "types"};

struct sweep {
    struct list pages;  /* struct str: all of this report, in order */
    const char *folder; /* that is looked through */
};

/* --- the pages of this report ----------------------------------------------------------------- */

static int order_pages(const void *left, const void *right)
{
    return str_cmp(*(const struct str *)left, *(const struct str *)right);
}

static bool add_page(struct sweep *s, const struct site *site, struct str page, struct err *err)
{
    struct str *added = list_add(&s->pages, sizeof *added, site->scratch, err);
    if (added != NULL)
        *added = page;
    return added != NULL;
}

static bool add_tree(struct sweep *s, const struct site *site, struct tree_node *root,
                     struct err *err)
{
    for (struct tree_node *node = root; node != NULL; node = tree_next(root, node))
        if (node->page.len != 0 && !add_page(s, site, node->page, err))
            return false;
    return true;
}

/* --- the others ------------------------------------------------------------------------------- */

/* Is the page in `folder` before or after the file in order? */
static int order_in_folder(struct str page, const char *folder, struct str file)
{
    size_t len = strlen(folder);
    struct str start = {page.text, page.len < len ? page.len : len};
    int order = str_cmp(start, str_of(folder));
    if (order != 0)
        return order;
    return str_cmp((struct str){page.text + len + 1, page.len - len - 1}, file);
}

static bool is_stale(void *context, struct str file)
{
    const struct sweep *s = context;
    const struct str *pages = s->pages.items;
    uint32_t low = 0, high = s->pages.count;
    if (!page_name_is_one(file))
        return false;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = order_in_folder(pages[middle], s->folder, file);
        if (order == 0)
            return false;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return true;
}

bool stale_pages_remove(struct site *site, struct err *err)
{
    struct sweep s = {.folder = NULL};
    arena_reset(site->scratch);
    if (!add_tree(&s, site, &site->folders, err) || !add_tree(&s, site, &site->types, err))
        return false;
    if (s.pages.count != 0)
        qsort(s.pages.items, s.pages.count, sizeof(struct str), order_pages);
    for (size_t i = 0; i < ARRAY_LEN(page_folders); i++) {
        s.folder = page_folders[i];
        destination_remove_files(site->destination, s.folder, STR(FRAME_FOOT), is_stale, &s);
    }
    return true;
}

#include "reporters/diff/change_frame.h"

enum {
    TABS_ROOM = 6
};

const char *change_overview(const struct changes *changes)
{
    return changes->is_beside ? PAGE_CHANGES : "index.html";
}

const char *change_list_page(enum change_list list)
{
    static const char *const names[] = {[CHANGE_LOST] = "changes-lost.html",
                                        [CHANGE_NEW] = "changes-new.html",
                                        [CHANGE_GAINED] = "changes-gained.html"};
    _Static_assert(ARRAY_LEN(names) == CHANGE_LIST_COUNT, "a page for each");
    return names[list];
}

void change_frame_begin(struct page *page, const struct changes *changes, struct str name,
                        struct str title, const char *kind)
{
    bool has_base = changes->diff->base_name.len != 0;
    struct page_tab tabs[TABS_ROOM] = {{change_overview(changes), "Overview"}};
    size_t count = 1;
    if (has_base)
        tabs[count++] = (struct page_tab){change_list_page(CHANGE_LOST), "Lost"};
    tabs[count++] = (struct page_tab){change_list_page(CHANGE_NEW),
                                      has_base ? "New and missed" : "Missed in the patch"};
    if (has_base)
        tabs[count++] = (struct page_tab){change_list_page(CHANGE_GAINED), "Gained"};
    tabs[count] = (struct page_tab){CHANGE_METHODS, "Methods"};
    page_begin(page, changes->pages, name);
    page_put(page, "%.*s", STR_ARGS(title));
    page_put_head(page, kind, changes->is_beside ? NULL : tabs);
    if (changes->is_beside)
        page_put_tabs(page, "Changes", tabs);
}

static void open_part_link(struct page *page, const struct change_file *file, uint32_t part,
                           const char *prefix, uint32_t number)
{
    page_open_link(page, file->pages[part != 0 ? part - 1 : 0], prefix, part != 0 ? number : 0);
}

void change_open_section(struct page *page, const struct change_file *file, uint32_t section)
{
    open_part_link(page, file, file->section_parts[section], "s", section + 1);
}

void change_open_line(struct page *page, const struct change_file *file,
                      const struct diff_line *line)
{
    open_part_link(page, file, file->line_parts[line - file->file->lines], "L", line->number);
}

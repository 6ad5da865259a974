#include "reporters/diff/change_frame.h"

#include "reporters/html/frame.h"
#include "reporters/html/html_text.h"

enum {
    TABS_ROOM = 6
};

const char *change_overview(const struct changes *changes)
{
    return changes->is_beside ? FRAME_CHANGES : "index.html";
}

const char *change_list_page(enum change_list list)
{
    static const char *const names[] = {[CHANGE_LOST] = "changes-lost.html",
                                        [CHANGE_NEW] = "changes-new.html",
                                        [CHANGE_GAINED] = "changes-gained.html"};
    _Static_assert(ARRAY_LEN(names) == CHANGE_LIST_COUNT, "a page for each");
    return names[list];
}

static void put_own_tabs(struct text *out, struct str name, const struct frame_tab *tabs)
{
    text_add(out, STR("<nav aria-label=Changes><ul class=tabs>"));
    for (; tabs->name != NULL; tabs++) {
        text_add(out, STR("<li><a"));
        frame_link(out, name, str_of(tabs->name), "", 0);
        text_add_c(out, str_is(name, tabs->name) ? " aria-current=page>" : ">");
        text_add_c(out, tabs->label);
        text_add(out, STR("</a>"));
    }
    text_add(out, STR("</ul></nav>\n"));
}

/* Ends with a NULL name. */
static void list_tabs(struct frame_tab tabs[TABS_ROOM], const struct changes *changes)
{
    bool has_base = changes->diff->base_name.len != 0;
    size_t count = 0;
    tabs[count++] = (struct frame_tab){change_overview(changes), "Overview"};
    if (has_base)
        tabs[count++] = (struct frame_tab){change_list_page(CHANGE_LOST), "Lost"};
    tabs[count++] = (struct frame_tab){change_list_page(CHANGE_NEW),
                                       has_base ? "New and missed" : "Missed in the patch"};
    if (has_base)
        tabs[count++] = (struct frame_tab){change_list_page(CHANGE_GAINED), "Gained"};
    tabs[count++] = (struct frame_tab){CHANGE_METHODS, "Methods"};
    tabs[count] = (struct frame_tab){NULL, NULL};
}

const char *change_index_page(const struct changes *changes, size_t i)
{
    struct frame_tab tabs[TABS_ROOM];
    list_tabs(tabs, changes);
    return tabs[i].name;
}

void change_frame_begin(struct text *out, const struct changes *changes, struct str name,
                        struct str title, const char *kind)
{
    struct frame_tab tabs[TABS_ROOM];
    list_tabs(tabs, changes);
    frame_begin(out);
    html_text(out, title);
    if (!changes->is_beside) {
        frame_tabs(out, name, kind, tabs);
        return;
    }
    frame_report_tabs(out, name, kind, frame_parts_of(changes->job));
    put_own_tabs(out, name, tabs);
}

bool change_frame_end(struct text *out, const struct changes *changes, struct str name,
                      struct err *err)
{
    struct str bytes;
    frame_foot(out);
    frame_end(out);
    return text_take(&bytes, out, err) &&
           destination_put_file(changes->job->destination, name.text, bytes, err);
}

static void link_part(struct text *out, struct str from, const struct change_file *file,
                      uint32_t part, const char *prefix, uint32_t number)
{
    frame_link(out, from, file->pages[part != 0 ? part - 1 : 0], prefix, part != 0 ? number : 0);
}

void change_link_section(struct text *out, struct str from, const struct change_file *file,
                         uint32_t section)
{
    link_part(out, from, file, file->section_parts[section], "s", section + 1);
}

void change_link_line(struct text *out, struct str from, const struct change_file *file,
                      const struct diff_line *line)
{
    link_part(out, from, file, file->line_parts[line - file->file->lines], "L", line->number);
}

#include "reporters/html/site_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "reporters/html/page_name.h"

/* A tree with more rows than this has a page for each of its branches, and a node with more
 * children than this has branches made for them. */
enum {
    PAGE_ROWS = 500
};

/* --- folders and files ------------------------------------------------------------------------ */

/* The length of the part of the path that ends with the slash after `from`; 0: none follows. */
static size_t folder_end(struct str path, size_t from)
{
    const char *slash = from < path.len ? memchr(path.text + from, '/', path.len - from) : NULL;
    return slash != NULL ? (size_t)(slash - path.text) + 1 : 0;
}

static struct str cut_entry_name(struct str path, size_t begin, size_t end)
{
    return (struct str){path.text + begin, end - begin};
}

/* Files are in the order of their paths: each folder that one is in is the last of the folder above
 * it, or a new one. A path is as deep as its length allows. */
static struct tree_node *folder_of_path(struct site *site, struct str path, struct err *err)
{
    struct tree_node *folder = &site->folders;
    for (size_t begin = 0, end; (end = folder_end(path, begin)) != 0; begin = end) {
        struct tree_node *below = folder->last;
        struct str whole = cut_entry_name(path, 0, end - 1);
        if (below == NULL || !str_eq(below->path, whole)) {
            below = tree_add(folder, TREE_FOLDER, cut_entry_name(path, begin, end - 1), site->arena,
                             err);
            if (below == NULL)
                return NULL;
            below->path = whole;
        }
        folder = below;
    }
    return folder;
}

static bool has_namesake_file(const struct site *site, uint32_t i)
{
    return (i > 0 && str_eq(site->files[i - 1].source.path, site->files[i].source.path)) ||
           (i + 1 < site->file_count &&
            str_eq(site->files[i + 1].source.path, site->files[i].source.path));
}

static bool add_file_node(struct site *site, uint32_t i, struct tree_node *folder, struct err *err)
{
    struct site_file *file = &site->files[i];
    struct str path = file->source.path;
    size_t begin = folder != &site->folders ? folder->path.len + 1 : 0;
    struct tree_node *node =
        tree_add(folder, TREE_FILE, cut_entry_name(path, begin, path.len), site->arena, err);
    if (node == NULL)
        return false;
    node->path = path;
    node->remark = has_namesake_file(site, i) ? file->source.package->name : STR("");
    node->page = file->page;
    node->totals = file->source.totals;
    node->not_loaded = file->source.package->not_loaded;
    if (file->source.first_miss != 0) {
        node->missed_page = file->page;
        node->missed_line = file->source.first_miss;
    }
    file->node = node;
    return true;
}

/* A folder whose only content is a folder shares its row: "src/Shop.Core". */
static void join_folders(struct tree_node *folder)
{
    while (folder->kind == TREE_FOLDER && folder->first == folder->last &&
           folder->first->kind == TREE_FOLDER) {
        const struct tree_node *only = folder->first;
        folder->label =
            cut_entry_name(only->path, folder->path.len - folder->label.len, only->path.len);
        folder->path = only->path;
        folder->first = only->first;
        folder->last = only->last;
        for (struct tree_node *child = folder->first; child != NULL; child = child->next)
            child->parent = folder;
    }
}

/* In each folder, folders come before files. */
static bool grow_folders(struct site *site, struct err *err)
{
    for (uint32_t i = 0; i < site->file_count; i++) {
        site->files[i].node = folder_of_path(site, site->files[i].source.path, err);
        if (site->files[i].node == NULL)
            return false;
    }
    for (uint32_t i = 0; i < site->file_count; i++)
        if (!add_file_node(site, i, site->files[i].node, err))
            return false;
    for (struct tree_node *node = &site->folders; node != NULL;
         node = tree_next(&site->folders, node))
        join_folders(node);
    return true;
}

/* --- assemblies, namespaces, types, methods --------------------------------------------------- */

/* "Shop.Orders" of "Shop.Orders.Order`1/Item"; a type without a namespace has an empty one. */
static struct str namespace_of_type(struct str type)
{
    size_t end = 0;
    for (size_t i = 0; i < type.len && strchr("</+(", type.text[i]) == NULL; i++)
        if (type.text[i] == '.')
            end = i;
    return cut_entry_name(type, 0, end);
}

static bool add_method_nodes(struct tree_node *type, const struct report_class *class,
                             const struct site_file *file, struct site *site, struct err *err)
{
    for (uint32_t i = 0; i < class->method_count; i++) {
        const struct report_method *method = &class->methods[i];
        struct tree_node *node =
            tree_add(type, TREE_METHOD, method->display.name, site->arena, err);
        if (node == NULL)
            return false;
        node->remark = method->display.signature;
        node->path = method->name;
        node->page = file->page;
        node->line = method->first_line;
        node->totals = method->totals;
        node->missed_line = method->first_miss;
        node->missed_page = node->missed_line != 0 ? file->page : STR("");
        node->not_loaded = file->source.package->not_loaded;
    }
    return true;
}

static struct tree_node *add_type_node(struct tree_node *assembly, const struct report_class *class,
                                       const struct site_file *file, struct site *site,
                                       struct err *err)
{
    struct str namespace = namespace_of_type(class->name), shown = class->display_name;
    struct tree_node *parent = assembly->last;
    if (parent == NULL || !str_eq(parent->path, namespace)) {
        struct str label = namespace.len != 0 ? namespace : STR("(no namespace)");
        parent = tree_add(assembly, TREE_NAMESPACE, label, site->arena, err);
        if (parent == NULL)
            return NULL;
        parent->path = namespace;
    }
    size_t begin = namespace.len != 0 && namespace.len < shown.len ? namespace.len + 1 : 0;
    struct tree_node *type =
        tree_add(parent, TREE_TYPE, cut_entry_name(shown, begin, shown.len), site->arena, err);
    if (type == NULL)
        return NULL;
    type->path = class->name;
    type->page = file->page;
    type->line = class->first_line;
    return type;
}

/* A type in several files has several classes, one after the other. */
static bool add_class_node(struct tree_node *assembly, const struct report_package *package,
                           const struct report_class *class, struct site *site, struct err *err)
{
    const struct site_file *file = site_find(site, package->name, class->file);
    struct tree_node *type = assembly->last != NULL ? assembly->last->last : NULL;
    uint32_t miss = class->first_miss;
    if (type == NULL || !str_eq(type->path, class->name))
        type = add_type_node(assembly, class, file, site, err);
    if (type == NULL)
        return false;
    report_add_totals(&type->totals, &class->totals);
    if (miss != 0 && type->missed_page.len == 0) {
        type->missed_page = file->page;
        type->missed_line = miss;
    }
    return add_method_nodes(type, class, file, site, err);
}

/* By namespace, so that each has its types next to each other: "A.X" and "A.Y" are in one
 * namespace, "A.B.C", between them, is in another. */
ORDER(order_site_classes, struct report_class *const,
      BY_ORDER(str_cmp(namespace_of_type((*a)->name), namespace_of_type((*b)->name)))
          BY_ORDER((*a > *b) - (*a < *b)))

static bool add_classes(struct tree_node *assembly, const struct report_package *package,
                        struct site *site, struct err *err)
{
    const struct report_class **classes =
        ARENA_NEW(site->scratch, const struct report_class *, package->class_count, err);
    if (classes == NULL)
        return false;
    for (uint32_t i = 0; i < package->class_count; i++)
        classes[i] = &package->classes[i];
    if (package->class_count != 0)
        qsort(classes, package->class_count, sizeof(struct report_class *), order_site_classes);
    for (uint32_t i = 0; i < package->class_count; i++)
        if (!add_class_node(assembly, package, classes[i], site, err))
            return false;
    arena_reset(site->scratch);
    return true;
}

static bool grow_types(struct site *site, struct err *err)
{
    for (uint32_t i = 0; i < site->report->package_count; i++) {
        const struct report_package *package = &site->report->packages[i];
        struct tree_node *assembly =
            tree_add(&site->types, TREE_ASSEMBLY, package->name, site->arena, err);
        if (assembly == NULL)
            return false;
        assembly->path = package->name;
        assembly->not_loaded = package->not_loaded;
        if (!add_classes(assembly, package, site, err))
            return false;
        if (package->class_count == 0) /* no symbols: methods alone are known */
            assembly->totals = package->totals;
    }
    return true;
}

/* --- pages of branches ------------------------------------------------------------------------ */

bool site_tree_splits(const struct tree_node *node)
{
    return node->row_count > PAGE_ROWS;
}

/* What is shown as a whole on one page has no pages below. */
static bool name_pages(struct tree_node *root, const char *folder, struct site *site,
                       struct err *err)
{
    for (struct tree_node *node = root; node != NULL;) {
        bool splits = site_tree_splits(node);
        for (struct tree_node *child = node->first; splits && child != NULL; child = child->next) {
            struct str owner = node == root ? STR("") : node->path;
            if (child->first != NULL && child->kind != TREE_TYPE &&
                !page_name(&child->page, folder, child->path, owner, 0, site->arena, err))
                return false;
        }
        node = splits ? tree_next(root, node) : tree_after(root, node);
    }
    return true;
}

bool site_tree_grow(struct site *site, struct err *err)
{
    site->folders = (struct tree_node){.label = STR("Coverage"), .page = STR("index.html")};
    site->types = (struct tree_node){.label = STR("Coverage"), .page = STR("types.html")};
    if (!grow_folders(site, err) || !grow_types(site, err))
        return false;
    if (!tree_divide(&site->folders, PAGE_ROWS, site->arena, err) ||
        !tree_divide(&site->types, PAGE_ROWS, site->arena, err))
        return false;
    tree_finish(&site->folders);
    tree_finish(&site->types);
    site->folders.totals = site->types.totals = site->report->totals;
    return name_pages(&site->folders, "folders", site, err) &&
           name_pages(&site->types, "types", site, err);
}

#include "cli/settings/imported.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static struct import_setting *setting_of(struct import *import, const char *key,
                                         enum import_kind kind)
{
    struct import_setting *items = import->settings.items;
    for (uint32_t i = 0; i < import->settings.count; i++)
        if (strcmp(items[i].key, key) == 0)
            return &items[i];
    struct import_setting *setting =
        list_add(&import->settings, sizeof *setting, import->arena, import->err);
    if (setting != NULL)
        *setting = (struct import_setting){.key = key, .kind = kind};
    return setting;
}

static bool has_value(const struct import_setting *setting, struct str value)
{
    const struct import_value *values = setting->values.items;
    for (uint32_t i = 0; setting->kind == IMPORT_LIST && i < setting->values.count; i++)
        if (str_eq(values[i].value, value))
            return true;
    return false;
}

void import_add(struct import *import, const char *key, enum import_kind kind, struct str value,
                struct str from, const char *note)
{
    value = import_text(import, "%.*s", STR_ARGS(value)); /* it may be one of a list */
    struct import_setting *setting = import->failed ? NULL : setting_of(import, key, kind);
    if (setting != NULL && has_value(setting, value))
        return;
    if (setting != NULL && kind != IMPORT_LIST)
        setting->values.count = 0;
    struct import_value *item =
        setting != NULL ? list_add(&setting->values, sizeof *item, import->arena, import->err)
                        : NULL;
    import->failed = item == NULL;
    if (item != NULL)
        *item = (struct import_value){value, from, note};
}

void import_drop(struct import *import, struct str from, const char *why, struct str nearest)
{
    struct import_rest *rest =
        import->failed ? NULL : list_add(&import->rest, sizeof *rest, import->arena, import->err);
    import->failed = rest == NULL;
    if (rest != NULL)
        *rest = (struct import_rest){from, why, nearest};
}

struct str import_text(struct import *import, const char *format, ...)
{
    char *text = NULL;
    struct str out = {"", 0};
    va_list args;
    va_start(args, format);
    int len = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (len >= 0 && !import->failed)
        text = arena_alloc(import->arena, (size_t)len + 1, 1, import->err);
    import->failed = text == NULL;
    if (text == NULL)
        return out;
    va_start(args, format);
    (void)vsnprintf(text, (size_t)len + 1, format, args);
    va_end(args);
    return (struct str){text, (size_t)len};
}

/* --- XML -------------------------------------------------------------------------------------- */

const xmlNode *import_next(const xmlNode *parent, const xmlNode *after)
{
    const xmlNode *node = after != NULL ? after->next : parent->children;
    while (node != NULL && node->type != XML_ELEMENT_NODE)
        node = node->next;
    return node;
}

bool import_is(const xmlNode *node, const char *name)
{
    return strcmp((const char *)node->name, name) == 0;
}

struct str import_content(struct import *import, const xmlNode *node)
{
    xmlChar *content = xmlNodeGetContent(node);
    struct str text = import_text(import, "%s", content != NULL ? (const char *)content : "");
    xmlFree(content);
    text = str_trim(text, " \t\r\n");
    size_t len = 0;
    char *out = (char *)(uintptr_t)text.text; /* import_text's own */
    for (size_t i = 0; i < text.len && !import->failed; i++) {
        bool is_blank = strchr(" \t\r\n", text.text[i]) != NULL;
        if (!is_blank || out[len - 1] != ' ')
            out[len++] = is_blank ? ' ' : text.text[i];
    }
    return import_text(import, "%.*s", (int)len, out);
}

bool import_split(struct str *item, struct str *list)
{
    while (list->len != 0) {
        const char *comma = memchr(list->text, ',', list->len);
        size_t len = comma != NULL ? (size_t)(comma - list->text) : list->len;
        *item = str_trim((struct str){list->text, len}, " \t\r\n");
        *list = str_from(*list, comma != NULL ? len + 1 : len);
        if (item->len != 0)
            return true;
    }
    return false;
}

bool import_is_true(struct str value)
{
    return str_eq_nocase(value, STR("true"));
}

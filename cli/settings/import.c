#include "cli/settings/import.h"

#include <stddef.h>

#include "cli/settings/import_tools.h"
#include "cli/settings/setting_key.h"
#include "cli/settings/xml_document.h"
#include "system/file_bytes.h"

enum {
    IMPORT_FILE_MAX = 16 << 20
};

/* --- the file --------------------------------------------------------------------------------- */

static const xmlNode *child(const xmlNode *parent, const char *name)
{
    const xmlNode *node = NULL;
    while (parent != NULL && (node = import_next(parent, node)) != NULL)
        if (import_is(node, name))
            return node;
    return NULL;
}

/* Names of collectors are compared without regard to case. */
static bool is_called(const xmlNode *collector, const char *name)
{
    xmlChar *value = xmlGetProp(collector, (const xmlChar *)"friendlyName");
    bool is = value != NULL && str_eq_nocase(str_of((const char *)value), str_of(name));
    xmlFree(value);
    return is;
}

static bool read_collectors(struct import *import, const xmlNode *root)
{
    const xmlNode *collectors = child(child(root, "DataCollectionRunSettings"), "DataCollectors");
    const xmlNode *collector = NULL;
    bool any = false;
    while (collectors != NULL && (collector = import_next(collectors, collector)) != NULL) {
        const xmlNode *configuration = child(collector, "Configuration");
        bool coverlet = is_called(collector, "XPlat Code Coverage");
        if (!coverlet && !is_called(collector, "Code Coverage"))
            continue;
        any = true;
        if (configuration != NULL && coverlet)
            import_coverlet(import, configuration);
        else if (configuration != NULL)
            import_microsoft(import, configuration);
    }
    return any;
}

static bool read_project(struct import *import, const xmlNode *root)
{
    const xmlNode *group = NULL;
    bool any = false;
    while ((group = import_next(root, group)) != NULL)
        if (import_is(group, "PropertyGroup"))
            any = import_properties(import, group) || any;
    import_properties_end(import);
    return any;
}

static bool read_root(struct import *import, const xmlNode *root)
{
    if (root != NULL && import_is(root, "RunSettings"))
        return read_collectors(import, root);
    if (root != NULL && import_is(root, "Project"))
        return read_project(import, root);
    if (root == NULL || !import_is(root, "Configuration"))
        return false;
    import_microsoft(import, root);
    return true;
}

/* --- what options refuse ---------------------------------------------------------------------- */

static bool is_taken(const char **why, struct import *import, const struct option_row *row,
                     struct str value)
{
    enum {
        FIELD_ROOM = 4096 /* a group's struct has a few hundred bytes */
    };
    _Alignas(max_align_t) uint8_t field[FIELD_ROOM] = {0};
    const struct option_taking taking = {.name = row->name, .arena = import->arena, .room = 1};
    struct err err = {0};
    if (row->take(field, value.text, &taking, &err))
        return true;
    if (err.code == ERR_MEMORY || err.code == ERR_LIMIT)
        import->failed = !err_set(import->err, err.code, "%s", err.text);
    *why = import_text(import, "%s", err.text).text;
    return false;
}

static void check_setting(struct import *import, struct import_setting *setting,
                          const struct verb *const *verbs)
{
    const struct option_row *row = setting_option(verbs, NULL, setting->key);
    struct import_value *values = setting->values.items;
    uint32_t kept = 0;
    const char *why = NULL;
    for (uint32_t i = 0; i < setting->values.count && !import->failed; i++)
        if (row == NULL || row->argument == NULL || is_taken(&why, import, row, values[i].value))
            values[kept++] = values[i];
        else
            import_drop(import, values[i].from, why, STR(""));
    setting->values.count = kept;
}

static void check_settings(struct import *import, const struct verb *const *verbs)
{
    struct import_setting *items = import->settings.items;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < import->settings.count; i++) {
        check_setting(import, &items[i], verbs);
        if (items[i].values.count != 0)
            items[kept++] = items[i];
    }
    import->settings.count = kept;
}

/* --- both ------------------------------------------------------------------------------------- */

bool import_parse(struct import *out, struct view bytes, const char *path,
                  const struct verb *const *verbs, struct arena *arena, struct err *err)
{
    *out = (struct import){.path = path, .arena = arena, .err = err};
    if (bytes.len > IMPORT_FILE_MAX)
        return err_set(err, ERR_LIMIT, "%s: more than 16 MiB: these are no settings", path);
    xmlDoc *document = xml_document_read(bytes, path, err);
    if (document == NULL)
        return false;
    bool fine = read_root(out, xmlDocGetRootElement(document)) ||
                err_set(err, ERR_FORMAT,
                        "%s has neither settings of 'XPlat Code Coverage' or 'Code Coverage', as a "
                        ".runsettings file, nor properties of coverlet, as a project",
                        path);
    xmlFreeDoc(document);
    if (fine && !out->failed)
        check_settings(out, verbs);
    return fine && !out->failed;
}

bool import_read(struct import *out, const char *path, const struct verb *const *verbs,
                 struct arena *arena, struct err *err)
{
    struct view bytes;
    if (!file_bytes_read(&bytes, path, err)) {
        err_prefix(err, "%s", path);
        return false;
    }
    bool fine = import_parse(out, bytes, path, verbs, arena, err);
    file_bytes_release(&bytes);
    return fine;
}

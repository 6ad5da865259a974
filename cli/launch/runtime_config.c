#include "cli/launch/runtime_config.h"

#include <limits.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/launch/dotnet.h"
#include "system/file.h"

/* One framework is an object, several an array; a self-contained application has neither. */
static const char frameworks[] =
    "SELECT json_extract(value, '$.name'), json_extract(value, '$.version') FROM json_each("
    "  coalesce(json_extract(?1, '$.runtimeOptions.frameworks'),"
    "           json_array(json_extract(?1, '$.runtimeOptions.framework'))))"
    "  WHERE json_valid(?1) AND json_extract(?1, '$.runtimeOptions.rollForward') IS NULL"
    "    AND value IS NOT NULL";

struct version {
    unsigned part[3];
};

static bool read_version(struct version *out, const char *text)
{
    return sscanf(text, "%u.%u.%u", &out->part[0], &out->part[1], &out->part[2]) == 3;
}

/* By default the host takes the same major version, and at least what is asked for. */
static bool serves(const struct version *installed, const struct version *wanted)
{
    const unsigned *a = installed->part, *b = wanted->part;
    return a[0] == b[0] && (a[1] > b[1] || (a[1] == b[1] && a[2] >= b[2]));
}

static bool is_installed(const char *root, const char *framework, const char *version)
{
    struct dotnet_runtimes installed;
    struct version wanted, there;
    if (!read_version(&wanted, version))
        return true;
    dotnet_versions(&installed, root, framework);
    for (uint32_t i = 0; i < installed.count; i++)
        if (read_version(&there, installed.versions[i]) && serves(&there, &wanted))
            return true;
    return false;
}

static bool find_missing(struct str *out, sqlite3_stmt *rows, const char *root, struct arena *arena,
                         struct err *err)
{
    while (sqlite3_step(rows) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(rows, 0),
                   *version = (const char *)sqlite3_column_text(rows, 1);
        if (name != NULL && version != NULL && !is_installed(root, name, version))
            return text_format(out, arena, err, "%s %s", name, version);
    }
    return true;
}

static bool query(struct str *out, struct view json, const char *root, struct arena *arena,
                  struct err *err)
{
    sqlite3 *database = NULL;
    sqlite3_stmt *rows = NULL;
    bool ok = true;
    if (sqlite3_open(":memory:", &database) == SQLITE_OK &&
        sqlite3_prepare_v2(database, frameworks, -1, &rows, NULL) == SQLITE_OK &&
        sqlite3_bind_text(rows, 1, (const char *)json.data, (int)json.len, SQLITE_STATIC) ==
            SQLITE_OK)
        ok = find_missing(out, rows, root, arena, err);
    (void)sqlite3_finalize(rows);
    (void)sqlite3_close(database);
    return ok;
}

bool runtime_config_missing(struct str *out, struct str assembly, const char *root,
                            struct arena *arena, struct err *err)
{
    static const char ending[] = ".dll";
    *out = (struct str){NULL, 0};
    if (getenv("DOTNET_ROLL_FORWARD") != NULL || !str_ends(assembly, ending))
        return true;
    struct text path;
    struct str name;
    struct view json;
    struct err unread = {0};
    text_open(&path, arena);
    text_add(&path, (struct str){assembly.text, assembly.len - (sizeof ending - 1)});
    text_add_c(&path, ".runtimeconfig.json");
    if (!text_take(&name, &path, err))
        return false;
    if (!file_bytes_read(&json, name.text, &unread))
        return true;
    bool ok = json.len > INT_MAX || query(out, json, root, arena, err);
    file_bytes_release(&json);
    return ok;
}

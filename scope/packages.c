#include "scope/packages.h"

#include "base/list.h"
#include "base/path.h"
#include "system/file.h"
#include "system/folder.h"

enum {
    MEMORY_MAX = 256 << 20
};

struct package_directory {
    struct package_directory *next;
    struct str name;
    struct deps *files;
    uint32_t file_count;
};

void packages_init(struct packages *out)
{
    *out = (struct packages){.directories = NULL};
    arena_init(&out->arena, NULL, 0, MEMORY_MAX);
}

void packages_close(struct packages *packages)
{
    arena_free(&packages->arena);
    packages->directories = NULL;
}

/* One that can't be read lists nothing. */
static void read_deps_file(struct deps *out, int folder, const char *name, struct arena *arena)
{
    struct view json;
    if (file_bytes_read_at(&json, folder, name, DEPS_LEN_MAX, NULL))
        (void)!deps_read(out, json, arena, NULL);
    file_bytes_release(&json);
}

struct deps_reading {
    int folder;
    struct list files;
    struct arena *arena;
};

static bool take_deps_file(void *context, const char *name)
{
    struct deps_reading *reading = context;
    struct deps *file = str_ends(str_of(name), ".deps.json")
                            ? list_add(&reading->files, sizeof *file, reading->arena, NULL)
                            : NULL;
    if (file != NULL)
        read_deps_file(file, reading->folder, name, reading->arena);
    return true;
}

static void read_directory(struct package_directory *directory, struct arena *arena)
{
    struct deps_reading reading = {
        .folder = file_open(directory->name.text, FILE_READ | FILE_FOLDER), .arena = arena};
    if (reading.folder < 0)
        return;
    (void)folder_each_entry_in(reading.folder, take_deps_file, &reading);
    (void)file_close(reading.folder);
    directory->files = reading.files.items;
    directory->file_count = reading.files.count;
}

static struct package_directory *find_directory(struct packages *packages, struct str name)
{
    struct package_directory *found = packages->directories;
    while (found != NULL && !str_eq(found->name, name))
        found = found->next;
    if (found != NULL)
        return found;
    found = ARENA_NEW(&packages->arena, struct package_directory, 1, NULL);
    char *copy = arena_copy_text(&packages->arena, name.text, name.len, NULL);
    if (found == NULL || copy == NULL)
        return NULL;
    found->name = (struct str){copy, name.len};
    read_directory(found, &packages->arena);
    found->next = packages->directories;
    packages->directories = found;
    return found;
}

static bool is_listed_in(struct packages *packages, struct str path,
                         bool (*is_listed)(const struct deps *deps, struct str file_name))
{
    struct str file = path_file(path);
    struct str name = path_dir(path);
    bool listed = false;
    if (name.len == 0)
        return false;
    mutex_lock(&packages->lock);
    const struct package_directory *directory = find_directory(packages, name);
    for (uint32_t i = 0; directory != NULL && i < directory->file_count && !listed; i++)
        listed = is_listed(&directory->files[i], file);
    mutex_unlock(&packages->lock);
    return listed;
}

bool packages_list(struct packages *packages, struct str path)
{
    return is_listed_in(packages, path, deps_is_package);
}

bool packages_list_project(struct packages *packages, struct str path)
{
    return is_listed_in(packages, path, deps_is_project);
}

#include "scope/packages.h"

#include <dirent.h>
#include <stdio.h>

#include "base/list.h"
#include "base/path.h"
#include "system/file_bytes.h"

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
    *out = (struct packages){.lock = PTHREAD_MUTEX_INITIALIZER};
    arena_init(&out->arena, NULL, 0, MEMORY_MAX);
}

void packages_close(struct packages *packages)
{
    arena_free(&packages->arena);
    packages->directories = NULL;
}

static bool read_deps_file(struct deps *out, int folder, const char *name, struct arena *arena)
{
    struct view json;
    if (!file_bytes_read_at(&json, folder, name, DEPS_LEN_MAX, NULL))
        return false;
    bool ok = deps_read(out, json, arena, NULL);
    file_bytes_release(&json);
    return ok;
}

static void read_directory(struct package_directory *directory, struct arena *arena)
{
    struct list files = {.count = 0};
    DIR *stream = opendir(directory->name.text);
    if (stream == NULL)
        return;
    for (struct dirent *entry = readdir(stream); entry != NULL; entry = readdir(stream)) {
        struct deps deps;
        if (!str_ends(str_of(entry->d_name), ".deps.json") ||
            !read_deps_file(&deps, dirfd(stream), entry->d_name, arena))
            continue;
        struct deps *file = list_add(&files, sizeof *file, arena, NULL);
        if (file != NULL)
            *file = deps;
    }
    (void)closedir(stream);
    directory->files = files.items;
    directory->file_count = files.count;
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

bool packages_list(struct packages *packages, struct str path)
{
    struct str file = path_file(path);
    struct str name = path_dir(path);
    bool listed = false;
    if (name.len == 0)
        return false;
    (void)pthread_mutex_lock(&packages->lock);
    const struct package_directory *directory = find_directory(packages, name);
    for (uint32_t i = 0; directory != NULL && i < directory->file_count && !listed; i++)
        listed = deps_is_package(&directory->files[i], file);
    (void)pthread_mutex_unlock(&packages->lock);
    return listed;
}

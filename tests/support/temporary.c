#include "tests/support/temporary.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FOLDERS_OPEN = 8
};

static void give_up(const char *what)
{
    perror(what);
    abort();
}

void temporary_open(struct temporary *t)
{
    const char *parent = getenv("TMPDIR");
    (void)snprintf(t->folder, sizeof t->folder, "%s/ilcov-test-XXXXXX",
                   parent != NULL && parent[0] != '\0' ? parent : "/tmp");
    if (mkdtemp(t->folder) == NULL)
        give_up(t->folder);
    arena_init(&t->arena, NULL, 0, ARENA_NO_LIMIT);
}

static bool is_file(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void)info, (void)kind, (void)place;
    return remove(path);
}

void temporary_close(struct temporary *t)
{
    if (nftw(t->folder, remove_entry, FOLDERS_OPEN, FTW_DEPTH | FTW_PHYS) != 0)
        give_up(t->folder);
    arena_free(&t->arena);
}

const char *temporary_path(struct temporary *t, const char *name)
{
    struct str path;
    if (!text_format(&path, &t->arena, NULL, "%s/%s", t->folder, name))
        give_up(name);
    return path.text;
}

const char *temporary_file(struct temporary *t, const char *name, const void *data, size_t len)
{
    const char *path = temporary_path(t, name);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fchmod(fileno(file), 0600) != 0 || fwrite(data, 1, len, file) != len ||
        fclose(file) != 0)
        give_up(path);
    return path;
}

struct str temporary_read(struct temporary *t, const char *path)
{
    FILE *file = fopen(path, "rb");
    long len = -1;
    if (file != NULL && fseek(file, 0, SEEK_END) == 0)
        len = ftell(file);
    char *data = len >= 0 ? arena_raw(&t->arena, (size_t)len + 1, 1, NULL) : NULL;
    if (data == NULL || fseek(file, 0, SEEK_SET) != 0 ||
        fread(data, 1, (size_t)len, file) != (size_t)len)
        give_up(path);
    (void)fclose(file);
    data[len] = '\0';
    return (struct str){data, (size_t)len};
}

int temporary_redirect(int fd, const char *path)
{
    (void)fflush(NULL);
    int saved = dup(fd), file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (saved < 0 || file < 0 || dup2(file, fd) < 0)
        give_up(path);
    (void)close(file);
    return saved;
}

void temporary_restore(int fd, int saved)
{
    (void)fflush(NULL);
    (void)dup2(saved, fd);
    (void)close(saved);
}

unsigned temporary_count(const struct temporary *t)
{
    unsigned count = 0;
    DIR *folder = opendir(t->folder);
    if (folder == NULL)
        give_up(t->folder);
    for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder))
        count += is_file(entry);
    (void)closedir(folder);
    return count;
}

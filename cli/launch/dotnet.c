#include "cli/launch/dotnet.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/path.h"
#include "system/elf_file.h"

#define FRAMEWORK    "Microsoft.NETCore.App"
#define RUNTIMES     "shared/" FRAMEWORK
#define CORECLR      "libcoreclr.so"
#define MANAGED_CODE "\0__managedcode"

enum {
    GLIBC_OF_ANY = 17 /* what packaging/libc links for */
};

/* --- installations ---------------------------------------------------------------------------- */

static bool is_file(const char *path, int mode)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, mode) == 0;
}

bool dotnet_find_program(char path[PATH_ROOM], const char *command, int mode)
{
    if (strchr(command, '/') != NULL) {
        int n = snprintf(path, PATH_ROOM, "%s", command);
        return n >= 0 && n < PATH_ROOM && is_file(path, mode);
    }
    const char *folders = getenv("PATH");
    while (folders != NULL) {
        const char *end = strchrnul(folders, ':');
        int len = (int)(end - folders);
        int n = snprintf(path, PATH_ROOM, "%.*s/%s", len != 0 ? len : 1, len != 0 ? folders : ".",
                         command);
        if (n >= 0 && n < PATH_ROOM && is_file(path, mode))
            return true;
        folders = *end == ':' ? end + 1 : NULL;
    }
    return false;
}

static void add_root(struct dotnet_roots *out, const char *path)
{
    char real[PATH_ROOM], shared[PATH_ROOM + sizeof "/shared"];
    if (path == NULL || out->count == DOTNET_ROOTS_MAX || realpath(path, real) == NULL)
        return;
    (void)snprintf(shared, sizeof shared, "%s/shared", real);
    if (access(shared, X_OK) != 0)
        return;
    for (uint32_t i = 0; i < out->count; i++) {
        if (strcmp(out->paths[i], real) == 0)
            return;
    }
    memcpy(out->paths[out->count++], real, sizeof real);
}

/* `dotnet` is usually a link into the installation. */
static void add_root_of_program(struct dotnet_roots *out)
{
    char path[PATH_ROOM], real[PATH_ROOM];
    if (!dotnet_find_program(path, "dotnet", X_OK) || realpath(path, real) == NULL)
        return;
    char *slash = strrchr(real, '/');
    *(slash != real ? slash : slash + 1) = '\0';
    add_root(out, real);
}

/* dotnet/designs, "install-location.md": one path. */
static void add_registered_root(struct dotnet_roots *out)
{
    char line[PATH_ROOM];
    FILE *file = fopen("/etc/dotnet/install_location", "re");
    if (file == NULL)
        return;
    if (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, "\r\n")] = '\0';
        add_root(out, line);
    }
    (void)fclose(file);
}

void dotnet_roots(struct dotnet_roots *out)
{
    out->count = 0;
    add_root_of_program(out);
    add_root(out, getenv("DOTNET_ROOT"));
    add_registered_root(out);
    add_root(out, "/usr/share/dotnet");
    add_root(out, "/usr/lib/dotnet");
    const char *home = getenv("HOME");
    char path[PATH_ROOM];
    if (home != NULL && snprintf(path, sizeof path, "%s/.dotnet", home) < PATH_ROOM)
        add_root(out, path);
}

/* --- runtimes --------------------------------------------------------------------------------- */

static int order_versions(const void *left, const void *right)
{
    return strverscmp(left, right);
}

void dotnet_versions(struct dotnet_runtimes *out, const char *root, const char *framework)
{
    char folder[2 * PATH_ROOM];
    (void)snprintf(folder, sizeof folder, "%s/shared/%s", root, framework);
    out->count = 0;
    DIR *dir = opendir(folder);
    if (dir == NULL)
        return;
    for (struct dirent *entry = readdir(dir); entry != NULL && out->count < DOTNET_RUNTIMES_MAX;
         entry = readdir(dir)) {
        size_t len = strlen(entry->d_name);
        if (entry->d_name[0] != '.' && len < DOTNET_VERSION_ROOM)
            memcpy(out->versions[out->count++], entry->d_name, len + 1);
    }
    (void)closedir(dir);
    qsort(out->versions, out->count, sizeof out->versions[0], order_versions);
}

static bool has_coreclr(const char *root, const char *version)
{
    char path[2 * PATH_ROOM];
    (void)snprintf(path, sizeof path, "%s/" RUNTIMES "/%s/" CORECLR, root, version);
    return access(path, R_OK) == 0;
}

void dotnet_runtimes(struct dotnet_runtimes *out, const char *root)
{
    uint32_t kept = 0;
    dotnet_versions(out, root, FRAMEWORK);
    for (uint32_t i = 0; i < out->count; i++)
        if (has_coreclr(root, out->versions[i]))
            memmove(out->versions[kept++], out->versions[i], DOTNET_VERSION_ROOM);
    out->count = kept;
}

/* musl's is libc.musl-<processor>.so.1. */
static bool needs_musl(const struct elf_file *file)
{
    return elf_file_names(file, STR("libc.musl-"));
}

/* A library that asks for nothing newer runs with musl as well, which has the same symbols. */
static bool fits_any_libc(const struct elf_file *library)
{
    return !needs_musl(library) && elf_file_glibc(library) <= GLIBC_OF_ANY;
}

static bool fits(const struct elf_file *coreclr, const char *coreclr_path,
                 const struct elf_file *library, const char *library_path, struct err *err)
{
    if (library->machine != coreclr->machine)
        return err_set(err, ERR_UNSUPPORTED,
                       "%s is for another processor (ELF machine %u) than %s (%u)", coreclr_path,
                       coreclr->machine, library_path, library->machine);
    if (needs_musl(library) != needs_musl(coreclr) && !fits_any_libc(library))
        return err_set(err, ERR_UNSUPPORTED,
                       "%s needs %s, but %s needs %s: build ilcov for the same C library",
                       coreclr_path, needs_musl(coreclr) ? "musl" : "glibc", library_path,
                       needs_musl(library) ? "musl" : "glibc");
    return true;
}

bool dotnet_fits(const char *root, const char *version, const char *library, struct err *err)
{
    char path[PATH_ROOM];
    struct elf_file ours, theirs;
    int len = snprintf(path, sizeof path, "%s/" RUNTIMES "/%s/" CORECLR, root, version);
    if (len < 0 || len >= PATH_ROOM)
        return err_set(err, ERR_LIMIT, "the path of " CORECLR " is longer than %d bytes",
                       PATH_ROOM);
    if (!elf_file_open(&ours, library, err))
        return false;
    bool ok = elf_file_open(&theirs, path, err);
    if (ok) {
        ok = fits(&theirs, path, &ours, library, err);
        elf_file_close(&theirs);
    }
    elf_file_close(&ours);
    return ok;
}

/* The name of the section into which PublishAot compiles methods is there even in a stripped
 * program. */
bool dotnet_is_native(const char *path)
{
    struct elf_file file;
    struct err err = {0};
    if (!elf_file_open(&file, path, &err))
        return false;
    bool is_native = elf_file_names(&file, (struct str){MANAGED_CODE, sizeof MANAGED_CODE});
    elf_file_close(&file);
    return is_native;
}

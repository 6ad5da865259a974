#include "cli/launch/dotnet.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/bytes.h"
#include "system/file_bytes.h"

#define FRAMEWORK    "Microsoft.NETCore.App"
#define RUNTIMES     "shared/" FRAMEWORK
#define CORECLR      "libcoreclr.so"
#define MANAGED_CODE "\0__managedcode"

/* --- installations ---------------------------------------------------------------------------- */

static bool is_file(const char *path, int mode)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, mode) == 0;
}

bool dotnet_find_program(char path[PATH_MAX], const char *command, int mode)
{
    if (strchr(command, '/') != NULL) {
        int n = snprintf(path, PATH_MAX, "%s", command);
        return n >= 0 && n < PATH_MAX && is_file(path, mode);
    }
    const char *folders = getenv("PATH");
    while (folders != NULL) {
        const char *end = strchrnul(folders, ':');
        int len = (int)(end - folders);
        int n = snprintf(path, PATH_MAX, "%.*s/%s", len != 0 ? len : 1, len != 0 ? folders : ".",
                         command);
        if (n >= 0 && n < PATH_MAX && is_file(path, mode))
            return true;
        folders = *end == ':' ? end + 1 : NULL;
    }
    return false;
}

static void add_root(struct dotnet_roots *out, const char *path)
{
    char real[PATH_MAX], shared[PATH_MAX + sizeof "/shared"];
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
    char path[PATH_MAX], real[PATH_MAX];
    if (!dotnet_find_program(path, "dotnet", X_OK) || realpath(path, real) == NULL)
        return;
    char *slash = strrchr(real, '/');
    *(slash != real ? slash : slash + 1) = '\0';
    add_root(out, real);
}

/* dotnet/designs, "install-location.md": one path. */
static void add_registered_root(struct dotnet_roots *out)
{
    char line[PATH_MAX];
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
    char path[PATH_MAX];
    if (home != NULL && snprintf(path, sizeof path, "%s/.dotnet", home) < PATH_MAX)
        add_root(out, path);
}

/* --- runtimes --------------------------------------------------------------------------------- */

static int order_versions(const void *left, const void *right)
{
    return strverscmp(left, right);
}

void dotnet_versions(struct dotnet_runtimes *out, const char *root, const char *framework)
{
    char folder[2 * PATH_MAX];
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
    char path[2 * PATH_MAX];
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

struct elf_facts {
    uint16_t machine;
    bool needs_musl;
    bool has_managed_code; /* compiled ahead of time */
};

/* The name of the C library that a shared object needs is among its strings: musl's is
 * libc.musl-<arch>.so.1. So are the names of sections, each between two NULs; the name of the
 * section into which PublishAot compiles methods is there even in a stripped program. */
static bool read_elf(struct elf_facts *out, const char *path, struct err *err)
{
    struct view file;
    if (!file_bytes_read(&file, path, err)) {
        err_prefix(err, "%s", path);
        return false;
    }
    bool ok = file.len >= sizeof(Elf64_Ehdr) && memcmp(file.data, ELFMAG, SELFMAG) == 0;
    if (ok) {
        out->machine = load_u16(file.data + offsetof(Elf64_Ehdr, e_machine));
        out->needs_musl = memmem(file.data, file.len, "libc.musl-", strlen("libc.musl-")) != NULL;
        out->has_managed_code =
            memmem(file.data, file.len, MANAGED_CODE, sizeof MANAGED_CODE) != NULL;
    }
    file_bytes_release(&file);
    return ok || err_set(err, ERR_FORMAT, "%s is not an ELF file", path);
}

bool dotnet_fits(const char *root, const char *version, const char *library, struct err *err)
{
    char coreclr[PATH_MAX];
    struct elf_facts ours = {0}, theirs = {0};
    int len = snprintf(coreclr, sizeof coreclr, "%s/" RUNTIMES "/%s/" CORECLR, root, version);
    if (len < 0 || len >= PATH_MAX)
        return err_set(err, ERR_LIMIT, "the path of " CORECLR " is longer than %d bytes", PATH_MAX);
    if (!read_elf(&ours, library, err) || !read_elf(&theirs, coreclr, err))
        return false;
    if (ours.machine != theirs.machine)
        return err_set(err, ERR_UNSUPPORTED,
                       "%s is for another processor (ELF machine %u) than %s (%u)", coreclr,
                       theirs.machine, library, ours.machine);
    if (ours.needs_musl != theirs.needs_musl)
        return err_set(err, ERR_UNSUPPORTED,
                       "%s needs %s, but %s needs %s: build ilcov for the same C library", coreclr,
                       theirs.needs_musl ? "musl" : "glibc", library,
                       ours.needs_musl ? "musl" : "glibc");
    return true;
}

bool dotnet_is_native(const char *path)
{
    struct elf_facts facts = {0};
    struct err err = {0};
    return read_elf(&facts, path, &err) && facts.has_managed_code;
}

#include "cli/process/dotnet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "base/path.h"
#include "system/file_status.h"
#include "system/folder.h"
#include "system/library.h"
#include "system/places.h"
#include "system/program.h"

#define FRAMEWORK    "Microsoft.NETCore.App"
#define MANAGED_CODE "\0__managedcode"

enum {
    GLIBC_OF_ANY = 17 /* what packaging/libc links for */
};

/* --- installations ---------------------------------------------------------------------------- */

static void add_dotnet_root(void *context, const char *path)
{
    struct dotnet_roots *out = context;
    char real[PATH_ROOM], shared[PATH_ROOM];
    if (path == NULL || out->count == DOTNET_ROOTS_MAX || !file_real_path(real, path))
        return;
    if (!path_join_in(shared, str_of(real), STR("shared")) || !file_is_executable(shared))
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
    if (!program_file_find(path, "dotnet") || !file_real_path(real, path))
        return;
    real[path_dir(str_of(real)).len] = '\0';
    add_dotnet_root(out, real);
}

void dotnet_roots(struct dotnet_roots *out)
{
    out->count = 0;
    add_root_of_program(out);
    add_dotnet_root(out, getenv("DOTNET_ROOT"));
    dotnet_places_visit(add_dotnet_root, out);
}

/* --- runtimes --------------------------------------------------------------------------------- */

static int order_versions(const void *left, const void *right)
{
    return strverscmp(left, right);
}

static bool add_version(void *context, const char *name)
{
    struct dotnet_runtimes *out = context;
    size_t len = strlen(name);
    if (name[0] != '.' && len < DOTNET_VERSION_ROOM)
        memcpy(out->versions[out->count++], name, len + 1);
    return out->count < DOTNET_RUNTIMES_MAX;
}

void dotnet_versions(struct dotnet_runtimes *out, const char *root, const char *framework)
{
    char folder[PATH_ROOM];
    out->count = 0;
    if (path_join_in(folder, str_of(root), STR("shared")) &&
        path_join_in(folder, str_of(folder), str_of(framework)))
        (void)folder_each_entry(folder, add_version, out);
    qsort(out->versions, out->count, sizeof out->versions[0], order_versions);
}

static bool runtime_library(char path[PATH_ROOM], const char *root, const char *version)
{
    return path_join_in(path, str_of(root), STR("shared")) &&
           path_join_in(path, str_of(path), STR(FRAMEWORK)) &&
           path_join_in(path, str_of(path), str_of(version)) &&
           path_join_in(path, str_of(path), STR(DOTNET_RUNTIME_LIBRARY));
}

static bool has_coreclr(const char *root, const char *version)
{
    char path[PATH_ROOM];
    return runtime_library(path, root, version) && file_is_readable(path);
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

static bool check_fit(const struct elf_file *coreclr, const char *coreclr_path,
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
    if (!runtime_library(path, root, version))
        return err_set(err, ERR_LIMIT,
                       "the path of " DOTNET_RUNTIME_LIBRARY " is longer than %d bytes", PATH_ROOM);
    if (!elf_file_open(&ours, library, err))
        return false;
    bool ok = elf_file_open(&theirs, path, err);
    if (ok) {
        ok = check_fit(&theirs, path, &ours, library, err);
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

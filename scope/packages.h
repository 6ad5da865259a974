/* packages.h - which files of a directory came from packages or projects, according to the
 * *.deps.json in it; read once per directory and cached, because an application may have hundreds
 * of assemblies.
 * Threads: any; a lock is held while a directory is read.
 * Owner:   packages_close frees the cache. */
#pragma once

#include "scope/deps.h"
#include "system/thread.h"

struct package_directory;

struct packages {
    struct mutex lock;
    struct arena arena;
    struct package_directory *directories;
};

void packages_init(struct packages *out);
void packages_close(struct packages *packages);

/* Does a *.deps.json beside the file list it as part of a package? One that can't be read lists
 * nothing. */
bool packages_list(struct packages *packages, struct str path);

/* ... or of a project? Tools that came as a package may have such a file, too. */
bool packages_list_project(struct packages *packages, struct str path);

/* temporary.h - a folder of a test's own, for the files that it writes. */
#pragma once

#include "base/text.h"

struct temporary {
    char folder[256];
    struct arena arena; /* of paths and contents */
};

/* All abort the test program when the system refuses. */
void temporary_open(struct temporary *t);
/* Removes the folder and all that is in it. */
void temporary_close(struct temporary *t);

/* The path of `name` in the folder. */
const char *temporary_path(struct temporary *t, const char *name);
const char *temporary_file(struct temporary *t, const char *name, const void *data, size_t len);
/* With a NUL behind it. */
struct str temporary_read(struct temporary *t, const char *path);
/* Sends a standard stream into the file; gives what temporary_restore puts back. */
int temporary_redirect(int fd, const char *path);
void temporary_restore(int fd, int saved);
/* How many files are in the folder? */
unsigned temporary_count(const struct temporary *t);

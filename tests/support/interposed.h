/* interposed.h - functions whose place a test may take: each call from another file of the program
 * of unit tests, but none from a shared library, goes through `interposed` (INTERPOSED in the
 * Makefile). That is `original` until a test changes it, and again for the tests of the next file
 * (tests/unit/unit.c). */
#pragma once

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"
#include "cli/process/environment.h"
#include "cli/process/target.h"
#include "system/command.h"
#include "system/interruption.h"

struct interposed {
    __typeof__(malloc) *malloc;
    __typeof__(calloc) *calloc;
    __typeof__(free) *free;
    __typeof__(read) *read;
    __typeof__(pread) *pread;
    __typeof__(mmap) *mmap;
    __typeof__(sysconf) *sysconf;
    __typeof__(pthread_create) *pthread_create;
    __typeof__(opendir) *opendir;
    __typeof__(fdopendir) *fdopendir;
    __typeof__(fdopen) *fdopen;
    __typeof__(arena_raw) *arena_raw;
    __typeof__(arena_alloc) *arena_alloc;
    __typeof__(arena_copy_text) *arena_copy_text;
    __typeof__(arena_grow) *arena_grow;
    __typeof__(environment_library) *environment_library;
    __typeof__(target_start) *target_start;
    __typeof__(command_wait) *command_wait;
    __typeof__(interruption_signal) *interruption_signal;
};

extern struct interposed interposed;
extern const struct interposed original;

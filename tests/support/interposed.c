#include "tests/support/interposed.h"

/* The linker calls __wrap_NAME where the program calls NAME, and NAME where it calls __real_NAME:
 * NULL where there is none, as for the library's tests alone. */
#define INTERPOSE(result, name, parameters)                                                        \
    result __real_##name parameters __attribute__((weak));                                         \
    result __wrap_##name parameters;                                                               \
    result __wrap_##name parameters

INTERPOSE(void *, malloc, (size_t size))
{
    return interposed.malloc(size);
}

INTERPOSE(void *, calloc, (size_t count, size_t size))
{
    return interposed.calloc(count, size);
}

INTERPOSE(void, free, (void *block))
{
    interposed.free(block);
}

INTERPOSE(ssize_t, read, (int fd, void *out, size_t room))
{
    return interposed.read(fd, out, room);
}

INTERPOSE(ssize_t, pread, (int fd, void *out, size_t room, off_t at))
{
    return interposed.pread(fd, out, room, at);
}

INTERPOSE(void *, mmap, (void *at, size_t len, int protection, int flags, int fd, off_t offset))
{
    return interposed.mmap(at, len, protection, flags, fd, offset);
}

INTERPOSE(long, sysconf, (int name))
{
    return interposed.sysconf(name);
}

INTERPOSE(int, pthread_create,
          (pthread_t * out, const pthread_attr_t *attributes, void *(*run)(void *), void *argument))
{
    return interposed.pthread_create(out, attributes, run, argument);
}

INTERPOSE(DIR *, opendir, (const char *name))
{
    return interposed.opendir(name);
}

INTERPOSE(DIR *, fdopendir, (int fd))
{
    return interposed.fdopendir(fd);
}

INTERPOSE(FILE *, fdopen, (int fd, const char *mode))
{
    return interposed.fdopen(fd, mode);
}

INTERPOSE(void *, arena_raw, (struct arena * arena, size_t count, size_t size, struct err *err))
{
    return interposed.arena_raw(arena, count, size, err);
}

INTERPOSE(void *, arena_alloc, (struct arena * arena, size_t count, size_t size, struct err *err))
{
    return interposed.arena_alloc(arena, count, size, err);
}

INTERPOSE(char *, arena_copy_text,
          (struct arena * arena, const char *text, size_t len, struct err *err))
{
    return interposed.arena_copy_text(arena, text, len, err);
}

INTERPOSE(void *, arena_grow,
          (struct arena * arena, void *item, size_t old_bytes, size_t bytes, struct err *err))
{
    return interposed.arena_grow(arena, item, old_bytes, bytes, err);
}

INTERPOSE(bool, environment_library, (char path[PATH_ROOM], struct err *err))
{
    return interposed.environment_library(path, err);
}

INTERPOSE(bool, target_start,
          (int *pid, char *const *argv, char *const *environment, int *status, struct err *err))
{
    return interposed.target_start(pid, argv, environment, status, err);
}

INTERPOSE(int, command_wait, (int command, struct command_watch *watches))
{
    return interposed.command_wait(command, watches);
}

INTERPOSE(int, interruption_signal, (void))
{
    return interposed.interruption_signal();
}

#define REAL_ONES                                                                                  \
    {                                                                                              \
        .malloc = __real_malloc, .calloc = __real_calloc, .free = __real_free,                     \
        .read = __real_read, .pread = __real_pread, .mmap = __real_mmap,                           \
        .sysconf = __real_sysconf, .pthread_create = __real_pthread_create,                        \
        .opendir = __real_opendir, .fdopendir = __real_fdopendir, .fdopen = __real_fdopen,         \
        .arena_raw = __real_arena_raw, .arena_alloc = __real_arena_alloc,                          \
        .arena_copy_text = __real_arena_copy_text, .arena_grow = __real_arena_grow,                \
        .environment_library = __real_environment_library, .target_start = __real_target_start,    \
        .command_wait = __real_command_wait, .interruption_signal = __real_interruption_signal     \
    }

const struct interposed original = REAL_ONES;
struct interposed interposed = REAL_ONES;

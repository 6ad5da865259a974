#include "system/process_maps.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/path.h"

enum {
    LINE_ROOM = PATH_ROOM + 128, /* the other fields come before the path */
    GUARD_MAX = 64 << 10,
    STACK_LEAST = 64 << 10,   /* less is for handlers of signals */
    MAIN_STACK_LEN = 8 << 20, /* what the main thread's usually may grow to */
};

void process_maps_path(char out[PROCESS_PATH_ROOM], int pid)
{
    process_file_path(out, pid, "maps");
}

/* Calls `take` with each line, until it returns false. */
static bool visit_lines(int pid, bool (*take)(void *context, const char *line), void *context)
{
    char name[PROCESS_PATH_ROOM], line[LINE_ROOM];
    process_maps_path(name, pid);
    FILE *file = fopen(name, "re");
    if (file == NULL)
        return false;
    bool more = true, ok = true;
    while (more) {
        errno = 0;
        if (fgets(line, sizeof line, file) == NULL) {
            ok = errno == 0; /* the end; libilcov.so does without ferror */
            break;
        }
        more = take(context, line);
    }
    (void)fclose(file);
    return ok;
}

struct path_visit {
    bool (*take)(void *context, struct str path);
    void *context;
};

static bool visit_path(void *context, const char *line)
{
    const struct path_visit *visit = context;
    const char *path = strchr(line, '/');
    return path == NULL || visit->take(visit->context, (struct str){path, strcspn(path, "\n")});
}

bool process_maps_visit(int pid, bool (*take)(void *context, struct str path), void *context)
{
    struct path_visit visit = {take, context};
    return visit_lines(pid, visit_path, &visit);
}

struct stack_visit {
    bool (*take)(void *context, uintptr_t low, uintptr_t high);
    void *context;
    uintptr_t guard_end; /* of the mapping before, if it may be a guard */
};

static bool visit_stack(void *context, const char *line)
{
    struct stack_visit *visit = context;
    uintptr_t low = 0, high = 0, guard_end = visit->guard_end;
    char rights[5];
    int name_at = 0;
    visit->guard_end = 0;
    if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s %*s %*s %*s %n", &low, &high, rights,
               &name_at) != 3)
        return true;
    const char *name = line + name_at;
    if (strcmp(rights, "---p") == 0 && high - low <= GUARD_MAX)
        visit->guard_end = high;
    if (strncmp(name, "[stack]", 7) == 0)
        return visit->take(visit->context, high - MAIN_STACK_LEN, high);
    bool is_stack = strcmp(rights, "rw-p") == 0 && *name == '\0' && low == guard_end &&
                    high - low >= STACK_LEAST;
    return !is_stack || visit->take(visit->context, low, high);
}

bool process_maps_visit_stacks(int pid, bool (*take)(void *context, uintptr_t low, uintptr_t high),
                               void *context)
{
    struct stack_visit visit = {take, context, 0};
    return visit_lines(pid, visit_stack, &visit);
}

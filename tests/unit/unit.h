/* unit.h - how a file of tests becomes part of the program of all unit tests (unit.c). Its last
 * line is UNIT_TESTS. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum {
    UNIT_NAME_ROOM = 128,
    UNIT_TESTS_MAX = 100 /* of a file */
};

struct unit_file {
    const char *path; /* __FILE__ */
    const struct CMUnitTest *tests;
    size_t count;
    CMFixtureFunction set_up, tear_down;
    char name[UNIT_NAME_ROOM]; /* ROOM/NAME */
    bool wanted[UNIT_TESTS_MAX];
    bool failed;
    struct unit_file *next;
};

/* What a test starts as a process of its own: `unit --as NAME ARGUMENT...`. Gives the exit
 * status. */
struct unit_role {
    const char *name;
    int (*play)(char *const *arguments);
    struct unit_role *next;
};

void unit_add_file(struct unit_file *file);
void unit_add_role(struct unit_role *role);

#define UNIT_TESTS(list) UNIT_TESTS_WITH(list, NULL, NULL)

/* The same with what comes before the first test and after the last. */
#define UNIT_TESTS_WITH(list, before, after)                                                       \
    static struct unit_file unit_file = {.path = __FILE__,                                         \
                                         .tests = (list),                                          \
                                         .count = sizeof(list) / sizeof(list)[0],                  \
                                         .set_up = (before),                                       \
                                         .tear_down = (after)};                                    \
    __attribute__((constructor)) static void add_unit_file(void)                                   \
    {                                                                                              \
        unit_add_file(&unit_file);                                                                 \
    }                                                                                              \
    _Static_assert(sizeof(list) / sizeof(list)[0] <= UNIT_TESTS_MAX, "UNIT_TESTS_MAX is larger")

#define UNIT_ROLE(role, function)                                                                  \
    static struct unit_role unit_role = {.name = (role), .play = (function)};                      \
    __attribute__((constructor)) static void add_unit_role(void)                                   \
    {                                                                                              \
        unit_add_role(&unit_role);                                                                 \
    }                                                                                              \
    _Static_assert(sizeof(role) > 1, "a role has a name")

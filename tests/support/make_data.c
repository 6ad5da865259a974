/* make_data.c - the facts of facts_fixture.h as a data file, for scripts that run without .NET.
 *
 *     make_data FILE */
#include <stdio.h>

#include "coverage/facts/store.h"
#include "tests/support/facts_fixture.h"

int main(int argc, char **argv)
{
    struct facts facts;
    struct arena arena;
    struct err err = {0};
    if (argc != 2)
        return 2;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    fixture_facts(&facts, &arena);
    bool ok = store_write(argv[1], &facts, NULL, &err);
    if (!ok)
        fprintf(stderr, "make_data: %s: %s\n", argv[1], err.text);
    arena_free(&arena);
    return ok ? 0 : 1;
}

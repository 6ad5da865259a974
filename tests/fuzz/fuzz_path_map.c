/* fuzz_path_map.c - maps of source paths. The first line is the path of a document, the second the
 * root below "/", each other one a map. */
#include <string.h>

#include "coverage/source/path_map.h"
#include "tests/fuzz/fuzz.h"

enum {
    MAPS_MAX = 8
};

static struct str take_line(struct str *rest)
{
    const char *end = memchr(rest->text, '\n', rest->len);
    struct str line = {rest->text, end != NULL ? (size_t)(end - rest->text) : rest->len};
    *rest = str_from(*rest, end != NULL ? line.len + 1 : rest->len);
    return line;
}

/* paths.h: no part is empty, "." or "..". */
static void check_relative(struct str path)
{
    FUZZ_ASSERT(path.len != 0, "inside, but nowhere");
    for (size_t start = 0; start <= path.len;) {
        const char *slash = memchr(path.text + start, '/', path.len - start);
        size_t end = slash != NULL ? (size_t)(slash - path.text) : path.len;
        struct str part = {path.text + start, end - start};
        FUZZ_ASSERT(part.len != 0 && !str_is(part, ".") && !str_is(part, ".."), "'%.*s'",
                    STR_ARGS(path));
        start = end + 1;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct path_map items[MAPS_MAX];
    struct path_maps maps = {.items = items};
    struct str rest = {(const char *)data, size}, root;
    struct str document = take_line(&rest), name = take_line(&rest);
    struct arena *arena = fuzz_arena();
    struct err err = {.code = ERR_NONE};
    while (rest.len != 0 && maps.count < MAPS_MAX) {
        if (path_map_parse(&items[maps.count], take_line(&rest), &err))
            maps.count++;
        else
            FUZZ_ASSERT(err.code == ERR_USAGE, "%s", err.text);
    }
    struct str relative = STR("");
    enum path_place place = PATH_OUTSIDE;
    bool fits = false;
    if (memchr(name.text, '\0', name.len) != NULL ||
        !text_format(&root, arena, &err, "/fuzzed/%.*s", STR_ARGS(name)) ||
        !path_maps_place(&fits, &place, &relative, &maps, root, document, arena, &err))
        return 0;
    uint32_t used = 0;
    for (uint32_t i = 0; i < maps.count; i++)
        used += items[i].is_used;
    FUZZ_ASSERT(used == (fits ? 1 : 0), "%u maps used", used);
    if (fits && place == PATH_INSIDE)
        check_relative(relative);
    return 0;
}

static void add_text(fuzz_add *add, const char *name, const char *text)
{
    add(name, (struct view){(const uint8_t *)text, strlen(text)});
}

void fuzz_seeds(fuzz_add *add)
{
    add_text(add, "container", "/build/src/a/B.cs\nroot\n/build=x\n/build/src=.\n");
    add_text(add, "windows", "C:\\agent\\_work\\1\\s\\A.cs\nroot\nc:/Agent/_work/1/s=lib/../x\n");
    add_text(add, "deterministic", "/_/A.cs\nr\n/_/=src\\y\n/=/fuzzed/r\n");
    add_text(add, "relative", "obj/../A.cs\nroot\nobj=.\n=x\nx=\n");
}

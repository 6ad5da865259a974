/* fuzz_solution.c - solutions in lines, XML and JSON; the first byte says which. Each project has a
 * path that ends as that of a project does, without parts "." and with ".." at its start alone. */
#include <string.h>

#include "coverage/collect/solution.h"
#include "tests/fuzz/fuzz.h"

static void check_path(struct str path)
{
    bool is_inside = false;
    fuzz_read((struct view){(const uint8_t *)path.text, path.len});
    FUZZ_ASSERT(path.text[path.len] == '\0', "a path without a NUL");
    FUZZ_ASSERT(str_ends_nocase(path, "proj"), "a path that is no project's");
    for (size_t at = 0; at < path.len;) {
        size_t end = at;
        while (end < path.len && path.text[end] != '/')
            end++;
        struct str part = {path.text + at, end - at};
        FUZZ_ASSERT(part.len != 0 || at == 0, "two slashes");
        FUZZ_ASSERT(!str_is(part, "."), "a part '.'");
        FUZZ_ASSERT(!str_is(part, "..") || !is_inside, "a part '..' after another");
        is_inside = is_inside || !str_is(part, "..");
        at = end + 1;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"a.sln", "a.slnx", "a.slnf"};
    struct solution solution = {.folder = STR("/a/b")};
    struct err err = {.code = ERR_NONE};
    struct arena *arena = fuzz_arena();
    struct str of = {NULL, 0};
    bool is_all = false;
    if (size == 0)
        return 0;
    struct view bytes = {data + 1, size - 1};
    if (!solution_read_bytes(&solution, &of, &is_all, str_of(names[data[0] % 3]), bytes, arena,
                             &err)) {
        fuzz_check_err(&err);
        return 0;
    }
    const struct solution_project *projects = solution.list.items;
    for (uint32_t i = 0; i < solution.list.count; i++)
        check_path(projects[i].path);
    FUZZ_ASSERT(data[0] % 3 != 2 || of.text != NULL, "a filter of nothing");
    return 0;
}

static void add_text(fuzz_add *add, const char *name, const char *text, size_t len)
{
    add(name, (struct view){(const uint8_t *)text, len});
}

#define ADD(name, text) add_text(add, name, text, sizeof text - 1)

void fuzz_seeds(fuzz_add *add)
{
    ADD("lines", "\0Microsoft Visual Studio Solution File, Format Version 12.00\r\n"
                 "Project(\"{1}\") = \"A\", \"..\\.\\A\\A.csproj\", \"{2}\"\r\nEndProject\r\n"
                 "Global\r\nEndGlobal\r\n");
    ADD("xml", "\1<Solution><Folder Name=\"/a/\"><Project Path=\"a/b/../C.fsproj\" /></Folder>"
               "<!-- --><Project Path='&#x41;.vcxproj'/></Solution>");
    ADD("json", "\2{\"solution\": {\"path\": \"..\\\\a.sln\", \"projects\": [\"a\\\\B.vbproj\"]}}");
}

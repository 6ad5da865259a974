/* fuzz_comments.c - comments of a source, and the lines that they exclude. The first byte says in
 * which language it is. */
#include "coverage/source/excluded_by_comment.h"
#include "tests/fuzz/fuzz.h"

static void check_comment(const struct comment *comment, struct view source, uint32_t last_line)
{
    const char *start = (const char *)source.data;
    FUZZ_ASSERT(comment->line >= 1 && comment->line >= last_line, "line %u after line %u",
                (unsigned)comment->line, (unsigned)last_line);
    FUZZ_ASSERT(comment->reason.len == 0 ||
                    (comment->reason.text >= start && comment->reason.len <= source.len &&
                     (size_t)(comment->reason.text - start) <= source.len - comment->reason.len),
                "a reason that is not of the source");
    fuzz_read((struct view){(const uint8_t *)comment->reason.text, comment->reason.len});
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct comments comments;
    struct ignored ignored;
    struct list warnings = {.count = 0};
    struct err err = {.code = ERR_NONE};
    if (size == 0)
        return 0;
    struct view source = {data + 1, size - 1};
    struct arena *arena = fuzz_arena();
    enum language language = (enum language)(data[0] % (LANGUAGE_FSHARP + 1));
    if (!comments_find(&comments, source, language, arena, &err) ||
        !ignored_make(&ignored, &comments, STR("a"), &warnings, arena, &err)) {
        fuzz_check_err(&err);
        return 0;
    }
    for (uint32_t i = 0, line = 0; i < comments.count; line = comments.items[i++].line)
        check_comment(&comments.items[i], source, line);
    FUZZ_ASSERT(ignored.count + warnings.count <= 2 * (size_t)comments.count,
                "more lines and warnings than comments");
    for (uint32_t i = 0; i < ignored.count; i++) {
        const struct ignored_lines *lines = &ignored.items[i];
        FUZZ_ASSERT(lines->first >= 1 && lines->first <= lines->last, "an end before its start");
        FUZZ_ASSERT(ignored_reason(&ignored, lines->first, lines->first) != NULL,
                    "a line that excludes nothing");
    }
    return 0;
}

static void add_text(fuzz_add *add, const char *name, const char *text, size_t len)
{
    add(name, (struct view){(const uint8_t *)text, len});
}

#define ADD(name, text) add_text(add, name, text, sizeof text - 1)

void fuzz_seeds(fuzz_add *add)
{
    ADD("csharp", "\0// ilcov:ignore a\n/* ilcov:ignore-start b */ $\"{f(@\"}\"\"\"):x} {{\"\n"
                  "#line 3\n'\\''\"\"\"// \"\"\" $$\"\"\"{{1}}\"\"\" // ilcov:ignore-end\r");
    ADD("basic", "\1f(\"a\"\" ' ilcov:ignore\") ' ilcov:ignore b\n$\"{x:d}\"\n#Region \"'\"\n");
    ADD("fsharp", "\2(* (* \"*)\" *) ilcov:ignore *) 'a' 'b x' ``a // b`` // ilcov:ignore\n"
                  "$\"\"\"{a :> b}\"\"\" @\"\\\" (*) // ilcov:ignore-start");
}

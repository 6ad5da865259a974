/* fuzz_patch.c - unified diffs. What one tells, written as a diff without context and read again,
 * is the same. */
#include <string.h>

#include "coverage/diff/patch_reader.h"
#include "coverage/facts/facts.h"
#include "tests/fuzz/fuzz.h"

static void check_lines(const struct patch_file *file)
{
    for (uint32_t i = 0; i < file->line_count; i++) {
        const struct patch_lines *lines = &file->lines[i];
        FUZZ_ASSERT(lines->first >= 1 && lines->first <= lines->last &&
                        lines->last < FACT_LINE_LIMIT,
                    "lines %u to %u", (unsigned)lines->first, (unsigned)lines->last);
        FUZZ_ASSERT(i == 0 || lines->first > lines[-1].last + 1, "lines touch the last ones");
    }
}

static void check_hunks(const struct patch_file *file)
{
    uint32_t line_count = 0, in_hunks = 0;
    for (uint32_t i = 0; i < file->hunk_count; i++) {
        const struct patch_hunk *hunk = &file->hunks[i], *last = i != 0 ? hunk - 1 : NULL;
        in_hunks += hunk->new_count;
        FUZZ_ASSERT(hunk->old_count != 0 || hunk->new_count != 0, "a hunk that changes nothing");
        FUZZ_ASSERT(hunk->old_start >= 1 && hunk->new_start >= 1, "a hunk at line 0");
        FUZZ_ASSERT(last == NULL || (hunk->old_start >= last->old_start + last->old_count &&
                                     hunk->new_start >= last->new_start + last->new_count),
                    "hunks overlap");
    }
    for (uint32_t i = 0; i < file->line_count; i++)
        line_count += file->lines[i].last - file->lines[i].first + 1;
    FUZZ_ASSERT(line_count == in_hunks, "%u lines, %u in hunks", (unsigned)line_count,
                (unsigned)in_hunks);
}

static bool is_changed(const struct patch_file *file, uint32_t line)
{
    for (uint32_t i = 0; i < file->line_count; i++)
        if (line >= file->lines[i].first && line <= file->lines[i].last)
            return true;
    return false;
}

/* Around each hunk, since there are too many lines for all. */
static void check_new_lines(const struct patch_file *file)
{
    uint32_t last_old = 0, last_new = 0;
    for (uint32_t i = 0; i < file->hunk_count && i < 64; i++) {
        uint32_t from = file->hunks[i].old_start, to = from + file->hunks[i].old_count + 2;
        for (uint32_t old_line = from > 2 ? from - 2 : 1; old_line <= to; old_line++) {
            uint32_t new_line = patch_new_line(file, old_line);
            if (old_line <= last_old || new_line == 0)
                continue;
            FUZZ_ASSERT(new_line > last_new && new_line - last_new >= 1 &&
                            new_line < FACT_LINE_LIMIT,
                        "old line %u is %u, after %u", (unsigned)old_line, (unsigned)new_line,
                        (unsigned)last_new);
            FUZZ_ASSERT(!is_changed(file, new_line), "line %u is new and old", (unsigned)new_line);
            last_old = old_line;
            last_new = new_line;
        }
    }
}

static void add_lines(struct text *t, const char *line, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        text_add_c(t, line);
}

static bool is_same_hunk(const struct patch_hunk *a, const struct patch_hunk *b)
{
    return a->old_start == b->old_start && a->old_count == b->old_count &&
           a->new_start == b->new_start && a->new_count == b->new_count;
}

/* Every line has its text. */
static void check_texts(const struct patch_hunk *hunk)
{
    uint32_t old_count = 0, new_count = 0;
    struct str line, rest = hunk->text;
    while (patch_next_text(&line, &rest, '-'))
        old_count++;
    for (rest = hunk->text; patch_next_text(&line, &rest, '+');)
        new_count++;
    FUZZ_ASSERT(old_count >= hunk->old_count && new_count >= hunk->new_count, "a line has no text");
}

/* One file, whose name does not matter. */
static void check_again(const struct patch_file *file, struct arena *arena)
{
    struct str diff;
    struct patch again;
    struct text t = text_in(arena);
    text_add_c(&t, "--- A\n+++ A\n");
    for (uint32_t i = 0; i < file->hunk_count; i++) {
        const struct patch_hunk *hunk = &file->hunks[i];
        text_addf(&t, "@@ -%u,%u +%u,%u @@\n", hunk->old_start - (hunk->old_count == 0),
                  hunk->old_count, hunk->new_start - (hunk->new_count == 0), hunk->new_count);
        add_lines(&t, "-\n", hunk->old_count);
        add_lines(&t, "+\n", hunk->new_count);
    }
    if (file->hunk_count == 0 || !text_take(&diff, &t, NULL))
        return;
    struct view bytes = {(const uint8_t *)diff.text, diff.len};
    FUZZ_ASSERT(patch_read(&again, bytes, arena, NULL) && again.file_count == 1 &&
                    again.files[0].hunk_count == file->hunk_count &&
                    again.files[0].line_count == file->line_count,
                "it is not read again");
    for (uint32_t i = 0; i < file->hunk_count; i++) {
        FUZZ_ASSERT(is_same_hunk(&again.files[0].hunks[i], &file->hunks[i]), "it is another one");
        check_texts(&file->hunks[i]);
    }
    FUZZ_ASSERT(file->line_count == 0 || memcmp(again.files[0].lines, file->lines,
                                                file->line_count * sizeof *file->lines) == 0,
                "it is another one");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct patch patch;
    struct err err = {.code = ERR_NONE};
    struct arena *arena = fuzz_arena();
    if (!patch_read(&patch, (struct view){data, size}, arena, &err)) {
        fuzz_check_err(&err);
        return 0;
    }
    for (uint32_t i = 0; i < patch.file_count; i++) {
        const struct patch_file *file = &patch.files[i];
        FUZZ_ASSERT(file->path.len != 0, "a file without a path");
        FUZZ_ASSERT(i == 0 || str_cmp(file[-1].path, file->path) <= 0, "paths out of order");
        FUZZ_ASSERT(file->kind == PATCH_DELETED || patch_find(&patch, file->path) == file,
                    "a file is not found");
        fuzz_read((struct view){(const uint8_t *)file->path.text, file->path.len});
        fuzz_read((struct view){(const uint8_t *)file->old_path.text, file->old_path.len});
        check_lines(file);
        check_hunks(file);
        check_new_lines(file);
        check_again(file, arena);
    }
    return 0;
}

static void add_text(fuzz_add *add, const char *name, const char *text)
{
    add(name, (struct view){(const uint8_t *)text, strlen(text)});
}

void fuzz_seeds(fuzz_add *add)
{
    add_text(add, "changed",
             "diff --git a/A.cs b/A.cs\nindex 1a2b3c4..5d6e7f8 100644\n--- a/A.cs\n+++ b/A.cs\n"
             "@@ -2 +2 @@ class A\n-a\n\\ No newline at end of file\n+b\n"
             "@@ -4,5 +4,4 @@\n c\n-d\n \n+--- e\n-\n-f\n g\n");
    add_text(add, "kinds",
             "diff --git a/A b/A\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/A\n"
             "@@ -0,0 +1,2 @@\n+a\n+b\n"
             "diff --git a/B b/B\ndeleted file mode 100644\nindex 1..0\n--- a/B\n+++ /dev/null\n"
             "@@ -1 +0,0 @@\n-a\n"
             "diff --git a/C b/D\nsimilarity index 100%\nrename from C\nrename to D\n"
             "diff --git a/A b/E\nsimilarity index 90%\ncopy from A\ncopy to E\nindex 1..2 100644\n"
             "--- a/A\n+++ b/E\n@@ -7,0 +8 @@\n+c\n"
             "diff --git a/F b/F\nold mode 100644\nnew mode 100755\n"
             "diff --git a/G b/G\nindex 1..2 160000\n--- a/G\n+++ b/G\n@@ -1 +1 @@\n"
             "-Subproject commit 1\n+Subproject commit 2\n"
             "diff --git a/H b/H\nindex 1..2 100644\nBinary files a/H and b/H differ\n");
    add_text(add, "quoted",
             "diff --git \"a/\\303\\244.cs\" \"b/\\303\\244.cs\"\nindex 1..2\n"
             "--- \"a/\\303\\244.cs\"\n+++ \"b/\\303\\244.cs\"\n@@ -1 +1 @@\n-a\n+b\n"
             "diff --git a/A B b/A B\nindex 1..2\n--- a/A B\t\n+++ b/A B\t\n@@ -1 +1 @@\n-a\n+b\n");
    add_text(
        add, "plain",
        "diff -ru old/A.cs new/A.cs\r\n--- old/A.cs\t2026-01-01\r\n+++ new/A.cs\t2026-01-02\r\n"
        "@@ -1 +1 @@\r\n-a\r\n+b\r\nBinary files old/B and new/B differ\r\n");
    add_text(
        add, "mails",
        "From 1a2b Mon Sep 17 00:00:00 2001\nSubject: a\n\n---\n A | 2 +-\n\n"
        "diff --git a/A b/A\nindex 1..2 100644\n--- a/A\n+++ b/A\n@@ -1 +1 @@\n-a\n+b\n-- \n2\n"
        "From 3c4d Mon Sep 17 00:00:00 2001\n\n---\n"
        "diff --git a/B b/B\nindex 1..2 100644\n--- a/B\n+++ b/B\n@@ -1 +1 @@\n-a\n+b\n-- \n2\n");
    add_text(add, "left-out", "--- a/A\n+++ b/A\n@@ -3 +3 @@\n-a\n+b\n@@ -7 +9 @@\n-a\n+b\n");
}

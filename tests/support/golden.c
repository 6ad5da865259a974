#include "tests/support/golden.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/version.h"

static struct str replaced(struct str text, const char *from, const char *to, struct arena *arena)
{
    struct str out;
    size_t from_len = strlen(from);
    struct text t = text_in(arena);
    for (size_t i = 0; i < text.len;) {
        bool found = text.len - i >= from_len && memcmp(text.text + i, from, from_len) == 0;
        text_add(&t, found ? str_of(to) : (struct str){text.text + i, 1});
        i += found ? from_len : 1;
    }
    if (!text_take(&out, &t, NULL))
        abort();
    return out;
}

static bool update(const char *path, struct str text, struct arena *arena)
{
    struct str content = replaced(text, "\"" TEST_VERSION "\"", "\"@VERSION@\"", arena);
    content = replaced(content, "ilcov " TEST_VERSION " ", "ilcov @VERSION@ ", arena);
    FILE *file = fopen(path, "wb");
    bool written = file != NULL && fwrite(content.text, 1, content.len, file) == content.len;
    return file != NULL && fclose(file) == 0 && written;
}

static void print_difference(const char *path, struct str expected, struct str text)
{
    size_t at = 0, start = 0;
    unsigned line = 1;
    for (; at < expected.len && at < text.len && expected.text[at] == text.text[at]; at++)
        if (text.text[at] == '\n') {
            line++;
            start = at + 1;
        }
    (void)fprintf(stderr, "%s:%u: expected %.*s\n%s:%u: got      %.*s\n", path, line,
                  (int)strcspn(expected.text + start, "\n"), expected.text + start, path, line,
                  (int)strcspn(text.text + start, "\n"), text.text + start);
}

bool golden_matches(const char *name, struct str text, struct arena *arena)
{
    char path[256];
    (void)snprintf(path, sizeof path, "tests/golden/%s", name);
    const char *wanted = getenv("UPDATE_GOLDEN");
    if (wanted != NULL && strcmp(wanted, "1") == 0)
        return update(path, text, arena);
    struct str expected;
    char bytes[4096];
    FILE *file = fopen(path, "rb");
    struct text t = text_in(arena);
    for (size_t len = 1; file != NULL && len != 0;) {
        len = fread(bytes, 1, sizeof bytes, file);
        text_add(&t, (struct str){bytes, len});
    }
    if (file == NULL || fclose(file) != 0 || !text_take(&expected, &t, NULL)) {
        perror(path);
        return false;
    }
    expected = replaced(expected, "@VERSION@", TEST_VERSION, arena);
    if (str_eq(expected, text))
        return true;
    print_difference(path, expected, text);
    return false;
}

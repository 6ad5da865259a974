#include "tests/support/reasons.h"

#include "tests/support/check.h"

enum {
    ROOM = 64
};

const struct reason *reason_intern(uint32_t code, struct str subject, struct str remark)
{
    static struct reason reasons[ROOM];
    static uint32_t count;
    const struct reason wanted = {code, subject, remark};
    uint32_t i = 0;
    while (i < count && !reason_eq(&reasons[i], &wanted))
        i++;
    if (i == ROOM)
        abort();
    if (i == count)
        reasons[count++] = wanted;
    return &reasons[i];
}

void check_reason(const struct reason *reason, const char *text, const char *file, int line)
{
    char buffer[512];
    struct arena arena;
    struct str words = {NULL, 0};
    arena_init(&arena, buffer, sizeof buffer, ARENA_NO_LIMIT);
    if (!reason_text(&words, reason, &arena, NULL) || !str_is(words, text))
        _fail(file, line);
    arena_free(&arena);
}

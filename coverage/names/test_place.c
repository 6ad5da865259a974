#include "coverage/names/test_place.h"

#include <string.h>

#include "base/path.h"
#include "base/utf16.h"

enum {
    UNITS_MAX = 2048, /* a longer string is no path */
};

bool test_place_is_path(struct str path)
{
    return any_path_is_absolute(path) &&
           (str_ends(path, ".cs") || str_ends(path, ".vb") || str_ends(path, ".fs"));
}

static bool is_op(const struct il *il, uint32_t at, enum opcode op)
{
    return at < il->count && il->instrs[at].op == op;
}

static bool loads_path(const struct il *il, uint32_t at, const struct metadata *md)
{
    uint16_t units[UNITS_MAX];
    char text[3 * UNITS_MAX + 1];
    if (!is_op(il, at, OP_LDSTR))
        return false;
    struct view chars = heap_user_string(md, TOKEN_RID(il->instrs[at].operand));
    size_t count = chars.len / sizeof *units;
    if (count == 0 || count > UNITS_MAX)
        return false;
    memcpy(units, chars.data, count * sizeof *units);
    size_t len = utf16_to_utf8(text, sizeof text, units, count);
    return test_place_is_path((struct str){text, len});
}

static bool reads_number(int32_t *number, const struct il *il, uint32_t at)
{
    return at < il->count && il_constant(number, &il->instrs[at]);
}

/* Three numbers that begin at `at`: a column, a line that is not above the other, a column. */
static bool is_place_end(const struct il *il, uint32_t at, int32_t line)
{
    int32_t column, end_line, end_column;
    return reads_number(&column, il, at) && column > 0 && reads_number(&end_line, il, at + 1) &&
           end_line >= line && reads_number(&end_column, il, at + 2) && end_column > 0;
}

static void mark_place(bool *operands, const struct il *il, uint32_t path,
                       const struct metadata *md)
{
    int32_t line;
    uint32_t at = path + 1;
    if (is_op(il, at, OP_CALLVIRT))
        at += is_op(il, at + 1, OP_NOP) ? 3 : 2; /* the object again: dup, or ldloc */
    operands[path] = true;
    if (!reads_number(&line, il, at))
        return;
    operands[at++] = true;
    for (; at < il->count && !loads_path(il, at, md); at++)
        if (is_place_end(il, at, line)) {
            operands[at] = operands[at + 1] = operands[at + 2] = true;
            return;
        }
}

bool test_place_find(bool **operands, struct str type, const struct il *il,
                     const struct metadata *md, struct arena *arena, struct err *err)
{
    *operands = NULL;
    if (!str_starts(type, "TUnit.Generated."))
        return true;
    if ((*operands = ARENA_NEW(arena, bool, il->count, err)) == NULL)
        return false;
    for (uint32_t i = 0; i < il->count; i++)
        if (loads_path(il, i, md))
            mark_place(*operands, il, i, md);
    return true;
}

#include "coverage/collect/merged_code.h"

static bool ends(const struct instr *instr)
{
    return instr->op == OP_THROW || instr->op == OP_RET;
}

/* Does the statement that begins at the instruction throw or return a value, whatever happens? That
 * of nothing else than a `ret` is no sign: many are. */
static bool never_goes_on(const struct il *il, const uint32_t *begins, uint32_t first)
{
    for (uint32_t i = first; i < il->count; i++) {
        if (ends(&il->instrs[i]))
            return i != first;
        if ((i != first && begins[i] != NO_INDEX) || il_info(&il->instrs[i])->flow == FLOW_BRANCH)
            break;
    }
    return false;
}

bool merged_code_find(struct merged_code *out, const struct flow *flow, const uint32_t *begins,
                      struct arena *arena, struct err *err)
{
    const struct il *il = &flow->il;
    *out = (struct merged_code){.count = 0};
    for (unsigned pass = 0; pass < 2; pass++) {
        uint32_t count = 0;
        for (uint32_t i = 1; flow->context.md->optimised && i < il->count; i++) {
            if (begins[i] == NO_INDEX || il->instrs[i - 1].op != OP_POP ||
                !never_goes_on(il, begins, i))
                continue;
            if (pass != 0)
                out->first[count] = i;
            count++;
        }
        if (pass == 0)
            out->first = arena_raw(arena, count, sizeof *out->first, err);
        if (out->first == NULL)
            return false;
        out->count = count;
    }
    return true;
}

/* Is the code from the two instructions on equal, up to a `throw` or `ret`? */
static bool are_equal(const struct il *il, uint32_t a, uint32_t b)
{
    for (; a < il->count && b < il->count; a++, b++) {
        const struct instr *x = &il->instrs[a], *y = &il->instrs[b];
        if (x->op != y->op || x->operand != y->operand)
            return false;
        if (ends(x))
            return true;
    }
    return false;
}

bool merged_code_has_twin(const struct merged_code *merged, const struct flow *flow, uint32_t first)
{
    for (uint32_t i = 0; i < merged->count; i++)
        if (merged->first[i] != first && are_equal(&flow->il, first, merged->first[i]))
            return true;
    return false;
}

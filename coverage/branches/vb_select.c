#include "coverage/branches/vb_select.h"

#include "metadata/names.h"

enum {
    COMPARISON_WITHIN = 5, /* instructions: ldloc, ldstr, ldc.i4, call, and the branch */
};

/* The value is kept, and a moment later compared or hashed, by one statement: no `If` does that.
 *     stloc V; ldloc V; ldstr; ldc.i4; call CompareString; brfalse
 *     stloc V; ldloc V; call ComputeStringHash; stloc H; ldloc H; ldc.i4; bgt
 *     stloc V; ldloc V; ldc.i4; beq            of two numbers, too few for a table */
static bool begins(const struct judge *j, uint32_t n)
{
    const struct il *il = &j->flow->il;
    uint32_t last = j->flow->blocks[n].end - 1;
    int32_t constant = 0;
    if (j->judgement[n] != JUDGED_CONDITION)
        return false;
    if (j->language == LANGUAGE_VISUAL_BASIC && last >= 3 &&
        (il->instrs[last].op == OP_BEQ || il->instrs[last].op == OP_BEQ_S) &&
        il_constant(&constant, &il->instrs[last - 1]))
        return il_stored_local(&il->instrs[last - 3]) != IL_NO_INDEX &&
               il_loads_stored(il, last - 2, last - 3) &&
               j->cover.point_of[last - 3] == j->cover.point_of[last - 2];
    for (uint32_t i = last; i > 2 && last - i < COMPARISON_WITHIN; i--) {
        const struct instr *call = &il->instrs[i - 1];
        if (call->op != OP_CALL)
            continue;
        struct str name = name_of_member(j->flow->context.md, call->operand);
        uint32_t value = str_is(name, "CompareString")       ? i - 4
                         : str_is(name, "ComputeStringHash") ? i - 2
                                                             : 0;
        return value != 0 && value < i && il_stored_local(&il->instrs[value - 1]) != IL_NO_INDEX &&
               il_loads_stored(il, value, value - 1) &&
               j->cover.point_of[value - 1] == j->cover.point_of[value];
    }
    return false;
}

/* The dispatch lies before the arms, which have points. */
void select_find(struct judge *j)
{
    for (uint32_t n = 0; n < j->flow->block_count; n++) {
        if (!begins(j, n))
            continue;
        j->judgement[n] = JUDGED_DISPATCH;
        for (uint32_t m = n + 1; m < j->flow->block_count && j->cover.opens[m] == NO_POINT; m++)
            if (j->judgement[m] == JUDGED_CONDITION && j->statement[m] == j->statement[n])
                j->judgement[m] = JUDGED_DISPATCH;
    }
}

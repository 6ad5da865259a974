/* Select Case of strings in Visual Basic: comparisons in a row, or a search for a hash before them,
 * under the visible point of `Select Case`. They are one switch. */
#include "coverage/branches/rules.h"

#include "metadata/names.h"

enum {
    COMPARISON_WITHIN = 5, /* instructions: ldloc, ldstr, ldc.i4, call, and the branch */
};

/* One statement stores the value and, a moment later, compares or hashes it: no `If` does that.
 *     stloc V; ldloc V; ldstr; ldc.i4; call CompareString; brfalse
 *     stloc V; ldloc V; call ComputeStringHash; stloc H; ldloc H; ldc.i4; bgt
 *     stloc V; ldloc V; ldc.i4; beq            of two numbers, too few for a table */
static bool begins_select(const struct branches *branches, uint32_t n)
{
    const struct il *il = &branches->flow->il;
    uint32_t last = branches->flow->blocks[n].end - 1;
    int32_t constant = 0;
    if (branches->class[n] != BRANCH_CONDITION)
        return false;
    if (branches->language == LANGUAGE_VISUAL_BASIC && last >= 3 &&
        (il->instrs[last].op == OP_BEQ || il->instrs[last].op == OP_BEQ_S) &&
        il_constant(&constant, &il->instrs[last - 1]))
        return il_stored_local(&il->instrs[last - 3]) != NO_INDEX &&
               il_loads_stored(il, last - 2, last - 3) &&
               branches->map.point_of[last - 3] == branches->map.point_of[last - 2];
    for (uint32_t i = last; i > 2 && last - i < COMPARISON_WITHIN; i--) {
        const struct instr *call = &il->instrs[i - 1];
        if (call->op != OP_CALL)
            continue;
        struct str name = name_of_member(branches->flow->context.md, call->operand);
        uint32_t value = str_is(name, "CompareString")       ? i - 4
                         : str_is(name, "ComputeStringHash") ? i - 2
                                                             : 0;
        return value != 0 && value < i && il_stored_local(&il->instrs[value - 1]) != NO_INDEX &&
               il_loads_stored(il, value, value - 1) &&
               branches->map.point_of[value - 1] == branches->map.point_of[value];
    }
    return false;
}

/* The dispatch comes before the arms, which have points. */
bool find_select_case(struct branches *branches, const struct rule *rule, struct arena *arena,
                      struct err *err)
{
    (void)arena, (void)err;
    for (uint32_t n = 0; n < branches->flow->block_count; n++) {
        if (!begins_select(branches, n))
            continue;
        branches_set_rule(branches, n, rule);
        for (uint32_t m = n + 1;
             m < branches->flow->block_count && branches->map.opens[m] == NO_INDEX; m++)
            if (branches->class[m] == BRANCH_CONDITION &&
                branches->statement[m] == branches->statement[n])
                branches_set_rule(branches, m, rule);
    }
    return true;
}

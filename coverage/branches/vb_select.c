/* Select Case of constants in Visual Basic: comparisons in a row or a search, under the visible
 * point of `Select Case`, whose subject may have conditions of its own. They are one switch. */
#include "coverage/branches/rules.h"

#include "coverage/statements/vb_points.h"

enum {
    COMPARISON_WITHIN = 5 /* instructions: ldloc, ldstr, ldc.i4, call, and the branch */
};

/* Without the source: one statement stores a value and, a moment later, compares or hashes it. `If`
 * only tests a bool like that.
 *     stloc V; ldloc V; ldstr; ldc.i4; call CompareString; brfalse
 *     stloc V; ldloc V; call ComputeStringHash; stloc H; ldloc H; ldc.i4; bgt
 *     stloc V; ldloc V; ldc.i4; beq */
static bool compares_stored(const struct branches *branches, uint32_t n)
{
    const struct il *il = &branches->flow->il;
    const uint32_t *points = branches->map.point_of;
    uint32_t last = flow_last_instr(branches->flow, n);
    for (uint32_t i = last; i > 2 && last - i < COMPARISON_WITHIN; i--)
        if (il_stored_local(&il->instrs[i - 2]) != NO_INDEX && il_loads_stored(il, i - 1, i - 2) &&
            points[i - 1] == points[i - 2] && !(i == last && il_tests_bool(&il->instrs[last])))
            return true;
    return false;
}

static bool is_select(const struct branches *branches, uint32_t n)
{
    uint32_t point = branches->statement[n];
    if (point == NO_INDEX || branches->class[n] != BRANCH_CONDITION)
        return false;
    if (branches->text == NULL || branches->text->is_mapped)
        return compares_stored(branches, n);
    return vb_points_begins_with(branches->text, branches->points, point, "select");
}

/* The last test before the next point, in front of an arm. */
static uint32_t last_test(const struct branches *branches, uint32_t n)
{
    uint32_t last = n;
    while (++n < branches->flow->block_count && branches->map.opens[n] == NO_INDEX)
        if (branches->class[n] == BRANCH_CONDITION &&
            branches->statement[n] == branches->statement[last])
            last = n;
    return last;
}

bool find_select_case(struct branches *branches, const struct rule *rule, struct arena *arena,
                      struct err *err)
{
    (void)arena, (void)err;
    for (uint32_t n = 0; n < branches->flow->block_count; n++) {
        if (!is_select(branches, n))
            continue;
        uint32_t last = last_test(branches, n), first = last;
        while (first != n && branches->flow->blocks[first].in_count < 2)
            first--; /* the ways of a subject join before it is compared */
        for (n = first; n <= last; n++)
            if (branches->class[n] == BRANCH_CONDITION &&
                branches->statement[n] == branches->statement[last])
                branches_set_rule(branches, n, rule);
        n = last;
    }
    return true;
}

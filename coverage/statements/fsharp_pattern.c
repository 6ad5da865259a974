#include "coverage/statements/fsharp_pattern.h"

#include "coverage/statements/il_idioms.h"

static bool is_reference(struct view type)
{
    enum element_type element = sig_first_element(type);
    struct reader r = rd_view(type);
    if (element == ELEMENT_GENERICINST && rd_u8(&r) == ELEMENT_GENERICINST) /* II.23.2.12 */
        return rd_u8(&r) == ELEMENT_CLASS;
    return element == ELEMENT_CLASS || element == ELEMENT_STRING || element == ELEMENT_OBJECT ||
           element == ELEMENT_SZARRAY || element == ELEMENT_ARRAY;
}

/* Is there an object, not null? None and [] are null. */
static bool loads_reference(const struct flow *flow, const struct instr *load)
{
    uint32_t local = il_loaded_local(load), arg = il_loaded_arg(load);
    if (local != NO_INDEX)
        return is_reference(stack_local_type(&flow->context, local));
    if (arg != NO_INDEX)
        return is_reference(stack_argument_type(&flow->context, arg));
    return load->op == OP_LDFLD && is_reference(sig_of_field(flow->context.md, load->operand));
}

bool fsharp_tests_pattern(const struct flow *flow, uint32_t n)
{
    const struct instr *instrs = flow->il.instrs;
    uint32_t i = flow_last_instr(flow, n);
    int32_t value = 0;
    bool is_null_test = il_tests_bool(&instrs[i]);
    if (flow->blocks[n].exit == FLOW_SWITCH)
        return true;
    if (i-- == 0)
        return false;
    if (i >= 2 && instrs[i].op == OP_CGT_UN && instrs[i - 1].op == OP_LDNULL)
        i -= 2;
    if (is_null_test && loads_reference(flow, &instrs[i]))
        return true;
    if (i >= 2 && il_loads_stored(&flow->il, i, i - 1))
        i -= 2;
    if (instrs[i].op == OP_ISINST)
        return true;
    if (i >= 1 && il_constant(&value, &instrs[i]))
        i--;
    if (il_is_call(&instrs[i]))
        return str_is_one_of(idiom_member(flow, &instrs[i]),
                             is_null_test ? "get_Tag get_TailOrNull FailurePattern" : "get_Tag");
    return is_null_test && loads_reference(flow, &instrs[i]);
}

/* --- the rules of a `with` -------------------------------------------------------------------- */

/* The first statement of the handler within the text of the rule; NULL: it has none. */
static const struct seq_point *find_body(const struct seq_points *points,
                                         const struct il_body *body, const struct seq_point *rule)
{
    const struct seq_point *first = NULL;
    uint32_t handler = body_handler_of_filter(body_handler_around(body, rule->il_offset));
    for (uint32_t p = 0; p < points->count; p++) {
        const struct seq_point *point = &points->points[p];
        if (!point->hidden && body_handler_around(body, point->il_offset) == handler &&
            seq_point_is_within(point, rule) && seq_point_order(rule, point) < 0 &&
            (first == NULL || seq_point_order(point, first) < 0))
            first = point;
    }
    return first;
}

void fsharp_filter_cut_rules(struct seq_points *points, const struct il_body *body)
{
    for (uint32_t p = 0; p < points->count; p++) {
        struct seq_point *rule = &points->points[p];
        if (rule->hidden || !body_is_in_filter(body, rule->il_offset))
            continue;
        const struct seq_point *first = find_body(points, body, rule);
        if (first == NULL)
            continue;
        rule->end_line = first->start_line;
        rule->end_column = first->start_column;
    }
}

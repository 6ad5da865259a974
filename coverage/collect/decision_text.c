#include "coverage/collect/decision_text.h"

#include "coverage/source/conditions.h"
#include "coverage/statements/il_idioms.h"

enum {
    LOOKED_BACK_MAX = 6 /* instructions to search back for what a branch tests */
};

/* One statement with its decisions, in code order. */
struct asked {
    const struct flow *flow;
    struct decision *items; /* of the method */
    const struct seq_point *point;
    uint32_t conditions[CONDITIONS_MAX]; /* indexes of those that are compared with the text */
    uint32_t count;
    uint32_t switches; /* how many of them are switches */
};

/* --- does the code ask what the text does? ---------------------------------------------------- */

static bool compares(const struct instr *instr)
{
    switch (instr->op) {
    case OP_CEQ:
    case OP_CGT:
    case OP_CGT_UN:
    case OP_CLT:
    case OP_CLT_UN:
        return true;
    default:
        return il_info(instr)->flow == FLOW_CONDITION && !il_tests_bool(instr);
    }
}

/* Is there such an instruction at the end of the block, after its last call? */
static bool ends_with(const struct flow *flow, const struct decision *decision,
                      bool (*is_such)(const struct instr *instr))
{
    const struct il *il = &flow->il;
    uint32_t n = flow_block_of(flow, il->index_at[decision->il_offset]);
    uint32_t last = flow_last_instr(flow, n);
    for (uint32_t i = last + 1, k = 0; i-- > flow->blocks[n].first && k < LOOKED_BACK_MAX; k++) {
        uint16_t op = il->instrs[i].op;
        if (op == OP_CALL || op == OP_CALLVIRT || op == OP_CALLI)
            return false;
        if (is_such(&il->instrs[i]))
            return true;
    }
    return false;
}

static bool asks_for_type(const struct instr *instr)
{
    return instr->op == OP_ISINST;
}

static bool is_kind(const struct asked *a, const struct decision *decision,
                    enum condition_kind kind)
{
    if (decision->is_switch || kind == CONDITION_SWITCH)
        return decision->is_switch && kind == CONDITION_SWITCH;
    if (kind == CONDITION_COMPARE)
        return ends_with(a->flow, decision, compares);
    return kind != CONDITION_TEST || !ends_with(a->flow, decision, asks_for_type);
}

/* The index of the condition as the text counts them; DECISION_END or DECISION_UNKNOWN. */
static int32_t place_of(const struct asked *a, int32_t decision)
{
    for (uint32_t i = 0; i < a->count; i++)
        if (decision >= 0 && a->conditions[i] == (uint32_t)decision)
            return (int32_t)i;
    return decision == DECISION_END ? CONDITION_END : DECISION_UNKNOWN;
}

static bool leads_alike(const struct asked *a, const struct decision *decision,
                        const struct text_condition *text)
{
    int32_t no = place_of(a, decision->next[0]), yes = place_of(a, decision->next[1]);
    return decision->is_switch || (no == text->next[0] && yes == text->next[1]) ||
           (no == text->next[1] && yes == text->next[0]);
}

static bool agrees(const struct asked *a, const struct text_conditions *text)
{
    if (!text->is_known || text->count != a->count)
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (!is_kind(a, &a->items[a->conditions[i]], text->items[i].kind) ||
            !leads_alike(a, &a->items[a->conditions[i]], &text->items[i]))
            return false;
    return true;
}

/* --- spans ------------------------------------------------------------------------------------ */

static struct text_span span_at(const struct line_index *index, uint32_t start, uint32_t end)
{
    struct text_span span;
    uint32_t columns[2];
    line_index_place(&span.start_line, &columns[0], index, start);
    line_index_place(&span.end_line, &columns[1], index, end);
    span.start_column = (uint16_t)columns[0];
    span.end_column = (uint16_t)columns[1];
    return span;
}

static void give_spans(const struct asked *a, const struct text_conditions *text,
                       const struct line_index *index, uint32_t start)
{
    for (uint32_t i = 0; i < a->count; i++) {
        struct decision *decision = &a->items[a->conditions[i]];
        decision->span = span_at(index, start + text->items[i].start, start + text->items[i].end);
        decision->is_exact = true;
    }
}

static bool find_text(const struct asked *a, const struct line_index *index, struct arena *arena,
                      struct err *err)
{
    const struct seq_point *point = a->point;
    struct text_conditions found;
    uint32_t start, end;
    if (!line_index_offset(&start, index, point->start_line, point->start_column) ||
        !line_index_offset(&end, index, point->end_line, point->end_column) || end <= start)
        return true;
    struct str text = {index->text.text + start, end - start};
    if (str_is(text, "in") && a->count == 1 && a->switches == 0) { /* foreach: is there more? */
        a->items[a->conditions[0]].is_exact = true;
        return true;
    }
    for (int asks = 0; asks < 2; asks++) {
        if (!conditions_find(&found, text, asks != 0, arena, err))
            return false;
        if (agrees(a, &found)) {
            give_spans(a, &found, index, start);
            break;
        }
    }
    return true;
}

/* Release code may give a switch no statement of its own; it is then on another one. */
static void leave_out_switches(struct asked *a)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < a->count; i++)
        if (!a->items[a->conditions[i]].is_switch)
            a->conditions[kept++] = a->conditions[i];
    a->count = kept;
}

static bool find_of_statement(struct decisions *decisions, uint32_t first, const struct asked *base,
                              const struct line_index *index, struct arena *arena, struct err *err)
{
    struct asked a = *base;
    for (uint32_t i = first; i < decisions->count; i++) {
        if (decisions->items[i].point != decisions->items[first].point)
            continue;
        if (a.count == CONDITIONS_MAX)
            return true;
        a.switches += decisions->items[i].is_switch;
        a.conditions[a.count++] = i;
    }
    if (!find_text(&a, index, arena, err))
        return false;
    uint32_t with_switches = a.count;
    leave_out_switches(&a);
    return a.count == 0 || a.count == with_switches || decisions->items[a.conditions[0]].is_exact ||
           find_text(&a, index, arena, err);
}

bool decision_text_find(struct decisions *decisions, const struct statements_source *statements,
                        decision_source *source, void *context, struct arena *arena,
                        struct err *err)
{
    for (uint32_t i = 0; i < decisions->count; i++) {
        struct decision *decision = &decisions->items[i];
        const struct seq_point *point = &statements->points->points[decision->point];
        decision->span = (struct text_span){point->start_line, point->end_line, point->start_column,
                                            point->end_column};
        decision->is_exact = false;
    }
    for (uint32_t i = 0; statements->language == LANGUAGE_CSHARP && i < decisions->count; i++) {
        bool is_first = true;
        for (uint32_t k = i; is_first && k-- > 0;)
            is_first = decisions->items[k].point != decisions->items[i].point;
        const struct seq_point *point = &statements->points->points[decisions->items[i].point];
        struct asked asked = {.flow = statements->flow, .items = decisions->items, .point = point};
        const struct line_index *index = NULL;
        if (!is_first)
            continue;
        if (!source(&index, context, point->document, err))
            return false;
        if (index != NULL && !index->is_mapped &&
            !find_of_statement(decisions, i, &asked, index, arena, err))
            return false;
    }
    return true;
}

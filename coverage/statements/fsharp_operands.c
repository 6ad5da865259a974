#include "coverage/statements/fsharp_operands.h"

#include "coverage/statements/fsharp_machine.h"
#include "coverage/statements/fsharp_pattern.h"
#include "coverage/statements/il_idioms.h"
#include "coverage/statements/point_map.h"

enum {
    STEPS_MAX = 16, /* blocks from a test to what follows it, and operands of one expression */
    APART = 4,      /* columns between the points of two operands, as in ` || ` */
};

enum operand_way_kind {
    WAY_OTHER,
    WAY_CONSTANT,
    WAY_OPERAND
};

/* Where a way out of a test leads. */
struct operand_way {
    enum operand_way_kind kind;
    uint32_t block; /* of an operand: its test, or the block that ends with its value */
    uint32_t point; /* of an operand: its own, or that of the next one that has one */
};

/* A test without a point of its own. */
struct added {
    uint32_t next;      /* the point of the next operand that has one */
    uint32_t after;     /* operands without a point from here to that one, with this one */
    uint32_t il_offset; /* where it gets its point; UINT32_MAX: it does without */
};

struct operand_finder {
    const struct flow *flow;
    const struct statements_source *source;
    struct point_map map;
    bool *is_operand;
    struct added *added; /* per block that is such a test */
};

/* Does the branch test a value that several ways lead to, such as that of `a && b`? */
static bool tests_join(const struct flow *flow, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    uint32_t i = flow_last_instr(flow, n);
    if (i > block->first + 1 && il_loads_stored(&flow->il, i - 1, i - 2))
        i -= 2;
    while (i > block->first && idiom_of_one_value(&flow->il.instrs[i - 1]))
        i--;
    return i == block->first && block->in_count > 1;
}

/* If the value that `join` gets is true or false by the way that control took from one test, which
 * was inlined, as of `isNull x`: that test; else NO_INDEX. */
static uint32_t inlined_test(const struct operand_finder *f, uint32_t join)
{
    const struct flow *flow = f->flow;
    const struct block *block = &flow->blocks[join];
    uint32_t tests[2];
    if (block->in_count != 2)
        return NO_INDEX;
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t n = flow_edge_in(flow, block, i)->from;
        const struct block *constant = &flow->blocks[n];
        if (!constant->ends_with_zero_or_one || constant->in_count != 1 ||
            f->map.opens[n] != NO_INDEX)
            return NO_INDEX;
        tests[i] = flow_edge_in(flow, constant, 0)->from;
    }
    bool is_one = tests[0] == tests[1] && flow->blocks[tests[0]].exit == FLOW_CONDITION;
    return is_one ? tests[0] : NO_INDEX;
}

/* The block to which all ways lead from a test that was inlined; NO_INDEX: it is none. */
static uint32_t join_of_inlined(const struct operand_finder *f, uint32_t n)
{
    const struct flow *flow = f->flow;
    const struct block *block = &flow->blocks[n];
    if (block->exit != FLOW_CONDITION || block->edge_count != 2)
        return NO_INDEX;
    const struct block *way = &flow->blocks[flow->edges[block->first_edge].to];
    uint32_t join = way->edge_count == 1 ? flow->edges[way->first_edge].to : NO_INDEX;
    return join != NO_INDEX && join > n && inlined_test(f, join) == n ? join : NO_INDEX;
}

/* The test or value that an operand ends with, whose text begins in block `n`; NO_INDEX: it is no
 * operand. */
static uint32_t end_of_operand(const struct operand_finder *f, uint32_t n)
{
    const struct block *blocks = f->flow->blocks;
    for (unsigned steps = 0; steps < STEPS_MAX; steps++) {
        uint32_t join = join_of_inlined(f, n);
        n = join != NO_INDEX ? join : n;
        if (blocks[n].exit == FLOW_CONDITION || blocks[n].ends_with_bool)
            return n;
        if (blocks[n].edge_count != 1 || blocks[n].exit != FLOW_NEXT)
            return NO_INDEX;
        uint32_t next = f->flow->edges[blocks[n].first_edge].to;
        if (f->map.opens[next] != NO_INDEX || blocks[next].in_count != 1)
            return NO_INDEX;
        n = next;
    }
    return NO_INDEX;
}

static bool gets_point(const struct operand_finder *f, uint32_t n)
{
    return f->is_operand[n] && f->added[n].il_offset != UINT32_MAX;
}

static struct operand_way follow_way(const struct operand_finder *f, uint32_t edge)
{
    const struct flow *flow = f->flow;
    uint32_t n = flow->edges[edge].to;
    for (unsigned steps = 0; steps < STEPS_MAX; steps++) {
        const struct block *block = &flow->blocks[n];
        if (gets_point(f, n))
            return (struct operand_way){WAY_OPERAND, n, f->added[n].next};
        if (f->map.opens[n] != NO_INDEX) {
            uint32_t end = end_of_operand(f, n);
            return (struct operand_way){end != NO_INDEX ? WAY_OPERAND : WAY_OTHER, end,
                                        f->map.opens[n]};
        }
        if (block->ends_with_zero_or_one)
            return (struct operand_way){WAY_CONSTANT, n, NO_INDEX};
        uint32_t join = join_of_inlined(f, n);
        if (join != NO_INDEX) {
            n = join;
            continue;
        }
        if (block->edge_count != 1 || flow->edges[block->first_edge].to <= n)
            break;
        n = flow->edges[block->first_edge].to;
    }
    return (struct operand_way){WAY_OTHER, NO_INDEX, NO_INDEX};
}

/* The test of the value that block `n` passes on to a join; NO_INDEX if there is none. */
static uint32_t test_of_value(const struct flow *flow, uint32_t n)
{
    for (unsigned steps = 0; steps < STEPS_MAX && flow->blocks[n].edge_count == 1; steps++) {
        uint32_t to = flow->edges[flow->blocks[n].first_edge].to;
        if (to <= n)
            break;
        n = to;
        if (flow->blocks[n].exit == FLOW_CONDITION)
            return tests_join(flow, n) ? n : NO_INDEX;
    }
    return NO_INDEX;
}

/* Does operand `from`, or one that it leads to, lead to operand `to`? */
static bool leads_on(const struct operand_finder *f, uint32_t from, uint32_t to, unsigned nested)
{
    const struct block *block = &f->flow->blocks[from];
    if (block->exit != FLOW_CONDITION)
        from = test_of_value(f->flow, from);
    if (from == NO_INDEX || nested == STEPS_MAX)
        return false;
    block = &f->flow->blocks[from];
    for (uint32_t e = block->first_edge; e < block->first_edge + block->edge_count; e++) {
        struct operand_way way = follow_way(f, e);
        if (way.kind != WAY_OTHER && way.block > from &&
            (way.block == to || (way.block < to && leads_on(f, way.block, to, nested + 1))))
            return true;
    }
    return false;
}

/* Which of the two ways leads to the next operand? False if they are not those of an operand. */
static bool choose_next(struct operand_way *next, const struct operand_finder *f, uint32_t n)
{
    uint32_t e = f->flow->blocks[n].first_edge;
    struct operand_way a = follow_way(f, e), b = follow_way(f, e + 1);
    if (a.kind == WAY_OPERAND && b.kind == WAY_OPERAND) {
        *next = a.block < b.block ? a : b;
        return leads_on(f, next->block, a.block < b.block ? b.block : a.block, 0);
    }
    *next = a.kind == WAY_OPERAND ? a : b;
    return (a.kind == WAY_OPERAND && b.kind == WAY_CONSTANT) ||
           (a.kind == WAY_CONSTANT && b.kind == WAY_OPERAND);
}

/* Is the value of the whole known on one of the ways? In a `match` it has a point. */
static bool decides_whole(const struct operand_finder *f, uint32_t n)
{
    uint32_t e = f->flow->blocks[n].first_edge;
    return follow_way(f, e).kind == WAY_CONSTANT || follow_way(f, e + 1).kind == WAY_CONSTANT;
}

/* The code of a test: where it begins, and the point in it that applies to the branch. */
struct test_code {
    uint32_t first_block;
    uint32_t point; /* NO_INDEX: there is none */
    uint32_t later; /* the block after the one with the point, or NO_INDEX */
};

/* Does the code from instruction `first` to the end of the block only test what is there? */
static bool is_test_alone(const struct flow *flow, uint32_t first, uint32_t n)
{
    for (uint32_t i = first; i < flow_last_instr(flow, n); i++)
        if (!idiom_of_one_value(&flow->il.instrs[i]))
            return false;
    return true;
}

/* The last point in the block; not a hidden one after which the value is only tested. */
static uint32_t last_point(const struct operand_finder *f, uint32_t block, uint32_t test)
{
    const struct flow *flow = f->flow;
    const struct seq_points *points = f->map.points;
    uint32_t from = flow->il.instrs[flow->blocks[block].first].offset;
    for (uint32_t p = f->map.point_of[flow_last_instr(flow, block)];
         p != NO_INDEX && points->points[p].il_offset >= from; p = p == 0 ? NO_INDEX : p - 1)
        if (!points->points[p].hidden || block != test ||
            !is_test_alone(flow, flow->il.index_at[points->points[p].il_offset], block))
            return p;
    return NO_INDEX;
}

static struct test_code code_of(const struct operand_finder *f, uint32_t n)
{
    const struct flow *flow = f->flow;
    struct test_code code = {n, last_point(f, n, n), NO_INDEX};
    uint32_t inlined = inlined_test(f, n);
    if (code.point == NO_INDEX && inlined != NO_INDEX)
        code = (struct test_code){inlined, last_point(f, inlined, n), NO_INDEX};
    while (code.point == NO_INDEX) {
        uint32_t first = code.first_block;
        const struct block *block = &flow->blocks[first];
        if (block->in_count != 1 || block->is_entry || first == 0 ||
            flow->blocks[first - 1].exit != FLOW_NEXT)
            break;
        code = (struct test_code){first - 1, last_point(f, first - 1, n), first};
    }
    return code;
}

/* Does the branch ask whether something equals a constant string, as a rule of a `match` does? */
static bool tests_string(const struct flow *flow, uint32_t n)
{
    const struct instr *instrs = flow->il.instrs;
    uint32_t last = flow_last_instr(flow, n);
    return last >= 2 && il_tests_bool(&instrs[last]) && instrs[last - 1].op == OP_CALL &&
           instrs[last - 2].op == OP_LDSTR &&
           str_is(idiom_member(flow, &instrs[last - 1]), "Equals");
}

/* Does another such test of the same variable lead to it? */
static bool is_next_rule(const struct flow *flow, uint32_t n)
{
    const struct instr *instrs = flow->il.instrs;
    uint32_t first = n;
    while (flow->blocks[first].in_count == 1 && first != 0 &&
           flow->blocks[first - 1].exit == FLOW_NEXT)
        first--;
    const struct block *block = &flow->blocks[first];
    if (block->in_count == 0 || !tests_string(flow, n))
        return false;
    uint32_t before = flow_source(flow, flow_edge_in(flow, block, 0));
    uint32_t last = flow_last_instr(flow, n), other = flow_last_instr(flow, before);
    return tests_string(flow, before) && last > 2 && other > 2 &&
           il_loads_the_same(&instrs[last - 3], &instrs[other - 3]);
}

static bool tests_active_pattern(const struct flow *flow, uint32_t n)
{
    const struct instr *made = &flow->il.instrs[flow_last_instr(flow, n) - 1];
    return il_is_call(made) && str_starts(idiom_member(flow, made), "|");
}

/* Does the branch test a bool that is no comparison? Comparisons keep their points. */
static bool tests_bool(const struct flow *flow, uint32_t n)
{
    const struct instr *made = &flow->il.instrs[flow_last_instr(flow, n) - 1];
    if (!il_is_call(made))
        return made->op == OP_LDFLD || made->op == OP_LDSFLD || made->op == OP_LDELEM_U1 ||
               made->op == OP_BOX; /* isNull */
    return !tests_active_pattern(flow, n) && !is_next_rule(flow, n);
}

/* --- text ------------------------------------------------------------------------------------- */

static bool is_combining(const struct tokens *tokens, uint32_t i)
{
    return tokens_kind(tokens, i) == TOKEN_OPERATOR &&
           str_is_one_of(tokens_text(tokens, i), "&& ||");
}

/* Does a text that ends at the offset stand before && or ||, perhaps in brackets? */
static bool is_before_operator(const struct tokens *tokens, uint32_t offset)
{
    uint32_t i = tokens_from(tokens, offset);
    while (tokens_kind(tokens, i) == TOKEN_CLOSE)
        i++;
    return is_combining(tokens, i);
}

/* How many operands without a point of their own stand before that of an operand, behind all other
 * points? */
static uint32_t count_operands_before(const struct operand_finder *f, uint32_t point)
{
    const struct tokens *tokens = f->source->tokens;
    const struct spans *spans = &f->map.spans;
    uint32_t span = spans->of[point], start, end, from = 0, stop;
    if (!line_index_point(&start, &end, f->source->text, spans->items[span].text))
        return 0;
    if (span != 0 && line_index_point(&from, &stop, f->source->text, spans->items[span - 1].text) &&
        stop <= start)
        from = stop;
    uint32_t first = tokens_from(tokens, from), i = tokens_from(tokens, start), count = 0;
    while (i > first &&
           (tokens_kind(tokens, i - 1) == TOKEN_OPEN || tokens_is(tokens, i - 1, "not")))
        i--;
    if (i == first || !is_combining(tokens, i - 1))
        return 0;
    for (; i > first; i--)
        count += is_combining(tokens, i - 1);
    return count - is_before_operator(tokens, from);
}

static bool has_own_text(const struct operand_finder *f, uint32_t point)
{
    uint32_t start, end;
    return !line_index_point(&start, &end, f->source->text, &f->map.points->points[point]) ||
           is_before_operator(f->source->tokens, end);
}

/* --- tests ------------------------------------------------------------------------------------ */

static void look_at_test(struct operand_finder *f, uint32_t n)
{
    const struct flow *flow = f->flow;
    const struct seq_point *points = f->map.points->points;
    const struct tokens *tokens = f->source->tokens;
    struct operand_way next;
    if (!choose_next(&next, f, n))
        return;
    struct test_code code = code_of(f, n);
    uint32_t after = gets_point(f, next.block) ? f->added[next.block].after : 0;
    if (tokens != NULL && count_operands_before(f, next.point) <= after)
        return;
    uint32_t offset = flow->il.instrs[flow->blocks[code.first_block].first].offset;
    if (code.point != NO_INDEX && points[code.point].hidden) {
        offset = points[code.point].il_offset;
    } else if (code.point != NO_INDEX) {
        bool is_around = seq_point_is_within(&points[next.point], &points[code.point]);
        if (!is_around &&
            (tokens != NULL ? has_own_text(f, code.point)
                            : seq_point_order(&points[code.point], &points[next.point]) <= 0))
            return; /* it has one of its own */
        uint32_t at =
            code.later != NO_INDEX ? flow->blocks[code.later].first : flow_last_instr(flow, n);
        offset = is_around && flow->blocks[code.first_block].depth == 0
                     ? UINT32_MAX
                     : flow->il.instrs[at].offset;
    }
    f->is_operand[n] = true;
    f->added[n] = (struct added){next.point, after + 1, offset};
}

/* In a state machine the compiler has tests of its own, and it keeps variables in fields. */
static bool is_of_machine(const struct flow *flow, uint32_t n)
{
    const struct instr *made = &flow->il.instrs[flow_last_instr(flow, n) - 1];
    return made->op == OP_LDFLD || made->op == OP_LDSFLD ||
           (il_is_call(made) && str_is(idiom_member(flow, made), "get_IsCompleted"));
}

static bool may_be_operand(const struct operand_finder *f, enum fsharp_kind kind, uint32_t n)
{
    const struct flow *flow = f->flow;
    uint32_t last = flow_last_instr(flow, n);
    if (flow->blocks[n].edge_count != 2 || last < 1 || flow->blocks[n].exit != FLOW_CONDITION ||
        point_map_ends_unseen_loop(&f->map, n))
        return false;
    if (tests_join(flow, n))
        return inlined_test(f, n) != NO_INDEX;
    if (f->source->tokens != NULL)
        return true;
    if (!il_tests_bool(&flow->il.instrs[last]))
        return false;
    if (kind != FSHARP_NO_MACHINE && is_of_machine(flow, n))
        return false;
    return (tests_bool(flow, n) && !fsharp_tests_pattern(flow, n)) ||
           (kind == FSHARP_NO_MACHINE && !tests_active_pattern(flow, n) && decides_whole(f, n));
}

/* --- points ----------------------------------------------------------------------------------- */

static struct seq_point make_point(const struct operand_finder *f, uint32_t n)
{
    struct seq_point point = f->map.points->points[f->added[n].next];
    uint32_t before = APART * f->added[n].after;
    point.il_offset = f->added[n].il_offset;
    point.end_line = point.start_line;
    point.start_column = (uint16_t)(point.start_column > before ? point.start_column - before : 1);
    point.end_column = point.start_column;
    return point;
}

/* The expression begins with the operand that the fewest others come before. */
static void note_begin(struct fsharp_operands *out, const struct operand_finder *f, uint32_t n)
{
    uint32_t next = f->added[n].next, offset = f->added[n].il_offset;
    if (f->map.outer[next] == NO_INDEX && out->begins[next] == NO_INDEX)
        out->begins[next] = flow_block_of(f->flow, f->flow->il.index_at[offset]);
}

/* Merges the points of the method and those that are added; these replace hidden ones. */
static void merge_points(struct fsharp_operands *out, const struct operand_finder *f,
                         uint32_t *moved)
{
    const struct seq_points *points = f->map.points;
    struct seq_point *to = out->points.points;
    uint32_t p = 0, count = 0;
    for (uint32_t n = 0; n < f->flow->block_count; n++) {
        if (!gets_point(f, n))
            continue;
        struct seq_point point = make_point(f, n);
        for (; p < points->count && points->points[p].il_offset < point.il_offset; p++)
            moved[p] = count, to[count++] = points->points[p];
        if (p < points->count && points->points[p].il_offset == point.il_offset)
            moved[p++] = count;
        out->next[count] = f->added[n].next;
        to[count++] = point;
    }
    for (; p < points->count; p++)
        moved[p] = count, to[count++] = points->points[p];
    out->points.count = count;
    for (uint32_t i = 0; i < count; i++)
        if (out->next[i] != NO_INDEX)
            out->next[i] = moved[out->next[i]];
}

static bool add_points(struct fsharp_operands *out, const struct operand_finder *f,
                       struct arena *arena, struct err *err)
{
    uint32_t count = f->map.points->count, room = count;
    for (uint32_t n = 0; n < f->flow->block_count; n++)
        room += gets_point(f, n);
    uint32_t *moved = arena_raw(arena, count, sizeof *moved, err);
    out->points.points = arena_raw(arena, room, sizeof *out->points.points, err);
    out->next = arena_no_indexes(arena, room, err);
    out->begins = arena_no_indexes(arena, count, err);
    if (moved == NULL || out->points.points == NULL || out->next == NULL || out->begins == NULL)
        return false;
    for (uint32_t n = 0; n < f->flow->block_count; n++)
        if (gets_point(f, n))
            note_begin(out, f, n);
    merge_points(out, f, moved);
    return true;
}

bool fsharp_operands_find(struct fsharp_operands *out, const struct statements_source *source,
                          struct arena *arena, struct err *err)
{
    const struct flow *flow = source->flow;
    struct operand_finder f = {.flow = flow, .source = source};
    bool any = false;
    *out = (struct fsharp_operands){.points = *source->points};
    if (source->language != LANGUAGE_FSHARP || !flow->context.md->optimised ||
        source->points->count == 0)
        return true;
    enum fsharp_kind kind = fsharp_machine_kind(flow);
    f.is_operand = ARENA_NEW(arena, bool, flow->block_count, err);
    f.added = ARENA_NEW(arena, struct added, flow->block_count, err);
    if (f.is_operand == NULL || f.added == NULL || !point_map_make(&f.map, source, arena, err))
        return false;
    for (uint32_t n = flow->block_count; n-- != 0;)
        if (may_be_operand(&f, kind, n)) {
            look_at_test(&f, n);
            any |= f.is_operand[n];
        }
    if (!any)
        return true;
    out->is_operand = f.is_operand;
    return add_points(out, &f, arena, err);
}

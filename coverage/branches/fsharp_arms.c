/* Arms of `if` and `match` that only make a function: `if up then fun x -> x + 1
 * else fun x -> x - 1`. The F# compiler gives such an arm a hidden point; its text is in the
 * function, which is a method of a type of its own. Without any text the `if` looks like inlined
 * code (fsharp_inlined.c), and arms that join look like one. So the arm borrows the text of the
 * function. Only if every way out of the test leads to text or to a function: inlined code, such as
 * Option.defaultWith, passes something else on by another way. Functions that were inlined
 * themselves have no text, and those within the statement of the test are its arguments.
 * `function` has no statement; if all its rules make functions, its branches are on the first
 * one. */
#include "coverage/branches/branches.h"

#include <string.h>

#include "metadata/lookup.h"
#include "metadata/names.h"

/* The arms of one method, and the ways out of one test. */
struct arm_finder {
    const struct statements_source *source;
    const struct flow *flow;
    struct seq_point *text; /* per point: the text of the function made there; hidden: none */
    uint32_t *arm;    /* per block: the point at its start, if it has such text; or NO_INDEX */
    uint32_t *before; /* per block: the last visible point at its end, or NO_INDEX */
    bool *has_text;   /* per block: a visible point begins in it */
    struct blocks_met met;
    struct fsharp_arms *out;
};

/* --- functions -------------------------------------------------------------------------------- */

/* The type of the function that the instruction makes, or loads if it captures nothing; 0 if there
 * is none. */
static uint32_t function_made(const struct metadata *md, const struct instr *instr)
{
    bool loads = instr->op == OP_LDSFLD && str_is(name_of_member(md, instr->operand), "@_instance");
    if (!loads && instr->op != OP_NEWOBJ)
        return 0;
    uint32_t type = type_of_member(md, instr->operand);
    if (TOKEN_TABLE(type) != TABLE_TypeDef || TOKEN_RID(type) == 0)
        return 0;
    struct str name = row_string(md, COL_TypeDef_TypeName, TOKEN_RID(type));
    return name.len != 0 && memchr(name.text, '@', name.len) != NULL ? TOKEN_RID(type) : 0;
}

/* Gets the first visible point of the methods of a type; a hidden one if there is none. */
static bool read_function_text(struct seq_point *out, const struct arm_finder *f, uint32_t type_rid,
                               struct arena *arena, struct err *err)
{
    struct row_range methods = tables_list(&f->flow->context.md->tables, COL_TypeDef_MethodList,
                                           type_rid, TABLE_MethodDef);
    for (uint32_t rid = methods.first; rid < methods.end; rid++) {
        struct seq_points points;
        if (!pdb_sequence_points(&points, f->source->pdb, rid, arena, err))
            return false;
        for (uint32_t p = 0; p < points.count; p++)
            if (!points.points[p].hidden) {
                *out = points.points[p];
                return true;
            }
    }
    return true;
}

/* The text of the first function that the code under a point makes. */
static bool find_function_text(struct arm_finder *f, uint32_t point, struct arena *arena,
                               struct err *err)
{
    const struct il *il = &f->flow->il;
    const struct seq_points *points = f->source->points;
    uint32_t end = point + 1 < points->count ? points->points[point + 1].il_offset : il->code_size;
    f->text[point].hidden = true;
    for (uint32_t i = il->index_at[points->points[point].il_offset];
         i < il->count && il->instrs[i].offset < end; i++) {
        uint32_t type = function_made(f->flow->context.md, &il->instrs[i]);
        if (type != 0)
            return read_function_text(&f->text[point], f, type, arena, err);
    }
    return true;
}

/* --- blocks ----------------------------------------------------------------------------------- */

/* Where points begin, block by block. Gets whether any arm makes a function. */
static bool look_at_points(bool *any, struct arm_finder *f, struct arena *arena, struct err *err)
{
    const struct flow *flow = f->flow;
    const struct seq_points *points = f->source->points;
    uint32_t next = 0, visible = NO_INDEX;
    for (uint32_t n = 0; n < flow->block_count; n++) {
        const struct block *block = &flow->blocks[n];
        uint32_t first = flow->il.instrs[block->first].offset;
        uint32_t end =
            block->end < flow->il.count ? flow->il.instrs[block->end].offset : flow->il.code_size;
        f->arm[n] = NO_INDEX;
        for (; next < points->count && points->points[next].il_offset < end; next++) {
            const struct seq_point *point = &points->points[next];
            if (!point->hidden) {
                visible = next;
                f->has_text[n] = true;
            } else if (point->il_offset == first && block->reachable) {
                if (!find_function_text(f, next, arena, err))
                    return false;
                f->arm[n] = f->text[next].hidden ? NO_INDEX : next;
                *any |= f->arm[n] != NO_INDEX;
            }
        }
        f->before[n] = visible;
    }
    return true;
}

/* Does code after the function belong to another way, too, on which there was nothing? */
static bool joins_way(const struct arm_finder *f, uint32_t arm)
{
    uint32_t n = arm;
    for (uint32_t steps = 0; steps < WAYS_MAX; steps++) {
        const struct block *block = &f->flow->blocks[n];
        if (block->edge_count != 1)
            return false;
        n = f->flow->edges[block->first_edge].to;
        if (f->met.seen[n] == f->met.tests)
            return true;
        if (f->has_text[n])
            return false;
    }
    return true;
}

/* Does each way out of the test lead to text, to a function or to an exception? */
static bool leads_to_arms(struct arm_finder *f, uint32_t test)
{
    if (!blocks_meet_first(&f->met, f->flow, test))
        return false;
    for (uint32_t i = 0; i < f->met.count; i++) {
        uint32_t n = f->met.items[i];
        const struct block *block = &f->flow->blocks[n];
        if (f->has_text[n] || f->arm[n] != NO_INDEX || block->exit == FLOW_THROW)
            continue;
        if (block->edge_count == 0 || !blocks_meet_next(&f->met, f->flow, n))
            return false;
    }
    for (uint32_t i = 0; i < f->met.count; i++)
        if (f->arm[f->met.items[i]] != NO_INDEX && joins_way(f, f->met.items[i]))
            return false;
    return true;
}

/* The arms of the test borrow the text of their functions. */
static void borrow_texts(struct arm_finder *f, uint32_t test)
{
    const struct seq_point *points = f->source->points->points;
    for (uint32_t i = 0; i < f->met.count; i++) {
        uint32_t p = f->arm[f->met.items[i]];
        if (p == NO_INDEX || (f->before[test] != NO_INDEX &&
                              seq_point_is_within(&f->text[p], &points[f->before[test]])))
            continue;
        uint32_t il_offset = points[p].il_offset;
        f->out->points.points[p] = f->text[p];
        f->out->points.points[p].il_offset = il_offset;
        f->out->borrowed[p] = true;
    }
}

static bool alloc_arms(struct arm_finder *f, struct arena *arena, struct err *err)
{
    uint32_t count = f->flow->block_count;
    f->text = ARENA_NEW(arena, struct seq_point, f->source->points->count, err);
    f->arm = arena_raw(arena, count, sizeof *f->arm, err);
    f->before = arena_raw(arena, count, sizeof *f->before, err);
    f->has_text = ARENA_NEW(arena, bool, count, err);
    f->met.seen = ARENA_NEW(arena, uint32_t, count, err);
    return f->text != NULL && f->arm != NULL && f->before != NULL && f->has_text != NULL &&
           f->met.seen != NULL;
}

bool fsharp_arms_find(struct fsharp_arms *out, const struct statements_source *source,
                      struct arena *arena, struct err *err)
{
    struct arm_finder f = {.source = source, .flow = source->flow, .out = out};
    uint32_t count = source->points->count;
    bool any = false;
    *out = (struct fsharp_arms){.points = *source->points};
    if (source->language != LANGUAGE_FSHARP || source->pdb == NULL || count == 0)
        return true;
    if (!alloc_arms(&f, arena, err) || !look_at_points(&any, &f, arena, err))
        return false;
    if (!any)
        return true;
    out->points.points = arena_raw(arena, count, sizeof *out->points.points, err);
    out->borrowed = ARENA_NEW(arena, bool, count, err);
    if (out->points.points == NULL || out->borrowed == NULL)
        return false;
    memcpy(out->points.points, source->points->points, count * sizeof *out->points.points);
    for (uint32_t n = 0; n < f.flow->block_count; n++)
        if (f.flow->blocks[n].edge_count > 1 && leads_to_arms(&f, n))
            borrow_texts(&f, n);
    return true;
}

#include "coverage/branches/way_code.h"

#include "coverage/statements/variable.h"

static uint32_t next_block(const struct flow *flow, uint32_t n)
{
    return flow->edges[flow->blocks[n].first_edge].to;
}

static bool only_goes_on(const struct instr *instr)
{
    return instr->op == OP_NOP || il_info(instr)->flow == FLOW_BRANCH;
}

static bool has_constant_condition(const struct flow *flow, uint32_t first, uint32_t last)
{
    for (uint32_t n = first; n != last && flow->blocks[n].edge_count == 1; n = next_block(flow, n))
        if (flow->blocks[n].exit == FLOW_CONDITION)
            return true;
    return false;
}

enum way_kind way_code_kind(const struct point_map *map, uint32_t first, uint32_t last)
{
    if (has_constant_condition(map->flow, first, last))
        return WAY_BEGINS;
    const struct flow *flow = map->flow;
    bool evaluates = false;
    for (uint32_t n = first;; n = next_block(flow, n)) {
        const struct block *block = &flow->blocks[n];
        for (uint32_t i = block->first; i < block->end; i++) {
            uint32_t p = map->point_of[i];
            if (p != NO_INDEX && map->points->points[p].hidden &&
                map->points->points[p].il_offset == flow->il.instrs[i].offset)
                return evaluates ? WAY_EVALUATES : WAY_OPENS;
            evaluates = evaluates || !only_goes_on(&flow->il.instrs[i]);
        }
        if (n == last || block->edge_count != 1)
            return WAY_CONTINUES;
    }
}

/* --- variables -------------------------------------------------------------------------------- */

/* Is it the object whose fields hold the variables of a state machine? Which one counts. */
static bool only_holds(const struct point_map *map, uint32_t argument, const struct instr *next)
{
    bool has_this = (map->flow->context.sig.flags & SIG_HAS_THIS) != 0;
    return has_this && argument == 0 && (next->op == OP_LDFLD || next->op == OP_LDFLDA);
}

/* The variable that the instruction loads. It is not the last one. */
static struct variable loaded_at(const struct point_map *map, uint32_t index)
{
    const struct instr *instr = &map->flow->il.instrs[index];
    struct variable variable = variable_loaded(instr);
    if (variable.kind == VARIABLE_ARGUMENT && only_holds(map, variable.number, instr + 1))
        variable.kind = VARIABLE_NONE;
    return variable;
}

/* The variable that it loads, or whose address it takes: of a structure, to ask for a property. */
static struct variable loaded_or_addressed(const struct point_map *map, uint32_t index)
{
    struct variable variable = variable_addressed(&map->flow->il.instrs[index]);
    return variable.kind != VARIABLE_NONE ? variable : loaded_at(map, index);
}

/* The block that does nothing else than run on to `n`, which no other block leads to; or
 * NO_INDEX. */
static uint32_t block_before(const struct flow *flow, uint32_t n)
{
    const struct block *block = &flow->blocks[n];
    if (block->in_count != 1 || block->is_entry)
        return NO_INDEX;
    uint32_t from = flow_edge_in(flow, block, 0)->from;
    return flow->blocks[from].edge_count == 1 ? from : NO_INDEX;
}

/* Does the code of the dispatch at the end of block `member` load or store the variable? It is what
 * one point covers, up to the branch. */
static bool tests_variable(const struct point_map *map, uint32_t member, struct variable variable)
{
    const struct block *block = &map->flow->blocks[member];
    uint32_t last = block->end - 1;
    for (uint32_t i = last; i-- > block->first && map->point_of[i] == map->point_of[last];)
        if (variable_is_stored(variable, &map->flow->il.instrs[i]) ||
            variable_is(loaded_at(map, i), variable))
            return true;
    return false;
}

/* The same for the code before it as well, back to where the statement begins, and for
 * addresses. */
static bool knows_variable(const struct branches *branches, uint32_t member,
                           struct variable variable)
{
    const struct point_map *map = &branches->map;
    uint32_t own = branches->statement[member];
    for (uint32_t n = member; n != NO_INDEX; n = block_before(map->flow, n)) {
        const struct block *block = &map->flow->blocks[n];
        for (uint32_t i = block->end; i-- > block->first;) {
            if (map->point_of[i] != own && point_map_is_visible(map, map->point_of[i]))
                return false;
            if (variable_is_stored(variable, &map->flow->il.instrs[i]) ||
                (i + 1 < block->end && variable_is(loaded_or_addressed(map, i), variable)))
                return true;
        }
    }
    return false;
}

static bool is_stored_on_the_way(const struct point_map *map, uint32_t first, uint32_t load)
{
    const struct flow *flow = map->flow;
    struct variable variable = loaded_or_addressed(map, load);
    uint32_t end = flow_block_of(flow, load);
    for (uint32_t n = first;; n = next_block(flow, n)) {
        const struct block *block = &flow->blocks[n];
        for (uint32_t i = block->first; i < block->end && i != load; i++)
            if (variable_is_stored(variable, &map->flow->il.instrs[i]))
                return true;
        if (n == end || block->edge_count != 1)
            return false;
    }
}

bool way_code_shares_value(const struct branches *branches, uint32_t first, uint32_t last,
                           uint32_t member, enum way_kind kind)
{
    const struct point_map *map = &branches->map;
    const struct flow *flow = branches->flow;
    bool evaluates = kind == WAY_EVALUATES;
    for (uint32_t n = first;; n = next_block(flow, n)) {
        const struct block *block = &flow->blocks[n];
        for (uint32_t i = block->first; i + 1 < block->end; i++) {
            struct variable variable = evaluates ? loaded_or_addressed(map, i) : loaded_at(map, i);
            bool is_known = evaluates ? knows_variable(branches, member, variable)
                                      : tests_variable(map, member, variable);
            if (is_known && !is_stored_on_the_way(map, first, i))
                return true;
        }
        if (n == last || block->edge_count != 1)
            return false;
    }
}

/* --- notes ------------------------------------------------------------------------------------ */

enum {
    TEST_LEN = 4, /* instructions that compare a variable with a constant, and branch */
};

/* A state machine may copy it right before. */
static struct variable tested_variable(const struct point_map *map, uint32_t n)
{
    const struct block *block = &map->flow->blocks[n];
    struct variable variable = {VARIABLE_NONE, 0};
    uint32_t i = block->end - 1;
    while (variable.kind == VARIABLE_NONE && i-- > block->first && block->end - i <= TEST_LEN)
        variable = loaded_at(map, i);
    if (variable.kind == VARIABLE_LOCAL && i > block->first + 1 &&
        variable_is_stored(variable, &map->flow->il.instrs[i - 1]) &&
        loaded_at(map, i - 2).kind == VARIABLE_FIELD)
        variable = loaded_at(map, i - 2);
    return variable;
}

bool way_code_tests_note(const struct point_map *map, uint32_t n)
{
    const struct il *il = &map->flow->il;
    struct variable variable = tested_variable(map, n);
    bool is_noted = false;
    if (variable.kind == VARIABLE_NONE || variable.kind == VARIABLE_ARGUMENT)
        return false;
    for (uint32_t i = 0; i < il->count; i++) {
        int32_t ignored;
        bool stores = variable_is_stored(variable, &il->instrs[i]);
        /* where its address is taken, anything may be stored */
        if (variable_is(variable_addressed(&il->instrs[i]), variable) ||
            (stores && (!il_constant(&ignored, &il->instrs[i - 1]) ||
                        point_map_is_visible(map, map->point_of[i]))))
            return false;
        is_noted |= stores;
    }
    return is_noted;
}

/* Is a constant stored in the variable right before control leaves the block? */
static bool ends_with_note(const struct flow *flow, uint32_t n, struct variable note)
{
    uint32_t i = flow_last_instr(flow, n);
    int32_t ignored;
    while (i > flow->blocks[n].first + 1 && only_goes_on(&flow->il.instrs[i]))
        i--;
    return i > flow->blocks[n].first && variable_is_stored(note, &flow->il.instrs[i]) &&
           il_constant(&ignored, &flow->il.instrs[i - 1]);
}

bool way_code_tests_note_of(const struct point_map *map, uint32_t n, uint32_t guard)
{
    const struct flow *flow = map->flow;
    const struct block *block = &flow->blocks[guard];
    struct variable note = tested_variable(map, n);
    bool is_noted = note.kind != VARIABLE_NONE && block->in_count != 0;
    for (uint32_t i = 0; i < block->in_count && is_noted; i++)
        is_noted = ends_with_note(flow, flow_source(flow, flow_edge_in(flow, block, i)), note);
    return is_noted;
}

#include "coverage/facts/line_rank.h"

#include "base/sort.h"

enum {
    STATEMENTS_BACK_MAX = 1000
};

struct condition_line {
    uint32_t method, il_offset; /* of the statement */
    uint32_t line;
};

ORDER(order_condition_lines, struct condition_line, BY(method) BY(il_offset) BY(line))

/* The last statement before the decision, of those that start where its own does: after that, the
 * arms of a `switch` expression may stand. NULL: none is near. */
static const struct fact_statement *statement_of(const struct fact_module *module, uint32_t next,
                                                 const struct fact_decision *decision)
{
    uint32_t least = next > STATEMENTS_BACK_MAX ? next - STATEMENTS_BACK_MAX : 0;
    while (next-- != least && module->statements[next].method == decision->method) {
        const struct fact_statement *statement = &module->statements[next];
        if (statement->start_line == decision->line &&
            statement->end_line >= decision->span.start_line)
            return statement;
    }
    return NULL;
}

static bool is_past(const struct fact_statement *statement, const struct fact_decision *decision)
{
    return statement->method != decision->method ? statement->method > decision->method
                                                 : statement->il_offset > decision->il_offset;
}

bool condition_lines_find(struct condition_lines *out, const struct fact_module *module,
                          struct arena *arena, struct err *err)
{
    uint32_t room = 0, next = 0;
    for (uint32_t i = 0; i < module->decision_count; i++)
        room += module->decisions[i].span.start_line != module->decisions[i].line;
    *out = (struct condition_lines){ARENA_NEW(arena, struct condition_line, room, err), 0};
    for (uint32_t i = 0; room != 0 && out->items != NULL && i < module->decision_count; i++) {
        const struct fact_decision *decision = &module->decisions[i];
        while (next < module->statement_count && !is_past(&module->statements[next], decision))
            next++;
        if (decision->span.start_line == decision->line)
            continue;
        const struct fact_statement *of = statement_of(module, next, decision);
        if (of != NULL)
            out->items[out->count++] =
                (struct condition_line){of->method, of->il_offset, decision->span.start_line};
    }
    sort_unless_sorted(out->items, out->count, sizeof *out->items, order_condition_lines);
    return out->items != NULL;
}

uint64_t line_rank(const struct condition_lines *conditions, const struct fact_statement *statement,
                   uint32_t line)
{
    const struct condition_line key = {statement->method, statement->il_offset, line};
    if (line == statement->start_line || line == statement->end_line ||
        sorted_find(&key, conditions->items, conditions->count, sizeof key,
                    order_condition_lines) != NULL)
        return 0;
    return (uint64_t)(statement->end_line - statement->start_line) << 32 |
           (uint64_t)(UINT16_MAX - statement->start_column) << 16 | statement->end_column;
}

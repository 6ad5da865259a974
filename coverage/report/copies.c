#include "coverage/report/copies.h"

#include "base/number.h"
#include "base/sort.h"

/* A statement that may have copies; sorted by type and span to find them. */
struct copy_candidate {
    struct str type;
    const struct fact_statement *statement;
};

ORDER(order_copy_spans, struct copy_candidate,
      BY(type) BY(statement->document) BY(statement->start_line) BY(statement->start_column)
          BY(statement->end_line) BY(statement->end_column))
ORDER(order_copies, struct copy_candidate,
      BY_ORDER(order_copy_spans(a, b))
          BY_ORDER(number_order((uintptr_t)a->statement, (uintptr_t)b->statement)))

/* Which type's methods may have copies of the statements of the method; empty: none. */
static struct str type_of_copies(const struct fact_method *method, const struct fact_method *user)
{
    if (str_is(user->name, ".ctor"))
        return user->type;
    bool is_of_sequence = str_is_one_of(method->name, "GenerateNext Close") ||
                          str_glob(STR("*$cont@*"), method->name); /* a piece of one */
    return method != user && is_of_sequence ? method->type : STR("");
}

static bool find_statements(struct copies *out, const struct fact_module *module,
                            struct arena *scratch, struct err *err)
{
    struct copy_candidate *candidates =
        arena_raw(scratch, module->statement_count, sizeof *candidates, err);
    uint32_t count = 0;
    if (candidates == NULL)
        return false;
    for (uint32_t s = 0; s < module->statement_count; s++) {
        const struct fact_statement *statement = &module->statements[s];
        const struct fact_method *user =
            &module->methods[module->methods[statement->method].user_method];
        out->statement[s] = s;
        struct str type = type_of_copies(&module->methods[statement->method], user);
        if (type.len != 0)
            candidates[count++] = (struct copy_candidate){type, statement};
    }
    sort_unless_sorted(candidates, count, sizeof *candidates, order_copies);
    for (uint32_t i = 1, first = 0; i < count; i++) {
        if (order_copy_spans(&candidates[first], &candidates[i]) != 0)
            first = i;
        out->statement[candidates[i].statement - module->statements] =
            (uint32_t)(candidates[first].statement - module->statements);
    }
    return true;
}

static bool are_alike_decisions(const struct fact_decision *a, const struct fact_decision *b)
{
    return a->is_switch == b->is_switch && a->outcome_count == b->outcome_count &&
           a->line == b->line;
}

/* The nth decision of a statement is a copy of the nth of its first copy. Both lists are in order
 * of method and offset: a decision belongs to the last statement before it. */
static bool find_decisions(struct copies *out, const struct fact_module *module,
                           struct arena *scratch, struct err *err)
{
    uint32_t *first = ARENA_NEW(scratch, uint32_t, module->statement_count, err);
    uint32_t *count = ARENA_NEW(scratch, uint32_t, module->statement_count, err);
    if (first == NULL || count == NULL)
        return false;
    for (uint32_t d = 0, next = 0; d < module->decision_count; d++) {
        const struct fact_decision *decision = &module->decisions[d];
        out->decision[d] = d;
        while (next < module->statement_count &&
               (module->statements[next].method < decision->method ||
                (module->statements[next].method == decision->method &&
                 module->statements[next].il_offset <= decision->il_offset)))
            next++;
        if (next == 0 || module->statements[next - 1].method != decision->method)
            continue;
        uint32_t own = next - 1, copy = out->statement[own];
        if (count[own] == 0)
            first[own] = d;
        uint32_t nth = count[own]++;
        if (copy != own && nth < count[copy] &&
            are_alike_decisions(decision, &module->decisions[first[copy] + nth]))
            out->decision[d] = first[copy] + nth;
    }
    return true;
}

bool copies_find(struct copies *out, const struct fact_module *module, struct arena *arena,
                 struct err *err)
{
    *out = (struct copies){
        .statement = ARENA_NEW(arena, uint32_t, module->statement_count, err),
        .decision = ARENA_NEW(arena, uint32_t, module->decision_count, err),
    };
    struct arena scratch = ARENA_EMPTY;
    bool ok = out->statement != NULL && out->decision != NULL &&
              find_statements(out, module, &scratch, err) &&
              find_decisions(out, module, &scratch, err);
    arena_free(&scratch);
    return ok;
}

#include "coverage/facts/facts.h"

#include <stddef.h>

#include "base/fnv.h"
#include "base/sort.h"
#include "base/text.h"

bool facts_begin(struct fact_run *run, enum reason_code how, int64_t when, struct arena *arena,
                 struct err *err)
{
    char date[UTC_ROOM];
    run->kind = RUN_PARTIAL;
    run->reason = reason_new(how, str_of(utc_text(date, when)), STR(""), arena, err);
    return run->reason != NULL;
}

void facts_add_ids(struct writer *ids, const struct fact_run *run)
{
    if (run->folded.len != 0)
        wr_bytes(ids, run->folded.data, run->folded.len);
    else
        wr_bytes(ids, run->id, sizeof run->id);
}

bool facts_is_outside(const struct reason *reason)
{
    return reason_is(reason, REASON_OUTSIDE_ROOT) || reason_is(reason, REASON_OUTSIDE_GIVEN_ROOT);
}

bool facts_lacks_source(const struct reason *reason)
{
    return facts_is_outside(reason) || reason_is(reason, REASON_NO_SOURCE) ||
           reason_is(reason, REASON_CHANGED);
}

bool facts_has_code(const struct fact_module *module)
{
    return module->state == MODULE_INSTRUMENTED || module->state == MODULE_NOT_LOADED;
}

bool facts_has_test_code(const struct fact_module *module)
{
    return module->state == MODULE_SKIPPED && module->method_count != 0;
}

bool facts_with_test_code(struct facts *out, const struct facts *facts, struct arena *arena,
                          struct err *err)
{
    *out = *facts;
    out->modules = ARENA_NEW(arena, struct fact_module, facts->module_count, err);
    for (uint32_t i = 0; out->modules != NULL && i < facts->module_count; i++) {
        out->modules[i] = facts->modules[i];
        if (facts_has_test_code(&facts->modules[i]))
            out->modules[i].state = MODULE_INSTRUMENTED;
    }
    return out->modules != NULL;
}

void facts_forget_code(struct facts *facts)
{
    for (uint32_t i = 0; i < facts->module_count; i++) {
        struct fact_module *module = &facts->modules[i];
        module->method_count = module->statement_count = module->decision_count = 0;
        module->methods = NULL;
        module->statements = NULL;
        module->decisions = NULL;
    }
    facts->counts_count = 0;
    facts->counts = NULL;
}

struct fact_display fact_method_display(const struct fact_method *method)
{
    return method->display.name.len != 0
               ? method->display
               : (struct fact_display){method->type, method->name, method->signature};
}

bool fact_display_text(struct str *out, struct fact_display display, struct arena *arena,
                       struct err *err)
{
    return text_format(out, arena, err, "%.*s.%.*s%.*s", STR_ARGS(display.type),
                       STR_ARGS(display.name), STR_ARGS(display.signature));
}

/* --- places of counts ------------------------------------------------------------------------- */

void facts_layout(struct fact_module *module)
{
    uint32_t next = 0, statement = 0, decision = 0;
    for (uint32_t i = 0; i < module->method_count; i++) {
        if (module->methods[i].entry_count != NO_INDEX)
            module->methods[i].entry_count = next++;
        for (; statement < module->statement_count && module->statements[statement].method == i;
             statement++)
            module->statements[statement].count = next++;
        for (; decision < module->decision_count && module->decisions[decision].method == i;
             decision++) {
            module->decisions[decision].first_count = next;
            next += module->decisions[decision].outcome_count;
        }
    }
    module->count_len = next;
}

uint64_t facts_layout_hash(const struct fact_module *module)
{
    uint64_t hash = fnv_word(FNV_START, module->count_len);
    for (uint32_t i = 0; i < module->method_count; i++)
        hash = fnv_word(fnv_word(hash, module->methods[i].token), module->methods[i].entry_count);
    for (uint32_t i = 0; i < module->statement_count; i++) {
        const struct fact_statement *statement = &module->statements[i];
        hash = fnv_word(fnv_word(hash, statement->method), statement->il_offset);
        hash = fnv_word(hash, statement->count);
    }
    for (uint32_t i = 0; i < module->decision_count; i++) {
        const struct fact_decision *decision = &module->decisions[i];
        hash = fnv_word(fnv_word(hash, decision->method), decision->il_offset);
        hash = fnv_word(fnv_word(hash, decision->outcome_count), decision->first_count);
    }
    return hash;
}

/* --- statements and decisions of a method ----------------------------------------------------- */

_Static_assert(offsetof(struct fact_statement, method) == 0, "first_of_method reads it there");
_Static_assert(offsetof(struct fact_decision, method) == 0, "first_of_method reads it there");

/* In a list of items that begin with their method. */
static uint32_t first_of_method(const void *items, size_t size, uint32_t count, uint32_t method)
{
    return (uint32_t)sorted_place(&method, items, count, size, u32_order);
}

uint32_t facts_first_statement(const struct fact_module *module, uint32_t method)
{
    return first_of_method(module->statements, sizeof *module->statements, module->statement_count,
                           method);
}

uint32_t facts_first_decision(const struct fact_module *module, uint32_t method)
{
    return first_of_method(module->decisions, sizeof *module->decisions, module->decision_count,
                           method);
}

struct fact_extent facts_extent(const struct fact_module *module, uint32_t method)
{
    return (struct fact_extent){
        facts_first_statement(module, method), facts_first_statement(module, method + 1),
        facts_first_decision(module, method), facts_first_decision(module, method + 1)};
}

/* --- statements and lines --------------------------------------------------------------------- */

const struct reason *facts_generated(const struct fact_module *module,
                                     const struct fact_statement *statement)
{
    const struct fact_document *document = &module->documents[statement->document];
    uint32_t user = module->methods[statement->method].user_method;
    return document->generated != NULL ? document->generated : module->methods[user].generated;
}

bool facts_has_text(const struct fact_statement *statement, uint32_t line)
{
    uint32_t bit = line - statement->start_line - 1;
    return line == statement->start_line || line == statement->end_line ||
           bit / 8 >= statement->gaps.len || (statement->gaps.data[bit / 8] >> bit % 8 & 1) == 0;
}

bool facts_has_carried(const struct facts *facts)
{
    for (uint32_t i = 0; i < facts->run_count; i++)
        if (facts->runs[i].kind == RUN_CARRIED)
            return true;
    return false;
}

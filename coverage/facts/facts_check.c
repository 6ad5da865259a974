/* facts_check: all that code relies on without looking again. */
#include "coverage/facts/facts_tests.h"

/* Only lines between the first and the last can be gaps. */
static bool gaps_are_sound(const struct fact_statement *statement)
{
    struct view gaps = statement->gaps;
    uint32_t lines = statement->end_line - statement->start_line;
    if (gaps.len == 0)
        return true;
    return lines > 1 && gaps.len <= (lines - 1 + 7) / 8 && gaps.data[gaps.len - 1] != 0;
}

static bool line_is_sound(uint32_t line)
{
    return line >= 1 && line < FACT_LINE_LIMIT;
}

static bool method_is_sound(const struct fact_module *module, const struct fact_method *method)
{
    return method->token != NO_INDEX && method->user_method < module->method_count &&
           method->state <= METHOD_EXCLUDED &&
           (method->entry_count == NO_INDEX || method->entry_count < module->count_len);
}

static bool statement_is_sound(const struct fact_module *module,
                               const struct fact_statement *statement)
{
    return statement->method < module->method_count &&
           statement->document < module->document_count && line_is_sound(statement->start_line) &&
           line_is_sound(statement->end_line) && statement->start_line <= statement->end_line &&
           statement->count < module->count_len && gaps_are_sound(statement);
}

static bool span_is_sound(const struct fact_span *span)
{
    bool starts = span->start_column != 0, ends = span->end_column != 0;
    return line_is_sound(span->start_line) && line_is_sound(span->end_line) && starts == ends &&
           (span->start_line < span->end_line ||
            (span->start_line == span->end_line && span->start_column <= span->end_column));
}

static bool expression_is_sound(const struct fact_module *module, uint32_t index)
{
    const struct fact_decision *decision = &module->decisions[index];
    if (decision->expression == 0)
        return true;
    if (decision->expression > index || decision->is_switch)
        return false;
    const struct fact_decision *first = decision - decision->expression;
    return first->expression == 0 && !first->is_switch && first->method == decision->method;
}

static bool decision_is_sound(const struct fact_module *module, uint32_t index)
{
    const struct fact_decision *decision = &module->decisions[index];
    return decision->method < module->method_count && decision->document < module->document_count &&
           line_is_sound(decision->line) && decision->outcome_count >= 1 &&
           (decision->is_switch || decision->outcome_count == 2) &&
           decision->first_count <= module->count_len &&
           decision->outcome_count <= module->count_len - decision->first_count &&
           span_is_sound(&decision->span) &&
           (!decision->is_exact || decision->span.start_column != 0) &&
           decision->words <= WORDS_LAST &&
           (decision->words == WORDS_UNKNOWN || !decision->is_switch) &&
           expression_is_sound(module, index);
}

static bool are_sound(const struct fact_causes *causes, const struct fact_module *module,
                      const struct fact_extent *of)
{
    struct fact_cause cause;
    struct reader r = causes_open(causes);
    while (causes_next(&r, &cause)) {
        uint32_t index = cause.index;
        if (cause.kind == CAUSE_ENTRY)
            continue;
        if (cause.kind != CAUSE_OUTCOME && index >= of->end_statement - of->first_statement)
            return false;
        if (cause.kind == CAUSE_OUTCOME &&
            (index >= of->end_decision - of->first_decision ||
             cause.outcome >= module->decisions[of->first_decision + index].outcome_count))
            return false;
    }
    return !r.failed;
}

static bool arms_are_sound(const struct fact_decision *decision, const struct fact_extent *of)
{
    struct fact_arm arm;
    struct reader r = arms_open(decision->arms, decision->arms_len);
    while (arms_next(&r, &arm))
        r.failed |=
            arm.outcome >= decision->outcome_count ||
            (arm.kind != ARM_NO_MATCH && !span_is_sound(&arm.span)) ||
            (arm.kind == ARM_SHARED && arm.statement >= of->end_statement - of->first_statement);
    return !r.failed;
}

/* What causes and arms name is in the same method. */
static bool references_are_sound(const struct fact_module *module)
{
    for (uint32_t method = 0; method < module->method_count; method++) {
        struct fact_extent of = facts_extent(module, method);
        for (uint32_t i = of.first_statement; i < of.end_statement; i++)
            if (!are_sound(&module->statements[i].causes, module, &of))
                return false;
        for (uint32_t i = of.first_decision; i < of.end_decision; i++)
            if (!are_sound(&module->decisions[i].causes, module, &of) ||
                !arms_are_sound(&module->decisions[i], &of))
                return false;
    }
    return true;
}

static bool refuse_item(const char *what, uint32_t index, const struct fact_module *module,
                        struct err *err)
{
    return err_set(err, ERR_FORMAT, "%s %u of %.*s contradicts its module", what, index,
                   STR_ARGS(module->name));
}

static bool check_module(const struct fact_module *module, struct err *err)
{
    if (module->name.len == 0 || module->state > MODULE_EXTERNAL ||
        module->count_len > FACT_COUNTS_LIMIT)
        return err_set(err, ERR_FORMAT, "module '%.*s' has state %u and %u counts",
                       STR_ARGS(module->name), (unsigned)module->state, module->count_len);
    if (!facts_lists_are_sorted(module))
        return err_set(err, ERR_FORMAT, "the lists of %.*s are not in order",
                       STR_ARGS(module->name));
    for (uint32_t i = 0; i < module->method_count; i++)
        if (!method_is_sound(module, &module->methods[i]))
            return refuse_item("method", i, module, err);
    for (uint32_t i = 0; i < module->statement_count; i++)
        if (!statement_is_sound(module, &module->statements[i]))
            return refuse_item("statement", i, module, err);
    for (uint32_t i = 0; i < module->decision_count; i++)
        if (!decision_is_sound(module, i))
            return refuse_item("decision", i, module, err);
    return references_are_sound(module) ||
           err_set(err, ERR_FORMAT, "a cause or arm in %.*s names what its method does not have",
                   STR_ARGS(module->name));
}

static bool run_is_sound(const struct fact_run *run)
{
    return run->kind <= RUN_EXTERNAL && run->folded.len % FACT_ID_LEN == 0;
}

bool facts_check(const struct facts *facts, struct err *err)
{
    for (uint32_t i = 0; i < facts->run_count; i++)
        if (!run_is_sound(&facts->runs[i]))
            return err_set(err, ERR_FORMAT, "run %u is of kind %u and has %zu bytes of folded ids",
                           i, (unsigned)facts->runs[i].kind, facts->runs[i].folded.len);
    for (uint32_t i = 0; i < facts->module_count; i++)
        if (!check_module(&facts->modules[i], err))
            return false;
    for (uint32_t i = 0; i < facts->process_count; i++)
        if (facts->processes[i].run >= facts->run_count)
            return err_set(err, ERR_FORMAT, "process %u is of run %u, there are %u", i,
                           facts->processes[i].run, facts->run_count);
    for (uint32_t i = 0; i < facts->counts_count; i++)
        if (facts->counts[i].run >= facts->run_count ||
            facts->counts[i].module >= facts->module_count)
            return err_set(err, ERR_FORMAT,
                           "counts %u are of run %u and module %u, there are %u and %u", i,
                           facts->counts[i].run, facts->counts[i].module, facts->run_count,
                           facts->module_count);
    return facts_check_tests(facts, err);
}

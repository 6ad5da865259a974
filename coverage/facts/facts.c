#include "coverage/facts/facts.h"

#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "base/number.h"
#include "base/utc.h"
#include "coverage/facts/fact_inputs.h"
#include "coverage/facts/index_set.h"

static void add_counts(uint64_t *sum, const uint64_t *counts, uint32_t len)
{
    for (uint32_t i = 0; i < len; i++)
        sum[i] = number_add(sum[i], counts[i]);
}

bool facts_begin(struct fact_run *run, enum reason_code how, int64_t when, struct arena *arena,
                 struct err *err)
{
    char date[UTC_ROOM];
    run->kind = RUN_PARTIAL;
    run->reason = reason_new(how, str_of(utc_text(date, when)), STR(""), arena, err);
    return run->reason != NULL;
}

bool facts_has_code(const struct fact_module *module)
{
    return module->state == MODULE_COVERED || module->state == MODULE_NOT_LOADED;
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

/* --- order ------------------------------------------------------------------------------------ */

static int order_modules(const void *left, const void *right)
{
    const struct fact_module *a = left, *b = right;
    int order = str_cmp(a->name, b->name);
    if (order == 0)
        order = memcmp(a->mvid, b->mvid, sizeof a->mvid);
    if (order == 0)
        order = memcmp(a->identity, b->identity, sizeof a->identity);
    if (order == 0)
        order = str_cmp(a->path, b->path);
    if (order == 0)
        order = number_order(a->plan_hash, b->plan_hash);
    if (order == 0)
        order = number_order(a->state, b->state);
    return order != 0 ? order : reason_order(a->reason, b->reason);
}

static int order_documents(const void *left, const void *right)
{
    const struct fact_document *a = left, *b = right;
    return str_cmp(a->path, b->path);
}

static int order_methods(const void *left, const void *right)
{
    const struct fact_method *a = left, *b = right;
    return number_order(a->token, b->token);
}

static int order_statements(const void *left, const void *right)
{
    const struct fact_statement *a = left, *b = right;
    int order = number_order(a->method, b->method);
    return order != 0 ? order : number_order(a->il_offset, b->il_offset);
}

static int order_decisions(const void *left, const void *right)
{
    const struct fact_decision *a = left, *b = right;
    int order = number_order(a->method, b->method);
    return order != 0 ? order : number_order(a->il_offset, b->il_offset);
}

static int order_runs(const void *left, const void *right)
{
    const struct fact_run *a = left, *b = right;
    int order = (a->started > b->started) - (a->started < b->started);
    return order != 0 ? order : memcmp(a->id, b->id, sizeof a->id);
}

int facts_order_processes(const struct fact_process *a, const struct fact_process *b)
{
    int order = str_cmp(a->program, b->program);
    if (order == 0)
        order = str_cmp(a->runtime, b->runtime);
    if (order == 0)
        order = reason_order(a->declined, b->declined);
    if (order == 0)
        order = number_order(a->module_count, b->module_count);
    return order != 0 ? order : number_order(a->method_count, b->method_count);
}

static int order_processes(const void *left, const void *right)
{
    const struct fact_process *a = left, *b = right;
    int order = number_order(a->run, b->run);
    return order != 0 ? order : facts_order_processes(a, b);
}

static int order_tests(const void *left, const void *right)
{
    const struct fact_test *a = left, *b = right;
    int order = (a->run > b->run) - (a->run < b->run);
    order = order != 0 ? order : (a->kind > b->kind) - (a->kind < b->kind);
    return order != 0 ? order : str_cmp(a->name, b->name);
}

static int order_hits(const void *left, const void *right)
{
    const struct fact_hits *a = left, *b = right;
    int order = number_order(a->module, b->module);
    return order != 0 ? order
                      : str_cmp((struct str){(const char *)a->counts.data, a->counts.len},
                                (struct str){(const char *)b->counts.data, b->counts.len});
}

static int order_counts(const void *left, const void *right)
{
    const struct fact_counts *a = left, *b = right;
    int order = number_order(a->run, b->run);
    return order != 0 ? order : number_order(a->module, b->module);
}

struct sortable {
    uint8_t *items;
    uint32_t count;
    size_t size;
    int (*order)(const void *left, const void *right);
};

static const uint8_t *item_at(const struct sortable *list, uint32_t index)
{
    return list->items + index * list->size;
}

/* Equal items keep their order, so that the result does not depend on the library's algorithm.
 */
static int order_indexes(const void *left, const void *right, void *context)
{
    const struct sortable *list = context;
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    int order = list->order(item_at(list, a), item_at(list, b));
    return order != 0 ? order : number_order(a, b);
}

static bool is_sorted(const struct sortable *list)
{
    for (uint32_t i = 1; i < list->count; i++)
        if (list->order(item_at(list, i - 1), item_at(list, i)) > 0)
            return false;
    return true;
}

/* Sorts the list in place; *new_index gives the new index of each item, or is NULL if none
 * moved. */
static bool sort_list(uint32_t **new_index, struct sortable list, struct arena *arena,
                      struct err *err)
{
    *new_index = NULL;
    if (is_sorted(&list))
        return true;
    uint32_t *old_index = ARENA_NEW(arena, uint32_t, list.count, err);
    uint32_t *moved_to = ARENA_NEW(arena, uint32_t, list.count, err);
    uint8_t *copy = arena_raw(arena, list.count, list.size, err);
    if (old_index == NULL || moved_to == NULL || copy == NULL)
        return false;
    for (uint32_t i = 0; i < list.count; i++)
        old_index[i] = i;
    qsort_r(old_index, list.count, sizeof *old_index, order_indexes, &list);
    memcpy(copy, list.items, list.count * list.size);
    for (uint32_t i = 0; i < list.count; i++) {
        memcpy(list.items + i * list.size, copy + old_index[i] * list.size, list.size);
        moved_to[old_index[i]] = i;
    }
    *new_index = moved_to;
    return true;
}

#define SORT(new_index, list_items, list_count, by)                                                \
    sort_list((new_index),                                                                         \
              (struct sortable){.items = (uint8_t *)(list_items),                                  \
                                .count = (list_count),                                             \
                                .size = sizeof *(list_items),                                      \
                                .order = (by)},                                                    \
              arena, err)

static uint32_t renumbered(const uint32_t *new_index, uint32_t index)
{
    return new_index != NULL ? new_index[index] : index;
}

static bool sort_module(struct fact_module *module, struct arena *arena, struct err *err)
{
    uint32_t *documents = NULL, *methods = NULL, *unused = NULL;
    if (!SORT(&documents, module->documents, module->document_count, order_documents) ||
        !SORT(&methods, module->methods, module->method_count, order_methods))
        return false;
    for (uint32_t i = 0; i < module->method_count; i++)
        module->methods[i].user_method = renumbered(methods, module->methods[i].user_method);
    for (uint32_t i = 0; i < module->statement_count; i++) {
        struct fact_statement *statement = &module->statements[i];
        statement->method = renumbered(methods, statement->method);
        statement->document = renumbered(documents, statement->document);
    }
    for (uint32_t i = 0; i < module->decision_count; i++) {
        struct fact_decision *decision = &module->decisions[i];
        decision->method = renumbered(methods, decision->method);
        decision->document = renumbered(documents, decision->document);
    }
    return SORT(&unused, module->statements, module->statement_count, order_statements) &&
           SORT(&unused, module->decisions, module->decision_count, order_decisions);
}

/* Two vectors of one run and module may be of two processes, so neither may be written to: the sum
 * is a new one. */
static bool join_counts(struct facts *facts, struct arena *arena, struct err *err)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < facts->counts_count;) {
        struct fact_counts joined = facts->counts[i];
        uint32_t len = facts->modules[joined.module].count_len, end = i + 1;
        while (end < facts->counts_count && order_counts(&joined, &facts->counts[end]) == 0)
            end++;
        if (end - i > 1) {
            joined.counts = ARENA_NEW(arena, uint64_t, len, err);
            if (joined.counts == NULL)
                return false;
            for (uint32_t each = i; each < end; each++)
                add_counts(joined.counts, facts->counts[each].counts, len);
        }
        facts->counts[kept++] = joined;
        i = end;
    }
    facts->counts_count = kept;
    return true;
}

/* A set of tests that is being put together, without the cost of all tests there are. */
struct test_set {
    bool *has; /* by index of test; all false between sets */
    uint32_t least, most;
};

static void test_set_begin(struct test_set *set)
{
    set->least = UINT32_MAX;
    set->most = 0;
}

/* `new_index` may be NULL. */
static void test_set_add(struct test_set *set, struct view tests, const uint32_t *new_index)
{
    struct index_runs runs = index_set_runs(tests);
    uint32_t first, end;
    while (index_set_next(&runs, &first, &end))
        for (uint32_t i = first; i < end; i++) {
            uint32_t test = new_index != NULL ? new_index[i] : i;
            set->has[test] = true;
            set->least = test < set->least ? test : set->least;
            set->most = test > set->most ? test : set->most;
        }
}

static bool test_set_end(struct view *out, struct test_set *set, struct arena *arena,
                         struct err *err)
{
    struct writer w;
    *out = (struct view){NULL, 0};
    if (set->least > set->most)
        return true;
    uint32_t count = set->most - set->least + 1;
    wr_open(&w, arena);
    index_set_write_at(&w, set->has + set->least, count, set->least);
    memset(set->has + set->least, 0, count);
    *out = (struct view){w.data, w.len};
    return !w.failed || err_set(err, ERR_MEMORY, "out of memory: the tests need more");
}

/* In each set of tests; several may get the same number. */
static bool renumber_tests(struct facts *facts, const uint32_t *new_index, struct arena *arena,
                           struct err *err)
{
    struct test_set set = {.has = ARENA_NEW(arena, bool, facts->test_count, err)};
    for (uint32_t i = 0; set.has != NULL && i < facts->hits_count; i++) {
        test_set_begin(&set);
        test_set_add(&set, facts->hits[i].tests, new_index);
        if (!test_set_end(&facts->hits[i].tests, &set, arena, err))
            return false;
    }
    return set.has != NULL;
}

/* The hits are sorted. */
static bool join_hits(struct facts *facts, struct arena *arena, struct err *err)
{
    struct test_set set = {.has = ARENA_NEW(arena, bool, facts->test_count, err)};
    uint32_t kept = 0;
    for (uint32_t i = 0, end = 0; set.has != NULL && i < facts->hits_count; i = end, kept++) {
        for (end = i + 1;
             end < facts->hits_count && order_hits(&facts->hits[i], &facts->hits[end]) == 0;)
            end++;
        facts->hits[kept] = facts->hits[i];
        if (end == i + 1)
            continue;
        test_set_begin(&set);
        for (uint32_t k = i; k < end; k++)
            test_set_add(&set, facts->hits[k].tests, NULL);
        if (!test_set_end(&facts->hits[kept].tests, &set, arena, err))
            return false;
    }
    facts->hits_count = kept;
    return set.has != NULL;
}

static uint64_t at_most(uint64_t value, uint64_t most)
{
    return value < most ? value : most;
}

/* What a test did is what it did each time. */
static void add_test(struct fact_test *to, const struct fact_test *from)
{
    to->ns = at_most(number_add(to->ns, from->ns), INT64_MAX);
    to->rows = at_most(number_add(to->rows, from->rows), INT64_MAX);
    if (from->end == TEST_THREW || to->end == TEST_END_UNKNOWN)
        to->end = from->end;
}

/* The tests are sorted. *new_index: of the sorted ones. */
static uint32_t join_tests(uint32_t *new_index, struct facts *facts)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < facts->test_count; i++) {
        if (count != 0 && order_tests(&facts->tests[count - 1], &facts->tests[i]) == 0)
            add_test(&facts->tests[count - 1], &facts->tests[i]);
        else
            facts->tests[count++] = facts->tests[i];
        new_index[i] = count - 1;
    }
    return count;
}

static bool sort_tests(struct facts *facts, struct arena *arena, struct err *err)
{
    uint32_t *sorted = NULL, *joined = ARENA_NEW(arena, uint32_t, facts->test_count, err);
    if (joined == NULL || !SORT(&sorted, facts->tests, facts->test_count, order_tests))
        return false;
    uint32_t count = join_tests(joined, facts);
    for (uint32_t i = 0; sorted != NULL && i < facts->test_count; i++)
        sorted[i] = joined[sorted[i]];
    bool moved = sorted != NULL || count != facts->test_count;
    if (moved && !renumber_tests(facts, sorted != NULL ? sorted : joined, arena, err))
        return false;
    facts->test_count = count;
    return true;
}

static void *copy_items(const void *items, uint32_t count, size_t size, struct arena *arena,
                        struct err *err)
{
    void *copy = arena_raw(arena, count, size, err);
    if (copy != NULL && count != 0)
        memcpy(copy, items, count * size);
    return copy;
}

bool facts_join_tests(struct facts *facts, struct arena *arena, struct err *err)
{
    facts->tests = copy_items(facts->tests, facts->test_count, sizeof *facts->tests, arena, err);
    facts->hits = copy_items(facts->hits, facts->hits_count, sizeof *facts->hits, arena, err);
    if (facts->tests == NULL || facts->hits == NULL)
        return false;
    for (uint32_t i = 0; i < facts->test_count; i++)
        facts->tests[i].run = 0;
    return sort_tests(facts, arena, err);
}

bool facts_sort(struct facts *facts, struct arena *arena, struct err *err)
{
    uint32_t *modules = NULL, *runs = NULL, *unused = NULL;
    for (uint32_t i = 0; i < facts->module_count; i++)
        if (!sort_module(&facts->modules[i], arena, err))
            return false;
    if (!SORT(&modules, facts->modules, facts->module_count, order_modules) ||
        !SORT(&runs, facts->runs, facts->run_count, order_runs))
        return false;
    for (uint32_t i = 0; i < facts->process_count; i++)
        facts->processes[i].run = renumbered(runs, facts->processes[i].run);
    for (uint32_t i = 0; i < facts->counts_count; i++) {
        facts->counts[i].run = renumbered(runs, facts->counts[i].run);
        facts->counts[i].module = renumbered(modules, facts->counts[i].module);
    }
    for (uint32_t i = 0; i < facts->test_count; i++)
        facts->tests[i].run = renumbered(runs, facts->tests[i].run);
    for (uint32_t i = 0; i < facts->hits_count; i++)
        facts->hits[i].module = renumbered(modules, facts->hits[i].module);
    if (!sort_tests(facts, arena, err) ||
        !SORT(&unused, facts->hits, facts->hits_count, order_hits) || !join_hits(facts, arena, err))
        return false;
    fact_inputs_sort(facts->inputs, &facts->input_count);
    return SORT(&unused, facts->processes, facts->process_count, order_processes) &&
           SORT(&unused, facts->counts, facts->counts_count, order_counts) &&
           join_counts(facts, arena, err);
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
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const void *item = (const char *)items + middle * size;
        if (*(const uint32_t *)item < method)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
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

/* --- check ------------------------------------------------------------------------------------ */

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

uint64_t facts_rank(const struct fact_statement *statement, uint32_t line)
{
    if (line == statement->start_line || line == statement->end_line)
        return 0;
    return (uint64_t)(statement->end_line - statement->start_line) << 32 |
           (uint64_t)(UINT16_MAX - statement->start_column) << 16 | statement->end_column;
}

/* Only lines between the first and the last can be gaps. */
static bool gaps_are_sound(const struct fact_statement *statement)
{
    struct view gaps = statement->gaps;
    uint32_t lines = statement->end_line - statement->start_line;
    if (gaps.len == 0)
        return true;
    return lines > 1 && gaps.len <= (lines - 1 + 7) / 8 && gaps.data[gaps.len - 1] != 0;
}

static bool is_line(uint32_t line)
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
           statement->document < module->document_count && is_line(statement->start_line) &&
           is_line(statement->end_line) && statement->start_line <= statement->end_line &&
           statement->count < module->count_len && gaps_are_sound(statement);
}

/* The lists are in the order of their methods: code that walks them method by method relies on
 * it. */
static bool lists_are_sorted(const struct fact_module *module)
{
    bool sorted = true;
    for (uint32_t i = 1; i < module->statement_count; i++)
        sorted &= order_statements(&module->statements[i - 1], &module->statements[i]) <= 0;
    for (uint32_t i = 1; i < module->decision_count; i++)
        sorted &= order_decisions(&module->decisions[i - 1], &module->decisions[i]) <= 0;
    for (uint32_t i = 1; i < module->method_count; i++)
        sorted &= module->methods[i - 1].token < module->methods[i].token;
    return sorted;
}

static bool span_is_sound(const struct fact_span *span)
{
    bool starts = span->start_column != 0, ends = span->end_column != 0;
    return is_line(span->start_line) && is_line(span->end_line) && starts == ends &&
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
           is_line(decision->line) && decision->outcome_count >= 1 &&
           (decision->is_switch || decision->outcome_count == 2) &&
           decision->first_count <= module->count_len &&
           decision->outcome_count <= module->count_len - decision->first_count &&
           span_is_sound(&decision->span) &&
           (!decision->is_exact || decision->span.start_column != 0) &&
           decision->words <= WORDS_LAST &&
           (decision->words == WORDS_UNKNOWN || !decision->is_switch) &&
           expression_is_sound(module, index);
}

/* The statements and decisions of one method: ranges of the lists of its module. */
struct method_extent {
    uint32_t first_statement, end_statement, first_decision, end_decision;
};

static bool are_sound(const struct fact_causes *causes, const struct fact_module *module,
                      const struct method_extent *of)
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

static bool arms_are_sound(const struct fact_decision *decision, const struct method_extent *of)
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
    struct method_extent of = {0, 0, 0, 0};
    for (uint32_t method = 0; method < module->method_count; method++) {
        of.first_statement = of.end_statement;
        of.first_decision = of.end_decision;
        while (of.end_statement < module->statement_count &&
               module->statements[of.end_statement].method == method)
            of.end_statement++;
        while (of.end_decision < module->decision_count &&
               module->decisions[of.end_decision].method == method)
            of.end_decision++;
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

static bool check_module(const struct fact_module *module, struct err *err)
{
    if (module->name.len == 0 || module->state > MODULE_FOREIGN ||
        module->count_len > FACT_COUNTS_LIMIT)
        return err_set(err, ERR_FORMAT, "module '%.*s' has state %u and %u counts",
                       STR_ARGS(module->name), (unsigned)module->state, module->count_len);
    if (!lists_are_sorted(module))
        return err_set(err, ERR_FORMAT, "the lists of %.*s are not in order",
                       STR_ARGS(module->name));
    for (uint32_t i = 0; i < module->method_count; i++)
        if (!method_is_sound(module, &module->methods[i]))
            return err_set(err, ERR_FORMAT, "method %u of %.*s contradicts its module", i,
                           STR_ARGS(module->name));
    for (uint32_t i = 0; i < module->statement_count; i++)
        if (!statement_is_sound(module, &module->statements[i]))
            return err_set(err, ERR_FORMAT, "statement %u of %.*s contradicts its module", i,
                           STR_ARGS(module->name));
    for (uint32_t i = 0; i < module->decision_count; i++)
        if (!decision_is_sound(module, i))
            return err_set(err, ERR_FORMAT, "decision %u of %.*s contradicts its module", i,
                           STR_ARGS(module->name));
    return references_are_sound(module) ||
           err_set(err, ERR_FORMAT, "a cause or arm in %.*s names what its method does not have",
                   STR_ARGS(module->name));
}

static bool run_is_sound(const struct fact_run *run)
{
    return run->kind <= RUN_FOREIGN && run->folded.len % FACT_ID_LEN == 0;
}

static bool check_tests(const struct facts *facts, struct err *err)
{
    for (uint32_t i = 0; i < facts->test_count; i++)
        if (facts->tests[i].run >= facts->run_count || facts->tests[i].kind > TEST_OUTSIDE ||
            facts->tests[i].end > TEST_THREW || facts->tests[i].ns > INT64_MAX ||
            facts->tests[i].rows > INT64_MAX)
            return err_set(err, ERR_FORMAT, "test %u is of run %u and kind %u, or not sound", i,
                           facts->tests[i].run, (unsigned)facts->tests[i].kind);
    for (uint32_t i = 0; i < facts->hits_count; i++) {
        const struct fact_hits *hits = &facts->hits[i];
        if (hits->module >= facts->module_count ||
            !index_set_is_sound(hits->counts, facts->modules[hits->module].count_len) ||
            !index_set_is_sound(hits->tests, facts->test_count))
            return err_set(err, ERR_FORMAT, "hits %u are of module %u, or not sound", i,
                           hits->module);
    }
    return true;
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
    return check_tests(facts, err);
}

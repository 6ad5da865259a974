#include "coverage/condition_text/decision_text.h"

#include "coverage/condition_text/case_text.h"
#include "coverage/condition_text/outcome_words.h"
#include "coverage/condition_text/tested_value.h"
#include "coverage/statements/il_idioms.h"
#include "metadata/names.h"

enum {
    LOOKED_BACK_MAX = 6 /* instructions to search back for what a branch tests */
};

/* --- what the code asks ----------------------------------------------------------------------- */

struct condition_code {
    bool is_switch;
    bool of_constant;       /* of a pattern, which may test the type first */
    bool compares;          /* two values, or one with null or 0 */
    struct str type;        /* of isinst, without namespace and generic arguments; or empty */
    bool tests_has_value;   /* Nullable<T>.HasValue */
    bool compares_elements; /* of two tuples */
};

static bool is_any_call(const struct instr *instr)
{
    return instr->op == OP_CALL || instr->op == OP_CALLVIRT || instr->op == OP_CALLI;
}

static bool is_comparison(const struct instr *instr)
{
    bool negated = false;
    return tested_relation(instr->op, &negated) != RELATION_UNKNOWN;
}

static bool calls_has_value(const struct flow *flow, uint32_t call)
{
    return idiom_calls(flow, &flow->il.instrs[call], "get_HasValue");
}

/* Does the call get HasValue, and not only to complete a comparison of values? `n > 3` is one
 * condition: n.GetValueOrDefault() > 3 & n.HasValue. */
static bool tests_has_value(const struct flow *flow, uint32_t first, uint32_t call, bool combines)
{
    if (!calls_has_value(flow, call))
        return false;
    for (uint32_t i = call; combines && i-- > first;) {
        if (is_comparison(&flow->il.instrs[i]))
            return false;
        if (is_any_call(&flow->il.instrs[i]) && !calls_has_value(flow, i))
            break;
    }
    return true;
}

/* Two tuples are compared with == element by element. */
static bool is_element(struct str field)
{
    return str_starts(field, "Item") || str_is(field, "Rest");
}

static bool loads_element_twice(const struct flow *flow, uint32_t first, uint32_t last)
{
    struct str loaded = {NULL, 0};
    for (uint32_t i = first; i <= last; i++) {
        const struct instr *instr = &flow->il.instrs[i];
        if (instr->op != OP_LDFLD && instr->op != OP_LDFLDA)
            continue;
        struct str field = name_of_member(flow->context.md, instr->operand);
        if (is_element(field) && loaded.len != 0 && str_eq(field, loaded))
            return true;
        if (is_element(field))
            loaded = field;
    }
    return false;
}

static bool is_end_of_name(char c)
{
    return c == '`' || c == '<' || c == '[';
}

/* "List" of System.Collections.Generic.List`1<System.Int32>. */
static bool find_tested_type(struct str *out, const struct flow *flow, uint32_t token,
                             struct arena *arena, struct err *err)
{
    struct str full;
    if (!name_type(&full, flow->context.md, token, arena, err))
        return false;
    size_t start = 0, end = 0;
    for (; end < full.len && !is_end_of_name(full.text[end]); end++)
        if (full.text[end] == '.' || full.text[end] == '/')
            start = end + 1;
    *out = (struct str){full.text + start, end - start};
    return true;
}

/* The first instruction of the code that runs straight on to `last`, within the statement. */
static uint32_t straight_from(const struct il *il, uint32_t last, uint32_t statement)
{
    uint32_t first = last;
    while (first > 0 && il->instrs[first - 1].offset >= statement &&
           il_info(&il->instrs[first - 1])->flow == FLOW_NEXT)
        first--;
    return first;
}

/* `statement`: the IL offset at which the statement of the decision starts. */
static bool read_condition_code(struct condition_code *out, const struct flow *flow,
                                const struct decision *decision, uint32_t statement,
                                struct arena *arena, struct err *err)
{
    const struct il *il = &flow->il;
    uint32_t block = flow_block_of(flow, il->index_at[decision->il_offset]);
    uint32_t last = flow_last_instr(flow, block), first = straight_from(il, last, statement);
    *out = (struct condition_code){.is_switch = decision->is_switch,
                                   .of_constant = decision->of_constant,
                                   .compares_elements = loads_element_twice(flow, first, last)};
    bool combines = false;
    for (uint32_t i = last + 1, k = 0; i-- > first && k < LOOKED_BACK_MAX;) {
        const struct instr *instr = &il->instrs[i];
        k += instr->op != OP_NOP;
        if (is_any_call(instr)) {
            out->tests_has_value = tests_has_value(flow, first, i, combines);
            break;
        }
        combines |= instr->op == OP_AND;
        out->compares |= is_comparison(instr);
        if (instr->op == OP_ISINST &&
            !find_tested_type(&out->type, flow, instr->operand, arena, err))
            return false;
    }
    return true;
}

/* --- can the text be compiled to it? ---------------------------------------------------------- */

/* A set of kinds is a sum of these. */
#define KIND(condition_kind) (1u << (condition_kind))
#define CONSTANT_PATTERNS    (KIND(CONDITION_COMPARE) | KIND(CONDITION_EQUAL))

static bool has_kind(const struct text_conditions *text, unsigned kinds)
{
    for (uint32_t i = 0; i < text->count; i++)
        if ((KIND(text->items[i].kind) & kinds) != 0)
            return true;
    return false;
}

/* May a condition that tests HasValue be this one? Patterns make the compiler add such a test, and
 * which condition it belongs to is then not certain. `a == b` first compares whether both have
 * values. */
static bool may_have_value(const struct condition_code *code, const struct text_conditions *text,
                           uint32_t n)
{
    const struct text_condition *condition = &text->items[n];
    if (condition->kind == CONDITION_NULL)
        return true;
    if (condition->node->names_null)
        return !has_kind(text, CONSTANT_PATTERNS | KIND(CONDITION_TYPE_TEST));
    return condition->node->is_equality && code->compares && text->count == 1;
}

/* `o is Three` tests the type of the constant first, and is not one condition. */
static bool tests_for(const struct condition_code *code, struct str name)
{
    if (code->type.len == 0)
        return false;
    const char *keyword = keyword_type(name);
    bool is_parameter = code->type.text[0] == '!';
    if (keyword != NULL)
        return str_is(code->type, keyword);
    return is_parameter || str_eq(code->type, name);
}

/* May condition `n` of the text be this code? In doubt, no. */
static bool fits_code(const struct condition_code *code, const struct text_conditions *text,
                      uint32_t n)
{
    enum condition_kind kind = text->items[n].kind;
    if (code->is_switch || kind == CONDITION_SWITCH)
        return code->is_switch && kind == CONDITION_SWITCH;
    if (code->of_constant)
        return (KIND(kind) & CONSTANT_PATTERNS) != 0;
    if (kind == CONDITION_COMPARE && !code->compares)
        return false;
    if (text->is_all) /* nothing else can have been left out */
        return true;
    if (code->compares_elements || (code->tests_has_value && !may_have_value(code, text, n)))
        return false;
    if (kind == CONDITION_TYPE_TEST)
        return tests_for(code, text->items[n].node->name) && !has_kind(text, CONSTANT_PATTERNS);
    return code->type.len == 0 || kind == CONDITION_CAST || kind == CONDITION_NULL;
}

/* --- does the code ask what the text does? ---------------------------------------------------- */

/* One statement with its decisions, in code order. */
struct asked {
    const struct flow *flow;
    struct decision *items; /* of the method */
    const struct outcome_part *parts;
    enum outcome_words *words;           /* for each of `items` */
    uint32_t il_offset;                  /* where it starts */
    uint32_t start, end;                 /* of its text in the document */
    uint32_t conditions[CONDITIONS_MAX]; /* indexes of those that are compared with the text */
    uint32_t count;
    uint32_t switches; /* how many of them are switches */
};

/* The index of the condition as the text counts them; DECISION_END or DECISION_UNKNOWN. */
static int32_t place_of_decision(const struct asked *a, int32_t decision)
{
    for (uint32_t i = 0; i < a->count; i++)
        if (decision >= 0 && a->conditions[i] == (uint32_t)decision)
            return (int32_t)i;
    return decision == DECISION_END ? CONDITION_END : DECISION_UNKNOWN;
}

static bool leads_alike(const struct asked *a, const struct decision *decision,
                        const struct text_condition *text)
{
    int32_t no = place_of_decision(a, decision->next[0]),
            yes = place_of_decision(a, decision->next[1]);
    return decision->is_switch || (no == text->next[0] && yes == text->next[1]) ||
           (no == text->next[1] && yes == text->next[0]);
}

/* A constant operand is not in the code. As many conditions as in the text are then no proof, if
 * the compiler added one: `x is int && o is 3` with an `int x` tests o for its type and its value.
 * False: out of memory. */
static bool agrees_with_text(bool *out, const struct asked *a, const struct text_conditions *text,
                             struct arena *arena, struct err *err)
{
    *out = text->is_known && text->count == a->count;
    for (uint32_t i = 0; *out && i < a->count; i++) {
        const struct decision *decision = &a->items[a->conditions[i]];
        struct condition_code code;
        if (!read_condition_code(&code, a->flow, decision, a->il_offset, arena, err))
            return false;
        *out = fits_code(&code, text, i) && leads_alike(a, decision, &text->items[i]);
    }
    return true;
}

/* --- spans and words -------------------------------------------------------------------------- */

static void give_text(const struct asked *a, const struct text_conditions *text,
                      const struct line_index *index)
{
    for (uint32_t i = 0; i < a->count; i++) {
        struct decision *decision = &a->items[a->conditions[i]];
        const struct text_condition *condition = &text->items[i];
        const int32_t leads[2] = {place_of_decision(a, decision->next[0]),
                                  place_of_decision(a, decision->next[1])};
        decision->span =
            line_index_span(index, a->start + condition->start, a->start + condition->end);
        decision->is_exact = decision->span.start_column != 0;
        a->words[a->conditions[i]] =
            outcome_words_of(a->flow, decision, a->parts, condition, &text->tokens, leads);
    }
}

static bool find_condition_text(const struct asked *a, const struct line_index *index,
                                struct arena *arena, struct err *err)
{
    struct str text = {index->text.text + a->start, a->end - a->start};
    struct text_conditions found;
    if (str_is(text, "in") && a->count == 1 && a->switches == 0) { /* foreach: is there more? */
        a->items[a->conditions[0]].is_exact = true;
        a->words[a->conditions[0]] =
            outcome_words_of_loop(a->flow, &a->items[a->conditions[0]], a->parts);
        return true;
    }
    for (int asks = 0; asks < 2; asks++) {
        bool is_such;
        if (!conditions_find(&found, text, asks != 0, arena, err) ||
            !agrees_with_text(&is_such, a, &found, arena, err))
            return false;
        if (is_such) {
            give_text(a, &found, index);
            return true;
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
    for (uint32_t i = first; i != NO_INDEX; i = decisions->items[i].next_on_point) {
        if (a.count == CONDITIONS_MAX)
            return true;
        a.switches += decisions->items[i].is_switch;
        a.conditions[a.count++] = i;
    }
    if (!find_condition_text(&a, index, arena, err))
        return false;
    uint32_t with_switches = a.count;
    leave_out_switches(&a);
    return a.count == 0 || a.count == with_switches || decisions->items[a.conditions[0]].is_exact ||
           find_condition_text(&a, index, arena, err);
}

static bool find_statement_text(uint32_t *start, uint32_t *end, const struct line_index *index,
                                const struct seq_point *point)
{
    return point->start_column < COLUMN_UNKNOWN && point->end_column < COLUMN_UNKNOWN &&
           line_index_offset(start, index, point->start_line, point->start_column) &&
           line_index_offset(end, index, point->end_line, point->end_column) && *end > *start;
}

bool decision_text_find(enum outcome_words **words, struct decisions *decisions,
                        const struct statements_source *statements, decision_source *source,
                        void *context, struct arena *arena, struct err *err)
{
    *words = ARENA_NEW(arena, enum outcome_words, decisions->count, err);
    if (*words == NULL)
        return false;
    for (uint32_t i = 0; i < decisions->count; i++) {
        struct decision *decision = &decisions->items[i];
        const struct seq_point *point = &decisions->points->points[decision->point];
        bool known = point->start_column != 0 && point->end_column != 0;
        decision->span =
            (struct fact_span){point->start_line, point->end_line, known ? point->start_column : 0,
                               known ? point->end_column : 0};
        decision->is_exact = false;
    }
    bool is_csharp = statements->language == LANGUAGE_CSHARP;
    bool is_basic = statements->language == LANGUAGE_VISUAL_BASIC;
    for (uint32_t i = 0; (is_csharp || is_basic) && i < decisions->count; i++) {
        const struct seq_point *point = &decisions->points->points[decisions->items[i].point];
        struct asked asked = {.flow = statements->flow,
                              .items = decisions->items,
                              .parts = decisions->parts,
                              .words = *words,
                              .il_offset = point->il_offset};
        const struct line_index *index = NULL;
        if (!decisions->items[i].is_first_on_point)
            continue;
        if (!source(&index, context, point->document, err))
            return false;
        if (index == NULL || index->is_mapped ||
            !find_statement_text(&asked.start, &asked.end, index, point))
            continue;
        if (is_basic)
            case_text_find(*words, decisions, i, statements->flow, index, asked.start, asked.end);
        else if (!find_of_statement(decisions, i, &asked, index, arena, err))
            return false;
    }
    return true;
}

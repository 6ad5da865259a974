#include "coverage/condition_text/decision_text.h"

#include "base/ascii.h"
#include "coverage/condition_text/case_text.h"
#include "coverage/condition_text/condition_code.h"
#include "coverage/condition_text/fsharp_text.h"
#include "coverage/condition_text/null_answer.h"
#include "coverage/condition_text/outcome_words.h"
#include "coverage/condition_text/text_alignment.h"
#include "coverage/source/comments.h"

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
        return text_alignment_tests_for(code, text->items[n].node->name) &&
               !has_kind(text, CONSTANT_PATTERNS);
    return code->type.len == 0 || kind == CONDITION_CAST || kind == CONDITION_NULL;
}

/* --- does the code ask what the text does? ---------------------------------------------------- */

/* One statement with its decisions, in code order. */
struct asked {
    struct decisions *decisions; /* of the method */
    enum outcome_words *words;   /* for each of them */
    enum text_reading reading;
    uint32_t il_offset;                  /* where it starts */
    uint32_t start, end;                 /* of its text in the document */
    uint32_t body;                       /* the point that follows it in the text, or NO_INDEX */
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

static struct decision *decision_at(const struct asked *a, uint32_t n)
{
    return &a->decisions->items[a->conditions[n]];
}

/* Of the `?.` that is condition `n` of the text: the condition around it, `a?.b == 1`; NO_INDEX if
 * there is none. */
static uint32_t condition_around(const struct text_conditions *text, uint32_t n)
{
    const struct text_condition *inner = &text->items[n];
    for (uint32_t i = n + 1; i < text->count && inner->kind == CONDITION_NULL; i++)
        if (text->items[i].kind != CONDITION_NULL && text->items[i].start <= inner->start &&
            text->items[i].end >= inner->end)
            return i;
    return NO_INDEX;
}

static bool skips_around(const struct asked *a, const struct text_conditions *text, uint32_t n);

/* The condition of the text that a decision leads to: the one around a `?.` whose null is an answer
 * to that begins with the `?.`. */
static int32_t place_in_text(const struct asked *a, const struct text_conditions *text,
                             int32_t decision)
{
    int32_t place = place_of_decision(a, decision);
    return place >= 0 && skips_around(a, text, (uint32_t)place)
               ? (int32_t)condition_around(text, (uint32_t)place)
               : place;
}

/* Does one way out of it go on to that condition, and the other one where an outcome of that goes?
 */
static bool skips_around(const struct asked *a, const struct text_conditions *text, uint32_t n)
{
    uint32_t around = condition_around(text, n);
    const int32_t *next = decision_at(a, n)->next;
    for (int k = 0; k < 2 && around != NO_INDEX; k++) {
        int32_t on = place_of_decision(a, next[k]), past = place_of_decision(a, next[1 - k]);
        if (on <= (int32_t)n || on > (int32_t)around || (past >= 0 && past <= (int32_t)around))
            continue;
        past = place_in_text(a, text, next[1 - k]);
        if (past == text->items[around].next[0] || past == text->items[around].next[1])
            return true;
    }
    return false;
}

/* Do its ways lead to the conditions that the text has next? */
static bool leads_in_order(const struct asked *a, const struct text_conditions *text, uint32_t n)
{
    const struct decision *decision = decision_at(a, n);
    const int32_t *next = text->items[n].next;
    int32_t no = place_in_text(a, text, decision->next[0]),
            yes = place_in_text(a, text, decision->next[1]);
    return decision->is_switch || (no == next[0] && yes == next[1]) ||
           (no == next[1] && yes == next[0]);
}

static bool leads_alike(const struct asked *a, const struct text_conditions *text, uint32_t n)
{
    return leads_in_order(a, text, n) || skips_around(a, text, n);
}

/* A constant operand is not in the code. As many conditions as in the text are then no proof, if
 * the compiler added one: `x is int && o is 3` with an `int x` tests o for its type and its value.
 * The steps of a pattern with properties depend on its types. */
static bool agrees_with_text(const struct asked *a, const struct text_conditions *text,
                             const struct condition_code *codes)
{
    bool agrees = text->is_known && text->count == a->count &&
                  !has_kind(text, KIND(CONDITION_OBJECT) | KIND(CONDITION_SEVERAL));
    for (uint32_t i = 0; agrees && i < a->count; i++)
        agrees = fits_code(&codes[i], text, i) && leads_alike(a, text, i);
    return agrees;
}

/* --- spans and words -------------------------------------------------------------------------- */

static void give_span(const struct asked *a, uint32_t n, const struct line_index *index,
                      uint32_t start, uint32_t end, bool is_exact)
{
    struct decision *decision = decision_at(a, n);
    decision->span = line_index_span(index, a->start + start, a->start + end);
    decision->is_exact = is_exact && decision->span.start_column != 0;
}

/* What the null tests in it answer counts for a condition (null_answer.h). */
static bool add_null_answers(const struct asked *a, const struct text_conditions *text,
                             struct arena *arena, struct err *err)
{
    for (uint32_t i = 0; i < a->count; i++) {
        uint32_t around = condition_around(text, i);
        bool counts;
        if (around == NO_INDEX)
            continue;
        if (!null_answer_add(&counts, a->decisions, decision_at(a, i), decision_at(a, around),
                             arena, err))
            return false;
        if (!counts && !leads_in_order(a, text, i))
            decision_at(a, around)->is_exact = false;
    }
    return true;
}

static void give_text(const struct asked *a, const struct text_conditions *text,
                      const struct line_index *index)
{
    for (uint32_t i = 0; i < a->count; i++) {
        const struct decision *decision = decision_at(a, i);
        const struct text_condition *condition = &text->items[i];
        const int32_t leads[2] = {place_in_text(a, text, decision->next[0]),
                                  place_in_text(a, text, decision->next[1])};
        give_span(a, i, index, condition->start, condition->end, true);
        a->words[a->conditions[i]] =
            outcome_words_of(a->decisions, decision, condition, &text->tokens, leads, a->body);
    }
}

/* --- where the text has more or fewer conditions than the code -------------------------------- */

/* A place that is not known; it agrees with each. */
#define ANY_PLACE (DECISION_UNKNOWN - 1)

/* What the text says comes next: an object that is not asked for is there. */
static int32_t next_in_text(const struct text_alignment *alignment,
                            const struct text_conditions *text, int32_t n)
{
    while (n != CONDITION_END && alignment->is_left_out[n] &&
           text->items[n].kind == CONDITION_OBJECT)
        n = text->items[n].next[1];
    return n != CONDITION_END && alignment->is_left_out[n] ? ANY_PLACE : n;
}

/* The condition that the decision at `place` begins. */
static int32_t condition_at(const struct text_alignment *alignment, int32_t place)
{
    if (place < 0)
        return place;
    const struct aligned_decision *to = &alignment->decisions[place];
    if (to->first != to->last || (place > 0 && to[-1].last >= to->first))
        return ANY_PLACE;
    return (int32_t)to->first;
}

static bool are_alike(int32_t a, int32_t b)
{
    return a == b || a == ANY_PLACE || b == ANY_PLACE;
}

/* What each outcome of decision `n`, which is one condition, leads to, and what that condition of
 * the text leads to. */
static struct text_condition aligned_condition(int32_t leads[2], const struct asked *a, uint32_t n,
                                               const struct text_conditions *text,
                                               const struct text_alignment *alignment)
{
    struct text_condition condition = text->items[alignment->decisions[n].first];
    for (int k = 0; k < 2; k++) {
        leads[k] = condition_at(alignment, place_of_decision(a, decision_at(a, n)->next[k]));
        condition.next[k] = next_in_text(alignment, text, condition.next[k]);
    }
    return condition;
}

static bool leads_alike_as_aligned(const struct asked *a, uint32_t n,
                                   const struct text_conditions *text,
                                   const struct text_alignment *alignment)
{
    int32_t leads[2];
    struct text_condition condition = aligned_condition(leads, a, n, text, alignment);
    return (are_alike(leads[0], condition.next[0]) && are_alike(leads[1], condition.next[1])) ||
           (are_alike(leads[0], condition.next[1]) && are_alike(leads[1], condition.next[0]));
}

static bool is_sure_of(const struct text_alignment *alignment, uint32_t count, uint32_t condition)
{
    bool found = false;
    for (uint32_t i = 0; i < count && !found; i++)
        found = alignment->decisions[i].is_alone && alignment->decisions[i].first == condition;
    return found;
}

/* `a?.b == 1` may not ask for b where there is no a: its decision is then part of that text. */
static void doubt_what_is_around(struct text_alignment *alignment, uint32_t count,
                                 const struct text_conditions *text, uint32_t null_test)
{
    const struct text_condition *inner = &text->items[null_test];
    for (uint32_t i = 0; i < count; i++) {
        const struct text_condition *outer = &text->items[alignment->decisions[i].first];
        if (outer != inner && outer->start <= inner->start && outer->end >= inner->end)
            alignment->decisions[i].is_alone = false;
    }
}

static bool leads_as_aligned(struct text_alignment *alignment, const struct asked *a,
                             const struct text_conditions *text)
{
    for (uint32_t t = 0; t < text->count; t++)
        if (text->items[t].kind == CONDITION_NULL && !is_sure_of(alignment, a->count, t))
            doubt_what_is_around(alignment, a->count, text, t);
    for (uint32_t i = 0; i < a->count; i++) {
        const struct aligned_decision *of = &alignment->decisions[i];
        if (!of->is_alone || decision_at(a, i)->is_switch ||
            leads_alike_as_aligned(a, i, text, alignment))
            continue;
        if (text->items[of->first].kind != CONDITION_NULL)
            return false;
        doubt_what_is_around(alignment, a->count, text, of->first);
    }
    return true;
}

/* What is not certain has one text for all that it may be, unless that is all. */
static bool give_aligned_text(const struct asked *a, const struct text_conditions *text,
                              const struct condition_code *codes, const struct line_index *index)
{
    struct text_alignment alignment;
    if (!text->is_known || text->count == 0 ||
        !text_alignment_find(&alignment, text, codes, a->count) ||
        !leads_as_aligned(&alignment, a, text))
        return false;
    for (uint32_t i = 0; i < a->count; i++) {
        const struct aligned_decision *of = &alignment.decisions[i];
        uint32_t start = text->items[of->first].start, end = text->items[of->first].end;
        for (uint32_t t = of->first + 1; t <= of->last; t++) { /* b of `c ? a : b` may come first */
            start = text->items[t].start < start ? text->items[t].start : start;
            end = text->items[t].end > end ? text->items[t].end : end;
        }
        give_span(a, i, index, start, end, of->is_alone);
        if (of->first != of->last)
            continue;
        int32_t leads[2];
        struct text_condition condition = aligned_condition(leads, a, i, text, &alignment);
        a->words[a->conditions[i]] = outcome_words_of(a->decisions, decision_at(a, i), &condition,
                                                      &text->tokens, leads, a->body);
    }
    return true;
}

static bool read_codes(struct condition_code *out, const struct asked *a, struct arena *arena,
                       struct err *err)
{
    for (uint32_t i = 0; i < a->count; i++)
        if (!condition_code_read(&out[i], a->decisions, decision_at(a, i), a->il_offset, arena,
                                 err))
            return false;
    return true;
}

static struct conditions_options options_of(const struct condition_code *codes, uint32_t count)
{
    struct conditions_options options = {.joins = false};
    for (uint32_t i = 0; i < count; i++) {
        options.joins |= codes[i].combines;
        options.stored |= codes[i].of_constant || codes[i].compares_elements;
    }
    return options;
}

/* Sets *found if the decisions have their texts. */
static bool find_condition_text(bool *found, const struct asked *a, const struct line_index *index,
                                struct arena *arena, struct err *err)
{
    struct str text = {index->text.text + a->start, a->end - a->start};
    struct text_conditions said[4];
    struct condition_code codes[CONDITIONS_MAX];
    unsigned readings = a->reading == READ_STATEMENT ? 2 : 1; /* or that of a loop */
    *found = str_is(text, "in") && a->count == 1 && !decision_at(a, 0)->is_switch;
    if (*found) { /* foreach: is there more? */
        decision_at(a, 0)->is_exact = true;
        a->words[a->conditions[0]] = outcome_words_of_loop(a->decisions, decision_at(a, 0));
        return true;
    }
    if (!read_codes(codes, a, arena, err))
        return false;
    struct conditions_options options = options_of(codes, a->count);
    unsigned count = options.joins ? 2 * readings : readings;
    for (unsigned i = 0; i < count; i++) {
        enum text_reading reading = (enum text_reading)(a->reading + i % readings);
        options.joins = i >= readings;
        if (!conditions_find(&said[i], text, reading, options, arena, err))
            return false;
        *found = agrees_with_text(a, &said[i], codes);
        if (*found) {
            give_text(a, &said[i], index);
            return add_null_answers(a, &said[i], arena, err);
        }
    }
    for (unsigned i = 0; i < count && !*found; i++) {
        *found = give_aligned_text(a, &said[i], codes, index);
        /* the condition of a loop, or of what is in `F(o is 3)`? */
        if (*found && i % readings != 0 && a->count == 1 &&
            a->words[a->conditions[0]] == WORDS_UNKNOWN)
            decision_at(a, 0)->is_exact = false;
    }
    return true;
}

/* Release code may give a switch no statement of its own; it is then on another one. */
static void leave_out_switches(struct asked *a)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < a->count; i++)
        if (!decision_at(a, i)->is_switch)
            a->conditions[kept++] = a->conditions[i];
    a->count = kept;
}

static bool find_of_statement(uint32_t first, const struct asked *base,
                              const struct line_index *index, struct arena *arena, struct err *err)
{
    struct asked a = *base;
    const struct decision *items = a.decisions->items;
    bool found;
    for (uint32_t i = first; i != NO_INDEX; i = items[i].next_on_point) {
        if (a.count == CONDITIONS_MAX)
            return true;
        a.switches += items[i].is_switch;
        a.conditions[a.count++] = i;
    }
    if (!find_condition_text(&found, &a, index, arena, err))
        return false;
    uint32_t with_switches = a.count;
    leave_out_switches(&a);
    return found || a.count == 0 || a.count == with_switches ||
           find_condition_text(&found, &a, index, arena, err);
}

static bool find_statement_text(uint32_t *start, uint32_t *end, const struct line_index *index,
                                const struct seq_point *point)
{
    return point->start_column < COLUMN_UNKNOWN && point->end_column < COLUMN_UNKNOWN &&
           line_index_point(start, end, index, point);
}

/* The point that is next in the text, if nothing without a point stands before it. */
static uint32_t find_next_text(const struct asked *a, uint32_t point,
                               const struct line_index *index, enum language language)
{
    const struct seq_point *points = a->decisions->points->points;
    uint32_t next = next_point_in_text(a->decisions, &points[point]), start;
    if (next == NO_INDEX || points[next].document != points[point].document ||
        !line_index_offset(&start, index, points[next].start_line, points[next].start_column) ||
        start < a->end || /* an arm in it */
        !comments_leave_nothing((struct str){index->text.text + a->end, start - a->end}, language))
        return NO_INDEX;
    return next;
}

/* Where on its line does the text begin? An expression is the body of a lambda, or part of a query;
 * behind a comma it may be the next variable of a Dim. */
static bool find_basic_reading(enum text_reading *out, struct str text, uint32_t start)
{
    uint32_t at = start, depth = 1;
    while (at != 0 && (text.text[at - 1] == ' ' || text.text[at - 1] == '\t'))
        at--;
    char before = at == 0 ? '\n' : text.text[at - 1];
    bool is_lambda = before == ')';
    for (at -= is_lambda; is_lambda && at != 0 && depth != 0; at--)
        depth = depth + (text.text[at - 1] == ')') - (text.text[at - 1] == '(');
    uint32_t end = at;
    while (at != 0 && ascii_is_word(text.text[at - 1]))
        at--;
    struct str word = {text.text + at, end - at};
    bool begins = before == '\n' || before == ':' ||
                  str_is_one_of(word, is_lambda ? "Sub"
                                                : "Then Else Dim Static Using Private Public "
                                                  "Friend Protected Shared ReadOnly Const Call");
    *out = begins ? READ_BASIC : READ_BASIC_VALUE;
    return before != ',';
}

/* Those of a statement of Visual Basic. */
static bool find_of_basic(uint32_t first, struct asked *a, const struct line_index *index,
                          struct arena *arena, struct err *err)
{
    struct str text = {index->text.text + a->start, a->end - a->start};
    if (str_is_one_of(str_word(text), "Case For case for"))
        return case_text_find(a->words, a->decisions, first, index, a->start, a->end, arena, err);
    return !find_basic_reading(&a->reading, index->text, a->start) ||
           find_of_statement(first, a, index, arena, err);
}

/* The words of a statement whose first decision it is. */
static bool find_in_source(uint32_t first, struct asked *a, const struct line_index *index,
                           const struct statements_source *statements, struct arena *arena,
                           struct err *err)
{
    uint32_t point = a->decisions->items[first].point;
    if (!find_statement_text(&a->start, &a->end, index, &a->decisions->points->points[point]))
        return true;
    a->body = find_next_text(a, point, index, statements->language);
    return statements->language == LANGUAGE_VISUAL_BASIC
               ? find_of_basic(first, a, index, arena, err)
               : find_of_statement(first, a, index, arena, err);
}

static void use_point(struct decision *decision, const struct seq_point *point)
{
    bool known = point->start_column != 0 && point->end_column != 0;
    decision->span =
        (struct fact_span){point->start_line, point->end_line, known ? point->start_column : 0,
                           known ? point->end_column : 0};
    decision->is_exact = false;
}

bool decision_text_find(enum outcome_words **words, struct decisions *decisions,
                        const struct statements_source *statements, decision_source *source,
                        decision_tokens *tokens, void *context, struct arena *arena,
                        struct err *err)
{
    const struct seq_point *points = decisions->points->points;
    bool is_fsharp = statements->language == LANGUAGE_FSHARP;
    *words = ARENA_NEW(arena, enum outcome_words, decisions->count, err);
    if (*words == NULL)
        return false;
    for (uint32_t i = 0; i < decisions->count; i++)
        use_point(&decisions->items[i], &points[decisions->items[i].point]);
    for (uint32_t i = 0; statements->language != LANGUAGE_IL && i < decisions->count; i++) {
        const struct seq_point *point = &points[decisions->items[i].point];
        struct asked asked = {
            .decisions = decisions, .words = *words, .il_offset = point->il_offset};
        const struct line_index *index = NULL;
        const struct tokens *all = NULL;
        if (!decisions->items[i].is_first_on_point)
            continue;
        if (!source(&index, context, point->document, err) ||
            (is_fsharp && !tokens(&all, context, point->document, err)))
            return false;
        if (index == NULL || index->is_mapped)
            continue;
        if (is_fsharp && all != NULL)
            (*words)[i] = fsharp_text_find(&decisions->items[i], decisions, index, all);
        else if (!is_fsharp && !find_in_source(i, &asked, index, statements, arena, err))
            return false;
    }
    return true;
}

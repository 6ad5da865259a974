#include "coverage/merge/transplant.h"

#include <string.h>

#include "coverage/facts/sums.h"
#include "coverage/merge/align.h"

/* One pair of methods. */
struct transplanting {
    const struct code *head, *base;
    const uint64_t *counts; /* BASE's */
    const uint64_t *now;    /* HEAD's */
    uint64_t *to, *known;   /* HEAD's layout */
    uint64_t *kept;         /* BASE's */
    struct arena scratch;   /* of one pair of members */
    struct err *err;
};

static void move_counts(void *context, uint32_t to, uint32_t from, uint32_t count)
{
    struct transplanting *w = context;
    for (uint32_t i = 0; i < count; i++) {
        w->to[to + i] = w->counts[from + i];
        w->known[to + i] = 1;
        w->kept[from + i] = 1;
    }
}

static const struct fact_statement *
member_statement(const struct code *code, const struct code_member *member, uint32_t index)
{
    return &code->module->statements[member->first_statement + index];
}

static const struct fact_decision *member_decision(const struct code *code,
                                                   const struct code_member *member, uint32_t index)
{
    return &code->module->decisions[member->first_decision + index];
}

static void move_entry(struct transplanting *w, const struct code_member *head,
                       const struct code_member *base)
{
    uint32_t to = w->head->module->methods[head->method].entry_count;
    uint32_t from = w->base->module->methods[base->method].entry_count;
    if (to != NO_INDEX && from != NO_INDEX)
        move_counts(w, to, from, 1);
}

static bool is_same_body(const struct transplanting *w, const struct code_member *head,
                         const struct code_member *base)
{
    static const uint8_t unknown[FACT_BODY_LEN] = {0};
    const uint8_t *a = w->head->module->methods[head->method].body;
    return memcmp(a, unknown, sizeof unknown) != 0 &&
           memcmp(a, w->base->module->methods[base->method].body, FACT_BODY_LEN) == 0;
}

/* --- edited code ------------------------------------------------------------------------------ */

/* One of two bodies being compared. A statement is the instructions from its first one up to the
 * next statement, without trailing jumps: their targets may have changed. */
struct body_side {
    const struct code *code;
    const struct code_method *method;
    const struct code_member *member;
    struct aligned_body body;
    const uint32_t *first; /* per statement: its first instruction */
    uint32_t *plain;       /* hash of its instructions */
    uint32_t *full;        /* and of the lambdas in it */
};

static uint32_t hash_instruction(uint32_t hash, uint32_t more)
{
    return (hash ^ more) * 16777619u;
}

static bool only_leads_on(uint32_t hash)
{
    return align_is(hash, ALIGN_BR) || align_is(hash, ALIGN_LEAVE) || align_is(hash, ALIGN_RET) ||
           align_is(hash, ALIGN_ENDFINALLY);
}

static bool statement_is_within(const struct fact_statement *inner,
                                const struct fact_statement *outer)
{
    bool starts =
        inner->start_line > outer->start_line ||
        (inner->start_line == outer->start_line && inner->start_column >= outer->start_column);
    bool ends = inner->end_line < outer->end_line ||
                (inner->end_line == outer->end_line && inner->end_column <= outer->end_column);
    return inner->document == outer->document && starts && ends;
}

/* Lambdas have no distinguishing names, so the code that creates one does not show what it does. */
static uint32_t hash_lambdas(const struct body_side *s, uint32_t hash, uint32_t statement)
{
    for (uint32_t i = 1; i < s->method->member_count; i++) {
        const struct code_member *member = &s->method->members[i];
        const uint8_t *body = s->code->module->methods[member->method].body;
        if (member->method == s->member->method || member->statement_count == 0 ||
            !statement_is_within(member_statement(s->code, member, 0),
                                 member_statement(s->code, s->member, statement)))
            continue;
        for (size_t k = 0; k < FACT_BODY_LEN; k++)
            hash = hash_instruction(hash, body[k]);
    }
    return hash;
}

static bool read_side(struct body_side *out, const struct code *code,
                      const struct code_method *method, const struct code_member *member,
                      struct transplanting *w)
{
    uint32_t count = member->statement_count;
    const uint32_t *first = code->statement_at + member->first_statement;
    *out = (struct body_side){.code = code,
                              .method = method,
                              .member = member,
                              .first = first,
                              .plain = ARENA_NEW(&w->scratch, uint32_t, count, w->err),
                              .full = ARENA_NEW(&w->scratch, uint32_t, count, w->err)};
    if (out->plain == NULL || out->full == NULL ||
        !align_read(&out->body, code->module->methods[member->method].instructions, &w->scratch,
                    w->err))
        return false;
    for (uint32_t i = 0; i < count && out->body.count != 0; i++) {
        uint32_t end = i + 1 < count ? first[i + 1] : out->body.count, hash = 2166136261u;
        while (end > first[i] + 1 && only_leads_on(out->body.hashes[end - 1]))
            end--;
        for (uint32_t k = first[i]; k < end; k++)
            hash = hash_instruction(hash, out->body.hashes[k]);
        out->plain[i] = hash;
        out->full[i] = hash_lambdas(out, hash, i);
    }
    return true;
}

/* The statement that contains an instruction, or NO_INDEX if it is before the first. */
static uint32_t statement_around(const struct body_side *s, uint32_t at)
{
    uint32_t found = NO_INDEX;
    for (uint32_t i = 0; i < s->member->statement_count && s->first[i] <= at; i++)
        found = i;
    return found;
}

/* A condition or switch is unchanged if its statement is: it then has the same distance from its
 * start. */
static void move_decisions(struct transplanting *w, const struct body_side *head,
                           const struct body_side *base, const uint32_t *statement_of)
{
    const uint32_t *head_at = head->code->decision_at + head->member->first_decision;
    const uint32_t *base_at = base->code->decision_at + base->member->first_decision;
    for (uint32_t i = 0; i < head->member->decision_count; i++) {
        const struct fact_decision *mine = member_decision(head->code, head->member, i);
        uint32_t around = statement_around(head, head_at[i]);
        if (around == NO_INDEX || statement_of[around] == NO_INDEX)
            continue;
        uint32_t there = base->first[statement_of[around]] + (head_at[i] - head->first[around]);
        for (uint32_t k = 0; k < base->member->decision_count; k++) {
            const struct fact_decision *theirs = member_decision(base->code, base->member, k);
            if (base_at[k] != there || theirs->outcome_count != mine->outcome_count)
                continue;
            move_counts(w, mine->first_count, theirs->first_count, mine->outcome_count);
            break;
        }
    }
}

static bool move_edited(struct transplanting *w, const struct code_method *head,
                        const struct code_member *head_member, const struct code_method *base,
                        const struct code_member *base_member)
{
    struct body_side mine, theirs;
    arena_reset(&w->scratch);
    if (!read_side(&mine, w->head, head, head_member, w) ||
        !read_side(&theirs, w->base, base, base_member, w))
        return false;
    uint32_t *statement_of = arena_no_indexes(&w->scratch, head_member->statement_count, w->err);
    if (statement_of == NULL)
        return false;
    if (mine.body.count == 0 || theirs.body.count == 0)
        return true;
    /* First pairs statements with the same lambdas, then, between these, regardless of lambdas. */
    if (!align_rows(statement_of, mine.full, head_member->statement_count, theirs.full,
                    base_member->statement_count, &w->scratch, w->err) ||
        !align_rows(statement_of, mine.plain, head_member->statement_count, theirs.plain,
                    base_member->statement_count, &w->scratch, w->err))
        return false;
    for (uint32_t i = 0; i < head_member->statement_count; i++)
        if (statement_of[i] != NO_INDEX)
            move_counts(w, member_statement(w->head, head_member, i)->count,
                        member_statement(w->base, base_member, statement_of[i])->count, 1);
    move_decisions(w, &mine, &theirs, statement_of);
    return true;
}

/* --- members of a pair ------------------------------------------------------------------------ */

static bool move_member(struct transplanting *w, const struct code_method *head, uint32_t i,
                        const struct code_method *base, uint32_t k)
{
    const struct code_member *mine = &head->members[i], *theirs = &base->members[k];
    if (!is_same_body(w, mine, theirs) || !same_code_members(w->head, mine, w->base, theirs)) {
        move_entry(w, mine, theirs);
        return move_edited(w, head, mine, base, theirs);
    }
    same_code_counts(w->head, mine, w->base, theirs, move_counts, w);
    return true;
}

/* The user's own method is first in both, even if it was renamed. */
static bool may_be(const struct code_method *head, uint32_t i, const struct code_method *base,
                   uint32_t k)
{
    bool is_own = head->members[i].method == head->method;
    if (is_own || base->members[k].method == base->method)
        return is_own && base->members[k].method == base->method;
    return str_eq(head->members[i].type, base->members[k].type) &&
           str_eq(head->members[i].name, base->members[k].name);
}

/* Pairs lambdas, which have no names, first by equal code, then in order. */
static bool move_members(struct transplanting *w, const struct code_method *head,
                         const struct code_method *base, struct arena *arena)
{
    bool *gone = ARENA_NEW(arena, bool, base->member_count, w->err);
    bool *moved = ARENA_NEW(arena, bool, head->member_count, w->err);
    if (gone == NULL || moved == NULL)
        return false;
    for (int any_code = 0; any_code <= 1; any_code++)
        for (uint32_t i = 0; i < head->member_count; i++)
            for (uint32_t k = 0; k < base->member_count && !moved[i]; k++) {
                if (gone[k] || !may_be(head, i, base, k) ||
                    (!any_code && !is_same_body(w, &head->members[i], &base->members[k])))
                    continue;
                if (!move_member(w, head, i, base, k))
                    return false;
                moved[i] = gone[k] = true;
            }
    return true;
}

/* --- the same source -------------------------------------------------------------------------- */

static bool same_span(const struct fact_statement *a, const struct fact_statement *b)
{
    return a->start_line == b->start_line && a->start_column == b->start_column &&
           a->end_line == b->end_line && a->end_column == b->end_column;
}

static void move_by_span(struct transplanting *w, const struct code_member *head,
                         const struct code_method *base)
{
    for (uint32_t i = 0; i < head->statement_count; i++) {
        const struct fact_statement *mine = member_statement(w->head, head, i);
        for (uint32_t m = 0; m < base->member_count; m++)
            for (uint32_t k = 0; k < base->members[m].statement_count; k++) {
                const struct fact_statement *theirs =
                    member_statement(w->base, &base->members[m], k);
                if (same_span(mine, theirs))
                    move_counts(w, mine->count, theirs->count, 1);
            }
    }
}

/* The nth decision on a line, over all members. */
static const struct fact_decision *
decision_on(const struct code *code, const struct code_method *method, uint32_t line, uint32_t nth)
{
    for (uint32_t m = 0; m < method->member_count; m++)
        for (uint32_t k = 0; k < method->members[m].decision_count; k++) {
            const struct fact_decision *decision = member_decision(code, &method->members[m], k);
            if (decision->line == line && nth-- == 0)
                return decision;
        }
    return NULL;
}

static bool has_same_decisions(const struct transplanting *w, const struct code_method *head,
                               const struct code_method *base, uint32_t line)
{
    for (uint32_t nth = 0;; nth++) {
        const struct fact_decision *mine = decision_on(w->head, head, line, nth);
        const struct fact_decision *theirs = decision_on(w->base, base, line, nth);
        if (mine == NULL || theirs == NULL)
            return mine == theirs;
        if (mine->outcome_count != theirs->outcome_count)
            return false;
    }
}

/* The nth outcome, counting the taken ones first. */
static uint32_t nth_outcome(const uint64_t *hits, uint32_t count, uint32_t nth)
{
    for (uint32_t i = 0; i < count; i++)
        if (hits[i] != 0 && nth-- == 0)
            return i;
    for (uint32_t i = 0; i < count; i++)
        if (hits[i] == 0 && nth-- == 0)
            return i;
    return 0;
}

/* Outcomes of another compiler's condition cannot be matched: those that were taken are assumed to
 * be those that are taken now. */
static void move_outcomes(struct transplanting *w, const struct fact_decision *head,
                          const struct fact_decision *base)
{
    const uint64_t *now = w->now + head->first_count, *was = w->counts + base->first_count;
    uint32_t count = head->outcome_count;
    for (uint32_t n = 0; n < count; n++)
        move_counts(w, head->first_count + nth_outcome(now, count, n),
                    base->first_count + nth_outcome(was, count, n), 1);
}

/* Only the names that it refers to changed. */
static bool has_same_layout(const struct transplanting *w, const struct fact_decision *head,
                            const struct fact_decision *base)
{
    const struct fact_method *a = &w->head->module->methods[head->method];
    const struct fact_method *b = &w->base->module->methods[base->method];
    return head->il_offset == base->il_offset && a->instructions.len == b->instructions.len;
}

static void move_decisions_on(struct transplanting *w, const struct code_method *head,
                              const struct code_method *base, uint32_t line)
{
    const struct fact_decision *mine;
    if (!has_same_decisions(w, head, base, line))
        return;
    for (uint32_t nth = 0; (mine = decision_on(w->head, head, line, nth)) != NULL; nth++) {
        const struct fact_decision *theirs = decision_on(w->base, base, line, nth);
        if (has_same_layout(w, mine, theirs))
            move_counts(w, mine->first_count, theirs->first_count, mine->outcome_count);
        else
            move_outcomes(w, mine, theirs);
    }
}

static bool is_first_on_line(const struct transplanting *w, const struct code_method *head,
                             const struct fact_decision *decision)
{
    return decision_on(w->head, head, decision->line, 0) == decision;
}

/* Another compiler made different code from it, or names that it refers to changed: its statements
 * are where they were. */
static void move_by_source(struct transplanting *w, const struct code_method *head,
                           const struct code_method *base)
{
    if (head->members[0].method == head->method && base->members[0].method == base->method)
        move_entry(w, &head->members[0], &base->members[0]);
    for (uint32_t i = 0; i < head->member_count; i++) {
        move_by_span(w, &head->members[i], base);
        for (uint32_t k = 0; k < head->members[i].decision_count; k++) {
            const struct fact_decision *decision = member_decision(w->head, &head->members[i], k);
            if (is_first_on_line(w, head, decision))
                move_decisions_on(w, head, base, decision->line);
        }
    }
}

/* --- the whole -------------------------------------------------------------------------------- */

static bool make_vectors(uint64_t ***out, const struct facts *facts, struct arena *arena,
                         struct err *err)
{
    *out = ARENA_NEW(arena, uint64_t *, facts->module_count, err);
    for (uint32_t i = 0; *out != NULL && i < facts->module_count; i++)
        if (((*out)[i] = ARENA_NEW(arena, uint64_t, facts->modules[i].count_len, err)) == NULL)
            return false;
    return *out != NULL;
}

static bool move_module(struct transplant *out, const struct pairing *pairing,
                        const struct facts *facts, uint32_t head, uint64_t *const *counts,
                        struct transplanting *w, struct arena *arena, struct arena *out_arena)
{
    const struct code *code = &pairing->head[head];
    struct sums now;
    if (!sums_make(&now, facts, head, SUMS_REAL, out_arena, w->err))
        return false;
    w->now = now.counts;
    for (uint32_t i = 0; i < code->count; i++) {
        struct pair pair = pairing->pairs[head][i];
        if (pair.module == NO_INDEX)
            continue;
        w->head = code;
        w->base = &pairing->base[pair.module];
        w->counts = counts[pair.module];
        w->to = out->base[head];
        w->known = out->known[head];
        w->kept = out->kept[pair.module];
        arena_reset(arena);
        if (!pair.same && pair.same_source)
            move_by_source(w, &code->methods[i], &w->base->methods[pair.method]);
        else if (!move_members(w, &code->methods[i], &w->base->methods[pair.method], arena))
            return false;
    }
    return true;
}

bool transplant(struct transplant *out, const struct pairing *pairing, const struct facts *head,
                const struct facts *base, uint64_t *const *counts, struct arena *arena,
                struct err *err)
{
    struct transplanting w = {.err = err};
    if (!make_vectors(&out->base, head, arena, err) ||
        !make_vectors(&out->known, head, arena, err) || !make_vectors(&out->kept, base, arena, err))
        return false;
    w.scratch = ARENA_EMPTY;
    struct arena members = ARENA_EMPTY;
    bool ok = true;
    for (uint32_t i = 0; ok && i < head->module_count; i++)
        ok = move_module(out, pairing, head, i, counts, &w, &members, arena);
    arena_free(&members);
    arena_free(&w.scratch);
    return ok;
}

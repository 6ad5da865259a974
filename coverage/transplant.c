#include "coverage/transplant.h"

#include <string.h>

#include "coverage/align.h"

/* One pair of methods. */
struct work {
    const struct code *head, *base;
    const uint64_t *counts; /* BASE's */
    uint64_t *to, *known;   /* HEAD's layout */
    uint64_t *kept;         /* BASE's */
    struct arena scratch;   /* of one pair of members */
    struct err *err;
};

/* A method's entry may have the place of its first statement, which then moves twice. */
static void move_counts(struct work *w, uint32_t to, uint32_t from, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        w->to[to + i] = w->counts[from + i];
        w->known[to + i] = 1;
        w->kept[from + i] = 1;
    }
}

static const struct fact_statement *statement_at(const struct code *code,
                                                 const struct code_member *member, uint32_t index)
{
    return &code->module->statements[member->first_statement + index];
}

static const struct fact_decision *decision_at(const struct code *code,
                                               const struct code_member *member, uint32_t index)
{
    return &code->module->decisions[member->first_decision + index];
}

static void move_entry(struct work *w, const struct code_member *head,
                       const struct code_member *base)
{
    uint32_t to = w->head->module->methods[head->method].entry_count;
    uint32_t from = w->base->module->methods[base->method].entry_count;
    if (to != NO_INDEX && from != NO_INDEX)
        move_counts(w, to, from, 1);
}

/* --- the same code ---------------------------------------------------------------------------- */

static bool is_same_body(const struct work *w, const struct code_member *head,
                         const struct code_member *base)
{
    static const uint8_t unknown[FACT_BODY_LEN] = {0};
    const uint8_t *a = w->head->module->methods[head->method].body;
    return memcmp(a, unknown, sizeof unknown) != 0 &&
           memcmp(a, w->base->module->methods[base->method].body, FACT_BODY_LEN) == 0;
}

static bool has_same_lists(const struct work *w, const struct code_member *head,
                           const struct code_member *base)
{
    bool same = head->statement_count == base->statement_count &&
                head->decision_count == base->decision_count;
    for (uint32_t i = 0; same && i < head->statement_count; i++)
        same =
            statement_at(w->head, head, i)->il_offset == statement_at(w->base, base, i)->il_offset;
    for (uint32_t i = 0; same && i < head->decision_count; i++)
        same =
            decision_at(w->head, head, i)->il_offset == decision_at(w->base, base, i)->il_offset &&
            decision_at(w->head, head, i)->outcome_count ==
                decision_at(w->base, base, i)->outcome_count;
    return same;
}

static void move_same(struct work *w, const struct code_member *head,
                      const struct code_member *base)
{
    for (uint32_t i = 0; i < head->statement_count; i++)
        move_counts(w, statement_at(w->head, head, i)->count, statement_at(w->base, base, i)->count,
                    1);
    for (uint32_t i = 0; i < head->decision_count; i++)
        move_counts(w, decision_at(w->head, head, i)->first_count,
                    decision_at(w->base, base, i)->first_count,
                    decision_at(w->head, head, i)->outcome_count);
}

/* --- edited code ------------------------------------------------------------------------------ */

struct bodies {
    struct aligned_body head, base;
    uint32_t *base_of;
};

/* Instructions of a statement: up to the next one, or the end of the code. */
static uint32_t statement_end(const struct code *code, const struct code_member *member,
                              uint32_t index, const struct aligned_body *body)
{
    if (index + 1 == member->statement_count)
        return body->count;
    return align_at(body, statement_at(code, member, index + 1)->il_offset);
}

/* The statement of BASE that has just the instructions [first, end) of HEAD; NO_INDEX: none. */
static uint32_t find_statement(const struct work *w, const struct code_member *base,
                               const struct bodies *b, uint32_t first, uint32_t end)
{
    uint32_t there = first < end && end <= b->head.count ? b->base_of[first] : NO_INDEX;
    if (there == NO_INDEX)
        return NO_INDEX;
    for (uint32_t i = first; i < end; i++)
        if (b->base_of[i] != there + (i - first))
            return NO_INDEX;
    for (uint32_t i = 0; i < base->statement_count; i++)
        if (statement_at(w->base, base, i)->il_offset == b->base.offsets[there])
            return statement_end(w->base, base, i, &b->base) == there + (end - first) ? i
                                                                                      : NO_INDEX;
    return NO_INDEX;
}

static void move_statements(struct work *w, const struct code_member *head,
                            const struct code_member *base, const struct bodies *b)
{
    for (uint32_t i = 0; i < head->statement_count; i++) {
        const struct fact_statement *statement = statement_at(w->head, head, i);
        uint32_t first = align_at(&b->head, statement->il_offset);
        uint32_t found =
            find_statement(w, base, b, first, statement_end(w->head, head, i, &b->head));
        if (first != NO_INDEX && found != NO_INDEX)
            move_counts(w, statement->count, statement_at(w->base, base, found)->count, 1);
    }
}

static void move_decisions(struct work *w, const struct code_member *head,
                           const struct code_member *base, const struct bodies *b)
{
    for (uint32_t i = 0; i < head->decision_count; i++) {
        const struct fact_decision *mine = decision_at(w->head, head, i);
        uint32_t at = align_at(&b->head, mine->il_offset);
        uint32_t there = at != NO_INDEX ? b->base_of[at] : NO_INDEX;
        for (uint32_t k = 0; k < base->decision_count && there != NO_INDEX; k++) {
            const struct fact_decision *theirs = decision_at(w->base, base, k);
            if (theirs->il_offset != b->base.offsets[there] ||
                theirs->outcome_count != mine->outcome_count)
                continue;
            move_counts(w, mine->first_count, theirs->first_count, mine->outcome_count);
            break;
        }
    }
}

static bool move_edited(struct work *w, const struct code_member *head,
                        const struct code_member *base)
{
    struct bodies b;
    arena_reset(&w->scratch);
    if (!align_read(&b.head, w->head->module->methods[head->method].instructions, &w->scratch,
                    w->err) ||
        !align_read(&b.base, w->base->module->methods[base->method].instructions, &w->scratch,
                    w->err) ||
        !align_bodies(&b.base_of, &b.head, &b.base, &w->scratch, w->err))
        return false;
    move_statements(w, head, base, &b);
    move_decisions(w, head, base, &b);
    return true;
}

/* --- members of a pair ------------------------------------------------------------------------ */

static bool move_member(struct work *w, const struct code_member *head,
                        const struct code_member *base)
{
    move_entry(w, head, base);
    if (!is_same_body(w, head, base) || !has_same_lists(w, head, base))
        return move_edited(w, head, base);
    move_same(w, head, base);
    return true;
}

/* The user's own method is first in both, whatever it is called by now. */
static bool may_be(const struct code_method *head, uint32_t i, const struct code_method *base,
                   uint32_t k)
{
    bool is_own = head->members[i].method == head->method;
    if (is_own || base->members[k].method == base->method)
        return is_own && base->members[k].method == base->method;
    return str_eq(head->members[i].type, base->members[k].type) &&
           str_eq(head->members[i].name, base->members[k].name);
}

/* Of lambdas, which have no names, first those with the same code; then in their order. */
static bool move_members(struct work *w, const struct code_method *head,
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
                if (!move_member(w, &head->members[i], &base->members[k]))
                    return false;
                moved[i] = gone[k] = true;
            }
    return true;
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

static bool move_module(struct transplant *out, const struct pairing *pairing, uint32_t head,
                        uint64_t *const *counts, struct work *w, struct arena *arena)
{
    const struct code *code = &pairing->head[head];
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
        if (!move_members(w, &code->methods[i], &w->base->methods[pair.method], arena))
            return false;
    }
    return true;
}

bool transplant(struct transplant *out, const struct pairing *pairing, const struct facts *head,
                const struct facts *base, uint64_t *const *counts, struct arena *arena,
                struct err *err)
{
    struct work w = {.err = err};
    struct arena members;
    if (!make_vectors(&out->base, head, arena, err) ||
        !make_vectors(&out->known, head, arena, err) || !make_vectors(&out->kept, base, arena, err))
        return false;
    arena_init(&w.scratch, NULL, 0, ARENA_NO_LIMIT);
    arena_init(&members, NULL, 0, ARENA_NO_LIMIT);
    bool ok = true;
    for (uint32_t i = 0; ok && i < head->module_count; i++)
        ok = move_module(out, pairing, i, counts, &w, &members);
    arena_free(&members);
    arena_free(&w.scratch);
    return ok;
}

#include "coverage/merge/rank.h"

#include <string.h>

#include "base/number.h"
#include "base/sort.h"
#include "coverage/merge/fact_copy.h"

static bool keep_smaller_text(struct str *kept, struct str other, struct arena *arena,
                              struct err *err)
{
    if (str_cmp(other, *kept) >= 0)
        return true;
    *kept = other;
    return fact_copy_text(kept, arena, err);
}

/* The larger is kept; at equal rank, the reason with the smaller number, which is as good as
 * any, unless the method is covered. */
static int method_rank(const struct fact_method *method)
{
    switch (method->state) {
    case METHOD_INSTRUMENTED:
        return 2;
    case METHOD_DECLINED:
        return 1;
    case METHOD_EXCLUDED:
        break;
    }
    return reason_is(method->reason, REASON_NOT_INCLUDED) ? 0 : 3;
}

static int document_rank(const struct fact_document *document)
{
    if (reason_is(document->reason, REASON_EXCLUDED_FILE))
        return 2;
    return document->reason == NULL && document->relative.len != 0;
}

/* What only one machine could read holds on all of them: a comment that excludes, who wrote the
 * code. */
static bool rank_reason(const struct reason **kept, const struct reason *other, struct arena *arena,
                        struct err *err)
{
    if (other == NULL || (*kept != NULL && reason_order(*kept, other) <= 0))
        return true;
    *kept = other;
    return reason_copy(kept, arena, err);
}

bool rank_document(struct fact_document *kept, const struct fact_document *other,
                   struct arena *arena, struct err *err)
{
    int order = number_order((uint64_t)document_rank(other), (uint64_t)document_rank(kept));
    if (order == 0)
        order = reason_order(kept->reason, other->reason);
    if (order == 0)
        order = str_cmp(kept->relative, other->relative);
    if (order > 0) {
        kept->relative = other->relative;
        kept->reason = other->reason;
        if (!fact_copy_text(&kept->relative, arena, err) || !reason_copy(&kept->reason, arena, err))
            return false;
    }
    if (!rank_reason(&kept->generated, other->generated, arena, err))
        return false;
    struct str source = {(const char *)kept->source.data, kept->source.len};
    struct str other_source = {(const char *)other->source.data, other->source.len};
    if (other_source.len == 0 || (source.len != 0 && str_cmp(source, other_source) <= 0))
        return true;
    kept->source = other->source;
    return fact_copy_bytes(&kept->source, arena, err);
}

bool rank_method_state(struct fact_method *kept, const struct fact_method *other,
                       struct arena *arena, struct err *err)
{
    int order = number_order((uint64_t)method_rank(other), (uint64_t)method_rank(kept));
    if (order == 0 &&
        kept->state == METHOD_INSTRUMENTED) /* what may have run in one of them, may have */
        order = reason_order(other->reason, kept->reason);
    else if (order == 0)
        order = reason_order(kept->reason, other->reason);
    if (!rank_reason(&kept->generated, other->generated, arena, err))
        return false;
    if (kept->declaration == 0) /* one that both know is the same: so is the build */
        kept->declaration = other->declaration;
    if (order <= 0)
        return true;
    kept->state = other->state;
    kept->reason = other->reason;
    return reason_copy(&kept->reason, arena, err);
}

bool rank_gaps(struct view *kept, struct view other, struct arena *arena, struct err *err)
{
    size_t len = kept->len > other.len ? kept->len : other.len;
    if (kept->len == other.len && (len == 0 || memcmp(kept->data, other.data, len) == 0))
        return true;
    uint8_t *both = ARENA_NEW(arena, uint8_t, len, err);
    if (both == NULL)
        return false;
    for (size_t i = 0; i < len; i++)
        both[i] =
            (uint8_t)((i < kept->len ? kept->data[i] : 0) | (i < other.len ? other.data[i] : 0));
    *kept = (struct view){both, len};
    return true;
}

static void rank_causes(struct fact_causes *kept, const struct fact_causes *other)
{
    int order = number_order(other->len, kept->len);
    if (order == 0)
        order = memcmp(other->bytes, kept->bytes, kept->len);
    if (order > 0)
        *kept = *other;
}

/* The longer list names more; of the same length it is the one that comes first. */
static bool rank_arms(struct fact_decision *kept, const struct fact_decision *other,
                      struct arena *arena, struct err *err)
{
    int order = number_order(other->arms_len, kept->arms_len);
    if (order == 0 && kept->arms_len != 0)
        order = memcmp(kept->arms, other->arms, kept->arms_len);
    if (order <= 0)
        return true;
    kept->arms = other->arms;
    kept->arms_len = other->arms_len;
    return fact_copy_arms(kept, arena, err);
}

bool rank_statement(struct fact_statement *kept, const struct fact_statement *other,
                    struct arena *arena, struct err *err)
{
    rank_causes(&kept->causes, &other->causes);
    return rank_reason(&kept->reason, other->reason, arena, err) &&
           rank_gaps(&kept->gaps, other->gaps, arena, err);
}

bool rank_module(struct fact_module *kept, const struct fact_module *other, struct arena *arena,
                 struct err *err)
{
    bool both_have_reasons = kept->reason != NULL && other->reason != NULL;
    if (other->state < kept->state)
        kept->state = other->state;
    if (other->plan_hash < kept->plan_hash)
        kept->plan_hash = other->plan_hash;
    if (other->seen > kept->seen)
        kept->seen = other->seen;
    if (!both_have_reasons)
        kept->reason = NULL;
    return keep_smaller_text(&kept->path, other->path, arena, err) &&
           (!both_have_reasons || rank_reason(&kept->reason, other->reason, arena, err));
}

ORDER(order_ranked_spans, struct fact_span,
      BY(start_line) BY(start_column) BY(end_line) BY(end_column))

bool rank_decision(struct fact_decision *kept, const struct fact_decision *other,
                   struct arena *arena, struct err *err)
{
    int order = number_order(other->is_exact, kept->is_exact);
    if (order == 0)
        order = number_order(other->span.start_column != 0, kept->span.start_column != 0);
    if (order == 0)
        order = order_ranked_spans(&kept->span, &other->span);
    if (order > 0) {
        kept->span = other->span;
        kept->is_exact = other->is_exact;
    }
    if (other->words > kept->words)
        kept->words = other->words;
    rank_causes(&kept->causes, &other->causes);
    return rank_arms(kept, other, arena, err) &&
           rank_reason(&kept->reason, other->reason, arena, err);
}

ORDER(order_ranked_statements, struct fact_statement,
      BY(il_offset) BY(start_line) BY(end_line) BY(start_column) BY(end_column))
ORDER(order_ranked_decisions, struct fact_decision,
      BY(il_offset) BY(line) BY(outcome_count) BY(is_switch) BY(expression))

static int order_document_paths(const struct fact_module *a, uint32_t document_of_a,
                                const struct fact_module *b, uint32_t document_of_b)
{
    return str_cmp(a->documents[document_of_a].path, b->documents[document_of_b].path);
}

static uint32_t user_token(const struct fact_module *module, uint32_t method)
{
    return module->methods[module->methods[method].user_method].token;
}

/* More places rank higher; ties may be broken by anything that does not depend on the order of
 * files. */
int rank_knowledge(const struct fact_module *a, uint32_t method_of_a, const struct fact_module *b,
                   uint32_t method_of_b)
{
    struct fact_extent in_a = facts_extent(a, method_of_a), in_b = facts_extent(b, method_of_b);
    const struct fact_statement *statement = a->statements + in_a.first_statement;
    const struct fact_decision *decision = a->decisions + in_a.first_decision;
    uint32_t statements = in_a.end_statement - in_a.first_statement;
    uint32_t decisions = in_a.end_decision - in_a.first_decision;
    uint32_t others = in_b.end_statement - in_b.first_statement;
    int order =
        number_order(statements + decisions, others + in_b.end_decision - in_b.first_decision);
    if (order == 0)
        order = number_order(statements, others);
    if (order == 0)
        order = number_order(a->methods[method_of_a].entry_count != NO_INDEX,
                             b->methods[method_of_b].entry_count != NO_INDEX);
    if (order == 0)
        order = number_order(user_token(a, method_of_a), user_token(b, method_of_b));
    for (uint32_t i = in_b.first_statement; order == 0 && i < in_b.end_statement; i++, statement++)
        if ((order = order_ranked_statements(statement, &b->statements[i])) == 0)
            order = order_document_paths(a, statement->document, b, b->statements[i].document);
    for (uint32_t i = in_b.first_decision; order == 0 && i < in_b.end_decision; i++, decision++)
        if ((order = order_ranked_decisions(decision, &b->decisions[i])) == 0)
            order = order_document_paths(a, decision->document, b, b->decisions[i].document);
    return order;
}

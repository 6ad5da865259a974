/* How a branch is classified, in this order:
 *
 *   1. F#: code inlined from a library is found first, because ways lead past it.
 *   2. Each branch is classified by the first rule that recognises it. What it tests comes first:
 *   the
 *      state of a state machine, IsCompleted of an awaiter and a cached delegate belong to the
 *      compiler. A value made of operands that were counted where they were made (`a && b` kept in
 *      a variable) is not counted again. Then comes its sequence point: with a visible one it is a
 *      condition of that statement, with a hidden one it is part of a dispatch.
 *   3. Rules that look at the whole method follow: they find conditions that are part of a switch
 *      or match, or of its search for a constant.
 *   4. Branches of a dispatch that lead to each other are one switch (dispatch.c). Its outcomes
 *      are the visible points, or ends of the method, where its ways come out. Ways on which only
 *      compiler-made code throws are not outcomes. With one outcome left it is not a decision
 *      (decide.c). */
#include "coverage/branches/classify.h"

#include "coverage/branches/guard.h"
#include "coverage/branches/rules.h"
#include "coverage/statements/il_idioms.h"

#define IN_VISUAL_BASIC   (1u << LANGUAGE_VISUAL_BASIC)
#define IN_FSHARP         (1u << LANGUAGE_FSHARP)
#define IN_ALL_BUT_FSHARP (1u << LANGUAGE_CSHARP | IN_VISUAL_BASIC | 1u << LANGUAGE_IL)
#define IN_ALL_BUT_BASIC  (1u << LANGUAGE_CSHARP | 1u << LANGUAGE_IL)
#define IN_ALL            (IN_ALL_BUT_FSHARP | IN_FSHARP)

static const struct rule rules[] = {
#define RULE(id, title, in, gives, text)                                                           \
    {.name = title, .description = text, .languages = in, .class = gives, .test = rule_##id},
#define FIND(id, title, in, gives, text)                                                           \
    {.name = title, .description = text, .languages = in, .class = gives, .find = find_##id},
#define LEFT(id, title, in, gives, text)                                                           \
    {.name = title, .description = text, .languages = in, .class = gives},
#include "coverage/branches/rules.def"
#undef RULE
#undef FIND
#undef LEFT
};

const struct rule *branch_rules(size_t *count)
{
    *count = ARRAY_LEN(rules);
    return rules;
}

enum branch_role branch_role_of(const struct rule *rule, const struct flow *flow, uint32_t n)
{
    if (rule == NULL)
        return ROLE_OTHER;
    if (rule->test == rule_state_dispatch || rule->test == rule_way_back)
        return idiom_tests_state(flow, n) ? ROLE_WAY_BACK : ROLE_OTHER;
    if (rule->test == rule_await_completed)
        return ROLE_AWAIT;
    if (rule->test == rule_operands_counted)
        return ROLE_COUNTED;
    if (rule->test == rule_pending_exception)
        return ROLE_PENDING;
    return rule->test == rule_generated_field ? ROLE_GENERATED : ROLE_OTHER;
}

static bool is_asked(const struct rule *rule, const struct branches *branches)
{
    return (rule->languages & 1u << branches->language) != 0;
}

static void classify_branch(struct branches *branches, uint32_t block)
{
    struct branch branch = branches_at(branches, block);
    const struct rule *rule = rules;
    while (rule->test == NULL || !is_asked(rule, branches) || !rule->test(branches, &branch))
        rule++;
    branches_set_rule(branches, block, rule);
    if (rule->class != BRANCH_NONE)
        branches->statement[block] = branches_statement(branches, &branch);
}

bool branches_classify(struct branches *out, const struct statements_source *source,
                       const struct plan *plan, struct arena *arena, struct err *err)
{
    if (!branches_make(out, source, plan, arena, err) || !fsharp_inlined_find(out, arena, err))
        return false;
    for (uint32_t n = 0; n < out->flow->block_count; n++)
        if (branches_has(out, n))
            classify_branch(out, n);
    for (size_t r = 0; r < ARRAY_LEN(rules); r++)
        if (rules[r].find != NULL && is_asked(&rules[r], out) &&
            !rules[r].find(out, &rules[r], arena, err))
            return false;
    return true;
}

void branches_mark_left_over(struct branches *branches, uint32_t leader)
{
    const struct rule *rule = rules;
    while (rule->test != NULL || rule->find != NULL)
        rule++;
    for (uint32_t n = leader; n != NO_INDEX; n = branches->next[n])
        branches->rule[n] = rule;
}

/* --- rules that go by the sequence point ------------------------------------------------------ */

/* A filter begins with `isinst E`, before the point of its condition. */
bool rule_filter_type(const struct branches *branches, const struct branch *branch)
{
    return branch->before == NO_INDEX &&
           body_is_in_filter(&branches->flow->body, branches->flow->il.instrs[branch->last].offset);
}

/* The handler of a filter finds the rule once more, before the point of what it does. */
bool rule_after_filter(const struct branches *branches, const struct branch *branch)
{
    const struct flow *flow = branches->flow;
    uint32_t offset = flow->il.instrs[branch->last].offset;
    return branch->before == NO_INDEX && body_is_in_handler_of_filter(&flow->body, offset);
}

bool rule_no_statement(const struct branches *branches, const struct branch *branch)
{
    return branches_statement(branches, branch) == NO_INDEX;
}

/* What no earlier rule recognises was written by the user, if a statement is there. With a visible
 * point it is a condition. With a hidden one it is part of a switch or, right after the store of
 * what it tests, of a condition that Debug code splits in two. */
bool rule_condition(const struct branches *branches, const struct branch *branch)
{
    return branch->before != NO_INDEX &&
           branches->flow->blocks[branch->block].exit == FLOW_CONDITION &&
           (branch->visible ||
            (branch->just_stored && guard_read(branches, branch->before) != READS_SWITCH));
}

bool rule_dispatch(const struct branches *branches, const struct branch *branch)
{
    return !rule_condition(branches, branch);
}

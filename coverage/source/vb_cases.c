#include "coverage/source/vb_cases.h"

#include <string.h>

#include "base/list.h"

/* A statement: what is between colons and ends of lines. */
struct case_statement {
    uint32_t first, end; /* tokens */
};

struct case_reading {
    const struct tokens *tokens;
    uint32_t at;
    struct list arms; /* struct switch_arm */
    struct switch_arms *out;
    struct arena *arena;
    struct err *err;
};

/* --- statements ------------------------------------------------------------------------------- */

/* Does the statement with the token before this one go on with it? */
static bool goes_on(const struct case_reading *r, uint32_t at)
{
    const struct token *token = &r->tokens->items[at], *before = token - 1;
    bool is_colon = token->kind == TOKEN_COLON &&
                    (token[1].kind != TOKEN_ASSIGN || token[1].start != token->end); /* F(a:=2) */
    const char *between = r->tokens->text.text + before->end;
    bool begins_line = memchr(between, '\n', token->start - before->end) != NULL;
    return !is_colon &&
           (!begins_line || before->kind == TOKEN_COMMA || tokens_is(r->tokens, at - 1, "_"));
}

static struct case_statement read_statement(struct case_reading *r)
{
    while (tokens_kind(r->tokens, r->at) == TOKEN_COLON)
        r->at++;
    struct case_statement found = {r->at, r->at};
    while (r->at < r->tokens->count && (r->at == found.first || goes_on(r, r->at))) {
        uint32_t past = tokens_past(r->tokens, r->at);
        r->at = past != NO_INDEX ? past : r->at + 1;
    }
    found.end = r->at;
    return found;
}

static bool begins_with(const struct case_reading *r, const struct case_statement *statement,
                        const char *first, const char *second)
{
    return tokens_is_basic(r->tokens, statement->first, first) &&
           (second == NULL || tokens_is_basic(r->tokens, statement->first + 1, second));
}

/* --- arms ------------------------------------------------------------------------------------- */

static struct switch_arm *add_case(struct case_reading *r, const struct case_statement *label)
{
    const struct token *tokens = r->tokens->items;
    struct switch_arm *arm = list_add(&r->arms, sizeof *arm, r->arena, r->err);
    if (arm != NULL)
        *arm = (struct switch_arm){.label_start = tokens[label->first].start,
                                   .label_end = tokens[label->end - 1].end,
                                   .starts = {tokens[label->first].start},
                                   .start_count = 1,
                                   .breaks = true};
    r->out->has_default |= begins_with(r, label, "case", "else");
    return arm;
}

/* A statement of the arm, outside other Select Case. */
static void note_case_body(struct case_reading *r, struct switch_arm *arm,
                           const struct case_statement *statement)
{
    arm->breaks &= begins_with(r, statement, "exit", "select");
    if (arm->start_count == 1)
        arm->starts[arm->start_count++] = r->tokens->items[statement->first].start;
}

/* Sets `is_known` at the end of the Select Case. */
static bool read_cases(struct case_reading *r)
{
    uint32_t depth = 0;
    struct switch_arm *arm = NULL;
    for (;;) {
        struct case_statement statement = read_statement(r);
        if (statement.end == statement.first || tokens_is_directive(r->tokens, statement.first))
            return true;
        bool ends = begins_with(r, &statement, "end", "select");
        if (ends && depth == 0) {
            r->out->is_known = arm != NULL;
            return true;
        }
        if (depth == 0 && begins_with(r, &statement, "case", NULL)) {
            arm = add_case(r, &statement);
            if (arm == NULL)
                return false;
        } else if (depth == 0 && arm != NULL) {
            note_case_body(r, arm, &statement);
        }
        depth += begins_with(r, &statement, "select", "case");
        depth -= ends;
    }
}

bool vb_cases_find(struct switch_arms *out, const struct tokens *tokens, uint32_t start,
                   uint32_t end, struct arena *arena, struct err *err)
{
    struct case_reading r = {
        .tokens = tokens, .at = tokens_from(tokens, end), .out = out, .arena = arena, .err = err};
    const struct case_statement head = {tokens_from(tokens, start), r.at};
    *out = (struct switch_arms){.subject_start = start, .subject_end = end};
    if (!begins_with(&r, &head, "select", "case"))
        return true;
    if (!read_cases(&r))
        return false;
    out->items = r.arms.items;
    out->count = out->is_known ? r.arms.count : 0;
    return true;
}

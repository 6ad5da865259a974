#include "coverage/merge/join.h"

#include <assert.h>
#include <string.h>

#include "base/list.h"
#include "base/number.h"
#include "base/sort.h"
#include "coverage/merge/fact_copy.h"
#include "coverage/merge/method_cursor.h"
#include "coverage/merge/rank.h"

/* --- both know the same ----------------------------------------------------------------------- */

static bool same_statement(const struct fact_statement *a, const struct fact_statement *b)
{
    return a->method == b->method && a->document == b->document && a->il_offset == b->il_offset &&
           a->start_line == b->start_line && a->end_line == b->end_line &&
           a->start_column == b->start_column && a->end_column == b->end_column;
}

static bool same_decision(const struct fact_decision *a, const struct fact_decision *b)
{
    return a->method == b->method && a->document == b->document && a->il_offset == b->il_offset &&
           a->line == b->line && a->outcome_count == b->outcome_count &&
           a->is_switch == b->is_switch && a->expression == b->expression;
}

/* Both have the same facts about the same code: the usual case, because they describe one build. */
static bool are_congruent(const struct fact_module *a, const struct fact_module *b)
{
    bool same = a->document_count == b->document_count && a->method_count == b->method_count &&
                a->statement_count == b->statement_count && a->decision_count == b->decision_count;
    for (uint32_t i = 0; same && i < a->document_count; i++)
        same = str_eq(a->documents[i].path, b->documents[i].path);
    for (uint32_t i = 0; same && i < a->method_count; i++)
        same = a->methods[i].token == b->methods[i].token &&
               a->methods[i].user_method == b->methods[i].user_method &&
               (a->methods[i].entry_count == NO_INDEX) == (b->methods[i].entry_count == NO_INDEX);
    for (uint32_t i = 0; same && i < a->statement_count; i++)
        same = same_statement(&a->statements[i], &b->statements[i]);
    for (uint32_t i = 0; same && i < a->decision_count; i++)
        same = same_decision(&a->decisions[i], &b->decisions[i]);
    return same;
}

static bool unite_congruent(struct fact_module *kept, const struct fact_module *other,
                            struct arena *arena, struct err *err)
{
    bool ok = rank_module(kept, other, arena, err);
    for (uint32_t i = 0; ok && i < kept->document_count; i++)
        ok = rank_document(&kept->documents[i], &other->documents[i], arena, err);
    for (uint32_t i = 0; ok && i < kept->method_count; i++)
        ok = rank_method_state(&kept->methods[i], &other->methods[i], arena, err);
    for (uint32_t i = 0; ok && i < kept->statement_count; i++)
        ok = rank_statement(&kept->statements[i], &other->statements[i], arena, err);
    for (uint32_t i = 0; ok && i < kept->decision_count; i++)
        ok = rank_decision(&kept->decisions[i], &other->decisions[i], arena, err);
    return ok;
}

/* Texts are not copied: they belong to the two modules. */
struct joined {
    struct list documents, methods, statements, decisions;
    struct list users; /* uint32_t: per method, the token of its user_method */
    struct arena *arena;
    struct err *err;
};

/* A module being joined, and the new indices of its documents. */
struct joining {
    struct method_cursor at;
    uint32_t *document;
};

/* Usually both have the same documents in the same order: `likely` is the index in that case. */
static uint32_t join_document(struct joined *j, const struct fact_document *document,
                              uint32_t likely)
{
    struct fact_document *items = j->documents.items;
    if (likely < j->documents.count && str_eq(items[likely].path, document->path))
        return likely;
    for (uint32_t i = 0; i < j->documents.count; i++)
        if (str_eq(items[i].path, document->path))
            return i;
    struct fact_document *added = list_add(&j->documents, sizeof *added, j->arena, j->err);
    if (added == NULL)
        return NO_INDEX;
    *added = *document;
    return j->documents.count - 1;
}

static bool join_documents(struct joined *j, struct joining *of, const struct fact_module *module)
{
    *of = (struct joining){method_cursor_start(module), arena_raw(j->arena, module->document_count,
                                                                  sizeof *of->document, j->err)};
    for (uint32_t i = 0; of->document != NULL && i < module->document_count; i++) {
        of->document[i] = join_document(j, &module->documents[i], i);
        if (of->document[i] == NO_INDEX ||
            !rank_document((struct fact_document *)j->documents.items + of->document[i],
                           &module->documents[i], j->arena, j->err))
            return false;
    }
    return of->document != NULL;
}

/* What `from` knows about its current method. */
static bool join_method(struct joined *j, const struct joining *from)
{
    const struct method_cursor *at = &from->at;
    struct fact_method *method = list_add(&j->methods, sizeof *method, j->arena, j->err);
    uint32_t *user = list_add(&j->users, sizeof *user, j->arena, j->err);
    if (method == NULL || user == NULL)
        return false;
    *method = at->module->methods[at->method];
    *user = method_cursor_user_token(at);
    for (uint32_t i = 0, count = method_cursor_statements(at); i < count; i++) {
        struct fact_statement *copy = list_add(&j->statements, sizeof *copy, j->arena, j->err);
        if (copy == NULL)
            return false;
        *copy = at->module->statements[at->statement + i];
        copy->method = j->methods.count - 1;
        copy->document = from->document[copy->document];
    }
    for (uint32_t i = 0, count = method_cursor_decisions(at); i < count; i++) {
        struct fact_decision *copy = list_add(&j->decisions, sizeof *copy, j->arena, j->err);
        if (copy == NULL)
            return false;
        *copy = at->module->decisions[at->decision + i];
        copy->method = j->methods.count - 1;
        copy->document = from->document[copy->document];
    }
    return true;
}

/* The method was joined from a file with the same facts about it. */
static bool join_reasons(struct joined *j, const struct method_cursor *other)
{
    uint32_t statements = method_cursor_statements(other),
             decisions = method_cursor_decisions(other);
    struct fact_statement *statement =
        (struct fact_statement *)j->statements.items + j->statements.count - statements;
    struct fact_decision *decision =
        (struct fact_decision *)j->decisions.items + j->decisions.count - decisions;
    for (uint32_t i = 0; i < statements; i++)
        if (!rank_statement(&statement[i], &other->module->statements[other->statement + i],
                            j->arena, j->err))
            return false;
    for (uint32_t i = 0; i < decisions; i++)
        if (!rank_decision(&decision[i], &other->module->decisions[other->decision + i], j->arena,
                           j->err))
            return false;
    return true;
}

/* Joins the method with that token, which at least one of the two has. */
static bool join_token(struct joined *j, struct joining *a, struct joining *b, uint32_t token)
{
    bool has_a = method_cursor_token(&a->at) == token, has_b = method_cursor_token(&b->at) == token;
    int order = has_a && has_b ? rank_knowledge(&a->at, &b->at) : has_a ? 1 : -1;
    if (!join_method(j, order >= 0 ? a : b) || (order == 0 && !join_reasons(j, &b->at)))
        return false;
    struct fact_method *method = (struct fact_method *)j->methods.items + j->methods.count - 1;
    if (has_a && !rank_method_state(method, &a->at.module->methods[a->at.method], j->arena, j->err))
        return false;
    if (has_b && !rank_method_state(method, &b->at.module->methods[b->at.method], j->arena, j->err))
        return false;
    if (has_a)
        method_cursor_next(&a->at);
    if (has_b)
        method_cursor_next(&b->at);
    return true;
}

ORDER(order_tokens, struct fact_method, BY(token))

/* user_method is an index; its value in the new list is found by token. */
static void number_users(struct joined *j)
{
    struct fact_method *methods = j->methods.items;
    const uint32_t *users = j->users.items;
    for (uint32_t i = 0; i < j->methods.count; i++) {
        const struct fact_method key = {.token = users[i]};
        const struct fact_method *user =
            sorted_find(&key, methods, j->methods.count, sizeof key, order_tokens);
        assert(user != NULL); /* all methods of both are here */
        methods[i].user_method = (uint32_t)(user - methods);
    }
}

static bool join(struct fact_module *out, const struct fact_module *a, const struct fact_module *b,
                 struct joined *j)
{
    struct joining left, right;
    if (!join_documents(j, &left, a) || !join_documents(j, &right, b))
        return false;
    for (uint32_t token = 0; token != UINT32_MAX;) {
        token = method_cursor_token(&left.at) < method_cursor_token(&right.at)
                    ? method_cursor_token(&left.at)
                    : method_cursor_token(&right.at);
        if (token != UINT32_MAX && !join_token(j, &left, &right, token))
            return false;
    }
    number_users(j);
    *out = *a;
    out->documents = j->documents.items;
    out->document_count = j->documents.count;
    out->methods = j->methods.items;
    out->method_count = j->methods.count;
    out->statements = j->statements.items;
    out->statement_count = j->statements.count;
    out->decisions = j->decisions.items;
    out->decision_count = j->decisions.count;
    return true;
}

/* A process left methods unchanged, or had no symbols. Usually `kept` has all of it already and no
 * list is built again: memory must not grow with each file. */
static bool unite_unlike(struct fact_module *kept, const struct fact_module *other,
                         struct arena *arena, struct err *err)
{
    struct arena scratch;
    struct fact_module both;
    struct joined j = {.arena = &scratch, .err = err};
    arena_init(&scratch, NULL, 0, ARENA_NO_LIMIT);
    bool ok = rank_module(kept, other, arena, err) && join(&both, kept, other, &j);
    if (ok && are_congruent(kept, &both)) {
        ok = unite_congruent(kept, &both, arena, err);
    } else if (ok) {
        ok = fact_copy_module(&both, arena, err);
        *kept = both;
    }
    arena_free(&scratch);
    return ok;
}

bool join_module(struct fact_module *kept, const struct fact_module *other, struct arena *arena,
                 struct err *err)
{
    if (kept->method_count == 0) /* it was not read */
        memcpy(kept->identity, other->identity, sizeof kept->identity);
    if (kept->type_count == 0 && other->type_count != 0) {
        kept->types = other->types;
        kept->type_count = other->type_count;
        if (!fact_copy_types(kept, arena, err))
            return false;
    }
    return are_congruent(kept, other) ? unite_congruent(kept, other, arena, err)
                                      : unite_unlike(kept, other, arena, err);
}

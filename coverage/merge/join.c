#include "coverage/merge/join.h"

#include <assert.h>
#include <string.h>

#include "base/list.h"
#include "base/number.h"
#include "base/sort.h"
#include "coverage/merge/fact_copy.h"
#include "coverage/merge/rank.h"

/* --- both know the same ----------------------------------------------------------------------- */

/* Both have the same facts about the same code: the usual case, because they describe one build. */
static bool are_congruent(const struct fact_module *a, const struct fact_module *b)
{
    bool same = a->document_count == b->document_count && a->method_count == b->method_count;
    for (uint32_t i = 0; same && i < a->document_count; i++)
        same = str_eq(a->documents[i].path, b->documents[i].path);
    for (uint32_t i = 0; same && i < a->method_count; i++)
        same = a->methods[i].token == b->methods[i].token && rank_knowledge(a, i, b, i) == 0;
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
struct joined_module {
    struct list documents, methods, statements, decisions;
    struct list users; /* uint32_t: per method, the token of its user_method */
    struct arena *arena;
    struct err *err;
};

/* A module being joined. */
struct joining {
    const struct fact_module *module;
    uint32_t *document; /* the new indices of its documents */
    uint32_t method;    /* the next */
};

/* Usually both have the same documents in the same order: `likely` is the index in that case. */
static uint32_t join_document(struct joined_module *j, const struct fact_document *document,
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

static bool join_documents(struct joined_module *j, struct joining *of,
                           const struct fact_module *module)
{
    *of = (struct joining){
        .module = module,
        .document = arena_raw(j->arena, module->document_count, sizeof *of->document, j->err)};
    for (uint32_t i = 0; of->document != NULL && i < module->document_count; i++) {
        of->document[i] = join_document(j, &module->documents[i], i);
        if (of->document[i] == NO_INDEX ||
            !rank_document((struct fact_document *)j->documents.items + of->document[i],
                           &module->documents[i], j->arena, j->err))
            return false;
    }
    return of->document != NULL;
}

/* What `from` knows about its next method. */
static bool join_method(struct joined_module *j, const struct joining *from)
{
    const struct fact_module *module = from->module;
    struct fact_extent extent = facts_extent(module, from->method);
    struct fact_method *method = list_add(&j->methods, sizeof *method, j->arena, j->err);
    uint32_t *user = list_add(&j->users, sizeof *user, j->arena, j->err);
    if (method == NULL || user == NULL)
        return false;
    *method = module->methods[from->method];
    *user = module->methods[method->user_method].token;
    for (uint32_t i = extent.first_statement; i < extent.end_statement; i++) {
        struct fact_statement *copy = list_add(&j->statements, sizeof *copy, j->arena, j->err);
        if (copy == NULL)
            return false;
        *copy = module->statements[i];
        copy->method = j->methods.count - 1;
        copy->document = from->document[copy->document];
    }
    for (uint32_t i = extent.first_decision; i < extent.end_decision; i++) {
        struct fact_decision *copy = list_add(&j->decisions, sizeof *copy, j->arena, j->err);
        if (copy == NULL)
            return false;
        *copy = module->decisions[i];
        copy->method = j->methods.count - 1;
        copy->document = from->document[copy->document];
    }
    return true;
}

/* The method was joined from a file with the same facts about it. */
static bool join_reasons(struct joined_module *j, const struct joining *other)
{
    const struct fact_module *module = other->module;
    struct fact_extent extent = facts_extent(module, other->method);
    struct fact_statement *statement =
        (struct fact_statement *)j->statements.items + j->statements.count;
    struct fact_decision *decision =
        (struct fact_decision *)j->decisions.items + j->decisions.count;
    for (uint32_t i = extent.end_statement; i-- != extent.first_statement;)
        if (!rank_statement(--statement, &module->statements[i], j->arena, j->err))
            return false;
    for (uint32_t i = extent.end_decision; i-- != extent.first_decision;)
        if (!rank_decision(--decision, &module->decisions[i], j->arena, j->err))
            return false;
    return true;
}

static uint32_t token_of(const struct joining *of)
{
    return of->method < of->module->method_count ? of->module->methods[of->method].token : NO_INDEX;
}

/* Takes the next method, if it has the token. */
static bool join_state(struct joined_module *j, struct joining *of, uint32_t token)
{
    struct fact_method *method = (struct fact_method *)j->methods.items + j->methods.count - 1;
    return token_of(of) != token ||
           rank_method_state(method, &of->module->methods[of->method++], j->arena, j->err);
}

/* Joins the method with that token, which at least one of the two has. */
static bool join_token(struct joined_module *j, struct joining *a, struct joining *b,
                       uint32_t token)
{
    int order = token_of(b) != token   ? 1
                : token_of(a) != token ? -1
                                       : rank_knowledge(a->module, a->method, b->module, b->method);
    return join_method(j, order >= 0 ? a : b) && (order != 0 || join_reasons(j, b)) &&
           join_state(j, a, token) && join_state(j, b, token);
}

ORDER(order_joined_tokens, struct fact_method, BY(token))

/* user_method is an index; its value in the new list is found by token. */
static void number_users(struct joined_module *j)
{
    struct fact_method *methods = j->methods.items;
    const uint32_t *users = j->users.items;
    for (uint32_t i = 0; i < j->methods.count; i++) {
        const struct fact_method key = {.token = users[i]};
        const struct fact_method *user =
            sorted_find(&key, methods, j->methods.count, sizeof key, order_joined_tokens);
        assert(user != NULL); /* all methods of both are here */
        methods[i].user_method = (uint32_t)(user - methods);
    }
}

static bool join_both(struct fact_module *out, const struct fact_module *a,
                      const struct fact_module *b, struct joined_module *j)
{
    struct joining left, right;
    if (!join_documents(j, &left, a) || !join_documents(j, &right, b))
        return false;
    for (uint32_t token;
         (token = (uint32_t)number_min(token_of(&left), token_of(&right))) != NO_INDEX;)
        if (!join_token(j, &left, &right, token))
            return false;
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
    struct arena scratch = ARENA_EMPTY;
    struct fact_module both;
    struct joined_module j = {.arena = &scratch, .err = err};
    bool ok = rank_module(kept, other, arena, err) && join_both(&both, kept, other, &j);
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

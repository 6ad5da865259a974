#include "coverage/merge/unite.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

struct united_run {
    struct fact_run run;
    struct fact_process *processes; /* their `run` says nothing */
    uint32_t process_count;
};

void unite_open(struct unite *out, struct arena *arena)
{
    *out = (struct unite){.arena = arena};
}

/* --- copies ----------------------------------------------------------------------------------- */

static bool copy_text(struct str *text, struct arena *arena, struct err *err)
{
    return text->len == 0 || str_copy(text, *text, arena, err);
}

static bool copy_bytes(struct view *bytes, struct arena *arena, struct err *err)
{
    if (bytes->len == 0)
        return true;
    char *copy = arena_copy_text(arena, (const char *)bytes->data, bytes->len, err);
    bytes->data = (const uint8_t *)copy;
    return copy != NULL;
}

static void *copy_list(const void *items, uint32_t count, size_t size, struct arena *arena,
                       struct err *err)
{
    void *copy = arena_raw(arena, count, size, err);
    if (copy != NULL && count != 0)
        memcpy(copy, items, count * size);
    return copy;
}

static bool copy_texts(struct fact_module *m, struct arena *arena, struct err *err)
{
    bool ok = copy_text(&m->name, arena, err) && copy_text(&m->path, arena, err) &&
              copy_text(&m->reason, arena, err);
    for (uint32_t i = 0; ok && i < m->document_count; i++) {
        struct fact_document *document = &m->documents[i];
        ok = copy_text(&document->path, arena, err) && copy_text(&document->relative, arena, err) &&
             copy_text(&document->reason, arena, err) && copy_bytes(&document->hash, arena, err) &&
             copy_bytes(&document->source, arena, err);
    }
    for (uint32_t i = 0; ok && i < m->method_count; i++) {
        struct fact_method *method = &m->methods[i];
        ok = copy_text(&method->type, arena, err) && copy_text(&method->name, arena, err) &&
             copy_text(&method->signature, arena, err) && copy_text(&method->reason, arena, err) &&
             copy_bytes(&method->instructions, arena, err);
    }
    for (uint32_t i = 0; ok && i < m->statement_count; i++)
        ok = copy_text(&m->statements[i].reason, arena, err);
    for (uint32_t i = 0; ok && i < m->decision_count; i++)
        ok = copy_text(&m->decisions[i].reason, arena, err);
    return ok;
}

static bool copy_module(struct fact_module *m, struct arena *arena, struct err *err)
{
    m->documents = copy_list(m->documents, m->document_count, sizeof *m->documents, arena, err);
    m->methods = copy_list(m->methods, m->method_count, sizeof *m->methods, arena, err);
    m->statements = copy_list(m->statements, m->statement_count, sizeof *m->statements, arena, err);
    m->decisions = copy_list(m->decisions, m->decision_count, sizeof *m->decisions, arena, err);
    return m->documents != NULL && m->methods != NULL && m->statements != NULL &&
           m->decisions != NULL && copy_texts(m, arena, err);
}

/* --- which of two ----------------------------------------------------------------------------- */

static bool smaller(struct str *kept, struct str other, struct arena *arena, struct err *err)
{
    if (str_cmp(other, *kept) >= 0)
        return true;
    *kept = other;
    return copy_text(kept, arena, err);
}

/* The larger is kept; all reasons of one rank are alike but for their text. */
static int method_rank(const struct fact_method *method)
{
    switch (method->state) {
    case METHOD_COVERED:
        return 2;
    case METHOD_REFUSED:
        return 1;
    case METHOD_EXCLUDED:
        break;
    }
    return str_is(method->reason, REASON_NOT_INCLUDED) ? 0 : 3;
}

static int document_rank(const struct fact_document *document)
{
    if (str_is(document->reason, REASON_EXCLUDED_FILE))
        return 2;
    return document->reason.len == 0 && document->relative.len != 0;
}

static bool unite_documents(struct fact_document *kept, const struct fact_document *other,
                            struct arena *arena, struct err *err)
{
    int order = number_order((uint64_t)document_rank(other), (uint64_t)document_rank(kept));
    if (order == 0)
        order = str_cmp(kept->reason, other->reason);
    if (order == 0)
        order = str_cmp(kept->relative, other->relative);
    if (order > 0) {
        kept->relative = other->relative;
        kept->reason = other->reason;
        if (!copy_text(&kept->relative, arena, err) || !copy_text(&kept->reason, arena, err))
            return false;
    }
    struct str source = {(const char *)kept->source.data, kept->source.len};
    struct str other_source = {(const char *)other->source.data, other->source.len};
    if (other_source.len == 0 || (source.len != 0 && str_cmp(source, other_source) <= 0))
        return true;
    kept->source = other->source;
    return copy_bytes(&kept->source, arena, err);
}

static bool unite_states(struct fact_method *kept, const struct fact_method *other,
                         struct arena *arena, struct err *err)
{
    int order = number_order((uint64_t)method_rank(other), (uint64_t)method_rank(kept));
    if (order == 0)
        order = str_cmp(kept->reason, other->reason);
    if (order <= 0)
        return true;
    kept->state = other->state;
    kept->reason = other->reason;
    return copy_text(&kept->reason, arena, err);
}

/* Somebody's comment that only one machine could read excludes on all. */
static bool unite_reasons(struct str *kept, struct str other, struct arena *arena, struct err *err)
{
    if (other.len == 0 || (kept->len != 0 && str_cmp(*kept, other) <= 0))
        return true;
    *kept = other;
    return copy_text(kept, arena, err);
}

static bool unite_heads(struct fact_module *kept, const struct fact_module *other,
                        struct arena *arena, struct err *err)
{
    bool is_told = kept->reason.len != 0 && other->reason.len != 0;
    if (other->state < kept->state)
        kept->state = other->state;
    if (other->plan_hash < kept->plan_hash)
        kept->plan_hash = other->plan_hash;
    if (other->seen > kept->seen)
        kept->seen = other->seen;
    if (!is_told)
        kept->reason = STR("");
    return smaller(&kept->path, other->path, arena, err) &&
           (!is_told || smaller(&kept->reason, other->reason, arena, err));
}

/* --- two lists of one build ------------------------------------------------------------------- */

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
           a->is_switch == b->is_switch;
}

/* Both know the same of the same code: the rule, for they are files of one build. */
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
    bool ok = unite_heads(kept, other, arena, err);
    for (uint32_t i = 0; ok && i < kept->document_count; i++)
        ok = unite_documents(&kept->documents[i], &other->documents[i], arena, err);
    for (uint32_t i = 0; ok && i < kept->method_count; i++)
        ok = unite_states(&kept->methods[i], &other->methods[i], arena, err);
    for (uint32_t i = 0; ok && i < kept->statement_count; i++)
        ok = unite_reasons(&kept->statements[i].reason, other->statements[i].reason, arena, err);
    for (uint32_t i = 0; ok && i < kept->decision_count; i++)
        ok = unite_reasons(&kept->decisions[i].reason, other->decisions[i].reason, arena, err);
    return ok;
}

/* The lists of a module, taken method by method. */
struct cursor {
    const struct fact_module *module;
    uint32_t method, statement, decision;
};

static struct cursor start_of(const struct fact_module *module)
{
    return (struct cursor){.module = module};
}

static uint32_t token_at(const struct cursor *c)
{
    return c->method < c->module->method_count ? c->module->methods[c->method].token : UINT32_MAX;
}

static uint32_t statements_at(const struct cursor *c)
{
    uint32_t end = c->statement;
    while (end < c->module->statement_count && c->module->statements[end].method == c->method)
        end++;
    return end - c->statement;
}

static uint32_t decisions_at(const struct cursor *c)
{
    uint32_t end = c->decision;
    while (end < c->module->decision_count && c->module->decisions[end].method == c->method)
        end++;
    return end - c->decision;
}

static void next_method(struct cursor *c)
{
    c->statement += statements_at(c);
    c->decision += decisions_at(c);
    c->method++;
}

/* Which of two files is believed in what it tells of a method; 0: they tell the same. More places come
 * first, then any order will do that does not hang on which file came first. */
static int order_statements(const struct fact_module *a, const struct fact_statement *left,
                            const struct fact_module *b, const struct fact_statement *right)
{
    int order = number_order(left->il_offset, right->il_offset);
    if (order == 0)
        order = number_order(left->start_line, right->start_line);
    if (order == 0)
        order = number_order(left->end_line, right->end_line);
    if (order == 0)
        order = number_order(left->start_column, right->start_column);
    if (order == 0)
        order = number_order(left->end_column, right->end_column);
    return order != 0
               ? order
               : str_cmp(a->documents[left->document].path, b->documents[right->document].path);
}

static int order_decisions(const struct fact_module *a, const struct fact_decision *left,
                           const struct fact_module *b, const struct fact_decision *right)
{
    int order = number_order(left->il_offset, right->il_offset);
    if (order == 0)
        order = number_order(left->line, right->line);
    if (order == 0)
        order = number_order(left->outcome_count, right->outcome_count);
    if (order == 0)
        order = number_order(left->is_switch, right->is_switch);
    return order != 0
               ? order
               : str_cmp(a->documents[left->document].path, b->documents[right->document].path);
}

static uint32_t user_token(const struct cursor *c)
{
    return c->module->methods[c->module->methods[c->method].user_method].token;
}

static bool has_entry(const struct cursor *c)
{
    return c->module->methods[c->method].entry_count != NO_INDEX;
}

static int order_knowledge(const struct cursor *a, const struct cursor *b)
{
    uint32_t statements = statements_at(a), decisions = decisions_at(a);
    int order = number_order(statements + decisions, statements_at(b) + decisions_at(b));
    if (order == 0)
        order = number_order(statements, statements_at(b));
    if (order == 0)
        order = number_order(has_entry(a), has_entry(b));
    if (order == 0)
        order = number_order(user_token(a), user_token(b));
    for (uint32_t i = 0; order == 0 && i < statements; i++)
        order = order_statements(a->module, &a->module->statements[a->statement + i], b->module,
                                 &b->module->statements[b->statement + i]);
    for (uint32_t i = 0; order == 0 && i < decisions; i++)
        order = order_decisions(a->module, &a->module->decisions[a->decision + i], b->module,
                                &b->module->decisions[b->decision + i]);
    return order;
}

/* Texts are not copied: they are those of the two modules. */
struct joined {
    struct list documents, methods, statements, decisions;
    struct list users; /* uint32_t: of each method the token of its user_method */
    struct arena *arena;
    struct err *err;
};

/* A module that is joined, and where its documents are by now. */
struct joining {
    struct cursor at;
    uint32_t *document;
};

/* Mostly both know the same documents in the same order: `likely` is where it is then. */
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
    *of = (struct joining){start_of(module), arena_raw(j->arena, module->document_count,
                                                       sizeof *of->document, j->err)};
    for (uint32_t i = 0; of->document != NULL && i < module->document_count; i++) {
        of->document[i] = join_document(j, &module->documents[i], i);
        if (of->document[i] == NO_INDEX ||
            !unite_documents((struct fact_document *)j->documents.items + of->document[i],
                             &module->documents[i], j->arena, j->err))
            return false;
    }
    return of->document != NULL;
}

/* What `from` knows of the method that it stands at. */
static bool join_method(struct joined *j, const struct joining *from)
{
    const struct cursor *at = &from->at;
    struct fact_method *method = list_add(&j->methods, sizeof *method, j->arena, j->err);
    uint32_t *user = list_add(&j->users, sizeof *user, j->arena, j->err);
    if (method == NULL || user == NULL)
        return false;
    *method = at->module->methods[at->method];
    *user = user_token(at);
    for (uint32_t i = 0, count = statements_at(at); i < count; i++) {
        struct fact_statement *copy = list_add(&j->statements, sizeof *copy, j->arena, j->err);
        if (copy == NULL)
            return false;
        *copy = at->module->statements[at->statement + i];
        copy->method = j->methods.count - 1;
        copy->document = from->document[copy->document];
    }
    for (uint32_t i = 0, count = decisions_at(at); i < count; i++) {
        struct fact_decision *copy = list_add(&j->decisions, sizeof *copy, j->arena, j->err);
        if (copy == NULL)
            return false;
        *copy = at->module->decisions[at->decision + i];
        copy->method = j->methods.count - 1;
        copy->document = from->document[copy->document];
    }
    return true;
}

/* The method was joined from a file that tells the same of it. */
static bool join_reasons(struct joined *j, const struct cursor *other)
{
    uint32_t statements = statements_at(other), decisions = decisions_at(other);
    struct fact_statement *statement =
        (struct fact_statement *)j->statements.items + j->statements.count - statements;
    struct fact_decision *decision =
        (struct fact_decision *)j->decisions.items + j->decisions.count - decisions;
    for (uint32_t i = 0; i < statements; i++)
        if (!unite_reasons(&statement[i].reason,
                           other->module->statements[other->statement + i].reason, j->arena,
                           j->err))
            return false;
    for (uint32_t i = 0; i < decisions; i++)
        if (!unite_reasons(&decision[i].reason,
                           other->module->decisions[other->decision + i].reason, j->arena, j->err))
            return false;
    return true;
}

/* Of the method with that token, which at least one of the two has. */
static bool join_token(struct joined *j, struct joining *a, struct joining *b, uint32_t token)
{
    bool has_a = token_at(&a->at) == token, has_b = token_at(&b->at) == token;
    int order = has_a && has_b ? order_knowledge(&a->at, &b->at) : has_a ? 1 : -1;
    if (!join_method(j, order >= 0 ? a : b) || (order == 0 && !join_reasons(j, &b->at)))
        return false;
    struct fact_method *method = (struct fact_method *)j->methods.items + j->methods.count - 1;
    if (has_a && !unite_states(method, &a->at.module->methods[a->at.method], j->arena, j->err))
        return false;
    if (has_b && !unite_states(method, &b->at.module->methods[b->at.method], j->arena, j->err))
        return false;
    if (has_a)
        next_method(&a->at);
    if (has_b)
        next_method(&b->at);
    return true;
}

static int order_tokens(const void *left, const void *right)
{
    const struct fact_method *a = left, *b = right;
    return number_order(a->token, b->token);
}

/* user_method is an index: what it is in the new list is found by token. */
static void number_users(struct joined *j)
{
    struct fact_method *methods = j->methods.items;
    const uint32_t *users = j->users.items;
    for (uint32_t i = 0; i < j->methods.count; i++) {
        const struct fact_method key = {.token = users[i]};
        const struct fact_method *user =
            bsearch(&key, methods, j->methods.count, sizeof key, order_tokens);
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
        token = token_at(&left.at) < token_at(&right.at) ? token_at(&left.at) : token_at(&right.at);
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

/* A process had to leave methods as they were, or had no symbols. Mostly `kept` knows all of it already, and no
 * list is to be made anew: memory must not grow with each file. */
static bool unite_unlike(struct fact_module *kept, const struct fact_module *other,
                         struct arena *arena, struct err *err)
{
    struct arena scratch;
    struct fact_module both;
    struct joined j = {.arena = &scratch, .err = err};
    arena_init(&scratch, NULL, 0, ARENA_NO_LIMIT);
    bool ok = unite_heads(kept, other, arena, err) && join(&both, kept, other, &j);
    if (ok && are_congruent(kept, &both)) {
        ok = unite_congruent(kept, &both, arena, err);
    } else if (ok) {
        ok = copy_module(&both, arena, err);
        *kept = both;
    }
    arena_free(&scratch);
    return ok;
}

/* --- modules and runs ------------------------------------------------------------------------- */

/* Of one that was not read, what is known of it: name, MVID and why it was skipped. */
static bool same_module(const struct fact_module *a, const struct fact_module *b)
{
    static const uint8_t unread[sizeof a->identity] = {0};
    if (memcmp(a->identity, b->identity, sizeof a->identity) != 0 || !str_eq(a->name, b->name))
        return false;
    return memcmp(a->identity, unread, sizeof unread) != 0 ||
           (a->state == b->state && str_eq(a->reason, b->reason) &&
            memcmp(a->mvid, b->mvid, sizeof a->mvid) == 0);
}

static uint32_t add_module(struct unite *unite, const struct fact_module *module, struct err *err)
{
    struct fact_module *known = unite->modules.items;
    for (uint32_t i = 0; i < unite->modules.count; i++) {
        if (!same_module(&known[i], module))
            continue;
        bool ok = are_congruent(&known[i], module)
                      ? unite_congruent(&known[i], module, unite->arena, err)
                      : unite_unlike(&known[i], module, unite->arena, err);
        return ok ? i : NO_INDEX;
    }
    struct fact_module *added = list_add(&unite->modules, sizeof *added, unite->arena, err);
    if (added == NULL)
        return NO_INDEX;
    *added = *module;
    return copy_module(added, unite->arena, err) ? unite->modules.count - 1 : NO_INDEX;
}

static int order_processes(const struct fact_process *a, const struct fact_process *b)
{
    int order = str_cmp(a->program, b->program);
    if (order == 0)
        order = str_cmp(a->runtime, b->runtime);
    return order != 0 ? order : str_cmp(a->verdict, b->verdict);
}

/* Those of run `index`; `facts` are in order. */
static uint32_t processes_of(const struct fact_process **first, const struct facts *facts,
                             uint32_t index)
{
    uint32_t start = 0, end = 0;
    while (start < facts->process_count && facts->processes[start].run < index)
        start++;
    for (end = start; end < facts->process_count && facts->processes[end].run == index;)
        end++;
    *first = facts->processes + start;
    return end - start;
}

static bool lists_more(const struct fact_process *processes, uint32_t count,
                       const struct united_run *run)
{
    int order = number_order(count, run->process_count);
    for (uint32_t i = 0; order == 0 && i < count; i++)
        order = order_processes(&run->processes[i], &processes[i]);
    return order > 0;
}

static bool take_processes(struct united_run *run, const struct fact_process *processes,
                           uint32_t count, struct arena *arena, struct err *err)
{
    if (run->processes != NULL && !lists_more(processes, count, run))
        return true;
    run->process_count = count;
    run->processes = copy_list(processes, count, sizeof *processes, arena, err);
    bool ok = run->processes != NULL;
    for (uint32_t i = 0; ok && i < count; i++)
        ok = copy_text(&run->processes[i].program, arena, err) &&
             copy_text(&run->processes[i].runtime, arena, err) &&
             copy_text(&run->processes[i].verdict, arena, err);
    return ok;
}

static struct united_run *find_run(struct unite *unite, const struct fact_run *run)
{
    struct united_run *known = unite->runs.items;
    for (uint32_t i = 0; i < unite->runs.count; i++)
        if (memcmp(known[i].run.id, run->id, sizeof run->id) == 0)
            return &known[i];
    return NULL;
}

/* What two files tell of one run is the same, but for the label of what was carried from a base that was squashed
 * meanwhile. */
static bool tells_less(const struct fact_run *a, const struct fact_run *b)
{
    int order = number_order(a->kind, b->kind);
    if (order == 0)
        order = (a->started > b->started) - (a->started < b->started);
    if (order == 0)
        order = str_cmp(a->label, b->label);
    if (order == 0)
        order = str_cmp(a->mode, b->mode);
    return order != 0 ? order < 0 : str_cmp(a->root, b->root) < 0;
}

static bool take_run(struct united_run *known, const struct fact_run *run, struct arena *arena,
                     struct err *err)
{
    known->run = *run;
    return copy_text(&known->run.mode, arena, err) && copy_text(&known->run.root, arena, err) &&
           copy_text(&known->run.label, arena, err) && copy_bytes(&known->run.folded, arena, err);
}

static uint32_t add_run(struct unite *unite, const struct facts *facts, uint32_t index,
                        struct err *err)
{
    const struct fact_run *run = &facts->runs[index];
    const struct fact_process *processes = NULL;
    uint32_t process_count = processes_of(&processes, facts, index);
    struct united_run *known = find_run(unite, run);
    bool is_new = known == NULL;
    if (is_new && (known = list_add(&unite->runs, sizeof *known, unite->arena, err)) == NULL)
        return NO_INDEX;
    if ((is_new || tells_less(run, &known->run)) && !take_run(known, run, unite->arena, err))
        return NO_INDEX;
    if (!take_processes(known, processes, process_count, unite->arena, err))
        return NO_INDEX;
    return (uint32_t)(known - (struct united_run *)unite->runs.items);
}

bool unite_add(struct unite *unite, struct unite_map *map, const struct facts *facts,
               struct err *err)
{
    map->run = arena_raw(unite->arena, facts->run_count, sizeof *map->run, err);
    map->module = arena_raw(unite->arena, facts->module_count, sizeof *map->module, err);
    if (map->run == NULL || map->module == NULL)
        return false;
    for (uint32_t i = 0; i < facts->run_count; i++)
        if ((map->run[i] = add_run(unite, facts, i, err)) == NO_INDEX)
            return false;
    for (uint32_t i = 0; i < facts->module_count; i++)
        if ((map->module[i] = add_module(unite, &facts->modules[i], err)) == NO_INDEX)
            return false;
    return true;
}

/* --- in order, with places for counts --------------------------------------------------------- */

static bool list_runs(struct facts *out, struct unite *unite, struct err *err)
{
    struct united_run *runs = unite->runs.items;
    for (uint32_t i = 0; i < unite->runs.count; i++)
        out->process_count += runs[i].process_count;
    out->run_count = unite->runs.count;
    out->runs = ARENA_NEW(unite->arena, struct fact_run, out->run_count, err);
    out->processes = ARENA_NEW(unite->arena, struct fact_process, out->process_count, err);
    if (out->runs == NULL || out->processes == NULL)
        return false;
    for (uint32_t i = 0, next = 0; i < unite->runs.count; i++) {
        out->runs[i] = runs[i].run;
        for (uint32_t p = 0; p < runs[i].process_count; p++) {
            out->processes[next] = runs[i].processes[p];
            out->processes[next++].run = i;
        }
    }
    return true;
}

/* Where each run and module went. */
static bool number_all(struct unite_map *final, const struct facts *facts, struct unite *unite,
                       struct err *err)
{
    const struct united_run *runs = unite->runs.items;
    const struct fact_module *modules = unite->modules.items;
    final->run = arena_raw(unite->arena, facts->run_count, sizeof *final->run, err);
    final->module = arena_raw(unite->arena, facts->module_count, sizeof *final->module, err);
    if (final->run == NULL || final->module == NULL)
        return false;
    for (uint32_t i = 0; i < facts->run_count; i++)
        for (uint32_t k = 0; k < facts->run_count; k++)
            if (memcmp(runs[i].run.id, facts->runs[k].id, sizeof facts->runs[k].id) == 0)
                final->run[i] = k;
    for (uint32_t i = 0; i < facts->module_count; i++)
        for (uint32_t k = 0; k < facts->module_count; k++)
            if (same_module(&modules[i], &facts->modules[k]))
                final->module[i] = k;
    return true;
}

/* Places that a file had in common have one each now. */
static bool check_room(const struct fact_module *module, struct err *err)
{
    uint64_t room = (uint64_t)module->method_count + module->statement_count;
    for (uint32_t i = 0; i < module->decision_count; i++)
        room += module->decisions[i].outcome_count;
    return room <= FACT_COUNTS_LIMIT ||
           err_set(err, ERR_LIMIT, "%.*s has %llu counts, and no more than %d are read",
                   STR_ARGS(module->name), (unsigned long long)room, FACT_COUNTS_LIMIT);
}

bool unite_finish(struct facts *out, struct unite_map *final, struct unite *unite, struct err *err)
{
    *out = (struct facts){.module_count = unite->modules.count};
    out->modules =
        copy_list(unite->modules.items, out->module_count, sizeof *out->modules, unite->arena, err);
    if (out->modules == NULL || !list_runs(out, unite, err) ||
        !facts_sort(out, unite->arena, err) || !number_all(final, out, unite, err))
        return false;
    for (uint32_t i = 0; i < out->module_count; i++) {
        if (!check_room(&out->modules[i], err))
            return false;
        facts_layout(&out->modules[i]);
    }
    return true;
}

/* --- from a file's places to the union's ------------------------------------------------------ */

static void take_from(uint32_t *sources, uint32_t to, uint32_t from, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        sources[to + i] = from + i;
}

static void source_statements(uint32_t *sources, const struct cursor *to, const struct cursor *from)
{
    uint32_t count = statements_at(to), room = statements_at(from);
    for (uint32_t i = 0, k = 0; i < count; i++) {
        const struct fact_statement *target = &to->module->statements[to->statement + i];
        const struct fact_statement *source = from->module->statements + from->statement;
        while (k < room && source[k].il_offset < target->il_offset)
            k++;
        if (k < room && source[k].il_offset == target->il_offset)
            take_from(sources, target->count, source[k++].count, 1);
    }
}

static void source_decisions(uint32_t *sources, const struct cursor *to, const struct cursor *from)
{
    uint32_t count = decisions_at(to), room = decisions_at(from);
    for (uint32_t i = 0, k = 0; i < count; i++) {
        const struct fact_decision *target = &to->module->decisions[to->decision + i];
        const struct fact_decision *source = from->module->decisions + from->decision;
        while (k < room && source[k].il_offset < target->il_offset)
            k++;
        if (k < room && source[k].il_offset == target->il_offset &&
            source[k].outcome_count == target->outcome_count) {
            take_from(sources, target->first_count, source[k].first_count, target->outcome_count);
            k++;
        }
    }
}

bool unite_sources(uint32_t **sources, const struct fact_module *to, const struct fact_module *from,
                   struct arena *arena, struct err *err)
{
    *sources = arena_raw(arena, to->count_len, sizeof **sources, err);
    if (*sources == NULL)
        return false;
    memset(*sources, 0xFF, to->count_len * sizeof **sources); /* NO_INDEX */
    struct cursor a = start_of(to), b = start_of(from);
    while (token_at(&a) != UINT32_MAX && token_at(&b) != UINT32_MAX) {
        if (token_at(&a) == token_at(&b)) {
            uint32_t entry_to = to->methods[a.method].entry_count;
            uint32_t entry_from = from->methods[b.method].entry_count;
            if (entry_to != NO_INDEX && entry_from != NO_INDEX)
                take_from(*sources, entry_to, entry_from, 1);
            source_statements(*sources, &a, &b);
            source_decisions(*sources, &a, &b);
            next_method(&a);
            next_method(&b);
        } else {
            next_method(token_at(&a) < token_at(&b) ? &a : &b);
        }
    }
    return true;
}

#include "coverage/merge/same_code.h"

#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"
#include "base/number.h"
#include "base/sort.h"
#include "coverage/facts/digest.h"
#include "coverage/merge/align.h"
#include "coverage/names/method_hash.h"

struct code_listing {
    const struct fact_module *module;
    struct code_member *members; /* of all methods */
    struct digest digest;
    struct arena *arena;
    struct err *err;
};

ORDER(order_code_names, struct code_method, BY(type) BY(name) BY(signature))

int same_code_order(const struct code_method *a, const struct code_method *b)
{
    return order_code_names(a, b);
}

ORDER(order_code_methods, struct code_method, BY_ORDER(order_code_names(a, b)) BY(method))

static int order_code_members(const void *left, const void *right, void *context)
{
    const struct code_listing *w = context;
    const struct code_member *a = left, *b = right;
    uint32_t user_a = w->module->methods[a->method].user_method;
    uint32_t user_b = w->module->methods[b->method].user_method;
    int order = number_order(user_a, user_b);
    if (order == 0)
        order = (b->method == user_b) - (a->method == user_a);
    if (order == 0)
        order = str_cmp(a->type, b->type);
    if (order == 0)
        order = str_cmp(a->name, b->name);
    return order != 0 ? order : number_order(a->method, b->method);
}

/* A closure's own name: the enclosing type may have been renamed. */
static struct str innermost_name(struct str type)
{
    size_t start = type.len;
    while (start > 0 && type.text[start - 1] != '/')
        start--;
    return (struct str){type.text + start, type.len - start};
}

static bool list_members(uint32_t *count, struct code_listing *w)
{
    const struct fact_module *m = w->module;
    w->members = ARENA_NEW(w->arena, struct code_member, m->method_count, w->err);
    if (w->members == NULL)
        return false;
    for (uint32_t i = 0; i < m->method_count; i++) {
        struct fact_extent extent = facts_extent(m, i);
        struct code_member member = {.method = i,
                                     .first_statement = extent.first_statement,
                                     .statement_count =
                                         extent.end_statement - extent.first_statement,
                                     .first_decision = extent.first_decision,
                                     .decision_count = extent.end_decision - extent.first_decision};
        if (member.statement_count == 0 && m->methods[i].user_method != i)
            continue;
        if (!compiler_name_strip(&member.type, innermost_name(m->methods[i].type), w->arena,
                                 w->err) ||
            !compiler_name_strip(&member.name, m->methods[i].name, w->arena, w->err))
            return false;
        w->members[(*count)++] = member;
    }
    qsort_r(w->members, *count, sizeof *w->members, order_code_members, w);
    return true;
}

static void hash_members(struct code_method *method, struct code_listing *w)
{
    static const uint8_t unknown[FACT_BODY_LEN] = {0};
    uint8_t digest[DIGEST_LEN];
    bool is_known = true;
    for (uint32_t i = 0; i < method->member_count; i++) {
        const struct code_member *member = &method->members[i];
        const struct fact_method *of = &w->module->methods[member->method];
        is_known = is_known && memcmp(of->body, unknown, sizeof unknown) != 0;
        if (i != 0)
            digest_text(&w->digest, member->name);
        digest_bytes(&w->digest, of->body, sizeof of->body);
        method->statement_count += member->statement_count;
        method->instruction_count += (uint32_t)of->instructions.len;
    }
    digest_take(digest, &w->digest);
    if (is_known)
        memcpy(method->hash, digest, sizeof method->hash);
}

static bool list_code_methods(struct code *out, uint32_t member_count, struct code_listing *w)
{
    const struct fact_method *methods = w->module->methods;
    out->methods = ARENA_NEW(w->arena, struct code_method, member_count, w->err);
    if (out->methods == NULL)
        return false;
    for (uint32_t i = 0, end = 0; i < member_count; i = end) {
        struct code_method *method = &out->methods[out->count++];
        uint32_t user = methods[w->members[i].method].user_method;
        while (end < member_count && methods[w->members[end].method].user_method == user)
            end++;
        *method = (struct code_method){.method = user,
                                       .signature = methods[user].signature,
                                       .members = w->members + i,
                                       .member_count = end - i};
        if (!compiler_name_strip(&method->type, methods[user].type, w->arena, w->err) ||
            !compiler_name_strip(&method->name, methods[user].name, w->arena, w->err) ||
            !compiler_name_strip(&method->signature, methods[user].signature, w->arena, w->err))
            return false;
        hash_members(method, w);
    }
    qsort(out->methods, out->count, sizeof *out->methods, order_code_methods);
    return true;
}

static bool find_instructions(struct code *out, struct arena *arena, struct err *err)
{
    const struct fact_module *m = out->module;
    bool ok = true;
    out->statement_at = ARENA_NEW(arena, uint32_t, m->statement_count, err);
    out->decision_at = ARENA_NEW(arena, uint32_t, m->decision_count, err);
    if (out->statement_at == NULL || out->decision_at == NULL)
        return false;
    struct arena scratch = ARENA_EMPTY;
    for (uint32_t i = 0; ok && i < m->method_count; i++) {
        struct fact_extent extent = facts_extent(m, i);
        struct aligned_body body;
        arena_reset(&scratch);
        ok = align_read(&body, m->methods[i].instructions, &scratch, err);
        for (uint32_t k = extent.first_statement; ok && k < extent.end_statement; k++)
            out->statement_at[k] = align_at(&body, m->statements[k].il_offset);
        for (uint32_t k = extent.first_decision; ok && k < extent.end_decision; k++)
            out->decision_at[k] = align_at(&body, m->decisions[k].il_offset);
    }
    arena_free(&scratch);
    return ok;
}

bool same_code_list(struct code *out, const struct fact_module *module, struct arena *arena,
                    struct err *err)
{
    struct code_listing w = {.module = module, .arena = arena, .err = err};
    uint32_t member_count = 0;
    *out = (struct code){.module = module};
    if (!digest_open(&w.digest, err))
        return false;
    bool ok = list_members(&member_count, &w) && list_code_methods(out, member_count, &w) &&
              find_instructions(out, arena, err);
    digest_close(&w.digest);
    return ok;
}

bool same_code_members(const struct code *a, const struct code_member *left, const struct code *b,
                       const struct code_member *right)
{
    bool same = left->statement_count == right->statement_count &&
                left->decision_count == right->decision_count;
    for (uint32_t i = 0; same && i < left->statement_count; i++)
        same = a->statement_at[left->first_statement + i] ==
               b->statement_at[right->first_statement + i];
    for (uint32_t i = 0; same && i < left->decision_count; i++) {
        uint32_t x = left->first_decision + i, y = right->first_decision + i;
        same = a->decision_at[x] == b->decision_at[y] &&
               a->module->decisions[x].outcome_count == b->module->decisions[y].outcome_count;
    }
    return same;
}

uint64_t same_code_places(const struct code *code, const struct code_method *method)
{
    uint64_t hash = FNV_START;
    for (uint32_t i = 0; i < method->member_count; i++) {
        const struct code_member *member = &method->members[i];
        hash = fnv_word(hash, (uint64_t)member->statement_count << 32 | member->decision_count);
        for (uint32_t k = 0; k < member->statement_count; k++)
            hash = fnv_word(hash, code->statement_at[member->first_statement + k]);
        for (uint32_t k = 0; k < member->decision_count; k++) {
            uint32_t decision = member->first_decision + k;
            hash = fnv_word(hash, code->decision_at[decision]);
            hash = fnv_word(hash, code->module->decisions[decision].outcome_count);
        }
    }
    return hash;
}

bool same_code_text(const struct code_method *left, const struct code_method *right)
{
    static const uint8_t unknown[FACT_BODY_LEN] = {0};
    return memcmp(left->hash, unknown, sizeof unknown) != 0 &&
           memcmp(left->hash, right->hash, sizeof left->hash) == 0 &&
           left->member_count == right->member_count;
}

bool same_code(const struct code *a, const struct code_method *left, const struct code *b,
               const struct code_method *right)
{
    bool same = same_code_text(left, right);
    for (uint32_t i = 0; same && i < left->member_count; i++)
        same = same_code_members(a, &left->members[i], b, &right->members[i]);
    return same;
}

void same_code_counts(const struct code *a, const struct code_member *left, const struct code *b,
                      const struct code_member *right, code_take_counts *take, void *context)
{
    const struct fact_module *of_a = a->module, *of_b = b->module;
    uint32_t entry_of_a = of_a->methods[left->method].entry_count;
    uint32_t entry_of_b = of_b->methods[right->method].entry_count;
    if (entry_of_a != NO_INDEX && entry_of_b != NO_INDEX)
        take(context, entry_of_a, entry_of_b, 1);
    for (uint32_t i = 0; i < left->statement_count; i++)
        take(context, of_a->statements[left->first_statement + i].count,
             of_b->statements[right->first_statement + i].count, 1);
    for (uint32_t i = 0; i < left->decision_count; i++)
        take(context, of_a->decisions[left->first_decision + i].first_count,
             of_b->decisions[right->first_decision + i].first_count,
             of_a->decisions[left->first_decision + i].outcome_count);
}

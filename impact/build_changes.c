#include "impact/build_changes.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/sort.h"

enum {
    TEXT_ROOM = 2048,
};

bool build_changes_open(struct build_changes *c, const struct facts *base, struct arena *arena,
                        struct err *err)
{
    *c = (struct build_changes){.arena = arena, .err = err};
    c->of_count = ARENA_NEW(arena, uint32_t *, base->module_count, err);
    c->is_test_code = ARENA_NEW(arena, bool, base->module_count, err);
    if (c->of_count == NULL || c->is_test_code == NULL ||
        !facts_with_test_code(&c->base, base, arena, err))
        return false;
    for (uint32_t i = 0; i < base->module_count; i++) {
        c->is_test_code[i] = facts_has_test_code(&base->modules[i]);
        c->of_count[i] = ARENA_NEW(arena, uint32_t, base->modules[i].count_len, err);
        if (c->of_count[i] == NULL)
            return false;
    }
    return true;
}

/* --- notes ------------------------------------------------------------------------------------ */

PRINTF_LIKE(3, 0)
static bool make_phrase(struct str *out, const struct build_changes *c, const char *format,
                        va_list args)
{
    char text[TEXT_ROOM];
    (void)vsnprintf(text, sizeof text, format, args);
    return str_copy(out, str_of(text), c->arena, c->err);
}

uint32_t build_changes_add(struct build_changes *c, const char *format, ...)
{
    va_list args;
    struct build_change *added = list_add(&c->list, sizeof *added, c->arena, c->err);
    va_start(args, format);
    bool ok = added != NULL && make_phrase(&added->text, c, format, args);
    va_end(args);
    return ok ? c->list.count - 1 : NO_INDEX;
}

bool build_changes_add_all(struct build_changes *c, const char *format, ...)
{
    va_list args;
    struct str why;
    va_start(args, format);
    bool ok = make_phrase(&why, c, format, args);
    va_end(args);
    const struct str *known = c->all.items;
    for (uint32_t i = 0; ok && i < c->all.count; i++)
        if (str_eq(known[i], why))
            return true;
    return ok && list_put(&c->all, &why, sizeof why, c->arena, c->err);
}

bool build_changes_add_class(struct build_changes *c, struct str name, uint32_t change)
{
    const struct build_change *list = c->list.items;
    return change != NO_INDEX &&
           list_put(&c->classes, &(struct changed_class){name, list[change].text},
                    sizeof(struct changed_class), c->arena, c->err);
}

struct changed_type *changed_types_add(struct list *types, struct str name, uint32_t change,
                                       struct arena *arena, struct err *err)
{
    struct changed_type *known = types->items;
    for (uint32_t i = 0; i < types->count; i++)
        if (str_eq(known[i].name, name))
            return &known[i];
    struct changed_type *added = list_add(types, sizeof *added, arena, err);
    if (added != NULL)
        *added = (struct changed_type){.name = name, .change = change};
    return added;
}

bool build_changes_add_type(struct build_changes *c, struct str name, uint32_t change)
{
    return change != NO_INDEX &&
           changed_types_add(&c->types, name, change, c->arena, c->err) != NULL;
}

bool build_changes_add_seen_type(struct build_changes *c, struct str name, uint32_t change)
{
    if (change != NO_INDEX)
        ((struct build_change *)c->list.items)[change].type = name;
    return build_changes_add_type(c, name, change);
}

bool build_changes_add_declaration(struct build_changes *c, struct str name, uint32_t change)
{
    if (!build_changes_add_seen_type(c, name, change))
        return false;
    struct changed_type *type = changed_types_add(&c->types, name, change, c->arena, c->err);
    if (type != NULL && type->shape == 0)
        type->shape = change + 1;
    return type != NULL;
}

/* --- marks ------------------------------------------------------------------------------------ */

/* The first change counts. But what other code sees of a type does not reach that type's static
 * constructor, and another change may. */
static void mark_count(struct build_changes *c, uint32_t module, uint32_t count, uint32_t change,
                       struct str own_type)
{
    if (count >= c->base.modules[module].count_len)
        return;
    uint32_t *first = &c->of_count[module][count];
    const struct build_change *list = c->list.items;
    if (*first == 0 || (own_type.len != 0 && str_eq(list[*first - 1].type, own_type)))
        *first = change + 1;
}

static void mark_member(struct build_changes *c, uint32_t module, uint32_t member, uint32_t change)
{
    const struct fact_module *of = &c->base.modules[module];
    const struct fact_method *method = &of->methods[member];
    struct str own_type = of->methods[method->user_method].type;
    mark_count(c, module, method->entry_count, change, own_type);
    for (uint32_t i = facts_first_statement(of, member),
                  end = facts_first_statement(of, member + 1);
         i < end; i++)
        mark_count(c, module, of->statements[i].count, change, own_type);
    for (uint32_t i = facts_first_decision(of, member), end = facts_first_decision(of, member + 1);
         i < end; i++)
        for (uint32_t n = 0; n < of->decisions[i].outcome_count; n++)
            mark_count(c, module, of->decisions[i].first_count + n, change, own_type);
}

ORDER(order_same_code, struct code_method, BY_ORDER(same_code_order(a, b)))

void build_changes_mark(struct build_changes *c, uint32_t module, uint32_t code_method,
                        uint32_t change)
{
    const struct code_method *method = &c->pairing.base[module].methods[code_method];
    for (uint32_t m = 0; m < c->base.module_count; m++) {
        const struct code *code = &c->pairing.base[m];
        if (!str_eq(c->base.modules[m].name, c->base.modules[module].name) || code->count == 0)
            continue;
        const struct code_method *same =
            m == module
                ? method
                : sorted_find(method, code->methods, code->count, sizeof *method, order_same_code);
        for (uint32_t i = 0; same != NULL && i < same->member_count; i++)
            mark_member(c, m, same->members[i].method, change);
    }
}

void build_changes_mark_pair(struct build_changes *c, uint32_t head_module, uint32_t code_method,
                             uint32_t change)
{
    const struct pair *pair = &c->pairing.pairs[head_module][code_method];
    if (pair->module != NO_INDEX)
        build_changes_mark(c, pair->module, pair->method, change);
}

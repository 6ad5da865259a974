#include "impact/build_changes.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/sort.h"

enum {
    TEXT_ROOM = 2048,
};

bool build_changes_open(struct build_changes *c, const struct facts *base,
                        const struct new_build *build, struct arena *arena, struct err *err)
{
    *c = (struct build_changes){.build = build, .arena = arena, .err = err};
    c->marks_of = ARENA_NEW(arena, uint32_t *, base->module_count, err);
    c->is_test_code = ARENA_NEW(arena, bool, base->module_count, err);
    if (c->marks_of == NULL || c->is_test_code == NULL ||
        !facts_with_test_code(&c->base, base, arena, err) ||
        !pairing_make(&c->pairing, &build->facts, &c->base, arena, err))
        return false;
    for (uint32_t i = 0; i < base->module_count; i++) {
        c->is_test_code[i] = facts_has_test_code(&base->modules[i]);
        c->marks_of[i] = ARENA_NEW(arena, uint32_t, c->pairing.base[i].count, err);
        if (c->marks_of[i] == NULL)
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

bool build_changes_add_class(struct build_changes *c, struct str name, uint32_t change,
                             bool may_be_none)
{
    return change != NO_INDEX &&
           list_put(&c->classes, &(struct changed_class){name, change, may_be_none},
                    sizeof(struct changed_class), c->arena, c->err);
}

bool build_changes_add_type(struct build_changes *c, struct str name, uint32_t change)
{
    const struct changed_type *known = c->types.items;
    for (uint32_t i = 0; i < c->types.count; i++)
        if (known[i].change == change && str_eq(known[i].name, name))
            return true;
    return change != NO_INDEX && list_put(&c->types, &(struct changed_type){name, change},
                                          sizeof *known, c->arena, c->err);
}

bool build_changes_add_seen_type(struct build_changes *c, struct str name, uint32_t change)
{
    if (change != NO_INDEX)
        ((struct build_change *)c->list.items)[change].type = name;
    return build_changes_add_type(c, name, change);
}

static bool add_looked_at(struct build_changes *c, enum look by, uint32_t change)
{
    return change != NO_INDEX && list_put(&c->looked_at, &(struct looked_at){change, (uint8_t)by},
                                          sizeof(struct looked_at), c->arena, c->err);
}

bool build_changes_add_metadata(struct build_changes *c, struct str type, struct str name,
                                const char *what)
{
    const struct looked_at *known = c->looked_at.items;
    bool is_known = str_starts(type, "<") || str_starts(type, "VB$Anonymous");
    for (uint32_t i = 0; i < c->looked_at.count; i++)
        is_known |= known[i].by == LOOKS_AT_METADATA;
    return is_known ||
           add_looked_at(c, LOOKS_AT_METADATA,
                         build_changes_add(c, "%.*s %s, and code that looks at metadata may notice",
                                           STR_ARGS(name), what));
}

bool build_changes_add_file(struct build_changes *c, struct str path, const char *what)
{
    return add_looked_at(c, LOOKS_AT_FILES,
                         build_changes_add(c, "%.*s %s, and code that reads files may notice",
                                           STR_ARGS(path), what));
}

/* --- marks ------------------------------------------------------------------------------------ */

ORDER(order_same_code, struct code_method, BY_ORDER(same_code_order(a, b)))

bool build_changes_lack_record(const struct build_changes *c, uint32_t module, uint32_t code_method)
{
    const struct fact_module *of = &c->base.modules[module];
    const struct code_method *method = &c->pairing.base[module].methods[code_method];
    bool lacks = false;
    for (uint32_t i = 0; i < method->member_count; i++)
        lacks |= of->methods[method->members[i].method].state == METHOD_DECLINED;
    return lacks && of->state != MODULE_NOT_LOADED;
}

bool build_changes_mark(struct build_changes *c, uint32_t module, uint32_t code_method,
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
        if (same == NULL)
            continue;
        uint32_t *last = &c->marks_of[m][same - code->methods];
        if (!list_put(&c->marks, &(struct change_mark){change, *last}, sizeof(struct change_mark),
                      c->arena, c->err))
            return false;
        *last = c->marks.count;
    }
    return change != NO_INDEX;
}

bool build_changes_mark_pair(struct build_changes *c, uint32_t head_module, uint32_t code_method,
                             uint32_t change)
{
    const struct pair *pair = &c->pairing.pairs[head_module][code_method];
    if (pair->module == NO_INDEX || change == NO_INDEX)
        return change != NO_INDEX;
    if (!build_changes_lack_record(c, pair->module, pair->method))
        return build_changes_mark(c, pair->module, pair->method, change);
    const struct code_method *method = &c->pairing.base[pair->module].methods[pair->method];
    return build_changes_add_all(
        c, "%.*s; %.*s.%.*s was not measured",
        STR_ARGS(((const struct build_change *)c->list.items)[change].text), STR_ARGS(method->type),
        STR_ARGS(method->name));
}

#include "impact/type_changes.h"

#include <string.h>

#include "base/sort.h"
#include "coverage/names/compiler_name.h"
#include "coverage/names/declaration.h"
#include "impact/references.h"
#include "metadata/lookup.h"
#include "metadata/names.h"
#include "metadata/sig.h"
#include "scope/scope.h"
#include "scope/test_methods.h"

enum {
    FIELD_STATIC = 0x10,
};

/* --- declarations ----------------------------------------------------------------------------- */

ORDER(order_types_by_name, struct fact_type, BY(name))

const struct fact_type *declared_type(const struct fact_module *module, struct str name)
{
    const struct fact_type key = {.name = name};
    uint32_t named = module->type_count != 0 ? module->type_count - 1 : 0;
    return name.len == 0 ? module->types + named
                         : sorted_find(&key, module->types, named, sizeof key, order_types_by_name);
}

/* --- new types -------------------------------------------------------------------------------- */

/* Is it of a test framework, or has an interface or attribute of one? */
static bool is_for_framework(const void *context, const struct metadata *md, uint32_t token)
{
    const struct tables *t = &md->tables;
    if (TOKEN_TABLE(token) != TABLE_TypeDef)
        return lookers_know_framework(context, md, token);
    for (uint32_t rid = 1; rid <= tables_rows(t, TABLE_InterfaceImpl); rid++)
        if (tables_get(t, COL_InterfaceImpl_Class, rid) == TOKEN_RID(token) &&
            lookers_know_framework(
                context, md,
                row_token(md, CODED_TYPE_DEF_OR_REF, COL_InterfaceImpl_Interface, rid)))
            return true;
    for (uint32_t rid = 1; rid <= tables_rows(t, TABLE_CustomAttribute); rid++)
        if (row_token(md, CODED_HAS_CUSTOM_ATTRIBUTE, COL_CustomAttribute_Parent, rid) == token &&
            lookers_know_framework(context, md, type_of_attribute(md, rid)))
            return true;
    return false;
}

/* Code that stays the same may name another type than before: one of another assembly that has, or
 * had, the same name. */
static bool note_type(struct build_changes *c, struct str name, const char *what)
{
    return build_changes_add_metadata(c, name, name, what) &&
           build_changes_add_type(c, name, build_changes_add(c, "%.*s %s", STR_ARGS(name), what));
}

/* Does a framework look for the type, though it runs no code of it? New tests are known, and what
 * runs around them. */
static bool may_be_looked_for(const struct build_changes *c, uint32_t head_module, uint32_t type)
{
    const struct metadata *md = &c->build->modules[head_module].md;
    return !test_methods_declare(c->build->parts[head_module], md, type) &&
           new_build_has_base(c->build, head_module, TOKEN(TABLE_TypeDef, type), is_for_framework,
                              NULL);
}

/* Also those that are declared differently, such as the definition of a collection of tests. */
static bool check_new_types(struct build_changes *c, uint32_t head_module,
                            const struct fact_module *was)
{
    const struct metadata *md = &c->build->modules[head_module].md;
    for (uint32_t type = 1; type <= tables_rows(&md->tables, TABLE_TypeDef); type++) {
        struct str name;
        if (compiler_type_user(md, type) != type || compiler_type_is(md, type))
            continue;
        if (!method_hash_token(&name, &c->build->hashers[head_module], TOKEN(TABLE_TypeDef, type),
                               c->err))
            return false;
        const struct fact_type *before = declared_type(was, name),
                               *now = declared_type(&c->build->facts.modules[head_module], name);
        if ((before != NULL && (now == NULL || before->declaration == now->declaration)) ||
            str_starts(name, "<") || str_starts(name, "VB$Anonymous"))
            continue;
        if (before == NULL && !note_type(c, name, "is new"))
            return false;
        if (may_be_looked_for(c, head_module, type) &&
            !build_changes_add_all(c, "%.*s %s, and a test framework may look for it",
                                   STR_ARGS(name),
                                   before == NULL ? "is new" : "is declared differently"))
            return false;
    }
    return true;
}

static bool note_changed_type(struct build_changes *c, struct str module, struct str name)
{
    if (name.len == 0)
        return build_changes_add_all(c, "data or attributes of %.*s changed", STR_ARGS(module));
    if (str_is(name, DECLARATION_RESOURCES))
        return build_changes_add_file(c, module, "has other resources");
    if (str_is(name, DECLARATION_METADATA))
        return build_changes_add_metadata(
            c, module, module, "has other constants, nullability or metadata of its own");
    return build_changes_add_metadata(c, name, name, "is declared differently") &&
           build_changes_add_seen_type(
               c, name, build_changes_add(c, "the declaration of %.*s changed", STR_ARGS(name)));
}

/* Did a framework look for the type as it was? */
static bool note_lost_type(struct build_changes *c, const struct fact_type *before,
                           uint32_t foreign_count, const char *what)
{
    return before->foreign_count <= foreign_count ||
           build_changes_add_all(c, "%.*s %s, and a test framework may look for it",
                                 STR_ARGS(before->name), what);
}

static bool compare_types(struct build_changes *c, uint32_t head_module)
{
    const struct fact_module *now = &c->build->facts.modules[head_module];
    uint32_t base = c->pairing.base_of[head_module];
    if (base == NO_INDEX)
        return true;
    const struct fact_module *module = &c->base.modules[base];
    if (module->type_count == 0)
        return build_changes_add_all(c,
                                     "the data does not say what %.*s declares: it was recorded "
                                     "without --per-test",
                                     STR_ARGS(now->name));
    for (uint32_t i = 0; i < now->type_count; i++) {
        struct str name = now->types[i].name;
        const struct fact_type *before = declared_type(module, name);
        if (before == NULL || before->declaration == now->types[i].declaration)
            continue;
        if (!note_changed_type(c, now->name, name) ||
            !note_lost_type(c, before, now->types[i].foreign_count, "is declared differently"))
            return false;
    }
    for (uint32_t i = 0; i < module->type_count; i++)
        if (declared_type(now, module->types[i].name) == NULL &&
            (!note_type(c, module->types[i].name, "is gone") ||
             !note_lost_type(c, &module->types[i], 0, "is gone")))
            return false;
    return check_new_types(c, head_module, module);
}

bool type_changes_find(struct build_changes *c)
{
    for (uint32_t i = 0; i < c->build->facts.module_count; i++)
        if (!compare_types(c, i))
            return false;
    return true;
}

/* --- from one type to the next ---------------------------------------------------------------- */

/* Type `type` of the module leads to those that were found, whose changes it shares. */
static bool add_leading(struct build_changes *c, struct references *references, uint32_t type)
{
    struct str name;
    const uint32_t *found = references->found.items;
    if (references->found.count == 0)
        return true;
    if (!method_hash_token(&name, references->hasher, TOKEN(TABLE_TypeDef, type), c->err))
        return false;
    for (uint32_t i = 0; i < references->found.count; i++)
        if (!build_changes_add_type(c, name,
                                    ((const struct changed_type *)c->types.items)[found[i]].change))
            return false;
    return true;
}

static bool add_derived(struct build_changes *c, struct references *references)
{
    const struct metadata *md = references->hasher->md;
    const struct tables *t = &md->tables;
    for (uint32_t type = 1; type <= tables_rows(t, TABLE_TypeDef); type++)
        if (!references_of_token(references,
                                 row_token(md, CODED_TYPE_DEF_OR_REF, COL_TypeDef_Extends, type),
                                 c->err) ||
            !add_leading(c, references, type))
            return false;
    for (uint32_t rid = 1; rid <= tables_rows(t, TABLE_InterfaceImpl); rid++)
        if (!references_of_token(
                references, row_token(md, CODED_TYPE_DEF_OR_REF, COL_InterfaceImpl_Interface, rid),
                c->err) ||
            !add_leading(c, references, tables_get(t, COL_InterfaceImpl_Class, rid)))
            return false;
    return true;
}

/* Is it a struct, an enum, or an instantiation of one? */
static bool is_value_field(struct view type)
{
    enum element_type first = sig_first_element(type);
    return first == ELEMENT_VALUETYPE ||
           (first == ELEMENT_GENERICINST && (type.data[0] != ELEMENT_GENERICINST || type.len < 2 ||
                                             type.data[1] == ELEMENT_VALUETYPE));
}

/* A value is made with what contains it, and no code need name its type. */
static bool add_containing(struct build_changes *c, struct references *references)
{
    const struct metadata *md = references->hasher->md;
    for (uint32_t rid = 1; rid <= tables_rows(&md->tables, TABLE_Field); rid++) {
        struct view signature = sig_of_field(md, TOKEN(TABLE_Field, rid));
        struct reader r = rd_view(signature);
        if ((tables_get(&md->tables, COL_Field_Flags, rid) & FIELD_STATIC) == 0 &&
            is_value_field(signature) &&
            (!references_of_type(references, &r, c->err) ||
             !add_leading(c, references, owner_of_field(md, rid))))
            return false;
    }
    return true;
}

/* --- who names them, and who looks ------------------------------------------------------------ */

static bool open_references(struct references *out, const struct build_changes *c,
                            const struct lookers *lookers, uint32_t head_module)
{
    const struct changed_type *items = c->types.items;
    struct str *names = ARENA_NEW(c->arena, struct str, c->types.count, c->err);
    for (uint32_t i = 0; names != NULL && i < c->types.count; i++)
        names[i] = items[i].name;
    return names != NULL && references_open(out, &c->build->hashers[head_module], lookers, names,
                                            c->types.count, c->arena, c->err);
}

static bool grow_changed_types(struct build_changes *c, const struct lookers *lookers)
{
    uint32_t before;
    do {
        before = c->types.count;
        for (uint32_t i = 0; before != 0 && i < c->build->facts.module_count; i++) {
            struct references references;
            if (!open_references(&references, c, lookers, i) || !add_derived(c, &references) ||
                !add_containing(c, &references))
                return false;
        }
    } while (c->types.count != before);
    return true;
}

/* By method of a module, where it is a user's: its index in the code. */
static uint32_t *number_code(const struct code *code, struct arena *arena, struct err *err)
{
    uint32_t *of_user = ARENA_NEW(arena, uint32_t, code->module->method_count, err);
    for (uint32_t i = 0; of_user != NULL && i < code->count; i++)
        of_user[code->methods[i].method] = i;
    return of_user;
}

static bool mark_found(struct build_changes *c, uint32_t head_module, uint32_t code_method,
                       const struct references *references)
{
    const uint32_t *found = references->found.items;
    const struct changed_type *types = c->types.items;
    const struct looked_at *looked_at = c->looked_at.items;
    for (uint32_t i = 0; i < references->found.count; i++)
        if (!build_changes_mark_pair(c, head_module, code_method, types[found[i]].change))
            return false;
    for (uint32_t i = 0; i < c->looked_at.count; i++)
        if ((looked_at[i].by & references->looks) != 0 &&
            !build_changes_mark_pair(c, head_module, code_method, looked_at[i].change))
            return false;
    return true;
}

/* What TUnit's generator makes to register tests is the framework's own. */
static bool is_registration(const struct fact_method *method)
{
    return str_starts(method->type, "TUnit.Generated.");
}

static bool mark_in(struct build_changes *c, uint32_t head_module, struct references *references,
                    struct arena *scratch)
{
    const struct code *code = &c->pairing.head[head_module];
    uint32_t *of_user = number_code(code, c->arena, c->err);
    for (uint32_t i = 0; of_user != NULL && i < code->module->method_count; i++) {
        const struct fact_method *method = &code->module->methods[i];
        arena_reset(scratch);
        if (!references_of_method(references, TOKEN_RID(method->token), scratch, c->err))
            return false;
        if (is_registration(method))
            references->looks = 0;
        if (!mark_found(c, head_module, of_user[method->user_method], references))
            return false;
    }
    return of_user != NULL;
}

/* The tests of a class that a package may run depend on all that it may look at (lookers.h). */
static bool mark_class(struct build_changes *c, uint32_t head_module, uint32_t type)
{
    const struct looked_at *looked_at = c->looked_at.items;
    struct str class;
    if (!name_full(&class, &c->build->modules[head_module].md, type, c->arena, c->err))
        return false;
    for (uint32_t i = 0; i < c->looked_at.count; i++)
        if (!build_changes_add_class(c, class, looked_at[i].change, true))
            return false;
    return true;
}

static bool mark_classes(struct build_changes *c, const struct lookers *lookers,
                         uint32_t head_module)
{
    const struct module *module = &c->build->modules[head_module];
    uint32_t types = tables_rows(&module->md.tables, TABLE_TypeDef);
    bool *looks = ARENA_NEW(c->arena, bool, (size_t)types + 1, c->err);
    if (looks == NULL || c->looked_at.count == 0 || !scope_has_tests(module))
        return looks != NULL;
    lookers_find_marked(looks, lookers, head_module);
    const struct build_change *list = c->list.items;
    for (uint32_t type = 1; type <= types; type++)
        if (looks[type] && !mark_class(c, head_module, type))
            return false;
    return !looks[0] || build_changes_add_all(
                            c, "%.*s; an attribute of %.*s is for all tests",
                            STR_ARGS(list[((struct looked_at *)c->looked_at.items)->change].text),
                            STR_ARGS(c->build->facts.modules[head_module].name));
}

bool type_changes_mark(struct build_changes *c)
{
    struct lookers lookers;
    if (c->types.count == 0 && c->looked_at.count == 0)
        return true;
    if (!lookers_open(&lookers, c->build, c->arena, c->err) || !grow_changed_types(c, &lookers))
        return false;
    struct arena scratch = ARENA_EMPTY;
    bool ok = true;
    for (uint32_t i = 0; ok && i < c->build->facts.module_count; i++) {
        struct references references;
        ok = open_references(&references, c, &lookers, i) && mark_in(c, i, &references, &scratch) &&
             mark_classes(c, &lookers, i);
    }
    arena_free(&scratch);
    return ok;
}

#include "impact/type_changes.h"

#include <string.h>

#include "base/sort.h"
#include "coverage/names/compiler_name.h"
#include "coverage/names/declaration.h"
#include "coverage/names/references.h"
#include "impact/package_uses.h"
#include "impact/reflection_uses.h"
#include "impact/type_paths.h"
#include "metadata/lookup.h"
#include "scope/test_methods.h"

enum {
    BASES_MAX = 32, /* a chain that is longer is a circle */
};

/* --- declarations ----------------------------------------------------------------------------- */

ORDER(order_types_by_name, struct fact_type, BY(name))

static const struct fact_type *find_declared(const struct fact_type *types, uint32_t count,
                                             struct str name)
{
    const struct fact_type key = {.name = name};
    return sorted_find(&key, types, count, sizeof *types, order_types_by_name);
}

/* The types of a module of BASE, by name. */
static struct fact_type *sort_types(const struct fact_module *module, struct arena *arena,
                                    struct err *err)
{
    struct fact_type *sorted =
        arena_copy(arena, module->types, module->type_count, sizeof *sorted, err);
    if (sorted != NULL)
        sort_unless_sorted(sorted, module->type_count, sizeof *sorted, order_types_by_name);
    return sorted;
}

/* --- new types -------------------------------------------------------------------------------- */

/* Has the type, row `type`, itself an interface or attribute of a package? */
static bool is_marked(const struct build_changes *c, const struct metadata *md, uint32_t type)
{
    const struct tables *t = &md->tables;
    for (uint32_t rid = 1; rid <= tables_rows(t, TABLE_InterfaceImpl); rid++)
        if (tables_get(t, COL_InterfaceImpl_Class, rid) == type &&
            packages_own(c, md,
                         tables_token(t, CODED_TYPE_DEF_OR_REF, COL_InterfaceImpl_Interface, rid)))
            return true;
    for (uint32_t rid = 1; rid <= tables_rows(t, TABLE_CustomAttribute); rid++)
        if (tables_token(t, CODED_HAS_CUSTOM_ATTRIBUTE, COL_CustomAttribute_Parent, rid) ==
                TOKEN(TABLE_TypeDef, type) &&
            packages_own(c, md, type_of_attribute(md, rid)))
            return true;
    return false;
}

/* Has the type, or a base of the user's, a base, interface or attribute of a package? */
static bool uses_package(const struct build_changes *c, uint32_t head_module, uint32_t type)
{
    for (unsigned depth = 0; depth < BASES_MAX && type != 0; depth++) {
        const struct metadata *md = &c->build->modules[head_module].md;
        if (packages_own(
                c, md,
                tables_token(&md->tables, CODED_TYPE_DEF_OR_REF, COL_TypeDef_Extends, type)) ||
            is_marked(c, md, type))
            return true;
        type = new_build_type(c->build, &head_module, base_of_type(md, type));
    }
    return false;
}

/* New tests are known; who looks for other methods is known, too (package_uses.h). */
static bool declares_tests(const struct metadata *md, uint32_t type, const uint8_t *parts)
{
    struct row_range rows = tables_list(&md->tables, COL_TypeDef_MethodList, type, TABLE_MethodDef);
    for (uint32_t rid = rows.first; parts != NULL && rid < rows.end; rid++)
        if (parts[rid - 1] != TEST_PART_NONE)
            return true;
    return false;
}

/* Code that stays the same may name another type than before: one of another assembly that has, or
 * had, the same name. */
static bool note_type_name(struct build_changes *c, struct str name, const char *what)
{
    return reflection_note_type(c, name, what) &&
           build_changes_add_type(c, name, build_changes_add(c, "%.*s %s", STR_ARGS(name), what));
}

static bool check_new_types(struct build_changes *c, uint32_t head_module,
                            struct method_hasher *hasher, const struct fact_type *was,
                            uint32_t was_count)
{
    const struct metadata *md = &c->build->modules[head_module].md;
    uint8_t *parts = NULL;
    if (!test_methods_find(&parts, md, c->arena))
        return err_set(c->err, ERR_MEMORY, "out of memory: the tests need more");
    for (uint32_t type = 1; type <= tables_rows(&md->tables, TABLE_TypeDef); type++) {
        struct str name;
        if (compiler_type_user(md, type) != type || compiler_type_is(md, type))
            continue;
        if (!method_hash_token(&name, hasher, TOKEN(TABLE_TypeDef, type), c->err))
            return false;
        if (find_declared(was, was_count, name) != NULL || str_starts(name, "<") ||
            str_starts(name, "VB$AnonymousDelegate_") || declares_tests(md, type, parts))
            continue;
        if (!note_type_name(c, name, "is new"))
            return false;
        if (uses_package(c, head_module, type) &&
            !build_changes_add_all(c, "%.*s is new, and a package may look for it", STR_ARGS(name)))
            return false;
    }
    return true;
}

/* The types of the new build are sorted, and the module itself is last (declaration.h). */
static bool has_type(const struct fact_module *now, struct str name)
{
    return name.len == 0 ||
           (now->type_count != 0 && find_declared(now->types, now->type_count - 1, name) != NULL);
}

static bool note_changed_type(struct build_changes *c, struct str module, struct str name)
{
    if (str_ends(name, DECLARATION_CONSTANTS))
        return reflection_note_constants(c, name);
    if (name.len == 0)
        return build_changes_add_all(c, "resources, data or attributes of %.*s changed",
                                     STR_ARGS(module));
    return (str_is(name, DECLARATION_METADATA) ||
            reflection_note_type(c, name, "is declared differently")) &&
           build_changes_add_declaration(
               c, name, build_changes_add(c, "the declaration of %.*s changed", STR_ARGS(name)));
}

static bool compare_types(struct build_changes *c, uint32_t head_module,
                          struct method_hasher *hasher)
{
    const struct fact_module *now = &c->build->facts.modules[head_module];
    uint32_t base = c->pairing.base_of[head_module];
    if (base == NO_INDEX)
        return true;
    const struct fact_module *module = &c->base.modules[base];
    if (module->type_count == 0)
        return build_changes_add_all(c,
                                     "the data does not say what %.*s declares: it was recorded "
                                     "without --per-test, or by an older ilcov",
                                     STR_ARGS(now->name));
    struct fact_type *was = sort_types(module, c->arena, c->err);
    if (was == NULL)
        return false;
    for (uint32_t i = 0; i < now->type_count; i++) {
        struct str name = now->types[i].name;
        const struct fact_type *before = find_declared(was, module->type_count, name);
        if (before == NULL || before->declaration == now->types[i].declaration)
            continue;
        if (!note_changed_type(c, now->name, name))
            return false;
    }
    for (uint32_t i = 0; i < module->type_count; i++)
        if (!has_type(now, was[i].name) && !str_ends(was[i].name, DECLARATION_CONSTANTS) &&
            !note_type_name(c, was[i].name, "is gone"))
            return false;
    return check_new_types(c, head_module, hasher, was, module->type_count);
}

bool type_changes_find(struct build_changes *c)
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < c->build->facts.module_count; i++) {
        struct method_hasher hasher;
        if (!method_hash_open(&hasher, &c->build->modules[i], c->arena, c->err))
            return false;
        ok = compare_types(c, i, &hasher);
        method_hash_close(&hasher);
    }
    return ok;
}

/* --- who names them --------------------------------------------------------------------------- */

/* By method of a module, where it is a user's: its index in the code. */
static uint32_t *number_code(const struct code *code, struct arena *arena, struct err *err)
{
    uint32_t *of_user = ARENA_NEW(arena, uint32_t, code->module->method_count, err);
    for (uint32_t i = 0; of_user != NULL && i < code->count; i++)
        of_user[code->methods[i].method] = i;
    return of_user;
}

static bool mark_in(struct build_changes *c, uint32_t head_module, struct references *references,
                    struct arena *scratch)
{
    const struct code *code = &c->pairing.head[head_module];
    const struct changed_type *types = c->types.items;
    uint32_t *of_user = number_code(code, c->arena, c->err);
    for (uint32_t i = 0; of_user != NULL && i < code->module->method_count; i++) {
        uint32_t found, user = code->module->methods[i].user_method;
        arena_reset(scratch);
        if (!references_of_method(&found, references, TOKEN_RID(code->module->methods[i].token),
                                  scratch, c->err))
            return false;
        if (found != NO_INDEX)
            build_changes_mark_pair(c, head_module, of_user[user], types[found].change);
    }
    return of_user != NULL;
}

bool type_changes_mark(struct build_changes *c)
{
    bool ok = type_paths_find(c);
    struct arena scratch = ARENA_EMPTY;
    for (uint32_t i = 0; ok && c->types.count != 0 && i < c->build->facts.module_count; i++) {
        struct references references;
        ok = type_paths_open_references(&references, c, &c->types, i);
        if (!ok)
            break;
        ok = mark_in(c, i, &references, &scratch);
        references_close(&references);
    }
    arena_free(&scratch);
    return ok;
}

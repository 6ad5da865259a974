#include "impact/method_changes.h"

#include <string.h>

#include "impact/type_changes.h"
#include "metadata/lookup.h"
#include "metadata/names.h"
#include "scope/test_methods.h"

enum {
    METHOD_VIRTUAL = 0x40,
};

/* --- methods ---------------------------------------------------------------------------------- */

static struct str display_of(const struct build_changes *c, const struct fact_method *method)
{
    struct str text = STR("");
    return fact_display_text(&text, fact_method_display(method), c->arena, c->err) ? text : STR("");
}

static bool is_cctor(const struct fact_method *method)
{
    return str_is(method->name, ".cctor");
}

static const struct fact_method *user_of_code(const struct fact_module *module,
                                              const struct code_method *method)
{
    return &module->methods[method->method];
}

/* A method of BASE is another one now, or gone. */
static bool note_code(struct build_changes *c, uint32_t module, uint32_t code_method,
                      const char *what)
{
    const struct fact_module *of = &c->base.modules[module];
    const struct fact_method *method =
        user_of_code(of, &c->pairing.base[module].methods[code_method]);
    struct str name = display_of(c, method);
    if (is_cctor(method))
        return build_changes_add_all(c, "the static constructor of %.*s %s", STR_ARGS(method->type),
                                     what);
    if (build_changes_lack_record(c, module, code_method))
        return build_changes_add_all(c, "%.*s %s, and was not measured", STR_ARGS(name), what);
    uint32_t change = build_changes_add(c, "%.*s %s", STR_ARGS(name), what);
    return build_changes_mark(c, module, code_method, change) &&
           (method->entry_count != NO_INDEX ||
            build_changes_add_seen_type(c, method->type, change));
}

/* --- what a test framework finds -------------------------------------------------------------- */

/* *found: of each method of a module of the new build, row 1 first, does a framework look for it
 * around the tests of its class? Tests are known otherwise (new_tests.h). */
static bool find_framework_methods(bool **found, const struct build_changes *c,
                                   uint32_t head_module)
{
    const struct metadata *md = &c->build->modules[head_module].md;
    const struct tables *t = &md->tables;
    uint32_t methods = tables_rows(t, TABLE_MethodDef);
    const uint8_t *parts = c->build->parts[head_module];
    *found = ARENA_NEW(c->arena, bool, (size_t)methods + 1, c->err);
    for (uint32_t rid = 1; *found != NULL && rid <= tables_rows(t, TABLE_CustomAttribute); rid++) {
        uint32_t on = row_token(md, CODED_HAS_CUSTOM_ATTRIBUTE, COL_CustomAttribute_Parent, rid);
        uint32_t method = TOKEN_RID(on);
        if (TOKEN_TABLE(on) == TABLE_MethodDef && method != 0 && method <= methods &&
            (parts == NULL || parts[method - 1] != TEST_PART_TEST))
            (*found)[method - 1] |=
                (parts != NULL && parts[method - 1] == TEST_PART_UNKNOWN) ||
                new_build_has_base(c->build, head_module, type_of_attribute(md, rid),
                                   lookers_know_framework, NULL);
    }
    return *found != NULL;
}

static bool note_around(struct build_changes *c, uint32_t head_module,
                        const struct fact_method *method, const char *what)
{
    const struct metadata *md = &c->build->modules[head_module].md;
    struct str class;
    uint32_t change = build_changes_add(c, "%.*s %s", STR_ARGS(display_of(c, method)), what);
    return name_full(&class, md, owner_of_method(md, TOKEN_RID(method->token)), c->arena, c->err) &&
           build_changes_add_class(c, class, change, false);
}

/* --- new and declared otherwise --------------------------------------------------------------- */

static bool had_type(const struct build_changes *c, uint32_t module, struct str name)
{
    return module != NO_INDEX && declared_type(&c->base.modules[module], name) != NULL;
}

/* New code runs if changed code calls it; or instead of what it overrides; or a constructor where
 * the runtime makes an object. */
static bool note_new(struct build_changes *c, uint32_t head_module,
                     const struct fact_method *method)
{
    if (is_cctor(method))
        return build_changes_add_all(c, "the static constructor of %.*s is new",
                                     STR_ARGS(method->type));
    struct str name = display_of(c, method);
    if (!build_changes_add_metadata(c, method->type, name, "is new"))
        return false;
    uint64_t flags = tables_get(&c->build->modules[head_module].md.tables, COL_MethodDef_Flags,
                                TOKEN_RID(method->token));
    if (((flags & METHOD_VIRTUAL) == 0 && !str_is(method->name, ".ctor")) ||
        !had_type(c, c->pairing.base_of[head_module], method->type))
        return true;
    return build_changes_add_seen_type(c, method->type,
                                       build_changes_add(c,
                                                         "%.*s is new, and may run in place of "
                                                         "another method",
                                                         STR_ARGS(name)));
}

static bool note_declaration(struct build_changes *c, uint32_t head_module, uint32_t code_method,
                             const struct fact_method *now)
{
    struct str name = display_of(c, now);
    uint32_t change = build_changes_add(c, "the declaration of %.*s changed", STR_ARGS(name));
    return build_changes_mark_pair(c, head_module, code_method, change) &&
           build_changes_add_metadata(c, now->type, name, "is declared differently") &&
           (c->is_test_code[c->pairing.pairs[head_module][code_method].module] ||
            build_changes_add_seen_type(c, now->type, change));
}

static bool compare_method(struct build_changes *c, uint32_t head_module, uint32_t code_method,
                           bool is_around, bool **stays)
{
    const struct code *code = &c->pairing.head[head_module];
    const struct code_method *head = &code->methods[code_method];
    const struct pair *pair = &c->pairing.pairs[head_module][code_method];
    const struct fact_method *now = user_of_code(code->module, head);
    if (pair->module == NO_INDEX || pair->renamed)
        return note_new(c, head_module, now) &&
               (!is_around || note_around(c, head_module, now, "is new"));
    const struct code *base = &c->pairing.base[pair->module];
    const struct code_method *method = &base->methods[pair->method];
    const struct fact_method *was = user_of_code(base->module, method);
    stays[pair->module][pair->method] = true;
    if (!same_code_text(head, method) && !note_code(c, pair->module, pair->method, "changed"))
        return false;
    if (now->declaration == was->declaration || was->declaration == 0 || now->declaration == 0)
        return true;
    return note_declaration(c, head_module, code_method, now) &&
           (!is_around || note_around(c, head_module, now, "is declared differently"));
}

static bool compare_methods(struct build_changes *c, uint32_t head_module, bool **stays)
{
    const struct code *code = &c->pairing.head[head_module];
    bool *around = NULL;
    if (!find_framework_methods(&around, c, head_module))
        return false;
    for (uint32_t i = 0; i < code->count; i++)
        if (!anonymous_name_is(code->methods[i].type) &&
            !compare_method(
                c, head_module, i,
                around[TOKEN_RID(user_of_code(code->module, &code->methods[i])->token) - 1], stays))
            return false;
    return true;
}

static bool note_gone(struct build_changes *c, uint32_t module, const bool *stays)
{
    const struct code *code = &c->pairing.base[module];
    bool compared = pairing_has_base(&c->pairing, c->build->facts.module_count, module);
    if (code->count == 0)
        return true;
    if (new_build_module(c->build, code->module->name) == NO_INDEX)
        return build_changes_add_all(c, "%.*s is not in the build output",
                                     STR_ARGS(code->module->name));
    for (uint32_t i = 0; i < code->count && compared; i++) {
        const struct fact_method *method = user_of_code(code->module, &code->methods[i]);
        if (!stays[i] && !anonymous_name_is(method->type) &&
            (!note_code(c, module, i, "is gone") ||
             !build_changes_add_metadata(c, method->type, display_of(c, method), "is gone")))
            return false;
    }
    return true;
}

static bool compare_all_code(struct build_changes *c)
{
    bool **stays = ARENA_NEW(c->arena, bool *, c->base.module_count, c->err);
    for (uint32_t i = 0; stays != NULL && i < c->base.module_count; i++)
        if ((stays[i] = ARENA_NEW(c->arena, bool, c->pairing.base[i].count, c->err)) == NULL)
            return false;
    for (uint32_t i = 0; stays != NULL && i < c->build->facts.module_count; i++)
        if (!compare_methods(c, i, stays))
            return false;
    for (uint32_t i = 0; stays != NULL && i < c->base.module_count; i++)
        if (!note_gone(c, i, stays[i]))
            return false;
    return stays != NULL;
}

/* --- the whole -------------------------------------------------------------------------------- */

bool changes_find(struct build_changes *out, const struct facts *base,
                  const struct new_build *build, struct arena *arena, struct err *err)
{
    const struct str *unreadable = build->unreadable.items;
    if (!build_changes_open(out, base, build, arena, err))
        return false;
    for (uint32_t i = 0; i < build->unreadable.count; i++)
        if (!build_changes_add_all(out, "%.*s", STR_ARGS(unreadable[i])))
            return false;
    return compare_all_code(out) && type_changes_find(out);
}

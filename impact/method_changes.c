#include "impact/method_changes.h"

#include <string.h>

#include "impact/package_uses.h"
#include "impact/reflection_uses.h"
#include "impact/type_changes.h"
#include "metadata/lookup.h"
#include "metadata/names.h"

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

/* Somebody may have run it, and nothing says who. */
static bool is_without_record(const struct fact_module *module, const struct fact_method *method)
{
    return method->state == METHOD_DECLINED && module->state != MODULE_NOT_LOADED;
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
    if (is_without_record(of, method))
        return build_changes_add_all(c, "%.*s %s, and was not measured", STR_ARGS(name), what);
    uint32_t change = build_changes_add(c, "%.*s %s", STR_ARGS(name), what);
    if (change == NO_INDEX)
        return false;
    build_changes_mark(c, module, code_method, change);
    return method->entry_count != NO_INDEX || build_changes_add_seen_type(c, method->type, change);
}

/* Nothing calls by name what a package finds: a method that is new, or is declared otherwise. */
static bool note_found(struct build_changes *c, uint32_t head_module,
                       const struct fact_method *method, enum seeker seeker, const char *what)
{
    const struct metadata *md = &c->build->modules[head_module].md;
    struct str name = display_of(c, method), class;
    if (seeker == SEEKER_NONE)
        return true;
    if (seeker == SEEKER_ANY)
        return build_changes_add_all(c, "%.*s %s, and a package may look for it", STR_ARGS(name),
                                     what);
    uint32_t change = build_changes_add(c, "%.*s %s", STR_ARGS(name), what);
    return name_full(&class, md, owner_of_method(md, TOKEN_RID(method->token)), c->arena, c->err) &&
           build_changes_add_class(c, class, change);
}

/* New code runs if changed code calls it; or instead of what it overrides. */
static bool note_new(struct build_changes *c, uint32_t head_module,
                     const struct fact_method *method)
{
    if (is_cctor(method))
        return build_changes_add_all(c, "the static constructor of %.*s is new",
                                     STR_ARGS(method->type));
    struct str name = display_of(c, method);
    if (!reflection_note_new(c, head_module, method, name))
        return false;
    if ((tables_get(&c->build->modules[head_module].md.tables, COL_MethodDef_Flags,
                    TOKEN_RID(method->token)) &
         METHOD_VIRTUAL) == 0)
        return true;
    return build_changes_add_seen_type(
        c, method->type,
        build_changes_add(c, "%.*s is new, and may override another method", STR_ARGS(name)));
}

static bool note_declaration(struct build_changes *c, uint32_t head_module, uint32_t code_method,
                             const struct fact_method *now, const struct fact_method *was,
                             bool is_test_code, enum seeker seeker)
{
    if (now->declaration == was->declaration || was->declaration == 0 || now->declaration == 0)
        return true;
    struct str name = display_of(c, now);
    uint32_t change = build_changes_add(c, "the declaration of %.*s changed", STR_ARGS(name));
    if (change == NO_INDEX)
        return false;
    build_changes_mark_pair(c, head_module, code_method, change);
    if (!reflection_note_method(c, name, "is declared differently"))
        return false;
    if (is_test_code)
        return note_found(c, head_module, now, seeker, "is declared differently");
    return build_changes_add_declaration(c, now->type, change);
}

static bool compare_methods(struct build_changes *c, uint32_t head_module, bool **stays)
{
    const struct code *code = &c->pairing.head[head_module];
    uint8_t *seekers = NULL;
    if (!packages_find_seekers(&seekers, c, head_module))
        return false;
    for (uint32_t i = 0; i < code->count; i++) {
        const struct pair *pair = &c->pairing.pairs[head_module][i];
        const struct fact_method *now = user_of_code(code->module, &code->methods[i]);
        enum seeker seeker = seekers[TOKEN_RID(now->token) - 1];
        if (pair->module == NO_INDEX || pair->renamed) {
            if (!note_new(c, head_module, now) ||
                !note_found(c, head_module, now, seeker, "is new"))
                return false;
            continue;
        }
        const struct code *base = &c->pairing.base[pair->module];
        const struct code_method *was = &base->methods[pair->method];
        stays[pair->module][pair->method] = true;
        if (!same_code_text(&code->methods[i], was) &&
            !note_code(c, pair->module, pair->method, "changed"))
            return false;
        if (!note_declaration(c, head_module, i, now, user_of_code(base->module, was),
                              c->is_test_code[pair->module], seeker))
            return false;
    }
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
        if (!stays[i] && (!note_code(c, module, i, "is gone") ||
                          !reflection_note_method(c, display_of(c, method), "is gone")))
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
    if (!build_changes_open(out, base, arena, err))
        return false;
    out->build = build;
    if (!pairing_make(&out->pairing, &build->facts, &out->base, arena, err))
        return false;
    reflection_open(out);
    for (uint32_t i = 0; i < build->unreadable.count; i++)
        if (!build_changes_add_all(out, "%.*s", STR_ARGS(unreadable[i])))
            return false;
    return compare_all_code(out) && type_changes_find(out) && type_changes_mark(out);
}

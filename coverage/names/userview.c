#include "coverage/names/userview.h"

#include <string.h>

#include "metadata/lookup.h"
enum {
    FOLD_DEPTH_MAX = 16
};

static struct str method_name(const struct metadata *md, uint32_t rid)
{
    return heap_string(md, tables_get(&md->tables, COL_MethodDef_Name, rid));
}

static struct str type_name(const struct metadata *md, uint32_t rid)
{
    return heap_string(md, tables_get(&md->tables, COL_TypeDef_TypeName, rid));
}

static bool has_at(struct str name)
{
    return name.len != 0 && memchr(name.text, '@', name.len) != NULL;
}

/* A `file` type has such a name, too, but is never nested. */
static bool is_made_type(const struct metadata *md, uint32_t rid)
{
    struct str name = type_name(md, rid);
    return (str_starts(name, "<") && enclosing_type(md, rid) != 0) ||
           str_starts(name, "_Closure$__") || str_starts(name, "VB$StateMachine_") || has_at(name);
}

/* `main@`, where F# starts a program, is not a closure. */
static bool is_made_method(struct str name)
{
    return str_starts(name, "_Lambda$__") || (has_at(name) && !str_ends(name, "@"));
}

uint32_t userview_type(const struct metadata *md, uint32_t type_rid)
{
    for (unsigned depth = 0; depth < FOLD_DEPTH_MAX; depth++) {
        uint32_t outer = enclosing_type(md, type_rid);
        if (!is_made_type(md, type_rid) || outer == 0)
            break;
        type_rid = outer;
    }
    return type_rid;
}

bool userview_open(struct userview *out, const struct module *module, struct arena *arena,
                   struct err *err)
{
    const struct tables *t = &module->md.tables;
    uint32_t methods = tables_rows(t, TABLE_MethodDef);
    *out = (struct userview){
        .module = module,
        .methods = ARENA_NEW(arena, struct userview_method, methods, err),
        .count = methods,
        .made_in = ARENA_NEW(arena, uint32_t, tables_rows(t, TABLE_TypeDef) + 1, err),
        .arena = arena,
    };
    return out->methods != NULL && out->made_in != NULL;
}

/* --- which method uses compiler-generated code ------------------------------------------------ */

/* The TypeDef of this module that a type token refers to; 0 for any other. */
static uint32_t defined_type(const struct metadata *md, uint32_t token)
{
    if (TOKEN_TABLE(token) == TABLE_TypeSpec) { /* II.23.2.14: N<T> */
        struct reader r = rd_view(
            heap_blob(md, tables_get(&md->tables, COL_TypeSpec_Signature, TOKEN_RID(token))));
        if (rd_u8(&r) != ELEMENT_GENERICINST)
            return 0;
        (void)rd_u8(&r); /* class or value type */
        token = coded_to_token(CODED_TYPE_DEF_OR_REF, rd_compressed(&r));
    }
    return TOKEN_TABLE(token) == TABLE_TypeDef &&
                   TOKEN_RID(token) <= tables_rows(&md->tables, TABLE_TypeDef)
               ? TOKEN_RID(token)
               : 0;
}

/* The TypeDef that the token of an instruction names, directly or through a member. */
static uint32_t named_type(const struct metadata *md, uint32_t token)
{
    switch (TOKEN_TABLE(token)) {
    case TABLE_MethodDef:
        return owner_of_method(md, TOKEN_RID(token));
    case TABLE_Field:
        return owner_of_field(md, TOKEN_RID(token));
    case TABLE_MemberRef:
        return defined_type(
            md, coded_to_token(CODED_MEMBER_REF_PARENT,
                               tables_get(&md->tables, COL_MemberRef_Class, TOKEN_RID(token))));
    default:
        return defined_type(md, token);
    }
}

/* A compiler-generated TypeDef or MethodDef that a method's code uses. */
struct mention {
    uint32_t token;
    uint32_t by;
};

static bool mention(struct userview *view, uint32_t token, uint32_t by, struct err *err)
{
    struct mention *added = list_add(&view->mentions, sizeof *added, view->arena, err);
    if (added != NULL)
        *added = (struct mention){token, by};
    return added != NULL;
}

bool userview_note(struct userview *view, uint32_t method_rid, const struct il *il, struct err *err)
{
    const struct metadata *md = &view->module->md;
    uint32_t owner = owner_of_method(md, method_rid);
    for (uint32_t i = 0; i < il->count; i++) {
        if (il_info(&il->instrs[i])->operand != OPERAND_TOKEN)
            continue;
        uint32_t token = il->instrs[i].operand;
        if (TOKEN_TABLE(token) == TABLE_MethodSpec)
            token =
                coded_to_token(CODED_METHOD_DEF_OR_REF,
                               tables_get(&md->tables, COL_MethodSpec_Method, TOKEN_RID(token)));
        uint32_t type = named_type(md, token), rid = TOKEN_RID(token);
        if (type != 0 && type != owner && is_made_type(md, type) &&
            !mention(view, TOKEN(TABLE_TypeDef, type), method_rid, err))
            return false;
        if (TOKEN_TABLE(token) == TABLE_MethodDef && rid != 0 && rid <= view->count &&
            rid != method_rid && is_made_method(method_name(md, rid)) &&
            !mention(view, token, method_rid, err))
            return false;
    }
    return true;
}

/* --- names of C# ------------------------------------------------------------------------------ */

/* "M" of "<M>b__0_1" and "<M>g__Name|0_1", where M may itself be such a name. */
static bool containing_method(struct str *out, struct str name)
{
    size_t depth = 0;
    for (size_t i = 0; i < name.len && name.text[0] == '<'; i++) {
        depth += name.text[i] == '<';
        depth -= name.text[i] == '>';
        if (depth == 0) {
            *out = (struct str){name.text + 1, i - 1};
            struct str rest = {name.text + i + 1, name.len - i - 1};
            return out->len != 0 && (str_starts(rest, "b__") || str_starts(rest, "g__"));
        }
    }
    return false;
}

/* The method of this name in the type whose lines enclose those of `inner`; if there are several,
 * the smallest. */
static uint32_t find_enclosing(const struct userview_method *methods, uint32_t count,
                               const struct metadata *md, uint32_t type_rid, struct str name,
                               const struct userview_method *inner)
{
    struct row_range range =
        tables_list(&md->tables, COL_TypeDef_MethodList, type_rid, TABLE_MethodDef);
    uint32_t found = 0, first = 0;
    for (uint32_t rid = range.first; rid < range.end && rid <= count; rid++) {
        const struct userview_method *outer = &methods[rid - 1];
        if (!str_eq(method_name(md, rid), name))
            continue;
        if (first == 0)
            first = rid;
        bool encloses = outer->first_line != 0 && outer->document == inner->document &&
                        outer->first_line <= inner->first_line &&
                        outer->last_line >= inner->last_line;
        if (encloses &&
            (found == 0 || outer->last_line - outer->first_line <
                               methods[found - 1].last_line - methods[found - 1].first_line))
            found = rid;
    }
    return found != 0 ? found : first;
}

static void widen(struct userview_method *outer, const struct userview_method *inner)
{
    if (inner->first_line == 0 || (outer->first_line != 0 && outer->document != inner->document))
        return;
    if (outer->first_line == 0 || inner->first_line < outer->first_line)
        outer->first_line = inner->first_line;
    if (inner->last_line > outer->last_line)
        outer->last_line = inner->last_line;
    outer->document = inner->document;
}

/* --- folding ---------------------------------------------------------------------------------- */

static uint32_t kickoff_of(const struct userview *view, uint32_t rid)
{
    uint32_t kickoff = view->module->has_pdb ? pdb_kickoff_method(&view->module->pdb, rid) : 0;
    return kickoff <= view->count ? kickoff : 0;
}

/* Handles a state machine's other methods, such as a `finally` around a `yield`. */
static uint32_t kickoff_beside(const struct userview *view, uint32_t type)
{
    struct row_range range =
        tables_list(&view->module->md.tables, COL_TypeDef_MethodList, type, TABLE_MethodDef);
    uint32_t kickoff = 0;
    for (uint32_t rid = range.first; rid < range.end && kickoff == 0; rid++)
        kickoff = kickoff_of(view, rid);
    return kickoff;
}

static uint32_t containing_rid(const struct userview *view, uint32_t rid)
{
    const struct metadata *md = &view->module->md;
    const struct userview_method *method = &view->methods[rid - 1];
    uint32_t owner = owner_of_method(md, rid), found = kickoff_of(view, rid);
    struct str name;
    if (found == 0 && is_made_type(md, owner))
        found = kickoff_beside(view, owner);
    if (found == 0 && containing_method(&name, method_name(md, rid)))
        found =
            find_enclosing(view->methods, view->count, md, userview_type(md, owner), name, method);
    if (found == 0)
        found = method->mentioned_in;
    if (found == 0)
        found = view->made_in[owner];
    return found != 0 ? found : rid;
}

static bool is_written(const struct userview *view, uint32_t rid)
{
    const struct metadata *md = &view->module->md;
    return !is_made_method(method_name(md, rid)) && !is_made_type(md, owner_of_method(md, rid));
}

/* A mention counts once the owner of the method that makes it is known: closures that use each
 * other belong to the one that is used from outside. */
static void resolve_mentions(struct userview *view)
{
    const struct mention *mentions = view->mentions.items;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < view->mentions.count; i++) {
            uint32_t token = mentions[i].token, by = mentions[i].by;
            uint32_t *user = TOKEN_TABLE(token) == TABLE_TypeDef
                                 ? &view->made_in[TOKEN_RID(token)]
                                 : &view->methods[TOKEN_RID(token) - 1].mentioned_in;
            if (*user != 0 || (!is_written(view, by) && containing_rid(view, by) == by))
                continue;
            *user = by;
            changed = true;
        }
    }
}

void userview_fold(struct userview *view)
{
    struct userview_method *methods = view->methods;
    /* State machines first: their lines are those of the method in which lambdas are searched. */
    for (uint32_t rid = 1; rid <= view->count; rid++) {
        uint32_t kickoff = kickoff_of(view, rid);
        if (kickoff != 0)
            widen(&methods[kickoff - 1], &methods[rid - 1]);
    }
    resolve_mentions(view);
    for (uint32_t rid = 1; rid <= view->count; rid++)
        methods[rid - 1].user_rid = containing_rid(view, rid);
    for (uint32_t rid = 1; rid <= view->count; rid++) {
        uint32_t user = methods[rid - 1].user_rid;
        for (unsigned depth = 0; depth < FOLD_DEPTH_MAX && methods[user - 1].user_rid != user;
             depth++)
            user = methods[user - 1].user_rid;
        methods[rid - 1].user_rid = user;
    }
}

bool userview_is_made(const struct metadata *md, uint32_t method_rid)
{
    static const char *const names[] = {
        ".ctor",       "<Clone>$",      "Deconstruct",  "Equals",
        "GetHashCode", "CompareTo",     "PrintMembers", "get_EqualityContract",
        "op_Equality", "op_Inequality", "ToString",
    };
    struct str name = method_name(md, method_rid);
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (str_is(name, names[i]))
            return has_attribute(md, TOKEN(TABLE_MethodDef, method_rid),
                                 "System.Runtime.CompilerServices.CompilerGeneratedAttribute",
                                 NULL);
    return false;
}

#include "coverage/names/userview.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/sort.h"
#include "coverage/names/made_name.h"
#include "coverage/names/made_type.h"
#include "coverage/names/overload.h"
#include "metadata/lookup.h"
#include "metadata/names.h"

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

/* `main@`, where F# starts a program, is not a closure. */
static bool is_made_method(struct str name)
{
    struct made_name made;
    bool has_at = name.len != 0 && memchr(name.text, '@', name.len) != NULL;
    return str_starts(name, "_Lambda$__") || (has_at && !str_ends(name, "@")) ||
           made_name_read(&made, name);
}

bool userview_open(struct userview *out, const struct module *module, struct arena *arena,
                   struct err *err)
{
    const struct tables *t = &module->md.tables;
    uint32_t methods = tables_rows(t, TABLE_MethodDef);
    *out = (struct userview){
        .module = module,
        .methods = ARENA_NEW(arena, struct user_method, methods, err),
        .count = methods,
        .made_in = ARENA_NEW(arena, uint32_t, tables_rows(t, TABLE_TypeDef) + 1, err),
        .started_by = ARENA_NEW(arena, uint32_t, tables_rows(t, TABLE_TypeDef) + 1, err),
        .of_reference = ARENA_NEW(arena, uint32_t, tables_rows(t, TABLE_MemberRef) + 1, err),
        .arena = arena,
    };
    return out->methods != NULL && out->made_in != NULL && out->started_by != NULL &&
           out->of_reference != NULL;
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

static uint32_t name_of_row(const struct userview *view, uint32_t rid)
{
    return tables_get(&view->module->md.tables, COL_MethodDef_Name, rid);
}

static int order_by_name(const void *a, const void *b, void *context)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    int order = number_order(name_of_row(context, x), name_of_row(context, y));
    return order != 0 ? order : number_order(x, y);
}

/* Without memory, methods are looked for one by one. */
static void sort_by_name(struct userview *view)
{
    view->by_name = arena_raw(view->arena, view->count, sizeof *view->by_name, NULL);
    for (uint32_t i = 0; view->by_name != NULL && i < view->count; i++)
        view->by_name[i] = i + 1;
    if (view->by_name != NULL)
        qsort_r(view->by_name, view->count, sizeof *view->by_name, order_by_name, view);
}

struct wanted_name {
    const struct userview *view;
    uint32_t text, first;
};

static bool is_before_name(const void *context, size_t place)
{
    const struct wanted_name *wanted = context;
    uint32_t rid = wanted->view->by_name[place], its = name_of_row(wanted->view, rid);
    return its < wanted->text || (its == wanted->text && rid < wanted->first);
}

/* Compilers write a name into the heap once: the first method with this very text in the range;
 * `end` of the range if there is none. */
static uint32_t method_of_text(const struct userview *view, uint32_t text, struct row_range range)
{
    const struct wanted_name wanted = {view, text, range.first};
    uint32_t count = view->by_name != NULL ? view->count : 0;
    size_t place = sorted_first(count, is_before_name, &wanted);
    uint32_t rid = place < count ? view->by_name[place] : range.end;
    return rid < range.end && name_of_row(view, rid) == text ? rid : range.end;
}

/* Code of a generic type calls its own methods through references: N<T>.<M>g__L|0_0. Names that
 * compilers make occur once in a type. */
static uint32_t method_of_reference(struct userview *view, uint32_t token, uint32_t type)
{
    const struct metadata *md = &view->module->md;
    uint32_t *known = &view->of_reference[TOKEN_RID(token)];
    struct str name = name_of_member(md, token);
    if (*known != 0 || type == 0 || !is_made_method(name))
        return *known;
    struct row_range range =
        tables_list(&md->tables, COL_TypeDef_MethodList, type, TABLE_MethodDef);
    if (view->by_name == NULL)
        sort_by_name(view);
    uint32_t rid =
        method_of_text(view, tables_get(&md->tables, COL_MemberRef_Name, TOKEN_RID(token)), range);
    if (rid != range.end)
        return *known = rid;
    for (rid = range.first; rid < range.end && *known == 0; rid++)
        if (str_eq(method_name(md, rid), name))
            *known = rid;
    return *known;
}

/* The row of the compiler-generated method that the token of an instruction names, or 0. */
static uint32_t made_method(struct userview *view, uint32_t token, uint32_t type)
{
    uint32_t rid = TOKEN_RID(token);
    if (TOKEN_TABLE(token) == TABLE_MemberRef && rid != 0 &&
        rid <= tables_rows(&view->module->md.tables, TABLE_MemberRef))
        rid = method_of_reference(view, token, type);
    else if (TOKEN_TABLE(token) != TABLE_MethodDef)
        return 0;
    return rid != 0 && rid <= view->count && is_made_method(method_name(&view->module->md, rid))
               ? rid
               : 0;
}

/* Where a constructor calls another one; 0 in any other method. */
static uint32_t base_call(const struct metadata *md, uint32_t method_rid, const struct il *il)
{
    for (uint32_t i = 0; i < il->count && str_is(method_name(md, method_rid), ".ctor"); i++)
        if (il->instrs[i].op == OP_CALL &&
            str_is(name_of_member(md, il->instrs[i].operand), ".ctor"))
            return il->instrs[i].offset;
    return 0;
}

bool userview_note(struct userview *view, uint32_t method_rid, const struct il *il, struct err *err)
{
    const struct metadata *md = &view->module->md;
    uint32_t owner = owner_of_method(md, method_rid);
    view->methods[method_rid - 1].own_offset = base_call(md, method_rid, il);
    for (uint32_t i = 0; i < il->count; i++) {
        if (il_info(&il->instrs[i])->operand != OPERAND_TOKEN)
            continue;
        uint32_t token = il->instrs[i].operand;
        if (TOKEN_TABLE(token) == TABLE_MethodSpec)
            token =
                coded_to_token(CODED_METHOD_DEF_OR_REF,
                               tables_get(&md->tables, COL_MethodSpec_Method, TOKEN_RID(token)));
        uint32_t type = named_type(md, token), rid = made_method(view, token, type);
        if (type != 0 && type != owner && made_type_is(md, type) &&
            !mention(view, TOKEN(TABLE_TypeDef, type), method_rid, err))
            return false;
        if (rid != 0 && rid != method_rid &&
            !mention(view, TOKEN(TABLE_MethodDef, rid), method_rid, err))
            return false;
    }
    return true;
}

/* --- lines ------------------------------------------------------------------------------------ */

static void widen(struct user_method *outer, const struct user_method *inner)
{
    if (inner->first_line == 0 || (outer->first_line != 0 && outer->document != inner->document))
        return;
    if (outer->first_line == 0 || inner->first_line < outer->first_line)
        outer->first_line = inner->first_line;
    if (inner->last_line > outer->last_line)
        outer->last_line = inner->last_line;
    outer->document = inner->document;
}

void userview_note_lines(struct userview *view, uint32_t rid, const struct seq_points *points)
{
    struct user_method *method = &view->methods[rid - 1];
    for (uint32_t i = 0; i < points->count; i++) {
        const struct seq_point *point = &points->points[i];
        struct user_method lines = {.first_line = point->start_line,
                                    .last_line = point->end_line,
                                    .document = point->document};
        bool is_own = i + 1 == points->count || point[1].il_offset > method->own_offset;
        if (!point->hidden && is_own)
            widen(method, &lines);
    }
}

/* --- folding ---------------------------------------------------------------------------------- */

static uint32_t kickoff_of(const struct userview *view, uint32_t rid)
{
    uint32_t kickoff = view->module->has_pdb ? pdb_kickoff_method(&view->module->pdb, rid) : 0;
    return kickoff <= view->count ? kickoff : 0;
}

/* All lambdas of a type that capture nothing are in one type, whoever wrote them. */
static bool is_shared(const struct metadata *md, uint32_t type)
{
    return str_is(type_name(md, type), "<>c");
}

/* The method whose code leads to this one, or 0. */
static uint32_t user_of(const struct userview *view, uint32_t rid)
{
    const struct metadata *md = &view->module->md;
    uint32_t owner = owner_of_method(md, rid), found = kickoff_of(view, rid);
    if (found == 0 && made_type_is(md, owner)) /* a `finally` around a `yield` has a method */
        found = view->started_by[owner];
    if (found == 0)
        found = view->methods[rid - 1].mentioned_in;
    if (found == 0 && !is_shared(md, owner))
        found = view->made_in[owner];
    return found;
}

static bool is_written(const struct userview *view, uint32_t rid)
{
    const struct metadata *md = &view->module->md;
    return !is_made_method(method_name(md, rid)) && !made_type_is(md, owner_of_method(md, rid));
}

/* The method of the user that leads to this one, itself if it is the user's; 0: not known. */
static uint32_t root_of(const struct userview *view, uint32_t rid)
{
    for (unsigned depth = 0; depth < FOLD_DEPTH_MAX && rid != 0; depth++) {
        if (is_written(view, rid))
            return rid;
        rid = user_of(view, rid);
    }
    return 0;
}

/* A mention counts once it is known which method of the user leads to it: closures that use each
 * other belong to the one that is used from outside. */
static void resolve_mentions(struct userview *view)
{
    const struct mention *mentions = view->mentions.items;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < view->mentions.count; i++) {
            uint32_t token = mentions[i].token;
            uint32_t *user = TOKEN_TABLE(token) == TABLE_TypeDef
                                 ? &view->made_in[TOKEN_RID(token)]
                                 : &view->methods[TOKEN_RID(token) - 1].mentioned_in;
            if (*user == 0)
                changed |= (*user = root_of(view, mentions[i].by)) != 0;
        }
    }
}

/* No code leads to a local function that nothing calls. Its state machine follows it. */
static bool find_others(struct userview *view, struct err *err)
{
    struct user_method *methods = view->methods;
    struct overloads overloads;
    if (!overloads_open(&overloads, &view->module->md, methods, view->count, view->arena, err))
        return false;
    for (uint32_t rid = 1; rid <= view->count; rid++) {
        uint32_t last = rid, next = methods[rid - 1].user_rid == 0 ? rid : 0;
        for (unsigned depth = 0; depth < FOLD_DEPTH_MAX && next != 0; depth++) {
            last = next;
            next = user_of(view, last);
        }
        if (methods[rid - 1].user_rid == 0)
            methods[rid - 1].user_rid = overloads_find(&overloads, last);
        if (methods[rid - 1].user_rid == 0)
            methods[rid - 1].user_rid = view->made_in[owner_of_method(&view->module->md, last)];
        if (methods[rid - 1].user_rid == 0)
            methods[rid - 1].user_rid = last;
    }
    return true;
}

bool userview_fold(struct userview *view, struct err *err)
{
    struct user_method *methods = view->methods;
    for (uint32_t rid = 1; rid <= view->count; rid++) {
        uint32_t kickoff = kickoff_of(view, rid);
        uint32_t *started_by = &view->started_by[owner_of_method(&view->module->md, rid)];
        if (kickoff != 0)
            widen(&methods[kickoff - 1], &methods[rid - 1]);
        if (*started_by == 0)
            *started_by = kickoff;
    }
    resolve_mentions(view);
    for (uint32_t rid = 1; rid <= view->count; rid++)
        methods[rid - 1].user_rid = root_of(view, rid);
    return find_others(view, err);
}

bool userview_is_made(const struct metadata *md, uint32_t method_rid)
{
    static const char names[] =
        ".ctor <Clone>$ Deconstruct Equals GetHashCode CompareTo PrintMembers "
        "get_EqualityContract op_Equality op_Inequality ToString";
    return str_is_one_of(method_name(md, method_rid), names) &&
           has_attribute(md, TOKEN(TABLE_MethodDef, method_rid),
                         "System.Runtime.CompilerServices.CompilerGeneratedAttribute", NULL);
}

#include "coverage/names/user_method_map.h"

#include <string.h>

#include "base/sort.h"
#include "coverage/names/compiler_name.h"
#include "metadata/lookup.h"
#include "metadata/names.h"

enum {
    FOLD_DEPTH_MAX = 16
};

static const char generated_by_compiler[] =
    "System.Runtime.CompilerServices.CompilerGeneratedAttribute";

static struct str name_of_method(const struct metadata *md, uint32_t rid)
{
    return row_string(md, COL_MethodDef_Name, rid);
}

static struct str type_name(const struct metadata *md, uint32_t rid)
{
    return row_string(md, COL_TypeDef_TypeName, rid);
}

/* `main@`, where F# starts a program, is not a closure. */
static bool is_made_method(struct str name)
{
    struct compiler_name made;
    bool has_at = name.len != 0 && memchr(name.text, '@', name.len) != NULL;
    return str_starts(name, "_Lambda$__") || (has_at && !str_ends(name, "@")) ||
           compiler_name_read(&made, name);
}

bool user_method_map_open(struct user_method_map *out, const struct module *module,
                          struct arena *arena, struct err *err)
{
    const struct tables *t = &module->md.tables;
    uint32_t methods = tables_rows(t, TABLE_MethodDef);
    *out = (struct user_method_map){
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

/* The TypeDef of this module that the token of an instruction names, directly or through a member;
 * 0 for any other. */
static uint32_t named_type(const struct metadata *md, uint32_t token)
{
    uint32_t table = TOKEN_TABLE(token);
    bool is_type = table == TABLE_TypeDef || table == TABLE_TypeRef || table == TABLE_TypeSpec;
    uint32_t type = is_type ? type_definition(md, token) : type_of_member(md, token);
    bool is_defined = TOKEN_TABLE(type) == TABLE_TypeDef &&
                      TOKEN_RID(type) <= tables_rows(&md->tables, TABLE_TypeDef);
    return is_defined ? TOKEN_RID(type) : 0;
}

/* A compiler-generated TypeDef or MethodDef that a method's code uses. */
struct reference {
    uint32_t token;
    uint32_t by;
};

static bool note_reference(struct user_method_map *view, uint32_t token, uint32_t by,
                           struct err *err)
{
    const struct reference added = {token, by};
    return list_put(&view->references, &added, sizeof added, view->arena, err);
}

static uint32_t name_of_row(const struct user_method_map *view, uint32_t rid)
{
    return tables_get(&view->module->md.tables, COL_MethodDef_Name, rid);
}

/* A method, and where its name is in the heap. */
struct named_method {
    uint32_t name, rid;
};

ORDER(order_named, struct named_method, BY(name) BY(rid))

/* Without memory, methods are looked for one by one. */
static void sort_by_name(struct user_method_map *view)
{
    view->by_name = arena_raw(view->arena, view->count, sizeof *view->by_name, NULL);
    for (uint32_t i = 0; view->by_name != NULL && i < view->count; i++)
        view->by_name[i] = (struct named_method){name_of_row(view, i + 1), i + 1};
    if (view->by_name != NULL)
        sort_unless_sorted(view->by_name, view->count, sizeof *view->by_name, order_named);
}

/* Compilers write a name into the heap once: the first method with this very text in the range;
 * `end` of the range if there is none. */
static uint32_t method_of_text(const struct user_method_map *view, uint32_t text,
                               struct row_range range)
{
    const struct named_method first = {text, range.first};
    uint32_t count = view->by_name != NULL ? view->count : 0;
    size_t place = sorted_place(&first, view->by_name, count, sizeof first, order_named);
    bool is_there = place < count && view->by_name[place].name == text;
    return is_there && view->by_name[place].rid < range.end ? view->by_name[place].rid : range.end;
}

/* Code of a generic type calls its own methods through references: N<T>.<M>g__L|0_0. Names that
 * compilers make occur once in a type. */
static uint32_t method_of_reference(struct user_method_map *view, uint32_t token, uint32_t type)
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
        if (str_eq(name_of_method(md, rid), name))
            *known = rid;
    return *known;
}

/* The row of the compiler-generated method that the token of an instruction names, or 0. */
static uint32_t made_method(struct user_method_map *view, uint32_t token, uint32_t type)
{
    uint32_t rid = TOKEN_RID(token);
    if (TOKEN_TABLE(token) == TABLE_MemberRef && rid != 0 &&
        rid <= tables_rows(&view->module->md.tables, TABLE_MemberRef))
        rid = method_of_reference(view, token, type);
    else if (TOKEN_TABLE(token) != TABLE_MethodDef)
        return 0;
    return rid != 0 && rid <= view->count && is_made_method(name_of_method(&view->module->md, rid))
               ? rid
               : 0;
}

/* Where a constructor calls another one; 0 in any other method. */
static uint32_t base_call(const struct metadata *md, uint32_t method_rid, const struct il *il)
{
    for (uint32_t i = 0; i < il->count && str_is(name_of_method(md, method_rid), ".ctor"); i++)
        if (il->instrs[i].op == OP_CALL &&
            str_is(name_of_member(md, il->instrs[i].operand), ".ctor"))
            return il->instrs[i].offset;
    return 0;
}

bool user_method_map_note(struct user_method_map *view, uint32_t method_rid, const struct il *il,
                          struct err *err)
{
    const struct metadata *md = &view->module->md;
    uint32_t owner = owner_of_method(md, method_rid);
    view->methods[method_rid - 1].own_offset = base_call(md, method_rid, il);
    for (uint32_t i = 0; i < il->count; i++) {
        if (il_info(&il->instrs[i])->operand != OPERAND_TOKEN)
            continue;
        uint32_t token = method_of_instance(md, il->instrs[i].operand);
        uint32_t type = named_type(md, token), rid = made_method(view, token, type);
        if (type != 0 && type != owner && compiler_type_is(md, type) &&
            !note_reference(view, TOKEN(TABLE_TypeDef, type), method_rid, err))
            return false;
        if (rid != 0 && rid != method_rid &&
            !note_reference(view, TOKEN(TABLE_MethodDef, rid), method_rid, err))
            return false;
    }
    return true;
}

/* --- lines ------------------------------------------------------------------------------------ */

static void widen_lines(struct user_method *outer, const struct user_method *inner)
{
    if (inner->first_line == 0 || (outer->first_line != 0 && outer->document != inner->document))
        return;
    if (outer->first_line == 0 || inner->first_line < outer->first_line)
        outer->first_line = inner->first_line;
    if (inner->last_line > outer->last_line)
        outer->last_line = inner->last_line;
    outer->document = inner->document;
}

void user_method_map_note_lines(struct user_method_map *view, uint32_t rid,
                                const struct seq_points *points)
{
    struct user_method *method = &view->methods[rid - 1];
    for (uint32_t i = 0; i < points->count; i++) {
        const struct seq_point *point = &points->points[i];
        struct user_method lines = {.first_line = point->start_line,
                                    .last_line = point->end_line,
                                    .document = point->document};
        bool is_own = i + 1 == points->count || point[1].il_offset > method->own_offset;
        if (!point->hidden && is_own)
            widen_lines(method, &lines);
    }
}

/* --- folding ---------------------------------------------------------------------------------- */

static uint32_t kickoff_of(const struct user_method_map *view, uint32_t rid)
{
    uint32_t kickoff = view->module->has_pdb ? pdb_kickoff_method(&view->module->pdb, rid) : 0;
    return kickoff <= view->count ? kickoff : 0;
}

/* All lambdas of a type that capture nothing are in one type, whoever wrote them. */
static bool is_shared_closure(const struct metadata *md, uint32_t type)
{
    return str_is(type_name(md, type), "<>c");
}

/* The method whose code leads to this one, or 0. */
static uint32_t user_behind(const struct user_method_map *view, uint32_t rid)
{
    const struct metadata *md = &view->module->md;
    uint32_t owner = owner_of_method(md, rid), found = kickoff_of(view, rid);
    if (found == 0 && compiler_type_is(md, owner)) /* a `finally` around a `yield` has a method */
        found = view->started_by[owner];
    if (found == 0)
        found = view->methods[rid - 1].mentioned_in;
    if (found == 0 && !is_shared_closure(md, owner))
        found = view->made_in[owner];
    return found;
}

static bool is_written(const struct user_method_map *view, uint32_t rid)
{
    const struct metadata *md = &view->module->md;
    return !is_made_method(name_of_method(md, rid)) &&
           !compiler_type_is(md, owner_of_method(md, rid));
}

/* The method of the user that leads to this one, itself if it is the user's; 0: not known. */
static uint32_t root_of(const struct user_method_map *view, uint32_t rid)
{
    for (unsigned depth = 0; depth < FOLD_DEPTH_MAX && rid != 0; depth++) {
        if (is_written(view, rid))
            return rid;
        rid = user_behind(view, rid);
    }
    return 0;
}

/* A mention counts once it is known which method of the user leads to it: closures that use each
 * other belong to the one that is used from outside. */
static void resolve_references(struct user_method_map *view)
{
    const struct reference *references = view->references.items;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < view->references.count; i++) {
            uint32_t token = references[i].token;
            uint32_t *user = TOKEN_TABLE(token) == TABLE_TypeDef
                                 ? &view->made_in[TOKEN_RID(token)]
                                 : &view->methods[TOKEN_RID(token) - 1].mentioned_in;
            if (*user == 0)
                changed |= (*user = root_of(view, references[i].by)) != 0;
        }
    }
}

/* --- which overload --------------------------------------------------------------------------- */

/* Which of several methods of one name contains a lambda or local function that no code leads to.
 * Ordinals (compiler_name.h) rise with the rows of the methods, and by at least as much: other
 * members have ordinals, too. So those whose method is known say where the others can be. Among the
 * methods that are left the lines decide: the smallest that enclose the function, else the nearest
 * that begin before it. */

/* The ordinal of a method of the user. */
struct ordinal_anchor {
    uint32_t type, ordinal, rid;
};

struct overloads {
    const struct metadata *md;
    const struct user_method *methods; /* by row, from 1 */
    uint32_t method_count;
    struct ordinal_anchor *anchors; /* ascending type, ordinal, row */
    uint32_t count;
};

ORDER(order_anchors, struct ordinal_anchor, BY(type) BY(ordinal) BY(rid))

/* The ordinal in the name of a method that the compiler made, or in that of its type. */
static uint32_t ordinal_of(const struct metadata *md, uint32_t rid)
{
    struct compiler_name name;
    uint32_t owner = owner_of_method(md, rid);
    if (compiler_name_read(&name, name_of_method(md, rid)) && name.ordinal != NO_INDEX)
        return name.ordinal;
    return compiler_name_ordinal_of_type(row_string(md, COL_TypeDef_TypeName, owner));
}

/* After user_rid is filled in as far as it is known; 0 where it is not. */
static bool open_overloads(struct overloads *out, const struct metadata *md,
                           const struct user_method *methods, uint32_t method_count,
                           struct arena *arena, struct err *err)
{
    *out =
        (struct overloads){.md = md,
                           .methods = methods,
                           .method_count = method_count,
                           .anchors = ARENA_NEW(arena, struct ordinal_anchor, method_count, err)};
    if (out->anchors == NULL)
        return false;
    for (uint32_t rid = 1; rid <= method_count; rid++) {
        uint32_t user = methods[rid - 1].user_rid;
        uint32_t type = compiler_type_user(md, owner_of_method(md, rid));
        uint32_t ordinal = user != 0 && user != rid ? ordinal_of(md, rid) : NO_INDEX;
        if (ordinal != NO_INDEX && owner_of_method(md, user) == type)
            out->anchors[out->count++] = (struct ordinal_anchor){type, ordinal, user};
    }
    sort_unless_sorted(out->anchors, out->count, sizeof *out->anchors, order_anchors);
    return true;
}

/* The first anchor that does not come before this type and ordinal. */
static uint32_t place_of_anchor(const struct overloads *o, uint32_t type, uint32_t ordinal)
{
    const struct ordinal_anchor wanted = {type, ordinal, 0};
    return (uint32_t)sorted_place(&wanted, o->anchors, o->count, sizeof wanted, order_anchors);
}

/* The rows that a method with this ordinal may have, given its neighbours. */
static struct row_range rows_of_ordinal(const struct overloads *o, uint32_t type, uint32_t ordinal)
{
    struct row_range rows =
        tables_list(&o->md->tables, COL_TypeDef_MethodList, type, TABLE_MethodDef);
    uint32_t at = place_of_anchor(o, type, ordinal), most = ordinal; /* rows after the first */
    const struct ordinal_anchor *before = at != 0 ? &o->anchors[at - 1] : NULL;
    const struct ordinal_anchor *next = at < o->count ? &o->anchors[at] : NULL;
    if (next != NULL && next->type == type && next->ordinal == ordinal)
        return (struct row_range){next->rid, next->rid + 1};
    if (before != NULL && before->type == type) {
        rows.first = before->rid + 1;
        most = ordinal - before->ordinal - 1;
    }
    if (most < rows.end - rows.first)
        rows.end = rows.first + most + 1;
    if (next != NULL && next->type == type) {
        uint32_t back = next->ordinal - ordinal;
        rows.end = next->rid < rows.end ? next->rid : rows.end;
        if (next->rid > back && next->rid - back > rows.first)
            rows.first = next->rid - back;
    }
    return rows;
}

/* Does the method begin before the function does, in the same document? */
static bool begins_before(const struct user_method *method, const struct user_method *inner)
{
    return method->first_line != 0 && method->document == inner->document &&
           method->first_line <= inner->first_line;
}

static bool encloses_lines(const struct user_method *method, const struct user_method *inner)
{
    return begins_before(method, inner) && method->last_line >= inner->last_line;
}

/* Does `a` suit the function better than `b`? */
static bool suits_better(const struct user_method *a, const struct user_method *b,
                         const struct user_method *inner)
{
    if (encloses_lines(a, inner) != encloses_lines(b, inner))
        return encloses_lines(a, inner);
    if (encloses_lines(a, inner))
        return a->last_line - a->first_line < b->last_line - b->first_line;
    return begins_before(a, inner) && (!begins_before(b, inner) || a->first_line > b->first_line);
}

static uint32_t best_of(const struct overloads *o, struct row_range rows, struct str name,
                        const struct user_method *inner)
{
    const struct user_method *methods = o->methods;
    uint32_t best = 0;
    for (uint32_t rid = rows.first; rid < rows.end && rid <= o->method_count; rid++)
        if (str_eq(name_of_method(o->md, rid), name) &&
            (best == 0 || suits_better(&methods[rid - 1], &methods[best - 1], inner)))
            best = rid;
    return best;
}

/* What is found leaves less to choose from for the next one. */
static void add_anchor(struct overloads *o, struct ordinal_anchor anchor)
{
    uint32_t at = place_of_anchor(o, anchor.type, anchor.ordinal);
    if (o->count == o->method_count || (at < o->count && o->anchors[at].type == anchor.type &&
                                        o->anchors[at].ordinal == anchor.ordinal))
        return;
    memmove(&o->anchors[at + 1], &o->anchors[at], (o->count++ - at) * sizeof *o->anchors);
    o->anchors[at] = anchor;
}

/* The method that contains this one; 0 if its name does not say so. Ask in the order of rows. */
static uint32_t find_overload(struct overloads *o, uint32_t rid)
{
    const struct metadata *md = o->md;
    const struct user_method *inner = &o->methods[rid - 1];
    uint32_t type = compiler_type_user(md, owner_of_method(md, rid)), ordinal = ordinal_of(md, rid);
    uint32_t found = 0;
    struct compiler_name name;
    if (!compiler_name_read(&name, name_of_method(md, rid)))
        return 0;
    if (ordinal != NO_INDEX)
        found = best_of(o, rows_of_ordinal(o, type, ordinal), name.containing, inner);
    if (found != 0)
        add_anchor(o, (struct ordinal_anchor){type, ordinal, found});
    else
        found = best_of(o, tables_list(&md->tables, COL_TypeDef_MethodList, type, TABLE_MethodDef),
                        name.containing, inner);
    return found;
}

/* --- the whole -------------------------------------------------------------------------------- */

/* No code leads to a local function that nothing calls. Its state machine follows it. */
static bool find_others(struct user_method_map *view, struct err *err)
{
    struct user_method *methods = view->methods;
    struct overloads overloads;
    if (!open_overloads(&overloads, &view->module->md, methods, view->count, view->arena, err))
        return false;
    for (uint32_t rid = 1; rid <= view->count; rid++) {
        uint32_t last = rid, next = methods[rid - 1].user_rid == 0 ? rid : 0;
        for (unsigned depth = 0; depth < FOLD_DEPTH_MAX && next != 0; depth++) {
            last = next;
            next = user_behind(view, last);
        }
        if (methods[rid - 1].user_rid == 0)
            methods[rid - 1].user_rid = find_overload(&overloads, last);
        if (methods[rid - 1].user_rid == 0)
            methods[rid - 1].user_rid = view->made_in[owner_of_method(&view->module->md, last)];
        if (methods[rid - 1].user_rid == 0)
            methods[rid - 1].user_rid = last;
    }
    return true;
}

bool user_method_map_fold(struct user_method_map *view, struct err *err)
{
    struct user_method *methods = view->methods;
    for (uint32_t rid = 1; rid <= view->count; rid++) {
        uint32_t kickoff = kickoff_of(view, rid);
        uint32_t *started_by = &view->started_by[owner_of_method(&view->module->md, rid)];
        if (kickoff != 0)
            widen_lines(&methods[kickoff - 1], &methods[rid - 1]);
        if (*started_by == 0)
            *started_by = kickoff;
    }
    resolve_references(view);
    for (uint32_t rid = 1; rid <= view->count; rid++)
        methods[rid - 1].user_rid = root_of(view, rid);
    return find_others(view, err);
}

/* The constructors of a union are the compiler's, too. One that only has the attribute has its
 * own. */
static bool is_union(const struct metadata *md, uint32_t type_rid)
{
    struct row_range range =
        tables_list(&md->tables, COL_TypeDef_MethodList, type_rid, TABLE_MethodDef);
    if (!has_attribute(md, TOKEN(TABLE_TypeDef, type_rid),
                       "System.Runtime.CompilerServices.UnionAttribute", NULL))
        return false;
    for (uint32_t rid = range.first; rid < range.end; rid++)
        if (str_is(name_of_method(md, rid), ".ctor") &&
            has_attribute(md, TOKEN(TABLE_MethodDef, rid), generated_by_compiler, NULL))
            return true;
    return false;
}

bool synthesized_method_is(const struct metadata *md, uint32_t method_rid)
{
    static const char names[] =
        ".ctor <Clone>$ Deconstruct Equals GetHashCode CompareTo PrintMembers "
        "get_EqualityContract op_Equality op_Inequality ToString";
    struct str name = name_of_method(md, method_rid);
    return (str_is_one_of(name, names) ||
            (str_is(name, "get_Value") && is_union(md, owner_of_method(md, method_rid)))) &&
           has_attribute(md, TOKEN(TABLE_MethodDef, method_rid), generated_by_compiler, NULL);
}

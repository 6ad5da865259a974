#include "coverage/names/overload.h"

#include <string.h>

#include "base/sort.h"
#include "coverage/names/made_name.h"
#include "coverage/names/made_type.h"
#include "metadata/lookup.h"

/* The ordinal of a method of the user. */
struct anchor {
    uint32_t type, ordinal, rid;
};

static struct str method_name(const struct metadata *md, uint32_t rid)
{
    return heap_string(md, tables_get(&md->tables, COL_MethodDef_Name, rid));
}

ORDER(order_anchors, struct anchor, BY(type) BY(ordinal) BY(rid))

/* The ordinal in the name of a method that the compiler made, or in that of its type. */
static uint32_t ordinal_of(const struct metadata *md, uint32_t rid)
{
    struct made_name name;
    uint32_t owner = owner_of_method(md, rid);
    if (made_name_read(&name, method_name(md, rid)) && name.ordinal != NO_INDEX)
        return name.ordinal;
    return made_name_ordinal_of_type(
        heap_string(md, tables_get(&md->tables, COL_TypeDef_TypeName, owner)));
}

bool overloads_open(struct overloads *out, const struct metadata *md,
                    const struct user_method *methods, uint32_t method_count, struct arena *arena,
                    struct err *err)
{
    *out = (struct overloads){.md = md,
                              .methods = methods,
                              .method_count = method_count,
                              .anchors = ARENA_NEW(arena, struct anchor, method_count, err)};
    if (out->anchors == NULL)
        return false;
    for (uint32_t rid = 1; rid <= method_count; rid++) {
        uint32_t user = methods[rid - 1].user_rid;
        uint32_t type = made_type_user(md, owner_of_method(md, rid));
        uint32_t ordinal = user != 0 && user != rid ? ordinal_of(md, rid) : NO_INDEX;
        if (ordinal != NO_INDEX && owner_of_method(md, user) == type)
            out->anchors[out->count++] = (struct anchor){type, ordinal, user};
    }
    sort_unless_sorted(out->anchors, out->count, sizeof *out->anchors, order_anchors);
    return true;
}

/* The first anchor that does not come before this type and ordinal. */
static uint32_t place_of(const struct overloads *o, uint32_t type, uint32_t ordinal)
{
    const struct anchor wanted = {type, ordinal, 0};
    return (uint32_t)sorted_place(&wanted, o->anchors, o->count, sizeof wanted, order_anchors);
}

/* The rows that a method with this ordinal may have, given its neighbours. */
static struct row_range rows_of(const struct overloads *o, uint32_t type, uint32_t ordinal)
{
    struct row_range rows =
        tables_list(&o->md->tables, COL_TypeDef_MethodList, type, TABLE_MethodDef);
    uint32_t at = place_of(o, type, ordinal), most = ordinal; /* rows after the first */
    const struct anchor *before = at != 0 ? &o->anchors[at - 1] : NULL;
    const struct anchor *next = at < o->count ? &o->anchors[at] : NULL;
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

static bool encloses(const struct user_method *method, const struct user_method *inner)
{
    return begins_before(method, inner) && method->last_line >= inner->last_line;
}

/* Does `a` suit the function better than `b`? */
static bool suits_better(const struct user_method *a, const struct user_method *b,
                         const struct user_method *inner)
{
    if (encloses(a, inner) != encloses(b, inner))
        return encloses(a, inner);
    if (encloses(a, inner))
        return a->last_line - a->first_line < b->last_line - b->first_line;
    return begins_before(a, inner) && (!begins_before(b, inner) || a->first_line > b->first_line);
}

static uint32_t best_of(const struct overloads *o, struct row_range rows, struct str name,
                        const struct user_method *inner)
{
    const struct user_method *methods = o->methods;
    uint32_t best = 0;
    for (uint32_t rid = rows.first; rid < rows.end && rid <= o->method_count; rid++)
        if (str_eq(method_name(o->md, rid), name) &&
            (best == 0 || suits_better(&methods[rid - 1], &methods[best - 1], inner)))
            best = rid;
    return best;
}

/* What is found leaves less to choose from for the next one. */
static void add_anchor(struct overloads *o, struct anchor anchor)
{
    uint32_t at = place_of(o, anchor.type, anchor.ordinal);
    if (o->count == o->method_count || (at < o->count && o->anchors[at].type == anchor.type &&
                                        o->anchors[at].ordinal == anchor.ordinal))
        return;
    memmove(&o->anchors[at + 1], &o->anchors[at], (o->count++ - at) * sizeof *o->anchors);
    o->anchors[at] = anchor;
}

uint32_t overloads_find(struct overloads *o, uint32_t rid)
{
    const struct metadata *md = o->md;
    const struct user_method *inner = &o->methods[rid - 1];
    uint32_t type = made_type_user(md, owner_of_method(md, rid)), ordinal = ordinal_of(md, rid);
    uint32_t found = 0;
    struct made_name name;
    if (!made_name_read(&name, method_name(md, rid)))
        return 0;
    if (ordinal != NO_INDEX)
        found = best_of(o, rows_of(o, type, ordinal), name.containing, inner);
    if (found != 0)
        add_anchor(o, (struct anchor){type, ordinal, found});
    else
        found = best_of(o, tables_list(&md->tables, COL_TypeDef_MethodList, type, TABLE_MethodDef),
                        name.containing, inner);
    return found;
}

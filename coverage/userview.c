#include "coverage/userview.h"

#include <string.h>

enum {
    FOLD_DEPTH_MAX = 16
};

static struct str method_name(const struct metadata *md, uint32_t rid)
{
    return heap_string(md, tables_get(&md->tables, COL_MethodDef_Name, rid));
}

uint32_t userview_type(const struct metadata *md, uint32_t type_rid)
{
    for (unsigned depth = 0; depth < FOLD_DEPTH_MAX; depth++) {
        struct str name = heap_string(md, tables_get(&md->tables, COL_TypeDef_TypeName, type_rid));
        uint32_t outer = enclosing_type(md, type_rid);
        if (!str_starts(name, "<") || outer == 0)
            break;
        type_rid = outer;
    }
    return type_rid;
}

/* "M" of "<M>b__0_1" and "<M>g__Name|0_1", minding that M may itself be such a name. */
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

/* The method of this name in the type whose lines enclose those of `inner`; the smallest of
 * several. */
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

static uint32_t containing_rid(struct userview_method *methods, uint32_t count,
                               const struct module *module, uint32_t rid)
{
    const struct metadata *md = &module->md;
    struct str name;
    uint32_t kickoff = module->has_pdb ? pdb_kickoff_method(&module->pdb, rid) : 0;
    if (kickoff != 0 && kickoff <= count)
        return kickoff;
    if (!containing_method(&name, method_name(md, rid)))
        return rid;
    uint32_t type = userview_type(md, owner_of_method(md, rid));
    uint32_t found = find_enclosing(methods, count, md, type, name, &methods[rid - 1]);
    return found != 0 ? found : rid;
}

void userview_fold(struct userview_method *methods, uint32_t count, const struct module *module)
{
    /* State machines first: their lines are those of the method that lambdas must be found in. */
    for (uint32_t rid = 1; rid <= count; rid++) {
        uint32_t kickoff = module->has_pdb ? pdb_kickoff_method(&module->pdb, rid) : 0;
        if (kickoff != 0 && kickoff <= count)
            widen(&methods[kickoff - 1], &methods[rid - 1]);
    }
    for (uint32_t rid = 1; rid <= count; rid++)
        methods[rid - 1].user_rid = containing_rid(methods, count, module, rid);
    for (uint32_t rid = 1; rid <= count; rid++) {
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

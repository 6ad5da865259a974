#include "coverage/collect/module_builder.h"

void nesting_note(struct module_builder *g, uint32_t rid, struct points_extent points)
{
    if (points.count != 0)
        g->ranges[rid - 1] = (struct method_range){
            points.first->document, point_start(points.first), point_end(points.last)};
}

static struct fact_method *fact_of(struct module_builder *g, uint32_t rid)
{
    uint32_t index = rid != 0 && rid <= g->view.count ? g->method_index[rid - 1] : NO_INDEX;
    return index != NO_INDEX ? (struct fact_method *)g->methods.items + index : NULL;
}

static void exclude_with(struct fact_method *method, const struct fact_method *other)
{
    if (other->state != METHOD_EXCLUDED || method->state == METHOD_EXCLUDED)
        return;
    method->state = METHOD_EXCLUDED;
    method->reason = other->reason;
}

static bool is_inside(const struct method_range *inner, const struct method_range *outer)
{
    return inner->document != 0 && inner->document == outer->document &&
           inner->first >= outer->first && inner->end <= outer->end;
}

/* Lambdas and local functions may be excluded, too. The code in them is then excluded with them:
 * their state machines, and everything between their first point and their last. */
static void exclude_nested(struct module_builder *g)
{
    const struct user_method *view = g->view.methods;
    for (uint32_t rid = 1; rid <= g->view.count; rid++) {
        struct fact_method *method = fact_of(g, rid);
        uint32_t kickoff = g->module->has_pdb ? pdb_kickoff_method(&g->module->pdb, rid) : 0;
        const struct fact_method *written = fact_of(g, kickoff);
        if (method != NULL && written != NULL)
            exclude_with(method, written);
    }
    for (uint32_t rid = 1; rid <= g->view.count; rid++) {
        uint32_t user = view[rid - 1].user_rid;
        const struct fact_method *outer = fact_of(g, rid), *whole = fact_of(g, user);
        if (outer == NULL || outer->state != METHOD_EXCLUDED ||
            (whole != NULL && whole->state == METHOD_EXCLUDED))
            continue;
        for (uint32_t other = 1; other <= g->view.count; other++) {
            struct fact_method *inner = fact_of(g, other);
            if (inner != NULL && other != user && view[other - 1].user_rid == user &&
                is_inside(&g->ranges[other - 1], &g->ranges[rid - 1]))
                exclude_with(inner, outer);
        }
    }
}

bool nesting_fold(struct module_builder *g, struct err *err)
{
    if (!user_method_map_fold(&g->view, err))
        return false;
    for (uint32_t rid = 1; rid <= g->view.count; rid++) {
        uint32_t user = g->view.methods[rid - 1].user_rid;
        struct fact_method *method = fact_of(g, rid);
        const struct fact_method *owner = fact_of(g, user);
        if (method == NULL || owner == NULL)
            continue;
        method->user_method = g->method_index[user - 1];
        exclude_with(method, owner);
    }
    exclude_nested(g);
    return true;
}

#include "coverage/collect/nesting.h"

/* The range of a method's points; document 0 if it has none. */
struct span {
    uint32_t document;   /* row */
    uint64_t first, end; /* line << 16 | column */
};

bool nesting_open(struct nesting *out, struct userview *view, struct arena *arena, struct err *err)
{
    *out = (struct nesting){.view = view};
    out->spans = ARENA_NEW(arena, struct span, view->count, err);
    return out->spans != NULL;
}

void nesting_note(struct nesting *n, uint32_t rid, const struct seq_points *points)
{
    struct span *span = &n->spans[rid - 1];
    for (uint32_t i = 0; i < points->count; i++) {
        const struct seq_point *point = &points->points[i];
        uint64_t first = (uint64_t)point->start_line << 16 | point->start_column;
        uint64_t end = (uint64_t)point->end_line << 16 | point->end_column;
        if (point->hidden || (span->document != 0 && span->document != point->document))
            continue;
        if (span->document == 0)
            *span = (struct span){point->document, first, end};
        span->first = first < span->first ? first : span->first;
        span->end = end > span->end ? end : span->end;
    }
}

static struct fact_method *method_of(struct nesting *n, uint32_t rid)
{
    uint32_t index = rid != 0 && rid <= n->view->count ? n->method_index[rid - 1] : NO_INDEX;
    return index != NO_INDEX ? n->methods + index : NULL;
}

static void exclude_with(struct fact_method *method, const struct fact_method *other)
{
    if (other->state != METHOD_EXCLUDED || method->state == METHOD_EXCLUDED)
        return;
    method->state = METHOD_EXCLUDED;
    method->reason = other->reason;
}

static bool is_inside(const struct span *inner, const struct span *outer)
{
    return inner->document != 0 && inner->document == outer->document &&
           inner->first >= outer->first && inner->end <= outer->end;
}

/* Lambdas and local functions may be excluded, too. The code in them is then excluded with them:
 * their state machines, and everything between their first point and their last. */
static void exclude_nested(struct nesting *n)
{
    const struct user_method *view = n->view->methods;
    for (uint32_t rid = 1; rid <= n->view->count; rid++) {
        struct fact_method *method = method_of(n, rid);
        uint32_t kickoff =
            n->view->module->has_pdb ? pdb_kickoff_method(&n->view->module->pdb, rid) : 0;
        const struct fact_method *written = method_of(n, kickoff);
        if (method != NULL && written != NULL)
            exclude_with(method, written);
    }
    for (uint32_t rid = 1; rid <= n->view->count; rid++) {
        uint32_t user = view[rid - 1].user_rid;
        const struct fact_method *outer = method_of(n, rid), *whole = method_of(n, user);
        if (outer == NULL || outer->state != METHOD_EXCLUDED ||
            (whole != NULL && whole->state == METHOD_EXCLUDED))
            continue;
        for (uint32_t other = 1; other <= n->view->count; other++) {
            struct fact_method *inner = method_of(n, other);
            if (inner != NULL && other != user && view[other - 1].user_rid == user &&
                is_inside(&n->spans[other - 1], &n->spans[rid - 1]))
                exclude_with(inner, outer);
        }
    }
}

bool nesting_fold(struct nesting *n, struct fact_method *methods, const uint32_t *method_index,
                  struct err *err)
{
    n->methods = methods;
    n->method_index = method_index;
    if (!userview_fold(n->view, err))
        return false;
    for (uint32_t rid = 1; rid <= n->view->count; rid++) {
        struct fact_method *method = method_of(n, rid);
        const struct fact_method *owner = method_of(n, n->view->methods[rid - 1].user_rid);
        if (method == NULL || owner == NULL)
            continue;
        method->user_method = n->method_index[n->view->methods[rid - 1].user_rid - 1];
        exclude_with(method, owner);
    }
    exclude_nested(n);
    return true;
}

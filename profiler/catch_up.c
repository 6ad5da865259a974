#include "profiler/catch_up.h"

#include "system/clock.h"

enum {
    WAITS_MAX = 10000, /* of a millisecond each: then the unload continues in any case */
};

static struct seen_module *find_seen(struct catch_up *c, ModuleID id)
{
    struct seen_module *seen = c->seen;
    while (seen != NULL && seen->id != id)
        seen = seen->next;
    return seen;
}

/* NULL if there is no memory. The module is then skipped: without a row it might be handled twice
 * and get a second row with the same probes. */
static struct seen_module *add_seen(struct catch_up *c, ModuleID id)
{
    struct seen_module *seen = find_seen(c, 0);
    if (seen == NULL) {
        seen = ARENA_NEW(&c->arena, struct seen_module, 1, NULL);
        if (seen == NULL)
            return NULL;
        seen->next = c->seen;
        c->seen = seen;
    }
    seen->id = id;
    seen->is_gone = seen->is_changeable = false;
    return seen;
}

bool catch_up_claims(struct catch_up *c, ModuleID id)
{
    mutex_lock(&c->lock);
    bool first = find_seen(c, id) == NULL && add_seen(c, id) != NULL;
    mutex_unlock(&c->lock);
    return first;
}

void catch_up_let_go(struct catch_up *c, ModuleID id)
{
    mutex_lock(&c->lock);
    struct seen_module *seen = find_seen(c, id);
    if (seen == NULL)
        seen = add_seen(c, id);
    if (seen != NULL)
        seen->is_gone = true;
    mutex_unlock(&c->lock);
    catch_up_await(c, id);
}

void catch_up_await(struct catch_up *c, ModuleID id)
{
    for (unsigned i = 0; atomic_load_explicit(&c->at, memory_order_acquire) == id && i < WAITS_MAX;
         i++)
        clock_rest(1);
}

void catch_up_note_changeable(struct catch_up *c, ModuleID id)
{
    mutex_lock(&c->lock);
    struct seen_module *seen = find_seen(c, id);
    if (seen != NULL)
        seen->is_changeable = true;
    mutex_unlock(&c->lock);
}

bool catch_up_is_changeable(struct catch_up *c, ModuleID id)
{
    mutex_lock(&c->lock);
    const struct seen_module *seen = find_seen(c, id);
    bool is_changeable = seen != NULL && seen->is_changeable;
    mutex_unlock(&c->lock);
    return is_changeable;
}

/* During the pass over the list the row stays, because the list may still contain the id. */
void catch_up_forget(struct catch_up *c, ModuleID id)
{
    mutex_lock(&c->lock);
    struct seen_module *seen = c->is_done ? find_seen(c, id) : NULL;
    if (seen != NULL)
        seen->id = 0;
    mutex_unlock(&c->lock);
}

bool catch_up_takes(struct catch_up *c, ModuleID id)
{
    mutex_lock(&c->lock);
    bool first = find_seen(c, id) == NULL && add_seen(c, id) != NULL;
    if (first)
        atomic_store_explicit(&c->at, id, memory_order_relaxed);
    mutex_unlock(&c->lock);
    return first;
}

bool catch_up_holds(struct catch_up *c, ModuleID id)
{
    mutex_lock(&c->lock);
    const struct seen_module *seen = find_seen(c, id);
    bool held = seen != NULL && !seen->is_gone;
    if (held)
        atomic_store_explicit(&c->at, id, memory_order_relaxed);
    mutex_unlock(&c->lock);
    return held;
}

void catch_up_has_taken(struct catch_up *c)
{
    atomic_store_explicit(&c->at, 0, memory_order_release);
}

void catch_up_finish(struct catch_up *c)
{
    mutex_lock(&c->lock);
    c->is_done = true;
    for (struct seen_module *seen = c->seen; seen != NULL; seen = seen->next)
        if (seen->is_gone)
            seen->id = 0;
    mutex_unlock(&c->lock);
}

#include "profiler/attach.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/path.h"
#include "contract/protocol.h"
#include "profiler/instrument.h"

enum {
    MODULES_AT_ONCE = 64,
    WAITS_MAX = 10000, /* of a millisecond: an unload goes on in any case */
};

/* --- client data ------------------------------------------------------------------------------ */

bool attach_read_client_data(char *path, size_t room, const void *data, size_t len, struct err *err)
{
    struct reader r = rd_open(data, len);
    const uint8_t *magic = rd_take(&r, CLIENT_DATA_AT_VERSION);
    uint32_t version = rd_u32(&r), whole = rd_u32(&r), path_len = rd_u32(&r);
    const uint8_t *text = rd_take(&r, path_len);
    if (magic == NULL || memcmp(magic, CLIENT_DATA_MAGIC, CLIENT_DATA_AT_VERSION) != 0)
        return err_set(err, ERR_FORMAT, "the client data is not of ilcov");
    if (r.failed || whole != len || r.pos != len)
        return err_set(err, ERR_FORMAT, "the client data of %zu bytes is cut", len);
    if (version != PROTOCOL_VERSION)
        return err_set(err, ERR_FORMAT, "the client data is of version %u; this library knows %d",
                       version, PROTOCOL_VERSION);
    if (path_len == 0 || path_len >= room || text[0] != '/' || memchr(text, '\0', path_len) != NULL)
        return err_set(err, ERR_FORMAT, "the client data names no session");
    memcpy(path, text, path_len);
    path[path_len] = '\0';
    return true;
}

/* --- the runtime ------------------------------------------------------------------------------ */

void attach_find_framework(struct profiler *p)
{
    char line[1024];
    FILE *maps = fopen("/proc/self/maps", "re");
    if (maps == NULL)
        return;
    while (p->framework_dir[0] == '\0' && fgets(line, sizeof line, maps) != NULL) {
        const char *path = strchr(line, '/');
        line[strcspn(line, "\n")] = '\0';
        if (path != NULL && str_is(path_file(str_of(path)), "libcoreclr.so"))
            (void)snprintf(p->framework_dir, sizeof p->framework_dir, "%.*s",
                           STR_ARGS(path_dir(str_of(path))));
    }
    (void)fclose(maps);
}

/* --- modules ---------------------------------------------------------------------------------- */

static struct seen_module *find_seen(struct catch_up *c, ModuleID id)
{
    struct seen_module *seen = c->seen;
    while (seen != NULL && seen->id != id)
        seen = seen->next;
    return seen;
}

/* Without memory a module may be looked at twice, which gives it a second row and the same probes:
 * better that none is looked at. */
static struct seen_module *add_seen(struct profiler *p, ModuleID id)
{
    struct catch_up *c = &p->catch_up;
    struct seen_module *seen = find_seen(c, 0);
    if (seen == NULL) {
        (void)pthread_mutex_lock(&p->layout_lock);
        seen = ARENA_NEW(&p->arena, struct seen_module, 1, NULL);
        (void)pthread_mutex_unlock(&p->layout_lock);
        if (seen == NULL)
            return NULL;
        seen->next = c->seen;
        c->seen = seen;
    }
    seen->id = id;
    seen->is_gone = false;
    return seen;
}

bool attach_claims(struct profiler *p, ModuleID id)
{
    struct catch_up *c = &p->catch_up;
    (void)pthread_mutex_lock(&c->lock);
    bool first = find_seen(c, id) == NULL && add_seen(p, id) != NULL;
    (void)pthread_mutex_unlock(&c->lock);
    return first;
}

void attach_let_go(struct profiler *p, ModuleID id)
{
    struct catch_up *c = &p->catch_up;
    (void)pthread_mutex_lock(&c->lock);
    struct seen_module *seen = find_seen(c, id);
    if (seen == NULL)
        seen = add_seen(p, id);
    if (seen != NULL)
        seen->is_gone = true;
    (void)pthread_mutex_unlock(&c->lock);
    for (unsigned i = 0; atomic_load_explicit(&c->at, memory_order_acquire) == id && i < WAITS_MAX;
         i++)
        (void)usleep(1000);
}

/* While the list is gone through the row stays: the id may stand in it. */
void attach_forget(struct profiler *p, ModuleID id)
{
    struct catch_up *c = &p->catch_up;
    (void)pthread_mutex_lock(&c->lock);
    struct seen_module *seen = c->is_done ? find_seen(c, id) : NULL;
    if (seen != NULL)
        seen->id = 0;
    (void)pthread_mutex_unlock(&c->lock);
}

static void look_at(struct profiler *p, ModuleID id)
{
    struct catch_up *c = &p->catch_up;
    (void)pthread_mutex_lock(&c->lock);
    bool first = find_seen(c, id) == NULL && add_seen(p, id) != NULL;
    if (first)
        atomic_store_explicit(&c->at, id, memory_order_relaxed);
    (void)pthread_mutex_unlock(&c->lock);
    if (!first)
        return;
    instrument_module(p, id);
    atomic_store_explicit(&c->at, 0, memory_order_release);
}

static void look_at_all(struct profiler *p)
{
    struct module_enum *modules = NULL;
    ModuleID ids[MODULES_AT_ONCE];
    uint32_t count = 0;
    HRESULT hr = p->info->vtbl->EnumModules(p->info, &modules);
    if (FAILED(hr)) {
        record_trouble(&p->record,
                       "what had loaded before is not counted: the runtime answers 0x%08x to "
                       "EnumModules",
                       (unsigned)hr);
        return;
    }
    do {
        if (FAILED(modules->vtbl->Next(modules, MODULES_AT_ONCE, ids, &count)))
            count = 0;
        for (uint32_t i = 0; i < count; i++)
            look_at(p, ids[i]);
    } while (count != 0);
    (void)modules->vtbl->Release(modules);
}

/* A row whose module went meanwhile serves again. */
static void finish(struct catch_up *c)
{
    (void)pthread_mutex_lock(&c->lock);
    c->is_done = true;
    for (struct seen_module *seen = c->seen; seen != NULL; seen = seen->next)
        if (seen->is_gone)
            seen->id = 0;
    (void)pthread_mutex_unlock(&c->lock);
}

void attach_catch_up(struct profiler *p)
{
    char seconds[24];
    (void)snprintf(seconds, sizeof seconds, "%lld", (long long)time(NULL));
    struct str field = str_of(seconds);
    look_at_all(p);
    finish(&p->catch_up);
    record_line(&p->record, "attached", &field, 1);
}

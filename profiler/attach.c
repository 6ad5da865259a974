#include "profiler/attach.h"

#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "contract/protocol.h"
#include "profiler/earlier.h"
#include "profiler/instrument.h"
#include "profiler/shards.h"
#include "system/process_maps.h"

enum {
    MODULES_AT_ONCE = 64,
};

/* --- client data ------------------------------------------------------------------------------ */

bool attach_read_client_data(char *path, size_t room, const void *data, size_t len, struct err *err)
{
    struct reader r = rd_open(data, len);
    const uint8_t *magic = rd_take(&r, CLIENT_DATA_AT_VERSION);
    uint32_t version = rd_u32(&r), whole = rd_u32(&r), path_len = rd_u32(&r);
    const uint8_t *text = rd_take(&r, path_len);
    if (magic == NULL || memcmp(magic, CLIENT_DATA_MAGIC, CLIENT_DATA_AT_VERSION) != 0)
        return err_set(err, ERR_FORMAT, "the client data is not from ilcov");
    if (r.failed || whole != len || r.pos != len)
        return err_set(err, ERR_FORMAT, "the client data of %zu bytes is cut off", len);
    if (version != PROTOCOL_VERSION)
        return err_set(err, ERR_FORMAT, "the client data has version %u; this library knows %d",
                       version, PROTOCOL_VERSION);
    if (path_len == 0 || path_len >= room ||
        !path_is_absolute((struct str){(const char *)text, path_len}) ||
        memchr(text, '\0', path_len) != NULL)
        return err_set(err, ERR_FORMAT, "the client data names no session");
    memcpy(path, text, path_len);
    path[path_len] = '\0';
    return true;
}

/* --- the runtime ------------------------------------------------------------------------------ */

static bool take_runtime_folder(void *context, struct str path)
{
    struct profiler *p = context;
    if (str_is(path_file(path), "libcoreclr.so"))
        (void)snprintf(p->framework_dir, sizeof p->framework_dir, "%.*s", STR_ARGS(path_dir(path)));
    return p->framework_dir[0] == '\0';
}

void attach_find_framework(struct profiler *p)
{
    if (p->framework_dir[0] == '\0')
        (void)process_maps_visit(PROCESS_SELF, take_runtime_folder, p);
}

/* --- modules ---------------------------------------------------------------------------------- */

static void attach_to_module(struct profiler *p, ModuleID id)
{
    if (!catch_up_takes(&p->catch_up, id))
        return;
    instrument_module(p, id);
    catch_up_has_taken(&p->catch_up);
}

static void look_at_all(struct profiler *p)
{
    struct module_enum *modules = NULL;
    ModuleID ids[MODULES_AT_ONCE];
    uint32_t count = 0;
    HRESULT hr = p->info->vtbl->EnumModules(p->info, &modules);
    if (FAILED(hr)) {
        record_warning(&p->record,
                       "modules loaded before the attach are not counted: the runtime answers "
                       "0x%08x to EnumModules",
                       (unsigned)hr);
        return;
    }
    do {
        if (FAILED(modules->vtbl->Next(modules, MODULES_AT_ONCE, ids, &count)))
            count = 0;
        for (uint32_t i = 0; i < count; i++)
            attach_to_module(p, ids[i]);
    } while (count != 0);
    (void)modules->vtbl->Release(modules);
}

void attach_catch_up(struct profiler *p)
{
    shards_meet_strangers(p);
    look_at_all(p);
    earlier_note(p);
    catch_up_finish(&p->catch_up);
    record_time(&p->record, "attached");
}

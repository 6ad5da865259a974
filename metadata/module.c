#include "metadata/module.h"

#include <string.h>

#include "metadata/lookup.h"
#include "system/file_bytes.h"

enum {
    IMPL_CODE_TYPE_MASK = 0x0003, /* II.23.1.11 */
    IMPL_UNMANAGED = 0x0004
};

/* The assembly's name; a netmodule has none, so its module name without the extension. */
static struct str module_name(const struct metadata *md)
{
    if (tables_rows(&md->tables, TABLE_Assembly) != 0)
        return row_string(md, COL_Assembly_Name, 1);
    struct str name = row_string(md, COL_Module_Name, 1);
    for (size_t i = name.len; i > 1; i--)
        if (name.text[i - 1] == '.')
            return (struct str){name.text, i - 1};
    return name;
}

/* DebuggableAttribute(DebuggingModes), or, in old code, (bool isJITTrackingEnabled, bool
 * isJITOptimizerDisabled); II.23.3: both after a prolog of 2 bytes and before a count of 2. */
static bool is_optimised(const struct metadata *md)
{
    enum {
        DISABLE_OPTIMIZATIONS = 0x100
    };
    struct view value;
    if (!has_attribute(md, TOKEN(TABLE_Assembly, 1), "System.Diagnostics.DebuggableAttribute",
                       &value))
        return true;
    struct reader r = rd_view(value);
    (void)rd_take(&r, 2);
    if (value.len == 6)
        return rd_u16(&r) >> 8 == 0;
    return (rd_u32(&r) & DISABLE_OPTIMIZATIONS) == 0;
}

bool module_open_image(struct module *out, struct view image, bool mapped, struct err *err)
{
    *out = (struct module){0};
    if (!pe_open(&out->pe, image, mapped, err) || !metadata_open(&out->md, out->pe.metadata, err))
        return false;
    pe_read_debug(&out->debug, &out->pe);
    out->name = module_name(&out->md);
    out->md.optimised = is_optimised(&out->md);
    const uint8_t *mvid = heap_guid(&out->md, tables_get(&out->md.tables, COL_Module_Mvid, 1));
    if (mvid == NULL)
        return err_set(err, ERR_FORMAT, "module has no MVID");
    memcpy(out->mvid, mvid, sizeof out->mvid);
    return true;
}

bool module_open_file(struct module *out, const char *path, struct err *err)
{
    struct view file;
    *out = (struct module){0};
    if (!file_bytes_read(&file, path, err))
        return false;
    if (!module_open_image(out, file, false, err)) {
        file_bytes_release(&file);
        return false;
    }
    out->file = file;
    return true;
}

void module_close(struct module *module)
{
    file_bytes_release(&module->file);
    file_bytes_release(&module->pdb_file);
    *module = (struct module){0};
}

bool module_method(struct method_def *out, const struct module *module, uint32_t rid)
{
    const struct tables *t = &module->md.tables;
    *out = (struct method_def){.rid = rid};
    out->rva = tables_get(t, COL_MethodDef_RVA, rid);
    out->impl_flags = (uint16_t)tables_get(t, COL_MethodDef_ImplFlags, rid);
    out->flags = (uint16_t)tables_get(t, COL_MethodDef_Flags, rid);
    if (out->rva == 0 || (out->impl_flags & (IMPL_CODE_TYPE_MASK | IMPL_UNMANAGED)) != 0)
        return false;
    out->body = pe_at(&module->pe, out->rva);
    return true;
}

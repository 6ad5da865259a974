/* fuzz_pe.c - a module's image, as a file and as the runtime maps it: headers, debug records,
 * heaps, every cell of every table, names and signatures of every type and method, its bodies'
 * headers. */
#include "coverage/names/display_name.h"
#include "coverage/names/display_type.h"
#include "metadata/lookup.h"
#include "metadata/module.h"
#include "rewriter/body.h"
#include "scope/scope.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/image.h"

#include <string.h>

enum {
    ROWS_MAX = 96 /* of a table that are looked at closely: work grows with their square */
};

static uint32_t few(const struct metadata *md, enum table_id table)
{
    uint32_t rows = tables_rows(&md->tables, table);
    return rows < ROWS_MAX ? rows : ROWS_MAX;
}

static void read_str(struct str s)
{
    fuzz_read((struct view){(const uint8_t *)s.text, s.len});
}

/* What an index of any kind leads to must lie in the image, whatever its column is. */
static void read_value(const struct metadata *md, uint32_t value)
{
    read_str(heap_string(md, value));
    fuzz_read(heap_blob(md, value));
    fuzz_read(heap_user_string(md, value));
    const uint8_t *guid = heap_guid(md, value);
    if (guid != NULL)
        fuzz_read((struct view){guid, 16});
}

static void read_cells(const struct metadata *md)
{
    for (unsigned id = 0; id < TABLE_COUNT; id++)
        for (uint32_t rid = 1; rid <= few(md, (enum table_id)id); rid++)
            for (unsigned n = 0; n < md->tables.table[id].column_count; n++)
                read_value(md, tables_get(&md->tables, (enum column)(id << 8 | n), rid));
}

static void read_signatures(const struct metadata *md)
{
    static const enum table_id callable[] = {TABLE_MethodDef, TABLE_MemberRef, TABLE_StandAloneSig,
                                             TABLE_MethodSpec, TABLE_Field};
    for (size_t i = 0; i < ARRAY_LEN(callable); i++)
        for (uint32_t rid = 1; rid <= few(md, callable[i]); rid++) {
            uint32_t token = TOKEN(callable[i], rid), count = 0;
            struct method_sig sig;
            struct view types;
            if (sig_method(&sig, sig_of_call(md, token), NULL)) {
                fuzz_read(sig.return_type);
                fuzz_read(sig.params);
                (void)sig_first_element(sig.return_type);
            }
            fuzz_read(sig_of_field(md, token));
            if (sig_locals(&count, &types, md, token, NULL))
                fuzz_read(types);
        }
}

static void read_types(const struct metadata *md)
{
    static const enum table_id types[] = {TABLE_TypeDef, TABLE_TypeRef, TABLE_TypeSpec};
    for (size_t i = 0; i < ARRAY_LEN(types); i++)
        for (uint32_t rid = 1; rid <= few(md, types[i]); rid++) {
            struct str name;
            struct err err = {.code = ERR_NONE};
            struct view value = {NULL, 0};
            uint32_t token = TOKEN(types[i], rid);
            if (name_type(&name, md, token, fuzz_arena(), &err))
                read_str(name);
            else
                fuzz_check_err(&err);
            if (has_attribute(md, token, "N.MarkAttribute", &value))
                fuzz_read(value);
        }
}

static void read_body(struct view bytes)
{
    struct il_body body;
    if (body_parse(&body, bytes, fuzz_arena()) != VERDICT_OK)
        return;
    FUZZ_ASSERT(body.whole.len <= bytes.len, "a body after the end of its section");
    fuzz_read(body.whole);
}

static void read_methods(const struct module *module)
{
    const struct metadata *md = &module->md;
    for (uint32_t rid = 1; rid <= few(md, TABLE_MethodDef); rid++) {
        struct str name;
        struct method_def def;
        struct err err = {.code = ERR_NONE};
        if (name_method(&name, md, rid, fuzz_arena(), &err) &&
            name_method_signature(&name, md, rid, fuzz_arena(), &err))
            read_str(name);
        else
            fuzz_check_err(&err);
        uint32_t owner = owner_of_method(md, rid);
        struct str type, signature;
        struct arena *arena = fuzz_arena();
        err.code = ERR_NONE;
        if (display_type(&type, md, owner, arena, &err) &&
            display_method(&name, &signature, md, rid, arena, &err)) {
            read_str(type);
            read_str(name);
            read_str(signature);
        } else {
            fuzz_check_err(&err);
        }
        FUZZ_ASSERT(owner <= tables_rows(&md->tables, TABLE_TypeDef), "method %u belongs to no row",
                    (unsigned)rid);
        if (module_method(&def, module, rid))
            read_body(def.body);
    }
}

static void read_debug(const struct module *module)
{
    const struct pe_debug *debug = &module->debug;
    fuzz_read(debug->pdb_path);
    fuzz_read(debug->embedded);
    fuzz_read(debug->checksum_name);
    fuzz_read(debug->checksum);
}

static void read_image(struct view image, bool mapped)
{
    struct module module;
    struct err err = {.code = ERR_NONE};
    size_t len = 0;
    if (!pe_image_len(&len, image.data, image.len, mapped, &err))
        fuzz_check_err(&err);
    if (!module_open_image(&module, image, mapped, &err)) {
        fuzz_check_err(&err);
        return;
    }
    struct scope scope = {.include_tests = false};
    (void)scope_skip_reason(&scope, &module, STR("/app/a.dll"), STR(""));
    read_str(module.name);
    read_debug(&module);
    read_cells(&module.md);
    read_signatures(&module.md);
    read_types(&module.md);
    read_methods(&module);
    module_close(&module);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_image((struct view){data, size}, false);
    read_image((struct view){data, size}, true);
    return 0;
}

static void add_image(fuzz_add *add, const char *name, bool mapped, bool wide, bool plus)
{
    static const uint8_t codeview[] = {'R', 'S', 'D', 'S', 1,   2,   3,   4,   5,   6,
                                       7,   8,   9,   10,  11,  12,  13,  14,  15,  16,
                                       1,   0,   0,   0,   'a', '.', 'p', 'd', 'b', 0};
    static const uint8_t checksum[] = {'S', 'H', 'A', '2', '5', '6', 0, 1, 2, 3, 4};
    static const uint8_t embedded[] = {'M', 'P', 'D', 'B', 4, 0, 0, 0, 1, 2, 3};
    struct image image;
    image_begin(&image);
    image_sample(&image);
    image.wide = wide;
    image.pe32_plus = plus;
    image_add_debug(&image, 2, 1, 0x504D, (struct view){codeview, sizeof codeview});
    image_add_debug(&image, 16, 0, 0, (struct view){NULL, 0});
    image_add_debug(&image, 17, 0, 0x100, (struct view){embedded, sizeof embedded});
    image_add_debug(&image, 19, 0, 0, (struct view){checksum, sizeof checksum});
    add(name, image_pe(&image, mapped));
    image_free(&image);
}

void fuzz_seeds(fuzz_add *add)
{
    add_image(add, "file", false, false, false);
    add_image(add, "file-wide-plus", false, true, true);
    add_image(add, "mapped", true, false, true);
}

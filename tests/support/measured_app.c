#include "tests/support/measured_app.h"

#include <stdio.h>

#include "base/path.h"
#include "contract/session_format.h"
#include "metadata/module.h"
#include "rewriter/plan.h"
#include "tests/support/check.h"
#include "tests/support/il_builder.h"

enum {
    PAGE = 4096
};

static void store_file(struct measured_app *m, const char *name, const char *ending,
                       struct view bytes)
{
    char file[64];
    (void)snprintf(file, sizeof file, "%s%s", name, ending);
    (void)temporary_file(&m->app, file, bytes.data, bytes.len);
}

/* One document below the root, and one that the compiler's own path hides. */
static void make_pdb(struct measured_app *m, struct image *image, const char *name)
{
    uint8_t inside[] = {'/', 0, 0}, mapped[] = {'/', 0, 0, 0};
    image_begin(image);
    image->is_pdb = true;
    image->pdb_id[0] = image->pdb_id[16] = 7;
    image->foreign_rows[TABLE_MethodDef] = MEASURED_METHODS;
    inside[1] = (uint8_t)image_blob(image, m->root, strlen(m->root));
    inside[2] = (uint8_t)image_blob(image, "a.cs", 4);
    mapped[2] = (uint8_t)image_blob(image, "_", 1);
    mapped[3] = (uint8_t)image_blob(image, "b.cs", 4);
    IMAGE_ROW(image, Document, image_blob(image, inside, sizeof inside), 0, 0, 0);
    IMAGE_ROW(image, Document, image_blob(image, mapped, sizeof mapped), 0, 0, 0);
    IMAGE_ROW(image, MethodDebugInformation, 0, 0);
    /* lines 10, 11, 12 at IL 0, 3, 8 */
    IMAGE_ROW(image, MethodDebugInformation, 1,
              image_blob(image, BYTES(0, 0, 0, 5, 10, 3, 3, 0, 5, 2, 0, 5, 0, 5, 2, 0), 16));
    IMAGE_ROW(image, MethodDebugInformation, 2, image_blob(image, BYTES(0, 0, 0, 5, 20, 3), 6));
    store_file(m, name, ".pdb", image_metadata(image));
}

static void make_module(struct measured_app *m, const char *name)
{
    static struct il_builder b;
    uint8_t codeview[64] = "RSDS\7";
    struct image pdb;
    il_begin(&b, "void()");
    IMAGE_ROW(&b.image, Assembly, 0x8004, 1, 0, 0, 0, 0, 0, image_string(&b.image, name), 0);
    (void)il_add_method(&b, "void(bool)", "ldarg.0; brfalse.s E; call void(); E: ret");
    (void)il_add_method(&b, "bool()", "ldc.i4.1; ret");
    int len = snprintf((char *)codeview + 24, sizeof codeview - 24, "%s.pdb", name);
    image_add_debug(&b.image, 2, 7, 0x504D, (struct view){codeview, 24 + (size_t)len + 1});
    store_file(m, name, ".dll", image_pe(&b.image, false));
    make_pdb(m, &pdb, name);
    image_free(&pdb);
    il_free(&b);
}

struct counted_module {
    struct module module;
    char path[PATH_ROOM], mvid[33];
    uint64_t plan_hash;
    uint32_t counter_count;
    uint8_t verdicts[MEASURED_METHODS];
};

/* As the library counts: through the methods in the order of their rows. */
static void plan_module(struct counted_module *out, struct measured_app *m, const char *name)
{
    int len = snprintf(out->path, sizeof out->path, "%s/%s", m->root, name);
    assert_true(len > 0 && len < PATH_ROOM);
    assert_true(module_open_file(&out->module, out->path, NULL));
    for (size_t i = 0; i < sizeof out->module.mvid; i++)
        (void)snprintf(out->mvid + 2 * i, 3, "%02x", out->module.mvid[i]);
    out->plan_hash = plan_hash_start(MODE_COUNT);
    out->counter_count = 0;
    for (uint32_t rid = 1; rid <= MEASURED_METHODS; rid++) {
        struct method_def def;
        struct flow flow;
        struct plan plan;
        out->verdicts[rid - 1] = VERDICT_NO_IL;
        if (!module_method(&def, &out->module, rid))
            continue;
        assert_int_equal(flow_build(&flow, def.body, &out->module.md, NULL, rid, &m->app.arena),
                         VERDICT_OK);
        assert_true(plan_make(&plan, &flow, &m->app.arena));
        out->plan_hash = plan_hash_method(out->plan_hash, rid, flow.body.whole, &plan, &flow);
        out->counter_count += plan.counter_count;
        out->verdicts[rid - 1] = VERDICT_OK;
    }
}

static void put_bytes(uint8_t *file, enum counters_offset at, size_t *end, const void *bytes,
                      size_t len)
{
    store_u32(file + at, (uint32_t)*end);
    memcpy(file + *end, bytes, len);
    *end += len;
}

static void write_counts(struct measured_app *m, const struct counted_module *from)
{
    static const char name[] = "App";
    static uint8_t file[2 * PAGE];
    size_t end = COUNTERS_HEADER_LEN;
    memcpy(file, COUNTERS_MAGIC, COUNTERS_AT_VERSION);
    store_u32(file + COUNTERS_AT_VERSION, COUNTERS_VERSION);
    store_u32(file + COUNTERS_AT_MODE, MODE_COUNT);
    store_u64(file + COUNTERS_AT_PLAN_HASH, from->plan_hash);
    store_u32(file + COUNTERS_AT_SHARD_COUNT, 1);
    store_u32(file + COUNTERS_AT_COUNTER_COUNT, from->counter_count);
    store_u64(file + COUNTERS_AT_SHARD_STRIDE, PAGE);
    store_u64(file + COUNTERS_AT_SHARDS, PAGE);
    memcpy(file + COUNTERS_AT_MVID, from->module.mvid, sizeof from->module.mvid);
    store_u32(file + COUNTERS_AT_METHOD_COUNT, MEASURED_METHODS);
    put_bytes(file, COUNTERS_AT_VERDICTS, &end, from->verdicts, MEASURED_METHODS);
    put_bytes(file, COUNTERS_AT_PATH, &end, from->path, strlen(from->path));
    store_u32(file + COUNTERS_AT_PATH + 4, (uint32_t)strlen(from->path));
    put_bytes(file, COUNTERS_AT_NAME, &end, name, sizeof name - 1);
    store_u32(file + COUNTERS_AT_NAME + 4, sizeof name - 1);
    store_u32(file + COUNTERS_AT_READY, COUNTERS_READY);
    for (uint32_t i = 0; i < from->counter_count; i++)
        store_u64(file + PAGE + 8 * i, i + 1);
    (void)snprintf(m->counts_name, sizeof m->counts_name, "%s-%016llx-0.counts", from->mvid,
                   (unsigned long long)from->plan_hash);
    (void)temporary_file(&m->session, m->counts_name, file, sizeof file);
}

static void write_process(struct measured_app *m, const struct counted_module *from)
{
    char record[3 * PATH_ROOM];
    int len = snprintf(record, sizeof record,
                       "ilcov-process\t0\nprogram\t/app/tool\nruntime\t10.0.0\t/net/shared/N/10\n"
                       "instrumented\tApp\t%s\t%s\t2\t0\nskipped\tLib\t/app/Lib.dll\t13\t\n",
                       from->path, from->mvid);
    (void)temporary_file(&m->session, MEASURED_PROCESS, record, (size_t)len);
}

void measured_app_open(struct measured_app *m)
{
    static struct counted_module module;
    temporary_open(&m->app);
    temporary_open(&m->session);
    assert_non_null(realpath(m->app.folder, m->root));
    make_module(m, "App");
    make_module(m, "Other");
    (void)temporary_file(&m->app, "b.cs", "", 0);
    plan_module(&module, m, "App.dll");
    write_counts(m, &module);
    write_process(m, &module);
    module_close(&module.module);
}

void measured_app_close(struct measured_app *m)
{
    temporary_close(&m->session);
    temporary_close(&m->app);
}

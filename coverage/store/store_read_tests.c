/* The rows of runs whose hits are told apart: tests and what they hit, and what `ilcov affected`
 * compares. */
#include "base/list.h"
#include "coverage/store/store_read.h"

static bool read_tests(struct facts *out, const struct rows_source *source)
{
    if (!rows_count(&out->test_count, source, TESTS) ||
        (out->tests = ARENA_NEW(source->arena, struct fact_test, out->test_count, source->err)) ==
            NULL)
        return false;
    struct rows_in rows = rows_of(source, TESTS);
    for (uint32_t i = 0; i < out->test_count && rows_next(&rows); i++) {
        struct fact_test *test = &out->tests[i];
        expect_id(&rows, i);
        test->run = get_u32(&rows, UINT32_MAX);
        test->name = get_text(&rows);
        test->kind = (enum test_kind)get_u32(&rows, TEST_OUTSIDE);
        test->end = (enum test_end)get_u32(&rows, TEST_THREW);
        int64_t ns = get_int(&rows), count = get_int(&rows);
        if (ns < 0 || count < 0)
            rows_refuse(&rows);
        test->ns = (uint64_t)ns;
        test->rows = (uint64_t)count;
    }
    return rows_close(&rows);
}

static bool read_test_hits(struct facts *out, const struct rows_source *source)
{
    if (!rows_count(&out->hits_count, source, TEST_HITS) ||
        (out->hits = ARENA_NEW(source->arena, struct fact_hits, out->hits_count, source->err)) ==
            NULL)
        return false;
    struct rows_in rows = rows_of(source, TEST_HITS);
    for (uint32_t i = 0; i < out->hits_count && rows_next(&rows); i++) {
        out->hits[i].module = get_u32(&rows, UINT32_MAX);
        out->hits[i].counts = get_blob(&rows, SIZE_MAX);
        out->hits[i].tests = get_blob(&rows, SIZE_MAX);
    }
    return rows_close(&rows);
}

/* Of a method, or of a type, of which each module lists those it has. */
static void get_declaration(struct rows_in *rows, struct facts *out, struct list *types)
{
    uint32_t module = get_u32(rows, UINT32_MAX), method = get_index(rows);
    struct str name = get_text(rows);
    uint64_t declaration = (uint64_t)get_int(rows);
    if (rows->failed)
        return;
    if (module >= out->module_count ||
        (method != NO_INDEX && method >= out->modules[module].method_count)) {
        rows_refuse(rows);
        return;
    }
    if (method != NO_INDEX) {
        out->modules[module].methods[method].declaration = declaration;
        return;
    }
    struct fact_type *type = list_add(&types[module], sizeof *type, rows->arena, rows->err);
    rows->failed = type == NULL;
    if (type != NULL)
        *type = (struct fact_type){name, declaration};
}

static bool read_declarations(struct facts *out, const struct rows_source *source)
{
    struct list *types = ARENA_NEW(source->arena, struct list, out->module_count, source->err);
    struct rows_in rows = rows_of(source, DECLARATIONS);
    rows.failed = rows.failed || types == NULL;
    while (rows_next(&rows))
        get_declaration(&rows, out, types);
    for (uint32_t i = 0; types != NULL && i < out->module_count; i++) {
        out->modules[i].types = types[i].items;
        out->modules[i].type_count = types[i].count;
    }
    return rows_close(&rows);
}

static bool read_inputs(struct facts *out, const struct rows_source *source)
{
    if (!rows_count(&out->input_count, source, INPUTS) ||
        (out->inputs =
             ARENA_NEW(source->arena, struct fact_input, out->input_count, source->err)) == NULL)
        return false;
    struct rows_in rows = rows_of(source, INPUTS);
    for (uint32_t i = 0; i < out->input_count && rows_next(&rows); i++) {
        out->inputs[i].folder = get_text(&rows);
        out->inputs[i].path = get_text(&rows);
        get_exactly(out->inputs[i].hash, sizeof out->inputs[i].hash, &rows);
    }
    return rows_close(&rows);
}

bool store_read_tests(struct facts *out, const struct rows_source *source)
{
    return read_tests(out, source) && read_test_hits(out, source);
}

bool store_read_remembered(struct facts *out, const struct rows_source *source)
{
    return read_declarations(out, source) && read_inputs(out, source);
}

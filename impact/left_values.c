#include "impact/left_values.h"

#include <string.h>

#include "coverage/facts/index_set.h"
#include "coverage/names/method_hash.h"
#include "metadata/lookup.h"
#include "metadata/names.h"
#include "metadata/sig.h"

enum {
    FIELD_STATIC = 0x10,
    FIELD_LITERAL = 0x40,
};

struct static_field {
    struct str name; /* as method_hash_token has it */
    bool is_lazy;
    bool *readers; /* per test; NULL: nothing is left in it */
};

/* A method of BASE reads a field or sets it. */
struct field_use {
    uint32_t module, method; /* of its code */
    uint32_t field;
    bool makes;
    bool asks; /* it makes it where `??=` finds none, which has no counts of its own */
};

struct value_search {
    const struct build_changes *changes;
    struct list fields;   /* struct static_field: those of a module follow each other */
    uint32_t **field_of;  /* per module of the build and row of Field: 1 + its field, or 0 */
    struct list uses;     /* struct field_use */
    uint32_t **rows_of;   /* per module of BASE and method of its code: 1 + its last hits, or 0 */
    uint32_t *row_before; /* per hits: likewise */
    struct arena *arena, *scratch;
    struct err *err;
};

/* --- fields ----------------------------------------------------------------------------------- */

static bool is_lazy_field(struct value_search *f, const struct metadata *md, uint32_t field)
{
    struct reader r = rd_view(row_blob(md, COL_Field_Signature, field));
    struct text text = text_in(f->scratch);
    struct str type = STR("");
    struct err ignored = {0};
    (void)rd_u8(&r); /* FIELD, II.23.2.4 */
    return name_signature_type(&text, md, &r, &ignored) && text_take(&type, &text, &ignored) &&
           str_starts(type, "System.Lazy`1");
}

/* Those of one thread are none. */
static void remove_thread_fields(uint32_t *field_of, const struct metadata *md)
{
    struct str space, name;
    uint32_t around = 0;
    for (uint32_t rid = 1; rid <= tables_rows(&md->tables, TABLE_CustomAttribute); rid++) {
        uint32_t on =
            tables_token(&md->tables, CODED_HAS_CUSTOM_ATTRIBUTE, COL_CustomAttribute_Parent, rid);
        if (TOKEN_TABLE(on) == TABLE_Field &&
            TOKEN_RID(on) <= tables_rows(&md->tables, TABLE_Field) &&
            type_parts(&space, &name, &around, md, type_of_attribute(md, rid)) &&
            str_is(name, "ThreadStaticAttribute"))
            field_of[TOKEN_RID(on)] = 0;
    }
}

static bool list_fields(struct value_search *f, uint32_t head_module, struct method_hasher *hasher)
{
    const struct metadata *md = &f->changes->build->modules[head_module].md;
    uint32_t rows = tables_rows(&md->tables, TABLE_Field);
    uint32_t *field_of = ARENA_NEW(f->arena, uint32_t, (size_t)rows + 1, f->err);
    if (field_of == NULL)
        return false;
    for (uint32_t rid = 1; rid <= rows; rid++) {
        uint32_t type = owner_of_field(md, rid);
        if ((tables_get(&md->tables, COL_Field_Flags, rid) & (FIELD_STATIC | FIELD_LITERAL)) !=
                FIELD_STATIC ||
            str_starts(row_string(md, COL_TypeDef_TypeName, type), "<"))
            continue;
        struct static_field *field = list_add(&f->fields, sizeof *field, f->arena, f->err);
        if (field == NULL ||
            !method_hash_token(&field->name, hasher, TOKEN(TABLE_Field, rid), f->err))
            return false;
        field->is_lazy = is_lazy_field(f, md, rid);
        field_of[rid] = f->fields.count;
    }
    remove_thread_fields(field_of, md);
    f->field_of[head_module] = field_of;
    return true;
}

/* *field: 1 + the index, or 0. */
static bool find_field(uint32_t *field, const struct value_search *f, uint32_t head_module,
                       struct method_hasher *hasher, uint32_t token)
{
    const struct static_field *fields = f->fields.items;
    struct str name;
    *field = 0;
    if (TOKEN_TABLE(token) == TABLE_Field) {
        const struct metadata *md = &f->changes->build->modules[head_module].md;
        if (TOKEN_RID(token) <= tables_rows(&md->tables, TABLE_Field))
            *field = f->field_of[head_module][TOKEN_RID(token)];
        return true;
    }
    if (!method_hash_token(&name, hasher, token, f->err))
        return false;
    for (uint32_t i = 0; i < f->fields.count && *field == 0; i++)
        if (str_eq(fields[i].name, name))
            *field = i + 1;
    return true;
}

/* --- methods ---------------------------------------------------------------------------------- */

static bool note_field_use(struct value_search *f, const struct field_use *use)
{
    struct static_field *field = (struct static_field *)f->fields.items + use->field;
    if (use->makes && field->readers == NULL)
        field->readers = ARENA_NEW(f->arena, bool, f->changes->base.test_count, f->err);
    return (!use->makes || field->readers != NULL) &&
           list_put(&f->uses, use, sizeof *use, f->arena, f->err);
}

static bool asks_before(const struct il *il, uint32_t store)
{
    const struct instr *instrs = il->instrs;
    for (uint32_t i = 0; i < store; i++)
        if (instrs[i].op == OP_LDSFLD && instrs[i].operand == instrs[store].operand &&
            instrs[i + 1].op == OP_DUP)
            return true;
    return false;
}

/* What a constructor of a type sets is there before any test reads it, but for the value of a
 * Lazy. */
static bool read_code(struct value_search *f, uint32_t head_module, struct method_hasher *hasher,
                      const struct fact_method *method, const struct pair *pair)
{
    struct il_body body;
    struct il il;
    bool has_code = false, is_first = str_is(method->name, ".cctor");
    arena_reset(f->scratch);
    if (!method_hash_decode(&has_code, &body, &il, &f->changes->build->modules[head_module],
                            TOKEN_RID(method->token), f->scratch, f->err))
        return false;
    for (uint32_t i = 0; has_code && i < il.count; i++) {
        const struct instr *at = &il.instrs[i];
        uint32_t field;
        if (at->op != OP_LDSFLD && at->op != OP_LDSFLDA && at->op != OP_STSFLD)
            continue;
        if (!find_field(&field, f, head_module, hasher, at->operand))
            return false;
        if (field == 0)
            continue;
        bool is_lazy = ((const struct static_field *)f->fields.items)[field - 1].is_lazy;
        struct field_use use = {pair->module, pair->method, field - 1,
                                at->op == OP_STSFLD && (!is_first || is_lazy),
                                at->op == OP_STSFLD && asks_before(&il, i)};
        if ((!is_first || use.makes) && !note_field_use(f, &use))
            return false;
    }
    return true;
}

static bool read_module(struct value_search *f, uint32_t head_module, struct method_hasher *hasher)
{
    const struct code *code = &f->changes->pairing.head[head_module];
    for (uint32_t i = 0; i < code->count; i++) {
        const struct pair *pair = &f->changes->pairing.pairs[head_module][i];
        const struct code_method *method = &code->methods[i];
        for (uint32_t k = 0; pair->module != NO_INDEX && k < method->member_count; k++)
            if (!read_code(f, head_module, hasher,
                           &code->module->methods[method->members[k].method], pair))
                return false;
    }
    return true;
}

static bool visit_modules(struct value_search *f,
                          bool (*visit)(struct value_search *f, uint32_t head_module,
                                        struct method_hasher *hasher))
{
    bool ok = true;
    for (uint32_t i = 0; ok && i < f->changes->build->facts.module_count; i++) {
        struct method_hasher hasher;
        if (!method_hash_open(&hasher, &f->changes->build->modules[i], f->arena, f->err))
            return false;
        ok = visit(f, i, &hasher);
        method_hash_close(&hasher);
    }
    return ok;
}

/* --- tests ------------------------------------------------------------------------------------ */

static bool is_of_tests(const struct fact_test *context)
{
    return context->kind == TEST_METHOD || context->kind == TEST_CLASS;
}

static bool chain_rows(struct value_search *f, uint32_t *const *method_of)
{
    const struct facts *base = &f->changes->base;
    for (uint32_t m = 0; m < base->module_count; m++)
        if ((f->rows_of[m] =
                 ARENA_NEW(f->arena, uint32_t, f->changes->pairing.base[m].count, f->err)) == NULL)
            return false;
    for (uint32_t i = 0; i < base->hits_count; i++) {
        struct index_runs runs = index_set_runs(base->hits[i].counts);
        uint32_t first, end, module = base->hits[i].module;
        uint32_t method = index_set_next(&runs, &first, &end) ? method_of[module][first] : 0;
        if (method == 0)
            continue;
        f->row_before[i] = f->rows_of[module][method - 1];
        f->rows_of[module][method - 1] = i + 1;
    }
    return true;
}

static void add_tests(const struct value_search *f, bool *tests, const struct fact_hits *hits)
{
    struct index_runs runs = index_set_runs(hits->tests);
    uint32_t first, end;
    while (index_set_next(&runs, &first, &end))
        for (uint32_t t = first; t < end; t++)
            tests[t] |= is_of_tests(&f->changes->base.tests[t]);
}

static void add_readers(struct value_search *f)
{
    const struct static_field *fields = f->fields.items;
    const struct field_use *uses = f->uses.items;
    for (uint32_t i = 0; i < f->uses.count; i++)
        for (uint32_t row = fields[uses[i].field].readers != NULL
                                ? f->rows_of[uses[i].module][uses[i].method]
                                : 0;
             row != 0; row = f->row_before[row - 1])
            add_tests(f, fields[uses[i].field].readers, &f->changes->base.hits[row - 1]);
}

static bool is_within(struct view set, struct view other)
{
    struct index_runs runs = index_set_runs(set), others = index_set_runs(other);
    uint32_t first, end, from = 0, to = 0;
    while (index_set_next(&runs, &first, &end)) {
        while (to < end && index_set_next(&others, &from, &to))
            ;
        if (first < from || to < end)
            return false;
    }
    return true;
}

/* What all that ran the method ran of it at least: who ran no more may have found the value. 0:
 * some ran what others did not, and the other way round. */
static uint32_t find_least(const struct value_search *f, uint32_t rows)
{
    const struct fact_hits *hits = f->changes->base.hits;
    uint32_t least = rows;
    for (uint32_t row = rows; row != 0; row = f->row_before[row - 1])
        if (is_within(hits[row - 1].counts, hits[least - 1].counts))
            least = row;
    for (uint32_t row = rows; row != 0; row = f->row_before[row - 1])
        if (!is_within(hits[least - 1].counts, hits[row - 1].counts))
            return 0;
    return least;
}

static bool add_value(struct list *out, struct value_search *f, const struct field_use *use)
{
    const struct static_field *field = (const struct static_field *)f->fields.items + use->field;
    uint32_t tests = f->changes->base.test_count, rows = f->rows_of[use->module][use->method];
    struct left_value value = {.makers = ARENA_NEW(f->arena, bool, tests, f->err),
                               .readers = field->readers};
    if (value.makers == NULL)
        return false;
    for (uint32_t row = rows; row != 0; row = f->row_before[row - 1])
        add_tests(f, value.makers, &f->changes->base.hits[row - 1]);
    if (memcmp(value.makers, value.readers, tests) == 0) {
        if (rows != 0 && f->row_before[rows - 1] == 0)
            return !use->asks || list_put(out, &value, sizeof value, f->arena, f->err);
        uint32_t least = find_least(f, rows);
        memset(value.makers, 0, tests);
        for (uint32_t row = rows; row != 0; row = f->row_before[row - 1])
            if (row != least)
                add_tests(f, value.makers, &f->changes->base.hits[row - 1]);
    }
    return list_put(out, &value, sizeof value, f->arena, f->err);
}

bool left_values_find(struct list *out, const struct build_changes *c, uint32_t *const *method_of)
{
    struct arena scratch = ARENA_EMPTY;
    struct value_search f = {
        .changes = c,
        .field_of = ARENA_NEW(c->arena, uint32_t *, c->build->facts.module_count, c->err),
        .rows_of = ARENA_NEW(c->arena, uint32_t *, c->base.module_count, c->err),
        .row_before = ARENA_NEW(c->arena, uint32_t, c->base.hits_count, c->err),
        .arena = c->arena,
        .scratch = &scratch,
        .err = c->err};
    bool ok = f.field_of != NULL && f.rows_of != NULL && f.row_before != NULL &&
              visit_modules(&f, list_fields) && visit_modules(&f, read_module) &&
              chain_rows(&f, method_of);
    if (ok)
        add_readers(&f);
    const struct field_use *uses = f.uses.items;
    for (uint32_t i = 0; ok && i < f.uses.count; i++)
        ok = !uses[i].makes || add_value(out, &f, &uses[i]);
    arena_free(&scratch);
    return ok;
}

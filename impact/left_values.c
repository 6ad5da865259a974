#include "impact/left_values.h"

#include <string.h>

#include "base/sort.h"
#include "coverage/facts/index_set.h"
#include "coverage/merge/align.h"
#include "coverage/names/method_hash.h"
#include "impact/shared_fields.h"
#include "metadata/lookup.h"
#include "metadata/names.h"

/* A method of BASE reads a field or sets it. */
struct field_use {
    uint32_t module, method; /* of its code */
    uint32_t field;
    bool makes;
    bool asks;     /* it makes it where there is none, which has no counts of its own */
    bool is_value; /* of a Lazy */
};

struct value_search {
    const struct build_changes *changes;
    struct shared_fields fields;
    struct left_value *values; /* per field; NULL: nothing is left in it */
    bool *has_function;        /* per field: of a Lazy; who runs that makes the value */
    struct list uses;          /* struct field_use */
    uint32_t **rows_of;   /* per module of BASE and method of its code: 1 + its last hits, or 0 */
    uint32_t *row_before; /* per hits: likewise */
    bool *ran;            /* per test: of one method */
    struct arena *arena, *scratch;
    struct err *err;
};

static const struct shared_field *field_of_use(const struct value_search *f,
                                               const struct field_use *use)
{
    return (const struct shared_field *)f->fields.list.items + use->field;
}

/* --- methods ---------------------------------------------------------------------------------- */

static bool note_field_use(struct value_search *f, const struct field_use *use)
{
    struct left_value *value = &f->values[use->field];
    uint32_t tests = f->changes->base.test_count;
    if (use->makes && value->readers == NULL) {
        value->readers = ARENA_NEW(f->arena, bool, tests, f->err);
        value->makers = ARENA_NEW(f->arena, bool, tests, f->err);
    }
    return (!use->makes || (value->readers != NULL && value->makers != NULL)) &&
           list_put(&f->uses, use, sizeof *use, f->arena, f->err);
}

/* The method of BASE that a function was part of; NULL: of none, or not known. */
static const struct pair *find_function(const struct value_search *f, uint32_t head_module,
                                        uint32_t token)
{
    const struct code *code = &f->changes->pairing.head[head_module];
    const struct pair *pairs = f->changes->pairing.pairs[head_module];
    for (uint32_t i = 0; i < code->count; i++)
        for (uint32_t k = 0; k < code->methods[i].member_count; k++)
            if (code->module->methods[code->methods[i].members[k].method].token == token)
                return pairs[i].module != NO_INDEX ? &pairs[i] : NULL;
    return NULL;
}

/* Who runs the function that a Lazy gets makes its value. */
static bool note_function(struct value_search *f, uint32_t head_module, const struct il *il,
                          uint32_t store, uint32_t field)
{
    const struct pair *function = NULL;
    for (uint32_t i = store; i-- > 0 && function == NULL;) {
        const struct instr *at = &il->instrs[i];
        if ((at->op == OP_STSFLD || at->op == OP_STFLD) &&
            shared_fields_find(&f->fields, head_module, at->operand) != NO_INDEX)
            break;
        if (at->op == OP_LDFTN)
            function = find_function(f, head_module, at->operand);
    }
    if (function == NULL)
        return true;
    f->has_function[field] = true;
    return note_field_use(f, &(struct field_use){.module = function->module,
                                                 .method = function->method,
                                                 .field = field,
                                                 .makes = true});
}

/* What a constructor does to its own is done before any test reads it. */
static bool is_first(const struct metadata *md, const struct fact_method *method,
                     const struct shared_field *field)
{
    return str_is(method->name, ".cctor") ||
           (str_is(method->name, ".ctor") && !field->is_static &&
            owner_of_method(md, TOKEN_RID(method->token)) == field->type);
}

/* Does code before the store go on without it if there is a value? */
static bool asks_before(const struct il *il, uint32_t store)
{
    const struct instr *instrs = il->instrs;
    for (uint32_t i = 0; i < store; i++)
        if ((instrs[i].op == OP_LDSFLD || instrs[i].op == OP_LDFLD) &&
            instrs[i].operand == instrs[store].operand && instrs[i + 1].op == OP_DUP)
            return true;
    return false;
}

/* Is a number that is passed by reference only moved, as a counter is? */
static bool is_moved(const struct metadata *md, const struct il *il, uint32_t load)
{
    uint32_t i = load + 1;
    while (i < il->count && il->instrs[i].op != OP_CALL)
        i++;
    return i < il->count &&
           str_is_one_of(name_of_member(md, il->instrs[i].operand), "Add Decrement Increment");
}

static bool read_use(struct value_search *f, uint32_t head_module, const struct il *il, uint32_t i,
                     const struct fact_method *method, struct field_use *use)
{
    const struct metadata *md = &f->changes->build->modules[head_module].md;
    const struct shared_field *field = field_of_use(f, use);
    const struct instr *at = &il->instrs[i];
    bool is_store = at->op == OP_STSFLD || at->op == OP_STFLD;
    if (is_store && field->is_lazy && !note_function(f, head_module, il, i, use->field))
        return false;
    if (is_first(md, method, field))
        return true;
    if (is_store) {
        use->makes = true;
        use->asks = !field->is_number && asks_before(il, i);
    } else if (at->op == OP_LDSFLDA || at->op == OP_LDFLDA) {
        use->makes = !field->is_fixed && !(field->is_number && is_moved(md, il, i));
        use->asks = use->makes && !field->is_number;
    } else if ((at->op == OP_CALL || at->op == OP_CALLVIRT) &&
               !str_starts(name_of_member(md, at->operand), "get_")) {
        use->makes = use->asks = true; /* an event */
    } else {
        use->makes = use->asks = shared_field_is_changed(field, md, il, i);
        use->is_value = field->is_lazy;
    }
    return note_field_use(f, use);
}

static bool read_code(struct value_search *f, uint32_t head_module,
                      const struct fact_method *method, const struct pair *pair)
{
    struct il_body body;
    struct il il;
    bool has_code = false;
    arena_reset(f->scratch);
    if (!method_hash_decode(&has_code, &body, &il, &f->changes->build->modules[head_module],
                            TOKEN_RID(method->token), f->scratch, f->err))
        return false;
    for (uint32_t i = 0; has_code && i < il.count; i++) {
        if (opcode_info[il.instrs[i].op].operand != OPERAND_TOKEN)
            continue;
        struct field_use use = {.module = pair->module, .method = pair->method};
        use.field = shared_fields_find(&f->fields, head_module, il.instrs[i].operand);
        if (use.field != NO_INDEX && !read_use(f, head_module, &il, i, method, &use))
            return false;
    }
    return true;
}

static bool read_pair(struct value_search *f, uint32_t head_module,
                      const struct code_method *method, const struct pair *pair)
{
    const struct code *code = &f->changes->pairing.head[head_module];
    for (uint32_t k = 0; k < method->member_count; k++)
        if (!read_code(f, head_module, &code->module->methods[method->members[k].method], pair))
            return false;
    return true;
}

/* The methods of the build that are in BASE, too. */
static bool visit_pairs(struct value_search *f,
                        bool (*visit)(struct value_search *f, uint32_t head_module,
                                      const struct code_method *method, const struct pair *pair))
{
    const struct pairing *pairing = &f->changes->pairing;
    for (uint32_t m = 0; m < f->changes->build->facts.module_count; m++)
        for (uint32_t i = 0; i < pairing->head[m].count; i++)
            if (pairing->pairs[m][i].module != NO_INDEX &&
                !visit(f, m, &pairing->head[m].methods[i], &pairing->pairs[m][i]))
                return false;
    return true;
}

/* --- what is gone ----------------------------------------------------------------------------- */

enum {
    CODE_LDFLD = 0x7B,  /* then ldflda, stfld */
    CODE_LDSFLD = 0x7E, /* then ldsflda, stsfld */
};

/* Of a body that is no more there are the hashes of its instructions, sorted. */
static bool read_hashes(struct list *out, struct value_search *f, const struct code *code,
                        const struct code_method *was)
{
    for (uint32_t k = 0; k < was->member_count; k++) {
        struct aligned_body body;
        if (!align_read(&body, code->module->methods[was->members[k].method].instructions,
                        f->scratch, f->err))
            return false;
        for (uint32_t i = 0; i < body.count; i++)
            if (!list_put(out, &body.hashes[i], sizeof body.hashes[i], f->scratch, f->err))
                return false;
    }
    out->count = (uint32_t)sort_distinct(out->items, out->count, sizeof(uint32_t), u32_order);
    return true;
}

/* Did it set the field, pass it by reference, or take what it holds to change it? */
static bool find_old_use(bool *makes, struct value_search *f, const struct shared_field *field,
                         const struct list *hashes, struct str type)
{
    uint8_t first = field->is_static ? CODE_LDSFLD : CODE_LDFLD;
    *makes = false;
    for (uint8_t i = field->may_change ? 0 : 1; i < 3 && !*makes; i++) {
        uint32_t hash = 0;
        if (!method_hash_instruction(&hash, &f->changes->build->hashers[field->module],
                                     (uint8_t)(first + i), TOKEN(TABLE_Field, field->rid), type,
                                     f->scratch, f->err))
            return false;
        *makes = sorted_find(&hash, hashes->items, hashes->count, sizeof hash, u32_order) != NULL;
    }
    return true;
}

static bool note_old_code(struct value_search *f, uint32_t module, uint32_t method)
{
    const struct code *code = &f->changes->pairing.base[module];
    const struct code_method *was = &code->methods[method];
    const struct shared_field *fields = f->fields.list.items;
    struct list hashes = {0};
    arena_reset(f->scratch);
    if (str_is(was->name, ".cctor"))
        return true;
    if (!read_hashes(&hashes, f, code, was))
        return false;
    for (uint32_t i = 0; i < f->fields.list.count; i++) {
        struct field_use use = {.module = module, .method = method, .field = i};
        if (!find_old_use(&use.makes, f, &fields[i], &hashes, was->type) ||
            (use.makes && !note_field_use(f, &use)))
            return false;
    }
    return true;
}

static bool note_if_changed(struct value_search *f, uint32_t head_module,
                            const struct code_method *method, const struct pair *pair)
{
    (void)head_module;
    return same_code_text(method, &f->changes->pairing.base[pair->module].methods[pair->method]) ||
           note_old_code(f, pair->module, pair->method);
}

static bool note_if_gone(struct value_search *f)
{
    const struct pairing *pairing = &f->changes->pairing;
    for (uint32_t m = 0; m < f->changes->base.module_count; m++)
        for (uint32_t i = 0; i < pairing->base[m].count; i++)
            if (!pairing->taken[m][i] && !note_old_code(f, m, i))
                return false;
    return true;
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
    const struct field_use *uses = f->uses.items;
    for (uint32_t i = 0; i < f->uses.count; i++)
        for (uint32_t row = f->values[uses[i].field].readers != NULL
                                ? f->rows_of[uses[i].module][uses[i].method]
                                : 0;
             row != 0; row = f->row_before[row - 1])
            add_tests(f, f->values[uses[i].field].readers, &f->changes->base.hits[row - 1]);
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

/* Who may have made what the readers found. */
static void add_makers(struct value_search *f, const struct field_use *use)
{
    const struct left_value *value = &f->values[use->field];
    uint32_t tests = f->changes->base.test_count, least = 0;
    uint32_t rows = f->rows_of[use->module][use->method];
    memset(f->ran, 0, tests);
    for (uint32_t row = rows; row != 0; row = f->row_before[row - 1])
        add_tests(f, f->ran, &f->changes->base.hits[row - 1]);
    if (!use->asks && memcmp(f->ran, value->readers, tests) == 0) {
        if (rows == 0 || f->row_before[rows - 1] == 0)
            return;
        least = find_least(f, rows);
    }
    for (uint32_t row = rows; row != 0; row = f->row_before[row - 1])
        if (row != least)
            add_tests(f, value->makers, &f->changes->base.hits[row - 1]);
}

static bool find_values(struct value_search *f, uint32_t *const *method_of)
{
    const struct build_changes *c = f->changes;
    f->values = ARENA_NEW(f->arena, struct left_value, f->fields.list.count, f->err);
    f->has_function = ARENA_NEW(f->arena, bool, f->fields.list.count, f->err);
    f->rows_of = ARENA_NEW(f->arena, uint32_t *, c->base.module_count, f->err);
    f->row_before = ARENA_NEW(f->arena, uint32_t, c->base.hits_count, f->err);
    f->ran = ARENA_NEW(f->arena, bool, c->base.test_count, f->err);
    if (f->values == NULL || f->has_function == NULL || f->rows_of == NULL ||
        f->row_before == NULL || f->ran == NULL || !chain_rows(f, method_of) ||
        !visit_pairs(f, read_pair) || !visit_pairs(f, note_if_changed) || !note_if_gone(f))
        return false;
    add_readers(f);
    const struct field_use *uses = f->uses.items;
    for (uint32_t i = 0; i < f->uses.count; i++)
        if (uses[i].makes && !(uses[i].is_value && f->has_function[uses[i].field]))
            add_makers(f, &uses[i]);
    return true;
}

bool left_values_find(struct list *out, const struct build_changes *c, uint32_t *const *method_of)
{
    struct arena scratch = ARENA_EMPTY;
    struct value_search f = {.changes = c, .arena = c->arena, .scratch = &scratch, .err = c->err};
    bool ok =
        shared_fields_open(&f.fields, c->build, c->arena, c->err) && find_values(&f, method_of);
    for (uint32_t i = 0; ok && i < f.fields.list.count; i++)
        ok = f.values[i].makers == NULL ||
             list_put(out, &f.values[i], sizeof *f.values, c->arena, c->err);
    arena_free(&scratch);
    return ok;
}

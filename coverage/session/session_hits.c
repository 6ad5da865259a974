#include "coverage/session/session_hits.h"

#include <string.h>

#include "base/list.h"
#include "base/number.h"
#include "coverage/session/session_text.h"

enum {
    DIGIT_BITS = 5
};

/* --- compact numbers -------------------------------------------------------------------------- */

/* The next number of a text that is not empty. */
static bool take_compact(uint32_t *out, struct str *text)
{
    uint32_t value = 0;
    for (unsigned shift = 0; text->len != 0 && shift < 32; shift += DIGIT_BITS) {
        uint32_t digit = (uint32_t)(uint8_t)*text->text - HITS_FIRST_CHARACTER;
        *text = (struct str){text->text + 1, text->len - 1};
        if (digit >= 2 * HITS_DIGIT)
            return false;
        uint32_t bits = digit % HITS_DIGIT;
        if (bits << shift >> shift != bits)
            return false;
        value |= bits << shift;
        if (digit < HITS_DIGIT) {
            *out = value;
            return true;
        }
    }
    return false;
}

bool session_hits_runs(uint8_t *hit, uint32_t count, struct str runs, struct err *err)
{
    uint32_t at = 0;
    while (runs.len != 0) {
        uint32_t gap = 0, len = 0;
        if (!take_compact(&gap, &runs) || !take_compact(&len, &runs) || gap > count - at ||
            len > count - at - gap)
            return err_set(err, ERR_FORMAT, "hits of a method that it does not have");
        memset(hit + at + gap, 1, len);
        at += gap + len;
    }
    return true;
}

/* --- lines ------------------------------------------------------------------------------------ */

struct hits_parse {
    struct session_hits *out;
    struct list contexts, vectors, hits, counts;
    struct arena *arena;
    struct err *err;
};

static bool is_malformed(const struct hits_parse *p, const char *what)
{
    return err_set(p->err, ERR_FORMAT, "'%s' has a malformed field", what);
}

/* A number from 1 to `most`. */
static bool take_index(uint32_t *out, struct str field, uint32_t most)
{
    if (!session_parse_u32(out, field) || *out == 0 || *out > most)
        return false;
    --*out;
    return true;
}

static bool take_began(struct hits_parse *p, const struct str *fields)
{
    uint64_t ns = 0;
    if (!session_parse_number(&ns, fields[1], 10) || ns > INT64_MAX)
        return is_malformed(p, HITS_BEGAN);
    p->out->began = (int64_t)ns;
    return true;
}

static bool take_context(struct hits_parse *p, const struct str *fields)
{
    uint32_t number = 0, kind = 0;
    struct session_context *context = list_add(&p->contexts, sizeof *context, p->arena, p->err);
    if (context == NULL)
        return false;
    *context = (struct session_context){.type = fields[5]};
    if (!session_parse_u32(&number, fields[1]) || number != p->contexts.count ||
        !session_parse_u32(&kind, fields[2]) || kind > CONTEXT_STATIC ||
        !session_parse_mvid(context->mvid, fields[3]) ||
        !session_parse_u32(&context->rid, fields[4]))
        return is_malformed(p, HITS_CONTEXT);
    context->kind = (enum context_kind)kind;
    return true;
}

/* If it ran several times, as a theory does: it threw if one of them did. */
static bool take_over(struct hits_parse *p, const struct str *fields)
{
    uint32_t index = 0, returned = 0;
    uint64_t ns = 0, rows = 0;
    if (!take_index(&index, fields[1], p->contexts.count) ||
        !session_parse_number(&ns, fields[2], 10) || !session_parse_number(&rows, fields[3], 10) ||
        !session_parse_u32(&returned, fields[4]))
        return is_malformed(p, HITS_OVER);
    struct session_context *context = (struct session_context *)p->contexts.items + index;
    context->ns = number_add(context->ns, ns);
    context->rows = number_add(context->rows, rows);
    if (returned == HITS_THREW || context->end == CONTEXT_RUNS)
        context->end = returned == HITS_THREW      ? CONTEXT_THREW
                       : returned == HITS_RETURNED ? CONTEXT_RETURNED
                                                   : CONTEXT_RUNS;
    return true;
}

static bool take_outlives(struct hits_parse *p, const struct str *fields)
{
    uint32_t index = 0;
    if (!take_index(&index, fields[1], p->contexts.count))
        return is_malformed(p, HITS_OUTLIVES);
    ((struct session_context *)p->contexts.items)[index].outlives = true;
    return true;
}

static bool take_counts_name(struct hits_parse *p, const struct str *fields)
{
    uint32_t number = 0;
    struct session_counts_name *counts = list_add(&p->counts, sizeof *counts, p->arena, p->err);
    if (counts == NULL)
        return false;
    *counts = (struct session_counts_name){.name = fields[2]};
    return (session_parse_u32(&number, fields[1]) && number == p->counts.count) ||
           is_malformed(p, HITS_COUNTS);
}

static bool take_unsure(struct hits_parse *p, const struct str *fields)
{
    uint32_t index = 0;
    if (!take_index(&index, fields[1], p->counts.count))
        return is_malformed(p, HITS_UNSURE);
    ((struct session_counts_name *)p->counts.items)[index].is_unsure = true;
    return true;
}

static bool take_vector(struct hits_parse *p, const struct str *fields)
{
    uint32_t number = 0;
    struct session_vector *vector = list_add(&p->vectors, sizeof *vector, p->arena, p->err);
    if (vector == NULL)
        return false;
    *vector = (struct session_vector){.runs = fields[4]};
    return (session_parse_u32(&number, fields[1]) && number == p->vectors.count &&
            take_index(&vector->counts, fields[2], p->counts.count) &&
            session_parse_u32(&vector->rid, fields[3]) && vector->rid != 0) ||
           is_malformed(p, HITS_VECTOR);
}

static bool take_hits(struct hits_parse *p, const struct str *fields)
{
    uint32_t context = 0;
    struct str vectors = fields[2];
    if (!take_index(&context, fields[1], p->contexts.count))
        return is_malformed(p, HITS_HITS);
    while (vectors.len != 0) {
        uint32_t number = 0;
        if (!take_compact(&number, &vectors) || number == 0 || number > p->vectors.count)
            return is_malformed(p, HITS_HITS);
        const struct session_hit added = {context, number - 1};
        if (!list_put(&p->hits, &added, sizeof added, p->arena, p->err))
            return false;
    }
    return true;
}

static const struct {
    const char *keyword;
    uint32_t field_count; /* with the keyword */
    bool (*take)(struct hits_parse *p, const struct str *fields);
    bool is_compact; /* its last field has nothing to unescape */
} items[] = {
    {HITS_BEGAN, 2, take_began, false},        {HITS_CONTEXT, 6, take_context, false},
    {HITS_OVER, 5, take_over, false},          {HITS_OUTLIVES, 2, take_outlives, false},
    {HITS_COUNTS, 3, take_counts_name, false}, {HITS_UNSURE, 2, take_unsure, false},
    {HITS_VECTOR, 5, take_vector, true},       {HITS_HITS, 3, take_hits, true},
};

static bool take_hits_line(struct hits_parse *p, struct str text)
{
    struct session_line line;
    struct str rest = text, keyword = str_take_until(&rest, '\t');
    size_t kind = 0;
    while (kind < ARRAY_LEN(items) && !str_is(keyword, items[kind].keyword))
        kind++;
    if (kind == ARRAY_LEN(items))
        return err_set(p->err, ERR_FORMAT, "the keyword is unknown");
    if (!items[kind].is_compact) {
        if (!session_parse_line(&line, text, p->arena, p->err))
            return false;
    } else {
        bool more = true;
        for (line.field_count = 0; line.field_count < SESSION_FIELDS_MAX && more;) {
            size_t left = text.len;
            line.fields[line.field_count] = str_take_until(&text, '\t');
            more = line.fields[line.field_count++].len < left;
        }
    }
    if (line.field_count != items[kind].field_count)
        return err_set(p->err, ERR_FORMAT, "'%s' has %u fields instead of %u", items[kind].keyword,
                       line.field_count, items[kind].field_count);
    return items[kind].take(p, line.fields);
}

bool session_parse_hits(struct session_hits *out, struct str name, struct view file,
                        struct arena *arena, struct err *err)
{
    struct hits_parse p = {.out = out, .arena = arena, .err = err};
    struct str text = {(const char *)file.data, file.len};
    *out = (struct session_hits){.process = name};
    (void)str_take_until(&out->process, '-');
    while (text.len != 0 && text.text[text.len - 1] != '\n')
        text.len--;
    for (size_t row = 1; text.len != 0; row++) {
        if (take_hits_line(&p, str_take_until(&text, '\n')))
            continue;
        err_prefix(err, "line %zu", row);
        return false;
    }
    out->contexts = p.contexts.items;
    out->context_count = p.contexts.count;
    out->vectors = p.vectors.items;
    out->vector_count = p.vectors.count;
    out->hits = p.hits.items;
    out->hit_count = p.hits.count;
    out->counts = p.counts.items;
    out->counts_count = p.counts.count;
    return true;
}

bool session_parse_contexts(struct session_hits *hits, struct view file, struct err *err)
{
    if (file.len == 0)
        return true; /* there was no room for it: nothing was told apart */
    if (file.len < sizeof hits->of_shard)
        return err_set(err, ERR_FORMAT, "it has %zu bytes instead of %zu", file.len,
                       sizeof hits->of_shard);
    for (uint32_t i = 0; i < SHARDS_MAX; i++) {
        uint32_t context = load_u32(file.data + i * sizeof context);
        bool is_newer = context > hits->context_count && context != CONTEXT_OF_KEPT;
        hits->of_shard[i] = is_newer ? 0 : context;
    }
    return true;
}

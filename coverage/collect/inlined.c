#include "coverage/collect/inlined.h"

#include <stdlib.h>

#include "base/fnv.h"
#include "base/sort.h"
#include "coverage/collect/module_builder.h"
#include "metadata/lookup.h"
#include "metadata/names.h"

enum {
    METHOD_STATIC = 0x10,
    METHOD_VIRTUAL = 0x40
};

uint64_t inlined_name_hash(struct str name)
{
    if (str_starts(name, "``") && str_ends(name, "``") && name.len > 4)
        name = (struct str){name.text + 2, name.len - 4};
    return fnv_bytes(FNV_START, name.text, name.len);
}

uint64_t inlined_member_hash(struct str type, struct str name)
{
    return fnv_bytes(fnv_bytes(FNV_START, type.text, type.len), name.text, name.len);
}

int inlined_hash_order(const void *left, const void *right)
{
    return number_order(*(const uint64_t *)left, *(const uint64_t *)right);
}

/* --- which methods may be inlined ------------------------------------------------------------- */

struct inline_noting {
    struct inlined_functions *out;
    struct module_builder *g;
    const struct metadata *md;
    bool *ran;           /* per method: something of its user method did */
    bool *has_lines;     /* likewise: it has a statement */
    bool *is_named;      /* per method row: an instruction names it */
    uint32_t *candidate; /* per method: the candidate that it is part of, or NO_INDEX */
    uint64_t *names;     /* hashes of the names of all methods, ascending */
    struct arena *scratch;
    struct err *err;
};

static const struct fact_method *methods_of(const struct inline_noting *n)
{
    return n->g->methods.items;
}

static bool has_count(const struct inline_noting *n, uint32_t index)
{
    return index != NO_INDEX && ((const uint64_t *)n->g->counts.items)[index] != 0;
}

static void find_ran(struct inline_noting *n)
{
    const struct fact_method *methods = methods_of(n);
    const struct fact_statement *statements = n->g->statements.items;
    for (uint32_t i = 0; i < n->g->methods.count; i++)
        n->ran[methods[i].user_method] |= has_count(n, methods[i].entry_count);
    for (uint32_t i = 0; i < n->g->statements.count; i++)
        n->ran[methods[statements[i].method].user_method] |= has_count(n, statements[i].count);
    for (uint32_t i = 0; i < n->g->statements.count; i++)
        n->has_lines[methods[statements[i].method].user_method] = true;
}

/* In the code of its own module; a generic type refers to its own methods as other modules do. */
static void note_operand(struct inline_noting *n, uint32_t operand)
{
    uint32_t token = method_of_instance(n->md, operand), rid = TOKEN_RID(token);
    if (TOKEN_TABLE(token) == TABLE_MethodDef && rid != 0 && rid <= n->g->row_count)
        n->is_named[rid - 1] = true;
}

static bool find_named(struct inline_noting *n)
{
    for (uint32_t rid = 1; rid <= n->g->row_count; rid++) {
        struct il_body body;
        struct il il;
        bool has_code;
        struct arena code = ARENA_EMPTY;
        bool ok = method_hash_decode(&has_code, &body, &il, n->g->module, rid, &code, n->err);
        for (uint32_t i = 0; ok && has_code && i < il.count; i++)
            if (il_info(&il.instrs[i])->operand == OPERAND_TOKEN)
                note_operand(n, il.instrs[i].operand);
        arena_free(&code);
        if (!ok)
            return false;
    }
    return true;
}

/* The runtime calls what is virtual, a static constructor, and where the program starts. */
static bool may_be_inlined(const struct inline_noting *n, uint32_t index)
{
    const struct fact_method *method = &methods_of(n)[index];
    uint32_t rid = TOKEN_RID(method->token);
    uint32_t flags = tables_get(&n->md->tables, COL_MethodDef_Flags, rid);
    return method->user_method == index && method->state == METHOD_INSTRUMENTED &&
           method->reason == NULL && method->entry_count != NO_INDEX && !n->ran[index] &&
           n->has_lines[index] && !n->is_named[rid - 1] && (flags & METHOD_VIRTUAL) == 0 &&
           !has_attribute(n->md, method->token, "Microsoft.FSharp.Core.EntryPointAttribute", NULL);
}

static bool add_inlined_candidate(struct inline_noting *n, uint32_t index)
{
    struct fact_method *method = (struct fact_method *)n->g->methods.items + index;
    uint32_t rid = TOKEN_RID(method->token);
    struct fsharp_names names;
    struct inlined_candidate *added =
        list_add(&n->out->candidates, sizeof *added, n->out->arena, n->err);
    if (added == NULL)
        return false;
    *added = (struct inlined_candidate){.method = method};
    n->candidate[index] = n->out->candidates.count - 1;
    fsharp_names_find(&names, n->md, rid);
    bool is_static = (tables_get(&n->md->tables, COL_MethodDef_Flags, rid) & METHOD_STATIC) != 0;
    added->is_member = !is_static || names.is_extension;
    added->is_of_builder = names.has_builders;
    for (; added->name_count < names.count; added->name_count++)
        added->names[added->name_count] = inlined_name_hash(names.items[added->name_count]);
    if (!name_type(&added->type, n->md, TOKEN(TABLE_TypeDef, owner_of_method(n->md, rid)),
                   n->out->arena, n->err))
        return false;
    added->member = inlined_member_hash(added->type, row_string(n->md, COL_MethodDef_Name, rid));
    return true;
}

/* With the lambdas in it. */
static bool list_candidates(struct inline_noting *n)
{
    bool any = false;
    for (uint32_t i = 0; i < n->g->methods.count; i++)
        any = any || !n->ran[methods_of(n)[i].user_method];
    if (!any || n->g->request->counters == NULL || n->g->request->is_outline)
        return true;
    if (!find_named(n))
        return false;
    for (uint32_t i = 0; i < n->g->methods.count; i++)
        if (may_be_inlined(n, i) && !add_inlined_candidate(n, i))
            return false;
    for (uint32_t i = 0; i < n->g->methods.count; i++)
        n->candidate[i] = n->candidate[methods_of(n)[i].user_method];
    return true;
}

/* --- what statements name --------------------------------------------------------------------- */

/* A statement that ran, or that of a candidate, in bytes of its source. */
struct naming_statement {
    uint32_t start, end;
    uint32_t method; /* index */
    bool ran;
};

/* Of two around each other the outer one comes first. */
ORDER(order_naming, struct naming_statement,
      BY(start) BY_ORDER(number_order(b->end, a->end)) BY_ORDER(number_order(b->ran, a->ran)))

static bool list_naming(struct list *out, struct inline_noting *n, uint32_t document,
                        const struct line_index *text)
{
    const struct fact_statement *statements = n->g->statements.items;
    bool all_ran = n->g->request->counters == NULL;
    for (uint32_t i = 0; i < n->g->statements.count; i++) {
        const struct fact_statement *from = &statements[i];
        struct naming_statement added = {.method = from->method,
                                         .ran = all_ran || has_count(n, from->count)};
        if (from->document == document &&
            line_index_offset(&added.start, text, from->start_line, from->start_column) &&
            line_index_offset(&added.end, text, from->end_line, from->end_column) &&
            !list_put(out, &added, sizeof added, n->scratch, n->err))
            return false;
    }
    sort_unless_sorted(out->items, out->count, sizeof(struct naming_statement), order_naming);
    return true;
}

/* Has the type of the method, or one around it, a method of this name? Its name hides others. */
static uint64_t own_qualifier(const struct inline_noting *n, uint32_t method, struct str name)
{
    uint32_t rid = TOKEN_RID(methods_of(n)[methods_of(n)[method].user_method].token);
    uint64_t hash = inlined_name_hash(name);
    if (sorted_find(&hash, n->names, n->g->row_count, sizeof hash, inlined_hash_order) == NULL)
        return MENTION_BARE;
    for (uint32_t type = owner_of_method(n->md, rid); type != 0;
         type = enclosing_type(n->md, type)) {
        struct row_range range =
            tables_list(&n->md->tables, COL_TypeDef_MethodList, type, TABLE_MethodDef);
        for (rid = range.first; rid < range.end; rid++)
            if (str_eq(row_string(n->md, COL_MethodDef_Name, rid), name))
                return inlined_name_hash(row_string(n->md, COL_TypeDef_TypeName, type));
    }
    return MENTION_BARE;
}

static bool add_mention(struct inline_noting *n, struct str name, uint64_t qualifier,
                        const struct naming_statement *by)
{
    const struct inlined_mention added = {
        .name = inlined_name_hash(name),
        .qualifier = qualifier == MENTION_BARE ? own_qualifier(n, by->method, name) : qualifier,
        .by = by->ran ? NO_INDEX : n->candidate[by->method]};
    return (!by->ran && added.by == NO_INDEX) ||
           list_put(&n->out->mentions, &added, sizeof added, n->out->arena, n->err);
}

/* The words in the holes of $"{a} {b}". */
static bool add_of_literal(struct inline_noting *n, struct str text,
                           const struct naming_statement *by)
{
    unsigned depth = 0;
    for (size_t i = 0; str_starts(text, "$") && i < text.len; i++) {
        struct str word = depth != 0 ? str_word(str_from(text, i)) : STR("");
        depth += text.text[i] == '{';
        depth -= text.text[i] == '}' && depth != 0;
        if (word.len != 0 && !add_mention(n, word, MENTION_OF_VALUE, by))
            return false;
        i += word.len - (word.len != 0);
    }
    return true;
}

static bool add_of_token(struct inline_noting *n, const struct tokens *tokens, uint32_t i,
                         const struct naming_statement *by)
{
    struct str text = tokens_text(tokens, i);
    uint64_t qualifier = MENTION_BARE;
    if (tokens->items[i].kind == TOKEN_LITERAL)
        return add_of_literal(n, text, by);
    if (tokens->items[i].kind != TOKEN_WORD && tokens->items[i].kind != TOKEN_OPERATOR)
        return true;
    if (i != 0 && tokens_is_sign(tokens, i - 1, "."))
        qualifier = i > 1 && tokens->items[i - 2].kind == TOKEN_WORD
                        ? inlined_name_hash(tokens_text(tokens, i - 2))
                        : MENTION_OF_VALUE;
    return add_mention(n, text, qualifier, by);
}

/* A token belongs to the innermost statement around it. */
static bool add_mentions(struct inline_noting *n, const struct tokens *tokens,
                         const struct naming_statement *statements, uint32_t count)
{
    const struct naming_statement **open =
        ARENA_NEW(n->scratch, const struct naming_statement *, count, n->err);
    uint32_t depth = 0, next = 0;
    for (uint32_t i = 0; open != NULL && i < tokens->count; i++) {
        uint32_t at = tokens->items[i].start;
        for (; next < count && statements[next].start <= at; next++)
            if (next == 0 || statements[next].start != statements[next - 1].start ||
                statements[next].end != statements[next - 1].end) /* a copy: the first ran */
                open[depth++] = &statements[next];
        while (depth != 0 && open[depth - 1]->end <= at)
            depth--;
        if (depth != 0 && !add_of_token(n, tokens, i, open[depth - 1]))
            return false;
    }
    return open != NULL;
}

static bool note_names_of_document(struct inline_noting *n, uint32_t rid)
{
    const struct tokens *tokens = NULL;
    const struct line_index *text = NULL;
    struct list statements = {.items = NULL};
    uint32_t document = n->g->documents.index_of[rid - 1];
    if (document == NO_INDEX)
        return true;
    if (!documents_tokens(&tokens, &n->g->documents, rid, n->err) ||
        !documents_text(&text, &n->g->documents, rid, n->err))
        return false;
    return tokens == NULL || (list_naming(&statements, n, document, text) &&
                              add_mentions(n, tokens, statements.items, statements.count));
}

bool inlined_note_module(struct inlined_functions *inlined, struct module_builder *g,
                         struct err *err)
{
    const struct metadata *md = &g->module->md;
    struct inline_noting n = {.out = inlined, .g = g, .md = md, .scratch = &g->working, .err = err};
    if (!md->optimised || !compiled_by_fsharp(md) || !g->module->has_pdb)
        return true;
    n.ran = ARENA_NEW(n.scratch, bool, g->methods.count, err);
    n.has_lines = ARENA_NEW(n.scratch, bool, g->methods.count, err);
    n.is_named = ARENA_NEW(n.scratch, bool, g->row_count, err);
    n.candidate = arena_no_indexes(n.scratch, g->methods.count, err);
    n.names = ARENA_NEW(n.scratch, uint64_t, g->row_count, err);
    if (n.ran == NULL || n.has_lines == NULL || n.is_named == NULL || n.candidate == NULL ||
        n.names == NULL)
        return false;
    for (uint32_t rid = 1; rid <= g->row_count; rid++)
        n.names[rid - 1] = inlined_name_hash(row_string(md, COL_MethodDef_Name, rid));
    qsort(n.names, g->row_count, sizeof *n.names, inlined_hash_order);
    find_ran(&n);
    if (!list_candidates(&n))
        return false;
    uint32_t documents = tables_rows(&g->module->pdb.md.tables, TABLE_Document);
    for (uint32_t rid = 1; rid <= documents; rid++)
        if (!note_names_of_document(&n, rid))
            return false;
    return true;
}

#include "impact/references.h"

struct token_uses {
    bool is_known;
    uint8_t looks;
    struct list found;
};

bool references_open(struct references *out, struct method_hasher *hasher,
                     const struct lookers *lookers, const struct str *names, uint32_t name_count,
                     struct arena *arena, struct err *err)
{
    *out = (struct references){.hasher = hasher, .lookers = lookers, .arena = arena};
    return type_names_open(&out->names, names, name_count, arena, err);
}

static void forget_found(struct references *m)
{
    m->found.count = 0;
    m->looks = 0;
}

static bool add_token_uses(struct references *m, uint32_t token, struct err *err)
{
    uint32_t table = TOKEN_TABLE(token), rid = TOKEN_RID(token);
    uint32_t rows =
        table < TABLE_COUNT ? tables_rows(&m->hasher->md->tables, (enum table_id)table) : 0;
    struct str text;
    if (rid == 0 || rid > rows)
        return true;
    if (m->of_token[table] == NULL &&
        (m->of_token[table] = ARENA_NEW(m->arena, struct token_uses, (size_t)rows + 1, err)) ==
            NULL)
        return false;
    struct token_uses *uses = &m->of_token[table][rid];
    if (!uses->is_known) {
        if (!method_hash_token(&text, m->hasher, token, err) ||
            !type_names_find(&uses->found, &m->names, text, m->arena, err))
            return false;
        uses->looks = lookers_of_token(m->lookers, m->hasher->md, token, text);
        uses->is_known = true;
    }
    m->looks |= uses->looks;
    for (uint32_t i = 0; i < uses->found.count; i++)
        if (!type_names_add(&m->found, ((const uint32_t *)uses->found.items)[i], m->arena, err))
            return false;
    return true;
}

static bool add_type_uses(struct references *m, struct reader *r, struct err *err)
{
    struct err ignored = {0};
    struct str type;
    struct text text = text_in(m->arena);
    if (!name_signature_type(&text, m->hasher->md, r, &ignored))
        return ignored.code != ERR_MEMORY || err_set(err, ERR_MEMORY, "%s", ignored.text);
    return text_take(&type, &text, err) &&
           method_hash_strip(&type, m->hasher, type, m->arena, err) &&
           type_names_find(&m->found, &m->names, type, m->arena, err);
}

bool references_of_token(struct references *m, uint32_t token, struct err *err)
{
    forget_found(m);
    return add_token_uses(m, token, err);
}

bool references_of_type(struct references *m, struct reader *r, struct err *err)
{
    forget_found(m);
    return add_type_uses(m, r, err);
}

static bool add_local_uses(struct references *m, uint32_t local_sig, struct err *err)
{
    struct view types;
    struct err ignored = {0};
    uint32_t count = 0;
    if (!sig_locals(&count, &types, m->hasher->md, local_sig, &ignored))
        return true;
    struct reader r = rd_view(types);
    for (uint32_t i = 0; i < count && !r.failed; i++)
        if (!add_type_uses(m, &r, err))
            return false;
    return true;
}

static bool add_code_uses(struct references *m, const struct il_body *body, const struct il *il,
                          struct err *err)
{
    for (uint32_t i = 0; i < il->count; i++)
        if (il_info(&il->instrs[i])->operand == OPERAND_TOKEN && il->instrs[i].op != OP_LDSTR &&
            !add_token_uses(m, il->instrs[i].operand, err))
            return false;
    for (uint32_t i = 0; i < body->clause_count; i++)
        if (body->clauses[i].flags == EH_CATCH &&
            !add_token_uses(m, body->clauses[i].class_token, err))
            return false;
    return true;
}

bool references_of_method(struct references *m, uint32_t rid, struct arena *scratch,
                          struct err *err)
{
    struct il_body body;
    struct il il;
    bool has_code = false;
    forget_found(m);
    if (!add_token_uses(m, TOKEN(TABLE_MethodDef, rid), err) ||
        !method_hash_decode(&has_code, &body, &il, m->hasher->module, rid, scratch, err))
        return false;
    m->looks = 0; /* a function without code looks when it is called */
    return !has_code ||
           (add_code_uses(m, &body, &il, err) && add_local_uses(m, body.local_sig, err));
}

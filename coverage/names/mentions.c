#include "coverage/names/mentions.h"

#include <string.h>

#include "coverage/names/type_text.h"
#include "metadata/lookup.h"

bool mentions_open(struct mentions *out, const struct module *module, const struct str *names,
                   uint32_t name_count, struct arena *arena, struct err *err)
{
    *out = (struct mentions){
        .module = module, .names = names, .name_count = name_count, .arena = arena};
    return identity_open(&out->identity, &module->md, arena, err);
}

void mentions_close(struct mentions *mentions)
{
    identity_close(&mentions->identity);
}

static uint32_t find_name(const struct mentions *m, struct str text)
{
    for (uint32_t i = 0; i < m->name_count; i++)
        if (type_text_find(text, m->names[i]) != NULL)
            return i;
    return m->name_count;
}

bool mentions_of_token(uint32_t *name, struct mentions *m, uint32_t token, struct err *err)
{
    uint32_t table = TOKEN_TABLE(token), rid = TOKEN_RID(token);
    uint32_t rows =
        table < TABLE_COUNT ? tables_rows(&m->module->md.tables, (enum table_id)table) : 0;
    struct str text;
    *name = NO_INDEX;
    if (rid == 0 || rid > rows)
        return true;
    if (m->of_token[table] == NULL &&
        (m->of_token[table] = ARENA_NEW(m->arena, uint32_t, (size_t)rows + 1, err)) == NULL)
        return false;
    uint32_t *known = &m->of_token[table][rid];
    if (*known == 0) {
        if (!identity_token(&text, &m->identity, token, err))
            return false;
        *known = 1 + find_name(m, text);
    }
    if (*known <= m->name_count)
        *name = *known - 1;
    return true;
}

static bool in_locals(uint32_t *name, struct mentions *m, uint32_t local_sig, struct err *err)
{
    struct view types;
    struct err ignored = {0};
    uint32_t count = 0;
    if (!sig_locals(&count, &types, &m->module->md, local_sig, &ignored))
        return true;
    struct reader r = rd_view(types);
    for (uint32_t i = 0; i < count && *name == NO_INDEX; i++) {
        struct text text;
        struct str type;
        text_open(&text, m->arena);
        if (!name_signature_type(&text, &m->module->md, &r, &ignored))
            return ignored.code != ERR_MEMORY || err_set(err, ERR_MEMORY, "%s", ignored.text);
        if (!text_take(&type, &text, err) || !identity_plain(&type, type, m->arena, err))
            return false;
        uint32_t found = find_name(m, type);
        if (found < m->name_count)
            *name = found;
    }
    return true;
}

static bool in_code(uint32_t *name, struct mentions *m, const struct il_body *body,
                    const struct il *il, struct err *err)
{
    for (uint32_t i = 0; i < il->count && *name == NO_INDEX; i++)
        if (il_info(&il->instrs[i])->operand == OPERAND_TOKEN && il->instrs[i].op != OP_LDSTR &&
            !mentions_of_token(name, m, il->instrs[i].operand, err))
            return false;
    for (uint32_t i = 0; i < body->clause_count && *name == NO_INDEX; i++)
        if (body->clauses[i].flags == EH_CATCH &&
            !mentions_of_token(name, m, body->clauses[i].class_token, err))
            return false;
    return true;
}

bool mentions_of_method(uint32_t *name, struct mentions *m, uint32_t rid, struct arena *scratch,
                        struct err *err)
{
    struct method_def def;
    struct il_body body;
    struct il il;
    /* with the type that it is in */
    if (!mentions_of_token(name, m, TOKEN(TABLE_MethodDef, rid), err))
        return false;
    if (*name != NO_INDEX || !module_method(&def, m->module, rid))
        return true;
    enum verdict verdict = body_parse(&body, def.body, scratch);
    if (verdict == VERDICT_OK)
        verdict = il_decode(&il, &body, scratch);
    if (verdict == VERDICT_REFUSED_MEMORY)
        return err_set(err, ERR_MEMORY, "out of memory: method %u needs more", rid);
    return verdict != VERDICT_OK ||
           (in_code(name, m, &body, &il, err) &&
            (*name != NO_INDEX || in_locals(name, m, body.local_sig, err)));
}

#include "coverage/names/references.h"

#include <string.h>

bool references_open(struct references *out, const struct module *module, const struct str *names,
                     uint32_t name_count, struct arena *arena, struct err *err)
{
    *out = (struct references){.module = module, .name_count = name_count, .arena = arena};
    return type_names_open(&out->names, names, name_count, arena, err) &&
           method_hash_open(&out->hasher, module, arena, err);
}

void references_close(struct references *references)
{
    method_hash_close(&references->hasher);
}

static uint32_t find_name(const struct references *m, struct str text)
{
    uint32_t found = type_names_find(&m->names, text);
    return found != NO_INDEX ? found : m->name_count;
}

bool references_of_token(uint32_t *name, struct references *m, uint32_t token, struct err *err)
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
        if (!method_hash_token(&text, &m->hasher, token, err))
            return false;
        *known = 1 + find_name(m, text);
    }
    if (*known <= m->name_count)
        *name = *known - 1;
    return true;
}

bool references_of_type(uint32_t *name, struct references *m, struct reader *r, struct err *err)
{
    struct err ignored = {0};
    struct str type;
    struct text text = text_in(m->arena);
    *name = NO_INDEX;
    if (!name_signature_type(&text, &m->module->md, r, &ignored))
        return ignored.code != ERR_MEMORY || err_set(err, ERR_MEMORY, "%s", ignored.text);
    if (!text_take(&type, &text, err) || !method_hash_strip(&type, &m->hasher, type, m->arena, err))
        return false;
    uint32_t found = find_name(m, type);
    if (found < m->name_count)
        *name = found;
    return true;
}

static bool find_in_locals(uint32_t *name, struct references *m, uint32_t local_sig,
                           struct err *err)
{
    struct view types;
    struct err ignored = {0};
    uint32_t count = 0;
    if (!sig_locals(&count, &types, &m->module->md, local_sig, &ignored))
        return true;
    struct reader r = rd_view(types);
    for (uint32_t i = 0; i < count && !r.failed && *name == NO_INDEX; i++)
        if (!references_of_type(name, m, &r, err))
            return false;
    return true;
}

static bool find_in_code(uint32_t *name, struct references *m, const struct il_body *body,
                         const struct il *il, struct err *err)
{
    for (uint32_t i = 0; i < il->count && *name == NO_INDEX; i++)
        if (il_info(&il->instrs[i])->operand == OPERAND_TOKEN && il->instrs[i].op != OP_LDSTR &&
            !references_of_token(name, m, il->instrs[i].operand, err))
            return false;
    for (uint32_t i = 0; i < body->clause_count && *name == NO_INDEX; i++)
        if (body->clauses[i].flags == EH_CATCH &&
            !references_of_token(name, m, body->clauses[i].class_token, err))
            return false;
    return true;
}

bool references_of_method(uint32_t *name, struct references *m, uint32_t rid, struct arena *scratch,
                          struct err *err)
{
    struct il_body body;
    struct il il;
    bool has_code = false;
    /* with the type that it is in */
    if (!references_of_token(name, m, TOKEN(TABLE_MethodDef, rid), err))
        return false;
    if (*name != NO_INDEX)
        return true;
    return method_hash_decode(&has_code, &body, &il, m->module, rid, scratch, err) &&
           (!has_code || (find_in_code(name, m, &body, &il, err) &&
                          (*name != NO_INDEX || find_in_locals(name, m, body.local_sig, err))));
}

/* --- types that are handed over --------------------------------------------------------------- */

/* Generic code of these keeps, compares and passes on objects, and looks at no members. */
static const char *const keepers[] = {"System.Collections.",
                                      "System.Linq.",
                                      "System.Threading.",
                                      "System.Runtime.CompilerServices.",
                                      "System.Buffers.",
                                      "Xunit.",
                                      "NUnit.",
                                      "Microsoft.VisualStudio.TestTools."};

static bool is_keeper(struct str member)
{
    for (size_t i = 0; i < ARRAY_LEN(keepers); i++)
        if (str_starts(member, keepers[i]))
            return true;
    size_t end = strlen("System.");
    if (!str_starts(member, "System."))
        return false;
    while (end < member.len && strchr(".:`<", member.text[end]) == NULL)
        end++;
    return end == member.len || member.text[end] != '.'; /* System.Func, but not System.Xml */
}

/* The arguments of a generic method, and of the generic type that a member is of. */
static bool find_in_arguments(uint32_t *name, struct references *m, uint32_t token, struct err *err)
{
    const struct metadata *md = &m->module->md;
    uint32_t rid = TOKEN_RID(token);
    struct str text;
    if (!method_hash_token(&text, &m->hasher, token, err))
        return false;
    if (is_keeper(text))
        return true;
    if (TOKEN_TABLE(token) == TABLE_MethodSpec) {
        struct reader r = rd_view(row_blob(md, COL_MethodSpec_Instantiation, rid));
        (void)rd_u8(&r); /* GENERICINST, II.23.2.15 */
        uint32_t count = rd_compressed(&r);
        for (uint32_t i = 0; i < count && !r.failed && *name == NO_INDEX; i++)
            if (!references_of_type(name, m, &r, err))
                return false;
        token = row_token(md, CODED_METHOD_DEF_OR_REF, COL_MethodSpec_Method, rid);
        rid = TOKEN_RID(token);
    }
    if (*name != NO_INDEX || TOKEN_TABLE(token) != TABLE_MemberRef)
        return true;
    token = row_token(md, CODED_MEMBER_REF_PARENT, COL_MemberRef_Class, rid);
    return TOKEN_TABLE(token) != TABLE_TypeSpec || references_of_token(name, m, token, err);
}

static bool is_type_token(uint32_t token)
{
    return TOKEN_TABLE(token) == TABLE_TypeDef || TOKEN_TABLE(token) == TABLE_TypeRef ||
           TOKEN_TABLE(token) == TABLE_TypeSpec;
}

bool references_as_argument(uint32_t *name, struct references *m, uint32_t rid,
                            struct arena *scratch, struct err *err)
{
    struct il_body body;
    struct il il;
    bool has_code = false;
    *name = NO_INDEX;
    if (!method_hash_decode(&has_code, &body, &il, m->module, rid, scratch, err))
        return false;
    for (uint32_t i = 0; has_code && i < il.count && *name == NO_INDEX; i++) {
        const struct instr *at = &il.instrs[i];
        if (il_info(at)->operand != OPERAND_TOKEN || at->op == OP_LDSTR)
            continue;
        if (is_type_token(at->operand)
                ? at->op == OP_LDTOKEN && !references_of_token(name, m, at->operand, err)
                : !find_in_arguments(name, m, at->operand, err))
            return false;
    }
    return true;
}

#include "coverage/names/method_hash.h"

#include <stdio.h>
#include <string.h>

#include "coverage/names/test_place.h"
#include "coverage/names/type_text.h"
#include "coverage/names/user_method_map.h"
#include "coverage/names/username.h"
#include "metadata/lookup.h"
#include "rewriter/flow.h"

enum {
    COPIES_MAX = 8, /* of functions that use each other there is no end */
    OP_CODE_NOP = 0x00,
    OP_CODE_LDC_I4 = 0x20,
    OP_CODE_LDARG = 0xFE09, /* then ldarga, starg, ldloc, ldloca, stloc */
    OP_CODE_LDLOC = 0xFE0C,
    OP_CODE_STLOC = 0xFE0E,
    SHORT_TO_LONG = 0x38 - 0x2B, /* br to br.s, and the conditional branches after them */
};

/* One body being hashed. */
struct body_hashing {
    struct method_hasher *hasher;
    const struct il *il;
    uint32_t method_token;
    struct str type; /* full name of the user's type */
    struct str *locals;
    uint32_t local_count;
    uint32_t *number; /* per instruction: its number, not counting nops */
    bool *is_place;   /* per instruction: test_place.h; or NULL */
    struct arena *arena;
    struct err *err;
};

bool method_hash_open(struct method_hasher *out, const struct module *module, struct arena *arena,
                      struct err *err)
{
    *out = (struct method_hasher){.module = module, .md = &module->md, .arena = arena};
    return anonymous_names_open(&out->anonymous, &module->md, arena, err) &&
           digest_open(&out->digest, err);
}

void method_hash_close(struct method_hasher *hasher)
{
    digest_close(&hasher->digest);
}

bool method_hash_strip(struct str *out, const struct method_hasher *hasher, struct str text,
                       struct arena *arena, struct err *err)
{
    return anonymous_names_replace(out, &hasher->anonymous, text, arena, err) &&
           compiler_name_strip(out, *out, arena, err);
}

/* --- tokens as text --------------------------------------------------------------------------- */

static bool add_type_of(struct text *out, struct method_hasher *id, struct view type,
                        struct err *err)
{
    struct reader r = rd_view(type);
    return name_signature_type(out, id->md, &r, err);
}

/* "A,B" */
static bool add_type_list(struct text *out, struct method_hasher *id, struct reader *r,
                          uint32_t count, struct err *err)
{
    for (uint32_t i = 0; i < count && !r->failed; i++) {
        text_add_c(out, i != 0 ? "," : "");
        if (!name_signature_type(out, id->md, r, err))
            return false;
    }
    return true;
}

/* "instance 1(A,B):C" */
static bool add_method_sig(struct text *out, struct method_hasher *id, struct view blob,
                           struct err *err)
{
    struct method_sig sig;
    if (!sig_method(&sig, blob, err))
        return false;
    struct reader params = rd_view(sig.params);
    text_add_c(out, (sig.flags & SIG_HAS_THIS) != 0 ? "instance " : "");
    text_add_number(out, sig.generic_count);
    text_add_c(out, "(");
    if (!add_type_list(out, id, &params, sig.param_count, err))
        return false;
    text_add_c(out, "):");
    return add_type_of(out, id, sig.return_type, err);
}

/* With its calling convention, and what modifies what it returns: modopt(CallConvSuppressGC...). */
static bool add_call_site(struct text *out, struct method_hasher *id, struct view blob,
                          struct err *err)
{
    struct reader r = rd_view(blob);
    uint8_t flags = rd_u8(&r);
    text_addf(out, "%x ", flags);
    if ((flags & SIG_GENERIC) != 0)
        (void)rd_compressed(&r);
    (void)rd_compressed(&r); /* how many parameters */
    for (uint8_t element = rd_u8(&r); element == ELEMENT_CMOD_OPT || element == ELEMENT_CMOD_REQD;
         element = rd_u8(&r)) {
        struct str modifier;
        uint32_t type = coded_to_token(CODED_TYPE_DEF_OR_REF, rd_compressed(&r));
        if (!name_type(&modifier, id->md, type, id->arena, err))
            return false;
        text_add(out, modifier);
        text_add_c(out, " ");
    }
    return add_method_sig(out, id, blob, err);
}

static bool is_field(struct view signature)
{
    return signature.len != 0 && (signature.data[0] & SIG_KIND_MASK) == SIG_FIELD;
}

static bool add_member_text(struct text *out, struct method_hasher *id, uint32_t parent,
                            struct str name, struct view blob, struct err *err)
{
    struct str type = STR("");
    uint32_t table = TOKEN_TABLE(parent);
    if (table == TABLE_MethodDef)
        parent = TOKEN(TABLE_TypeDef, owner_of_method(id->md, TOKEN_RID(parent)));
    else if (table == TABLE_ModuleRef)
        parent = 0;
    if (TOKEN_RID(parent) != 0 && !name_type(&type, id->md, parent, id->arena, err))
        return false;
    text_add(out, type);
    text_add_c(out, "::");
    text_add(out, name);
    text_add_c(out, " ");
    if (!is_field(blob))
        return add_method_sig(out, id, blob, err);
    return add_type_of(out, id, (struct view){blob.data + 1, blob.len - 1}, err);
}

static bool add_instantiation(struct text *out, struct method_hasher *id, struct view blob,
                              struct err *err)
{
    struct reader r = rd_view(blob);
    (void)rd_u8(&r); /* GENERICINST, II.23.2.15 */
    uint32_t count = rd_compressed(&r);
    text_add_c(out, "<");
    if (!add_type_list(out, id, &r, count, err))
        return false;
    text_add_c(out, ">");
    return true;
}

/* The user's name for a variable does not matter, whether or not the compiler made a field of it:
 * such a field is known by its place in the closure or state machine, as is the copy of a
 * parameter, <>3__n. Other fields of those, such as <>4__this, have names of the compiler's. */
static bool name_variable(struct str *name, struct method_hasher *id, uint32_t type,
                          struct err *err)
{
    const struct tables *t = &id->md->tables;
    if (TOKEN_TABLE(type) != TABLE_TypeDef || TOKEN_RID(type) == 0 ||
        TOKEN_RID(type) > tables_rows(t, TABLE_TypeDef) ||
        (str_starts(*name, "<>") && !str_starts(*name, "<>3__")) ||
        !compiler_type_is(id->md, TOKEN_RID(type)))
        return true;
    struct row_range fields = tables_list(t, COL_TypeDef_FieldList, TOKEN_RID(type), TABLE_Field);
    for (uint32_t rid = fields.first; rid < fields.end; rid++)
        if (str_eq(row_string(id->md, COL_Field_Name, rid), *name))
            return text_format(name, id->arena, err, "variable %u", rid - fields.first);
    return true;
}

static bool add_reference(struct text *out, struct method_hasher *id, uint32_t rid, struct err *err)
{
    uint32_t parent = row_token(id->md, CODED_MEMBER_REF_PARENT, COL_MemberRef_Class, rid);
    struct view signature = row_blob(id->md, COL_MemberRef_Signature, rid);
    struct str name = row_string(id->md, COL_MemberRef_Name, rid);
    return (!is_field(signature) ||
            name_variable(&name, id, type_definition(id->md, parent), err)) &&
           add_member_text(out, id, parent, name, signature, err);
}

bool method_hash_decode(bool *has_code, struct il_body *body, struct il *il,
                        const struct module *module, uint32_t rid, struct arena *arena,
                        struct err *err)
{
    struct method_def def;
    *has_code = false;
    if (!module_method(&def, module, rid))
        return true;
    enum verdict verdict = body_parse(body, def.body, arena);
    if (verdict == VERDICT_OK)
        verdict = il_decode(il, body, arena);
    *has_code = verdict == VERDICT_OK;
    return verdict != VERDICT_DECLINED_MEMORY ||
           err_set(err, ERR_MEMORY, "out of memory: method %u needs more", rid);
}

static bool is_inlined_copy(struct str method)
{
    static const char mark[] = ">__debug@";
    return str_starts(method, "<") &&
           memmem(method.text, method.len, mark, sizeof mark - 1) != NULL;
}

static bool add_operand(struct text *out, struct method_hasher *id, const struct il *il,
                        const struct instr *instr, struct err *err)
{
    struct str text;
    switch (il_info(instr)->operand) {
    case OPERAND_TOKEN:
        if (instr->op == OP_LDSTR) {
            struct view chars = heap_user_string(id->md, TOKEN_RID(instr->operand));
            for (size_t i = 0; i < chars.len; i++)
                text_addf(out, "%02x", chars.data[i]);
            return true;
        }
        if (!method_hash_token(&text, id, instr->operand, err))
            return false;
        text_add(out, text);
        return true;
    case OPERAND_TARGET8:
    case OPERAND_TARGET32:
        text_add_number(out, instr->operand);
        return true;
    case OPERAND_SWITCH:
        for (uint32_t i = 0; i <= il->targets[instr->operand]; i++) {
            text_add_c(out, ",");
            text_add_number(out, il->targets[instr->operand + i]);
        }
        return true;
    default:
        for (uint32_t i = 0; i < instr->len; i++)
            text_addf(out, "%02x", il->code[instr->offset + i]);
        return true;
    }
}

/* The code of an inline function's copy, which no method of the user has. Copies use copies. */
static bool add_copied_code(struct text *out, struct method_hasher *id, uint32_t rid,
                            struct err *err)
{
    struct il_body body;
    struct il il;
    bool has_code = false;
    if (!is_inlined_copy(row_string(id->md, COL_MethodDef_Name, rid)) || id->depth == COPIES_MAX)
        return true;
    struct arena scratch = ARENA_EMPTY;
    bool ok = method_hash_decode(&has_code, &body, &il, id->module, rid, &scratch, err);
    id->depth++;
    text_add_c(out, " {");
    for (uint32_t i = 0; ok && has_code && i < il.count; i++) {
        text_addf(out, " %x ", il_info(&il.instrs[i])->code);
        ok = add_operand(out, id, &il, &il.instrs[i], err);
    }
    text_add_c(out, "}");
    id->depth--;
    arena_free(&scratch);
    return ok;
}

static bool add_token_text(struct text *out, struct method_hasher *id, uint32_t token,
                           struct err *err)
{
    uint32_t rid = TOKEN_RID(token);
    struct str name = name_of_member(id->md, token);
    struct str type;
    uint32_t type_token;
    switch ((int)TOKEN_TABLE(token)) {
    case TABLE_Field:
        type_token = TOKEN(TABLE_TypeDef, owner_of_field(id->md, rid));
        return name_variable(&name, id, type_token, err) &&
               add_member_text(out, id, type_token, name,
                               row_blob(id->md, COL_Field_Signature, rid), err);
    case TABLE_MethodDef:
        return add_member_text(out, id, TOKEN(TABLE_TypeDef, owner_of_method(id->md, rid)), name,
                               row_blob(id->md, COL_MethodDef_Signature, rid), err) &&
               add_copied_code(out, id, rid, err);
    case TABLE_MemberRef:
        return add_reference(out, id, rid, err);
    case TABLE_MethodSpec:
        return add_token_text(
                   out, id, row_token(id->md, CODED_METHOD_DEF_OR_REF, COL_MethodSpec_Method, rid),
                   err) &&
               add_instantiation(out, id, row_blob(id->md, COL_MethodSpec_Instantiation, rid), err);
    case TABLE_StandAloneSig:
        return add_call_site(out, id, row_blob(id->md, COL_StandAloneSig_Signature, rid), err);
    default:
        if (!name_type(&type, id->md, token, id->arena, err))
            return false;
        text_add(out, type);
        return true;
    }
}

bool method_hash_token(struct str *out, struct method_hasher *id, uint32_t token, struct err *err)
{
    uint32_t table = TOKEN_TABLE(token), rid = TOKEN_RID(token);
    uint32_t rows = table < TABLE_COUNT ? tables_rows(&id->md->tables, (enum table_id)table) : 0;
    struct err ignored = {0};
    if (rid == 0 || rid > rows)
        return text_format(out, id->arena, err, "token %08x", token);
    if (id->names[table] == NULL &&
        (id->names[table] = ARENA_NEW(id->arena, struct str, (size_t)rows + 1, err)) == NULL)
        return false;
    *out = id->names[table][rid];
    if (out->text != NULL)
        return true;
    struct text text = text_in(id->arena);
    if (!add_token_text(&text, id, token, &ignored)) {
        if (ignored.code == ERR_MEMORY)
            return err_set(err, ERR_MEMORY, "%s", ignored.text);
        text = text_in(id->arena);
        text_addf(&text, "token %08x", token);
    }
    if (!text_take(out, &text, err) || !method_hash_strip(out, id, *out, id->arena, err))
        return false;
    id->names[table][rid] = *out;
    return true;
}

/* --- names relative to the method ------------------------------------------------------------- */

/* Skips "<!0,!1>" after the type's name: the type with its own parameters. */
static struct str skip_own_parameters(struct str text)
{
    size_t at = 0;
    for (unsigned i = 0;; i++) {
        char expected[16];
        int len = snprintf(expected, sizeof expected, "%c!%u", i == 0 ? '<' : ',', i);
        if (text.len - at < (size_t)len + 1 || memcmp(text.text + at, expected, (size_t)len) != 0)
            return text;
        at += (size_t)len;
        if (text.text[at] == '>')
            return (struct str){text.text + at + 1, text.len - at - 1};
    }
}

/* `text` with the name of the method's type replaced by "this type". */
static bool from_inside(struct str *out, struct str text, struct body_hashing *w)
{
    *out = text;
    const char *at = type_text_find(text, w->type);
    if (at == NULL)
        return true;
    struct text inside = text_in(w->arena);
    for (; at != NULL; at = type_text_find(text, w->type)) {
        text_add(&inside, (struct str){text.text, (size_t)(at - text.text)});
        text_add_c(&inside, "this type");
        text = (struct str){at + w->type.len, text.len - (size_t)(at - text.text) - w->type.len};
        text = skip_own_parameters(text);
    }
    text_add(&inside, text);
    return text_take(out, &inside, w->err);
}

static bool token_text(struct str *out, struct body_hashing *w, uint32_t token)
{
    struct str name;
    if (token == w->method_token) {
        *out = STR("this method");
        return true;
    }
    return method_hash_token(&name, w->hasher, token, w->err) && from_inside(out, name, w);
}

static bool name_locals(struct body_hashing *w, uint32_t local_sig)
{
    struct view types;
    uint32_t count = 0;
    if (!sig_locals(&count, &types, w->hasher->md, local_sig, w->err) ||
        (w->locals = ARENA_NEW(w->arena, struct str, count, w->err)) == NULL)
        return false;
    struct reader r = rd_view(types);
    for (; w->local_count < count; w->local_count++) {
        struct str name;
        struct text text = text_in(w->arena);
        if (!name_signature_type(&text, w->hasher->md, &r, NULL))
            text_add_c(&text, "?"); /* cannot be read, or only by raising a limit */
        if (!text_take(&name, &text, w->err) ||
            !method_hash_strip(&name, w->hasher, name, w->arena, w->err) ||
            !from_inside(&w->locals[w->local_count], name, w))
            return false;
    }
    return true;
}

/* --- instructions ----------------------------------------------------------------------------- */

/* Opcode without short forms; *variable is the number of an argument or local, or NO_INDEX. */
static uint16_t find_long_form(uint32_t *variable, const struct instr *instr)
{
    uint16_t code = il_info(instr)->code;
    uint8_t kind = il_info(instr)->operand;
    *variable = kind == OPERAND_VAR8 || kind == OPERAND_VAR16 ? instr->operand : NO_INDEX;
    if (code >= 0x02 && code <= 0x0D)
        *variable = (code - 2u) % 4;
    if (code >= 0x02 && code <= 0x05)
        return OP_CODE_LDARG;
    if (code >= 0x06 && code <= 0x09)
        return OP_CODE_LDLOC;
    if (code >= 0x0A && code <= 0x0D)
        return OP_CODE_STLOC;
    if (code >= 0x0E && code <= 0x13)
        return (uint16_t)(OP_CODE_LDARG + (code - 0x0E));
    if (code >= 0x15 && code <= 0x1F)
        return OP_CODE_LDC_I4;
    if (code >= 0x2B && code <= 0x37)
        return (uint16_t)(code + SHORT_TO_LONG);
    return code == 0xDE ? 0xDD : code; /* leave.s */
}

static const uint32_t FNV_FIRST = 2166136261u;

static uint32_t hash_on(uint32_t hash, const void *data, size_t len) /* FNV-1a */
{
    const uint8_t *bytes = data;
    for (size_t i = 0; i < len; i++)
        hash = (hash ^ bytes[i]) * 16777619u;
    return hash;
}

bool method_hash_instruction(uint32_t *out, struct method_hasher *hasher, uint8_t opcode,
                             uint32_t token, struct str type, struct arena *arena, struct err *err)
{
    struct body_hashing w = {.hasher = hasher, .type = type, .arena = arena, .err = err};
    const uint8_t code[2] = {opcode, 0};
    struct str text;
    if (!token_text(&text, &w, token))
        return false;
    *out = hash_on(hash_on(FNV_FIRST, code, sizeof code), text.text, text.len);
    return true;
}

/* Into both the body's digest and the instruction's own hash. */
static void put_bytes(struct body_hashing *w, uint32_t *hash, const void *data, size_t len)
{
    digest_bytes(&w->hasher->digest, data, len);
    *hash = hash_on(*hash, data, len);
}

static void put_targets(struct body_hashing *w, const struct instr *instr)
{
    const uint32_t *targets = w->il->targets + instr->operand;
    digest_u32(&w->hasher->digest, targets[0]);
    for (uint32_t i = 1; i <= targets[0]; i++)
        digest_u32(&w->hasher->digest, w->number[targets[i]]);
}

/* typeof(Box<>), which in Box<T> has the text of typeof(Box<T>). */
static bool is_open_type(const struct metadata *md, const struct instr *instr)
{
    uint32_t token = instr->operand;
    return instr->op == OP_LDTOKEN && TOKEN_TABLE(token) == TABLE_TypeDef &&
           tables_find(&md->tables, COL_GenericParam_Owner,
                       coded_from_token(CODED_TYPE_OR_METHOD_DEF, token)) != 0;
}

static bool put_token(struct body_hashing *w, uint32_t *hash, const struct instr *instr)
{
    struct str text;
    if (il_info(instr)->code == 0x72) { /* ldstr */
        struct view chars = heap_user_string(w->hasher->md, TOKEN_RID(instr->operand));
        text = (struct str){(const char *)chars.data, chars.len};
    } else if (!token_text(&text, w, instr->operand)) {
        return false;
    }
    if (is_open_type(w->hasher->md, instr))
        put_bytes(w, hash, "open ", strlen("open "));
    digest_u64(&w->hasher->digest, text.len);
    put_bytes(w, hash, text.text, text.len);
    return true;
}

static void put_variable_number(struct body_hashing *w, uint32_t *hash, uint16_t code,
                                uint32_t variable)
{
    uint8_t number[4];
    store_u32(number, variable);
    digest_bytes(&w->hasher->digest, number, sizeof number);
    if (code < OP_CODE_LDLOC)
        *hash = hash_on(*hash, number, sizeof number);
    else if (variable < w->local_count)
        *hash = hash_on(*hash, w->locals[variable].text, w->locals[variable].len);
}

static bool put_instruction(struct body_hashing *w, uint32_t *hash, const struct instr *instr)
{
    uint32_t variable = NO_INDEX;
    int32_t constant = 0;
    uint16_t code = find_long_form(&variable, instr);
    uint8_t bytes[2] = {(uint8_t)code, (uint8_t)(code >> 8)};
    const uint8_t *operand = w->il->code + instr->offset + (code >= 0xFE00 ? 2 : 1);
    if (code == OP_CODE_NOP) {
        *hash = hash_on(*hash, bytes, sizeof bytes);
        return true;
    }
    put_bytes(w, hash, bytes, sizeof bytes);
    if (w->is_place != NULL && w->is_place[instr - w->il->instrs])
        return true;
    if (variable != NO_INDEX) {
        put_variable_number(w, hash, code, variable);
        return true;
    }
    if (il_constant(&constant, instr)) {
        uint8_t value[4];
        store_u32(value, (uint32_t)constant);
        put_bytes(w, hash, value, sizeof value);
        return true;
    }
    switch (il_info(instr)->operand) {
    case OPERAND_TOKEN:
        return put_token(w, hash, instr);
    case OPERAND_TARGET8:
    case OPERAND_TARGET32:
        digest_u32(&w->hasher->digest, w->number[instr->operand]);
        return true;
    case OPERAND_SWITCH:
        put_targets(w, instr);
        return true;
    default: /* numbers as they are; or no operand */
        put_bytes(w, hash, operand, instr->len - (size_t)(operand - (w->il->code + instr->offset)));
        return true;
    }
}

/* Targets are numbered without nops: Debug builds have a nop for each brace, which must not
 * matter. */
static bool number_instructions(struct body_hashing *w)
{
    uint32_t next = 0;
    w->number = arena_raw(w->arena, (size_t)w->il->count + 1, sizeof *w->number, w->err);
    if (w->number == NULL)
        return false;
    for (uint32_t i = 0; i < w->il->count; i++) {
        w->number[i] = next;
        next += il_info(&w->il->instrs[i])->code != OP_CODE_NOP;
    }
    w->number[w->il->count] = next;
    return true;
}

static void put_place(struct body_hashing *w, uint32_t il_offset)
{
    digest_u32(&w->hasher->digest, w->number[w->il->index_at[il_offset]]);
}

static bool put_clauses(struct body_hashing *w, const struct il_body *body)
{
    struct digest *digest = &w->hasher->digest;
    digest_u32(digest, body->clause_count);
    for (uint32_t i = 0; i < body->clause_count; i++) {
        const struct eh_clause *clause = &body->clauses[i];
        struct str type = STR("");
        digest_u32(digest, clause->flags);
        put_place(w, clause->try_offset);
        put_place(w, clause->try_offset + clause->try_length);
        put_place(w, clause->handler_offset);
        put_place(w, clause->handler_offset + clause->handler_length);
        if (clause->flags == EH_FILTER)
            put_place(w, clause->filter_offset);
        else if (clause->flags == EH_CATCH && !token_text(&type, w, clause->class_token))
            return false;
        digest_text(digest, type);
    }
    return true;
}

bool method_hash_body(struct body_hash *out, struct method_hasher *hasher, uint32_t method_rid,
                      uint32_t user_type, const struct il_body *body, const struct il *il,
                      struct arena *arena, struct err *err)
{
    struct body_hashing w = {.hasher = hasher,
                             .il = il,
                             .method_token = TOKEN(TABLE_MethodDef, method_rid),
                             .arena = arena,
                             .err = err};
    uint8_t digest[DIGEST_LEN];
    if ((user_type != 0 &&
         (!name_type(&w.type, hasher->md, TOKEN(TABLE_TypeDef, user_type), arena, err) ||
          !method_hash_strip(&w.type, hasher, w.type, arena, err))) ||
        !name_locals(&w, body->local_sig) || !number_instructions(&w) ||
        !test_place_find(&w.is_place, w.type, il, hasher->md, arena, err))
        return false;
    struct writer instructions = wr_in(arena);
    for (uint32_t i = 0; i < il->count; i++) {
        uint32_t hash = FNV_FIRST;
        if (!put_instruction(&w, &hash, &il->instrs[i]))
            return false;
        wr_leb128(&instructions, il->instrs[i].len);
        wr_u32(&instructions, hash);
    }
    if (instructions.failed)
        return err_set(err, ERR_MEMORY, "out of memory: %u instructions", il->count);
    digest_u32(&hasher->digest, body->init_locals);
    digest_u32(&hasher->digest, w.local_count);
    for (uint32_t i = 0; i < w.local_count; i++)
        digest_text(&hasher->digest, w.locals[i]);
    if (!put_clauses(&w, body))
        return false;
    digest_take(digest, &hasher->digest);
    memcpy(out->hash, digest, sizeof out->hash);
    out->instructions = (struct view){instructions.data, instructions.len};
    return true;
}

bool method_hash_module(uint8_t out[DIGEST_LEN], const struct fact_module *module, struct err *err)
{
    struct digest digest;
    if (!digest_open(&digest, err))
        return false;
    digest_text(&digest, module->name);
    digest_bytes(&digest, module->mvid, sizeof module->mvid);
    for (uint32_t i = 0; i < module->method_count; i++) {
        const struct fact_method *method = &module->methods[i];
        digest_u32(&digest, method->token);
        digest_text(&digest, method->type);
        digest_text(&digest, method->name);
        digest_text(&digest, method->signature);
        digest_bytes(&digest, method->body, sizeof method->body);
    }
    digest_take(out, &digest);
    digest_close(&digest);
    return true;
}

/* --- a whole module --------------------------------------------------------------------------- */

static bool read_method(struct fact_method *out, struct method_hasher *hasher,
                        const struct module *module, const struct method_def *def,
                        struct arena *scratch, struct err *err)
{
    const struct metadata *md = &module->md;
    uint32_t owner = owner_of_method(md, def->rid);
    struct body_hash body = {.hash = {0}};
    struct flow flow;
    enum verdict verdict = flow_build(&flow, def->body, md, NULL, def->rid, scratch);
    if (verdict == VERDICT_DECLINED_MEMORY)
        return err_set(err, ERR_MEMORY, "out of memory: method %u needs more", def->rid);
    *out = (struct fact_method){.token = TOKEN(TABLE_MethodDef, def->rid)};
    if (!username_type(&out->type, md, owner, hasher->arena, err) ||
        !username_method(&out->name, md, def->rid, hasher->arena, err) ||
        !username_signature(&out->signature, md, def->rid, hasher->arena, err) ||
        (verdict == VERDICT_OK &&
         !method_hash_body(&body, hasher, def->rid, compiler_type_user(md, owner), &flow.body,
                           &flow.il, scratch, err)))
        return false;
    memcpy(out->body, body.hash, sizeof out->body);
    return true;
}

bool method_hash_read_module(struct fact_module *out, const struct module *module,
                             struct arena *arena, struct err *err)
{
    struct method_hasher hasher;
    uint32_t rows = tables_rows(&module->md.tables, TABLE_MethodDef);
    *out = (struct fact_module){.name = module->name,
                                .methods = ARENA_NEW(arena, struct fact_method, rows, err)};
    memcpy(out->mvid, module->mvid, sizeof out->mvid);
    if (out->methods == NULL || !method_hash_open(&hasher, module, arena, err))
        return false;
    struct arena scratch = ARENA_EMPTY;
    bool ok = true;
    for (uint32_t rid = 1; rid <= rows && ok; rid++) {
        struct method_def def;
        arena_reset(&scratch);
        if (module_method(&def, module, rid))
            ok = read_method(&out->methods[out->method_count++], &hasher, module, &def, &scratch,
                             err);
    }
    arena_free(&scratch);
    method_hash_close(&hasher);
    return ok && method_hash_module(out->identity, out, err);
}

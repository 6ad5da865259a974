#include "rewriter/harmless.h"

#include "metadata/lookup.h"

static bool is_object_constructor(const struct metadata *md, uint32_t token)
{
    struct str space, name;
    uint32_t encloser = 0;
    return TOKEN_TABLE(token) == TABLE_MemberRef &&
           str_is(row_string(md, COL_MemberRef_Name, TOKEN_RID(token)), ".ctor") &&
           type_parts(&space, &name, &encloser, md, type_of_member(md, token)) && encloser == 0 &&
           str_is(name, "Object") && str_is(space, "System");
}

bool harmless_call(const struct harmless *harmless, const struct metadata *md,
                   const struct instr *instr)
{
    bool by_type = instr->op == OP_CALLVIRT;
    if (harmless == NULL || (instr->op != OP_CALL && instr->op != OP_NEWOBJ && !by_type))
        return false;
    uint32_t rid = TOKEN_RID(instr->operand);
    if (TOKEN_TABLE(instr->operand) != TABLE_MethodDef)
        return !by_type && is_object_constructor(md, instr->operand);
    if (rid == 0 || rid > harmless->count)
        return false;
    uint8_t row = harmless->rows[rid - 1];
    return row == HARMLESS_ALWAYS || (row == HARMLESS_BY_CALL && !by_type);
}

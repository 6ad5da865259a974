#include "coverage/branches/rules/rules.h"

#include "metadata/lookup.h"

/* For targets before .NET 8, a constant span of ints and similar types has an array, made on first
 * use, in a field of a class that no source can name. */
bool rule_constant_array(const struct board *board, const struct branch *branch)
{
    const struct metadata *md = board->flow->context.md;
    if (branch->load == IL_NO_INDEX)
        return false;
    const struct instr *load = &board->flow->il.instrs[branch->load];
    if (load->op != OP_LDSFLD || TOKEN_TABLE(load->operand) != TABLE_Field)
        return false;
    uint32_t owner = owner_of_field(md, TOKEN_RID(load->operand));
    return str_starts(row_string(md, COL_TypeDef_TypeName, owner),
                      "<PrivateImplementationDetails>");
}

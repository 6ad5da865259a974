/* call_site.h - an operation on `dynamic`: code that invokes a call site, which a binder made.
 *     ldsfld <>p__0; brtrue U; ...; ldstr "Name"; ...; call Binder::GetMember; call Create;
 *     stsfld <>p__0; U: ldsfld <>p__0; ldfld Target; ldsfld <>p__0; (operands); callvirt Invoke
 * Pure:   flow graph and metadata in.
 * Source: Roslyn, LoweredDynamicOperationFactory. */
#ifndef ILCOV_COVERAGE_STATEMENTS_CALL_SITE_H
#define ILCOV_COVERAGE_STATEMENTS_CALL_SITE_H

#include "rewriter/flow.h"

/* Is the field the one that keeps a call site? */
bool call_site_field(struct str field);

/* Does the instruction invoke a call site that this method of Binder made, for a member of this
 * name if `member` is not empty? Only where its operands are loaded without a call. */
bool call_site_invoked(const struct flow *flow, uint32_t instr, struct str maker,
                       struct str member);

/* If block `n` asks whether a call site has been made: where control continues with the call site;
 * NO_BLOCK if it does not ask. */
uint32_t call_site_continues(const struct flow *flow, uint32_t n);

#endif

/* rules.h - the functions that the rows of rules.def name: rule_ID(), which tests one branch, and
 * find_ID(), which looks at the whole method; and what rules know besides. Each is in a file named
 * after its construct, or after what several constructs ask (null_check.c: is there anything to
 * dispose?). classify.c asks them. */
#pragma once

#include "coverage/branches/branches.h"

#define RULE(id, name, languages, class, description)                                              \
    bool rule_##id(const struct branches *branches, const struct branch *branch);
#define FIND(id, name, languages, class, description)                                              \
    bool find_##id(struct branches *branches, const struct rule *rule, struct arena *arena,        \
                   struct err *err);
#define LEFT(id, name, languages, class, description)
#include "coverage/branches/rules.def"
#undef RULE
#undef FIND
#undef LEFT

/* F#, before any rule is asked: fills branches->inlined (fsharp_inlined.c). In other languages
 * nothing is inlined. Where the ways have joined, the statement continues, although no point says
 * so; branches->map is updated to show it. */
NODISCARD bool fsharp_inlined_find(struct branches *branches, struct arena *arena, struct err *err);

/* `t?.M()` where T may be a struct or a class. Control reaches M in two ways:
 *     default(T) != null    T is a struct
 *     t != null
 * The compiler added the first question; where its answer is yes, t is not null. If the condition
 * at the end of block `n` is the second question: the edge by which the first one leads to where t
 * is not null, as the taken edge of `n` does. Otherwise NO_INDEX. */
uint32_t boxed_default_goes_on(const struct flow *flow, uint32_t n);

/* How control comes to the first round of the `For` whose test block `n` ends with, if that does
 * not decide it (vb_loop.c): the edge into the body, and the one around it; NO_INDEX: none. */
struct vb_loop_start {
    uint32_t enters, skips;
};
struct vb_loop_start vb_loop_start(const struct branches *branches, uint32_t n);

/* Does the block end with the first test of `a & b` or `a | b` whose operands are `bool?` or
 * null? */
bool bool_operator_begins(const struct branches *branches, uint32_t block);

/* Is the bool that block `n` passes on the result of a lifted comparison: what the operator gave,
 * or the constant for a missing value? */
bool lifted_gives(const struct flow *flow, uint32_t n);

/* Visual Basic, `a AndAlso b` of `Boolean?`: does the bool that instruction `end` of block `n`
 * tests or passes on only say once more whether a is null? */
bool lifted_asks_again(const struct branches *branches, uint32_t n, uint32_t end);

/* The result of such a comparison if a value is missing: the edge to that constant. */
struct lifted_constant {
    uint32_t edge;
    bool value;
};

/* If block `n` is the condition of such an operand: the edge on which it is null, and which outcome
 * that is. */
bool lifted_null(struct lifted_constant *out, const struct branches *branches, uint32_t n);

enum {
    LIFTED_CONSTANTS_MAX = 8
};

/* The constants that are alternatives to what the operator gives in block `n`: one, or two for `==`
 * and `!=`; and one for each `?.` before it. */
uint32_t lifted_constants(struct lifted_constant out[LIFTED_CONSTANTS_MAX], const struct flow *flow,
                          uint32_t n);

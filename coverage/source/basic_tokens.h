/* basic_tokens.h - the tokens of a statement of Visual Basic as those of the C# that says the same,
 * so that expression_tree.h reads both:
 *
 *   If a = b AndAlso Not c Then         a == b && !c
 *   x = If(TypeOf a Is T, b, c)         x = (a is T ? b : c)
 *   F(Function(n) n > 3)                F((n) => n > 3)
 *
 * `Not` still takes all of `a = b`, which is left to the reader.
 * Units:  offsets are those of the statement.
 * Owner:  tokens, and their text, live in the arena. */
#pragma once

#include "coverage/source/tokens.h"

/* What the statement does with the value of its tokens. */
enum basic_head {
    BASIC_USES,    /* returns, stores, passes it */
    BASIC_ASKS,    /* what stands next in the text runs where it holds: If, While, Loop Until */
    BASIC_ASKS_NOT /* ... where it does not: Do Until, Loop While */
};

/* `is_value`: the text is an expression, as that of `Function(n) n = 3`, where `=` compares. What
 * has no like in C# is TOKEN_UNKNOWN. */
NODISCARD bool basic_tokens_find(struct tokens *out, enum basic_head *head, struct str text,
                                 bool is_value, struct arena *arena, struct err *err);

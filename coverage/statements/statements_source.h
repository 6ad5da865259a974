/* statements_source.h - the input in which a method's statements and decisions are found: its code,
 * its sequence points, and what is known of its source. */
#pragma once

#include "coverage/source/language.h"
#include "coverage/source/line_index.h"
#include "coverage/source/tokens.h"
#include "coverage/statements/reach.h"

struct fsharp_operands;

struct statements_source {
    const struct flow *flow;
    const struct reach *reach;
    const struct seq_points *points;
    enum language language;
    /* a MoveNext that the compiler made of an async method or iterator */
    bool is_state_machine;
    /* Those of F# that have no point (fsharp_operands.h); NULL: there are none. */
    const struct fsharp_operands *operands;
    const struct pdb *pdb; /* of the module, for the text of functions (F#); NULL: it is not read */
    /* The source of the method's first point, which tells where statements lead (C#), and which of
     * them only end a block (Visual Basic); NULL: it is not to be had. */
    const struct line_index *text;
    const struct tokens *tokens; /* of it (C#, F#), if the method needs them */
};

/* May a word stand in the lines of the method, or the one above, as the text has it? True without
 * the text. */
bool statements_may_say(const struct statements_source *source, const char *word);

/* Does the method await? It is such a MoveNext, or the runtime suspends it (runtime async). */
static inline bool statements_await(const struct statements_source *source)
{
    return source->is_state_machine || (source->flow->context.impl_flags & IMPL_ASYNC) != 0;
}

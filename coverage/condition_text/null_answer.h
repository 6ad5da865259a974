/* null_answer.h - what `a?.b == 1` is where there is no a. The compiler may go on at once to where
 * the whole comparison would: nothing in the code then tells `a?.b == 1` from `a != null && a.b ==
 * 1`, but the text does.
 * Pure:   used by decision_text.c. */
#pragma once

#include "coverage/branches/decisions.h"

/* Does an outcome of the null test `inner` count for decision `outer`, whose text is around it: by
 * a constant, or because it leads where an outcome of that one does? That outcome then counts it.
 * False: `outer` is asked in any case, or its answer is not known. */
NODISCARD bool null_answer_add(bool *counts, struct decisions *decisions,
                               const struct decision *inner, struct decision *outer,
                               struct arena *arena, struct err *err);

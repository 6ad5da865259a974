/* reworded.c - other texts for all reasons, in the place of contract/reason_words.c, for a program
 * that tests/e2e/test_reasons.sh compares with ours. They sort in another order than ours, and none
 * begins as ours does. */
#include "contract/reason.h"

const struct reason_words reason_words[REASON_CODE_END] = {
#define REASON(number, name, text, brief)                                                          \
    [number] = {"<" #number "={}>", (brief) != NULL ? "<brief " #number "={}>" : NULL},
#include "contract/reason.def"
#undef REASON
#define VERDICT(name, text) [REASON_VERDICT + VERDICT_##name] = {"<" #name ">", NULL},
    VERDICTS(VERDICT)
#undef VERDICT
};

/* All texts of reasons that humans read. In a file of their own, so that a test can replace
 * them. */
#include "contract/reason.h"

const struct reason_words reason_words[REASON_CODE_END] = {
#define REASON(number, name, text, brief) [number] = {text, brief},
#include "contract/reason.def"
#undef REASON
#define VERDICT(name, text) [REASON_VERDICT + VERDICT_##name] = {text, NULL},
    VERDICTS(VERDICT)
#undef VERDICT
};

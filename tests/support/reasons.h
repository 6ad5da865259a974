/* reasons.h - reasons as tests write them down, and read them. */
#ifndef ILCOV_TESTS_SUPPORT_REASONS_H
#define ILCOV_TESTS_SUPPORT_REASONS_H

#include "contract/reason.h"

/* For tables outside of functions. One that is printed as the literal: an error's text. */
#define REASON_LITERAL(literal)                                                                    \
    (&(const struct reason){.code = REASON_ERROR, .subject = {(literal), sizeof(literal) - 1}})

/* Lives for ever; the texts must do so, too. */
const struct reason *reason_told(uint32_t code, struct str subject, struct str remark);
#define TOLD(literal)              reason_told(REASON_ERROR, STR(literal), STR(""))
#define TOLD_BY_COMMENT(literal)   reason_told(REASON_COMMENT, STR(""), STR(literal))
#define TOLD_BY_ATTRIBUTE(literal) reason_told(REASON_ATTRIBUTE, STR(literal), STR(""))

/* Fails where the reason (NULL: "") has another text. */
void check_reason(const struct reason *reason, const char *text, const char *file, int line);
#define assert_reason(reason, text) check_reason((reason), (text), __FILE__, __LINE__)

#endif

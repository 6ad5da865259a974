/* reasons.h - reasons as tests write them down, and read them. */
#pragma once

#include "contract/reason.h"

/* A reason that prints as the literal, an error's text; for tables outside of functions. */
#define REASON_LITERAL(literal)                                                                    \
    (&(const struct reason){.code = REASON_ERROR, .subject = {(literal), sizeof(literal) - 1}})

/* Lives as long as the process; so must the texts. */
const struct reason *reason_intern(uint32_t code, struct str subject, struct str remark);
#define ERROR_REASON(literal)     reason_intern(REASON_ERROR, STR(literal), STR(""))
#define COMMENT_REASON(literal)   reason_intern(REASON_COMMENT, STR(""), STR(literal))
#define ATTRIBUTE_REASON(literal) reason_intern(REASON_ATTRIBUTE, STR(literal), STR(""))

/* Fails where the reason (NULL: "") has another text. */
void check_reason(const struct reason *reason, const char *text, const char *file, int line);
#define assert_reason(reason, text) check_reason((reason), (text), __FILE__, __LINE__)

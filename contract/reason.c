#include "contract/reason.h"

#include <assert.h>
#include <string.h>

#include "base/number.h"

static const struct reason plain[REASON_CODE_END] = {
#define REASON(number, name, text, brief) [number] = {.code = (number)},
#include "contract/reason.def"
#define VERDICT(name, text)                                                                        \
    [REASON_VERDICT + VERDICT_##name] = {.code = REASON_VERDICT + VERDICT_##name},
    VERDICTS(VERDICT)
#undef VERDICT
};

bool reason_is_known(uint32_t code)
{
    return code < REASON_CODE_END && plain[code].code != 0;
}

const struct reason *reason_of(enum reason_code code)
{
    assert(reason_is_known((uint32_t)code));
    return &plain[code];
}

const struct reason *reason_of_verdict(enum verdict verdict)
{
    return reason_of((enum reason_code)(REASON_VERDICT + verdict));
}

const struct reason *reason_new(uint32_t code, struct str subject, struct str remark,
                                struct arena *arena, struct err *err)
{
    bool is_plain = subject.len == 0 && remark.len == 0;
    if (is_plain)
        return &plain[code];
    struct reason *made = ARENA_NEW(arena, struct reason, 1, err);
    if (made == NULL)
        return NULL;
    made->code = code;
    bool ok = (subject.len == 0 || str_copy(&made->subject, subject, arena, err)) &&
              (remark.len == 0 || str_copy(&made->remark, remark, arena, err));
    return ok ? made : NULL;
}

bool reason_copy(const struct reason **reason, struct arena *arena, struct err *err)
{
    if (*reason == NULL)
        return true;
    *reason = reason_new((*reason)->code, (*reason)->subject, (*reason)->remark, arena, err);
    return *reason != NULL;
}

bool reason_is(const struct reason *reason, enum reason_code code)
{
    return reason != NULL && reason->code == (uint32_t)code;
}

bool reason_eq(const struct reason *a, const struct reason *b)
{
    return reason_order(a, b) == 0;
}

int reason_order(const struct reason *a, const struct reason *b)
{
    if (a == b)
        return 0;
    if (a == NULL || b == NULL)
        return a == NULL ? -1 : 1;
    int order = number_order(a->code, b->code);
    if (order == 0)
        order = str_cmp(a->subject, b->subject);
    return order != 0 ? order : str_cmp(a->remark, b->remark);
}

/* --- for humans ------------------------------------------------------------------------------- */

const struct reason_words reason_words[REASON_CODE_END] = {
#define REASON(number, name, text, brief) [number] = {text, brief},
#include "contract/reason.def"
#define VERDICT(name, text) [REASON_VERDICT + VERDICT_##name] = {text, NULL},
    VERDICTS(VERDICT)
#undef VERDICT
};

static void add_reason_words(struct text *out, const char *words, struct str subject)
{
    const char *place = strstr(words, "{}");
    if (place == NULL) {
        text_add_c(out, words);
        return;
    }
    text_add(out, (struct str){words, (size_t)(place - words)});
    text_add(out, subject);
    text_add_c(out, place + 2);
}

void reason_add(struct text *out, const struct reason *reason)
{
    if (reason == NULL)
        return;
    add_reason_words(out, reason_words[reason->code].text, reason->subject);
    if (reason->remark.len != 0) {
        text_add_c(out, ": ");
        text_add(out, reason->remark);
    }
}

bool reason_text(struct str *out, const struct reason *reason, struct arena *arena, struct err *err)
{
    struct text text = text_in(arena);
    reason_add(&text, reason);
    return text_take(out, &text, err);
}

void reason_add_brief(struct text *out, const struct reason *reason)
{
    if (reason == NULL)
        return;
    const struct reason_words *words = &reason_words[reason->code];
    if (words->brief == NULL)
        text_add_c(out, "by ");
    add_reason_words(out, words->brief != NULL ? words->brief : words->text, reason->subject);
}

bool reason_same_kind(const struct reason *a, const struct reason *b)
{
    return a != NULL && b != NULL && a->code == b->code && str_eq(a->subject, b->subject);
}

const char *verdict_text(enum verdict verdict)
{
    return (unsigned)verdict < VERDICT_COUNT ? reason_words[REASON_VERDICT + verdict].text
                                             : "unknown";
}

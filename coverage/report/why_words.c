#include "coverage/report/why_words.h"

#include <inttypes.h>
#include <string.h>

#include "coverage/report/sentence.h"

const struct fact_span *why_condition(const struct why_root *root)
{
    const struct fact_decision *decision = root->decision;
    bool has_text = root->kind == CAUSE_OUTCOME && decision->is_exact &&
                    decision->span.start_column != 0 && decision->words != WORDS_BODY_END &&
                    decision->words != WORDS_END_BODY; /* of these it is the word `in` */
    return has_text ? &decision->span : NULL;
}

uint32_t why_line(const struct why_root *root)
{
    switch (root->kind) {
    case CAUSE_OUTCOME:
        return root->decision->line;
    case CAUSE_COMPLETED:
    case CAUSE_CLEANED_UP:
    case CAUSE_RESUMED:
        return root->statement->start_line;
    case CAUSE_ENTRY:
    case CAUSE_CAUGHT:
    case CAUSE_LEFT:
        break;
    }
    return 0;
}

bool why_needs_subject(const struct why_root *root)
{
    return root->kind == CAUSE_OUTCOME && root->decision->words != WORDS_UNKNOWN;
}

const char *why_subject(const struct why_root *root)
{
    return sentence_noun(root->decision->words);
}

static void add_where(struct text *out, uint32_t of, uint32_t line)
{
    if (of != line)
        text_addf(out, " on line %" PRIu32, of);
}

static void add_line(struct text *out, uint32_t of, uint32_t line)
{
    if (of != line)
        text_addf(out, "line %" PRIu32, of);
    else
        text_add_c(out, "what comes before it on this line");
}

/* One that ran before may have done then what it has not done since. */
static const char *since(const struct report_why *why)
{
    return why->earlier != EARLIER_NOTHING ? " (since ilcov was attached)" : "";
}

static void add_never_called(struct text *out, const struct report_why *why)
{
    static const char *const earlier[] = {
        [EARLIER_NOTHING] = " was never called",
        [EARLIER_MAY_HAVE_RUN] =
            " was never called since ilcov was attached, but may have run before",
        [EARLIER_WAS_RUNNING] = " was running when ilcov was attached, and was never called since",
    };
    if (why->callee == CALLEE_ITERATOR)
        text_addf(out, "nobody asked for what the method returned%s", since(why));
    else
        text_addf(out, "%s%s", why->callee == CALLEE_FUNCTION ? "this function" : "the method",
                  earlier[why->earlier]);
}

void why_words(struct text *out, const struct report_why *why, const struct why_root *root,
               uint32_t line)
{
    uint32_t of = why_line(root);
    switch (root->kind) {
    case CAUSE_ENTRY:
        add_never_called(out, why);
        return;
    case CAUSE_COMPLETED:
        add_line(out, of, line);
        text_add_c(out, " never completed: it threw or did not return");
        break;
    case CAUSE_CLEANED_UP:
        add_line(out, of, line);
        text_add_c(out, ", or the cleanup after it, never completed");
        break;
    case CAUSE_RESUMED:
        text_add_c(out, "nobody asked for more after ");
        add_line(out, of, line);
        break;
    case CAUSE_CAUGHT:
        text_add_c(out, "no exception was caught here");
        break;
    case CAUSE_LEFT:
        text_add_c(out, "its try block was never left");
        break;
    case CAUSE_OUTCOME:
        if (why_needs_subject(root)) {
            add_where(out, of, line);
            text_addf(out, " %s", sentence_never(root->decision->words, root->outcome));
        } else {
            add_line(out, of, line);
            text_add_c(out, " never led here");
        }
        break;
    }
    text_add_c(out, since(why));
}

void why_begin(struct why_said *said, struct text *out)
{
    said->before = out->len;
    text_add_c(out, said->count != 0 ? "; " : "");
    said->items[said->count].from = out->len;
}

void why_end(struct why_said *said, struct text *out)
{
    size_t from = said->items[said->count].from, len = out->len - from;
    for (uint32_t i = 0; i < said->count && !out->failed; i++)
        if (said->items[i].len == len &&
            memcmp(out->data + said->items[i].from, out->data + from, len) == 0) {
            out->len = said->before;
            return;
        }
    said->items[said->count++].len = len;
}

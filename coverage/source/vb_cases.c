#include "coverage/source/vb_cases.h"

#include "base/list.h"
#include "coverage/source/comments.h"

/* A statement: what is between colons and ends of lines. */
struct case_statement {
    uint32_t start, end; /* without white space and comments around it; empty: the text ends */
};

struct case_reading {
    struct str text;
    uint32_t at;
    bool failed;
    struct list arms; /* struct switch_arm */
    struct switch_arms *out;
    struct arena *arena;
    struct err *err;
};

/* --- statements ------------------------------------------------------------------------------- */

static char char_at(const struct case_reading *r, uint32_t i)
{
    return i < r->text.len ? r->text.text[i] : '\0';
}

static bool is_line_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* After the string, comment or date at `i`; `i` itself if there is none. */
static uint32_t past_literal(const struct case_reading *r, uint32_t i)
{
    return i + (uint32_t)comments_skip(str_from(r->text, i), LANGUAGE_VISUAL_BASIC);
}

/* Does the line go on after the last character, at `last`, before its end? */
static bool goes_on(const struct case_reading *r, uint32_t start, uint32_t last, uint32_t depth)
{
    char c = char_at(r, last);
    bool is_mark = c == '_' && last > start && is_line_blank(char_at(r, last - 1));
    return depth != 0 || c == ',' || is_mark;
}

static struct case_statement read_statement(struct case_reading *r)
{
    uint32_t depth = 0;
    while (is_line_blank(char_at(r, r->at)) || char_at(r, r->at) == '\n' ||
           char_at(r, r->at) == ':')
        r->at++;
    struct case_statement found = {r->at, r->at};
    while (r->at < r->text.len) {
        char c = char_at(r, r->at);
        uint32_t past = past_literal(r, r->at);
        bool is_comment = past != r->at && c != '"' && c != '#' && c != '$';
        if (c == ':' && depth == 0 && char_at(r, r->at + 1) != '=')
            return found;
        if (c == '\n' &&
            (found.end == found.start || !goes_on(r, found.start, found.end - 1, depth)))
            return found;
        depth += c == '(' || c == '{';
        depth -= (c == ')' || c == '}') && depth != 0;
        r->at = past == r->at ? r->at + 1 : past;
        if (!is_comment && !is_line_blank(c) && c != '\n')
            found.end = r->at;
        else if (is_comment && found.end == found.start)
            found.start = found.end = r->at; /* a line of its own */
    }
    return found;
}

/* The word that begins at or after `*i`, which it moves behind it. */
static struct str take_case_word(const struct case_reading *r, uint32_t *i)
{
    while (is_line_blank(char_at(r, *i)))
        ++*i;
    struct str word = str_word(str_from(r->text, *i));
    *i += (uint32_t)word.len;
    return word;
}

static bool begins_with(const struct case_reading *r, const struct case_statement *statement,
                        const char *first, const char *second)
{
    uint32_t i = statement->start;
    return str_eq_nocase(take_case_word(r, &i), str_of(first)) &&
           (second == NULL || str_eq_nocase(take_case_word(r, &i), str_of(second)));
}

/* --- arms ------------------------------------------------------------------------------------- */

static struct switch_arm *add_case(struct case_reading *r, const struct case_statement *label)
{
    struct switch_arm *arm = list_add(&r->arms, sizeof *arm, r->arena, r->err);
    if (arm != NULL)
        *arm = (struct switch_arm){.label_start = label->start,
                                   .label_end = label->end,
                                   .starts = {label->start},
                                   .start_count = 1,
                                   .breaks = true};
    r->out->has_default |= begins_with(r, label, "case", "else");
    return arm;
}

/* A statement of the arm, outside other Select Case. */
static void note_case_body(struct case_reading *r, struct switch_arm *arm,
                           const struct case_statement *statement)
{
    arm->breaks &= begins_with(r, statement, "exit", "select");
    if (arm->start_count == 1)
        arm->starts[arm->start_count++] = statement->start;
}

static bool read_cases(struct case_reading *r)
{
    uint32_t depth = 0;
    struct switch_arm *arm = NULL;
    for (;;) {
        struct case_statement statement = read_statement(r);
        bool is_end = statement.end == statement.start;
        if (is_end && r->at < r->text.len)
            continue;
        r->failed = is_end || char_at(r, statement.start) == '#';
        if (r->failed)
            return true;
        bool ends = begins_with(r, &statement, "end", "select");
        if (ends && depth == 0)
            return true;
        if (depth == 0 && begins_with(r, &statement, "case", NULL)) {
            arm = add_case(r, &statement);
            if (arm == NULL)
                return false;
        } else if (depth == 0 && arm != NULL) {
            note_case_body(r, arm, &statement);
        }
        depth += begins_with(r, &statement, "select", "case");
        depth -= ends;
    }
}

bool vb_cases_find(struct switch_arms *out, struct str text, uint32_t start, uint32_t end,
                   struct arena *arena, struct err *err)
{
    struct case_reading r = {.text = text, .at = end, .out = out, .arena = arena, .err = err};
    struct case_statement head = {start, end};
    *out = (struct switch_arms){.subject_start = start, .subject_end = end};
    if (!begins_with(&r, &head, "select", "case"))
        return true;
    if (!read_cases(&r))
        return false;
    out->is_known = !r.failed && r.arms.count != 0;
    out->items = r.arms.items;
    out->count = out->is_known ? (uint32_t)r.arms.count : 0;
    return true;
}

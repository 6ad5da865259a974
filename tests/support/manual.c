#include "tests/support/manual.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* --- text ------------------------------------------------------------------------------------- */

static void add_char(struct text *out, char c)
{
    if (c == '-')
        text_add_c(out, "\\-");
    else if (c == '\\')
        text_add_c(out, "\\e");
    else
        text_addf(out, "%c", c);
}

static void add_plain(struct text *out, struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        add_char(out, s.text[i]);
}

static void add_in(struct text *out, char font, struct str s)
{
    text_addf(out, "\\f%c", font);
    add_plain(out, s);
    text_add_c(out, "\\fR");
}

/* COMMAND, PID, FILE: what the verb's operands and arguments are called. */
static bool is_placeholder(const struct verb *verb, struct str word)
{
    struct verb_option option;
    char name[32];
    if (word.len < 2 || word.len >= sizeof name)
        return false;
    memcpy(name, word.text, word.len);
    name[word.len] = '\0';
    for (size_t i = 0; verb_option(&option, verb, i); i++)
        if (option.row->argument != NULL && strstr(option.row->argument, name) != NULL)
            return true;
    return strstr(verb->operands, name) != NULL || strcmp(name, "OP") == 0 ||
           strcmp(name, "METRIC") == 0 || strcmp(name, "VALUE") == 0 ||
           strcmp(name, "ASSEMBLY") == 0;
}

static size_t run_of(const char *text, const char *of)
{
    return strspn(text, of);
}

#define LETTERS  "abcdefghijklmnopqrstuvwxyz"
#define CAPITALS "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* Options and what is quoted are bold, placeholders italic; a sentence begins a line. */
static void add_marked(struct text *out, const struct verb *verb, const char *text)
{
    bool starts = true; /* a word */
    while (*text != '\0') {
        size_t len = 0;
        const char *end = *text == '\'' && starts ? strchr(text + 1, '\'') : NULL;
        if (end != NULL) {
            add_in(out, 'B', (struct str){text + 1, (size_t)(end - text - 1)});
            len = (size_t)(end + 1 - text);
        } else if (starts && *text == '-' && text[1] == '-') {
            len = 2 + run_of(text + 2, LETTERS "-");
            add_in(out, 'B', (struct str){text, len});
        } else if (starts && run_of(text, CAPITALS) != 0) {
            len = run_of(text, CAPITALS);
            struct str word = {text, len};
            if (run_of(text + len, LETTERS "_") == 0 && is_placeholder(verb, word))
                add_in(out, 'I', word);
            else
                add_plain(out, word);
        } else if (text[0] == '.' && text[1] == ' ' && isupper((unsigned char)text[2]) != 0) {
            text_add_c(out, ".\n");
            len = 2;
        } else {
            add_char(out, *text);
            len = 1;
        }
        text += len;
        starts = strchr(" ([]=", text[-1]) != NULL;
    }
}

/* The phrase of --help as a sentence. */
static void add_sentence(struct text *out, const struct verb *verb,
                         const struct verb_option *option)
{
    struct str help;
    struct err err = {0};
    if (!verb_option_help(&help, option, out->arena, &err)) {
        out->failed = true;
        return;
    }
    text_addf(out, "%c", toupper((unsigned char)help.text[0]));
    add_marked(out, verb, help.text + 1);
    text_add_c(out, ".\n");
}

/* --- synopsis --------------------------------------------------------------------------------- */

void manual_add_synopsis(struct text *out, const struct verb *const *verbs)
{
    for (const struct verb *const *verb = verbs; *verb != NULL; verb++) {
        const char *rest = (*verb)->operands;
        text_addf(out, "%s\\fBilcov %s\\fR ", verb == verbs ? "" : ".br\n", (*verb)->name);
        while (*rest != '\0') {
            size_t len = run_of(rest, CAPITALS), dashes = run_of(rest, "-" LETTERS);
            if (len != 0)
                add_in(out, 'I', (struct str){rest, len});
            else if (dashes != 0)
                add_in(out, 'B', (struct str){rest, len = dashes});
            else
                add_plain(out, (struct str){rest, len = 1});
            rest += len;
        }
        text_add_c(out, "\n");
    }
}

/* --- options ---------------------------------------------------------------------------------- */

static bool same_text(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

/* The first verb before this one that has the same option; NULL: there is none. */
static const struct verb *first_with(const struct verb *const *verbs, const struct verb *verb,
                                     const struct verb_option *option)
{
    struct verb_option other;
    for (; *verbs != verb; verbs++)
        if (verb_find_option(&other, *verbs, option->row->name, 0) && other.row == option->row &&
            same_text(other.help, option->help) && same_text(other.more, option->more))
            return *verbs;
    return NULL;
}

static bool is_common(const struct option_row *row)
{
    return row == &option_help || row == &option_help_all || row == &option_version;
}

static void add_words(struct text *out, const struct verb *verb,
                      bool (*word)(struct option_word *, size_t))
{
    struct option_word item;
    text_add_c(out, ".RS\n");
    for (size_t i = 0; word(&item, i); i++) {
        text_addf(out, ".TP\n.B %s\n", item.name);
        add_marked(out, verb, item.summary);
        if (item.file != NULL) {
            text_add_c(out, " (");
            add_in(out, 'I', str_of(item.file));
            text_add_c(out, ")");
        }
        text_add_c(out, "\n");
    }
    text_add_c(out, ".RE\n");
}

static void add_option(struct text *out, const struct verb *verb, const struct verb_option *option)
{
    const struct option_row *row = option->row;
    char name[32];
    text_add_c(out, ".TP\n");
    if (row->letter != 0) {
        add_in(out, 'B', (struct str){(char[]){'-', row->letter}, 2});
        text_add_c(out, ", ");
    }
    (void)snprintf(name, sizeof name, "--%s", row->name);
    add_in(out, 'B', str_of(name));
    if (row->argument != NULL) {
        text_add_c(out, " ");
        add_in(out, 'I', str_of(row->argument));
    }
    text_add_c(out, "\n");
    add_sentence(out, verb, option);
    if (option->more != NULL) {
        add_marked(out, verb, option->more);
        text_add_c(out, "\n");
    }
    if (row->word != NULL)
        add_words(out, verb, row->word);
}

/* "-d, --data, --root: as for run." */
static void add_references(struct text *out, const struct verb *const *verbs,
                           const struct verb *verb, const struct verb *first)
{
    struct verb_option option;
    size_t count = 0;
    for (size_t i = 0; verb_option(&option, verb, i); i++) {
        char name[32];
        if (is_common(option.row) || first_with(verbs, verb, &option) != first)
            continue;
        text_add_c(out, count++ == 0 ? ".PP\n" : ",\n");
        (void)snprintf(name, sizeof name, "--%s", option.row->name);
        add_in(out, 'B', str_of(name));
    }
    if (count != 0)
        text_addf(out, ":\nas for\n.BR %s .\n", first->name);
}

static void add_verb(struct text *out, const struct verb *const *verbs, const struct verb *verb)
{
    struct verb_option option;
    text_addf(out, ".SS %s\n", verb->name);
    for (const struct verb *const *first = verbs; *first != verb; first++)
        add_references(out, verbs, verb, *first);
    for (size_t i = 0; verb_option(&option, verb, i); i++)
        if (!is_common(option.row) && first_with(verbs, verb, &option) == NULL)
            add_option(out, verb, &option);
    if (verb->manual == NULL)
        return;
    text_add_c(out, ".PP\n");
    add_marked(out, verb, verb->manual);
    text_add_c(out, "\n");
}

void manual_add_options(struct text *out, const struct verb *const *verbs)
{
    struct verb_option option;
    for (const struct verb *const *verb = verbs; *verb != NULL; verb++) {
        bool has_own = (*verb)->manual != NULL;
        for (size_t i = 0; verb_option(&option, *verb, i); i++)
            has_own = has_own || !is_common(option.row);
        if (has_own)
            add_verb(out, verbs, *verb);
    }
    text_add_c(out, ".SS every verb\n");
    for (size_t i = 0; verb_option(&option, verbs[0], i); i++)
        if (is_common(option.row))
            add_option(out, verbs[0], &option);
}

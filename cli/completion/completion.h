/* completion.h - scripts that let a shell complete ilcov's command lines, made from the tables of
 * the verbs: `ilcov completion SHELL` prints them, `make install` installs them. Each script knows
 * the verbs, the options of each verb, the words that a value may be, where files and folders are
 * expected, and where another command begins (`ilcov run -- COMMAND`): there the shell's own
 * completion for that command takes over. */
#ifndef ILCOV_CLI_COMPLETION_COMPLETION_H
#define ILCOV_CLI_COMPLETION_COMPLETION_H

#include "cli/base/verb.h"

struct completion_shell {
    const char *name;
    const char *summary; /* where its script belongs */
    /* A lack of memory is sticky in `out`. `verbs` ends with NULL. */
    void (*write)(struct text *out, const struct verb *const *verbs);
};

/* Ends with a NULL name. */
extern const struct completion_shell completion_shells[];

void completion_bash(struct text *out, const struct verb *const *verbs);
void completion_zsh(struct text *out, const struct verb *const *verbs);
void completion_fish(struct text *out, const struct verb *const *verbs);

/* --- for the writers -------------------------------------------------------------------------- */

/* An option's help, shortened for a list of candidates: without the part after "; " and without
 * parentheses at the end. */
struct str completion_brief(const struct verb_option *option);

/* The names of the words, each with `before` before it; nothing if `word` is NULL. */
void completion_add_words(struct text *out, const char *before,
                          bool (*word)(struct option_word *, size_t));

/* `s` with each character of `special` preceded by `escape`. */
void completion_add_escaped(struct text *out, struct str s, const char *special,
                            const char *escape);

#endif

/* checkout.h - a checkout of a git repository, and git run in it: nothing else starts git.
 *
 * The repository may be a stranger's, and so may its configuration (.git/config and what that
 * includes, attributes, hooks): none of it makes git start a program. git runs at the top of a
 * checkout, where its .git is: a folder without .git that looks like a repository, with a
 * configuration, may be checked in. Nothing is fetched, and nothing written, not even the index.
 *
 * The configuration of the user and of the machine stays in force, as it may say which directories
 * are safe; but programs in it are not run either.
 * Owner:  everything lives in the arena.
 * Errors: ERR_IO no git, no checkout, or git's own error, its first line; ERR_LIMIT git writes more
 *         than CHECKOUT_ANSWER_LIMIT bytes, or does not end; ERR_MEMORY. */
#pragma once

#include "base/list.h"
#include "base/text.h"

enum {
    CHECKOUT_ANSWER_LIMIT = 1 << 30,
    CHECKOUT_TIME_LIMIT_MS = 5 * 60 * 1000 /* a pipe in .git would make git wait for ever */
};

struct checkout {
    struct str top; /* absolute, without links; a NUL follows */
    bool is_shallow;
    bool is_partial;     /* it may lack the files of commits that it has */
    struct list filters; /* const char *: settings that switch them off */
    char **environment;
    struct arena *arena;
    struct err *err;
};

/* The one around the directory. `*folder` is the directory below its top, "src/", or empty. */
NODISCARD bool checkout_open(struct checkout *out, struct str *folder, const char *directory,
                             struct arena *arena, struct err *err);

/* Is the folder, whose path is absolute and has no links, the top of one? Its .git says so. */
bool checkout_is_top(const char *folder);
NODISCARD bool checkout_open_top(struct checkout *out, const char *top, struct arena *arena,
                                 struct err *err);

struct git_answer {
    int status; /* as a shell has it */
    struct str output;
    struct str complaint; /* the line of standard error that says what happened */
};

/* `words` ends with NULL. False only if there is no answer; the caller judges it. */
NODISCARD bool checkout_git(struct git_answer *out, const struct checkout *checkout,
                            const char *const *words);

/* Sets the error that git's answer tells, and returns false. `what`: "git diff". */
bool checkout_fail(const struct checkout *checkout, const struct git_answer *answer,
                   const char *what);

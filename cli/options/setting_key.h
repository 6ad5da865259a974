/* setting_key.h - what an option is called as a setting: "fail-under" is the key failUnder of a
 * settings file and the variable ILCOV_FAIL_UNDER; of the verb run alone run.failUnder and
 * ILCOV_RUN_FAIL_UNDER.
 *
 * A name may have two meanings: --format of `diff` knows other formats than the one of `run`. What
 * is set for all verbs goes to those whose option means what that of the first verb means; the
 * others have a section. */
#pragma once

#include "cli/options/verb.h"

enum {
    SETTING_KEY_ROOM = 64
};

#define SETTING_CONFIG   "ILCOV_CONFIG" /* names the settings file; empty: none */
#define SETTING_VARIABLE "ILCOV_"       /* what all of them begin with */

void setting_key(char out[SETTING_KEY_ROOM], const struct option_row *row);

/* `verb` may be NULL. */
void setting_variable(char out[SETTING_KEY_ROOM], const struct verb *verb,
                      const struct option_row *row);

/* The first verb that has the option with this key; NULL: none has. */
const struct verb *setting_first(const struct verb *const *verbs, const char *key);

/* Has the verb's option the meaning that its key has for all verbs? */
bool setting_is_common(const struct verb *const *verbs, const struct option_row *row);

/* The verb with settings of this name, or NULL. */
const struct verb *setting_section(const struct verb *const *verbs, const char *name);

/* The option with this key: of `verb`, or of the first that has it if `verb` is NULL. NULL: there
 * is none. */
const struct option_row *setting_option(const struct verb *const *verbs, const struct verb *verb,
                                        const char *key);

/* The keys of `verb`, or those of all verbs, and their sections, if it is NULL; or their variables
 * without SETTING_VARIABLE. Ends with NULL; NULL if there is no memory. */
NODISCARD const char *const *setting_names(const struct verb *const *verbs, const struct verb *verb,
                                           bool variables, struct arena *arena, struct err *err);

/* The key, or the section, that was probably meant by `key`, which is none; NULL: nobody knows. */
NODISCARD bool setting_meant(const char **out, const struct verb *const *verbs,
                             const struct verb *verb, const char *key, struct arena *arena,
                             struct err *err);

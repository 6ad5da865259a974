/* import.h - settings of other tools as ilcov's: those of coverlet and of Microsoft's collector in
 * a .runsettings file, and coverlet's properties in a project or .props file.
 *
 * What has a counterpart becomes a setting; of the rest each is named with its reason. Nothing is
 * guessed: a regular expression becomes a pattern only if both match the same.
 * Owner:  everything lives in the arena.
 * Errors: ERR_IO, ERR_LIMIT, ERR_FORMAT (no XML, or none that has such settings), all with the
 *         path; ERR_MEMORY. */
#ifndef ILCOV_CLI_SETTINGS_IMPORT_H
#define ILCOV_CLI_SETTINGS_IMPORT_H

#include <libxml/tree.h>
#include <stdio.h>

#include "base/list.h"
#include "cli/base/verb.h"

enum import_kind {
    IMPORT_TEXT,
    IMPORT_FLAG,
    IMPORT_LIST,
};

/* One value, and what it was: "Exclude: [*.Tests]*". */
struct import_value {
    struct str value, from;
    const char *note; /* how it differs, or NULL */
};

struct import_setting {
    const char *key;
    enum import_kind kind;
    struct list values; /* struct import_value */
};

/* What has no counterpart. */
struct import_rest {
    struct str from;
    const char *why;
    struct str nearest; /* a value that is not the same, but near; or empty */
};

struct import {
    const char *path;
    struct list settings; /* struct import_setting */
    struct list rest;     /* struct import_rest */
    struct arena *arena;
    struct err *err;
    bool failed; /* sticky */
};

/* Values that the option of the setting refuses have no counterpart. */
NODISCARD bool import_read(struct import *out, const char *path, const struct verb *const *verbs,
                           struct arena *arena, struct err *err);

/* The same for bytes; `path` is in messages. */
NODISCARD bool import_parse(struct import *out, struct view bytes, const char *path,
                            const struct verb *const *verbs, struct arena *arena, struct err *err);

/* A settings file, with comments that say what each setting was, and what has no counterpart. */
void import_print(FILE *out, const struct import *import);

/* --- for the readers -------------------------------------------------------------------------- */

void import_coverlet(struct import *import, const xmlNode *configuration);
void import_microsoft(struct import *import, const xmlNode *configuration);
/* `group` is a PropertyGroup. Returns whether one of its properties is coverlet's. */
bool import_properties(struct import *import, const xmlNode *group);
/* After all groups: properties that are about each other. */
void import_properties_end(struct import *import);

/* Adds a value of the setting; one that is no list has the last. */
void import_add(struct import *import, const char *key, enum import_kind kind, struct str value,
                struct str from, const char *note);
void import_drop(struct import *import, struct str from, const char *why, struct str nearest);
/* All that is kept in the arena, formatted. */
struct str import_text(struct import *import, const char *format, ...) PRINTF_LIKE(2, 3);

/* The next child element; `after` is NULL for the first. */
const xmlNode *import_next(const xmlNode *parent, const xmlNode *after);
bool import_is(const xmlNode *node, const char *name);
/* The text of an element, without blanks around it; those inside are one space each. */
struct str import_content(struct import *import, const xmlNode *node);
/* The next item of a list with commas; false after the last. Empty items are left out. */
bool import_split(struct str *item, struct str *list);
bool import_is_true(struct str value);

#endif

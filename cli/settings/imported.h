/* imported.h - what is found of another tool's settings: those that become one of ilcov's, and the
 * rest; and what its readers need of XML.
 * Owner:  everything lives in the arena.
 * Errors: sticky: after the first, nothing is added. */
#ifndef ILCOV_CLI_SETTINGS_IMPORTED_H
#define ILCOV_CLI_SETTINGS_IMPORTED_H

#include <libxml/tree.h>

#include "base/list.h"
#include "base/text.h"

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

/* Adds a value of the setting; one that is no list has the last. */
void import_add(struct import *import, const char *key, enum import_kind kind, struct str value,
                struct str from, const char *note);
void import_drop(struct import *import, struct str from, const char *why, struct str nearest);
/* All that is kept in the arena, formatted. */
struct str import_text(struct import *import, const char *format, ...) PRINTF_LIKE(2, 3);

/* --- XML -------------------------------------------------------------------------------------- */

/* The next child element; `after` is NULL for the first. */
const xmlNode *import_next(const xmlNode *parent, const xmlNode *after);
bool import_is(const xmlNode *node, const char *name);
/* The text of an element, without blanks around it; those inside are one space each. */
struct str import_content(struct import *import, const xmlNode *node);
/* The next item of a list with commas; false after the last. Empty items are left out. */
bool import_split(struct str *item, struct str *list);
bool import_is_true(struct str value);

#endif

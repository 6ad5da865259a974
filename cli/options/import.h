/* import.h - settings of other tools as ilcov's: those of coverlet and of Microsoft's collector in
 * a .runsettings file, and coverlet's properties in a project. What has a counterpart becomes a
 * setting; of the rest each is named with its reason. Nothing is guessed: a pattern or regular
 * expression becomes a pattern only if both match the same.
 * Owner:  everything lives in the arena.
 * Errors: ERR_IO, ERR_LIMIT, ERR_FORMAT (no XML, or none that has such settings), all with the
 *         path; ERR_MEMORY. */
#pragma once

#include <stdio.h>

#include "base/list.h"
#include "cli/options/verb.h"

/* A value of one of ilcov's settings, or one that has no counterpart. */
struct import_item {
    const struct option_row *row; /* the setting, or NULL */
    const char *key;
    struct str from; /* what it was: "Exclude: [*.Tests]*" */
    struct str value;
    const char *why; /* it has no counterpart, or NULL */
};

struct import {
    const char *path;
    const struct verb *const *verbs;
    const char *key;      /* what is being read: the setting that it becomes, */
    struct str from;      /* and what it was */
    struct list settings; /* struct import_item; those of a setting are together */
    struct list rest;     /* the same: what has no counterpart */
    struct arena *arena;
    struct err *err;
    bool failed; /* sticky: after the first error nothing is added */
};

NODISCARD bool import_read(struct import *out, const char *path, const struct verb *const *verbs,
                           struct arena *arena, struct err *err);
/* The same for bytes; `path` is in messages. */
NODISCARD bool import_parse(struct import *out, struct view bytes, const char *path,
                            const struct verb *const *verbs, struct arena *arena, struct err *err);

/* A settings file, with comments that say what each setting was, and what has no counterpart. */
void import_print(FILE *out, const struct import *import);

/* --- for the readers -------------------------------------------------------------------------- */

/* Adds a value of the setting `key`. If its option refuses it, it has no counterpart; of a setting
 * that is no list the last value counts. */
void import_add(struct import *import, struct str value);
void import_drop(struct import *import, const char *why);
/* All that is kept in the arena, formatted. */
struct str import_text(struct import *import, const char *format, ...) PRINTF_LIKE(2, 3);

/* What a value becomes. */
typedef void import_taker(struct import *import, struct str value);
/* coverlet's filters and globs. */
import_taker import_take_filter, import_take_glob;
/* Microsoft's regular expressions. */
import_taker import_take_modules, import_take_sources, import_take_attributes;

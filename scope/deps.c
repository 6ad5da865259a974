/* The parts of a *.deps.json that are read:
 *
 *     { "targets":   { "<framework>[/<rid>]": { "<library>": {
 *                          "runtime":        { "lib/net8.0/Name.dll": { ... } },
 *                          "runtimeTargets": { "runtimes/unix/lib/net8.0/Name.dll": { ... } } } }
 * }, "libraries": { "<library>": { "type": "package" | "project" | "runtimepack" | ... } } } */
#include "scope/deps.h"

#include <string.h>

#include "base/any_path.h"
#include "base/bytes.h"
#include "base/hex.h"
#include "base/list.h"
#include "base/sort.h"
#include "base/utf16.h"

enum {
    JSON_DEPTH_MAX = 64
};

/* --- JSON: a reader that goes from token to token ------------------------------------------- */

/* The next byte that is not white space, not taken; 0 at the end. */
static uint8_t peek(struct reader *r)
{
    while (rd_left(r) != 0) {
        uint8_t c = r->data[r->pos];
        if (c != ' ' && c != '\t' && c != '\n' && c != '\r')
            return c;
        r->pos++;
    }
    return 0;
}

static bool take(struct reader *r, uint8_t wanted)
{
    if (r->failed || peek(r) != wanted)
        return false;
    r->pos++;
    return true;
}

/* A string between its quotes, with escapes as written. */
static struct str take_string(struct reader *r)
{
    if (!take(r, '"')) {
        r->failed = true;
        return (struct str){NULL, 0};
    }
    size_t start = r->pos;
    for (; rd_left(r) != 0; r->pos++) {
        uint8_t c = r->data[r->pos];
        if (c == '"')
            return (struct str){(const char *)r->data + start, r->pos++ - start};
        if (c == '\\')
            r->pos++;
        if (c < 0x20 || rd_left(r) == 0)
            break;
    }
    r->failed = true;
    return (struct str){NULL, 0};
}

/* The key of an object's next member, with its colon; false after the last one. The `{` is already
 * taken. */
static bool next_member(struct reader *r, struct str *key, bool *first)
{
    if (take(r, '}'))
        return false;
    if (!*first && !take(r, ','))
        r->failed = true;
    *first = false;
    *key = take_string(r);
    if (!take(r, ':'))
        r->failed = true;
    return !r->failed;
}

static void skip_value(struct reader *r, unsigned depth);

static void skip_array(struct reader *r, unsigned depth)
{
    bool first = true;
    while (!r->failed && !take(r, ']')) {
        if (!first && !take(r, ','))
            r->failed = true;
        first = false;
        skip_value(r, depth);
    }
}

static void skip_value(struct reader *r, unsigned depth)
{
    struct str key;
    bool first = true;
    if (depth == 0)
        r->failed = true;
    if (r->failed)
        return;
    if (peek(r) == '"') {
        (void)take_string(r);
    } else if (take(r, '{')) {
        while (next_member(r, &key, &first))
            skip_value(r, depth - 1);
    } else if (take(r, '[')) {
        skip_array(r, depth - 1);
    } else { /* a number, true, false or null */
        size_t start = r->pos;
        while (rd_left(r) != 0 && strchr(",]} \t\r\n", r->data[r->pos]) == NULL)
            r->pos++;
        if (r->pos == start)
            r->failed = true;
    }
}

/* Enters an object that is a member's value; another value is skipped. */
static bool enter(struct reader *r)
{
    if (take(r, '{'))
        return true;
    skip_value(r, JSON_DEPTH_MAX);
    return false;
}

/* The four digits after \u at `at`; 0xFFFD if they are not digits. */
static uint16_t escaped_unit(struct str s, size_t at)
{
    unsigned unit = 0;
    for (size_t i = at; i < at + 4; i++) {
        int digit = i < s.len ? hex_value(s.text[i]) : -1;
        if (digit < 0)
            return 0xFFFD;
        unit = unit << 4 | (unsigned)digit;
    }
    return (uint16_t)unit;
}

/* Adds what the escape at `*at` (on its backslash) means, and moves past it. */
static void add_escape(struct text *t, struct str s, size_t *at)
{
    static const char letters[] = "bfnrt", meanings[] = "\b\f\n\r\t";
    char letter = s.text[*at + 1]; /* a string never ends in a lone backslash: take_string */
    *at += 2;
    if (letter == 'u') {
        uint16_t units[2] = {escaped_unit(s, *at), 0};
        char utf8[8];
        *at += 4; /* at most 4 too far, if the string ends within the digits */
        size_t count = 1;
        if ((units[0] & 0xFC00) == 0xD800 && *at < s.len && s.text[*at] == '\\' &&
            s.text[*at + 1] == 'u')
            units[1] = escaped_unit(s, *at + 2);
        if ((units[1] & 0xFC00) == 0xDC00) {
            count = 2;
            *at += 6;
        }
        text_add(t, (struct str){utf8, utf16_to_utf8(utf8, sizeof utf8, units, count)});
        return;
    }
    const char *known = letter != '\0' ? strchr(letters, letter) : NULL;
    text_add(t, (struct str){known != NULL ? &meanings[known - letters] : &letter, 1});
}

static bool unescape(struct str *out, struct str s, struct arena *arena, struct err *err)
{
    struct text t;
    text_open(&t, arena);
    for (size_t i = 0; i < s.len;) {
        if (s.text[i] == '\\') {
            add_escape(&t, s, &i);
            continue;
        }
        size_t start = i;
        while (i < s.len && s.text[i] != '\\')
            i++;
        text_add(&t, (struct str){s.text + start, i - start});
    }
    return text_take(out, &t, err);
}

/* --- the two objects ---------------------------------------------------------------------- */

enum library_type {
    LIBRARY_OTHER,
    LIBRARY_PACKAGE,
    LIBRARY_PROJECT
};

struct library {
    struct str name;
    enum library_type type;
};

/* The state of one pass over the text. */
struct walk {
    struct reader r;
    struct list libraries;          /* struct library; sorted by name before the targets are read */
    struct list packages, projects; /* struct str */
    struct arena *arena;
    struct err *err;
};

static bool add_file(struct walk *w, struct list *list, struct str path)
{
    struct str *name = list_add(list, sizeof *name, w->arena, w->err);
    if (name == NULL || !unescape(name, path, w->arena, w->err))
        return false;
    *name = any_path_file(*name);
    return true;
}

static bool read_library(struct walk *w, struct str name)
{
    struct library library = {.type = LIBRARY_OTHER};
    struct str key;
    bool first = true;
    if (!enter(&w->r))
        return true;
    while (next_member(&w->r, &key, &first)) {
        if (!str_is(key, "type") || peek(&w->r) != '"') {
            skip_value(&w->r, JSON_DEPTH_MAX);
            continue;
        }
        struct str type = take_string(&w->r);
        if (str_is(type, "package") || str_is(type, "runtimepack"))
            library.type = LIBRARY_PACKAGE;
        else if (str_is(type, "project"))
            library.type = LIBRARY_PROJECT;
    }
    if (library.type == LIBRARY_OTHER)
        return true;
    struct library *added = list_add(&w->libraries, sizeof library, w->arena, w->err);
    if (added == NULL || !unescape(&library.name, name, w->arena, w->err))
        return false;
    *added = library;
    return true;
}

static bool read_libraries(struct walk *w)
{
    struct str name;
    bool first = true;
    if (!enter(&w->r))
        return true;
    while (next_member(&w->r, &name, &first))
        if (!read_library(w, name))
            return false;
    return true;
}

ORDER(by_name, struct library, BY(name))

static enum library_type type_of_library(const struct walk *w, struct str name)
{
    const struct library wanted = {.name = name};
    const struct library *found =
        sorted_find(&wanted, w->libraries.items, w->libraries.count, sizeof wanted, by_name);
    return found != NULL ? found->type : LIBRARY_OTHER;
}

/* The assets of one library under one target. */
static bool read_assets(struct walk *w, struct list *list)
{
    struct str key, path;
    bool first = true;
    if (!enter(&w->r))
        return true;
    while (next_member(&w->r, &key, &first)) {
        bool wanted = list != NULL && (str_is(key, "runtime") || str_is(key, "runtimeTargets"));
        if (!wanted || !take(&w->r, '{')) {
            skip_value(&w->r, JSON_DEPTH_MAX);
            continue;
        }
        for (bool first_asset = true; next_member(&w->r, &path, &first_asset);) {
            skip_value(&w->r, JSON_DEPTH_MAX);
            if (!add_file(w, list, path))
                return false;
        }
    }
    return true;
}

static bool read_target(struct walk *w)
{
    struct str key, name;
    bool first = true;
    if (!enter(&w->r))
        return true;
    while (next_member(&w->r, &key, &first)) {
        if (!unescape(&name, key, w->arena, w->err))
            return false;
        enum library_type type = type_of_library(w, name);
        if (!read_assets(w, type == LIBRARY_PACKAGE   ? &w->packages
                            : type == LIBRARY_PROJECT ? &w->projects
                                                      : NULL))
            return false;
    }
    return true;
}

static bool read_targets(struct walk *w)
{
    struct str name;
    bool first = true;
    if (!enter(&w->r))
        return true;
    while (next_member(&w->r, &name, &first))
        if (!read_target(w))
            return false;
    return true;
}

/* Reads one member of the outermost object with `read` and skips the others. The libraries come
 * after the targets that name them, hence two passes. */
static bool walk_members(struct walk *w, struct view json, const char *wanted,
                         bool (*read)(struct walk *))
{
    struct str key;
    bool first = true;
    w->r = rd_view(json);
    if (json.len >= 3 && memcmp(json.data, "\xEF\xBB\xBF", 3) == 0)
        w->r.pos = 3;
    if (!take(&w->r, '{'))
        w->r.failed = true;
    while (!w->r.failed && next_member(&w->r, &key, &first)) {
        if (!str_is(key, wanted))
            skip_value(&w->r, JSON_DEPTH_MAX);
        else if (!read(w))
            return false;
    }
    if (w->r.failed || peek(&w->r) != 0 || rd_left(&w->r) != 0)
        return err_set(w->err, ERR_FORMAT, "deps.json is malformed at byte %zu of %zu", w->r.pos,
                       json.len);
    return true;
}

bool deps_read(struct deps *out, struct view json, struct arena *arena, struct err *err)
{
    struct walk w = {.arena = arena, .err = err};
    *out = (struct deps){0};
    if (json.len > DEPS_LEN_MAX)
        return err_set(err, ERR_LIMIT, "deps.json has %zu bytes; the limit is %u", json.len,
                       (unsigned)DEPS_LEN_MAX);
    if (!walk_members(&w, json, "libraries", read_libraries))
        return false;
    sort_unless_sorted(w.libraries.items, w.libraries.count, sizeof(struct library), by_name);
    if (!walk_members(&w, json, "targets", read_targets))
        return false;
    *out = (struct deps){w.packages.items, w.packages.count, w.projects.items, w.projects.count};
    return true;
}

static bool is_among(const struct str *files, uint32_t count, struct str name)
{
    for (uint32_t i = 0; i < count; i++)
        if (str_eq_nocase(files[i], name))
            return true;
    return false;
}

bool deps_is_package(const struct deps *deps, struct str file_name)
{
    return is_among(deps->package_files, deps->package_count, file_name);
}

bool deps_is_project(const struct deps *deps, struct str file_name)
{
    return is_among(deps->project_files, deps->project_count, file_name);
}

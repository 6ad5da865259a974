/* The parts of a *.deps.json that are read:
 *
 *     { "targets":   { "<framework>[/<rid>]": { "<library>": {
 *                          "runtime":        { "lib/net8.0/Name.dll": { ... } },
 *                          "runtimeTargets": { "runtimes/unix/lib/net8.0/Name.dll": { ... } } } }
 * }, "libraries": { "<library>": { "type": "package" | "project" | "runtimepack" | ... } } } */
#include "scope/deps.h"

#include <string.h>

#include "base/bytes.h"
#include "base/hex.h"
#include "base/list.h"
#include "base/path.h"
#include "base/sort.h"
#include "base/utf16.h"

enum {
    JSON_DEPTH_MAX = 64
};

/* --- JSON: a reader that goes from token to token ------------------------------------------- */

/* The next byte that is not white space, not taken; 0 at the end. */
static uint8_t peek_byte(struct reader *r)
{
    while (rd_left(r) != 0) {
        uint8_t c = r->data[r->pos];
        if (c != ' ' && c != '\t' && c != '\n' && c != '\r')
            return c;
        r->pos++;
    }
    return 0;
}

static bool take_byte(struct reader *r, uint8_t wanted)
{
    if (r->failed || peek_byte(r) != wanted)
        return false;
    r->pos++;
    return true;
}

/* A string between its quotes, with escapes as written. */
static struct str take_deps_string(struct reader *r)
{
    if (!take_byte(r, '"')) {
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
    if (take_byte(r, '}'))
        return false;
    if (!*first && !take_byte(r, ','))
        r->failed = true;
    *first = false;
    *key = take_deps_string(r);
    if (!take_byte(r, ':'))
        r->failed = true;
    return !r->failed;
}

static void skip_value(struct reader *r, unsigned depth);

static void skip_array(struct reader *r, unsigned depth)
{
    bool first = true;
    while (!r->failed && !take_byte(r, ']')) {
        if (!first && !take_byte(r, ','))
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
    if (peek_byte(r) == '"') {
        (void)take_deps_string(r);
    } else if (take_byte(r, '{')) {
        while (next_member(r, &key, &first))
            skip_value(r, depth - 1);
    } else if (take_byte(r, '[')) {
        skip_array(r, depth - 1);
    } else { /* a number, true, false or null */
        size_t start = r->pos;
        while (rd_left(r) != 0 && strchr(",]} \t\r\n", r->data[r->pos]) == NULL)
            r->pos++;
        if (r->pos == start)
            r->failed = true;
    }
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

static bool unescape_json(struct str *out, struct str s, struct arena *arena, struct err *err)
{
    struct text t = text_in(arena);
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
struct deps_walk {
    struct reader r;
    struct list libraries;          /* struct library; sorted by name before the targets are read */
    struct list packages, projects; /* struct str */
    struct arena *arena;
    struct err *err;
};

/* Gives `take` the key of each member of an object, and it reads the value. A value that is no
 * object is skipped. False if `take` was. */
static bool each_member(struct deps_walk *w,
                        bool (*take)(struct deps_walk *w, struct str key, void *context),
                        void *context)
{
    struct str key;
    bool first = true;
    if (!take_byte(&w->r, '{')) {
        skip_value(&w->r, JSON_DEPTH_MAX);
        return true;
    }
    while (next_member(&w->r, &key, &first))
        if (!take(w, key, context))
            return false;
    return true;
}

static bool skip_member(struct deps_walk *w)
{
    skip_value(&w->r, JSON_DEPTH_MAX);
    return true;
}

/* --- "libraries" --- */

static bool read_type(struct deps_walk *w, struct str key, void *context)
{
    enum library_type *type = context;
    if (!str_is(key, "type") || peek_byte(&w->r) != '"')
        return skip_member(w);
    struct str text = take_deps_string(&w->r);
    if (str_is(text, "package") || str_is(text, "runtimepack"))
        *type = LIBRARY_PACKAGE;
    else if (str_is(text, "project"))
        *type = LIBRARY_PROJECT;
    return true;
}

static bool read_library(struct deps_walk *w, struct str name, void *context)
{
    struct library library = {.type = LIBRARY_OTHER};
    (void)context;
    if (!each_member(w, read_type, &library.type) || library.type == LIBRARY_OTHER)
        return true;
    struct library *added = list_add(&w->libraries, sizeof library, w->arena, w->err);
    if (added == NULL || !unescape_json(&library.name, name, w->arena, w->err))
        return false;
    *added = library;
    return true;
}

ORDER(order_libraries, struct library, BY(name))

/* --- "targets" --- */

static struct list *files_of_library(struct deps_walk *w, struct str name)
{
    const struct library wanted = {.name = name};
    const struct library *found = sorted_find(&wanted, w->libraries.items, w->libraries.count,
                                              sizeof wanted, order_libraries);
    return found == NULL ? NULL : found->type == LIBRARY_PACKAGE ? &w->packages : &w->projects;
}

static bool read_asset(struct deps_walk *w, struct str path, void *context)
{
    struct list *files = context;
    struct str *name = list_add(files, sizeof *name, w->arena, w->err);
    if (name == NULL || !unescape_json(name, path, w->arena, w->err))
        return false;
    *name = any_path_file(*name);
    return skip_member(w);
}

static bool read_assets(struct deps_walk *w, struct str key, void *context)
{
    bool is_wanted = context != NULL && (str_is(key, "runtime") || str_is(key, "runtimeTargets"));
    return is_wanted ? each_member(w, read_asset, context) : skip_member(w);
}

static bool read_library_of_target(struct deps_walk *w, struct str key, void *context)
{
    struct str name;
    (void)context;
    return unescape_json(&name, key, w->arena, w->err) &&
           each_member(w, read_assets, files_of_library(w, name));
}

static bool read_target(struct deps_walk *w, struct str name, void *context)
{
    (void)name;
    return each_member(w, read_library_of_target, context);
}

/* Reads each member of one member of the outermost object, and skips the others. The libraries come
 * after the targets that name them, hence two passes. */
static bool walk_members(struct deps_walk *w, struct view json, const char *wanted,
                         bool (*read)(struct deps_walk *w, struct str key, void *context))
{
    struct str key;
    bool first = true;
    w->r = rd_view(json);
    if (json.len >= 3 && memcmp(json.data, "\xEF\xBB\xBF", 3) == 0)
        w->r.pos = 3;
    if (!take_byte(&w->r, '{'))
        w->r.failed = true;
    while (!w->r.failed && next_member(&w->r, &key, &first))
        if (!(str_is(key, wanted) ? each_member(w, read, NULL) : skip_member(w)))
            return false;
    if (w->r.failed || peek_byte(&w->r) != 0 || rd_left(&w->r) != 0)
        return err_set(w->err, ERR_FORMAT, "deps.json is malformed at byte %zu of %zu", w->r.pos,
                       json.len);
    return true;
}

bool deps_read(struct deps *out, struct view json, struct arena *arena, struct err *err)
{
    struct deps_walk w = {.arena = arena, .err = err};
    *out = (struct deps){0};
    if (json.len > DEPS_LEN_MAX)
        return err_set(err, ERR_LIMIT, "deps.json has %zu bytes; the limit is %u", json.len,
                       (unsigned)DEPS_LEN_MAX);
    if (!walk_members(&w, json, "libraries", read_library))
        return false;
    sort_unless_sorted(w.libraries.items, w.libraries.count, sizeof(struct library),
                       order_libraries);
    if (!walk_members(&w, json, "targets", read_target))
        return false;
    *out = (struct deps){w.packages.items, w.packages.count, w.projects.items, w.projects.count};
    return true;
}

static bool is_among_files(const struct str *files, uint32_t count, struct str name)
{
    for (uint32_t i = 0; i < count; i++)
        if (str_eq_nocase(files[i], name))
            return true;
    return false;
}

bool deps_is_package(const struct deps *deps, struct str file_name)
{
    return is_among_files(deps->package_files, deps->package_count, file_name);
}

bool deps_is_project(const struct deps *deps, struct str file_name)
{
    return is_among_files(deps->project_files, deps->project_count, file_name);
}

#include "coverage/report/file_choice.h"

#include <stdlib.h>
#include <string.h>

#include "base/any_path.h"
#include "base/ascii.h"
#include "base/list.h"
#include "base/nearest.h"
#include "base/number.h"
#include "base/path.h"

struct choosing {
    struct file_choice *out;
    const struct report_files *files;
    struct str name;
    struct arena *arena;
    struct err *err;
};

/* --- what is typed ---------------------------------------------------------------------------- */

/* With '/' between its parts, without "./" in front. */
static bool tidy(struct str *name, struct arena *arena, struct err *err)
{
    if (!any_path_with_slashes(name, *name, arena, err))
        return false;
    while (str_starts(*name, "./"))
        *name = (struct str){name->text + 2, name->len - 2};
    return true;
}

/* --- matching --------------------------------------------------------------------------------- */

static bool same(struct str a, struct str b, bool any_case)
{
    return any_case ? str_eq_nocase(a, b) : str_eq(a, b);
}

static bool is_whole(struct str path, struct str name, bool any_case)
{
    return same(path, name, any_case);
}

/* Is it the last parts of the path? */
static bool is_end(struct str path, struct str name, bool any_case)
{
    if (name.len == 0 || name.len > path.len)
        return false;
    struct str end = {path.text + path.len - name.len, name.len};
    bool at_part = name.len == path.len || end.text[-1] == '/' || name.text[0] == '/';
    return at_part && same(end, name, any_case);
}

/* "Order" is in "src/Order.cs". */
static bool is_part(struct str path, struct str name, bool any_case)
{
    struct str file = path_file(path);
    for (size_t i = 0; name.len != 0 && i + name.len <= file.len; i++)
        if (same((struct str){file.text + i, name.len}, name, any_case))
            return true;
    return false;
}

/* Lists the paths that match, each once; the files of the first one are kept. */
static bool list_paths(const struct choosing *c, struct str name, bool any_case,
                       bool (*matches)(struct str, struct str, bool))
{
    struct list paths = {.items = NULL};
    const struct report_files *files = c->files;
    c->out->file_count = 0;
    for (uint32_t i = 0, next; i < files->count; i = next) {
        struct str path = files->files[i].path;
        for (next = i + 1; next < files->count && str_eq(files->files[next].path, path);)
            next++;
        if (!matches(path, name, any_case))
            continue;
        if (!list_push(&paths, &path, sizeof path, c->arena, c->err))
            return false;
        if (paths.count == 1) {
            c->out->files = &files->files[i];
            c->out->file_count = next - i;
        }
    }
    c->out->paths = paths.items;
    c->out->path_count = paths.count;
    return true;
}

/* --- near misses ------------------------------------------------------------------------------ */

static bool propose(const struct choosing *c)
{
    const struct report_files *files = c->files;
    struct str file = path_file(c->name);
    if (!list_paths(c, file, true, is_part) || c->out->path_count != 0)
        return c->out->path_count != 0;
    const char **names = ARENA_NEW(c->arena, const char *, (size_t)files->count + 1, c->err);
    for (uint32_t i = 0; names != NULL && i < files->count; i++) {
        struct str of = path_file(files->files[i].path);
        names[i] = arena_copy_text(c->arena, of.text, of.len, c->err);
        if (names[i] == NULL)
            return false;
    }
    if (names == NULL)
        return false;
    const char *nearest = nearest_word(file, names);
    return nearest == NULL || list_paths(c, str_of(nearest), false, is_end);
}

bool file_choose(struct file_choice *out, const struct report_files *files, struct str name,
                 struct str relative, struct arena *arena, struct err *err)
{
    struct choosing c = {.out = out, .files = files, .name = name, .arena = arena, .err = err};
    *out = (struct file_choice){.answer = FILE_UNKNOWN};
    if (!tidy(&c.name, arena, err))
        return false;
    const struct {
        struct str name;
        bool any_case;
        bool (*matches)(struct str, struct str, bool);
    } tries[] = {
        {relative, false, is_whole}, {c.name, false, is_whole}, {c.name, false, is_end},
        {relative, true, is_whole},  {c.name, true, is_whole},  {c.name, true, is_end},
    };
    for (size_t i = 0; i < ARRAY_LEN(tries); i++) {
        if (!list_paths(&c, tries[i].name, tries[i].any_case, tries[i].matches))
            return false;
        if (out->path_count == 0)
            continue;
        out->answer = out->path_count == 1 ? FILE_FOUND : FILE_AMBIGUOUS;
        return true;
    }
    return propose(&c);
}

/* --- lines ------------------------------------------------------------------------------------ */

enum {
    LINE_MOST = 100000000
};

static bool take_number(uint32_t *out, struct str *rest)
{
    uint32_t number = 0;
    if (rest->len == 0 || !ascii_is_digit(*rest->text))
        return false;
    for (; rest->len != 0 && ascii_is_digit(*rest->text); rest->text++, rest->len--)
        if (number < LINE_MOST)
            number = number * 10 + (uint32_t)(*rest->text - '0');
    *out = number;
    return number != 0;
}

static bool take_char(struct str *rest, char c)
{
    if (rest->len == 0 || *rest->text != c)
        return false;
    rest->text++;
    rest->len--;
    return true;
}

static bool is_of_lines(struct str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!ascii_is_digit(s.text[i]) && s.text[i] != ',' && s.text[i] != '-')
            return false;
    return true;
}

/* Where the last ':' is that only digits, ',' and '-' follow; `s.len` if there is none. */
static size_t last_colon(struct str s)
{
    for (size_t i = s.len; i-- > 0;)
        if (s.text[i] == ':')
            return is_of_lines((struct str){s.text + i + 1, s.len - i - 1}) ? i : s.len;
    return s.len;
}

static int order_ranges(const void *left, const void *right)
{
    const struct line_range *a = left, *b = right;
    int order = number_order(a->first, b->first);
    return order != 0 ? order : number_order(a->last, b->last);
}

static bool parse(struct line_list *out, struct str rest, struct str typed, struct arena *arena,
                  struct err *err)
{
    struct list ranges = {.items = NULL};
    do {
        struct line_range *range = list_add(&ranges, sizeof *range, arena, err);
        if (range == NULL)
            return false;
        bool ok = take_number(&range->first, &rest);
        range->last = range->first;
        if (ok && take_char(&rest, '-'))
            ok = take_number(&range->last, &rest);
        if (!ok || range->last < range->first)
            return err_set(err, ERR_USAGE,
                           "'%.*s': expected a line or lines after ':', such as 12 or 12-20,31",
                           STR_ARGS(typed));
    } while (take_char(&rest, ','));
    if (rest.len != 0)
        return err_set(err, ERR_USAGE,
                       "'%.*s': expected a line or lines after ':', such as 12 or 12-20,31",
                       STR_ARGS(typed));
    qsort(ranges.items, ranges.count, sizeof(struct line_range), order_ranges);
    *out = (struct line_list){ranges.items, ranges.count};
    return true;
}

bool file_choice_split(struct str *name, struct line_list *lines, struct str typed,
                       struct arena *arena, struct err *err)
{
    size_t colon = last_colon(typed);
    *lines = (struct line_list){NULL, 0};
    *name = (struct str){typed.text, colon};
    if (colon == typed.len)
        return true;
    struct str rest = {typed.text + colon + 1, typed.len - colon - 1};
    size_t before = last_colon(*name);
    if (before < name->len) { /* LINE:COLUMN */
        rest = (struct str){name->text + before + 1, name->len - before - 1};
        name->len = before;
    }
    if (name->len == 0)
        return err_set(err, ERR_USAGE, "'%.*s' names no file before ':'", STR_ARGS(typed));
    return parse(lines, rest, typed, arena, err);
}

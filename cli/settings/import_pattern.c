/* The globs and filters of coverlet. */
#include "cli/settings/import_pattern.h"

#include <string.h>

#include "base/any_path.h"

static bool add(struct import_patterns *out, struct arena *arena, struct err *err,
                const char *before, struct str middle, const char *after)
{
    if (out->count == IMPORT_PATTERNS_MAX)
        return true;
    return text_format(&out->items[out->count++], arena, err, "%s%.*s%s", before, STR_ARGS(middle),
                       after);
}

/* --- filters ---------------------------------------------------------------------------------- */

static bool is_filter(struct str filter)
{
    const char *close = memchr(filter.text, ']', filter.len);
    return filter.len > 2 && filter.text[0] == '[' && close != NULL && close != filter.text + 1 &&
           close != filter.text + filter.len - 1;
}

/* coverlet turns `?` into a `?` of a regular expression: what stands before it may be missing. */
static bool without_question(struct text *text, struct str filter, unsigned choice)
{
    unsigned nth = 0;
    for (size_t i = 0; i < filter.len; i++) {
        bool is_optional = i + 1 < filter.len && filter.text[i + 1] == '?';
        if (filter.text[i] == '?' && (i == 0 || filter.text[i - 1] == '[' ||
                                      filter.text[i - 1] == ']' || filter.text[i - 1] == '?'))
            return false;
        if (filter.text[i] == '?')
            continue;
        if (is_optional && filter.text[i] != '*' && (choice >> nth++ & 1) != 0)
            continue; /* it is missing */
        text_add(text, (struct str){&filter.text[i], 1});
    }
    return true;
}

static unsigned count_optional(struct str filter)
{
    unsigned count = 0;
    for (size_t i = 1; i < filter.len; i++)
        count += filter.text[i] == '?' && filter.text[i - 1] != '*';
    return count;
}

bool import_filter(struct import_patterns *out, struct str filter, struct arena *arena,
                   struct err *err)
{
    enum {
        OPTIONAL_MAX = 3
    };
    unsigned optional = count_optional(filter);
    *out = (struct import_patterns){0};
    if (!is_filter(filter)) {
        out->why = "coverlet ignores it: it is not [assembly]type";
        return true;
    }
    if (optional > OPTIONAL_MAX) {
        out->why = "too many '?', each of which means in coverlet that a letter may be missing";
        return true;
    }
    for (unsigned choice = 0; choice < 1U << optional; choice++) {
        struct text text;
        text_open(&text, arena);
        if (!without_question(&text, filter, choice)) {
            *out = (struct import_patterns){.why = "in coverlet, nothing stands before its '?'"};
            return true;
        }
        if (!text_take(&out->items[out->count], &text, err))
            return false;
        /* nothing has an empty name; and to ilcov, "[A]" is all of A */
        if (is_filter(out->items[out->count]))
            out->count++;
    }
    return true;
}

/* --- globs ------------------------------------------------------------------------------------ */

/* After the folders that may stand before it. In ilcov, `*` also matches slashes. */
static bool add_below(struct import_patterns *out, struct str rest, struct arena *arena,
                      struct err *err)
{
    static const char wide[] = "ilcov's * matches folders below as well";
    static const char any[] = "/**/";
    struct text text;
    struct str one;
    bool is_wide = false;
    text_open(&text, arena);
    for (size_t i = 0; i < rest.len; i++) {
        struct str left = str_from(rest, i);
        if (str_starts(left, "/**/*") && !str_starts(left, "/**/**")) {
            text_add_c(&text, "/*");
            i += strlen("/**/*") - 1;
        } else if (str_is(left, "/**") || str_is(left, "/")) {
            text_add_c(&text, "/*");
            i = rest.len;
        } else if (str_starts(left, any) || str_starts(left, "**")) {
            out->why = "** stands where ilcov has no pattern for it";
            return true;
        } else {
            is_wide = is_wide || (left.text[0] == '*' && i != 0);
            text_add(&text, (struct str){left.text, 1});
        }
    }
    if (!text_take(&one, &text, err))
        return false;
    out->why = is_wide ? wide : NULL;
    if (rest.text[0] == '*')
        return add(out, arena, err, "", one, "");
    return add(out, arena, err, "", one, "") && add(out, arena, err, "*/", one, "");
}

bool import_glob(struct import_patterns *out, struct str glob, struct arena *arena, struct err *err)
{
    static const char everywhere[] = "**/";
    *out = (struct import_patterns){0};
    if (!any_path_with_slashes(&glob, glob, arena, err))
        return false;
    if (!str_starts(glob, everywhere)) {
        out->why = "it is a path from the root of the file system; ilcov's are below the source "
                   "root";
        return true;
    }
    while (str_take(&glob, everywhere))
        ;
    if (str_is(glob, "*") || str_is(glob, "**") || glob.len == 0) {
        out->why = "it matches every file";
        return true;
    }
    if (memchr(glob.text, '?', glob.len) != NULL) {
        out->why = "coverlet takes its '?' literally";
        return true;
    }
    return add_below(out, glob, arena, err);
}

#include "coverage/diff/patch_name.h"

#include <string.h>

#include "base/path.h"

/* --- quotes ----------------------------------------------------------------------------------- */

static bool is_octal(char c)
{
    return c >= '0' && c <= '7';
}

/* The escape at `text`, after its backslash: its length, or 0 if it is unknown. */
static size_t unescape(char *out, struct str text)
{
    static const char letters[] = "abtnvfr\"\\", meanings[] = "\a\b\t\n\v\f\r\"\\";
    if (text.len == 0 || text.text[0] == '\0')
        return 0;
    const char *letter = strchr(letters, text.text[0]);
    if (letter != NULL) {
        *out = meanings[letter - letters];
        return 1;
    }
    if (text.len < 3 || text.text[0] > '3' || !is_octal(text.text[0]) || !is_octal(text.text[1]) ||
        !is_octal(text.text[2]))
        return 0;
    *out = (char)((text.text[0] - '0') << 6 | (text.text[1] - '0') << 3 | (text.text[2] - '0'));
    return *out != '\0' ? 3 : 0;
}

/* `*used` is the length of the name in the text, including its quotes. */
static bool unquote(struct str *name, size_t *used, struct str text, struct arena *arena,
                    struct err *err)
{
    char *out = arena_raw(arena, text.len, 1, err);
    if (out == NULL)
        return false;
    size_t len = 0;
    for (size_t i = 1; i < text.len; len++) {
        if (text.text[i] == '"') {
            *name = (struct str){out, len};
            *used = i + 1;
            return true;
        }
        if (text.text[i] != '\\') {
            out[len] = text.text[i++];
            continue;
        }
        size_t n = unescape(&out[len], (struct str){text.text + i + 1, text.len - i - 1});
        if (n == 0)
            return err_set(err, ERR_FORMAT, "a quoted name has an unknown escape at byte %zu", i);
        i += 1 + n;
    }
    return err_set(err, ERR_FORMAT, "a quoted name has no end");
}

static bool is_too_long(struct str name, struct err *err)
{
    return name.len >= PATH_ROOM &&
           !err_set(err, ERR_LIMIT, "a name of %zu bytes, more than %d", name.len, PATH_ROOM - 1);
}

bool patch_name_read(struct str *name, struct str text, struct arena *arena, struct err *err)
{
    size_t used;
    if (is_too_long((struct str){text.text, text.len / 4}, err)) /* four bytes are one, at most */
        return false;
    if (str_starts(text, "\""))
        return unquote(name, &used, text, arena, err) && !is_too_long(*name, err);
    const char *tab = text.len != 0 ? memchr(text.text, '\t', text.len) : NULL;
    *name = (struct str){text.text, tab != NULL ? (size_t)(tab - text.text) : text.len};
    return !is_too_long(*name, err);
}

/* --- prefixes --------------------------------------------------------------------------------- */

static struct str without_folder(struct str name)
{
    const char *slash = name.len != 0 ? memchr(name.text, '/', name.len) : NULL;
    if (slash == NULL)
        return (struct str){name.text, 0};
    return (struct str){slash + 1, name.len - (size_t)(slash + 1 - name.text)};
}

/* git's prefixes: a/ b/; with diff.mnemonicPrefix: i/ index, w/ work tree, c/ commit, o/ object,
 * 1/ 2/ files outside of a repository. */
static bool has_letter(struct str name)
{
    return name.len > 2 && name.text[1] == '/' && strchr("abiwco12", name.text[0]) != NULL &&
           name.text[0] != '\0';
}

/* Are they the same name after a possible prefix? */
static bool strip_same(struct str *old_name, struct str *new_name)
{
    if (str_eq(*old_name, *new_name))
        return true;
    struct str old_rest = without_folder(*old_name), new_rest = without_folder(*new_name);
    if (old_rest.len == 0 || !str_eq(old_rest, new_rest))
        return false;
    *old_name = old_rest;
    *new_name = new_rest;
    return true;
}

void patch_name_strip(struct str *old_name, struct str *new_name)
{
    if (strip_same(old_name, new_name) || !has_letter(*old_name) || !has_letter(*new_name) ||
        old_name->text[0] == new_name->text[0])
        return;
    *old_name = without_folder(*old_name);
    *new_name = without_folder(*new_name);
}

struct str patch_name_strip_one(struct str name)
{
    bool has_prefix = name.len > 2 && (str_starts(name, "a/") || str_starts(name, "b/"));
    return has_prefix ? without_folder(name) : name;
}

bool patch_name_is_of(struct str name, struct str path)
{
    if (name.len < path.len || !str_eq(str_from(name, name.len - path.len), path))
        return false;
    return name.len == path.len || name.text[name.len - path.len - 1] == '/';
}

/* --- pairs ------------------------------------------------------------------------------------ */

/* Unquoted names may contain spaces, but two equal names with prefixes of equal length are the two
 * halves. */
static void split_halves(struct str *old_name, struct str *new_name, struct str text)
{
    size_t half = text.len / 2;
    if (text.len % 2 == 0 || text.text[half] != ' ')
        return;
    *old_name = (struct str){text.text, half};
    *new_name = (struct str){text.text + half + 1, half};
}

/* An unquoted name does not contain a quote. */
static bool split_quoted(struct str *old_name, struct str *new_name, struct str text,
                         struct arena *arena, struct err *err)
{
    size_t used;
    if (str_starts(text, "\"")) {
        if (!unquote(old_name, &used, text, arena, err))
            return false;
    } else {
        const char *quote = memchr(text.text, '"', text.len);
        used = (size_t)(quote - text.text);
        used -= used != 0; /* the space */
        *old_name = (struct str){text.text, used};
    }
    if (text.len - used < 2 || text.text[used] != ' ')
        return err_set(err, ERR_FORMAT, "a second name is missing");
    struct str rest = {text.text + used + 1, text.len - used - 1};
    if (str_starts(rest, "\""))
        return unquote(new_name, &used, rest, arena, err);
    *new_name = rest;
    return true;
}

bool patch_name_read_pair(struct str *name, struct str text, struct arena *arena, struct err *err)
{
    struct str old_name = {text.text, 0}, new_name = old_name;
    *name = new_name;
    if (is_too_long((struct str){text.text, text.len / 8}, err))
        return false;
    if (text.len != 0 && memchr(text.text, '"', text.len) != NULL) {
        if (!split_quoted(&old_name, &new_name, text, arena, err))
            return false;
    } else {
        split_halves(&old_name, &new_name, text);
    }
    if (strip_same(&old_name, &new_name))
        *name = new_name;
    return !is_too_long(*name, err);
}

static bool is_below(struct str name, struct str folder)
{
    return name.len > folder.len && name.text[folder.len] == '/' &&
           str_eq((struct str){name.text, folder.len}, folder);
}

bool patch_name_pair_below(bool *below, struct str text, struct str folder, struct arena *arena,
                           struct err *err)
{
    size_t used;
    struct str name = text;
    if (str_starts(text, "\"") && !unquote(&name, &used, text, arena, err))
        return false;
    *below = is_below(name, folder) || is_below(without_folder(name), folder);
    return true;
}

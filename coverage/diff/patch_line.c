#include "coverage/diff/patch_line.h"

#include "base/ascii.h"
#include "base/hex.h"
#include "base/path.h"
#include "coverage/facts/facts.h"

struct str patch_line_take(struct str *text)
{
    struct str line = str_take_until(text, '\n');
    if (str_ends(line, "\r"))
        line.len--;
    return line;
}

bool patch_line_is_coloured(struct str line)
{
    return str_starts(line, "\033[");
}

/* --- hunks ------------------------------------------------------------------------------------ */

static bool take_hunk_number(struct str *rest, uint32_t *number)
{
    size_t digits = 0;
    for (*number = 0; rest->len != 0 && ascii_is_digit(rest->text[0]); digits++) {
        *number = *number * 10 + (uint32_t)(rest->text[0] - '0');
        if (*number > FACT_LINE_LIMIT)
            *number = FACT_LINE_LIMIT + 1;
        *rest = str_from(*rest, 1);
    }
    return digits != 0;
}

/* "-12,0": a range without lines is after line 12. */
static bool take_side(struct str *rest, const char *sign, struct patch_side *side)
{
    uint32_t start;
    side->count = 1;
    if (!str_take(rest, sign) || !take_hunk_number(rest, &start) ||
        (str_take(rest, ",") && !take_hunk_number(rest, &side->count)))
        return false;
    side->first = side->count != 0 ? start : start + 1;
    return side->first != 0;
}

bool patch_line_is_hunk(struct patch_side *old, struct patch_side *new, struct str line)
{
    return str_take(&line, "@@ ") && take_side(&line, "-", old) && str_take(&line, " ") &&
           take_side(&line, "+", new) && str_take(&line, " @@");
}

/* Tools that trim white space leave nothing of an empty line of context. */
bool patch_line_is_context(struct str line)
{
    return line.len == 0 || line.text[0] == ' ';
}

/* "-- " begins the signature of a mail. */
bool patch_line_is_surplus(struct str line)
{
    if (str_starts(line, "-"))
        return !str_is(line, "--") && !str_starts(line, "-- ") && !str_starts(line, "--- ");
    return str_starts(line, "+") || str_starts(line, " ");
}

/* --- headers ---------------------------------------------------------------------------------- */

bool patch_line_is_binary(struct str *names, struct str line)
{
    if (!str_take(&line, "Binary files ") || !str_ends(line, " differ"))
        return false;
    *names = (struct str){line.text, line.len - strlen(" differ")};
    return true;
}

/* `index 1a2b3c4..5d6e7f8` may lack a mode: its last word is then a hash. */
bool patch_line_has_mode(struct str rest, const char *mode)
{
    size_t len = strlen(mode);
    return str_ends(rest, mode) && (rest.len == len || rest.text[rest.len - len - 1] == ' ');
}

/* --- submodules ------------------------------------------------------------------------------- */

/* "1a2b3c4..5d6e7f8" or "1a2b3c4...5d6e7f8" at the start. */
static bool takes_range(struct str *rest)
{
    size_t first = 0, second = 0;
    while (first < rest->len && hex_value(rest->text[first]) >= 0)
        first++;
    *rest = str_from(*rest, first);
    if (first == 0 || (!str_take(rest, "...") && !str_take(rest, "..")))
        return false;
    while (second < rest->len && hex_value(rest->text[second]) >= 0)
        second++;
    *rest = str_from(*rest, second);
    return second != 0;
}

/* The path is not quoted and may contain spaces. */
bool patch_line_is_submodule(struct str *path, struct str *says, struct str line)
{
    static const char modified[] = " contains modified content";
    if (!str_take(&line, "Submodule "))
        return false;
    if (str_ends(line, modified)) {
        *path = (struct str){line.text, line.len - strlen(modified)};
        *says = str_from(line, path->len);
        return path->len != 0;
    }
    for (size_t i = line.len; i-- > 1;) {
        struct str rest = str_from(line, i + 1);
        if (line.text[i] != ' ' || !takes_range(&rest))
            continue;
        *path = (struct str){line.text, i};
        *says = rest;
        return true;
    }
    return false;
}

bool patch_line_is_untracked(struct str line)
{
    return str_starts(line, "Submodule ") && str_ends(line, " contains untracked content");
}

/* --- names: quotes ---------------------------------------------------------------------------- */

static bool is_octal(char c)
{
    return c >= '0' && c <= '7';
}

/* The escape at `text`, after its backslash: its length, or 0 if it is unknown. */
static size_t unescape_name(char *out, struct str text)
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
static bool unquote_name(struct str *name, size_t *used, struct str text, struct arena *arena,
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
        size_t n = unescape_name(&out[len], str_from(text, i + 1));
        if (n == 0)
            return err_set(err, ERR_FORMAT, "a quoted name has an unknown escape at byte %zu", i);
        i += 1 + n;
    }
    return err_set(err, ERR_FORMAT, "a quoted name has no end");
}

static bool is_path_too_long(struct str name, struct err *err)
{
    return name.len >= PATH_ROOM &&
           !err_set(err, ERR_LIMIT, "a name of %zu bytes, more than %d", name.len, PATH_ROOM - 1);
}

bool patch_name_read(struct str *name, struct str text, struct arena *arena, struct err *err)
{
    size_t used;
    if (is_path_too_long((struct str){text.text, text.len / 4},
                         err)) /* four bytes are one, at most */
        return false;
    if (str_starts(text, "\""))
        return unquote_name(name, &used, text, arena, err) && !is_path_too_long(*name, err);
    *name = str_take_until(&text, '\t');
    return !is_path_too_long(*name, err);
}

/* --- names: prefixes -------------------------------------------------------------------------- */

static struct str without_folder(struct str name)
{
    (void)str_take_until(&name, '/');
    return name;
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

/* --- names: pairs ----------------------------------------------------------------------------- */

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
        if (!unquote_name(old_name, &used, text, arena, err))
            return false;
    } else {
        struct str rest = text;
        *old_name = str_take_until(&rest, '"');
        old_name->len -= old_name->len != 0; /* the space */
        used = old_name->len;
    }
    if (text.len - used < 2 || text.text[used] != ' ')
        return err_set(err, ERR_FORMAT, "a second name is missing");
    struct str rest = str_from(text, used + 1);
    if (str_starts(rest, "\""))
        return unquote_name(new_name, &used, rest, arena, err);
    *new_name = rest;
    return true;
}

bool patch_name_read_pair(struct str *name, struct str text, struct arena *arena, struct err *err)
{
    struct str old_name = {text.text, 0}, new_name = old_name;
    *name = new_name;
    if (is_path_too_long((struct str){text.text, text.len / 8}, err))
        return false;
    if (text.len != 0 && memchr(text.text, '"', text.len) != NULL) {
        if (!split_quoted(&old_name, &new_name, text, arena, err))
            return false;
    } else {
        split_halves(&old_name, &new_name, text);
    }
    if (strip_same(&old_name, &new_name))
        *name = new_name;
    return !is_path_too_long(*name, err);
}

bool patch_name_pair_below(bool *below, struct str text, struct str folder, struct arena *arena,
                           struct err *err)
{
    size_t used;
    struct str name = text;
    if (str_starts(text, "\"") && !unquote_name(&name, &used, text, arena, err))
        return false;
    *below = path_is_below(name, folder) || path_is_below(without_folder(name), folder);
    return true;
}

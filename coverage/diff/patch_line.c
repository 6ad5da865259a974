#include "coverage/diff/patch_line.h"

#include "base/ascii.h"
#include "base/hex.h"
#include "coverage/facts/facts.h"

struct str patch_line_take(struct str *text)
{
    const char *lf = memchr(text->text, '\n', text->len);
    struct str line = {text->text, lf != NULL ? (size_t)(lf - text->text) : text->len};
    *text = str_from(*text, line.len + (lf != NULL));
    if (str_ends(line, "\r"))
        line.len--;
    return line;
}

bool patch_line_is_coloured(struct str line)
{
    return str_starts(line, "\033[");
}

/* --- hunks ------------------------------------------------------------------------------------ */

static bool take_number(struct str *rest, uint32_t *number)
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
    if (!str_take(rest, sign) || !take_number(rest, &start) ||
        (str_take(rest, ",") && !take_number(rest, &side->count)))
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

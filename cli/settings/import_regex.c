/* The regular expressions of Microsoft's collector. It searches for them: "Gen" is ".*Gen.*"; tried
 * with Microsoft.CodeCoverage 17.14. */
#include "cli/settings/import_pattern.h"

#include <string.h>

#include "base/ascii.h"

enum token {
    LITERAL,
    ANY,       /* . */
    RUN,       /* .* */
    SEPARATOR, /* a slash or backslash */
    OTHER,
};

enum {
    TOKENS_MAX = 256
};

struct regex {
    enum token tokens[TOKENS_MAX]; /* without RUN at both ends */
    char chars[TOKENS_MAX];        /* of literals */
    size_t count;
    bool is_open_before, is_open_after; /* anything may stand there */
    bool is_plain;                      /* no OTHER, and not too long */
};

static bool is_plain_char(char c)
{
    return ascii_is_letter(c) || ascii_is_digit(c) || strchr("_-,=;:!@%&~#<>\"' ", c) != NULL;
}

/* Returns how many characters the token takes. */
static size_t next_token(enum token *token, char *c, struct str rest)
{
    static const char *const separators[] = {"[\\\\/]", "[/\\\\]", "\\\\", "\\/", "/"};
    for (size_t i = 0; i < ARRAY_LEN(separators); i++)
        if (str_starts(rest, separators[i])) {
            *token = SEPARATOR;
            return strlen(separators[i]);
        }
    *token = LITERAL;
    *c = rest.text[0];
    if (str_starts(rest, ".*")) {
        *token = RUN;
        return rest.len > 2 && rest.text[2] == '?' ? 3 : 2;
    }
    if (*c == '.') {
        *token = ANY;
        return 1;
    }
    if (*c == '\\' && rest.len > 1 && !ascii_is_letter(rest.text[1]) &&
        !ascii_is_digit(rest.text[1])) {
        *c = rest.text[1];
        return 2;
    }
    if (*c == '\0' || !is_plain_char(*c))
        *token = OTHER;
    return 1;
}

static void add_tokens(struct regex *out, struct str text)
{
    while (text.len != 0 && out->count < TOKENS_MAX) {
        enum token token;
        char c = '\0';
        size_t len = next_token(&token, &c, text);
        text = str_from(text, len);
        if (token == OTHER || (text.len != 0 && strchr("*+?{", text.text[0]) != NULL))
            out->is_plain = false;
        out->tokens[out->count] = token;
        out->chars[out->count++] = c;
    }
    out->is_plain = out->is_plain && text.len == 0;
}

static void parse(struct regex *out, struct str text)
{
    *out = (struct regex){.is_plain = true};
    bool begins = str_take(&text, "^");
    bool ends = str_ends(text, "$") && !str_ends(text, "\\$");
    text.len -= ends ? 1 : 0;
    add_tokens(out, text);
    size_t first = 0;
    while (first < out->count && out->tokens[first] == RUN)
        first++;
    while (out->count > first && out->tokens[out->count - 1] == RUN) {
        out->count--;
        ends = false;
    }
    out->is_open_before = !begins || first != 0;
    out->is_open_after = !ends || (first == out->count && first != 0);
    out->count -= first;
    memmove(out->tokens, out->tokens + first, out->count * sizeof *out->tokens);
    memmove(out->chars, out->chars + first, out->count);
}

/* Does what is left from `at` say just this? A '.' of it may be any character. */
static bool says(const struct regex *regex, size_t at, const char *text)
{
    if (regex->count < at || regex->count - at != strlen(text))
        return false;
    for (size_t i = at; i < regex->count; i++, text++)
        if (!(regex->tokens[i] == LITERAL && ascii_lower(regex->chars[i]) == *text) &&
            !(regex->tokens[i] == ANY && *text == '.'))
            return false;
    return true;
}

/* As a glob. False: a token has none. */
static bool to_glob(struct str *out, const struct regex *regex, size_t from, size_t to,
                    const char *separator, struct arena *arena, struct err *err)
{
    struct text text;
    text_open(&text, arena);
    for (size_t i = from; i < to; i++) {
        if (regex->tokens[i] == LITERAL)
            text_add(&text, (struct str){&regex->chars[i], 1});
        else
            text_add_c(&text, regex->tokens[i] == RUN   ? "*"
                              : regex->tokens[i] == ANY ? "?"
                                                        : separator);
    }
    return text_take(out, &text, err);
}

static bool are(const struct regex *regex, size_t from, size_t to, enum token token)
{
    for (size_t i = from; i < to; i++)
        if (regex->tokens[i] != token)
            return false;
    return true;
}

static bool add(struct import_patterns *out, struct arena *arena, struct err *err,
                const char *before, struct str middle, const char *after)
{
    return text_format(&out->items[out->count++], arena, err, "%s%.*s%s", before, STR_ARGS(middle),
                       after);
}

/* --- modules ---------------------------------------------------------------------------------- */

/* How many tokens stand before the extension; all of them if there is none. */
static size_t before_extension(const struct regex *regex)
{
    static const char *const endings[] = {".dll", ".exe"};
    for (size_t i = 0; i < ARRAY_LEN(endings); i++)
        if (regex->count >= strlen(endings[i]) &&
            says(regex, regex->count - strlen(endings[i]), endings[i]))
            return regex->count - strlen(endings[i]);
    return regex->count;
}

/* "\.Tests\.dll" is about the file alone; "Tests" about its folders as well. */
bool import_module_regex(struct import_patterns *out, struct str text, struct arena *arena,
                         struct err *err)
{
    struct regex regex;
    struct str name;
    parse(&regex, text);
    *out = (struct import_patterns){
        .why = "it is about the whole path of the module; ilcov's patterns are about its name"};
    if (!regex.is_plain || !regex.is_open_before)
        return true;
    size_t end = before_extension(&regex);
    size_t start = end != 0 && regex.tokens[0] == SEPARATOR ? 1 : 0;
    out->matches_always = end == 0;
    if (end == 0)
        return true;
    bool has_extension = end != regex.count;
    if (has_extension && start < end && are(&regex, start, end, LITERAL)) {
        out->why = NULL;
        return to_glob(&name, &regex, start, end, "", arena, err) &&
               add(out, arena, err, start == 1 ? "[" : "[*", name, "]*");
    }
    return to_glob(&name, &regex, start, end, "", arena, err) &&
           text_format(&out->nearest, arena, err, "[%s%.*s%s]*", start == 1 ? "" : "*",
                       STR_ARGS(name), has_extension || !regex.is_open_after ? "" : "*");
}

/* --- sources ---------------------------------------------------------------------------------- */

static bool ends_like_source(const struct regex *regex)
{
    static const char *const endings[] = {".cs", ".vb", ".fs", ".razor", ".cshtml"};
    for (size_t i = 0; i < ARRAY_LEN(endings); i++)
        if (regex->count >= strlen(endings[i]) &&
            says(regex, regex->count - strlen(endings[i]), endings[i]))
            return true;
    return false;
}

bool import_source_regex(struct import_patterns *out, struct str text, struct arena *arena,
                         struct err *err)
{
    struct regex regex;
    struct str glob;
    parse(&regex, text);
    *out = (struct import_patterns){
        .why = "it has no equal among ilcov's globs, which are of paths below the source root"};
    if (!regex.is_plain || !regex.is_open_before || regex.count == 0)
        return true;
    bool has_folder = regex.tokens[0] == SEPARATOR;
    const char *after = regex.is_open_after && !ends_like_source(&regex) ? "*" : "";
    out->why = NULL;
    return to_glob(&glob, &regex, has_folder ? 1 : 0, regex.count, "/", arena, err) &&
           (!has_folder || add(out, arena, err, "", glob, after)) &&
           add(out, arena, err, has_folder ? "*/" : "*", glob, after);
}

/* --- functions -------------------------------------------------------------------------------- */

/* "^A\.B\.": all of the namespace or type A.B. */
bool import_function_regex(struct import_patterns *out, struct str text, struct arena *arena,
                           struct err *err)
{
    struct regex regex;
    struct str name;
    parse(&regex, text);
    *out = (struct import_patterns){.why = "it is about C++"};
    if (memmem(text.text, text.len, "::", 2) != NULL)
        return true;
    *out = (struct import_patterns){
        .why = "it is about functions; ilcov's patterns are about whole types and namespaces"};
    size_t end = regex.count;
    if (!regex.is_plain || !regex.is_open_after || end == 0)
        return true;
    bool is_whole = regex.tokens[end - 1] == LITERAL && regex.chars[end - 1] == '.';
    if (!regex.is_open_before && is_whole && end > 1 && are(&regex, 0, end, LITERAL)) {
        out->why = NULL;
        return to_glob(&name, &regex, 0, end - 1, "", arena, err) &&
               add(out, arena, err, "[*]", name, ".*") && add(out, arena, err, "[*]", name, "");
    }
    return to_glob(&name, &regex, 0, end, "", arena, err) &&
           text_format(&out->nearest, arena, err, "[*]%s%.*s*", regex.is_open_before ? "*" : "",
                       STR_ARGS(name));
}

/* --- attributes ------------------------------------------------------------------------------- */

bool import_attribute_regex(struct import_patterns *out, struct str text, struct arena *arena,
                            struct err *err)
{
    static const char always[] = "System.Diagnostics.CodeAnalysis.ExcludeFromCodeCoverageAttribute";
    struct regex regex;
    struct str name;
    parse(&regex, text);
    *out = (struct import_patterns){
        .why = "it may match several attributes; --exclude-attribute takes names"};
    if (!regex.is_plain || regex.count == 0 || !are(&regex, 0, regex.count, LITERAL))
        return true;
    if (!to_glob(&name, &regex, 0, regex.count, "", arena, err))
        return false;
    if (!regex.is_open_before && !regex.is_open_after) {
        out->why = NULL;
        out->matches_always = str_is(name, always);
        return out->matches_always || add(out, arena, err, "", name, "");
    }
    (void)str_take(&name, ".");
    if (str_ends(name, "Attribute"))
        out->nearest = name;
    return true;
}

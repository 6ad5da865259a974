/* Patterns of other tools as those of ilcov, where both match the same. */
#include <string.h>

#include "base/ascii.h"
#include "base/path.h"
#include "cli/options/import.h"

static bool pattern_has_any(struct str text, const char *characters)
{
    size_t i = 0;
    while (i < text.len && strchr(characters, text.text[i]) == NULL)
        i++;
    return i < text.len;
}

static const char no_glob[] =
    "ilcov's globs, which match paths below the source root, cannot express it";

/* What is below any folder may also be at the source root. */
static void add_glob_below(struct import *import, struct str glob)
{
    if (str_starts(glob, "*/"))
        import_add(import, str_from(glob, strlen("*/")));
    import_add(import, glob);
}

/* --- coverlet --------------------------------------------------------------------------------- */

static bool is_filter(struct str filter)
{
    struct str type = filter, assembly = str_take_until(&type, ']');
    return filter.text[0] == '[' && assembly.len > 1 && type.len != 0;
}

/* In coverlet, `x?` is an x that may be missing. */
void import_take_filter(struct import *import, struct str filter)
{
    struct str after = filter, before = str_take_until(&after, '?');
    char optional = before.len != 0 ? before.text[before.len - 1] : '[';
    bool is_fit = before.len == filter.len ||
                  (strchr("[]", optional) == NULL && !pattern_has_any(after, "?"));
    if (!is_filter(filter) || !is_fit) {
        import_drop(import, is_fit ? "coverlet ignores it: it is not [assembly]type"
                                   : "in coverlet, '?' makes the letter before it optional: write "
                                     "one pattern with it and one without");
        return;
    }
    import_add(import, import_text(import, "%.*s%.*s", STR_ARGS(before), STR_ARGS(after)));
    before.len--;
    after = import_text(import, "%.*s%.*s", STR_ARGS(before), STR_ARGS(after));
    if (before.len + 1 != filter.len && optional != '*' && is_filter(after))
        import_add(import, after); /* nothing has an empty name */
}

/* In coverlet, `*` ends at a slash, and `**` is any number of folders: at the start, and behind the
 * name of a folder, all below which is meant. */
void import_take_glob(struct import *import, struct str value)
{
    struct str glob = STR("");
    if (import->failed || !any_path_with_slashes(&glob, value, import->arena, import->err)) {
        import->failed = true;
        return;
    }
    bool is_fit = str_take(&glob, "**/");
    while (str_take(&glob, "**/"))
        ;
    const char *deep = memmem(glob.text, glob.len, "/**", strlen("/**"));
    bool is_folder = deep != NULL || str_ends(glob, "/");
    size_t len = deep != NULL ? (size_t)(deep - glob.text) : glob.len - (is_folder ? 1 : 0);
    struct str head = {glob.text, len};
    struct str tail = str_from(glob, deep != NULL ? len + strlen("/**") : glob.len);
    if (!is_fit || head.len == 0 || pattern_has_any(glob, "?") ||
        memmem(head.text, head.len, "**", strlen("**")) != NULL ||
        (tail.len != 0 && (!str_take(&tail, "/*") || pattern_has_any(tail, "*/")))) {
        import_drop(import, no_glob);
        return;
    }
    glob = import_text(import, "%s%.*s%s%.*s", head.text[0] == '*' ? "" : "*/", STR_ARGS(head),
                       is_folder ? "/*" : "", STR_ARGS(tail));
    if (pattern_has_any(str_from(head, 1), "*"))
        import->from =
            import_text(import, "%.*s; ilcov's * also matches subfolders", STR_ARGS(import->from));
    add_glob_below(import, glob);
}

/* --- Microsoft's collector -------------------------------------------------------------------- */

/* The pattern that matches a whole text in which the regular expression is found: of "^a.*b" it is
 * "a*b*". False: it is not that simple. That it is searched for was tried with version 17.14. */
static bool glob_of_regex(struct str *out, struct import *import, struct str regex)
{
    static const struct {
        const char *regex;
        char c;
    } pieces[] = {{".*?", '*'},     {".*", '*'},   {".", '?'},   {"\\.", '.'}, {"[\\\\/]", '/'},
                  {"[/\\\\]", '/'}, {"\\\\", '/'}, {"\\/", '/'}, {"/", '/'}};
    char c, before = str_take(&regex, "^") ? '\0' : '*';
    struct text text = text_in(import->arena);
    text_add_c(&text, before == '*' ? "*" : "");
    for (; regex.len != 0 && !str_is(regex, "$"); before = c) {
        size_t i = 0;
        while (i < ARRAY_LEN(pieces) && !str_take(&regex, pieces[i].regex))
            i++;
        bool is_piece = i < ARRAY_LEN(pieces);
        c = is_piece ? pieces[i].c : regex.text[0];
        if (!is_piece && !ascii_is_letter(c) && !ascii_is_digit(c) && c != '_')
            return false;
        regex = str_from(regex, is_piece ? 0 : 1);
        if (c != '*' || before != '*')
            text_add(&text, (struct str){&c, 1});
    }
    if (regex.len == 0 && before != '*')
        text_add_c(&text, "*");
    import->failed = import->failed || !text_take(out, &text, import->err);
    return !import->failed;
}

static bool is_plain_pattern(struct str glob)
{
    return glob.len != 0 && !pattern_has_any(glob, "*?/");
}

/* Cuts ".dll" or ".exe", whose '.' may be any character, and what may follow. */
static bool cut_extension(struct str *glob)
{
    struct str name = {glob->text, glob->len - (str_ends(*glob, "*") ? 1 : 0)};
    bool is_module = str_ends_nocase(name, ".dll") || str_ends_nocase(name, "?dll") ||
                     str_ends_nocase(name, ".exe") || str_ends_nocase(name, "?exe");
    if (is_module)
        *glob = (struct str){name.text, name.len - strlen(".dll")};
    return is_module;
}

/* "\.Tests\.dll" is about the name of the file alone, "Tests" about its folders as well. */
void import_take_modules(struct import *import, struct str regex)
{
    struct str glob;
    bool is_fit = glob_of_regex(&glob, import, regex) && str_take(&glob, "*");
    bool is_file = is_fit && cut_extension(&glob), is_whole = is_file && str_take(&glob, "/");
    if (is_file && is_plain_pattern(glob))
        import_add(import, import_text(import, "[%s%.*s]*", is_whole ? "" : "*", STR_ARGS(glob)));
    else
        import_drop(
            import,
            "it matches the path of the module; ilcov's patterns match its name: \"[NAME]*\"");
}

void import_take_sources(struct import *import, struct str regex)
{
    struct str glob;
    if (glob_of_regex(&glob, import, regex) && str_starts(glob, "*") && glob.len > 1)
        add_glob_below(import, glob);
    else
        import_drop(import, no_glob);
}

void import_take_attributes(struct import *import, struct str regex)
{
    struct str name;
    if (glob_of_regex(&name, import, regex) && is_plain_pattern(name))
        import_add(import, name);
    else
        import_drop(import, "it may match several attributes; ilcov takes names, not patterns");
}

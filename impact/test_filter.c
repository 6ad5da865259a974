#include "impact/impact.h"

#include "base/list.h"
#include "base/sort.h"
#include "coverage/facts/test_name.h"

enum {
    LENGTH_MAX = 100000, /* bytes: Linux takes 128 KiB in one argument, and some shells less */
};

/* What of its name a test is filtered by. */
enum filter_part {
    PART_TEST,
    PART_CLASS,
    PART_NAMESPACE,
    PART_COUNT
};

struct words {
    struct list list; /* char * */
    size_t len;
    struct arena *arena;
    struct err *err;
};

static bool add_word(struct words *words, struct str word)
{
    char **added = list_add(&words->list, sizeof *added, words->arena, words->err);
    if (added == NULL)
        return false;
    words->len += word.len + 1;
    return (*added = arena_copy_text(words->arena, word.text, word.len, words->err)) != NULL;
}

/* An option, and the expression behind it. */
static bool add_expression(struct words *words, const char *option, struct text *text)
{
    struct str expression;
    return text_take(&expression, text, words->err) && add_word(words, str_of(option)) &&
           add_word(words, expression);
}

/* --- parts of a name -------------------------------------------------------------------------- */

/* Of a name of which `from` is left. */
static struct str part_of_name(struct str name, enum filter_part from, enum filter_part part)
{
    for (unsigned at = from; at < part; at++)
        name = test_name_class(name);
    return name;
}

/* Ascending names: equal parts stand together. */
static struct str *distinct_parts(uint32_t *part_count, const struct str *names, uint32_t count,
                                  enum filter_part part, struct words *words)
{
    struct str *parts = ARENA_NEW(words->arena, struct str, count, words->err);
    for (uint32_t i = 0; parts != NULL && i < count; i++) {
        struct str name = part_of_name(names[i], PART_TEST, part);
        if (*part_count == 0 || !str_eq(parts[*part_count - 1], name))
            parts[(*part_count)++] = name;
    }
    return parts;
}

/* --- VSTest ----------------------------------------------------------------------------------- */

static void add_escaped(struct text *text, struct str name, const char *special)
{
    for (size_t i = 0; i < name.len; i++) {
        if (strchr(special, name.text[i]) != NULL)
            text_add_c(text, "\\");
        text_add(text, (struct str){name.text + i, 1});
    }
}

static bool add_vstest(struct words *words, const struct str *names, uint32_t count,
                       enum filter_part part)
{
    struct text text = text_in(words->arena);
    for (uint32_t i = 0; i < count; i++) {
        text_add_c(&text, i != 0 ? "|FullyQualifiedName" : "FullyQualifiedName");
        text_add_c(&text, part == PART_TEST ? "=" : "~");
        add_escaped(&text, names[i], "\\()&|=!~");
        if (part != PART_TEST && names[i].len != 0)
            text_add_c(&text, ".");
    }
    return add_expression(words, "--filter", &text);
}

/* --- NUnit, in the words of VSTest ------------------------------------------------------------ */

/* Its adapter fails on blanks and most signs, and writes type arguments and arguments in its own
 * way: only what is before them is looked for. */
static struct str plain_start(struct str name)
{
    size_t len = 0;
    while (len < name.len && strchr(" \\()&|=!~\"<>`,[]'", name.text[len]) == NULL)
        len++;
    return (struct str){name.text, len};
}

static bool add_nunit_loosely(struct words *words, const struct str *names, uint32_t count,
                              enum filter_part part)
{
    struct text text = text_in(words->arena);
    for (uint32_t i = 0; i < count; i++) {
        struct str name = names[i];
        struct str container = plain_start(part == PART_TEST ? test_name_class(name) : name);
        text_addf(&text, "%s(FullyQualifiedName~%.*s", i != 0 ? "|" : "", STR_ARGS(container));
        struct str method = plain_start(test_name_method(name));
        if (part == PART_TEST)
            text_addf(&text, "&FullyQualifiedName~.%.*s", STR_ARGS(method));
        text_add_c(&text, ")");
    }
    return add_expression(words, "--filter", &text);
}

/* --- NUnit ------------------------------------------------------------------------------------ */

static bool has_char(struct str text, char c)
{
    return text.len != 0 && memchr(text.text, c, text.len) != NULL;
}

/* Escapes do not survive `dotnet test`, but either kind of quotes does. */
static bool can_quote(struct str value)
{
    return !has_char(value, '\\') && (!has_char(value, '"') || !has_char(value, '\''));
}

/* What can't be said is left out: the rest selects more. */
static void add_nunit_term(struct text *text, const char *before, const char *what,
                           struct str value)
{
    const char *quote = has_char(value, '"') ? "'" : "\"";
    if (can_quote(value))
        text_addf(text, "%s%s == %s%.*s%s", before, what, quote, STR_ARGS(value), quote);
}

static bool add_nunit(struct words *words, const struct str *names, uint32_t count,
                      enum filter_part part)
{
    struct text text = text_in(words->arena);
    text_add_c(&text, "NUnit.Where=");
    for (uint32_t i = 0; i < count; i++) {
        struct str name = names[i];
        text_add_c(&text, i != 0 ? " or (" : "(");
        struct str container = part == PART_TEST ? test_name_class(name) : name;
        text_add_c(&text, can_quote(container) ? "" : "class != ''");
        add_nunit_term(&text, "", part == PART_NAMESPACE ? "namespace" : "class", container);
        if (part == PART_TEST)
            add_nunit_term(&text, " and ", "method", test_name_method(name));
        text_add_c(&text, ")");
    }
    return add_expression(words, "--", &text);
}

/* --- xunit.v3 --------------------------------------------------------------------------------- */

/* It takes an asterisk at the end only. */
static bool add_start(struct words *words, struct str name)
{
    struct str start;
    const char *star = name.len != 0 ? memchr(name.text, '*', name.len) : NULL;
    if (star == NULL)
        return add_word(words, name);
    return text_format(&start, words->arena, words->err, "%.*s*", (int)(star - name.text),
                       name.text) &&
           add_word(words, start);
}

/* A name that a data file has, and no compiler makes, must not become an option of the command, or
 * a file with options ("@FILE"). */
static bool is_safe_word(struct str name, struct err *err)
{
    if (!str_starts(name, "-") && !str_starts(name, "@"))
        return true;
    return err_set(err, ERR_UNSUPPORTED,
                   "the test %.*s cannot be named on a command line: it begins with '%c'",
                   STR_ARGS(name), name.text[0]);
}

static bool add_options(struct words *words, const struct str *names, uint32_t count,
                        const char *option)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!is_safe_word(names[i], words->err) || !add_word(words, str_of(option)) ||
            !add_start(words, names[i]))
            return false;
    }
    return true;
}

static bool add_mtp(struct words *words, const struct str *names, uint32_t count,
                    enum filter_part part)
{
    static const char *const options[PART_COUNT] = {"--filter-method", "--filter-class",
                                                    "--filter-namespace"};
    return add_options(words, names, count, options[part]);
}

static bool add_console(struct words *words, const struct str *names, uint32_t count,
                        enum filter_part part)
{
    static const char *const options[PART_COUNT] = {"-method", "-class", "-namespace"};
    return add_options(words, names, count, options[part]);
}

/* --- TUnit ------------------------------------------------------------------------------------ */

/* TUnit calls a generic class "C<Int32>". */
static void add_alternative(struct text *text, struct str name, bool is_further)
{
    const char *arity = name.len != 0 ? memchr(name.text, '`', name.len) : NULL;
    size_t len = arity != NULL ? (size_t)(arity - name.text) : name.len;
    text_addf(text, "%s(%.*s%s)", is_further ? "|" : "", (int)len, name.text,
              arity != NULL ? "*" : "");
}

/* "(A)|(B)": the different texts of a level, "*" below the part that is left of a name. */
static bool add_level(struct text *text, const struct str *names, uint32_t count,
                      enum filter_part level, enum filter_part part, struct words *words)
{
    struct str *texts = ARENA_NEW(words->arena, struct str, count, words->err);
    if (texts == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        struct str name = part_of_name(names[i], part, level);
        texts[i] = level == PART_NAMESPACE ? name : test_name_method(name);
    }
    sort_unless_sorted(texts, count, sizeof *texts, str_order);
    /* there is no other way to name what has no namespace */
    bool is_any = level < part || (count != 0 && texts[0].len == 0);
    if (is_any)
        text_add_c(text, "*");
    for (uint32_t i = 0; i < count && !is_any; i++)
        if (i == 0 || !str_eq(texts[i - 1], texts[i]))
            add_alternative(text, texts[i], i != 0);
    return true;
}

static bool add_treenode(struct words *words, const struct str *names, uint32_t count,
                         enum filter_part part)
{
    struct text text = text_in(words->arena);
    text_add_c(&text, "/*");
    for (unsigned level = PART_COUNT; level-- > 0;) {
        text_add_c(&text, "/");
        if (!add_level(&text, names, count, (enum filter_part)level, part, words))
            return false;
    }
    return add_expression(words, "--treenode-filter", &text);
}

/* --- which one -------------------------------------------------------------------------------- */

/* FILTER_NONE: the assembly is no test framework. NUnit takes its own expression as a setting,
 * which the platform reads from a file only. */
static enum filter_kind filter_of(struct str assembly, bool is_platform)
{
    if (str_is(assembly, "TUnit.Core"))
        return FILTER_TREENODE;
    if (str_is(assembly, "xunit.v3.core"))
        return is_platform ? FILTER_MTP : FILTER_VSTEST;
    if (str_is(assembly, "nunit.framework"))
        return is_platform ? FILTER_LOOSE : FILTER_NUNIT;
    return str_is(assembly, "xunit.core") || str_is(assembly, "MSTest.TestFramework") ||
                   str_is(assembly, "Microsoft.VisualStudio.TestPlatform.TestFramework")
               ? FILTER_VSTEST
               : FILTER_NONE;
}

/* Does the framework also take VSTest's expressions? */
static bool knows_vstests(enum filter_kind kind)
{
    return kind != FILTER_TREENODE && kind != FILTER_MTP && kind != FILTER_CONSOLE;
}

/* Programs of xunit.v3 load the platform itself in any case, and its parts if they use it, which
 * their project decides. */
static bool used_platform(const struct facts *run)
{
    for (uint32_t i = 0; i < run->module_count; i++)
        if (str_starts(run->modules[i].name, "Microsoft.Testing.Extensions."))
            return true;
    return false;
}

enum filter_kind test_filter_kind(const struct facts *run, bool is_platform)
{
    enum filter_kind all = FILTER_NONE;
    for (uint32_t i = 0; i < run->module_count; i++) {
        enum filter_kind kind = filter_of(run->modules[i].name, is_platform);
        if (kind == FILTER_MTP && !used_platform(run))
            kind = FILTER_CONSOLE;
        if (kind == FILTER_NONE || kind == all)
            continue;
        if (all != FILTER_NONE && (!knows_vstests(all) || !knows_vstests(kind)))
            return FILTER_NONE;
        all = all == FILTER_NONE ? kind : FILTER_LOOSE;
    }
    return all;
}

/* ---------------------------------------------------------------------------------------------- */

bool test_filter_make(struct test_filter *out, enum filter_kind kind, const struct str *names,
                      uint32_t count, struct arena *arena, struct err *err)
{
    static bool (*const add[])(struct words *, const struct str *, uint32_t, enum filter_part) = {
        [FILTER_VSTEST] = add_vstest,   [FILTER_NUNIT] = add_nunit,
        [FILTER_MTP] = add_mtp,         [FILTER_TREENODE] = add_treenode,
        [FILTER_CONSOLE] = add_console, [FILTER_LOOSE] = add_nunit_loosely};
    *out = (struct test_filter){.is_wider = false};
    for (enum filter_part part = PART_TEST; kind != FILTER_NONE && part < PART_COUNT; part++) {
        struct words words = {.arena = arena, .err = err};
        uint32_t part_count = 0;
        struct str *parts = distinct_parts(&part_count, names, count, part, &words);
        if (parts == NULL || !add[kind](&words, parts, part_count, part))
            return false;
        if (words.len > LENGTH_MAX) {
            out->is_wider = true;
            continue;
        }
        out->count = words.list.count;
        char **end = list_add(&words.list, sizeof *end, arena, err);
        if (end == NULL)
            return false;
        *end = NULL;
        out->words = words.list.items;
        return true;
    }
    static char *none[] = {NULL};
    out->words = none;
    return true;
}

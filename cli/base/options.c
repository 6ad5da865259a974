#include "cli/base/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "cli/base/say.h"
#include "cli/base/verbs.h"
#include "coverage/diff/gate.h"

enum option_kind {
    KIND_FLAG,
    KIND_TEXT,
    KIND_LIST,
    KIND_PATTERN,   /* a list, too */
    KIND_ATTRIBUTE, /* likewise */
    KIND_FORMAT,
    KIND_DIFF_FORMAT,
    KIND_GATE, /* a list, too */
    KIND_MODE,
    KIND_PERCENT,
    KIND_SHELL,
    KIND_TIME, /* milliseconds */
    KIND_HELP,
    KIND_VERSION,
};

struct option_row {
    char letter; /* 0: none */
    const char *name, *argument;
    int verbs;
    enum option_kind kind;
    size_t field;
    const char *help;
};

/* clang-format off */
#define FIELD(name) offsetof(struct options, name)
#define MEASURES (FOR_RUN | FOR_ATTACH | FOR_ENV)        /* what the library is told */
#define COLLECTS (FOR_RUN | FOR_ATTACH | FOR_COLLECT | FOR_SNAPSHOT) /* counters become facts */
#define JUDGES   (FOR_RUN | FOR_ATTACH | FOR_COLLECT | FOR_REPORT)   /* a status comes of them */
static const struct option_row rows[] = {
    {'d', "data", "FILE", COLLECTS, KIND_TEXT, FIELD(data), "data file (default " DATA_FILE ")"},
    {'f', "format", "NAME[=FILE]", COLLECTS | FOR_REPORT, KIND_FORMAT, FIELD(formats), "write a report; may be repeated, replaces the"},
    {'o', "output", "FILE", FOR_MERGE, KIND_TEXT, FIELD(output), "the data file to write; may be one of the DATA"},
    {0, "squash", NULL, FOR_MERGE, KIND_FLAG, FIELD(squash), "fold all runs into one: smaller, but no run in it"},
    {0, "strict", NULL, FOR_MERGE, KIND_FLAG, FIELD(strict), "a damaged DATA is an error, not skipped"},
    {0, "carry", "BASE", FOR_MERGE, KIND_TEXT, FIELD(carry), "of what did not run and was not edited since the"},
    {'f', "format", "NAME[=FILE]", FOR_DIFF, KIND_DIFF_FORMAT, FIELD(diff_formats), "how to write it; may be repeated, replaces the"},
    {'r', "root", "DIR", FOR_DIFF | FOR_MERGE, KIND_TEXT, FIELD(root), "where the sources are (default: as for 'run')"},
    {'r', "root", "DIR", COLLECTS, KIND_TEXT, FIELD(root), "source root (default: top of the git work tree,"},
    {'r', "root", "DIR", FOR_REPORT, KIND_TEXT, FIELD(root), "source root to name in it (default: the run's)"},
    {'i', "include", "PATTERN", MEASURES, KIND_PATTERN, FIELD(include), "measure only [assembly]type, such as '[App.*]*'"},
    {'x', "exclude", "PATTERN", MEASURES | FOR_REPORT | FOR_DIFF, KIND_PATTERN, FIELD(exclude), "leave [assembly]type out; always wins"},
    {0, "exclude-files", "GLOB", COLLECTS | FOR_REPORT | FOR_DIFF, KIND_LIST, FIELD(exclude_files), "leave source files out, by path below the root"},
    {0, "exclude-attribute", "NAME", COLLECTS, KIND_ATTRIBUTE, FIELD(exclude_attributes), "leave out what has it, as by"},
    {0, "exclude-auto-properties", NULL, COLLECTS, KIND_FLAG, FIELD(exclude_auto_properties), "leave out { get; set; } that is all"},
    {0, "include-tests", NULL, MEASURES, KIND_FLAG, FIELD(include_tests), "measure test assemblies, too"},
    {0, "mode", "MODE", MEASURES, KIND_MODE, FIELD(mode), "count (default), hit (whether, not how often)"},
    {0, "partial", NULL, FOR_RUN | FOR_COLLECT, KIND_FLAG, FIELD(partial), "COMMAND runs only some of the tests: what it does"},
    {0, "fail-under", "PERCENT", JUDGES, KIND_PERCENT, FIELD(fail_under_x100), "status 1 if fewer lines are covered"},
    {0, "gate", "GATE", JUDGES | FOR_DIFF, KIND_GATE, FIELD(gates), "status 1 unless it holds; may be repeated, as"},
    {0, "base", "BASE", JUDGES, KIND_TEXT, FIELD(base), "what gates compare with: a data file or report"},
    {0, "patch", "SPEC", JUDGES | FOR_DIFF, KIND_TEXT, FIELD(patch), "changed lines: main...HEAD (git), a file, or -"},
    {0, "allow-empty", NULL, FOR_RUN | FOR_ATTACH | FOR_COLLECT, KIND_FLAG, FIELD(allow_empty), "no error if no method was instrumented"},
    {0, "deterministic", NULL, FOR_RUN | FOR_COLLECT | FOR_REPORT, KIND_FLAG, FIELD(deterministic), "equal counts give equal bytes (see the manual)"},
    {0, "session-dir", "DIR", MEASURES, KIND_TEXT, FIELD(session_dir), "where counters live (default /dev/shm)"},
    {0, "keep-session", NULL, FOR_RUN | FOR_ATTACH, KIND_FLAG, FIELD(keep_session), "leave them there, print where"},
    {0, "control", NULL, FOR_RUN | FOR_ENV, KIND_FLAG, FIELD(control), "let 'stacks' and 'detach' reach the programs"},
    {0, "hang-timeout", "TIME", FOR_RUN, KIND_TIME, FIELD(hang_ms), "print all stacks when nothing new ran for so long"},
    {0, "hang-kill", NULL, FOR_RUN, KIND_FLAG, FIELD(hang_kill), "and then end COMMAND"},
    {0, "timeout", "TIME", FOR_ATTACH | FOR_DETACH | FOR_STACKS, KIND_TIME, FIELD(timeout_ms), "how long to try, such as 500ms, 10s (default), 2m"},
    {0, "reset", NULL, FOR_SNAPSHOT, KIND_FLAG, FIELD(reset), "count from here on in the next snapshot"},
    {0, "remove", NULL, FOR_COLLECT, KIND_FLAG, FIELD(remove), "remove the session when all is written"},
    {0, "shell", "SHELL", FOR_ENV, KIND_SHELL, FIELD(shell), "sh (default), pwsh, runsettings, docker, github,"},
    {'q', "quiet", NULL, COLLECTS | FOR_MERGE, KIND_FLAG, FIELD(quiet), "no summary"},
    {'v', "verbose", NULL, COLLECTS, KIND_FLAG, FIELD(verbose), "list all that was left out, with its reason"},
    {'h', "help", NULL, FOR_ALL, KIND_HELP, 0, "print this help"},
    {'V', "version", NULL, FOR_ALL, KIND_VERSION, 0, "print the version"},
};

/* The second line of an option's help, for those that need one. */
static const struct {
    const char *name;
    int verbs;
    const char *text;
} more_help[] = {
    {"format", COLLECTS & ~FOR_SNAPSHOT, "default, cobertura=cobertura.xml"},
    {"format", FOR_SNAPSHOT, "default, none"},
    {"format", FOR_REPORT, "default, cobertura=cobertura.xml; - is stdout"},
    {"format", FOR_DIFF, "default, text to standard output"},
    {"gate", FOR_ALL, "'line>=80', 'lost=0', '[App]branch>=-0.1'"},
    {"root", COLLECTS, "else the current directory)"},
    {"squash", FOR_MERGE, "is known again"},
    {"carry", FOR_MERGE, "data file BASE, keep the counts of that"},
    {"partial", FOR_ALL, "not hit is not known, rather than missed"},
    {"exclude-attribute", FOR_ALL, "[ExcludeFromCodeCoverage]; may be repeated"},
    {"shell", FOR_ALL, "gitlab"},
    {"mode", FOR_ALL, "or exact (totals right with many threads)"},
};
/* clang-format on */

enum {
    LONG_BASE = 256,
    HELP_COLUMN = 29,
    TIMEOUT_MS = 10 * 1000
};

/* --- help ------------------------------------------------------------------------------------- */

static const char *second_line(const struct option_row *row, enum option_verbs verb)
{
    for (size_t i = 0; i < ARRAY_LEN(more_help); i++) {
        if (strcmp(more_help[i].name, row->name) == 0 && (more_help[i].verbs & (int)verb) != 0)
            return more_help[i].text;
    }
    return NULL;
}

static void print_row(const struct option_row *row, enum option_verbs verb)
{
    char left[64];
    char letter[5] = "    ";
    if (row->letter != 0)
        (void)snprintf(letter, sizeof letter, "-%c, ", row->letter);
    (void)snprintf(left, sizeof left, "  %s--%s%s%s", letter, row->name,
                   row->argument != NULL ? " " : "", row->argument != NULL ? row->argument : "");
    printf("%-*s %s\n", HELP_COLUMN - 1, left, row->help);
    const char *more = second_line(row, verb);
    if (more != NULL)
        printf("%-*s %s\n", HELP_COLUMN - 1, "", more);
}

/* `run` has so many options that its formats have one line. */
static void print_formats(const struct usage *usage)
{
    printf("Formats:%s", usage->verb == FOR_REPORT ? "\n" : " ");
    for (const struct reporter *reporter = reporters;
         reporter->name != NULL && usage->verb != FOR_REPORT; reporter++)
        printf("%s, ", reporter->name);
    if (usage->verb != FOR_REPORT) {
        printf("none ('ilcov report --help' describes them)\n");
        return;
    }
    for (const struct reporter *reporter = reporters; reporter->name != NULL; reporter++)
        printf("  %-10s %s\n", reporter->name, reporter->summary);
    printf("  %-10s %s\n", "none", "no report, only the data file");
}

static void print_diff_formats(void)
{
    printf("Formats:\n");
    for (const struct diff_writer *writer = diff_writers; writer->name != NULL; writer++)
        printf("  %-10s %s%s%s%s\n", writer->name, writer->summary,
               writer->default_file != NULL ? " (" : "",
               writer->default_file != NULL ? writer->default_file : "",
               writer->default_file != NULL ? ")" : "");
}

static void print_help(const struct usage *usage)
{
    printf("Usage: ilcov %s %s\n%s\n", usage->name, usage->operands, usage->summary);
    bool formats = false, diff_formats = false;
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        if ((rows[i].verbs & (int)usage->verb) == 0)
            continue;
        print_row(&rows[i], usage->verb);
        formats = formats || rows[i].kind == KIND_FORMAT;
        diff_formats = diff_formats || rows[i].kind == KIND_DIFF_FORMAT;
    }
    if (diff_formats)
        print_diff_formats();
    if (formats)
        print_formats(usage);
    if (usage->notes != NULL)
        printf("%s\n", usage->notes);
}

int options_refuse(const struct usage *usage, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    say("%s (see 'ilcov %s --help')", text, usage->name);
    return EXIT_USAGE;
}

void options_print_version(void)
{
    printf("ilcov %s\n", ILCOV_VERSION);
}

/* --- what was probably meant ------------------------------------------------------------------ */

enum {
    WORD_MAX = 32
};

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Levenshtein distance, one row at a time. */
static size_t distance(const char *a, const char *b)
{
    size_t a_len = strlen(a), b_len = strlen(b), row[WORD_MAX + 1];
    if (a_len > WORD_MAX || b_len > WORD_MAX)
        return WORD_MAX;
    for (size_t j = 0; j <= b_len; j++)
        row[j] = j;
    for (size_t i = 1; i <= a_len; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_len; j++) {
            size_t changed = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = smaller(smaller(row[j] + 1, row[j - 1] + 1), changed);
        }
    }
    return row[b_len];
}

const char *options_nearest(const char *word, const char *const *names)
{
    const char *nearest = NULL;
    size_t best = (strlen(word) + 1) / 2; /* with more letters wrong than right it is no slip */
    for (; *names != NULL; names++) {
        size_t d = distance(word, *names);
        if (d <= best && (nearest == NULL || d < best)) {
            nearest = *names;
            best = d;
        }
    }
    return nearest;
}

/* --- values ----------------------------------------------------------------------------------- */

struct parse {
    struct options *options;
    const struct usage *usage;
    struct arena *arena;
    int argc;
    bool no_format; /* -f none */
    struct err err;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool options_percent(uint32_t *x100, const char *text)
{
    uint32_t value = 0;
    if (!is_digit(*text))
        return false;
    for (; is_digit(*text) && value <= 100; text++)
        value = value * 10 + (uint32_t)(*text - '0');
    value *= 100;
    if (*text == '.') {
        if (!is_digit(text[1]))
            return false;
        value += 10 * (uint32_t)(text[1] - '0');
        text += 2;
        if (is_digit(*text))
            value += (uint32_t)(*text++ - '0');
    }
    if (*text == '%')
        text++;
    *x100 = value;
    return *text == '\0' && value <= 10000;
}

/* An option can't stand more often than there are arguments. */
static bool add_item(struct parse *parse, struct option_list *list, const char *value)
{
    if (list->items == NULL)
        list->items = ARENA_NEW(parse->arena, struct str, (size_t)parse->argc, &parse->err);
    if (list->items == NULL)
        return false;
    list->items[list->count++] = str_of(value);
    return true;
}

static bool add_pattern(struct parse *parse, struct option_list *list, const char *value)
{
    struct pattern pattern;
    if (strchr(value, '\n') != NULL)
        return err_set(&parse->err, ERR_USAGE, "a pattern holds the end of a line");
    return pattern_parse(&pattern, str_of(value), &parse->err) && add_item(parse, list, value);
}

static bool add_attribute(struct parse *parse, struct option_list *list, const char *value)
{
    if (*value == '\0' || value[strcspn(value, "[]()*?, \t\n")] != '\0')
        return err_set(&parse->err, ERR_USAGE,
                       "'%s' is no attribute's name; expected such as Obsolete or System.Obsolete",
                       value);
    return add_item(parse, list, value);
}

static bool unknown_format(struct parse *parse, struct str name)
{
    char known[256] = "";
    size_t len = 0;
    for (const struct reporter *reporter = reporters; reporter->name != NULL; reporter++) {
        int n = snprintf(known + len, sizeof known - len, "%s, ", reporter->name);
        if (n > 0 && (size_t)n < sizeof known - len)
            len += (size_t)n;
    }
    if (memchr(name.text, '.', name.len) != NULL || memchr(name.text, '/', name.len) != NULL)
        return err_set(&parse->err, ERR_USAGE,
                       "unknown format '%.*s'; did you mean 'cobertura=%.*s'?", STR_ARGS(name),
                       STR_ARGS(name));
    return err_set(&parse->err, ERR_USAGE, "unknown format '%.*s'; known are %snone",
                   STR_ARGS(name), known);
}

static bool add_format(struct parse *parse, const char *value)
{
    const char *equals = strchrnul(value, '=');
    struct str name = {value, (size_t)(equals - value)};
    const char *path = *equals == '=' ? equals + 1 : NULL;
    if (path != NULL && *path == '\0')
        return err_set(&parse->err, ERR_USAGE, "format '%s' names no file behind '='", value);
    if (str_is(name, "none") && path == NULL) {
        parse->no_format = true;
        return true;
    }
    const struct reporter *reporter = reporter_find(name);
    if (reporter == NULL)
        return unknown_format(parse, name);
    if (path != NULL && strcmp(path, REPORTER_STDOUT) == 0 && parse->usage->verb == FOR_RUN)
        return err_set(&parse->err, ERR_USAGE,
                       "format '%s': standard output is COMMAND's; name a file, and "
                       "'ilcov report -f %s' prints it",
                       value, value);
    struct options *options = parse->options;
    options->formats[options->format_count++] =
        (struct option_format){reporter, path != NULL ? path : reporter->default_file};
    return true;
}

static bool add_diff_format(struct parse *parse, const char *value)
{
    const char *equals = strchrnul(value, '=');
    struct str name = {value, (size_t)(equals - value)};
    const char *path = *equals == '=' ? equals + 1 : NULL;
    const struct diff_writer *writer = diff_writer_find(name);
    struct options *options = parse->options;
    if (path != NULL && *path == '\0')
        return err_set(&parse->err, ERR_USAGE, "format '%s' names no file behind '='", value);
    if (writer == NULL)
        return err_set(&parse->err, ERR_USAGE,
                       "unknown format '%.*s'; 'ilcov diff --help' lists them", STR_ARGS(name));
    options->diff_formats[options->diff_format_count++] =
        (struct option_diff_format){writer, path != NULL ? path : writer->default_file};
    return true;
}

static bool add_gate(struct parse *parse, struct option_list *list, const char *value)
{
    struct gate gate;
    return gate_parse(&gate, str_of(value), &parse->err) && add_item(parse, list, value);
}

static bool set_shell(enum env_shell *shell, const char *name, struct err *err)
{
    static const char *const names[] = {"sh", "pwsh", "runsettings", "docker", "github", "gitlab"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        *shell = (enum env_shell)i;
        if (strcmp(names[i], name) == 0)
            return true;
    }
    return err_set(err, ERR_USAGE,
                   "unknown shell '%s'; known are sh, pwsh, runsettings, docker, github, gitlab",
                   name);
}

/* "90", "90s", "500ms", "2m", up to a day. */
static bool set_time(uint32_t *ms, const char *text, struct err *err)
{
    enum {
        DAY_MS = 24 * 60 * 60 * 1000
    };
    static const struct {
        const char *unit;
        uint32_t ms;
    } units[] = {{"", 1000}, {"s", 1000}, {"ms", 1}, {"m", 60 * 1000}, {"h", 60 * 60 * 1000}};
    uint64_t value = 0;
    const char *end = text;
    for (; is_digit(*end) && value <= DAY_MS; end++)
        value = value * 10 + (uint64_t)(*end - '0');
    for (size_t i = 0; end != text && i < ARRAY_LEN(units); i++) {
        uint64_t total = value * units[i].ms;
        if (strcmp(units[i].unit, end) == 0 && total != 0 && total <= DAY_MS) {
            *ms = (uint32_t)total;
            return true;
        }
    }
    return err_set(err, ERR_USAGE, "'%s' is no time; expected such as 500ms, 60s or 2m, up to 24h",
                   text);
}

static bool set_value(struct parse *parse, const struct option_row *row, const char *value)
{
    void *field = (char *)parse->options + row->field;
    switch (row->kind) {
    case KIND_FLAG:
        *(bool *)field = true;
        return true;
    case KIND_TEXT:
        *(const char **)field = value;
        return *value != '\0' || err_set(&parse->err, ERR_USAGE, "option --%s is empty", row->name);
    case KIND_LIST:
        return add_item(parse, field, value);
    case KIND_PATTERN:
        return add_pattern(parse, field, value);
    case KIND_ATTRIBUTE:
        return add_attribute(parse, field, value);
    case KIND_FORMAT:
        return add_format(parse, value);
    case KIND_DIFF_FORMAT:
        return add_diff_format(parse, value);
    case KIND_GATE:
        return add_gate(parse, field, value);
    case KIND_MODE:
        return mode_parse(field, str_of(value)) ||
               err_set(&parse->err, ERR_USAGE, "unknown mode '%s'; known are count, hit, exact",
                       value);
    case KIND_PERCENT:
        parse->options->has_fail_under = true;
        return options_percent(field, value) ||
               err_set(&parse->err, ERR_USAGE,
                       "'%s' is no percentage; expected 0 to 100 with up to two decimals", value);
    case KIND_SHELL:
        return set_shell(field, value, &parse->err);
    case KIND_TIME:
        return set_time(field, value, &parse->err);
    case KIND_HELP:
    case KIND_VERSION:
        break;
    }
    return true;
}

/* --- rules over several options --------------------------------------------------------------- */

static bool same_file(const char *a, const char *b)
{
    struct stat left, right;
    if (strcmp(a, b) == 0)
        return true;
    return stat(a, &left) == 0 && stat(b, &right) == 0 && S_ISREG(left.st_mode) &&
           left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}

static bool check_files(const struct options *options, enum option_verbs verb, struct err *err)
{
    for (uint32_t i = 0; i < options->format_count; i++) {
        const char *path = options->formats[i].path;
        if (path == NULL)
            continue;
        if (same_file(path, options->data) && verb == FOR_REPORT)
            return err_set(err, ERR_USAGE, "DATA, %s, would be replaced by a report", path);
        if (same_file(path, options->data))
            return err_set(err, ERR_USAGE, "%s would be both the data file and a report", path);
        for (uint32_t j = 0; j < i; j++) {
            if (options->formats[j].path != NULL && same_file(path, options->formats[j].path))
                return err_set(err, ERR_USAGE, "two reports would be written to %s", path);
        }
    }
    return true;
}

/* reproducible-builds.org, SOURCE_DATE_EPOCH: decimal seconds. Without --deterministic it means
 * nothing to us. */
static bool set_timestamp(struct options *options, struct err *err)
{
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    options->timestamp = options->deterministic ? 0 : (int64_t)time(NULL);
    if (!options->deterministic || epoch == NULL || *epoch == '\0')
        return true;
    char *end = NULL;
    errno = 0;
    options->timestamp = strtoll(epoch, &end, 10);
    return (errno == 0 && *end == '\0' && options->timestamp >= 0) ||
           err_set(err, ERR_USAGE, "SOURCE_DATE_EPOCH=%s is no number of seconds", epoch);
}

static bool finish(struct parse *parse)
{
    struct options *options = parse->options;
    if (parse->no_format && options->format_count != 0)
        return err_set(&parse->err, ERR_USAGE, "--format none cannot stand beside another format");
    bool wants_report = (parse->usage->verb & (FOR_SNAPSHOT | FOR_ENV)) == 0;
    if (options->format_count == 0 && !parse->no_format && wants_report &&
        !add_format(parse, "cobertura"))
        return false;
    if (options->hang_kill && options->hang_ms == 0)
        return err_set(&parse->err, ERR_USAGE, "--hang-kill has no sense without --hang-timeout");
    if (options->diff_format_count == 0 && parse->usage->verb == FOR_DIFF &&
        !add_diff_format(parse, "text"))
        return false;
    if (parse->usage->verb == FOR_REPORT && options->operand_count == 1)
        options->data = options->operands[0];
    return check_files(options, parse->usage->verb, &parse->err) &&
           set_timestamp(options, &parse->err);
}

/* --- the command line ------------------------------------------------------------------------- */

struct getopt_tables {
    char letters[2 * ARRAY_LEN(rows) + 3];
    struct option longs[ARRAY_LEN(rows) + 1];
    const char *names[ARRAY_LEN(rows) + 1];
};

/* '+' ends the options at the first operand, ':' tells a missing argument from an unknown option.
 */
static void fill_tables(struct getopt_tables *tables, const struct usage *usage)
{
    memset(tables, 0, sizeof *tables);
    size_t letter_count = 0, count = 0;
    if (usage->verb == FOR_RUN)
        tables->letters[letter_count++] = '+';
    tables->letters[letter_count++] = ':';
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        if ((rows[i].verbs & (int)usage->verb) == 0)
            continue;
        int takes = rows[i].argument != NULL ? required_argument : no_argument;
        tables->longs[count] = (struct option){rows[i].name, takes, NULL, LONG_BASE + (int)i};
        tables->names[count++] = rows[i].name;
        if (rows[i].letter != 0)
            tables->letters[letter_count++] = rows[i].letter;
        if (rows[i].letter != 0 && rows[i].argument != NULL)
            tables->letters[letter_count++] = ':';
    }
}

/* A letter may mean another thing to another verb. */
static const struct option_row *find_row(int value, enum option_verbs verb)
{
    if (value >= LONG_BASE)
        return &rows[value - LONG_BASE];
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        if (value != 0 && rows[i].letter == value && (rows[i].verbs & (int)verb) != 0)
            return &rows[i];
    }
    return NULL;
}

static const struct option_row *find_name(const char *word)
{
    for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
        if (strcmp(rows[i].name, word) == 0)
            return &rows[i];
    }
    return NULL;
}

/* Of an option that getopt did not take. */
static const char *who_has(const struct option_row *row)
{
    static const struct {
        int verbs;
        const char *text;
    } owners[] = {{FOR_RUN, ": 'ilcov run' has it"},
                  {FOR_MERGE, ": 'ilcov merge' has it"},
                  {FOR_DIFF, ": 'ilcov diff' has it"}};
    for (size_t i = 0; row != NULL && i < ARRAY_LEN(owners); i++)
        if ((row->verbs & owners[i].verbs) != 0)
            return owners[i].text;
    return "";
}

/* getopt says little about what it did not take: the argument itself tells more. */
static int refuse_option(const struct usage *usage, const struct getopt_tables *tables, int result,
                         const char *argument)
{
    const struct option_row *row = find_row(optopt, usage->verb);
    if (result == ':' && row != NULL)
        return options_refuse(usage, "option --%s lacks its %s", row->name, row->argument);
    if (optopt >= LONG_BASE && row != NULL)
        return options_refuse(usage, "option --%s takes no value", row->name);
    if (optopt != 0)
        return options_refuse(usage, "unknown option '-%c'%s", optopt,
                              who_has(find_row(optopt, FOR_ALL)));
    char word[WORD_MAX + 1] = "";
    (void)snprintf(word, sizeof word, "%.*s", (int)strcspn(argument + 2, "="), argument + 2);
    row = find_name(word);
    if (row != NULL)
        return options_refuse(usage, "unknown option '--%s'%s", word, who_has(row));
    unsigned starting = 0;
    for (size_t i = 0; tables->names[i] != NULL; i++)
        starting += strncmp(tables->names[i], word, strlen(word)) == 0;
    if (starting > 1)
        return options_refuse(usage, "option '%s' may mean several", argument);
    const char *meant = options_nearest(word, tables->names);
    if (meant != NULL)
        return options_refuse(usage, "unknown option '%s'; did you mean '--%s'?", argument, meant);
    return options_refuse(usage, "unknown option '%s'", argument);
}

/* What is wrong is the usage, but for memory. */
static int refuse(const struct parse *parse)
{
    if (parse->err.code != ERR_MEMORY)
        return options_refuse(parse->usage, "%s", parse->err.text);
    say("%s", parse->err.text);
    return EXIT_BAD;
}

static bool take_options(struct parse *parse, char **argv, int *status)
{
    struct getopt_tables tables;
    fill_tables(&tables, parse->usage);
    opterr = 0;
    optind = 0; /* GNU: begin anew, with another set of options */
    for (;;) {
        int value = getopt_long(parse->argc, argv, tables.letters, tables.longs, NULL);
        if (value == -1)
            return true;
        const struct option_row *row = find_row(value, parse->usage->verb);
        if (value == '?' || value == ':' || row == NULL) {
            *status = refuse_option(parse->usage, &tables, value, argv[optind - 1]);
            return false;
        }
        *status = EXIT_FINE;
        if (row->kind == KIND_HELP) {
            print_help(parse->usage);
            return false;
        }
        if (row->kind == KIND_VERSION) {
            options_print_version();
            return false;
        }
        if (!set_value(parse, row, optarg)) {
            *status = refuse(parse);
            return false;
        }
    }
}

bool options_parse(struct options *out, const struct usage *usage, int argc, char **argv,
                   struct arena *arena, int *status)
{
    *out = (struct options){.data = DATA_FILE, .timeout_ms = TIMEOUT_MS};
    struct parse parse = {.options = out, .usage = usage, .arena = arena, .argc = argc};
    out->formats = ARENA_NEW(arena, struct option_format, (size_t)argc + 1, &parse.err);
    out->diff_formats = ARENA_NEW(arena, struct option_diff_format, (size_t)argc + 1, &parse.err);
    if (out->formats == NULL || out->diff_formats == NULL) {
        *status = refuse(&parse);
        return false;
    }
    if (!take_options(&parse, argv, status))
        return false;
    out->operands = argv + optind;
    out->operand_count = argc - optind;
    bool ok = usage->operand_max >= out->operand_count ||
              err_set(&parse.err, ERR_USAGE, "unexpected argument '%s'",
                      out->operands[usage->operand_max]);
    if (!ok || !finish(&parse)) {
        *status = refuse(&parse);
        return false;
    }
    return true;
}

#include "cli/options/options.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/version.h"
#include "cli/options/exit.h"
#include "cli/options/help.h"
#include "cli/options/option_values.h"
#include "cli/options/say.h"

enum {
    LONG_BASE = 256,
    OPTIONS_MAX = 96, /* of one verb */
    VERBS_MAX = 16,
};

int options_refuse(const struct verb *verb, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    say("%s (see 'ilcov %s --help')", text, verb->name);
    return EXIT_USAGE;
}

int options_fail(const struct verb *verb, const struct err *err)
{
    return err->code == ERR_USAGE ? options_refuse(verb, "%s", err->text) : say_error(err);
}

void options_print_version(void)
{
    printf("ilcov %s\n", ilcov_version);
}

/* Every error is wrong usage, except a lack of memory. */
static int refuse_usage(const struct verb *verb, const struct err *err)
{
    return err->code != ERR_MEMORY ? options_refuse(verb, "%s", err->text) : say_error(err);
}

struct line_parse {
    const struct command_line *line;
    uint8_t *options; /* the verb's struct */
    struct option_given *given;
    const char *config; /* of the line, or as typed */
    const char *file;   /* the settings file, or NULL */
    struct arena *arena;
    struct err err;
};

/* --- getopt's tables -------------------------------------------------------------------------- */

struct getopt_tables {
    char letters[2 * OPTIONS_MAX + 3];
    struct option longs[OPTIONS_MAX + 1];
    const char *names[OPTIONS_MAX + 1];
};

/* '+' ends the options at the first operand, ':' distinguishes a missing argument from an unknown
 * option. */
static void fill_tables(struct getopt_tables *tables, const struct verb *verb)
{
    struct verb_option option;
    size_t letter_count = 0;
    memset(tables, 0, sizeof *tables);
    if (verb->ends_at_operand)
        tables->letters[letter_count++] = '+';
    tables->letters[letter_count++] = ':';
    for (size_t i = 0; i < OPTIONS_MAX && verb_option(&option, verb, i); i++) {
        const struct option_row *row = option.row;
        int takes = row->argument != NULL    ? required_argument
                    : option_is_setting(row) ? optional_argument /* --quiet=no */
                                             : no_argument;
        tables->longs[i] = (struct option){row->name, takes, NULL, LONG_BASE + (int)i};
        tables->names[i] = row->name;
        if (row->letter != 0)
            tables->letters[letter_count++] = row->letter;
        if (row->letter != 0 && row->argument != NULL)
            tables->letters[letter_count++] = ':';
    }
}

/* The option for a value that getopt returned or left in `optopt`. */
static bool find_option(struct verb_option *out, const struct verb *verb, int value)
{
    return value >= LONG_BASE ? verb_option(out, verb, (size_t)(value - LONG_BASE))
                              : value != 0 && verb_find_option(out, verb, NULL, (char)value);
}

/* --- what was probably meant ------------------------------------------------------------------ */

/* The verbs that have the option; how many, at most VERBS_MAX. */
static size_t find_owners(const char *owners[VERBS_MAX], const struct command_line *line,
                          const char *name, char letter)
{
    struct verb_option option;
    size_t count = 0;
    for (const struct verb *const *verb = line->verbs; *verb != NULL && count < VERBS_MAX; verb++)
        if (verb_find_option(&option, *verb, name, letter))
            owners[count++] = (*verb)->name;
    return count;
}

/* "unknown option '--gate' of 'ilcov merge'; 'ilcov run', 'ilcov report' and 'ilcov diff' have
 * it" */
static int refuse_unknown(const struct line_parse *parse, struct str word, const char *name,
                          char letter, const char *meant)
{
    const struct verb *verb = parse->line->verb;
    const char *owners[VERBS_MAX];
    char text[400];
    size_t count = find_owners(owners, parse->line, name, letter), len = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count && len < sizeof text; i++) {
        const char *before = i == 0 ? "; " : i + 1 == count ? " and " : ", ";
        int n = snprintf(text + len, sizeof text - len, "%s'ilcov %s'", before, owners[i]);
        len += n > 0 ? (size_t)n : 0;
    }
    if (count != 0)
        return options_refuse(verb, "unknown option '%.*s' of 'ilcov %s'%s %s it", STR_ARGS(word),
                              verb->name, text, count == 1 ? "has" : "have");
    if (meant != NULL)
        return options_refuse(verb, "unknown option '%.*s'; did you mean '--%s'?", STR_ARGS(word),
                              meant);
    return options_refuse(verb, "unknown option '%.*s' of 'ilcov %s'", STR_ARGS(word), verb->name);
}

/* `argument` is "--word" or "--word=value". */
static int refuse_long(const struct line_parse *parse, const struct getopt_tables *tables,
                       const char *argument)
{
    struct str all = {argument, strcspn(argument, "=")}, word = {argument + 2, all.len - 2}, name;
    struct err err = {0};
    const char *starting[2] = {NULL};
    for (size_t i = 0, count = 0; tables->names[i] != NULL && count < ARRAY_LEN(starting); i++)
        if (strncmp(tables->names[i], word.text, word.len) == 0)
            starting[count++] = tables->names[i];
    if (starting[1] != NULL)
        return options_refuse(parse->line->verb, "option '%.*s' is ambiguous: --%s or --%s?",
                              STR_ARGS(all), starting[0], starting[1]);
    if (!str_copy(&name, word, parse->arena, &err))
        return say_error(&err);
    return refuse_unknown(parse, all, name.text, 0, nearest_word(word, tables->names));
}

/* getopt says little about what it rejected; the argument itself says more. */
static int refuse_option(const struct line_parse *parse, const struct getopt_tables *tables,
                         int result, const char *argument)
{
    const struct verb *verb = parse->line->verb;
    struct verb_option option;
    bool is_known = find_option(&option, verb, optopt);
    if (result == ':' && is_known)
        return options_refuse(verb, "option --%s requires %s", option.row->name,
                              option.row->argument);
    if (optopt >= LONG_BASE && is_known)
        return options_refuse(verb, "option --%s takes no value", option.row->name);
    if (optopt == 0)
        return refuse_long(parse, tables, argument);
    char word[] = {'-', (char)optopt};
    return refuse_unknown(parse, (struct str){word, sizeof word}, NULL, (char)optopt, NULL);
}

/* --- the command line ------------------------------------------------------------------------- */

/* Adds a value to those of the option: the last counts. A flag has one only. */
static bool give_value(struct line_parse *parse, size_t index, const struct option_row *row,
                       const char *value)
{
    struct option_given *given = &parse->given[index];
    bool yes = true;
    if (row->argument == NULL && value != NULL && !option_parse_bool(&yes, value))
        return err_set(&parse->err, ERR_USAGE, "option --%s must be yes or no, not '%s'", row->name,
                       value);
    if (given->values == NULL)
        given->values =
            ARENA_NEW(parse->arena, const char *, (size_t)parse->line->argc + 1, &parse->err);
    if (given->values == NULL)
        return false;
    if (row->argument == NULL)
        given->count = 0;
    given->origin = ORIGIN_TYPED;
    given->values[given->count++] = row->argument != NULL ? value : option_bool(yes);
    return true;
}

/* False: it is neither --help nor --version. */
static bool print_if_asked(struct line_parse *parse, const struct option_row *row, int *status)
{
    *status = EXIT_FINE;
    if (row == &option_version)
        options_print_version();
    else if (row != &option_help && row != &option_help_all)
        return false;
    else if (!help_print(parse->line->verb, row == &option_help ? HELP_BASIC : HELP_ALL,
                         parse->arena, &parse->err))
        *status = refuse_usage(parse->line->verb, &parse->err);
    return true;
}

/* -f=text: getopt takes "=text" for the value. */
static bool is_after_equals(int value, const char *argument)
{
    return value < LONG_BASE && optarg != NULL && *optarg == '=' && optarg != argument;
}

/* The settings file that is meant; false: something else is. */
static bool names_file(struct line_parse *parse, const struct option_row *row, const char *value)
{
    if (row == &option_config)
        parse->config = value;
    else if (row == &option_no_config)
        parse->config = "";
    else
        return false;
    return true;
}

static size_t index_of_option(const struct verb *verb, const struct option_row *row)
{
    struct verb_option option;
    size_t index = 0;
    while (verb_option(&option, verb, index) && option.row != row)
        index++;
    return index;
}

static bool read_options(struct line_parse *parse, int *status)
{
    const struct command_line *line = parse->line;
    struct getopt_tables tables;
    fill_tables(&tables, line->verb);
    opterr = 0;
    optind = 0; /* GNU: start again, with another set of options */
    for (;;) {
        struct verb_option option;
        int value = getopt_long(line->argc, line->argv, tables.letters, tables.longs, NULL);
        if (value == -1)
            return true;
        if (value == '?' || value == ':' || !find_option(&option, line->verb, value)) {
            *status = refuse_option(parse, &tables, value, line->argv[optind - 1]);
            return false;
        }
        if (print_if_asked(parse, option.row, status))
            return false;
        if (is_after_equals(value, line->argv[optind - 1])) {
            *status = options_refuse(
                line->verb, "option -%c takes its value without '='; did you mean '-%c %s'?", value,
                value, optarg[1] != '\0' ? optarg + 1 : option.row->argument);
            return false;
        }
        if (!names_file(parse, option.row, optarg) &&
            !give_value(parse, index_of_option(line->verb, option.row), option.row, optarg)) {
            *status = refuse_usage(parse->line->verb, &parse->err);
            return false;
        }
    }
}

/* --- a line that is being typed --------------------------------------------------------------- */

void options_read_last(struct options_last *out, const struct verb *verb, int argc, char **argv)
{
    static char dashes[] = "--";
    struct getopt_tables tables;
    struct verb_option option;
    int value;
    if (strcmp(argv[argc - 1], "-") == 0) /* to getopt an operand */
        argv[argc - 1] = dashes;
    char *last = argv[argc - 1], *end = last + strlen(last);
    *out = (struct options_last){NULL, 0, 0};
    fill_tables(&tables, verb);
    opterr = 0;
    optind = 0;
    while ((value = getopt_long(argc, argv, tables.letters, tables.longs, NULL)) != -1)
        if (optarg != NULL && optarg + strlen(optarg) == end && find_option(&option, verb, value))
            *out = (struct options_last){option.row, strlen(last) - strlen(optarg), 0};
    if (out->row == NULL && optind < argc && argv[argc - 1] == last)
        out->operand = optind;
}

/* --- what is given ---------------------------------------------------------------------------- */

/* What is typed stays; everything else is what the settings say. */
static bool add_settings(struct line_parse *parse)
{
    const struct command_line *line = parse->line;
    struct verb_option option;
    struct option_given *given =
        ARENA_NEW(parse->arena, struct option_given, OPTIONS_MAX, &parse->err);
    if (given == NULL ||
        !line->settings(given, &parse->file, line, parse->config, parse->arena, &parse->err))
        return false;
    for (size_t i = 0; verb_option(&option, line->verb, i); i++)
        if (parse->given[i].origin != ORIGIN_TYPED)
            parse->given[i] = given[i];
    return true;
}

static bool take_one(struct line_parse *parse, const struct verb_option *option,
                     const struct option_given *given, size_t index)
{
    const struct option_row *row = option->row;
    const struct option_context context = {
        .name = row->name, .arena = parse->arena, .room = given->count + 1};
    bool yes = true;
    if (row->argument == NULL && option_parse_bool(&yes, given->values[index]) && !yes &&
        !row->takes_no)
        return true; /* every flag is false at first */
    if (row->take(parse->options + option->field,
                  row->argument != NULL || !yes ? given->values[index] : NULL, &context,
                  &parse->err))
        return true;
    if (given->from != NULL)
        err_prefix(&parse->err, "%s", given->from);
    return false;
}

static bool take_options(struct line_parse *parse)
{
    struct verb_option option;
    for (size_t i = 0; verb_option(&option, parse->line->verb, i); i++) {
        const char *value = NULL;
        const struct option_given otherwise = {.values = &value, .count = 1};
        for (size_t j = 0; j < parse->given[i].count; j++)
            if (!take_one(parse, &option, &parse->given[i], j))
                return false;
        if (parse->given[i].count != 0 || option.row->otherwise == NULL)
            continue;
        value = option.row->otherwise();
        if (!take_one(parse, &option, &otherwise, 0))
            return false;
    }
    return true;
}

/* --- both ------------------------------------------------------------------------------------- */

bool options_resolve(struct option_values *out, const struct command_line *line,
                     struct arena *arena, int *status)
{
    struct line_parse parse = {.line = line, .config = line->config, .arena = arena};
    *status = EXIT_FINE;
    parse.options = arena_alloc(arena, 1, line->verb->options_size + 1, &parse.err);
    parse.given = ARENA_NEW(arena, struct option_given, OPTIONS_MAX, &parse.err);
    bool fine = parse.options != NULL && parse.given != NULL;
    if (fine && !read_options(&parse, status))
        return false;
    if (fine && line->settings != NULL && verb_has_settings(line->verb) && !add_settings(&parse)) {
        say("%s", parse.err.text);
        *status = parse.err.code == ERR_USAGE ? EXIT_USAGE : EXIT_BAD;
        return false;
    }
    if (!fine || !take_options(&parse)) {
        *status = refuse_usage(line->verb, &parse.err);
        return false;
    }
    *out = (struct option_values){
        parse.options, parse.given, parse.file, {line->argv + optind, line->argc - optind}};
    return true;
}

/* With --verbose, the settings file is named. */
static void name_settings_file(const struct option_values *values, const struct verb *verb)
{
    struct verb_option option;
    for (size_t i = 0; values->file != NULL && verb_option(&option, verb, i); i++)
        if (strcmp(option.row->name, "verbose") == 0 && values->given[i].count != 0 &&
            strcmp(values->given[i].values[0], option_bool(true)) == 0)
            say("settings: %s", values->file);
}

/* Did the settings file or a variable take part? Then it may be what is wrong. */
static bool has_settings(const struct option_values *values, const struct verb *verb)
{
    struct verb_option option;
    for (size_t i = 0; verb_option(&option, verb, i); i++)
        if (values->given[i].from != NULL)
            return true;
    return false;
}

bool option_is_typed(const struct option_context *context, const char *name)
{
    struct verb_option option;
    size_t i = 0;
    while (verb_option(&option, context->verb, i) && strcmp(option.row->name, name) != 0)
        i++;
    return context->given[i].origin == ORIGIN_TYPED;
}

static bool finish_options(const struct option_values *values, const struct command_line *line,
                           struct arena *arena, struct err *err)
{
    const struct verb *verb = line->verb;
    const struct operands *operands = &values->operands;
    const struct option_context context = {
        .arena = arena, .room = (size_t)line->argc + 1, .verb = verb, .given = values->given};
    if (operands->count > verb->operand_max)
        return err_set(err, ERR_USAGE, "unexpected argument '%s'",
                       operands->items[verb->operand_max]);
    if (verb->finish == NULL || verb->finish(values->options, operands, &context, err))
        return operands->count != 0 || verb->lacks == NULL ||
               err_set(err, ERR_USAGE, "%s", verb->lacks);
    if (has_settings(values, verb) && err->code == ERR_USAGE) {
        struct err broken = *err;
        (void)err_set(err, ERR_USAGE, "%.400s; 'ilcov config %s' shows what is set", broken.text,
                      verb->name);
    }
    return false;
}

bool options_parse(void **options, struct operands *operands, const struct command_line *line,
                   struct arena *arena, int *status)
{
    struct option_values values;
    struct err err = {0};
    if (!options_resolve(&values, line, arena, status))
        return false;
    name_settings_file(&values, line->verb);
    *options = values.options;
    *operands = values.operands;
    if (finish_options(&values, line, arena, &err))
        return true;
    *status = refuse_usage(line->verb, &err);
    return false;
}

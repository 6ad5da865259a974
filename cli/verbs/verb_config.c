#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/list.h"
#include "base/nearest.h"
#include "cli/options/exit.h"
#include "cli/options/import.h"
#include "cli/options/option_values.h"
#include "cli/options/options.h"
#include "cli/options/say.h"
#include "cli/options/setting_key.h"
#include "cli/options/settings.h"
#include "cli/options/settings_schema.h"
#include "cli/verbs/verbs.h"
#include "reporters/json_writer.h"
#include "reporters/legible.h"

struct config_options {
    bool json, schema, no_config;
    const char *config; /* NULL: the nearest */
    const char *from;   /* settings of another tool, or NULL */
};

/* --- entries ---------------------------------------------------------------------------------- */

struct setting_entry {
    const char *key; /* "failUnder"; "report.failUnder" if it is said for `report` alone */
    const struct option_row *row;
    struct option_given given;
    struct list verbs; /* const struct verb *: that have this value */
};

/* All settings with their values. */
struct settings_table {
    const char *file;    /* the settings file, or NULL */
    struct list entries; /* struct setting_entry */
    struct arena *arena;
};

static bool has_equal_values(const struct option_given *a, const struct option_given *b)
{
    if (a->origin != b->origin || a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (strcmp(a->values[i], b->values[i]) != 0)
            return false;
    return true;
}

/* What verbs share has one entry. */
static struct setting_entry *find_entry(const struct settings_table *table, const char *key,
                                        const struct option_given *given)
{
    struct setting_entry *entries = table->entries.items;
    for (uint32_t i = 0; i < table->entries.count; i++)
        if (strcmp(entries[i].key, key) == 0 && has_equal_values(&entries[i].given, given))
            return &entries[i];
    return NULL;
}

/* What does not repeat has its last value. */
static bool add_setting_entry(struct settings_table *table, const struct verb *verb,
                              const struct option_row *row, struct option_given given,
                              struct err *err)
{
    char key[SETTING_KEY_ROOM];
    struct str name;
    setting_key(key, row);
    bool is_common = !given.is_own && setting_is_common(verbs, row);
    if (!text_format(&name, table->arena, err, "%s%s%s", is_common ? "" : verb->name,
                     is_common ? "" : ".", key))
        return false;
    if (!row->repeats && given.count > 1) {
        given.values += given.count - 1;
        given.count = 1;
    }
    struct setting_entry *entry = find_entry(table, name.text, &given);
    if (entry == NULL) {
        entry = list_add(&table->entries, sizeof *entry, table->arena, err);
        if (entry == NULL)
            return false;
        *entry = (struct setting_entry){.key = name.text, .row = row, .given = given};
    }
    return list_put(&entry->verbs, &verb, sizeof verb, table->arena, err);
}

/* The settings of a verb, as options_resolve found them. */
static bool add_config_entries(struct settings_table *table, const struct verb *verb,
                               const struct option_values *values, struct err *err)
{
    struct verb_option option;
    table->file = values->file;
    for (size_t i = 0; verb_option(&option, verb, i); i++)
        if (option_is_setting(option.row) &&
            !add_setting_entry(table, verb, option.row, values->given[i], err))
            return false;
    return true;
}

/* --- as a table ------------------------------------------------------------------------------- */

static const char *default_of(const struct option_row *row)
{
    return row->default_text != NULL ? row->default_text
           : row->argument == NULL   ? option_bool(false)
                                     : "-";
}

/* Returns how many columns it took. */
static size_t print_entry_value(const struct setting_entry *entry)
{
    size_t width = 0;
    if (entry->given.origin == ORIGIN_DEFAULT) {
        (void)fputs(default_of(entry->row), stdout);
        return strlen(default_of(entry->row));
    }
    for (size_t i = 0; i < entry->given.count; i++) {
        (void)fputs(i == 0 ? "" : ", ", stdout);
        legible_put(stdout, str_of(entry->given.values[i]));
        width += legible_width(str_of(entry->given.values[i])) + (i == 0 ? 0 : 2);
    }
    return width;
}

static void print_origin(const struct setting_entry *entry)
{
    if (entry->given.origin == ORIGIN_DEFAULT)
        (void)fputs("default", stdout);
    else if (entry->given.from != NULL)
        legible_put(stdout, str_of(entry->given.from));
    else
        printf("--%s", entry->row->name);
}

static void print_entry(const struct setting_entry *entry, int key_width)
{
    enum {
        VALUE_WIDTH = 30
    };
    printf("%-*s  ", key_width, entry->key);
    size_t width = print_entry_value(entry);
    printf("%*s  ", width < VALUE_WIDTH ? (int)(VALUE_WIDTH - width) : 0, "");
    print_origin(entry);
    (void)fputc('\n', stdout);
}

static void print_settings_table(const struct settings_table *table)
{
    const struct setting_entry *entries = table->entries.items;
    int width = 0;
    for (uint32_t i = 0; i < table->entries.count; i++)
        if ((int)strlen(entries[i].key) > width)
            width = (int)strlen(entries[i].key);
    printf("settings file: ");
    legible_put_line(stdout, str_of(table->file != NULL ? table->file : "none"));
    for (uint32_t i = 0; i < table->entries.count; i++)
        print_entry(&entries[i], width);
}

/* --- as JSON ---------------------------------------------------------------------------------- */

static void write_entry_value(struct json_writer *w, const struct setting_entry *entry)
{
    static const char key[] = "value";
    const struct option_given *given = &entry->given;
    if (entry->row->repeats) {
        jw_begin_line(w, key, '[');
        for (size_t i = 0; i < given->count; i++)
            jw_text_c(w, NULL, given->values[i]);
        jw_end(w, ']');
    } else if (entry->row->argument == NULL) {
        jw_bool(w, key, given->count != 0 && strcmp(given->values[0], option_bool(true)) == 0);
    } else if (given->count != 0) {
        jw_text_c(w, key, given->values[0]);
    } else {
        jw_null(w, key);
    }
}

static void write_entry(struct json_writer *w, const struct setting_entry *entry)
{
    static const char *const sources[] = {[ORIGIN_DEFAULT] = "default",
                                          [ORIGIN_FILE] = "file",
                                          [ORIGIN_ENVIRONMENT] = "environment",
                                          [ORIGIN_TYPED] = "option"};
    jw_begin(w, NULL, '{');
    jw_text_c(w, "key", entry->key);
    write_entry_value(w, entry);
    jw_text_c(w, "source", sources[entry->given.origin]);
    if (entry->given.from != NULL)
        jw_text_c(w, "from", entry->given.from);
    if (entry->given.origin == ORIGIN_DEFAULT && entry->row->default_text != NULL)
        jw_text_c(w, "default", entry->row->default_text);
    jw_text_c(w, "option", entry->row->name);
    jw_begin_line(w, "verbs", '[');
    for (uint32_t i = 0; i < entry->verbs.count; i++)
        jw_text_c(w, NULL, ((const struct verb **)entry->verbs.items)[i]->name);
    jw_end(w, ']');
    jw_end(w, '}');
}

static void print_table_json(const struct settings_table *table)
{
    const struct setting_entry *entries = table->entries.items;
    struct json_writer w;
    jw_open(&w, stdout);
    jw_begin(&w, NULL, '{');
    jw_text_c(&w, "schema", "1.0.0");
    if (table->file != NULL)
        jw_text_c(&w, "file", table->file);
    else
        jw_null(&w, "file");
    jw_begin(&w, "settings", '[');
    for (uint32_t i = 0; i < table->entries.count; i++)
        write_entry(&w, &entries[i]);
    jw_end(&w, ']');
    jw_end(&w, '}');
    jw_finish(&w);
}

/* --- the verb --------------------------------------------------------------------------------- */

static int refuse_config(const struct err *err)
{
    say("%s", err->text);
    return err->code == ERR_USAGE ? EXIT_USAGE : EXIT_BAD;
}

/* argv[0] is the verb. */
static int add_settings_of_verb(struct settings_table *table, const struct verb *verb, int argc,
                                char **argv, const struct config_options *options,
                                struct arena *arena)
{
    const struct command_line line = {.verb = verb,
                                      .verbs = verbs,
                                      .argc = argc,
                                      .argv = argv,
                                      .settings = settings_look,
                                      .config = options->no_config ? "" : options->config};
    struct option_values values;
    struct err err = {0};
    int status = EXIT_FINE;
    if (!options_resolve(&values, &line, arena, &status))
        return status != EXIT_FINE ? status : EXIT_USAGE;
    return add_config_entries(table, verb, &values, &err) ? EXIT_FINE : refuse_config(&err);
}

static int add_all_verbs(struct settings_table *table, const struct config_options *options,
                         struct arena *arena)
{
    struct err err = {0};
    int status = EXIT_FINE;
    for (const struct verb *const *verb = verbs; *verb != NULL && status == EXIT_FINE; verb++) {
        char *name = arena_copy_text(arena, (*verb)->name, strlen((*verb)->name), &err);
        if (name == NULL)
            return refuse_config(&err);
        if (verb_has_settings(*verb))
            status = add_settings_of_verb(table, *verb, 1, (char *[]){name, NULL}, options, arena);
    }
    return status;
}

static int refuse_config_verb(const char *word)
{
    enum {
        VERBS_MAX = 32
    };
    const char *names[VERBS_MAX + 1] = {NULL};
    size_t count = 0;
    if (verb_named(verbs, word) != NULL)
        return options_refuse(&verb_config, "'ilcov %s' has no settings", word);
    for (const struct verb *const *verb = verbs; *verb != NULL && count < VERBS_MAX; verb++)
        if (verb_has_settings(*verb))
            names[count++] = (*verb)->name;
    const char *meant = nearest_word(str_of(word), names);
    if (meant != NULL)
        return options_refuse(&verb_config, "unknown verb '%s'; did you mean '%s'?", word, meant);
    return options_refuse(&verb_config, "unknown verb '%s'", word);
}

static int show_settings(const struct config_options *options, const struct operands *operands,
                         struct arena *arena)
{
    struct settings_table table = {.arena = arena};
    struct err err = {0};
    const struct verb *verb = NULL;
    if (operands->count != 0) {
        verb = setting_section(verbs, operands->items[0]);
        if (verb == NULL)
            return refuse_config_verb(operands->items[0]);
    }
    if (!settings_check_variables(verbs, arena, &err))
        return refuse_config(&err);
    int status = verb != NULL ? add_settings_of_verb(&table, verb, operands->count, operands->items,
                                                     options, arena)
                              : add_all_verbs(&table, options, arena);
    if (status != EXIT_FINE)
        return status;
    if (options->json)
        print_table_json(&table);
    else
        print_settings_table(&table);
    return EXIT_FINE;
}

static int import_settings(const char *path, struct arena *arena)
{
    struct err err = {0};
    struct import read;
    if (!import_read(&read, path, verbs, arena, &err))
        return refuse_config(&err);
    import_print(stdout, &read);
    const struct import_item *rest = read.rest.items;
    for (uint32_t i = 0; i < read.rest.count; i++)
        say("no counterpart: %.*s: %s", STR_ARGS(rest[i].from), rest[i].why);
    return EXIT_FINE;
}

static int run_config(const void *parsed, const struct operands *operands, struct arena *arena)
{
    const struct config_options *options = parsed;
    struct err err = {0};
    if (options->from != NULL)
        return import_settings(options->from, arena);
    if (!options->schema)
        return show_settings(options, operands, arena);
    return settings_schema_print(stdout, verbs, arena, &err) ? EXIT_FINE : refuse_config(&err);
}

/* --- the table -------------------------------------------------------------------------------- */

#define AT(field) offsetof(struct config_options, field)

static const struct option_row rows[] = {
    {.name = "json",
     .take = option_take_flag,
     .field = AT(json),
     .help = "print them as JSON",
     .more = "Its schema is share/ilcov/config.schema.json.",
     .cli_only = true},
    {.name = "from",
     .argument = "FILE",
     .take = option_take_text,
     .field = AT(from),
     .help = "print the settings of another tool as those of ilcov",
     .more =
         "FILE is a .runsettings file with settings of coverlet's or Microsoft's collector, or a "
         "project or .props file with coverlet's properties. Redirect the output to ilcov.json. "
         "What has no counterpart is in comments, and in lines on standard error.",
     .completes = COMPLETE_FILE,
     .cli_only = true},
    {.name = "schema",
     .take = option_take_flag,
     .field = AT(schema),
     .help = "print the JSON schema of ilcov.json, with which editors complete and check it",
     .more = "It is share/ilcov/ilcov.schema.json as well.",
     .cli_only = true},
    {.name = "config",
     .argument = "FILE",
     .take = option_take_text,
     .field = AT(config),
     .help = "take the settings from FILE, not from the nearest ilcov.json",
     .completes = COMPLETE_FILE,
     .cli_only = true},
    {.name = "no-config",
     .take = option_take_flag,
     .field = AT(no_config),
     .help = "use no settings file",
     .cli_only = true},
    {.name = NULL},
};

static const struct option_group groups[] = {
    {rows, 0, NULL},
    {NULL, 0, NULL},
};

static bool finish_config(void *parsed, const struct operands *operands,
                          const struct option_context *context, struct err *err)
{
    const struct config_options *options = parsed;
    (void)context;
    if (options->no_config && options->config != NULL)
        return err_set(err, ERR_USAGE, "--no-config cannot be combined with --config");
    bool is_alone = operands->count == 0 && !options->json && !options->no_config &&
                    options->config == NULL && !(options->schema && options->from != NULL);
    if ((options->schema || options->from != NULL) && !is_alone)
        return err_set(err, ERR_USAGE, "--%s cannot be combined with anything else",
                       options->from != NULL ? "from" : "schema");
    return true;
}

static bool verb_word(struct option_word *out, size_t index)
{
    for (const struct verb *const *verb = verbs; *verb != NULL; verb++) {
        if (!verb_has_settings(*verb) || index-- != 0)
            continue;
        *out = (struct option_word){(*verb)->name, (*verb)->brief, NULL};
        return true;
    }
    return false;
}

const struct verb verb_config = {
    .name = "config",
    .brief = "print the settings and where they come from",
    .operands = "[OPTION...] [VERB [OPTION...]]",
    .summary = "Prints the value of each setting, and where it comes from: an option, a variable "
               "such as ILCOV_FAIL_UNDER, or a line of ilcov.json, in this order. ilcov.json is "
               "looked for in the current directory and its parents, up to the top of the git work "
               "tree. With VERB, only its settings, as they would be with its OPTIONs.",
    .exits = "2: a setting is wrong, or wrong usage; 3: the file cannot be read.",
    .examples = "ilcov config run --fail-under 80\n"
                "ilcov config --from coverlet.runsettings >ilcov.json",
    .operand_max = INT_MAX,
    .ends_at_operand = true,
    .completes = COMPLETE_WORD,
    .word = verb_word,
    .groups = groups,
    .options_size = sizeof(struct config_options),
    .finish = finish_config,
    .act = run_config,
};

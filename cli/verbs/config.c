#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "cli/base/exit.h"
#include "cli/base/option_values.h"
#include "cli/base/options.h"
#include "cli/base/say.h"
#include "cli/settings/import.h"
#include "cli/settings/setting_key.h"
#include "cli/settings/settings.h"
#include "cli/settings/settings_environment.h"
#include "cli/settings/settings_schema.h"
#include "cli/settings/settings_table.h"
#include "cli/verbs/verbs.h"

struct config_options {
    bool json, schema, no_config;
    const char *config; /* NULL: the nearest */
    const char *from;   /* settings of another tool, or NULL */
};

static int refuse(const struct err *err)
{
    say("%s", err->text);
    return err->code == ERR_USAGE ? EXIT_USAGE : EXIT_BAD;
}

/* argv[0] is the verb. */
static int add_verb(struct settings_table *table, const struct verb *verb, int argc, char **argv,
                    const struct config_options *options, struct arena *arena)
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
    return settings_table_add(table, verb, &values, arena, &err) ? EXIT_FINE : refuse(&err);
}

static int add_all(struct settings_table *table, const struct config_options *options,
                   struct arena *arena)
{
    struct err err = {0};
    int status = EXIT_FINE;
    for (const struct verb *const *verb = verbs; *verb != NULL && status == EXIT_FINE; verb++) {
        char *name = arena_copy_text(arena, (*verb)->name, strlen((*verb)->name), &err);
        if (name == NULL)
            return refuse(&err);
        if (verb_has_settings(*verb))
            status = add_verb(table, *verb, 1, (char *[]){name, NULL}, options, arena);
    }
    return status;
}

static int refuse_verb(const char *word)
{
    enum {
        VERBS_MAX = 32
    };
    const char *names[VERBS_MAX + 1] = {NULL};
    size_t count = 0;
    for (const struct verb *const *verb = verbs; *verb != NULL && count < VERBS_MAX; verb++) {
        if (strcmp(word, (*verb)->name) == 0)
            return options_refuse(&verb_config, "'ilcov %s' has no settings", word);
        if (verb_has_settings(*verb))
            names[count++] = (*verb)->name;
    }
    const char *meant = nearest_word(str_of(word), names);
    if (meant != NULL)
        return options_refuse(&verb_config, "unknown verb '%s'; did you mean '%s'?", word, meant);
    return options_refuse(&verb_config, "unknown verb '%s'", word);
}

static int show(const struct config_options *options, const struct operands *operands,
                struct arena *arena)
{
    struct settings_table table;
    struct err err = {0};
    const struct verb *verb = NULL;
    if (operands->count != 0) {
        verb = setting_section(verbs, operands->items[0]);
        if (verb == NULL)
            return refuse_verb(operands->items[0]);
    }
    if (!settings_table_open(&table, verbs, arena, &err) ||
        !settings_environment_check(verbs, arena, &err))
        return refuse(&err);
    int status = verb != NULL
                     ? add_verb(&table, verb, operands->count, operands->items, options, arena)
                     : add_all(&table, options, arena);
    if (status != EXIT_FINE)
        return status;
    if (options->json)
        settings_table_print_json(stdout, &table);
    else
        settings_table_print(stdout, &table);
    return EXIT_FINE;
}

static int import(const char *path, struct arena *arena)
{
    struct err err = {0};
    struct import read;
    if (!import_read(&read, path, verbs, arena, &err))
        return refuse(&err);
    import_print(stdout, &read);
    const struct import_item *rest = read.rest.items;
    for (uint32_t i = 0; i < read.rest.count; i++)
        say("no counterpart: %.*s: %s", STR_ARGS(rest[i].from), rest[i].why);
    return EXIT_FINE;
}

static int config(const void *parsed, const struct operands *operands, struct arena *arena)
{
    const struct config_options *options = parsed;
    struct err err = {0};
    if (options->from != NULL)
        return import(options->from, arena);
    if (!options->schema)
        return show(options, operands, arena);
    return settings_schema_print(stdout, verbs, arena, &err) ? EXIT_FINE : refuse(&err);
}

/* --- the table -------------------------------------------------------------------------------- */

#define AT(field) offsetof(struct config_options, field)

static const struct option_row rows[] = {
    {.name = "json",
     .take = option_take_flag,
     .field = AT(json),
     .help = "print them as JSON",
     .more = "Its schema is share/ilcov/config.schema.json.",
     .typed = true},
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
     .typed = true},
    {.name = "schema",
     .take = option_take_flag,
     .field = AT(schema),
     .help = "print the JSON schema of ilcov.json, by which editors complete and check it",
     .more = "It is share/ilcov/ilcov.schema.json as well.",
     .typed = true},
    {.name = "config",
     .argument = "FILE",
     .take = option_take_text,
     .field = AT(config),
     .help = "take the settings from FILE, not from the nearest ilcov.json",
     .completes = COMPLETE_FILE,
     .typed = true},
    {.name = "no-config",
     .take = option_take_flag,
     .field = AT(no_config),
     .help = "use no settings file",
     .typed = true},
    {.name = NULL},
};

static const struct option_group groups[] = {
    {rows, 0, NULL},
    {NULL, 0, NULL},
};

static bool finish(void *parsed, const struct operands *operands,
                   const struct option_taking *taking, struct err *err)
{
    const struct config_options *options = parsed;
    (void)taking;
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

static const char *const examples[] = {"ilcov config run --fail-under 80",
                                       "ilcov config --from coverlet.runsettings >ilcov.json",
                                       NULL};

const struct verb verb_config = {
    .name = "config",
    .brief = "print the settings and where they come from",
    .operands = "[OPTION...] [VERB [OPTION...]]",
    .summary =
        "Prints the value of each setting, and where it comes from: an option, a variable such as "
        "ILCOV_FAIL_UNDER, or a line of ilcov.json, in this order. ilcov.json is looked for in the "
        "current directory and those above it, up to the top of the git work tree. With VERB, only "
        "its settings, as they would be with its OPTIONs.",
    .exits = "2: a setting is wrong, or wrong usage; 3: the file cannot be read.",
    .examples = examples,
    .operand_max = INT_MAX,
    .ends_at_operand = true,
    .completes = COMPLETE_WORD,
    .word = verb_word,
    .groups = groups,
    .options_size = sizeof(struct config_options),
    .finish = finish,
    .act = config,
};

/* ilcov affected [BUILD-OUTPUT...]: which tests a change needs, by what they hit before it. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/sort.h"
#include "cli/options/exit.h"
#include "cli/options/json_output.h"
#include "cli/options/option_values.h"
#include "cli/options/options.h"
#include "cli/options/publish_options.h"
#include "cli/options/say.h"
#include "cli/process/target.h"
#include "cli/process/test_platform.h"
#include "cli/publish/compare.h"
#include "cli/publish/data_input.h"
#include "cli/publish/left_out.h"
#include "cli/publish/source_root.h"
#include "cli/verbs/verbs.h"
#include "impact/impact.h"
#include "reporters/legible.h"
#include "system/command.h"
#include "system/file_status.h"
#include "system/folder.h"
#include "system/process.h"

struct affected_options {
    const char *data;
    const char *patch; /* or NULL */
    const char *why;   /* a test, or NULL */
    struct source_options sources;
    struct option_list builds, ignore;
    enum filter_kind filter;
    bool run, json;
};

struct test_choosing {
    const struct affected_options *options;
    struct facts facts;
    struct str root;
    struct list outputs; /* struct str */
    struct selection selection;
    struct arena *arena;
};

static int refuse_affected(const struct err *err)
{
    return options_fail(&verb_affected, err);
}

/* --- where the new build is ------------------------------------------------------------------- */

static bool add_build_output(struct test_choosing *c, struct str path, struct err *err)
{
    const struct str *known = c->outputs.items;
    for (uint32_t i = 0; i < c->outputs.count; i++)
        if (str_eq(known[i], path))
            return true;
    struct str *added = list_add(&c->outputs, sizeof *added, c->arena, err);
    return added != NULL && str_copy(added, path, c->arena, err);
}

/* Absolute: the files beside an assembly are found by its path. */
static bool add_typed(struct test_choosing *c, struct str typed, struct err *err)
{
    char text[PATH_ROOM], path[PATH_ROOM];
    if (!path_join_in(text, typed, STR("")))
        return err_set(err, ERR_IO, "%.*s: the path is too long", STR_ARGS(typed));
    text[typed.len] = '\0'; /* it may be a file */
    if (!file_real_path(path, text))
        return err_set(err, ERR_IO, "%.*s does not exist: name the folder that the build wrote",
                       STR_ARGS(typed));
    if (!file_is_folder(path) && !str_ends(typed, ".dll") && !str_ends(typed, ".exe"))
        return err_set(err, ERR_IO,
                       "%.*s is a file, not an assembly: name the folder that the build wrote",
                       STR_ARGS(typed));
    return add_build_output(c, str_of(path), err);
}

/* Where the run loaded its assemblies from: a build usually overwrites them. */
static bool add_usual(struct test_choosing *c, struct err *err)
{
    for (uint32_t i = 0; i < c->facts.module_count; i++) {
        const struct fact_module *module = &c->facts.modules[i];
        struct str folder = path_dir(module->path);
        char path[PATH_ROOM];
        if (module->method_count != 0 && folder.len != 0 && path_join_in(path, folder, STR("")) &&
            file_exists(path) && !add_build_output(c, folder, err))
            return false;
    }
    return c->outputs.count != 0 ||
           err_set(err, ERR_USAGE,
                   "the folders of the run in %s are gone: build first, or name the BUILD-OUTPUT",
                   c->options->data);
}

static bool add_all_typed(struct test_choosing *c, const struct operands *operands, struct err *err)
{
    for (uint32_t i = 0; i < c->options->builds.count; i++)
        if (!add_typed(c, c->options->builds.items[i], err))
            return false;
    for (int i = 0; i < operands->count && !c->options->run; i++)
        if (!add_typed(c, str_of(operands->items[i]), err))
            return false;
    return true;
}

/* --- which tests ------------------------------------------------------------------------------ */

static bool choose_affected(struct test_choosing *c, const struct operands *operands,
                            const struct progress_hook *progress, struct err *err)
{
    struct str root, name;
    struct patch patch;
    if (!source_root_find(&root, &c->facts, c->root, c->arena, err) ||
        (c->options->patch != NULL &&
         !compare_read_patch(&patch, &name, c->options->patch, root, c->arena, err)) ||
        !add_all_typed(c, operands, err))
        return false;
    bool is_named = c->outputs.count != 0;
    if (!is_named && !add_usual(c, err))
        return false;
    const struct impact_request request = {
        .base = &c->facts,
        .outputs = c->outputs.items,
        .output_count = c->outputs.count,
        .needs_fresh = !is_named,
        .root = root,
        .maps = &c->options->sources.maps,
        .patch = c->options->patch != NULL ? &patch : NULL,
        .ignore = c->options->ignore.items,
        .ignore_count = c->options->ignore.count,
        .progress = progress,
    };
    return impact_select(&c->selection, &request, c->arena, err);
}

/* --- what is said ----------------------------------------------------------------------------- */

enum {
    CAUSES_SHOWN = 5
};

static void say_all(const struct selection *s)
{
    say("all tests are needed:");
    for (uint32_t i = 0; i < s->all_count && i < CAUSES_SHOWN; i++)
        say("  %.*s", STR_ARGS(s->all[i]));
    if (s->all_count > CAUSES_SHOWN)
        say("  and %u more; --json lists all", s->all_count - CAUSES_SHOWN);
}

/* The cause that alone is the reason of the most tests, or NULL. */
static const struct cause *find_decisive(const struct selection *s)
{
    const struct cause *most = NULL;
    for (uint32_t i = 0; i < s->cause_count; i++)
        if (s->causes[i].only != 0 && (most == NULL || s->causes[i].only > most->only))
            most = &s->causes[i];
    return most;
}

static bool say_causes(const struct selection *s, struct arena *arena, struct err *err)
{
    struct text line = text_in(arena);
    struct str words;
    const struct cause *most = find_decisive(s);
    for (uint32_t i = 0; i < s->cause_count && i < CAUSES_SHOWN; i++)
        text_addf(&line, "%s%u: %.*s", i != 0 ? "; " : "", s->causes[i].tests,
                  STR_ARGS(s->causes[i].text));
    if (s->cause_count > CAUSES_SHOWN)
        text_addf(&line, "; and %u more causes", s->cause_count - CAUSES_SHOWN);
    if (most != NULL && most->only < s->count)
        text_addf(&line, "; %u fewer without: %.*s", most->only, STR_ARGS(most->text));
    if (!text_take(&words, &line, err))
        return false;
    if (s->cause_count != 0)
        say("tests by cause: %.*s", STR_ARGS(words));
    return true;
}

static bool say_summary(const struct test_choosing *c, struct err *err)
{
    const struct selection *s = &c->selection;
    if (s->all_count != 0)
        say_all(s);
    say("%u of %u tests selected; %u %s", s->count, s->of, s->change_count,
        s->change_count == 1 ? "change" : "changes");
    if (s->resting != 0)
        say("%u %s not run before, and %s unchanged: not selected", s->resting,
            s->resting == 1 ? "test was" : "tests were", s->resting == 1 ? "is" : "are");
    return say_causes(s, c->arena, err);
}

static void put_phrases(struct json_writer *json, const char *key, const struct str *phrases,
                        uint32_t count)
{
    jw_begin(json, key, '[');
    for (uint32_t i = 0; i < count; i++)
        jw_text(json, NULL, phrases[i]);
    jw_end(json, ']');
}

static int print_affected_json(const struct test_choosing *c)
{
    struct json_output out;
    struct err err = {0};
    const struct selection *s = &c->selection;
    if (!json_output_open(&out, "1.0.0", &err))
        return refuse_affected(&err);
    put_phrases(&out.json, "all", s->all, s->all_count);
    jw_begin(&out.json, "causes", '[');
    for (uint32_t i = 0; i < s->cause_count; i++) {
        jw_begin_line(&out.json, NULL, '{');
        jw_text(&out.json, "cause", s->causes[i].text);
        jw_number(&out.json, "tests", s->causes[i].tests);
        jw_number(&out.json, "only", s->causes[i].only);
        jw_end(&out.json, '}');
    }
    jw_end(&out.json, ']');
    put_phrases(&out.json, "changes", s->changes, s->change_count);
    jw_number(&out.json, "of", s->of);
    jw_number(&out.json, "resting", s->resting);
    jw_begin(&out.json, "tests", '[');
    for (uint32_t i = 0; i < s->count; i++) {
        jw_begin_line(&out.json, NULL, '{');
        jw_text(&out.json, "name", s->tests[i].name);
        jw_text(&out.json, "why", s->all_count != 0 ? s->all[0] : s->tests[i].why[0]);
        jw_end(&out.json, '}');
    }
    jw_end(&out.json, ']');
    return json_output_end(&out, true, EXIT_FINE, &err);
}

static bool make_filter(struct test_filter *out, const struct test_choosing *c,
                        enum filter_kind kind, struct err *err)
{
    const struct selection *s = &c->selection;
    struct str *names = ARENA_NEW(c->arena, struct str, s->count, err);
    for (uint32_t i = 0; names != NULL && i < s->count; i++)
        names[i] = s->tests[i].name;
    if (names == NULL || !test_filter_make(out, kind, names, s->count, c->arena, err))
        return false;
    if (out->is_wider)
        say("the exact filter is too long for a command line: this one selects more");
    return true;
}

/* Only its value: the user types the option. For xunit.v3 the options are the filter. */
static int print_filter(const struct test_choosing *c)
{
    struct test_filter filter;
    struct err err = {0};
    if (c->selection.count == 0 || c->selection.all_count != 0)
        return EXIT_FINE;
    if (!make_filter(&filter, c, c->options->filter, &err))
        return refuse_affected(&err);
    bool is_options = c->options->filter == FILTER_MTP || c->options->filter == FILTER_CONSOLE;
    for (uint32_t i = is_options ? 0 : 1; i < filter.count; i++)
        legible_put_line(stdout, str_of(filter.words[i]));
    return EXIT_FINE;
}

ORDER(order_selected, struct selected_test, BY(name))

/* Why one test is selected, a cause a line. */
static int print_why(const struct test_choosing *c)
{
    const struct selection *s = &c->selection;
    struct str name = str_of(c->options->why);
    struct err err = {0};
    const struct str *known = sorted_find(&name, s->names, s->of, sizeof name, str_order);
    if (known == NULL) {
        (void)err_set(&err, ERR_USAGE, "--why: there is no test %s; 'ilcov tests' lists all",
                      c->options->why);
        return refuse_affected(&err);
    }
    for (uint32_t i = 0; i < s->all_count; i++)
        legible_put_line(stdout, s->all[i]);
    const struct selected_test key = {.name = name},
                               *test = sorted_find(&key, s->tests, s->count, sizeof key,
                                                   order_selected);
    for (uint32_t i = 0; test != NULL && i < test->why_count; i++)
        legible_put_line(stdout, test->why[i]);
    if (test == NULL)
        say("%s is not selected: nothing that it depends on has changed", c->options->why);
    return EXIT_FINE;
}

static int print_affected(const struct test_choosing *c)
{
    if (c->options->json)
        return print_affected_json(c);
    struct err err = {0};
    if (c->options->why != NULL)
        return print_why(c);
    if (!say_summary(c, &err))
        return refuse_affected(&err);
    if (c->options->filter != FILTER_NONE)
        return print_filter(c);
    for (uint32_t i = 0; i < c->selection.count; i++)
        legible_put_line(stdout, c->selection.tests[i].name);
    return EXIT_FINE;
}

/* --- running them ----------------------------------------------------------------------------- */

/* The platform's programs end with 8 if they have none of the tests, which another one may have;
 * xunit.v3's own command line does not. */
static char ignore_status[] = "--ignore-exit-code", none_ran[] = "8";
static char *const none_is_fine[] = {ignore_status, none_ran};

/* The command with the filter behind it; NULL: it can't be made, which *err says. */
static char **command_line(const struct test_choosing *c, const struct operands *operands,
                           struct err *err)
{
    struct test_filter filter = {.count = 0};
    enum filter_kind kind = c->options->filter;
    char folder[PATH_ROOM];
    bool is_platform = false, is_filtered = c->selection.all_count == 0;
    if (!file_current_folder(folder))
        folder[0] = '\0'; /* it was removed: there is no global.json */
    if (is_filtered &&
        !test_platform_is_used(&is_platform, operands->items, str_of(folder), c->arena, err))
        return NULL;
    if (kind == FILTER_NONE)
        kind = test_filter_kind(&c->facts, is_platform);
    if (is_filtered && kind == FILTER_NONE) {
        (void)err_set(err, ERR_USAGE,
                      "%s has tests of no known framework, or of several without a common filter: "
                      "name a --filter",
                      c->options->data);
        return NULL;
    }
    if (is_filtered && !make_filter(&filter, c, kind, err))
        return NULL;
    size_t count = (size_t)operands->count,
           extra = is_platform && kind != FILTER_CONSOLE ? ARRAY_LEN(none_is_fine) : 0;
    char **argv = ARENA_NEW(c->arena, char *, count + filter.count + extra + 1, err);
    if (argv == NULL)
        return NULL;
    memcpy(argv, operands->items, count * sizeof *argv);
    for (uint32_t i = 0; i < filter.count; i++)
        argv[count++] = filter.words[i];
    memcpy(argv + count, none_is_fine, extra * sizeof *argv);
    return argv;
}

static int run_selected(const struct test_choosing *c, const struct operands *operands)
{
    struct err err = {0};
    int command = 0, status = EXIT_BAD;
    if (!say_summary(c, &err))
        return refuse_affected(&err);
    if (c->selection.count == 0 && c->selection.all_count == 0) {
        say("no test is needed: %s was not run", operands->items[0]);
        return EXIT_FINE;
    }
    char **argv = command_line(c, operands, &err);
    if (argv == NULL)
        return refuse_affected(&err);
    command_hold_signals();
    if (!target_start(&command, argv, variables_all(), &status, &err))
        say("%s", err.text);
    else
        status = command_wait(command, NULL);
    command_release_signals();
    return status;
}

/* ---------------------------------------------------------------------------------------------- */

static int list_affected(const void *parsed, const struct operands *operands, struct arena *arena)
{
    struct err err = {0};
    struct test_choosing c = {.options = parsed, .arena = arena};
    struct progress_line line;
    progress_line_open(&line, false);
    const struct data_input input = {
        .paths = &c.options->data, .count = 1, .sources = &c.options->sources, .needs_all = true};
    int status = data_input_read(&c.facts, NULL, &c.root, &input, &line, arena);
    if (status != EXIT_FINE)
        return status;
    unmatched_maps_say(&c.options->sources.maps);
    if (c.facts.test_count == 0) {
        progress_line_erase(&line);
        say("%s does not say which test covers what: 'ilcov run --per-test' records it",
            c.options->data);
        return EXIT_BAD;
    }
    bool ok = choose_affected(&c, operands, progress_line_hook(&line), &err);
    progress_line_erase(&line);
    return !ok              ? refuse_affected(&err)
           : c.options->run ? run_selected(&c, operands)
                            : print_affected(&c);
}

/* --- the table -------------------------------------------------------------------------------- */

static bool filter_word(struct option_word *out, size_t index)
{
    static const struct option_word words[] = {
        {"vstest", "an expression for 'dotnet test --filter'", NULL},
        {"nunit", "an NUnit expression, for 'dotnet test -- NUnit.Where=...'", NULL},
        {"mtp", "options for xunit.v3 under Microsoft.Testing.Platform", NULL},
        {"treenode", "a path for TUnit's --treenode-filter", NULL},
        {"console", "options for an xunit.v3 program without that platform", NULL},
    };
    if (index >= ARRAY_LEN(words))
        return false;
    *out = words[index];
    return true;
}

static bool take_filter(void *field, const char *value, const struct option_context *context,
                        struct err *err)
{
    enum filter_kind *kind = field;
    struct option_word word;
    for (size_t i = 0; filter_word(&word, i); i++)
        if (str_is(str_of(value), word.name)) {
            *kind = (enum filter_kind)(FILTER_VSTEST + i);
            return true;
        }
    return option_refuse_word("filter", str_of(value), filter_word, context, err);
}

#define AT(field) offsetof(struct affected_options, field)

static const struct option_row own_rows[] = {
    {.letter = 'd',
     .name = "data",
     .argument = "BASE",
     .take = option_take_text,
     .field = AT(data),
     .help = "the data file of a complete run before the change (default " DATA_FILE ")",
     .completes = COMPLETE_FILE,
     .otherwise = data_file_to_read,
     .default_text = DATA_FILE},
    {.letter = 'b',
     .name = "build",
     .argument = "OUTPUT",
     .take = option_take_item,
     .field = AT(builds),
     .help = "where the new build is: as BUILD-OUTPUT",
     .more = "May be repeated. For --run, where COMMAND takes the place of BUILD-OUTPUT.",
     .completes = COMPLETE_FOLDER,
     .repeats = true,
     .cli_only = true},
    {.name = "patch",
     .argument = "SPEC",
     .take = option_take_text,
     .field = AT(patch),
     .help = "what changed besides code, as main...HEAD (git), a file, or -",
     .more = "As for 'ilcov diff'. If it changes a file that is not source code, such as data that "
             "tests read from the source tree, "
             "it selects the tests that ran code which reads files. Which code changed is taken "
             "from the build.",
     .completes = COMPLETE_FILE,
     .may_be_path = true,
     .cli_only = true},
    {.name = "filter",
     .argument = "KIND",
     .take = take_filter,
     .field = AT(filter),
     .help = "print a filter instead of names: {}",
     .more =
         "With --run, the filter that COMMAND gets. If no test or all tests are needed, nothing "
         "is printed.",
     .completes = COMPLETE_WORD,
     .word = filter_word,
     .cli_only = true},
    {.name = "run",
     .take = option_take_flag,
     .field = AT(run),
     .help = "run COMMAND with a filter for these tests",
     .more = "The filter becomes the last arguments of COMMAND. If all tests are needed there is "
             "none; if no test is needed, COMMAND does not run.",
     .cli_only = true},
    {.name = "why",
     .argument = "TEST",
     .take = option_take_text,
     .field = AT(why),
     .help = "print why TEST is selected, a cause a line",
     .more = "TEST is a name as 'ilcov tests' prints it.",
     .cli_only = true},
    {.name = "ignore",
     .argument = "GLOB",
     .take = option_take_item,
     .field = AT(ignore),
     .help = "files that no test depends on, by path below the build output or the root",
     .more = "May be repeated. * and ** both match any characters, including slashes. For example, "
             "a file that each build rewrites.",
     .repeats = true},
    {.name = NULL},
};

static const struct option_group groups[] = {
    {own_rows, 0, NULL},
    {source_rows, AT(sources), source_overrides},
    {json_rows, AT(json), NULL},
    {NULL, 0, NULL},
};

static bool finish_affected(void *parsed, const struct operands *operands,
                            const struct option_context *context, struct err *err)
{
    const struct affected_options *options = parsed;
    (void)context;
    if (options->run && operands->count == 0)
        return err_set(err, ERR_USAGE, "--run requires a COMMAND, such as '-- dotnet test'");
    if (options->run && options->json)
        return err_set(err, ERR_USAGE, "--json and --run exclude each other");
    if (options->why != NULL && (options->run || options->json || options->filter != FILTER_NONE))
        return err_set(err, ERR_USAGE, "--why excludes --run, --json and --filter");
    if (options->json && options->filter != FILTER_NONE)
        return err_set(err, ERR_USAGE, "--json and --filter exclude each other");
    return true;
}

const struct verb verb_affected = {
    .name = "affected",
    .brief = "list the tests that a change needs, or run them",
    .operands = "[OPTION...] [BUILD-OUTPUT...|COMMAND [ARG...]]",
    .summary = "Compares a new build with BASE, the data of 'ilcov run --per-test' before the "
               "change, and lists the tests that ran changed code, one per line. BUILD-OUTPUT is "
               "assemblies or folders of them; the default is the folders from which the run in "
               "BASE loaded its assemblies. Methods are compared by their code, so code that only "
               "moved, and changed comments, need no test. If the affected tests cannot be "
               "determined, lists all tests and says why.",
    .exits = "with --run that of COMMAND; otherwise 2: wrong usage; 3: bad data, data without "
             "tests, or no build of the sources.",
    .examples = "ilcov affected\n"
                "ilcov affected -d main.ilcov tests/bin/Release/net10.0\n"
                "ilcov affected --patch main...HEAD\n"
                "ilcov affected --run -- dotnet test",
    .operand_max = INT_MAX,
    .completes = COMPLETE_FOLDER,
    .groups = groups,
    .options_size = sizeof(struct affected_options),
    .finish = finish_affected,
    .act = list_affected,
};

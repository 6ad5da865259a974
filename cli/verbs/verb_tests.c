/* ilcov tests [FILE[:LINE]|METHOD]: which tests cover it; without, what each test covers. */
#include <stdio.h>

#include "base/list.h"
#include "base/sort.h"
#include "cli/options/exit.h"
#include "cli/options/json_output.h"
#include "cli/options/options.h"
#include "cli/options/publish_options.h"
#include "cli/options/say.h"
#include "cli/publish/data_input.h"
#include "cli/publish/left_out.h"
#include "cli/publish/source_root.h"
#include "cli/publish/typed_file.h"
#include "cli/verbs/verbs.h"
#include "coverage/session/covering.h"
#include "coverage/session/test_worth.h"
#include "reporters/legible.h"

struct tests_options {
    const char *data;
    struct source_options sources;
    bool redundant, json;
};

struct telling {
    const struct tests_options *options;
    bool is_whole;          /* all is read, to say what tests are worth */
    struct store_part part; /* else */
    struct facts facts;
    struct str root, sources_root;
    struct report_files files; /* only their paths */
    struct arena *arena;
};

static int refuse_tests(const struct err *err)
{
    return options_fail(&verb_tests, err);
}

ORDER(order_files_by_path, struct report_file, BY(path))

/* The sources below the root, each once: all that choosing one of them needs. */
static bool list_source_files(struct telling *t, struct err *err)
{
    struct list files = {0};
    for (uint32_t m = 0; m < t->facts.module_count; m++) {
        const struct fact_module *module = &t->facts.modules[m];
        for (uint32_t i = 0; i < module->document_count; i++) {
            if (module->documents[i].relative.len == 0)
                continue;
            const struct report_file added = {.path = module->documents[i].relative};
            if (!list_put(&files, &added, sizeof added, t->arena, err))
                return false;
        }
    }
    t->files.files = files.items;
    t->files.count = (uint32_t)sort_distinct(files.items, files.count, sizeof(struct report_file),
                                             order_files_by_path);
    return source_root_find(&t->sources_root, &t->facts, t->root, t->arena, err);
}

/* --- what was asked for ----------------------------------------------------------------------- */

static bool want_lines_of(struct wanted_code *wanted, const struct file_choice *choice,
                          const struct line_list *lines, struct err *err)
{
    struct str path = choice->files->path;
    if (lines->count == 0)
        return wanted_code_add_lines(wanted, path, 1, FACT_LINE_LIMIT, err);
    for (uint32_t i = 0; i < lines->count; i++)
        if (!wanted_code_add_lines(wanted, path, lines->ranges[i].first, lines->ranges[i].last,
                                   err))
            return false;
    return true;
}

/* What was typed, as a file. */
struct typed_choice {
    struct file_choice file;
    struct line_list lines;
    struct str name;
    struct err err; /* what is wrong with it */
    bool ok;
};

static bool mark_documents(bool ***out, const struct telling *t, const struct typed_choice *choice,
                           struct err *err)
{
    bool is_found = choice->ok && choice->file.answer == FILE_FOUND;
    *out = ARENA_NEW(t->arena, bool *, t->facts.module_count, err);
    for (uint32_t m = 0; *out != NULL && is_found && m < t->facts.module_count; m++) {
        const struct fact_module *module = &t->facts.modules[m];
        (*out)[m] = ARENA_NEW(t->arena, bool, module->document_count, err);
        if ((*out)[m] == NULL)
            return false;
        for (uint32_t i = 0; i < module->document_count; i++)
            (*out)[m][i] = str_eq(module->documents[i].relative, choice->file.files->path);
    }
    return *out != NULL;
}

/* The statements of the file; names of methods are known afterwards, and those that are named so
 * are read, too. */
static bool read_wanted_code(struct telling *t, const struct typed_choice *choice, struct str typed,
                             struct err *err)
{
    bool **documents = NULL, any = false;
    bool **named = ARENA_NEW(t->arena, bool *, t->facts.module_count, err);
    if (named == NULL || !mark_documents(&documents, t, choice, err))
        return false;
    struct store_wanted wanted = {documents, named};
    if (!store_part_read(&t->part, &t->facts, &wanted, t->arena, err) ||
        !covering_named(&named, &any, &t->facts, typed, t->arena, err))
        return false;
    wanted.methods = named;
    return !any || store_part_read(&t->part, &t->facts, &wanted, t->arena, err);
}

/* A method, or else a file. */
static int find_wanted_code(struct wanted_code *wanted, const struct telling *t,
                            const struct typed_choice *choice, struct str typed)
{
    struct err err = {0};
    if (!wanted_code_open(wanted, &t->facts, t->arena, &err) ||
        !wanted_code_add_methods(wanted, typed, &err))
        return refuse_tests(&err);
    if (wanted->statements != 0)
        return EXIT_FINE;
    if (!choice->ok)
        return refuse_tests(&choice->err);
    switch (choice->file.answer) {
    case FILE_FOUND:
        if (!want_lines_of(wanted, &choice->file, &choice->lines, &err))
            return refuse_tests(&err);
        if (wanted->statements != 0)
            return EXIT_FINE;
        say("%.*s has no code there", STR_ARGS(typed));
        return EXIT_BAD;
    case FILE_AMBIGUOUS:
        say("%.*s is the name of %u files; add a folder:", STR_ARGS(choice->name),
            choice->file.path_count);
        break;
    case FILE_UNKNOWN:
        say("%s has neither a source file nor a method %.*s%s", t->options->data,
            STR_ARGS(choice->name), choice->file.path_count != 0 ? "; did you mean:" : "");
        break;
    }
    typed_file_say_paths(&choice->file);
    return EXIT_BAD;
}

/* --- what is printed -------------------------------------------------------------------------- */

static const char *kind_word(enum test_kind kind)
{
    static const char *const words[] = {[TEST_METHOD] = "test",
                                        [TEST_CLASS] = "class",
                                        [TEST_STATIC] = "static",
                                        [TEST_OUTSIDE] = "outside"};
    return words[kind];
}

static const char *end_word(enum test_end end)
{
    static const char *const words[] = {
        [TEST_END_UNKNOWN] = "unknown", [TEST_RETURNED] = "returned", [TEST_THREW] = "threw"};
    return words[end];
}

static int print_tests_json(const struct telling *t, const bool *is_in,
                            const struct test_weight *weights)
{
    struct json_output out;
    struct err err = {0};
    if (!json_output_open(&out, "2.0.0", &err))
        return refuse_tests(&err);
    jw_begin(&out.json, "tests", '[');
    for (uint32_t i = 0; i < t->facts.test_count; i++) {
        const struct fact_test *test = &t->facts.tests[i];
        if (!is_in[i])
            continue;
        jw_begin_line(&out.json, NULL, '{');
        jw_text(&out.json, "name", test->name);
        jw_text_c(&out.json, "kind", kind_word(test->kind));
        jw_text_c(&out.json, "ended", end_word(test->end));
        jw_number(&out.json, "rows", test->rows);
        jw_number(&out.json, "ns", test->ns);
        jw_number(&out.json, "covers", weights[i].hit);
        jw_number(&out.json, "alone", weights[i].alone);
        jw_end(&out.json, '}');
    }
    jw_end(&out.json, ']');
    return json_output_end(&out, true, EXIT_FINE, &err);
}

/* Names, each of which is also a filter of `dotnet test`; what runs outside of tests has none. What
 * runs around tests only answers the question who covers something. */
static void print_names(const struct telling *t, const bool *is_in, bool asks)
{
    uint32_t count = 0, tests = 0;
    bool outside = false;
    for (uint32_t i = 0; i < t->facts.test_count; i++) {
        const struct fact_test *test = &t->facts.tests[i];
        if (!is_in[i] || (!asks && test->kind != TEST_METHOD))
            continue;
        if (test->kind == TEST_OUTSIDE) {
            outside = true;
            continue;
        }
        legible_put_line(stdout, test->name);
        count++;
        tests += test->kind == TEST_METHOD;
    }
    if (outside && !t->options->redundant)
        say(tests != 0 ? "it also ran outside of tests"
                       : "no test covers it; it ran outside of tests");
    else if (count == 0 && (asks || t->options->redundant))
        say(t->options->redundant ? "no test is redundant" : "no test covers it");
}

/* `choice` is NULL if nothing was typed. */
static int answer_question(struct telling *t, const struct typed_choice *choice, struct str typed)
{
    struct err err = {0};
    struct wanted_code wanted;
    struct test_weight *weights = NULL;
    bool *redundant = NULL;
    bool *is_in = ARENA_NEW(t->arena, bool, t->facts.test_count, &err);
    if (is_in == NULL ||
        (t->options->json && !test_worth_weigh(&weights, &t->facts, t->arena, &err)) ||
        (t->options->redundant && !test_worth_redundant(&redundant, &t->facts, t->arena, &err)))
        return refuse_tests(&err);
    if (choice != NULL) {
        int status = find_wanted_code(&wanted, t, choice, typed);
        if (status != EXIT_FINE)
            return status;
        if (!covering_tests(&is_in, &wanted, &err))
            return refuse_tests(&err);
    }
    for (uint32_t i = 0; i < t->facts.test_count; i++)
        is_in[i] = (choice == NULL || is_in[i]) && (redundant == NULL || redundant[i]);
    if (weights != NULL)
        return print_tests_json(t, is_in, weights);
    print_names(t, is_in, choice != NULL);
    return EXIT_FINE;
}

/* Documents and methods are read by their numbers in the file: facts are sorted afterwards. */
static int read_and_answer(struct telling *t, const struct operands *operands)
{
    struct err err = {0};
    struct typed_choice choice = {.ok = false};
    bool asks = operands->count != 0;
    struct str typed = asks ? str_of(operands->items[0]) : STR("");
    if (!list_source_files(t, &err))
        return refuse_tests(&err);
    if (asks)
        choice.ok = typed_file_choose(&choice.file, &choice.name, &choice.lines, &t->files,
                                      t->sources_root, typed, t->arena, &choice.err);
    if (asks && !t->is_whole && !read_wanted_code(t, &choice, typed, &err)) {
        err_prefix(&err, "%s", t->options->data);
        return refuse_tests(&err);
    }
    return facts_join_tests(&t->facts, t->arena, &err)
               ? answer_question(t, asks ? &choice : NULL, typed)
               : refuse_tests(&err);
}

static int tell_tests(const void *parsed, const struct operands *operands, struct arena *arena)
{
    struct telling t = {.options = parsed, .arena = arena};
    struct progress_line line;
    progress_line_open(&line, false);
    const struct data_input input = {
        .paths = &t.options->data, .count = 1, .sources = &t.options->sources};
    t.is_whole = t.options->json || t.options->redundant;
    int status =
        data_input_read(&t.facts, t.is_whole ? NULL : &t.part, &t.root, &input, &line, arena);
    if (status != EXIT_FINE)
        return status;
    unmatched_maps_say(&t.options->sources.maps);
    progress_line_erase(&line);
    if (t.facts.test_count == 0) {
        say("%s does not say which test covers what: 'ilcov run --per-test' records it",
            t.options->data);
        status = EXIT_BAD;
    } else {
        status = read_and_answer(&t, operands);
    }
    if (!t.is_whole)
        store_part_close(&t.part);
    return status;
}

/* --- the table -------------------------------------------------------------------------------- */

#define AT(field) offsetof(struct tests_options, field)

static const struct option_row own_rows[] = {
    {.name = "redundant",
     .take = option_take_flag,
     .field = AT(redundant),
     .help = "only tests whose coverage is fully contained in that of others",
     .more = "Without all of them, every covered line and branch would still be covered: of tests "
             "with equal coverage, the first is not listed. Code of test assemblies does not "
             "count. A test that threw is not listed, and makes no other test redundant.",
     .cli_only = true},
    {.name = NULL},
};

static const struct option_group groups[] = {
    {read_data_rows, AT(data), NULL},
    {own_rows, 0, NULL},
    {source_rows, AT(sources), source_overrides},
    {json_rows, AT(json), NULL},
    {NULL, 0, NULL},
};

const struct verb verb_tests = {
    .name = "tests",
    .brief = "list the tests that cover a line, a file or a method",
    .operands = "[OPTION...] [FILE[:LINE]|METHOD]",
    .summary =
        "Lists the tests that cover the code, one per line, by names that 'dotnet test --filter' "
        "usually accepts, after 'ilcov run --per-test'. FILE is the end of a path, such as "
        "Order.cs or Orders/Order.cs; with LINE, also 40-52,60, only these lines count. METHOD is "
        "the end of a name, such as Order.Add. A test class is listed if its set-up or clean-up "
        "code, such as a constructor, covers the code. Without an operand, lists all tests, and "
        "with --json also set-up and clean-up code.",
    .exits = "2: wrong usage; 3: bad data, data without tests, or no such file, line or method.",
    .examples = "ilcov tests Order.cs:40\n"
                "ilcov tests Order.Add\n"
                "ilcov tests --redundant",
    .operand_max = 1,
    .completes = COMPLETE_FILE,
    .groups = groups,
    .options_size = sizeof(struct tests_options),
    .act = tell_tests,
};

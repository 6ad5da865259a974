/* ilcov show [FILE[:LINE]]: source with its coverage, on the terminal; `--uncovered` gives the
 * lines that did not run, one file a line. */
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "cli/options/exit.h"
#include "cli/options/json_output.h"
#include "cli/options/options.h"
#include "cli/options/publish_options.h"
#include "cli/options/say.h"
#include "cli/publish/data_input.h"
#include "cli/publish/left_out.h"
#include "cli/publish/measured_sources.h"
#include "cli/publish/source_root.h"
#include "cli/publish/typed_file.h"
#include "cli/verbs/verbs.h"
#include "coverage/report/file_choice.h"
#include "coverage/report/report_build.h"
#include "coverage/report/report_read.h"
#include "coverage/report/source_lines.h"
#include "reporters/command_name.h"
#include "reporters/destination.h"
#include "reporters/report/source_json.h"
#include "reporters/report/source_view.h"
#include "reporters/report/uncovered.h"

enum {
    CONTEXT = 5,        /* lines around those that are asked for */
    MISSED_CONTEXT = 2, /* around a miss, without FILE */
    MISSED_MOST = 150,  /* lines that are shown without FILE */
    PLACE_MOST = 15,    /* of one place */
    FILE_MOST = 50,     /* of one file */
};

struct show_options {
    const char *data;
    struct source_options sources;
    struct filter_options filter;
    bool uncovered, json;
};

struct showing {
    const struct show_options *options;
    const struct operands *operands;
    struct facts facts;
    struct str root, sources_root;
    struct report report;
    struct report_files files;
    struct line_list lines;
    struct json_output output;
    struct json_writer *json; /* that of the output, or NULL */
    struct arena *arena;
};

static int refuse_show(const struct err *err)
{
    return options_fail(&verb_show, err);
}

/* --- the data --------------------------------------------------------------------------------- */

static bool build_shown_report(struct showing *s, const struct progress_line *line, struct err *err)
{
    struct report_options options = {.root = s->root, .progress = progress_line_hook(line)};
    return report_filter(&options, &s->options->filter, &s->facts, s->arena, err) &&
           source_root_find(&s->sources_root, &s->facts, s->root, s->arena, err) &&
           report_build(&s->report, &s->facts, &options, s->arena, err) &&
           report_files_list(&s->files, &s->report, s->arena, err);
}

/* --- which file ------------------------------------------------------------------------------- */

static bool has_files(const struct showing *s, struct str folder)
{
    for (uint32_t i = 0; i < s->files.count; i++) {
        struct str path = s->files.files[i].path;
        if (path.len > folder.len && str_eq((struct str){path.text, folder.len}, folder))
            return true;
    }
    return false;
}

/* "src/Web/" of what was typed, from here or from the root, "/" of the root itself; empty if that
 * is no folder of sources. */
static bool folder_of(struct str *out, const struct showing *s, struct err *err)
{
    struct str typed = str_of(s->operands->items[0]), names[2], absolute;
    if (!source_root_given(&absolute, typed.text, s->arena, err) ||
        !typed_file_relative(&names[0], s->sources_root, typed, s->arena, err))
        return false;
    if (str_eq(absolute, s->sources_root)) {
        *out = STR("/");
        return true;
    }
    names[1] = typed;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        while (str_ends(names[i], "/"))
            names[i].len--;
        if (!text_format(out, s->arena, err, "%.*s/", STR_ARGS(names[i])))
            return false;
        if (names[i].len != 0 && has_files(s, *out))
            return true;
    }
    *out = STR("");
    return true;
}

/* Is it the name of a file that is not counted, because a generator wrote all of it? */
static const struct report_exclusion *find_generated(const struct showing *s, struct str name)
{
    for (uint32_t i = 0; i < s->report.generated_count; i++) {
        struct str path = s->report.generated[i].file;
        if (str_ends(path, name.text) &&
            (path.len == name.len || path.text[path.len - name.len - 1] == '/'))
            return &s->report.generated[i];
    }
    return NULL;
}

static bool say_generated_file(const struct showing *s, struct str name)
{
    struct err err = {0};
    struct str typed, why;
    const struct report_exclusion *found =
        str_copy(&typed, name, s->arena, &err) ? find_generated(s, typed) : NULL;
    if (found == NULL || !reason_text(&why, found->reason, s->arena, &err))
        return false;
    say("%.*s is not counted (%.*s); --include-generated shows it", STR_ARGS(found->file),
        STR_ARGS(why));
    return true;
}

/* A file of tests is not in the data unless --include-tests was given. */
static void say_tests(const struct showing *s, struct str name)
{
    for (uint32_t i = 0; i < s->facts.module_count; i++) {
        const struct fact_module *module = &s->facts.modules[i];
        if (!reason_is(module->reason, REASON_TESTS) || !str_glob_nocase(STR("*test*"), name))
            continue;
        say("tests are not measured (%.*s); 'ilcov run --include-tests' measures them",
            STR_ARGS(module->name));
        return;
    }
}

static int choose_file(struct file_choice *choice, struct showing *s)
{
    struct err err = {0};
    struct str name, folder;
    struct str typed = str_of(s->operands->items[0]);
    if (!typed_file_choose(choice, &name, &s->lines, &s->files, s->sources_root, typed, s->arena,
                           &err))
        return refuse_show(&err);
    switch (choice->answer) {
    case FILE_FOUND:
        return EXIT_FINE;
    case FILE_AMBIGUOUS:
        say("%.*s is the name of %u files; add a folder:", STR_ARGS(name), choice->path_count);
        break;
    case FILE_UNKNOWN:
        if (!folder_of(&folder, s, &err))
            return refuse_show(&err);
        if (folder.len != 0) {
            say("%.*s is a folder; 'ilcov show --uncovered %.*s' lists the lines in it that did "
                "not run",
                STR_ARGS(typed), STR_ARGS(typed));
            return EXIT_BAD;
        }
        if (say_generated_file(s, name))
            return EXIT_BAD;
        say("%s has no source file %.*s%s", s->options->data, STR_ARGS(name),
            choice->path_count != 0 ? "; did you mean:" : "; 'ilcov report -f files' lists all");
        break;
    }
    typed_file_say_paths(choice);
    if (choice->answer == FILE_UNKNOWN)
        say_tests(s, name);
    return EXIT_BAD;
}

/* --- what is shown ---------------------------------------------------------------------------- */

/* What is shown of files, while they are read. */
struct file_view {
    const struct source_view *view;
    struct showing *s;
    uint32_t shown, put; /* files and lines */
    bool is_full;
    struct err *err;
};

/* The file, as each assembly has it. */
static bool show_lines(void *context, const struct report_file *files, uint32_t count)
{
    const struct file_view *of = context;
    const struct showing *s = of->s;
    const struct line_list *lines = &s->lines;
    uint32_t last = source_view_last_line(of->view, files);
    bool ok = true;
    for (uint32_t i = 0; i < lines->count; i++)
        if (lines->ranges[i].first > last)
            return err_set(of->err, ERR_IO, "%.*s has no line %u; its last one is %u",
                           STR_ARGS(files->path), lines->ranges[i].first, last);
    for (uint32_t i = 0; ok && i < count; i++) {
        if (s->json == NULL)
            screen_put_c(of->view->screen, i != 0 ? "\n" : "");
        ok = s->json != NULL ? source_json_put(s->json, &s->report, of->view->sources, &files[i],
                                               lines->ranges, lines->count, of->err)
                             : source_view_put(of->view, &files[i], lines->ranges, lines->count,
                                               CONTEXT, NULL, of->err);
    }
    return ok;
}

static int show_file(const struct source_view *view, struct showing *s)
{
    struct err err = {0};
    struct file_choice choice;
    struct file_view of = {.view = view, .s = s, .err = &err};
    int status = choose_file(&choice, s);
    if (status != EXIT_FINE)
        return status;
    return report_read(&s->report, choice.files, choice.file_count, show_lines, &of, &err)
               ? EXIT_FINE
               : refuse_show(&err);
}

/* What never loaded comes last: none of its lines is worth more than another. */
ORDER(order_worst_files, struct report_file,
      BY(package->not_loaded)
          BY_ORDER(number_order(b->totals.lines_valid - b->totals.lines_covered,
                                a->totals.lines_valid - a->totals.lines_covered)) BY(path)
              BY(package->name))

/* The places of a file where something did not happen. */
static bool find_misses(struct line_range **out, uint32_t *count, const struct showing *s,
                        const struct report_file *file, struct err *err)
{
    struct source_lines lines;
    *count = 0;
    if (!source_lines_make(&lines, &s->report, file, s->arena, err))
        return false;
    struct line_range *ranges = ARENA_NEW(s->arena, struct line_range, lines.run_count, err);
    for (uint32_t i = 0; ranges != NULL && i < lines.run_count; i++)
        if (lines.runs[i].state != LINES_EXCLUDED)
            ranges[(*count)++] = (struct line_range){lines.runs[i].first, lines.runs[i].last};
    *out = ranges;
    return ranges != NULL;
}

/* As many as a person reads. */
static bool show_misses(const struct source_view *view, const struct showing *s,
                        const struct report_file *file, uint32_t *put, struct err *err)
{
    struct line_range *ranges;
    uint32_t all, count = 0, left = 0, room = FILE_MOST;
    if (!find_misses(&ranges, &all, s, file, err))
        return false;
    for (uint32_t i = 0; i < all; i++) {
        struct line_range range = ranges[i];
        if (range.last - range.first >= PLACE_MOST)
            range.last = range.first + PLACE_MOST - 1;
        uint32_t height = range.last - range.first + 1 + 2 * MISSED_CONTEXT;
        if (left != 0 || height > room) {
            left++;
            continue;
        }
        ranges[count++] = range;
        room -= height;
    }
    if (count != 0 && !source_view_put(view, file, ranges, count, MISSED_CONTEXT, put, err))
        return false;
    if (left != 0) {
        (void)fprintf(view->screen->file, "and %u more %s: '%s show ", left,
                      left == 1 ? "place" : "places", command_name());
        screen_put(view->screen, file->path);
        screen_put_c(view->screen, "' shows all\n");
    }
    return true;
}

static bool put_misses(const struct source_view *view, const struct showing *s,
                       const struct report_file *file, struct err *err)
{
    struct line_range *ranges;
    uint32_t count;
    return find_misses(&ranges, &count, s, file, err) &&
           (count == 0 ||
            source_json_put(s->json, &s->report, view->sources, file, ranges, count, err));
}

static bool list_worst_files(void *context, const struct report_file *files, uint32_t count)
{
    struct file_view *of = context;
    bool ok = true;
    for (uint32_t i = 0; ok && i < count; i++)
        ok = put_misses(of->view, of->s, &files[i], of->err);
    return ok;
}

static bool show_next(void *context, const struct report_file *files, uint32_t count)
{
    struct file_view *of = context;
    for (uint32_t i = 0; i < count; i++) {
        of->is_full = of->put >= MISSED_MOST;
        if (of->is_full)
            return false;
        screen_put_c(of->view->screen, of->put != 0 ? "\n" : "");
        if (!show_misses(of->view, of->s, &files[i], &of->put, of->err))
            return false;
        of->shown++;
    }
    return true;
}

/* Without FILE: the worst files, as many as a person reads; with --json all. */
static int show_worst(const struct source_view *view, struct showing *s)
{
    struct err err = {0};
    struct file_view of = {.view = view, .s = s, .err = &err};
    struct report_file *files = s->files.files;
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->files.count; i++)
        if (files[i].first_miss != 0)
            files[count++] = files[i];
    if (count != 0)
        qsort(files, count, sizeof *files, order_worst_files);
    bool ok = report_read(&s->report, files, count, s->json != NULL ? list_worst_files : show_next,
                          &of, &err);
    if (!ok && !of.is_full)
        return refuse_show(&err);
    if (of.is_full)
        (void)fprintf(
            view->screen->file,
            "\nand %u more %s: '%s show FILE' shows one, '%s show --uncovered' lists all\n",
            count - of.shown, count - of.shown == 1 ? "file" : "files", command_name(),
            command_name());
    return EXIT_FINE;
}

static int list_uncovered(const struct screen *screen, struct showing *s)
{
    struct err err = {0};
    struct file_choice choice;
    struct screen plain = *screen;
    plain.ascii = false; /* paths are for programs */
    struct str path = STR("");
    if (s->operands->count != 0 && !folder_of(&path, s, &err))
        return refuse_show(&err);
    if (str_is(path, "/")) {
        path = STR("");
    } else if (s->operands->count != 0 && path.len == 0) {
        int status = choose_file(&choice, s);
        if (status != EXIT_FINE)
            return status;
        if (s->lines.count != 0)
            return options_refuse(&verb_show, "--uncovered lists a whole file, not a line of it");
        path = choice.files->path;
    }
    struct uncovered out = {&plain, s->json, &err};
    report_files_keep(&s->files, path);
    bool ok = report_read(&s->report, s->files.files, s->files.count, uncovered_put, &out, &err);
    return ok ? EXIT_FINE : refuse_show(&err);
}

static int show_on(const struct screen *screen, struct showing *s)
{
    if (s->options->uncovered)
        return list_uncovered(screen, s);
    struct measured_sources sources;
    measured_sources_open(&sources, &s->facts, s->sources_root);
    const struct source_view view = {
        .screen = screen, .report = &s->report, .sources = &sources.sources};
    int status = s->operands->count != 0 ? show_file(&view, s) : show_worst(&view, s);
    measured_sources_close(&sources);
    return status;
}

static int show_json(struct showing *s)
{
    struct err err = {0};
    struct json_output *out = &s->output;
    const struct screen none = {.file = NULL};
    if (!json_output_open(out, "1.0.0", &err))
        return refuse_show(&err);
    s->json = &out->json;
    jw_text(&out->json, "root", s->report.root);
    jw_begin(&out->json, s->options->uncovered ? "uncovered" : "files", '[');
    int status = show_on(&none, s);
    jw_end(&out->json, ']');
    if (status == EXIT_FINE)
        return json_output_end(out, true, status, &err);
    json_output_drop(out);
    return status;
}

static int show_source(const void *parsed, const struct operands *operands, struct arena *arena)
{
    struct err err = {0};
    struct destination out;
    struct showing s = {.options = parsed, .operands = operands, .arena = arena};
    struct progress_line line;
    progress_line_open(&line, false);
    const struct data_input input = {
        .paths = &s.options->data, .count = 1, .sources = &s.options->sources};
    int status = data_input_read(&s.facts, NULL, &s.root, &input, &line, arena);
    if (status != EXIT_FINE)
        return status;
    unmatched_filter_say(&s.options->filter, &s.facts, NULL);
    unmatched_maps_say(&s.options->sources.maps);
    bool is_built = build_shown_report(&s, &line, &err);
    progress_line_erase(&line);
    for (uint32_t i = 0; is_built && !s.options->uncovered && i < s.report.note_count; i++)
        say("%.*s", STR_ARGS(s.report.notes[i]));
    if (is_built && s.options->json)
        return show_json(&s);
    if (!is_built || !destination_open(&out, DESTINATION_STDOUT, DESTINATION_FILE, &err))
        return refuse_show(&err);
    status = show_on(&out.screen, &s);
    if (!destination_commit(&out, &err)) {
        err_prefix(&err, "standard output");
        return say_error(&err);
    }
    return status;
}

/* --- the table -------------------------------------------------------------------------------- */

#define AT(field) offsetof(struct show_options, field)

static const struct option_row own_rows[] = {
    {.name = "uncovered",
     .take = option_take_flag,
     .field = AT(uncovered),
     .help = "only list the lines that did not run, one file per line: 'src/Order.cs:40,52-58'; of "
             "all files, of FILE or of a folder",
     .more = "A folder is named from the current directory or from the source root. Nothing else "
             "is printed, and nothing if every line ran. Lines without code between "
             "two missed lines are part of a range. Paths are relative to the source root. What "
             "is listed can be given to 'ilcov show' as FILE:LINE.",
     .cli_only = true},
    {.name = NULL},
};

static const struct option_group groups[] = {
    {read_data_rows, AT(data), NULL},
    {own_rows, 0, NULL},
    {source_rows, AT(sources), source_overrides},
    {exclude_rows, AT(filter), NULL},
    {filter_rows, AT(filter), NULL},
    {json_rows, AT(json), NULL},
    {NULL, 0, NULL},
};

const struct verb verb_show = {
    .name = "show",
    .brief = "show source code with its coverage",
    .operands = "[OPTION...] [FILE[:LINE]|FOLDER]",
    .summary = "Prints a source file with the hits of each line, and below a line what never "
               "happened on it. FILE is the end of a path, such as Order.cs or Orders/Order.cs. "
               "With LINE, also 40-52,60, only these lines and some around them. Without FILE, "
               "prints what the worst files miss. FOLDER requires --uncovered.",
    .exits = "2: wrong usage; 3: bad data, no such file or line, or unwritable output.",
    .examples = "ilcov show Order.cs\n"
                "ilcov show src/Order.cs:40\n"
                "ilcov show --uncovered src/Web",
    .operand_max = 1,
    .completes = COMPLETE_FILE,
    .groups = groups,
    .options_size = sizeof(struct show_options),
    .act = show_source,
};

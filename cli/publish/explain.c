#include "cli/publish/explain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/path.h"
#include "base/sort.h"
#include "cli/options/say.h"
#include "cli/process/dotnet.h"
#include "cli/process/environment.h"
#include "system/file_status.h"
#include "system/folder.h"
#include "system/output_path.h"
#include "system/process.h"
#include "system/program.h"

/* --- the profiler never loaded ---------------------------------------------------------------- */

/* `dotnet` itself, or an application's own executable: its dll is next to it. */
static bool looks_like_dotnet(const char *program)
{
    char dll[PATH_ROOM + sizeof ".dll"], real[PATH_ROOM];
    if (!file_real_path(real, program))
        return false;
    (void)snprintf(dll, sizeof dll, "%s.dll", real);
    return str_is(path_file(str_of(real)), "dotnet") || file_exists(dll);
}

static bool explain_library(const char *library)
{
    struct err err = {0};
    bool loads = environment_loads(library, &err);
    if (loads)
        say("  library: %s can be loaded here", library);
    else
        say("  library: %s", err.text);
    return loads;
}

static void explain_command(const char *program)
{
    if (looks_like_dotnet(program))
        say("  command: %s runs .NET, so something in between changed its environment, or the "
            "runtime did not load the library",
            program);
    else
        say("  command: %s does not look like a .NET program; if it starts one, that program must "
            "inherit the environment",
            program);
}

static void explain_runtimes(const char *library)
{
    static struct dotnet_roots roots;
    dotnet_roots(&roots);
    if (roots.count == 0)
        say("  runtime: no .NET installation was found on PATH, in DOTNET_ROOT or in the usual "
            "places");
    for (uint32_t i = 0; i < roots.count; i++) {
        struct dotnet_runtimes runtimes;
        dotnet_runtimes(&runtimes, roots.paths[i]);
        for (uint32_t j = 0; j < runtimes.count; j++) {
            struct err err = {0};
            if (!dotnet_fits(roots.paths[i], runtimes.versions[j], library, &err))
                say("  runtime: %s", err.text);
        }
    }
}

static bool is_ilcov_program(const char *program)
{
    char real[PATH_ROOM], own[PATH_ROOM];
    return (process_program_path(own, sizeof own, PROCESS_SELF, NULL) && same_file(program, own)) ||
           (file_real_path(real, program) && str_is(path_file(str_of(real)), "ilcov"));
}

void explain_never_loaded(const char *library, char *const *command)
{
    char program[PATH_ROOM], page[PATH_ROOM];
    if (command == NULL) {
        say("nothing was measured: no process has reported to the session so far");
        return;
    }
    bool found = program_file_find(program, command[0]);
    if (found && is_ilcov_program(program)) {
        say("nothing was measured: the command is ilcov itself, which starts nothing under another "
            "ilcov: run one of them alone");
        return;
    }
    if (found && dotnet_is_native(program)) {
        say("nothing was measured because %s is compiled ahead of time (PublishAot): it has no IL "
            "to measure",
            program);
        return;
    }
    say("nothing was measured because the profiler never loaded: no process of this run reported");
    bool loads = explain_library(library);
    if (found)
        explain_command(program);
    if (loads)
        explain_runtimes(library);
    say("  'ilcov doctor' checks this machine; %s says what to do",
        environment_document(page, "troubleshooting.md"));
}

/* --- nothing was instrumented ----------------------------------------------------------------- */

enum obstacle_kind {
    DECLINED,
    SKIPPED
};

/* What kept a process, or a module in one, from being instrumented. */
struct obstacle {
    enum obstacle_kind kind;
    const struct reason *reason;
    struct str what;
};

ORDER(order_obstacles, struct obstacle,
      BY(kind) BY_ORDER(reason_order(a->reason, b->reason)) BY(what))

static bool list_obstacles(struct list *out, const struct session *session, struct arena *arena,
                           struct err *err)
{
    uint32_t room = session->process_count;
    for (uint32_t i = 0; i < session->process_count; i++)
        room += session->processes[i].skip_count;
    if (!list_reserve(out, sizeof(struct obstacle), room, arena, err))
        return false;
    struct obstacle *obstacles = out->items;
    for (uint32_t i = 0; i < session->process_count; i++) {
        const struct session_process *process = &session->processes[i];
        if (process->declined.code != REASON_NONE)
            obstacles[out->count++] =
                (struct obstacle){DECLINED, &process->declined, path_file(process->program)};
        for (uint32_t j = 0; j < process->skip_count; j++)
            obstacles[out->count++] =
                (struct obstacle){SKIPPED, &process->skips[j].reason, process->skips[j].name};
    }
    return true;
}

/* One line for a reason: how many, and the first few by name. */
enum {
    NAMES_SHOWN = 3
};

static void say_group(const struct obstacle *group, size_t count, struct arena *arena)
{
    static const char *const kinds[] = {[DECLINED] = "declined", [SKIPPED] = "skipped"};
    struct str text;
    struct err err = {0};
    struct text names = text_in(arena);
    text_addf(&names, "%s: ", kinds[group->kind]);
    for (size_t i = 0; i < count && i < NAMES_SHOWN; i++)
        text_addf(&names, "%s%.*s", i != 0 ? ", " : "", STR_ARGS(group[i].what));
    if (count > NAMES_SHOWN)
        text_addf(&names, " and %zu more", count - NAMES_SHOWN);
    text_add_c(&names, ": ");
    reason_add(&names, group->reason);
    if (text_take(&text, &names, &err))
        say("  %s", text.text);
    else
        say("  %s: %s", kinds[group->kind], err.text);
}

static void say_obstacles(const struct obstacle *obstacles, size_t count, bool verbose,
                          struct arena *arena)
{
    size_t lines = 0;
    for (size_t i = 0; i < count;) {
        size_t n = 1;
        while (!verbose && i + n < count && obstacles[i].kind == obstacles[i + n].kind &&
               reason_eq(obstacles[i].reason, obstacles[i + n].reason))
            n++;
        if (!verbose && ++lines > EXPLAIN_LINES) {
            say("  and more; --verbose lists everything");
            return;
        }
        say_group(&obstacles[i], n, arena);
        i += n;
    }
}

static const struct session_skip *find_skip(const struct session *session,
                                            const enum reason_code *reasons, size_t count)
{
    for (uint32_t i = 0; i < session->process_count; i++)
        for (uint32_t j = 0; j < session->processes[i].skip_count; j++)
            for (size_t r = 0; r < count; r++)
                if (reason_is(&session->processes[i].skips[j].reason, reasons[r]))
                    return &session->processes[i].skips[j];
    return NULL;
}

/* Was there a program that should have been measured, and could not be? */
static bool has_failed(const struct session *session)
{
    for (uint32_t i = 0; i < session->process_count; i++)
        if (session->processes[i].program.len == 0 ||
            reason_is(&session->processes[i].declined, REASON_ERROR))
            return true;
    return false;
}

static const char *find_argument(char *const *command, const char *part)
{
    for (; command != NULL && *command != NULL; command++)
        if (strstr(*command, part) != NULL)
            return *command;
    return NULL;
}

/* The most likely cause, if no other tool was found (cli/process/other_profilers.h). The
 * environment was tested before the start, except for variables that a script sets. */
static void say_hint(const struct session *session, char *const *command, bool any_skipped)
{
    static const enum reason_code of_tests[] = {REASON_TESTS},
                                  left_out[] = {REASON_NO_PDB_BESIDE, REASON_NO_PDB,
                                                REASON_EXCLUDED, REASON_NOT_INCLUDED};
    const struct session_skip *tests = find_skip(session, of_tests, ARRAY_LEN(of_tests));
    const char *variable = find_argument(command, "CORECLR_");
    bool has_counted = session->counters_count != 0;
    /* for a reason that is listed */
    bool has_left_out = find_skip(session, left_out, ARRAY_LEN(left_out)) != NULL;
    if (variable != NULL)
        say("  hint: '%s' replaces what ilcov sets: leave it out", variable);
    else if (!any_skipped && !has_counted && !has_failed(session))
        say("  hint: no program was started that could be measured: did the build fail?");
    else if (tests != NULL && !has_counted && !has_left_out)
        say("  hint: the tests of %.*s loaded no code but their own: an assembly is loaded when a "
            "test first calls it",
            STR_ARGS(tests->name));
}

void explain_nothing_instrumented(const struct session *session, char *const *command, bool verbose,
                                  bool hints, struct arena *arena)
{
    struct err err = {0};
    struct list list = {NULL, 0, 0};
    bool any_skipped = false;
    for (uint32_t i = 0; i < session->process_count; i++)
        any_skipped = any_skipped || session->processes[i].skip_count != 0;
    if (session->counters_count != 0)
        say("nothing was measured that can be reported");
    else
        say("nothing was measured because no method was instrumented in %u %s",
            session->process_count, plural(session->process_count, "process", "processes"));
    if (list_obstacles(&list, session, arena, &err))
        say_obstacles(
            list.items,
            sort_distinct(list.items, list.count, sizeof(struct obstacle), order_obstacles),
            verbose, arena);
    else
        say("  the reasons cannot be listed: %s", err.text);
    if (hints)
        say_hint(session, command, any_skipped);
    say("  %s--allow-empty accepts an empty result",
        any_skipped ? "--include '[assembly]*' measures what the default leaves out; " : "");
}

/* --- --verbose -------------------------------------------------------------------------------- */

ORDER(order_by_reason, struct report_omission,
      BY_ORDER(reason_order(a->reason, b->reason)) BY(module) BY(method))

/* Names, as many to a line as fit. */
static void say_names(const struct report_omission *omissions, uint32_t count)
{
    enum {
        WIDTH = 90
    };
    char line[WIDTH * 8];
    size_t len = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct str name = omissions[i].module;
        if (len != 0 && len + name.len + 2 > WIDTH) {
            say("  %.*s,", (int)len, line);
            len = 0;
        }
        int written =
            snprintf(line + len, sizeof line - len, "%s%.*s", len != 0 ? ", " : "", STR_ARGS(name));
        len += written > 0 && (size_t)written < sizeof line - len ? (size_t)written : 0;
    }
    if (len != 0)
        say("  %.*s", (int)len, line);
}

/* The text of a reason, for one line. */
static struct str reason_words_of(const struct reason *reason, struct arena *arena)
{
    struct err err = {0};
    struct str text;
    return reason_text(&text, reason, arena, &err) ? text : STR("out of memory");
}

/* Modules by their reason; methods one by one. */
static void say_omissions(const struct report_omission *omissions, uint32_t count,
                          struct arena *arena)
{
    for (uint32_t i = 0; i < count;) {
        uint32_t end = i;
        while (end < count && omissions[end].method.len == 0 && omissions[i].method.len == 0 &&
               reason_eq(omissions[i].reason, omissions[end].reason))
            end++;
        struct str why = reason_words_of(omissions[i].reason, arena);
        if (end > i) {
            say("left out, %.*s:", STR_ARGS(why));
            say_names(&omissions[i], end - i);
            i = end;
        } else {
            say("left out: %.*s: %.*s: %.*s", STR_ARGS(omissions[i].module),
                STR_ARGS(omissions[i].display_method), STR_ARGS(why));
            i++;
        }
    }
}

static void say_exclusions(const struct report *report, struct arena *arena)
{
    for (uint32_t i = 0; i < report->exclusion_count; i++) {
        const struct report_exclusion *exclusion = &report->exclusions[i];
        struct str why = reason_words_of(exclusion->reason, arena);
        if (exclusion->first_line == exclusion->last_line)
            say("excluded: %.*s:%u: %.*s", STR_ARGS(exclusion->file), exclusion->first_line,
                STR_ARGS(why));
        else
            say("excluded: %.*s:%u-%u (%u %s): %.*s", STR_ARGS(exclusion->file),
                exclusion->first_line, exclusion->last_line, exclusion->line_count,
                plural(exclusion->line_count, "line", "lines"), STR_ARGS(why));
    }
}

/* Generated code file by file. */
static void say_generated_files(const struct report *report, struct arena *arena)
{
    const struct report_exclusion *all = report->generated;
    for (uint32_t i = 0, end = 0; i < report->generated_count; i = end) {
        uint32_t lines = 0;
        while (end < report->generated_count && str_eq(all[end].file, all[i].file) &&
               reason_eq(all[end].reason, all[i].reason))
            lines += all[end++].line_count;
        struct str why = reason_words_of(all[i].reason, arena);
        say("not counted: %.*s (%u %s): %.*s", STR_ARGS(all[i].file), lines,
            plural(lines, "line", "lines"), STR_ARGS(why));
    }
}

/* Why it was declined, or what was instrumented in it. */
static struct str summary_of(const struct fact_process *process, struct arena *arena)
{
    struct str text;
    struct err err = {0};
    if (process->declined != NULL)
        return reason_words_of(process->declined, arena);
    bool ok = text_format(&text, arena, &err, "%u %s, %llu %s instrumented", process->module_count,
                          plural(process->module_count, "module", "modules"),
                          (unsigned long long)process->method_count,
                          plural(process->method_count, "method", "methods"));
    return ok ? text : STR("out of memory");
}

void explain_omissions(const struct facts *facts, const struct report *report, struct arena *arena)
{
    struct err err = {0};
    for (uint32_t i = 0; i < facts->process_count; i++) {
        const struct fact_process *process = &facts->processes[i];
        struct str summary = summary_of(process, arena);
        if (process->runtime.len != 0)
            say("process %.*s (.NET %.*s): %.*s", STR_ARGS(process->program),
                STR_ARGS(process->runtime), STR_ARGS(summary));
        else
            say("process %.*s: declined, %.*s", STR_ARGS(process->program), STR_ARGS(summary));
    }
    struct report_omission *sorted =
        ARENA_NEW(arena, struct report_omission, report->omission_count, &err);
    if (sorted == NULL) {
        say("what was left out cannot be listed: %s", err.text);
    } else if (report->omission_count != 0) {
        memcpy(sorted, report->omissions, report->omission_count * sizeof *sorted);
        qsort(sorted, report->omission_count, sizeof *sorted, order_by_reason);
        say_omissions(sorted, report->omission_count, arena);
    }
    say_exclusions(report, arena);
    say_generated_files(report, arena);
}

#include "cli/options/measurement_options.h"
#include "system/places.h"

#include <string.h>

#define AT(field) offsetof(struct measurement_options, field)

/* --- what is measured ------------------------------------------------------------------------- */

static bool mode_word(struct option_word *out, size_t index)
{
    static const char *const summaries[] = {
        [MODE_COUNT] = ("how often; code that ran never shows 0, but totals may be slightly low "
                        "where many threads run the same code"),
        [MODE_HIT] = "only whether code ran, in an eighth of the memory",
        [MODE_EXACT] = "totals are exact with any number of threads, at a higher cost",
    };
    if (index >= ARRAY_LEN(summaries))
        return false;
    *out = (struct option_word){mode_name((enum count_mode)index), summaries[index], NULL};
    return true;
}

static bool take_mode(void *field, const char *value, const struct option_context *context,
                      struct err *err)
{
    return mode_parse(field, str_of(value)) ||
           option_refuse_word("mode", str_of(value), mode_word, context, err);
}

const struct option_row measure_rows[] = {
    {.letter = 'i',
     .name = "include",
     .argument = "PATTERN",
     .take = option_take_pattern,
     .field = AT(measure.include),
     .help = "measure only [assembly]type, such as '[App.*]*'",
     .more = "May be repeated. In a PATTERN, * matches any characters and ? exactly one; the name "
             "of an assembly alone means all of its types. Types are matched by their full names, "
             "nested types after a slash, as in N.Outer/Inner. A pattern that matches a type also "
             "takes what is nested in it.",
     .repeats = true},
    {.name = "include-tests",
     .take = option_take_flag,
     .field = AT(measure.include_tests),
     .help = "measure test assemblies, too",
     .more = "These are the assemblies that reference a test framework."},
    {.name = "mode",
     .argument = "MODE",
     .take = take_mode,
     .field = AT(measure.mode),
     .help = "how to count: count (default), hit (if code ran) or exact (no lost counts "
             "under contention, slower)",
     .more = "Even with 'exact', the runtime's own poll for a garbage collection (Thread.PollGC, "
             "where --include names System.Private.CoreLib) counts as with 'count'.",
     .completes = COMPLETE_WORD,
     .word = mode_word,
     .default_text = "count"},
    {.name = "session-dir",
     .argument = "DIR",
     .take = option_take_text,
     .field = AT(measure.session_dir),
     .help = "directory for the counters (default /dev/shm)",
     .more = "The default is used if it is writable and has 4 MiB free; else TMPDIR or /tmp.",
     .completes = COMPLETE_FOLDER,
     .advanced = true,
     .default_text = SESSION_PLACE_IN_MEMORY},
    {.name = NULL},
};

const struct help_override measure_overrides[] = {
    {"exclude", "exclude [assembly]type; overrides --include",
     "May be repeated. PATTERN is as for --include."},
    {NULL, NULL, NULL},
};

const struct option_row library_rows[] = {
    {.name = "per-test",
     .take = option_take_flag,
     .field = AT(measure.per_test),
     .help = "record which test covers what, for 'ilcov tests'",
     .more = "Works with xunit, NUnit, MSTest and TUnit, also if tests run in parallel, but not "
             "with --mode exact."},
    {.name = "control",
     .take = option_take_flag,
     .field = AT(measure.control),
     .help = "let 'detach' reach the programs, and 'stacks' work without attaching",
     .more = "A thread of the library listens on a socket in the session.",
     .advanced = true},
    {.name = NULL},
};

const struct option_row keep_session_rows[] = {
    {.name = "keep-session",
     .take = option_take_flag,
     .field = AT(measure.keep_session),
     .help = "keep the counters and print where they are",
     .more = "No later run removes them; 'collect' reads them.",
     .advanced = true},
    {.name = NULL},
};

/* --- what is made of it ----------------------------------------------------------------------- */

const struct option_row data_rows[] = {
    {.letter = 'd',
     .name = "data",
     .argument = "FILE",
     .take = option_take_text,
     .field = AT(publish.data),
     .help = "data file to write (default " DATA_FILE ")",
     .more = "It is replaced as a whole and never appended to.",
     .completes = COMPLETE_FILE,
     .writes = true,
     .default_text = DATA_FILE},
    {.name = NULL},
};

static bool take_attribute(void *field, const char *value, const struct option_context *context,
                           struct err *err)
{
    if (*value == '\0' || value[strcspn(value, "[]()*?, \t\n")] != '\0')
        return err_set(err, ERR_USAGE,
                       "'%s' is not the name of an attribute; expected, for example, Obsolete or "
                       "System.Obsolete",
                       value);
    return option_take_item(field, value, context, err);
}

const struct option_row exclusion_rows[] = {
    {.name = "exclude-attribute",
     .argument = "NAME",
     .take = take_attribute,
     .field = AT(exclusions.attributes),
     .help = "exclude code marked [NAME]; may be repeated",
     .more = "This includes the code inside it. [ExcludeFromCodeCoverage] is always excluded. NAME "
             "may be short or full, with or without 'Attribute'.",
     .repeats = true},
    {.name = "exclude-auto-properties",
     .take = option_take_flag,
     .field = AT(exclusions.auto_properties),
     .help = "exclude auto-property accessors",
     .more = "These are the accessors that the compiler writes for '{ get; set; }'. In C#, the "
             "initial values of such properties are excluded as well."},
    {.name = NULL},
};

const struct option_row whole_rows[] = {
    {.name = "solution",
     .argument = "FILE",
     .take = option_take_text,
     .field = AT(solution),
     .help = "also count the projects in FILE that nothing loaded, with 0 hits",
     .more =
         "FILE is a .sln, .slnx or .slnf, or a single project. The projects must have been built: "
         "of several configurations and frameworks, the one most like what was measured counts, "
         "then the newest. Test projects do not count, and --include and --exclude apply.",
     .completes = COMPLETE_FILE,
     .advanced = true},
    {.name = "partial",
     .take = option_take_flag,
     .field = AT(partial),
     .help = "treat code that was not hit as unknown, not missed",
     .more = "For runs that execute only some of the tests; see 'merge --carry'.",
     .advanced = true},
    {.name = "allow-partial",
     .take = option_take_flag,
     .field = AT(allow_partial),
     .help = "no error if a test host did not report",
     .more = "Such a run, and one in which another tool rewrote an assembly before it ran, counts "
             "as --partial in any case. With a gate, a program that was started with an "
             "environment of its own is no error, either."},
    {.name = NULL},
};

const struct option_row allow_empty_rows[] = {
    {.name = "allow-empty",
     .take = option_take_flag,
     .field = AT(allow_empty),
     .help = "no error if no method was instrumented",
     .more = "Such a run also passes --fail-under, and its empty results are written. A run that "
             "measured code but has no lines to report does not count as empty."},
    {.name = NULL},
};

/* --- how long ilcov waits --------------------------------------------------------------------- */

const char *timeout_default(void)
{
    return "10s";
}

static const struct option_row timeout_rows[] = {
    {.name = "timeout",
     .argument = "TIME",
     .take = option_take_time,
     .field = offsetof(struct timeout_options, ms),
     .help = "how long to wait for the program, for example 500ms or 2m (default 10s)",
     .otherwise = timeout_default,
     .is_number = true},
    {.name = NULL},
};

const struct option_group timeout_groups[] = {{timeout_rows, 0, NULL}, {NULL, 0, NULL}};

/* ---------------------------------------------------------------------------------------------- */

bool measurement_options_finish(void *parsed, const struct operands *operands,
                                const struct option_context *context, struct err *err)
{
    struct measurement_options *options = parsed;
    (void)operands;
    return format_options_default(&options->publish.formats, "cobertura", context, err) &&
           publish_options_finish(&options->publish, context, err);
}

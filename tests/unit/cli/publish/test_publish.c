/* test_publish.c - which status comes of reports that can't be written, and of gates, alone and
 * together; and that whatever is wrong is said. */
#include "cli/publish/publish.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/options/exit.h"
#include "coverage/diff/gate.h"
#include "reporters/report/report_formats.h"
#include "tests/support/check.h"
#include "tests/support/facts_fixture.h"
#include "tests/support/interposed.h"
#include "tests/support/temporary.h"

/* Of the fixture 47 % or so of lines are covered: neither all nor none. */
#define GATE_FAILS   "line>=100"
#define GATE_HOLDS   "line>=1"
#define GATE_METHODS "new-uncovered=0"
#define GATE_CHANGE  "line>=-100"
#define GATE_PATCHED "patch>=1"

#define OTHER_TOOL                                                                                 \
    "<coverage><sources><source>/src/shop</source></sources><packages><package "                   \
    "name=\"Shop.Core\">"                                                                          \
    "<classes><class name=\"C\" filename=\"src/Core/Order.cs\"><lines>"                            \
    "<line number=\"12\" hits=\"1\"/></lines></class></classes></package></packages></coverage>"

enum {
    GATES_MOST = 3
};

struct situation {
    const char *name;
    bool is_unwritable; /* the first of two reports */
    int before;         /* the status of what was done before */
    const char *gates[GATES_MOST];
    const char *base, *patch; /* BASE is a file of the folder */
    int signal_after;         /* how many reports; -1: none comes */
    bool quiet, verbose, may_be_empty;
    int expected;
    const char *says[4];
    const char *says_not;
};

static const struct situation situations[] = {
    {.name = "all is well", .signal_after = -1, .says = {"covered; "}},
    {.name = "quiet", .signal_after = -1, .quiet = true, .says_not = "covered"},
    {.name = "verbose", .signal_after = -1, .verbose = true, .says = {"Shop.Legacy"}},
    {.name = "what was done before failed",
     .before = EXIT_BAD,
     .signal_after = -1,
     .expected = EXIT_BAD,
     .says_not = "covered"},
    {.name = "a report cannot be written",
     .is_unwritable = true,
     .signal_after = -1,
     .expected = EXIT_BAD,
     .says = {"other.xml/a.xml cannot be written: "},
     .says_not = "covered"},
    {.name = "a gate fails",
     .gates = {GATE_FAILS},
     .signal_after = -1,
     .expected = EXIT_THRESHOLD,
     .says = {GATE_FAILS, "covered; "}},
    {.name = "a gate holds", .gates = {GATE_HOLDS}, .signal_after = -1, .says_not = GATE_HOLDS},
    {.name = "one of several gates fails",
     .gates = {GATE_HOLDS, GATE_FAILS, GATE_HOLDS},
     .signal_after = -1,
     .expected = EXIT_THRESHOLD,
     .says = {GATE_FAILS}},
    {.name = "a report cannot be written, and a gate fails",
     .is_unwritable = true,
     .gates = {GATE_FAILS},
     .signal_after = -1,
     .expected = EXIT_BAD,
     .says = {"other.xml/a.xml cannot be written: ", GATE_FAILS}},
    {.name = "BASE is gone",
     .gates = {GATE_CHANGE},
     .base = "gone.ilcov",
     .signal_after = -1,
     .expected = EXIT_BAD,
     .says = {"gone.ilcov cannot be ", "gate " GATE_CHANGE ": there is nothing to compare with"}},
    {.name = "BASE is gone, and a gate fails without it",
     .gates = {GATE_FAILS, GATE_CHANGE},
     .base = "gone.ilcov",
     .signal_after = -1,
     .expected = EXIT_BAD,
     .says = {"gone.ilcov cannot be ", "gate " GATE_FAILS ": "}},
    {.name = "the patch names nothing",
     .gates = {GATE_PATCHED},
     .patch = "no-such-revision",
     .signal_after = -1,
     .expected = EXIT_BAD,
     .says = {"--patch no-such-revision: "}},
    {.name = "a gate cannot be tested, and others are",
     .gates = {GATE_METHODS, GATE_FAILS},
     .base = "other.xml",
     .signal_after = -1,
     .expected = EXIT_BAD,
     .says = {"gate " GATE_METHODS ": a report of another tool has no methods", GATE_FAILS}},
    {.name = "what a gate cannot know is told",
     .gates = {GATE_CHANGE},
     .base = "other.xml",
     .signal_after = -1,
     .says = {"--patch shows where the lines of BASE are now"}},
    {.name = "a signal comes before the first report",
     .gates = {GATE_FAILS},
     .signal_after = 0,
     .expected = 128 + SIGTERM,
     .says = {"nothing more is written"},
     .says_not = "covered"},
    {.name = "a signal comes after a report that cannot be written",
     .is_unwritable = true,
     .signal_after = 1,
     .expected = 128 + SIGTERM,
     .says = {"other.xml/a.xml cannot be written: ", "nothing more is written"},
     .says_not = "covered"},
};

static struct temporary folder;
static int asked, signal_after; /* of the situation that is tried */
static bool reports_failed;     /* as publish told */

static int signal_of_situation(void)
{
    return signal_after >= 0 && asked++ >= signal_after ? SIGTERM : 0;
}

static uint32_t list_gates(struct gate *out, const char *const gates[GATES_MOST])
{
    uint32_t count = 0;
    for (; count < GATES_MOST && gates[count] != NULL; count++)
        assert_true(gate_parse(&out[count], str_of(gates[count]), NULL));
    return count;
}

/* Publishes the facts in a situation; gives what was said. */
static struct str publish_in(const struct situation *s, const struct facts *facts, int *status)
{
    const struct format *cobertura = format_find(report_formats, STR("cobertura"));
    const struct format *lcov = format_find(report_formats, STR("lcov")); /* not in the same pass */
    struct option_format formats[] = {
        {cobertura, temporary_path(&folder, s->is_unwritable ? "other.xml/a.xml" : "a.xml")},
        {lcov, temporary_path(&folder, "b.xml")},
    };
    struct gate gates[GATES_MOST];
    const struct publish_options options = {
        .data = "coverage.ilcov",
        .formats = {.items = formats, .count = ARRAY_LEN(formats)},
        .gates = {.list = {.items = gates, .count = list_gates(gates, s->gates)},
                  .base = s->base != NULL ? temporary_path(&folder, s->base) : NULL,
                  .patch = s->patch},
        .talk = {.quiet = s->quiet, .verbose = s->verbose},
    };
    const struct publication publication = {
        .facts = facts,
        .options = &options,
        .root = str_of(folder.folder),
        .data = "coverage.ilcov",
        .may_be_empty = s->may_be_empty,
        .failed = &reports_failed,
        .arena = &folder.arena,
    };
    const char *said = temporary_path(&folder, "said");
    asked = 0;
    reports_failed = false;
    signal_after = s->signal_after;
    interposed.interruption_signal = signal_of_situation;
    int saved = temporary_redirect(STDERR_FILENO, said);
    *status = publish(&publication, s->before);
    temporary_restore(STDERR_FILENO, saved);
    return temporary_read(&folder, said);
}

static bool is_there(const char *name)
{
    return access(temporary_path(&folder, name), F_OK) == 0;
}

static void check_situation(const struct situation *s)
{
    struct facts facts;
    int status = -1;
    bool first = !s->is_unwritable && s->signal_after != 0;
    bool second = s->signal_after < 0 || s->signal_after > 1;
    temporary_open(&folder);
    (void)temporary_file(&folder, "other.xml", OTHER_TOOL, sizeof OTHER_TOOL - 1);
    fixture_facts(&facts, &folder.arena);
    struct str said = publish_in(s, &facts, &status);
    if (status != s->expected)
        fail_msg("%s: status %d instead of %d:\n%s", s->name, status, s->expected, said.text);
    for (size_t i = 0; i < ARRAY_LEN(s->says) && s->says[i] != NULL; i++)
        if (strstr(said.text, s->says[i]) == NULL)
            fail_msg("%s: '%s' is not said:\n%s", s->name, s->says[i], said.text);
    if (s->says_not != NULL && strstr(said.text, s->says_not) != NULL)
        fail_msg("%s: '%s' is said:\n%s", s->name, s->says_not, said.text);
    if (s->is_unwritable && !reports_failed)
        fail_msg("%s: publish does not tell that a report failed", s->name);
    if (!s->is_unwritable && s->signal_after < 0 && reports_failed)
        fail_msg("%s: publish tells that a report failed", s->name);
    if (is_there("a.xml") != first || is_there("b.xml") != second)
        fail_msg("%s: not the reports that were expected", s->name);
    temporary_close(&folder);
}

static void status_is_the_worst_of_all_steps_and_each_is_said(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(situations); i++)
        check_situation(&situations[i]);
}

/* --- no line at all --------------------------------------------------------------------------- */

static void empty_report_fails_a_gate_unless_that_is_fine(void **state)
{
    static const struct facts none;
    (void)state;
    for (int may_be_empty = 0; may_be_empty < 2; may_be_empty++) {
        const struct situation s = {
            .gates = {GATE_HOLDS}, .signal_after = -1, .may_be_empty = may_be_empty != 0};
        int status = -1;
        temporary_open(&folder);
        struct str said = publish_in(&s, &none, &status);
        assert_int_equal(status, may_be_empty != 0 ? EXIT_FINE : EXIT_THRESHOLD);
        assert_non_null(strstr(said.text, "no line could be covered"));
        temporary_close(&folder);
    }
}

/* --- sources ---------------------------------------------------------------------------------- */

static struct str seen;

static bool look_at_source(const struct format_job *job, struct err *err)
{
    const struct source_place place = {job->sources, STR("Shop.Core"), STR("src/Core/Order.cs")};
    struct str line = sources_line(&place, 1);
    return str_copy(&seen, line.text != NULL ? line : STR("unknown"), &folder.arena, err);
}

/* Lets Shop.Core be made from a file of two lines; its sum is that of sha256sum. */
static void put_source(struct facts *facts)
{
    static const char text[] = "first\nsecond\n";
    static const uint8_t sum[] = {0xDB, 0xEA, 0x93, 0x25, 0x17, 0x9E, 0xFE, 0x46, 0xEA, 0x2A, 0xDD,
                                  0x94, 0xF7, 0xB6, 0xB7, 0x45, 0xCA, 0x98, 0x3F, 0xAB, 0xB2, 0x08,
                                  0xDC, 0x6D, 0x34, 0xAA, 0x06, 0x46, 0x23, 0xD7, 0xEE, 0x23};
    static const uint8_t sha256[16] = {0x0F, 0xD0, 0x29, 0x88, 0xB8, 0x11, 0x13, 0x42,
                                       0x87, 0x8B, 0x77, 0x0E, 0x85, 0x97, 0xAC, 0x16};
    struct fact_module *core = &facts->modules[FIXTURE_CORE];
    assert_int_equal(mkdir(temporary_path(&folder, "src"), 0700), 0);
    assert_int_equal(mkdir(temporary_path(&folder, "src/Core"), 0700), 0);
    (void)temporary_file(&folder, "src/Core/Order.cs", text, sizeof text - 1);
    for (uint32_t i = 0; i < core->document_count; i++)
        if (str_is(core->documents[i].relative, "src/Core/Order.cs")) {
            core->documents[i].hash = VIEW(sum);
            memcpy(core->documents[i].hash_algorithm, sha256, sizeof sha256);
        }
}

static void report_that_wants_sources_gets_those_that_were_measured(void **state)
{
    static const struct format curious = {
        .name = "curious", .wants_sources = true, .write = look_at_source};
    struct option_format formats[] = {{&curious, "/dev/null"}};
    const struct publish_options options = {.formats = {.items = formats, .count = 1},
                                            .talk = {.quiet = true}};
    (void)state;
    for (int known = 0; known < 2; known++) {
        struct facts facts;
        temporary_open(&folder);
        fixture_facts(&facts, &folder.arena);
        if (known != 0)
            put_source(&facts);
        const struct publication publication = {.facts = &facts,
                                                .options = &options,
                                                .root = str_of(folder.folder),
                                                .arena = &folder.arena};
        assert_int_equal(publish(&publication, EXIT_FINE), EXIT_FINE);
        assert_str(seen, known != 0 ? "first" : "unknown");
        temporary_close(&folder);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(status_is_the_worst_of_all_steps_and_each_is_said),
    cmocka_unit_test(empty_report_fails_a_gate_unless_that_is_fine),
    cmocka_unit_test(report_that_wants_sources_gets_those_that_were_measured),
};
UNIT_TESTS(tests);

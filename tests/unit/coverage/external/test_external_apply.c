/* test_external_apply.c - another tool's report adds lines that ran, and changes nothing else that
 * ilcov measured. */
#include "coverage/external/external_apply.h"

#include <stdio.h>

#include "tests/support/check.h"

/* clang-format off */
#define LIT(literal) {(literal), sizeof(literal) - 1}
#define METHOD(token_, name_, user) {.token = (token_), .type = LIT("C"), .name = LIT(name_), .user_method = (user), .entry_count = NO_INDEX}
#define S(method_, line, column, end, end_column_, count_) \
    {.method = (method_), .il_offset = (count_), .start_line = (line), .end_line = (end), .start_column = (column), .end_column = (end_column_), .count = (count_)}
#define LINE(document_, method_, line, count_) \
    {.method = (method_), .document = (document_), .il_offset = (count_), .start_line = (line), .end_line = (line), .start_column = 1, .end_column = 2, .count = (count_)}
/* clang-format on */

/*  5  int P { get; set; } = 1;
 *  7  if (x) Call(1,
 *  8              2,
 *  9              3);
 * 11  Excluded();  Not();
 * 13  Outer(
 * 14      () => Inner(),
 * 15      1); */
static const struct fact_method methods[] = {METHOD(1, "get_P", 0),    METHOD(2, "set_P", 1),
                                             METHOD(3, ".ctor", 2),    METHOD(4, "M", 3),
                                             METHOD(5, "Excluded", 4), METHOD(6, "lambda", 3)};
static const struct fact_statement statements[] = {
    S(0, 5, 13, 5, 17, 0),  S(1, 5, 18, 5, 22, 1),  S(2, 5, 27, 5, 28, 2),
    S(3, 7, 5, 7, 11, 3),   S(3, 7, 12, 9, 20, 4),  S(3, 11, 18, 11, 24, 5),
    S(3, 13, 5, 15, 11, 6), S(4, 11, 5, 11, 16, 7), S(5, 14, 15, 14, 22, 8),
};
/* The other tool has a line for each of them, of one method, and two of another file. */
static const struct fact_method their_methods[] = {METHOD(1, "M", 0), METHOD(2, "Other", 1)};
static const struct fact_statement their_statements[] = {
    LINE(0, 0, 5, 0),  LINE(0, 0, 6, 1),  LINE(0, 0, 7, 2),  LINE(0, 0, 8, 3),  LINE(0, 0, 9, 4),
    LINE(0, 0, 11, 5), LINE(0, 0, 13, 6), LINE(0, 0, 14, 7), LINE(0, 0, 15, 8), LINE(1, 1, 3, 9)};

enum {
    OURS,
    BUILD, /* the same code for another framework */
    OTHER, /* another assembly with the same file */
    THEIRS,
    AGAIN, /* another report */
    MODULES,
    OWN_COUNTS = ARRAY_LEN(statements),
    THEIR_COUNTS = ARRAY_LEN(their_statements)
};

static struct arena arena;
static struct fact_document own_documents[] = {{.path = LIT("/r/a.cs"), .relative = LIT("a.cs")}};
static struct fact_document their_documents[] = {{.path = LIT("/r/a.cs"), .relative = LIT("a.cs")},
                                                 {.path = LIT("/r/b.cs"), .relative = LIT("b.cs")}};
static struct fact_method own_methods[ARRAY_LEN(methods)];
static struct fact_run runs[] = {{.kind = RUN_MEASURED}, {.kind = RUN_EXTERNAL, .id = {1}}};

/* One of each; `facts_of` says which modules take part. */
struct made {
    struct facts facts;
    struct fact_module modules[MODULES];
    struct fact_counts counts[MODULES];
    uint64_t own[OWN_COUNTS], build[OWN_COUNTS], other[OWN_COUNTS];
    uint64_t theirs[THEIR_COUNTS], again[THEIR_COUNTS];
};

static void add(struct made *m, const char *name, enum module_state state, uint64_t *counts)
{
    uint32_t i = m->facts.module_count++;
    bool external = state == MODULE_EXTERNAL;
    m->modules[i] = (struct fact_module){.name = str_of(name), .state = state};
    struct fact_module *module = &m->modules[i];
    module->documents = external ? their_documents : own_documents;
    module->document_count = external ? 2 : 1;
    module->methods = external ? (struct fact_method *)(uintptr_t)their_methods : own_methods;
    module->method_count = external ? ARRAY_LEN(their_methods) : ARRAY_LEN(methods);
    module->statements =
        (struct fact_statement *)(uintptr_t)(external ? their_statements : statements);
    module->statement_count = external ? THEIR_COUNTS : OWN_COUNTS;
    module->count_len = module->statement_count;
    if (counts != NULL)
        m->counts[m->facts.counts_count++] = (struct fact_counts){external, i, counts};
}

static void open_facts(struct made *m)
{
    *m = (struct made){.facts = {.runs = runs, .run_count = ARRAY_LEN(runs)}};
    m->facts.modules = m->modules;
    m->facts.counts = m->counts;
    memcpy(own_methods, methods, sizeof methods);
    own_methods[4].state = METHOD_EXCLUDED;
    own_methods[4].reason = reason_of(REASON_EXCLUDED);
}

static struct facts applied(const struct made *m)
{
    struct facts out;
    assert_true(external_apply(&out, &m->facts, &arena, NULL));
    return out;
}

/* The counts that the other tool's run has in the module, without those that are 0:
 * "0:3 4:1". */
static const char *given(const struct facts *facts, uint32_t module)
{
    static char text[256];
    size_t len = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < facts->counts_count; i++)
        for (uint32_t k = 0; facts->counts[i].module == module && facts->counts[i].run == 1 &&
                             k < facts->modules[module].count_len;
             k++)
            if (facts->counts[i].counts[k] != 0)
                len += (size_t)snprintf(text + len, sizeof text - len, "%s%u:%llu",
                                        len != 0 ? " " : "", k,
                                        (unsigned long long)facts->counts[i].counts[k]);
    return text;
}

static const struct {
    const char *name, *expected;
    uint64_t own[OWN_COUNTS];
    uint64_t theirs[THEIR_COUNTS]; /* lines 5 6 7 8 9 11 13 14 15 */
} cases[] = {
    {"a line that ran here: no statement gets more", "", {1}, {9}},
    {"nor if a later one on it ran", "", {0, 0, 1}, {9}},
    {"a line that did not: the first statement alone", "0:9", {0}, {9}},
    {"a line that is none here", "", {0}, {0, 9}},
    {"a line that did not run there", "", {0}, {0}},
    {"a line that is the end of a statement", "3:2 4:3", {0}, {0, 0, 2, 3, 3}},
    {"it needs what spans it", "4:3", {0, 0, 0, 1}, {0, 0, 2, 3, 3}},
    {"unless that ran here", "", {0, 0, 0, 1, 1}, {0, 0, 2, 3, 3}},
    {"what is excluded has no hits", "5:4", {0}, {0, 0, 0, 0, 0, 4}},
    {"nor makes it that the line ran", "5:4", {0, 0, 0, 0, 0, 0, 0, 7}, {0, 0, 0, 0, 0, 4}},
    {"a lambda in a statement", "6:1 8:5", {0}, {0, 0, 0, 0, 0, 0, 1, 5, 1}},
    {"the statement around it alone", "6:1", {0}, {0, 0, 0, 0, 0, 0, 1, 0, 1}},
};

static void hits_go_where_a_line_did_not_run(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct made m;
        open_facts(&m);
        memcpy(m.own, cases[i].own, sizeof m.own);
        memcpy(m.theirs, cases[i].theirs, sizeof m.theirs);
        add(&m, "P", MODULE_INSTRUMENTED, m.own);
        add(&m, "P", MODULE_EXTERNAL, m.theirs);
        struct facts facts = applied(&m);
        if (strcmp(given(&facts, 0), cases[i].expected) != 0)
            fail_msg("%s: %s instead of %s", cases[i].name, given(&facts, 0), cases[i].expected);
    }
}

static void several_reports_give_the_most(void **state)
{
    struct made m;
    (void)state;
    open_facts(&m);
    m.theirs[0] = 2;
    m.again[0] = 5;
    add(&m, "P", MODULE_INSTRUMENTED, m.own);
    add(&m, "P", MODULE_EXTERNAL, m.theirs);
    add(&m, "P", MODULE_EXTERNAL, m.again);
    struct facts facts = applied(&m);
    assert_string_equal(given(&facts, 0), "0:5");
}

static void hits_of_one_report_in_several_runs_add_up(void **state)
{
    struct made m;
    (void)state;
    open_facts(&m);
    m.theirs[0] = 2;
    m.again[0] = 5;
    add(&m, "P", MODULE_INSTRUMENTED, m.own);
    add(&m, "P", MODULE_EXTERNAL, m.theirs);
    m.counts[m.facts.counts_count++] = (struct fact_counts){1, 1, m.again};
    struct facts facts = applied(&m);
    assert_string_equal(given(&facts, 0), "0:7");
}

static void a_line_that_ran_in_another_build_ran(void **state)
{
    struct made m;
    (void)state;
    open_facts(&m);
    m.build[1] = 1;
    m.theirs[0] = m.theirs[2] = 9;
    add(&m, "P", MODULE_INSTRUMENTED, m.own);
    add(&m, "P", MODULE_INSTRUMENTED, m.build);
    add(&m, "P", MODULE_EXTERNAL, m.theirs);
    struct facts facts = applied(&m);
    assert_string_equal(given(&facts, 0), "3:9");
    assert_string_equal(given(&facts, 1), "");
}

static void hits_go_to_the_assembly_of_that_name(void **state)
{
    struct made m;
    (void)state;
    open_facts(&m);
    m.theirs[0] = 9;
    m.other[0] = 1;
    add(&m, "A", MODULE_INSTRUMENTED, m.other);
    add(&m, "P", MODULE_INSTRUMENTED, m.own);
    add(&m, "p", MODULE_EXTERNAL, m.theirs);
    struct facts facts = applied(&m);
    assert_string_equal(given(&facts, 0), "");
    assert_string_equal(given(&facts, 1), "0:9");
}

static void without_a_name_to_the_first_unless_the_line_ran(void **state)
{
    struct made m;
    (void)state;
    open_facts(&m);
    m.theirs[0] = m.theirs[2] = 9;
    m.own[0] = 1;
    add(&m, "A", MODULE_INSTRUMENTED, m.other);
    add(&m, "P", MODULE_INSTRUMENTED, m.own);
    add(&m, "(unknown assembly)", MODULE_EXTERNAL, m.theirs);
    struct facts facts = applied(&m);
    assert_string_equal(given(&facts, 0), "3:9");
    assert_string_equal(given(&facts, 1), "");
}

static void of_their_report_other_files_are_left(void **state)
{
    struct made m;
    (void)state;
    open_facts(&m);
    add(&m, "P", MODULE_INSTRUMENTED, m.own);
    add(&m, "P", MODULE_EXTERNAL, m.theirs);
    struct facts facts = applied(&m);
    const struct fact_module *left = &facts.modules[1];
    assert_int_equal(left->state, MODULE_EXTERNAL);
    assert_int_equal(left->statement_count, 1);
    assert_int_equal(left->method_count, 1);
    assert_str(left->methods[left->statements[0].method].name, "Other");
    assert_int_equal(left->methods[0].user_method, 0);
    assert_int_equal(left->statements[0].document, 1);
    assert_int_equal(left->statements[0].count, 9);
}

static void a_report_of_measured_files_alone_is_skipped(void **state)
{
    struct made m;
    (void)state;
    open_facts(&m);
    add(&m, "P", MODULE_INSTRUMENTED, m.own);
    add(&m, "P", MODULE_EXTERNAL, m.theirs);
    m.modules[1].statement_count = 9;
    struct facts facts = applied(&m);
    assert_int_equal(facts.modules[1].state, MODULE_SKIPPED);
    assert_true(reason_is(facts.modules[1].reason, REASON_MEASURED));
    assert_int_equal(facts.modules[1].method_count, 0);
}

static void an_assembly_that_only_they_loaded_was_loaded(void **state)
{
    struct made m;
    (void)state;
    open_facts(&m);
    m.theirs[0] = 9;
    add(&m, "P", MODULE_NOT_LOADED, NULL);
    add(&m, "P", MODULE_EXTERNAL, m.theirs);
    struct facts facts = applied(&m);
    assert_string_equal(given(&facts, 0), "0:9");
    assert_int_equal(facts.modules[0].state, MODULE_INSTRUMENTED);
    assert_int_equal(m.modules[0].state, MODULE_NOT_LOADED);
}

static void a_report_without_hits_says_nothing_about_ours(void **state)
{
    struct made m;
    (void)state;
    open_facts(&m);
    add(&m, "P", MODULE_NOT_LOADED, NULL);
    add(&m, "P", MODULE_EXTERNAL, m.theirs);
    struct facts facts = applied(&m);
    assert_int_equal(facts.modules[0].state, MODULE_NOT_LOADED);
    assert_int_equal(facts.counts_count, 1);
}

static int open_arena(void **state)
{
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    return 0;
}

static int close_arena(void **state)
{
    (void)state;
    arena_free(&arena);
    return 0;
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(hits_go_where_a_line_did_not_run),
    cmocka_unit_test(several_reports_give_the_most),
    cmocka_unit_test(hits_of_one_report_in_several_runs_add_up),
    cmocka_unit_test(a_line_that_ran_in_another_build_ran),
    cmocka_unit_test(hits_go_to_the_assembly_of_that_name),
    cmocka_unit_test(without_a_name_to_the_first_unless_the_line_ran),
    cmocka_unit_test(of_their_report_other_files_are_left),
    cmocka_unit_test(a_report_of_measured_files_alone_is_skipped),
    cmocka_unit_test(an_assembly_that_only_they_loaded_was_loaded),
    cmocka_unit_test(a_report_without_hits_says_nothing_about_ours),
};
UNIT_TESTS_WITH(tests, open_arena, close_arena);

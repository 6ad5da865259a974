
#include <stdio.h>

#include "tests/support/check.h"
#include "tests/support/facts_fixture.h"
#include "tests/support/test_arena.h"
#include "tests/support/whole_report.h"

/* What a test wrote down in the order of its own is put in that of facts. */
static struct report build_with(const struct facts *facts, const struct report_options *options)
{
    struct report report;
    struct err err = {0};
    struct facts sorted = *facts;
    assert_true(facts_sort(&sorted, &arena, &err));
    assert_true(facts_check(&sorted, &err));
    if (!whole_report_build(&report, &sorted, options, &arena, &err))
        fail_msg("%s", err.text);
    return report;
}

static struct report build(const struct facts *facts)
{
    static const struct report_options options;
    return build_with(facts, &options);
}

/* --- small facts: one module whose counts are told beside its statements ---------------------- */

enum {
    METHODS = 8,
    STATEMENTS = 16,
    DECISIONS = 8,
    COUNTS = 64
};

struct small {
    struct facts facts;
    struct fact_module modules[2];
    struct fact_run run;
    struct fact_counts counts[2];
    struct fact_document documents[2][2];
    struct fact_method methods[2][METHODS];
    struct fact_statement statements[2][STATEMENTS];
    struct fact_decision decisions[2][DECISIONS];
    uint64_t values[2][COUNTS];
};

static void start(struct small *s)
{
    *s = (struct small){0};
    for (uint32_t i = 0; i < 2; i++) {
        s->documents[i][0] =
            (struct fact_document){.path = STR("/r/A.cs"), .relative = STR("A.cs")};
        s->documents[i][1] =
            (struct fact_document){.path = STR("/r/B.cs"), .relative = STR("B.cs")};
        s->modules[i] = (struct fact_module){.name = STR("Lib"),
                                             .mvid = {(uint8_t)i},
                                             .documents = s->documents[i],
                                             .document_count = 2,
                                             .methods = s->methods[i],
                                             .statements = s->statements[i],
                                             .decisions = s->decisions[i]};
        s->counts[i] = (struct fact_counts){.module = i, .counts = s->values[i]};
    }
    s->run.root = STR("/r");
    s->facts = (struct facts){.modules = s->modules,
                              .module_count = 1,
                              .runs = &s->run,
                              .run_count = 1,
                              .counts = s->counts,
                              .counts_count = 1};
}

/* A user method of the current module, which is the last one. */
static uint32_t method(struct small *s, const char *type, const char *name)
{
    struct fact_module *module = &s->modules[s->facts.module_count - 1];
    uint32_t index = module->method_count++;
    module->methods[index] = (struct fact_method){.token = 0x06000001 + index,
                                                  .type = str_of(type),
                                                  .name = str_of(name),
                                                  .signature = STR("()"),
                                                  .user_method = index,
                                                  .entry_count = NO_INDEX};
    return index;
}

static uint32_t folded(struct small *s, const char *type, const char *name, uint32_t user)
{
    uint32_t index = method(s, type, name);
    s->modules[s->facts.module_count - 1].methods[index].user_method = user;
    return index;
}

static struct fact_statement *statement(struct small *s, uint32_t method_index, uint32_t line,
                                        uint16_t column, uint32_t end_line, uint16_t end_column,
                                        uint64_t hits)
{
    uint32_t m = s->facts.module_count - 1;
    struct fact_module *module = &s->modules[m];
    struct fact_statement *made = &module->statements[module->statement_count++];
    *made = (struct fact_statement){.method = method_index,
                                    .il_offset = module->statement_count,
                                    .start_line = line,
                                    .start_column = column,
                                    .end_line = end_line,
                                    .end_column = end_column,
                                    .count = module->count_len};
    s->values[m][module->count_len++] = hits;
    return made;
}

static void line_of(struct small *s, uint32_t method_index, uint32_t line, uint64_t hits)
{
    (void)statement(s, method_index, line, 9, line, 20, hits);
}

static void decision(struct small *s, uint32_t method_index, uint32_t line, uint32_t outcome_count,
                     const uint64_t *outcomes)
{
    uint32_t m = s->facts.module_count - 1;
    struct fact_module *module = &s->modules[m];
    uint32_t index = module->decision_count++;
    module->decisions[index] = (struct fact_decision){.method = method_index,
                                                      .il_offset = index,
                                                      .line = line,
                                                      .span = {line, line, 0, 0},
                                                      .outcome_count = outcome_count,
                                                      .is_switch = outcome_count != 2,
                                                      .first_count = module->count_len};
    for (uint32_t i = 0; i < outcome_count; i++)
        s->values[m][module->count_len++] = outcomes[i];
}

static void condition(struct small *s, uint32_t method_index, uint32_t line, uint64_t no,
                      uint64_t yes)
{
    decision(s, method_index, line, 2, (const uint64_t[]){no, yes});
}

static void next_module(struct small *s)
{
    s->facts.module_count++;
    s->facts.counts_count++;
}

/* "5:1 7:0" or, with branches, "5:1(1/2) 7:0". */
static const char *drawn(const struct report_lines *lines)
{
    struct str out;
    struct text t = text_in(&arena);
    for (uint32_t i = 0; i < lines->count; i++) {
        const struct report_line *line = &lines->lines[i];
        text_addf(&t, "%s%u:%llu", i != 0 ? " " : "", line->number, (unsigned long long)line->hits);
        if (line->condition_count != 0)
            text_addf(&t, "(%u/%u)", line->covered_count, line->outcome_count);
    }
    assert_true(text_take(&out, &t, NULL));
    return out.text;
}

static const struct report_class *only_class(const struct report *report)
{
    assert_int_equal(report->package_count, 1);
    assert_int_equal(report->packages[0].class_count, 1);
    return &report->packages[0].classes[0];
}

static const char *class_lines(const struct report *report)
{
    return drawn(&only_class(report)->lines);
}

/* --- lines ------------------------------------------------------------------------------------ */

static void line_has_the_largest_count_of_what_starts_or_ends_on_it(void **state)
{
    struct small s;
    (void)state;
    start(&s);
    uint32_t m = method(&s, "T", "M");
    (void)statement(&s, m, 1, 1, 1, 9, 3);   /* for (i = 0; */
    (void)statement(&s, m, 1, 20, 1, 29, 9); /* i < n; */
    (void)statement(&s, m, 1, 30, 3, 5, 8);  /* ends on line 3 */
    (void)statement(&s, m, 3, 7, 3, 9, 2);
    struct report report = build(&s.facts);
    assert_string_equal(class_lines(&report), "1:9 2:8 3:8");
}

static void spanned_line_belongs_to_the_innermost_statement(void **state)
{
    struct small s;
    (void)state;
    start(&s);
    uint32_t m = method(&s, "T", "M");
    (void)statement(&s, m, 1, 1, 9, 9, 5); /* outermost */
    (void)statement(&s, m, 3, 1, 7, 9, 0); /* in it */
    (void)statement(&s, m, 3, 4, 7, 5, 2); /* as many lines, but inside */
    (void)statement(&s, m, 5, 1, 5, 9, 1);
    struct report report = build(&s.facts);
    assert_string_equal(class_lines(&report), "1:5 2:5 3:2 4:2 5:1 6:2 7:2 8:5 9:5");
}

static void line_that_one_method_spans_belongs_to_the_one_that_starts_there(void **state)
{
    struct small s;
    (void)state;
    start(&s);
    uint32_t outer = method(&s, "T", "Outer"), inner = method(&s, "T", "Inner");
    (void)statement(&s, outer, 1, 1, 3, 9, 7);
    line_of(&s, inner, 2, 0);
    struct report report = build(&s.facts);
    const struct report_class *class = only_class(&report);
    assert_string_equal(drawn(&class->lines), "1:7 2:0 3:7");
    assert_string_equal(drawn(&class->methods[0].lines), "1:7 3:7");
    assert_string_equal(drawn(&class->methods[1].lines), "2:0");
}

static void class_line_has_the_largest_of_its_methods(void **state)
{
    struct small s;
    (void)state;
    start(&s);
    uint32_t a = method(&s, "T", "A"), b = method(&s, "T", "B");
    line_of(&s, a, 1, 2);
    line_of(&s, b, 1, 3);
    struct report report = build(&s.facts);
    const struct report_class *class = only_class(&report);
    assert_string_equal(drawn(&class->lines), "1:3");
    assert_string_equal(drawn(&class->methods[0].lines), "1:2");
    assert_string_equal(drawn(&class->methods[1].lines), "1:3");
    assert_int_equal(class->totals.lines_valid, 1);
    assert_int_equal(class->totals.methods_covered, 2);
}

static void what_compilers_make_is_of_its_user_method(void **state)
{
    struct small s;
    (void)state;
    start(&s);
    uint32_t lambda = folded(&s, "T/<>c", "<M>b__0", 1), m = method(&s, "T", "M");
    uint32_t deeper = folded(&s, "T/<>c/<<M>b__0>d", "MoveNext", 0);
    line_of(&s, m, 1, 4);
    line_of(&s, lambda, 2, 0);
    line_of(&s, deeper, 3, 1);
    struct report report = build(&s.facts);
    const struct report_class *class = only_class(&report);
    assert_int_equal(class->method_count, 1);
    assert_true(str_is(class->name, "T"));
    assert_true(str_is(class->methods[0].name, "M"));
    assert_string_equal(drawn(&class->methods[0].lines), "1:4 2:0 3:1");
}

static void methods_of_equal_name_are_one(void **state)
{
    struct small s;
    (void)state;
    start(&s);
    line_of(&s, method(&s, "T", "M"), 1, 1);
    line_of(&s, method(&s, "T", "M"), 2, 1);
    struct report report = build(&s.facts);
    assert_int_equal(only_class(&report)->method_count, 1);
    assert_string_equal(class_lines(&report), "1:1 2:1");
}

static void line_of_two_classes_is_of_the_one_that_starts_first(void **state)
{
    struct small s;
    (void)state;
    start(&s);
    uint32_t outer = method(&s, "T", "M"), inner = method(&s, "A/I", "N");
    (void)statement(&s, inner, 1, 40, 1, 50, 6);
    (void)statement(&s, inner, 2, 40, 2, 50, 1);
    (void)statement(&s, outer, 1, 10, 1, 20, 0);
    condition(&s, inner, 1, 3, 3);
    struct report report = build(&s.facts);
    const struct report_package *package = &report.packages[0];
    assert_int_equal(package->class_count, 2);
    assert_true(str_is(package->classes[0].name, "A/I"));
    assert_string_equal(drawn(&package->classes[0].lines), "2:1");
    assert_string_equal(drawn(&package->classes[1].lines), "1:6(2/2)");
    assert_string_equal(drawn(&package->classes[1].methods[0].lines), "1:0");
    assert_int_equal(report.totals.lines_valid, 2);
}

static void line_of_two_classes_that_start_together_is_of_the_outer_one(void **state)
{
    struct small s;
    (void)state;
    start(&s);
    (void)statement(&s, method(&s, "A", "M"), 1, 1, 1, 50, 6);
    (void)statement(&s, method(&s, "B", "N"), 1, 1, 2, 50, 6);
    struct report report = build(&s.facts);
    assert_true(str_is(only_class(&report)->name, "B"));
}

static void method_in_two_files_is_in_two_classes(void **state)
{
    struct small s;
    (void)state;
    start(&s);
    uint32_t m = method(&s, "T", ".ctor");
    statement(&s, m, 1, 1, 1, 9, 1)->document = 1;
    line_of(&s, m, 1, 1);
    struct report report = build(&s.facts);
    assert_int_equal(report.packages[0].class_count, 2);
    assert_true(str_is(report.packages[0].classes[0].file, "A.cs"));
    assert_true(str_is(report.packages[0].classes[1].file, "B.cs"));
    assert_int_equal(report.totals.lines_valid, 2);
}

static void hits_saturate(void **state)
{
    struct small s;
    (void)state;
    start(&s);
    line_of(&s, method(&s, "T", "M"), 1, UINT64_MAX);
    next_module(&s);
    line_of(&s, method(&s, "T", "M"), 1, 7);
    struct report report = build(&s.facts);
    assert_true(only_class(&report)->lines.lines[0].hits == UINT64_MAX);
}

/* --- text on a line that ran in part ---------------------------------------------------------- */

/* "7:12-20 9:4-": the missed text of lines. */
static const char *drawn_missed(const struct report_lines *lines)
{
    struct str out;
    struct text t = text_in(&arena);
    for (uint32_t i = 0; i < lines->count; i++)
        for (uint32_t k = 0; k < lines->lines[i].missed_count; k++) {
            const struct column_range *range = &lines->lines[i].missed[k];
            text_addf(&t, "%s%u:%u-", t.len != 0 ? " " : "", lines->lines[i].number, range->start);
            if (range->end != 0)
                text_addf(&t, "%u", range->end);
        }
    assert_true(text_take(&out, &t, NULL));
    return out.text;
}

/* if (a) return 1; F(x => 2); */
static void statements_that_did_not_run_are_told_apart_on_their_line(void **state)
{
    struct small s;
    (void)state;
    start(&s);
    uint32_t m = method(&s, "T", "M"), lambda = folded(&s, "T/<>c", "<M>b__0", m);
    (void)statement(&s, m, 1, 1, 1, 7, 3);
    (void)statement(&s, m, 1, 8, 1, 17, 0);
    (void)statement(&s, m, 1, 18, 1, 28, 3);
    (void)statement(&s, lambda, 1, 25, 1, 26, 0);
    (void)statement(&s, m, 2, 1, 2, 7, 0);
    (void)statement(&s, m, 2, 8, 2, 17, 0);
    struct report report = build(&s.facts);
    const struct report_class *class = only_class(&report);
    assert_string_equal(drawn(&class->lines), "1:3 2:0");
    assert_string_equal(drawn_missed(&class->lines), "1:8-17 1:25-26");
    assert_int_equal(class->first_miss, 1);
    assert_string_equal(drawn_missed(&class->methods[0].lines), "");
}

static void statement_that_goes_on_below_is_missed_to_the_end_of_its_line(void **state)
{
    struct small s;
    (void)state;
    start(&s);
    uint32_t m = method(&s, "T", "M");
    (void)statement(&s, m, 1, 1, 1, 7, 3);
    (void)statement(&s, m, 1, 8, 3, 5, 0);
    (void)statement(&s, m, 3, 7, 3, 9, 3);
    struct report report = build(&s.facts);
    assert_string_equal(class_lines(&report), "1:3 2:0 3:3");
    assert_string_equal(drawn_missed(&only_class(&report)->lines), "1:8- 3:1-5");
}

/* Code of a constructor that the compiler put into another one as well. */
static void copy_that_ran_is_not_missed(void **state)
{
    struct small s;
    (void)state;
    start(&s);
    uint32_t a = method(&s, "T", ".ctor"), b = method(&s, "T", ".ctor");
    s.methods[0][b].signature = STR("(int)");
    for (uint32_t i = 0; i < 2; i++) {
        (void)statement(&s, i == 0 ? a : b, 1, 1, 1, 7, i);
        (void)statement(&s, i == 0 ? a : b, 1, 8, 1, 17, 0);
    }
    struct report report = build(&s.facts);
    assert_string_equal(drawn_missed(&only_class(&report)->lines), "1:8-17");
}

/* Debug and Release, one of them with fewer statements on the line. */
static void statement_that_ran_in_another_build_is_not_missed(void **state)
{
    struct small s;
    (void)state;
    start(&s);
    uint32_t m = method(&s, "T", "M");
    (void)statement(&s, m, 1, 1, 1, 7, 0);
    (void)statement(&s, m, 1, 8, 1, 17, 0);
    (void)statement(&s, m, 1, 18, 1, 20, 0);
    next_module(&s);
    (void)statement(&s, method(&s, "T", "M"), 1, 8, 1, 17, 1);
    struct report report = build(&s.facts);
    assert_string_equal(drawn_missed(&only_class(&report)->lines), "1:1-7 1:18-20");
}

static void excluded_text_is_not_missed(void **state)
{
    struct small s;
    (void)state;
    start(&s);
    uint32_t m = method(&s, "T", "M"), lambda = folded(&s, "T/<>c", "<M>b__0", m);
    (void)statement(&s, m, 1, 1, 1, 17, 3);
    statement(&s, lambda, 1, 8, 1, 10, 0)->reason = reason_of(REASON_COMMENT);
    struct report report = build(&s.facts);
    assert_string_equal(drawn_missed(&only_class(&report)->lines), "");
    assert_int_equal(only_class(&report)->first_miss, 0);
}

/* --- branches --------------------------------------------------------------------------------- */

static void conditions_of_a_line_come_in_order(void **state)
{
    struct small s;
    (void)state;
    start(&s);
    uint32_t m = method(&s, "T", "M");
    line_of(&s, m, 1, 9);
    condition(&s, m, 1, 9, 0);
    decision(&s, m, 1, 3, (const uint64_t[]){1, 0, 2});
    decision(&s, m, 1, 1, (const uint64_t[]){5}); /* one way is none */
    condition(&s, m, 7, 1, 1);                    /* no such line */
    line_of(&s, m, 9, 1);
    struct report report = build(&s.facts);
    const struct report_line *line = &only_class(&report)->lines.lines[0];
    assert_int_equal(line->condition_count, 2);
    assert_false(line->conditions[0].is_switch);
    assert_int_equal(line->conditions[0].covered_count, 1);
    assert_true(line->conditions[1].is_switch);
    assert_int_equal(line->conditions[1].outcome_hits[2], 2);
    assert_string_equal(class_lines(&report), "1:9(3/5) 9:1");
    assert_int_equal(report.totals.branches_valid, 5);
    assert_int_equal(report.totals.branches_covered, 3);
}

static void line_without_hits_has_no_outcome(void **state)
{
    struct small s;
    (void)state;
    start(&s);
    uint32_t m = method(&s, "T", "M");
    line_of(&s, m, 1, 0);
    condition(&s, m, 1, 4, 4);
    struct report report = build(&s.facts);
    const struct report_line *line = &only_class(&report)->lines.lines[0];
    assert_string_equal(class_lines(&report), "1:0(0/2)");
    assert_int_equal(line->conditions[0].outcome_hits[0], 0);
}

/* return a                  // line 1
 *     && b                  // line 2
 *     && c.Any(x => x > 1)  // line 3: nobody called the lambda
 *     && d;                 // line 4 */
static void condition_is_on_the_line_of_its_text(void **state)
{
    (void)state;
    for (int excluded = 0; excluded < 2; excluded++) { /* the lambda is */
        struct small s;
        start(&s);
        uint32_t m = method(&s, "T", "M"), lambda = folded(&s, "T/<>c", "<M>b__0", m);
        (void)statement(&s, m, 1, 1, 4, 11, 3);
        statement(&s, lambda, 3, 17, 3, 22, 0)->reason =
            excluded != 0 ? reason_of(REASON_COMMENT) : NULL;
        for (uint32_t i = 0; i < 4; i++) {
            struct fact_decision *operand = &s.modules[0].decisions[i];
            condition(&s, m, 1, 1, i % 2);
            operand->span = (struct fact_span){1 + i, 1 + i, 8, 9};
            operand->il_offset = 2 + i;
            operand->is_exact = true;
            operand->expression = i;
        }
        struct report report = build(&s.facts);
        const struct report_line *lines = only_class(&report)->lines.lines;
        assert_string_equal(class_lines(&report), "1:3(1/2) 2:3(2/2) 3:3(1/2) 4:3(2/2)");
        assert_true(report_condition_lacks(&lines[2], &lines[2].conditions[0]));
        assert_int_equal(lines[2].missed_count, 1 - excluded);
        assert_int_equal(report.totals.branches_covered, 6);
    }
}

static void copies_in_constructors_have_the_runs_of_all_and_their_conditions_once(void **state)
{
    struct small s;
    (void)state;
    start(&s);
    uint32_t a = method(&s, "T", ".ctor"), b = method(&s, "T", ".ctor");
    s.methods[0][b].signature = STR("(System.Int32)");
    line_of(&s, a, 1, 1);
    line_of(&s, b, 1, 4);
    condition(&s, a, 1, 1, 0);
    condition(&s, b, 1, 0, 4);
    struct report report = build(&s.facts);
    const struct report_class *class = only_class(&report);
    assert_string_equal(drawn(&class->lines), "1:5(2/2)");
    assert_string_equal(drawn(&class->methods[0].lines), "1:1(1/2)");
    assert_string_equal(drawn(&class->methods[1].lines), "1:4(1/2)");
    assert_int_equal(class->totals.complexity, 4);
}

/* Func<int, int> sign = x => x > 0 ? 1 : -1; in a class with two constructors */
static void copies_of_a_lambda_are_one_in_its_method(void **state)
{
    struct small s;
    (void)state;
    start(&s);
    uint32_t a = method(&s, "T", ".ctor"), b = method(&s, "T", ".ctor");
    uint32_t one = folded(&s, "T/<>c", "<.ctor>b__1_0", a);
    uint32_t other = folded(&s, "T/<>c", "<.ctor>b__2_0", a);
    s.methods[0][b].signature = STR("(System.Int32)");
    (void)statement(&s, a, 1, 1, 1, 40, 3);
    (void)statement(&s, b, 1, 1, 1, 40, 2);
    (void)statement(&s, one, 1, 20, 1, 39, 4);
    (void)statement(&s, other, 1, 20, 1, 39, 5);
    condition(&s, one, 1, 4, 0);
    condition(&s, other, 1, 1, 4);
    for (uint32_t d = 0; d < 2; d++)
        s.modules[0].decisions[d].il_offset = 100;
    struct report report = build(&s.facts);
    const struct report_class *class = only_class(&report);
    assert_string_equal(drawn(&class->lines), "1:9(2/2)");
    assert_string_equal(drawn(&class->methods[0].lines), "1:9(2/2)");
    assert_string_equal(drawn(&class->methods[1].lines), "1:2");
    assert_int_equal(class->lines.lines[0].conditions[0].outcome_hits[0], 5);
}

/* seq { try yield 1 finally if again then F () }, also if the compiler cuts it in pieces */
static void copies_in_methods_of_a_sequence_are_one_in_its_method(void **state)
{
    static const struct {
        const char *type, *whole, *left;
    } copies[] = {
        {"N/numbers@3", "GenerateNext", "Close"},
        {"N", "numbers$cont@3", "numbers$cont@3-1"},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(copies); i++) {
        struct small s;
        start(&s);
        uint32_t m = method(&s, "N", "numbers");
        uint32_t whole = folded(&s, copies[i].type, copies[i].whole, m);
        uint32_t left = folded(&s, copies[i].type, copies[i].left, m);
        uint32_t other = folded(&s, "N/other@3", "Close", m);
        line_of(&s, whole, 1, 2);
        line_of(&s, left, 1, 3);
        condition(&s, whole, 1, 2, 0);
        condition(&s, left, 1, 1, 2);
        for (uint32_t d = 0; d < 2; d++)
            s.modules[0].decisions[d].il_offset = 100;
        (void)statement(&s, other, 1, 1, 1, 40, 4);
        struct report report = build(&s.facts);
        assert_string_equal(class_lines(&report), "1:5(2/2)");
        assert_string_equal(drawn(&only_class(&report)->methods[0].lines), "1:5(2/2)");
    }
}

/* The accessors of a record's parameter. */
static void equal_spans_elsewhere_are_not_copies(void **state)
{
    struct small s;
    (void)state;
    start(&s);
    line_of(&s, method(&s, "T", "get_P"), 1, 3);
    line_of(&s, method(&s, "T", "set_P"), 1, 2);
    line_of(&s, method(&s, "U", ".ctor"), 2, 3);
    line_of(&s, method(&s, "V", ".ctor"), 3, 2);
    struct report report = build(&s.facts);
    assert_string_equal(drawn(&report.packages[0].classes[0].lines), "1:3");
}

static void what_was_inlined_is_left_out_unless_it_ran(void **state)
{
    (void)state;
    for (uint64_t hits = 0; hits < 2; hits++) {
        struct small s;
        start(&s);
        uint32_t m = method(&s, "T", "M"), inlined = method(&s, "T", "N");
        s.methods[0][inlined].reason = reason_of(REASON_INLINED);
        line_of(&s, m, 1, 3);
        line_of(&s, inlined, 2, 0);
        line_of(&s, folded(&s, "T/N@2", "Invoke", inlined), 3, hits);
        struct report report = build(&s.facts);
        assert_string_equal(class_lines(&report), hits == 0 ? "1:3" : "1:3 2:0 3:1");
        assert_int_equal(report.totals.methods_valid, 1 + hits);
        assert_int_equal(report.omission_count, 1 - hits);
        assert_int_equal(report.exclusion_count, 1 - hits);
    }
}

static void conditions_of_different_code_on_a_line_are_listed(void **state)
{
    struct small s;
    (void)state;
    start(&s);
    uint32_t a = method(&s, "T", "get_P"), b = method(&s, "T", "set_P"), c = method(&s, "T", "x");
    (void)statement(&s, a, 1, 10, 1, 20, 1);
    (void)statement(&s, b, 1, 30, 1, 40, 1);
    (void)statement(&s, c, 1, 30, 1, 40, 1); /* a copy of the second */
    condition(&s, a, 1, 1, 0);
    condition(&s, b, 1, 1, 0);
    condition(&s, c, 1, 0, 1);
    struct report report = build(&s.facts);
    assert_string_equal(class_lines(&report), "1:1(3/4)");
    assert_string_equal(drawn(&only_class(&report)->methods[1].lines), "1:1(1/2)");
}

static void complexity_is_branches_less_decisions_and_one(void **state)
{
    struct small s;
    (void)state;
    start(&s);
    uint32_t m = method(&s, "T", "M"), n = method(&s, "T", "N");
    line_of(&s, m, 1, 1);
    condition(&s, m, 1, 1, 1);
    condition(&s, m, 1, 1, 1);
    line_of(&s, m, 2, 1);
    decision(&s, m, 2, 5, (const uint64_t[]){1, 0, 0, 0, 0});
    line_of(&s, n, 3, 1);
    struct report report = build(&s.facts);
    assert_int_equal(only_class(&report)->methods[0].totals.complexity, 7);
    assert_int_equal(only_class(&report)->methods[1].totals.complexity, 1);
    assert_int_equal(report.totals.complexity, 8);
}

/* --- builds of one assembly ------------------------------------------------------------------- */

static void builds_are_added_up(void **state)
{
    struct small s;
    (void)state;
    start(&s);
    uint32_t m = method(&s, "T", "M");
    line_of(&s, m, 1, 1);
    line_of(&s, m, 2, 0);
    condition(&s, m, 1, 1, 0);
    next_module(&s);
    uint32_t n = method(&s, "T", "N");
    m = method(&s, "T", "M");
    line_of(&s, m, 1, 2);
    line_of(&s, n, 5, 3);
    condition(&s, m, 1, 0, 2);
    struct report report = build(&s.facts);
    assert_string_equal(class_lines(&report), "1:3(2/2) 2:0 5:3");
    assert_int_equal(only_class(&report)->lines.lines[0].conditions[0].outcome_hits[1], 2);
    assert_int_equal(report.totals.methods_valid, 2);
    assert_int_equal(report.totals.lines_valid, 3);
}

static void builds_that_test_the_opposite_are_added_crosswise(void **state)
{
    static const struct {
        enum outcome_words first, second, sum;
        uint64_t hits[2];
    } cases[] = {
        {WORDS_FALSE_TRUE, WORDS_FALSE_TRUE, WORDS_FALSE_TRUE, {5, 0}},
        {WORDS_FALSE_TRUE, WORDS_TRUE_FALSE, WORDS_FALSE_TRUE, {3, 2}},
        {WORDS_NULL_VALUE, WORDS_VALUE_NULL, WORDS_NULL_VALUE, {3, 2}},
        {WORDS_END_BODY, WORDS_BODY_END, WORDS_END_BODY, {3, 2}},
        {WORDS_FALSE_TRUE, WORDS_UNKNOWN, WORDS_UNKNOWN, {5, 0}},
        {WORDS_UNKNOWN, WORDS_TRUE_FALSE, WORDS_UNKNOWN, {5, 0}},
        {WORDS_FALSE_TRUE, WORDS_NULL_VALUE, WORDS_UNKNOWN, {5, 0}},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct small s;
        start(&s);
        for (int second = 0; second < 2; second++) {
            if (second != 0)
                next_module(&s);
            uint32_t m = method(&s, "T", "M");
            line_of(&s, m, 1, 1);
            condition(&s, m, 1, second != 0 ? 2 : 3, 0);
            s.modules[s.facts.module_count - 1].decisions[0].words =
                second != 0 ? cases[i].second : cases[i].first;
        }
        struct report report = build(&s.facts);
        const struct report_condition *sum = only_class(&report)->lines.lines[0].conditions;
        assert_int_equal(sum->words, cases[i].sum);
        assert_int_equal(sum->outcome_hits[0], cases[i].hits[0]);
        assert_int_equal(sum->outcome_hits[1], cases[i].hits[1]);
    }
}

/* Added up place by place, one condition would have what another did. */
static void build_with_more_outcomes_wins(void **state)
{
    struct small s;
    (void)state;
    start(&s);
    uint32_t m = method(&s, "T", "M");
    line_of(&s, m, 1, 1);
    condition(&s, m, 1, 1, 0);
    condition(&s, m, 1, 1, 0);
    line_of(&s, m, 2, 1);
    condition(&s, m, 2, 1, 0);
    condition(&s, m, 2, 1, 0);
    next_module(&s);
    m = method(&s, "T", "M");
    line_of(&s, m, 1, 1);
    condition(&s, m, 1, 0, 1);
    decision(&s, m, 1, 3, (const uint64_t[]){1, 0, 0});
    line_of(&s, m, 2, 1);
    condition(&s, m, 2, 0, 1);
    struct report report = build(&s.facts);
    const struct report_line *line = &only_class(&report)->lines.lines[0];
    assert_string_equal(class_lines(&report), "1:2(2/5) 2:2(2/4)");
    assert_int_equal(line->conditions[0].covered_count, 1);
    assert_true(line->conditions[1].is_switch);
}

/* The text of the second condition is known in one of the builds, whatever their order. */
static void build_that_knows_where_a_condition_stands_is_followed(void **state)
{
    static const char *const drawn_lines[] = {"1:2(2/2) 2:2(2/2)", "1:2(1/2) 2:2(1/2)"};
    (void)state;
    for (uint32_t known = 0; known < 2; known++)
        for (uint32_t more = 0; more < 2; more++) { /* conditions in the other build */
            struct small s;
            start(&s);
            for (uint32_t i = 0; i < 2; i++) {
                uint32_t m = method(&s, "T", "M");
                (void)statement(&s, m, 1, 1, 2, 9, 1);
                condition(&s, m, 1, i == known, i != known);
                condition(&s, m, 1, i == known, i != known);
                if (i == known) {
                    s.decisions[i][1].span = (struct fact_span){2, 2, 8, 9};
                    s.decisions[i][1].is_exact = true;
                } else if (more != 0) {
                    condition(&s, m, 1, 1, 1);
                }
                if (i == 0)
                    next_module(&s);
            }
            struct report report = build(&s.facts);
            assert_string_equal(class_lines(&report), drawn_lines[more]);
        }
}

static void assembly_that_one_build_loaded_was_loaded(void **state)
{
    struct small s;
    (void)state;
    start(&s);
    line_of(&s, method(&s, "T", "M"), 1, 0);
    s.modules[0].state = MODULE_NOT_LOADED;
    struct report report = build(&s.facts);
    assert_true(report.packages[0].not_loaded);
    next_module(&s);
    line_of(&s, method(&s, "T", "M"), 1, 2);
    report = build(&s.facts);
    assert_false(report.packages[0].not_loaded);
    assert_string_equal(class_lines(&report), "1:2");
    s.modules[1].state = MODULE_SKIPPED;
    s.modules[1].reason = ERROR_REASON("of another architecture");
    report = build(&s.facts);
    assert_true(report.packages[0].not_loaded);
    assert_string_equal(class_lines(&report), "1:0");
    assert_int_equal(report.omission_count, 1);
}

/* --- what is left out ------------------------------------------------------------------------- */

static void assert_omission(const struct report *report, uint32_t index, const char *module,
                            const char *name, const char *reason)
{
    assert_true(index < report->omission_count);
    assert_true(str_is(report->omissions[index].module, module));
    assert_true(str_is(report->omissions[index].method, name));
    assert_reason(report->omissions[index].reason, reason);
}

static void omissions_are_listed_once_and_in_order(void **state)
{
    struct facts facts;
    (void)state;
    fixture_facts(&facts, &arena);
    struct report report = build(&facts);
    assert_int_equal(report.omission_count, 4);
    assert_omission(&report, 0, "Shop.Core", "Shop.Order.Dump()", "ExcludeFromCodeCoverage");
    assert_omission(&report, 1, "Shop.Core", "Shop.Order.Raw(System.Byte*)", "has an odd clause");
    assert_omission(&report, 2, "Shop.Legacy", "", "no symbols");
    assert_omission(&report, 3, "Shop.Web", "", "outside the root");
}

static void refused_user_method_lends_its_name(void **state)
{
    struct small s;
    (void)state;
    start(&s);
    uint32_t m = method(&s, "T", "M"), next = folded(&s, "T/<M>d__0", "MoveNext", 0);
    s.methods[0][m].state = METHOD_DECLINED;
    s.methods[0][m].reason = ERROR_REASON("odd");
    line_of(&s, m, 1, 1);
    line_of(&s, next, 2, 1);
    struct report report = build(&s.facts);
    assert_true(str_is(only_class(&report)->methods[0].name, "M"));
    assert_string_equal(class_lines(&report), "2:1");
    assert_omission(&report, 0, "Lib", "T.M()", "odd");
    s.methods[0][next].state = METHOD_DECLINED;
    s.methods[0][next].reason = ERROR_REASON("odder");
    report = build(&s.facts);
    assert_int_equal(report.package_count, 0);
    assert_int_equal(report.omission_count, 3);
    assert_omission(&report, 0, "Lib", "", "all of its statements are left out");
    assert_omission(&report, 2, "Lib", "T/<M>d__0.MoveNext()", "odder");
}

static void excluded_user_method_takes_along_what_is_folded(void **state)
{
    struct small s;
    (void)state;
    start(&s);
    uint32_t m = method(&s, "T", "M"), next = folded(&s, "T/<M>d__0", "MoveNext", 0);
    s.methods[0][m].state = METHOD_EXCLUDED;
    line_of(&s, next, 2, 1);
    line_of(&s, method(&s, "T", "N"), 3, 1);
    struct report report = build(&s.facts);
    assert_string_equal(class_lines(&report), "3:1");
    assert_int_equal(report.omission_count, 1);
}

static void excluded_types_and_assemblies_are_left_out(void **state)
{
    struct facts facts;
    struct pattern exclude[2];
    struct report_options options = {.exclude = exclude, .exclude_count = 2};
    (void)state;
    fixture_facts(&facts, &arena);
    assert_true(pattern_parse(&exclude[0], STR("[Shop.Core]*/Inner"), NULL));
    assert_true(pattern_parse(&exclude[1], STR("[shop.data]*"), NULL));
    struct report report = build_with(&facts, &options);
    assert_int_equal(report.package_count, 2);
    assert_true(str_is(report.packages[0].name, "Shop.Core"));
    assert_int_equal(report.packages[0].class_count, 2);
    assert_omission(&report, 2, "Shop.Core", "Shop.Order/Inner.Once()",
                    "excluded by -x [Shop.Core]*/Inner");
    assert_omission(&report, 3, "Shop.Data", "", "excluded by -x [shop.data]*");
    /* Line 50 was shared with the excluded type. */
    assert_int_equal(report.packages[0].classes[1].lines.lines[17].number, 50);
    assert_int_equal(report.packages[0].classes[1].lines.lines[17].hits, 0);
}

static void omissions_are_as_many_as_it_takes(void **state)
{
    struct facts facts;
    struct pattern exclude;
    struct report_options options = {.exclude = &exclude, .exclude_count = 1};
    (void)state;
    fixture_large(&facts, 300, &arena);
    assert_true(pattern_parse(&exclude, STR("[*]Large.*"), NULL));
    struct report report = build_with(&facts, &options);
    assert_int_equal(report.package_count, 0);
    assert_int_equal(report.omission_count, 301);
    assert_omission(&report, 0, "Large", "", "excluded by -x [*]Large.*");
    assert_omission(&report, 1, "Large", "Large.Type0.Method0()", "excluded by -x [*]Large.*");
}

static void excluded_files_are_left_out(void **state)
{
    static const struct {
        const char *glob;
        uint64_t lines; /* that stay of 25 */
    } cases[] = {
        {"src/Core/*", 5}, {"**/Order.cs", 6}, {"**/src/Core/**", 5}, {"*.Parts.cs", 24},
        {"Order.cs", 25},  {"**/*.cs", 0},     {"src/?ata/*", 22},    {"SRC/Core/*", 25},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct facts facts;
        struct str glob = str_of(cases[i].glob);
        struct report_options options = {.exclude_files = &glob, .exclude_file_count = 1};
        fixture_facts(&facts, &arena);
        struct report report = build_with(&facts, &options);
        assert_int_equal(report.totals.lines_valid, cases[i].lines);
        if (cases[i].lines == 0)
            assert_omission(&report, 0, "Shop.Core", "", "excluded by --exclude-files");
    }
}

/* run --exclude-files: the data file says so, and no report without options brings it back. */
static void files_that_the_run_left_out_stay_out(void **state)
{
    struct facts facts;
    (void)state;
    fixture_facts(&facts, &arena);
    struct fact_module *core = &facts.modules[FIXTURE_CORE];
    uint64_t before = build(&facts).totals.lines_valid;
    for (uint32_t i = 0; i < core->document_count; i++)
        core->documents[i].reason = reason_of(REASON_EXCLUDED_FILE);
    struct report report = build(&facts);
    assert_true(report.totals.lines_valid < before);
    for (uint32_t i = 0; i < report.package_count; i++)
        for (uint32_t j = 0; j < report.packages[i].class_count; j++)
            if (str_is(report.packages[i].classes[j].file, "src/Core/Order.Parts.cs"))
                fail_msg("%s", "src/Core/Order.Parts.cs is reported");
}

static void first_measured_module_without_a_line_is_named(void **state)
{
    struct small s;
    (void)state;
    start(&s);
    (void)method(&s, "T", "M");
    s.modules[0].state = MODULE_SKIPPED;
    assert_null(build(&s.facts).first_empty.reason);
    s.modules[0].state = MODULE_INSTRUMENTED;
    struct report report = build(&s.facts);
    assert_str(report.first_empty.module, "Lib");
    assert_reason(report.first_empty.reason, "none of its methods has a statement");
}

static void module_without_statements_says_why(void **state)
{
    struct small s;
    (void)state;
    start(&s);
    (void)method(&s, "T", "M");
    struct report report = build(&s.facts);
    assert_omission(&report, 0, "Lib", "", "none of its methods has a statement");
    s.modules[0].reason = ERROR_REASON("no symbols");
    report = build(&s.facts);
    assert_omission(&report, 0, "Lib", "", "no symbols");
    assert_int_equal(report.package_count, 0);
}

static void assembly_without_symbols_counts_by_method(void **state)
{
    struct small s;
    (void)state;
    start(&s);
    s.modules[0].reason = ERROR_REASON("no symbols");
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t m = method(&s, "T", i < 3 ? &"MNOP"[i] : "Excluded");
        s.modules[0].methods[m].entry_count = s.modules[0].count_len;
        s.values[0][s.modules[0].count_len++] = i == 1 ? 7 : 0;
    }
    s.modules[0].methods[3].state = METHOD_EXCLUDED;
    (void)method(&s, "T", "Abstract");
    struct report report = build(&s.facts);
    assert_int_equal(report.package_count, 1);
    assert_int_equal(report.packages[0].class_count, 0);
    assert_true(report.totals.methods_valid == 3 && report.totals.methods_covered == 1);
    assert_true(report.totals.lines_valid == 0);
}

/* --- the whole -------------------------------------------------------------------------------- */

static void order_is_by_name_whatever_came_first(void **state)
{
    struct small s;
    (void)state;
    start(&s);
    s.modules[0].name = STR("Z");
    line_of(&s, method(&s, "B", "Y"), 5, 1);
    line_of(&s, method(&s, "A", "X"), 9, 1);
    line_of(&s, method(&s, "B", "Z"), 3, 1);
    line_of(&s, method(&s, "B", "A"), 5, 1);
    next_module(&s);
    s.modules[1].name = STR("Y");
    line_of(&s, method(&s, "A", "X"), 9, 1);
    struct report report = build(&s.facts);
    assert_true(str_is(report.packages[0].name, "Y"));
    const struct report_package *package = &report.packages[1];
    assert_true(str_is(package->classes[0].name, "A"));
    const struct report_class *class = &package->classes[1];
    assert_true(str_is(class->methods[0].name, "Z"));
    assert_true(str_is(class->methods[1].name, "A"));
    assert_true(str_is(class->methods[2].name, "Y"));
}

static void totals_are_those_of_the_fixture(void **state)
{
    struct facts facts;
    struct report_options options = {.timestamp = 77};
    (void)state;
    fixture_facts(&facts, &arena);
    struct report report = build_with(&facts, &options);
    assert_int_equal(report.package_count, 3);
    assert_int_equal(report.totals.lines_valid, 25);
    assert_int_equal(report.totals.lines_covered, 20);
    assert_int_equal(report.totals.branches_valid, 14);
    assert_int_equal(report.totals.branches_covered, 9);
    assert_int_equal(report.totals.methods_valid, 14);
    assert_int_equal(report.totals.methods_covered, 10);
    assert_int_equal(report.totals.complexity, 23);
    assert_true(str_is(report.root, "/src/shop"));
    assert_int_equal(report.timestamp, 77);
    options.root = STR(".");
    report = build_with(&facts, &options);
    assert_true(str_is(report.root, "."));
}

static void nothing_gives_an_empty_report(void **state)
{
    struct facts facts = {0};
    (void)state;
    struct report report = build(&facts);
    assert_int_equal(report.package_count, 0);
    assert_int_equal(report.totals.lines_valid, 0);
    assert_true(str_is(report.root, "."));
}

static void absurd_spans_are_refused(void **state)
{
    struct small s;
    struct report report;
    struct report_options options = {0};
    struct err err = {0};
    (void)state;
    start(&s);
    uint32_t m = method(&s, "T", "M");
    for (int i = 0; i < 3; i++)
        (void)statement(&s, m, 1, 1, FACT_LINE_LIMIT - 1, 1, 1);
    assert_true(facts_check(&s.facts, &err));
    assert_false(whole_report_build(&report, &s.facts, &options, &arena, &err));
    assert_int_equal(err.code, ERR_LIMIT);
}

static void report_without_memory_says_so(void **state)
{
    struct facts facts;
    struct pattern exclude;
    struct report_options options = {.exclude = &exclude, .exclude_count = 1};
    bool ok = false;
    (void)state;
    fixture_facts(&facts, &arena);
    assert_true(pattern_parse(&exclude, STR("[*]*/Inner"), NULL));
    for (size_t limit = 0; !ok; limit += 16) {
        struct arena small;
        struct report report;
        struct err err = {0};
        arena_init(&small, NULL, 0, limit);
        ok = whole_report_build(&report, &facts, &options, &small, &err);
        if (!ok)
            assert_true(err.code == ERR_LIMIT || err.code == ERR_MEMORY);
        arena_free(&small);
    }
}

static void runs_that_began_in_the_middle_are_noted_once(void **state)
{
    struct facts facts;
    (void)state;
    fixture_facts(&facts, &arena);
    assert_int_equal(build(&facts).note_count, 0);
    assert_true(facts.run_count > 1);
    for (uint32_t i = 0; i < facts.run_count; i++) {
        facts.runs[i].kind = RUN_PARTIAL;
        facts.runs[i].reason = reason_intern(REASON_ATTACHED, STR("2026-05-01T12:00:00Z"), STR(""));
    }
    struct report report = build(&facts);
    assert_int_equal(report.note_count, 1);
    assert_str(report.notes[0], "attached at 2026-05-01T12:00:00Z: what ran before is not counted; "
                                "missed lines may have run then");
    for (uint32_t i = 0; i < facts.run_count; i++)
        facts.runs[i].kind = RUN_CARRIED;
    assert_int_equal(build(&facts).note_count, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)

static const struct CMUnitTest tests[] = {
    TEST(line_has_the_largest_count_of_what_starts_or_ends_on_it),
    TEST(spanned_line_belongs_to_the_innermost_statement),
    TEST(line_that_one_method_spans_belongs_to_the_one_that_starts_there),
    TEST(class_line_has_the_largest_of_its_methods),
    TEST(what_compilers_make_is_of_its_user_method),
    TEST(methods_of_equal_name_are_one),
    TEST(line_of_two_classes_is_of_the_one_that_starts_first),
    TEST(line_of_two_classes_that_start_together_is_of_the_outer_one),
    TEST(method_in_two_files_is_in_two_classes),
    TEST(hits_saturate),
    TEST(statements_that_did_not_run_are_told_apart_on_their_line),
    TEST(statement_that_goes_on_below_is_missed_to_the_end_of_its_line),
    TEST(copy_that_ran_is_not_missed),
    TEST(statement_that_ran_in_another_build_is_not_missed),
    TEST(excluded_text_is_not_missed),
    TEST(conditions_of_a_line_come_in_order),
    TEST(line_without_hits_has_no_outcome),
    TEST(condition_is_on_the_line_of_its_text),
    TEST(copies_in_constructors_have_the_runs_of_all_and_their_conditions_once),
    TEST(copies_of_a_lambda_are_one_in_its_method),
    TEST(copies_in_methods_of_a_sequence_are_one_in_its_method),
    TEST(equal_spans_elsewhere_are_not_copies),
    TEST(what_was_inlined_is_left_out_unless_it_ran),
    TEST(conditions_of_different_code_on_a_line_are_listed),
    TEST(complexity_is_branches_less_decisions_and_one),
    TEST(builds_are_added_up),
    TEST(builds_that_test_the_opposite_are_added_crosswise),
    TEST(build_with_more_outcomes_wins),
    TEST(build_that_knows_where_a_condition_stands_is_followed),
    TEST(assembly_that_one_build_loaded_was_loaded),
    TEST(omissions_are_listed_once_and_in_order),
    TEST(refused_user_method_lends_its_name),
    TEST(excluded_user_method_takes_along_what_is_folded),
    TEST(excluded_types_and_assemblies_are_left_out),
    TEST(omissions_are_as_many_as_it_takes),
    TEST(excluded_files_are_left_out),
    TEST(files_that_the_run_left_out_stay_out),
    TEST(first_measured_module_without_a_line_is_named),
    TEST(module_without_statements_says_why),
    TEST(assembly_without_symbols_counts_by_method),
    TEST(order_is_by_name_whatever_came_first),
    TEST(totals_are_those_of_the_fixture),
    TEST(nothing_gives_an_empty_report),
    TEST(absurd_spans_are_refused),
    TEST(report_without_memory_says_so),
    TEST(runs_that_began_in_the_middle_are_noted_once),
};
UNIT_TESTS(tests);

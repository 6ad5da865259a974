#include "reporters/report/json_parts.h"

#include "base/hex.h"
#include "coverage/report/why.h"

void json_put_totals(struct json_writer *json, const struct report_totals *totals)
{
    jw_begin_line(json, "totals", '{');
    jw_share(json, "lines", totals->lines_covered, totals->lines_valid);
    jw_share(json, "branches", totals->branches_covered, totals->branches_valid);
    jw_share(json, "methods", totals->methods_covered, totals->methods_valid);
    jw_number(json, "complexity", totals->complexity);
    jw_end(json, '}');
}

static void write_span(struct json_writer *json, const struct fact_span *span)
{
    jw_begin(json, "span", '{');
    jw_number(json, "start_line", span->start_line);
    jw_number(json, "start_column", span->start_column);
    jw_number(json, "end_line", span->end_line);
    jw_number(json, "end_column", span->end_column);
    jw_end(json, '}');
}

/* What the outcomes are called, if that is certain. */
static void write_words(struct json_writer *json, enum outcome_words words)
{
    static const char *const names[WORDS_LAST + 1][2] = {
        [WORDS_FALSE_TRUE] = {"false", "true"}, [WORDS_TRUE_FALSE] = {"true", "false"},
        [WORDS_VALUE_NULL] = {"value", "null"}, [WORDS_NULL_VALUE] = {"null", "value"},
        [WORDS_BODY_END] = {"body", "end"},     [WORDS_END_BODY] = {"end", "body"},
    };
    if (words == WORDS_UNKNOWN)
        return;
    jw_begin(json, "outcomes", '[');
    for (int i = 0; i < 2; i++)
        jw_text_c(json, NULL, names[words][i]);
    jw_end(json, ']');
}

static void write_json_condition(struct json_writer *json, const struct report_condition *condition)
{
    jw_begin(json, NULL, '{');
    jw_text(json, "kind", condition->is_switch ? STR("switch") : STR("jump"));
    jw_begin(json, "outcome_hits", '[');
    for (uint32_t i = 0; i < condition->outcome_count; i++)
        jw_number(json, NULL, condition->outcome_hits[i]);
    jw_end(json, ']');
    write_words(json, condition->words);
    if (condition->span.start_column != 0) {
        write_span(json, &condition->span);
        jw_bool(json, "exact", condition->is_exact);
        jw_number(json, "expression", condition->expression);
    }
    jw_end(json, '}');
}

/* On a line that ran in part. */
static void write_missed(struct json_writer *json, const struct report_line *line)
{
    if (line->missed_count == 0)
        return;
    jw_begin(json, "missed", '[');
    for (uint32_t i = 0; i < line->missed_count; i++) {
        jw_begin(json, NULL, '{');
        jw_number(json, "start_column", line->missed[i].start);
        if (line->missed[i].end != 0)
            jw_number(json, "end_column", line->missed[i].end);
        jw_end(json, '}');
    }
    jw_end(json, ']');
}

/* Why the line did not run: none of these happened. */
static void write_why(struct json_writer *json, const struct report_why *why)
{
    static const char *const kinds[CAUSE_LAST + 1] = {
        [CAUSE_ENTRY] = "called",       [CAUSE_COMPLETED] = "completed",
        [CAUSE_CLEANED_UP] = "cleanup", [CAUSE_RESUMED] = "resumed",
        [CAUSE_CAUGHT] = "caught",      [CAUSE_LEFT] = "left",
        [CAUSE_OUTCOME] = "outcome",
    };
    static const char *const earlier[] = {
        [EARLIER_NOTHING] = "",
        [EARLIER_MAY_HAVE_RUN] = "may_have_run",
        [EARLIER_WAS_RUNNING] = "was_running",
    };
    jw_begin(json, "never", '[');
    for (uint32_t i = 0; i < why->root_count; i++) {
        const struct why_root *root = &why->roots[i];
        jw_begin(json, NULL, '{');
        jw_text_c(json, "kind", kinds[root->kind]);
        if (why_line(root) != 0)
            jw_number(json, "line", why_line(root));
        if (root->kind == CAUSE_OUTCOME)
            jw_number(json, "outcome", root->outcome);
        if (why_condition(root) != NULL)
            write_span(json, why_condition(root));
        if (why->earlier != EARLIER_NOTHING)
            jw_text_c(json, "earlier", earlier[why->earlier]);
        jw_end(json, '}');
    }
    jw_end(json, ']');
}

/* Which tests ran the line: the union of sets. */
static void write_line_tests(struct json_writer *json, const struct line_tests *tests)
{
    struct index_runs runs = index_set_runs(tests->sets);
    uint32_t first, end;
    jw_number(json, "tests", tests->test_count);
    jw_begin(json, "test_sets", '[');
    while (index_set_next(&runs, &first, &end))
        for (uint32_t set = first; set < end; set++)
            jw_number(json, NULL, set);
    jw_end(json, ']');
}

static void write_json_line(struct json_writer *json, const struct report_line *line)
{
    jw_begin_line(json, NULL, '{');
    jw_number(json, "number", line->number);
    jw_number(json, "hits", line->hits);
    jw_begin(json, "conditions", '[');
    for (uint32_t i = 0; i < line->condition_count; i++)
        write_json_condition(json, &line->conditions[i]);
    jw_end(json, ']');
    write_missed(json, line);
    if (line->why != NULL)
        write_why(json, line->why);
    if (line->tests != NULL)
        write_line_tests(json, line->tests);
    jw_end(json, '}');
}

static void write_json_lines(struct json_writer *json, const struct report_lines *lines)
{
    jw_begin(json, "lines", '[');
    for (uint32_t i = 0; i < lines->count; i++)
        write_json_line(json, &lines->lines[i]);
    jw_end(json, ']');
}

static void write_json_method(struct json_writer *json, const struct report_method *method)
{
    jw_begin(json, NULL, '{');
    jw_text(json, "name", method->name);
    jw_text(json, "signature", method->signature);
    jw_text(json, "display_name", method->display.name);
    jw_text(json, "display_signature", method->display.signature);
    json_put_totals(json, &method->totals);
    write_json_lines(json, &method->lines);
    jw_end(json, '}');
}

void json_put_class(struct json_writer *json, const struct report_class *class)
{
    jw_begin(json, NULL, '{');
    jw_text(json, "name", class->name);
    jw_text(json, "display_name", class->display_name);
    jw_text(json, "file", class->file);
    json_put_totals(json, &class->totals);
    jw_begin(json, "methods", '[');
    for (uint32_t i = 0; i < class->method_count; i++)
        write_json_method(json, &class->methods[i]);
    jw_end(json, ']');
    write_json_lines(json, &class->lines);
    jw_end(json, '}');
}

void json_put_test(struct json_writer *json, const struct fact_test *test)
{
    static const char *const kinds[] = {[TEST_METHOD] = "test",
                                        [TEST_CLASS] = "class",
                                        [TEST_STATIC] = "static",
                                        [TEST_OUTSIDE] = "outside"};
    static const char *const ends[] = {
        [TEST_END_UNKNOWN] = "unknown", [TEST_RETURNED] = "returned", [TEST_THREW] = "threw"};
    jw_text(json, "name", test->name);
    jw_text_c(json, "kind", kinds[test->kind]);
    jw_text_c(json, "ended", ends[test->end]);
    jw_number(json, "rows", test->rows);
}

void json_put_test_set(struct json_writer *json, const char *key, struct view set)
{
    struct index_runs runs = index_set_runs(set);
    uint32_t first, end;
    jw_begin_line(json, key, '[');
    while (index_set_next(&runs, &first, &end)) {
        jw_begin(json, NULL, '[');
        jw_number(json, NULL, first);
        jw_number(json, NULL, end - 1);
        jw_end(json, ']');
    }
    jw_end(json, ']');
}

/* A build of the assembly, as `ilcov inspect` names it. */
static void write_json_module(struct json_writer *json, const struct report_module *module)
{
    char identity[HEX_ROOM(sizeof module->identity)];
    jw_begin_line(json, NULL, '{');
    jw_text(json, "name", module->name);
    jw_text_c(json, "identity", hex_of(identity, module->identity, sizeof module->identity));
    jw_end(json, '}');
}

void json_put_package_head(struct json_writer *json, const struct report_package *package)
{
    jw_text(json, "name", package->name);
    jw_bool(json, "not_loaded", package->not_loaded);
    jw_begin(json, "modules", '[');
    for (uint32_t i = 0; i < package->module_count; i++)
        write_json_module(json, &package->modules[i]);
    jw_end(json, ']');
    json_put_totals(json, &package->totals);
}

/* The text may be reworded; the code never changes (contract/reason.def). */
static bool write_reason(struct json_writer *json, const struct reason *reason, struct err *err)
{
    char buffer[512];
    struct arena arena;
    struct str text;
    arena_init(&arena, buffer, sizeof buffer, ARENA_NO_LIMIT);
    bool ok = reason_text(&text, reason, &arena, err);
    if (ok)
        jw_text(json, "reason", text);
    if (ok && reason != NULL)
        jw_number(json, "code", reason->code);
    arena_free(&arena);
    return ok;
}

bool json_put_omission(struct json_writer *json, const struct report_omission *omission,
                       struct err *err)
{
    jw_text(json, "module", omission->module);
    if (omission->method.len != 0)
        jw_text(json, "method", omission->method);
    return write_reason(json, omission->reason, err);
}

bool json_put_exclusion(struct json_writer *json, const struct report_exclusion *exclusion,
                        struct err *err)
{
    jw_text(json, "module", exclusion->module);
    jw_text(json, "file", exclusion->file);
    jw_number(json, "first_line", exclusion->first_line);
    jw_number(json, "last_line", exclusion->last_line);
    jw_number(json, "line_count", exclusion->line_count);
    return write_reason(json, exclusion->reason, err);
}

void json_put_head(struct json_writer *json, const struct report *report, const char *schema)
{
    jw_text_c(json, "schema", schema);
    jw_generator(json);
    jw_signed(json, "timestamp", report->timestamp);
    jw_text(json, "root", report->root);
    jw_begin(json, "notes", '[');
    for (uint32_t i = 0; i < report->note_count; i++)
        jw_text(json, NULL, report->notes[i]);
    jw_end(json, ']');
    json_put_totals(json, &report->totals);
}

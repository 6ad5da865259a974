#include "coverage/diff/gate.h"

#include <inttypes.h>
#include <string.h>

#include "base/ascii.h"
#include "base/list.h"
#include "base/nearest.h"
#include "base/number.h"

/* Larger than any number of lines, small enough to multiply. */
enum {
    VALUE_MAX = 1000000000
};

#define METRIC_NAMES "line, branch, method, patch, patch-branch, lost or new-uncovered"

/* Ends with NULL. */
static const char *const metrics[GATE_METRIC_COUNT + 1] = {
    [GATE_LINE] = "line",
    [GATE_BRANCH] = "branch",
    [GATE_METHOD] = "method",
    [GATE_PATCH] = "patch",
    [GATE_PATCH_BRANCH] = "patch-branch",
    [GATE_LOST] = "lost",
    [GATE_NEW_UNCOVERED] = "new-uncovered",
};

static bool is_percent(enum gate_metric metric)
{
    return metric <= GATE_PATCH_BRANCH;
}

/* --- reading ---------------------------------------------------------------------------------- */

struct gate_parsing {
    struct str rest;
    struct str text;
    struct err *err;
};

static bool refuse_gate(const struct gate_parsing *p, const char *why)
{
    return err_set(p->err, ERR_USAGE, "invalid gate '%.*s': %s", STR_ARGS(p->text), why);
}

static bool take_assembly(struct gate *out, struct gate_parsing *p)
{
    if (!str_take(&p->rest, "["))
        return true;
    bool ends = memchr(p->rest.text, ']', p->rest.len) != NULL;
    out->assembly = str_take_until(&p->rest, ']');
    return (ends && out->assembly.len != 0) ||
           refuse_gate(p, "expected the name of an assembly and ']' after '['");
}

static bool is_of_metric(char c)
{
    return ascii_is_letter(c) || c == '-' || c == '_';
}

static bool refuse_metric(const struct gate_parsing *p, struct str word)
{
    const char *meant = nearest_word(word, metrics);
    if (meant == NULL)
        return err_set(p->err, ERR_USAGE,
                       "invalid gate '%.*s': unknown metric '%.*s'; expected " METRIC_NAMES,
                       STR_ARGS(p->text), STR_ARGS(word));
    return err_set(p->err, ERR_USAGE,
                   "invalid gate '%.*s': unknown metric '%.*s'; did you mean '%s'?",
                   STR_ARGS(p->text), STR_ARGS(word), meant);
}

static bool take_metric(struct gate *out, struct gate_parsing *p)
{
    struct str word = {p->rest.text, 0};
    while (word.len < p->rest.len && is_of_metric(word.text[word.len]))
        word.len++;
    p->rest = str_from(p->rest, word.len);
    for (enum gate_metric metric = 0; metric < GATE_METRIC_COUNT; metric++)
        if (str_is(word, metrics[metric])) {
            out->metric = metric;
            return true;
        }
    return word.len == 0 ? refuse_gate(p, "expected " METRIC_NAMES ", as in 'line>=80' or 'lost=0'")
                         : refuse_metric(p, word);
}

static bool take_operator(struct gate *out, struct gate_parsing *p)
{
    if (str_take(&p->rest, ">="))
        out->op = GATE_AT_LEAST;
    else if (str_take(&p->rest, "<="))
        out->op = GATE_AT_MOST;
    else if (str_take(&p->rest, "==") || str_take(&p->rest, "="))
        out->op = GATE_EXACTLY;
    else
        return refuse_gate(p, "expected >=, <= or = after the metric");
    return true;
}

static bool is_digit(const struct gate_parsing *p)
{
    return p->rest.len != 0 && ascii_is_digit(*p->rest.text);
}

static int64_t take_digit(struct gate_parsing *p)
{
    int64_t digit = *p->rest.text - '0';
    p->rest = str_from(p->rest, 1);
    return digit;
}

static bool take_gate_value(struct gate *out, struct gate_parsing *p)
{
    bool minus = str_take(&p->rest, "-"), percents = is_percent(out->metric);
    int64_t value = 0;
    out->is_relative = minus || str_take(&p->rest, "+");
    if (out->is_relative && out->metric > GATE_METHOD)
        return refuse_gate(p, "a sign compares with BASE, which only line, branch and method can");
    if (!is_digit(p))
        return refuse_gate(p, "expected a number at the end");
    while (is_digit(p)) {
        int64_t digit = take_digit(p);
        value = value <= VALUE_MAX ? value * 10 + digit : value;
    }
    if (percents) {
        value *= 100;
        if (str_take(&p->rest, ".")) {
            if (!is_digit(p))
                return refuse_gate(p, "expected a digit after '.'");
            value += 10 * take_digit(p);
            value += is_digit(p) ? take_digit(p) : 0;
        }
        (void)str_take(&p->rest, "%");
    }
    if (p->rest.len != 0)
        return refuse_gate(p, percents
                                  ? "expected a percentage with at most two decimals at the end"
                                  : "expected a whole number at the end");
    if (value > VALUE_MAX || (percents && value > 10000))
        return refuse_gate(p, percents ? "a percentage cannot be above 100"
                                       : "the number is too large");
    out->value = minus ? -value : value;
    return true;
}

bool gate_parse(struct gate *out, struct str text, struct err *err)
{
    struct gate_parsing p = {text, text, err};
    *out = (struct gate){.text = text};
    return take_assembly(out, &p) && take_metric(out, &p) && take_operator(out, &p) &&
           take_gate_value(out, &p);
}

bool gate_needs_base(const struct gate *gate)
{
    return gate->is_relative || gate->metric == GATE_LOST || gate->metric == GATE_NEW_UNCOVERED;
}

bool gate_needs_patch(const struct gate *gate)
{
    return gate->metric == GATE_PATCH || gate->metric == GATE_PATCH_BRANCH;
}

/* --- testing ---------------------------------------------------------------------------------- */

struct covered_share {
    uint64_t covered, valid;
};

static struct covered_share share_of_states(const uint64_t *states)
{
    struct covered_share share = {
        states[DIFF_KEPT] + states[DIFF_GAINED] + states[DIFF_NEW_COVERED], 0};
    for (int i = 0; i < DIFF_STATE_COUNT; i++)
        share.valid += states[i];
    return share;
}

static struct covered_share share_of_metric(enum gate_metric metric,
                                            const struct diff_totals *totals)
{
    if (metric == GATE_LINE)
        return share_of_states(totals->lines);
    if (metric == GATE_BRANCH)
        return share_of_states(totals->outcomes);
    if (metric == GATE_METHOD)
        return (struct covered_share){totals->methods_covered, totals->methods_valid};
    if (metric == GATE_PATCH)
        return (struct covered_share){totals->patch_covered, totals->patch_owed};
    return (struct covered_share){totals->patch_branches_covered, totals->patch_branches_owed};
}

static struct covered_share base_share_of(enum gate_metric metric, const struct diff_totals *totals)
{
    if (metric == GATE_LINE)
        return (struct covered_share){totals->base.lines_covered, totals->base.lines_valid};
    if (metric == GATE_BRANCH)
        return (struct covered_share){totals->base.branches_covered, totals->base.branches_valid};
    return (struct covered_share){totals->base.methods_covered, totals->base.methods_valid};
}

/* The sign of share - value, exactly: rounded shares of equal size may look unequal. Line counts
 * are below 2^24 (FACT_COUNTS_LIMIT), so their products with 10,000 are below 2^63. */
static int compare_share(struct covered_share share, int64_t x100)
{
    int64_t left = (int64_t)share.covered * 10000, right = x100 * (int64_t)share.valid;
    return (left > right) - (left < right);
}

static int compare_change(struct covered_share now, struct covered_share before, int64_t x100)
{
    int64_t valid = (int64_t)now.valid * (int64_t)before.valid;
    int64_t change =
        (int64_t)now.covered * (int64_t)before.valid - (int64_t)before.covered * (int64_t)now.valid;
    if (valid > INT64_MAX / 10000) /* more lines than any program has: precise enough */
        return (change > valid / 10000 * x100) - (change < valid / 10000 * x100);
    return (change * 10000 > x100 * valid) - (change * 10000 < x100 * valid);
}

static bool is_met(enum gate_operator op, int order)
{
    switch (op) {
    case GATE_AT_LEAST:
        return order >= 0;
    case GATE_AT_MOST:
        return order <= 0;
    case GATE_EXACTLY:
        break;
    }
    return order == 0;
}

static void add_percent(struct text *text, struct covered_share share)
{
    uint32_t x100 = number_percent_x100(share.covered, share.valid);
    text_addf(text, "%" PRIu32 ".%02" PRIu32 " %%", x100 / 100, x100 % 100);
}

static const char *metric_noun(enum gate_metric metric, uint64_t count)
{
    if (metric == GATE_BRANCH || metric == GATE_PATCH_BRANCH)
        return count == 1 ? "branch" : "branches";
    if (metric == GATE_METHOD)
        return count == 1 ? "method" : "methods";
    return count == 1 ? "line" : "lines";
}

struct gate_test {
    const struct gate *gate;
    const struct diff *diff;
    const struct diff_totals *totals;
    bool may_be_empty;
    struct gate_result *result;
    struct text why;
};

/* All code together must have something to cover: else nothing was measured. */
static void test_nothing(struct gate_test *t, struct covered_share now)
{
    enum gate_metric metric = t->gate->metric;
    bool of_patch = gate_needs_patch(t->gate);
    struct gate_result *result = t->result;
    result->was_tested = false;
    result->failed = now.valid == 0 && !of_patch && result->package.len == 0 && !t->may_be_empty;
    if (result->failed)
        text_addf(&t->why, "no %s could be covered", metric_noun(metric, 1));
    else
        text_add_c(&t->why, of_patch && t->totals->patch_owed == 0
                                ? "the patch changes no measured line"
                            : of_patch       ? "no changed line has a branch"
                            : now.valid == 0 ? "there is nothing to cover"
                                             : "there is nothing in BASE to compare with");
}

static void test_share(struct gate_test *t)
{
    enum gate_metric metric = t->gate->metric;
    struct covered_share now = share_of_metric(metric, t->totals);
    struct covered_share before = base_share_of(metric, t->totals);
    if (now.valid == 0 || (t->gate->is_relative && before.valid == 0)) {
        test_nothing(t, now);
        return;
    }
    int order = t->gate->is_relative ? compare_change(now, before, t->gate->value)
                                     : compare_share(now, t->gate->value);
    t->result->failed = !is_met(t->gate->op, order);
    if (!t->result->failed)
        return;
    add_percent(&t->why, now);
    text_addf(&t->why, " of %" PRIu64 " %s%s %s covered", now.valid,
              gate_needs_patch(t->gate) ? "changed " : "", metric_noun(metric, now.valid),
              now.valid == 1 ? "is" : "are");
    if (t->gate->is_relative) {
        text_add_c(&t->why, ", in BASE ");
        add_percent(&t->why, before);
        text_addf(&t->why, " of %" PRIu64, before.valid);
    }
}

static bool lacks_assembly(const struct gate_test *t)
{
    struct str assembly = t->gate->assembly;
    for (uint32_t i = 0; i < t->diff->missing_count && gate_needs_base(t->gate); i++)
        if (assembly.len == 0 || str_glob_nocase(assembly, t->diff->missing[i]))
            return true;
    return false;
}

/* Why what the gate is about is not known, or NULL: what is known may pass, what is not might
 * fail. */
static const char *why_unknown(const struct gate_test *t)
{
    const struct diff *diff = t->diff;
    if (diff->is_alone && (gate_needs_base(t->gate) || gate_needs_patch(t->gate)))
        return "there is nothing to compare with";
    if (gate_needs_patch(t->gate) && diff->patch_is_unknown)
        return "not all changed lines are known";
    if (t->gate->metric == GATE_NEW_UNCOVERED && diff->by_line)
        return "a report of another tool has no methods to compare";
    return lacks_assembly(t) ? "HEAD lacks an assembly of BASE" : NULL;
}

static uint64_t count_lost(const struct gate_test *t)
{
    struct str package = t->result->package;
    uint64_t lost = 0;
    for (uint32_t i = 0; i < t->diff->file_count; i++) {
        const struct diff_file *file = &t->diff->files[i];
        if (package.len != 0 && !str_eq(file->package, package))
            continue;
        for (uint32_t k = 0; k < file->line_count; k++)
            lost += diff_line_is_lost(&file->lines[k]);
    }
    return lost;
}

static void test_count(struct gate_test *t)
{
    bool of_lost = t->gate->metric == GATE_LOST;
    uint64_t count = of_lost ? count_lost(t) : t->totals->new_missed;
    int64_t value = t->gate->value;
    t->result->failed = !is_met(t->gate->op, ((int64_t)count > value) - ((int64_t)count < value));
    if (!t->result->failed)
        return;
    text_addf(&t->why, "%" PRIu64 " %s %s", count, count == 1 ? "line" : "lines",
              of_lost ? (count == 1 ? "is lost" : "are lost")
                      : "of added or edited methods not covered");
}

/* `totals`: NULL: there is no such assembly. */
static bool add_result(struct list *results, struct gate_test t, struct str package,
                       struct arena *arena, struct err *err)
{
    struct gate_result *result = list_add(results, sizeof *result, arena, err);
    if (result == NULL)
        return false;
    *result = (struct gate_result){.gate = t.gate, .package = package, .was_tested = true};
    t.result = result;
    t.why = text_in(arena);
    bool exists = t.totals != NULL;
    const char *unknown = exists ? why_unknown(&t) : "the report has no assembly of this name";
    if (unknown != NULL) {
        result->failed = true;
        result->was_tested = result->is_unknown = exists;
        text_add_c(&t.why, unknown);
    } else if (is_percent(t.gate->metric)) {
        test_share(&t);
    } else {
        test_count(&t);
    }
    return text_take(&result->why, &t.why, err) &&
           text_format(&result->name, arena, err, "%.*s%s%.*s", STR_ARGS(t.gate->text),
                       package.len != 0 ? ", " : "", STR_ARGS(package));
}

/* Of each assembly that the gate matches. */
static bool add_results(struct list *results, struct gate_test t, struct arena *arena,
                        struct err *err)
{
    uint32_t before = results->count;
    for (uint32_t i = 0; i < t.diff->package_count; i++) {
        const struct diff_package *package = &t.diff->packages[i];
        t.totals = &package->totals;
        if (str_glob_nocase(t.gate->assembly, package->name) &&
            !add_result(results, t, package->name, arena, err))
            return false;
    }
    t.totals = NULL;
    return results->count != before || add_result(results, t, STR(""), arena, err);
}

bool gates_test(struct diff *diff, const struct gate *gates, uint32_t count, bool may_be_empty,
                struct arena *arena, struct err *err)
{
    struct list results = {.items = NULL};
    bool ok = true;
    for (uint32_t i = 0; ok && i < count; i++) {
        const struct gate_test t = {
            .gate = &gates[i], .diff = diff, .totals = &diff->totals, .may_be_empty = may_be_empty};
        ok = gates[i].assembly.len != 0 ? add_results(&results, t, arena, err)
                                        : add_result(&results, t, STR(""), arena, err);
    }
    diff->gates = results.items;
    diff->gate_count = ok ? results.count : 0;
    return ok;
}

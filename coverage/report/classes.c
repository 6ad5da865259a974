#include "coverage/report/classes.h"

#include "base/number.h"
#include "base/sort.h"
#include "coverage/report/line_misses.h"

void report_add_totals(struct report_totals *into, const struct report_totals *from)
{
    into->lines_valid += from->lines_valid;
    into->lines_covered += from->lines_covered;
    into->branches_valid += from->branches_valid;
    into->branches_covered += from->branches_covered;
    into->methods_valid += from->methods_valid;
    into->methods_covered += from->methods_covered;
    into->complexity += from->complexity;
}

static void count_lines(struct report_totals *totals, const struct report_lines *lines)
{
    for (uint32_t i = 0; i < lines->count; i++) {
        const struct report_line *line = &lines->lines[i];
        totals->lines_valid++;
        totals->lines_covered += line->hits != 0;
        totals->branches_valid += line->outcome_count;
        totals->branches_covered += line->covered_count;
    }
}

static void count_method(struct report_method *method)
{
    uint64_t decisions = 0;
    for (uint32_t i = 0; i < method->lines.count; i++)
        decisions += method->lines.lines[i].condition_count;
    count_lines(&method->totals, &method->lines);
    method->first_line = method->lines.lines[0].number;
    method->first_miss = report_first_miss(&method->lines);
    method->totals.methods_valid = 1;
    method->totals.methods_covered = method->totals.lines_covered != 0;
    method->totals.complexity = method->totals.branches_valid - decisions + 1;
}

static void count_class(struct report_class *class)
{
    count_lines(&class->totals, &class->lines);
    class->first_line = class->lines.lines[0].number;
    class->first_miss = report_first_miss(&class->lines);
    for (uint32_t i = 0; i < class->method_count; i++) {
        class->totals.methods_valid += class->methods[i].totals.methods_valid;
        class->totals.methods_covered += class->methods[i].totals.methods_covered;
        class->totals.complexity += class->methods[i].totals.complexity;
    }
}

static int order_methods(const void *left, const void *right)
{
    const struct report_method *a = left, *b = right;
    int order = number_order(a->first_line, b->first_line);
    if (order == 0)
        order = str_cmp(a->name, b->name);
    return order != 0 ? order : str_cmp(a->signature, b->signature);
}

int class_order(const void *left, const void *right)
{
    const struct report_class *a = left, *b = right;
    int order = str_cmp(a->name, b->name);
    return order != 0 ? order : str_cmp(a->file, b->file);
}

static bool same_class(const struct owned_line *a, const struct owned_line *b)
{
    return a->type == b->type && a->file == b->file;
}

static bool same_method(const struct owned_line *a, const struct owned_line *b)
{
    return same_class(a, b) && a->owner == b->owner;
}

/* The number of runs of lines that are the `same`. */
static uint32_t count_runs(const struct owned_line *lines, uint32_t count,
                           bool (*same)(const struct owned_line *, const struct owned_line *))
{
    uint32_t runs = count != 0;
    for (uint32_t i = 1; i < count; i++)
        runs += !same(&lines[i - 1], &lines[i]);
    return runs;
}

static struct report_line *copy_lines(const struct owned_line *lines, uint32_t count,
                                      struct building *b)
{
    struct report_line *copy = arena_raw(&b->slice, count, sizeof *copy, b->err);
    for (uint32_t i = 0; copy != NULL && i < count; i++)
        copy[i] = lines[i].line;
    return copy;
}

static bool build_methods(struct report_method **out, uint32_t *out_count,
                          const struct package_lines *lines, const struct package_owner *owners,
                          struct building *b)
{
    uint32_t line_count = lines->of_methods_count;
    struct report_line *copies = copy_lines(lines->of_methods, line_count, b);
    *out_count = count_runs(lines->of_methods, line_count, same_method);
    *out = ARENA_NEW(&b->slice, struct report_method, *out_count, b->err);
    if (copies == NULL || *out == NULL)
        return false;
    struct report_method *method = *out;
    for (uint32_t i = 0, end = 0; i < line_count; i = end) {
        const struct owned_line *first = &lines->of_methods[i];
        while (end < line_count && same_method(first, &lines->of_methods[end]))
            end++;
        const struct fact_method *owner = owners[first->owner].method;
        method->name = owner->name;
        method->signature = owner->signature;
        method->display = fact_method_display(owner);
        method->lines = (struct report_lines){.lines = copies + i, .count = end - i};
        count_method(method++);
    }
    return true;
}

/* Every class line has a method line of the same class, and both lists are in the same order of
 * classes. */
bool classes_build(struct report_package *package, const struct package_lines *lines,
                   const struct package_owner *owners, const struct package_file *files,
                   struct building *b)
{
    struct report_method *methods = NULL;
    uint32_t method_count = 0, line_count = lines->of_classes_count;
    struct report_line *copies = copy_lines(lines->of_classes, line_count, b);
    package->class_count = count_runs(lines->of_classes, line_count, same_class);
    package->classes = ARENA_NEW(&b->slice, struct report_class, package->class_count, b->err);
    if (copies == NULL || package->classes == NULL ||
        !build_methods(&methods, &method_count, lines, owners, b))
        return false;
    struct report_class *class = package->classes;
    const struct owned_line *of_methods = lines->of_methods;
    const struct owned_line *of_methods_end = of_methods + lines->of_methods_count;
    for (uint32_t i = 0, end = 0; i < line_count; i = end, class ++) {
        const struct owned_line *first = &lines->of_classes[i];
        while (end < line_count && same_class(first, &lines->of_classes[end]))
            end++;
        const struct fact_method *owner = owners[of_methods->owner].method;
        class->name = owner->type;
        class->display_name = fact_method_display(owner).type;
        class->file = files[first->file].path;
        class->lines = (struct report_lines){.lines = copies + i, .count = end - i};
        class->methods = methods;
        while (of_methods < of_methods_end && same_class(first, of_methods)) {
            of_methods += methods->lines.count;
            methods++;
            class->method_count++;
        }
        sort_unless_sorted(class->methods, class->method_count, sizeof *class->methods,
                           order_methods);
        count_class(class);
        report_add_totals(&package->totals, &class->totals);
    }
    return true;
}

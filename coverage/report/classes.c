#include "coverage/report/classes.h"

#include "base/sort.h"

static void count_method(struct report_method *method)
{
    uint64_t decisions = 0;
    for (uint32_t i = 0; i < method->lines.count; i++)
        decisions += method->lines.lines[i].condition_count;
    report_count_lines(&method->totals, method->lines.lines, method->lines.count);
    method->first_line = method->lines.lines[0].number;
    method->first_miss = report_first_miss(&method->lines);
    method->totals.methods_valid = 1;
    method->totals.methods_covered = method->totals.lines_covered != 0;
    method->totals.complexity = method->totals.branches_valid - decisions + 1;
}

static void count_class(struct report_class *class)
{
    report_count_lines(&class->totals, class->lines.lines, class->lines.count);
    class->first_line = class->lines.lines[0].number;
    class->first_miss = report_first_miss(&class->lines);
    for (uint32_t i = 0; i < class->method_count; i++) {
        class->totals.methods_valid += class->methods[i].totals.methods_valid;
        class->totals.methods_covered += class->methods[i].totals.methods_covered;
        class->totals.complexity += class->methods[i].totals.complexity;
    }
}

ORDER(order_report_methods, struct report_method, BY(first_line) BY(name) BY(signature))
ORDER(order_report_classes, struct report_class, BY(name) BY(file))

int class_order(const void *left, const void *right)
{
    return order_report_classes(left, right);
}

ORDER(order_owner_lines, struct owner_lines, BY_ORDER(owner_lines_order(a, b)) BY(first))

/* Copies them to the slice, the lines of each owner together: one run for each. They come in the
 * order of files and their lines, mostly many of one owner: there are far fewer runs to sort than
 * lines, which are large. */
static struct report_line *gather_lines(struct owned_list *list, struct building *b)
{
    const struct report_line *from = list->lines.items;
    struct owner_lines *runs = list->runs.items;
    struct report_line *lines = arena_raw(&b->slice, list->lines.count, sizeof *lines, b->err);
    uint32_t put = 0, kept = 0;
    if (lines == NULL)
        return NULL;
    sort_unless_sorted(runs, list->runs.count, sizeof *runs, order_owner_lines);
    for (uint32_t i = 0; i < list->runs.count; i++) {
        struct owner_lines run = runs[i];
        memcpy(lines + put, from + run.first, run.count * sizeof *lines);
        if (kept != 0 && owner_lines_order(&runs[kept - 1], &run) == 0) {
            runs[kept - 1].count += run.count;
        } else {
            runs[kept] = run;
            runs[kept++].first = put;
        }
        put += run.count;
    }
    list->runs.count = kept;
    return lines;
}

static struct report_method *build_methods(struct owned_list *list,
                                           const struct package_item *owners, struct building *b)
{
    struct report_line *lines = gather_lines(list, b);
    const struct owner_lines *runs = list->runs.items;
    struct report_method *methods =
        ARENA_NEW(&b->slice, struct report_method, list->runs.count, b->err);
    if (lines == NULL || methods == NULL)
        return NULL;
    for (uint32_t i = 0; i < list->runs.count; i++) {
        const struct fact_method *owner = owners[runs[i].owner].method;
        methods[i] = (struct report_method){.name = owner->name,
                                            .signature = owner->signature,
                                            .display = fact_method_display(owner),
                                            .lines = {lines + runs[i].first, runs[i].count}};
        count_method(&methods[i]);
    }
    return methods;
}

/* Every class line has a method line of the same class, and both lists are in the same order of
 * classes. */
bool classes_build(struct report_package *package, struct package_lines *lines,
                   const struct package_parts *parts, struct building *b)
{
    struct report_method *methods = build_methods(&lines->of_methods, parts->owners, b);
    struct report_line *of_classes = gather_lines(&lines->of_classes, b);
    const struct owner_lines *runs = lines->of_classes.runs.items;
    const struct owner_lines *method = lines->of_methods.runs.items;
    const struct owner_lines *end = method + lines->of_methods.runs.count;
    package->class_count = lines->of_classes.runs.count;
    package->classes = ARENA_NEW(&b->slice, struct report_class, package->class_count, b->err);
    if (methods == NULL || of_classes == NULL || package->classes == NULL)
        return false;
    for (uint32_t i = 0; i < package->class_count; i++) {
        const struct fact_method *owner = parts->owners[method->owner].method;
        struct report_class *class = &package->classes[i];
        *class = (struct report_class){.name = owner->type,
                                       .display_name = fact_method_display(owner).type,
                                       .file = parts->files[runs[i].file].path,
                                       .lines = {of_classes + runs[i].first, runs[i].count},
                                       .methods = methods};
        for (; method < end && method->type == runs[i].type && method->file == runs[i].file;
             method++, methods++)
            class->method_count++;
        sort_unless_sorted(class->methods, class->method_count, sizeof *class->methods,
                           order_report_methods);
        count_class(class);
        report_add_totals(&package->totals, &class->totals);
    }
    return true;
}

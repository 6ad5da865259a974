#include "tests/support/whole_report.h"

#include <string.h>

#include "coverage/report/report_build.h"
#include "coverage/report/report_read.h"
#include "coverage/report/why.h"

struct keeping {
    struct arena *arena;
    struct err *err;
};

static void *copy(const void *items, size_t count, size_t size, const struct keeping *k)
{
    void *made = arena_raw(k->arena, count, size, k->err);
    if (made != NULL && count != 0)
        memcpy(made, items, count * size);
    return made;
}

static bool keep_conditions(struct report_line *line, const struct keeping *k)
{
    line->conditions = copy(line->conditions, line->condition_count, sizeof *line->conditions, k);
    for (uint32_t i = 0; line->conditions != NULL && i < line->condition_count; i++) {
        struct report_condition *condition = &line->conditions[i];
        condition->outcome_hits =
            copy(condition->outcome_hits, condition->outcome_count, sizeof(uint64_t), k);
        if (condition->outcome_hits == NULL)
            return false;
    }
    return line->conditions != NULL;
}

static bool keep_tests(struct report_line *line, const struct keeping *k)
{
    struct line_tests *tests = copy(line->tests, 1, sizeof *tests, k);
    line->tests = tests;
    return tests != NULL && view_copy(&tests->sets, tests->sets, k->arena, k->err);
}

static bool keep_lines(struct report_lines *out, const struct report_lines *lines,
                       const struct keeping *k)
{
    *out = (struct report_lines){copy(lines->lines, lines->count, sizeof *lines->lines, k),
                                 lines->count};
    for (uint32_t i = 0; out->lines != NULL && i < out->count; i++) {
        struct report_line *line = &out->lines[i];
        line->missed = copy(line->missed, line->missed_count, sizeof *line->missed, k);
        if (line->missed == NULL || !keep_conditions(line, k) ||
            (line->tests != NULL && !keep_tests(line, k)))
            return false;
        if (line->why != NULL && (line->why = why_copy(line->why, k->arena, k->err)) == NULL)
            return false;
    }
    return out->lines != NULL;
}

static struct report_class *own_class(const struct report_file *file,
                                      const struct report_class *class)
{
    for (uint32_t i = 0; i < file->package->class_count; i++) {
        struct report_class *own = &file->package->classes[i];
        if (str_eq(own->name, class->name) && str_eq(own->file, class->file))
            return own;
    }
    return NULL;
}

static bool keep_class(struct report_class *out, const struct report_class *class,
                       const struct keeping *k)
{
    for (uint32_t m = 0; m < class->method_count; m++)
        if (!keep_lines(&out->methods[m].lines, &class->methods[m].lines, k))
            return false;
    return keep_lines(&out->lines, &class->lines, k);
}

static bool keep_files(void *context, const struct report_file *files, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t c = 0; c < files[i].class_count; c++)
            if (!keep_class(own_class(&files[i], files[i].classes[c]), files[i].classes[c],
                            context))
                return false;
    return true;
}

bool whole_report_build(struct report *out, const struct facts *facts,
                        const struct report_options *options, struct arena *arena, struct err *err)
{
    struct report_files files;
    struct keeping k = {arena, err};
    return report_build(out, facts, options, arena, err) &&
           report_files_list(&files, out, arena, err) &&
           report_read(out, files.files, files.count, keep_files, &k, err);
}

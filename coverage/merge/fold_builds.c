#include "coverage/merge/fold_builds.h"

#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/sort.h"
#include "coverage/merge/same_code.h"

/* A build with its methods sorted by name. */
struct build {
    const struct build_part *part;
    struct code code;
    bool *is_gone;      /* of each method: it was folded into a newer build's */
    uint32_t *added_by; /* per count: the last fold that added to it; NULL until there is one */
};

ORDER(order_builds, struct build,
      BY_ORDER(number_order_signed(b->part->module->seen, a->part->module->seen))
          BY_ORDER((a->part > b->part) - (a->part < b->part)))

/* The whole method: one that is shown only in part has different lines. */
static bool is_wholly_shown(const struct build *build, const struct code_method *method)
{
    const struct fact_module *module = build->part->module;
    for (uint32_t i = 0; i < method->member_count; i++) {
        const struct code_member *member = &method->members[i];
        if (build->part->owner_of[member->method] == NO_INDEX)
            return false;
        for (uint32_t k = 0; k < member->statement_count; k++) {
            const struct fact_statement *statement =
                &module->statements[member->first_statement + k];
            if (build->part->file_of[statement->document] == NO_INDEX)
                return false;
        }
    }
    return true;
}

/* --- counts ----------------------------------------------------------------------------------- */

/* A method of one build that is being folded into a newer one. */
struct method_fold {
    struct build *to;
    const struct build *from;
    uint32_t number; /* of this fold, from 1 */
    bool replaces;   /* what was carried to it does not count */
};

/* Each place is added to once. */
static void fold_counts(void *context, uint32_t to, uint32_t from, uint32_t count)
{
    const struct method_fold *f = context;
    uint64_t *counts = f->to->part->sums->counts + to;
    const uint64_t *more = f->from->part->sums->counts + from;
    for (uint32_t i = 0; i < count; i++) {
        if (f->to->added_by[to + i] != f->number)
            counts[i] = f->replaces ? more[i] : number_add(counts[i], more[i]);
        f->to->added_by[to + i] = f->number;
    }
}

static void fold_method(struct method_fold *f, const struct code_method *kept,
                        const struct code_method *gone)
{
    struct sums *into = f->to->part->sums;
    const struct sums *more = f->from->part->sums;
    bool kept_ran = into->ran[kept->method], gone_ran = more->ran[gone->method];
    f->replaces = gone_ran && !kept_ran;
    for (uint32_t i = 0; i < kept->member_count; i++) {
        uint32_t member = kept->members[i].method, other = gone->members[i].method;
        if (!kept_ran || gone_ran)
            same_code_counts(&f->to->code, &kept->members[i], &f->from->code, &gone->members[i],
                             fold_counts, f);
        into->is_carried[member] =
            !kept_ran && !gone_ran && (into->is_carried[member] || more->is_carried[other]);
        into->ran[member] = kept_ran || gone_ran;
    }
}

/* --- methods ---------------------------------------------------------------------------------- */

/* Compiler-generated methods go with it. */
static void hide_folded(const struct build *build)
{
    const struct fact_module *module = build->part->module;
    for (uint32_t i = 0; i < module->method_count; i++)
        if (build->is_gone[module->methods[i].user_method])
            build->part->owner_of[i] = NO_INDEX;
}

/* A method of a build. There may be thousands of builds, as when a program loads assemblies that it
 * made. Sorting the methods of all finds the equal ones; to compare each build with each other
 * would take the square of the time. */
struct build_method {
    const struct code_method *method;
    uint32_t build;
    uint32_t ordinal; /* among those of the build that have the same names */
};

ORDER(order_build_code, struct build_method,
      BY_ORDER(same_code_order(a->method, b->method)) BY(ordinal) BY_BYTES(method->hash))

/* The newest build first. */
ORDER(order_build_methods, struct build_method, BY_ORDER(order_build_code(a, b)) BY(build))

static bool list_build_methods(struct build_method **out, size_t *count, const struct build *builds,
                               uint32_t build_count, struct arena *scratch, struct err *err)
{
    size_t all = 0;
    for (uint32_t i = 0; i < build_count; i++)
        all += builds[i].code.count;
    struct build_method *candidates = ARENA_NEW(scratch, struct build_method, all, err);
    if (candidates == NULL)
        return false;
    *count = 0;
    for (uint32_t i = 0; i < build_count; i++) {
        const struct code_method *methods = builds[i].code.methods;
        uint32_t ordinal = 0;
        for (uint32_t k = 0; k < builds[i].code.count; k++) {
            bool again = k != 0 && same_code_order(&methods[k - 1], &methods[k]) == 0;
            ordinal = again ? ordinal + 1 : 0;
            candidates[(*count)++] = (struct build_method){&methods[k], i, ordinal};
        }
    }
    if (all != 0)
        qsort(candidates, all, sizeof *candidates, order_build_methods);
    *out = candidates;
    return true;
}

static bool fold_candidate(struct build *builds, const struct build_method *kept,
                           const struct build_method *gone, uint32_t number, struct arena *scratch,
                           struct err *err)
{
    struct method_fold fold = {
        .to = &builds[kept->build], .from = &builds[gone->build], .number = number};
    if (fold.to->added_by == NULL)
        fold.to->added_by = ARENA_NEW(scratch, uint32_t, fold.to->part->module->count_len, err);
    if (fold.to->added_by == NULL)
        return false;
    fold_method(&fold, kept->method, gone->method);
    builds[gone->build].is_gone[gone->method->method] = true;
    return true;
}

/* Folds each into the newest that has the same code. Those that stay move to the front. */
static bool fold_equal(struct build *builds, struct build_method *equal, size_t count,
                       uint32_t *folds, struct arena *scratch, struct err *err)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const struct build_method gone = equal[i];
        const struct build *from = &builds[gone.build];
        size_t k = 0;
        if (!is_wholly_shown(from, gone.method))
            continue;
        while (k < kept &&
               !same_code(&builds[equal[k].build].code, equal[k].method, &from->code, gone.method))
            k++;
        if (k == kept)
            equal[kept++] = gone;
        else if (!fold_candidate(builds, &equal[k], &gone, ++*folds, scratch, err))
            return false;
    }
    return true;
}

static bool fold_all(struct build *builds, uint32_t build_count, struct arena *scratch,
                     struct err *err)
{
    struct build_method *candidates = NULL;
    size_t count = 0;
    uint32_t folds = 0;
    if (!list_build_methods(&candidates, &count, builds, build_count, scratch, err))
        return false;
    for (size_t i = 0, end = 0; i < count; i = end) {
        const struct build_method *first = &candidates[i];
        const struct code *code = &builds[first->build].code;
        while (end < count && order_build_code(first, &candidates[end]) == 0)
            end++;
        bool is_known = same_code(code, first->method, code, first->method);
        if (is_known && !fold_equal(builds, &candidates[i], end - i, &folds, scratch, err))
            return false;
    }
    for (uint32_t i = 0; i < build_count; i++)
        hide_folded(&builds[i]);
    return true;
}

bool fold_builds(const struct build_part *parts, uint32_t part_count, struct arena *scratch,
                 struct err *err)
{
    struct build *builds = ARENA_NEW(scratch, struct build, part_count, err);
    if (builds == NULL)
        return false;
    for (uint32_t i = 0; i < part_count; i++) {
        builds[i].part = &parts[i];
        builds[i].is_gone = ARENA_NEW(scratch, bool, parts[i].module->method_count, err);
        if (builds[i].is_gone == NULL ||
            !same_code_list(&builds[i].code, parts[i].module, scratch, err))
            return false;
    }
    qsort(builds, part_count, sizeof *builds, order_builds);
    return fold_all(builds, part_count, scratch, err);
}

#include "coverage/pairing/fold_builds.h"

#include <stdlib.h>

#include "base/number.h"
#include "coverage/pairing/same_code.h"

/* A build with its methods sorted by name. */
struct build {
    const struct build_part *part;
    struct code code;
};

static int order_builds(const void *left, const void *right)
{
    const struct build *a = left, *b = right;
    int64_t seen_a = a->part->module->seen, seen_b = b->part->module->seen;
    int order = (seen_a < seen_b) - (seen_a > seen_b);
    return order != 0 ? order : (a->part > b->part) - (a->part < b->part);
}

/* The whole method: one that is shown only in part has different lines. */
static bool is_shown(const struct build *build, const struct code_method *method)
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

/* Methods of one build that are being folded into a newer one. */
struct fold {
    const struct build *to, *from;
    bool *is_gone;  /* of each method of `from` */
    bool *is_added; /* per count of `to`: an entry may share its place with the first statement */
};

static void add(struct fold *f, uint32_t to, uint32_t from, uint32_t count, bool replaces)
{
    uint64_t *counts = f->to->part->sums->counts + to;
    const uint64_t *more = f->from->part->sums->counts + from;
    for (uint32_t i = 0; i < count; i++) {
        if (!f->is_added[to + i])
            counts[i] = replaces ? more[i] : number_add(counts[i], more[i]);
        f->is_added[to + i] = true;
    }
}

/* The code is the same, so the lists are, too. */
static void add_member(struct fold *f, const struct code_member *kept,
                       const struct code_member *gone, bool replaces)
{
    const struct fact_module *a = f->to->part->module, *b = f->from->part->module;
    uint32_t entry = a->methods[kept->method].entry_count;
    uint32_t other = b->methods[gone->method].entry_count;
    if (entry != NO_INDEX && other != NO_INDEX)
        add(f, entry, other, 1, replaces);
    for (uint32_t i = 0; i < kept->statement_count; i++)
        add(f, a->statements[kept->first_statement + i].count,
            b->statements[gone->first_statement + i].count, 1, replaces);
    for (uint32_t i = 0; i < kept->decision_count; i++)
        add(f, a->decisions[kept->first_decision + i].first_count,
            b->decisions[gone->first_decision + i].first_count,
            a->decisions[kept->first_decision + i].outcome_count, replaces);
}

static void fold_method(struct fold *f, const struct code_method *kept,
                        const struct code_method *gone)
{
    struct sums *into = f->to->part->sums;
    const struct sums *more = f->from->part->sums;
    bool kept_ran = into->ran[kept->method], gone_ran = more->ran[gone->method];
    for (uint32_t i = 0; i < kept->member_count; i++) {
        uint32_t member = kept->members[i].method, other = gone->members[i].method;
        if (!kept_ran || gone_ran)
            add_member(f, &kept->members[i], &gone->members[i], gone_ran && !kept_ran);
        into->is_carried[member] =
            !kept_ran && !gone_ran && (into->is_carried[member] || more->is_carried[other]);
        into->ran[member] = kept_ran || gone_ran;
    }
}

/* --- methods ---------------------------------------------------------------------------------- */

/* Compiler-generated methods go with it. */
static void hide(const struct build *build, bool *is_gone)
{
    const struct fact_module *module = build->part->module;
    for (uint32_t i = 0; i < module->method_count; i++)
        if (is_gone[module->methods[i].user_method])
            build->part->owner_of[i] = NO_INDEX;
}

/* Both lists are sorted by name. */
static void fold_into(struct fold *f)
{
    const struct code *a = &f->to->code, *b = &f->from->code;
    for (uint32_t i = 0, k = 0; i < a->count && k < b->count;) {
        const struct code_method *kept = &a->methods[i], *gone = &b->methods[k];
        int order = same_code_order(kept, gone);
        if (order == 0 && same_code(a, kept, b, gone) && is_shown(f->to, kept) &&
            is_shown(f->from, gone)) {
            fold_method(f, kept, gone);
            f->is_gone[gone->method] = true;
        }
        i += order <= 0;
        k += order >= 0;
    }
    hide(f->from, f->is_gone);
}

bool fold_builds(const struct build_part *parts, uint32_t part_count, struct arena *scratch,
                 struct err *err)
{
    struct build *builds = ARENA_NEW(scratch, struct build, part_count, err);
    if (builds == NULL)
        return false;
    for (uint32_t i = 0; i < part_count; i++) {
        builds[i].part = &parts[i];
        if (!same_code_list(&builds[i].code, parts[i].module, scratch, err))
            return false;
    }
    qsort(builds, part_count, sizeof *builds, order_builds);
    for (uint32_t i = 1; i < part_count; i++)
        for (uint32_t k = 0; k < i; k++) {
            struct fold fold = {
                .to = &builds[k],
                .from = &builds[i],
                .is_gone = ARENA_NEW(scratch, bool, builds[i].part->module->method_count, err),
                .is_added = ARENA_NEW(scratch, bool, builds[k].part->module->count_len, err)};
            if (fold.is_gone == NULL || fold.is_added == NULL)
                return false;
            fold_into(&fold);
        }
    return true;
}

#include "coverage/merge/unite.h"

#include <string.h>

#include "base/number.h"
#include "base/sort.h"
#include "coverage/merge/fact_copy.h"
#include "coverage/merge/join.h"

struct united_run {
    struct fact_run run;
    struct fact_process *processes; /* their `run` is not used */
    uint32_t process_count;
};

void unite_open(struct unite *out, struct arena *arena)
{
    *out = (struct unite){.arena = arena};
}

/* --- modules and runs ------------------------------------------------------------------------- */

static bool is_unread(const struct fact_module *module)
{
    static const uint8_t unread[sizeof module->identity] = {0};
    return memcmp(module->identity, unread, sizeof unread) == 0;
}

/* Of a module that was not read, what is known: name, MVID and why it was skipped. A test assembly
 * is read only if its tests are told apart. */
static bool is_same_build(const struct fact_module *a, const struct fact_module *b)
{
    if (!str_eq(a->name, b->name) || memcmp(a->mvid, b->mvid, sizeof a->mvid) != 0)
        return false;
    if (is_unread(a) || is_unread(b))
        return a->state == b->state && reason_eq(a->reason, b->reason);
    return memcmp(a->identity, b->identity, sizeof a->identity) == 0;
}

static uint32_t unite_module(struct unite *unite, const struct fact_module *module, struct err *err)
{
    struct fact_module *known = unite->modules.items;
    for (uint32_t i = 0; i < unite->modules.count; i++) {
        if (!is_same_build(&known[i], module))
            continue;
        return join_module(&known[i], module, unite->arena, err) ? i : NO_INDEX;
    }
    struct fact_module *added = list_add(&unite->modules, sizeof *added, unite->arena, err);
    if (added == NULL)
        return NO_INDEX;
    *added = *module;
    return fact_copy_module(added, unite->arena, err) ? unite->modules.count - 1 : NO_INDEX;
}

/* The processes of run `index`; `facts` are sorted. */
static uint32_t processes_of(const struct fact_process **first, const struct facts *facts,
                             uint32_t index)
{
    uint32_t start = 0, end = 0;
    while (start < facts->process_count && facts->processes[start].run < index)
        start++;
    for (end = start; end < facts->process_count && facts->processes[end].run == index;)
        end++;
    *first = facts->processes + start;
    return end - start;
}

static bool lists_more(const struct fact_process *processes, uint32_t count,
                       const struct united_run *run)
{
    int order = number_order(count, run->process_count);
    for (uint32_t i = 0; order == 0 && i < count; i++)
        order = facts_order_processes(&run->processes[i], &processes[i]);
    return order > 0;
}

static bool take_processes(struct united_run *run, const struct fact_process *processes,
                           uint32_t count, struct arena *arena, struct err *err)
{
    if (run->processes != NULL && !lists_more(processes, count, run))
        return true;
    run->process_count = count;
    run->processes = arena_copy(arena, processes, count, sizeof *processes, err);
    bool ok = run->processes != NULL;
    for (uint32_t i = 0; ok && i < count; i++)
        ok = fact_copy_text(&run->processes[i].program, arena, err) &&
             fact_copy_text(&run->processes[i].runtime, arena, err) &&
             reason_copy(&run->processes[i].declined, arena, err);
    return ok;
}

static struct united_run *find_run(struct unite *unite, const struct fact_run *run)
{
    struct united_run *known = unite->runs.items;
    for (uint32_t i = 0; i < unite->runs.count; i++)
        if (memcmp(known[i].run.id, run->id, sizeof run->id) == 0)
            return &known[i];
    return NULL;
}

/* Two files say the same about one run, except for the label of counts carried from a base that was
 * squashed in the meantime. */
ORDER(order_alike_runs, struct fact_run,
      BY(kind) BY(started) BY_ORDER(reason_order(a->reason, b->reason)) BY(label) BY(mode) BY(root))

static bool take_run(struct united_run *known, const struct fact_run *run, struct arena *arena,
                     struct err *err)
{
    known->run = *run;
    return fact_copy_text(&known->run.mode, arena, err) &&
           fact_copy_text(&known->run.root, arena, err) &&
           fact_copy_text(&known->run.label, arena, err) &&
           reason_copy(&known->run.reason, arena, err) &&
           fact_copy_bytes(&known->run.folded, arena, err);
}

static uint32_t unite_run(struct unite *unite, const struct facts *facts, uint32_t index,
                          struct err *err)
{
    const struct fact_run *run = &facts->runs[index];
    const struct fact_process *processes = NULL;
    uint32_t process_count = processes_of(&processes, facts, index);
    struct united_run *known = find_run(unite, run);
    bool is_new = known == NULL;
    if (is_new && (known = list_add(&unite->runs, sizeof *known, unite->arena, err)) == NULL)
        return NO_INDEX;
    if ((is_new || order_alike_runs(run, &known->run) < 0) &&
        !take_run(known, run, unite->arena, err))
        return NO_INDEX;
    if (!take_processes(known, processes, process_count, unite->arena, err))
        return NO_INDEX;
    return (uint32_t)(known - (struct united_run *)unite->runs.items);
}

/* Other tools and older builds do not say what counts. */
static void add_choice(struct unite *unite, const struct facts *facts)
{
    bool has_measured = false;
    for (uint32_t i = 0; i < facts->run_count; i++)
        has_measured |= facts->runs[i].kind == RUN_MEASURED || facts->runs[i].kind == RUN_PARTIAL;
    unite->has_measured |= has_measured;
    unite->leaves_generated |= has_measured && !facts->counts_generated;
}

bool unite_add(struct unite *unite, struct unite_map *map, const struct facts *facts,
               struct err *err)
{
    map->run = arena_raw(unite->arena, facts->run_count, sizeof *map->run, err);
    map->module = arena_raw(unite->arena, facts->module_count, sizeof *map->module, err);
    if (map->run == NULL || map->module == NULL)
        return false;
    add_choice(unite, facts);
    for (uint32_t i = 0; i < facts->run_count; i++)
        if ((map->run[i] = unite_run(unite, facts, i, err)) == NO_INDEX)
            return false;
    for (uint32_t i = 0; i < facts->module_count; i++)
        if ((map->module[i] = unite_module(unite, &facts->modules[i], err)) == NO_INDEX)
            return false;
    return true;
}

/* --- in order, with places for counts --------------------------------------------------------- */

static bool is_contained(const struct fact_run *run, const struct unite *unite)
{
    const struct united_run *runs = unite->runs.items;
    for (uint32_t i = 0; i < unite->runs.count; i++)
        if (run_id_contains(runs[i].run.id, run->id))
            return true;
    return false;
}

/* Without those whose counts another one has, too. */
static bool list_united_runs(struct facts *out, struct unite *unite, struct err *err)
{
    struct united_run *runs = unite->runs.items;
    uint32_t process_count = 0;
    for (uint32_t i = 0; i < unite->runs.count; i++)
        process_count += runs[i].process_count;
    out->runs = ARENA_NEW(unite->arena, struct fact_run, unite->runs.count, err);
    out->processes = ARENA_NEW(unite->arena, struct fact_process, process_count, err);
    if (out->runs == NULL || out->processes == NULL)
        return false;
    for (uint32_t i = 0; i < unite->runs.count; i++) {
        if (is_contained(&runs[i].run, unite))
            continue;
        for (uint32_t p = 0; p < runs[i].process_count; p++) {
            out->processes[out->process_count] = runs[i].processes[p];
            out->processes[out->process_count++].run = out->run_count;
        }
        out->runs[out->run_count++] = runs[i].run;
    }
    return true;
}

/* Where each run and module went. */
static bool number_all(struct unite_map *final, const struct facts *facts, struct unite *unite,
                       struct err *err)
{
    const struct united_run *runs = unite->runs.items;
    const struct fact_module *modules = unite->modules.items;
    final->run = arena_raw(unite->arena, unite->runs.count, sizeof *final->run, err);
    final->module = arena_raw(unite->arena, facts->module_count, sizeof *final->module, err);
    if (final->run == NULL || final->module == NULL)
        return false;
    for (uint32_t i = 0; i < unite->runs.count; i++) {
        final->run[i] = NO_INDEX;
        for (uint32_t k = 0; k < facts->run_count; k++)
            if (memcmp(runs[i].run.id, facts->runs[k].id, sizeof facts->runs[k].id) == 0)
                final->run[i] = k;
    }
    for (uint32_t i = 0; i < facts->module_count; i++)
        for (uint32_t k = 0; k < facts->module_count; k++)
            if (is_same_build(&modules[i], &facts->modules[k]))
                final->module[i] = k;
    return true;
}

/* Counts that shared a place in a file have a place each now. */
static bool check_room(const struct fact_module *module, struct err *err)
{
    uint64_t room = (uint64_t)module->method_count + module->statement_count;
    for (uint32_t i = 0; i < module->decision_count; i++)
        room += module->decisions[i].outcome_count;
    return room <= FACT_COUNTS_LIMIT ||
           err_set(err, ERR_LIMIT, "%.*s has %llu counts; at most %d are possible",
                   STR_ARGS(module->name), (unsigned long long)room, FACT_COUNTS_LIMIT);
}

bool unite_finish(struct facts *out, struct unite_map *final, struct unite *unite, struct err *err)
{
    *out = (struct facts){.module_count = unite->modules.count,
                          .counts_generated = unite->has_measured && !unite->leaves_generated};
    out->modules = arena_copy(unite->arena, unite->modules.items, out->module_count,
                              sizeof *out->modules, err);
    if (out->modules == NULL || !list_united_runs(out, unite, err) ||
        !facts_sort(out, unite->arena, err) || !number_all(final, out, unite, err))
        return false;
    for (uint32_t i = 0; i < out->module_count; i++) {
        if (!check_room(&out->modules[i], err))
            return false;
        facts_layout(&out->modules[i]);
    }
    return true;
}

/* --- from a file's places to the union's ------------------------------------------------------ */

static void take_from(uint32_t *sources, uint32_t to, uint32_t from, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        sources[to + i] = from + i;
}

/* Methods of the same token. */
static void take_from_method(uint32_t *sources, const struct fact_module *to, uint32_t method,
                             const struct fact_module *from, uint32_t of)
{
    struct fact_extent mine = facts_extent(to, method), theirs = facts_extent(from, of);
    const struct fact_statement *statement = from->statements + theirs.first_statement;
    const struct fact_decision *decision = from->decisions + theirs.first_decision;
    const struct fact_statement *last_statement = from->statements + theirs.end_statement;
    const struct fact_decision *last_decision = from->decisions + theirs.end_decision;
    if (to->methods[method].entry_count != NO_INDEX && from->methods[of].entry_count != NO_INDEX)
        take_from(sources, to->methods[method].entry_count, from->methods[of].entry_count, 1);
    for (uint32_t i = mine.first_statement; i < mine.end_statement; i++) {
        const struct fact_statement *target = &to->statements[i];
        while (statement < last_statement && statement->il_offset < target->il_offset)
            statement++;
        if (statement < last_statement && statement->il_offset == target->il_offset)
            take_from(sources, target->count, statement++->count, 1);
    }
    for (uint32_t i = mine.first_decision; i < mine.end_decision; i++) {
        const struct fact_decision *target = &to->decisions[i];
        while (decision < last_decision && decision->il_offset < target->il_offset)
            decision++;
        if (decision < last_decision && decision->il_offset == target->il_offset &&
            decision->outcome_count == target->outcome_count)
            take_from(sources, target->first_count, decision++->first_count, target->outcome_count);
    }
}

bool unite_sources(uint32_t **sources, const struct fact_module *to, const struct fact_module *from,
                   struct arena *arena, struct err *err)
{
    *sources = arena_raw(arena, to->count_len, sizeof **sources, err);
    if (*sources == NULL)
        return false;
    memset(*sources, 0xFF, to->count_len * sizeof **sources); /* NO_INDEX */
    for (uint32_t i = 0, k = 0; i < to->method_count && k < from->method_count;) {
        int order = number_order(to->methods[i].token, from->methods[k].token);
        if (order == 0)
            take_from_method(*sources, to, i, from, k);
        i += order <= 0;
        k += order >= 0;
    }
    return true;
}

/* make_shards.c - data files as the shards of one large solution would be: for bench/merge.sh.
 *
 *     make_shards FOLDER FIRST COUNT [ASSEMBLIES]
 *
 * Writes FOLDER/<FIRST>.ilcov and the COUNT - 1 next. All tell of the same 50 assemblies (or
 * ASSEMBLIES), 100,000 lines of source with 30,000 statements; each of one run of its own, which
 * loaded two thirds of them and hit half of what it loaded. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coverage/facts/store.h"
#include "tests/support/data_maker.h"

enum {
    FILES = 20,          /* of an assembly */
    METHODS = 100,       /* likewise */
    LINES = 20,          /* of a method's source */
    STATEMENTS = 6,      /* of a method */
    DECISIONS = 1,       /* likewise */
    INSTRUCTION_LEN = 5, /* of fact_method.instructions */
    INSTRUCTIONS = 20,
    METHOD_COUNTS = 1 + STATEMENTS + DECISIONS * 2
};

static uint32_t assemblies = 50;

/* SplitMix64 */
static uint64_t mixed(uint64_t value)
{
    value = (value + 1) * 0x9E3779B97F4A7C15;
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9;
    value = (value ^ value >> 27) * 0x94D049BB133111EB;
    return value ^ value >> 31;
}

/* --- what all shards have in common ----------------------------------------------------------- */

static struct view instructions_of(uint64_t seed)
{
    uint8_t *bytes = MAKE(uint8_t, INSTRUCTIONS * INSTRUCTION_LEN);
    for (uint32_t i = 0; i < INSTRUCTIONS; i++) {
        uint64_t hash = mixed(seed + i);
        bytes[i * INSTRUCTION_LEN] = (uint8_t)(1 + i % 5);
        memcpy(bytes + i * INSTRUCTION_LEN + 1, &hash, INSTRUCTION_LEN - 1);
    }
    return (struct view){bytes, INSTRUCTIONS * INSTRUCTION_LEN};
}

static void fill_method(struct fact_module *m, uint32_t assembly, uint32_t index)
{
    uint32_t file = index % FILES, line = 10 + index / FILES * LINES;
    uint64_t body = mixed(assembly * METHODS + index);
    m->methods[index] = (struct fact_method){
        .token = 0x06000001 + index,
        .type = named("Company.Product.Part%u.Type%u", assembly, file),
        .name = named("Method%u", index),
        .signature = STR("(System.Int32,System.String)"),
        .user_method = index,
        .entry_count = 0,
        .instructions = instructions_of(body),
    };
    memcpy(m->methods[index].body, &body, sizeof body);
    for (uint32_t i = 0; i < STATEMENTS; i++)
        m->statements[m->statement_count++] = (struct fact_statement){.method = index,
                                                                      .document = file,
                                                                      .il_offset = i * 12,
                                                                      .start_line = line + i * 2,
                                                                      .end_line = line + i * 2,
                                                                      .start_column = 9,
                                                                      .end_column = 40};
    for (uint32_t i = 0; i < DECISIONS; i++)
        m->decisions[m->decision_count++] =
            (struct fact_decision){.method = index,
                                   .document = file,
                                   .il_offset = i * 24 + 6,
                                   .line = line + i * 4,
                                   .outcome_count = 2,
                                   .span = {line + i * 4, line + i * 4, 13, 18},
                                   .is_exact = true};
}

static void fill_module(struct fact_module *m, uint32_t assembly)
{
    uint64_t identity = mixed(assembly);
    *m = (struct fact_module){.name = named("Company.Product.Part%02u", assembly),
                              .path = named("/build/bin/Company.Product.Part%02u.dll", assembly),
                              .plan_hash = identity,
                              .documents = MAKE(struct fact_document, FILES),
                              .document_count = FILES,
                              .methods = MAKE(struct fact_method, METHODS),
                              .method_count = METHODS,
                              .statements = MAKE(struct fact_statement, METHODS * STATEMENTS),
                              .decisions = MAKE(struct fact_decision, METHODS * DECISIONS)};
    memcpy(m->identity, &identity, sizeof identity);
    memcpy(m->mvid, &identity, sizeof identity);
    for (uint32_t i = 0; i < FILES; i++) {
        struct str relative = named("src/Part%02u/Type%u.cs", assembly, i);
        m->documents[i] = (struct fact_document){
            .path = named("/build/src/Part%02u/Type%u.cs", assembly, i),
            .relative = relative,
            .hash = {(const uint8_t *)"01234567890123456789012345678901", 32}};
    }
    for (uint32_t i = 0; i < METHODS; i++)
        fill_method(m, assembly, i);
    facts_layout(m);
}

/* --- what is each one's own ------------------------------------------------------------------- */

static void fill_counts(struct facts *facts, uint32_t shard)
{
    facts->counts_count = 0;
    for (uint32_t m = 0; m < assemblies; m++) {
        struct fact_counts *row = &facts->counts[facts->counts_count];
        uint64_t *counts = row->counts;
        bool is_loaded = mixed(shard * assemblies + m) % 3 != 0;
        facts->modules[m].state = is_loaded ? MODULE_INSTRUMENTED : MODULE_NOT_LOADED;
        if (!is_loaded)
            continue;
        row->module = m;
        facts->counts_count++;
        for (uint32_t i = 0; i < METHODS * METHOD_COUNTS; i++) {
            uint64_t value = mixed(shard * assemblies * METHODS + m * METHODS + i / METHOD_COUNTS);
            counts[i] = value % 2 != 0 ? mixed(value + i) % 300 : 0;
        }
    }
}

static bool write_shard(const char *folder, uint32_t shard, struct facts *facts)
{
    char path[4096];
    struct err err = {0};
    uint64_t id = mixed(shard);
    memcpy(facts->runs->id, &id, sizeof id);
    facts->runs->started = 1700000000 + shard;
    fill_counts(facts, shard);
    (void)snprintf(path, sizeof path, "%s/%u.ilcov", folder, shard);
    if (store_write(path, facts, NULL, &err))
        return true;
    fprintf(stderr, "make_shards: %s: %s\n", path, err.text);
    return false;
}

int main(int argc, char **argv)
{
    if (argc != 4 && argc != 5) {
        fputs("usage: make_shards FOLDER FIRST COUNT\n", stderr);
        return 2;
    }
    uint32_t first = (uint32_t)strtoul(argv[2], NULL, 10);
    uint32_t count = (uint32_t)strtoul(argv[3], NULL, 10);
    if (argc == 5)
        assemblies = (uint32_t)strtoul(argv[4], NULL, 10);
    data_maker_open();
    struct fact_run run = {.mode = STR("count"), .root = STR("/build"), .label = STR("")};
    struct fact_process process = {.program = STR("/usr/bin/testhost.dll"),
                                   .runtime = STR("10.0.0"),
                                   .module_count = 33,
                                   .method_count = 3300};
    struct facts facts = {.modules = MAKE(struct fact_module, assemblies),
                          .module_count = assemblies,
                          .runs = &run,
                          .run_count = 1,
                          .processes = &process,
                          .process_count = 1,
                          .counts = MAKE(struct fact_counts, assemblies)};
    for (uint32_t i = 0; i < assemblies; i++) {
        fill_module(&facts.modules[i], i);
        facts.counts[i].counts = MAKE(uint64_t, METHODS * METHOD_COUNTS);
    }
    bool ok = true;
    for (uint32_t i = 0; ok && i < count; i++)
        ok = write_shard(argv[1], first + i, &facts);
    data_maker_close();
    return ok ? 0 : 1;
}

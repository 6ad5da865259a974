#include "tests/support/hand_facts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/fnv.h"

enum {
    ROOM = 64
};

static void *make(struct arena *arena, size_t count, size_t size)
{
    void *made = arena_alloc(arena, count, size, NULL);
    if (made == NULL)
        abort();
    return made;
}

#define MAKE(arena, type, count) ((type *)make((arena), (count), sizeof(type)))

void hand_open(struct hand *out, struct arena *arena)
{
    *out = (struct hand){.facts = {.modules = MAKE(arena, struct fact_module, ROOM),
                                   .runs = MAKE(arena, struct fact_run, ROOM),
                                   .counts = MAKE(arena, struct fact_counts, ROOM)},
                         .arena = arena};
}

void hand_module(struct hand *hand, const char *name, uint8_t build)
{
    struct fact_module *m = &hand->facts.modules[hand->facts.module_count++];
    *m = (struct fact_module){.name = str_of(name),
                              .path = str_of(name),
                              .mvid = {build},
                              .identity = {1, build},
                              .documents = MAKE(hand->arena, struct fact_document, 1),
                              .document_count = 1,
                              .methods = MAKE(hand->arena, struct fact_method, ROOM),
                              .statements = MAKE(hand->arena, struct fact_statement, ROOM),
                              .decisions = MAKE(hand->arena, struct fact_decision, ROOM)};
    *m->documents = (struct fact_document){STR("/r/A.cs"), STR("A.cs"), NULL, {0}, {0}, {0}, NULL};
}

/* { length, 4 bytes of hash } of each letter, as method_hash.h has it. */
static void read_code(struct fact_module *m, uint32_t method, const char *code, struct arena *arena)
{
    uint8_t *bytes = MAKE(arena, uint8_t, strlen(code) * 5 + 1);
    uint64_t hash = FNV_START;
    uint32_t at = 0;
    for (const char *c = code; *c != '\0'; c++) {
        uint32_t line = m->statement_count + 1;
        if (*c == ' ')
            continue;
        if (c == code || c[-1] == ' ')
            m->statements[m->statement_count++] = (struct fact_statement){
                method, 0, at, line, line, 1, 9, 0, {0, {0}}, NULL, {NULL, 0}};
        if (isupper((unsigned char)*c))
            m->decisions[m->decision_count++] =
                (struct fact_decision){.method = method,
                                       .il_offset = at,
                                       .line = m->statement_count,
                                       .outcome_count = 2,
                                       .span = {m->statement_count, m->statement_count, 1, 2}};
        bytes[at * 5] = 1;
        bytes[at * 5 + 1] = (uint8_t)*c;
        hash = fnv_word(hash, (uint8_t)*c);
        at++;
    }
    m->methods[method].instructions = (struct view){bytes, at * 5};
    if (at != 0)
        memcpy(m->methods[method].body, &hash, sizeof hash);
}

uint32_t hand_made(struct hand *hand, uint32_t user, const char *type, const char *name,
                   const char *code)
{
    struct fact_module *m = &hand->facts.modules[hand->facts.module_count - 1];
    uint32_t index = m->method_count++;
    m->methods[index] = (struct fact_method){.token = 0x06000001 + index,
                                             .type = str_of(type),
                                             .name = str_of(name),
                                             .signature = STR("()"),
                                             .user_method = user,
                                             .entry_count = 0};
    read_code(m, index, code, hand->arena);
    return index;
}

uint32_t hand_method(struct hand *hand, const char *type, const char *name, const char *signature,
                     const char *code)
{
    struct fact_module *m = &hand->facts.modules[hand->facts.module_count - 1];
    uint32_t index = hand_made(hand, m->method_count, type, name, code);
    m->methods[index].signature = str_of(signature);
    return index;
}

void hand_lay_out(struct hand *hand)
{
    for (uint32_t i = 0; i < hand->facts.module_count; i++)
        facts_layout(&hand->facts.modules[i]);
}

uint32_t hand_run(struct hand *hand, uint8_t id, enum run_kind kind)
{
    uint32_t index = hand->facts.run_count++;
    hand->facts.runs[index] = (struct fact_run){.id = {id},
                                                .started = 1700000000 + id,
                                                .kind = kind,
                                                .mode = STR("count"),
                                                .root = STR("/r"),
                                                .label = STR("")};
    return index;
}

uint64_t *hand_counts(struct hand *hand, uint32_t run, uint32_t module)
{
    uint64_t *counts = MAKE(hand->arena, uint64_t, hand->facts.modules[module].count_len);
    hand->facts.counts[hand->facts.counts_count++] = (struct fact_counts){run, module, counts};
    return counts;
}

uint32_t hand_find(const struct hand *hand, uint32_t module, const char *name)
{
    const struct fact_module *m = &hand->facts.modules[module];
    for (uint32_t i = 0; i < m->method_count; i++)
        if (str_is(m->methods[i].name, name))
            return i;
    abort();
}

uint32_t hand_place(const struct hand *hand, uint32_t module, const char *name, uint32_t n)
{
    const struct fact_module *m = &hand->facts.modules[module];
    uint32_t method = hand_find(hand, module, name);
    for (uint32_t i = 0; i < m->statement_count; i++)
        if (m->statements[i].method == method && n-- == 0)
            return m->statements[i].count;
    abort();
}

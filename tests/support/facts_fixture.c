/* src/Core/Order.cs, of Shop.Core:
 *
 *    3  class Order {
 *    5      string kind = Setting ?? "none";            copied into both constructors
 *    7      Order() { }
 *    8      Order(int n) { this.n = n; }
 *   10      decimal Total(bool vip, bool rush)
 *   12          if (vip && rush)                        two conditions
 *   13              return 1;
 *   14          return 2;
 *   17      async Task Send()                           the state machine is folded into it
 *   18          await (channel ?? standard);
 *   19          Log();
 *   21      string Name(int kind)
 *   22          switch (kind) {                         four arms; three where LEGACY is not
 * defined 23-25           case 0, case 1, default 29      List<int> Large() => 30          list one
 * statement from 30 to 34 31              .Where(x => 32                  x > 1) a lambda in the
 * middle of it 33              .Select(y => y) 34              .ToList(); 40      byte Raw(byte *p)
 * declined 42      [ExcludeFromCodeCoverage] async Task Dump() excluded, as is its state machine
 *   50      int Twice() => 2;  class Inner { int Once() { Log();
 *   51                                                  return 1; } }
 *
 * src/Core/Order.Parts.cs:
 *
 *    4      int parts = 1;                              copied into both constructors as well */
#include "tests/support/facts_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROOM = 64
};

/* clang-format off */
/* STR for what is static. */
#define LIT(literal) {(literal), sizeof(literal) - 1}
#define M(token, type, name, signature, user, state, reason, entry) \
    {(token), LIT(type), LIT(name), LIT(signature), {LIT(type), LIT(name), LIT(signature)}, (user), (state), (reason), (entry), {(token) & 0xFF, 1}, {NULL, 0}, NULL, 0}
/* method, document, IL offset, start line:column, end line:column, count */
#define S(method, document, il, line, column, end_line, end_column, count) \
    {(method), (document), (il), (line), (end_line), (column), (end_column), (count), {0, {0}}, NO_REASON, {NULL, 0}}
#define IF(method_, document_, il, line_, first)           {.method = (method_), .document = (document_), .il_offset = (il), .line = (line_), .outcome_count = 2, .first_count = (first), .span = {(line_), (line_), 0, 0}}
#define OPERAND(method_, document_, il, line_, first, start, end, before) {.method = (method_), .document = (document_), .il_offset = (il), .line = (line_), .outcome_count = 2, .first_count = (first), .span = {(line_), (line_), (start), (end)}, .is_exact = true, .expression = (before)}
#define SWITCH(method_, document_, il, line_, count, first, ...) {.method = (method_), .document = (document_), .il_offset = (il), .line = (line_), .outcome_count = (count), .is_switch = true, .first_count = (first), .span = {(line_), (line_), 9, 22}, __VA_ARGS__}
#define SHA256_GUID {0x05, 0xB2, 0x29, 0x88, 0x74, 0x78, 0x46, 0x7C, 0x80, 0x36, 0x3D, 0x1B, 0x6E, 0x2C, 0x11, 0xB4}
#define SHA256      {sha256_bytes, sizeof sha256_bytes}
#define NO_REASON   NULL
/* clang-format on */

struct table {
    struct fact_module module;
    struct fact_document documents[4];
    struct fact_method methods[16];
    struct fact_statement statements[32];
    struct fact_decision decisions[8];
};

static const struct reason worker_declined = {.code = REASON_BUILD_TOOL};
/* `switch (kind)`, `case 0`, `case 1`, `default` */
static const uint8_t arms_of_name[] = {ARM_SUBJECT,
                                       22,
                                       9,
                                       0,
                                       22,
                                       0 << 2 | ARM_LABEL,
                                       23,
                                       9,
                                       0,
                                       15,
                                       1 << 2 | ARM_LABEL,
                                       24,
                                       9,
                                       0,
                                       15,
                                       2 << 2 | ARM_SHARED,
                                       25,
                                       9,
                                       0,
                                       16,
                                       3};
static const uint8_t sha256_bytes[32] = {0x5A, 0x00, 0xFF};

/* clang-format off */
static const struct table tables[FIXTURE_COUNT] = {
    [FIXTURE_CORE] = {
        .module = {.name = LIT("Shop.Core"), .path = LIT("/build/net8.0/Shop.Core.dll"), .mvid = {1, 2, 3}, .identity = {0xC0, 0x8E},
                   .plan_hash = UINT64_C(0xFEDCBA9876543210), .seen = 1700000060, .state = MODULE_INSTRUMENTED, .reason = NO_REASON,
                   .document_count = 3, .method_count = 14, .statement_count = 26, .decision_count = 6,
                   .count_len = 39},
        .documents = {
            {LIT("/src/shop/src/Core/Order.Parts.cs"), LIT("src/Core/Order.Parts.cs"), NO_REASON, SHA256_GUID, SHA256, {NULL, 0}, NULL},
            {LIT("/src/shop/src/Core/Order.cs"), LIT("src/Core/Order.cs"), NO_REASON, SHA256_GUID, SHA256, {NULL, 0}, NULL},
            {LIT("/tmp/gen/Generated.cs"), LIT(""), REASON_LITERAL("outside the root"), {0}, {NULL, 0}, SHA256, NULL},
        },
        .methods = {
            [0]  = M(0x06000001, "Shop.Order", ".ctor", "()", 0, METHOD_INSTRUMENTED, NO_REASON, 0),
            [1]  = M(0x06000002, "Shop.Order", ".ctor", "(System.Int32)", 1, METHOD_INSTRUMENTED, NO_REASON, 3),
            [2]  = M(0x06000003, "Shop.Order", "Total", "(System.Boolean,System.Boolean)", 2, METHOD_INSTRUMENTED, NO_REASON, 10),
            [3]  = M(0x06000004, "Shop.Order", "Send", "()", 3, METHOD_INSTRUMENTED, NO_REASON, NO_INDEX),
            [4]  = M(0x06000005, "Shop.Order", "Name", "(System.Int32)", 4, METHOD_INSTRUMENTED, NO_REASON, 19),
            [5]  = M(0x06000006, "Shop.Order", "Large", "()", 5, METHOD_INSTRUMENTED, NO_REASON, 27),
            [6]  = M(0x06000007, "Shop.Order", "Raw", "(System.Byte*)", 6, METHOD_DECLINED, REASON_LITERAL("has an odd clause"), NO_INDEX),
            [7]  = M(0x06000008, "Shop.Order", "Dump", "()", 7, METHOD_EXCLUDED, REASON_LITERAL("ExcludeFromCodeCoverage"), 30),
            [8]  = M(0x06000009, "Shop.Order", "Twice", "()", 8, METHOD_INSTRUMENTED, NO_REASON, 31),
            [9]  = M(0x0600000A, "Shop.Order/Inner", "Once", "()", 9, METHOD_INSTRUMENTED, NO_REASON, 32),
            [10] = M(0x0600000B, "Shop.Order/<>c", "<Large>b__5_0", "(System.Int32)", 5, METHOD_INSTRUMENTED, NO_REASON, 28),
            [11] = M(0x0600000C, "Shop.Order/<Send>d__3", "MoveNext", "()", 3, METHOD_INSTRUMENTED, NO_REASON, 17),
            [12] = M(0x0600000D, "Shop.Order/<Dump>d__7", "MoveNext", "()", 7, METHOD_EXCLUDED, REASON_LITERAL("ExcludeFromCodeCoverage"), 35),
            [13] = M(0x0600000E, "Shop.Generated", "Make", "()", 13, METHOD_INSTRUMENTED, NO_REASON, 34),
        },
        .statements = {
            S(0, 1, 0, 5, 5, 5, 40, 0),     S(0, 0, 18, 4, 5, 4, 20, 6),     S(0, 1, 31, 7, 5, 7, 15, 8),
            S(1, 1, 0, 5, 5, 5, 40, 3),     S(1, 0, 18, 4, 5, 4, 20, 7),     S(1, 1, 31, 8, 5, 8, 34, 9),
            S(2, 1, 0, 12, 9, 12, 25, 10),  S(2, 1, 9, 13, 13, 13, 22, 15),  S(2, 1, 17, 14, 9, 14, 18, 16),
            S(4, 1, 0, 22, 9, 22, 22, 19),  S(4, 1, 30, 23, 17, 23, 29, 24), S(4, 1, 38, 24, 17, 24, 29, 25),
            S(4, 1, 46, 25, 17, 25, 29, 26),
            S(5, 1, 0, 30, 9, 34, 23, 27),
            S(6, 1, 0, 40, 9, 40, 20, 29),
            S(7, 1, 0, 42, 9, 42, 20, 30),
            S(8, 1, 0, 50, 20, 50, 21, 31),
            S(9, 1, 0, 50, 52, 50, 58, 32), S(9, 1, 6, 51, 52, 51, 61, 33),
            S(10, 1, 0, 32, 17, 32, 22, 28),
            S(11, 1, 7, 18, 9, 18, 38, 17), S(11, 1, 96, 19, 9, 19, 15, 18),
            S(12, 1, 0, 42, 30, 42, 40, 35),
            S(13, 2, 0, 1, 1, 1, 9, 34),    S(13, 2, 4, 2, 1, 2, 9, 34),    S(13, 2, 8, 3, 1, 3, 9, 34),
        },
        .decisions = {
            IF(0, 1, 5, 5, 1),    IF(1, 1, 5, 5, 4),
            OPERAND(2, 1, 1, 12, 11, 13, 14, 0), OPERAND(2, 1, 4, 12, 13, 18, 23, 1),
            SWITCH(4, 1, 2, 22, 4, 20, .arms = arms_of_name, .arms_len = sizeof arms_of_name),
            IF(11, 1, 12, 18, 36),
        },
    },
    [FIXTURE_CORE_9] = {
        .module = {.name = LIT("Shop.Core"), .path = LIT("/build/net9.0/Shop.Core.dll"), .mvid = {9}, .identity = {0xC9},
                   .plan_hash = 7, .state = MODULE_INSTRUMENTED, .reason = NO_REASON,
                   .document_count = 1, .method_count = 2, .statement_count = 5, .decision_count = 3,
                   .count_len = 12},
        .documents = {
            {LIT("/src/shop/src/Core/Order.cs"), LIT("src/Core/Order.cs"), NO_REASON, SHA256_GUID, SHA256, {NULL, 0}, NULL},
        },
        .methods = {
            M(0x06000001, "Shop.Order", "Total", "(System.Boolean,System.Boolean)", 0, METHOD_INSTRUMENTED, NO_REASON, 0),
            M(0x06000002, "Shop.Order", "Name", "(System.Int32)", 1, METHOD_INSTRUMENTED, NO_REASON, 7),
        },
        .statements = {
            S(0, 0, 0, 12, 9, 12, 25, 0), S(0, 0, 9, 13, 13, 13, 22, 5), S(0, 0, 17, 14, 9, 14, 18, 6),
            S(1, 0, 0, 22, 9, 22, 22, 7), S(1, 0, 30, 23, 17, 23, 29, 11),
        },
        .decisions = {
            OPERAND(0, 0, 1, 12, 1, 13, 14, 0), OPERAND(0, 0, 4, 12, 3, 18, 23, 1), SWITCH(1, 0, 2, 22, 3, 8, .is_exact = false),
        },
    },
    [FIXTURE_DATA] = {
        .module = {.name = LIT("Shop.Data"), .path = LIT("/build/net8.0/Shop.Data.dll"), .mvid = {4},
                   .plan_hash = 8, .state = MODULE_NOT_LOADED, .reason = NO_REASON,
                   .document_count = 1, .method_count = 2, .statement_count = 3, .decision_count = 1,
                   .count_len = 5},
        .documents = {
            {LIT("C:\\agent\\src\\Data\\Store.cs"), LIT("src/Data/Store.cs"), NO_REASON, {0}, {NULL, 0}, {NULL, 0}, NULL},
        },
        .methods = {
            M(0x06000001, "Shop.Data.Store`1", "Find`1", "(System.Int32)", 0, METHOD_INSTRUMENTED, NO_REASON, 0),
            M(0x06000002, "Shop.Data.Store`1", "Find", "(System.Int32)", 1, METHOD_INSTRUMENTED, NO_REASON, 4),
        },
        .statements = {
            S(0, 0, 0, 3, 9, 3, 30, 0), S(0, 0, 9, 4, 9, 4, 30, 1), S(1, 0, 0, 8, 9, 8, 30, 4),
        },
        .decisions = {IF(0, 0, 4, 3, 2)},
    },
    [FIXTURE_LEGACY] = {
        .module = {.name = LIT("Shop.Legacy"), .path = LIT("/build/net8.0/Shop.Legacy.dll"), .mvid = {5},
                   .state = MODULE_SKIPPED, .reason = REASON_LITERAL("no symbols")},
    },
    [FIXTURE_WEB] = {
        .module = {.name = LIT("Shop.Web"), .path = LIT("/build/net8.0/Shop.Web.dll"), .mvid = {6},
                   .plan_hash = 9, .state = MODULE_INSTRUMENTED, .reason = NO_REASON,
                   .document_count = 1, .method_count = 1, .statement_count = 1, .count_len = 1},
        .documents = {{LIT("/elsewhere/Page.cs"), LIT(""), REASON_LITERAL("outside the root"), {0}, {NULL, 0}, {NULL, 0}, NULL}},
        .methods = {M(0x06000001, "Shop.Page", "Show", "()", 0, METHOD_INSTRUMENTED, NO_REASON, 0)},
        .statements = {S(0, 0, 0, 3, 9, 3, 30, 0)},
    },
    [FIXTURE_ODD] = {
        .module = {.name = LIT("\xC3\x9C" "bung.\xE6\x97\xA5\xE6\x9C\xAC"), .path = LIT("/build/net8.0/x.dll"), .mvid = {7},
                   .plan_hash = 10, .state = MODULE_INSTRUMENTED, .reason = NO_REASON,
                   .document_count = 1, .method_count = 2, .statement_count = 2, .count_len = 2},
        .documents = {
            {LIT("/src/shop/src/Gr\xC3\xB6\xC3\x9F" "e & Ma\xC3\x9F.cs"), LIT("src/Gr\xC3\xB6\xC3\x9F" "e & Ma\xC3\x9F.cs"),
             NO_REASON, {0}, {NULL, 0}, {NULL, 0}, NULL},
        },
        .methods = {
            M(0x06000001, "\xC3\x9C" "bung.Ma\xC3\x9F", "System.IComparable<T>.CompareTo", "(T,\"'&)", 0, METHOD_INSTRUMENTED, NO_REASON, 0),
            M(0x06000002, "\xC3\x9C" "bung.Ma\xC3\x9F", "\x01\xFF\xEF\xBF\xBF", "()", 1, METHOD_INSTRUMENTED, NO_REASON, 1),
        },
        .statements = {S(0, 0, 0, 1, 9, 1, 30, 0), S(1, 0, 0, 2, 9, 2, 30, 1)},
    },
};

/* What each module counted in run 0, then in run 1; all others are 0. */
static const struct {
    uint32_t run, module, index;
    uint64_t count;
} hits[] = {
    {0, FIXTURE_CORE, 0, 4},   {0, FIXTURE_CORE, 1, 4},                            /* Order() */
    {0, FIXTURE_CORE, 3, 1},   {0, FIXTURE_CORE, 5, 1},                            /* Order(int) */
    {0, FIXTURE_CORE, 6, 4},   {0, FIXTURE_CORE, 7, 1},
    {0, FIXTURE_CORE, 8, 4},   {0, FIXTURE_CORE, 9, 1},
    {0, FIXTURE_CORE, 10, 7},  {0, FIXTURE_CORE, 11, 3},  {0, FIXTURE_CORE, 12, 4}, /* Total */
    {0, FIXTURE_CORE, 13, 4},  {0, FIXTURE_CORE, 16, 7},
    {0, FIXTURE_CORE, 17, 2},  {0, FIXTURE_CORE, 18, 2},  {0, FIXTURE_CORE, 36, 2}, /* Send */
    {0, FIXTURE_CORE, 19, 5},  {0, FIXTURE_CORE, 20, 3},  {0, FIXTURE_CORE, 21, 2}, /* Name */
    {0, FIXTURE_CORE, 24, 3},  {0, FIXTURE_CORE, 25, 2},
    {0, FIXTURE_CORE, 27, 3000000000}, {0, FIXTURE_CORE, 28, 9000000000},           /* Large */
    {0, FIXTURE_CORE, 29, 1},  {0, FIXTURE_CORE, 30, 6},  {0, FIXTURE_CORE, 35, 6}, /* Raw, Dump */
    {0, FIXTURE_CORE, 32, 5},  {0, FIXTURE_CORE, 33, 5},  {0, FIXTURE_CORE, 34, 1}, /* Once, Make */
    {0, FIXTURE_CORE_9, 0, 1}, {0, FIXTURE_CORE_9, 2, 1}, {0, FIXTURE_CORE_9, 4, 1}, {0, FIXTURE_CORE_9, 5, 1},
    {0, FIXTURE_WEB, 0, 3},
    {0, FIXTURE_ODD, 0, 1},
    {1, FIXTURE_CORE, 10, 1},  {1, FIXTURE_CORE, 11, 1},  {1, FIXTURE_CORE, 16, 1},
};
/* clang-format on */

static void *copied(const void *items, size_t count, size_t size, struct arena *arena)
{
    void *copy = arena_raw(arena, count, size, NULL);
    if (copy == NULL)
        abort();
    if (count != 0)
        memcpy(copy, items, count * size);
    return copy;
}

static uint64_t *counts_of(struct facts *facts, uint32_t run, uint32_t module, struct arena *arena)
{
    for (uint32_t i = 0; i < facts->counts_count; i++)
        if (facts->counts[i].run == run && facts->counts[i].module == module)
            return facts->counts[i].counts;
    uint64_t *counts = ARENA_NEW(arena, uint64_t, facts->modules[module].count_len, NULL);
    if (counts == NULL || facts->counts_count == ROOM)
        abort();
    facts->counts[facts->counts_count++] = (struct fact_counts){run, module, counts};
    return counts;
}

void fixture_facts(struct facts *out, struct arena *arena)
{
    static const struct fact_run runs[] = {
        {.id = {0xAA, 1}, .started = 1700000000, .mode = LIT("count"), .root = LIT("/src/shop")},
        {.id = {0xAA, 2},
         .started = 1700000060,
         .kind = RUN_PARTIAL,
         .mode = LIT("hit"),
         .root = LIT("/src/shop"),
         .label = LIT("nightly"),
         .folded = {sha256_bytes, 2 * FACT_ID_LEN}},
    };
    static const struct fact_process processes[] = {
        {0, LIT("testhost.dll"), LIT("10.0.1"), NULL, 3, 17},
        {1, LIT("worker.dll"), LIT(""), &worker_declined, 0, 0},
    };
    *out = (struct facts){.module_count = FIXTURE_COUNT,
                          .run_count = ARRAY_LEN(runs),
                          .process_count = ARRAY_LEN(processes)};
    out->runs = copied(runs, ARRAY_LEN(runs), sizeof runs[0], arena);
    out->processes = copied(processes, ARRAY_LEN(processes), sizeof processes[0], arena);
    out->modules = ARENA_NEW(arena, struct fact_module, FIXTURE_COUNT, NULL);
    out->counts = ARENA_NEW(arena, struct fact_counts, ROOM, NULL);
    if (out->modules == NULL || out->counts == NULL)
        abort();
    for (uint32_t i = 0; i < FIXTURE_COUNT; i++) {
        const struct table *table = &tables[i];
        struct fact_module *module = &out->modules[i];
        *module = table->module;
        module->documents =
            copied(table->documents, module->document_count, sizeof table->documents[0], arena);
        module->methods =
            copied(table->methods, module->method_count, sizeof table->methods[0], arena);
        module->statements =
            copied(table->statements, module->statement_count, sizeof table->statements[0], arena);
        module->decisions =
            copied(table->decisions, module->decision_count, sizeof table->decisions[0], arena);
    }
    for (size_t i = 0; i < ARRAY_LEN(hits); i++)
        counts_of(out, hits[i].run, hits[i].module, arena)[hits[i].index] = hits[i].count;
}

/* --- large ------------------------------------------------------------------------------------ */

enum {
    LINES_A_METHOD = 10,
    COUNTS_A_METHOD = LINES_A_METHOD + 2,
    METHODS_A_FILE = 50
};

static struct str named(struct arena *arena, const char *prefix, uint32_t number,
                        const char *suffix)
{
    char text[64];
    int len = snprintf(text, sizeof text, "%s%u%s", prefix, number, suffix);
    const char *copy = arena_copy_text(arena, text, (size_t)len, NULL);
    if (copy == NULL)
        abort();
    return (struct str){copy, (size_t)len};
}

static void fill_large(struct fact_module *module, struct arena *arena)
{
    for (uint32_t i = 0; i < module->document_count; i++) {
        struct str path = named(arena, "src/File", i, ".cs");
        module->documents[i] = (struct fact_document){.path = path, .relative = path};
    }
    for (uint32_t i = 0; i < module->method_count; i++) {
        uint32_t file = i / METHODS_A_FILE, line = i % METHODS_A_FILE * (LINES_A_METHOD + 2) + 1;
        module->methods[i] = (struct fact_method){.token = 0x06000001 + i,
                                                  .type = named(arena, "Large.Type", file, ""),
                                                  .name = named(arena, "Method", i, ""),
                                                  .signature = STR("()"),
                                                  .user_method = i,
                                                  .entry_count = NO_INDEX};
        for (uint32_t k = 0; k < LINES_A_METHOD; k++)
            module->statements[i * LINES_A_METHOD + k] = (struct fact_statement){
                i,        file, k * 4,    line + k, line + k, 9, 20, i * COUNTS_A_METHOD + k,
                {0, {0}}, NULL, {NULL, 0}};
        module->decisions[i] =
            (struct fact_decision){.method = i,
                                   .document = file,
                                   .il_offset = 2,
                                   .line = line,
                                   .outcome_count = 2,
                                   .first_count = i * COUNTS_A_METHOD + LINES_A_METHOD,
                                   .span = {line, line, 0, 0}};
    }
}

void fixture_large(struct facts *out, uint32_t method_count, struct arena *arena)
{
    struct fact_module *module = ARENA_NEW(arena, struct fact_module, 1, NULL);
    struct fact_run *run = ARENA_NEW(arena, struct fact_run, 1, NULL);
    struct fact_counts *counts = ARENA_NEW(arena, struct fact_counts, 1, NULL);
    if (module == NULL || run == NULL || counts == NULL)
        abort();
    *module = (struct fact_module){.name = STR("Large"),
                                   .document_count = method_count / METHODS_A_FILE + 1,
                                   .method_count = method_count,
                                   .statement_count = method_count * LINES_A_METHOD,
                                   .decision_count = method_count,
                                   .count_len = method_count * COUNTS_A_METHOD};
    module->documents = ARENA_NEW(arena, struct fact_document, module->document_count, NULL);
    module->methods = ARENA_NEW(arena, struct fact_method, module->method_count, NULL);
    module->statements = ARENA_NEW(arena, struct fact_statement, module->statement_count, NULL);
    module->decisions = ARENA_NEW(arena, struct fact_decision, module->decision_count, NULL);
    counts->counts = ARENA_NEW(arena, uint64_t, module->count_len, NULL);
    if (module->documents == NULL || module->methods == NULL || module->statements == NULL ||
        module->decisions == NULL || counts->counts == NULL)
        abort();
    fill_large(module, arena);
    for (uint32_t i = 0; i < module->count_len; i++)
        counts->counts[i] = i % 5;
    *run = (struct fact_run){.mode = STR("count"), .root = STR("/src")};
    *out = (struct facts){.modules = module,
                          .module_count = 1,
                          .runs = run,
                          .run_count = 1,
                          .counts = counts,
                          .counts_count = 1};
}

/* --- equality --------------------------------------------------------------------------------- */

static bool bytes_equal(struct view a, struct view b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.data, b.data, a.len) == 0);
}

static bool documents_equal(const struct fact_document *a, const struct fact_document *b)
{
    return str_eq(a->path, b->path) && str_eq(a->relative, b->relative) &&
           reason_eq(a->reason, b->reason) && reason_eq(a->generated, b->generated) &&
           memcmp(a->hash_algorithm, b->hash_algorithm, sizeof a->hash_algorithm) == 0 &&
           bytes_equal(a->hash, b->hash) && bytes_equal(a->source, b->source);
}

static bool methods_equal(const struct fact_method *a, const struct fact_method *b)
{
    return a->token == b->token && str_eq(a->type, b->type) && str_eq(a->name, b->name) &&
           str_eq(a->signature, b->signature) && a->user_method == b->user_method &&
           a->state == b->state && reason_eq(a->reason, b->reason) &&
           a->entry_count == b->entry_count && memcmp(a->body, b->body, sizeof a->body) == 0 &&
           bytes_equal(a->instructions, b->instructions) && reason_eq(a->generated, b->generated);
}

static bool statements_equal(const struct fact_statement *a, const struct fact_statement *b)
{
    return a->method == b->method && a->document == b->document && a->il_offset == b->il_offset &&
           a->start_line == b->start_line && a->end_line == b->end_line &&
           a->start_column == b->start_column && a->end_column == b->end_column &&
           a->count == b->count && reason_eq(a->reason, b->reason) && a->gaps.len == b->gaps.len &&
           (a->gaps.len == 0 || memcmp(a->gaps.data, b->gaps.data, a->gaps.len) == 0);
}

static bool decisions_equal(const struct fact_decision *a, const struct fact_decision *b)
{
    return a->method == b->method && a->document == b->document && a->il_offset == b->il_offset &&
           a->line == b->line && a->outcome_count == b->outcome_count &&
           a->is_switch == b->is_switch && a->first_count == b->first_count &&
           memcmp(&a->span, &b->span, sizeof a->span) == 0 && a->is_exact == b->is_exact &&
           a->words == b->words && a->expression == b->expression &&
           reason_eq(a->reason, b->reason);
}

static bool modules_equal(const struct fact_module *a, const struct fact_module *b)
{
    bool equal = str_eq(a->name, b->name) && str_eq(a->path, b->path) &&
                 memcmp(a->mvid, b->mvid, sizeof a->mvid) == 0 &&
                 memcmp(a->identity, b->identity, sizeof a->identity) == 0 &&
                 a->plan_hash == b->plan_hash && a->seen == b->seen && a->state == b->state &&
                 reason_eq(a->reason, b->reason) && a->count_len == b->count_len &&
                 a->document_count == b->document_count && a->method_count == b->method_count &&
                 a->statement_count == b->statement_count && a->decision_count == b->decision_count;
    for (uint32_t i = 0; equal && i < a->document_count; i++)
        equal = documents_equal(&a->documents[i], &b->documents[i]);
    for (uint32_t i = 0; equal && i < a->method_count; i++)
        equal = methods_equal(&a->methods[i], &b->methods[i]);
    for (uint32_t i = 0; equal && i < a->statement_count; i++)
        equal = statements_equal(&a->statements[i], &b->statements[i]);
    for (uint32_t i = 0; equal && i < a->decision_count; i++)
        equal = decisions_equal(&a->decisions[i], &b->decisions[i]);
    return equal;
}

static bool runs_equal(const struct fact_run *a, const struct fact_run *b)
{
    return memcmp(a->id, b->id, sizeof a->id) == 0 && a->started == b->started &&
           a->kind == b->kind && str_eq(a->mode, b->mode) && str_eq(a->root, b->root) &&
           str_eq(a->label, b->label) && reason_eq(a->reason, b->reason) &&
           bytes_equal(a->folded, b->folded);
}

static bool processes_equal(const struct fact_process *a, const struct fact_process *b)
{
    return a->run == b->run && str_eq(a->program, b->program) && str_eq(a->runtime, b->runtime) &&
           reason_eq(a->declined, b->declined) && a->module_count == b->module_count &&
           a->method_count == b->method_count;
}

bool facts_equal(const struct facts *a, const struct facts *b)
{
    bool equal = a->module_count == b->module_count && a->run_count == b->run_count &&
                 a->process_count == b->process_count && a->counts_count == b->counts_count &&
                 a->counts_generated == b->counts_generated;
    for (uint32_t i = 0; equal && i < a->module_count; i++)
        equal = modules_equal(&a->modules[i], &b->modules[i]);
    for (uint32_t i = 0; equal && i < a->run_count; i++)
        equal = runs_equal(&a->runs[i], &b->runs[i]);
    for (uint32_t i = 0; equal && i < a->process_count; i++)
        equal = processes_equal(&a->processes[i], &b->processes[i]);
    for (uint32_t i = 0; equal && i < a->counts_count; i++) {
        const struct fact_counts *x = &a->counts[i], *y = &b->counts[i];
        equal =
            x->run == y->run && x->module == y->module &&
            memcmp(x->counts, y->counts, a->modules[x->module].count_len * sizeof *x->counts) == 0;
    }
    return equal;
}

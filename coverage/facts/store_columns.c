/* Which field is which column, from left to right (store.def). */
#include "coverage/facts/store_tables.h"

enum {
    HASH_LIMIT = 64
};

#define LIMITED(kind, type, field, max)                                                            \
    {                                                                                              \
        COLUMN_##kind, max, offsetof(struct type, field)                                           \
    }
#define FIELD(kind, type, field) LIMITED(kind, type, field, UINT32_MAX)

static const struct store_column reasons[] = {
    {.kind = COLUMN_ID},
    FIELD(U32, reason, code),
    FIELD(TEXT, reason, subject),
    FIELD(TEXT, reason, remark),
};
static const struct store_column runs[] = {
    {.kind = COLUMN_ID},           LIMITED(BYTES, fact_run, id, FACT_ID_LEN),
    FIELD(I64, fact_run, started), LIMITED(U32, fact_run, kind, RUN_EXTERNAL),
    FIELD(TEXT, fact_run, mode),   FIELD(TEXT, fact_run, root),
    FIELD(TEXT, fact_run, label),  FIELD(REASON, fact_run, reason),
    FIELD(BLOB, fact_run, folded),
};
static const struct store_column processes[] = {
    {.kind = COLUMN_ID},
    FIELD(U32, fact_process, run),
    FIELD(TEXT, fact_process, program),
    FIELD(TEXT, fact_process, runtime),
    FIELD(REASON, fact_process, declined),
    FIELD(U32, fact_process, module_count),
    FIELD(U64, fact_process, method_count),
};
static const struct store_column modules[] = {
    {.kind = COLUMN_ID},
    FIELD(TEXT, fact_module, name),
    FIELD(TEXT, fact_module, path),
    LIMITED(BYTES, fact_module, mvid, 16),
    LIMITED(BYTES, fact_module, identity, 32),
    FIELD(I64, fact_module, plan_hash),
    FIELD(I64, fact_module, seen),
    LIMITED(U32, fact_module, state, MODULE_EXTERNAL),
    FIELD(REASON, fact_module, reason),
    LIMITED(U32, fact_module, count_len, FACT_COUNTS_LIMIT),
    FIELD(U32, fact_module, statement_count),
    FIELD(U32, fact_module, decision_count),
};
static const struct store_column documents[] = {
    {.kind = COLUMN_ID},
    FIELD(TEXT, fact_document, path),
    FIELD(TEXT, fact_document, relative),
    FIELD(REASON, fact_document, reason),
    LIMITED(BYTES, fact_document, hash_algorithm, 16),
    LIMITED(BLOB, fact_document, hash, HASH_LIMIT),
    FIELD(BLOB, fact_document, source),
    FIELD(REASON, fact_document, generated),
};
static const struct store_column methods[] = {
    {.kind = COLUMN_ID},
    FIELD(U32, fact_method, token),
    FIELD(TEXT, fact_method, type),
    FIELD(TEXT, fact_method, name),
    FIELD(TEXT, fact_method, signature),
    FIELD(U32, fact_method, user_method),
    LIMITED(U32, fact_method, state, METHOD_EXCLUDED),
    FIELD(REASON, fact_method, reason),
    FIELD(INDEX, fact_method, entry_count),
    LIMITED(BYTES, fact_method, body, FACT_BODY_LEN),
    FIELD(CODE, fact_method, instructions),
    FIELD(TEXT, fact_method, display.type),
    FIELD(TEXT, fact_method, display.name),
    FIELD(TEXT, fact_method, display.signature),
    FIELD(REASON, fact_method, generated),
};
static const struct store_column statements[] = {
    FIELD(U32, fact_statement, document),
    FIELD(U32, fact_statement, il_offset),
    FIELD(U32, fact_statement, start_line),
    FIELD(U16, fact_statement, start_column),
    FIELD(U32, fact_statement, end_line),
    FIELD(U16, fact_statement, end_column),
    FIELD(U32, fact_statement, count),
    FIELD(REASON, fact_statement, reason),
    LIMITED(CODE, fact_statement, gaps, FACT_LINE_LIMIT / 8 + 1),
    FIELD(CAUSES, fact_statement, causes),
};
static const struct store_column decisions[] = {
    FIELD(U32, fact_decision, document),
    FIELD(U32, fact_decision, il_offset),
    FIELD(U32, fact_decision, line),
    FIELD(U32, fact_decision, outcome_count),
    FIELD(BOOL, fact_decision, is_switch),
    FIELD(U32, fact_decision, first_count),
    FIELD(REASON, fact_decision, reason),
    FIELD(U32, fact_decision, span.start_line),
    FIELD(U16, fact_decision, span.start_column),
    FIELD(U32, fact_decision, span.end_line),
    FIELD(U16, fact_decision, span.end_column),
    FIELD(BOOL, fact_decision, is_exact),
    FIELD(BEFORE, fact_decision, expression),
    LIMITED(U32, fact_decision, words, WORDS_LAST),
    FIELD(CAUSES, fact_decision, causes),
    {.kind = COLUMN_ARMS},
};
static const struct store_column tests[] = {
    {.kind = COLUMN_ID},
    FIELD(U32, fact_test, run),
    FIELD(TEXT, fact_test, name),
    LIMITED(U32, fact_test, kind, TEST_OUTSIDE),
    LIMITED(U32, fact_test, end, TEST_THREW),
    FIELD(U64, fact_test, ns),
    FIELD(U64, fact_test, rows),
};
static const struct store_column test_hits[] = {
    FIELD(U32, fact_hits, module),
    FIELD(BLOB, fact_hits, counts),
    FIELD(BLOB, fact_hits, tests),
};
static const struct store_column inputs[] = {
    FIELD(TEXT, fact_input, folder),
    FIELD(TEXT, fact_input, path),
    LIMITED(BYTES, fact_input, hash, FACT_INPUT_HASH_LEN),
};

#define ROW(type, columns)                                                                         \
    {                                                                                              \
        sizeof(struct type), columns, ARRAY_LEN(columns)                                           \
    }
const struct store_columns store_columns[STORE_TABLE_COUNT] = {
    [REASONS] = ROW(reason, reasons),
    [RUNS] = ROW(fact_run, runs),
    [PROCESSES] = ROW(fact_process, processes),
    [MODULES] = ROW(fact_module, modules),
    [DOCUMENTS] = ROW(fact_document, documents),
    [METHODS] = ROW(fact_method, methods),
    [STATEMENTS] = ROW(fact_statement, statements),
    [DECISIONS] = ROW(fact_decision, decisions),
    [TESTS] = ROW(fact_test, tests),
    [TEST_HITS] = ROW(fact_hits, test_hits),
    [INPUTS] = ROW(fact_input, inputs),
};

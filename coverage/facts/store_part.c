/* A part of a data file, for questions about a few lines. */
#include <string.h>

#include "base/list.h"
#include "coverage/facts/store_read.h"

/* What the facts have is sound; what they lack is empty. */
static bool check_store_part(const struct facts *facts, struct err *err)
{
    if (facts_check(facts, err))
        return true;
    err_prefix(err, "damaged");
    return false;
}

/* The memory that the lists got stays: how many statements there are is known again when methods
 * are read. */
static bool empty_lists(struct store_part *out, struct facts *facts, struct arena *arena,
                        struct err *err)
{
    out->statement_counts = ARENA_NEW(arena, uint32_t, facts->module_count, err);
    for (uint32_t i = 0; out->statement_counts != NULL && i < facts->module_count; i++) {
        struct fact_module *module = &facts->modules[i];
        out->statement_counts[i] = module->statement_count;
        module->statement_count = module->decision_count = 0;
    }
    return out->statement_counts != NULL;
}

static bool read_part(struct store_part *out, struct facts *facts, struct arena *arena,
                      struct err *err)
{
    struct rows_source source = store_source_of(&out->reader, arena, err);
    return store_read_outline(facts, &source) && store_read_tests(facts, &source) &&
           empty_lists(out, facts, arena, err) && check_store_part(facts, err);
}

bool store_part_open(struct store_part *out, struct facts *facts, const char *path,
                     struct arena *arena, struct err *err)
{
    *facts = (struct facts){0};
    out->statement_counts = NULL;
    if (store_open_to_read(&out->reader, path, err) &&
        store_check_schema(&out->reader, arena, err) && read_part(out, facts, arena, err))
        return true;
    store_part_close(out);
    *facts = (struct facts){0};
    return false;
}

void store_part_close(struct store_part *part)
{
    store_close(&part->reader);
}

/* In place: the items begin with the number of their document, and no text in them has a '['.
 * *count: how many there are. */
static bool items_are_in(const bool *documents, uint32_t document_count, struct view items,
                         uint32_t *count)
{
    const uint8_t *at = items.data, *end = items.data + items.len;
    bool found = false;
    *count = 0;
    for (at = at != end ? at + 1 : end;
         at != end && (at = memchr(at, '[', (size_t)(end - at))) != NULL; ++*count) {
        uint64_t number = 0;
        for (at++; at != end && *at >= '0' && *at <= '9' && number <= UINT32_MAX; at++)
            number = 10 * number + (uint64_t)(*at - '0');
        found |= documents != NULL && number < document_count && documents[number];
    }
    return found;
}

/* Is the row one of this module? It is not read. */
static bool is_of_module(const struct rows_in *rows, uint32_t module)
{
    return !rows->failed && sqlite3_column_int64(rows->statement, 0) == module;
}

/* Where the next row of a module's methods goes. */
struct part_place {
    struct fact_module *module;
    uint32_t index;
    uint32_t statement;       /* how many have come */
    uint32_t statement_count; /* how many the file has */
};

/* All statements are counted, those that are wanted are read. */
static void get_wanted(struct rows_in *rows, struct part_place *place, bool wants_method,
                       const bool *documents)
{
    struct fact_module *module = place->module;
    uint32_t count = 0, first = module->statement_count;
    expect_id(rows, place->statement);
    items_open(rows);
    bool wanted = items_are_in(documents, module->document_count,
                               (struct view){rows->items.data, rows->items.len}, &count);
    if (rows->failed || count > place->statement_count - place->statement) {
        rows_refuse(rows);
        return;
    }
    place->statement += count;
    if (!wanted && !wants_method)
        return;
    for (uint32_t i = 0; items_next(rows); i++) {
        if (i == count) {
            rows_refuse(rows);
            return;
        }
        struct fact_statement *statement = &module->statements[first + i];
        get_columns(rows, &store_columns[STATEMENTS], statement, 0);
        statement->method = place->index;
        statement->causes.len = 0; /* they name decisions */
        module->statement_count++;
    }
}

/* Methods come in the order of modules; all their statements must have come before the next. */
static bool read_part_of_module(struct rows_in *rows, struct fact_module *module, uint32_t id,
                                uint32_t statement_count, bool *has_row,
                                const struct store_wanted *wanted)
{
    struct list methods = {.items = NULL};
    struct part_place place = {.module = module, .statement_count = statement_count};
    const bool *documents = wanted->documents[id], *named = wanted->methods[id];
    uint32_t named_count = module->method_count;
    module->statement_count = 0;
    for (; *has_row && is_of_module(rows, id); *has_row = rows_next(rows), place.index++) {
        struct fact_method *method =
            list_add(&methods, sizeof *method, rows->source->arena, rows->source->err);
        rows->failed |= method == NULL;
        if (rows->failed)
            return false;
        rows->column++;
        get_columns(rows, &store_columns[METHODS], method, place.index);
        get_wanted(rows, &place, named != NULL && place.index < named_count && named[place.index],
                   documents);
    }
    module->methods = methods.items;
    module->method_count = methods.count;
    if (place.statement != statement_count)
        rows_refuse(rows);
    return !rows->failed;
}

bool store_part_read(struct store_part *part, struct facts *facts,
                     const struct store_wanted *wanted, struct arena *arena, struct err *err)
{
    static const char sql[] = /* what is not wanted is as if there were none */
        "SELECT module, id, token, type, name, signature, user_method, 0, NULL, NULL, zeroblob(16),"
        " x'', display_type, display_name, display_signature, NULL, first_statement, statements"
        " FROM methods ORDER BY rowid";
    struct rows_source source = store_source_of(&part->reader, arena, err);
    if (!store_read_reasons(&source))
        return false;
    struct rows_in rows = rows_from(&source, METHODS, sql);
    bool has_row = rows_next(&rows);
    for (uint32_t i = 0; i < facts->module_count && !rows.failed; i++)
        if (!read_part_of_module(&rows, &facts->modules[i], i, part->statement_counts[i], &has_row,
                                 wanted))
            break;
    if (has_row)
        rows_refuse(&rows);
    return rows_close(&rows) && check_store_part(facts, err);
}

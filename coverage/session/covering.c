#include "coverage/session/covering.h"

#include "base/list.h"
#include "base/sort.h"
#include "coverage/facts/index_set.h"
#include "coverage/facts/line_rank.h"

bool wanted_code_open(struct wanted_code *out, const struct facts *facts, struct arena *arena,
                      struct err *err)
{
    *out = (struct wanted_code){.facts = facts,
                                .counts = ARENA_NEW(arena, bool *, facts->module_count, err),
                                .arena = arena};
    return out->counts != NULL;
}

static bool want_count(struct wanted_code *wanted, uint32_t module, uint32_t count, struct err *err)
{
    bool **counts = &wanted->counts[module];
    if (*counts == NULL)
        *counts = ARENA_NEW(wanted->arena, bool, wanted->facts->modules[module].count_len, err);
    if (*counts == NULL)
        return false;
    wanted->statements += !(*counts)[count];
    (*counts)[count] = true;
    return true;
}

/* --- lines ------------------------------------------------------------------------------------ */

enum {
    WANTED_LINES_MAX = 1 << 25 /* more than the lines of any program */
};

/* A line of a statement. */
struct ranked_line {
    uint32_t line;
    uint64_t rank;
    const struct fact_statement *statement;
};

ORDER(order_ranked_lines, struct ranked_line, BY(line) BY(rank))

static bool add_lines(struct list *lines, const struct condition_lines *conditions,
                      const struct fact_statement *statement, uint32_t first, uint32_t last,
                      struct arena *arena, struct err *err)
{
    first = first > statement->start_line ? first : statement->start_line;
    last = last < statement->end_line ? last : statement->end_line;
    for (uint32_t line = first; line <= last; line++) {
        const struct ranked_line ranked = {line, line_rank(conditions, statement, line), statement};
        if (lines->count == WANTED_LINES_MAX)
            return err_set(err, ERR_LIMIT, "the statements span more than %d lines",
                           WANTED_LINES_MAX);
        if (facts_has_text(statement, line) && !list_put(lines, &ranked, sizeof ranked, arena, err))
            return false;
    }
    return true;
}

/* Those of lowest rank make up their line. */
static bool want_lowest(struct wanted_code *wanted, uint32_t module, const struct list *lines,
                        struct err *err)
{
    const struct ranked_line *items = lines->items, *lowest = items;
    sort_unless_sorted(lines->items, lines->count, sizeof *items, order_ranked_lines);
    for (uint32_t i = 0; i < lines->count; i++) {
        lowest = items[i].line != lowest->line ? &items[i] : lowest;
        if (items[i].rank == lowest->rank &&
            !want_count(wanted, module, items[i].statement->count, err))
            return false;
    }
    return true;
}

bool wanted_code_add_lines(struct wanted_code *wanted, struct str relative, uint32_t first,
                           uint32_t last, struct err *err)
{
    bool ok = true;
    struct arena scratch = ARENA_EMPTY;
    for (uint32_t m = 0; ok && m < wanted->facts->module_count; m++) {
        const struct fact_module *module = &wanted->facts->modules[m];
        struct list lines = {.items = NULL};
        struct condition_lines conditions;
        ok = condition_lines_find(&conditions, module, &scratch, err);
        for (uint32_t i = 0; ok && i < module->statement_count; i++) {
            const struct fact_statement *statement = &module->statements[i];
            if (str_eq(module->documents[statement->document].relative, relative))
                ok = add_lines(&lines, &conditions, statement, first, last, &scratch, err);
        }
        ok = ok && want_lowest(wanted, m, &lines, err);
    }
    arena_free(&scratch);
    return ok;
}

/* --- methods ---------------------------------------------------------------------------------- */

/* Takes an end of `whole` off `name`, if it is one. */
static bool take_name_end(struct str *name, struct str whole)
{
    size_t len = whole.len < name->len ? whole.len : name->len;
    name->len -= len;
    return str_eq((struct str){whole.text + (whole.len - len), len},
                  (struct str){name->text + name->len, len});
}

/* Is it the end of "type.name", followed by `signature`, from behind a dot on? Nothing is put
 * together: that would take longer than all else, for every method there is. */
static bool ends_with_name(struct fact_display display, struct str signature, struct str name)
{
    const struct str parts[] = {signature, display.name, STR("."), display.type};
    char before = '.'; /* what is before the name */
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
        size_t len = name.len;
        if (len == 0 && parts[i].len == 0)
            continue;
        if (!take_name_end(&name, parts[i]))
            return false;
        size_t left = parts[i].len - (len - name.len);
        if (name.len == 0 && left != 0) {
            before = parts[i].text[left - 1];
            break;
        }
    }
    return name.len == 0 && before == '.';
}

/* With its signature, or without. */
static bool is_method_named(const struct fact_method *method, struct str name)
{
    struct fact_display display = fact_method_display(method);
    return ends_with_name(display, display.signature, name) ||
           ends_with_name(display, STR(""), name);
}

static bool mark_named(bool *named, const struct fact_module *module, struct str name)
{
    bool any = false;
    for (uint32_t i = 0; i < module->method_count; i++)
        if (module->methods[i].user_method == i)
            any |= named[i] = is_method_named(&module->methods[i], name);
    for (uint32_t i = 0; any && i < module->method_count; i++) {
        uint32_t user = module->methods[i].user_method;
        if (user != i)
            named[i] = module->methods[user].user_method == user && named[user];
    }
    return any;
}

bool covering_named(bool ***out, bool *any, const struct facts *facts, struct str name,
                    struct arena *arena, struct err *err)
{
    *any = false;
    *out = ARENA_NEW(arena, bool *, facts->module_count, err);
    for (uint32_t m = 0; *out != NULL && m < facts->module_count; m++) {
        (*out)[m] = ARENA_NEW(arena, bool, facts->modules[m].method_count, err);
        if ((*out)[m] == NULL)
            return false;
        *any |= mark_named((*out)[m], &facts->modules[m], name);
    }
    return *out != NULL;
}

bool wanted_code_add_methods(struct wanted_code *wanted, struct str name, struct err *err)
{
    bool **named = NULL, any = false;
    if (!covering_named(&named, &any, wanted->facts, name, wanted->arena, err))
        return false;
    for (uint32_t m = 0; any && m < wanted->facts->module_count; m++) {
        const struct fact_module *module = &wanted->facts->modules[m];
        for (uint32_t i = 0; i < module->statement_count; i++) {
            const struct fact_statement *statement = &module->statements[i];
            if (named[m][statement->method] && !want_count(wanted, m, statement->count, err))
                return false;
        }
    }
    return true;
}

/* --- tests ------------------------------------------------------------------------------------ */

static bool hits_any(struct view counts, const bool *wanted)
{
    struct index_runs runs = index_set_runs(counts);
    uint32_t first, end;
    while (index_set_next(&runs, &first, &end))
        for (uint32_t i = first; i < end; i++)
            if (wanted[i])
                return true;
    return false;
}

bool covering_tests(bool **tests, const struct wanted_code *wanted, struct err *err)
{
    const struct facts *facts = wanted->facts;
    *tests = ARENA_NEW(wanted->arena, bool, facts->test_count, err);
    for (uint32_t i = 0; *tests != NULL && i < facts->hits_count; i++) {
        const bool *counts = wanted->counts[facts->hits[i].module];
        if (counts != NULL && hits_any(facts->hits[i].counts, counts))
            index_set_mark(*tests, facts->hits[i].tests);
    }
    return *tests != NULL;
}

#include "cli/verbs/inspect_data.h"

#include <stdio.h>

#include "base/hex.h"
#include "base/text.h"
#include "cli/base/exit.h"
#include "cli/base/json_output.h"
#include "cli/base/say.h"
#include "cli/verbs/inspect_names.h"
#include "coverage/facts/data_file.h"
#include "coverage/store/store.h"
#include "system/file.h"

bool inspect_is_data(const char *path)
{
    char start[sizeof DATA_FILE_MAGIC] = "";
    int fd = file_read_open(path);
    bool is_data = fd >= 0 && file_read_at(start, sizeof start, fd, 0) &&
                   data_file_begins(start, sizeof start);
    (void)file_close(fd);
    return is_data;
}

static const char *const kinds[] = {
    [RUN_MEASURED] = "measured",
    [RUN_PARTIAL] = "measured in part",
    [RUN_CARRIED] = "carried",
    [RUN_FOREIGN] = "another tool's",
};

static bool print_reason(const char *before, const struct reason *reason, const char *after,
                         struct arena *arena, struct err *err)
{
    struct str text;
    if (!reason_text(&text, reason, arena, err))
        return false;
    printf("%s", before);
    inspect_print_name(text);
    printf("%s", after);
    return true;
}

static void print_if_any(const char *before, struct str text)
{
    if (text.len == 0)
        return;
    printf("%s", before);
    inspect_print_name(text);
}

static bool print_run(const struct fact_run *run, struct arena *arena, struct err *err)
{
    char date[UTC_ROOM];
    printf("run ");
    inspect_print_hex(run->id, sizeof run->id);
    printf(" %s: %s", utc_text(date, run->started), kinds[run->kind]);
    print_if_any(", mode ", run->mode);
    print_if_any(", root ", run->root);
    if (run->reason != NULL && !print_reason(", ", run->reason, "", arena, err))
        return false;
    print_if_any(", ", run->label);
    if (run->folded.len != 0)
        printf(", %zu runs in one", run->folded.len / FACT_ID_LEN);
    printf("\n");
    return true;
}

/* Who wrote the method, if not the user: the rule for itself, or for the file of its first
 * statement. */
static const struct reason *generated_by(const struct fact_module *module, uint32_t method)
{
    uint32_t first = facts_first_statement(module, method);
    if (first < module->statement_count && module->statements[first].method == method)
        return facts_generated(module, &module->statements[first]);
    return module->methods[method].generated;
}

static uint32_t count_generated(const struct fact_module *module)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < module->method_count; i++)
        count += generated_by(module, i) != NULL;
    return count;
}

static bool print_module(const struct facts *facts, uint32_t index, struct arena *arena,
                         struct err *err)
{
    static const char *const states[] = {[MODULE_COVERED] = "covered",
                                         [MODULE_SKIPPED] = "skipped",
                                         [MODULE_FOREIGN] = "another tool's"};
    const struct fact_module *module = &facts->modules[index];
    uint32_t runs = 0;
    if (module->state == MODULE_SKIPPED) {
        inspect_print_name(module->name);
        printf(", skipped");
        return print_reason(" (", module->reason, ")\n", arena, err);
    }
    for (uint32_t i = 0; i < facts->counts_count; i++)
        runs += facts->counts[i].module == index;
    inspect_print_name(module->name);
    printf(", identity sha256:");
    inspect_print_hex(module->identity, sizeof module->identity);
    printf(", %s", module->state == MODULE_NOT_LOADED ? reason_words[REASON_NEVER_LOADED].text
                                                      : states[module->state]);
    if (module->state == MODULE_COVERED)
        printf(" in %u %s", runs, plural(runs, "run", "runs"));
    if (module->reason != NULL && !reason_is(module->reason, REASON_NEVER_LOADED) &&
        !print_reason(" (", module->reason, ")", arena, err))
        return false;
    uint32_t generated = count_generated(module);
    printf(", %u %s", module->method_count, plural(module->method_count, "method", "methods"));
    if (generated != 0)
        printf(" (%u generated)", generated);
    printf("\n");
    return true;
}

/* Is there a method that METHOD selects? Told before anything is printed. */
static bool check_wanted(const struct facts *facts, struct str wanted, struct arena *arena,
                         struct err *err)
{
    struct inspect_misses misses = {.arena = arena};
    bool found = wanted.len == 0;
    for (uint32_t m = 0; m < facts->module_count && !found; m++)
        for (uint32_t i = 0; i < facts->modules[m].method_count && !found; i++) {
            const struct fact_method *method = &facts->modules[m].methods[i];
            if (!inspect_is_meant(&found, wanted, method->type, method->name, arena, err) ||
                (!found && !inspect_note_miss(&misses, wanted, method->type, method->name, err)))
                return false;
        }
    return found || inspect_nothing_matches(&misses, wanted, err);
}

static bool print_methods(const struct fact_module *module, struct str wanted, struct arena *arena,
                          struct err *err)
{
    for (uint32_t i = 0; i < module->method_count && wanted.len != 0; i++) {
        const struct fact_method *method = &module->methods[i];
        bool meant = false;
        if (!inspect_is_meant(&meant, wanted, method->type, method->name, arena, err))
            return false;
        if (!meant)
            continue;
        printf("%08x ", method->token);
        inspect_print_method_name(method->type, method->name, method->signature);
        printf(": code ");
        inspect_print_hex(method->body, sizeof method->body);
        const struct reason *generated = generated_by(module, i);
        if (generated != NULL && !print_reason(", ", generated, "", arena, err))
            return false;
        printf("\n");
    }
    return true;
}

/* --- JSON ------------------------------------------------------------------------------------- */

static const char *const run_kinds[] = {
    [RUN_MEASURED] = "measured",
    [RUN_PARTIAL] = "partial",
    [RUN_CARRIED] = "carried",
    [RUN_FOREIGN] = "foreign",
};

static const char *const module_states[] = {
    [MODULE_COVERED] = "covered",
    [MODULE_NOT_LOADED] = "not_loaded",
    [MODULE_SKIPPED] = "skipped",
    [MODULE_FOREIGN] = "foreign",
};

static bool put_reason(struct json_writer *json, const struct reason *reason, struct arena *arena,
                       struct err *err)
{
    struct str text;
    if (reason == NULL)
        return true;
    if (!reason_text(&text, reason, arena, err))
        return false;
    jw_text(json, "reason", text);
    jw_number(json, "code", reason->code);
    return true;
}

static void put_if_any(struct json_writer *json, const char *key, struct str text)
{
    if (text.len != 0)
        jw_text(json, key, text);
}

static bool put_run(struct json_writer *json, const struct fact_run *run, struct arena *arena,
                    struct err *err)
{
    char id[HEX_ROOM(sizeof run->id)];
    jw_begin_line(json, NULL, '{');
    jw_text_c(json, "id", hex_of(id, run->id, sizeof run->id));
    jw_text_c(json, "kind", run_kinds[run->kind]);
    jw_signed(json, "started", run->started);
    put_if_any(json, "mode", run->mode);
    put_if_any(json, "root", run->root);
    bool ok = put_reason(json, run->reason, arena, err);
    put_if_any(json, "label", run->label);
    if (run->folded.len != 0)
        jw_number(json, "folded_runs", run->folded.len / FACT_ID_LEN);
    jw_end(json, '}');
    return ok;
}

static bool put_method(struct json_writer *json, const struct fact_module *module, uint32_t index,
                       struct arena *arena, struct err *err)
{
    const struct fact_method *method = &module->methods[index];
    const struct reason *generated = generated_by(module, index);
    char code[HEX_ROOM(sizeof method->body)];
    struct str text;
    if (generated != NULL && !reason_text(&text, generated, arena, err))
        return false;
    jw_begin_line(json, NULL, '{');
    inspect_put_method_name(json, method->token, method->type, method->name, method->signature);
    jw_text_c(json, "code", hex_of(code, method->body, sizeof method->body));
    if (generated != NULL)
        jw_text(json, "generated", text);
    jw_end(json, '}');
    return true;
}

static bool put_methods(struct json_writer *json, const struct fact_module *module,
                        struct str wanted, struct arena *arena, struct err *err)
{
    jw_begin(json, "selected", '[');
    for (uint32_t i = 0; i < module->method_count; i++) {
        const struct fact_method *method = &module->methods[i];
        bool meant = false;
        if (!inspect_is_meant(&meant, wanted, method->type, method->name, arena, err))
            return false;
        if (meant && !put_method(json, module, i, arena, err))
            return false;
    }
    jw_end(json, ']');
    return true;
}

static bool put_module(struct json_writer *json, const struct facts *facts, uint32_t index,
                       struct str wanted, struct arena *arena, struct err *err)
{
    const struct fact_module *module = &facts->modules[index];
    char identity[HEX_ROOM(sizeof module->identity)];
    uint32_t runs = 0;
    for (uint32_t i = 0; i < facts->counts_count; i++)
        runs += facts->counts[i].module == index;
    jw_begin(json, NULL, '{');
    jw_text(json, "name", module->name);
    jw_text_c(json, "state", module_states[module->state]);
    if (module->state != MODULE_SKIPPED) {
        jw_text_c(json, "identity", hex_of(identity, module->identity, sizeof module->identity));
        jw_number(json, "methods", module->method_count);
        jw_number(json, "generated_methods", count_generated(module));
    }
    if (module->state == MODULE_COVERED)
        jw_number(json, "runs", runs);
    bool ok = put_reason(json, module->reason, arena, err) &&
              (wanted.len == 0 || module->state == MODULE_SKIPPED ||
               put_methods(json, module, wanted, arena, err));
    jw_end(json, '}');
    return ok;
}

static bool put_all(struct json_writer *json, const struct facts *facts, struct str wanted,
                    struct arena *arena, struct err *err)
{
    bool ok = true;
    jw_begin(json, "runs", '[');
    for (uint32_t i = 0; ok && i < facts->run_count; i++)
        ok = put_run(json, &facts->runs[i], arena, err);
    jw_end(json, ']');
    jw_begin(json, "assemblies", '[');
    for (uint32_t i = 0; ok && i < facts->module_count; i++)
        ok = put_module(json, facts, i, wanted, arena, err);
    jw_end(json, ']');
    return ok;
}

static int print_json(const struct facts *facts, const char *path, struct str wanted,
                      struct arena *arena)
{
    struct err err = {0};
    struct json_output out;
    if (!json_output_open(&out, INSPECT_SCHEMA, &err))
        return say_error(&err);
    jw_text_c(&out.json, "file", path);
    bool ok = put_all(&out.json, facts, wanted, arena, &err);
    return json_output_end(&out, ok, EXIT_FINE, &err);
}

/* --- all of it -------------------------------------------------------------------------------- */

int inspect_data(const char *path, struct str wanted, bool json, struct arena *arena)
{
    struct facts facts;
    struct err err = {.code = ERR_NONE};
    bool ok = store_read(&facts, path, arena, &err) && check_wanted(&facts, wanted, arena, &err);
    if (ok && json)
        return print_json(&facts, path, wanted, arena);
    for (uint32_t i = 0; ok && i < facts.run_count; i++)
        ok = print_run(&facts.runs[i], arena, &err);
    for (uint32_t i = 0; ok && i < facts.module_count; i++) {
        ok = print_module(&facts, i, arena, &err) &&
             print_methods(&facts.modules[i], wanted, arena, &err);
    }
    if (!ok) {
        err_prefix(&err, "%s", path);
        say("%s", err.text);
    }
    return ok ? EXIT_FINE : EXIT_BAD;
}

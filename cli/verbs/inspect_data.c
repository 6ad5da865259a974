#include "cli/verbs/inspect_data.h"

#include <stdio.h>

#include "base/hex.h"
#include "base/text.h"
#include "cli/options/exit.h"
#include "cli/options/json_output.h"
#include "cli/options/say.h"
#include "cli/verbs/inspect_json.h"
#include "cli/verbs/inspect_names.h"
#include "coverage/facts/data_file.h"
#include "coverage/facts/store.h"
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

struct data_view {
    struct facts facts;
    struct str wanted;
    struct json_writer *json;
    struct arena *arena;
    struct err *err;
};

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

static uint32_t count_runs_of(const struct facts *facts, const struct fact_module *module)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < facts->counts_count; i++)
        count += &facts->modules[facts->counts[i].module] == module;
    return count;
}

/* Is there a method that METHOD selects? Told before anything is printed. */
static bool check_selection(const struct data_view *v)
{
    struct inspect_misses misses = {.arena = v->arena};
    bool found = v->wanted.len == 0;
    for (uint32_t m = 0; m < v->facts.module_count && !found; m++)
        for (uint32_t i = 0; i < v->facts.modules[m].method_count && !found; i++) {
            const struct fact_method *method = &v->facts.modules[m].methods[i];
            if (!inspect_look(&found, &misses, v->wanted, method->type, method->name, v->arena,
                              v->err))
                return false;
        }
    return found || inspect_nothing_matches(&misses, v->wanted, v->err);
}

/* Those that METHOD selects. */
static bool each_method(const struct data_view *v, const struct fact_module *module,
                        bool (*take)(const struct data_view *v, const struct fact_module *module,
                                     uint32_t method))
{
    for (uint32_t i = 0; i < module->method_count; i++) {
        const struct fact_method *method = &module->methods[i];
        bool meant = false;
        if (!inspect_is_meant(&meant, v->wanted, method->type, method->name, v->arena, v->err) ||
            (meant && !take(v, module, i)))
            return false;
    }
    return true;
}

/* --- for people ------------------------------------------------------------------------------- */

static bool print_reason(const struct data_view *v, const char *before, const struct reason *reason,
                         const char *after)
{
    struct str text;
    if (reason == NULL)
        return true;
    if (!reason_text(&text, reason, v->arena, v->err))
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

static bool print_run(const struct data_view *v, const struct fact_run *run)
{
    static const char *const kinds[] = {
        [RUN_MEASURED] = "measured",
        [RUN_PARTIAL] = "measured in part",
        [RUN_CARRIED] = "carried",
        [RUN_EXTERNAL] = "from an external report",
    };
    char date[UTC_ROOM];
    printf("run ");
    inspect_print_hex(run->id, sizeof run->id);
    printf(" %s: %s", utc_text(date, run->started), kinds[run->kind]);
    print_if_any(", mode ", run->mode);
    print_if_any(", root ", run->root);
    if (!print_reason(v, ", ", run->reason, ""))
        return false;
    print_if_any(", ", run->label);
    if (run->folded.len != 0)
        printf(", %zu runs in one", run->folded.len / FACT_ID_LEN);
    printf("\n");
    return true;
}

static bool print_data_method(const struct data_view *v, const struct fact_module *module,
                              uint32_t index)
{
    const struct fact_method *method = &module->methods[index];
    printf("%08x ", method->token);
    inspect_print_method_name(method->type, method->name, method->signature);
    printf(": code ");
    inspect_print_hex(method->body, sizeof method->body);
    if (!print_reason(v, ", ", generated_by(module, index), ""))
        return false;
    printf("\n");
    return true;
}

static bool print_data_module(const struct data_view *v, const struct fact_module *module)
{
    static const char *const states[] = {
        [MODULE_INSTRUMENTED] = "instrumented", [MODULE_EXTERNAL] = "from an external report"};
    const struct reason *reason = module->reason;
    inspect_print_name(module->name);
    if (module->state == MODULE_SKIPPED) {
        printf(", skipped (");
        bool ok = print_reason(v, "", reason, "");
        printf(")\n");
        return ok;
    }
    printf(", identity sha256:");
    inspect_print_hex(module->identity, sizeof module->identity);
    printf(", %s", module->state == MODULE_NOT_LOADED ? reason_words[REASON_NEVER_LOADED].text
                                                      : states[module->state]);
    if (module->state == MODULE_INSTRUMENTED) {
        uint32_t runs = count_runs_of(&v->facts, module);
        printf(" in %u %s", runs, plural(runs, "run", "runs"));
    }
    if (!reason_is(reason, REASON_NEVER_LOADED) && !print_reason(v, " (", reason, ")"))
        return false;
    uint32_t generated = count_generated(module);
    printf(", %u %s", module->method_count, plural(module->method_count, "method", "methods"));
    if (generated != 0)
        printf(" (%u generated)", generated);
    printf("\n");
    return true;
}

/* --- JSON ------------------------------------------------------------------------------------- */

static bool put_data_reason(const struct data_view *v, const struct reason *reason)
{
    struct str text;
    if (reason == NULL)
        return true;
    if (!reason_text(&text, reason, v->arena, v->err))
        return false;
    jw_text(v->json, "reason", text);
    jw_number(v->json, "code", reason->code);
    return true;
}

static void put_if_any(struct json_writer *json, const char *key, struct str text)
{
    if (text.len != 0)
        jw_text(json, key, text);
}

static bool put_data_run(const struct data_view *v, const struct fact_run *run)
{
    static const char *const kinds[] = {
        [RUN_MEASURED] = "measured",
        [RUN_PARTIAL] = "partial",
        [RUN_CARRIED] = "carried",
        [RUN_EXTERNAL] = "external",
    };
    jw_begin_line(v->json, NULL, '{');
    inspect_put_hex(v->json, "id", run->id, sizeof run->id);
    jw_text_c(v->json, "kind", kinds[run->kind]);
    jw_signed(v->json, "started", run->started);
    put_if_any(v->json, "mode", run->mode);
    put_if_any(v->json, "root", run->root);
    bool ok = put_data_reason(v, run->reason);
    put_if_any(v->json, "label", run->label);
    if (run->folded.len != 0)
        jw_number(v->json, "folded_runs", run->folded.len / FACT_ID_LEN);
    jw_end(v->json, '}');
    return ok;
}

static bool put_data_method(const struct data_view *v, const struct fact_module *module,
                            uint32_t index)
{
    const struct fact_method *method = &module->methods[index];
    const struct reason *generated = generated_by(module, index);
    struct str text;
    if (generated != NULL && !reason_text(&text, generated, v->arena, v->err))
        return false;
    jw_begin_line(v->json, NULL, '{');
    inspect_put_method_name(v->json, method->token, method->type, method->name, method->signature);
    inspect_put_hex(v->json, "code", method->body, sizeof method->body);
    if (generated != NULL)
        jw_text(v->json, "generated", text);
    jw_end(v->json, '}');
    return true;
}

static bool put_data_methods(const struct data_view *v, const struct fact_module *module)
{
    jw_begin(v->json, "selected", '[');
    bool ok = each_method(v, module, put_data_method);
    jw_end(v->json, ']');
    return ok;
}

static bool put_data_module(const struct data_view *v, const struct fact_module *module)
{
    static const char *const states[] = {
        [MODULE_INSTRUMENTED] = "instrumented",
        [MODULE_NOT_LOADED] = "not_loaded",
        [MODULE_SKIPPED] = "skipped",
        [MODULE_EXTERNAL] = "external",
    };
    jw_begin(v->json, NULL, '{');
    jw_text(v->json, "name", module->name);
    jw_text_c(v->json, "state", states[module->state]);
    if (module->state != MODULE_SKIPPED) {
        inspect_put_hex(v->json, "identity", module->identity, sizeof module->identity);
        jw_number(v->json, "methods", module->method_count);
        jw_number(v->json, "generated_methods", count_generated(module));
    }
    if (module->state == MODULE_INSTRUMENTED)
        jw_number(v->json, "runs", count_runs_of(&v->facts, module));
    bool ok =
        put_data_reason(v, module->reason) &&
        (v->wanted.len == 0 || module->state == MODULE_SKIPPED || put_data_methods(v, module));
    jw_end(v->json, '}');
    return ok;
}

static int print_data_json(const struct data_view *data, const char *path)
{
    struct json_output out;
    struct data_view view = *data, *v = &view;
    bool ok = true;
    if (!json_output_open(&out, INSPECT_SCHEMA, v->err))
        return say_error(v->err);
    v->json = &out.json;
    jw_text_c(v->json, "file", path);
    jw_begin(v->json, "runs", '[');
    for (uint32_t i = 0; ok && i < v->facts.run_count; i++)
        ok = put_data_run(v, &v->facts.runs[i]);
    jw_end(v->json, ']');
    jw_begin(v->json, "assemblies", '[');
    for (uint32_t i = 0; ok && i < v->facts.module_count; i++)
        ok = put_data_module(v, &v->facts.modules[i]);
    jw_end(v->json, ']');
    return json_output_end(&out, ok, EXIT_FINE, v->err);
}

/* --- all of it -------------------------------------------------------------------------------- */

int inspect_data(const char *path, struct str wanted, bool json, struct arena *arena)
{
    struct err err = {.code = ERR_NONE};
    struct data_view v = {.wanted = wanted, .arena = arena, .err = &err};
    bool ok = store_read(&v.facts, path, arena, &err) && check_selection(&v);
    if (ok && json)
        return print_data_json(&v, path);
    for (uint32_t i = 0; ok && i < v.facts.run_count; i++)
        ok = print_run(&v, &v.facts.runs[i]);
    for (uint32_t i = 0; ok && i < v.facts.module_count; i++)
        ok = print_data_module(&v, &v.facts.modules[i]) &&
             (wanted.len == 0 || each_method(&v, &v.facts.modules[i], print_data_method));
    if (ok)
        return EXIT_FINE;
    err_prefix(&err, "%s", path);
    return say_error(&err);
}

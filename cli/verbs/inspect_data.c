#include "cli/verbs/inspect_data.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/utc.h"
#include "cli/base/exit.h"
#include "cli/base/say.h"
#include "cli/verbs/inspect_names.h"
#include "coverage/store/store.h"
#include "system/file_read.h"

bool inspect_is_data(const char *path)
{
    char start[16] = "";
    int fd = file_read_open(path);
    bool is_data = fd >= 0 && file_read_at(start, sizeof start, fd, 0) &&
                   memcmp(start, "SQLite format 3", sizeof start) == 0;
    if (fd >= 0)
        (void)close(fd);
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

static bool print_module(const struct facts *facts, uint32_t index, struct arena *arena,
                         struct err *err)
{
    static const char *const states[] = {[MODULE_COVERED] = "covered",
                                         [MODULE_NOT_LOADED] = "never loaded",
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
    printf(", %s", states[module->state]);
    if (module->state == MODULE_COVERED)
        printf(" in %u %s", runs, plural(runs, "run", "runs"));
    if (module->reason != NULL && !print_reason(" (", module->reason, ")", arena, err))
        return false;
    printf(", %u %s\n", module->method_count, plural(module->method_count, "method", "methods"));
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
        printf("\n");
    }
    return true;
}

int inspect_data(const char *path, struct str wanted, struct arena *arena)
{
    struct facts facts;
    struct err err = {.code = ERR_NONE};
    bool ok = store_read(&facts, path, arena, &err) && check_wanted(&facts, wanted, arena, &err);
    for (uint32_t i = 0; ok && i < facts.run_count; i++)
        ok = print_run(&facts.runs[i], arena, &err);
    for (uint32_t i = 0; ok && i < facts.module_count; i++) {
        ok = print_module(&facts, i, arena, &err) &&
             print_methods(&facts.modules[i], wanted, arena, &err);
    }
    if (!ok)
        say("%s: %s", path, err.text);
    return ok ? EXIT_FINE : EXIT_BAD;
}

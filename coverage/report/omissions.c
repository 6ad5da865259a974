#include "coverage/report/omissions.h"

#include <stdlib.h>

static bool omit(struct building *b, struct report_omission omission)
{
    if (b->forgets_omissions)
        return true;
    return list_push(&b->omissions, &omission, sizeof omission, b->arena, b->err);
}

bool omissions_add_module(struct building *b, const struct fact_module *module,
                          const struct reason *reason)
{
    struct report_omission omission = {module->name, STR(""), STR(""), reason};
    if (module->state != MODULE_SKIPPED && b->first_empty.reason == NULL)
        b->first_empty = omission;
    return omit(b, omission);
}

bool omissions_add_method(struct building *b, const struct fact_module *module,
                          const struct fact_method *method, const struct reason *reason)
{
    struct report_omission omission = {.module = module->name, .reason = reason};
    return fact_display_text(&omission.method,
                             (struct fact_display){method->type, method->name, method->signature},
                             b->arena, b->err) &&
           fact_display_text(&omission.display_method, fact_method_display(method), b->arena,
                             b->err) &&
           omit(b, omission);
}

bool omissions_excluded_by(const struct reason **reason, const struct pattern *pattern,
                           struct building *b)
{
    struct str text;
    if (!text_format(&text, b->arena, b->err, "[%.*s]%.*s", STR_ARGS(pattern->assembly),
                     STR_ARGS(pattern->type)))
        return false;
    *reason = reason_new(REASON_EXCLUDED_BY, text, STR(""), b->arena, b->err);
    return *reason != NULL;
}

static int order_omissions(const void *left, const void *right)
{
    const struct report_omission *a = left, *b = right;
    int order = str_cmp(a->module, b->module);
    if (order == 0)
        order = str_cmp(a->method, b->method);
    return order != 0 ? order : reason_order(a->reason, b->reason);
}

uint32_t omissions_sort(struct report_omission *omissions, uint32_t count)
{
    uint32_t kept = 0;
    if (count != 0)
        qsort(omissions, count, sizeof *omissions, order_omissions);
    for (uint32_t i = 0; i < count; i++)
        if (kept == 0 || order_omissions(&omissions[kept - 1], &omissions[i]) != 0)
            omissions[kept++] = omissions[i];
    return kept;
}

#include "coverage/collect/sharing.h"

#include "base/sort.h"

static int order_reasons(const void *left, const void *right)
{
    return reason_order(*(const struct reason *const *)left, *(const struct reason *const *)right);
}

static bool list_reasons(struct list *out, const struct collector *c, struct err *err)
{
    for (uint32_t i = 0; i < c->session->process_count; i++) {
        const struct session_process *process = &c->session->processes[i];
        for (uint32_t j = 0; j < process->sharing_count; j++) {
            const struct reason **reason = list_add(out, sizeof(struct reason *), c->arena, err);
            if (reason == NULL)
                return false;
            *reason = &process->sharings[j];
        }
    }
    sort_unless_sorted(out->items, out->count, sizeof(struct reason *), order_reasons);
    return true;
}

bool sharing_collect(struct collector *c, struct err *err)
{
    struct list list = {0};
    struct text line;
    struct str text;
    if (!list_reasons(&list, c, err))
        return false;
    if (list.count == 0)
        return true;
    const struct reason **reasons = list.items;
    text_open(&line, c->arena);
    text_add_c(&line, "hits may be too low where threads ran the same code at once, because they "
                      "had to share counters: ");
    for (uint32_t i = 0; i < list.count; i++) {
        if (i != 0 && reason_eq(reasons[i], reasons[i - 1]))
            continue;
        text_add_c(&line, i != 0 ? "; " : "");
        reason_add(&line, reasons[i]);
    }
    text_add_c(&line, " (hit or not hit is exact)");
    return text_take(&text, &line, err) && troubles_add(&c->troubles, text, TROUBLE_WARNING, err);
}

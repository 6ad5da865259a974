#include "reporters/diff/methods.h"

#include <stdlib.h>

#include "base/sort.h"

struct method_lines method_lines(const struct diff_method *method)
{
    const uint32_t *lines = method->lines;
    return (struct method_lines){
        .covered = lines[DIFF_KEPT] + lines[DIFF_GAINED] + lines[DIFF_NEW_COVERED],
        .missed = lines[DIFF_LOST] + lines[DIFF_STILL_MISSED] + lines[DIFF_NEW_MISSED],
        .not_run = lines[DIFF_NOT_RUN] + lines[DIFF_CARRIED],
    };
}

enum {
    RANK_CHANGED,
    RANK_LOST,
    RANK_OTHER
};

static int rank_of(const struct diff_method *method)
{
    return diff_method_new_missed(method) != 0 ? RANK_CHANGED
           : method->lines[DIFF_LOST] != 0     ? RANK_LOST
                                               : RANK_OTHER;
}

bool method_wants_tests(const struct diff_method *method)
{
    return rank_of(method) != RANK_OTHER;
}

static uint32_t weight_of_method(const struct diff_method *method)
{
    int rank = rank_of(method);
    return rank == RANK_CHANGED ? method_lines(method).missed
           : rank == RANK_LOST  ? method->lines[DIFF_LOST]
                                : 0;
}

/* A method, and its place in the list. */
struct ranked_method {
    const struct diff_method *method;
    uint32_t place;
};

ORDER(order_by_attention, struct ranked_method,
      BY_ORDER(rank_of(a->method) - rank_of(b->method))
          BY_ORDER(number_order(weight_of_method(b->method), weight_of_method(a->method)))
              BY(place))

bool methods_sort(const struct diff_method **methods, uint32_t count, struct arena *arena,
                  struct err *err)
{
    struct ranked_method *placed = arena_raw(arena, count, sizeof *placed, err);
    if (placed == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++)
        placed[i] = (struct ranked_method){methods[i], i};
    if (count != 0)
        qsort(placed, count, sizeof *placed, order_by_attention);
    for (uint32_t i = 0; i < count; i++)
        methods[i] = placed[i].method;
    return true;
}

bool methods_order(const struct diff_method ***out, const struct diff *diff, struct arena *arena,
                   struct err *err)
{
    const struct diff_method **methods = arena_raw(arena, diff->method_count, sizeof *methods, err);
    *out = methods;
    for (uint32_t i = 0; methods != NULL && i < diff->method_count; i++)
        methods[i] = &diff->methods[i];
    return methods != NULL && methods_sort(methods, diff->method_count, arena, err);
}

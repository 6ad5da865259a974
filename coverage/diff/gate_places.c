#include "coverage/diff/gate_places.h"

#include <inttypes.h>

struct place_listing {
    struct gate_places *out;
    const struct gate *gate;
    const struct diff *diff;
    struct arena *arena;
    struct err *err;
};

/* --- which lines ------------------------------------------------------------------------------ */

static bool is_worse(const struct diff_line *line)
{
    return diff_line_is_lost(line) || line->state == DIFF_NEW_MISSED;
}

static bool has_worse_outcomes(const struct diff_line *line)
{
    return diff_line_outcomes(line, DIFF_LOST) != 0 ||
           diff_line_outcomes(line, DIFF_NEW_MISSED) != 0;
}

static bool misses_outcomes(const struct diff_line *line)
{
    for (int s = 0; s < DIFF_STATE_COUNT; s++)
        if (!diff_state_is_covered((enum diff_state)s) &&
            diff_line_outcomes(line, (enum diff_state)s) != 0)
            return true;
    return false;
}

static bool is_about(const struct gate *gate, const struct diff_line *line)
{
    switch (gate->metric) {
    case GATE_PATCH:
        return line->in_patch && !diff_state_is_covered(line->state);
    case GATE_PATCH_BRANCH:
        return line->in_patch && misses_outcomes(line);
    case GATE_LOST:
        return diff_line_is_lost(line);
    case GATE_LINE:
    case GATE_METHOD:
        return gate->is_relative && is_worse(line);
    case GATE_BRANCH:
        return gate->is_relative && has_worse_outcomes(line);
    case GATE_NEW_UNCOVERED:
    case GATE_METRIC_COUNT:
        break;
    }
    return false;
}

/* --- files ------------------------------------------------------------------------------------ */

static bool put_gate_place(const struct place_listing *l, struct text *place)
{
    struct gate_places *out = l->out;
    if (out->count == GATE_PLACES_MOST) {
        out->more++;
        return true;
    }
    return text_take(&out->places[out->count++], place, l->err);
}

static void add_line_range(struct text *place, const struct diff_line *first,
                           const struct diff_line *last, uint32_t count)
{
    if (count > GATE_RANGES_MOST)
        return;
    if (count == GATE_RANGES_MOST) {
        text_add_c(place, ",...");
        return;
    }
    text_addf(place, "%c%" PRIu32, count == 0 ? ':' : ',', first->number);
    if (first != last)
        text_addf(place, "-%" PRIu32, last->number);
}

static bool list_file(const struct place_listing *l, const struct diff_file *file)
{
    uint32_t ranges = 0;
    struct text place = text_in(l->arena);
    for (uint32_t i = 0; i < file->line_count; i++) {
        uint32_t first = i;
        if (!is_about(l->gate, &file->lines[i]))
            continue;
        while (i + 1 < file->line_count && is_about(l->gate, &file->lines[i + 1]))
            i++;
        if (ranges == 0)
            text_add(&place, file->path);
        add_line_range(&place, &file->lines[first], &file->lines[i], ranges++);
    }
    return ranges == 0 || put_gate_place(l, &place);
}

static bool list_unmeasured(const struct place_listing *l, struct str path)
{
    struct text place = text_in(l->arena);
    text_addf(&place, "%.*s: not measured", STR_ARGS(path));
    return put_gate_place(l, &place);
}

static bool is_of_assembly(struct str package, struct str name)
{
    return package.len == 0 || str_eq(package, name);
}

static bool list_method(const struct place_listing *l, const struct diff_method *method)
{
    struct str name;
    if (diff_method_new_missed(method) == 0)
        return true;
    struct text place = text_in(l->arena);
    text_addf(&place, "%.*s:%" PRIu32 " ", STR_ARGS(method->file), method->first_line);
    if (!fact_display_text(&name, method->display, l->arena, l->err))
        return false;
    text_add(&place, name);
    return put_gate_place(l, &place);
}

bool gate_places(struct gate_places *out, const struct gate *gate, struct str package,
                 const struct diff *diff, struct arena *arena, struct err *err)
{
    struct place_listing l = {.out = out, .gate = gate, .diff = diff, .arena = arena, .err = err};
    *out = (struct gate_places){.places = ARENA_NEW(arena, struct str, GATE_PLACES_MOST, err)};
    bool ok = out->places != NULL;
    if (gate->metric == GATE_NEW_UNCOVERED) {
        for (uint32_t i = 0; ok && i < diff->method_count; i++)
            if (is_of_assembly(package, diff->methods[i].package))
                ok = list_method(&l, &diff->methods[i]);
        return ok;
    }
    for (uint32_t i = 0; ok && i < diff->unmeasured_count && gate_needs_patch(gate); i++)
        ok = list_unmeasured(&l, diff->unmeasured[i]);
    for (uint32_t i = 0; ok && i < diff->file_count; i++)
        if (is_of_assembly(package, diff->files[i].package))
            ok = list_file(&l, &diff->files[i]);
    return ok;
}

#include "coverage/diff/line_change.h"

#include <string.h>

#include "coverage/diff/diff_views.h"

/* The facts about one line or outcome that decide its state. */
struct facets {
    bool real, carried, ran;
    bool known, known_ran, was_covered; /* what BASE had as well; did that run in HEAD, in BASE? */
};

static enum diff_state state_of(const struct facets *f)
{
    if (f->real)
        return f->known && f->was_covered ? DIFF_KEPT
               : f->known && f->known_ran ? DIFF_GAINED
                                          : DIFF_NEW_COVERED;
    if (!f->ran)
        return f->carried ? DIFF_CARRIED : DIFF_NOT_RUN;
    return !f->known ? DIFF_NEW_MISSED : f->was_covered ? DIFF_LOST : DIFF_STILL_MISSED;
}

static void count_outcomes(uint32_t outcomes[DIFF_STATE_COUNT], const struct line_views *v)
{
    for (uint32_t c = 0; c < v->real->condition_count; c++)
        for (uint32_t n = 0; n < v->real->conditions[c].outcome_count; n++) {
            struct facets f = {
                .real = v->real->conditions[c].outcome_hits[n] != 0,
                .carried = v->carried->conditions[c].outcome_hits[n] != 0,
                .ran = v->ran->conditions[c].outcome_hits[n] != 0,
                .known = v->known != NULL && v->known->conditions[c].outcome_hits[n] != 0,
                .known_ran =
                    v->known != NULL && v->known->conditions[c].outcome_hits[n] >= HEAD_KNOWN_RAN,
                .was_covered = v->base != NULL && v->base->conditions[c].outcome_hits[n] != 0,
            };
            outcomes[state_of(&f)]++;
        }
}

void line_change_make(struct diff_line *out, const struct line_views *v, uint32_t *outcomes)
{
    struct facets f = {
        .real = v->real->hits != 0,
        .carried = v->carried->hits != 0,
        .ran = v->ran->hits != 0,
        .known = v->known != NULL && v->known->hits != 0,
        .known_ran = v->known != NULL && v->known->hits >= HEAD_KNOWN_RAN,
        .was_covered = v->base != NULL && v->base->hits != 0,
    };
    *out = (struct diff_line){.number = v->real->number,
                              .state = state_of(&f),
                              .was_covered = f.known && f.was_covered,
                              .hits = v->real->hits,
                              .base_hits = v->base != NULL ? v->base->hits : 0};
    out->outcomes = outcomes;
    if (outcomes != NULL)
        count_outcomes(outcomes, v);
}

/* Only the number of outcomes is known: those that were covered are assumed to be the ones that
 * still are. */
void line_change_by_number(struct diff_line *line, const struct old_line *old,
                           const struct line_views *v, uint32_t *outcomes)
{
    struct facets f = {.real = line->hits != 0,
                       .carried = v->carried->hits != 0,
                       .ran = v->ran->hits != 0,
                       .known = true,
                       .known_ran = true,
                       .was_covered = old->hits != 0};
    line->state = state_of(&f);
    line->was_covered = f.was_covered;
    line->base_hits = old->hits;
    if (old->outcome_count != v->real->outcome_count || old->outcome_count == 0 || !f.ran)
        return;
    uint32_t now = v->real->covered_count, before = old->covered_count;
    uint32_t kept = now < before ? now : before;
    memset(outcomes, 0, DIFF_STATE_COUNT * sizeof *outcomes);
    outcomes[DIFF_KEPT] = kept;
    outcomes[DIFF_GAINED] = now - kept;
    outcomes[DIFF_LOST] = before - kept;
    outcomes[DIFF_STILL_MISSED] = v->real->outcome_count - now - (before - kept);
}

void line_change_tally(struct diff_totals *totals, const struct diff_line *line)
{
    totals->lines[line->state]++;
    for (int s = 0; s < DIFF_STATE_COUNT; s++)
        totals->outcomes[s] += diff_line_outcomes(line, (enum diff_state)s);
    if (!line->in_patch)
        return;
    totals->patch_owed++;
    totals->patch_covered += line->hits != 0;
    for (int s = 0; s < DIFF_STATE_COUNT; s++)
        totals->patch_branches_owed += diff_line_outcomes(line, (enum diff_state)s);
    totals->patch_branches_covered += diff_line_outcomes(line, DIFF_KEPT) +
                                      diff_line_outcomes(line, DIFF_GAINED) +
                                      diff_line_outcomes(line, DIFF_NEW_COVERED);
}

#include "coverage/diff/line_change.h"

#include <string.h>

/* What decides the state of a line or outcome: its hits in each view. HEAD_KNOWN: BASE had it as
 * well. */
static enum diff_state state_of(const uint64_t hits[HEAD_VIEW_COUNT])
{
    bool known = hits[HEAD_KNOWN] != 0, was_covered = hits[HEAD_BASE] != 0;
    if (hits[HEAD_REAL] != 0)
        return known && was_covered                 ? DIFF_KEPT
               : hits[HEAD_KNOWN] >= HEAD_KNOWN_RAN ? DIFF_GAINED
                                                    : DIFF_NEW_COVERED;
    if (hits[HEAD_RAN] == 0)
        return hits[HEAD_CARRIED] != 0 ? DIFF_CARRIED : DIFF_NOT_RUN;
    return !known ? DIFF_NEW_MISSED : was_covered ? DIFF_LOST : DIFF_STILL_MISSED;
}

static void hits_of_line(uint64_t hits[HEAD_VIEW_COUNT], const struct line_views *v)
{
    for (int k = 0; k < HEAD_VIEW_COUNT; k++)
        hits[k] = v->of[k] != NULL ? v->of[k]->hits : 0;
}

static void count_outcome_states(uint32_t outcomes[DIFF_STATE_COUNT], const struct line_views *v)
{
    const struct report_line *line = v->of[HEAD_REAL];
    for (uint32_t c = 0; c < line->condition_count; c++)
        for (uint32_t n = 0; n < line->conditions[c].outcome_count; n++) {
            uint64_t hits[HEAD_VIEW_COUNT];
            for (int k = 0; k < HEAD_VIEW_COUNT; k++)
                hits[k] = v->of[k] != NULL ? v->of[k]->conditions[c].outcome_hits[n] : 0;
            outcomes[state_of(hits)]++;
        }
}

void line_change_make(struct diff_line *out, const struct line_views *v, uint32_t *outcomes)
{
    uint64_t hits[HEAD_VIEW_COUNT];
    hits_of_line(hits, v);
    *out = (struct diff_line){.number = v->of[HEAD_REAL]->number,
                              .state = state_of(hits),
                              .was_covered = hits[HEAD_KNOWN] != 0 && hits[HEAD_BASE] != 0,
                              .hits = hits[HEAD_REAL],
                              .base_hits = hits[HEAD_BASE],
                              .outcomes = outcomes};
    if (outcomes != NULL)
        count_outcome_states(outcomes, v);
}

/* Only the number of outcomes is known: those that were covered are assumed to be the ones that
 * still are. */
void line_change_by_number(struct diff_line *line, const struct old_line *old,
                           const struct line_views *v, uint32_t *outcomes)
{
    uint64_t hits[HEAD_VIEW_COUNT];
    hits_of_line(hits, v);
    hits[HEAD_KNOWN] = HEAD_KNOWN_RAN;
    hits[HEAD_BASE] = line->base_hits = old->hits;
    line->state = state_of(hits);
    line->was_covered = old->hits != 0;
    uint32_t all = v->of[HEAD_REAL]->outcome_count, now = v->of[HEAD_REAL]->covered_count;
    uint32_t before = old->covered_count, kept = now < before ? now : before;
    if (old->outcome_count != all || all == 0 || hits[HEAD_RAN] == 0)
        return;
    memset(outcomes, 0, DIFF_STATE_COUNT * sizeof *outcomes);
    outcomes[DIFF_KEPT] = kept;
    outcomes[DIFF_GAINED] = now - kept;
    outcomes[DIFF_LOST] = before - kept;
    outcomes[DIFF_STILL_MISSED] = all - now - (before - kept);
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

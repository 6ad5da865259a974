#include "coverage/branches/places.h"

/* Copies of a point have one name, that of the first. */
static uint32_t named(const struct board *board, uint32_t point)
{
    return board->span != NULL && point != NO_POINT ? board->span[point] : point;
}

static uint32_t place_of(const struct board *board, const struct outcome_part *part)
{
    if (part->source != SOURCE_EDGE)
        return PLACE_UNKNOWN;
    struct way_out way = board_follow(board, board->flow->edges[part->index].to);
    bool asks_more = way.point == NO_POINT && board->judgement[way.block] == JUDGED_DISPATCH;
    return way.throws || asks_more ? PLACE_UNKNOWN : named(board, way.point);
}

void places_find(struct decisions *decisions, const struct board *board)
{
    for (uint32_t i = 0; i < decisions->part_count; i++)
        decisions->parts[i].place = place_of(board, &decisions->parts[i]);
}

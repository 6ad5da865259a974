/* text_span.h - the span of a decision from the bytes of its source. */
#ifndef ILCOV_COVERAGE_WORDING_TEXT_SPAN_H
#define ILCOV_COVERAGE_WORDING_TEXT_SPAN_H

#include "coverage/branches/decisions.h"
#include "coverage/source/line_index.h"

/* `start` and `end` are offsets of the indexed source. */
static inline struct text_span text_span_at(const struct line_index *index, uint32_t start,
                                            uint32_t end)
{
    struct text_span span;
    uint32_t columns[2];
    line_index_place(&span.start_line, &columns[0], index, start);
    line_index_place(&span.end_line, &columns[1], index, end);
    span.start_column = (uint16_t)columns[0];
    span.end_column = (uint16_t)columns[1];
    return span;
}

#endif

#include "coverage/facts/arms.h"

enum {
    KIND_BITS = 2
};

void arms_add(struct writer *w, const struct fact_arm *arm)
{
    wr_leb128(w, (uint64_t)arm->outcome << KIND_BITS | arm->kind);
    if (arm->kind == ARM_NO_MATCH)
        return;
    wr_leb128(w, arm->span.start_line);
    wr_leb128(w, arm->span.start_column);
    wr_leb128(w, arm->span.end_line - arm->span.start_line);
    wr_leb128(w, arm->span.end_column);
    if (arm->kind == ARM_SHARED)
        wr_leb128(w, arm->statement);
}

struct reader arms_open(const uint8_t *bytes, uint32_t len)
{
    return rd_open(bytes, len);
}

static uint32_t read_up_to(struct reader *r, uint32_t most)
{
    uint64_t value = rd_leb128(r);
    r->failed |= value > most;
    return r->failed ? 0 : (uint32_t)value;
}

static struct fact_span read_arm_span(struct reader *r)
{
    struct fact_span span;
    span.start_line = read_up_to(r, UINT32_MAX);
    span.start_column = (uint16_t)read_up_to(r, UINT16_MAX);
    span.end_line = span.start_line + read_up_to(r, UINT32_MAX - span.start_line);
    span.end_column = (uint16_t)read_up_to(r, UINT16_MAX);
    r->failed |= span.start_line == 0 || span.start_column == 0 || span.end_column == 0 ||
                 (span.start_line == span.end_line && span.end_column <= span.start_column);
    return span;
}

bool arms_next(struct reader *r, struct fact_arm *out)
{
    if (r->failed || rd_left(r) == 0)
        return false;
    uint64_t first = rd_leb128(r), kind = first & ((1 << KIND_BITS) - 1);
    r->failed |= kind > ARM_KIND_LAST || first >> KIND_BITS > UINT32_MAX;
    if (r->failed)
        return false;
    *out =
        (struct fact_arm){.kind = (enum arm_kind)kind, .outcome = (uint32_t)(first >> KIND_BITS)};
    if (out->kind != ARM_NO_MATCH)
        out->span = read_arm_span(r);
    if (out->kind == ARM_SHARED)
        out->statement = read_up_to(r, UINT32_MAX);
    return !r->failed;
}

#include "coverage/facts/causes.h"

enum {
    KIND_BITS = 3
};

bool causes_add(struct fact_causes *causes, struct fact_cause cause)
{
    struct writer w = wr_over(causes->bytes + causes->len, sizeof causes->bytes - causes->len);
    wr_leb128(&w, (uint64_t)cause.index << KIND_BITS | cause.kind);
    if (cause.kind == CAUSE_OUTCOME)
        wr_leb128(&w, cause.outcome);
    if (!w.failed)
        causes->len += (uint8_t)w.len;
    return !w.failed;
}

struct reader causes_open(const struct fact_causes *causes)
{
    return rd_open(causes->bytes, causes->len);
}

bool causes_next(struct reader *r, struct fact_cause *out)
{
    if (r->failed || rd_left(r) == 0)
        return false;
    uint64_t first = rd_leb128(r), kind = first & ((1 << KIND_BITS) - 1);
    uint64_t outcome = kind == CAUSE_OUTCOME ? rd_leb128(r) : 0;
    r->failed |= kind > CAUSE_LAST || first >> KIND_BITS > UINT32_MAX || outcome > UINT32_MAX;
    *out = (struct fact_cause){(enum cause_kind)kind, (uint32_t)(first >> KIND_BITS),
                               (uint32_t)outcome};
    return !r->failed;
}

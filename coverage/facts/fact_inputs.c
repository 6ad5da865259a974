#include "coverage/facts/fact_inputs.h"

#include <string.h>

#include "base/sort.h"

bool fact_input_is_unseen(const struct fact_input *input)
{
    static const uint8_t unseen[FACT_INPUT_HASH_LEN] = {0};
    return memcmp(input->hash, unseen, sizeof unseen) == 0;
}

int fact_inputs_order(const void *left, const void *right)
{
    const struct fact_input *a = left, *b = right;
    int order = str_cmp(a->folder, b->folder);
    if (order == 0)
        order = str_cmp(a->path, b->path);
    return order != 0 ? order : memcmp(a->hash, b->hash, sizeof a->hash);
}

void fact_inputs_sort(struct fact_input *inputs, uint32_t *count)
{
    *count = (uint32_t)sort_distinct(inputs, *count, sizeof *inputs, fact_inputs_order);
}

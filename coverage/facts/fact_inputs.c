#include "coverage/facts/fact_inputs.h"

#include <string.h>

#include "base/sort.h"

static bool is_filled(const struct fact_input *input, uint8_t with)
{
    for (size_t i = 0; i < sizeof input->hash; i++)
        if (input->hash[i] != with)
            return false;
    return true;
}

bool fact_input_is_unseen(const struct fact_input *input)
{
    return is_filled(input, 0);
}

bool fact_input_is_left(const struct fact_input *input)
{
    return is_filled(input, UINT8_MAX);
}

void fact_input_leave(struct fact_input *input)
{
    memset(input->hash, UINT8_MAX, sizeof input->hash);
}

ORDER(order_inputs, struct fact_input, BY(folder) BY(path) BY_BYTES(hash))

void fact_inputs_sort(struct fact_input *inputs, uint32_t *count)
{
    *count = (uint32_t)sort_distinct(inputs, *count, sizeof *inputs, order_inputs);
}

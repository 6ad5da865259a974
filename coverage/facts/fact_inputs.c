#include "coverage/facts/fact_inputs.h"

#include <string.h>

#include "base/sort.h"

bool fact_input_is_unseen(const struct fact_input *input)
{
    static const uint8_t unseen[FACT_INPUT_HASH_LEN] = {0};
    return memcmp(input->hash, unseen, sizeof unseen) == 0;
}

ORDER(order_inputs, struct fact_input, BY(folder) BY(path) BY_BYTES(hash))

void fact_inputs_sort(struct fact_input *inputs, uint32_t *count)
{
    *count = (uint32_t)sort_distinct(inputs, *count, sizeof *inputs, order_inputs);
}

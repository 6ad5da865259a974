#include "coverage/facts/run_id.h"

#include <string.h>

#include "base/sort.h"

enum {
    SESSION_LEN = 12
};

static uint32_t part_number_of(const uint8_t id[FACT_ID_LEN])
{
    uint32_t number = 0;
    for (size_t i = SESSION_LEN; i < FACT_ID_LEN; i++)
        number = number << 8 | id[i];
    return number;
}

uint32_t run_id_part(const uint8_t id[FACT_ID_LEN])
{
    return part_number_of(id) & ~RUN_ID_BEFORE;
}

void run_id_set(uint8_t id[FACT_ID_LEN], uint32_t part)
{
    for (size_t i = FACT_ID_LEN; i > SESSION_LEN; i--, part >>= 8)
        id[i - 1] = (uint8_t)part;
}

bool run_id_same_session(const uint8_t a[FACT_ID_LEN], const uint8_t b[FACT_ID_LEN])
{
    return memcmp(a, b, SESSION_LEN) == 0;
}

bool run_id_contains(const uint8_t a[FACT_ID_LEN], const uint8_t b[FACT_ID_LEN])
{
    return (part_number_of(a) & RUN_ID_BEFORE) != 0 && run_id_same_session(a, b) &&
           run_id_part(b) < run_id_part(a);
}

static int order_run_ids(const void *left, const void *right)
{
    return memcmp(left, right, FACT_ID_LEN);
}

void run_id_join(uint8_t out[FACT_ID_LEN], struct digest *digest, struct writer *ids)
{
    uint8_t hash[DIGEST_LEN];
    sort_unless_sorted(ids->data, ids->len / FACT_ID_LEN, FACT_ID_LEN, order_run_ids);
    digest_bytes(digest, ids->data, ids->len);
    digest_take(hash, digest);
    digest_close(digest);
    memcpy(out, hash, FACT_ID_LEN);
}

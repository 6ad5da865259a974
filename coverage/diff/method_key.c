#include "coverage/diff/method_key.h"

int method_key_compare(const struct method_key *a, const struct method_key *b)
{
    int order = str_cmp(a->package, b->package);
    if (order == 0)
        order = str_cmp(a->type, b->type);
    if (order == 0)
        order = str_cmp(a->name, b->name);
    return order != 0 ? order : str_cmp(a->signature, b->signature);
}

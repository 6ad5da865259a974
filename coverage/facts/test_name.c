#include "coverage/facts/test_name.h"

/* Where what is after the last dot begins. */
static size_t method_at(struct str name)
{
    size_t at = name.len;
    while (at > 0 && name.text[at - 1] != '.')
        at--;
    return at;
}

struct str test_name_class(struct str name)
{
    size_t at = method_at(name);
    return (struct str){name.text, at > 0 ? at - 1 : 0};
}

struct str test_name_method(struct str name)
{
    return str_from(name, method_at(name));
}

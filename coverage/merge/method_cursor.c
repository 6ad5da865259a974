#include "coverage/merge/method_cursor.h"

struct method_cursor method_cursor_start(const struct fact_module *module)
{
    return (struct method_cursor){.module = module};
}

uint32_t method_cursor_token(const struct method_cursor *c)
{
    return c->method < c->module->method_count ? c->module->methods[c->method].token : UINT32_MAX;
}

uint32_t method_cursor_statements(const struct method_cursor *c)
{
    uint32_t end = c->statement;
    while (end < c->module->statement_count && c->module->statements[end].method == c->method)
        end++;
    return end - c->statement;
}

uint32_t method_cursor_decisions(const struct method_cursor *c)
{
    uint32_t end = c->decision;
    while (end < c->module->decision_count && c->module->decisions[end].method == c->method)
        end++;
    return end - c->decision;
}

void method_cursor_next(struct method_cursor *c)
{
    c->statement += method_cursor_statements(c);
    c->decision += method_cursor_decisions(c);
    c->method++;
}

uint32_t method_cursor_user_token(const struct method_cursor *c)
{
    return c->module->methods[c->module->methods[c->method].user_method].token;
}

#include "scope/pattern.h"

bool pattern_parse(struct pattern *out, struct str text, struct err *err)
{
    *out = (struct pattern){.assembly = text, .type = STR("*")};
    if (text.len == 0)
        return err_set(err, ERR_USAGE,
                       "an empty pattern; expected [assembly]type, such as [MyApp.*]*");
    if (text.text[0] != '[')
        return true;
    size_t close = 1;
    while (close < text.len && text.text[close] != ']')
        close++;
    if (close == text.len)
        return err_set(err, ERR_USAGE,
                       "pattern '%.*s' lacks a ']'; expected [assembly]type, such as [MyApp.*]*",
                       STR_ARGS(text));
    out->assembly = (struct str){text.text + 1, close - 1};
    if (close + 1 < text.len)
        out->type = (struct str){text.text + close + 1, text.len - close - 1};
    return true;
}

bool pattern_parse_all(struct pattern **out, const struct str *texts, uint32_t count,
                       struct arena *arena, struct err *err)
{
    *out = ARENA_NEW(arena, struct pattern, count, err);
    for (uint32_t i = 0; *out != NULL && i < count; i++)
        if (!pattern_parse(&(*out)[i], texts[i], err))
            return false;
    return *out != NULL;
}

bool pattern_matches_assembly(const struct pattern *pattern, struct str assembly)
{
    return str_glob_nocase(pattern->assembly, assembly);
}

bool pattern_matches_type(const struct pattern *pattern, struct str assembly, struct str type)
{
    if (!pattern_matches_assembly(pattern, assembly))
        return false;
    for (size_t len = 0; len <= type.len; len++)
        if ((len == type.len || type.text[len] == '/') &&
            str_glob(pattern->type, (struct str){type.text, len}))
            return true;
    return false;
}

bool pattern_is_whole_assembly(const struct pattern *pattern)
{
    return str_is(pattern->type, "*");
}

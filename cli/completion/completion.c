#include "cli/completion/completion.h"

#include <string.h>

const struct completion_shell completion_shells[] = {
    {"bash", "for share/bash-completion/completions/ilcov", completion_bash},
    {"zsh", "for share/zsh/site-functions/_ilcov", completion_zsh},
    {"fish", "for share/fish/vendor_completions.d/ilcov.fish", completion_fish},
    {NULL, NULL, NULL},
};

struct str completion_brief(const struct verb_option *option)
{
    static const char *const ends[] = {"; ", " (", ": ", " {}"};
    struct str brief = str_of(option->help);
    for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
        const char *end = strstr(option->help, ends[i]);
        if (end != NULL && end != option->help && (size_t)(end - option->help) < brief.len)
            brief.len = (size_t)(end - option->help);
    }
    return brief;
}

void completion_add_words(struct text *out, const char *before,
                          bool (*word)(struct option_word *, size_t))
{
    struct option_word item;
    for (size_t i = 0; word != NULL && word(&item, i); i++)
        text_addf(out, "%s%s", before, item.name);
}

void completion_add_escaped(struct text *out, struct str s, const char *special, const char *escape)
{
    for (size_t i = 0; i < s.len; i++) {
        if (strchr(special, s.text[i]) != NULL)
            text_add_c(out, escape);
        text_add(out, (struct str){s.text + i, 1});
    }
}

#include "cli/verbs/inspect_names.h"

#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/hex.h"
#include "base/nearest.h"
#include "coverage/facts/facts.h"
#include "reporters/legible.h"

enum {
    MISSES_NAMED = 3
};

/* --- what is meant ---------------------------------------------------------------------------- */

static bool is_arity(struct str s, size_t at)
{
    return s.text[at] == '`' && at + 1 < s.len && s.text[at + 1] >= '0' && s.text[at + 1] <= '9';
}

/* "N.Outer`1/Inner" as "N.Outer.Inner", or with its arity. */
static bool add_plain(struct text *out, struct str name, bool with_arity)
{
    for (size_t i = 0; i < name.len; i++) {
        if (!with_arity && is_arity(name, i)) {
            while (i + 1 < name.len && name.text[i + 1] >= '0' && name.text[i + 1] <= '9')
                i++;
            continue;
        }
        text_add(out, name.text[i] == '/' ? STR(".") : (struct str){name.text + i, 1});
    }
    return !out->failed;
}

/* Does the glob match the text, or what follows one of the dots before `limit`? */
static bool matches_end(struct str wanted, struct str text, size_t limit)
{
    if (str_glob(wanted, text))
        return true;
    for (size_t i = 0; i < limit; i++)
        if (text.text[i] == '.' &&
            str_glob(wanted, (struct str){text.text + i + 1, text.len - i - 1}))
            return true;
    return false;
}

bool inspect_is_meant(bool *meant, struct str wanted, struct str type, struct str name,
                      struct arena *arena, struct err *err)
{
    struct str dotted;
    *meant = wanted.len == 0;
    struct text plain_wanted = text_in(arena);
    (void)add_plain(&plain_wanted, wanted, true);
    if (*meant || !text_take(&dotted, &plain_wanted, err))
        return *meant;
    for (unsigned with_arity = 0; with_arity < 2 && !*meant; with_arity++) {
        struct str full;
        struct text text = text_in(arena);
        (void)add_plain(&text, type, with_arity != 0);
        size_t type_len = text.len;
        text_add_c(&text, ".");
        (void)add_plain(&text, name, with_arity != 0);
        if (!text_take(&full, &text, err))
            return false;
        *meant = matches_end(dotted, (struct str){full.text, type_len}, type_len) ||
                 matches_end(dotted, full, type_len + 1);
    }
    return true;
}

/* --- what may have been meant ----------------------------------------------------------------- */

/* The last parts of the name, as many as METHOD has. */
static struct str last_parts(struct str name, struct str wanted)
{
    size_t dots = 0, start = name.len;
    for (size_t i = 0; i < wanted.len; i++)
        dots += wanted.text[i] == '.' || wanted.text[i] == '/';
    for (; start > 0; start--)
        if (name.text[start - 1] == '.' && dots-- == 0)
            break;
    return (struct str){name.text + start, name.len - start};
}

static bool note_miss(struct inspect_misses *misses, struct str wanted, struct str type,
                      struct str name, struct err *err)
{
    struct str full, last;
    misses->method_count++;
    struct text text = text_in(misses->arena);
    (void)add_plain(&text, type, false);
    text_add_c(&text, ".");
    (void)add_plain(&text, name, false);
    const char **added = list_add(&misses->names, sizeof *added, misses->arena, err);
    if (added == NULL || !text_take(&full, &text, err))
        return false;
    last = last_parts(full, wanted);
    *added = last.text; /* it ends where `full` does */
    return true;
}

bool inspect_look(bool *found, struct inspect_misses *misses, struct str wanted, struct str type,
                  struct str name, struct arena *scratch, struct err *err)
{
    return inspect_is_meant(found, wanted, type, name, scratch, err) &&
           (*found || note_miss(misses, wanted, type, name, err));
}

static void lower_letters(char *text)
{
    for (; *text != '\0'; text++)
        *text = (char)ascii_lower(*text);
}

/* The nearest name, whatever the case, and none that was found already. */
static bool find_nearest(const char **out, const struct inspect_misses *misses, struct str wanted,
                         const char *const *found, size_t found_count, struct err *err)
{
    const char *const *names = misses->names.items;
    char **lowered = ARENA_NEW(misses->arena, char *, (size_t)misses->names.count + 1, err);
    char *word = arena_copy_text(misses->arena, wanted.text, wanted.len, err);
    *out = NULL;
    if (lowered == NULL || word == NULL)
        return false;
    lower_letters(word);
    uint32_t count = 0;
    uint32_t *index = ARENA_NEW(misses->arena, uint32_t, misses->names.count, err);
    if (index == NULL)
        return false;
    for (uint32_t i = 0; i < misses->names.count; i++) {
        bool is_new = true;
        for (size_t n = 0; n < found_count; n++)
            is_new = is_new && strcmp(names[i], found[n]) != 0;
        if (!is_new)
            continue;
        lowered[count] = arena_copy_text(misses->arena, names[i], strlen(names[i]), err);
        if (lowered[count] == NULL)
            return false;
        lower_letters(lowered[count]);
        index[count++] = i;
    }
    const char *nearest = nearest_word(str_of(word), (const char *const *)lowered);
    for (uint32_t i = 0; i < count; i++)
        if (lowered[i] == nearest)
            *out = names[index[i]];
    return true;
}

bool inspect_nothing_matches(struct inspect_misses *misses, struct str wanted, struct err *err)
{
    const char *found[MISSES_NAMED];
    struct str proposed;
    size_t count = 0;
    struct text text = text_in(misses->arena);
    for (; count < MISSES_NAMED; count++) {
        if (!find_nearest(&found[count], misses, wanted, found, count, err))
            return false;
        if (found[count] == NULL)
            break;
        text_addf(&text, "%s'%s'", count == 0 ? "; did you mean " : " or ", found[count]);
    }
    text_add_c(&text, count == 0 ? "; without METHOD all are listed" : "?");
    return text_take(&proposed, &text, err) &&
           err_set(err, ERR_USAGE, "none of its %u methods or their types matches '%.*s'%s",
                   misses->method_count, STR_ARGS(wanted), proposed.text);
}

/* --- bytes ------------------------------------------------------------------------------------ */

void inspect_print_hex(const uint8_t *bytes, size_t len)
{
    char digits[HEX_ROOM(1)];
    for (size_t i = 0; i < len; i++)
        (void)fputs(hex_of(digits, bytes + i, 1), stdout);
}

/* --- names ------------------------------------------------------------------------------------ */

void inspect_print_name(struct str name)
{
    legible_put(stdout, name);
}

void inspect_print_method_name(struct str type, struct str name, struct str signature)
{
    inspect_print_name(type);
    printf(".");
    inspect_print_name(name);
    inspect_print_name(signature);
}

void inspect_put_method_name(struct json_writer *json, uint32_t token, struct str type,
                             struct str name, struct str signature)
{
    jw_number(json, "token", token);
    jw_text(json, "type", type);
    jw_text(json, "name", name);
    jw_text(json, "signature", signature);
}

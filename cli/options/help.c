#include "cli/options/help.h"

#include <stdio.h>
#include <string.h>

#include "system/terminal.h"

enum {
    HELP_COLUMN = 29, /* where the texts begin */
    COLUMNS_MIN = 60,
    COLUMNS_MAX = 100,
    STDOUT = 1
};

static void pad_help(struct text *text, size_t count)
{
    text_addf(text, "%*s", (int)count, "");
}

void help_wrap(struct text *text, struct str words, size_t column, size_t indent, size_t columns)
{
    bool is_first = true;
    while (words.len != 0) {
        const char *space = memchr(words.text, ' ', words.len);
        size_t len = space != NULL ? (size_t)(space - words.text) : words.len;
        if (!is_first && column + 1 + len > columns) {
            text_add_c(text, "\n");
            pad_help(text, indent);
            column = indent;
            is_first = true;
        }
        text_addf(text, "%s%.*s", is_first ? "" : " ", (int)len, words.text);
        column += len + (is_first ? 0 : 1);
        is_first = false;
        len += space != NULL ? 1 : 0;
        words = (struct str){words.text + len, words.len - len};
    }
    text_add_c(text, "\n");
}

static bool add_option(struct text *text, const struct verb_option *option, size_t columns,
                       struct err *err)
{
    const struct option_row *row = option->row;
    char left[64], letter[5] = "    ";
    struct str help;
    if (!verb_option_help(&help, option, text->arena, err))
        return false;
    if (row->letter != 0)
        (void)snprintf(letter, sizeof letter, "-%c, ", row->letter);
    int len =
        snprintf(left, sizeof left, "  %s--%s%s%s", letter, row->name,
                 row->argument != NULL ? " " : "", row->argument != NULL ? row->argument : "");
    text_add_c(text, left);
    if (len < HELP_COLUMN)
        pad_help(text, HELP_COLUMN - (size_t)len);
    else
        text_addf(text, "\n%*s", HELP_COLUMN, "");
    help_wrap(text, help, HELP_COLUMN, HELP_COLUMN, columns);
    return true;
}

static bool add_help_words(struct text *text, const struct option_row *row, size_t columns,
                           struct err *err)
{
    struct option_word word;
    size_t width = 0;
    for (size_t i = 0; row->word(&word, i); i++)
        width = strlen(word.name) > width ? strlen(word.name) : width;
    width += strlen("  ") + strlen("  ");
    text_addf(text, "%c%ss:\n", row->name[0] - 'a' + 'A', row->name + 1);
    for (size_t i = 0; row->word(&word, i); i++) {
        struct str summary;
        if (!text_format(&summary, text->arena, err, "%s%s%s%s", word.summary,
                         word.file != NULL ? " (" : "", word.file != NULL ? word.file : "",
                         word.file != NULL ? ")" : ""))
            return false;
        text_addf(text, "  %-*s", (int)width - 2, word.name);
        help_wrap(text, summary, width, width, columns);
    }
    return true;
}

/* --help-all is worth a line where it has more than --help. */
static bool is_option_shown(const struct option_row *row, const struct verb *verb,
                            enum help_extent extent)
{
    return row == &option_help_all ? verb_has_advanced(verb) : extent == HELP_ALL || !row->advanced;
}

bool help_text(struct str *out, const struct verb *verb, enum help_extent extent, size_t columns,
               struct arena *arena, struct err *err)
{
    static const char exits[] = "Exit status: ", example[] = "Example: ";
    struct verb_option option;
    struct text text = text_in(arena);
    text_addf(&text, "Usage: ilcov %s %s\n", verb->name, verb->operands);
    help_wrap(&text, str_of(verb->summary), 0, 0, columns);
    for (size_t i = 0; verb_option(&option, verb, i); i++)
        if (is_option_shown(option.row, verb, extent) && !add_option(&text, &option, columns, err))
            return false;
    if (verb->lists != NULL && verb_find_option(&option, verb, verb->lists, 0) &&
        !add_help_words(&text, option.row, columns, err))
        return false;
    if (verb->exits != NULL) {
        text_add_c(&text, exits);
        help_wrap(&text, str_of(verb->exits), sizeof exits - 1, 2, columns);
    }
    struct str lines = str_of(verb->examples != NULL ? verb->examples : "");
    for (const char *before = example; lines.len != 0; before = "") {
        struct str line = str_take_until(&lines, '\n');
        text_addf(&text, "%-*s%.*s\n", (int)sizeof example - 1, before, STR_ARGS(line));
    }
    return text_take(out, &text, err);
}

bool help_print(const struct verb *verb, enum help_extent extent, struct arena *arena,
                struct err *err)
{
    size_t columns = terminal_columns(STDOUT);
    struct str text;
    if (columns == 0)
        columns = HELP_COLUMNS;
    columns = columns < COLUMNS_MIN ? COLUMNS_MIN : columns;
    columns = columns > COLUMNS_MAX ? COLUMNS_MAX : columns;
    if (!help_text(&text, verb, extent, columns, arena, err))
        return false;
    (void)fwrite(text.text, 1, text.len, stdout); /* main reports a failure to write */
    return true;
}

/* test_verbs.c - what holds of the table of every verb, and of all that is made from it: help,
 * the schema of settings files, and the parts of docs/ilcov.1 between its markers.
 * With UPDATE_GOLDEN=1 those are written again. */
#include "cli/verbs/verbs.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/help.h"
#include "cli/options/settings_schema.h"
#include "tests/support/check.h"
#include "tests/support/manual.h"
#include "tests/support/test_arena.h"

#define MANUAL "docs/ilcov.1"
#define SCHEMA "docs/ilcov.schema.json"

enum {
    MANUAL_ROOM = 1 << 18
};

static struct str help_of(const struct verb *verb, size_t columns)
{
    struct err err = {0};
    struct str help;
    assert_true(help_text(&help, verb, HELP_ALL, columns, &arena, &err));
    return help;
}

/* Does `text` have the word, not as a part of a longer one, such as main...HEAD? */
static bool has_word(struct str text, const char *word)
{
    for (const char *at = text.text; (at = strstr(at, word)) != NULL; at++) {
        char before = at == text.text ? ' ' : at[-1], after = at[strlen(word)];
        if (isalnum((unsigned char)before) == 0 && before != '-' && before != '_' &&
            before != '.' && isalnum((unsigned char)after) == 0 && after != '-' && after != '_')
            return true;
    }
    return false;
}

/* --- tables ----------------------------------------------------------------------------------- */

static void names_and_letters_mean_one_option(void **state)
{
    struct verb_option option, found;
    (void)state;
    for (const struct verb *const *verb = verbs; *verb != NULL; verb++)
        for (size_t i = 0; verb_option(&option, *verb, i); i++) {
            assert_true(verb_find_option(&found, *verb, option.row->name, 0));
            assert_ptr_equal(found.row, option.row);
            if (option.row->letter == 0)
                continue;
            assert_true(verb_find_option(&found, *verb, NULL, option.row->letter));
            assert_ptr_equal(found.row, option.row);
        }
}

/* A saying of another option would be lost silently. */
static void every_saying_is_about_an_option_of_the_verb(void **state)
{
    struct verb_option option;
    (void)state;
    for (const struct verb *const *verb = verbs; *verb != NULL; verb++)
        for (const struct option_group *group = (*verb)->groups;
             group != NULL && group->rows != NULL; group++)
            for (const struct help_override *overrides = group->overrides;
                 overrides != NULL && overrides->name != NULL; overrides++)
                if (!verb_find_option(&option, *verb, overrides->name, 0))
                    fail_msg("%s has no --%s", (*verb)->name, overrides->name);
}

static void helps_are_phrases(void **state)
{
    struct verb_option option;
    (void)state;
    for (const struct verb *const *verb = verbs; *verb != NULL; verb++)
        for (size_t i = 0; verb_option(&option, *verb, i); i++) {
            const char *help = option.help;
            if (isupper((unsigned char)help[0]) != 0 || help[strlen(help) - 1] == '.')
                fail_msg("%s --%s: %s", (*verb)->name, option.row->name, help);
            if (strstr(help, "{}") != NULL)
                assert_non_null(option.row->word);
            if (option.more != NULL)
                assert_true(option.more[strlen(option.more) - 1] == '.');
        }
}

/* --- help ------------------------------------------------------------------------------------- */

static void every_option_is_in_its_help(void **state)
{
    struct verb_option option;
    (void)state;
    for (const struct verb *const *verb = verbs; *verb != NULL; verb++) {
        struct str help = help_of(*verb, HELP_COLUMNS);
        for (size_t i = 0; verb_option(&option, *verb, i); i++) {
            char left[80], letter[5] = "    ";
            if (option.row->letter != 0)
                (void)snprintf(letter, sizeof letter, "-%c, ", option.row->letter);
            (void)snprintf(left, sizeof left, "\n  %s--%s%s%s", letter, option.row->name,
                           option.row->argument != NULL ? " " : "",
                           option.row->argument != NULL ? option.row->argument : "");
            if (strstr(help.text, left) == NULL &&
                (option.row != &option_help_all || verb_has_advanced(*verb)))
                fail_msg("ilcov %s --help lacks%s", (*verb)->name, left);
        }
    }
}

static void advanced_options_are_in_the_help_of_all_alone(void **state)
{
    struct verb_option option;
    (void)state;
    for (const struct verb *const *verb = verbs; *verb != NULL; verb++) {
        struct str usual, all = help_of(*verb, HELP_COLUMNS);
        struct err err = {0};
        size_t advanced = 0;
        assert_true(help_text(&usual, *verb, HELP_BASIC, HELP_COLUMNS, &arena, &err));
        for (size_t i = 0; verb_option(&option, *verb, i); i++) {
            char name[64];
            (void)snprintf(name, sizeof name, " --%s", option.row->name);
            advanced += option.row->advanced;
            if (option.row != &option_help_all)
                assert_non_null(strstr(all.text, name));
            if (option.row->advanced && strstr(usual.text, name) != NULL)
                fail_msg("ilcov %s --help has%s", (*verb)->name, name);
        }
        assert_true(verb_find_option(&option, *verb, "help-all", 0));
        assert_int_equal(strstr(usual.text, "--help-all") != NULL, advanced != 0);
        assert_int_equal(usual.len < all.len, advanced != 0);
    }
}

static void help_is_no_wider_than_the_terminal(void **state)
{
    (void)state;
    for (size_t columns = HELP_COLUMNS; columns <= 120; columns += 20)
        for (const struct verb *const *verb = verbs; *verb != NULL; verb++) {
            const char *line = help_of(*verb, columns).text;
            for (; *line != '\0'; line = strchr(line, '\n') + 1)
                if (strcspn(line, "\n") > columns)
                    fail_msg("%s: %.*s", (*verb)->name, (int)strcspn(line, "\n"), line);
        }
}

/* What stands in capitals is an operand or an argument of the same verb, and not of another one. */
static void help_mentions_no_operand_of_other_verbs(void **state)
{
    static const char *const operands[] = {"COMMAND", "SESSION", "DATA",   "PID",  "BASE",
                                           "HEAD",    "FILE",    "METHOD", "SHELL"};
    (void)state;
    for (const struct verb *const *verb = verbs; *verb != NULL; verb++) {
        struct verb_option option;
        struct str own;
        struct err err = {0};
        struct text text = text_in(&arena);
        text_add_c(&text, (*verb)->operands);
        for (size_t i = 0; verb_option(&option, *verb, i); i++)
            text_addf(&text, " %s", option.row->argument != NULL ? option.row->argument : "");
        assert_true(text_take(&own, &text, &err));
        for (size_t w = 0; w < ARRAY_LEN(operands); w++) {
            if (has_word(own, operands[w]))
                continue;
            if (has_word(help_of(*verb, HELP_COLUMNS), operands[w]))
                fail_msg("ilcov %s --help mentions %s", (*verb)->name, operands[w]);
            for (size_t i = 0; verb_option(&option, *verb, i); i++)
                if (option.more != NULL && has_word(str_of(option.more), operands[w]))
                    fail_msg("%s --%s mentions %s", (*verb)->name, option.row->name, operands[w]);
        }
    }
}

static void words_are_broken_at_spaces_alone(void **state)
{
    struct str wrapped;
    struct err err = {0};
    (void)state;
    struct text text = text_in(&arena);
    help_wrap(&text, STR("aaaa bbbb cccccccccccccc d"), 0, 2, 9);
    assert_true(text_take(&wrapped, &text, &err));
    assert_string_equal(wrapped.text, "aaaa bbbb\n  cccccccccccccc\n  d\n");
}

/* --- the manual ------------------------------------------------------------------------------- */

static char manual[MANUAL_ROOM], renewed[MANUAL_ROOM];

/* `manual` with the lines between the markers of `part` replaced. */
static void renew(const char *part, void (*add)(struct text *, const struct verb *const *))
{
    char begin[64], end[64];
    struct str made;
    struct err err = {0};
    (void)snprintf(begin, sizeof begin, ".\\\" begin: %s\n", part);
    (void)snprintf(end, sizeof end, ".\\\" end: %s\n", part);
    const char *from = strstr(manual, begin), *to = strstr(manual, end);
    assert_non_null(from);
    assert_non_null(to);
    from += strlen(begin);
    struct text text = text_in(&arena);
    add(&text, verbs);
    assert_true(text_take(&made, &text, &err));
    int len =
        snprintf(renewed, sizeof renewed, "%.*s%s%s", (int)(from - manual), manual, made.text, to);
    assert_true(len > 0 && (size_t)len < sizeof renewed);
}

static void read_manual(void)
{
    FILE *file = fopen(MANUAL, "r");
    assert_non_null(file);
    size_t len = fread(manual, 1, sizeof manual - 1, file);
    (void)fclose(file);
    assert_true(len != 0 && len < sizeof manual - 1);
    manual[len] = '\0';
}

/* `make golden` writes what is stale. */
static void check_part(const char *part, void (*add)(struct text *, const struct verb *const *))
{
    const char *wanted = getenv("UPDATE_GOLDEN");
    read_manual();
    renew(part, add);
    if (wanted != NULL && strcmp(wanted, "1") == 0) {
        FILE *file = fopen(MANUAL, "w");
        assert_non_null(file);
        assert_true(fputs(renewed, file) >= 0 && fclose(file) == 0);
        return;
    }
    if (strcmp(manual, renewed) != 0)
        fail_msg("%s: the part '%s' is stale; 'make golden' writes it anew", MANUAL, part);
}

static void manual_has_the_synopsis_of_every_verb(void **state)
{
    (void)state;
    check_part("synopsis", manual_add_synopsis);
}

static void manual_has_the_options_of_every_verb(void **state)
{
    (void)state;
    check_part("options", manual_add_options);
}

/* Also those that are only named, "as for run". */
static void every_option_is_in_the_manual_of_its_verb(void **state)
{
    struct verb_option option;
    (void)state;
    read_manual();
    for (const struct verb *const *verb = verbs; *verb != NULL; verb++) {
        char start[64];
        (void)snprintf(start, sizeof start, "\n.SS %s\n", (*verb)->name);
        const char *part = strstr(manual, start);
        for (size_t i = 0; verb_option(&option, *verb, i); i++) {
            struct str name, own = STR("");
            struct err err = {0};
            if (option.row == &option_help || option.row == &option_help_all ||
                option.row == &option_version)
                continue;
            assert_non_null(part);
            size_t len = (size_t)(strstr(part + 1, "\n.SS ") - part);
            assert_true(str_copy(&own, (struct str){part, len}, &arena, &err));
            struct text text = text_in(&arena);
            text_add_c(&text, "\\fB\\-\\-");
            for (const char *c = option.row->name; *c != '\0'; c++)
                text_addf(&text, "%s%c", *c == '-' ? "\\" : "", *c);
            text_add_c(&text, "\\fR");
            assert_true(text_take(&name, &text, &err));
            if (strstr(own.text, name.text) == NULL)
                fail_msg("the manual lacks --%s of %s", option.row->name, (*verb)->name);
        }
    }
}

/* --- settings --------------------------------------------------------------------------------- */

static void schema_of_settings_has_every_option(void **state)
{
    static char kept[MANUAL_ROOM];
    struct err err = {0};
    char *made = NULL;
    size_t len = 0;
    (void)state;
    FILE *memory = open_memstream(&made, &len);
    assert_non_null(memory);
    assert_true(settings_schema_print(memory, verbs, &arena, &err));
    assert_int_equal(fclose(memory), 0);
    const char *wanted = getenv("UPDATE_GOLDEN");
    bool writes = wanted != NULL && strcmp(wanted, "1") == 0;
    FILE *file = fopen(SCHEMA, writes ? "w" : "r");
    assert_non_null(file);
    size_t done = writes ? fwrite(made, 1, len, file) : fread(kept, 1, sizeof kept, file);
    (void)fclose(file);
    if (done != len || (!writes && memcmp(made, kept, len) != 0))
        fail_msg("%s is stale; 'make golden' writes it anew", SCHEMA);
    free(made);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)

static const struct CMUnitTest tests[] = {
    TEST(names_and_letters_mean_one_option),
    TEST(every_saying_is_about_an_option_of_the_verb),
    TEST(helps_are_phrases),
    TEST(every_option_is_in_its_help),
    TEST(advanced_options_are_in_the_help_of_all_alone),
    TEST(help_is_no_wider_than_the_terminal),
    TEST(help_mentions_no_operand_of_other_verbs),
    TEST(words_are_broken_at_spaces_alone),
    TEST(manual_has_the_synopsis_of_every_verb),
    TEST(manual_has_the_options_of_every_verb),
    TEST(every_option_is_in_the_manual_of_its_verb),
    TEST(schema_of_settings_has_every_option),
};
UNIT_TESTS(tests);

/* test_complete.c - what may follow on a line that is being typed, as options_parse would read
 * it. Lines are cut at spaces: one at the end begins an empty word. */
#include "cli/options/complete.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/verbs/verbs.h"
#include "tests/support/check.h"
#include "tests/support/temporary.h"
#include "tests/support/test_arena.h"

static struct str answer_of(const char *line)
{
    char copy[200], *words[16], *rest = copy;
    int count = 0;
    struct str answer;
    struct err err = {0};
    (void)snprintf(copy, sizeof copy, "%s", line);
    while (count < 16 && (words[count] = strsep(&rest, " ")) != NULL)
        count++;
    struct text text = text_in(&arena);
    complete_line(&text, verbs, count, words);
    assert_true(text_take(&answer, &text, &err));
    return answer;
}

/* "run report: words 0": the candidates, then the last line. */
static struct str names_of(struct str answer)
{
    struct str names;
    struct err err = {0};
    struct text text = text_in(&arena);
    while (memchr(answer.text, '\t', answer.len) != NULL) {
        struct str line = str_take_until(&answer, '\n');
        text_add(&text, str_take_until(&line, '\t'));
        text_add_c(&text, " ");
    }
    text_add_c(&text, "| ");
    text_add(&text, str_take_until(&answer, '\n'));
    assert_int_equal(answer.len, 0);
    assert_true(text_take(&names, &text, &err));
    return names;
}

struct line {
    const char *typed, *offered;
};

static void check_lines(const struct line *lines, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct str names = names_of(answer_of(lines[i].typed));
        if (!str_is(names, lines[i].offered))
            fail_msg("'%s': '%s' instead of '%s'", lines[i].typed, names.text, lines[i].offered);
    }
}

static void verbs_come_first(void **state)
{
    (void)state;
    static const struct line lines[] = {
        {"ru", "run | words 0"},           {"--v", "--version | words 0"},
        {"help stac", "stacks | words 0"}, {"help stacks ", "| words 0"},
        {"nothing ", "| words 0"},         {"__comp", "| words 0"},
    };
    check_lines(lines, ARRAY_LEN(lines));
    struct str answer = answer_of("");
    for (const struct verb *const *verb = verbs; *verb != NULL; verb++) {
        char line[200];
        (void)snprintf(line, sizeof line, "%s\t%s\n", (*verb)->name, (*verb)->brief);
        assert_non_null(strstr(answer.text, line));
    }
}

static void every_option_is_offered_with_what_it_is(void **state)
{
    struct verb_option option;
    (void)state;
    for (const struct verb *const *verb = verbs; *verb != NULL; verb++) {
        char line[64];
        (void)snprintf(line, sizeof line, "%s -", (*verb)->name);
        struct str answer = answer_of(line);
        for (size_t i = 0; verb_option(&option, *verb, i); i++) {
            (void)snprintf(line, sizeof line, "--%s\t", option.row->name);
            const char *found = strstr(answer.text, line);
            if (found == NULL || found[strlen(line)] != option.help[0])
                fail_msg("%s: %s", (*verb)->name, line);
            (void)snprintf(line, sizeof line, "-%c\t", option.row->letter);
            assert_true(option.row->letter == 0 || strstr(answer.text, line) != NULL);
        }
    }
}

static void options_are_where_the_parser_takes_them(void **state)
{
    (void)state;
    static const struct line lines[] = {
        {"report --fail-u", "--fail-under | words 0"},
        {"report x.xml --fail-u", "--fail-under | words 0"},
        {"report -d x --fail-u", "--fail-under | words 0"},
        {"report -q", "-q | words 0"},
        {"report -- --fail-u", "| files 0"},
        {"report x -- --fail-u", "| files 0"},
        {"report -d --fail-u", "| files 0"}, /* the name of a file */
        {"report --fail-under 1 --nothing --quie", "--quiet | words 0"},
        {"ps -qx", "| words 0"},
    };
    check_lines(lines, ARRAY_LEN(lines));
}

static void values_are_those_of_the_option_however_it_is_written(void **state)
{
    (void)state;
    static const struct line lines[] = {
        {"run --mode ", "count hit exact | words 0"},
        {"run --mode=e", "exact | words 7"},
        {"run --mod=e", "exact | words 6"}, /* no other option begins so */
        {"run --mod h", "hit | words 0"},
        {"run --m h", "| command 3"}, /* --map or --mode: an error, then a command */
        {"run -fcob", "cobertura | open 2"},
        {"run -qfcob", "cobertura | open 3"},
        {"run -f cob", "cobertura | open 0"},
        {"run -f cobertura=x", "| files 10"},
        {"run -fcobertura=", "| files 12"},
        {"run --format=cobertura=x", "| files 19"},
        {"run -f nothing=x", "| open 0"},
        {"run -d ", "| files 0"},
        {"run -d -", "| files 0"},
        {"run -d --", "| files 0"},
        {"run -dx", "| files 2"},
        {"run --root=", "| folders 7"},
        {"run --quiet=", "| words 8"},
        {"run --fail-under ", "| words 0"},
        {"diff -f mark", "markdown | open 0"},
        {"completion ", "bash zsh fish | words 0"},
        {"completion bash ", "| words 0"}, /* it takes one */
    };
    check_lines(lines, ARRAY_LEN(lines));
}

static void a_command_completes_itself(void **state)
{
    (void)state;
    static const struct line lines[] = {
        {"run ", "| command 2"},
        {"run -q dot", "| command 3"},
        {"run -q -- ", "| command 4"},
        {"run -- --mod", "| command 3"},
        {"run dotnet --mod", "| command 2"},
        {"run --mode hit dotnet test -", "| command 4"},
        {"run -d -- --mod", "--mode | words 0"}, /* a file of that name */
    };
    check_lines(lines, ARRAY_LEN(lines));
}

static void options_of_a_verb_are_those_of_config(void **state)
{
    (void)state;
    static const struct line lines[] = {
        {"config ru", "run | words 0"},           {"config --sche", "--schema | words 0"},
        {"config run --mod", "--mode | words 0"}, {"config run --mode=h", "hit | words 7"},
        {"config run -q dot", "| command 4"},     {"config nothing --mod", "| words 0"},
    };
    check_lines(lines, ARRAY_LEN(lines));
}

/* --- what is there ---------------------------------------------------------------------------- */

static bool offers(struct str answer, const char *before, const char *after)
{
    char line[300];
    (void)snprintf(line, sizeof line, "%s%s", before, after);
    return strstr(answer.text, line) != NULL;
}

/* In a folder that shells would take apart. What could end its line is not offered; other
 * characters are for the shell to quote. */
static void processes_and_sessions_are_those_that_are_there(void **state)
{
    static const char *const files[] = {"odd $(a)*'/dotnet-diagnostic-999999999-1-socket",
                                        "odd $(a)*'/dotnet-diagnostic-x-1-socket",
                                        "odd $(a)*'/ilcov-12-afiles"};
    static const char *const folders[] = {"odd $(a)*'", "odd $(a)*'/ilcov-12-abcdef",
                                          "odd $(a)*'/ilcov-kept-abcdef",
                                          "odd $(a)*'/ilcov-12-a\nb\tcd", "odd $(a)*'/ilcov-other"};
    struct temporary made;
    char socket[80], id[16];
    (void)state;
    temporary_open(&made);
    for (size_t i = 0; i < ARRAY_LEN(folders); i++)
        assert_int_equal(mkdir(temporary_path(&made, folders[i]), 0700), 0);
    for (size_t i = 0; i < ARRAY_LEN(files); i++)
        (void)temporary_file(&made, files[i], "", 0);
    (void)snprintf(id, sizeof id, "%d\t", (int)getpid());
    (void)snprintf(socket, sizeof socket, "odd $(a)*'/dotnet-diagnostic-%d-1-socket",
                   (int)getpid());
    (void)temporary_file(&made, socket, "", 0);
    const char *place = temporary_path(&made, folders[0]);
    assert_int_equal(setenv("TMPDIR", place, 1), 0);
    struct str process = answer_of("attach "), both = answer_of("snapshot ");
    struct str session = answer_of("collect "), begun = answer_of("collect /tmp/ilcov");
    assert_true(str_starts(process, id));
    assert_string_equal(strchr(process.text, '\n'), "\nwords 0\n");
    assert_true(offers(both, id, ""));
    assert_true(offers(both, place, "/ilcov-12-abcdef\tsession\n"));
    assert_true(offers(session, place, "/ilcov-12-abcdef\tsession\n"));
    assert_true(offers(session, place, "/ilcov-kept-abcdef\tsession\n"));
    assert_false(offers(session, place, "/ilcov-12-a\n"));
    assert_false(offers(session, place, "/ilcov-12-af"));
    assert_false(offers(session, place, "/ilcov-other"));
    assert_true(str_ends(both, "\nfolders 0\n"));
    assert_string_equal(begun.text, "folders 0\n"); /* the shell completes the path */
    assert_int_equal(unsetenv("TMPDIR"), 0);
    temporary_close(&made);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)

static const struct CMUnitTest tests[] = {
    TEST(verbs_come_first),
    TEST(every_option_is_offered_with_what_it_is),
    TEST(options_are_where_the_parser_takes_them),
    TEST(values_are_those_of_the_option_however_it_is_written),
    TEST(a_command_completes_itself),
    TEST(options_of_a_verb_are_those_of_config),
    TEST(processes_and_sessions_are_those_that_are_there),
};
UNIT_TESTS(tests);

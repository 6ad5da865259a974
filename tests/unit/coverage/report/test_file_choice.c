/* test_file_choice.c - which file is meant by what a person types. */
#include "coverage/report/file_choice.h"

#include "tests/support/check.h"
#include "tests/support/test_arena.h"

static const char *const paths[] = {
    "Order.cs",           "src/Core/Order.cs", "src/Core/Reorder.cs", "src/Web/Order.cs",
    "src/Web/Startup.cs", "src/Web/a:1.cs",    "test/STARTUP2.cs",
};

static struct report_files some_files(void)
{
    static struct report_package package = {.name = {"A", 1}}, other = {.name = {"B", 1}};
    static struct report_file files[ARRAY_LEN(paths) + 1];
    uint32_t count = 0;
    for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
        files[count++] = (struct report_file){.path = str_of(paths[i]), .package = &package};
        if (strcmp(paths[i], "src/Web/Startup.cs") == 0) /* compiled into two */
            files[count++] = (struct report_file){.path = str_of(paths[i]), .package = &other};
    }
    return (struct report_files){files, count};
}

static void name_is_the_end_of_a_path(void **state)
{
    static const struct {
        const char *name, *relative;
        enum file_answer answer;
        const char *paths; /* each followed by a blank */
        uint32_t file_count;
    } cases[] = {
        {"Core/Order.cs", "", FILE_FOUND, "src/Core/Order.cs ", 1},
        {"./Core/Order.cs", "", FILE_FOUND, "src/Core/Order.cs ", 1},
        {"Core\\Order.cs", "", FILE_FOUND, "src/Core/Order.cs ", 1},
        {"/Core/Order.cs", "", FILE_FOUND, "src/Core/Order.cs ", 1},
        {"Order.cs", "", FILE_FOUND, "Order.cs ", 1},                         /* a whole path */
        {"Order.cs", "src/Web/Order.cs", FILE_FOUND, "src/Web/Order.cs ", 1}, /* typed in src/Web */
        {"/Order.cs", "", FILE_AMBIGUOUS, "src/Core/Order.cs src/Web/Order.cs ", 0},
        {"Startup.cs", "", FILE_FOUND, "src/Web/Startup.cs ", 2},
        {"startup.CS", "", FILE_FOUND, "src/Web/Startup.cs ", 2},
        {"core/order.cs", "", FILE_FOUND, "src/Core/Order.cs ", 1},
        {"rder.cs", "", FILE_UNKNOWN,
         "Order.cs src/Core/Order.cs src/Core/Reorder.cs src/Web/Order.cs ", 0},
        {"Startup", "", FILE_UNKNOWN, "src/Web/Startup.cs test/STARTUP2.cs ", 0},
        {"Web/Reodrer.cs", "", FILE_UNKNOWN, "src/Core/Reorder.cs ", 0},
        {"nothing/like/this", "", FILE_UNKNOWN, "", 0},
        {"", "", FILE_UNKNOWN, "", 0},
    };
    struct report_files files = some_files();
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct err err = {0};
        struct file_choice choice;
        struct str text;
        assert_true(file_choose(&choice, &files, str_of(cases[i].name), str_of(cases[i].relative),
                                &arena, &err));
        assert_int_equal(choice.answer, cases[i].answer);
        struct text got = text_in(&arena);
        for (uint32_t p = 0; p < choice.path_count; p++)
            text_addf(&got, "%.*s ", STR_ARGS(choice.paths[p]));
        assert_true(text_take(&text, &got, &err));
        assert_str(text, cases[i].paths);
        if (choice.answer == FILE_FOUND)
            assert_int_equal(choice.file_count, cases[i].file_count);
    }
}

static void lines_follow_the_last_colon(void **state)
{
    static const struct {
        const char *typed, *name, *lines;
    } cases[] = {
        {"Order.cs", "Order.cs", ""},
        {"Order.cs:12", "Order.cs", "12-12 "},
        {"Order.cs:12-20", "Order.cs", "12-20 "},
        {"Order.cs:40,52-58,7", "Order.cs", "7-7 40-40 52-58 "},
        {"Order.cs:12:5", "Order.cs", "12-12 "}, /* a column */
        {"C:\\src\\Order.cs", "C:\\src\\Order.cs", ""},
        {"C:\\src\\Order.cs:3", "C:\\src\\Order.cs", "3-3 "},
        {"a:b.cs", "a:b.cs", ""},
        {"Order.cs:99999999999999999999", "Order.cs", "999999999-999999999 "},
        {"", "", ""},
    };
    static const char *const refused[] = {"Order.cs:",   "Order.cs:0",  "Order.cs:5-3",
                                          "Order.cs:1,", "Order.cs:,1", "Order.cs:1-2-3",
                                          "Order.cs:-1", ":12",         "Order.cs:1--2"};
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct err err = {0};
        struct str name, text;
        struct line_list lines;
        assert_true(file_choice_split(&name, &lines, str_of(cases[i].typed), &arena, &err));
        assert_str(name, cases[i].name);
        struct text got = text_in(&arena);
        for (uint32_t n = 0; n < lines.count; n++)
            text_addf(&got, "%u-%u ", lines.ranges[n].first, lines.ranges[n].last);
        assert_true(text_take(&text, &got, &err));
        assert_str(text, cases[i].lines);
    }
    for (size_t i = 0; i < ARRAY_LEN(refused); i++) {
        struct err err = {0};
        struct str name;
        struct line_list lines;
        bool ok = file_choice_split(&name, &lines, str_of(refused[i]), &arena, &err);
        assert_failed(ok, err, ERR_USAGE);
        assert_non_null(strstr(err.text, refused[i]));
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_arena, close_arena)

static const struct CMUnitTest tests[] = {
    TEST(name_is_the_end_of_a_path),
    TEST(lines_follow_the_last_colon),
};
UNIT_TESTS(tests);

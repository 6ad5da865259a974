/* test_stack_text.c - stacks are told with the user's names and lines; what does not fit together
 * is told with the names that the library gave, or refused. */
#include "cli/process/stack_text.h"

#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/bytes.h"
#include "tests/support/check.h"
#include "tests/support/image.h"
#include "tests/support/temporary.h"

#define MVID       "0102030405060708090a0b0c0d0e0f10"
#define OTHER_MVID "ff02030405060708090a0b0c0d0e0f10"

static const uint8_t id[20] = {1,  2,  3,  4,  5,  6,  7,    8,    9,    10,
                               11, 12, 13, 14, 15, 16, 0x78, 0x56, 0x34, 0x12};

struct fixture {
    struct temporary folder;
    const char *dll;
    struct process process;
};

static void write_module(struct fixture *f)
{
    struct image image;
    uint8_t data[64] = "RSDS";
    static const char name[] = "Sample.pdb";
    image_begin(&image);
    image_sample(&image);
    memcpy(data + 4, id, 16);
    memcpy(data + 24, name, sizeof name);
    image_add_debug(&image, 2, load_u32(id + 16), 0x504D, (struct view){data, 24 + sizeof name});
    struct view bytes = image_pe(&image, false);
    f->dll = temporary_file(&f->folder, "Sample.dll", bytes.data, bytes.len);
    image_free(&image);
}

/* A document's name is a separator, here none, and where its parts lie in the heap. */
static uint32_t document_name(struct image *image, const char *path)
{
    uint32_t at = image_blob(image, path, strlen(path));
    const uint8_t name[] = {0, (uint8_t)(0x80 | at >> 8), (uint8_t)at};
    return image_blob(image, name, sizeof name);
}

/* Generic: line 10, from IL offset 5 hidden, from 9 line 12. op_Implicit: the code of Generic, on
 *          line 20
 * of a file elsewhere. */
static void write_pdb(struct fixture *f)
{
    struct image image;
    struct str inside;
    image_begin(&image);
    image.is_pdb = true;
    memcpy(image.pdb_id, id, sizeof id);
    image.foreign_rows[TABLE_MethodDef] = 5;
    assert_true(text_format(&inside, &f->folder.arena, NULL, "%s/src/File.cs", f->folder.folder));
    IMAGE_ROW(&image, Document, document_name(&image, inside.text), 0, 0, 0);
    IMAGE_ROW(&image, Document, document_name(&image, "/nowhere/Else.cs"), 0, 0, 0);
    static const uint8_t generic[] = {0, 0, 0, 5, 10, 3, 5, 0, 0, 4, 0, 4, 4, 0};
    static const uint8_t convert[] = {0, 0, 0, 5, 20, 3};
    IMAGE_ROW(&image, MethodDebugInformation, 0, 0);
    IMAGE_ROW(&image, MethodDebugInformation, 1, image_blob(&image, generic, sizeof generic));
    IMAGE_ROW(&image, MethodDebugInformation, 2, image_blob(&image, convert, sizeof convert));
    IMAGE_ROW(&image, MethodDebugInformation, 0, 0);
    IMAGE_ROW(&image, MethodDebugInformation, 0, 0);
    IMAGE_ROW(&image, StateMachineMethod, SAMPLE_CONVERT, SAMPLE_GENERIC);
    struct view bytes = image_metadata(&image);
    (void)temporary_file(&f->folder, "Sample.pdb", bytes.data, bytes.len);
    image_free(&image);
}

static int begin(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    temporary_open(&f->folder);
    f->process = (struct process){.pid = getpid(), .inner_pid = getpid(), .has_our_files = true};
    write_module(f);
    write_pdb(f);
    *state = f;
    return 0;
}

static int end(void **state)
{
    struct fixture *f = *state;
    temporary_close(&f->folder);
    free(f);
    return 0;
}

/* In `lines` % stands for the module's path. */
static bool tell(struct str *out, struct fixture *f, const char *lines, struct err *err)
{
    struct str answer;
    struct control_answer parsed;
    struct stack_source source = {
        .process = &f->process, .session = f->folder.folder, .root = str_of(f->folder.folder)};
    struct text text = text_in(&f->folder.arena);
    for (; *lines != '\0'; lines++)
        text_add(&text, *lines == '%' ? str_of(f->dll) : (struct str){lines, 1});
    text_add_c(&text, "end\t0x00000000\n");
    assert_true(text_take(&answer, &text, NULL));
    assert_true(control_parse(&parsed, answer, &f->folder.arena, NULL));
    return stack_text(out, &parsed, &source, &f->folder.arena, err);
}

#define FRAME(mvid, token, offset) "frame\t%\t" mvid "\t" token "\t" offset "\tN.Lib.Says\n"
#define GENERIC                    "N.Outer`2.Generic[TMethod](TKey key, TMethod method, List`1 list)"

static const struct {
    const char *name, *lines, *printed;
} stacks[] = {
    {"a line", FRAME(MVID, "0x06000002", "0"), "   at " GENERIC " in src/File.cs:line 10\n"},
    {"within a statement", FRAME(MVID, "0x06000002", "4"),
     "   at " GENERIC " in src/File.cs:line 10\n"},
    {"a hidden point", FRAME(MVID, "0x06000002", "7"),
     "   at " GENERIC " in src/File.cs:line 10\n"},
    {"the next statement", FRAME(MVID, "0x06000002", "9"),
     "   at " GENERIC " in src/File.cs:line 12\n"},
    {"far past the end", FRAME(MVID, "0x06000002", "2147483647"),
     "   at " GENERIC " in src/File.cs:line 12\n"},
    {"type arguments, of the type and of the method",
     "argument\tInt32\nargument\tDateTime\nargument\tGuid\n" FRAME(MVID, "0x06000002", "-1"),
     "   at N.Outer`2[TKey=Int32,TValue=DateTime].Generic[TMethod=Guid](TKey key, TMethod method, "
     "List`1 list)\n"},
    {"some that are not known",
     "argument\t\nargument\tDateTime\nargument\t\n" FRAME(MVID, "0x06000002", "-1"),
     "   at N.Outer`2[TKey,TValue=DateTime].Generic[TMethod](TKey key, TMethod method, List`1 "
     "list)\n"},
    {"none of the type's",
     "argument\t\nargument\t\nargument\tGuid\n" FRAME(MVID, "0x06000002", "-1"),
     "   at N.Outer`2.Generic[TMethod=Guid](TKey key, TMethod method, List`1 list)\n"},
    {"more than there are parameters, and those of another frame",
     "argument\tA\nargument\tB\nargument\tC\nargument\tD\n" FRAME(MVID, "0x06000002", "-1")
         FRAME(MVID, "0x06000002", "-1"),
     "   at " GENERIC "\n   at " GENERIC "\n"},
    {"no offset", FRAME(MVID, "0x06000002", "-1"), "   at " GENERIC "\n"},
    {"a state machine has its user's name and its own lines", FRAME(MVID, "0x06000003", "0"),
     "   at " GENERIC " in /nowhere/Else.cs:line 20\n"},
    {"no points", FRAME(MVID, "0x06000001", "0"), "   at N.Outer`2..ctor()\n"},
    {"another build of the module", FRAME(OTHER_MVID, "0x06000002", "0"), "   at N.Lib.Says()\n"},
    {"a row that is not there", FRAME(MVID, "0x060000ff", "0"), "   at N.Lib.Says()\n"},
    {"no method", FRAME(MVID, "0x06000000", "0"), "   at N.Lib.Says()\n"},
    {"another table", FRAME(MVID, "0x02000002", "0"), "   at N.Lib.Says()\n"},
    {"no file", "frame\t\t" MVID "\t0x06000002\t0\tN.X.Y\n", "   at N.X.Y()\n"},
    {"a device instead of a file", "frame\t/dev/null\t" MVID "\t0x06000002\t0\tN.X.Y\n",
     "   at N.X.Y()\n"},
    {"made at run time, under native code", "native\ndynamic\tMade\n",
     "   [native code]\n   at Made() [made at run time]\n"},
    {"what repeats itself, and what is left out of a deep stack",
     "dynamic\tA\nagain\t8999\nomitted\t1000000\ndynamic\tB\n",
     "   at A() [made at run time]\n   [repeated 8,999 times]\n   [1,000,000 frames are not "
     "shown]\n   at B() [made at run time]\n"},
    {"a system call", "call\tpoll\ndynamic\tA\n",
     "   [native code: poll]\n   at A() [made at run time]\n"},
    {"one that talks to the terminal", "call\ta\x1b[3m\ndynamic\tA\n",
     "   [native code: a?[3m]\n   at A() [made at run time]\n"},
    {"what talks to the terminal", "dynamic\ta\x1b[31m\\nb\n",
     "   at a?[31m?b() [made at run time]\n"},
    {"U+009B, which is like ESC [, and marks of direction",
     "dynamic\ta\xC2\x9B"
     "31m\xE2\x80\xAE"
     "b\xE2\x81\xA6"
     "c\xE2\x80\xA8\xC3\xA9\n",
     "   at a?31m?b?c?\xC3\xA9() [made at run time]\n"},
    {"and in the name that the module has no better one for",
     "frame\t\t" MVID "\t0x06000002\t0\tN.\xC2\x9BX\xE2\x80\x8F\n", "   at N.?X?()\n"},
};

static void frames_have_names_and_lines(void **state)
{
    for (size_t i = 0; i < ARRAY_LEN(stacks); i++) {
        struct str printed, lines, expected;
        struct fixture *f = *state;
        struct err err = {0};
        assert_true(text_format(&lines, &f->folder.arena, NULL,
                                "thread\t2147483647\t0x00000000\n%s", stacks[i].lines));
        assert_true(text_format(&expected, &f->folder.arena, NULL, "thread 2147483647:\n%s\n",
                                stacks[i].printed));
        if (!tell(&printed, f, lines.text, &err))
            fail_msg("%s: %s", stacks[i].name, err.text);
        if (!str_eq(printed, expected))
            fail_msg("%s: '%s'", stacks[i].name, printed.text);
    }
}

static void module_without_a_file_is_read_from_its_copy(void **state)
{
    struct fixture *f = *state;
    struct str printed;
    assert_int_equal(rename(f->dll, temporary_path(&f->folder, MVID ".module")), 0);
    assert_true(tell(&printed, f,
                     "thread\t1\t0x00000000\nframe\t\t" MVID "\t0x06000002\t0\tN.X.Y\n", NULL));
    assert_non_null(strstr(printed.text, GENERIC " in src/File.cs:line 10"));
}

static void threads_are_grouped_and_none_is_lost(void **state)
{
    struct str printed;
    assert_true(tell(&printed, *state,
                     "thread\t2000000001\t0x00000000\ndynamic\tA\n"
                     "thread\t2000000002\t0x80004005\n"
                     "thread\t2000000003\t0x00000000\ndynamic\tB\n"
                     "thread\t2000000004\t0x00000000\ndynamic\tA\n"
                     "thread\t2000000005\t0x00000000\nnative\n"
                     "thread\t2000000006\t0x8013135e\n"
                     "thread\t2000000007\t0x80131360\ndynamic\tA\n"
                     "thread\t2000000008\t0x00000000\ndynamic\tA\n",
                     NULL));
    assert_str(printed,
               "3 threads 2000000001, 2000000004, 2000000008:\n"
               "   at A() [made at run time]\n\n"
               "thread 2000000003:\n"
               "   at B() [made at run time]\n\n"
               "thread 2000000006:\n"
               "   [the rest of its stack is unknown: the thread ended before its stack was "
               "walked (CORPROF_E_STACKSNAPSHOT_INVALID_TGT_THREAD, 0x8013135e): "
               "nothing: the others are complete]\n\n"
               "thread 2000000007:\n"
               "   at A() [made at run time]\n"
               "   [the rest of its stack is unknown: the thread was at a point where its stack "
               "must not be walked (CORPROF_E_STACKSNAPSHOT_UNSAFE, 0x80131360): try "
               "again]\n\n"
               "2 threads run no managed code\n");
}

static void threads_have_the_names_that_the_system_knows(void **state)
{
    struct str printed, lines;
    struct fixture *f = *state;
    assert_int_equal(prctl(PR_SET_NAME, "a name"), 0); /* as valgrind has another for us */
    assert_true(text_format(&lines, &f->folder.arena, NULL, "thread\t%ld\t0x00000000\ndynamic\tA\n",
                            (long)getpid()));
    assert_true(tell(&printed, f, lines.text, NULL));
    assert_non_null(strstr(printed.text, " (a name):"));
    f->process.inner_pid++;
    assert_true(tell(&printed, f, lines.text, NULL));
    assert_null(strstr(printed.text, " ("));
}

static void names_of_threads_do_not_talk_to_the_terminal(void **state)
{
    static const char *const names[][2] = {{"a\x1b[3m", " (a?[3m):"},
                                           {"a\xC2\x9B"
                                            "3m",
                                            " (a?3m):"},
                                           {"a\xE2\x80\xAE"
                                            "b",
                                            " (a?b):"},
                                           {"\xC3\xA9\xC3", " (\xC3\xA9?):"}};
    struct fixture *f = *state;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        struct str printed, lines;
        assert_int_equal(prctl(PR_SET_NAME, names[i][0]), 0);
        assert_true(text_format(&lines, &f->folder.arena, NULL,
                                "thread\t%ld\t0x00000000\ndynamic\tA\n", (long)getpid()));
        assert_true(tell(&printed, f, lines.text, NULL));
        if (strstr(printed.text, names[i][1]) == NULL)
            fail_msg("case %zu: '%s'", i, printed.text);
    }
}

static void answers_that_are_none_are_refused(void **state)
{
    static const char *const bad[] = {
        "native\n",
        "frame\t\t" MVID "\t0x06000002\t0\tX\n",
        "thread\t1\n",
        "thread\tx\t0x00000000\n",
        "thread\t99999999999\t0x00000000\n",
        "thread\t1\t0\n",
        "thread\t1\t0x00000000\nframe\t\t" MVID "\t0x06000002\t0\n",
        "thread\t1\t0x00000000\nframe\t\t" MVID "00\t0x06000002\t0\tX\n",
        "thread\t1\t0x00000000\nframe\t\t" MVID "\t06000002\t0\tX\n",
        "thread\t1\t0x00000000\nframe\t\t" MVID "\t0x06000002\t-2\tX\n",
        "thread\t1\t0x00000000\nframe\t\t" MVID "\t0x06000002\t4294967295\tX\n",
        "thread\t1\t0x00000000\nnative\t1\n",
        "thread\t1\t0x00000000\nsomething\n",
        "thread\t1\t0x00000000\nagain\tx\n",
        "thread\t1\t0x00000000\nomitted\t-1\n",
        "thread\t1\t0x00000000\ncall\n",
        "call\tread\n",
    };
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
        struct str printed;
        struct err err = {0};
        if (tell(&printed, *state, bad[i], &err) || err.code != ERR_FORMAT)
            fail_msg("case %zu: '%s'", i, err.text);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_setup_teardown(frames_have_names_and_lines, begin, end),
    cmocka_unit_test_setup_teardown(module_without_a_file_is_read_from_its_copy, begin, end),
    cmocka_unit_test_setup_teardown(threads_are_grouped_and_none_is_lost, begin, end),
    cmocka_unit_test_setup_teardown(threads_have_the_names_that_the_system_knows, begin, end),
    cmocka_unit_test_setup_teardown(names_of_threads_do_not_talk_to_the_terminal, begin, end),
    cmocka_unit_test_setup_teardown(answers_that_are_none_are_refused, begin, end),
};
UNIT_TESTS(tests);

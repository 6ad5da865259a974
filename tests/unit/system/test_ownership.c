/* test_ownership.c - a library or a directory that somebody else could change is not used, and the
 * line says what mends it. */
#include "system/user.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/check.h"
#include "tests/support/temporary.h"

enum {
    NOBODY = 65534
};

/* A library in a directory, owners and modes; NULL: may be used; else a part of the line. */
static const struct {
    uid_t file_user;
    mode_t file_mode;
    gid_t directory_group;
    mode_t directory_mode;
    const char *mend;
} cases[] = {
    {0, 0755, 0, 0755, NULL},
    {0, 0644, 0, 0700, NULL},
    {0, 0775, 0, 0755, "chmod go-w"},
    {0, 0757, 0, 0755, "chmod go-w"},
    {NOBODY, 0755, 0, 0755, "chown 0"},
    {0, 0755, 0, 0775, NULL}, /* its user's own group */
    {0, 0755, NOBODY, 0775, "chmod go-w"},
    {0, 0755, NOBODY, 0755, NULL},
    {0, 0755, 0, 0777, "chmod go-w"},
    {0, 0755, NOBODY, 01777, NULL}, /* as /tmp */
};

static void only_what_nobody_else_may_change_is_used(void **state)
{
    (void)state;
    struct temporary t;
    if (geteuid() != 0 || getgid() != 0)
        skip();
    temporary_open(&t);
    const char *library = temporary_file(&t, "lib.so", "", 0);
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct err err = {0};
        assert_int_equal(chown(library, cases[i].file_user, 0), 0);
        assert_int_equal(chmod(library, cases[i].file_mode), 0);
        assert_int_equal(chown(t.folder, 0, cases[i].directory_group), 0);
        assert_int_equal(chmod(t.folder, cases[i].directory_mode), 0);
        bool fine = ownership_of_file(library, &err);
        if (fine != (cases[i].mend == NULL))
            fail_msg("case %zu: %s", i, fine ? "may be used" : err.text);
        if (!fine && (err.code != ERR_UNSUPPORTED || strstr(err.text, cases[i].mend) == NULL))
            fail_msg("case %zu: %s", i, err.text);
    }
    temporary_close(&t);
}

static void roots_library_is_everybodys(void **state)
{
    (void)state;
    struct temporary t;
    struct err err = {0};
    if (geteuid() != 0)
        skip();
    temporary_open(&t);
    const char *library = temporary_file(&t, "lib.so", "", 0);
    assert_int_equal(chmod(t.folder, 0755), 0);
    assert_int_equal(seteuid(NOBODY), 0);
    bool fine = ownership_of_file(library, &err);
    assert_int_equal(seteuid(0), 0);
    assert_true(fine);
    temporary_close(&t);
}

static void sessions_parent_may_be_written_by_others_with_a_sticky_bit_only(void **state)
{
    static const struct {
        mode_t mode;
        bool fine;
    } parents[] = {{0700, true}, {0775, true}, {01777, true}, {0777, false}, {0702, false}};
    (void)state;
    struct temporary t;
    temporary_open(&t);
    for (size_t i = 0; i < ARRAY_LEN(parents); i++) {
        struct err err = {0};
        assert_int_equal(chmod(t.folder, parents[i].mode), 0);
        assert_int_equal(ownership_of_parent(t.folder, &err), parents[i].fine);
        if (!parents[i].fine)
            assert_non_null(strstr(err.text, "chmod o-w"));
    }
    temporary_close(&t);
}

static void sessions_parent_belongs_to_its_user_or_root(void **state)
{
    static const struct {
        uid_t owner, user;
        mode_t mode;
        bool fine;
    } parents[] = {{0, 0, 0755, true},        {0, 4711, 01777, true},  {4711, 4711, 0755, true},
                   {4711, 0, 0755, false},    {4711, 0, 01777, false}, {4711, 4712, 0755, false},
                   {4711, 4712, 01777, false}};
    (void)state;
    struct temporary t;
    if (geteuid() != 0)
        skip();
    temporary_open(&t);
    for (size_t i = 0; i < ARRAY_LEN(parents); i++) {
        struct err err = {0};
        assert_int_equal(chown(t.folder, parents[i].owner, 0), 0);
        assert_int_equal(chmod(t.folder, parents[i].mode), 0);
        assert_int_equal(seteuid(parents[i].user), 0);
        bool fine = ownership_of_parent(t.folder, &err);
        assert_int_equal(seteuid(0), 0);
        if (fine != parents[i].fine)
            fail_msg("case %zu: %s", i, fine ? "may be used" : err.text);
        if (!fine)
            assert_non_null(strstr(err.text, "belongs to user 4711"));
    }
    temporary_close(&t);
}

static void session_is_read_when_nobody_else_could_write_it(void **state)
{
    static const struct {
        uid_t owner, reader;
        mode_t mode;
        bool fine;
    } sessions[] = {{0, 0, 0700, true},       {0, 0, 0755, true},
                    {0, 0, 0720, false},      {0, 0, 0702, false},
                    {NOBODY, 0, 0700, true},  {NOBODY, NOBODY, 0700, true},
                    {0, NOBODY, 0755, false}, {NOBODY, NOBODY, 0777, false}};
    (void)state;
    struct temporary t;
    if (geteuid() != 0)
        skip();
    temporary_open(&t);
    for (size_t i = 0; i < ARRAY_LEN(sessions); i++) {
        struct err err = {0};
        assert_int_equal(chown(t.folder, sessions[i].owner, 0), 0);
        assert_int_equal(chmod(t.folder, sessions[i].mode), 0);
        int fd = open(t.folder, O_RDONLY | O_DIRECTORY);
        assert_int_equal(seteuid(sessions[i].reader), 0);
        bool fine = ownership_of_session(fd, &err);
        assert_int_equal(seteuid(0), 0);
        (void)close(fd);
        if (fine != sessions[i].fine)
            fail_msg("case %zu: %s", i, fine ? "may be read" : err.text);
    }
    temporary_close(&t);
}

static void what_is_not_there_is_named(void **state)
{
    (void)state;
    struct err err = {0};
    assert_failed(ownership_of_file("/nowhere/lib.so", &err), err, ERR_IO);
    assert_non_null(strstr(err.text, "/nowhere/lib.so"));
    assert_failed(ownership_of_parent("/nowhere", &err), err, ERR_IO);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(only_what_nobody_else_may_change_is_used),
    cmocka_unit_test(roots_library_is_everybodys),
    cmocka_unit_test(sessions_parent_may_be_written_by_others_with_a_sticky_bit_only),
    cmocka_unit_test(sessions_parent_belongs_to_its_user_or_root),
    cmocka_unit_test(session_is_read_when_nobody_else_could_write_it),
    cmocka_unit_test(what_is_not_there_is_named),
};
UNIT_TESTS(tests);

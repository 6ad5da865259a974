/* test_paths.c - where the source root is, what lies below it, and what a glob names. */
#include "coverage/source/paths.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "tests/support/check.h"
#include "tests/support/temporary.h"

/* --- root ------------------------------------------------------------------------------------- */

static void make_folder(struct temporary *t, const char *name)
{
    assert_int_equal(mkdir(temporary_path(t, name), 0700), 0);
}

static void remove_folder(struct temporary *t, const char *name)
{
    assert_int_equal(rmdir(temporary_path(t, name)), 0);
}

/* The root found from inside `folder`, relative to the temporary folder. */
static const char *root_from(struct temporary *t, const char *folder)
{
    static char root[PATH_ROOM];
    char here[PATH_ROOM], top[PATH_ROOM];
    struct err err = {0};
    assert_non_null(getcwd(here, sizeof here));
    assert_non_null(realpath(t->folder, top));
    assert_int_equal(chdir(temporary_path(t, folder)), 0);
    assert_true(paths_root(root, NULL, &err));
    assert_int_equal(chdir(here), 0);
    if (strncmp(root, top, strlen(top)) != 0)
        return root;
    return root[strlen(top)] == '/' ? root + strlen(top) + 1 : ".";
}

static void root_is_the_top_of_the_work_tree(void **state)
{
    (void)state;
    struct temporary t;
    temporary_open(&t);
    make_folder(&t, "plain");
    make_folder(&t, "tree");
    make_folder(&t, "tree/.git");
    make_folder(&t, "tree/src");
    make_folder(&t, "tree/src/deep");
    make_folder(&t, "tree/linked");
    (void)temporary_file(&t, "tree/linked/.git", "gitdir: elsewhere\n", 18);
    make_folder(&t, "tree/linked/src");
    assert_string_equal(root_from(&t, "tree"), "tree");
    assert_string_equal(root_from(&t, "tree/src/deep"), "tree");
    assert_string_equal(root_from(&t, "tree/linked"), "tree/linked");
    assert_string_equal(root_from(&t, "tree/linked/src"), "tree/linked");
    assert_string_equal(root_from(&t, "plain"), "plain");
    assert_int_equal(unlink(temporary_path(&t, "tree/linked/.git")), 0);
    static const char *const folders[] = {
        "tree/linked/src", "tree/linked", "tree/src/deep", "tree/src",
        "tree/.git",       "tree",        "plain"};
    for (size_t i = 0; i < ARRAY_LEN(folders); i++)
        remove_folder(&t, folders[i]);
    temporary_close(&t);
}

static void given_root_is_taken_as_it_is(void **state)
{
    (void)state;
    struct temporary t;
    char root[PATH_ROOM], real[PATH_ROOM];
    struct err err = {0};
    temporary_open(&t);
    const char *file = temporary_file(&t, "file", "x", 1);
    make_folder(&t, "a");
    assert_int_equal(symlink("a", temporary_path(&t, "link")), 0);
    assert_true(paths_root(root, temporary_path(&t, "link/../a/."), &err));
    assert_non_null(realpath(temporary_path(&t, "a"), real));
    assert_string_equal(root, real);
    assert_failed(paths_root(root, file, &err), err, ERR_IO);
    assert_failed(paths_root(root, temporary_path(&t, "none"), &err), err, ERR_IO);
    assert_failed(paths_root(root, "", &err), err, ERR_IO);
    remove_folder(&t, "a");
    temporary_close(&t);
}

/* --- documents -------------------------------------------------------------------------------- */

static const struct {
    const char *root, *document;
    enum path_place place;
    const char *relative;
} places[] = {
    {"/app", "/app/A.cs", PATH_INSIDE, "A.cs"},
    {"/app", "/app/src/A.cs", PATH_INSIDE, "src/A.cs"},
    {"/app", "/app//src/./A.cs", PATH_INSIDE, "src/A.cs"},
    {"/app", "/app/src/../A.cs", PATH_INSIDE, "A.cs"},
    {"/app", "/other/../app/A.cs", PATH_INSIDE, "A.cs"},
    {"/app", "/app\\obj\\Debug/A.g.cs", PATH_INSIDE, "obj/Debug/A.g.cs"},
    {"/app", "/app/a b/\xC3\xA4.cs", PATH_INSIDE, "a b/\xC3\xA4.cs"},
    {"/app", "/../../app/A.cs", PATH_INSIDE, "A.cs"},
    {"/", "/app/A.cs", PATH_INSIDE, "app/A.cs"},
    {"/", "/_/A.cs", PATH_INSIDE, "_/A.cs"},
    {"/_", "/_/A.cs", PATH_INSIDE, "A.cs"},
    {"/app", "/application/A.cs", PATH_OUTSIDE, ""},
    {"/app", "/app", PATH_OUTSIDE, ""},
    {"/app", "/app/", PATH_OUTSIDE, ""},
    {"/app", "/app/../A.cs", PATH_OUTSIDE, ""},
    {"/app", "/App/A.cs", PATH_OUTSIDE, ""},
    {"/app", "/", PATH_OUTSIDE, ""},
    {"/app", "", PATH_OUTSIDE, ""},
    {"/app", "/_/A.cs", PATH_MAPPED, "A.cs"},
    {"/app", "/_/src/x/../A.cs", PATH_MAPPED, "src/A.cs"},
    {"/app", "\\_\\src\\A.cs", PATH_MAPPED, "src/A.cs"},
    {"/app", "/_/", PATH_OUTSIDE, ""},
    {"/app", "/_", PATH_OUTSIDE, ""},
    {"/app", "/_1/src/A.cs", PATH_OUTSIDE, ""},
    {"/app", "/_x/src/A.cs", PATH_OUTSIDE, ""},
    {"/app", "A.cs", PATH_MAPPED, "A.cs"},
    {"/app", "./Views/Home.cshtml", PATH_MAPPED, "Views/Home.cshtml"},
    {"/app", "Views\\Home.cshtml", PATH_MAPPED, "Views/Home.cshtml"},
    {"/app", "a/../../A.cs", PATH_OUTSIDE, ""},
    {"/app", "../app/A.cs", PATH_OUTSIDE, ""},
    {"/app", "..", PATH_OUTSIDE, ""},
    {"/app", ".", PATH_OUTSIDE, ""},
    {"/app", "C:\\app\\A.cs", PATH_OUTSIDE, ""},
    {"/", "C:\\app\\A.cs", PATH_OUTSIDE, ""},
    {"/app", "C:/app/A.cs", PATH_OUTSIDE, ""},
    {"/app", "\\\\server\\app\\A.cs", PATH_OUTSIDE, ""},
};

static void documents_are_placed_by_their_path(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(places); i++) {
        struct arena arena;
        struct err err = {0};
        enum path_place place = PATH_OUTSIDE;
        struct str relative;
        arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
        struct str document = str_of(places[i].document);
        struct view copy = exact_copy((struct view){(const uint8_t *)document.text, document.len});
        assert_true(paths_place(&place, &relative, str_of(places[i].root),
                                (struct str){(const char *)copy.data, copy.len}, &arena, &err));
        if (place != places[i].place || !str_is(relative, places[i].relative))
            fail_msg("%s below %s: place %d, '%.*s'", places[i].document, places[i].root,
                     (int)place, STR_ARGS(relative));
        exact_free(copy);
        arena_free(&arena);
    }
}

static void document_reached_through_a_link_is_inside(void **state)
{
    (void)state;
    struct temporary t;
    struct err err = {0};
    char root[PATH_ROOM];
    enum path_place place = PATH_OUTSIDE;
    struct str relative;
    temporary_open(&t);
    make_folder(&t, "real");
    (void)temporary_file(&t, "real/A.cs", "x", 1);
    assert_int_equal(symlink("real", temporary_path(&t, "link")), 0);
    assert_true(paths_root(root, temporary_path(&t, "real"), &err));
    struct str document = str_of(temporary_path(&t, "link/A.cs"));
    assert_true(paths_place(&place, &relative, str_of(root), document, &t.arena, &err));
    assert_int_equal(place, PATH_INSIDE);
    assert_str(relative, "A.cs");
    document = str_of(temporary_path(&t, "link/None.cs"));
    assert_true(paths_place(&place, &relative, str_of(root), document, &t.arena, &err));
    assert_int_equal(place, PATH_OUTSIDE);
    assert_int_equal(unlink(temporary_path(&t, "real/A.cs")), 0);
    remove_folder(&t, "real");
    temporary_close(&t);
}

/* --- globs ------------------------------------------------------------------------------------ */

static const struct {
    const char *glob, *path;
    bool matches;
} globs[] = {
    {"*.g.cs", "obj/Debug/A.g.cs", true},
    {"*.g.cs", "A.cs", false},
    {"src/*", "src/a/b.cs", true},
    {"src/*", "test/src/b.cs", false},
    {"src/**", "src/a/b.cs", true},
    {"./src/*", "src/b.cs", true},
    {"A.cs", "A.cs", true},
    {"A.cs", "src/A.cs", false},
    {"A.cs", "a.cs", false},
    {"?.cs", "A.cs", true},
    {"?.cs", "AB.cs", false},
    {"?.cs", "\xC3\xA4.cs", true},
    {"??.cs", "\xC3\xA4.cs", false},
    {"**/A.cs", "A.cs", true},
    {"**/A.cs", "src/deep/A.cs", true},
    {"**/A.cs", "src/BA.cs", false},
    {"**/Migrations/*", "Migrations/M1.cs", true},
    {"**/Migrations/*", "src/Migrations/M1.cs", true},
    {"**/Migrations/*", "src/OldMigrations/M1.cs", false},
    {"src/**/A.cs", "src/A.cs", true},
    {"src/**/A.cs", "src/x/y/A.cs", true},
    {"src/**/A.cs", "src/xA.cs", false},
    {"src**/A.cs", "src/A.cs", true},
    {"src**/A.cs", "src2/x/A.cs", true},
    {"**/**/A.cs", "A.cs", true},
    {"**/a/**/b/*.cs", "x/a/b/a/y/b/C.cs", true},
    {"**/a/**/b/*.cs", "x/a/y/c/C.cs", false},
    {"*a*b*c", "xxaxxbxxbxxc", true},
    {"*a*b*c", "xxaxxcxxb", false},
    {"**", "any/thing", true},
    {"*", "any/thing", true},
    {"", "A.cs", false},
    {"", "", true},
    {"*", "", true},
    {"?", "", false},
};

static void globs_name_paths(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(globs); i++) {
        struct view glob =
            exact_copy((struct view){(const uint8_t *)globs[i].glob, strlen(globs[i].glob)});
        struct view path =
            exact_copy((struct view){(const uint8_t *)globs[i].path, strlen(globs[i].path)});
        bool matches = paths_match((struct str){(const char *)glob.data, glob.len},
                                   (struct str){(const char *)path.data, path.len});
        exact_free(glob);
        exact_free(path);
        if (matches != globs[i].matches)
            fail_msg("'%s' and '%s'", globs[i].glob, globs[i].path);
    }
}

/* Quadratic at worst: a glob of many stars must not take for ever. */
static void many_stars_end_in_time(void **state)
{
    (void)state;
    char glob[2 * 64 + 2], path[20001];
    for (size_t i = 0; i < 64; i++)
        memcpy(glob + 2 * i, "*a", 2);
    glob[128] = 'b';
    memset(path, 'a', 20000);
    assert_false(paths_match((struct str){glob, 129}, (struct str){path, 20000}));
}

static void sources_of_a_package_are_known_by_its_folders(void **state)
{
    static const struct {
        const char *path;
        bool expected;
    } cases[] = {
        {"/home/me/.nuget/packages/xunit.v3.core/2.0.1/build/Entry.cs", true},
        {"C:\\nuget\\a\\1.2.3-beta.4\\contentFiles\\cs\\any\\A.cs", true},
        {"/_/microsoft.net.test.sdk/17.8.0/build/netcoreapp2.1/Main.cs", true},
        {"/src/build/A.cs", false},
        {"/src/net8.0/build/A.cs", false},
        {"/src/app/1.0/A.cs", false},
        {"/src/app/1.0/build", false},
        {"/src/app/2/build/A.cs", false},
        {"", false},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        if (paths_is_of_package(str_of(cases[i].path)) != cases[i].expected)
            fail_msg("%s", cases[i].path);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(root_is_the_top_of_the_work_tree),
    cmocka_unit_test(given_root_is_taken_as_it_is),
    cmocka_unit_test(documents_are_placed_by_their_path),
    cmocka_unit_test(document_reached_through_a_link_is_inside),
    cmocka_unit_test(globs_name_paths),
    cmocka_unit_test(many_stars_end_in_time),
    cmocka_unit_test(sources_of_a_package_are_known_by_its_folders),
};
UNIT_TESTS(tests);

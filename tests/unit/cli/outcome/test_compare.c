/* test_compare.c - what a comparison must tell its reader, besides the figures. */
#include "cli/outcome/compare.h"

#include <sys/stat.h>
#include <unistd.h>

#include "system/program_file.h"
#include "tests/support/check.h"
#include "tests/support/facts_fixture.h"
#include "tests/support/temporary.h"

#define BINARY                                                                                     \
    "diff --git a/src/Wide.cs b/src/Wide.cs\nBinary files a/src/Wide.cs and b/src/Wide.cs "        \
    "differ\n"
#define EDIT                                                                                       \
    "diff --git a/src/Core/Order.cs b/src/Core/Order.cs\n--- a/src/Core/Order.cs\n"                \
    "+++ b/src/Core/Order.cs\n@@ -5 +5 @@\n-old\n+new\n"

#define BINARY_NOTE                                                                                \
    "1 source is binary to git, so the lines that changed there are not known: src/Wide.cs"
/* Two builds were made from the file. */
#define STALE_NOTE                                                                                 \
    "2 files of the patch were changed since the run, so line numbers may differ there: "          \
    "src/Core/Order.cs and others"

#define SUBMODULE_NOTE                                                                             \
    "1 submodule changed, and the patch does not say which lines, so none of them is looked at: "  \
    "src ('git diff --submodule=diff' says it, if both commits were fetched)"

static struct temporary folder;
static struct facts facts;

static int open_folder(void **state)
{
    (void)state;
    temporary_open(&folder);
    fixture_facts(&facts, &folder.arena);
    return 0;
}

static int close_folder(void **state)
{
    (void)state;
    temporary_close(&folder);
    return 0;
}

/* Its checksum is not that of the file that was measured. */
static void put_edited_source(void)
{
    assert_int_equal(mkdir(temporary_path(&folder, "src"), 0700), 0);
    assert_int_equal(mkdir(temporary_path(&folder, "src/Core"), 0700), 0);
    (void)temporary_file(&folder, "src/Core/Order.cs", "edited", 6);
}

static struct str note_of(const char *patch)
{
    struct comparison comparison;
    struct err err = {0};
    struct filter_options filter = {.exclude = {.count = 0}};
    const struct comparing what = {.head = &facts,
                                   .head_name = "head.ilcov",
                                   .patch =
                                       temporary_file(&folder, "a.patch", patch, strlen(patch)),
                                   .filter = &filter,
                                   .root = str_of(folder.folder)};
    if (!compare(&comparison, &what, &folder.arena, &err))
        fail_msg("%s", err.text);
    return comparison.diff.note;
}

static void sources_that_are_binary_to_git_are_reported(void **state)
{
    (void)state;
    assert_str(note_of(BINARY), BINARY_NOTE);
}

static void sources_that_changed_since_the_run_are_reported(void **state)
{
    (void)state;
    assert_str(note_of(EDIT), "");
    put_edited_source();
    assert_str(note_of(EDIT), STALE_NOTE);
}

static void one_note_does_not_hide_another(void **state)
{
    (void)state;
    put_edited_source();
    assert_str(note_of(BINARY EDIT), BINARY_NOTE "; " STALE_NOTE);
}

static void submodules_whose_changes_are_not_there_are_reported(void **state)
{
    (void)state;
    assert_str(note_of("Submodule src 12..34:\n  > Why\n"), SUBMODULE_NOTE);
    assert_str(note_of("diff --git a/src b/src\nindex 12..34 160000\n"), SUBMODULE_NOTE);
    assert_str(note_of("Submodule src 12..34:\n" EDIT), "");
    assert_str(note_of("Submodule src 12..00 (submodule deleted)\n"), "");
    assert_str(note_of("Submodule theme 12..34:\n  > Why\n"), "");
}

static void a_patch_without_a_measured_source_is_reported(void **state)
{
    static const char other[] = "--- a/Core/Order.cs\n+++ b/Core/Order.cs\n@@ -5 +5 @@\n-a\n+b\n";
    (void)state;
    assert_str(note_of(other), "no source that the patch changes was measured: Core/Order.cs");
    assert_str(note_of("--- a/A.md\n+++ b/A.md\n@@ -5 +5 @@\n-a\n+b\n"), "");
    assert_str(note_of("--- a/A.cs\n+++ b/A.cs\n@@ -5 +5 @@\n-a\n+b\n" EDIT), "");
}

/* What is said about a patch of `clone`, to somebody in another folder. */
static struct str said_in(const char *here)
{
    struct err err = {0};
    struct patch patch;
    struct str name, root = str_of(temporary_path(&folder, "clone"));
    const char *said = temporary_path(&folder, "said");
    assert_int_equal(chdir(temporary_path(&folder, here)), 0);
    int saved = temporary_redirect(STDERR_FILENO, said);
    bool ok = compare_read_patch(&patch, &name, "HEAD", root, &folder.arena, &err);
    temporary_restore(STDERR_FILENO, saved);
    assert_int_equal(chdir("/"), 0);
    if (!ok)
        fail_msg("%s", err.text);
    return temporary_read(&folder, said);
}

static void revisions_of_another_checkout_are_reported(void **state)
{
    struct str line, script;
    char real[PATH_ROOM], git[PATH_ROOM];
    (void)state;
    if (!program_file_find(git, "git"))
        skip();
    assert_true(
        text_format(&script, &folder.arena, NULL,
                    "cd '%s'; mkdir plain; git init -q clone; mkdir clone/src; git -C clone "
                    "-c user.name=a -c user.email=a@b commit -q --allow-empty -m x; git "
                    "clone -q clone other",
                    folder.folder));
    assert_int_equal(system(script.text), 0);
    assert_non_null(realpath(folder.folder, real));
    assert_true(text_format(&line, &folder.arena, NULL,
                            "ilcov: --patch HEAD: the revisions are those of %s/clone, where the "
                            "sources are; -r DIR names another checkout\n",
                            real));
    assert_str(said_in("clone"), "");
    assert_str(said_in("clone/src"), "");
    assert_str(said_in("other"), line.text);
    assert_str(said_in("plain"), line.text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_folder, close_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(sources_that_are_binary_to_git_are_reported),
        TEST(sources_that_changed_since_the_run_are_reported),
        TEST(one_note_does_not_hide_another),
        TEST(submodules_whose_changes_are_not_there_are_reported),
        TEST(a_patch_without_a_measured_source_is_reported),
        TEST(revisions_of_another_checkout_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

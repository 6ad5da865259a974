/* test_compare.c - what a comparison must tell its reader, besides the figures. */
#include "cli/publish/compare.h"

#include <sys/stat.h>
#include <unistd.h>

#include "cli/options/exit.h"
#include "coverage/diff/gate.h"
#include "coverage/facts/store.h"
#include "system/program.h"
#include "tests/support/check.h"
#include "tests/support/facts_fixture.h"
#include "tests/support/temporary.h"

#define BINARY                                                                                     \
    "diff --git a/src/Wide.cs b/src/Wide.cs\nBinary files a/src/Wide.cs and b/src/Wide.cs "        \
    "differ\n"
#define EDIT                                                                                       \
    "diff --git a/src/Core/Order.cs b/src/Core/Order.cs\n--- a/src/Core/Order.cs\n"                \
    "+++ b/src/Core/Order.cs\n@@ -5 +5 @@\n-old\n+new\n"

#define BINARY_NOTE "1 source is binary to git, so its changed lines are unknown: src/Wide.cs"
/* Two builds were made from the file. */
#define STALE_NOTE                                                                                 \
    "1 file of the patch was changed since the build that ran, so line numbers may differ there: " \
    "src/Core/Order.cs"
#define OTHER_SIDE_NOTE                                                                            \
    "1 measured source differs from what the patch leaves, so line numbers may differ there: "     \
    "src/Core/Order.cs (measure a build of the commit that the patch ends at)"
#define UNMEASURED_NOTE(file)                                                                      \
    "1 changed source is in no assembly that was measured or found (paths are compared below the " \
    "root): " file                                                                                 \
    " ('ilcov run --solution' finds what no test loads, --exclude-files excludes sources)"
#define NEW(file, line) "--- /dev/null\n+++ b/" file "\n@@ -0,0 +1 @@\n+" line "\n"

#define SUBMODULE_NOTE                                                                             \
    "1 submodule changed, and the patch does not say which lines, so none of them is checked: "    \
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

static struct comparison compared(const char *patch, const char *exclude_files)
{
    struct comparison comparison;
    struct err err = {0};
    struct str glob = str_of(exclude_files);
    const struct publish_options options = {
        .data = "head.ilcov",
        .filter = {.exclude_files = {.items = &glob, .count = glob.len != 0}},
        .gates = {.patch = temporary_file(&folder, "a.patch", patch, strlen(patch))}};
    const struct comparison_request what = {
        .head = &facts, .options = &options, .root = str_of(folder.folder)};
    if (!compare(&comparison, &what, &folder.arena, &err))
        fail_msg("%s", err.text);
    return comparison;
}

static struct str note_of(const char *patch)
{
    return compared(patch, "").diff.note;
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

/* The text counts as what was compiled. */
static void put_measured_source(const char *text)
{
    for (uint32_t m = 0; m < facts.module_count; m++)
        for (uint32_t d = 0; d < facts.modules[m].document_count; d++)
            facts.modules[m].documents[d].hash.len = 0;
    (void)temporary_file(&folder, "src/Core/Order.cs", text, strlen(text));
}

static void measured_sources_of_another_commit_than_the_patch_are_reported(void **state)
{
    static const char with_context[] =
        "--- a/src/Core/Order.cs\n+++ b/src/Core/Order.cs\n@@ -3,4 +3,4 @@\n 3\n-gone\n 4\n"
        "+new\n 6\n\\ No newline at end of file\n";
    static const char removal[] =
        "--- a/src/Core/Order.cs\n+++ b/src/Core/Order.cs\n@@ -5 +4,0 @@\n-old\n";
    static const char *const new_sides[] = {"1\n2\n3\n4\nnew\n6\n", "1\n2\n3\n4\nnew",
                                            "1\r\n2\r\n3\r\n4\r\nnew\r\n6\r\n",
                                            "1\r1\n2\n3\n\xC2\x85\nnew\n"};
    static const char *const others[] = {"1\n2\n3\n4\nold\n6\n", "1\n2\n3\nnew\n4\n",
                                         "1\n2\n3\n4\n", "\n"};
    (void)state;
    put_edited_source();
    for (size_t i = 0; i < ARRAY_LEN(new_sides); i++) {
        put_measured_source(new_sides[i]);
        assert_str(note_of(EDIT), "");
        assert_str(note_of(with_context), "");
    }
    for (size_t i = 0; i < ARRAY_LEN(others); i++) {
        put_measured_source(others[i]);
        assert_str(note_of(EDIT), OTHER_SIDE_NOTE);
        assert_str(note_of(with_context), OTHER_SIDE_NOTE);
        assert_str(note_of(removal), "");
        assert_str(compared(EDIT, "src/*").diff.note, "");
        assert_true(compared(EDIT, "").sources.is_unknown);
    }
    assert_int_equal(unlink(temporary_path(&folder, "src/Core/Order.cs")), 0);
    assert_str(note_of(EDIT), "");
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

static void changed_sources_that_no_assembly_has_are_reported(void **state)
{
    static const char other[] = "--- a/Core/Order.cs\n+++ b/Core/Order.cs\n@@ -5 +5 @@\n-a\n+b\n";
    (void)state;
    assert_str(note_of(other), UNMEASURED_NOTE("Core/Order.cs"));
    assert_str(note_of(NEW("A.cs", "class A { int F() => 1; }") EDIT), UNMEASURED_NOTE("A.cs"));
    assert_str(note_of("--- a/A.md\n+++ b/A.md\n@@ -5 +5 @@\n-a\n+b\n"), "");
    assert_str(note_of("--- a/A.cs\n+++ /dev/null\n@@ -1 +0,0 @@\n-class A { int F() => 1; }\n"),
               "");
    assert_str(note_of("diff --git a/A.cs b/B.cs\nsimilarity index 100%\nrename from A.cs\n"
                       "rename to B.cs\n"),
               "");
}

/* It is judged by the file below the root, since the patch does not have all of its text. */
static void copies_of_sources_are_new_sources(void **state)
{
    static const char copy[] = "diff --git a/A.cs b/B.cs\nsimilarity index 100%\ncopy from A.cs\n"
                               "copy to B.cs\n";
    static const char edited[] = "diff --git a/A.cs b/B.cs\nsimilarity index 90%\ncopy from A.cs\n"
                                 "copy to B.cs\n--- a/A.cs\n+++ b/B.cs\n@@ -2 +2 @@\n-a\n+int n;\n";
    static const char code[] = "class B {\nint n;\nint F() => 1; }\n",
                      none[] = "class B {\nint n;\n}\n";
    (void)state;
    assert_str(note_of(copy), UNMEASURED_NOTE("B.cs"));
    (void)temporary_file(&folder, "B.cs", code, strlen(code));
    assert_str(note_of(copy), UNMEASURED_NOTE("B.cs"));
    assert_str(note_of(edited), UNMEASURED_NOTE("B.cs"));
    assert_str(compared(copy, "B.cs").diff.note, "");
    (void)temporary_file(&folder, "B.cs", none, strlen(none));
    assert_str(note_of(copy), "");
    assert_str(note_of(edited), "");
    put_edited_source();
    assert_str(note_of("diff --git a/A.cs b/src/Core/Order.cs\nsimilarity index 100%\n"
                       "copy from A.cs\ncopy to src/Core/Order.cs\n"),
               STALE_NOTE);
}

/* From the patch, if that has all of the text; else from the file, if it is the new side. */
static void sources_without_code_are_not(void **state)
{
    static const char edit[] = "--- a/I.cs\n+++ b/I.cs\n@@ -2 +2 @@\n-int F();\n+int G();\n";
    static const char text[] = "interface I {\nint G();\n}\n",
                      old[] = "interface I {\nint F();\n}\n";
    (void)state;
    assert_str(note_of(NEW("A.cs", "interface A { int F(); }")), "");
    assert_str(note_of(NEW("A.g.cs", "class A { int F() => 1; }")), "");
    assert_str(note_of(edit), UNMEASURED_NOTE("I.cs"));
    (void)temporary_file(&folder, "I.cs", old, strlen(old));
    assert_str(note_of(edit), UNMEASURED_NOTE("I.cs"));
    (void)temporary_file(&folder, "I.cs", text, strlen(text));
    assert_str(note_of(edit), "");
}

static void sources_that_are_left_out_are_listed_alone(void **state)
{
    static struct fact_document document;
    struct fact_module *legacy = &facts.modules[FIXTURE_LEGACY];
    struct comparison comparison = compared(NEW("lib/A.cs", "class A { int F() => 1; }"), "lib/*");
    (void)state;
    assert_str(comparison.diff.note, "");
    assert_int_equal(comparison.sources.omission_count, 1);
    assert_ptr_equal(comparison.sources.omissions[0].reason, reason_of(REASON_EXCLUDED_FILE));
    document = (struct fact_document){.path = STR("/s/T.cs"), .relative = STR("T.cs")};
    legacy->documents = &document;
    legacy->document_count = 1;
    comparison = compared(NEW("T.cs", "class T { int F() => 1; }"), "");
    assert_str(comparison.diff.note, "");
    assert_int_equal(comparison.sources.omission_count, 1);
    assert_ptr_equal(comparison.sources.omissions[0].reason, legacy->reason);
}

/* The result of a gate. */
static const struct gate_result *tested(struct diff *diff, const char *text)
{
    struct gate *gate = ARENA_NEW(&folder.arena, struct gate, 1, NULL);
    assert_true(gate_parse(gate, str_of(text), NULL));
    assert_true(gates_test(diff, gate, 1, false, &folder.arena, NULL));
    assert_int_equal(diff->gate_count, 1);
    return diff->gates;
}

/* Covered or not: the others may not be. */
static void no_gate_on_a_patch_passes_if_some_of_its_lines_are_not_known(void **state)
{
    static const char *const patches[] = {
        NEW("A.cs", "class A { int F() => 1; }"), BINARY,
        "diff --git a/src b/src\nindex 12..34 160000\n", EDIT /* of a file that is edited now */
    };
    (void)state;
    struct diff diff = compared(EDIT, "").diff;
    assert_false(tested(&diff, "patch>=0")->failed);
    put_edited_source();
    for (size_t i = 0; i < ARRAY_LEN(patches); i++) {
        diff = compared(patches[i], "").diff;
        const struct gate_result *result = tested(&diff, "patch>=0");
        assert_true(result->failed && result->is_unknown);
        assert_str(result->why, "not all changed lines are known");
        assert_false(tested(&diff, "line>=0")->failed);
    }
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
                            "ilcov: --patch HEAD: the revisions are looked up in %s/clone, where "
                            "the sources are; -r DIR names another checkout\n",
                            real));
    assert_str(said_in("clone"), "");
    assert_str(said_in("clone/src"), "");
    assert_str(said_in("other"), line.text);
    assert_str(said_in("plain"), line.text);
}

/* BASE is the fixture as it is, from a file; HEAD the same without the builds of Shop.Core. */
static struct comparison compared_without_core(const char *exclude)
{
    struct comparison comparison;
    struct err err = {0};
    struct str pattern = str_of(exclude);
    const char *base = temporary_path(&folder, "base.ilcov");
    const struct publish_options options = {
        .data = "head.ilcov",
        .filter = {.exclude = {.items = &pattern, .count = pattern.len != 0}},
        .gates = {.base = base}};
    assert_true(store_write(base, &facts, NULL, &err));
    struct facts head = facts;
    head.modules += FIXTURE_DATA;
    head.module_count -= FIXTURE_DATA;
    head.counts_count = 0;
    const struct comparison_request what = {
        .head = &head, .options = &options, .root = str_of(folder.folder)};
    if (!compare(&comparison, &what, &folder.arena, &err))
        fail_msg("%s", err.text);
    return comparison;
}

/* A gate of another assembly has what it compares. */
static void assemblies_whose_sources_are_left_are_missed_in_head(void **state)
{
    static const struct {
        const char *gate;
        bool is_unknown;
    } gates[] = {
        {"lost<=100", true},          {"new-uncovered<=100", true},    {"line>=-100", true},
        {"[Shop.C*]lost<=100", true}, {"[Shop.Data]lost<=100", false}, {"line>=0", false}};
    (void)state;
    assert_str(compared_without_core("").diff.note, "");
    put_edited_source();
    assert_str(compared_without_core("[Shop.Core]*").diff.note, "");
    struct diff diff = compared_without_core("").diff;
    assert_str(diff.note, "1 assembly of BASE is not in HEAD, although sources are still there, so "
                          "their coverage is unknown: Shop.Core (src/Core/Order.cs)");
    for (size_t i = 0; i < ARRAY_LEN(gates); i++) {
        const struct gate_result *result = tested(&diff, gates[i].gate);
        assert_int_equal(result->failed, gates[i].is_unknown);
        assert_int_equal(result->is_unknown, gates[i].is_unknown);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_folder, close_folder)

static const struct CMUnitTest tests[] = {
    TEST(sources_that_are_binary_to_git_are_reported),
    TEST(sources_that_changed_since_the_run_are_reported),
    TEST(measured_sources_of_another_commit_than_the_patch_are_reported),
    TEST(one_note_does_not_hide_another),
    TEST(submodules_whose_changes_are_not_there_are_reported),
    TEST(changed_sources_that_no_assembly_has_are_reported),
    TEST(copies_of_sources_are_new_sources),
    TEST(sources_without_code_are_not),
    TEST(sources_that_are_left_out_are_listed_alone),
    TEST(no_gate_on_a_patch_passes_if_some_of_its_lines_are_not_known),
    TEST(revisions_of_another_checkout_are_reported),
    TEST(assemblies_whose_sources_are_left_are_missed_in_head),
};
UNIT_TESTS(tests);

/* test_git.c - git gives the diff that is meant, whatever it was configured to give; what it can't
 * give is told in one line. */
#include "cli/publish/git.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/path.h"
#include "coverage/diff/patch_reader.h"
#include "system/program.h"
#include "tests/support/check.h"
#include "tests/support/patch_text.h"
#include "tests/support/temporary.h"

static struct temporary folder;
static bool has_git;

/* What the developer, or a hook that runs the tests, has set. */
static const char *const variables[][2] = {
    {"GIT_CONFIG_GLOBAL", "/dev/null"},
    {"GIT_CONFIG_NOSYSTEM", "1"},
    {"GIT_AUTHOR_NAME", "A"},
    {"GIT_AUTHOR_EMAIL", "a@b"},
    {"GIT_COMMITTER_NAME", "A"},
    {"GIT_COMMITTER_EMAIL", "a@b"},
    {"GIT_DIR", NULL},
    {"GIT_WORK_TREE", NULL},
    {"GIT_INDEX_FILE", NULL},
    {"GIT_PREFIX", NULL},
    {"GIT_OBJECT_DIRECTORY", NULL},
    {"GIT_CONFIG_COUNT", NULL},
    {"GIT_CONFIG_PARAMETERS", NULL},
};

static void set_variables(void)
{
    for (size_t i = 0; i < ARRAY_LEN(variables); i++) {
        if (variables[i][1] != NULL)
            (void)setenv(variables[i][0], variables[i][1], 1);
        else
            (void)unsetenv(variables[i][0]);
    }
}

/* Lines of a script, in the temporary folder. */
static bool run_script(const char *script)
{
    struct str command;
    struct text t = text_in(&folder.arena);
    text_addf(&t, "exec >/dev/null 2>&1; set -e; cd '%s'; %s", folder.folder, script);
    assert_true(text_take(&command, &t, NULL));
    return system(command.text) == 0;
}

/* An empty repository in `app`, with the branch main. */
#define INIT   "git -c init.defaultBranch=main init -q app; cd app\n"
#define COMMIT "git add -A; git commit -qm x\n"
/* A repository that others have as a submodule. */
#define LIB     "git init -q lib; cd lib; seq 3 >a; seq 11 13 >b\n" COMMIT "cd ..\n"
#define ADD_LIB "git -c protocol.file.allow=always submodule --quiet add file://$PWD/../lib lib\n"
/* main has A.cs, of five lines; the branch `work` is checked out and the same. */
#define START      "cp -r .start app; cd app\n"
#define MAKE_START INIT "seq 5 >A.cs\n" COMMIT "git checkout -qb work; cd ..; mv app .start"

static void begin(const char *script)
{
    if (!has_git)
        skip();
    set_variables();
    assert_true(run_script("rm -rf *"));
    if (!run_script(script))
        fail_msg("the script failed: %s", script);
}

/* The diff as patch_text writes it. */
static const char *diff_of(const char *directory, const char *spec, struct git_diff *diff)
{
    struct err err = {0};
    struct patch patch;
    if (!git_diff(diff, temporary_path(&folder, directory), spec, &folder.arena, &err) ||
        !patch_read(&patch, diff->bytes, &folder.arena, &err))
        fail_msg("%s", err.text);
    return patch_text(&patch, &folder.arena).text;
}

/* --- revisions -------------------------------------------------------------------------------- */

static const struct {
    const char *name, *script, *spec, *expected, *text; /* what stands for an id is "#" */
} specs[] = {
    {"the branch's changes", START "sed -i 2s/2/x/ A.cs\n" COMMIT, "main...HEAD", "changed A.cs 2;",
     "main...HEAD: from merge base # to HEAD #"},
    {"not what main did since",
     START "sed -i 2s/2/x/ A.cs\n" COMMIT "git checkout -q main; echo >B.cs\n" COMMIT
           "git checkout -q work",
     "main...HEAD", "changed A.cs 2;", "main...HEAD: from merge base # to HEAD #"},
    {"both as they are",
     START "sed -i 2s/2/x/ A.cs\n" COMMIT "git checkout -q main; echo >B.cs\n" COMMIT
           "git checkout -q work",
     "main..HEAD", "changed A.cs 2; deleted B.cs;", "main..HEAD: from main # to HEAD #"},
    {"not what is not committed", START "echo 6 >>A.cs", "main...HEAD", "",
     "main...HEAD: from merge base # to HEAD #"},
    {"the working tree",
     START "sed -i 2s/2/x/ A.cs\n" COMMIT "sed -i 3s/3/x/ A.cs; git add A.cs; echo 6 >>A.cs\n"
           "echo >New.cs; echo >Known.cs; git add -N Known.cs; git checkout -qb more",
     "main", "changed A.cs 2-3 6; added Known.cs 1;",
     "main: from merge base # to the working tree"},
    {"of other names", START "echo 6 >>A.cs\n" COMMIT, "work~1...work", "changed A.cs 6;",
     "work~1...work: from merge base # to work #"},
    {"HEAD on the new side", START "echo 6 >>A.cs\n" COMMIT, "main...", "changed A.cs 6;",
     "main...: from merge base # to HEAD #"},
    {"HEAD on the old side", START "echo 6 >>A.cs\n" COMMIT "git checkout -q main", "..work",
     "changed A.cs 6;", "..work: from HEAD # to work #"},
    {"a tag", START "git tag -am x v1\necho 6 >>A.cs\n" COMMIT, "v1", "changed A.cs 6;",
     "v1: from merge base # to the working tree"},
    {"a branch that is also a file", START "git branch A.cs\necho 6 >>A.cs\n" COMMIT, "A.cs",
     "changed A.cs 6;", "A.cs: from merge base # to the working tree"},
    {"a linked work tree",
     START "echo 6 >>A.cs\n" COMMIT "git worktree add -q ../tree; rm -r ../app/A.cs\n"
           "mv ../app ../main; git -C ../main worktree repair ../tree; mv ../tree ../app",
     "main", "changed A.cs 6;", "main: from merge base # to the working tree"},
};

/* Each number of 8 digits becomes "#". */
static const char *without_ids(struct str text)
{
    char *out = arena_copy_text(&folder.arena, text.text, text.len, NULL), *to = out;
    for (const char *from = out; *from != '\0';) {
        size_t digits = strspn(from, "0123456789abcdef");
        if (digits == 8)
            *to++ = '#';
        else if (digits != 0)
            to = (char *)memmove(to, from, digits) + digits;
        from += digits;
        if (*from != '\0')
            *to++ = *from++;
    }
    *to = '\0';
    return out;
}

static void a_spec_names_the_two_sides(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(specs); i++) {
        struct git_diff diff;
        begin(specs[i].script);
        const char *got = diff_of("app", specs[i].spec, &diff);
        if (strcmp(got, specs[i].expected) != 0)
            fail_msg("%s: \"%s\" instead of \"%s\"", specs[i].name, got, specs[i].expected);
        const char *text = without_ids(diff.text);
        if (strcmp(text, specs[i].text) != 0)
            fail_msg("%s: \"%s\" instead of \"%s\"", specs[i].name, text, specs[i].text);
        assert_int_equal(diff.base.len, 8);
    }
}

static const struct {
    const char *name, *script, *spec;
    enum err_code code;
    const char *says;
} refusals[] = {
    {"an empty spec", START, "", ERR_USAGE, "'' names no revision"},
    {"dots alone", START, "...", ERR_USAGE, "'...' names no revision"},
    {"an option", START, "--output=x", ERR_USAGE, "'--output=x' is not a revision"},
    {"an option after dots", START, "main..-x", ERR_USAGE, "'-x' is not a revision"},
    {"no revision", START, "mian...HEAD", ERR_USAGE, "no revision 'mian' in "},
    {"neither revision nor file", START, "no.diff", ERR_USAGE, ", and no file of that name"},
    {"no commit", START, "main:A.cs...HEAD", ERR_USAGE, "no revision 'main:A.cs' in "},
    {"four dots", START, "main....HEAD", ERR_USAGE, "no revision '.HEAD' in "},
    {"a branch that is only origin's", START "git update-ref refs/remotes/origin/dev work", "dev",
     ERR_USAGE, ", but there is origin/dev"},
    {"no commit yet", INIT, "HEAD", ERR_USAGE, "no revision 'HEAD' in "},
    {"no merge base", START "git checkout -q --orphan other; echo 6 >>A.cs\n" COMMIT, "main...HEAD",
     ERR_MISMATCH, "no merge base of main and HEAD: their histories"},
    {"a shallow clone without the base",
     START "echo 6 >>A.cs\n" COMMIT "git checkout -q main; echo >B.cs\n" COMMIT
           "cd ..; mv app origin\n"
           "git clone -q --depth 1 --no-single-branch file://$PWD/origin app; cd app\n"
           "git checkout -q work",
     "main...HEAD", ERR_MISMATCH,
     "no merge base of main and HEAD: the clone is shallow; fetch with 'git fetch --unshallow'"},
    {"a shallow clone without the branch",
     START "cd ..; mv app origin; git clone -q --depth 1 file://$PWD/origin app",
     "origin/main...HEAD", ERR_USAGE,
     ": the clone is shallow; fetch with 'git fetch --unshallow' or fetch-depth: 0"},
    {"no work tree", "mkdir app", "main", ERR_IO, "app is not in a git work tree"},
    {"a bare repository", "git init -q --bare app", "main", ERR_IO,
     "app is not in a git work tree"},
    {"no directory", "true", "main", ERR_IO, "app: No such file or directory"},
    {"a bare repository within one",
     START "git init -q --bare ../bare; cd ..; rm -rf app/.git\n"
           "mv bare app/bare; mkdir app/.git",
     "main", ERR_IO, "git rev-parse: not a git repository"},
    {"a pipe", "mkdir app; mkfifo app/.git", "main", ERR_IO, "app is not in a git work tree"},
    {"a device", "mkdir app; ln -s /dev/zero app/.git", "main", ERR_IO,
     "app is not in a git work tree"},
    {"a link to itself", "mkdir app; ln -s .git app/.git", "main", ERR_IO,
     "app is not in a git work tree"},
    {"a file that names a device", "mkdir app; echo gitdir: /dev/zero >app/.git", "main", ERR_IO,
     "git rev-parse: not a git repository: /dev/zero"},
    {"a file that names itself", "mkdir app; echo gitdir: .git >app/.git", "main", ERR_IO,
     "git rev-parse: not a git repository: "},
    {"a large file", "mkdir app; truncate -s 8G app/.git", "main", ERR_IO,
     "git rev-parse: too large to be a .git file"},
    {"another folder's", START "git config core.worktree ../..", "main", ERR_IO,
     "app belongs to another folder"},
    {"a filter with '='", START "git config 'filter.a=b.clean' cat", "main", ERR_IO,
     "filter.a=b.clean, and a filter with '=' in its name cannot be disabled"},
    {"a broken repository",
     START "echo 6 >>A.cs; git add A.cs; git commit -qm x\n"
           "rm -f .git/objects/$(git rev-parse HEAD:A.cs | sed 's,^..,&/,')",
     "main...HEAD", ERR_IO, "git diff: "},
};

static void what_git_cannot_give_is_reported_in_a_line(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(refusals); i++) {
        struct git_diff diff;
        struct err err = {0};
        begin(refusals[i].script);
        bool ok =
            git_diff(&diff, temporary_path(&folder, "app"), refusals[i].spec, &folder.arena, &err);
        if (ok || err.code != refusals[i].code || strstr(err.text, refusals[i].says) == NULL)
            fail_msg("%s: \"%s\" does not say \"%s\"", refusals[i].name, err.text,
                     refusals[i].says);
    }
}

static void a_shallow_clone_that_has_the_base_is_enough(void **state)
{
    struct git_diff diff;
    (void)state;
    begin(START "echo 6 >>A.cs\n" COMMIT "cd ..; mv app origin\n"
                "git clone -q --depth 2 file://$PWD/origin app; cd app; git branch old HEAD~1");
    assert_string_equal(diff_of("app", "old...HEAD", &diff), "changed A.cs 6;");
}

static void a_missing_git_is_reported(void **state)
{
    struct git_diff diff;
    struct err err = {0};
    (void)state;
    begin(START);
    char *path = strdup(getenv("PATH"));
    (void)setenv("PATH", temporary_path(&folder, "nowhere"), 1);
    bool ok = git_diff(&diff, temporary_path(&folder, "app"), "main", &folder.arena, &err);
    (void)setenv("PATH", path, 1);
    free(path);
    assert_failed(ok, err, ERR_IO);
    assert_non_null(strstr(err.text, "git is not installed"));
}

/* As in a container whose user is not the one who checked out. */
static void a_tree_of_another_user_is_reported(void **state)
{
    struct git_diff diff;
    struct err err = {0};
    (void)state;
    begin(START);
    (void)setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1", 1);
    bool ok = git_diff(&diff, temporary_path(&folder, "app"), "main", &folder.arena, &err);
    (void)unsetenv("GIT_TEST_ASSUME_DIFFERENT_OWNER");
    assert_failed(ok, err, ERR_IO);
    assert_non_null(strstr(err.text, "git does not trust"));
}

static void ignored_children_are_waited_for(void **state)
{
    struct git_diff diff;
    (void)state;
    begin(START "echo 6 >>A.cs");
    (void)signal(SIGCHLD, SIG_IGN);
    const char *got = diff_of("app", "main", &diff);
    assert_ptr_equal(signal(SIGCHLD, SIG_DFL), SIG_IGN);
    assert_string_equal(got, "changed A.cs 6;");
}

/* --- files ------------------------------------------------------------------------------------ */

#define RENAME START "git mv A.cs B.cs\n" COMMIT

static const struct {
    const char *name, *script, *directory, *spec, *expected;
} cases[] = {
    {"a rename", RENAME, "app", "main...HEAD", "renamed B.cs<A.cs;"},
    {"a rename that the user does not look for", RENAME "git config diff.renames false", "app",
     "main...HEAD", "renamed B.cs<A.cs;"},
    {"no copies that the user looks for",
     START "cp A.cs B.cs; echo 6 >>A.cs\n" COMMIT "git config diff.renames copies", "app",
     "main...HEAD", "changed A.cs 6; added B.cs 1-5;"},
    {"a rename with a change", START "git mv A.cs B.cs; sed -i 2s/2/x/ B.cs\n" COMMIT, "app",
     "main...HEAD", "renamed B.cs<A.cs 2;"},
    {"a deleted file", START "git rm -q A.cs\n" COMMIT, "app", "main...HEAD", "deleted A.cs;"},
    {"a mode", START "chmod +x A.cs\n" COMMIT, "app", "main...HEAD", "changed A.cs;"},
    {"a link in place of a file", START "ln -sf B A.cs\n" COMMIT, "app", "main...HEAD",
     "added A.cs link; deleted A.cs;"},
    {"a file that is binary to git", START "printf 'a\\0' >A.cs\n" COMMIT, "app", "main...HEAD",
     "changed A.cs binary;"},
    {"spaces", START "mkdir 'x y'; seq 3 >'x y/A B.cs'\n" COMMIT "sed -i 2d 'x y/A B.cs'", "app",
     "HEAD", "changed x y/A B.cs;"},
    {"spaces, added", START "seq 3 >'A B.cs'\n" COMMIT, "app", "main...HEAD", "added A B.cs 1-3;"},
    {"letters, quotes and tabs", START "seq 3 >'\303\244\"\t\\.cs'\n" COMMIT, "app", "main...HEAD",
     "added \303\244\"\t\\.cs 1-3;"},
    {"not quoted", START "seq 3 >'\303\244.cs'\n" COMMIT "git config core.quotePath false", "app",
     "main...HEAD", "added \303\244.cs 1-3;"},
    {"CR LF", START "sed -i 's/$/\\r/' A.cs\n" COMMIT "sed -i 's/2/x/' A.cs", "app", "HEAD",
     "changed A.cs 2;"},
    {"CR LF that git takes for LF",
     START "git config core.autocrlf true; sed -i 's/$/\\r/;s/2/x/' A.cs", "app", "main",
     "changed A.cs 2;"},
    {"CR LF that git is wary of",
     START "git config core.autocrlf input; git config core.safecrlf true\n"
           "sed -i 's/$/\\r/;s/2/x/' A.cs",
     "app", "main", "changed A.cs 2;"},
    {"a submodule",
     "git init -q lib; cd lib; echo >a\n" COMMIT "cd ..\n" START
     "git -c protocol.file.allow=always submodule --quiet add file://$PWD/../lib lib\n" COMMIT
     "cd lib; echo >b\n" COMMIT "echo >c; cd ..; git config diff.submodule log; git config "
     "diff.ignoreSubmodules all",
     "app", "HEAD", "changed lib submodule with contents; added lib/b 1;"},
    {"a submodule that is only dirty",
     "git init -q lib; cd lib; echo >a\n" COMMIT "cd ..\n" START
     "git -c protocol.file.allow=always submodule --quiet add file://$PWD/../lib lib\n" COMMIT
     "echo >lib/a2; echo x >lib/a",
     "app", "HEAD", "changed lib submodule with contents; changed lib/a 1;"},
    {"a submodule with files that git does not track", LIB START ADD_LIB COMMIT "echo >lib/a2",
     "app", "HEAD", ""},
    {"a submodule's commits",
     LIB START ADD_LIB COMMIT "cd lib; seq 4 >a; git mv b c\n" COMMIT "cd ..\n" COMMIT
                              "echo x >>lib/a",
     "app", "HEAD~1...HEAD",
     "changed lib submodule with contents; changed lib/a 4; renamed lib/c<lib/b;"},
    {"a submodule that is not checked out",
     LIB START ADD_LIB COMMIT "cd lib; seq 4 >a\n" COMMIT "cd ..\n" COMMIT
                              "git submodule --quiet deinit -f lib",
     "app", "HEAD~1...HEAD", "changed lib submodule;"},
    {"a submodule that lacks a commit",
     LIB START ADD_LIB COMMIT
     "git update-index --cacheinfo "
     "160000,1111111111111111111111111111111111111111,lib; git commit -qm x",
     "app", "HEAD~1...HEAD", "changed lib submodule;"},
    {"a new submodule", LIB START ADD_LIB COMMIT, "app", "HEAD~1...HEAD",
     "added .gitmodules 1-3; added lib submodule with contents; added lib/a 1-3; added lib/b 1-3;"},
    {"a submodule that went", LIB START ADD_LIB COMMIT "git rm -qf lib\n" COMMIT, "app",
     "HEAD~1...HEAD", "changed .gitmodules; deleted lib submodule;"},
    {"a submodule of a submodule, below a root below the top",
     LIB "git init -q mid; cd mid\n" ADD_LIB COMMIT "cd ..\n" START
         "git -c protocol.file.allow=always submodule --quiet add file://$PWD/../mid 's "
         "\303\266/mid'\ngit -c protocol.file.allow=always submodule --quiet update --init "
         "--recursive\n" COMMIT "cd 's \303\266/mid/lib'; git mv a c; seq 4 >c\n" COMMIT
         "cd ..\n" COMMIT "cd ../..; seq 2 >>A.cs\n" COMMIT,
     "app/s \303\266", "HEAD~1...HEAD",
     "changed mid submodule with contents; changed mid/lib submodule with contents; renamed "
     "mid/lib/c<mid/lib/a 4;"},
    {"a submodule's files below a root below the top",
     LIB START
     "git -c protocol.file.allow=always submodule --quiet add file://$PWD/../lib s/lib\n" COMMIT
     "echo x >s/lib/a; seq 2 >>A.cs",
     "app/s", "HEAD", "changed lib submodule with contents; changed lib/a 1;"},
    {"line ends, but no filter",
     START
     "git config filter.x.clean false; git config filter.x.required true\n"
     "echo '*.cs filter=x text eol=crlf' >.git/info/attributes; sed -i 's/$/\\r/;s/2/x/' A.cs",
     "app", "main", "changed A.cs 2;"},
    {"a conflict",
     START "sed -i 2s/2/x/ A.cs\n" COMMIT "git checkout -q main; sed -i 2s/2/y/ A.cs\n" COMMIT
           "git checkout -q work; git merge -q main || true",
     "app", "work", "changed A.cs 2 4-6;"},

    {"a root below the top", START "mkdir -p src/x; seq 3 >src/x/B.cs; echo 6 >>A.cs\n" COMMIT,
     "app/src", "main...HEAD", "added x/B.cs 1-3;"},
    {"a root below the top, to the working tree",
     START "mkdir -p src/x; seq 3 >src/x/B.cs\n" COMMIT "sed -i 2d src/x/B.cs; echo 4 >>src/x/B.cs",
     "app/src", "HEAD", "changed x/B.cs 3;"},
    {"a root below the top, quoted and renamed",
     START "mkdir -p 's \303\244'; seq 3 >'s \303\244/B.cs'\n" COMMIT
           "git mv 's \303\244/B.cs' 's \303\244/C\303\244.cs'",
     "app/s \303\244", "HEAD", "renamed C\303\244.cs<B.cs;"},
    {"only what is below the root",
     START "mkdir src src2; seq 3 >src/B.cs; seq 3 >src2/C.cs\n" COMMIT, "app/src", "main...HEAD",
     "added B.cs 1-3;"},
    {"a root that looks like a repository",
     START
     "mkdir -p x/objects x/refs; echo 'ref: refs/heads/main' >x/HEAD; touch x/refs/x\n"
     "printf '[core]\nbare = false\nworktree = .\n' >x/config; seq 2 >x/objects/B.cs\n" COMMIT,
     "app/x", "main...HEAD",
     "added HEAD 1; added config 1-3; added objects/B.cs 1-2; added "
     "refs/x;"},
    {"what came from above the root is new", START "mkdir src; git mv A.cs src/A.cs\n" COMMIT,
     "app/src", "main...HEAD", "added A.cs 1-5;"},
    {"a root that the user does not want",
     START "mkdir src; seq 3 >src/B.cs; echo 6 >>A.cs\n" COMMIT "git config diff.relative true",
     "app", "main...HEAD", "changed A.cs 6; added src/B.cs 1-3;"},
};

static void files_are_reported_as_they_changed(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i += brief_step((unsigned)i)) {
        struct git_diff diff;
        begin(cases[i].script);
        const char *got = diff_of(cases[i].directory, cases[i].spec, &diff);
        if (strcmp(got, cases[i].expected) != 0)
            fail_msg("%s: \"%s\" instead of \"%s\"", cases[i].name, got, cases[i].expected);
    }
}

/* --- configuration ---------------------------------------------------------------------------- */

static const char *const settings[] = {
    "diff.noprefix true",
    "diff.mnemonicPrefix true",
    "diff.external false",
    "diff.orderFile nowhere",
    "diff.context 7",
    "diff.interHunkContext 7",
    "diff.algorithm patience",
    "diff.indentHeuristic false",
    "diff.renames false",
    "diff.renameLimit 1",
    "diff.relative true",
    "diff.submodule diff",
    "diff.ignoreSubmodules all",
    "diff.suppressBlankEmpty true",
    "diff.colorMoved zebra",
    "diff.wsErrorHighlight all",
    "diff.wordRegex .",
    "diff.autoRefreshIndex true",
    "diff.number.textconv 'sed s/$/x/'",
    "diff.number.command false",
    "color.ui always",
    "color.diff always",
    "core.quotePath false",
    "core.pager false",
    "pager.diff true",
    "core.fsmonitor 'touch ../monitored #'",
    "core.abbrev 40",
    "core.safecrlf true",
    "core.commentChar +",
};

/* As a hook has it, and as somebody has it who likes to see much. */
static const char *const hostile[][2] = {
    {"GIT_DIR", "/nowhere/.git"},
    {"GIT_WORK_TREE", "/"},
    {"GIT_INDEX_FILE", "/nowhere/index"},
    {"GIT_OBJECT_DIRECTORY", "/nowhere"},
    {"GIT_PREFIX", "x/"},
    {"GIT_EXTERNAL_DIFF", "false"},
    {"GIT_DIFF_OPTS", "-u9"},
    {"GIT_PAGER", "false"},
    {"GIT_TRACE", "1"},
    {"LC_ALL", "C.UTF-8"},
};

static void no_configuration_changes_the_diff(void **state)
{
    struct git_diff plain, configured;
    (void)state;
    begin(INIT "seq 5 >A.cs; seq 30 >C.cs; seq 101 130 >D.cs; seq 201 230 >F.cs\n" COMMIT
               "git checkout -qb work; echo '*.cs diff=number' >.git/info/attributes\n"
               "git mv A.cs 'B \303\244.cs'\n" COMMIT
               "git mv D.cs E.cs; sed -i 1d E.cs; git mv F.cs G.cs; sed -i 1d G.cs; git add -A\n"
               "sed -i '2s/2/x/;4d;7s/7/ /;20s/^/\\n/' C.cs");
    (void)diff_of("app", "main", &plain);
    for (size_t i = 0; i < ARRAY_LEN(settings); i++) {
        struct str script;
        assert_true(
            text_format(&script, &folder.arena, NULL, "cd app; git config %s", settings[i]));
        assert_true(run_script(script.text));
    }
    for (size_t i = 0; i < ARRAY_LEN(hostile); i++)
        (void)setenv(hostile[i][0], hostile[i][1], 1);
    const char *got = diff_of("app", "main", &configured);
    for (size_t i = 0; i < ARRAY_LEN(hostile); i++)
        (void)unsetenv(hostile[i][0]);
    assert_string_equal(got, "renamed B \303\244.cs<A.cs; changed C.cs 2 6 19; renamed E.cs<D.cs; "
                             "renamed G.cs<F.cs;");
    assert_int_equal(configured.bytes.len, plain.bytes.len);
    assert_memory_equal(configured.bytes.data, plain.bytes.data, plain.bytes.len);
    assert_true(run_script("test ! -e monitored"));
}

/* Times that git would write down, could it. */
static void the_index_is_left_alone(void **state)
{
    struct git_diff diff;
    (void)state;
    begin(START "cp .git/index ../index; touch -d 2001-01-01 A.cs");
    (void)diff_of("app", "main", &diff);
    assert_true(run_script("cmp app/.git/index index"));
}

static int open_folder(void **state)
{
    char path[PATH_ROOM];
    (void)state;
    has_git = program_file_find(path, "git");
    temporary_open(&folder);
    set_variables();
    return has_git && !run_script(MAKE_START) ? -1 : 0;
}

static int close_folder(void **state)
{
    (void)state;
    if (!run_script("rm -rf * .start"))
        return -1;
    temporary_close(&folder);
    return 0;
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_spec_names_the_two_sides),
    cmocka_unit_test(what_git_cannot_give_is_reported_in_a_line),
    cmocka_unit_test(a_shallow_clone_that_has_the_base_is_enough),
    cmocka_unit_test(a_missing_git_is_reported),
    cmocka_unit_test(a_tree_of_another_user_is_reported),
    cmocka_unit_test(ignored_children_are_waited_for),
    cmocka_unit_test(files_are_reported_as_they_changed),
    cmocka_unit_test(no_configuration_changes_the_diff),
    cmocka_unit_test(the_index_is_left_alone),
};
UNIT_TESTS_WITH(tests, open_folder, close_folder);

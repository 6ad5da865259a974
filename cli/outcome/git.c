#include "cli/outcome/git.h"

#include <string.h>

#include "base/path.h"
#include "system/program_output.h"
#include "system/variables.h"

#define WORKING_TREE   "the working tree"
#define SUBMODULE_MODE "160000"
#define UNSHALLOW      "the clone is shallow; fetch with 'git fetch --unshallow' or fetch-depth: 0"

enum {
    ARGUMENTS_MAX = 40,
    ABBREVIATED_LEN = 8
};

struct git {
    const char *directory;
    char **environment;
    bool is_shallow;
    struct arena *arena;
    struct err *err;
};

struct answer {
    int status; /* as a shell has it */
    struct str output;
    struct str complaint; /* the line of standard error that says what happened */
};

/* --- environment ------------------------------------------------------------------------------ */

/* Variables that select the repository (`git rev-parse --local-env-vars`; hooks set them), except
 * for configuration, which may be what makes git trust the directory; one that changes a diff more
 * than the options do; and those that are set below. */
static const char *const removed[] = {
    "GIT_ALTERNATE_OBJECT_DIRECTORIES=",
    "GIT_COMMON_DIR=",
    "GIT_DIFF_OPTS=",
    "GIT_DIR=",
    "GIT_GRAFT_FILE=",
    "GIT_IMPLICIT_WORK_TREE=",
    "GIT_INDEX_FILE=",
    "GIT_NAMESPACE=",
    "GIT_NO_REPLACE_OBJECTS=",
    "GIT_OBJECT_DIRECTORY=",
    "GIT_OPTIONAL_LOCKS=",
    "GIT_PREFIX=",
    "GIT_REPLACE_REF_BASE=",
    "GIT_SHALLOW_FILE=",
    "GIT_WORK_TREE=",
    "LC_ALL=",
};

static bool is_removed(const char *variable)
{
    for (size_t i = 0; i < ARRAY_LEN(removed); i++)
        if (strncmp(variable, removed[i], strlen(removed[i])) == 0)
            return true;
    return false;
}

static bool make_environment(struct git *git)
{
    static char no_locks[] = "GIT_OPTIONAL_LOCKS=0", language[] = "LC_ALL=C";
    char **all = variables_all();
    size_t count = 0, kept = 0;
    while (all[count] != NULL)
        count++;
    git->environment = ARENA_NEW(git->arena, char *, count + 3, git->err);
    if (git->environment == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!is_removed(all[i]))
            git->environment[kept++] = all[i];
    git->environment[kept++] = no_locks;
    git->environment[kept] = language;
    return true;
}

/* --- a run of git ----------------------------------------------------------------------------- */

/* The first line that says "fatal:" or "error:", without that word; else the first line. */
static struct str complaint_of(struct str errors)
{
    static const char *const words[] = {"fatal: ", "error: "};
    struct str first = {errors.text, 0};
    for (const char *line = errors.text, *end; *line != '\0'; line = end + (*end != '\0')) {
        end = strchrnul(line, '\n');
        for (size_t i = 0; i < ARRAY_LEN(words); i++)
            if (strncmp(line, words[i], strlen(words[i])) == 0)
                return (struct str){line + strlen(words[i]),
                                    (size_t)(end - line) - strlen(words[i])};
        if (first.len == 0)
            first = (struct str){line, (size_t)(end - line)};
    }
    return first;
}

static bool refuse_missing(const struct git *git)
{
    return err_set(git->err, ERR_IO,
                   "git is not installed: no such command on PATH. --patch FILE takes a diff that "
                   "was made elsewhere");
}

/* `words` ends with NULL. False when git can't be run; the caller judges its answer. */
static bool run(struct answer *out, const struct git *git, const char *const *words)
{
    const char *arguments[ARGUMENTS_MAX + 1] = {
        "git", "--no-pager",          "-C", git->directory,
        "-c",  "core.quotePath=true", "-c", "diff.autoRefreshIndex=false", /* writes it */
        "-c",  "core.fsmonitor="}; /* its daemon would outlive ilcov */
    size_t count = 0;
    while (arguments[count] != NULL)
        count++;
    for (; *words != NULL && count < ARGUMENTS_MAX; words++)
        arguments[count++] = *words;
    struct program_output program;
    *out = (struct answer){.status = -1};
    if (!program_output_take(&program, (char *const *)(uintptr_t)arguments, git->environment,
                             GIT_DIFF_LIMIT, git->arena, git->err)) {
        err_prefix(git->err, "git");
        return false;
    }
    if (program.is_missing)
        return refuse_missing(git);
    *out = (struct answer){.status = program.status,
                           .output = program.output,
                           .complaint = complaint_of(program.errors)};
    return true;
}

static bool fail(const struct git *git, const struct answer *answer, const char *what)
{
    if (answer->complaint.len == 0)
        return err_set(git->err, ERR_IO, "%s ended with status %d", what, answer->status);
    return err_set(git->err, ERR_IO, "%s: %.*s", what, STR_ARGS(answer->complaint));
}

/* --- revisions -------------------------------------------------------------------------------- */

static struct str first_line(struct str output)
{
    const char *end = strchrnul(output.text, '\n');
    return (struct str){output.text, (size_t)(end - output.text)};
}

static bool open_work_tree(struct git *git)
{
    struct answer answer;
    if (!run(&answer, git,
             (const char *[]){"rev-parse", "--is-inside-work-tree", "--is-shallow-repository",
                              NULL}))
        return false;
    if (strstr(answer.complaint.text, "dubious ownership") != NULL)
        return err_set(git->err, ERR_IO,
                       "git does not trust %s, which belongs to another user: run 'git config "
                       "--global --add safe.directory DIRECTORY' with its work tree",
                       git->directory);
    if (strstr(answer.complaint.text, "not a git repository") != NULL ||
        (answer.status == 0 && !str_is(first_line(answer.output), "true")))
        return err_set(git->err, ERR_IO, "%s is not in a git work tree", git->directory);
    if (answer.status != 0)
        return fail(git, &answer, "git rev-parse");
    git->is_shallow = str_ends(answer.output, "\ntrue\n");
    return true;
}

/* `prefix` and the revision as a commit's id; empty when there is none. */
static bool look_up(struct str *id, const struct git *git, const char *prefix, struct str revision)
{
    struct answer answer;
    struct str commit;
    *id = (struct str){"", 0};
    if (!text_format(&commit, git->arena, git->err, "%s%.*s^{commit}", prefix,
                     STR_ARGS(revision)) ||
        !run(&answer, git, (const char *[]){"rev-parse", "--verify", "--quiet", commit.text, NULL}))
        return false;
    return answer.status != 0 || str_copy(id, first_line(answer.output), git->arena, git->err);
}

/* `spec`: what the user wrote, which may have been meant as a file.
 * No revision begins with '-', so none can be taken for an option: `--end-of-options`, which git
 * has had since 2.24 and rev-parse since 2.30, is not needed. */
static bool resolve(struct str *id, const struct git *git, struct str revision, const char *spec)
{
    struct str remote;
    if (str_starts(revision, "-"))
        return err_set(git->err, ERR_USAGE, "'%.*s' is not a revision: it begins with '-'",
                       STR_ARGS(revision));
    if (!look_up(id, git, "", revision))
        return false;
    if (id->len != 0)
        return true;
    if (!look_up(&remote, git, "refs/remotes/origin/", revision))
        return false;
    if (remote.len != 0)
        return err_set(git->err, ERR_USAGE, "no revision '%.*s' in %s, but there is origin/%.*s",
                       STR_ARGS(revision), git->directory, STR_ARGS(revision));
    return err_set(git->err, ERR_USAGE, "no revision '%.*s' in %s%s%s", STR_ARGS(revision),
                   git->directory, str_is(revision, spec) ? ", and no file of that name" : "",
                   git->is_shallow ? ": " UNSHALLOW : "");
}

struct range {
    struct str old_name, new_name; /* revisions; new empty: the working tree */
    bool from_merge_base;
};

static bool split_spec(struct range *out, const char *spec, struct err *err)
{
    *out = (struct range){str_of(spec), {"", 0}, true};
    const char *dots = strstr(spec, "..");
    size_t dot_count = dots != NULL && dots[2] == '.' ? 3 : 2;
    if (spec[0] == '\0' || (dots == spec && spec[dot_count] == '\0'))
        return err_set(err, ERR_USAGE, "'%s' names no revision: use main...HEAD", spec);
    if (dots == NULL)
        return true;
    out->from_merge_base = dot_count == 3;
    out->old_name = (struct str){spec, (size_t)(dots - spec)};
    out->new_name = str_of(dots + dot_count);
    if (out->old_name.len == 0)
        out->old_name = STR("HEAD");
    if (out->new_name.len == 0)
        out->new_name = STR("HEAD");
    return true;
}

/* Replaces the old side's id by that of the merge base. */
static bool find_merge_base(struct str *old_id, struct str new_id, const struct range *range,
                            const struct git *git)
{
    struct answer answer;
    struct str new_name = range->new_name.len != 0 ? range->new_name : STR("HEAD");
    if (!run(&answer, git, (const char *[]){"merge-base", old_id->text, new_id.text, NULL}))
        return false;
    if (answer.status > 1)
        return fail(git, &answer, "git merge-base");
    if (answer.status == 0)
        return str_copy(old_id, first_line(answer.output), git->arena, git->err);
    if (git->is_shallow)
        return err_set(git->err, ERR_MISMATCH, "no merge base of %.*s and %.*s: " UNSHALLOW,
                       STR_ARGS(range->old_name), STR_ARGS(new_name));
    return err_set(git->err, ERR_MISMATCH,
                   "no merge base of %.*s and %.*s: their histories have nothing in common",
                   STR_ARGS(range->old_name), STR_ARGS(new_name));
}

/* --- the diff --------------------------------------------------------------------------------- */

/* Below which path the repository is, and where: a submodule, or "" for the one around the root. */
struct place {
    struct str folder;         /* "ext/lib/"; relative to the root */
    struct str old_id, new_id; /* an empty new side is the working tree */
};

/* Each option overrides a setting; settings without an option are in run(). The prefixes override
 * diff.noprefix and diff.mnemonicPrefix, -O overrides diff.orderFile. In a working tree, a
 * submodule has changed, too, if files in it have that git tracks. */
static bool run_diff(struct str *out, const struct place *place, bool raw, const struct git *git)
{
    struct answer answer;
    struct str source, destination;
    struct str old_id = place->old_id, new_id = place->new_id;
    if (!text_format(&source, git->arena, git->err, "--src-prefix=a/%.*s",
                     STR_ARGS(place->folder)) ||
        !text_format(&destination, git->arena, git->err, "--dst-prefix=b/%.*s",
                     STR_ARGS(place->folder)))
        return false;
    const char *words[] = {"diff",
                           raw ? "--raw" : "--patch",
                           raw ? "-z" : "--unified=0",
                           raw ? "--no-abbrev" : "--inter-hunk-context=0",
                           "--diff-algorithm=myers",
                           "--indent-heuristic",
                           raw ? "--no-renames" : "--find-renames=50%",
                           "-l1000",
                           "-O/dev/null",
                           source.text,
                           destination.text,
                           "--relative",
                           "--submodule=short",
                           new_id.len != 0 ? "--ignore-submodules=dirty"
                                           : "--ignore-submodules=untracked",
                           "--no-ext-diff",
                           "--no-textconv",
                           "--no-color",
                           "--full-index",
                           old_id.text,
                           new_id.len != 0 ? new_id.text : "--",
                           new_id.len != 0 ? "--" : NULL,
                           NULL};
    if (!run(&answer, git, words))
        return false;
    *out = answer.output;
    return answer.status == 0 || fail(git, &answer, "git diff");
}

/* --- submodules ------------------------------------------------------------------------------- */

/* One of `git diff --raw -z`: ":160000 160000 <old id> <new id> M", NUL, path, NUL. */
struct raw_entry {
    struct str old_mode, new_mode, old_id, new_id, path;
};

static struct str take_until(struct str *rest, char end)
{
    const char *found = rest->len != 0 ? memchr(rest->text, end, rest->len) : NULL;
    size_t len = found != NULL ? (size_t)(found - rest->text) : rest->len;
    struct str taken = {rest->text, len};
    len += found != NULL;
    *rest = (struct str){rest->text + len, rest->len - len};
    return taken;
}

static bool next_entry(struct raw_entry *out, struct str *rest)
{
    if (rest->len == 0 || rest->text[0] != ':')
        return false;
    (void)take_until(rest, ':');
    out->old_mode = take_until(rest, ' ');
    out->new_mode = take_until(rest, ' ');
    out->old_id = take_until(rest, ' ');
    out->new_id = take_until(rest, ' ');
    (void)take_until(rest, '\0'); /* the status */
    out->path = take_until(rest, '\0');
    return true;
}

/* git's commands would take the repository around a folder that is none itself. */
static bool is_checked_out(bool *out, const struct git *git)
{
    struct answer answer;
    if (!run(&answer, git, (const char *[]){"rev-parse", "--show-prefix", NULL}))
        return false;
    *out = answer.status == 0 && str_is(answer.output, "\n");
    return true;
}

/* The commit that the old side has, or the empty tree for a submodule that is new. */
static bool find_old_tree(struct str *id, const struct raw_entry *entry, const struct git *git)
{
    struct answer answer;
    if (str_is(entry->old_mode, SUBMODULE_MODE))
        return str_copy(id, entry->old_id, git->arena, git->err);
    if (!run(&answer, git, (const char *[]){"hash-object", "-t", "tree", "/dev/null", NULL}))
        return false;
    return str_copy(id, first_line(answer.output), git->arena, git->err);
}

static bool add_place(struct text *out, const struct place *place, const struct git *git);

/* What changed in a submodule, after the line by which a reader knows it. That it is not known is
 * no error. */
static bool add_submodule(struct text *out, const struct raw_entry *entry,
                          const struct place *around, const struct git *git)
{
    struct err missing = {.code = ERR_NONE};
    struct git within = *git;
    struct place place;
    struct str directory;
    bool is_here = false;
    size_t start = out->len;
    within.err = &missing;
    if (!path_join(&directory, str_of(git->directory), entry->path, git->arena, git->err) ||
        !text_format(&place.folder, git->arena, git->err, "%.*s%.*s/", STR_ARGS(around->folder),
                     STR_ARGS(entry->path)))
        return false;
    within.directory = directory.text;
    text_addf(out, "Submodule %.*s%.*s %.*s...%.*s:\n", STR_ARGS(around->folder),
              STR_ARGS(entry->path), STR_ARGS(entry->old_id), STR_ARGS(entry->new_id));
    place.new_id = (struct str){"", 0};
    bool ok =
        is_checked_out(&is_here, &within) && find_old_tree(&place.old_id, entry, &within) &&
        (around->new_id.len == 0 || str_copy(&place.new_id, entry->new_id, git->arena, &missing));
    if (ok && is_here && add_place(out, &place, &within))
        return true;
    out->len = start;
    if (missing.code == ERR_MEMORY || missing.code == ERR_LIMIT) {
        *git->err = missing;
        return false;
    }
    text_addf(out, "Submodule %.*s%.*s %.*s...%.*s (commits not present)\n",
              STR_ARGS(around->folder), STR_ARGS(entry->path), STR_ARGS(entry->old_id),
              STR_ARGS(entry->new_id));
    return true;
}

static bool add_submodules(struct text *out, const struct place *place, const struct git *git)
{
    struct raw_entry entry;
    struct str raw;
    if (!run_diff(&raw, place, true, git))
        return false;
    while (next_entry(&entry, &raw))
        if (str_is(entry.new_mode, SUBMODULE_MODE) && !add_submodule(out, &entry, place, git))
            return false;
    return true;
}

/* Any file may have such a line; the list of changes tells. */
static bool may_have_submodules(struct str diff)
{
    static const char line[] = "Subproject commit ";
    return memmem(diff.text, diff.len, line, strlen(line)) != NULL;
}

/* The diff of a repository, and those of its submodules. */
static bool add_place(struct text *out, const struct place *place, const struct git *git)
{
    struct str diff;
    if (!run_diff(&diff, place, false, git))
        return false;
    text_add(out, diff);
    return !may_have_submodules(diff) || add_submodules(out, place, git);
}

/* Most diffs, which may be large, are not copied. */
static bool diff_all(struct view *out, struct str old_id, struct str new_id, const struct git *git)
{
    const struct place place = {{"", 0}, old_id, new_id};
    struct text text;
    struct str all;
    if (!run_diff(&all, &place, false, git))
        return false;
    if (may_have_submodules(all)) {
        text_open(&text, git->arena);
        text_add(&text, all);
        if (!add_submodules(&text, &place, git) || !text_take(&all, &text, git->err))
            return false;
    }
    *out = (struct view){(const uint8_t *)all.text, all.len};
    return true;
}

static struct str abbreviated(struct str id)
{
    return (struct str){id.text, id.len < ABBREVIATED_LEN ? id.len : ABBREVIATED_LEN};
}

static bool describe(struct git_diff *out, const char *spec, const struct range *range,
                     const struct git *git)
{
    struct str base_name = range->from_merge_base ? STR("merge base") : range->old_name;
    return text_format(&out->text, git->arena, git->err, "%s: from %.*s %.*s to %.*s%s%.*s", spec,
                       STR_ARGS(base_name), STR_ARGS(out->base), STR_ARGS(range->new_name),
                       range->new_name.len != 0 ? " " : "", STR_ARGS(out->head));
}

static bool find_ends(struct range *range, struct str *old_id, struct str *new_id, struct git *git,
                      const char *spec)
{
    return split_spec(range, spec, git->err) && make_environment(git) && open_work_tree(git) &&
           resolve(old_id, git, range->old_name, spec) &&
           resolve(new_id, git, range->new_name.len != 0 ? range->new_name : STR("HEAD"), spec) &&
           (!range->from_merge_base || find_merge_base(old_id, *new_id, range, git));
}

bool git_can_diff(const char *directory, const char *spec, struct arena *arena, struct err *err)
{
    struct git git = {.directory = directory, .arena = arena, .err = err};
    struct range range;
    struct str old_id, new_id;
    return find_ends(&range, &old_id, &new_id, &git, spec);
}

bool git_diff(struct git_diff *out, const char *directory, const char *spec, struct arena *arena,
              struct err *err)
{
    struct git git = {.directory = directory, .arena = arena, .err = err};
    struct range range;
    struct str old_id, new_id;
    *out = (struct git_diff){.head = STR(WORKING_TREE)};
    if (!find_ends(&range, &old_id, &new_id, &git, spec))
        return false;
    if (range.new_name.len == 0)
        new_id.len = 0;
    if (!diff_all(&out->bytes, old_id, new_id, &git))
        return false;
    out->base = abbreviated(old_id);
    if (new_id.len != 0)
        out->head = abbreviated(new_id);
    return describe(out, spec, &range, &git);
}

#include "cli/publish/git.h"

#include <string.h>

#include "cli/publish/checkout.h"

#define WORKING_TREE   "the working tree"
#define SUBMODULE_MODE "160000"
#define UNSHALLOW      "the clone is shallow; fetch with 'git fetch --unshallow' or fetch-depth: 0"

enum {
    ABBREVIATED_LEN = 8
};

/* --- revisions -------------------------------------------------------------------------------- */

static struct str first_line_of(struct str output)
{
    return str_take_until(&output, '\n');
}

/* `prefix` and the revision as a commit's id; empty when there is none. */
static bool look_up_revision(struct str *id, const struct checkout *git, const char *prefix,
                             struct str revision)
{
    struct git_answer answer;
    struct str commit;
    *id = (struct str){"", 0};
    if (!text_format(&commit, git->arena, git->err, "%s%.*s^{commit}", prefix,
                     STR_ARGS(revision)) ||
        !checkout_git(&answer, git,
                      (const char *[]){"rev-parse", "--verify", "--quiet", commit.text, NULL}))
        return false;
    return answer.status != 0 || str_copy(id, first_line_of(answer.output), git->arena, git->err);
}

/* `spec`: what the user wrote, which may have been meant as a file.
 * No revision begins with '-', so none can be taken for an option: `--end-of-options`, which git
 * has had since 2.24 and rev-parse since 2.30, is not needed. */
static bool resolve_revision(struct str *id, const struct checkout *git, struct str revision,
                             const char *spec)
{
    struct str remote;
    if (str_starts(revision, "-"))
        return err_set(git->err, ERR_USAGE, "'%.*s' is not a revision: it begins with '-'",
                       STR_ARGS(revision));
    if (!look_up_revision(id, git, "", revision))
        return false;
    if (id->len != 0)
        return true;
    if (!look_up_revision(&remote, git, "refs/remotes/origin/", revision))
        return false;
    if (remote.len != 0)
        return err_set(git->err, ERR_USAGE, "no revision '%.*s' in %s, but there is origin/%.*s",
                       STR_ARGS(revision), git->top.text, STR_ARGS(revision));
    return err_set(git->err, ERR_USAGE, "no revision '%.*s' in %s%s%s", STR_ARGS(revision),
                   git->top.text, str_is(revision, spec) ? ", and no file of that name" : "",
                   git->is_shallow ? ": " UNSHALLOW : "");
}

struct revision_range {
    struct str old_name, new_name; /* revisions; new empty: the working tree */
    bool from_merge_base;
};

static bool split_spec(struct revision_range *out, const char *spec, struct err *err)
{
    *out = (struct revision_range){str_of(spec), {"", 0}, true};
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
static bool find_merge_base(struct str *old_id, struct str new_id,
                            const struct revision_range *range, const struct checkout *git)
{
    struct git_answer answer;
    struct str new_name = range->new_name.len != 0 ? range->new_name : STR("HEAD");
    if (!checkout_git(&answer, git,
                      (const char *[]){"merge-base", old_id->text, new_id.text, NULL}))
        return false;
    if (answer.status > 1)
        return checkout_fail(git, &answer, "git merge-base");
    if (answer.status == 0)
        return str_copy(old_id, first_line_of(answer.output), git->arena, git->err);
    if (git->is_shallow)
        return err_set(git->err, ERR_MISMATCH, "no merge base of %.*s and %.*s: " UNSHALLOW,
                       STR_ARGS(range->old_name), STR_ARGS(new_name));
    return err_set(git->err, ERR_MISMATCH,
                   "no merge base of %.*s and %.*s: their histories have nothing in common",
                   STR_ARGS(range->old_name), STR_ARGS(new_name));
}

/* --- the diff --------------------------------------------------------------------------------- */

/* What is compared of a checkout: of the one around the root, or of a submodule. */
struct diff_place {
    struct str within;         /* only what is in this folder of it: "src/", or empty */
    struct str folder;         /* where that is below the root: "ext/lib/", or empty */
    struct str old_id, new_id; /* an empty new side is the working tree */
};

static struct str abbreviated_id(struct str id)
{
    return (struct str){id.text, id.len < ABBREVIATED_LEN ? id.len : ABBREVIATED_LEN};
}

static bool fail_diff(const struct git_answer *answer, const struct diff_place *place,
                      const struct checkout *git)
{
    if (!git->is_partial)
        return checkout_fail(git, answer, "git diff");
    return err_set(git->err, ERR_IO,
                   "git diff: %.*s; the clone is partial, and ilcov fetches nothing: run 'git diff "
                   "%.*s%s%.*s' in %s first",
                   STR_ARGS(answer->complaint), STR_ARGS(abbreviated_id(place->old_id)),
                   place->new_id.len != 0 ? " " : "", STR_ARGS(abbreviated_id(place->new_id)),
                   git->top.text);
}

/* Each option overrides a setting; checkout.c has those without an option. The prefixes override
 * diff.noprefix and diff.mnemonicPrefix, -O overrides diff.orderFile. Were it to look whether files
 * of a submodule changed, git would run itself in there, without what checkout.c says. */
static bool run_diff(struct str *out, const struct diff_place *place, bool raw,
                     const struct checkout *git)
{
    struct git_answer answer;
    struct str source, destination, relative;
    struct str old_id = place->old_id, new_id = place->new_id;
    if (!text_format(&source, git->arena, git->err, "--src-prefix=a/%.*s",
                     STR_ARGS(place->folder)) ||
        !text_format(&destination, git->arena, git->err, "--dst-prefix=b/%.*s",
                     STR_ARGS(place->folder)) ||
        !text_format(&relative, git->arena, git->err, "--relative=%.*s", STR_ARGS(place->within)))
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
                           relative.text,
                           "--submodule=short",
                           "--ignore-submodules=dirty",
                           "--no-ext-diff",
                           "--no-textconv",
                           "--no-color",
                           "--full-index",
                           old_id.text,
                           new_id.len != 0 ? new_id.text : "--",
                           new_id.len != 0 ? "--" : NULL,
                           NULL};
    if (!checkout_git(&answer, git, words))
        return false;
    *out = answer.output;
    return answer.status == 0 || fail_diff(&answer, place, git);
}

/* --- submodules ------------------------------------------------------------------------------- */

/* One of `git diff --raw -z`: ":160000 160000 <old id> <new id> M", NUL, path, NUL. */
struct raw_entry {
    struct str old_mode, new_mode, old_id, new_id, path;
};

static bool next_entry(struct raw_entry *out, struct str *rest)
{
    if (rest->len == 0 || rest->text[0] != ':')
        return false;
    (void)str_take_until(rest, ':');
    out->old_mode = str_take_until(rest, ' ');
    out->new_mode = str_take_until(rest, ' ');
    out->old_id = str_take_until(rest, ' ');
    out->new_id = str_take_until(rest, ' ');
    (void)str_take_until(rest, '\0'); /* the status */
    out->path = str_take_until(rest, '\0');
    return true;
}

/* A submodule in the index, "160000 <id> 0", TAB, path, NUL; but none that has to be merged. */
static bool next_link(struct raw_entry *out, struct str *rest, struct str within)
{
    while (rest->len != 0) {
        struct str entry = str_take_until(rest, '\0');
        struct str mode = str_take_until(&entry, ' '), id = str_take_until(&entry, ' ');
        if (!str_is(mode, SUBMODULE_MODE) || !str_take(&entry, "0\t") ||
            !str_starts(entry, within.text))
            continue;
        *out = (struct raw_entry){mode, mode, STR(""), id, str_from(entry, within.len)};
        return true;
    }
    return false;
}

/* The commit that the old side has: where its commit did not change, HEAD; or the empty tree for a
 * submodule that is new. */
static bool find_old_tree(struct str *id, const struct raw_entry *entry, const struct checkout *git)
{
    struct git_answer answer;
    if (!str_is(entry->old_mode, SUBMODULE_MODE))
        return checkout_git(&answer, git,
                            (const char *[]){"hash-object", "-t", "tree", "/dev/null", NULL}) &&
               str_copy(id, first_line_of(answer.output), git->arena, git->err);
    return entry->old_id.len != 0 ? str_copy(id, entry->old_id, git->arena, git->err)
                                  : look_up_revision(id, git, "", STR("HEAD"));
}

static bool add_checkout_diff(struct text *out, const struct diff_place *place,
                              const struct checkout *git);

/* What changed in a submodule, after the line by which a reader knows it. */
static bool add_contents(struct text *out, const struct raw_entry *entry,
                         const struct diff_place *around, const struct checkout *within)
{
    struct diff_place place = {.within = STR(""), .new_id = {"", 0}};
    size_t start = out->len;
    if (!find_old_tree(&place.old_id, entry, within) ||
        (around->new_id.len != 0 &&
         !str_copy(&place.new_id, entry->new_id, within->arena, within->err)) ||
        !text_format(&place.folder, within->arena, within->err, "%.*s%.*s/",
                     STR_ARGS(around->folder), STR_ARGS(entry->path)))
        return false;
    text_addf(out, "Submodule %.*s%.*s %.*s...%.*s:\n", STR_ARGS(around->folder),
              STR_ARGS(entry->path), STR_ARGS(place.old_id), STR_ARGS(entry->new_id));
    size_t said = out->len;
    if (place.old_id.len != 0 && !add_checkout_diff(out, &place, within))
        return false;
    if (entry->old_id.len == 0 && out->len == said)
        out->len = start;
    return true;
}

static bool submodule_top(struct str *out, const struct raw_entry *entry,
                          const struct diff_place *around, const struct checkout *git)
{
    return text_format(out, git->arena, git->err, "%s/%.*s%.*s", git->top.text,
                       STR_ARGS(around->within), STR_ARGS(entry->path));
}

/* That it is not known what changed is no error. */
static bool add_changed(struct text *out, const struct raw_entry *entry,
                        const struct diff_place *around, const struct checkout *git)
{
    struct err missing = {.code = ERR_NONE};
    struct checkout within;
    struct str top;
    size_t start = out->len;
    if (!submodule_top(&top, entry, around, git))
        return false;
    if (checkout_is_top(top.text) && checkout_open_top(&within, top.text, git->arena, &missing) &&
        add_contents(out, entry, around, &within))
        return true;
    out->len = start;
    if (missing.code == ERR_MEMORY || missing.code == ERR_LIMIT) {
        *git->err = missing;
        return false;
    }
    text_addf(out, "Submodule %.*s%.*s %.*s...%.*s (commits not present)\n",
              STR_ARGS(around->folder), STR_ARGS(entry->path),
              STR_ARGS(entry->old_id.len != 0 ? entry->old_id : entry->new_id),
              STR_ARGS(entry->new_id));
    return true;
}

static bool is_among_changes(struct str raw, struct str path)
{
    struct raw_entry entry;
    while (next_entry(&entry, &raw))
        if (str_eq(entry.path, path))
            return true;
    return false;
}

/* Files of a submodule in the work tree may have changed although its commit did not. */
static bool add_unchanged(struct text *out, struct str links, struct str raw,
                          const struct diff_place *around, const struct checkout *git)
{
    struct raw_entry entry;
    struct str top;
    while (next_link(&entry, &links, around->within))
        if (!submodule_top(&top, &entry, around, git) ||
            (checkout_is_top(top.text) && !is_among_changes(raw, entry.path) &&
             !add_changed(out, &entry, around, git)))
            return false;
    return true;
}

/* Those that the index has, for the working tree. */
static bool list_links(struct str *out, const struct diff_place *place, const struct checkout *git)
{
    struct git_answer answer;
    *out = STR("");
    if (place->new_id.len != 0)
        return true;
    if (!checkout_git(&answer, git, (const char *[]){"ls-files", "--stage", "-z", NULL}))
        return false;
    *out = answer.output;
    return answer.status == 0 || checkout_fail(git, &answer, "git ls-files");
}

/* Any file may have such a line; the list of changes tells. */
static bool may_have_submodules(struct str diff)
{
    static const char line[] = "Subproject commit ";
    return memmem(diff.text, diff.len, line, strlen(line)) != NULL;
}

/* The diffs of the submodules of a place whose diff this is. */
static bool add_submodules(struct text *out, struct str diff, const struct diff_place *place,
                           const struct checkout *git)
{
    struct raw_entry entry;
    struct str links, raw;
    if (!list_links(&links, place, git))
        return false;
    struct str rest = links;
    if (!may_have_submodules(diff) && !next_link(&entry, &rest, place->within))
        return true;
    if (!run_diff(&raw, place, true, git))
        return false;
    for (rest = raw; next_entry(&entry, &rest);)
        if (str_is(entry.new_mode, SUBMODULE_MODE) && !add_changed(out, &entry, place, git))
            return false;
    return add_unchanged(out, links, raw, place, git);
}

/* The diff of a repository, and those of its submodules. */
static bool add_checkout_diff(struct text *out, const struct diff_place *place,
                              const struct checkout *git)
{
    struct str diff;
    if (!run_diff(&diff, place, false, git))
        return false;
    text_add(out, diff);
    return add_submodules(out, diff, place, git);
}

/* Most diffs, which may be large, are not copied. */
static bool diff_all(struct view *out, const struct diff_place *place, const struct checkout *git)
{
    struct text submodules, text;
    struct str all;
    submodules = text_in(git->arena);
    text = text_in(git->arena);
    if (!run_diff(&all, place, false, git) || !add_submodules(&submodules, all, place, git))
        return false;
    if (submodules.len != 0 || submodules.failed) {
        text_add(&text, all);
        text_add(&text, (struct str){submodules.data, submodules.len});
        text.failed = text.failed || submodules.failed;
        if (!text_take(&all, &text, git->err))
            return false;
    }
    *out = (struct view){(const uint8_t *)all.text, all.len};
    return true;
}

static bool describe_diff(struct git_diff *out, const char *spec,
                          const struct revision_range *range, const struct checkout *git)
{
    struct str base_name = range->from_merge_base ? STR("merge base") : range->old_name;
    return text_format(&out->text, git->arena, git->err, "%s: from %.*s %.*s to %.*s%s%.*s", spec,
                       STR_ARGS(base_name), STR_ARGS(out->base), STR_ARGS(range->new_name),
                       range->new_name.len != 0 ? " " : "", STR_ARGS(out->head));
}

static bool find_revisions(struct revision_range *range, struct diff_place *place,
                           const struct checkout *git, const char *spec)
{
    struct str new_name = range->new_name.len != 0 ? range->new_name : STR("HEAD");
    return resolve_revision(&place->old_id, git, range->old_name, spec) &&
           resolve_revision(&place->new_id, git, new_name, spec) &&
           (!range->from_merge_base || find_merge_base(&place->old_id, place->new_id, range, git));
}

static bool find_all(struct revision_range *range, struct diff_place *place, struct checkout *git,
                     const char *directory, const char *spec, struct arena *arena, struct err *err)
{
    *place = (struct diff_place){.folder = STR("")};
    return split_spec(range, spec, err) &&
           checkout_open(git, &place->within, directory, arena, err) &&
           find_revisions(range, place, git, spec);
}

bool git_can_diff(const char *directory, const char *spec, struct arena *arena, struct err *err)
{
    struct checkout git;
    struct revision_range range;
    struct diff_place place;
    return find_all(&range, &place, &git, directory, spec, arena, err);
}

bool git_diff(struct git_diff *out, const char *directory, const char *spec, struct arena *arena,
              struct err *err)
{
    struct checkout git;
    struct revision_range range;
    struct diff_place place;
    *out = (struct git_diff){.head = STR(WORKING_TREE)};
    if (!find_all(&range, &place, &git, directory, spec, arena, err))
        return false;
    if (range.new_name.len == 0)
        place.new_id.len = 0;
    if (!diff_all(&out->bytes, &place, &git))
        return false;
    out->top = git.top;
    out->base = abbreviated_id(place.old_id);
    if (place.new_id.len != 0)
        out->head = abbreviated_id(place.new_id);
    return describe_diff(out, spec, &range, &git);
}

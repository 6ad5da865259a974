#include "cli/publish/checkout.h"

#include <string.h>

#include "base/path.h"
#include "coverage/source/paths.h"
#include "system/folder.h"
#include "system/process.h"
#include "system/program.h"

/* --- environment ------------------------------------------------------------------------------ */

/* Variables that select the repository (`git rev-parse --local-env-vars`; hooks set them), except
 * for configuration, which may be what makes git trust the directory; one that changes a diff more
 * than the options do; and those that are set below. */
static const char *const removed[] = {
    "GIT_ALLOW_PROTOCOL=",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES=",
    "GIT_COMMON_DIR=",
    "GIT_DIFF_OPTS=",
    "GIT_DIR=",
    "GIT_GRAFT_FILE=",
    "GIT_IMPLICIT_WORK_TREE=",
    "GIT_INDEX_FILE=",
    "GIT_NAMESPACE=",
    "GIT_NO_LAZY_FETCH=",
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

/* A partial clone fetches what it lacks, with programs that its configuration may name. Versions of
 * git that do not know GIT_NO_LAZY_FETCH find no protocol for it that is allowed. */
static bool make_environment(struct checkout *c)
{
    static char no_locks[] = "GIT_OPTIONAL_LOCKS=0", no_fetch[] = "GIT_NO_LAZY_FETCH=1",
                no_protocol[] = "GIT_ALLOW_PROTOCOL=", language[] = "LC_ALL=C";
    static char *const own[] = {no_locks, no_fetch, no_protocol, language};
    char **all = variables_all();
    size_t count = 0, kept = 0;
    while (all[count] != NULL)
        count++;
    c->environment = ARENA_NEW(c->arena, char *, count + ARRAY_LEN(own) + 1, c->err);
    if (c->environment == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        if (!is_removed(all[i]))
            c->environment[kept++] = all[i];
    memcpy(c->environment + kept, own, sizeof own);
    return true;
}

/* --- a run of git ----------------------------------------------------------------------------- */

/* What no option of the commands overrides that are used, besides filters. */
static const char *const settings[] = {
    "core.quotePath=true",          "core.fsmonitor=",
    "core.hooksPath=/dev/null",     "diff.autoRefreshIndex=false", /* writes it */
    "safe.bareRepository=explicit", "core.bigFileThreshold=512m",
};

static size_t put_settings(const char **out, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        out[2 * i] = "-c";
        out[2 * i + 1] = list[i];
    }
    return 2 * count;
}

static const char **arguments_of(const struct checkout *c, const char *const *words)
{
    const char *first[] = {"git", "--no-pager", "-C", c->top.text};
    size_t count = ARRAY_LEN(first), given = 0;
    size_t setting_count = ARRAY_LEN(settings) + c->filters.count;
    while (words[given] != NULL)
        given++;
    const char **out =
        ARENA_NEW(c->arena, const char *, count + 2 * setting_count + given + 1, c->err);
    if (out == NULL)
        return NULL;
    memcpy(out, first, sizeof first);
    count += put_settings(out + count, settings, ARRAY_LEN(settings));
    count += put_settings(out + count, c->filters.items, c->filters.count);
    memcpy(out + count, words, given * sizeof *words);
    return out;
}

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

static bool refuse_missing(const struct checkout *checkout)
{
    return err_set(
        checkout->err, ERR_IO,
        "git is not installed: no such command on PATH. --patch FILE takes a diff made elsewhere");
}

bool checkout_git(struct git_answer *out, const struct checkout *checkout, const char *const *words)
{
    static const struct program_limits limits = {CHECKOUT_ANSWER_LIMIT, CHECKOUT_TIME_LIMIT_MS};
    struct program_output program;
    const char **arguments = arguments_of(checkout, words);
    *out = (struct git_answer){.status = -1};
    if (arguments == NULL)
        return false;
    if (!program_output_take(&program, (char *const *)(uintptr_t)arguments, checkout->environment,
                             &limits, checkout->arena, checkout->err)) {
        err_prefix(checkout->err, "git");
        return false;
    }
    if (program.is_missing)
        return refuse_missing(checkout);
    *out = (struct git_answer){.status = program.status,
                               .output = program.output,
                               .complaint = complaint_of(program.errors)};
    return true;
}

bool checkout_fail(const struct checkout *checkout, const struct git_answer *answer,
                   const char *what)
{
    if (answer->complaint.len == 0)
        return err_set(checkout->err, ERR_IO, "%s ended with status %d", what, answer->status);
    return err_set(checkout->err, ERR_IO, "%s: %.*s", what, STR_ARGS(answer->complaint));
}

/* --- opening ---------------------------------------------------------------------------------- */

/* Is the repository that git finds here that of the .git? */
static bool open_work_tree(struct checkout *c)
{
    struct git_answer answer;
    struct str top;
    if (!text_format(&top, c->arena, c->err, "\n%s\n", c->top.text) ||
        !checkout_git(&answer, c,
                      (const char *[]){"rev-parse", "--is-inside-work-tree",
                                       "--is-shallow-repository", "--show-toplevel", NULL}))
        return false;
    if (strstr(answer.complaint.text, "dubious ownership") != NULL)
        return err_set(c->err, ERR_IO,
                       "git does not trust %s, which belongs to another user: run 'git config "
                       "--global --add safe.directory %s'",
                       c->top.text, c->top.text);
    if (answer.status != 0)
        return checkout_fail(c, &answer, "git rev-parse");
    if (!str_starts(answer.output, "true\n") || !str_ends(answer.output, top.text))
        return err_set(c->err, ERR_IO, "the .git in %s belongs to another folder", c->top.text);
    c->is_shallow = str_starts(answer.output, "true\ntrue\n");
    return true;
}

/* git takes what is before the first '=' for the key. */
static bool switch_off(struct checkout *c, struct str key)
{
    struct str setting;
    if (memchr(key.text, '=', key.len) != NULL)
        return err_set(c->err, ERR_IO,
                       "the configuration of git has %.*s, and a filter with '=' in its name "
                       "cannot be disabled",
                       STR_ARGS(key));
    const char **added = list_add(&c->filters, sizeof *added, c->arena, c->err);
    if (added == NULL || !text_format(&setting, c->arena, c->err, "%.*s=", STR_ARGS(key)))
        return false;
    *added = setting.text;
    return true;
}

/* git would run filters over files of the work tree. An empty command is none, and an empty
 * `required` is false. */
static bool read_configuration(struct checkout *c)
{
    struct git_answer answer;
    if (!checkout_git(&answer, c, (const char *[]){"config", "--list", "-z", "--name-only", NULL}))
        return false;
    if (answer.status != 0)
        return checkout_fail(c, &answer, "git config");
    while (answer.output.len != 0) {
        struct str key = str_take_until(&answer.output, '\0');
        c->is_partial =
            c->is_partial || str_is(key, "extensions.partialclone") || str_ends(key, ".promisor");
        if (str_starts(key, "filter.") && !switch_off(c, key))
            return false;
    }
    return true;
}

bool checkout_is_top(const char *folder)
{
    char path[PATH_ROOM];
    return file_real_path(path, folder) && strcmp(path, folder) == 0 && paths_top(path) &&
           strcmp(path, folder) == 0;
}

bool checkout_open_top(struct checkout *out, const char *top, struct arena *arena, struct err *err)
{
    *out = (struct checkout){.arena = arena, .err = err};
    return str_copy(&out->top, str_of(top), arena, err) && make_environment(out) &&
           open_work_tree(out) && read_configuration(out);
}

bool checkout_open(struct checkout *out, struct str *folder, const char *directory,
                   struct arena *arena, struct err *err)
{
    char real[PATH_ROOM], top[PATH_ROOM];
    if (!file_real_path(real, directory))
        return err_set_errno(err, "%s", directory);
    memcpy(top, real, sizeof top);
    if (!paths_top(top))
        return err_set(err, ERR_IO, "%s is not in a git work tree", directory);
    struct str below = str_from(str_of(real), strlen(top));
    (void)str_take(&below, "/");
    return text_format(folder, arena, err, "%.*s%s", STR_ARGS(below), below.len != 0 ? "/" : "") &&
           checkout_open_top(out, top, arena, err);
}

#include "coverage/session/test_inputs.h"

#include <string.h>

#include "base/path.h"
#include "base/sort.h"
#include "coverage/facts/digest.h"
#include "system/file.h"
#include "system/file_status.h"
#include "system/folder.h"

enum {
    FILES_MAX = 100000,
    DEPTH_MAX = 32,
    PIECE_LEN = 1 << 16,
};

/* Of all files that are hashed for one output. */
#define BYTES_MAX (UINT64_C(8) << 30)

/* Ends of the names of files that a build writes for debuggers, and coverage tools for
 * themselves. */
static const char *const ignored_endings[] = {".pdb", ".ilcov", ".coverage"};
/* Starts of those that coverage tools write, with paths of the machine in them. */
static const char *const ignored_starts[] = {".msCoverageSourceRootsMapping",
                                             "CoverletSourceRootsMapping"};

/* What builds and test runners read in the source tree: whole names, and ends of names. */
static const char *const source_names[] = {"packages.lock.json", "global.json",  "testconfig.json",
                                           "nuget.config",       "NuGet.Config", "NuGet.config"};
static const char *const source_endings[] = {".csproj",  ".fsproj", ".vbproj",     ".props",
                                             ".targets", ".rsp",    ".runsettings"};

/* What the runtime, or a test framework, reads beside assemblies: ends of names. */
static const char *const runtime_endings[] = {".dll",
                                              ".exe",
                                              ".so",
                                              ".dylib",
                                              ".deps.json",
                                              ".runtimeconfig.json",
                                              "testconfig.json",
                                              ".config",
                                              "xunit.runner.json"};

enum {
    NS_PER_SECOND = 1000000000
};

struct input_listing {
    struct list *inputs;
    const struct facts *facts;
    struct str folder; /* of the inputs */
    struct str below;  /* the folder that is listed, below it; empty: that itself */
    int64_t before;
    bool is_source;
    unsigned depth;
    uint32_t first;       /* of the inputs: those that were there before */
    uint64_t *bytes_left; /* that may still be hashed */
    struct arena *arena;
    struct err *err;
    bool is_full, failed;
};

/* --- which files ------------------------------------------------------------------------------ */

static bool matches_one_of(const char *const *texts, size_t count, struct str name,
                           bool (*matches)(struct str s, const char *text))
{
    for (size_t i = 0; i < count; i++)
        if (matches(name, texts[i]))
            return true;
    return false;
}

#define IS_ONE_OF(texts, name, matches) matches_one_of((texts), ARRAY_LEN(texts), (name), (matches))

/* An assembly that is compared method by method. */
static bool is_known_code(const struct facts *facts, struct str name)
{
    if (!str_ends(name, ".dll") && !str_ends(name, ".exe"))
        return false;
    name.len -= 4;
    for (uint32_t i = 0; i < facts->module_count; i++)
        if (facts->modules[i].method_count != 0 && str_eq(facts->modules[i].name, name))
            return true;
    return false;
}

static bool is_of_source(struct str name)
{
    return IS_ONE_OF(source_names, name, str_is) || IS_ONE_OF(source_endings, name, str_ends);
}

static bool is_listed_input(const struct input_listing *l, struct str name)
{
    if (l->is_source)
        return is_of_source(name);
    return !IS_ONE_OF(ignored_endings, name, str_ends) &&
           !IS_ONE_OF(ignored_starts, name, str_starts) && !is_known_code(l->facts, name);
}

bool test_inputs_are_for_all(struct str path)
{
    struct str name = path_file(path);
    return is_of_source(name) ||
           (IS_ONE_OF(runtime_endings, name, str_ends) && !str_ends(name, ".resources.dll"));
}

/* --- one file --------------------------------------------------------------------------------- */

/* Stays 0 for one that can't be read, or has more than its size says: what the kernel makes up in
 * /proc may be long. */
static bool hash_input(uint8_t hash[FACT_INPUT_HASH_LEN], const char *path, uint64_t size,
                       struct arena *arena, struct err *err)
{
    uint8_t all[DIGEST_LEN];
    struct digest digest;
    uint8_t *piece = arena_raw(arena, PIECE_LEN, 1, err);
    if (piece == NULL || !digest_open(&digest, err))
        return false;
    int file = file_read_open(path);
    int64_t got = 0;
    uint64_t len = 0;
    while (file >= 0 && len <= size && (got = file_read_some(file, piece, PIECE_LEN)) > 0) {
        digest_bytes(&digest, piece, (size_t)got);
        len += (uint64_t)got;
    }
    digest_take(all, &digest);
    digest_close(&digest);
    if (file >= 0 && got == 0 && len <= size)
        memcpy(hash, all, FACT_INPUT_HASH_LEN);
    (void)file_close(file);
    arena_shrink(arena, piece, PIECE_LEN, 0);
    return true;
}

/* Unseen, until somebody looks; NULL without memory. */
static struct fact_input *add_input(struct input_listing *l, struct str name)
{
    l->is_full = l->inputs->count - l->first == FILES_MAX;
    struct fact_input *input = list_add(l->inputs, sizeof *input, l->arena, l->err);
    if (input == NULL)
        return NULL;
    *input = (struct fact_input){.folder = l->is_source ? STR("") : l->folder};
    return text_format(&input->path, l->arena, l->err, "%.*s%s%.*s", STR_ARGS(l->below),
                       l->below.len != 0 ? "/" : "", STR_ARGS(name))
               ? input
               : NULL;
}

static bool add_file_of_input(struct input_listing *l, struct str name, const char *path,
                              uint64_t size)
{
    struct fact_input *input = add_input(l, name);
    if (input == NULL || size > *l->bytes_left)
        return input != NULL;
    *l->bytes_left -= size;
    return hash_input(input->hash, path, size, l->arena, l->err);
}

/* Some file systems know the second only. */
static bool is_left(const struct input_listing *l, int64_t written)
{
    return written >= l->before ||
           (written % NS_PER_SECOND == 0 && written / NS_PER_SECOND == l->before / NS_PER_SECOND);
}

static bool add_left(struct input_listing *l, struct str name)
{
    struct fact_input *input = add_input(l, name);
    if (input != NULL)
        fact_input_leave(input);
    return input != NULL;
}

/* Which files of an unlimited number are found first is chance: the folder stands for all. */
static bool replace_by_folder(struct input_listing *l)
{
    l->inputs->count = l->first;
    l->below = STR("");
    return add_input(l, STR(".")) != NULL;
}

/* --- links to folders ------------------------------------------------------------------------- */

static bool hash_link(uint8_t hash[FACT_INPUT_HASH_LEN], struct str text, struct err *err)
{
    uint8_t all[DIGEST_LEN];
    struct digest digest;
    if (!digest_open(&digest, err))
        return false;
    digest_bytes(&digest, text.text, text.len);
    digest_take(all, &digest);
    digest_close(&digest);
    memcpy(hash, all, FACT_INPUT_HASH_LEN);
    return true;
}

/* What is behind one that leads elsewhere stays unseen. */
static bool add_link(struct input_listing *l, struct str name, const char *path)
{
    char folder[PATH_ROOM], here[PATH_ROOM], there[PATH_ROOM];
    struct fact_input *input = add_input(l, name);
    if (input == NULL)
        return false;
    if (!path_join_in(folder, l->folder, STR("")) || !file_real_path(here, folder) ||
        !file_real_path(there, path))
        return true;
    struct str to = str_of(there), inside = str_of(here);
    return (!str_eq(to, inside) && !path_is_below(to, inside)) ||
           hash_link(input->hash, str_from(to, inside.len), l->err);
}

/* --- folders ---------------------------------------------------------------------------------- */

static void list_folder(struct input_listing *l);

static void list_below(struct input_listing *l, struct str name)
{
    struct input_listing inner = *l;
    if (l->is_source)
        return;
    if (l->depth == DEPTH_MAX) {
        l->failed = add_input(l, name) == NULL;
        return;
    }
    inner.depth++;
    inner.failed = !text_format(&inner.below, l->arena, l->err, "%.*s%s%.*s", STR_ARGS(l->below),
                                l->below.len != 0 ? "/" : "", STR_ARGS(name));
    if (!inner.failed)
        list_folder(&inner);
    l->failed |= inner.failed;
    l->is_full |= inner.is_full;
}

static bool take_input_entry(void *context, const char *name)
{
    struct input_listing *l = context;
    struct file_status status;
    char path[PATH_ROOM];
    if (!path_join_in(path, l->folder, l->below) ||
        !path_join_in(path, str_of(path), str_of(name)) || !file_status_entry(&status, path))
        return true;
    if (status.kind == FILE_IS_FOLDER)
        list_below(l, str_of(name));
    bool is_link = status.kind == FILE_IS_LINK && !l->is_source && file_is_folder(path);
    if (is_link || (status.kind == FILE_IS_REGULAR && is_listed_input(l, str_of(name))))
        l->failed = !(is_left(l, status.written) ? add_left(l, str_of(name))
                      : is_link                  ? add_link(l, str_of(name), path)
                                : add_file_of_input(l, str_of(name), path, status.size));
    return !l->failed && !l->is_full;
}

static void list_folder(struct input_listing *l)
{
    char path[PATH_ROOM];
    if (path_join_in(path, l->folder, l->below))
        (void)folder_each_entry(path, take_input_entry, l);
}

bool test_inputs_add_output(struct list *inputs, struct str folder, int64_t before,
                            const struct facts *facts, struct arena *arena, struct err *err)
{
    uint64_t bytes_left = BYTES_MAX;
    struct input_listing l = {.inputs = inputs,
                              .facts = facts,
                              .folder = folder,
                              .below = STR(""),
                              .before = before,
                              .first = inputs->count,
                              .bytes_left = &bytes_left,
                              .arena = arena,
                              .err = err};
    list_folder(&l);
    return !l.failed && (!l.is_full || replace_by_folder(&l));
}

/* --- the source tree -------------------------------------------------------------------------- */

/* The folder of a source, and those around it; the root is "". */
static bool add_source_folders(struct list *folders, struct str relative, struct arena *arena,
                               struct err *err)
{
    struct str folder = path_dir(relative);
    for (;; folder = path_dir(folder)) {
        const struct str *known = folders->items;
        for (uint32_t i = 0; i < folders->count; i++)
            if (str_eq(known[i], folder))
                return true;
        if (!list_put(folders, &folder, sizeof folder, arena, err))
            return false;
        if (folder.len == 0)
            return true;
    }
}

bool test_inputs_add_sources(struct list *inputs, struct str root, const struct facts *facts,
                             struct arena *arena, struct err *err)
{
    struct list folders = {0};
    uint64_t bytes_left = BYTES_MAX;
    const uint32_t first = inputs->count;
    for (uint32_t m = 0; m < facts->module_count; m++)
        for (uint32_t d = 0; d < facts->modules[m].document_count; d++) {
            struct str relative = facts->modules[m].documents[d].relative;
            if (relative.len != 0 && !add_source_folders(&folders, relative, arena, err))
                return false;
        }
    sort_unless_sorted(folders.items, folders.count, sizeof(struct str), str_order);
    for (uint32_t i = 0; i < folders.count; i++) {
        struct input_listing l = {.inputs = inputs,
                                  .facts = facts,
                                  .folder = root,
                                  .below = ((struct str *)folders.items)[i],
                                  .before = INT64_MAX,
                                  .is_source = true,
                                  .first = first,
                                  .bytes_left = &bytes_left,
                                  .arena = arena,
                                  .err = err};
        list_folder(&l);
        if (l.failed || l.is_full)
            return !l.failed && replace_by_folder(&l);
    }
    return true;
}

/*   diff --git a/src/A.cs b/src/A.cs      header: begins a file; plain diffs have none
 *   similarity index 90%                  extended header lines: kind, names, modes
 *   index 1a2b3c4..5d6e7f8 100644
 *   --- a/src/A.cs                        names: only if hunks follow
 *   +++ b/src/A.cs
 *   @@ -7,2 +7 @@ class A                 hunk: 2 old lines from 7, 1 new one; then as many
 *   -    int a;
 *   \ No newline at end of file
 *   -    int b;
 *   +    int a, b;
 *   Submodule lib 1a2b3c4..5d6e7f8:       with diff.submodule=diff; "(new submodule)" and the like
 *   diff --git a/lib/B.cs b/lib/B.cs      its files, below it
 *   rename from A.cs                      but these names are relative to it
 */
#include "coverage/diff/patch_reader.h"

#include <string.h>

#include "base/list.h"
#include "base/path.h"
#include "base/sort.h"
#include "coverage/diff/patch_line.h"
#include "coverage/facts/facts.h"

/* Modes of entries without lines. */
#define LINK_MODE      "120000"
#define SUBMODULE_MODE "160000"

enum {
    QUOTED_LEN = 40 /* of a line, in an error */
};

struct scanner {
    struct str rest; /* of the diff */
    struct str line; /* without its end */
    size_t number;   /* of the line, from 1 */

    struct patch_file file; /* the current one; path is empty until a line names it */
    bool has_file;
    bool in_header;              /* of a git diff: its extended lines and names may follow */
    bool has_names;              /* names were read: hunks may follow */
    struct list hunks;           /* struct patch_hunk of the file */
    uint32_t old_line, new_line; /* the next ones */

    struct list files;        /* struct patch_file */
    struct str submodule;     /* the last one that had a line of its own; empty: none */
    uint32_t submodule_place; /* in `files` */
    bool in_submodule;        /* the current file is one of it */
    bool is_diff;             /* a line of a diff was seen */
    struct str first;         /* the first line that is not blank, and its number */
    size_t first_number;
    struct arena *arena;
    struct err *err;
};

/* --- lines ------------------------------------------------------------------------------------ */

static bool next_patch_line(struct scanner *s)
{
    if (s->rest.len == 0)
        return false;
    s->line = patch_line_take(&s->rest);
    s->number++;
    return true;
}

/* Empty at the end. */
static struct str peek_line(const struct scanner *s)
{
    struct str rest = s->rest;
    return rest.len != 0 ? patch_line_take(&rest) : rest;
}

/* `line` is not what the format requires here. */
static bool refuse_line(struct scanner *s, size_t number, struct str line, const char *what)
{
    if (patch_line_is_coloured(line))
        return err_set(s->err, ERR_UNSUPPORTED,
                       "line %zu: the diff has colours: write it with --no-color", number);
    int len = (int)(line.len < QUOTED_LEN ? line.len : QUOTED_LEN);
    return err_set(s->err, ERR_FORMAT, "line %zu: %s: \"%.*s\"", number, what, len, line.text);
}

static bool refuse_combined(struct scanner *s)
{
    return err_set(s->err, ERR_UNSUPPORTED,
                   "line %zu: a combined diff (of a merge): give a diff between two states",
                   s->number);
}

/* Errors of patch_name do not know the line number. */
static bool fail_here(struct scanner *s)
{
    err_prefix(s->err, "line %zu", s->number);
    return false;
}

/* --- files ------------------------------------------------------------------------------------ */

static bool fill_lines(struct scanner *s)
{
    struct patch_file *file = &s->file;
    file->lines = ARENA_NEW(s->arena, struct patch_lines, file->hunk_count, s->err);
    if (file->lines == NULL)
        return false;
    for (uint32_t i = 0; i < file->hunk_count; i++) {
        const struct patch_hunk *hunk = &file->hunks[i];
        uint32_t last = hunk->new_start + hunk->new_count - 1;
        if (hunk->new_count == 0)
            continue;
        if (file->line_count != 0 && file->lines[file->line_count - 1].last + 1 == hunk->new_start)
            file->lines[file->line_count - 1].last = last;
        else
            file->lines[file->line_count++] = (struct patch_lines){hunk->new_start, last};
    }
    return true;
}

/* Without a mode, git writes a submodule whose commit is the same, but whose files are not:
 * "-Subproject commit ID", "+Subproject commit ID-dirty". */
static bool is_dirty_submodule(const struct list *hunks)
{
    const struct patch_hunk *hunk = hunks->items;
    return hunks->count == 1 && hunk->old_start == 1 && hunk->old_count == 1 &&
           hunk->new_count == 1 && str_starts(hunk->text, "-Subproject commit ") &&
           str_ends(hunk->text, "-dirty");
}

/* A file that no line names has no hunks and owes nothing. */
static bool finish_file(struct scanner *s)
{
    bool is_named = s->has_file && s->file.path.len != 0;
    s->has_file = false;
    if (!is_named)
        return true;
    s->file.is_submodule = s->file.is_submodule || is_dirty_submodule(&s->hunks);
    if (s->hunks.count != 0 && !s->file.is_submodule && !s->file.is_link) {
        s->file.hunks = s->hunks.items;
        s->file.hunk_count = s->hunks.count;
        if (!fill_lines(s))
            return false;
    }
    if (s->file.kind == PATCH_ADDED)
        s->file.old_path.len = 0;
    return list_put(&s->files, &s->file, sizeof s->file, s->arena, s->err);
}

static bool begin_patch_file(struct scanner *s)
{
    if (!finish_file(s))
        return false;
    s->file = (struct patch_file){
        .path = {s->rest.text, 0}, .old_path = {s->rest.text, 0}, .place = s->number};
    s->has_file = true;
    s->is_diff = true;
    s->in_header = false;
    s->has_names = false;
    s->hunks = (struct list){.items = NULL};
    s->old_line = 1;
    s->new_line = 1;
    return true;
}

/* --- headers ---------------------------------------------------------------------------------- */

/* The submodule's files follow its line: the first file outside ends them. */
static bool enter_submodule(struct scanner *s, struct str names)
{
    struct patch_file *files = s->files.items;
    s->in_submodule = false;
    if (s->submodule.len == 0)
        return true;
    if (!patch_name_pair_below(&s->in_submodule, names, s->submodule, s->arena, s->err))
        return fail_here(s);
    if (s->in_submodule)
        files[s->submodule_place].has_contents = true;
    else
        s->submodule.len = 0;
    return true;
}

static bool read_git_header(struct scanner *s, struct str names)
{
    if (!begin_patch_file(s) || !enter_submodule(s, names))
        return false;
    s->in_header = true;
    if (!patch_name_read_pair(&s->file.path, names, s->arena, s->err))
        return fail_here(s);
    s->file.old_path = s->file.path;
    return true;
}

static bool read_file_name(struct scanner *s, struct str *out, struct str text,
                           enum patch_kind kind)
{
    s->file.kind = kind;
    if (!patch_name_read(out, text, s->arena, s->err))
        return fail_here(s);
    if (s->in_submodule && out->len != 0)
        return path_join(out, s->submodule, *out, s->arena, s->err);
    return out->len != 0 || refuse_line(s, s->number, s->line, "a file without a name");
}

/* `*known`: whether the line belongs to the extended header. */
static bool read_header_line(struct scanner *s, bool *known)
{
    struct str rest = s->line;
    *known = true;
    if (str_take(&rest, "rename from "))
        return read_file_name(s, &s->file.old_path, rest, PATCH_RENAMED);
    if (str_take(&rest, "rename to "))
        return read_file_name(s, &s->file.path, rest, PATCH_RENAMED);
    if (str_take(&rest, "copy from "))
        return read_file_name(s, &s->file.old_path, rest, PATCH_COPIED);
    if (str_take(&rest, "copy to "))
        return read_file_name(s, &s->file.path, rest, PATCH_COPIED);
    bool has_mode = true;
    if (str_take(&rest, "new file mode "))
        s->file.kind = PATCH_ADDED;
    else if (str_take(&rest, "deleted file mode "))
        s->file.kind = PATCH_DELETED;
    else
        has_mode = str_take(&rest, "old mode ") || str_take(&rest, "new mode ") ||
                   str_take(&rest, "index ");
    s->file.is_submodule =
        s->file.is_submodule || (has_mode && patch_line_has_mode(rest, SUBMODULE_MODE));
    s->file.is_link = s->file.is_link || (has_mode && patch_line_has_mode(rest, LINK_MODE));
    *known =
        has_mode || str_take(&rest, "similarity index ") || str_take(&rest, "dissimilarity index ");
    return true;
}

static void set_names(struct scanner *s, struct str old_name, struct str new_name)
{
    bool is_new = str_is(old_name, "/dev/null"), is_gone = str_is(new_name, "/dev/null");
    if (is_new || is_gone)
        s->file.kind = is_new ? PATCH_ADDED : PATCH_DELETED;
    if (s->file.path.len != 0)
        return;
    if (is_new)
        old_name = new_name = patch_name_strip_one(new_name);
    else if (is_gone)
        old_name = new_name = patch_name_strip_one(old_name);
    else
        patch_name_strip(&old_name, &new_name);
    s->file.old_path = old_name;
    s->file.path = new_name;
}

/* At `--- ` followed by `+++ `: belongs to the header above if the reader is still in it. */
static bool read_names(struct scanner *s)
{
    struct str old_name, new_name;
    if (!s->in_header && !begin_patch_file(s))
        return false;
    s->in_header = false;
    s->has_names = true;
    if (!patch_name_read(&old_name, str_from(s->line, strlen("--- ")), s->arena, s->err))
        return fail_here(s);
    (void)next_patch_line(s);
    if (!patch_name_read(&new_name, str_from(s->line, strlen("+++ ")), s->arena, s->err))
        return fail_here(s);
    struct str name = str_is(new_name, "/dev/null") ? old_name : new_name;
    if (name.len == 0 || (s->file.path.len != 0 && !patch_name_is_of(name, s->file.path)))
        return refuse_line(s, s->number, s->line, "not the file named above");
    set_names(s, old_name, new_name);
    if (str_starts(peek_line(s), "@@ "))
        return true;
    return refuse_line(s, s->number + 1, peek_line(s), "no hunk after the names of a file");
}

/* A plain diff, or a git diff whose name is not known yet. */
static bool read_binary(struct scanner *s, struct str names)
{
    if (!s->in_header && !begin_patch_file(s))
        return false;
    s->in_header = false;
    s->file.is_binary = true;
    const char *between = memmem(names.text, names.len, " and ", strlen(" and "));
    if (between == NULL || s->file.path.len != 0)
        return true;
    struct str old_name, new_name, first = {names.text, (size_t)(between - names.text)};
    if (!patch_name_read(&old_name, first, s->arena, s->err) ||
        !patch_name_read(&new_name, str_from(names, first.len + strlen(" and ")), s->arena, s->err))
        return fail_here(s);
    set_names(s, old_name, new_name);
    return true;
}

/* --- hunks ------------------------------------------------------------------------------------ */

static bool is_in_limit(const struct patch_side *side)
{
    return side->first <= FACT_LINE_LIMIT && side->count <= FACT_LINE_LIMIT - side->first;
}

static bool read_hunk_header(struct scanner *s, struct patch_side *old, struct patch_side *new)
{
    if (!patch_line_is_hunk(old, new, s->line))
        return refuse_line(s, s->number, s->line, "not a hunk header");
    if (!is_in_limit(old) || !is_in_limit(new))
        return err_set(s->err, ERR_LIMIT, "line %zu: a hunk goes past line %d", s->number,
                       FACT_LINE_LIMIT - 1);
    if (old->first < s->old_line || new->first < s->new_line)
        return refuse_line(s, s->number, s->line, "a hunk begins before the last one ends");
    s->old_line = old->first;
    s->new_line = new->first;
    return true;
}

/* The change that the next line belongs to: the last one, if it ends here. */
static struct patch_hunk *change_here(struct scanner *s)
{
    struct patch_hunk *last = s->hunks.items;
    if (s->hunks.count != 0) {
        last += s->hunks.count - 1;
        if (last->old_start + last->old_count == s->old_line &&
            last->new_start + last->new_count == s->new_line)
            return last;
    }
    struct patch_hunk *hunk = list_add(&s->hunks, sizeof *hunk, s->arena, s->err);
    if (hunk != NULL)
        *hunk = (struct patch_hunk){.old_start = s->old_line, .new_start = s->new_line};
    return hunk;
}

static bool read_hunk_line(struct scanner *s, struct patch_side *old, struct patch_side *new)
{
    bool is_old = str_starts(s->line, "-"), is_new = str_starts(s->line, "+");
    if (str_starts(s->line, "\\"))
        return true; /* No newline at end of file */
    if ((!is_old && !is_new && !patch_line_is_context(s->line)) || (!is_new && old->count == 0) ||
        (!is_old && new->count == 0))
        return refuse_line(s, s->number, s->line, "not a line that the hunk's header counts");
    if (is_old || is_new) {
        struct patch_hunk *hunk = change_here(s);
        if (hunk == NULL)
            return false;
        hunk->old_count += is_old;
        hunk->new_count += is_new;
        if (hunk->text.len == 0)
            hunk->text = s->line;
        hunk->text.len = (size_t)(s->line.text + s->line.len - hunk->text.text);
    }
    old->count -= !is_new;
    new->count -= !is_old;
    s->old_line += !is_new;
    s->new_line += !is_old;
    return true;
}

static bool read_hunk(struct scanner *s)
{
    struct patch_side old, new;
    size_t header = s->number;
    if (!s->has_names)
        return refuse_line(s, s->number, s->line, "a hunk without a file");
    if (!read_hunk_header(s, &old, &new))
        return false;
    while (old.count != 0 || new.count != 0) {
        if (!next_patch_line(s))
            return err_set(s->err, ERR_FORMAT, "line %zu: the diff ends in the hunk of line %zu",
                           s->number, header);
        if (!read_hunk_line(s, &old, &new))
            return false;
    }
    if (patch_line_is_surplus(peek_line(s)))
        return refuse_line(s, s->number + 1, peek_line(s),
                           "not a line that the hunk's header counts");
    return true;
}

/* --- the whole -------------------------------------------------------------------------------- */

/* What changed in it is known if its commits are, and no list of them follows in place of a diff,
 * as with diff.submodule=log. */
static bool read_submodule(struct scanner *s, struct str path, struct str says)
{
    struct str next = peek_line(s);
    if (path.len >= PATH_ROOM)
        return err_set(s->err, ERR_LIMIT, "line %zu: a name of %zu bytes, more than %d", s->number,
                       path.len, PATH_ROOM - 1);
    if (!begin_patch_file(s))
        return false;
    s->file.path = s->file.old_path = path;
    s->file.is_submodule = true;
    s->file.has_contents =
        str_ends(says, ":") && !str_starts(next, "  > ") && !str_starts(next, "  < ");
    if (str_is(says, " (new submodule)"))
        s->file.kind = PATCH_ADDED;
    else if (str_is(says, " (submodule deleted)"))
        s->file.kind = PATCH_DELETED;
    s->submodule = path;
    s->submodule_place = s->files.count;
    return finish_file(s);
}

static bool read_patch_line(struct scanner *s)
{
    struct str rest = s->line, path, says;
    bool known = false;
    if (str_take(&rest, "diff --git "))
        return read_git_header(s, rest);
    if (str_starts(rest, "@@@ ") || str_starts(rest, "diff --cc ") ||
        str_starts(rest, "diff --combined "))
        return refuse_combined(s);
    if (str_starts(rest, "--- ") && str_starts(peek_line(s), "+++ "))
        return read_names(s);
    if (str_starts(rest, "@@ "))
        return read_hunk(s);
    if (patch_line_is_binary(&rest, rest))
        return read_binary(s, rest);
    if (patch_line_is_coloured(rest))
        return refuse_line(s, s->number, rest, "");
    if (s->in_header && !read_header_line(s, &known))
        return false;
    if (s->in_header && str_starts(rest, "--- "))
        return refuse_line(s, s->number + 1, peek_line(s), "not the new name of a file");
    s->file.is_binary = s->file.is_binary || (s->in_header && str_starts(rest, "GIT binary patch"));
    s->in_header = s->in_header && known;
    if (patch_line_is_submodule(&path, &says, rest))
        return read_submodule(s, path, says);
    s->is_diff = s->is_diff || patch_line_is_untracked(rest);
    return true;
}

ORDER(order_patch_files, struct patch_file,
      BY(path) BY_ORDER((a->kind == PATCH_DELETED) - (b->kind == PATCH_DELETED)) BY(place))

static bool refuse_twice(const struct patch_file *a, const struct patch_file *b, struct str path,
                         struct err *err)
{
    bool in_order = a->place < b->place;
    return err_set(err, ERR_UNSUPPORTED,
                   "line %zu: %.*s was changed on line %zu already, and several diffs of one file "
                   "cannot be combined: give one diff from the first state to the last",
                   in_order ? b->place : a->place, STR_ARGS(path), in_order ? a->place : b->place);
}

/* Several lines may name a submodule: that it changed, and what changed in it. */
static void join_submodules(struct patch *patch)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < patch->file_count; i++) {
        const struct patch_file *file = &patch->files[i];
        struct patch_file *last = kept != 0 ? &patch->files[kept - 1] : NULL;
        if (last != NULL && last->is_submodule && file->is_submodule &&
            str_eq(last->path, file->path))
            last->has_contents |= file->has_contents;
        else
            patch->files[kept++] = *file;
    }
    patch->file_count = kept;
}

/* In one diff, a path is the new name of one file only; renamed and deleted files are gone.
 * Exception: a file replaced by a link or submodule is deleted and added. */
static bool check_paths(const struct patch *patch, struct err *err)
{
    for (uint32_t i = 0; i < patch->file_count; i++) {
        const struct patch_file *file = &patch->files[i], *next = file + 1;
        if (i + 1 < patch->file_count && str_eq(file->path, next->path) &&
            (next->kind != PATCH_DELETED || file->kind == PATCH_DELETED))
            return refuse_twice(file, next, file->path, err);
        if (file->kind != PATCH_RENAMED && file->kind != PATCH_DELETED)
            continue;
        const struct patch_file *other = patch_find(patch, file->old_path);
        if (other != NULL && other != file &&
            (file->kind == PATCH_RENAMED || other->kind != PATCH_ADDED))
            return refuse_twice(file, other, file->old_path, err);
    }
    return true;
}

static bool read_patch(struct scanner *s)
{
    while (next_patch_line(s)) {
        if (s->first_number == 0 && s->line.len != 0) {
            s->first = s->line;
            s->first_number = s->number;
        }
        if (!read_patch_line(s))
            return false;
    }
    if (!finish_file(s))
        return false;
    return s->is_diff || s->first_number == 0 ||
           refuse_line(s, s->first_number, s->first, "this is not a unified diff");
}

bool patch_read(struct patch *out, struct view diff, struct arena *arena, struct err *err)
{
    struct str text = {(const char *)diff.data, diff.len};
    *out = (struct patch){.files = NULL};
    if (str_starts(text, "\xFF\xFE") || str_starts(text, "\xFE\xFF"))
        return err_set(err, ERR_UNSUPPORTED,
                       "line 1: the diff is UTF-16, as PowerShell writes it: use 'git diff "
                       "--output=FILE'");
    (void)str_take(&text, "\xEF\xBB\xBF");
    struct scanner s = {.rest = text, .arena = arena, .err = err};
    if (!read_patch(&s))
        return false;
    struct patch patch = {s.files.items, s.files.count};
    sort_unless_sorted(patch.files, patch.file_count, sizeof *patch.files, order_patch_files);
    join_submodules(&patch);
    if (!check_paths(&patch, err))
        return false;
    *out = patch;
    return true;
}

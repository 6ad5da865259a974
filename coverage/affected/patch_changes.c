#include "coverage/affected/patch_changes.h"

#include <string.h>

#include "base/path.h"
#include "coverage/affected/body_text.h"
#include "coverage/facts/test_name.h"
#include "coverage/source/paths.h"
#include "metadata/names.h"

struct reading {
    struct build_changes *changes;
    const struct patch_rules *rules;
    struct err *err;
};

/* --- files ------------------------------------------------------------------------------------ */

static bool is_ignored(const struct reading *r, struct str path)
{
    return paths_match_any(r->rules->ignore, r->rules->ignore_count, path);
}

static bool is_source(struct str path)
{
    return str_ends(path, ".cs") || str_ends(path, ".vb") || str_ends(path, ".fs");
}

static enum language language_of_path(struct str path)
{
    return str_ends(path, ".cs")   ? LANGUAGE_CSHARP
           : str_ends(path, ".vb") ? LANGUAGE_VISUAL_BASIC
                                   : LANGUAGE_FSHARP;
}

static struct str name_of(struct str path)
{
    return str_from(path, path_dir(path).len != 0 ? path_dir(path).len + 1 : 0);
}

/* A file that a build copied beside its assemblies may be read by tests. */
static bool is_input(const struct facts *base, struct str name)
{
    for (uint32_t i = 0; i < base->input_count; i++)
        if (str_eq(name_of(base->inputs[i].path), name))
            return true;
    return false;
}

static bool is_for_people(const struct facts *base, struct str path)
{
    struct str name = name_of(path);
    return (str_ends(name, ".md") || str_starts(name, "LICENSE") || str_is(name, ".gitignore") ||
            str_is(name, ".gitattributes") || str_is(name, ".editorconfig")) &&
           !is_input(base, name);
}

static bool note_other(struct reading *r, struct str path, const char *what)
{
    return is_ignored(r, path) || is_for_people(&r->changes->base, path) ||
           build_changes_add_all(r->changes, r->err, "%.*s %s", STR_ARGS(path), what);
}

static const char *fate_of(const struct patch_file *file)
{
    return file->kind == PATCH_ADDED || file->kind == PATCH_COPIED ? "is new"
           : file->kind == PATCH_DELETED                           ? "is gone"
                                                                   : "changed";
}

/* A file that is no source on either side, or only on one. */
static bool read_other(struct reading *r, const struct patch_file *file)
{
    if (file->is_submodule && file->has_contents) /* its files are in the patch */
        return true;
    bool renamed = file->kind == PATCH_RENAMED;
    if (renamed && !note_other(r, file->old_path, "was renamed"))
        return false;
    return note_other(r, file->path, renamed ? "is new" : fate_of(file));
}

/* --- methods ---------------------------------------------------------------------------------- */

/* Where a method of the user is in a document; `first` 0: nowhere. */
struct extent {
    uint32_t first, last;
    uint32_t start_column, end_column;
};

/* A document of BASE, in one of the modules that it was compiled into. */
struct source {
    struct reading *reading;
    uint32_t module, document;
    struct str path;
    enum language language;
    struct extent *extents; /* per method of the module */
    uint32_t open;          /* the method whose braces do not match yet; or NO_INDEX */
    uint32_t open_line;
    int depth; /* of it (body_text.h) */
};

static const struct fact_module *module_of(const struct source *s)
{
    return &s->reading->changes->base.modules[s->module];
}

static void add_span(struct extent *extent, const struct fact_statement *span)
{
    if (extent->first == 0 || span->start_line < extent->first ||
        (span->start_line == extent->first && span->start_column < extent->start_column)) {
        extent->first = span->start_line;
        extent->start_column = span->start_column;
    }
    if (span->end_line > extent->last ||
        (span->end_line == extent->last && span->end_column > extent->end_column)) {
        extent->last = span->end_line;
        extent->end_column = span->end_column;
    }
}

static bool is_brace(const struct fact_statement *span)
{
    return span->start_line == span->end_line && span->end_column == span->start_column + 1;
}

static bool is_static_constructor(const struct fact_method *method)
{
    return str_is(method->name, ".cctor");
}

/* `whole`: initialisers of fields belong to a constructor, too. */
static bool find_extents(struct source *s, bool whole)
{
    const struct fact_module *module = module_of(s);
    struct arena *arena = s->reading->changes->arena;
    s->extents = ARENA_NEW(arena, struct extent, module->method_count, s->reading->err);
    for (uint32_t i = 0; s->extents != NULL && i < module->statement_count; i++) {
        const struct fact_statement *statement = &module->statements[i];
        uint32_t user = module->methods[statement->method].user_method;
        const struct fact_method *method = &module->methods[user];
        if (statement->document != s->document || is_static_constructor(method))
            continue;
        if (whole || !str_is(method->name, ".ctor") ||
            (statement->method == user && is_brace(statement)))
            add_span(&s->extents[user], statement);
    }
    return s->extents != NULL;
}

/* The static constructor one of whose statements is on the line; NO_INDEX: none. */
static uint32_t static_constructor_at(const struct source *s, uint32_t line)
{
    const struct fact_module *module = module_of(s);
    for (uint32_t i = 0; i < module->statement_count; i++) {
        const struct fact_statement *statement = &module->statements[i];
        uint32_t user = module->methods[statement->method].user_method;
        if (statement->document == s->document && line >= statement->start_line &&
            line <= statement->end_line && is_static_constructor(&module->methods[user]))
            return user;
    }
    return NO_INDEX;
}

/* A line of several methods: what is between them declares them. */
#define SHARED (UINT32_MAX - 1)

/* The method of a line, or of the place before it, where lines come; NO_INDEX: none. */
static uint32_t method_at(const struct source *s, uint32_t line, bool is_between)
{
    uint32_t found = NO_INDEX;
    for (uint32_t i = 0; i < module_of(s)->method_count; i++) {
        const struct extent *extent = &s->extents[i];
        if (extent->first == 0 || line < extent->first + is_between || line > extent->last)
            continue;
        found = found == NO_INDEX ? i : SHARED;
    }
    return found;
}

/* --- what changed ----------------------------------------------------------------------------- */

static uint32_t add_change(struct build_changes *c, struct str text, struct err *err)
{
    const struct build_change *list = c->list.items;
    for (uint32_t i = 0; i < c->list.count; i++)
        if (str_eq(list[i].text, text))
            return i; /* the same in another build of the assembly */
    return build_changes_add(c, err, "%.*s", STR_ARGS(text));
}

static bool note_method(struct source *s, uint32_t method, uint32_t line, const char *what)
{
    struct build_changes *c = s->reading->changes;
    const struct fact_module *module = module_of(s);
    struct str name, text;
    struct err *err = s->reading->err;
    if (!fact_display_text(&name, fact_method_display(&module->methods[method]), c->arena, err) ||
        !text_format(&text, c->arena, err, "%.*s:%u %s, in %.*s", STR_ARGS(s->path), line, what,
                     STR_ARGS(name)))
        return false;
    for (uint32_t i = 0; i < module->method_count; i++)
        if (module->methods[i].user_method == method &&
            module->methods[i].state == METHOD_REFUSED && module->state != MODULE_NOT_LOADED)
            return build_changes_add_all(c, err, "%.*s, which was not measured", STR_ARGS(text));
    uint32_t change = add_change(c, text, err);
    if (change != NO_INDEX)
        build_changes_mark_method(c, s->module, method, change);
    return change != NO_INDEX;
}

static bool note_outside(struct source *s, uint32_t line)
{
    struct build_changes *c = s->reading->changes;
    uint32_t constructor = s->extents != NULL ? static_constructor_at(s, line) : NO_INDEX;
    if (constructor != NO_INDEX)
        return build_changes_add_all(
            c, s->reading->err, "%.*s:%u changed, in the static constructor of %.*s",
            STR_ARGS(s->path), line, STR_ARGS(module_of(s)->methods[constructor].type));
    return build_changes_add_all(c, s->reading->err,
                                 "%.*s:%u is outside of methods: a declaration may have changed",
                                 STR_ARGS(s->path), line);
}

/* --- hunks ------------------------------------------------------------------------------------ */

/* Lines from `line` on became others. */
struct edit {
    uint32_t line;
    struct str *was, *now;
    uint32_t was_count, now_count;
};

static bool is_empty(const struct source *s, const struct str *lines, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!body_text_is_empty(lines[i], s->language))
            return false;
    return true;
}

/* Ends what was said of a method: are all braces that it opened closed? */
static bool close_method(struct source *s)
{
    bool is_open = s->open != NO_INDEX && s->depth != 0;
    s->open = NO_INDEX;
    return !is_open || note_outside(s, s->open_line);
}

static bool stays_in_body(struct source *s, const struct edit *edit, uint32_t method)
{
    const struct extent *extent = &s->extents[method];
    struct body_edit body = {.was = edit->was,
                             .now = edit->now,
                             .was_count = edit->was_count,
                             .now_count = edit->now_count,
                             .first = BODY_ELSEWHERE,
                             .last = BODY_ELSEWHERE,
                             .start_column = extent->start_column,
                             .end_column = extent->end_column};
    if (extent->first >= edit->line && extent->first - edit->line < edit->was_count)
        body.first = extent->first - edit->line;
    if (extent->last >= edit->line && extent->last - edit->line < edit->was_count)
        body.last = extent->last - edit->line;
    s->open_line = edit->line;
    return body_text_stays(&body, s->language, &s->depth);
}

/* The only method whose lines these are, apart from comments around it; NO_INDEX: there is none,
 * and `*line` is another. */
static uint32_t method_of(const struct source *s, const struct edit *edit, uint32_t *line)
{
    uint32_t method = edit->was_count == 0 ? method_at(s, edit->line, true) : NO_INDEX;
    *line = edit->line;
    for (uint32_t i = 0; i < edit->was_count; i++) {
        uint32_t here = method_at(s, edit->line + i, false);
        if (here == NO_INDEX && body_text_is_empty(edit->was[i], s->language))
            continue;
        if (here >= SHARED || (method != NO_INDEX && method != here)) {
            *line = edit->line + i;
            return here == NO_INDEX ? NO_INDEX : SHARED;
        }
        method = here;
    }
    return method;
}

static bool judge(struct source *s, const struct edit *edit)
{
    uint32_t line = edit->line;
    uint32_t method = s->extents != NULL ? method_of(s, edit, &line) : NO_INDEX;
    if (method == SHARED && edit->was_count == edit->now_count && edit->was_count > 1) {
        for (uint32_t i = 0; i < edit->was_count; i++) {
            const struct edit one = {edit->line + i, edit->was + i, edit->now + i, 1, 1};
            if (!judge(s, &one))
                return false;
        }
        return true;
    }
    if (method != s->open && !close_method(s))
        return false;
    if (method >= SHARED)
        return (is_empty(s, edit->was, edit->was_count) &&
                is_empty(s, edit->now, edit->now_count)) ||
               note_outside(s, line);
    if (s->open == NO_INDEX)
        s->depth = 0;
    s->open = method;
    if (stays_in_body(s, edit, method))
        return note_method(s, method, line, "changed");
    s->depth = 0;
    return note_outside(s, line);
}

static bool read_texts(struct str **out, uint32_t count, const struct patch_hunk *hunk, char side,
                       struct arena *arena, struct err *err)
{
    struct str rest = hunk->text;
    *out = ARENA_NEW(arena, struct str, count, err);
    for (uint32_t i = 0; *out != NULL && i < count; i++)
        if (!patch_next_text(&(*out)[i], &rest, side))
            (*out)[i] = STR("");
    return *out != NULL;
}

static bool read_hunks(struct source *s, const struct patch_file *file)
{
    struct arena *arena = s->reading->changes->arena;
    struct err *err = s->reading->err;
    for (uint32_t i = 0; i < file->hunk_count; i++) {
        const struct patch_hunk *hunk = &file->hunks[i];
        struct edit edit = {
            .line = hunk->old_start, .was_count = hunk->old_count, .now_count = hunk->new_count};
        if (!read_texts(&edit.was, edit.was_count, hunk, '-', arena, err) ||
            !read_texts(&edit.now, edit.now_count, hunk, '+', arena, err) || !judge(s, &edit))
            return false;
    }
    return close_method(s);
}

/* --- sources ---------------------------------------------------------------------------------- */

/* Does the text declare something for code of other files? */
static bool reaches_others(const struct patch_file *file)
{
    static const char *const words[] = {"partial ", "Partial ", "global ", "assembly", "module"};
    for (uint32_t i = 0; i < file->hunk_count; i++)
        for (size_t k = 0; k < ARRAY_LEN(words); k++)
            if (memmem(file->hunks[i].text.text, file->hunks[i].text.len, words[k],
                       strlen(words[k])) != NULL)
                return true;
    return false;
}

static bool note_static_constructors(struct source *s)
{
    const struct fact_module *module = module_of(s);
    for (uint32_t i = 0; i < module->statement_count; i++) {
        const struct fact_statement *statement = &module->statements[i];
        const struct fact_method *user =
            &module->methods[module->methods[statement->method].user_method];
        if (statement->document == s->document && is_static_constructor(user) &&
            !build_changes_add_all(s->reading->changes, s->reading->err,
                                   "%.*s is gone, with the static constructor of %.*s",
                                   STR_ARGS(s->path), STR_ARGS(user->type)))
            return false;
    }
    return true;
}

static bool read_deleted(struct source *s, bool *has_methods)
{
    if (!note_static_constructors(s))
        return false;
    for (uint32_t i = 0; i < module_of(s)->method_count; i++) {
        if (s->extents[i].first == 0)
            continue;
        *has_methods = true;
        if (!note_method(s, i, s->extents[i].first, "is gone"))
            return false;
    }
    return true;
}

/* In each module that it was compiled into. */
static bool read_document(struct reading *r, const struct patch_file *file, bool *has_methods)
{
    struct source s = {.reading = r,
                       .path = file->old_path,
                       .language = language_of_path(file->old_path),
                       .open = NO_INDEX};
    bool is_known = false;
    for (s.module = 0; s.module < r->changes->base.module_count; s.module++) {
        const struct fact_module *module = module_of(&s);
        for (s.document = 0; s.document < module->document_count; s.document++) {
            if (!str_eq(module->documents[s.document].relative, file->old_path))
                continue;
            is_known = true;
            bool is_gone = file->kind == PATCH_DELETED;
            if (!find_extents(&s, is_gone) ||
                !(is_gone ? read_deleted(&s, has_methods) : read_hunks(&s, file)))
                return false;
        }
    }
    s.extents = NULL;
    return is_known || file->kind == PATCH_DELETED || read_hunks(&s, file);
}

static bool read_source(struct reading *r, const struct patch_file *file)
{
    struct build_changes *c = r->changes;
    bool has_methods = false;
    if (is_ignored(r, file->path))
        return true;
    if (file->kind == PATCH_ADDED || file->kind == PATCH_COPIED)
        return build_changes_add_all(c, r->err, "%.*s is new: it may have tests and overrides",
                                     STR_ARGS(file->path));
    if (file->is_binary || file->is_link || file->is_submodule)
        return build_changes_add_all(c, r->err,
                                     "%.*s changed, and the patch does not say which lines",
                                     STR_ARGS(file->path));
    if (file->kind == PATCH_RENAMED && !str_eq(path_dir(file->path), path_dir(file->old_path)) &&
        !build_changes_add_all(c, r->err, "%.*s was in another folder, maybe of another project",
                               STR_ARGS(file->path)))
        return false;
    if (!read_document(r, file, &has_methods))
        return false;
    return file->kind != PATCH_DELETED || (has_methods && !reaches_others(file)) ||
           build_changes_add_all(c, r->err, "%.*s is gone, with what it declared",
                                 STR_ARGS(file->path));
}

/* Is it a source on both sides, of one language? */
static bool is_source_file(const struct patch_file *file)
{
    return is_source(file->path) && (file->old_path.len == 0 || (is_source(file->old_path) &&
                                                                 language_of_path(file->old_path) ==
                                                                     language_of_path(file->path)));
}

bool patch_changes_add_files(struct build_changes *changes, const struct patch_rules *rules,
                             struct err *err)
{
    struct reading r = {changes, rules, err};
    for (uint32_t i = 0; i < rules->patch->file_count; i++)
        if (!is_source_file(&rules->patch->files[i]) && !read_other(&r, &rules->patch->files[i]))
            return false;
    return true;
}

bool patch_changes_find(struct build_changes *out, const struct facts *base,
                        const struct patch_rules *rules, struct arena *arena, struct err *err)
{
    struct reading r = {out, rules, err};
    if (!build_changes_open(out, base, arena, err) || !patch_changes_add_files(out, rules, err))
        return false;
    for (uint32_t i = 0; i < rules->patch->file_count; i++)
        if (is_source_file(&rules->patch->files[i]) && !read_source(&r, &rules->patch->files[i]))
            return false;
    return true;
}

/* --- tests ------------------------------------------------------------------------------------ */

static bool was_deleted(const struct patch *patch, struct str path)
{
    for (uint32_t i = 0; i < patch->file_count; i++)
        if (patch->files[i].kind == PATCH_DELETED && str_eq(patch->files[i].old_path, path))
            return true;
    return false;
}

/* Is a test's method declared, and only in sources that went? */
static bool went(const struct build_changes *c, const struct patch *patch, struct str class,
                 struct str method)
{
    bool found = false;
    for (uint32_t m = 0; m < c->base.module_count; m++) {
        const struct fact_module *module = &c->base.modules[m];
        for (uint32_t i = 0; c->is_test_code[m] && i < module->statement_count; i++) {
            const struct fact_statement *statement = &module->statements[i];
            const struct fact_method *of =
                &module->methods[module->methods[statement->method].user_method];
            if (!str_eq(of->name, method) || !name_is_full(class, of->type))
                continue;
            if (!was_deleted(patch, module->documents[statement->document].relative))
                return false;
            found = true;
        }
    }
    return found;
}

static bool has_deleted(const struct patch *patch)
{
    for (uint32_t i = 0; i < patch->file_count; i++)
        if (patch->files[i].kind == PATCH_DELETED && is_source(patch->files[i].path))
            return true;
    return false;
}

bool patch_changes_tests(struct new_tests *out, const struct build_changes *changes,
                         const struct patch_rules *rules, struct err *err)
{
    const struct facts *base = &changes->base;
    bool some_went = has_deleted(rules->patch);
    *out = (struct new_tests){
        .items = ARENA_NEW(changes->arena, struct new_test, base->test_count, err)};
    for (uint32_t i = 0; out->items != NULL && i < base->test_count; i++) {
        struct str name = base->tests[i].name;
        struct str class = test_name_class(name);
        if (base->tests[i].kind == TEST_METHOD &&
            (!some_went || !went(changes, rules->patch, class, test_name_method(name))))
            out->items[out->count++] = (struct new_test){.name = name, .class = class};
    }
    new_tests_sort(out);
    return out->items != NULL;
}

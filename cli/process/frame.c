#include "cli/process/frame.h"

#include <stdio.h>
#include <string.h>

#include "base/hex.h"
#include "base/path.h"
#include "contract/session_format.h"
#include "coverage/names/username.h"
#include "coverage/source/paths.h"
#include "coverage/source/symbols.h"
#include "metadata/lookup.h"
#include "reporters/legible.h"
#include "system/file_status.h"

struct opened_module {
    struct str path;
    uint8_t mvid[16];
    bool usable; /* its file is what was loaded */
    struct module module;
};

void frame_open(struct frame_modules *out, const struct process *process, const char *session,
                struct str root, struct arena *arena)
{
    *out = (struct frame_modules){
        .process = process, .session = session, .root = root, .arena = arena};
}

void frame_close(struct frame_modules *modules)
{
    struct opened_module **opened = modules->opened.items;
    for (uint32_t i = 0; i < modules->opened.count; i++)
        if (opened[i]->usable)
            module_close(&opened[i]->module);
}

/* --- modules ---------------------------------------------------------------------------------- */

/* A module without a file has left a copy in the session, if it was instrumented. */
static bool path_of_module(char path[PATH_ROOM], const struct frame_modules *modules,
                           const struct stack_frame *frame)
{
    char mvid[HEX_ROOM(sizeof frame->mvid)], name[sizeof mvid + sizeof SESSION_MODULE];
    if (path_is_absolute(frame->path))
        return process_path(path, PATH_ROOM, modules->process, frame->path.text, NULL);
    (void)snprintf(name, sizeof name, "%s" SESSION_MODULE,
                   hex_of(mvid, frame->mvid, sizeof frame->mvid));
    return path_join_in(path, str_of(modules->session), str_of(name));
}

static void open_frame_module(struct opened_module *opened, const struct frame_modules *modules,
                              const struct stack_frame *frame)
{
    char path[PATH_ROOM];
    if (!path_of_module(path, modules, frame) || !module_open_file(&opened->module, path, NULL))
        return;
    opened->usable = memcmp(opened->module.mvid, opened->mvid, sizeof opened->mvid) == 0;
    if (!opened->usable)
        module_close(&opened->module);
    else if (!symbols_find(&opened->module, path, modules->arena, NULL))
        opened->module.has_pdb = false;
}

static struct opened_module *module_of(struct frame_modules *modules,
                                       const struct stack_frame *frame, struct err *err)
{
    struct opened_module **known = modules->opened.items;
    for (uint32_t i = 0; i < modules->opened.count; i++)
        if (memcmp(known[i]->mvid, frame->mvid, sizeof frame->mvid) == 0 &&
            str_eq(known[i]->path, frame->path))
            return known[i];
    struct opened_module *opened = ARENA_NEW(modules->arena, struct opened_module, 1, err);
    struct opened_module **added =
        opened != NULL ? list_add(&modules->opened, sizeof *added, modules->arena, err) : NULL;
    if (added == NULL)
        return NULL;
    *added = opened;
    opened->path = frame->path;
    memcpy(opened->mvid, frame->mvid, sizeof opened->mvid);
    open_frame_module(opened, modules, frame);
    return opened;
}

/* --- the method ------------------------------------------------------------------------------- */

/* Is it the whole name, and not the beginning of one with a longer number? */
static bool names_machine(struct view blob, struct str name)
{
    const uint8_t *at = name.len != 0 ? memmem(blob.data, blob.len, name.text, name.len) : NULL;
    if (at == NULL)
        return false;
    size_t end = (size_t)(at - blob.data) + name.len;
    return end == blob.len || blob.data[end] < '0' || blob.data[end] > '9';
}

/* The method whose attribute says that its code is in this type; 0: there is none. */
static uint32_t method_of_machine(const struct metadata *md, uint32_t type_rid)
{
    static const char *const attributes[] = {
        "System.Runtime.CompilerServices.AsyncStateMachineAttribute",
        "System.Runtime.CompilerServices.IteratorStateMachineAttribute",
        "System.Runtime.CompilerServices.AsyncIteratorStateMachineAttribute"};
    struct str name = row_string(md, COL_TypeDef_TypeName, type_rid);
    uint32_t around = enclosing_type(md, type_rid);
    if (around == 0)
        return 0;
    struct row_range methods =
        tables_list(&md->tables, COL_TypeDef_MethodList, around, TABLE_MethodDef);
    for (uint32_t rid = methods.first; rid < methods.end; rid++)
        for (size_t i = 0; i < ARRAY_LEN(attributes); i++) {
            struct view value;
            if (has_attribute(md, TOKEN(TABLE_MethodDef, rid), attributes[i], &value) &&
                names_machine(value, name))
                return rid;
        }
    return 0;
}

/* The method that the user wrote, whose code the compiler put there; usually the method itself. */
static uint32_t user_method_of_frame(const struct module *module, uint32_t rid)
{
    const struct metadata *md = &module->md;
    uint32_t user = module->has_pdb ? pdb_kickoff_method(&module->pdb, rid) : 0;
    if (user == 0 && str_is(name_of_member(md, TOKEN(TABLE_MethodDef, rid)), "MoveNext"))
        user = method_of_machine(md, owner_of_method(md, rid));
    return user != 0 && user <= tables_rows(&md->tables, TABLE_MethodDef) ? user : rid;
}

static void add_type_name(struct text *out, struct str name)
{
    for (size_t i = 0; i < name.len; i++)
        text_add(out, name.text[i] == '/' ? STR(".") : (struct str){name.text + i, 1});
}

/* Rows of a type or method. */
static struct row_range generic_parameters(const struct metadata *md, uint32_t token)
{
    const struct tables *t = &md->tables;
    uint32_t owner = coded_from_token(CODED_TYPE_OR_METHOD_DEF, token);
    struct row_range rows = {tables_find(t, COL_GenericParam_Owner, owner), 0};
    for (rows.end = rows.first; rows.first != 0 && rows.end <= tables_rows(t, TABLE_GenericParam) &&
                                tables_get(t, COL_GenericParam_Owner, rows.end) == owner;)
        rows.end++;
    return rows;
}

/* [TKey=Int32,TValue]: the type where it is known */
static void add_generic_parameters(struct text *out, const struct metadata *md,
                                   struct row_range rows, const struct str *arguments)
{
    for (uint32_t row = rows.first; row < rows.end; row++) {
        text_add_c(out, row == rows.first ? "[" : ",");
        text_add(out, row_string(md, COL_GenericParam_Name, row));
        if (arguments != NULL && arguments[row - rows.first].len != 0)
            text_addf(out, "=%.*s", STR_ARGS(arguments[row - rows.first]));
    }
    text_add_c(out, rows.first < rows.end ? "]" : "");
}

/* Takes one type off "A,B<C,D>,E[,])": the part before the comma or bracket that ends it. */
static struct str next_type(struct str *list)
{
    unsigned depth = 0;
    size_t len = 0;
    for (; len < list->len; len++) {
        char c = list->text[len];
        if (depth == 0 && (c == ',' || c == ')'))
            break;
        if (c == '<' || c == '[' || c == '(')
            depth++;
        else if (depth != 0 && (c == '>' || c == ']' || c == ')'))
            depth--;
    }
    struct str type = {list->text, len};
    size_t taken = len < list->len ? len + 1 : len;
    *list = (struct str){list->text + taken, list->len - taken};
    return type;
}

/* "System.Collections.Generic.List`1<System.Int32>[]" is List`1[], as in .NET. */
static void add_short_type(struct text *out, struct str type)
{
    const char *open = type.len != 0 ? memchr(type.text, '<', type.len) : NULL;
    const char *close = open != NULL ? memrchr(type.text, '>', type.len) : NULL;
    size_t end = open != NULL ? (size_t)(open - type.text) : type.len, start = end;
    if (str_starts(type, "method ")) {
        text_add(out, type);
        return;
    }
    while (start != 0 && type.text[start - 1] != '.' && type.text[start - 1] != '/')
        start--;
    text_add(out, (struct str){type.text + start, end - start});
    if (close != NULL) {
        size_t after = (size_t)(close - type.text) + 1;
        text_add(out, (struct str){type.text + after, type.len - after});
    }
}

static struct str parameter_name(const struct metadata *md, uint32_t method_rid, uint32_t number)
{
    const struct tables *t = &md->tables;
    struct row_range rows = tables_list(t, COL_MethodDef_ParamList, method_rid, TABLE_Param);
    for (uint32_t row = rows.first; row < rows.end; row++)
        if (tables_get(t, COL_Param_Sequence, row) == number)
            return row_string(md, COL_Param_Name, row);
    return STR("");
}

static bool add_parameters(struct text *out, const struct metadata *md, uint32_t rid,
                           struct arena *arena)
{
    struct str list;
    if (!name_method_signature(&list, md, rid, arena, NULL))
        return false;
    list = (struct str){list.text + 1, list.len - 1};
    text_add_c(out, "(");
    for (uint32_t number = 1; list.len != 0 && list.text[0] != ')' && list.text[0] != ':';
         number++) {
        struct str type = next_type(&list), name = parameter_name(md, rid, number);
        text_add_c(out, number == 1 ? "" : ", ");
        add_short_type(out, type);
        text_add_c(out, name.len != 0 ? " " : "");
        text_add(out, name);
    }
    text_add_c(out, ")");
    return true;
}

static bool has_known(const struct str *arguments, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (arguments[i].len != 0)
            return true;
    return false;
}

/* False where the metadata does not say. A state machine has the arguments of the type and the
 * method that it was made of. */
static bool add_frame_method(struct text *out, const struct module *module, uint32_t rid,
                             const struct stack_frame *frame, struct arena *arena)
{
    const struct metadata *md = &module->md;
    struct str type, method;
    uint32_t owner = owner_of_method(md, rid);
    struct row_range of_type = generic_parameters(md, TOKEN(TABLE_TypeDef, owner)),
                     of_method = generic_parameters(md, TOKEN(TABLE_MethodDef, rid));
    uint32_t before = of_type.end - of_type.first;
    bool known = frame->argument_count == before + of_method.end - of_method.first;
    if (!username_type(&type, md, owner, arena, NULL) ||
        !username_method(&method, md, rid, arena, NULL))
        return false;
    const char *arity = method.len != 0 ? memrchr(method.text, '`', method.len) : NULL;
    if (arity != NULL)
        method.len = (size_t)(arity - method.text);
    add_type_name(out, type);
    if (known && has_known(frame->arguments, before))
        add_generic_parameters(out, md, of_type, frame->arguments);
    text_add_c(out, ".");
    text_add(out, method);
    add_generic_parameters(out, md, of_method,
                           known && before != frame->argument_count ? frame->arguments + before
                                                                    : NULL);
    return add_parameters(out, md, rid, arena);
}

/* --- the line --------------------------------------------------------------------------------- */

/* The last visible point at or before the offset. */
static const struct seq_point *point_at(const struct seq_points *points,
                                        const struct stack_frame *frame)
{
    const struct seq_point *found = NULL;
    uint32_t end = frame->il_offset;
    for (uint32_t i = 0; i < points->count && points->points[i].il_offset <= end; i++)
        if (!points->points[i].hidden)
            found = &points->points[i];
        else if (frame->is_place)
            found = NULL;
    return found;
}

/* As reports show it: relative to the root, if it is below it. */
static struct str path_below_root(struct frame_modules *modules, struct str document)
{
    enum path_place place;
    struct str relative, full;
    if (!paths_place(&place, &relative, modules->root, document, modules->arena, NULL) ||
        place == PATH_OUTSIDE)
        return document;
    if (place == PATH_MAPPED && (!path_join(&full, modules->root, relative, modules->arena, NULL) ||
                                 !file_exists(full.text)))
        return document;
    return relative;
}

static void add_source_line(struct text *out, struct frame_modules *modules,
                            const struct module *module, const struct stack_frame *frame)
{
    struct seq_points points;
    struct pdb_document document;
    if (!module->has_pdb || frame->il_offset == NO_INDEX ||
        !pdb_sequence_points(&points, &module->pdb, TOKEN_RID(frame->token), modules->arena, NULL))
        return;
    const struct seq_point *point = point_at(&points, frame);
    if (point == NULL ||
        !pdb_read_document(&document, &module->pdb, point->document, modules->arena, NULL))
        return;
    struct str path = path_below_root(modules, document.name);
    text_addf(out, " in %.*s:line %u", STR_ARGS(path), (unsigned)point->start_line);
}

/* --- both ------------------------------------------------------------------------------------- */

static bool add_known(struct text *out, struct frame_modules *modules,
                      const struct opened_module *opened, const struct stack_frame *frame)
{
    uint32_t rid = TOKEN_RID(frame->token);
    if (!opened->usable || TOKEN_TABLE(frame->token) != TABLE_MethodDef || rid == 0 ||
        rid > tables_rows(&opened->module.md.tables, TABLE_MethodDef) ||
        !add_frame_method(out, &opened->module, user_method_of_frame(&opened->module, rid), frame,
                          modules->arena))
        return false;
    add_source_line(out, modules, &opened->module, frame);
    return true;
}

bool frame_text(struct str *out, struct frame_modules *modules, const struct stack_frame *frame,
                struct err *err)
{
    struct opened_module *opened = module_of(modules, frame, err);
    if (opened == NULL)
        return false;
    struct text text = text_in(modules->arena);
    text_add_c(&text, "at ");
    size_t start = text.len;
    if (!add_known(&text, modules, opened, frame)) {
        text.len = start;
        text_add(&text, frame->method);
        text_add_c(&text, "()");
    }
    /* a name may hold anything: it must neither end the line nor control the terminal */
    text.len = legible_defuse(text.data, text.len);
    return text_take(out, &text, err);
}

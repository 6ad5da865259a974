#include "coverage/collect/generated_code.h"

#include "coverage/collect/generated_members.h"
#include "coverage/generated/generated_file.h"
#include "metadata/lookup.h"

/* What the statements of a user's method say, together with those of its lambdas. */
enum {
    IN_TEMPLATE = 1, /* one is where only #line leads */
    IN_FSHARP = 2    /* the compiler itself marks types there that the user could name */
};

struct marking {
    const struct generated_code *code;
    struct marked_members members;
    uint8_t *about;           /* per user's method */
    bool *has_generated_file; /* per row of TypeDef: or a type nested in it has */
};

static void note_file(struct marking *m, uint32_t method_rid)
{
    uint32_t type = owner_of_method(m->code->md, method_rid);
    for (unsigned depth = 0; type != 0 && depth < NESTED_TYPES_MAX; depth++) {
        m->has_generated_file[type] = true;
        type = enclosing_type(m->code->md, type);
    }
}

static void note_statements(struct marking *m)
{
    const struct generated_code *code = m->code;
    for (uint32_t i = 0; i < code->statement_count; i++) {
        const struct fact_statement *statement = &code->statements[i];
        const struct fact_document *document = &code->documents[statement->document];
        uint32_t user = code->methods[statement->method].user_method;
        if (!generated_file_is_source(document->path))
            m->about[user] |= IN_TEMPLATE;
        else if (str_ends(document->path, ".fs"))
            m->about[user] |= IN_FSHARP;
        if (document->generated != NULL)
            note_file(m, TOKEN_RID(code->methods[user].token));
    }
}

static const struct reason *reason_for(const struct marking *m, uint32_t method)
{
    uint32_t type = 0;
    const struct reason *reason =
        marked_members_reason(&type, &m->members, TOKEN_RID(m->code->methods[method].token));
    if (type == 0)
        type = owner_of_method(m->code->md, TOKEN_RID(m->code->methods[method].token));
    if ((m->about[method] & IN_TEMPLATE) != 0 || m->has_generated_file[type])
        return NULL;
    if ((m->about[method] & IN_FSHARP) != 0 && reason_is(reason, REASON_GENERATED_TYPE))
        return NULL;
    return reason;
}

bool generated_code_mark(const struct generated_code *code, struct arena *arena, struct err *err)
{
    struct marking m = {.code = code};
    struct fact_method *methods = code->methods;
    struct arena scratch;
    arena_init(&scratch, NULL, 0, ARENA_NO_LIMIT);
    m.about = ARENA_NEW(&scratch, uint8_t, code->method_count, err);
    m.has_generated_file =
        ARENA_NEW(&scratch, bool, tables_rows(&code->md->tables, TABLE_TypeDef) + 1, err);
    bool ok = m.about != NULL && m.has_generated_file != NULL &&
              generated_members_open(&m.members, code->md, arena, err);
    if (ok)
        note_statements(&m);
    for (uint32_t i = 0; ok && i < code->method_count; i++)
        if (methods[i].user_method == i)
            methods[i].generated = reason_for(&m, i);
    for (uint32_t i = 0; ok && i < code->method_count; i++)
        methods[i].generated = methods[methods[i].user_method].generated;
    arena_free(&scratch);
    return ok;
}

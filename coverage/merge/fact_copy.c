#include "coverage/merge/fact_copy.h"

#include <string.h>

#include "base/bytes.h"

bool fact_copy_text(struct str *text, struct arena *arena, struct err *err)
{
    return text->len == 0 || str_copy(text, *text, arena, err);
}

bool fact_copy_bytes(struct view *bytes, struct arena *arena, struct err *err)
{
    return bytes->len == 0 || view_copy(bytes, *bytes, arena, err);
}

bool fact_copy_arms(struct fact_decision *decision, struct arena *arena, struct err *err)
{
    struct view arms = {decision->arms, decision->arms_len};
    if (!fact_copy_bytes(&arms, arena, err))
        return false;
    decision->arms = arms.data;
    return true;
}

static bool copy_texts(struct fact_module *m, struct arena *arena, struct err *err)
{
    bool ok = fact_copy_text(&m->name, arena, err) && fact_copy_text(&m->path, arena, err) &&
              reason_copy(&m->reason, arena, err);
    for (uint32_t i = 0; ok && i < m->document_count; i++) {
        struct fact_document *document = &m->documents[i];
        ok = fact_copy_text(&document->path, arena, err) &&
             fact_copy_text(&document->relative, arena, err) &&
             reason_copy(&document->reason, arena, err) &&
             reason_copy(&document->generated, arena, err) &&
             fact_copy_bytes(&document->hash, arena, err) &&
             fact_copy_bytes(&document->source, arena, err);
    }
    for (uint32_t i = 0; ok && i < m->method_count; i++) {
        struct fact_method *method = &m->methods[i];
        ok = fact_copy_text(&method->type, arena, err) &&
             fact_copy_text(&method->name, arena, err) &&
             fact_copy_text(&method->signature, arena, err) &&
             fact_copy_text(&method->display.type, arena, err) &&
             fact_copy_text(&method->display.name, arena, err) &&
             fact_copy_text(&method->display.signature, arena, err) &&
             reason_copy(&method->reason, arena, err) &&
             reason_copy(&method->generated, arena, err) &&
             fact_copy_bytes(&method->instructions, arena, err);
    }
    for (uint32_t i = 0; ok && i < m->statement_count; i++)
        ok = reason_copy(&m->statements[i].reason, arena, err) &&
             fact_copy_bytes(&m->statements[i].gaps, arena, err);
    for (uint32_t i = 0; ok && i < m->decision_count; i++)
        ok = reason_copy(&m->decisions[i].reason, arena, err) &&
             fact_copy_arms(&m->decisions[i], arena, err);
    return ok;
}

bool fact_copy_types(struct fact_module *m, struct arena *arena, struct err *err)
{
    m->types = arena_copy(arena, m->types, m->type_count, sizeof *m->types, err);
    bool ok = m->types != NULL;
    for (uint32_t i = 0; ok && i < m->type_count; i++)
        ok = fact_copy_text(&m->types[i].name, arena, err);
    return ok;
}

bool fact_copy_module(struct fact_module *m, struct arena *arena, struct err *err)
{
    m->documents = arena_copy(arena, m->documents, m->document_count, sizeof *m->documents, err);
    m->methods = arena_copy(arena, m->methods, m->method_count, sizeof *m->methods, err);
    m->statements =
        arena_copy(arena, m->statements, m->statement_count, sizeof *m->statements, err);
    m->decisions = arena_copy(arena, m->decisions, m->decision_count, sizeof *m->decisions, err);
    return m->documents != NULL && m->methods != NULL && m->statements != NULL &&
           m->decisions != NULL && copy_texts(m, arena, err) && fact_copy_types(m, arena, err);
}

#include "cli/outcome/sources.h"

#include <string.h>

#include "coverage/source/paths.h"

void sources_open(struct sources *out, const struct facts *facts, struct str root)
{
    *out = (struct sources){.facts = facts, .root = root};
    arena_init(&out->arena, NULL, 0, ARENA_NO_LIMIT);
}

static void close_source(struct sources *s)
{
    source_close(&s->source);
    arena_reset(&s->arena);
}

void sources_close(struct sources *sources)
{
    source_close(&sources->source);
    arena_free(&sources->arena);
}

static const struct fact_document *find_document(const struct sources *s, struct str package,
                                                 struct str path)
{
    for (uint32_t i = 0; i < s->facts->module_count; i++) {
        const struct fact_module *module = &s->facts->modules[i];
        for (uint32_t d = 0; d < module->document_count && str_eq(module->name, package); d++)
            if (str_eq(module->documents[d].relative, path))
                return &module->documents[d];
    }
    return NULL;
}

/* What cannot be had is shown without its text. */
static void open_source(struct sources *s, struct str package, struct str path)
{
    struct str file;
    close_source(s);
    s->package = package;
    s->path = path;
    const struct fact_document *document = find_document(s, package, path);
    if (document == NULL || !paths_below(&file, s->root, path, &s->arena, NULL) ||
        !source_open(&s->source, file.text, document, document->source, &s->arena, NULL))
        s->source = (struct source){.text = {NULL, 0}};
}

struct str sources_line(void *context, struct str package, struct str path, uint32_t number)
{
    struct sources *s = context;
    if (!str_eq(s->package, package) || !str_eq(s->path, path))
        open_source(s, package, path);
    const char *at = (const char *)s->source.text.data, *end = at + s->source.text.len;
    for (uint32_t line = 1; at != NULL && at < end; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        if (stop == NULL)
            stop = end;
        if (line == number) {
            if (stop > at && stop[-1] == '\r')
                stop--;
            return (struct str){at, (size_t)(stop - at)};
        }
        at = stop < end ? stop + 1 : end;
    }
    return STR("");
}

#include "cli/outcome/measured_sources.h"

#include <string.h>

#include "coverage/source/paths.h"

static void close_source(struct measured_sources *s)
{
    source_close(&s->source);
    arena_reset(&s->arena);
}

static const struct fact_document *find_document(const struct measured_sources *s,
                                                 struct str package, struct str path)
{
    for (uint32_t i = 0; i < s->facts->module_count; i++) {
        const struct fact_module *module = &s->facts->modules[i];
        for (uint32_t d = 0; d < module->document_count && str_eq(module->name, package); d++)
            if (str_eq(module->documents[d].relative, path))
                return &module->documents[d];
    }
    return NULL;
}

/* A source that is not available is shown without its text. */
static void open_source(struct measured_sources *s, struct str package, struct str path)
{
    struct str file;
    close_source(s);
    s->package = package;
    s->path = path;
    s->line = 0;
    const struct fact_document *document = find_document(s, package, path);
    if (document == NULL || !paths_below(&file, s->root, path, &s->arena, NULL) ||
        !source_open(&s->source, file.text, document, document->source, &s->arena, NULL))
        s->source = (struct source){.text = {NULL, 0}};
}

/* Lines are mostly asked for in order: continues from the last one if it can. */
static struct str line_of(void *context, struct str package, struct str path, uint32_t number)
{
    struct measured_sources *s = context;
    if (!str_eq(s->package, package) || !str_eq(s->path, path))
        open_source(s, package, path);
    const char *begin = (const char *)s->source.text.data;
    if (begin == NULL)
        return (struct str){NULL, 0};
    const char *end = begin + s->source.text.len;
    bool goes_on = s->line != 0 && number > s->line;
    const char *at = goes_on ? s->after : begin;
    for (uint32_t line = goes_on ? s->line + 1 : 1; at < end; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const char *after = stop != NULL ? stop + 1 : end;
        if (stop == NULL)
            stop = end;
        if (line == number) {
            s->line = number;
            s->after = after;
            if (stop > at && stop[-1] == '\r')
                stop--;
            return (struct str){at, (size_t)(stop - at)};
        }
        at = after;
    }
    return (struct str){NULL, 0};
}

void measured_sources_open(struct measured_sources *out, const struct facts *facts, struct str root)
{
    *out =
        (struct measured_sources){.sources = {line_of, out, false}, .facts = facts, .root = root};
    arena_init(&out->arena, NULL, 0, ARENA_NO_LIMIT);
}

static struct str no_line(void *context, struct str package, struct str path, uint32_t number)
{
    (void)context;
    (void)package;
    (void)path;
    (void)number;
    return (struct str){NULL, 0};
}

void measured_sources_withhold(struct measured_sources *out)
{
    *out = (struct measured_sources){.sources = {no_line, out, true}};
    arena_init(&out->arena, NULL, 0, ARENA_NO_LIMIT);
}

void measured_sources_close(struct measured_sources *sources)
{
    close_source(sources);
    arena_free(&sources->arena);
}

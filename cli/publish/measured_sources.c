#include "cli/publish/measured_sources.h"

#include <stdlib.h>

#include "base/sort.h"
#include "coverage/source/paths.h"

/* --- documents by assembly and path ----------------------------------------------------------- */

struct document_place {
    struct str package, path;
    bool is_bare;    /* without a checksum, as in other tools' reports: it opens no source */
    uint32_t number; /* of the document: those of earlier builds come first */
    const struct fact_document *document;
};

ORDER(order_document_names, struct document_place, BY(package) BY(path))
ORDER(order_document_places, struct document_place, BY(package) BY(path) BY(is_bare) BY(number))

/* Without memory, no source is known. */
static void list_document_places(struct measured_sources *s)
{
    size_t room = 0;
    for (uint32_t i = 0; i < s->facts->module_count; i++)
        room += s->facts->modules[i].document_count;
    struct document_place *places = ARENA_NEW(&s->lasting, struct document_place, room, NULL);
    s->places = places;
    for (uint32_t i = 0; places != NULL && i < s->facts->module_count; i++) {
        const struct fact_module *module = &s->facts->modules[i];
        for (uint32_t d = 0; d < module->document_count; d++)
            if (module->documents[d].relative.len != 0) {
                const struct fact_document *document = &module->documents[d];
                places[s->place_count] =
                    (struct document_place){module->name, document->relative,
                                            document->hash.len == 0, s->place_count, document};
                s->place_count++;
            }
    }
    if (s->place_count != 0)
        qsort(places, s->place_count, sizeof *places, order_document_places);
}

/* The first of those that order_document_places puts together. */
static const struct fact_document *find_document(struct measured_sources *s, struct str package,
                                                 struct str path)
{
    const struct document_place wanted = {.package = package, .path = path};
    if (s->places == NULL)
        list_document_places(s);
    const struct document_place *found =
        sorted_find(&wanted, s->places, s->place_count, sizeof wanted, order_document_names);
    return found != NULL ? found->document : NULL;
}

/* --- lines ------------------------------------------------------------------------------------ */

static void close_measured_source(struct measured_sources *s)
{
    source_close(&s->source);
    s->source = (struct source){.text = {NULL, 0}};
    s->lines = (struct line_index){.count = 0};
    arena_reset(&s->arena);
}

static void index_lines(struct measured_sources *s)
{
    struct str text = {(const char *)s->source.text.data, s->source.text.len};
    struct line_index *lines = &s->lines;
    if (text.len == 0 || !line_index_make(lines, text, &s->arena, NULL))
        *lines = (struct line_index){.count = 0};
    else if (lines->starts[lines->count - 1] == lines->starts[lines->count])
        lines->count--; /* nothing follows the last line's end */
}

/* A source that is not available is shown without its text. */
static void open_measured_source(struct measured_sources *s, struct str package, struct str path)
{
    struct str file;
    close_measured_source(s);
    s->source.lack = SOURCE_LACK_FILE;
    s->package = package;
    s->path = path;
    const struct fact_document *document = find_document(s, package, path);
    if (document != NULL && path_join(&file, s->root, path, &s->arena, NULL) &&
        source_open(&s->source, file.text, document, document->source, &s->arena, NULL))
        index_lines(s);
}

static void open_if_other(struct measured_sources *s, struct str package, struct str path)
{
    if (!str_eq(s->package, package) || !str_eq(s->path, path))
        open_measured_source(s, package, path);
}

static struct str measured_line_of(void *context, struct str package, struct str path,
                                   uint32_t number)
{
    struct measured_sources *s = context;
    open_if_other(s, package, path);
    return number != 0 && number <= s->lines.count ? line_index_line(&s->lines, number)
                                                   : (struct str){NULL, 0};
}

static const char *lack_of(void *context, struct str package, struct str path)
{
    static const char *const words[] = {
        [SOURCE_LACK_NONE] = "the file is empty",
        [SOURCE_LACK_FILE] = "there is no such file below the source root",
        [SOURCE_LACK_CHECKSUM] = "the symbols have no checksum to recognise the file by",
        [SOURCE_LACK_SAME] = "the file has changed since it was compiled",
        [SOURCE_LACK_UTF8] = "the file is in UTF-16",
    };
    struct measured_sources *s = context;
    open_if_other(s, package, path);
    return words[s->source.lack];
}

void measured_sources_open(struct measured_sources *out, const struct facts *facts, struct str root)
{
    *out = (struct measured_sources){
        .sources = {measured_line_of, out, false, lack_of}, .facts = facts, .root = root};
    out->arena = ARENA_EMPTY;
    out->lasting = ARENA_EMPTY;
}

static struct str no_line(void *context, struct str package, struct str path, uint32_t number)
{
    (void)context, (void)package, (void)path, (void)number;
    return (struct str){NULL, 0};
}

static const char *no_source(void *context, struct str package, struct str path)
{
    (void)context, (void)package, (void)path;
    return "sources are excluded from this report (--no-source)";
}

void measured_sources_withhold(struct measured_sources *out)
{
    *out = (struct measured_sources){.sources = {no_line, out, true, no_source}};
    out->arena = ARENA_EMPTY;
    out->lasting = ARENA_EMPTY;
}

void measured_sources_close(struct measured_sources *sources)
{
    close_measured_source(sources);
    arena_free(&sources->arena);
    arena_free(&sources->lasting);
}

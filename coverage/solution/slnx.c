/* A solution as XML:
 *
 *   <Solution>
 *     <Folder Name="/src/">
 *       <Project Path="src/Name/Name.csproj" />
 *     </Folder>
 *   </Solution>
 */
#include <libxml/xmlreader.h>
#include <string.h>

#include "coverage/solution/formats.h"

enum {
    MESSAGE_ROOM = 256
};

/* The first error; the others follow from it. */
struct failure {
    struct err *err;
    bool failed;
};

static void note_error(void *context, xmlErrorPtr error)
{
    struct failure *failure = context;
    char message[MESSAGE_ROOM];
    if (failure->failed || (error->level != XML_ERR_FATAL && error->code != XML_ERR_NO_MEMORY))
        return;
    failure->failed = true;
    if (error->code == XML_ERR_NO_MEMORY) {
        (void)err_set(failure->err, ERR_MEMORY, "out of memory inside libxml2");
        return;
    }
    const xmlParserCtxt *parser = error->ctxt;
    if (error->code == XML_ERR_DOCUMENT_END && parser != NULL && parser->name != NULL) {
        (void)err_set(failure->err, ERR_FORMAT, "ends within <%.40s>, at line %d",
                      (const char *)parser->name, error->line);
        return;
    }
    (void)snprintf(message, sizeof message, "%s", error->message != NULL ? error->message : "?");
    message[strcspn(message, "\r\n")] = '\0';
    (void)err_set(failure->err, ERR_FORMAT, "line %d is not well-formed XML: %s", error->line,
                  message);
}

/* What libxml2 would print to the terminal. */
static void note_text(void *context, const char *format, ...)
{
    (void)context;
    (void)format;
}

static bool take_project(struct solution *out, xmlTextReaderPtr reader, struct arena *arena,
                         struct err *err)
{
    xmlChar *path = xmlTextReaderGetAttribute(reader, (const xmlChar *)"Path");
    bool ok = path != NULL ? solution_add(out, str_of((const char *)path), arena, err)
                           : err_set(err, ERR_FORMAT, "the <Project> of line %d has no Path",
                                     xmlTextReaderGetParserLineNumber(reader));
    xmlFree(path);
    return ok;
}

static bool take_node(struct solution *out, xmlTextReaderPtr reader, struct arena *arena,
                      struct err *err)
{
    int type = xmlTextReaderNodeType(reader);
    const char *name = (const char *)xmlTextReaderConstName(reader);
    if (type == XML_READER_TYPE_DOCUMENT_TYPE)
        return err_set(err, ERR_FORMAT, "has a document type, which no solution has");
    if (type != XML_READER_TYPE_ELEMENT || name == NULL)
        return true;
    if (xmlTextReaderDepth(reader) == 0)
        return strcmp(name, "Solution") == 0 ||
               err_set(err, ERR_FORMAT, "is not a solution: it begins with <%.40s>", name);
    return strcmp(name, "Project") != 0 || take_project(out, reader, arena, err);
}

static bool take_all(struct solution *out, xmlTextReaderPtr reader, const struct failure *failure,
                     struct arena *arena, struct err *err)
{
    int more;
    while ((more = xmlTextReaderRead(reader)) == 1)
        if (!take_node(out, reader, arena, err))
            return false;
    if (failure->failed)
        return false;
    return more == 0 || err_set(err, ERR_FORMAT, "is not well-formed XML");
}

bool solution_read_slnx(struct solution *out, struct view bytes, struct arena *arena,
                        struct err *err)
{
    struct failure failure = {.err = err};
    xmlSetStructuredErrorFunc(&failure, note_error);
    xmlSetGenericErrorFunc(NULL, note_text);
    /* Nothing outside is read, nothing is substituted. */
    xmlTextReaderPtr reader =
        xmlReaderForMemory((const char *)bytes.data, (int)bytes.len, NULL, NULL, XML_PARSE_NONET);
    bool ok = reader != NULL ? take_all(out, reader, &failure, arena, err)
                             : err_set(err, ERR_MEMORY, "out of memory inside libxml2");
    if (reader != NULL)
        xmlFreeTextReader(reader);
    xmlSetStructuredErrorFunc(NULL, NULL);
    xmlSetGenericErrorFunc(NULL, NULL);
    return ok;
}

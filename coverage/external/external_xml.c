#include "coverage/external/external_xml.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "coverage/external/external_text.h"

enum {
    MESSAGE_ROOM = 256,
    /* libxml2 keeps an element's line in 16 bits. */
    NODE_LINE_MAX = UINT16_MAX
};

/* Neither DTDLOAD, DTDATTR, DTDVALID nor NOENT: nothing outside is read, nothing is substituted. */
enum {
    READER_OPTIONS = XML_PARSE_NONET | XML_PARSE_BIG_LINES
};

static int read_xml_bytes(void *context, char *buffer, int len)
{
    struct external_input *input = context;
    size_t n = len > 0 ? external_input_read(input, buffer, (size_t)len) : 0;
    return input->error != 0 ? -1 : (int)n;
}

/* Only the first error counts: the others follow from it. Invalid namespaces ("xmlns:p8=xsi", by
 * coverlet) are not an error. */
static void note_xml_error(void *context, xmlErrorPtr error)
{
    struct external_xml *xml = context;
    char message[MESSAGE_ROOM];
    if (xml->failed || (error->level != XML_ERR_FATAL && error->code != XML_ERR_NO_MEMORY))
        return;
    xml->failed = true;
    if (error->code == XML_ERR_NO_MEMORY) {
        (void)err_set(xml->err, ERR_MEMORY, "out of memory inside libxml2");
        return;
    }
    const xmlParserCtxt *parser = error->ctxt;
    if (error->code == XML_ERR_DOCUMENT_END && parser != NULL && parser->name != NULL) {
        (void)err_set(xml->err, ERR_FORMAT, "ends within <%.40s>, line %d of the XML",
                      (const char *)parser->name, error->line);
        return;
    }
    (void)snprintf(message, sizeof message, "%s", error->message != NULL ? error->message : "?");
    message[strcspn(message, "\r\n")] = '\0';
    (void)err_set(xml->err, ERR_FORMAT, "is not well-formed: %s, line %d of the XML", message,
                  error->line);
}

/* What libxml2 would print to the terminal. */
static void drop_xml_text(void *context, const char *format, ...)
{
    (void)context;
    (void)format;
}

bool external_xml_open(struct external_xml *xml, struct external_input *input, struct arena *arena,
                       struct err *err)
{
    *xml = (struct external_xml){.input = input, .arena = arena, .err = err};
    xmlSetStructuredErrorFunc(xml, note_xml_error);
    xmlSetGenericErrorFunc(xml, drop_xml_text);
    xml->reader = xmlReaderForIO(read_xml_bytes, NULL, input, NULL, NULL, READER_OPTIONS);
    if (xml->reader != NULL)
        return true;
    external_xml_close(xml);
    return err_set(err, ERR_MEMORY, "out of memory inside libxml2");
}

void external_xml_close(struct external_xml *xml)
{
    if (xml->reader != NULL)
        xmlFreeTextReader(xml->reader);
    xml->reader = NULL;
    xmlSetStructuredErrorFunc(NULL, NULL);
    xmlSetGenericErrorFunc(NULL, NULL);
}

/* --- walking ---------------------------------------------------------------------------------- */

/* Declared entities are the only way for a few bytes to expand to many. */
static bool check_entities(struct external_xml *xml)
{
    const xmlDoc *doc = xml->node->doc;
    const xmlDtd *dtd = doc != NULL ? doc->intSubset : NULL;
    if (dtd == NULL || (dtd->entities == NULL && dtd->pentities == NULL))
        return true;
    return external_xml_fail(xml, ERR_UNSUPPORTED, "declares XML entities, which are not read");
}

static bool keep_comment(struct external_xml *xml)
{
    const xmlChar *text = xmlTextReaderConstValue(xml->reader);
    if (text == NULL || str_copy(&xml->comment, str_of((const char *)text), xml->arena, xml->err))
        return true;
    xml->failed = true;
    return false;
}

static bool step_reader(struct external_xml *xml)
{
    int got = xmlTextReaderRead(xml->reader);
    if (xml->failed || got == 1)
        return !xml->failed;
    if (xml->input->error == 0 && got == 0)
        return false;
    xml->failed = true;
    if (xml->input->error == 0)
        return err_set(xml->err, ERR_FORMAT, "is not well-formed");
    return err_set(xml->err, ERR_IO, "cannot be read: %s", strerror(xml->input->error));
}

bool external_xml_next(struct external_xml *xml)
{
    if (!xml->failed && xml->is_empty) {
        xml->is_empty = false;
        xml->is_end = true;
        return true;
    }
    while (!xml->failed && step_reader(xml)) {
        int type = xmlTextReaderNodeType(xml->reader);
        if (type == XML_READER_TYPE_COMMENT && xml->node == NULL && !keep_comment(xml))
            return false;
        if (type != XML_READER_TYPE_ELEMENT && type != XML_READER_TYPE_END_ELEMENT)
            continue;
        bool is_root = xml->node == NULL;
        xml->node = xmlTextReaderCurrentNode(xml->reader);
        xml->name = (const char *)xml->node->name;
        xml->depth = xmlTextReaderDepth(xml->reader);
        xml->is_end = type == XML_READER_TYPE_END_ELEMENT;
        xml->is_empty = !xml->is_end && xmlTextReaderIsEmptyElement(xml->reader) == 1;
        return !is_root || check_entities(xml);
    }
    return false;
}

bool external_xml_is(const struct external_xml *xml, const char *name)
{
    return strcmp(xml->name, name) == 0;
}

/* --- what an element holds -------------------------------------------------------------------- */

bool external_xml_get(const struct external_xml *xml, const char *name, struct str *out)
{
    *out = (struct str){"", 0};
    for (const xmlAttr *at = xml->node->properties; at != NULL; at = at->next) {
        if (at->ns != NULL || strcmp((const char *)at->name, name) != 0)
            continue;
        if (at->children != NULL && at->children->content != NULL)
            *out = str_of((const char *)at->children->content);
        return true;
    }
    return false;
}

bool external_xml_copy(struct external_xml *xml, const char *name, struct str *out)
{
    (void)external_xml_get(xml, name, out);
    if (str_copy(out, *out, xml->arena, xml->err))
        return true;
    xml->failed = true;
    return false;
}

#define XML_BLANKS " \t\r\n"

bool external_xml_text(struct external_xml *xml, struct str *out)
{
    const xmlNode *whole = xml->is_empty ? xml->node : xmlTextReaderExpand(xml->reader);
    if (whole == NULL && !xml->failed) {
        xml->failed = true;
        (void)err_set(xml->err, ERR_FORMAT, "is not well-formed");
    }
    if (xml->failed)
        return false;
    struct text text = text_in(xml->arena);
    for (const xmlNode *at = whole->children; at != NULL; at = at->next)
        if ((at->type == XML_TEXT_NODE || at->type == XML_CDATA_SECTION_NODE) &&
            at->content != NULL)
            text_add_c(&text, (const char *)at->content);
    if (!text_take(out, &text, xml->err)) {
        xml->failed = true;
        return false;
    }
    *out = str_trim(*out, XML_BLANKS);
    return true;
}

bool external_xml_number(struct external_xml *xml, const char *name, const uint64_t *fallback,
                         uint64_t *out)
{
    struct str value;
    *out = fallback != NULL ? *fallback : 0;
    if (!external_xml_get(xml, name, &value))
        return fallback != NULL ||
               external_xml_fail(xml, ERR_FORMAT, "<%s> has no %s", xml->name, name);
    return external_number(out, value) ||
           external_xml_fail(xml, ERR_FORMAT, "<%s> has %s=\"%.40s\", which is not a count",
                             xml->name, name, value.text);
}

/* Past line 65535, the parser's current line, which is a few lines ahead. */
static int xml_line_of(const struct external_xml *xml)
{
    if (xml->node != NULL && xml->node->line != NODE_LINE_MAX)
        return xml->node->line;
    return xmlTextReaderGetParserLineNumber(xml->reader);
}

bool external_xml_fail(struct external_xml *xml, enum err_code code, const char *format, ...)
{
    char message[MESSAGE_ROOM];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(message, sizeof message, format, args);
    va_end(args);
    for (char *at = message; *at != '\0'; at++)
        if ((unsigned char)*at < ' ')
            *at = '?';
    xml->failed = true;
    return err_set(xml->err, code, "%s, line %d of the XML", message, xml_line_of(xml));
}

#include "cli/options/xml_document.h"

#include <libxml/parser.h>
#include <stdio.h>
#include <string.h>

/* What libxml2 would print to the terminal, options or not: bytes that are not of the encoding. */
static void ignore_text(void *context, const char *format, ...)
{
    (void)context, (void)format;
}

static bool refuse_document(const char *path, struct err *err)
{
    const xmlError *error = xmlGetLastError();
    char message[200];
    (void)snprintf(message, sizeof message, "%s",
                   error != NULL && error->message != NULL ? error->message : "it cannot be read");
    message[strcspn(message, "\r\n")] = '\0';
    return err_set(err, ERR_FORMAT, "%s:%d: not well-formed XML: %s", path,
                   error != NULL ? error->line : 0, message);
}

xmlDoc *xml_document_read(struct view bytes, const char *path, struct err *err)
{
    if (bytes.len > 16 << 20) {
        (void)err_set(err, ERR_LIMIT, "%s: more than 16 MiB, too large for settings", path);
        return NULL;
    }
    xmlSetGenericErrorFunc(NULL, ignore_text);
    xmlResetLastError();
    xmlDoc *document = xmlReadMemory((const char *)bytes.data, (int)bytes.len, NULL, NULL,
                                     XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING |
                                         XML_PARSE_NOBLANKS);
    xmlSetGenericErrorFunc(NULL, NULL);
    if (document == NULL)
        (void)refuse_document(path, err);
    return document;
}

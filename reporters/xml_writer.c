#include "reporters/xml_writer.h"

#include <inttypes.h>

#include "base/utf16.h"

enum {
    NUMBER_ROOM = 32
};

static const xmlChar *chars(const char *text)
{
    return (const xmlChar *)text;
}

/* --- libxml2's failures ----------------------------------------------------------------------- */

/* It would print them to the terminal, and hides some of them from its callers. It may call these
 * while one of its functions runs; so a result is never assigned to `failed`. */
static void note_error(void *context, xmlErrorPtr error)
{
    struct xml_writer *w = context;
    (void)error;
    w->failed = true;
}

/* Its lists report their failures only here. */
static void note_text(void *context, const char *format, ...)
{
    struct xml_writer *w = context;
    (void)format;
    w->failed = true;
}

static void listen(struct xml_writer *w)
{
    xmlSetStructuredErrorFunc(w, w != NULL ? note_error : NULL);
    xmlSetGenericErrorFunc(w, w != NULL ? note_text : NULL);
}

static void check(struct xml_writer *w, int result)
{
    if (result < 0)
        w->failed = true;
}

/* No failure is reported to libxml2: the FILE remembers it. */
static int write_bytes(void *context, const char *bytes, int len)
{
    struct xml_writer *w = context;
    if (len > 0 && w->file != NULL) /* out of memory, there may be no bytes */
        (void)fwrite(bytes, 1, (size_t)len, w->file);
    w->written += len > 0 ? (uint64_t)len : 0;
    return len;
}

/* --- values ----------------------------------------------------------------------------------- */

/* XML 1.0, 2.2: Char */
static bool is_legal(uint32_t c)
{
    return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c != 0xFFFE && c != 0xFFFF);
}

/* With a NUL at the end. */
static const char *legal(struct xml_writer *w, struct str s)
{
    struct text t;
    struct str out;
    arena_reset(&w->arena);
    text_open(&t, &w->arena);
    for (size_t pos = 0; pos < s.len;) {
        size_t start = pos;
        uint32_t c = utf8_next(s.text, s.len, &pos);
        if (c == 0xFFFD || !is_legal(c))
            text_add_c(&t, "\xEF\xBF\xBD");
        else
            text_add(&t, (struct str){s.text + start, pos - start});
    }
    if (text_take(&out, &t, NULL))
        return out.text;
    w->failed = true;
    return "";
}

/* --- the document ----------------------------------------------------------------------------- */

static void begin_document(struct xml_writer *w)
{
    check(w, xmlTextWriterSetIndent(w->writer, 1));
    check(w, xmlTextWriterSetIndentString(w->writer, chars("  ")));
    check(w, xmlTextWriterStartDocument(w->writer, "1.0", "UTF-8", NULL));
}

bool xw_open(struct xml_writer *out, FILE *file, struct err *err)
{
    *out = (struct xml_writer){.file = file};
    listen(out);
    xmlOutputBufferPtr buffer = xmlOutputBufferCreateIO(write_bytes, NULL, out, NULL);
    out->writer = buffer != NULL ? xmlNewTextWriter(buffer) : NULL;
    if (out->writer == NULL) {
        if (buffer != NULL)
            (void)xmlOutputBufferClose(buffer);
        listen(NULL);
        return err_set(err, ERR_MEMORY, "out of memory inside libxml2");
    }
    arena_init(&out->arena, NULL, 0, ARENA_NO_LIMIT);
    begin_document(out);
    return true;
}

bool xw_close(struct xml_writer *w, struct err *err)
{
    if (!w->failed)
        check(w, xmlTextWriterEndDocument(w->writer));
    xmlFreeTextWriter(w->writer);
    listen(NULL);
    arena_free(&w->arena);
    return !w->failed || err_set(err, ERR_MEMORY, "out of memory while writing XML");
}

uint64_t xw_position(struct xml_writer *w)
{
    if (!w->failed)
        check(w, xmlTextWriterFlush(w->writer));
    return w->written;
}

void xw_begin(struct xml_writer *w, const char *element)
{
    if (!w->failed)
        check(w, xmlTextWriterStartElement(w->writer, chars(element)));
}

void xw_end(struct xml_writer *w)
{
    if (!w->failed)
        check(w, xmlTextWriterEndElement(w->writer));
}

void xw_text_c(struct xml_writer *w, const char *attribute, const char *value)
{
    if (!w->failed)
        check(w, xmlTextWriterWriteAttribute(w->writer, chars(attribute), chars(value)));
}

void xw_text(struct xml_writer *w, const char *attribute, struct str value)
{
    xw_text_c(w, attribute, legal(w, value));
}

void xw_number(struct xml_writer *w, const char *attribute, uint64_t value)
{
    char text[NUMBER_ROOM];
    (void)snprintf(text, sizeof text, "%" PRIu64, value);
    xw_text_c(w, attribute, text);
}

void xw_signed(struct xml_writer *w, const char *attribute, int64_t value)
{
    char text[NUMBER_ROOM];
    (void)snprintf(text, sizeof text, "%" PRId64, value);
    xw_text_c(w, attribute, text);
}

void xw_bool(struct xml_writer *w, const char *attribute, bool value)
{
    xw_text_c(w, attribute, value ? "true" : "false");
}

void xw_leaf(struct xml_writer *w, const char *element, struct str value)
{
    const char *text = legal(w, value);
    if (!w->failed)
        check(w, xmlTextWriterWriteElement(w->writer, chars(element), chars(text)));
}

void xw_comment(struct xml_writer *w, struct str comment)
{
    struct text t;
    struct str escaped;
    const char *text = legal(w, comment);
    text_open(&t, &w->arena);
    for (const char *c = text; *c != '\0'; c++)
        text_add_c(&t, *c == '-' && c[1] == '-' ? "-\\" : (char[]){*c, '\0'});
    if (!text_take(&escaped, &t, NULL))
        w->failed = true;
    if (!w->failed)
        check(w, xmlTextWriterWriteComment(w->writer, chars(escaped.text)));
}

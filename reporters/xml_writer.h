/* xml_writer.h - writes XML through libxml2, without a tree. Values may hold any bytes: what XML
 * 1.0 cannot hold becomes U+FFFD, because obfuscators use control characters in names.
 * Errors: sticky. ERR_MEMORY, from xw_close. The FILE remembers what could not be written. */
#ifndef ILCOV_REPORTERS_XML_WRITER_H
#define ILCOV_REPORTERS_XML_WRITER_H

#include <libxml/xmlwriter.h>
#include <stdio.h>

#include "base/text.h"

struct xml_writer {
    xmlTextWriterPtr writer;
    FILE *file;         /* or NULL */
    uint64_t written;   /* bytes that left libxml2 */
    struct arena arena; /* of one value */
    bool failed;
};

/* Writes the XML declaration. The writer must stay where it is until it is closed. Without a `file`
 * it only counts bytes. */
NODISCARD bool xw_open(struct xml_writer *out, FILE *file, struct err *err);
/* How many bytes there are so far; the '>' of an element that just began is not among them. */
uint64_t xw_position(struct xml_writer *w);
/* Ends the document; also after a failure. */
NODISCARD bool xw_close(struct xml_writer *w, struct err *err);

void xw_begin(struct xml_writer *w, const char *element);
void xw_end(struct xml_writer *w);

/* Attributes of the element that began last. */
void xw_text(struct xml_writer *w, const char *attribute, struct str value);
void xw_text_c(struct xml_writer *w, const char *attribute, const char *value);
void xw_number(struct xml_writer *w, const char *attribute, uint64_t value);
void xw_signed(struct xml_writer *w, const char *attribute, int64_t value);
void xw_bool(struct xml_writer *w, const char *attribute, bool value);

/* An element that holds only text. */
void xw_leaf(struct xml_writer *w, const char *element, struct str value);

/* In it, "--" becomes "-\-" (XML 1.0, 2.5). */
void xw_comment(struct xml_writer *w, struct str text);

#endif

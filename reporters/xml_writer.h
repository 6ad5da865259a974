/* xml_writer.h - writes XML 1.0 in UTF-8, without a tree: an element a line, two spaces for each
 * that holds it. Values may hold any bytes: what XML cannot hold becomes U+FFFD, because
 * obfuscators use control characters in names.
 * Owner:  names of elements and attributes are literals, or live until the writer is closed.
 * Errors: none of its own. The FILE remembers what could not be written. */
#pragma once

#include "reporters/sink.h"

enum {
    XML_DEPTH = 16 /* elements in one another; OpenCover needs nine */
};

struct xml_writer {
    const char *open[XML_DEPTH]; /* elements that have not ended, the innermost last */
    unsigned depth;
    bool is_in_tag; /* the innermost may still get attributes */
    struct sink sink;
};

/* Writes the XML declaration. Without a `file` it only counts bytes. */
void xw_open(struct xml_writer *out, FILE *file);
/* How many bytes there are so far; the '>' of an element that just began is not among them. */
uint64_t xw_position(const struct xml_writer *w);
/* Ends what is open, and hands everything to the FILE. */
void xw_close(struct xml_writer *w);

void xw_begin(struct xml_writer *w, const char *element);
void xw_end(struct xml_writer *w);

/* Attributes of the element that began last. */
void xw_text(struct xml_writer *w, const char *attribute, struct str value);
void xw_text_c(struct xml_writer *w, const char *attribute, const char *value);
void xw_number(struct xml_writer *w, const char *attribute, uint64_t value);
void xw_signed(struct xml_writer *w, const char *attribute, int64_t value);
void xw_bool(struct xml_writer *w, const char *attribute, bool value);
/* A value in pieces, none of which needs an escape: they go into the sink. */
struct sink *xw_value_begin(struct xml_writer *w, const char *attribute);
void xw_value_end(struct xml_writer *w);

/* An element that holds only text. */
void xw_leaf(struct xml_writer *w, const char *element, struct str value);

/* Of pieces. In it, "--" becomes "-\-" (XML 1.0, 2.5). The last character must not be a '-'. */
void xw_comment(struct xml_writer *w, const struct str *pieces, size_t count);

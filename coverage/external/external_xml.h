/* external_xml.h - reads an XML report element by element, never as a whole. Only for this folder.
 * Owner:  results of external_xml_get are valid until the next call of external_xml_next.
 * Errors: ERR_FORMAT names the line. Failure is sticky: external_xml_next then returns false. */
#pragma once

#include <libxml/xmlreader.h>

#include "base/text.h"
#include "coverage/external/external_input.h"

struct external_xml {
    xmlTextReaderPtr reader;
    struct external_input *input;
    struct err *err;
    const xmlNode *node; /* the current element; NULL at a comment */
    const char *name;    /* its name without prefix */
    int depth;           /* 0: the root */
    bool is_end;
    bool is_empty; /* <a/>: its end comes next */
    bool failed;
    struct str comment; /* the last one before the root; in the arena */
    struct arena *arena;
};

NODISCARD bool external_xml_open(struct external_xml *xml, struct external_input *input,
                                 struct arena *arena, struct err *err);
void external_xml_close(struct external_xml *xml);

/* Moves to the next start or end of an element; each start has its end. False after the last one,
 * and after a failure. */
bool external_xml_next(struct external_xml *xml);

bool external_xml_is(const struct external_xml *xml, const char *name);

/* The attribute's value; false and empty if there is none. */
bool external_xml_get(const struct external_xml *xml, const char *name, struct str *out);

/* The same, in the arena. */
NODISCARD bool external_xml_copy(struct external_xml *xml, const char *name, struct str *out);

/* The text of the current element, without white space at its ends, in the arena. */
NODISCARD bool external_xml_text(struct external_xml *xml, struct str *out);

/* A number; `fallback` if there is no such attribute, unless `fallback` is NULL. */
NODISCARD bool external_xml_number(struct external_xml *xml, const char *name,
                                   const uint64_t *fallback, uint64_t *out);

/* Appends ", line N of the XML" to the text. */
bool external_xml_fail(struct external_xml *xml, enum err_code code, const char *format, ...)
    PRINTF_LIKE(3, 4);

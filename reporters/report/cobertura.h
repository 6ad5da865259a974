/* cobertura.h - a Cobertura document, class by class, for the writer that puts several next to each
 * other (cobertura_parts.c).
 * Units:  bytes. */
#pragma once

#include <stdio.h>

#include "coverage/report/report.h"
#include "reporters/xml_writer.h"

struct cobertura_writer {
    struct xml_writer xml;
    const struct report_package *package; /* that is open, or the next */
    uint32_t left;                        /* classes of the open one that are still to come */
    uint64_t package_start, of_classes;
};

/* What elements take. */
struct cobertura_size {
    uint64_t class;
    uint64_t package; /* without its classes, once the last of them is there; else 0 */
};

/* `part`: the comment at its start, which says which part of a split report this is; empty for a
 * whole one. The FILE, which may be NULL, remembers what could not be written. */
void cobertura_begin(struct cobertura_writer *out, FILE *file, const struct report *report,
                     struct str part);

/* The next class of the report, with its lines. */
struct cobertura_size cobertura_put(struct cobertura_writer *c, const struct report_class *class);

/* Returns the size of the document. */
uint64_t cobertura_end(struct cobertura_writer *c);

/* lines_module.h - one build of a package, as its lines are made: what ran, and who owns it. */
#pragma once

#include "coverage/report/package_parts.h"
#include "coverage/report/why.h"
#include "coverage/session/test_sets.h"

/* One line of one statement. */
struct line_statement {
    uint32_t file, line, module;
    uint32_t owner; /* NO_INDEX: left out */
    uint64_t rank;  /* line_rank.h */
    const struct fact_statement *statement;
};

/* All of a package. By file, line, module, rank, owner; an owner's copies of a statement are
 * neighbours. */
struct line_statements {
    struct line_statement *items;
    size_t count;
};

struct lines_module {
    const struct package_part *part;
    const uint64_t *counts;   /* over all runs */
    const uint32_t *owner_of; /* per method, once builds are folded; NO_INDEX: left out */
    const bool *wanted;       /* per file: its lines are built */
    /* While they are: */
    uint32_t number; /* of the module in `all` */
    const struct line_statements *all;
    uint64_t *sums; /* per first copy of a statement: the count of all copies that are shown */
    struct why_finder whys;
    struct set_lists tests; /* of shown statements, as owned before builds were folded: tests are
                                those of each build */
    struct line_choice *choices; /* line_conditions.c */
    uint32_t choice_count, next_choice;
};

/* The number of the document's file; NO_INDEX: its lines are not built. */
static inline uint32_t lines_file_of(const struct lines_module *m, uint32_t document)
{
    uint32_t file = m->part->file_of[document];
    return file != NO_INDEX && m->wanted[file] ? file : NO_INDEX;
}

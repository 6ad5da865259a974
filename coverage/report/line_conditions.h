/* line_conditions.h - the decisions of a module become conditions of its lines, in order of IL
 * offset. */
#pragma once

#include "coverage/report/lines_module.h"

/* What a user method has on a line, in one module. */
struct line_entry {
    uint32_t owner, module;
    uint64_t hits;
    /* of the statements that make up the line, the one that starts first */
    const struct fact_statement *first;
    struct report_condition *conditions;
    uint32_t condition_count;
};

/* Sums and whys of the module are known. */
NODISCARD bool line_conditions_open(struct lines_module *m, struct building *b);

/* Then, of all modules: those of a build that knows the text of its conditions are on other lines
 * than those of one that does not, which follow it. */
NODISCARD bool line_conditions_place(struct lines_module *modules, uint32_t count,
                                     struct building *b);

/* Gives the entry its conditions; entries must come in the order of files, lines and owners. */
NODISCARD bool line_conditions_take(struct line_entry *entry, struct lines_module *m, uint32_t file,
                                    uint32_t line, struct building *b);

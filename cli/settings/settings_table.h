/* settings_table.h - all settings with their values, for `ilcov config`: as a table or JSON. */
#ifndef ILCOV_CLI_SETTINGS_SETTINGS_TABLE_H
#define ILCOV_CLI_SETTINGS_SETTINGS_TABLE_H

#include <stdio.h>

#include "cli/base/options.h"

struct setting_entry {
    const char *key; /* "failUnder"; "report.failUnder" if it is said for `report` alone */
    const struct option_row *row;
    struct option_given given;
    const struct verb **verbs; /* that have this value */
    size_t verb_count;
};

struct settings_table {
    const char *file; /* the settings file, or NULL */
    struct setting_entry *items;
    size_t count, room;
    const struct verb *const *verbs; /* all */
};

NODISCARD bool settings_table_open(struct settings_table *out, const struct verb *const *verbs,
                                   struct arena *arena, struct err *err);

/* Adds the settings of a verb, as options_resolve found them. What other verbs share has one
 * entry. */
NODISCARD bool settings_table_add(struct settings_table *table, const struct verb *verb,
                                  const struct option_values *values, struct arena *arena,
                                  struct err *err);

void settings_table_print(FILE *out, const struct settings_table *table);
/* docs/config.schema.json */
void settings_table_print_json(FILE *out, const struct settings_table *table);

#endif

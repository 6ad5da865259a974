/* package_parts.h - which modules make up a package, and who owns what in them: user methods and
 * files get the numbers by which lines.h knows them. What has no number is not in the report.
 * Owner:  the list of parts lives in the arena of the building, numbers in its scratch. */
#ifndef ILCOV_COVERAGE_REPORT_PACKAGE_PARTS_H
#define ILCOV_COVERAGE_REPORT_PACKAGE_PARTS_H

#include "coverage/report/building.h"
#include "coverage/report/copies.h"

/* A user's method, or a file, and where its number goes. */
struct package_owner {
    const struct fact_method *method;
    uint32_t *number;
};
struct package_file {
    struct str path;
    uint32_t *number;
};

/* A module before it is merged into its package. */
struct package_part {
    const struct fact_module *module;
    uint32_t *owner_of, *file_of; /* as in struct lines_module */
    struct copies copies;
};

/* A package: what its files and all views of it have in common. */
struct package_parts {
    struct package_part *parts;
    uint32_t part_count;
    struct package_owner *owners;
    struct package_file *files;
    uint32_t owner_count, file_count;
    uint32_t *types; /* per owner */
};

/* The modules that are shown, by package. */
NODISCARD bool package_parts_list(struct package_part **out, uint32_t *count, struct building *b);

/* How many statements the modules have. */
uint64_t package_parts_statements(const struct package_part *parts, uint32_t count);

/* The package that begins with the first of `count` parts. */
struct package_parts package_parts_first(struct package_part *parts, uint32_t count);

/* Numbers the owners and files of the package, and notes what it leaves out. */
NODISCARD bool package_parts_name(struct package_parts *package, struct building *b);

/* `count` times NO_INDEX, in the scratch; NULL if out of memory. */
uint32_t *package_new_numbers(struct building *b, uint32_t count);

#endif

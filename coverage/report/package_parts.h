/* package_parts.h - which modules make up a package, and who owns what in them: user methods and
 * files get the numbers by which lines.h knows them. What has no number is not in the report.
 * Owner:  the list of parts lives in the arena of the building, numbers in its scratch. */
#pragma once

#include "base/progress.h"
#include "coverage/facts/sums.h"
#include "coverage/report/copies.h"
#include "coverage/report/excluded_lines.h"

/* What a report is built from, what it leaves out, and the memory for both. What the report holds
 * lives in `arena`; `scratch` is emptied for each package, `slice` for some files. */
struct building {
    const struct facts *facts;
    const struct report_options *options;
    const struct test_sets *tests; /* NULL: lines need none */
    struct list omissions;         /* struct report_omission: modules and single methods */
    struct report_omission first_empty;
    struct excluded_lines excluded;
    bool forgets_omissions; /* nobody asks for them */
    const char *doing;      /* "reporting statements" */
    uint64_t done, total;   /* statements, of all packages */
    struct arena *arena;
    struct arena scratch;              /* of one package */
    struct arena slice, slice_scratch; /* classes with their lines; what is needed to make them */
    struct err *err;
};

static inline void building_open(struct building *b)
{
    b->scratch = ARENA_EMPTY;
    b->slice = ARENA_EMPTY;
    b->slice_scratch = ARENA_EMPTY;
}

static inline void building_close(struct building *b)
{
    arena_free(&b->slice_scratch);
    arena_free(&b->slice);
    arena_free(&b->scratch);
}

/* A user's method, or a file, and where its number goes. */
struct package_item {
    const struct fact_method *method;
    struct str path;
    uint32_t *number;
};

/* A module before it is merged into its package. */
struct package_part {
    const struct fact_module *module;
    uint32_t *owner_of; /* per method; NO_INDEX: left out */
    uint32_t *file_of;  /* per document; NO_INDEX: left out */
    struct copies copies;
};

/* A package: what its files and all views of it have in common. */
struct package_parts {
    struct package_part *parts;
    uint32_t part_count;
    struct package_item *owners, *files;
    uint32_t owner_count, file_count;
    uint32_t *types; /* per owner */
};

/* The modules that are shown, by package. */
NODISCARD bool package_parts_list(struct package_part **out, uint32_t *count, struct building *b);

/* How many statements the modules have. */
uint64_t package_parts_statements(const struct package_part *parts, uint32_t count);

/* The package that begins with the first of `count` parts. */
struct package_parts package_parts_first(struct package_part *parts, uint32_t count);

/* The package without its lines and totals. */
struct report_package package_parts_describe(const struct package_parts *package);

/* Takes from the owners of a part, and notes, what F# inlined and nothing hit in this view. */
NODISCARD bool package_parts_leave_inlined(uint32_t *owner_of, const struct package_part *part,
                                           const struct sums *sums, struct building *b);

/* Numbers the owners and files of the package, and notes what it leaves out. */
NODISCARD bool package_parts_name(struct package_parts *package, struct building *b);

/* data_input.h - the data file that a verb reads, and where its sources are. */
#pragma once

#include "cli/options/progress_line.h"
#include "cli/options/publish_options.h"
#include "coverage/facts/facts.h"
#include "coverage/facts/store.h"

struct data_input {
    const char *const *paths;
    uint32_t count; /* 1 or more */
    const struct source_options *sources;
    bool needs_all; /* refuse a root that leaves sources out */
};

/* Reads data files as one, and reports of other tools as `ilcov merge` does; their sources are
 * where a given root says (source_root.h); without one, `root` is empty. Says what is wrong and
 * returns the exit status. `line` may be NULL. `part`: only a part is read (store_part_open), and
 * on success store_part_close must follow; NULL: all. */
int data_input_read(struct facts *facts, struct store_part *part, struct str *root,
                    const struct data_input *input, struct progress_line *line,
                    struct arena *arena);

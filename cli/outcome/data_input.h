/* data_input.h - the data file that a verb reads, and where its sources are. */
#ifndef ILCOV_CLI_OUTCOME_DATA_INPUT_H
#define ILCOV_CLI_OUTCOME_DATA_INPUT_H

#include "cli/base/progress_line.h"
#include "coverage/facts/facts.h"
#include "coverage/source/path_map.h"
#include "coverage/store/store.h"

struct data_input {
    const char *const *paths;
    uint32_t count; /* 1 or more */
    const struct path_maps *maps;
    bool needs_all; /* refuse a root that leaves sources out */
};

/* Reads data files as one, and reports of other tools as `ilcov merge` does; their sources are
 * where a given root says (new_root.h). `given_root` may be NULL: then `root` is empty. Says
 * what is wrong and returns the exit status. `line` may be NULL. */
int data_input_read(struct facts *facts, struct str *root, const struct data_input *input,
                    const char *given_root, struct progress_line *line, struct arena *arena);

/* The same, of a part of it (store_part_open). On success, store_part_close must follow. */
int data_input_open(struct store_part *out, struct facts *facts, struct str *root,
                    const struct data_input *input, const char *given_root,
                    struct progress_line *line, struct arena *arena);

#endif

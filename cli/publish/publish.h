/* publish.h - what happens to coverage once it is known, in the same steps for every verb: the
 * reports or the difference, what was left out of them, the summary, warnings, the gates.
 *
 * Status: every step is done even if an earlier one failed, so that all errors are reported at
 * once, and the highest status wins (exit_worse): 3, an output that can't be written or a
 * gate that can't be tested, hides 1, a gate that failed. Only a signal ends
 * it at once: 128 + its number. The summary is printed once everything is written. */
#pragma once

#include "cli/options/progress_line.h"
#include "cli/options/publish_options.h"
#include "cli/options/verb.h"
#include "cli/publish/data_input.h"
#include "coverage/facts/facts.h"

struct publication {
    const struct facts *facts;
    const struct publish_options *options;
    struct str root;    /* of the sources: absolute, or empty for that of the run */
    const char *data;   /* the data file that was written, for the summary; NULL: none was */
    bool is_united;     /* of several data files: no command is named that would show one */
    bool is_difference; /* of `diff`: to what the gates name, and no report */
    bool allows_empty;  /* --allow-empty */
    bool may_be_empty;  /* no gate fails because there is no code */
    bool *failed;       /* set if not every report was written; may be NULL */
    struct progress_line *line; /* how far it has come; may be NULL */
    struct arena *arena;
};

/* Do the gates have what they compare with? To be called before anything is measured; returns the
 * exit status. */
int publish_check(const struct publish_options *options, const struct verb *verb);

/* The same for the patch, once the root of the sources is known. */
int publish_check_patch(const struct publish_options *options, const struct verb *verb,
                        struct str root, struct arena *arena);

/* `status` is the status so far. */
int publish(const struct publication *publication, int status);

/* All of it, for data files that were written before. */
int publish_data(const struct data_input *input, const struct publish_options *options,
                 const struct verb *verb, bool is_difference, struct arena *arena);

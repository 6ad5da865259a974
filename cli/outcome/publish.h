/* publish.h - what happens to coverage once it is known, in the same steps for every verb: the
 * reports, what was left out of them, the summary, warnings, the threshold, the gates.
 *
 * Status: every step is done even if an earlier one failed, so that all errors are reported at
 * once, and the highest status wins (exit_worse): 3, an output that can't be written or a
 * gate that can't be tested, hides 1, a threshold or a gate that failed. Only a signal ends
 * it at once: 128 + its number. The summary is printed once everything is written. */
#ifndef ILCOV_CLI_OUTCOME_PUBLISH_H
#define ILCOV_CLI_OUTCOME_PUBLISH_H

#include "cli/base/outcome_options.h"
#include "cli/base/progress_line.h"
#include "cli/base/verb.h"
#include "cli/outcome/interrupt.h"
#include "coverage/facts/facts.h"

struct publication {
    const struct facts *facts;
    const struct outcome_options *options;
    struct str root;   /* of the sources: absolute, or empty for that of the run */
    const char *data;  /* the data file that was written, for the summary; NULL: none was */
    bool is_united;    /* of several data files: no command is named that would show one */
    bool allows_empty; /* --allow-empty */
    bool may_be_empty; /* a report without any line does not miss the threshold */
    struct interrupt interrupt;
    bool *failed;               /* set if not every report was written; may be NULL */
    struct progress_line *line; /* how far it has come; may be NULL */
    struct arena *arena;
};

/* Do the gates have what they compare with? To be called before anything is measured; returns the
 * exit status. */
int publish_check(const struct outcome_options *options, const struct verb *verb);

/* The same for the patch, once the root of the sources is known. */
int publish_check_patch(const struct outcome_options *options, const struct verb *verb,
                        struct str root, struct arena *arena);

/* Is there a gate, or a threshold? */
bool publish_has_gates(const struct gate_options *gates);

/* `status` is the status so far. */
int publish(const struct publication *publication, int status);

/* The first step: writes `job` in each format, and says which failed. */
int publish_formats(const struct format_options *formats, const struct format_job *job,
                    const struct interrupt *interrupt, struct progress_line *line);

#endif

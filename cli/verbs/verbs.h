/* verbs.h - the verbs of ilcov, one file each. */
#pragma once

#include "cli/options/verb.h"

extern const struct verb verb_run, verb_env, verb_collect, verb_attach, verb_detach, verb_snapshot,
    verb_stacks, verb_ps, verb_report, verb_show, verb_merge, verb_diff, verb_inspect, verb_doctor,
    verb_config, verb_completion, verb_tests, verb_affected;

/* In the order of the help; ends with NULL. */
extern const struct verb *const verbs[];

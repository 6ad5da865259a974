#include "cli/verbs/verbs.h"

const struct verb *const verbs[] = {
    &verb_run,      &verb_env,      &verb_collect,    &verb_attach, &verb_detach,
    &verb_snapshot, &verb_stacks,   &verb_ps,         &verb_report, &verb_show,
    &verb_tests,    &verb_affected, &verb_merge,      &verb_diff,   &verb_inspect,
    &verb_config,   &verb_doctor,   &verb_completion, NULL,
};

#include "cli/options/gate_options.h"

#include "coverage/diff/gate.h"

static bool add_gate_option(struct gate_options *gates, const struct gate *gate,
                            struct arena *arena, struct err *err)
{
    return list_put(&gates->list, gate, sizeof *gate, arena, err);
}

static bool take_gate(void *field, const char *value, const struct option_context *context,
                      struct err *err)
{
    struct gate gate;
    return gate_parse(&gate, str_of(value), err) &&
           add_gate_option(field, &gate, context->arena, err);
}

/* Of several the last counts; its row comes before that of --gate. */
static bool take_fail_under(void *field, const char *value, const struct option_context *context,
                            struct err *err)
{
    struct gate_options *gates = field;
    struct gate gate;
    struct str text;
    if (!text_format(&text, context->arena, err, "line>=%s", value))
        return false;
    if (!gate_parse(&gate, text, NULL) || gate.is_relative)
        return err_set(err, ERR_USAGE,
                       "invalid percentage '%s' for --fail-under; expected 0 to 100 with at most "
                       "two decimals",
                       value);
    gates->list.count = 0;
    return add_gate_option(gates, &gate, context->arena, err);
}

bool gate_options_compare(const struct gate_options *gates)
{
    const struct gate *all = gates->list.items;
    for (uint32_t i = 0; i < gates->list.count; i++)
        if (gate_needs_base(&all[i]) || gate_needs_patch(&all[i]))
            return true;
    return false;
}

const struct option_row threshold_rows[] = {
    {.name = "fail-under",
     .argument = "PERCENT",
     .take = take_fail_under,
     .help = "exit with 1 if line coverage is below PERCENT",
     .more = "Short for --gate 'line>=PERCENT'.",
     .is_number = true},
    {.name = "base",
     .argument = "BASE",
     .take = option_take_text,
     .field = offsetof(struct gate_options, base),
     .help = "compare with this data file or report",
     .more = "The report may be in Cobertura, LCOV or OpenCover format.",
     .completes = COMPLETE_FILE},
    {.name = "gate",
     .argument = "GATE",
     .take = take_gate,
     .help =
         "exit with 1 unless GATE holds (repeatable): 'line>=80', 'lost=0', '[App]branch>=-0.1'",
     .more =
         "Each gate that fails is one line of output, and the lines below it say where. A GATE is "
         "one word, [[ASSEMBLY]]METRIC OP VALUE without spaces: 'line>=80' (also 'branch' and "
         "'method'); 'line>=-0.1', where a sign, '+' or '-', means the change from BASE; "
         "'patch>=80', of the changed lines that can be covered; 'patch-branch>=80', of the "
         "outcomes of their conditions; 'lost=0', lines that BASE covered and that are no longer "
         "covered; 'new-uncovered=0', missed lines of added or edited methods. OP is '>=', '<=' or "
         "'='. With ASSEMBLY, a glob, each assembly that matches is "
         "tested on its own. If there is nothing to cover, the gate passes and says so, unless it "
         "is about all code. Counts carried from an older build do not count as covered.",
     .repeats = true},
    {.name = "patch",
     .argument = "SPEC",
     .take = option_take_text,
     .field = offsetof(struct gate_options, patch),
     .help = "changed lines: main...HEAD (git), a file, or -",
     .more = "SPEC is 'main...HEAD' (from the merge base), 'main..HEAD' or 'main' (to the working "
             "tree), computed by git regardless of its configuration; or a file with a unified "
             "diff, or - for standard input.",
     .completes = COMPLETE_FILE,
     .may_be_path = true},
    {.name = "base-root",
     .argument = "DIR",
     .take = option_take_text,
     .field = offsetof(struct gate_options, base_root),
     .help = "where the sources of BASE are, for -f html (default: its root)",
     .more = "A source is shown only if its checksum matches the build, so a wrong DIR shows none. "
             "'git worktree add DIR main' creates one.",
     .completes = COMPLETE_FOLDER,
     .advanced = true},
    {.name = NULL},
};

/* stack_text.h - the stacks of a process, as the library reports them (contract/protocol.h,
 * "stacks"), as text for people:
 *
 *   thread 4712 (App):
 *      at App.Program.Take(Object first, Object second) in src/Program.cs:line 12
 *      at App.Program.Main() in src/Program.cs:line 5
 *
 *   2 threads 4720, 4721 (.NET TP Worker):
 *      [native code]
 *      at ...
 *
 *   5 threads run no managed code
 *
 * Threads with equal stacks are grouped, in the order of the first of each group. */
#pragma once

#include "cli/process/control_client.h"
#include "cli/process/other_process.h"

struct stack_source {
    const struct process *process;
    const char *session;
    struct str root; /* sources below it are shown relative to it */
};

/* ERR_FORMAT if the answer is not one to `stacks`. */
NODISCARD bool stack_text(struct str *out, const struct control_answer *answer,
                          const struct stack_source *source, struct arena *arena, struct err *err);

/* Asks the library and gives its answer as text. ERR_UNSUPPORTED when it has no control socket;
 * other errors say which process it is and why its stacks are not known. */
NODISCARD bool stack_ask(struct str *out, const struct stack_source *source, uint32_t limit_ms,
                         struct arena *arena, struct err *err);

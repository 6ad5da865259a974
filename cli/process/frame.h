/* frame.h - a frame of a managed stack as .NET prints it: the name of its method, its file and its
 * line.
 *
 *   at N.Type.Method(String[] args, Int32& n) in src/File.cs:line 12
 *
 * The library knows module, token and IL offset; names and lines come from the module's file and
 * its PDB, each opened once. A file that is not the one that was loaded (another MVID) is not used:
 * then the frame has the name that the library gave, and no line. What the compiler moved into the
 * MoveNext of a state machine is shown under the method that the user wrote.
 * Source: System.Diagnostics.StackTrace.ToString, StackTraceSymbols.GetSourceLineInfo.
 * Owner:  texts live in `arena`; close it for the files that it opened. */
#pragma once

#include "base/list.h"
#include "cli/process/other_process.h"

struct stack_frame {
    struct str path; /* of the module; empty when it has no file */
    uint8_t mvid[16];
    uint32_t token;
    uint32_t il_offset; /* of the instruction that runs, or NO_INDEX */
    struct str method;  /* as the library names it */
    /* types of its generic type and of the method, where they are known */
    const struct str *arguments;
    uint32_t argument_count;
    bool is_place; /* nothing runs there: it has a line only if the user wrote what is there */
};

struct frame_modules {
    struct list opened; /* struct opened_module * */
    const struct process *process;
    const char *session; /* where copies of modules without a file are */
    struct str root;     /* sources below it are shown relative to it */
    struct arena *arena;
};

void frame_open(struct frame_modules *out, const struct process *process, const char *session,
                struct str root, struct arena *arena);
void frame_close(struct frame_modules *modules);

/* One line, without its end. False only when there is no memory. */
NODISCARD bool frame_text(struct str *out, struct frame_modules *modules,
                          const struct stack_frame *frame, struct err *err);

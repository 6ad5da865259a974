/* stop.h - what has stopped a process, or may have: a signal, a program that traces it, or a
 * debugger for .NET, which stops its managed code alone and does not show in its state.
 * Source: proc(5), the states T and t, TracerPid; dotnet/runtime src/coreclr/debug/shared/
 *         twowaypipe.cpp: a runtime has its pipes clr-debug-pipe-<pid>-... open while a debugger is
 *         at their other end. */
#pragma once

#include "cli/process/other_process.h"

enum stop {
    STOP_NONE,
    STOP_SIGNAL, /* until SIGCONT */
    STOP_TRACER, /* it is stopped right now */
    STOP_MAYBE_TRACER,
    STOP_MAYBE_DEBUGGER,
};

enum {
    STOP_TEXT_ROOM = PROCESS_LABEL_ROOM + 96
};

/* As it is now. `text`: a clause for people; empty for STOP_NONE. */
enum stop stop_read(char text[STOP_TEXT_ROOM], const struct process *process);

/* Adds that clause to the error of a process that does not answer (ERR_IO). */
void stop_explain(struct err *err, const struct process *process);

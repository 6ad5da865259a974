#include "cli/process/stop.h"

#include <stdio.h>

#include "system/process.h"
#include "system/process_status.h"

static bool take_pipe(void *context, struct str target)
{
    bool *is_debugged = context;
    *is_debugged = str_starts(path_file(target), "clr-debug-pipe-");
    return !*is_debugged;
}

/* "gdb (process 77)"; one of another namespace has no number here. */
static void name_tracer(char *out, size_t room, int pid)
{
    struct process tracer;
    struct arena arena = ARENA_EMPTY;
    if (pid != 0 && process_read(&tracer, pid, &arena, NULL))
        (void)snprintf(out, room, "%s (process %d)", tracer.name, pid);
    else
        (void)snprintf(out, room, "another program");
    arena_free(&arena);
}

enum stop stop_read(char text[STOP_TEXT_ROOM], const struct process *process)
{
    struct process_stat stat;
    struct process_status status;
    char tracer[PROCESS_LABEL_ROOM + 32];
    bool is_debugged = false;
    text[0] = '\0';
    if (!process_stat_read(&stat, process->pid) || !process_status_read(&status, process->pid))
        return STOP_NONE;
    if (stat.state == 'T') {
        (void)snprintf(text, STOP_TEXT_ROOM, "it is stopped: 'kill -CONT %d' continues it",
                       process->pid);
        return STOP_SIGNAL;
    }
    if (stat.state == 't' || status.tracer != 0) {
        name_tracer(tracer, sizeof tracer, status.tracer);
        (void)snprintf(text, STOP_TEXT_ROOM, "%s %s it", tracer,
                       stat.state == 't' ? "has stopped" : "traces");
        return stat.state == 't' ? STOP_TRACER : STOP_MAYBE_TRACER;
    }
    process_descriptors_visit(process->pid, take_pipe, &is_debugged);
    if (is_debugged)
        (void)snprintf(text, STOP_TEXT_ROOM,
                       "a debugger is attached to it and may have stopped it");
    return is_debugged ? STOP_MAYBE_DEBUGGER : STOP_NONE;
}

void stop_explain(struct err *err, const struct process *process)
{
    char clause[STOP_TEXT_ROOM];
    struct err told = *err;
    if (told.code == ERR_IO && stop_read(clause, process) != STOP_NONE)
        (void)err_set(err, told.code, "%s: %s", told.text, clause);
}

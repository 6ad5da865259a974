#include "cli/process/hang.h"

#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "cli/options/say.h"
#include "cli/process/frame.h"
#include "cli/process/other_process.h"
#include "cli/process/stack_text.h"
#include "contract/session_format.h"
#include "coverage/collect/pending_awaits.h"
#include "metadata/tables.h"
#include "system/clock.h"
#include "system/file.h"
#include "system/file_status.h"
#include "system/process.h"
#include "system/process_maps.h"
#include "system/terminal.h"

enum {
    NAMES_ROOM = 400, /* of the processes in a line */
    SHOWN_MAX = 20,   /* tests, and awaits */
    SUFFIX_ROOM = 2 * GROUPED_ROOM + 32,
};

/* --- what is new ------------------------------------------------------------------------------ */

static bool is_same_plan(const struct session_counters *a, const struct session_counters *b)
{
    return memcmp(a->mvid, b->mvid, sizeof a->mvid) == 0 && a->plan_hash == b->plan_hash &&
           a->counter_count == b->counter_count;
}

/* The counters of one plan, in however many files, one after another. False only when there is no
 * memory: a file that can't be read now may be next time. */
static bool measure_plan(uint64_t *ran, const struct session_counters *files, uint32_t count,
                         struct arena *arena, struct err *err)
{
    uint32_t counter_count = files[0].counter_count;
    uint64_t *sums = ARENA_NEW(arena, uint64_t, counter_count, err);
    if (sums == NULL)
        return false;
    for (uint32_t i = 0; i < count; i++)
        (void)!session_add_counts(sums, &files[i], NULL);
    for (uint32_t i = 0; i < counter_count; i++)
        *ran += sums[i] != 0;
    return true;
}

bool hang_measure(struct hang_progress *out, const struct session *session, struct arena *arena,
                  struct err *err)
{
    *out = (struct hang_progress){0};
    for (uint32_t i = 0, end = 0; i < session->counters_count; i = end) {
        for (end = i + 1; end < session->counters_count &&
                          is_same_plan(&session->counters[i], &session->counters[end]);)
            end++;
        if (!measure_plan(&out->counters, &session->counters[i], end - i, arena, err))
            return false;
    }
    for (uint32_t i = 0; i < session->process_count; i++) {
        const struct session_process *process = &session->processes[i];
        out->lines += (uint64_t)1 + process->program.len + process->runtime.len +
                      process->instrumented_count + process->skip_count + process->warning_count;
    }
    return true;
}

/* --- processes that are alive ----------------------------------------------------------------- */

/* It is measured, and its ID has not been reused. */
static bool is_process_live(struct process *out, const struct hang *hang,
                            const struct session_process *recorded, struct arena *arena)
{
    char name[PROCESS_RECORD_ROOM], path[PATH_ROOM];
    if (recorded->declined.code != REASON_NONE || recorded->pid > INT32_MAX ||
        !process_read(out, (int)recorded->pid, arena, NULL))
        return false;
    process_record_name(name, out);
    return path_join_in(path, str_of(hang->session), str_of(name)) && file_exists(path);
}

/* Until its record names more than the core library, its runtime is still starting, and cannot show
 * any stack. On a busy machine that takes longer than some limits. */
static bool is_runtime_starting(const struct hang *hang, const struct process *process,
                                const struct session_process *recorded)
{
    return recorded->instrumented_count + recorded->skip_count <= 1 &&
           process->age_seconds * 1000 < hang->start_ms;
}

struct live {
    const struct hang *hang;
    const struct session *session;
    struct process **processes;
    uint32_t count;
};

static bool find_live(struct live *out, const struct hang *hang, const struct session *session,
                      struct arena *arena, struct err *err)
{
    *out = (struct live){.hang = hang, .session = session};
    out->processes = ARENA_NEW(arena, struct process *, session->process_count, err);
    struct process *process = NULL;
    if (out->processes == NULL)
        return false;
    for (uint32_t i = 0; i < session->process_count; i++) {
        if (process == NULL)
            process = ARENA_NEW(arena, struct process, 1, err);
        if (process == NULL)
            return false;
        if (!is_process_live(process, hang, &session->processes[i], arena) ||
            is_runtime_starting(hang, process, &session->processes[i]))
            continue;
        out->processes[out->count++] = process;
        process = NULL;
    }
    return true;
}

/* --- what has begun and not ended ------------------------------------------------------------- */

/* Tests (with --per-test), and awaits that have not gone on:
 *
 *   these tests have begun and not ended:
 *      at N.Tests.Waits() in tests/Tests.cs:line 12
 *   these awaits have not gone on:
 *      at N.Worker.Loop() in src/Worker.cs:line 30 (at least 1 of 5)
 */
struct shown_frames {
    struct frame_modules modules;
    struct text lines;
    uint32_t count;
};

static void open_shown_frames(struct shown_frames *out, const struct live *live,
                              struct arena *arena)
{
    *out = (struct shown_frames){.count = 0};
    frame_open(&out->modules, live->processes[0], live->hang->session, live->hang->root, arena);
    out->lines = text_in(arena);
}

/* A path in the session is part of a line. */
static void add_shown_frame(struct shown_frames *shown, struct stack_frame *frame,
                            const char *suffix)
{
    struct str line;
    if (shown->count++ < SHOWN_MAX &&
        str_copy(&frame->path, frame->path, shown->modules.arena, NULL) &&
        frame_text(&line, &shown->modules, frame, NULL))
        text_addf(&shown->lines, "   %.*s%s\n", STR_ARGS(line), suffix);
}

static void say_shown_frames(struct shown_frames *shown, const char *heading)
{
    struct str lines;
    if (shown->count > SHOWN_MAX)
        text_addf(&shown->lines, "   and %u more\n", shown->count - SHOWN_MAX);
    frame_close(&shown->modules);
    if (shown->count == 0 || !text_take(&lines, &shown->lines, NULL))
        return;
    say("%s", heading);
    (void)!file_write(STREAM_ERROR, lines.text, lines.len);
}

/* --- tests ------------------------------------------------------------------------------------ */

static bool is_of_process(const struct live *live, struct str process)
{
    char name[PROCESS_RECORD_ROOM];
    for (uint32_t i = 0; i < live->count; i++) {
        process_record_name(name, live->processes[i]);
        if (str_eq(process, str_of(name + strlen(SESSION_PROCESS))))
            return true;
    }
    return false;
}

/* Of a test that ended once, as a theory does, it is not known whether it has begun again. */
static bool has_not_ended(const struct session_context *context)
{
    return context->kind == CONTEXT_TEST && context->rows == 0;
}

static struct stack_frame frame_of(const struct session *session,
                                   const struct session_context *context, struct arena *arena)
{
    struct stack_frame frame = {.token = TOKEN(TABLE_MethodDef, context->rid)};
    (void)!text_format(&frame.method, arena, NULL, "%.*s.?", STR_ARGS(context->type));
    memcpy(frame.mvid, context->mvid, sizeof frame.mvid);
    for (uint32_t i = 0; i < session->process_count; i++)
        for (uint32_t k = 0; k < session->processes[i].instrumented_count; k++)
            if (memcmp(session->processes[i].instrumented[k].mvid, context->mvid,
                       sizeof frame.mvid) == 0)
                frame.path = session->processes[i].instrumented[k].path;
    return frame;
}

static void say_open_tests(const struct live *live, struct arena *arena)
{
    struct shown_frames shown;
    open_shown_frames(&shown, live, arena);
    for (uint32_t i = 0; i < live->session->hits_count; i++) {
        const struct session_hits *hits = &live->session->hits[i];
        for (uint32_t k = 0; is_of_process(live, hits->process) && k < hits->context_count; k++)
            if (has_not_ended(&hits->contexts[k])) {
                struct stack_frame frame = frame_of(live->session, &hits->contexts[k], arena);
                add_shown_frame(&shown, &frame, "");
            }
    }
    say_shown_frames(&shown, "these tests have started but not ended:");
}

static bool runs_tests(const struct session *session)
{
    for (uint32_t i = 0; i < session->process_count; i++)
        for (uint32_t k = 0; k < session->processes[i].skip_count; k++)
            if (session->processes[i].skips[k].reason.code == REASON_TEST_PLATFORM)
                return true;
    return false;
}

/* --- awaits ----------------------------------------------------------------------------------- */

struct mapped_file {
    struct str name;
    bool found;
};

static bool take_mapped_file(void *context, struct str path)
{
    struct mapped_file *file = context;
    file->found = str_eq(path_file(path), file->name);
    return !file->found;
}

static bool counts_there(const void *context, struct str file)
{
    const struct live *live = context;
    struct mapped_file mapped = {path_file(file), false};
    for (uint32_t i = 0; i < live->count && !mapped.found; i++)
        (void)process_maps_visit(live->processes[i]->pid, take_mapped_file, &mapped);
    return mapped.found;
}

static void add_await(struct shown_frames *shown, const struct pending_await *await)
{
    char suffix[SUFFIX_ROOM] = "", pending[GROUPED_ROOM], left[GROUPED_ROOM];
    struct stack_frame frame = {.path = await->file->module_path,
                                .token = await->token,
                                .il_offset = await->il_offset,
                                .is_place = true};
    memcpy(frame.mvid, await->file->mvid, sizeof frame.mvid);
    if (await->left != 0)
        (void)snprintf(suffix, sizeof suffix, " (at least %s of %s)",
                       grouped(pending, await->pending), grouped(left, await->left));
    add_shown_frame(shown, &frame, suffix);
}

static void say_awaits(const struct live *live, struct arena *arena)
{
    struct list awaits = {NULL, 0, 0};
    struct shown_frames shown;
    open_shown_frames(&shown, live, arena);
    if (pending_awaits_find(&awaits, live->hang->session, live->session, counts_there, live, arena,
                            NULL))
        for (uint32_t i = 0; i < awaits.count; i++)
            add_await(&shown, (const struct pending_await *)awaits.items + i);
    say_shown_frames(&shown, "these awaits have not continued:");
}

static void say_unfinished(const struct live *live, struct arena *arena)
{
    say_open_tests(live, arena);
    if (live->session->hits_count == 0 && runs_tests(live->session))
        say("with --per-test, tests that have started but not ended would be named here");
    say_awaits(live, arena);
}

/* --- messages --------------------------------------------------------------------------------- */

static void tell_stacks(const struct hang *hang, const struct process *process, struct arena *arena)
{
    struct stack_source source = {.process = process, .session = hang->session, .root = hang->root};
    struct err err = {0};
    struct str text;
    if (!stack_ask(&text, &source, HANG_ASK_MS, arena, &err)) {
        say("process %d (%s) cannot be asked for its stacks: %s", process->pid, process->name,
            err.text);
        return;
    }
    say("the stacks of process %d (%s):", process->pid, process->name);
    (void)!file_write(STREAM_ERROR, text.text, text.len);
}

static void tell_hang(const struct live *live, struct arena *arena)
{
    char names[NAMES_ROOM] = "";
    size_t len = 0;
    for (uint32_t i = 0; i < live->count && len < sizeof names; i++) {
        const struct process *process = live->processes[i];
        int n = snprintf(names + len, sizeof names - len, "%s%d (%s)", i == 0 ? "" : ", ",
                         process->pid, process->name);
        len += n > 0 ? (size_t)n : 0;
    }
    say("no new coverage for %g s in %s %s", (double)live->hang->limit_ms / 1000,
        plural(live->count, "process", "processes"), names);
    say_unfinished(live, arena);
    for (uint32_t i = 0; i < live->count; i++)
        tell_stacks(live->hang, live->processes[i], arena);
}

/* --- the end of what hangs -------------------------------------------------------------------- */

static void enter_state(struct hang *hang, enum hang_state state)
{
    hang->state = state;
    hang->since_ms = clock_ms();
}

static void terminate_hung(struct hang *hang, const struct live *live)
{
    hang->hung = ARENA_NEW(hang->arena, struct hang_process, live->count, NULL);
    hang->hung_count = hang->hung != NULL ? live->count : 0;
    for (uint32_t i = 0; i < live->count; i++) {
        const struct process *process = live->processes[i];
        if (hang->hung != NULL)
            hang->hung[i] = (struct hang_process){process->pid, process->start_ticks};
        process_ask_to_end(process->pid);
        say("process %d (%s) is terminated because it hangs", process->pid, process->name);
    }
    enter_state(hang, HANG_TERMINATED);
}

/* Those that are still there; how many. */
static uint32_t kill_hung(const struct hang *hang, bool by_force, struct arena *arena)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < hang->hung_count; i++) {
        struct process process;
        if (!process_read(&process, hang->hung[i].pid, arena, NULL) ||
            process.start_ticks != hang->hung[i].start_ticks)
            continue;
        count++;
        if (!by_force)
            continue;
        process_kill(process.pid);
        say("process %d (%s) is killed: it did not end within %d s", process.pid, process.name,
            HANG_TERM_MS / 1000);
    }
    return count;
}

static void kill_on(struct hang *hang, int command, struct arena *arena)
{
    int64_t past_ms = clock_ms() - hang->since_ms;
    if (hang->state == HANG_TERMINATED) {
        bool late = past_ms >= HANG_TERM_MS;
        if (kill_hung(hang, late, arena) == 0 || late)
            enter_state(hang, HANG_KILLED);
    } else if (hang->state == HANG_KILLED && past_ms >= HANG_COMMAND_MS) {
        say("the command (process %d) is killed: it did not end within %d s after what hung in it",
            command, HANG_COMMAND_MS / 1000);
        process_kill(command);
        enter_state(hang, HANG_OVER);
    }
}

/* --- the whole -------------------------------------------------------------------------------- */

static bool has_moved(struct hang *hang, const struct hang_progress *now)
{
    bool moved = now->counters != hang->progress.counters || now->lines != hang->progress.lines;
    hang->progress = *now;
    return moved;
}

/* What can't be read now may be next time. */
static void look_at_session(struct hang *hang, struct arena *arena)
{
    struct session session;
    struct hang_progress now;
    struct live live;
    if (!session_read(&session, hang->session, arena, NULL) ||
        !hang_measure(&now, &session, arena, NULL) ||
        !find_live(&live, hang, &session, arena, NULL))
        return;
    if (has_moved(hang, &now) || live.count == 0) {
        enter_state(hang, HANG_WATCHING);
        return;
    }
    if (hang->state == HANG_REPORTED || clock_ms() - hang->since_ms < hang->limit_ms)
        return;
    enter_state(hang, HANG_REPORTED);
    tell_hang(&live, arena);
    if (hang->kills)
        terminate_hung(hang, &live);
}

static uint32_t look_for_hang(void *context, int command)
{
    struct hang *hang = context;
    struct arena arena = ARENA_EMPTY;
    if (hang->state == HANG_WATCHING || hang->state == HANG_REPORTED)
        look_at_session(hang, &arena);
    else
        kill_on(hang, command, &arena);
    arena_free(&arena);
    uint32_t next_ms = hang->limit_ms / 10;
    if (hang->state >= HANG_TERMINATED || next_ms < HANG_LOOK_LEAST_MS)
        return HANG_LOOK_LEAST_MS;
    return next_ms < HANG_LOOK_MOST_MS ? next_ms : HANG_LOOK_MOST_MS;
}

void hang_open(struct hang *out, const char *session, struct str root, uint32_t limit_ms,
               bool kills, struct arena *arena)
{
    *out = (struct hang){
        .watch = {.look = look_for_hang, .context = out},
        .session = session,
        .root = root,
        .limit_ms = limit_ms,
        .start_ms = HANG_START_MS,
        .kills = kills,
        .state = HANG_WATCHING,
        .since_ms = clock_ms(),
        .arena = arena,
    };
}

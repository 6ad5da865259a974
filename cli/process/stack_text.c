#include "cli/process/stack_text.h"

#include <stdio.h>
#include <string.h>

#include "cli/options/say.h"
#include "cli/process/frame.h"
#include "cli/process/hresult.h"
#include "cli/process/stop.h"
#include "contract/protocol.h"
#include "reporters/legible.h"
#include "system/process.h"

#define HR_S_OK 0u /* not in hresult.def: it needs no advice */

struct stack_thread {
    uint32_t id; /* the operating system's */
    uint32_t hr;
    char name[PROCESS_NAME_ROOM];
    struct text frames; /* lines */
    uint32_t managed;   /* how many of them are managed */
    struct stack_thread *next_equal;
    bool is_printed;
};

struct stack_walk {
    struct list threads;   /* struct thread */
    struct list arguments; /* struct str, of the next frame */
    struct frame_modules modules;
    const struct stack_source *source;
    struct arena *arena;
    struct err *err;
};

/* --- what the library says -------------------------------------------------------------------- */

/* The thread may be gone by now: then it stays without a name. */
static void read_thread_name(struct stack_thread *thread, const struct process *process)
{
    if (process->inner_pid != process->pid)
        return; /* it has other thread IDs than ilcov sees */
    (void)process_name_of_thread(thread->name, process->pid, thread->id);
    thread->name[legible_defuse(thread->name, strlen(thread->name))] = '\0';
}

static bool take_thread(struct stack_walk *walk, const struct str *fields)
{
    uint64_t id = 0;
    uint32_t hr = 0;
    if (!session_parse_number(&id, fields[1], 10) || id > INT32_MAX ||
        !control_parse_hr(&hr, fields[2]))
        return err_set(walk->err, ERR_FORMAT, "a thread has a malformed field");
    struct stack_thread *thread = list_add(&walk->threads, sizeof *thread, walk->arena, walk->err);
    if (thread == NULL)
        return false;
    thread->id = (uint32_t)id;
    thread->hr = hr;
    read_thread_name(thread, walk->source->process);
    thread->frames = text_in(walk->arena);
    return true;
}

static struct stack_thread *current_thread(const struct stack_walk *walk)
{
    struct stack_thread *threads = walk->threads.items;
    return &threads[walk->threads.count - 1];
}

static bool parse_frame(struct stack_frame *out, const struct str *fields)
{
    uint64_t offset = NO_INDEX;
    *out = (struct stack_frame){.path = fields[1], .method = fields[5]};
    if (!session_parse_mvid(out->mvid, fields[2]) || !control_parse_hr(&out->token, fields[3]) ||
        (!str_is(fields[4], "-1") &&
         (!session_parse_number(&offset, fields[4], 10) || offset > INT32_MAX)))
        return false;
    out->il_offset = (uint32_t)offset;
    return true;
}

static bool take_argument(struct stack_walk *walk, const struct str *fields)
{
    return list_put(&walk->arguments, &fields[1], sizeof fields[1], walk->arena, walk->err);
}

static bool take_frame(struct stack_walk *walk, const struct str *fields)
{
    struct stack_frame frame;
    struct str line;
    if (!parse_frame(&frame, fields))
        return err_set(walk->err, ERR_FORMAT, "a frame has a malformed field");
    frame.arguments = walk->arguments.items;
    frame.argument_count = walk->arguments.count;
    walk->arguments.count = 0;
    if (!frame_text(&line, &walk->modules, &frame, walk->err))
        return false;
    struct stack_thread *thread = current_thread(walk);
    text_addf(&thread->frames, "   %.*s\n", STR_ARGS(line));
    thread->managed++;
    return true;
}

static bool take_native(struct stack_walk *walk, const struct str *fields)
{
    (void)fields;
    text_add_c(&current_thread(walk)->frames, "   [native code]\n");
    return true;
}

static bool take_call(struct stack_walk *walk, const struct str *fields)
{
    struct text *frames = &current_thread(walk)->frames;
    size_t start = frames->len;
    text_addf(frames, "   [native code: %.*s", STR_ARGS(fields[1]));
    if (frames->data != NULL)
        frames->len = start + legible_defuse(frames->data + start, frames->len - start);
    text_add_c(frames, "]\n");
    return true;
}

static bool take_count(struct stack_walk *walk, const struct str *fields, const char *before,
                       const char *after)
{
    char number[GROUPED_ROOM];
    uint64_t count = 0;
    if (!session_parse_number(&count, fields[1], 10))
        return err_set(walk->err, ERR_FORMAT, "a count is malformed");
    text_addf(&current_thread(walk)->frames, "   [%s%s %s]\n", before, grouped(number, count),
              after);
    return true;
}

static bool take_again(struct stack_walk *walk, const struct str *fields)
{
    return take_count(walk, fields, "repeated ", "times");
}

static bool take_omitted(struct stack_walk *walk, const struct str *fields)
{
    return take_count(walk, fields, "", "frames are not shown");
}

static bool take_dynamic(struct stack_walk *walk, const struct str *fields)
{
    struct stack_frame frame = {.method = fields[1], .il_offset = NO_INDEX};
    struct str line;
    if (!frame_text(&line, &walk->modules, &frame, walk->err))
        return false;
    text_addf(&current_thread(walk)->frames, "   %.*s [made at run time]\n", STR_ARGS(line));
    current_thread(walk)->managed++;
    return true;
}

static const struct {
    const char *keyword;
    uint32_t field_count; /* with the keyword */
    bool (*take)(struct stack_walk *walk, const struct str *fields);
} items[] = {
    {"thread", 3, take_thread}, /* the first */
    {"argument", 2, take_argument}, {"frame", 6, take_frame},   {"again", 2, take_again},
    {"omitted", 2, take_omitted},   {"native", 1, take_native}, {"call", 2, take_call},
    {"dynamic", 2, take_dynamic},
};

static bool take_stack_line(struct stack_walk *walk, const struct session_line *line)
{
    for (size_t i = 0; i < ARRAY_LEN(items); i++) {
        if (!str_is(line->fields[0], items[i].keyword))
            continue;
        if (line->field_count != items[i].field_count)
            return err_set(walk->err, ERR_FORMAT, "'%s' has %u fields instead of %u",
                           items[i].keyword, line->field_count, items[i].field_count);
        if (i != 0 && walk->threads.count == 0)
            return err_set(walk->err, ERR_FORMAT, "'%s' comes before any thread", items[i].keyword);
        return items[i].take(walk, line->fields);
    }
    return err_set(walk->err, ERR_FORMAT, "the keyword is unknown");
}

static bool take_lines(struct stack_walk *walk, const struct control_answer *answer)
{
    for (uint32_t i = 0; i < answer->line_count; i++)
        if (!take_stack_line(walk, &answer->lines[i])) {
            err_prefix(walk->err, "line %u of its stacks", i + 1);
            return false;
        }
    return true;
}

/* --- the text --------------------------------------------------------------------------------- */

/* Neither managed code nor a reason to expect any. */
static bool is_native(const struct stack_thread *thread)
{
    return thread->managed == 0 && (thread->hr == HR_S_OK || thread->hr == HR_E_FAIL);
}

static bool is_equal(const struct stack_thread *a, const struct stack_thread *b)
{
    return a->hr == b->hr && a->frames.len == b->frames.len &&
           (a->frames.len == 0 || memcmp(a->frames.data, b->frames.data, a->frames.len) == 0);
}

/* Chains to `first` the later threads with the same stack. */
static uint32_t chain_equals(struct stack_thread *first, struct stack_thread *end)
{
    uint32_t count = 1;
    struct stack_thread *last = first;
    for (struct stack_thread *other = first + 1; other < end; other++) {
        if (other->is_printed || is_native(other) || !is_equal(first, other))
            continue;
        other->is_printed = true;
        last->next_equal = other;
        last = other;
        count++;
    }
    return count;
}

/* 4720, 4721 (.NET TP Worker), 4730 (App): a name follows all threads in a row that have it. */
static void add_ids(struct text *out, const struct stack_thread *thread)
{
    for (; thread != NULL; thread = thread->next_equal) {
        const struct stack_thread *next = thread->next_equal;
        text_addf(out, "%u", thread->id);
        if (thread->name[0] != '\0' && (next == NULL || strcmp(next->name, thread->name) != 0))
            text_addf(out, " (%s)", thread->name);
        text_add_c(out, next != NULL ? ", " : "");
    }
}

static void add_group(struct text *out, struct stack_thread *first, struct stack_thread *end)
{
    uint32_t count = chain_equals(first, end);
    if (count > 1)
        text_addf(out, "%u ", (unsigned)count);
    text_addf(out, "%s ", plural(count, "thread", "threads"));
    add_ids(out, first);
    text_add_c(out, ":\n");
    text_add(out, (struct str){first->frames.data, first->frames.len});
    char why[HRESULT_TEXT_ROOM];
    if (first->hr != HR_S_OK)
        text_addf(out, "   [the rest of its stack is unknown: %s]\n", hresult_text(why, first->hr));
    text_add_c(out, "\n");
}

static void add_stacks(struct text *out, struct stack_walk *walk)
{
    struct stack_thread *threads = walk->threads.items, *end = threads + walk->threads.count;
    uint32_t native_count = 0;
    for (struct stack_thread *thread = threads; thread < end; thread++) {
        if (is_native(thread))
            native_count++;
        else if (!thread->is_printed)
            add_group(out, thread, end);
    }
    if (native_count != 0)
        text_addf(out, "%u %s no managed code\n", (unsigned)native_count,
                  plural(native_count, "thread runs", "threads run"));
}

bool stack_text(struct str *out, const struct control_answer *answer,
                const struct stack_source *source, struct arena *arena, struct err *err)
{
    struct stack_walk walk = {.source = source, .arena = arena, .err = err};
    frame_open(&walk.modules, source->process, source->session, source->root, arena);
    bool ok = take_lines(&walk, answer);
    frame_close(&walk.modules);
    if (!ok)
        return false;
    struct text text = text_in(arena);
    add_stacks(&text, &walk);
    return text_take(out, &text, err);
}

/* --- asking ----------------------------------------------------------------------------------- */

static bool refuse_stacks(uint32_t hr, const struct process *process, struct err *err)
{
    char clause[STOP_TEXT_ROOM];
    if (stop_read(clause, process) == STOP_NONE)
        (void)snprintf(clause, sizeof clause,
                       "a thread may be in code that does not let the runtime stop it");
    if (hr == CONTROL_E_TIMEOUT)
        return err_set(err, ERR_IO,
                       "it could not be stopped within %d s, and was left as it is: %s",
                       SUSPEND_SECONDS, clause);
    if (hr == HR_CORPROF_E_SUSPENSION_IN_PROGRESS)
        return err_set(err, ERR_IO, "an earlier attempt to stop it still waits: %s", clause);
    char text[HRESULT_TEXT_ROOM];
    return err_set(err, ERR_IO, "the runtime does not show its stacks: %s", hresult_text(text, hr));
}

bool stack_ask(struct str *out, const struct stack_source *source, uint32_t limit_ms,
               struct arena *arena, struct err *err)
{
    const struct process *process = source->process;
    struct control_answer answer;
    bool ok = control_ask(&answer, source->session, process->inner_pid, CONTROL_STACKS, limit_ms,
                          arena, err);
    if (!ok)
        stop_explain(err, process);
    return ok && (answer.hr == HR_S_OK || refuse_stacks(answer.hr, process, err)) &&
           stack_text(out, &answer, source, arena, err);
}

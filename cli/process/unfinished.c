#include "cli/process/unfinished.h"

#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "cli/base/say.h"
#include "cli/process/frame.h"
#include "cli/process/process_session.h"
#include "contract/session_format.h"
#include "coverage/collect/pending_awaits.h"
#include "metadata/tables.h"
#include "system/file.h"
#include "system/process_maps.h"
#include "system/terminal.h"

enum {
    SHOWN_MAX = 20, /* tests, and awaits */
    SUFFIX_ROOM = 2 * GROUPED_ROOM + 32
};

struct told {
    struct frame_modules modules;
    struct text lines;
    uint32_t count;
};

static void begin(struct told *out, const struct unfinished *u, struct arena *arena)
{
    *out = (struct told){.count = 0};
    frame_open(&out->modules, u->processes[0], u->path, u->root, arena);
    text_open(&out->lines, arena);
}

/* A path in the session is part of a line. */
static void add(struct told *told, struct frame *frame, const char *suffix)
{
    struct str line;
    if (told->count++ < SHOWN_MAX &&
        str_copy(&frame->path, frame->path, told->modules.arena, NULL) &&
        frame_text(&line, &told->modules, frame, NULL))
        text_addf(&told->lines, "   %.*s%s\n", STR_ARGS(line), suffix);
}

static void say_all(struct told *told, const char *heading)
{
    struct str lines;
    if (told->count > SHOWN_MAX)
        text_addf(&told->lines, "   and %u more\n", told->count - SHOWN_MAX);
    frame_close(&told->modules);
    if (told->count == 0 || !text_take(&lines, &told->lines, NULL))
        return;
    say("%s", heading);
    (void)!file_write(STREAM_ERROR, lines.text, lines.len);
}

/* --- tests ------------------------------------------------------------------------------------ */

static bool is_of_process(const struct unfinished *u, struct str process)
{
    char name[PROCESS_RECORD_ROOM];
    for (uint32_t i = 0; i < u->process_count; i++) {
        process_record_name(name, u->processes[i]);
        if (str_eq(process, str_of(name + strlen(SESSION_PROCESS))))
            return true;
    }
    return false;
}

/* Of a test that ended once, as a theory does, it is not known whether it has begun again. */
static bool is_open(const struct session_owner *owner)
{
    return owner->kind == OWNER_TEST && owner->rows == 0;
}

static struct frame frame_of(const struct session *session, const struct session_owner *owner,
                             struct arena *arena)
{
    struct frame frame = {.token = TOKEN(TABLE_MethodDef, owner->rid)};
    (void)!text_format(&frame.method, arena, NULL, "%.*s.?", STR_ARGS(owner->type));
    memcpy(frame.mvid, owner->mvid, sizeof frame.mvid);
    for (uint32_t i = 0; i < session->process_count; i++)
        for (uint32_t k = 0; k < session->processes[i].covered_count; k++)
            if (memcmp(session->processes[i].covered[k].mvid, owner->mvid, sizeof frame.mvid) == 0)
                frame.path = session->processes[i].covered[k].path;
    return frame;
}

static void say_tests(const struct unfinished *u, struct arena *arena)
{
    struct told told;
    begin(&told, u, arena);
    for (uint32_t i = 0; i < u->session->hits_count; i++) {
        const struct session_hits *hits = &u->session->hits[i];
        for (uint32_t k = 0; is_of_process(u, hits->process) && k < hits->owner_count; k++)
            if (is_open(&hits->owners[k])) {
                struct frame frame = frame_of(u->session, &hits->owners[k], arena);
                add(&told, &frame, "");
            }
    }
    say_all(&told, "these tests have begun and not ended:");
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

static bool take_mapped(void *context, struct str path)
{
    struct mapped_file *file = context;
    file->found = str_eq(path_file(path), file->name);
    return !file->found;
}

static bool counts_there(const void *context, struct str file)
{
    const struct unfinished *u = context;
    struct mapped_file mapped = {path_file(file), false};
    for (uint32_t i = 0; i < u->process_count && !mapped.found; i++)
        (void)process_maps_visit(u->processes[i]->pid, take_mapped, &mapped);
    return mapped.found;
}

static void add_await(struct told *told, const struct pending_await *await)
{
    char suffix[SUFFIX_ROOM] = "", pending[GROUPED_ROOM], left[GROUPED_ROOM];
    struct frame frame = {.path = await->file->module_path,
                          .token = await->token,
                          .il_offset = await->il_offset,
                          .is_place = true};
    memcpy(frame.mvid, await->file->mvid, sizeof frame.mvid);
    if (await->left != 0)
        (void)snprintf(suffix, sizeof suffix, " (at least %s of %s)",
                       grouped(pending, await->pending), grouped(left, await->left));
    add(told, &frame, suffix);
}

static void say_awaits(const struct unfinished *u, struct arena *arena)
{
    struct list awaits = {NULL, 0, 0};
    struct told told;
    begin(&told, u, arena);
    if (pending_awaits_find(&awaits, u->path, u->session, counts_there, u, arena, NULL))
        for (uint32_t i = 0; i < awaits.count; i++)
            add_await(&told, (const struct pending_await *)awaits.items + i);
    say_all(&told, "these awaits have not gone on:");
}

void unfinished_say(const struct unfinished *u, struct arena *arena)
{
    say_tests(u, arena);
    if (u->session->hits_count == 0 && runs_tests(u->session))
        say("with --per-test, the tests that have begun and not ended would be named here");
    say_awaits(u, arena);
}

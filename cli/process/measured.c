#include "cli/process/measured.h"

#include "base/list.h"
#include "base/path.h"
#include "cli/process/process_session.h"
#include "system/process.h"

struct search {
    struct list found; /* struct measured */
    struct arena *arena;
    struct err *err;
    bool failed; /* out of memory */
};

static void read_mode(struct measured *out, const char *session, struct arena *arena)
{
    struct session_config config;
    out->has_mode = session_config_read(&config, session, arena, NULL);
    if (out->has_mode)
        out->mode = config.mode;
}

static bool add(struct search *search, const struct process *process,
                const struct session_process *record, const char *session, struct arena *scratch)
{
    struct measured *added = list_add(&search->found, sizeof *added, search->arena, search->err);
    if (added == NULL)
        return false;
    added->pid = process->pid;
    added->user = process->owner;
    added->since = record->attached != 0 ? record->attached : process->started;
    read_mode(added, session, scratch);
    return str_copy(&added->name, str_of(process->name), search->arena, search->err) &&
           str_copy(&added->session, str_of(session), search->arena, search->err);
}

/* One that ends meanwhile, whose library declined to measure it, or that is detached is not
 * measured. */
static bool take(void *context, int pid)
{
    struct search *search = context;
    struct process process;
    struct session_process record;
    char session[PATH_ROOM];
    struct arena scratch;
    arena_init(&scratch, NULL, 0, ARENA_NO_LIMIT);
    if (process_read(&process, pid, &scratch, NULL) && process.library[0] != '\0' &&
        process_find_session(session, sizeof session, &process, NULL) &&
        process_record(&record, &process, session, &scratch, NULL) &&
        record.declined.code == REASON_NONE && !record.is_detached)
        search->failed = !add(search, &process, &record, session, &scratch);
    arena_free(&scratch);
    return !search->failed;
}

bool measured_list(struct measured **out, uint32_t *count, struct arena *arena, struct err *err)
{
    struct search search = {.arena = arena, .err = err};
    if (!process_list_visit(take, &search))
        return err_set_errno(err, "the processes of this machine cannot be listed");
    *out = search.found.items;
    *count = search.found.count;
    return !search.failed;
}

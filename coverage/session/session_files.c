/* One file of a session: bytes in, facts out; session.c opens and reads. The formats are drawn in
 * contract/session_format.h. The files were written by a library inside a foreign process, which
 * may have been killed at any point: every byte is tested before it is trusted. */
#include "coverage/session/session.h"

#include <string.h>

#include "base/bytes.h"
#include "base/path.h"
#include "contract/session_format.h"
#include "contract/verdict.h"
#include "coverage/session/session_text.h"

enum {
    MVID_LEN = 16,
    PAGE_MIN = 4096 /* on any machine; larger pages are multiples of it */
};

/* The end of the year 9999: later dates need more digits. */
#define SECONDS_LIMIT 253402300799u

/* --- process record --------------------------------------------------------------------------- */

#define RECORD_START "ilcov-process"

/* Appears again if the process became another program by exec, which keeps its ID and start
 * time. */
static bool take_start(struct session_process *process, const struct str *fields)
{
    (void)fields;
    process->declined = (struct reason){.code = REASON_NONE};
    process->test_count = 0;
    process->asks_coverage = false;
    return true;
}

static bool take_program(struct session_process *process, const struct str *fields)
{
    process->program = fields[1];
    return true;
}

static bool take_parent(struct session_process *process, const struct str *fields)
{
    return session_parse_u32(&process->parent, fields[1]);
}

static bool take_tests(struct session_process *process, const struct str *fields)
{
    process->tests[process->test_count++] = fields[1];
    return true;
}

static bool take_asks_coverage(struct session_process *process, const struct str *fields)
{
    (void)fields;
    process->asks_coverage = true;
    return true;
}

static bool take_runtime(struct session_process *process, const struct str *fields)
{
    process->runtime = fields[1];
    process->runtime_dir = fields[2];
    return true;
}

/* A number and a subject. */
static bool take_reason(struct reason *out, const struct str *fields)
{
    *out = (struct reason){.subject = fields[1]};
    return session_parse_u32(&out->code, fields[0]) && reason_is_known(out->code);
}

static bool take_declined(struct session_process *process, const struct str *fields)
{
    return take_reason(&process->declined, fields + 1);
}

static bool take_instrumented(struct session_process *process, const struct str *fields)
{
    struct session_instrumented *module = &process->instrumented[process->instrumented_count++];
    module->name = fields[1];
    module->path = fields[2];
    return session_parse_mvid(module->mvid, fields[3]) &&
           session_parse_u32(&module->methods, fields[4]) &&
           session_parse_u32(&module->declined, fields[5]);
}

/* A module that is loaded from memory is looked at again when its symbols follow. */
static bool is_of_same_load(const struct session_skip *skip, const struct str *fields)
{
    return !path_is_absolute(skip->path) && str_eq(skip->path, fields[2]) &&
           str_eq(skip->name, fields[1]) && reason_is(&skip->reason, REASON_NO_PDB_BESIDE);
}

static bool take_skipped(struct session_process *process, const struct str *fields)
{
    uint32_t i = 0;
    while (i < process->skip_count && !is_of_same_load(&process->skips[i], fields))
        i++;
    process->skip_count += i == process->skip_count;
    struct session_skip *skip = &process->skips[i];
    skip->name = fields[1];
    skip->path = fields[2];
    return take_reason(&skip->reason, fields + 3);
}

static bool take_change(struct session_process *process, const struct str *fields, bool is_added)
{
    struct session_change *change = &process->changes[process->change_count++];
    change->module_name = fields[1];
    change->method = fields[4];
    change->is_added = is_added;
    return session_parse_mvid(change->mvid, fields[2]) &&
           session_parse_u32(&change->method_rid, fields[3]) && change->method_rid != 0 &&
           change->method_rid <= SESSION_METHODS_LIMIT;
}

static bool take_changed(struct session_process *process, const struct str *fields)
{
    return take_change(process, fields, false);
}

static bool take_added(struct session_process *process, const struct str *fields)
{
    return take_change(process, fields, true);
}

static bool take_sharing(struct session_process *process, const struct str *fields)
{
    return take_reason(&process->sharings[process->sharing_count++], fields + 1);
}

static bool take_warning(struct session_process *process, const struct str *fields)
{
    process->warnings[process->warning_count++] = fields[1];
    return true;
}

/* The last of several: the process may return to a program that it had left. */
static bool take_attached(struct session_process *process, const struct str *fields)
{
    uint64_t seconds = 0;
    if (!session_parse_number(&seconds, fields[1], 10) || seconds == 0 || seconds > SECONDS_LIMIT)
        return false;
    process->attached = (int64_t)seconds;
    process->is_again |= process->is_detached;
    process->is_detached = false;
    return true;
}

static bool take_detached(struct session_process *process, const struct str *fields)
{
    (void)fields;
    process->is_detached = true;
    return true;
}

static const struct {
    const char *keyword;
    uint32_t field_count; /* with the keyword */
    bool (*take)(struct session_process *process, const struct str *fields);
} record_items[] = {
    {RECORD_START, 2, take_start},
    {"program", 2, take_program},
    {"runtime", 3, take_runtime},
    {"declined", 3, take_declined},
    {"instrumented", 6, take_instrumented},
    {"skipped", 5, take_skipped},
    {"trouble", 2, take_warning},
    {"attached", 2, take_attached},
    {"detached", 2, take_detached},
    {"parent", 2, take_parent},
    {"tests", 2, take_tests},
    {"asks-coverage", 1, take_asks_coverage},
    {"changed", 5, take_changed},
    {"added", 5, take_added},
    {"sharing", 3, take_sharing},
};

static bool take_record_line(struct session_process *process, const struct session_line *line,
                             struct err *err)
{
    for (size_t i = 0; i < ARRAY_LEN(record_items); i++) {
        if (!str_is(line->fields[0], record_items[i].keyword))
            continue;
        if (line->field_count != record_items[i].field_count)
            return err_set(err, ERR_FORMAT, "'%s' has %u fields instead of %u",
                           record_items[i].keyword, line->field_count, record_items[i].field_count);
        return record_items[i].take(process, line->fields) ||
               err_set(err, ERR_FORMAT, "'%s' has a malformed field", record_items[i].keyword);
    }
    return err_set(err, ERR_FORMAT, "the keyword is unknown");
}

static size_t count_record_lines(struct str text)
{
    size_t count = 0;
    while (text.len != 0) {
        (void)str_take_until(&text, '\n');
        count++;
    }
    return count;
}

bool session_parse_process(struct session_process *out, struct str name, struct view record,
                           struct arena *arena, struct err *err)
{
    *out = (struct session_process){0};
    struct str number = name;
    bool named = str_starts(name, SESSION_PROCESS);
    if (named)
        (void)str_take_until(&number, '-');
    if (!named || !session_parse_u32(&out->pid, str_take_until(&number, '-')))
        return err_set(err, ERR_FORMAT, "its name has no process ID");
    struct str text = {(const char *)record.data, record.len};
    while (text.len != 0 && text.text[text.len - 1] != '\n')
        text.len--; /* its process was killed, or the disk filled up, in the middle of a line */
    size_t line_count = count_record_lines(text);
    out->instrumented = ARENA_NEW(arena, struct session_instrumented, line_count, err);
    out->skips = ARENA_NEW(arena, struct session_skip, line_count, err);
    out->warnings = ARENA_NEW(arena, struct str, line_count, err);
    out->tests = ARENA_NEW(arena, struct str, line_count, err);
    out->changes = ARENA_NEW(arena, struct session_change, line_count, err);
    out->sharings = ARENA_NEW(arena, struct reason, line_count, err);
    if (out->instrumented == NULL || out->skips == NULL || out->warnings == NULL ||
        out->tests == NULL || out->changes == NULL || out->sharings == NULL)
        return false;
    for (size_t row = 1; text.len != 0; row++) {
        struct session_line line;
        bool ok = session_parse_line(&line, str_take_until(&text, '\n'), arena, err);
        if (ok && row == 1 && !str_is(line.fields[0], RECORD_START))
            ok = err_set(err, ERR_FORMAT, "it does not begin like a process record");
        ok = ok && take_record_line(out, &line, err);
        if (!ok) {
            err_prefix(err, "line %zu", row);
            return false;
        }
    }
    return true;
}

/* --- troubles --------------------------------------------------------------------------------- */

bool session_parse_warnings(struct str **out, uint32_t *count, struct view file,
                            struct arena *arena, struct err *err)
{
    struct str text = {(const char *)file.data, file.len};
    *count = 0;
    *out = ARENA_NEW(arena, struct str, count_record_lines(text), err);
    if (*out == NULL)
        return false;
    while (text.len != 0) {
        struct session_line line;
        struct err warning = {0};
        struct str whole = str_take_until(&text, '\n');
        if (!session_parse_line(&line, whole, arena, &warning)) {
            if (warning.code == ERR_MEMORY)
                return err_set(err, ERR_MEMORY, "%s", warning.text);
            continue;
        }
        if (line.field_count != 2 || !str_is(line.fields[0], "trouble"))
            continue;
        char *printable = arena_copy_text(arena, line.fields[1].text, line.fields[1].len, err);
        if (printable == NULL)
            return false;
        for (size_t i = 0; i < line.fields[1].len; i++)
            if ((uint8_t)printable[i] < ' ' || printable[i] == 0x7F)
                printable[i] = '?';
        (*out)[(*count)++] = (struct str){printable, line.fields[1].len};
    }
    return true;
}

/* --- counter file ----------------------------------------------------------------------------- */

static bool check_shards(const struct session_counters *counters, uint64_t file_len,
                         struct err *err)
{
    uint32_t k = counters->shard_count;
    uint64_t n = counters->counter_count, stride = counters->shard_stride,
             offset = counters->shards_offset;
    if (k == 0 || k > SHARDS_MAX)
        return err_set(err, ERR_FORMAT, "%u shards; 1 to %d were expected", k, SHARDS_MAX);
    if (n > SESSION_COUNTERS_LIMIT)
        return err_set(err, ERR_LIMIT, "%llu counters; at most %d are possible",
                       (unsigned long long)n, SESSION_COUNTERS_LIMIT);
    if (stride % PAGE_MIN != 0 || n * mode_counter_size(counters->mode) > stride)
        return err_set(err, ERR_FORMAT, "shards of %llu bytes are too small for %llu counters",
                       (unsigned long long)stride, (unsigned long long)n);
    if (offset % PAGE_MIN != 0 || offset < COUNTERS_HEADER_LEN || offset > SESSION_HEAD_LIMIT)
        return err_set(err, ERR_FORMAT, "shards cannot begin at byte %llu",
                       (unsigned long long)offset);
    if (offset > file_len || stride > (file_len - offset) / k)
        return err_set(
            err, ERR_FORMAT, "%u shards of %llu bytes from byte %llu on, but the file has %llu", k,
            (unsigned long long)stride, (unsigned long long)offset, (unsigned long long)file_len);
    return true;
}

/* A range of the head after the fixed header. */
static bool take_head_range(struct view *out, struct view head, uint32_t offset, uint32_t len,
                            const char *what, struct err *err)
{
    if (offset < COUNTERS_HEADER_LEN || offset > head.len || len > head.len - offset)
        return err_set(err, ERR_FORMAT,
                       "its %s of %u bytes at byte %u ends past the %zu bytes before the shards",
                       what, len, offset, head.len);
    *out = (struct view){head.data + offset, len};
    return true;
}

static bool take_head_text(struct str *out, struct view head, size_t at, const char *what,
                           struct err *err)
{
    struct view bytes = {NULL, 0};
    if (!take_head_range(&bytes, head, load_u32(head.data + at), load_u32(head.data + at + 4), what,
                         err))
        return false;
    *out = (struct str){(const char *)bytes.data, bytes.len};
    return session_is_text(*out) || err_set(err, ERR_FORMAT, "its %s is not UTF-8", what);
}

static bool take_verdicts(struct session_counters *out, struct view head, struct err *err)
{
    out->method_count = load_u32(head.data + COUNTERS_AT_METHOD_COUNT);
    if (out->method_count > SESSION_METHODS_LIMIT)
        return err_set(err, ERR_FORMAT, "%u methods; a module has at most %d", out->method_count,
                       SESSION_METHODS_LIMIT);
    uint32_t offset = load_u32(head.data + COUNTERS_AT_VERDICTS);
    if (!take_head_range(&out->verdicts, head, offset, out->method_count, "table of verdicts", err))
        return false;
    for (uint32_t i = 0; i < out->method_count; i++) {
        if (out->verdicts.data[i] >= VERDICT_COUNT)
            return err_set(err, ERR_FORMAT, "method %u has the unknown verdict %u", i + 1,
                           out->verdicts.data[i]);
    }
    return true;
}

/* The name <mvid>-<plan hash>-<slot>.counts must agree with the header. */
static bool check_name(const struct session_counters *counters, struct str name, struct err *err)
{
    struct str rest = name;
    uint8_t mvid[MVID_LEN];
    uint64_t hash = 0, slot = 0;
    bool ok = str_ends(name, SESSION_COUNTS);
    if (ok)
        rest.len -= strlen(SESSION_COUNTS);
    ok = ok && session_parse_mvid(mvid, str_take_until(&rest, '-')) &&
         session_parse_number(&hash, str_take_until(&rest, '-'), 16) &&
         session_parse_number(&slot, rest, 10);
    if (!ok || memcmp(mvid, counters->mvid, MVID_LEN) != 0 || hash != counters->plan_hash)
        return err_set(err, ERR_FORMAT, "its name does not match its header");
    return true;
}

bool session_parse_counters(struct session_counters *out, struct str name, struct view head,
                            uint64_t file_len, struct err *err)
{
    *out = (struct session_counters){0};
    if (head.len < COUNTERS_HEADER_LEN)
        return err_set(err, ERR_FORMAT, "it has %zu bytes, fewer than its header of %d", head.len,
                       COUNTERS_HEADER_LEN);
    const uint8_t *data = head.data;
    if (memcmp(data, COUNTERS_MAGIC, COUNTERS_AT_VERSION) != 0)
        return err_set(err, ERR_FORMAT, "it does not begin with %s", COUNTERS_MAGIC);
    uint32_t version = load_u32(data + COUNTERS_AT_VERSION),
             mode = load_u32(data + COUNTERS_AT_MODE);
    if (version != COUNTERS_VERSION)
        return err_set(err, ERR_UNSUPPORTED, "its format is version %u; this program reads %d",
                       version, COUNTERS_VERSION);
    if (load_u32(data + COUNTERS_AT_READY) != COUNTERS_READY)
        return err_set(err, ERR_FORMAT, "it is not marked as finished");
    if (mode > MODE_EXACT)
        return err_set(err, ERR_FORMAT, "its mode %u is unknown", mode);
    out->mode = (enum count_mode)mode;
    out->plan_hash = load_u64(data + COUNTERS_AT_PLAN_HASH);
    out->may_change = load_u32(data + COUNTERS_AT_MAY_CHANGE) != 0;
    out->shard_count = load_u32(data + COUNTERS_AT_SHARD_COUNT);
    out->counter_count = load_u32(data + COUNTERS_AT_COUNTER_COUNT);
    out->shard_stride = load_u64(data + COUNTERS_AT_SHARD_STRIDE);
    out->shards_offset = load_u64(data + COUNTERS_AT_SHARDS);
    memcpy(out->mvid, data + COUNTERS_AT_MVID, MVID_LEN);
    if (!check_name(out, name, err) || !check_shards(out, file_len, err))
        return false;
    if (head.len < out->shards_offset)
        return err_set(err, ERR_FORMAT, "only %zu of the %llu bytes before its shards are there",
                       head.len, (unsigned long long)out->shards_offset);
    head.len = (size_t)out->shards_offset;
    if (!take_verdicts(out, head, err) ||
        !take_head_text(&out->module_path, head, COUNTERS_AT_PATH, "module path", err) ||
        !take_head_text(&out->module_name, head, COUNTERS_AT_NAME, "module name", err))
        return false;
    return out->module_name.len != 0 || err_set(err, ERR_FORMAT, "its module has no name");
}

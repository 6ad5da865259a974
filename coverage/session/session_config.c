#include "coverage/session/session_config.h"

#include <errno.h>
#include <string.h>

#include "base/hex.h"
#include "base/list.h"
#include "base/version.h"
#include "contract/session_format.h"
#include "coverage/session/session_text.h"
#include "system/file.h"
#include "system/file_status.h"
#include "system/user.h"

/* --- writing ---------------------------------------------------------------------------------- */

static bool has_line_end(struct str text)
{
    return text.len != 0 && memchr(text.text, '\n', text.len) != NULL;
}

static bool add_patterns(struct text *config, const char *key, const struct str *patterns,
                         uint32_t count, struct err *err)
{
    for (uint32_t i = 0; i < count; i++) {
        if (has_line_end(patterns[i]))
            return err_set(err, ERR_USAGE, "a pattern contains a line break");
        text_addf(config, "%s=%.*s\n", key, STR_ARGS(patterns[i]));
    }
    return true;
}

bool session_config_write(struct str *out, const struct session_config *config, struct arena *arena,
                          struct err *err)
{
    char id[HEX_ROOM(sizeof config->id)];
    struct text text = text_in(arena);
    text_addf(&text, "%s=%d\n%s=%s\n", CONFIG_VERSION, COUNTERS_VERSION, CONFIG_MODE,
              mode_name(config->mode));
    if (!add_patterns(&text, CONFIG_INCLUDE, config->include, config->include_count, err) ||
        !add_patterns(&text, CONFIG_EXCLUDE, config->exclude, config->exclude_count, err))
        return false;
    if (config->include_tests)
        text_addf(&text, "%s=1\n", CONFIG_INCLUDE_TESTS);
    if (config->control)
        text_addf(&text, "%s=1\n", CONFIG_CONTROL);
    if (config->per_test)
        text_addf(&text, "%s=1\n", CONFIG_PER_TEST);
    text_addf(&text, "%s=%s\n%s=%lld\n", CONFIG_ID, hex_of(id, config->id, sizeof config->id),
              CONFIG_STARTED, (long long)config->started);
    return text_take(out, &text, err);
}

/* --- reading ---------------------------------------------------------------------------------- */

struct config_parse {
    struct session_config *config;
    struct list include, exclude; /* struct str */
    bool has_version, has_mode, has_id, has_started;
    struct arena *arena;
    struct err *err;
};

static bool add_pattern(struct config_parse *p, struct list *patterns, struct str value)
{
    struct str *pattern = list_add(patterns, sizeof *pattern, p->arena, p->err);
    return pattern != NULL && str_copy(pattern, value, p->arena, p->err);
}

static bool take_started(struct config_parse *p, struct str value)
{
    uint64_t seconds = 0;
    p->has_started = session_parse_number(&seconds, value, 10) && seconds <= INT64_MAX;
    p->config->started = (int64_t)seconds;
    return p->has_started || err_set(p->err, ERR_FORMAT, "its config has no time in 'started'");
}

static bool take_config_value(struct config_parse *p, struct str key, struct str value)
{
    uint64_t version = 0;
    if (str_is(key, CONFIG_VERSION))
        p->has_version = session_parse_number(&version, value, 10) && version == COUNTERS_VERSION;
    else if (str_is(key, CONFIG_MODE))
        p->has_mode = mode_parse(&p->config->mode, value);
    else if (str_is(key, CONFIG_INCLUDE))
        return add_pattern(p, &p->include, value);
    else if (str_is(key, CONFIG_EXCLUDE))
        return add_pattern(p, &p->exclude, value);
    else if (str_is(key, CONFIG_INCLUDE_TESTS))
        p->config->include_tests = str_is(value, "1");
    else if (str_is(key, CONFIG_CONTROL))
        p->config->control = str_is(value, "1");
    else if (str_is(key, CONFIG_PER_TEST))
        p->config->per_test = str_is(value, "1");
    else if (str_is(key, CONFIG_ID))
        p->has_id = session_parse_mvid(p->config->id, value);
    else if (str_is(key, CONFIG_STARTED))
        return take_started(p, value);
    return true; /* the rest is the library's */
}

static bool take_config_line(struct config_parse *p, struct str line)
{
    struct str value = line, key = str_take_until(&value, '=');
    return key.len != line.len ? take_config_value(p, key, value)
                               : err_set(p->err, ERR_FORMAT, "line '%.*s' of its config has no '='",
                                         STR_ARGS(line));
}

/* The config is written before the session's name is published, so it is complete. */
bool session_config_parse(struct session_config *out, struct str text, struct arena *arena,
                          struct err *err)
{
    struct config_parse p = {.config = out, .arena = arena, .err = err};
    *out = (struct session_config){.started = 0};
    if (text.len != 0 && text.text[text.len - 1] != '\n')
        return err_set(err, ERR_FORMAT, "its config ends in the middle of a line");
    while (text.len != 0)
        if (!take_config_line(&p, str_take_until(&text, '\n')))
            return false;
    out->include = p.include.items;
    out->include_count = p.include.count;
    out->exclude = p.exclude.items;
    out->exclude_count = p.exclude.count;
    return (p.has_version && p.has_mode && p.has_id && p.has_started) ||
           err_set(err, ERR_FORMAT,
                   "its config was written by another version of ilcov (this is %s)",
                   ilcov_version);
}

/* Checks the owner first: another user's session can't be opened and must not be trusted. */
static bool open_session_folder(int *folder, const char *path, struct err *err)
{
    struct file_status status;
    if (!file_status_read(&status, path))
        return err_set_errno(err, "there is no session %s", path);
    if (status.kind != FILE_IS_FOLDER)
        return err_set(err, ERR_UNSUPPORTED, "%s is not a session: it is not a directory", path);
    if (status.owner != user_self())
        return err_set(err, ERR_UNSUPPORTED,
                       "the session %s belongs to another user (%u): run this as that user", path,
                       status.owner);
    *folder = file_open(path, FILE_READ | FILE_FOLDER);
    return *folder >= 0 || err_set_errno(err, "session %s cannot be read", path);
}

bool session_read_bytes(struct view *out, int file, const char *what, uint64_t limit,
                        struct arena *arena, struct err *err)
{
    struct file_status status;
    if (!file_status_open(&status, file) || status.kind != FILE_IS_REGULAR || status.size > limit)
        return err_set(err, ERR_FORMAT, "%s is not a regular file of up to %llu bytes", what,
                       (unsigned long long)limit);
    size_t len = (size_t)status.size;
    uint8_t *data = arena_raw(arena, len, 1, err);
    *out = (struct view){data, len};
    return data != NULL &&
           (file_read_at(data, len, file, 0) || err_set(err, ERR_IO, "%s cannot be read", what));
}

bool session_write_new(int file, const void *data, size_t len, bool flushes)
{
    bool ok = file >= 0 && file_write(file, data, len) && (!flushes || file_flush(file));
    int why = errno;
    if (!file_close(file) && ok)
        return false;
    errno = why;
    return ok;
}

bool session_config_read(struct session_config *out, const char *path, struct arena *arena,
                         struct err *err)
{
    int folder = -1;
    struct view file;
    if (!open_session_folder(&folder, path, err))
        return false;
    int fd = file_open_in(folder, SESSION_CONFIG, FILE_READ | FILE_NO_LINK);
    int why = errno;
    (void)file_close(folder);
    if (fd < 0 && why == ENOENT)
        return err_set(err, ERR_UNSUPPORTED, "%s is not an ilcov session: it has no file '%s'",
                       path, SESSION_CONFIG);
    errno = why;
    bool ok = fd < 0
                  ? err_set_errno(err, "its config cannot be read")
                  : session_read_bytes(&file, fd, "its config", SESSION_CONFIG_LIMIT, arena, err);
    ok = ok &&
         session_config_parse(out, (struct str){(const char *)file.data, file.len}, arena, err);
    (void)file_close(fd);
    if (!ok)
        err_prefix(err, "session %s", path);
    return ok;
}

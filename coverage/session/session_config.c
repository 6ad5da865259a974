#include "coverage/session/session_config.h"

#include <errno.h>
#include <string.h>

#include "base/hex.h"
#include "base/list.h"
#include "base/version.h"
#include "contract/session_format.h"
#include "coverage/session/session_text.h"
#include "system/file/file_read.h"
#include "system/file/file_status.h"
#include "system/file/open_file.h"
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
    struct text text;
    char id[HEX_ROOM(sizeof config->id)];
    text_open(&text, arena);
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
    const char *equals = line.len != 0 ? memchr(line.text, '=', line.len) : NULL;
    if (equals == NULL)
        return err_set(p->err, ERR_FORMAT, "line '%.*s' of its config has no '='", STR_ARGS(line));
    struct str key = {line.text, (size_t)(equals - line.text)};
    return take_config_value(p, key, (struct str){equals + 1, line.len - key.len - 1});
}

/* The config is written before the session's name is published, so it is complete. */
bool session_config_parse(struct session_config *out, struct str text, struct arena *arena,
                          struct err *err)
{
    struct config_parse p = {.config = out, .arena = arena, .err = err};
    *out = (struct session_config){.started = 0};
    while (text.len != 0) {
        const char *end = memchr(text.text, '\n', text.len);
        if (end == NULL)
            return err_set(err, ERR_FORMAT, "its config ends in the middle of a line");
        struct str line = {text.text, (size_t)(end - text.text)};
        if (!take_config_line(&p, line))
            return false;
        text = (struct str){end + 1, text.len - line.len - 1};
    }
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

static bool read_config_text(struct str *out, int fd, struct arena *arena, struct err *err)
{
    struct file_status status;
    if (!file_status_open(&status, fd) || status.kind != FILE_IS_REGULAR ||
        status.size > SESSION_CONFIG_LIMIT)
        return err_set(err, ERR_FORMAT, "its config is not a regular file of up to %d bytes",
                       SESSION_CONFIG_LIMIT);
    size_t len = (size_t)status.size;
    char *text = arena_raw(arena, len + 1, 1, err);
    *out = (struct str){text, len};
    return text != NULL &&
           (file_read_at(text, len, fd, 0) || err_set(err, ERR_IO, "its config cannot be read"));
}

bool session_config_read(struct session_config *out, const char *path, struct arena *arena,
                         struct err *err)
{
    int folder = -1;
    struct str text;
    if (!open_session_folder(&folder, path, err))
        return false;
    int fd = file_open_in(folder, SESSION_CONFIG, FILE_READ | FILE_NO_LINK);
    int why = errno;
    (void)file_close(folder);
    if (fd < 0 && why == ENOENT)
        return err_set(err, ERR_UNSUPPORTED, "%s is not an ilcov session: it has no file '%s'",
                       path, SESSION_CONFIG);
    errno = why;
    bool ok = fd < 0 ? err_set_errno(err, "its config cannot be read")
                     : read_config_text(&text, fd, arena, err) &&
                           session_config_parse(out, text, arena, err);
    (void)file_close(fd);
    if (!ok)
        err_prefix(err, "session %s", path);
    return ok;
}

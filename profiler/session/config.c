#include "profiler/session/config.h"

#include <stdlib.h>
#include <string.h>

#include "base/version.h"
#include "contract/session_format.h"
#include "system/file/file_read.h"
#include "system/file/file_status.h"
#include "system/file/open_file.h"

enum {
    CONFIG_LEN_MAX = 1 << 20
};

static bool read_file(struct str *out, const struct folder *folder, struct arena *arena,
                      struct err *err)
{
    if (!folder_check(folder, err))
        return false;
    int fd = folder_file(folder, SESSION_CONFIG, FILE_READ);
    if (fd < 0)
        return err_set_errno(err, "%s/" SESSION_CONFIG " can't be read", folder->path);
    struct file_status status;
    bool known = file_status_open(&status, fd);
    size_t len = known && status.size <= CONFIG_LEN_MAX ? (size_t)status.size : SIZE_MAX;
    char *text = len != SIZE_MAX ? arena_raw(arena, len, 1, err) : NULL;
    bool whole = text != NULL && file_read_at(text, len, fd, 0);
    (void)file_close(fd);
    *out = (struct str){text, len};
    return whole || err_set(err, ERR_IO, "%s/" SESSION_CONFIG " can't be read", folder->path);
}

/* The next line without its newline; false after the last. */
static bool next_line(struct str *line, struct str *rest)
{
    const char *end = rest->len != 0 ? memchr(rest->text, '\n', rest->len) : NULL;
    if (end == NULL)
        return false;
    line->text = rest->text;
    line->len = (size_t)(end - rest->text);
    rest->text = end + 1;
    rest->len -= line->len + 1;
    return true;
}

static bool split(struct str line, struct str *key, struct str *value)
{
    const char *equals = line.len != 0 ? memchr(line.text, '=', line.len) : NULL;
    if (equals == NULL)
        return false;
    *key = (struct str){line.text, (size_t)(equals - line.text)};
    *value = (struct str){equals + 1, line.len - key->len - 1};
    return true;
}

static uint32_t count_key(struct str text, const char *wanted)
{
    struct str line, key, value;
    uint32_t count = 0;
    while (next_line(&line, &text))
        count += split(line, &key, &value) && str_is(key, wanted);
    return count;
}

bool config_read(struct config *out, const struct folder *folder, struct arena *arena,
                 struct err *err)
{
    struct str text, line, key, value;
    *out = (struct config){.control = false};
    struct scope *scope = &out->scope;
    if (!read_file(&text, folder, arena, err))
        return false;
    struct pattern *include =
        ARENA_NEW(arena, struct pattern, count_key(text, CONFIG_INCLUDE), err);
    struct pattern *exclude =
        ARENA_NEW(arena, struct pattern, count_key(text, CONFIG_EXCLUDE), err);
    if (include == NULL || exclude == NULL)
        return false;
    bool ok = true, has_mode = false, has_version = false;
    for (struct str rest = text; ok && next_line(&line, &rest);) {
        if (!split(line, &key, &value))
            ok = err_set(err, ERR_FORMAT, "line '%.*s' of the session's config has no '='",
                         STR_ARGS(line));
        else if (str_is(key, CONFIG_VERSION))
            has_version = atoi(value.text) == COUNTERS_VERSION;
        else if (str_is(key, CONFIG_MODE))
            has_mode = mode_parse(&out->mode, value);
        else if (str_is(key, CONFIG_INCLUDE))
            ok = pattern_parse(&include[scope->include_count++], value, err);
        else if (str_is(key, CONFIG_EXCLUDE))
            ok = pattern_parse(&exclude[scope->exclude_count++], value, err);
        else if (str_is(key, CONFIG_INCLUDE_TESTS))
            scope->include_tests = str_is(value, "1");
        else if (str_is(key, CONFIG_CONTROL))
            out->control = str_is(value, "1");
        else if (str_is(key, CONFIG_PER_TEST))
            out->per_test = str_is(value, "1");
    }
    scope->include = include;
    scope->exclude = exclude;
    if (ok && (!has_mode || !has_version))
        ok = err_set(
            err, ERR_FORMAT,
            "the session's config was written by another version of ilcov; this library is %s",
            ilcov_version);
    return ok;
}

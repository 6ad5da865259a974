#include "profiler/session/config.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/version.h"
#include "contract/session_format.h"
#include "system/file.h"
#include "system/file_status.h"

enum {
    CONFIG_LEN_MAX = 1 << 20
};

static bool read_config_file(struct str *out, const struct folder *folder, struct arena *arena,
                             struct err *err)
{
    if (!folder_check(folder, err))
        return false;
    int fd = folder_file(folder, SESSION_CONFIG, FILE_READ);
    if (fd < 0)
        return err_set_errno(err, "%s/" SESSION_CONFIG " cannot be read", folder->path);
    struct file_status status;
    bool known = file_status_open(&status, fd);
    size_t len = known && status.size <= CONFIG_LEN_MAX ? (size_t)status.size : SIZE_MAX;
    char *text = len != SIZE_MAX ? arena_raw(arena, len, 1, err) : NULL;
    bool whole = text != NULL && file_read_at(text, len, fd, 0);
    (void)file_close(fd);
    *out = (struct str){text, len};
    return whole || err_set(err, ERR_IO, "%s/" SESSION_CONFIG " cannot be read", folder->path);
}

static bool add_config_pattern(struct list *patterns, struct str text, struct arena *arena,
                               struct err *err)
{
    struct pattern *pattern = list_add(patterns, sizeof *pattern, arena, err);
    return pattern != NULL && pattern_parse(pattern, text, err);
}

bool config_read(struct config *out, const struct folder *folder, struct arena *arena,
                 struct err *err)
{
    struct str text;
    struct list include = {NULL, 0, 0}, exclude = {NULL, 0, 0};
    *out = (struct config){.control = false};
    if (!read_config_file(&text, folder, arena, err))
        return false;
    while (text.len != 0 && text.text[text.len - 1] != '\n') /* a line that is cut off */
        text.len--;
    bool ok = true, has_mode = false, has_version = false;
    while (ok && text.len != 0) {
        struct str line = str_take_until(&text, '\n'), value = line;
        struct str key = str_take_until(&value, '=');
        if (key.len == line.len)
            ok = err_set(err, ERR_FORMAT, "line '%.*s' of the session's config has no '='",
                         STR_ARGS(line));
        else if (str_is(key, CONFIG_VERSION))
            has_version = atoi(value.text) == COUNTERS_VERSION;
        else if (str_is(key, CONFIG_MODE))
            has_mode = mode_parse(&out->mode, value);
        else if (str_is(key, CONFIG_INCLUDE))
            ok = add_config_pattern(&include, value, arena, err);
        else if (str_is(key, CONFIG_EXCLUDE))
            ok = add_config_pattern(&exclude, value, arena, err);
        else if (str_is(key, CONFIG_INCLUDE_TESTS))
            out->scope.include_tests = str_is(value, "1");
        else if (str_is(key, CONFIG_CONTROL))
            out->control = str_is(value, "1");
        else if (str_is(key, CONFIG_PER_TEST))
            out->per_test = str_is(value, "1");
    }
    out->scope.include = include.items;
    out->scope.exclude = exclude.items;
    out->scope.include_count = include.count;
    out->scope.exclude_count = exclude.count;
    if (ok && (!has_mode || !has_version))
        ok = err_set(
            err, ERR_FORMAT,
            "the session's config was written by another version of ilcov; this library is %s",
            ilcov_version);
    return ok;
}

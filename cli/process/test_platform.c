#include "cli/process/test_platform.h"

#include <string.h>

#include "base/path.h"
#include "system/file.h"

enum {
    GLOBAL_JSON_MAX = 1 << 20
};

/* The word after the last `dotnet` of the command, which may be another one's; NULL: none. */
static const char *dotnet_verb(char *const *argv)
{
    const char *verb = NULL;
    for (; argv[0] != NULL; argv++)
        if (str_is(path_file(str_of(argv[0])), "dotnet"))
            verb = argv[1];
    return verb;
}

/* What the file names is nothing else's name: no need to know its syntax. */
static bool names_platform(bool *is, int file, struct arena *arena, struct err *err)
{
    struct str text;
    struct err unreadable = {0};
    bool ok = file_text_read(&text, file, GLOBAL_JSON_MAX, arena, &unreadable);
    (void)file_close(file);
    *is = ok && strstr(text.text, "\"Microsoft.Testing.Platform\"") != NULL;
    return unreadable.code != ERR_MEMORY || err_set(err, ERR_MEMORY, "%s", unreadable.text);
}

bool test_platform_is_used(bool *is, char *const *argv, struct str folder, struct arena *arena,
                           struct err *err)
{
    const char *verb = dotnet_verb(argv);
    *is = verb == NULL || (strcmp(verb, "test") != 0 && strcmp(verb, "vstest") != 0);
    if (verb == NULL || strcmp(verb, "test") != 0)
        return true;
    for (size_t len = folder.len + 1; folder.len != 0 && folder.len < len;) {
        char path[PATH_ROOM];
        int file = path_join_in(path, folder, STR("global.json")) ? file_read_open(path) : -1;
        if (file >= 0)
            return names_platform(is, file, arena, err);
        len = folder.len;
        folder = path_dir(folder);
    }
    return true;
}

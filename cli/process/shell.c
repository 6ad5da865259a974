#include "cli/process/shell.h"

#include <string.h>

#include "base/utf16.h"
#include "system/user.h"

/* --- a line for each variable ----------------------------------------------------------------- */

/* A line of $GITHUB_ENV is taken as it is, and has no comments. The runner of GitLab inserts a
 * variable for "$". */
static const struct form {
    const char *head;                     /* below the line with the session; NULL: neither */
    const char *before, *between, *after; /* NAME and VALUE */
    const char *quote, *dollar;           /* what stands for these two in VALUE */
} forms[] = {
    [SHELL_SH] = {"", "export ", "='", "'\n", "'\\''", "$"},
    [SHELL_PWSH] = {"", "$env:", " = '", "'\n", "''", "$"},
    [SHELL_GITHUB] = {NULL, "", "=", "\n", "'", "$"},
    [SHELL_GITLAB] = {"variables:\n", "  ", ": '", "'\n", "''", "$$"},
};

static void add_shell_value(struct text *out, const char *value, const char *quote,
                            const char *dollar)
{
    for (; *value != '\0'; value++) {
        if (*value == '\'')
            text_add_c(out, quote);
        else if (*value == '$')
            text_add_c(out, dollar);
        else
            text_add(out, (struct str){value, 1});
    }
}

static void write_shell_lines(struct text *out, const struct form *form,
                              const struct shell_request *request)
{
    if (form->head != NULL)
        text_addf(out, "# session: %s\n%s", request->session, form->head);
    for (char *const *variable = request->variables; *variable != NULL; variable++) {
        size_t len = strcspn(*variable, "=");
        text_addf(out, "%s%.*s%s", form->before, (int)len, *variable, form->between);
        add_shell_value(out, *variable + len + 1, form->quote, form->dollar);
        text_add_c(out, form->after);
    }
}

/* --- containers ------------------------------------------------------------------------------- */

/* Without quotes if a shell needs none: then $(...) without quotes works, too. */
static void add_argument(struct text *out, const char *argument)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+./:=@%{}";
    if (argument[strspn(argument, plain)] == '\0') {
        text_add_c(out, argument);
        return;
    }
    text_add_c(out, "'");
    add_shell_value(out, argument, "'\\''", "$");
    text_add_c(out, "'");
}

static bool add_mount(struct text *out, const char *path, const char *access, struct arena *arena,
                      struct err *err)
{
    struct str mount;
    if (!text_format(&mount, arena, err, "%s:%s%s", path, path, access))
        return false;
    text_add_c(out, " -v ");
    add_argument(out, mount.text);
    return true;
}

/* Only the library is mounted, not its folder, which the image may have, too. The session belongs
 * to this user alone, so the program must run as this user. */
static bool write_docker(struct text *out, const struct shell_request *request, struct arena *arena,
                         struct err *err)
{
    text_addf(out, "--user %u:%u", user_self(), user_own_group());
    if (!add_mount(out, request->session, "", arena, err) ||
        !add_mount(out, request->library, ":ro", arena, err))
        return false;
    for (char *const *variable = request->variables; *variable != NULL; variable++) {
        text_add_c(out, " -e ");
        add_argument(out, *variable);
    }
    text_add_c(out, "\n");
    return true;
}

/* --- all -------------------------------------------------------------------------------------- */

static bool is_plain_path(const char *path)
{
    size_t len = strlen(path), pos = 0;
    while (pos < len) {
        uint32_t c = utf8_next(path, len, &pos);
        if (c < ' ' || c == 0x7F || c == 0xFFFD)
            return false;
    }
    return true;
}

bool shell_can_write(enum env_shell shell, const struct shell_request *request, struct err *err)
{
    const char *const paths[] = {request->session, request->library};
    for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
        if (!is_plain_path(paths[i]))
            return err_set(err, ERR_UNSUPPORTED,
                           "the path %s cannot be written in every format: it has a control "
                           "character or is not UTF-8",
                           paths[i]);
        if (shell == SHELL_DOCKER && strchr(paths[i], ':') != NULL)
            return err_set(err, ERR_UNSUPPORTED,
                           "docker cannot mount %s: its -v has ':' between paths", paths[i]);
    }
    return true;
}

bool shell_write(struct str *out, enum env_shell shell, const struct shell_request *request,
                 struct arena *arena, struct err *err)
{
    struct text text = text_in(arena);
    if (shell != SHELL_DOCKER)
        write_shell_lines(&text, &forms[shell], request);
    else if (!write_docker(&text, request, arena, err))
        return false;
    return text_take(out, &text, err);
}

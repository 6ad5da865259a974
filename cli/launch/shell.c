#include "cli/launch/shell.h"

#include <libxml/xmlwriter.h>
#include <string.h>

#include "base/utf16.h"
#include "system/user.h"

/* The name, and the value after '='. */
static struct str split(const char **value, const char *variable)
{
    size_t len = strcspn(variable, "=");
    *value = variable + len + 1;
    return (struct str){variable, len};
}

/* With every `special` written as `twice`. */
static void add_quoted(struct text *out, const char *value, char special, const char *twice)
{
    for (; *value != '\0'; value++) {
        if (*value == special)
            text_add_c(out, twice);
        else
            text_add(out, (struct str){value, 1});
    }
}

/* --- shells ----------------------------------------------------------------------------------- */

static void write_sh(struct text *out, const struct shell_request *request)
{
    text_addf(out, "# session: %s\n", request->session);
    for (char *const *variable = request->variables; *variable != NULL; variable++) {
        const char *value = NULL;
        text_addf(out, "export %.*s='", STR_ARGS(split(&value, *variable)));
        add_quoted(out, value, '\'', "'\\''");
        text_add_c(out, "'\n");
    }
}

static void write_pwsh(struct text *out, const struct shell_request *request)
{
    text_addf(out, "# session: %s\n", request->session);
    for (char *const *variable = request->variables; *variable != NULL; variable++) {
        const char *value = NULL;
        text_addf(out, "$env:%.*s = '", STR_ARGS(split(&value, *variable)));
        add_quoted(out, value, '\'', "''");
        text_add_c(out, "'\n");
    }
}

/* --- CI systems ------------------------------------------------------------------------------- */

/* A line of $GITHUB_ENV is taken as it is; it has no comments. */
static void write_github(struct text *out, const struct shell_request *request)
{
    for (char *const *variable = request->variables; *variable != NULL; variable++)
        text_addf(out, "%s\n", *variable);
}

static void add_yaml(struct text *out, const char *value)
{
    for (; *value != '\0'; value++) {
        struct str c = {value, 1};
        if (*value == '\'')
            text_add_c(out, "''");
        else if (*value == '$')
            text_add_c(out, "$$"); /* else the runner inserts a variable */
        else
            text_add(out, c);
    }
}

static void write_gitlab(struct text *out, const struct shell_request *request)
{
    text_addf(out, "# session: %s\nvariables:\n", request->session);
    for (char *const *variable = request->variables; *variable != NULL; variable++) {
        const char *value = NULL;
        text_addf(out, "  %.*s: '", STR_ARGS(split(&value, *variable)));
        add_yaml(out, value);
        text_add_c(out, "'\n");
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
    add_quoted(out, argument, '\'', "'\\''");
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

/* --- settings of a test run ------------------------------------------------------------------- */

static const xmlChar *xml_text(const char *text)
{
    return (const xmlChar *)text;
}

static bool put_start(xmlTextWriter *xml, const char *element)
{
    return xmlTextWriterStartElement(xml, xml_text(element)) >= 0;
}

static bool put_variable(xmlTextWriter *xml, const char *variable, struct arena *arena,
                         struct err *err)
{
    const char *value = NULL;
    struct str name;
    return str_copy(&name, split(&value, variable), arena, err) &&
           (xmlTextWriterWriteElement(xml, xml_text(name.text), xml_text(value)) >= 0 ||
            err_set(err, ERR_MEMORY, "no memory for the settings"));
}

/* A comment can't hold two hyphens in a row, nor end with one. */
static bool put_session(xmlTextWriter *xml, const char *session, struct arena *arena,
                        struct err *err)
{
    struct str text;
    size_t len = strlen(session);
    if (strstr(session, "--") != NULL || (len != 0 && session[len - 1] == '-'))
        return true;
    return text_format(&text, arena, err, " session: %s ", session) &&
           xmlTextWriterWriteComment(xml, xml_text(text.text)) >= 0;
}

static bool put_settings(xmlTextWriter *xml, const struct shell_request *request,
                         struct arena *arena, struct err *err)
{
    bool ok = xmlTextWriterSetIndent(xml, 1) >= 0 &&
              xmlTextWriterSetIndentString(xml, xml_text("  ")) >= 0 &&
              xmlTextWriterStartDocument(xml, NULL, "utf-8", NULL) >= 0 &&
              put_session(xml, request->session, arena, err) && put_start(xml, "RunSettings") &&
              put_start(xml, "RunConfiguration") && put_start(xml, "EnvironmentVariables");
    for (char *const *variable = request->variables; ok && *variable != NULL; variable++)
        if (!put_variable(xml, *variable, arena, err))
            return false;
    return (ok && xmlTextWriterEndDocument(xml) >= 0) ||
           err_set(err, ERR_MEMORY, "no memory for the settings");
}

static bool write_runsettings(struct text *out, const struct shell_request *request,
                              struct arena *arena, struct err *err)
{
    xmlBuffer *buffer = xmlBufferCreate();
    xmlTextWriter *xml = buffer != NULL ? xmlNewTextWriterMemory(buffer, 0) : NULL;
    bool ok = xml != NULL ? put_settings(xml, request, arena, err)
                          : err_set(err, ERR_MEMORY, "no memory for the settings");
    if (xml != NULL)
        xmlFreeTextWriter(xml); /* writes what it still holds */
    if (ok)
        text_add_c(out, (const char *)xmlBufferContent(buffer));
    xmlBufferFree(buffer);
    return ok;
}

/* --- JSON ------------------------------------------------------------------------------------- */

/* The paths were checked (shell_can_write): only these two need an escape. */
static void add_json(struct text *out, const char *value)
{
    text_add_c(out, "\"");
    for (; *value != '\0'; value++) {
        if (*value == '"' || *value == '\\')
            text_add_c(out, "\\");
        text_add(out, (struct str){value, 1});
    }
    text_add_c(out, "\"");
}

/* The member "environmentVariables", each line behind `indent`, without a line end. */
static void add_json_variables(struct text *out, const char *indent, char *const *variables)
{
    text_addf(out, "%s\"environmentVariables\": {", indent);
    for (char *const *variable = variables; *variable != NULL; variable++) {
        const char *value = NULL;
        struct str name = split(&value, *variable);
        text_addf(out, "%s\n%s  \"%.*s\": ", variable != variables ? "," : "", indent,
                  STR_ARGS(name));
        add_json(out, value);
    }
    text_addf(out, "\n%s}", indent);
}

/* JSON has no comments, so that the session is named only by its variable. */
static void write_testconfig(struct text *out, const struct shell_request *request)
{
    text_add_c(out, "{\n");
    add_json_variables(out, "  ", request->variables);
    text_add_c(out, "\n}\n");
}

static void write_launchsettings(struct text *out, const struct shell_request *request)
{
    text_add_c(out, "{\n  \"profiles\": {\n    \"ilcov\": {\n"
                    "      \"commandName\": \"Project\",\n");
    add_json_variables(out, "      ", request->variables);
    text_add_c(out, "\n    }\n  }\n}\n");
}

/* --- all -------------------------------------------------------------------------------------- */

static bool is_plain(const char *path)
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
        if (!is_plain(paths[i]))
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
    struct text text;
    bool ok = true;
    text_open(&text, arena);
    switch (shell) {
    case SHELL_SH:
        write_sh(&text, request);
        break;
    case SHELL_PWSH:
        write_pwsh(&text, request);
        break;
    case SHELL_RUNSETTINGS:
        ok = write_runsettings(&text, request, arena, err);
        break;
    case SHELL_TESTCONFIG:
        write_testconfig(&text, request);
        break;
    case SHELL_LAUNCHSETTINGS:
        write_launchsettings(&text, request);
        break;
    case SHELL_DOCKER:
        ok = write_docker(&text, request, arena, err);
        break;
    case SHELL_GITHUB:
        write_github(&text, request);
        break;
    case SHELL_GITLAB:
        write_gitlab(&text, request);
        break;
    }
    return ok && text_take(out, &text, err);
}

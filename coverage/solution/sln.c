/* A solution in lines:
 *
 *   Microsoft Visual Studio Solution File, Format Version 12.00
 *   Project("{type}") = "Name", "src\Name\Name.csproj", "{id}"
 *   EndProject
 *   Global … EndGlobal
 *
 * A folder of the solution is a project whose path is its name. */
#include <string.h>

#include "coverage/solution/formats.h"

static struct str take_line(struct str *rest)
{
    struct str line = str_take_until(rest, '\n');
    while (line.len != 0 && (line.text[0] == ' ' || line.text[0] == '\t'))
        line = (struct str){line.text + 1, line.len - 1};
    while (line.len != 0 && strchr(" \t\r", line.text[line.len - 1]) != NULL &&
           line.text[line.len - 1] != '\0')
        line.len--;
    return line;
}

/* The next text between quotes. */
static bool take_quoted(struct str *out, struct str *rest)
{
    const char *open = rest->len != 0 ? memchr(rest->text, '"', rest->len) : NULL;
    if (open == NULL)
        return false;
    size_t after = (size_t)(open - rest->text) + 1;
    struct str inside = {rest->text + after, rest->len - after};
    const char *close = inside.len != 0 ? memchr(inside.text, '"', inside.len) : NULL;
    if (close == NULL)
        return false;
    *out = (struct str){inside.text, (size_t)(close - inside.text)};
    *rest = (struct str){close + 1, inside.len - out->len - 1};
    return true;
}

/* Type, name, path. */
static bool add_project(struct solution *out, struct str line, uint32_t number, struct arena *arena,
                        struct err *err)
{
    struct str parts[3];
    for (size_t i = 0; i < ARRAY_LEN(parts); i++)
        if (!take_quoted(&parts[i], &line))
            return err_set(err, ERR_FORMAT,
                           "line %u is not Project(\"TYPE\") = \"NAME\", \"PATH\", \"ID\"", number);
    if (memchr(parts[2].text, '\0', parts[2].len) != NULL)
        return err_set(err, ERR_FORMAT, "the path of line %u has a NUL in it", number);
    return solution_add(out, parts[2], arena, err);
}

bool solution_read_sln(struct solution *out, struct view bytes, struct arena *arena,
                       struct err *err)
{
    struct str rest = {(const char *)bytes.data, bytes.len};
    bool is_known = false;
    uint32_t open = 0, number = 0;
    (void)str_take(&rest, "\xEF\xBB\xBF");
    while (rest.len != 0) {
        struct str line = take_line(&rest);
        number++;
        if (line.len == 0)
            continue;
        if (!is_known && !str_starts(line, "Microsoft Visual Studio Solution File"))
            return err_set(err, ERR_FORMAT,
                           "is not a solution: line %u is not \"Microsoft Visual Studio Solution "
                           "File\"",
                           number);
        is_known = true;
        if (str_starts(line, "Project(")) {
            if (open != 0)
                return err_set(err, ERR_FORMAT, "the Project of line %u has no EndProject", open);
            open = number;
            if (!add_project(out, line, number, arena, err))
                return false;
        } else if (str_is(line, "EndProject")) {
            open = 0;
        }
    }
    if (!is_known)
        return err_set(err, ERR_FORMAT, "is empty");
    return open == 0 || err_set(err, ERR_FORMAT, "ends within the Project of line %u", open);
}

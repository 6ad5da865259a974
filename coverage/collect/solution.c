#include "coverage/collect/solution.h"

#include <jansson.h>
#include <libxml/parser.h>
#include <string.h>

#include "base/path.h"
#include "system/file.h"

enum {
    MESSAGE_ROOM = 256
};

/* --- projects --------------------------------------------------------------------------------- */

bool solution_is_project(struct str path)
{
    static const char *const kinds[] = {".csproj", ".vbproj", ".fsproj"};
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
        if (str_ends_nocase(path, kinds[i]))
            return true;
    return false;
}

bool solution_resolve(struct str *out, struct str folder, struct str written, struct arena *arena,
                      struct err *err)
{
    struct str path, whole;
    if (!any_path_with_slashes(&path, written, arena, err))
        return false;
    whole = path;
    if (!path_is_absolute(path) && folder.len != 0 && !path_join(&whole, folder, path, arena, err))
        return false;
    return path_tidy(out, whole, arena, err);
}

/* Adds a project by its path relative to the solution. What does not end in "proj", such as a
 * folder, is none. */
static bool add_path(struct solution *solution, struct str relative, struct arena *arena,
                     struct err *err)
{
    struct solution_project project;
    if (!str_ends_nocase(relative, "proj"))
        return true;
    if (!any_path_with_slashes(&project.name, relative, arena, err) ||
        !solution_resolve(&project.path, solution->folder, relative, arena, err))
        return false;
    if (!solution_is_project(relative)) {
        return list_put(&solution->other_projects, &project.name, sizeof project.name, arena, err);
    }
    return list_put(&solution->list, &project, sizeof project, arena, err);
}

/* --- .sln: lines ------------------------------------------------------------------------------ */

/* A solution in lines:
 *
 *   Microsoft Visual Studio Solution File, Format Version 12.00
 *   Project("{type}") = "Name", "src\Name\Name.csproj", "{id}"
 *   EndProject
 *   Global … EndGlobal
 *
 * A folder of the solution is a project whose path is its name. */

/* The next text between quotes. */
static bool take_quoted(struct str *out, struct str *rest)
{
    (void)str_take_until(rest, '"');
    bool is_closed = rest->len != 0 && memchr(rest->text, '"', rest->len) != NULL;
    *out = str_take_until(rest, '"');
    return is_closed;
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
    return add_path(out, parts[2], arena, err);
}

static bool read_sln(struct solution *out, struct view bytes, struct arena *arena, struct err *err)
{
    struct str rest = {(const char *)bytes.data, bytes.len};
    bool is_known = false;
    uint32_t open = 0, number = 0;
    (void)str_take(&rest, "\xEF\xBB\xBF");
    while (rest.len != 0) {
        struct str line = str_trim(str_take_until(&rest, '\n'), " \t\r");
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

/* --- .slnx: XML ------------------------------------------------------------------------------- */

/* A solution as XML:
 *
 *   <Solution>
 *     <Folder Name="/src/">
 *       <Project Path="src/Name/Name.csproj" />
 *     </Folder>
 *   </Solution>
 */

/* What libxml2 would print to the terminal. */
static void drop_project_text(void *context, const char *format, ...)
{
    (void)context;
    (void)format;
}

/* The first error; the others follow from it. */
static void note_project_error(void *context, xmlErrorPtr error)
{
    struct err *why = context;
    char message[MESSAGE_ROOM];
    if (why->code != ERR_NONE || error->level != XML_ERR_FATAL || error->code == XML_ERR_NO_MEMORY)
        return;
    (void)snprintf(message, sizeof message, "%s", error->message != NULL ? error->message : "?");
    message[strcspn(message, "\r\n")] = '\0';
    (void)err_set(why, ERR_FORMAT, "line %d is not well-formed XML: %s", error->line, message);
}

static bool take_project(struct solution *out, xmlNode *project, struct arena *arena,
                         struct err *err)
{
    xmlChar *path = xmlGetProp(project, (const xmlChar *)"Path");
    bool ok = path != NULL
                  ? add_path(out, str_of((const char *)path), arena, err)
                  : err_set(err, ERR_FORMAT, "the <Project> of line %d has no Path", project->line);
    xmlFree(path);
    return ok;
}

/* In the order of the text. */
static xmlNode *next_node(xmlNode *node)
{
    if (node->type == XML_ELEMENT_NODE && node->children != NULL)
        return node->children;
    while (node != NULL && node->next == NULL)
        node = node->parent;
    return node != NULL ? node->next : NULL;
}

static bool take_document(struct solution *out, xmlDoc *document, struct arena *arena,
                          struct err *err)
{
    xmlNode *root = xmlDocGetRootElement(document);
    if (document->intSubset != NULL)
        return err_set(err, ERR_FORMAT, "has a document type, which no solution has");
    if (root == NULL || strcmp((const char *)root->name, "Solution") != 0)
        return err_set(err, ERR_FORMAT, "is not a solution: it begins with <%.40s>",
                       root != NULL ? (const char *)root->name : "");
    for (xmlNode *node = root; node != NULL; node = next_node(node))
        if (node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, "Project") == 0 &&
            !take_project(out, node, arena, err))
            return false;
    return true;
}

/* Nothing outside is read, nothing is substituted. */
static bool read_slnx(struct solution *out, struct view bytes, struct arena *arena, struct err *err)
{
    struct err why = {.code = ERR_NONE};
    xmlSetStructuredErrorFunc(&why, note_project_error);
    xmlSetGenericErrorFunc(NULL, drop_project_text);
    xmlDoc *document =
        xmlReadMemory((const char *)bytes.data, (int)bytes.len, NULL, NULL, XML_PARSE_NONET);
    xmlSetStructuredErrorFunc(NULL, NULL);
    xmlSetGenericErrorFunc(NULL, NULL);
    if (document == NULL)
        return why.code == ERR_NONE ? err_set(err, ERR_MEMORY, "out of memory inside libxml2")
                                    : err_set(err, why.code, "%s", why.text);
    bool ok = take_document(out, document, arena, err);
    xmlFreeDoc(document);
    return ok;
}

/* --- .slnf: JSON ------------------------------------------------------------------------------ */

/* Some projects of a solution, as JSON. Their paths are relative to the solution:
 *
 *   { "solution": { "path": "..\\Shop.sln", "projects": [ "src\\Shop\\Shop.csproj" ] } }
 */

static bool take_projects(struct solution *out, bool *is_all, const json_t *projects,
                          struct arena *arena, struct err *err)
{
    *is_all = projects == NULL;
    if (projects != NULL && !json_is_array(projects))
        return err_set(err, ERR_FORMAT, "\"projects\" is not an array of paths");
    for (size_t i = 0; i < json_array_size(projects); i++) {
        const json_t *path = json_array_get(projects, i);
        if (!json_is_string(path))
            return err_set(err, ERR_FORMAT, "item %zu of \"projects\" is not a path", i + 1);
        struct str relative = {json_string_value(path), json_string_length(path)};
        if (!add_path(out, relative, arena, err))
            return false;
    }
    return true;
}

static bool take_solution(struct solution *out, struct str *of, const json_t *solution,
                          struct arena *arena, struct err *err)
{
    const json_t *path = json_object_get(solution, "path");
    struct str written = {json_string_value(path), json_string_length(path)};
    if (!json_is_string(path) || written.len == 0)
        return err_set(err, ERR_FORMAT, "\"solution\" has no \"path\", which names a solution");
    if (!solution_resolve(of, out->folder, written, arena, err))
        return false;
    out->folder = path_dir(*of);
    return true;
}

static bool read_slnf(struct solution *out, struct str *of, bool *is_all, struct view bytes,
                      struct arena *arena, struct err *err)
{
    json_error_t why;
    struct str text = {(const char *)bytes.data, bytes.len};
    (void)str_take(&text, "\xEF\xBB\xBF");
    json_t *root = json_loadb(text.text, text.len, 0, &why);
    if (root == NULL) {
        bool no_memory = json_error_code(&why) == json_error_out_of_memory;
        return err_set(err, no_memory ? ERR_MEMORY : ERR_FORMAT, "line %d is not JSON: %s",
                       why.line, why.text);
    }
    const json_t *solution = json_object_get(root, "solution");
    bool ok = json_is_object(solution) || err_set(err, ERR_FORMAT, "has no object \"solution\"");
    ok = ok && take_solution(out, of, solution, arena, err) &&
         take_projects(out, is_all, json_object_get(solution, "projects"), arena, err);
    json_decref(root);
    return ok;
}

/* --- any of them ------------------------------------------------------------------------------ */

bool solution_read_bytes(struct solution *out, struct str *of, bool *is_all, struct str name,
                         struct view bytes, struct arena *arena, struct err *err)
{
    *of = STR("");
    *is_all = false;
    return str_ends_nocase(name, ".slnx")   ? read_slnx(out, bytes, arena, err)
           : str_ends_nocase(name, ".slnf") ? read_slnf(out, of, is_all, bytes, arena, err)
                                            : read_sln(out, bytes, arena, err);
}

static bool is_solution(struct str path)
{
    return str_ends_nocase(path, ".sln") || str_ends_nocase(path, ".slnx");
}

/* The solution that a filter names, if it lists no projects of its own. */
static bool read_filtered(struct solution *out, struct str path, struct arena *arena,
                          struct err *err)
{
    struct view bytes;
    struct err why;
    struct str name, of;
    bool is_all;
    if (!is_solution(path))
        return err_set(err, ERR_FORMAT, "\"path\" %.*s is neither .sln nor .slnx", STR_ARGS(path));
    if (!str_copy(&name, path, arena, err))
        return false;
    if (!file_bytes_read(&bytes, name.text, &why))
        return err_set(err, why.code, "its solution %s: %s", name.text, why.text);
    bool ok = solution_read_bytes(out, &of, &is_all, path, bytes, arena, &why);
    file_bytes_release(&bytes);
    return ok || err_set(err, why.code, "its solution %s: %s", name.text, why.text);
}

bool solution_read(struct solution *out, const char *path, struct arena *arena, struct err *err)
{
    struct str name = str_of(path), of = STR("");
    struct view bytes;
    bool is_all = false;
    *out = (struct solution){.folder = path_dir(name)};
    if (!is_solution(name) && !str_ends_nocase(name, ".slnf") && !solution_is_project(name))
        return err_set(
            err, ERR_USAGE,
            "is not a solution: expected .sln, .slnx or .slnf, or a .csproj, .vbproj or .fsproj");
    if (!file_bytes_read(&bytes, path, err))
        return false;
    bool ok = solution_is_project(name)
                  ? add_path(out, path_file(name), arena, err)
                  : solution_read_bytes(out, &of, &is_all, name, bytes, arena, err);
    file_bytes_release(&bytes);
    return ok && (!is_all || read_filtered(out, of, arena, err));
}

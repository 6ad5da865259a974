#include "cli/process/other_collectors.h"

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/path.h"
#include "cli/options/say.h"
#include "system/file_status.h"

/* --- .runsettings ----------------------------------------------------------------------------- */

/* MSBuild takes variables for properties. */
const char *run_settings_file(char *const *command)
{
    static const char *const prefixes[] = {
        "--settings:", "--settings=", "-s:", "-s=", "/settings:", "RunSettingsFilePath="};
    bool tests = false;
    for (; command != NULL && *command != NULL; command++) {
        const char *a = *command, *property = strstr(a, prefixes[5]);
        tests |= strcmp(a, "test") == 0 || strcmp(a, "vstest") == 0;
        if (property != NULL)
            return property + strlen(prefixes[5]);
        if (!tests)
            continue;
        if (strcasecmp(a, "--settings") == 0 || strcmp(a, "-s") == 0)
            return command[1];
        for (size_t i = 0; i < 5; i++)
            if (strncasecmp(a, prefixes[i], strlen(prefixes[i])) == 0)
                return a + strlen(prefixes[i]);
    }
    return tests ? getenv("RunSettingsFilePath") : NULL;
}

static xmlNode *child_named(xmlNode *parent, const char *name)
{
    xmlNode *node = parent != NULL ? parent->children : NULL;
    while (node != NULL &&
           (node->type != XML_ELEMENT_NODE || strcmp((const char *)node->name, name) != 0))
        node = node->next;
    return node;
}

/* The first node in an element of a section; or NULL. */
static xmlNode *first_in(xmlDoc *document, const char *section, const char *element)
{
    xmlNode *parent = child_named(child_named(xmlDocGetRootElement(document), section), element);
    return parent != NULL ? parent->children : NULL;
}

static xmlDoc *read_run_settings(const char *path)
{
    return path != NULL
               ? xmlReadFile(path, NULL, XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NONET)
               : NULL;
}

bool run_settings_visit_variables(const char *path,
                                  bool (*take)(void *context, const char *name, const char *value),
                                  void *context)
{
    xmlDoc *document = read_run_settings(path);
    if (document == NULL)
        return true;
    bool more = true;
    for (xmlNode *node = first_in(document, "RunConfiguration", "EnvironmentVariables");
         node != NULL && more; node = node->next) {
        xmlChar *value = node->type == XML_ELEMENT_NODE ? xmlNodeGetContent(node) : NULL;
        if (value != NULL)
            more = take(context, (const char *)node->name, (const char *)value);
        xmlFree(value);
    }
    xmlFreeDoc(document);
    return more;
}

static bool has_value(const xmlNode *node, const char *attribute, const char *wanted)
{
    xmlChar *value = xmlGetProp(node, (const xmlChar *)attribute);
    bool has = value != NULL && strcasecmp((const char *)value, wanted) == 0;
    xmlFree(value);
    return has;
}

/* Does the file switch a data collector of this name on? Case does not matter. */
static bool has_collector(const char *path, const char *friendly_name)
{
    xmlDoc *document = read_run_settings(path);
    if (document == NULL)
        return false;
    bool has = false;
    for (xmlNode *node = first_in(document, "DataCollectionRunSettings", "DataCollectors");
         node != NULL && !has; node = node->next)
        has = node->type == XML_ELEMENT_NODE && has_value(node, "friendlyName", friendly_name) &&
              !has_value(node, "enabled", "false");
    xmlFreeDoc(document);
    return has;
}

/* --- collectors ------------------------------------------------------------------------------- */

static const struct {
    const char *collector; /* of VSTest */
    const char *name;
} tools[] = {
    [COLLECTOR_MICROSOFT] = {"Code Coverage", "Microsoft's code coverage"},
    [COLLECTOR_COVERLET] = {"XPlat Code Coverage", "coverlet"},
};

/* What follows `--collect`, as one argument or the next; settings may follow after a semicolon. */
static const char *collected_by(char *const *argument)
{
    static const char *const options[] = {"--collect", "-collect", "/collect"};
    for (size_t i = 0; i < ARRAY_LEN(options); i++) {
        size_t len = strlen(options[i]);
        if (strncasecmp(*argument, options[i], len) != 0)
            continue;
        if ((*argument)[len] == '\0')
            return argument[1];
        if ((*argument)[len] == ':' || (*argument)[len] == '=')
            return *argument + len + 1;
    }
    return NULL;
}

static bool is_collector(const char *collected, const char *name)
{
    struct str text = {collected, strcspn(collected, ";")};
    return str_eq_nocase(text, str_of(name));
}

/* An application of Microsoft.Testing.Platform that has the part for coverage beside it. */
static bool has_coverage_extension(const char *program)
{
    char part[PATH_ROOM];
    struct str folder = path_dir(str_of(program));
    return folder.len != 0 &&
           path_join_in(part, folder, STR("Microsoft.Testing.Extensions.CodeCoverage.dll")) &&
           file_exists(part);
}

static const char *asked_by_argument(char *const *command, enum other_collector collector)
{
    bool tests = false, knows_coverage = false;
    for (char *const *a = command; *a != NULL; a++) {
        tests |= strcmp(*a, "test") == 0 || strcmp(*a, "vstest") == 0;
        knows_coverage |= tests || has_coverage_extension(*a);
        const char *name = tests ? collected_by(a) : NULL;
        if (name != NULL && is_collector(name, tools[collector].collector))
            return name;
        if (collector == COLLECTOR_MICROSOFT && knows_coverage && strcmp(*a, "--coverage") == 0)
            return *a;
        if (collector == COLLECTOR_COVERLET && strcasestr(*a, "CollectCoverage=true") != NULL)
            return *a;
    }
    return NULL;
}

/* MSBuild takes variables for properties. */
static bool asked_by_variable(enum other_collector collector)
{
    const char *value = getenv("CollectCoverage");
    return collector == COLLECTOR_COVERLET && value != NULL && strcasecmp(value, "true") == 0;
}

const char *other_collectors_asked(char *const *command, enum other_collector collector)
{
    const char *file = run_settings_file(command);
    const char *argument = command != NULL ? asked_by_argument(command, collector) : NULL;
    if (argument != NULL)
        return argument;
    if (has_collector(file, tools[collector].collector))
        return file;
    return asked_by_variable(collector) ? "CollectCoverage=true" : NULL;
}

void other_collectors_say(char *const *command)
{
    for (enum other_collector c = 0; c < COLLECTOR_COUNT; c++) {
        const char *asked = other_collectors_asked(command, c);
        if (asked != NULL)
            say("%.*s asks for %s, and ilcov cannot measure what %s measures: leave one of them "
                "out",
                (int)strcspn(asked, ";"), asked, tools[c].name, tools[c].name);
    }
}

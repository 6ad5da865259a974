#include "cli/launch/run_settings.h"

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

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

static xmlDoc *read_file(const char *path)
{
    return path != NULL
               ? xmlReadFile(path, NULL, XML_PARSE_NOERROR | XML_PARSE_NOWARNING | XML_PARSE_NONET)
               : NULL;
}

bool run_settings_visit_variables(const char *path,
                                  bool (*take)(void *context, const char *name, const char *value),
                                  void *context)
{
    xmlDoc *document = read_file(path);
    if (document == NULL)
        return true;
    xmlNode *variables = child_named(
        child_named(xmlDocGetRootElement(document), "RunConfiguration"), "EnvironmentVariables");
    bool more = true;
    for (xmlNode *node = variables != NULL ? variables->children : NULL; node != NULL && more;
         node = node->next) {
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

bool run_settings_have_collector(const char *path, const char *friendly_name)
{
    xmlDoc *document = read_file(path);
    if (document == NULL)
        return false;
    xmlNode *collectors = child_named(
        child_named(xmlDocGetRootElement(document), "DataCollectionRunSettings"), "DataCollectors");
    bool has = false;
    for (xmlNode *node = collectors != NULL ? collectors->children : NULL; node != NULL && !has;
         node = node->next)
        has = node->type == XML_ELEMENT_NODE && has_value(node, "friendlyName", friendly_name) &&
              !has_value(node, "enabled", "false");
    xmlFreeDoc(document);
    return has;
}

#include <string.h>
#include <strings.h>

#include "cli/options/add_variables.h"
#include "cli/options/xml_document.h"

static const xmlChar *xml_text(const char *text)
{
    return (const xmlChar *)text;
}

static xmlNode *find_child(const xmlNode *parent, const char *name)
{
    for (xmlNode *node = parent->children; node != NULL; node = node->next)
        if (node->type == XML_ELEMENT_NODE && xmlStrEqual(node->name, xml_text(name)))
            return node;
    return NULL;
}

/* NULL: no memory. */
static xmlNode *child_or_new(xmlNode *parent, const char *name)
{
    xmlNode *found = find_child(parent, name);
    return found != NULL ? found : xmlNewChild(parent, NULL, xml_text(name), NULL);
}

static bool set_variable(xmlNode *variables, const char *variable, struct arena *arena,
                         struct err *err)
{
    struct str name;
    size_t len = strcspn(variable, "=");
    if (!str_copy(&name, (struct str){variable, len}, arena, err))
        return false;
    xmlNode *old = find_child(variables, name.text);
    if (old != NULL) {
        xmlUnlinkNode(old);
        xmlFreeNode(old);
    }
    return xmlNewTextChild(variables, NULL, xml_text(name.text), xml_text(variable + len + 1)) !=
               NULL ||
           err_set(err, ERR_MEMORY, "out of memory");
}

static bool set_xml_variables(xmlNode *root, char *const *variables, struct arena *arena,
                              struct err *err)
{
    xmlNode *run = child_or_new(root, "RunConfiguration");
    xmlNode *all = run != NULL ? child_or_new(run, "EnvironmentVariables") : NULL;
    if (all == NULL)
        return err_set(err, ERR_MEMORY, "out of memory");
    for (; *variables != NULL; variables++)
        if (!set_variable(all, *variables, arena, err))
            return false;
    return true;
}

static bool take_xml_text(struct str *out, xmlDoc *document, struct arena *arena, struct err *err)
{
    const char *named = (const char *)document->encoding;
    bool is_utf8 = named != NULL && strcasecmp(named, "utf-8") == 0; /* then it stays as it is */
    xmlChar *text = NULL;
    int len = 0;
    xmlDocDumpFormatMemoryEnc(document, &text, &len, is_utf8 ? named : "utf-8", 1);
    bool ok = text != NULL
                  ? str_copy(out, (struct str){(const char *)text, (size_t)len}, arena, err)
                  : err_set(err, ERR_MEMORY, "out of memory");
    xmlFree(text);
    return ok;
}

bool add_to_runsettings(struct str *out, const struct addition *addition, struct arena *arena,
                        struct err *err)
{
    xmlDoc *document = xml_document_read(addition->bytes, addition->path, err);
    if (document == NULL)
        return false;
    xmlNode *root = xmlDocGetRootElement(document);
    bool ok = xmlStrEqual(root->name, xml_text("RunSettings")) ||
              err_set(err, ERR_FORMAT, "%s is not a .runsettings file: its root element is <%s>",
                      addition->path, (const char *)root->name);
    ok = ok && set_xml_variables(root, addition->variables, arena, err) &&
         take_xml_text(out, document, arena, err);
    xmlFreeDoc(document);
    return ok;
}

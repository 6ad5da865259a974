/* The parts of an OpenCover file that are read:
 *
 *   CoverageSession/Modules/Module        skippedDueTo: the whole module is left out
 *     ModuleName                          assembly
 *     Files/File                          uid fullPath
 *     Classes/Class
 *       FullName                          "N.C/D"
 *       Methods/Method
 *         Name                            "System.Void N.C/D::M(System.Int32)"
 *         FileRef                         uid for points without fileid
 *         SequencePoints/SequencePoint    vc sl el fileid
 *         BranchPoints/BranchPoint        vc sl offset path fileid; without sl (before 4.5) it is
 *                                         left out
 *
 * A line's hits are the maximum over the points that start or end on it. A uid is looked up in its
 * module. */
#include "base/fnv.h"
#include "base/sort.h"
#include "coverage/external/external_formats.h"
#include "coverage/external/external_path.h"
#include "coverage/external/external_text.h"

struct source_file {
    uint64_t uid;
    uint32_t file; /* index of the build */
};

struct opencover {
    struct external_build *build;
    struct external_xml *xml;
    struct external *out;
    struct list files; /* struct source_file, of the current module; ascending uid */
    struct str module, class_name;
    uint64_t method;      /* hash of its name */
    uint64_t method_file; /* uid; 0: not known */
    int skipped;          /* depth of the skipped module; 0: none */
};

ORDER(by_uid, struct source_file, BY(uid))

/* --- modules and their files ------------------------------------------------------------------ */

static void begin_opencover_module(struct opencover *o)
{
    struct str reason;
    o->files.count = 0;
    o->module = (struct str){"", 0};
    o->build->record++;
    if (external_xml_get(o->xml, "skippedDueTo", &reason) && !o->xml->is_empty)
        o->skipped = o->xml->depth;
}

static bool add_source_file(struct opencover *o)
{
    struct external_build *b = o->build;
    struct str name, path;
    uint64_t uid;
    (void)external_xml_get(o->xml, "fullPath", &name);
    if (!external_xml_number(o->xml, "uid", NULL, &uid) ||
        !external_path(&path, name, NULL, 0, b->arena, b->err) ||
        !external_build_file(b, o->module, path))
        return false;
    const struct source_file added = {uid, b->file};
    return list_put(&o->files, &added, sizeof added, b->arena, b->err);
}

static void sort_files(struct opencover *o)
{
    sort_unless_sorted(o->files.items, o->files.count, sizeof(struct source_file), by_uid);
}

/* --- points ----------------------------------------------------------------------------------- */

/* Makes the point's file the current one; a point without a file has no line. */
static bool enter_file(struct opencover *o, bool *has_file)
{
    struct source_file wanted = {.uid = 0};
    if (!external_xml_number(o->xml, "fileid", &o->method_file, &wanted.uid))
        return false;
    const struct source_file *found =
        sorted_find(&wanted, o->files.items, o->files.count, sizeof wanted, by_uid);
    if (found != NULL)
        o->build->file = found->file;
    *has_file = found != NULL;
    return true;
}

static bool add_point(struct opencover *o)
{
    uint64_t hits, start, end;
    bool has_file;
    if (!external_xml_number(o->xml, "vc", NULL, &hits) ||
        !external_xml_number(o->xml, "sl", NULL, &start) ||
        !external_xml_number(o->xml, "el", &start, &end) || !enter_file(o, &has_file))
        return false;
    if (!has_file)
        return true;
    return external_build_line(o->build, start, hits, 0, 0) &&
           (end == start || external_build_line(o->build, end, hits, 0, 0));
}

static bool add_branch(struct opencover *o)
{
    static const uint64_t none = 0;
    uint64_t hits, line, offset, path;
    bool has_file;
    if (!external_xml_number(o->xml, "vc", NULL, &hits) ||
        !external_xml_number(o->xml, "sl", &none, &line) ||
        !external_xml_number(o->xml, "offset", &none, &offset) ||
        !external_xml_number(o->xml, "path", &none, &path) || !enter_file(o, &has_file))
        return false;
    if (!has_file)
        return true;
    return external_build_outcome(o->build, line, o->method, offset << 32 | (path & UINT32_MAX),
                                  hits);
}

/* --- the walk --------------------------------------------------------------------------------- */

static bool begin_opencover_method(struct opencover *o)
{
    struct str text, class_name, name, signature;
    if (!external_xml_text(o->xml, &text))
        return false;
    external_split_method(&class_name, &name, &signature, text);
    o->method = fnv_bytes(FNV_START, text.text, text.len);
    return external_build_member(o->build, o->class_name.len != 0 ? o->class_name : class_name,
                                 name, signature);
}

/* coverlet writes the prefix of a namespace where its name should be. */
static void tell_opencover_tool(struct opencover *o)
{
    const xmlNs *space = o->xml->node->nsDef;
    if (space != NULL && space->href != NULL && str_is(str_of((const char *)space->href), "xsi"))
        o->out->tool = STR("coverlet");
}

static bool begin_opencover(struct opencover *o)
{
    static const uint64_t none = 0;
    struct external_xml *xml = o->xml;
    if (external_xml_is(xml, "Module"))
        begin_opencover_module(o);
    if (o->skipped != 0)
        return true;
    if (external_xml_is(xml, "ModuleName"))
        return external_xml_text(xml, &o->module);
    if (external_xml_is(xml, "File"))
        return add_source_file(o);
    if (external_xml_is(xml, "FullName"))
        return external_xml_text(xml, &o->class_name);
    if (external_xml_is(xml, "Name"))
        return begin_opencover_method(o);
    if (external_xml_is(xml, "FileRef"))
        return external_xml_number(xml, "uid", &none, &o->method_file);
    if (external_xml_is(xml, "SequencePoint"))
        return add_point(o);
    if (external_xml_is(xml, "BranchPoint"))
        return add_branch(o);
    if (external_xml_is(xml, "MethodPoint"))
        tell_opencover_tool(o);
    return true;
}

static void end_opencover(struct opencover *o)
{
    const struct external_xml *xml = o->xml;
    if (external_xml_is(xml, "Module") && xml->depth == o->skipped)
        o->skipped = 0;
    else if (external_xml_is(xml, "Files"))
        sort_files(o);
    else if (external_xml_is(xml, "Class"))
        o->class_name = (struct str){"", 0};
    else if (external_xml_is(xml, "Method"))
        o->method_file = 0;
}

bool external_read_opencover(struct external *out, struct external_build *b,
                             struct external_xml *xml)
{
    struct opencover o = {
        .build = b, .xml = xml, .out = out, .module = STR(""), .class_name = STR("")};
    out->format = STR("OpenCover");
    while (external_xml_next(xml)) {
        if (xml->is_end)
            end_opencover(&o);
        else if (!begin_opencover(&o))
            return false;
    }
    return !xml->failed;
}

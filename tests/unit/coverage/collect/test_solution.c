/* test_solution.c - the projects that solutions name, and what is wrong with broken ones; which of
 * several builds of a project is taken. */
#include "coverage/collect/solution.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "coverage/collect/project_output.h"
#include "tests/support/check.h"
#include "tests/support/temporary.h"
#include "tests/support/test_arena.h"

#define SLN_HEAD                                                                                   \
    "\xEF\xBB\xBF\r\nMicrosoft Visual Studio Solution File, Format Version 12.00\r\n# x\r\n"
#define PROJECT(name, path)                                                                        \
    "Project(\"{FAE04EC0-301F-11D3-BF4B-00C04F79EFBC}\") = \"" name "\", \"" path                  \
    "\", \"{71BCAF0C-142D-49E4-96D7-4338167CAE1C}\"\r\nEndProject\r\n"

static struct temporary folder;

static int open_world(void **state)
{
    temporary_open(&folder);
    return open_arena(state);
}

static int close_world(void **state)
{
    temporary_close(&folder);
    return close_arena(state);
}

/* The projects of a file of that name and bytes, "A.csproj|src/B.fsproj; other: C.vcxproj", or the
 * error. */
static const char *projects_in(const char *name, struct str text)
{
    static char out[1024];
    struct solution solution;
    struct err err = {0};
    const char *path = temporary_file(&folder, name, text.text, text.len);
    if (!solution_read(&solution, path, &arena, &err)) {
        (void)snprintf(out, sizeof out, "%s", err.text);
        return out;
    }
    size_t len = 0;
    const struct solution_project *projects = solution.list.items;
    const struct str *external = solution.other_projects.items;
    out[0] = '\0';
    for (uint32_t i = 0; i < solution.list.count; i++)
        len += (size_t)snprintf(out + len, sizeof out - len, "%s%.*s", i == 0 ? "" : "|",
                                STR_ARGS(projects[i].name));
    for (uint32_t i = 0; i < solution.other_projects.count; i++)
        len +=
            (size_t)snprintf(out + len, sizeof out - len, "; other: %.*s", STR_ARGS(external[i]));
    return out;
}

static const char *projects_of(const char *name, const char *text)
{
    return projects_in(name, str_of(text));
}

static void lines_name_projects(void **state)
{
    (void)state;
    assert_string_equal(
        projects_of("a.sln", SLN_HEAD PROJECT("src", "src") PROJECT("A", "src\\A\\A.csproj")
                                 PROJECT("B", "B.fsproj") PROJECT("C", "c\\C.vcxproj")
                                     PROJECT("D", "../d/D.VBPROJ") "Global\r\nEndGlobal\r\n"),
        "src/A/A.csproj|B.fsproj|../d/D.VBPROJ; other: c/C.vcxproj");
    assert_string_equal(projects_of("a.sln", SLN_HEAD), "");
}

static void broken_lines_are_named(void **state)
{
    static const struct {
        const char *text, *expected;
    } broken[] = {
        {"\n\nHello\n",
         "is not a solution: line 3 is not \"Microsoft Visual Studio Solution File\""},
        {"\n\n", "is empty"},
        {SLN_HEAD "Project(\"{1}\") = \"A\", \"A.csproj\"\n", "ends within the Project of line 4"},
        {SLN_HEAD "Project(\"{1}\") = \"A\"\nEndProject\n",
         "line 4 is not Project(\"TYPE\") = \"NAME\", \"PATH\", \"ID\""},
        {SLN_HEAD "Project(\"{1}\") = \"A\", \"A.csproj\", \"{2}\"\n" PROJECT("B", "B.csproj"),
         "the Project of line 4 has no EndProject"},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(broken); i++)
        assert_string_equal(projects_of("a.sln", broken[i].text), broken[i].expected);
}

static void nul_in_a_path_is_named(void **state)
{
    static const char text[] = SLN_HEAD PROJECT("A", "A.csproj") PROJECT("B", "B\0.csproj");
    (void)state;
    assert_string_equal(projects_in("a.sln", (struct str){text, sizeof text - 1}),
                        "the path of line 6 has a NUL in it");
}

static void xml_names_projects(void **state)
{
    (void)state;
    assert_string_equal(projects_of("a.slnx", "<Solution>\n<Folder Name=\"/src/\">\n"
                                              "<File Path=\"readme.csproj\"/>"
                                              "<Project Path=\"src/A&amp;B/A.csproj\" />\n"
                                              "</Folder>\n<Project Path=\"C.fsproj\"><Build/>"
                                              "</Project><Project Path=\"D.shproj\"/></Solution>"),
                        "src/A&B/A.csproj|C.fsproj; other: D.shproj");
}

static void broken_xml_is_named(void **state)
{
    static const struct {
        const char *text, *expected;
    } broken[] = {
        {"<Solution>\n<Project Path=\"A.csproj\">\n</Solution>", "line 3 is not well-formed XML: "},
        {"<Solution>\n<Project Path=\"A.csproj\"/>\n", "line 3 is not well-formed XML: "},
        {"Hello", "line 1 is not well-formed XML: "},
        {"<Project Sdk=\"Microsoft.NET.Sdk\"/>", "is not a solution: it begins with <Project>"},
        {"<Solution>\n\n<Project Name=\"A\"/></Solution>", "the <Project> of line 3 has no Path"},
        {"<!DOCTYPE Solution [<!ENTITY a \"b\">]>\n<Solution><Project Path=\"&a;.csproj\"/>"
         "</Solution>",
         "has a document type, which no solution has"},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(broken); i++)
        if (strncmp(projects_of("a.slnx", broken[i].text), broken[i].expected,
                    strlen(broken[i].expected)) != 0)
            fail_msg("'%s', not '%s'", projects_of("a.slnx", broken[i].text), broken[i].expected);
}

/* Its paths are relative to the solution, which need not be there. */
static void filter_names_some_of_a_solution(void **state)
{
    struct solution solution;
    struct err err = {0};
    (void)state;
    static const char text[] = "{ \"solution\": { \"path\": \"..\\\\all\\\\Shop.sln\",\n"
                               "\"projects\": [ \"src\\\\A.csproj\", \"C.vcxproj\" ] } }";
    assert_string_equal(projects_of("a.slnf", text), "src/A.csproj; other: C.vcxproj");
    const char *path = temporary_file(&folder, "a.slnf", text, sizeof text - 1);
    assert_true(solution_read(&solution, path, &arena, &err));
    struct str expected;
    const char *parent = strrchr(folder.folder, '/');
    assert_true(text_format(&expected, &arena, &err, "%.*s/all/src/A.csproj",
                            (int)(parent - folder.folder), folder.folder));
    assert_str(((struct solution_project *)solution.list.items)->path, expected.text);
}

static void filter_without_a_list_is_all(void **state)
{
    (void)state;
    temporary_file(&folder, "all.sln", SLN_HEAD PROJECT("A", "A.csproj"),
                   sizeof(SLN_HEAD PROJECT("A", "A.csproj")) - 1);
    assert_string_equal(projects_of("a.slnf", "{\"solution\":{\"path\":\"all.sln\"}}"), "A.csproj");
    temporary_file(&folder, "all.sln", "x", 1);
    assert_non_null(strstr(projects_of("a.slnf", "{\"solution\":{\"path\":\"all.sln\"}}"),
                           "/all.sln: is not a solution: line 1"));
    assert_non_null(
        strstr(projects_of("a.slnf", "{\"solution\":{\"path\":\"no.sln\"}}"), "/no.sln: "));
    assert_non_null(strstr(projects_of("a.slnf", "{\"solution\":{\"path\":\"a.slnf\"}}"),
                           "a.slnf is neither .sln nor .slnx"));
}

static void broken_filter_is_named(void **state)
{
    static const struct {
        const char *text, *expected;
    } broken[] = {
        {"{\n\"solution\": {", "line 2 is not JSON: "},
        {"[]", "has no object \"solution\""},
        {"{\"solution\": 1}", "has no object \"solution\""},
        {"{\"solution\": {}}", "\"solution\" has no \"path\", which names a solution"},
        {"{\"solution\": {\"path\": \"\"}}", "\"solution\" has no \"path\""},
        {"{\"solution\": {\"path\": \"a.sln\", \"projects\": 1}}",
         "\"projects\" is not an array of paths"},
        {"{\"solution\": {\"path\": \"a.sln\", \"projects\": [\"A.csproj\", 2]}}",
         "item 2 of \"projects\" is not a path"},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(broken); i++)
        if (strncmp(projects_of("a.slnf", broken[i].text), broken[i].expected,
                    strlen(broken[i].expected)) != 0)
            fail_msg("'%s', not '%s'", projects_of("a.slnf", broken[i].text), broken[i].expected);
}

static void project_is_a_solution_of_one(void **state)
{
    (void)state;
    assert_string_equal(projects_of("A.csproj", "<Project/>"), "A.csproj");
    assert_non_null(strstr(projects_of("a.txt", "x"), "is not a solution: expected .sln, .slnx"));
}

static void parts_of_paths_are_resolved(void **state)
{
    static const char *const paths[][3] = {
        {"/a/b", "..\\c\\d.csproj", "/a/c/d.csproj"},
        {"/a", "./b/./c", "/a/b/c"},
        {"", "a/../../b", "../b"},
        {"x", "../../b", "../b"},
        {"/a", "/b//c", "/b/c"},
        {"/", "b", "/b"},
        {"/a", "../../b", "/b"},
        {"a", "..", ""},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
        struct str path;
        assert_true(
            solution_resolve(&path, str_of(paths[i][0]), str_of(paths[i][1]), &arena, NULL));
        assert_str(path, paths[i][2]);
        assert_int_equal(path.text[path.len], '\0');
    }
}

/* --- what was built --------------------------------------------------------------------------- */

static void put(const char *name)
{
    char path[512];
    const char *whole = temporary_path(&folder, name);
    (void)snprintf(path, sizeof path, "%s", whole);
    for (char *c = path + strlen(folder.folder) + 1; *c != '\0'; c++)
        if (*c == '/') {
            *c = '\0';
            (void)mkdir(path, 0777);
            *c = '/';
        }
    temporary_file(&folder, name, "x", 1);
}

/* The assembly of src/App/App.csproj, below the folder. */
static const char *output(const char *measured)
{
    static char out[512];
    struct str assembly, path = str_of(measured != NULL ? measured : "");
    struct err err = {0};
    const struct solution_project project = {
        .path = str_of(temporary_path(&folder, "src/App/App.csproj"))};
    assert_true(project_output_find(&assembly, &project, str_of(folder.folder), &path,
                                    measured != NULL, &arena, &err));
    size_t skip = assembly.len != 0 ? strlen(folder.folder) + 1 : 0;
    (void)snprintf(out, sizeof out, "%.*s", (int)(assembly.len - skip), assembly.text + skip);
    return out;
}

#define LIST "App.csproj.FileListAbsolute.txt"

static void build_is_found_beside_its_list(void **state)
{
    (void)state;
    put("src/App/App.csproj");
    assert_string_equal(output(NULL), "");
    put("src/App/bin/Debug/net10.0/Other.dll");
    assert_string_equal(output(NULL), "");
    put("src/App/bin/Debug/net10.0/App.dll");
    assert_string_equal(output(NULL), "src/App/bin/Debug/net10.0/App.dll");
    put("src/App/obj/Debug/net10.0/" LIST);
    put("src/App/obj/Debug/net10.0/ref/App.dll");
    assert_string_equal(output(NULL), "src/App/bin/Debug/net10.0/App.dll");
    put("src/App/obj/Debug/net10.0/Company.dll");
    assert_string_equal(output(NULL), "src/App/obj/Debug/net10.0/Company.dll");
    put("src/App/obj/Debug/net10.0/Another.dll");
    put("src/App/obj/Debug/net10.0/Company.pdb");
    assert_string_equal(output(NULL), "src/App/obj/Debug/net10.0/Company.dll");
    put("src/App/obj/Debug/net10.0/App.dll");
    assert_string_equal(output(NULL), "src/App/obj/Debug/net10.0/App.dll");
}

/* By MSBuild's list, whose paths are absolute; reference assemblies are below the folder of obj. */
static void build_was_put_where_the_list_says(void **state)
{
    char list[2048];
    struct err err = {0};
    const struct solution_project project = {.path = STR("src/App/App.csproj")};
    struct str at, obj = str_of(temporary_path(&folder, "src/App/obj/Debug"));
    (void)state;
    struct str assembly = str_of(temporary_path(&folder, "src/App/obj/Debug/App.dll"));
    put("src/App/obj/Debug/App.dll");
    assert_true(project_output_folder(&at, &project, assembly, &arena, &err));
    assert_true(str_eq(at, obj));
    (void)snprintf(list, sizeof list, "%.*s/ref/App.dll\r\n/x/out/Lib.dll\r\n/x/out/App.dll\r\n",
                   STR_ARGS(obj));
    (void)temporary_file(&folder, "src/App/obj/Debug/" LIST, list, strlen(list));
    assert_true(project_output_folder(&at, &project, assembly, &arena, &err));
    assert_str(at, "/x/out");
    (void)temporary_file(&folder, "src/App/obj/Debug/" LIST, "/x/out/Lib.dll\n", 15);
    assert_true(project_output_folder(&at, &project, assembly, &arena, &err));
    assert_true(str_eq(at, obj));
}

/* Another project in the same folder. */
/* Followed, these are 200^4 folders. */
static void links_below_a_build_are_not_followed(void **state)
{
    char name[64];
    (void)state;
    put("src/App/App.csproj");
    put("src/App/obj/App.dll");
    put("src/App/obj/" LIST);
    for (int i = 0; i < 200; i++) {
        (void)snprintf(name, sizeof name, "src/App/obj/back%d", i);
        assert_int_equal(symlink(".", temporary_path(&folder, name)), 0);
    }
    assert_string_equal(output(NULL), "src/App/obj/App.dll");
}

static void list_of_another_project_does_not_count(void **state)
{
    (void)state;
    put("src/App/App.csproj");
    put("src/App/obj/Debug/net10.0/Other.csproj.FileListAbsolute.txt");
    put("src/App/obj/Debug/net10.0/App.dll");
    assert_string_equal(output(NULL), "");
}

static void set_time(const char *name, int64_t seconds)
{
    struct timespec times[2] = {{.tv_sec = seconds}, {.tv_sec = seconds}};
    assert_int_equal(utimensat(AT_FDCWD, temporary_path(&folder, name), times, 0), 0);
}

static void build_like_what_ran_is_taken_then_the_newest(void **state)
{
    static const char *const builds[] = {"Debug/net8.0", "Debug/net10.0", "Release/net8.0",
                                         "Release/net10.0"};
    (void)state;
    put("src/App/App.csproj");
    for (size_t i = 0; i < ARRAY_LEN(builds); i++) {
        char name[128];
        (void)snprintf(name, sizeof name, "src/App/obj/%s/" LIST, builds[i]);
        put(name);
        (void)snprintf(name, sizeof name, "src/App/obj/%s/App.dll", builds[i]);
        put(name);
        set_time(name, 1000 + (int64_t)i);
    }
    assert_string_equal(output(NULL), "src/App/obj/Release/net10.0/App.dll");
    assert_string_equal(output("/x/bin/Debug/net8.0/Tests.dll"),
                        "src/App/obj/Debug/net8.0/App.dll");
    assert_string_equal(output("/x/artifacts/bin/Tests/debug/Tests.dll"),
                        "src/App/obj/Debug/net10.0/App.dll");
    assert_string_equal(output("/x/bin/net8.0/Tests.dll"), "src/App/obj/Release/net8.0/App.dll");
    assert_string_equal(output("/x/Staging/net9.0/Tests.dll"),
                        "src/App/obj/Release/net10.0/App.dll");
}

static void artifacts_are_found_above_the_project(void **state)
{
    (void)state;
    put("src/App/App.csproj");
    put("artifacts/bin/App/debug/App.dll");
    assert_string_equal(output(NULL), "artifacts/bin/App/debug/App.dll");
    put("artifacts/obj/App/debug/" LIST);
    put("artifacts/obj/App/debug/App.dll");
    put("artifacts/obj/Other/release/" LIST);
    put("artifacts/obj/Other/release/App.dll");
    assert_string_equal(output(NULL), "artifacts/obj/App/debug/App.dll");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_world, close_world)

static const struct CMUnitTest tests[] = {
    TEST(lines_name_projects),
    TEST(broken_lines_are_named),
    TEST(nul_in_a_path_is_named),
    TEST(xml_names_projects),
    TEST(broken_xml_is_named),
    TEST(filter_names_some_of_a_solution),
    TEST(filter_without_a_list_is_all),
    TEST(broken_filter_is_named),
    TEST(project_is_a_solution_of_one),
    TEST(parts_of_paths_are_resolved),
    TEST(build_is_found_beside_its_list),
    TEST(links_below_a_build_are_not_followed),
    TEST(build_was_put_where_the_list_says),
    TEST(list_of_another_project_does_not_count),
    TEST(build_like_what_ran_is_taken_then_the_newest),
    TEST(artifacts_are_found_above_the_project),
};
UNIT_TESTS(tests);

/* test_external.c - reports of other tools are read as those tools mean them, and what is none is
 * refused. */
#include "coverage/external/external_reader.h"

#include <stdio.h>
#include <unistd.h>

#include "coverage/external/external_facts.h"
#include "coverage/facts/facts.h"
#include "reporters/report/report_formats.h"
#include "tests/support/check.h"
#include "tests/support/facts_fixture.h"
#include "tests/support/test_folder.h"
#include "tests/support/whole_report.h"

/* What stands around the classes of a Cobertura file, and around their lines. */
#define COVERAGE(inner) "<coverage>" inner "</coverage>"
#define PACKAGE(classes)                                                                           \
    "<packages><package name=\"P\"><classes>" classes "</classes></package></packages>"
#define CLASS(lines) "<class name=\"C\" filename=\"/a.cs\"><lines>" lines "</lines></class>"
#define LINES(lines) COVERAGE(PACKAGE(CLASS(lines)))
#define NAMED(sources, filename)                                                                   \
    COVERAGE("<sources>" sources "</sources>" PACKAGE("<class name=\"C\" filename=\"" filename     \
                                                      "\"><lines><line number=\"1\" hits=\"1\"/>"  \
                                                      "</lines></class>"))
#define MODULE(inner)                                                                              \
    "<CoverageSession><Modules><Module><ModuleName>M</ModuleName>" inner                           \
    "</Module></Modules></CoverageSession>"
#define FILES                                                                                      \
    "<Files><File uid=\"1\" fullPath=\"C:\\b.cs\"/><File uid=\"2\" fullPath=\"/a.cs\"/></Files>"
#define METHOD(name, points)                                                                       \
    "<Classes><Class><FullName>N.C</FullName><Methods><Method><Name>" name                         \
    "</Name><FileRef uid=\"2\"/>" points "</Method></Methods></Class></Classes>"

/* FORMAT [PACKAGE] PATH: LINE=HITS (COVERED/OUTCOMES: HITS...) CLASS.METHOD SIGNATURE; or, of
 * several methods, {CLASS.METHOD=HITS...}; */
static const struct {
    const char *name, *expected, *text;
} reports[] = {
    {"no class", "Cobertura", COVERAGE("")},
    {"a line", "Cobertura [P] /a.cs: 7=3 C;", LINES("<line number=\"7\" hits=\"3\"/>")},
    {"two methods on one line", "Cobertura [P] /a.cs: 7=3 {C.a()=3 C.b()=0};",
     COVERAGE(PACKAGE("<class name=\"C\" filename=\"/a.cs\"><methods>"
                      "<method name=\"b\" signature=\"()\"><lines>"
                      "<line number=\"7\" hits=\"0\"/></lines></method>"
                      "<method name=\"a\" signature=\"()\"><lines>"
                      "<line number=\"7\" hits=\"3\"/></lines></method></methods>"
                      "<lines><line number=\"7\" hits=\"3\"/></lines></class>"))},
    {"a method twice", "Cobertura [P] /a.cs: 7=3 C.b ();",
     COVERAGE(PACKAGE("<class name=\"C\" filename=\"/a.cs\"><methods>"
                      "<method name=\"b\" signature=\"()\"><lines>"
                      "<line number=\"7\" hits=\"0\"/></lines></method>"
                      "<method name=\"b\" signature=\"()\"><lines>"
                      "<line number=\"7\" hits=\"3\"/></lines></method></methods></class>"))},
    {"lines in disorder", "Cobertura [P] /a.cs: 1=1 C; 7=3 C;",
     LINES("<line number=\"7\" hits=\"3\"/><line number=\"1\" hits=\"1\"/>")},
    {"no hits", "Cobertura [P] /a.cs: 7=0 C;", LINES("<line number=\"7\"/>")},
    {"hits past 64 bits", "Cobertura [P] /a.cs: 7=18446744073709551615 C;",
     LINES("<line number=\"7\" hits=\"18446744073709551616\"/>")},
    {"hits of 64 bits", "Cobertura [P] /a.cs: 7=18446744073709551615 C;",
     LINES("<line number=\"7\" hits=\"18446744073709551615\"/>")},
    {"lines of no source", "Cobertura [P] /a.cs: 16707565=1 C;",
     LINES("<line number=\"0\" hits=\"1\"/><line number=\"16707566\" hits=\"1\"/>"
           "<line number=\"16707565\" hits=\"1\"/><line number=\"4294967303\" hits=\"1\"/>")},
    {"a fraction", "Cobertura [P] /a.cs: 7=3 (1/2) C;",
     LINES("<line number=\"7\" hits=\"3\" branch=\"True\" condition-coverage=\"50% (1/2)\"/>")},
    {"a fraction of nothing", "Cobertura [P] /a.cs: 7=3 C;",
     LINES("<line number=\"7\" hits=\"3\" condition-coverage=\"100% (0/0)\"/>")},
    {"the fraction before conditions", "Cobertura [P] /a.cs: 7=3 (3/7) C;",
     LINES("<line number=\"7\" hits=\"3\" condition-coverage=\"42% (3/7)\"><conditions>"
           "<condition number=\"0\" type=\"jump\" coverage=\"100%\"/></conditions></line>")},
    {"conditions alone", "Cobertura [P] /a.cs: 7=3 (3/6) C;",
     LINES("<line number=\"7\" hits=\"3\" branch=\"true\"><conditions>"
           "<condition number=\"0\" type=\"jump\" coverage=\"100%\"/>"
           "<condition number=\"1\" type=\"jump\" coverage=\"50%\"/>"
           "<condition number=\"2\" type=\"switch\" coverage=\"25%\"/>"
           "<condition number=\"3\" type=\"jump\" coverage=\"0%\"/></conditions></line>")},
    {"jumps alone", "Cobertura [P] /a.cs: 7=3 (1/4) C;",
     LINES("<line number=\"7\" hits=\"3\"><conditions>"
           "<condition number=\"12\" type=\"jump\" coverage=\"0%\"/>"
           "<condition number=\"40\" type=\"jump\" coverage=\"50%\"/></conditions></line>")},
    {"conditions of a fraction", "Cobertura [P] /a.cs: 7=3 (3/4) C; 8=1 C;",
     LINES("<line number=\"7\" hits=\"3\" condition-coverage=\"75% (3/4)\"><conditions>"
           "<condition number=\"0\" type=\"jump\" coverage=\"100%\"/>"
           "<condition number=\"1\" type=\"jump\" coverage=\"50%\"/></conditions></line>"
           "<line number=\"8\" hits=\"1\"/>")},
    {"conditions of another kind", "Cobertura [P] /a.cs: 7=3 (1/2) C; 8=3 (1/2) C;",
     LINES("<line number=\"7\" hits=\"3\" condition-coverage=\"50% (1/2)\"><conditions>"
           "<condition number=\"0\" type=\"loop\" coverage=\"50%\"/></conditions></line>"
           "<line number=\"8\" hits=\"3\" condition-coverage=\"50% (1/2)\"><conditions>"
           "<condition type=\"jump\" coverage=\"50%\"/></conditions></line>")},
    {"a percentage alone", "Cobertura [P] /a.cs: 7=3 C;",
     LINES("<line number=\"7\" hits=\"3\" condition-coverage=\"50%\"/>")},
    {"branches of a line without hits", "Cobertura [P] /a.cs: 7=0 (2/2) C;",
     LINES("<line number=\"7\" hits=\"0\" condition-coverage=\"100% (2/2)\"/>")},
    {"conditions of a line without hits", "Cobertura [P] /a.cs: 7=0 (3/4) C; 8=1 (2/2) C;",
     LINES("<line number=\"7\" hits=\"0\" condition-coverage=\"75% (3/4)\"><conditions>"
           "<condition number=\"0\" type=\"jump\" coverage=\"100%\"/>"
           "<condition number=\"1\" type=\"jump\" coverage=\"50%\"/></conditions></line>"
           "<line number=\"8\" hits=\"1\" condition-coverage=\"100% (2/2)\"><conditions>"
           "<condition number=\"0\" type=\"jump\" coverage=\"100%\"/></conditions></line>")},
    {"hits of one method, branches of another", "Cobertura [P] /a.cs: 7=3 (2/2) {C.a()=0 C.b()=3};",
     COVERAGE(PACKAGE("<class name=\"C\" filename=\"/a.cs\"><methods>"
                      "<method name=\"b\" signature=\"()\"><lines>"
                      "<line number=\"7\" hits=\"3\"/></lines></method>"
                      "<method name=\"a\" signature=\"()\"><lines>"
                      "<line number=\"7\" hits=\"0\" condition-coverage=\"100% (2/2)\"/>"
                      "</lines></method></methods></class>"))},
    {"a line below methods and class", "Cobertura [P] /a.cs: 7=3 (2/4) C.M (int); 8=1 C;",
     COVERAGE(PACKAGE(
         "<class name=\"C\" filename=\"/a.cs\"><methods><method name=\"M\" signature=\"(int)\">"
         "<lines><line number=\"7\" hits=\"2\" condition-coverage=\"50% (2/4)\"/></lines>"
         "</method></methods><lines><line number=\"7\" hits=\"3\" "
         "condition-coverage=\"100% (2/2)\"/><line number=\"8\" hits=\"1\"/></lines></class>"))},
    {"two classes of a file", "Cobertura [P] /a.cs: 1=5 C; 2=1 D;",
     COVERAGE(PACKAGE(
         "<class name=\"C\" filename=\"/a.cs\"><lines><line number=\"1\" hits=\"0\"/>"
         "</lines></class><class name=\"D\" filename=\"\\a.cs\"><lines>"
         "<line number=\"1\" hits=\"5\"/><line number=\"2\" hits=\"1\"/></lines></class>"))},
    {"a file of two packages", "Cobertura [A] /a.cs: 1=2; [B] /a.cs: 1=1;",
     COVERAGE("<packages><package name=\"B.dll\"><classes><class filename=\"/a.cs\"><lines>"
              "<line number=\"1\" hits=\"1\"/></lines></class></classes></package>"
              "<package name=\"A\"><classes><class filename=\"/a.cs\"><lines>"
              "<line number=\"1\" hits=\"2\"/></lines></class></classes></package></packages>")},
    {"a class of no file", "Cobertura",
     COVERAGE(
         PACKAGE("<class name=\"C\" filename=\"\"><lines><line number=\"1\" hits=\"1\"/></lines>"
                 "</class>"))},
    {"a class without lines", "Cobertura", LINES("")},
    {"a line outside of classes", "Cobertura",
     COVERAGE("<packages><line number=\"x\"/></packages>")},
    {"predefined entities", "Cobertura [P] /a&b.cs: 1=1 C;", NAMED("", "/a&amp;&#98;.cs")},
    {"a byte order mark", "Cobertura", "\xEF\xBB\xBF<?xml version=\"1.0\"?>\n<coverage/>"},
    {"a DTD that is not there", "Cobertura [P] /a.cs: 1=1 C;",
     "<!DOCTYPE coverage SYSTEM \"http://localhost:1/coverage-04.dtd\">" LINES(
         "<line number=\"1\" hits=\"1\"/>")},
    {"another encoding", "Cobertura [P] /\xC3\xA4.cs: 1=1 C;",
     "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>" NAMED("", "/\xE4.cs")},

    {"a relative file", "Cobertura [P] src/a.cs: 1=1 C;", NAMED("", ".\\src\\.\\a.cs")},
    {"below its source", "Cobertura [P] /w/src/a.cs: 1=1 C;",
     NAMED("<source>/w</source>", "src/a.cs")},
    {"white space around a source", "Cobertura [P] /w/a.cs: 1=1 C;",
     NAMED("<source>\n  /w/ \n</source>", "a.cs")},
    {"below a relative source", "Cobertura [P] a.cs: 1=1 C;", NAMED("<source>.</source>", "a.cs")},
    {"below a drive", "Cobertura [P] C:/w/a.cs: 1=1 C;", NAMED("<source>C:\\</source>", "w\\a.cs")},
    {"below a drive without slash", "Cobertura [P] C:/a.cs: 1=1 C;",
     NAMED("<source>C:</source>", "a.cs")},
    {"below the root", "Cobertura [P] /a.cs: 1=1 C;", NAMED("<source>/</source>", "a.cs")},
    {"below a host", "Cobertura [P] //h/w/a.cs: 1=1 C;",
     NAMED("<source>\\\\h\\w</source>", "a.cs")},
    {"an absolute file", "Cobertura [P] /v/a.cs: 1=1 C;", NAMED("<source>/w</source>", "/v/a.cs")},
    {"up from its source", "Cobertura [P] /a.cs: 1=1 C;",
     NAMED("<source>/w</source>", "../../a.cs")},
    {"up from nowhere", "Cobertura [P] ../../a.cs: 1=1 C;", NAMED("", "b/../../../a.cs")},
    {"from the web", "Cobertura [P] https://h/a.cs: 1=1 C;",
     NAMED("<source>/w</source>", "https://h/a.cs")},
    {"the first of several sources that has it", "Cobertura [P] /dev/null: 1=1 C;",
     NAMED("<source>/no/such</source><source>/dev</source><source>/</source>", "null")},
    {"none of several sources has it", "Cobertura [P] no/such.cs: 1=1 C;",
     NAMED("<source>/no/such</source><source>/no/other</source>", "no/such.cs")},
    {"no source", "Cobertura [P] a.cs: 1=1 C;", NAMED("<source/>", "a.cs")},

    {"a record", "LCOV [] a.cs: 1=3;", "TN:\nSF:a.cs\nDA:1,3\nLF:1\nLH:1\nend_of_record\n"},
    {"ends of lines", "LCOV [] a.cs: 1=3; 2=0;",
     "SF:a.cs\r\nDA:1,3\r\nDA:2,0\r\nend_of_record\r\n"},
    {"no end", "LCOV [] a.cs: 1=3; [] b.cs: 1=1;", "SF:b.cs\nDA:1,1\nSF:a.cs\nDA:1,3"},
    {"a checksum", "LCOV [] a.cs: 1=3;", "SF:a.cs\nDA:1,3,1B2M2Y8AsgTpgAmY7PhCfg\n"},
    {"other records", "LCOV [] a.cs: 1=3;",
     "# made by hand\n\nTN:t\nSF:a.cs\nVER:1\nMCDC:1,2,t,1,0,x\nX\nDA:1,3\nend_of_record\n"},
    {"a record twice", "LCOV [] a.cs: 1=4 (2/2: 4 1);",
     "SF:a.cs\nDA:1,3\nBRDA:1,0,0,3\nBRDA:1,0,1,-\nend_of_record\n"
     "SF:a.cs\nDA:1,1\nBRDA:1,0,0,1\nBRDA:1,0,1,1\nend_of_record\n"},
    {"sums that saturate", "LCOV [] a.cs: 1=18446744073709551615;",
     "SF:a.cs\nDA:1,18446744073709551615\nDA:1,1\n"},
    {"branches", "LCOV [] a.cs: 1=3 (2/4: 0 3 0 1);",
     "SF:a.cs\nDA:1,3\nBRDA:1,1,1,1\nBRDA:1,0,1,3\nBRDA:1,1,0,-\nBRDA:1,0,0,0\n"},
    {"branches at one place", "LCOV [] a.cs: 1=3 (2/2: 3 1);",
     "SF:a.cs\nDA:1,3\nBRDA:1,0,0,3\nBRDA:1,0,0,1\n"},
    {"branches with a text", "LCOV [] a.cs: 1=3 (1/1: 3);",
     "SF:a.cs\nDA:1,3\nBRDA:1,0,a == 1, b,3\n"},
    {"branches of kinds", "LCOV [] a.cs: 1=3 (2/2: 3 1);",
     "SF:a.cs\nDA:1,3\nBRDA:1,e0,0,3\nBRDA:1,f0,1,1\nBRDA:1,U0,2,0\nBRDA:1,eU0,3,0\n"},
    {"a branch without its line", "LCOV [] a.cs: 1=3 (1/2: 0 3);",
     "SF:a.cs\nBRDA:1,0,1,3\nBRDA:1,0,0,0\n"},
    {"branches of a line without hits", "LCOV [] a.cs: 1=0 (1/2: 4 0);",
     "SF:a.cs\nDA:1,0\nBRDA:1,0,0,4\nBRDA:1,0,1,0\n"},
    {"hits in one record, branches in another", "LCOV [] a.cs: 1=2 (1/2: 4 0);",
     "SF:a.cs\nDA:1,0\nBRDA:1,0,0,4\nBRDA:1,0,1,0\nend_of_record\nSF:a.cs\nDA:1,2\n"},
    {"functions", "LCOV [] a.cs: 1=1; 2=1 .f; 5=1 .g; 6=1 .g;",
     "SF:a.cs\nFN:2,f\nFN:5,g\nFNDA:1,f\nDA:1,1\nDA:2,1\nDA:5,1\nDA:6,1\n"},
    {"functions on one line", "LCOV [] a.cs: 2=3 {.f=3 .g=0};",
     "SF:a.cs\nFN:2,g\nFN:2,f\nFNDA:0,g\nFNDA:3,f\nDA:2,3\n"},
    {"they have at most the hits of the line", "LCOV [] a.cs: 2=3 {.f=3 .g=1};",
     "SF:a.cs\nFN:2,g\nFN:2,f\nFNDA:1,g\nFNDA:9,f\nDA:2,3\n"},
    {"the one that has most has these hits", "LCOV [] a.cs: 2=3 {.f=3 .g=2};",
     "SF:a.cs\nFN:2,g\nFN:2,f\nFNDA:2,g\nFNDA:2,f\nDA:2,3\n"},
    {"functions on no line", "LCOV [] a.cs: 3=3 .f;",
     "SF:a.cs\nFN:2,g\nFN:2,f\nFNDA:1,g\nFNDA:1,f\nDA:3,3\n"},
    {"functions on one line, of which one is not counted: it has the line",
     "LCOV [] a.cs: 2=3 {.f=3 .g=0};", "SF:a.cs\nFN:2,g\nFN:2,f\nFNDA:0,g\nDA:2,3\n"},
    {"functions on one line, of lcov 2.2", "LCOV [] a.cs: 2=3 {.f=3 .g=0};",
     "SF:a.cs\nFNL:0,2\nFNA:0,3,f\nFNL:1,2\nFNA:1,0,g\nDA:2,3\n"},
    {"functions on one line, in two records", "LCOV [] a.cs: 2=5 {.f=5 .g=1};",
     "SF:a.cs\nFN:2,g\nFN:2,f\nFNDA:0,g\nFNDA:3,f\nDA:2,3\nend_of_record\n"
     "SF:a.cs\nFN:2,g\nFN:2,f\nFNDA:1,g\nFNDA:2,f\nDA:2,2\nend_of_record\n"},
    {"functions with an end", "LCOV [] a.cs: 2=1 .f,x; 3=1 .g; 4=1 .f,x; 6=1;",
     "SF:a.cs\nFN:2,5,f,x\nFN:3,3,g\nDA:2,1\nDA:3,1\nDA:4,1\nDA:6,1\n"},
    {"functions of lcov 2.2", "LCOV [] a.cs: 2=1 .f,x; 6=1;",
     "SF:a.cs\nFNL:0,2,5\nFNA:0,1,f,x\nFNA:7,1,g\nDA:2,1\nDA:6,1\n"},
    {"a function as Cecil names it", "LCOV [] a.cs: 2=1 N.C/D.M`1 (System.Int32,T);",
     "SF:a.cs\nFN:2,System.Void modreq(X) N.C/D::M`1(System.Int32,T)\nDA:2,1\n"},
    {"a file of Windows", "LCOV [] C:/w/a.cs: 1=3;", "\xEF\xBB\xBFSF:C:\\w\\a.cs\nDA:1,3\n"},
    {"a record without lines", "LCOV", "SF:a.cs\nend_of_record\n"},

    {"a point", "OpenCover [M] /a.cs: 3=2 N.C.F (); 5=2 N.C.F ();",
     MODULE(FILES METHOD("System.Void N.C::F()",
                         "<SequencePoints><SequencePoint vc=\"2\" sl=\"3\" el=\"5\" fileid=\"2\"/>"
                         "</SequencePoints>"))},
    {"points of two methods on one line", "OpenCover [M] /a.cs: 3=2 {N.C.F()=0 N.C.G()=2};",
     MODULE(FILES METHOD("System.Void N.C::F()",
                         "<SequencePoint vc=\"0\" sl=\"3\" el=\"3\" fileid=\"2\"/>")
                METHOD("System.Void N.C::G()",
                       "<SequencePoint vc=\"2\" sl=\"3\" el=\"3\" fileid=\"2\"/>"))},
    {"the most of points", "OpenCover [M] /a.cs: 3=9 N.C.F (); 5=2 N.C.F ();",
     MODULE(
         FILES METHOD("System.Void N.C::F()",
                      "<SequencePoint vc=\"2\" sl=\"3\" el=\"5\" fileid=\"2\"/>"
                      "<SequencePoint vc=\"9\" sl=\"3\" fileid=\"2\"/>"
                      "<SequencePoint vc=\"9\" sl=\"16707566\" el=\"16707566\" fileid=\"2\"/>"))},
    {"points of files", "OpenCover [M] /a.cs: 3=2 N.C.F; [M] C:/b.cs: 4=1 N.C.F;",
     MODULE(FILES METHOD("F", "<SequencePoint vc=\"2\" sl=\"3\" el=\"3\"/>"
                              "<SequencePoint vc=\"1\" sl=\"4\" el=\"4\" fileid=\"1\"/>"
                              "<SequencePoint vc=\"1\" sl=\"5\" el=\"5\" fileid=\"3\"/>"))},
    {"branch points", "OpenCover [M] /a.cs: 3=2 (1/2: 0 2) N.C.F;",
     MODULE(FILES METHOD("F", "<SequencePoint vc=\"2\" sl=\"3\" el=\"3\"/>"
                              "<BranchPoint vc=\"2\" sl=\"3\" offset=\"7\" path=\"1\"/>"
                              "<BranchPoint vc=\"0\" sl=\"3\" offset=\"7\" path=\"0\"/>"
                              "<BranchPoint vc=\"0\" offset=\"9\" path=\"0\"/>"))},
    {"branch points of a line without hits",
     "OpenCover [M] /a.cs: 3=0 (1/1: 2) N.C.F; "
     "4=2 (1/1: 2) N.C.F;",
     MODULE(FILES METHOD("F", "<SequencePoint vc=\"0\" sl=\"3\" el=\"3\"/>"
                              "<BranchPoint vc=\"2\" sl=\"3\" offset=\"7\" path=\"1\"/>"
                              "<BranchPoint vc=\"2\" sl=\"4\" offset=\"7\" path=\"1\"/>"))},
    {"a module twice", "OpenCover [M] /a.cs: 3=5 (2/2: 1 4) N.C.F;",
     "<CoverageSession><Modules><Module><ModuleName>M</ModuleName>" FILES METHOD(
         "F",
         "<SequencePoint vc=\"5\" sl=\"3\" el=\"3\"/>"
         "<BranchPoint vc=\"1\" sl=\"3\" offset=\"7\" path=\"0\"/>"
         "<BranchPoint vc=\"4\" sl=\"3\" offset=\"7\" path=\"1\"/>") "</"
                                                                     "Module><Module><ModuleName>M<"
                                                                     "/ModuleName>" FILES METHOD(
                                                                         "F",
                                                                         "<SequencePoint "
                                                                         "vc=\"1\" sl=\"3\" "
                                                                         "el=\"3\"/>"
                                                                         "<BranchPoint "
                                                                         "vc=\"1\" sl=\"3\" "
                                                                         "offset=\"7\" "
                                                                         "path=\"0\"/>"
                                                                         "<BranchPoint "
                                                                         "vc=\"0\" sl=\"3\" "
                                                                         "offset=\"7\" "
                                                                         "path=\"1\"/>") "</"
                                                                                         "Modul"
                                                                                         "e></"
                                                                                         "Modul"
                                                                                         "es></"
                                                                                         "Cover"
                                                                                         "ageSe"
                                                                                         "ssion"
                                                                                         ">"},
    {"a module that was skipped", "OpenCover [M] /a.cs: 3=2 N.C.F;",
     "<CoverageSession><Modules><Module skippedDueTo=\"Filter\"/><Module "
     "skippedDueTo=\"Filter\">" FILES METHOD(
         "F", "<SequencePoint vc=\"1\" sl=\"1\" el=\"1\"/>") "</Module><Module><ModuleName>M</"
                                                             "ModuleName>" FILES METHOD(
                                                                 "F",
                                                                 "<SequencePoint vc=\"2\" sl=\"3\" "
                                                                 "el=\"3\"/>") "</Module></"
                                                                               "Modules></"
                                                                               "CoverageSession>"},
};

static const struct {
    const char *name;
    enum err_code code;
    const char *says, *text;
} refused[] = {
    {"nothing", ERR_FORMAT, "is empty", ""},
    {"text", ERR_UNSUPPORTED, "is neither an ilcov data file nor Cobertura, LCOV or OpenCover",
     "Lorem ipsum\n"},
    {"white space", ERR_UNSUPPORTED,
     "is neither an ilcov data file nor Cobertura, LCOV or OpenCover", " \n"},
    {"comments", ERR_UNSUPPORTED, "is neither an ilcov data file nor Cobertura, LCOV or OpenCover",
     "# SF:a.cs"},
    {"another XML", ERR_UNSUPPORTED, "its root is <html>, line 2", "\n<html/>"},
    {"JaCoCo", ERR_UNSUPPORTED, "is JaCoCo's XML", "<report name=\"x\"/>"},
    {"Clover", ERR_UNSUPPORTED, "is Clover's XML",
     "<coverage generated=\"1\"><project/></coverage>"},
    {"SonarQube", ERR_UNSUPPORTED, "is SonarQube's", "<coverage version=\"1\"><file/></coverage>"},
    {"NCover", ERR_FORMAT, "is not Cobertura: <coverage> contains <module>",
     "<coverage><module/></coverage>"},
    {"Microsoft's XML", ERR_UNSUPPORTED, "is Microsoft's XML", "<results><modules/></results>"},
    {"dotCover's XML", ERR_UNSUPPORTED, "is dotCover's XML", "<Root CoveredStatements=\"1\"/>"},
    {"coverlet's JSON", ERR_UNSUPPORTED, "is JSON, such as coverlet's own",
     "\xEF\xBB\xBF{\n  \"A.dll\": {}}"},
    {".coverage", ERR_UNSUPPORTED, "is Microsoft's binary .coverage", "PCH\xFF\x01"},

    {"no number", ERR_FORMAT, "<line> has no number, line 1", LINES("<line hits=\"1\"/>")},
    {"an invalid number", ERR_FORMAT, "number=\"1.5\"", LINES("<line number=\"1.5\" hits=\"1\"/>")},
    {"negative hits", ERR_FORMAT, "hits=\"-1\", which is not a count, line 3",
     LINES("\n\n<line number=\"1\" hits=\"-1\"/>")},
    {"empty hits", ERR_FORMAT, "hits=\"\"", LINES("<line number=\"1\" hits=\"\"/>")},
    {"more than all", ERR_FORMAT, "covers 3 of 2 branches",
     LINES("<line number=\"1\" hits=\"1\" condition-coverage=\"150% (3/2)\"/>")},
    {"too many branches", ERR_LIMIT, "has 4294967295 branches",
     LINES("<line number=\"1\" hits=\"1\" condition-coverage=\"0% (0/99999999999)\"/>")},
    {"no file", ERR_FORMAT, "<class> has no filename", COVERAGE(PACKAGE("<class name=\"C\"/>"))},
    {"not well-formed", ERR_FORMAT, "is not well-formed: ", "<coverage>\n<packages></coverage>"},
    {"an early end", ERR_FORMAT, "ends within <packages>, line 2", "<coverage>\n<packages>"},
    {"a document without a root", ERR_FORMAT, "is not well-formed", "<!-- -->"},
    {"two roots", ERR_FORMAT, "is not well-formed", "<coverage/><coverage/>"},
    {"an entity that is a file", ERR_UNSUPPORTED, "declares XML entities",
     "<!DOCTYPE coverage [<!ENTITY e SYSTEM \"file:///etc/hostname\">]>" NAMED(
         "<source>&e;</source>", "a.cs")},
    {"entities of entities", ERR_UNSUPPORTED, "declares XML entities",
     "<!DOCTYPE coverage [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">"
     "<!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;\">]>" NAMED("", "/&c;")},
    {"parameter entities", ERR_UNSUPPORTED, "declares XML entities",
     "<!DOCTYPE coverage [<!ENTITY % e SYSTEM \"http://localhost:1/\"> %e;]><coverage/>"},
    {"an entity that is not declared", ERR_FORMAT, "is not well-formed", NAMED("", "/&e;")},

    {"a record before its file", ERR_FORMAT, "before the SF that it belongs to, line 2",
     "TN:\nDA:1,1\n"},
    {"a record after its file", ERR_FORMAT, "line 3", "SF:a\nend_of_record\nDA:1,1\n"},
    {"DA without a line", ERR_FORMAT, "DA has no line, line 2", "SF:a\nDA:x,1\n"},
    {"DA without a count", ERR_FORMAT, "DA has no count, line 2", "SF:a\nDA:1\n"},
    {"DA with a negative count", ERR_FORMAT, "DA has no count", "SF:a\nDA:1,-1\n"},
    {"BRDA without a count", ERR_FORMAT, "BRDA has no count", "SF:a\nBRDA:1,0\n"},
    {"BRDA with no count", ERR_FORMAT, "BRDA has no count", "SF:a\nBRDA:1,0,0,x\n"},
    {"BRDA without a line", ERR_FORMAT, "BRDA has no line", "SF:a\nBRDA:,0,0,1\n"},
    {"FN without a line", ERR_FORMAT, "FN has no line", "SF:a\nFN:f\n"},
    {"FNL without a line", ERR_FORMAT, "FNL has no index", "SF:a\nFNL:1\n"},
    {"FNA without an index", ERR_FORMAT, "FNA has no index", "SF:a\nFNA:f\n"},

    {"a point without a count", ERR_FORMAT, "<SequencePoint> has no vc",
     MODULE(FILES METHOD("F", "<SequencePoint sl=\"1\"/>"))},
    {"a branch of a negative count", ERR_FORMAT, "<BranchPoint> has vc=\"-1\"",
     MODULE(FILES METHOD("F", "<BranchPoint vc=\"-1\"/>"))},
    {"a file without a uid", ERR_FORMAT, "<File> has no uid", MODULE("<Files><File/></Files>")},
};

static struct view view_of(const char *text)
{
    return (struct view){(const uint8_t *)text, strlen(text)};
}

static void describe_line(struct text *t, const struct external_line *line)
{
    text_addf(t, " %u=%llu", line->number, (unsigned long long)line->hits);
    if (line->outcome_count != 0) {
        text_addf(t, " (%u/%u", line->covered_count, line->outcome_count);
        for (uint32_t i = 0; line->outcomes != NULL && i < line->outcome_count; i++)
            text_addf(t, "%s %llu", i == 0 ? ":" : "", (unsigned long long)line->outcomes[i]);
        text_add_c(t, ")");
    }
    const struct external_member *alone = line->members;
    assert_int_not_equal(line->member_count, 0);
    if (line->member_count == 1) {
        assert_int_equal(alone->hits, line->hits);
        if (alone->class_name.len != 0 || alone->method_name.len != 0)
            text_addf(t, " %.*s", STR_ARGS(alone->class_name));
        if (alone->method_name.len != 0)
            text_addf(t, ".%.*s", STR_ARGS(alone->method_name));
        if (alone->method_signature.len != 0)
            text_addf(t, " %.*s", STR_ARGS(alone->method_signature));
    }
    for (uint32_t i = 0; line->member_count > 1 && i < line->member_count; i++)
        text_addf(
            t, "%s%.*s.%.*s%.*s=%llu%s", i == 0 ? " {" : " ", STR_ARGS(line->members[i].class_name),
            STR_ARGS(line->members[i].method_name), STR_ARGS(line->members[i].method_signature),
            (unsigned long long)line->members[i].hits, i + 1 == line->member_count ? "}" : "");
    text_add_c(t, ";");
}

static struct str describe(const struct external *external)
{
    struct str out;
    struct text t = text_in(&folder.arena);
    text_add(&t, external->format);
    for (uint32_t i = 0; i < external->file_count; i++) {
        const struct external_file *file = &external->files[i];
        text_addf(&t, " [%.*s] %.*s:", STR_ARGS(file->package), STR_ARGS(file->path));
        for (uint32_t k = 0; k < file->line_count; k++)
            describe_line(&t, &file->lines[k]);
    }
    assert_true(text_take(&out, &t, NULL));
    return out;
}

static void reports_are_read_as_their_writers_mean_them(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(reports); i++) {
        struct err err = {.code = ERR_NONE};
        struct external external;
        struct view bytes = exact_copy(view_of(reports[i].text));
        assert_true(external_is(bytes));
        if (!external_read(&external, bytes, &folder.arena, &err))
            fail_msg("%s: %s", reports[i].name, err.text);
        exact_free(bytes);
        struct str got = describe(&external);
        if (!str_is(got, reports[i].expected))
            fail_msg("%s: \"%s\" instead of \"%s\"", reports[i].name, got.text,
                     reports[i].expected);
    }
}

static void what_is_refused_says_why(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(refused); i++) {
        struct err err = {.code = ERR_NONE};
        struct external external;
        struct view bytes = exact_copy(view_of(refused[i].text));
        if (external_read(&external, bytes, &folder.arena, &err))
            fail_msg("%s: was read as \"%s\"", refused[i].name, describe(&external).text);
        exact_free(bytes);
        if (err.code != refused[i].code || strstr(err.text, refused[i].says) == NULL)
            fail_msg("%s: %d \"%s\" instead of %d \"%s\"", refused[i].name, err.code, err.text,
                     refused[i].code, refused[i].says);
        assert_null(strchr(err.text, '\n'));
    }
}

static void check_order(const struct external *external)
{
    for (uint32_t i = 0; i < external->file_count; i++) {
        const struct external_file *file = &external->files[i];
        assert_int_not_equal(file->line_count, 0);
        for (uint32_t k = 1; k < file->line_count; k++)
            assert_true(file->lines[k - 1].number < file->lines[k].number);
    }
}

/* Nor is anything read behind the end. */
static void every_truncation_is_read_or_says_why_not(void **state)
{
    struct arena arena;
    (void)state;
    arena_init(&arena, NULL, 0, ARENA_NO_LIMIT);
    for (size_t i = 0; i < ARRAY_LEN(reports); i++)
        for (size_t len = 0; len < strlen(reports[i].text); len++) {
            struct err err = {.code = ERR_NONE};
            struct external external;
            struct view bytes = exact_copy((struct view){(const uint8_t *)reports[i].text, len});
            if (external_read(&external, bytes, &arena, &err))
                check_order(&external);
            else
                assert_failed(false, err, err.code);
            exact_free(bytes);
            arena_reset(&arena);
        }
    arena_free(&arena);
}

/* XML that ends early is never taken for less. */
static void no_truncation_of_xml_is_read(void **state)
{
    static const char xml[] = LINES("<line number=\"1\" hits=\"1\"/>");
    (void)state;
    for (size_t len = 0; len + 1 < sizeof xml; len++) {
        struct external external;
        assert_false(external_read(&external, (struct view){(const uint8_t *)xml, len},
                                   &folder.arena, NULL));
    }
}

static void utf16_is_read(void **state)
{
    static const char xml[] =
        "<?xml version=\"1.0\" encoding=\"utf-16\"?>" LINES("<line number=\"7\" hits=\"3\"/>");
    uint8_t bytes[2 * sizeof xml];
    (void)state;
    for (unsigned big = 0; big < 2; big++) {
        struct external external;
        bytes[big] = 0xFF;
        bytes[!big] = 0xFE;
        for (size_t i = 0; i + 1 < sizeof xml; i++) {
            bytes[2 + 2 * i + big] = (uint8_t)xml[i];
            bytes[2 + 2 * i + !big] = 0;
        }
        assert_true(external_read(&external, VIEW(bytes), &folder.arena, NULL));
        assert_str(describe(&external), "Cobertura [P] /a.cs: 7=3 C;");
    }
}

static void data_files_are_not_external(void **state)
{
    static const uint8_t sqlite[] = "SQLite format 3";
    (void)state;
    assert_false(external_is(VIEW(sqlite)));
    assert_true(external_is((struct view){sqlite, sizeof sqlite - 1}));
    assert_false(external_is((struct view){sqlite, 0}));
}

static void tools_are_recognised(void **state)
{
    static const struct {
        const char *tool, *text;
    } cases[] = {
        {"", "<coverage version=\"0\"/>"},
        {"coverlet", "<coverage version=\"1.9\"/>"},
        {"Microsoft.CodeCoverage", "<coverage version=\"1.9\" complexity=\"1\"/>"},
        {"gcovr 5.2", "<coverage version=\"gcovr 5.2\"/>"},
        {"ilcov 0.1.0",
         "<?xml version=\"1.0\"?>\n<!-- ilcov 0.1.0 -->\n<coverage version=\"0.1.0\"/>"},
        {"", "<coverage><!-- ilcov 0.1.0 --></coverage>"},
        {"", "SF:a.cs\n"},
        {"", "<CoverageSession/>"},
        {"coverlet", "<CoverageSession><MethodPoint xmlns:p8=\"xsi\" p8:type=\"SequencePoint\"/>"
                     "</CoverageSession>"},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct external external;
        assert_true(external_read(&external, view_of(cases[i].text), &folder.arena, NULL));
        assert_str(external.tool, cases[i].tool);
    }
}

static void timestamps_are_seconds(void **state)
{
    static const struct {
        int64_t expected;
        const char *text;
    } cases[] = {
        {1700000123, "<coverage timestamp=\"1700000123\"/>"},
        {1700000123, "<coverage timestamp=\"1700000123456\"/>"},
        {0, "<coverage timestamp=\"now\"/>"},
        {0, "<coverage/>"},
    };
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct external external;
        assert_true(external_read(&external, view_of(cases[i].text), &folder.arena, NULL));
        assert_int_equal(external.timestamp, cases[i].expected);
    }
}

/* --- files ------------------------------------------------------------------------------------ */

static struct external file_of(const char *path)
{
    struct err err = {.code = ERR_NONE};
    struct external external;
    if (!external_read_file(&external, path, NULL, &folder.arena, &err))
        fail_msg("%s: %s", path, err.text);
    check_order(&external);
    return external;
}

static void a_file_gives_what_its_bytes_give(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_LEN(reports); i++) {
        const char *path =
            temporary_file(&folder, "report", reports[i].text, strlen(reports[i].text));
        struct external external = file_of(path);
        assert_str(describe(&external), reports[i].expected);
    }
}

static void a_file_that_cannot_be_read_says_why(void **state)
{
    struct external external;
    struct err err = {.code = ERR_NONE};
    (void)state;
    assert_failed(external_read_file(&external, "/no/such", NULL, &folder.arena, &err), err,
                  ERR_IO);
    assert_failed(external_read_file(&external, "/", NULL, &folder.arena, &err), err, ERR_FORMAT);
    assert_failed(external_read_file(&external, "/dev/null", NULL, &folder.arena, &err), err,
                  ERR_FORMAT);
}

/* Many times what is read at once, in XML on far more lines than libxml2 counts. */
static void large_files_are_read_in_pieces(void **state)
{
    const unsigned line_count = repeated(100000);
    struct str xml;
    (void)state;
    struct text t = text_in(&folder.arena);
    text_add_c(
        &t, "<coverage><packages><package name=\"P\"><classes><class filename=\"/a.cs\"><lines>\n");
    for (unsigned i = 1; i <= line_count; i++)
        text_addf(&t, "<line number=\"%u\" hits=\"%u\" branch=\"False\" />\n", i, i);
    size_t end = t.len;
    text_add_c(&t, "</lines></class></classes></package></packages></coverage>\n");
    assert_true(text_take(&xml, &t, NULL));
    struct external external = file_of(temporary_file(&folder, "large.xml", xml.text, xml.len));
    assert_int_equal(external.file_count, 1);
    assert_int_equal(external.files[0].line_count, line_count);
    for (unsigned i = 0; i < line_count; i++)
        assert_int_equal(external.files[0].lines[i].hits, i + 1);

    struct err err = {.code = ERR_NONE};
    const char *path = temporary_file(&folder, "cut.xml", xml.text, end);
    assert_failed(external_read_file(&external, path, NULL, &folder.arena, &err), err, ERR_FORMAT);
    const char *line =
        line_count == 100000 ? "ends within <lines>, line 10000" : "ends within <lines>, line 1000";
    assert_non_null(strstr(err.text, line));
}

static void a_line_without_end_is_refused(void **state)
{
    struct str lcov;
    struct external external;
    struct err err = {.code = ERR_NONE};
    (void)state;
    struct text t = text_in(&folder.arena);
    text_add_c(&t, "SF:a.cs\nDA:1,1\nFN:1,");
    for (unsigned i = 0; i < 70000; i++)
        text_add_c(&t, "x");
    assert_true(text_take(&lcov, &t, NULL));
    assert_failed(external_read(&external, view_of(lcov.text), &folder.arena, &err), err,
                  ERR_LIMIT);
    static const uint8_t zero[] = "SF:a.cs\nDA:1,1\0\n";
    assert_failed(external_read(&external, VIEW(zero), &folder.arena, &err), err, ERR_FORMAT);
}

/* 16707566, hidden code, and line 0 are no losses. */
static void lines_past_the_limit_are_counted(void **state)
{
    struct external external;
    struct err err = {.code = ERR_NONE};
    struct str losses;
    (void)state;
    assert_true(external_read(&external,
                              view_of("SF:/a.cs\nDA:1,1\nDA:0,1\nDA:16707566,1\nDA:16707567,1\n"
                                      "DA:99999999999,0\nBRDA:16707567,0,0,1\nend_of_record\n"),
                              &folder.arena, &err));
    assert_int_equal(external.files[0].line_count, 1);
    assert_int_equal(external.beyond_count, 3);
    assert_true(external_losses(&losses, &external, &folder.arena, &err));
    assert_str(losses,
               "3 of its entries name a line past 16707565, which ilcov cannot hold; ignored");
    assert_true(external_read(&external, view_of("SF:/a.cs\nDA:1,1\nDA:16707566,1\n"),
                              &folder.arena, &err));
    assert_true(external_losses(&losses, &external, &folder.arena, &err));
    assert_str(losses, "");
}

static struct str losses_of(const char *text)
{
    struct external external;
    struct str losses;
    assert_true(external_read(&external, view_of(text), &folder.arena, NULL));
    assert_true(external_losses(&losses, &external, &folder.arena, NULL));
    return losses;
}

static void taken_branches_of_lines_without_hits_are_named(void **state)
{
    (void)state;
    assert_str(losses_of("SF:/b.cs\nDA:9,0\nBRDA:9,0,0,1\nend_of_record\n"
                         "SF:/a.cs\nDA:7,0\nBRDA:7,0,0,1\nDA:3,0\nBRDA:3,0,0,1\nDA:2,0\n"),
               "line 3 of /a.cs and 2 more have no hits, but branches that were taken; only hits "
               "make a line covered");
    assert_str(
        losses_of("SF:/a.cs\nDA:7,0\nBRDA:7,0,0,1\nDA:99999999999,0\n"),
        "1 of its entries names a line past 16707565, which ilcov cannot hold; ignored; line 7 of "
        "/a.cs has no hits, but branches that were taken; only hits make a line covered");
    assert_str(losses_of("SF:/a.cs\nDA:7,0\nBRDA:7,0,0,-\nDA:8,1\nBRDA:8,0,0,1\nBRDA:9,0,0,1\n"),
               "");
}

/* --- what tools really write ------------------------------------------------------------------ */

struct sums {
    unsigned lines, covered_lines, branches, covered_branches;
};

static void assert_sums(const struct external *external, struct sums expected)
{
    struct sums sums = {0};
    for (uint32_t i = 0; i < external->file_count; i++)
        for (uint32_t k = 0; k < external->files[i].line_count; k++) {
            const struct external_line *line = &external->files[i].lines[k];
            sums.lines++;
            sums.covered_lines += line->hits != 0;
            sums.branches += line->outcome_count;
            sums.covered_branches += line->covered_count;
        }
    assert_int_equal(sums.lines, expected.lines);
    assert_int_equal(sums.covered_lines, expected.covered_lines);
    assert_int_equal(sums.branches, expected.branches);
    assert_int_equal(sums.covered_branches, expected.covered_branches);
}

/* As their roots count them, and as tests/support/read_cobertura does. */
static void totals_of_real_reports_are_those_that_they_tell(void **state)
{
    (void)state;
    struct external coverlet = file_of("fixtures/foreign/coverlet.cobertura.xml");
    assert_str(coverlet.tool, "coverlet");
    assert_sums(&coverlet, (struct sums){74, 58, 23, 19});
    struct external microsoft = file_of("fixtures/foreign/microsoft.cobertura.xml");
    assert_str(microsoft.tool, "Microsoft.CodeCoverage");
    assert_sums(&microsoft, (struct sums){113, 97, 23, 19}); /* it counts lambdas' lines again */
}

static const struct external_line *line_at(const struct external *external, const char *path,
                                           uint32_t number)
{
    for (uint32_t i = 0; i < external->file_count; i++)
        for (uint32_t k = 0; k < external->files[i].line_count; k++)
            if (str_is(external->files[i].path, path) &&
                external->files[i].lines[k].number == number)
                return &external->files[i].lines[k];
    fail_msg("%s has no line %u", path, number);
    return NULL;
}

static void formats_of_one_run_tell_the_same(void **state)
{
    static const char *const others[] = {"fixtures/foreign/coverlet.info",
                                         "fixtures/foreign/coverlet.opencover.xml"};
    (void)state;
    struct external cobertura = file_of("fixtures/foreign/coverlet.cobertura.xml");
    for (size_t n = 0; n < ARRAY_LEN(others); n++) {
        struct external other = file_of(others[n]);
        assert_int_equal(other.file_count, cobertura.file_count);
        assert_sums(&other, (struct sums){74, 58, 23, 19});
        for (uint32_t i = 0; i < cobertura.file_count; i++)
            for (uint32_t k = 0; k < cobertura.files[i].line_count; k++) {
                const struct external_line *line = &cobertura.files[i].lines[k];
                const struct external_line *same =
                    line_at(&other, cobertura.files[i].path.text, line->number);
                assert_int_equal(line->hits, same->hits);
                assert_int_equal(line->covered_count, same->covered_count);
                assert_int_equal(line->outcome_count, same->outcome_count);
                assert_int_equal(line->member_count, same->member_count);
                for (uint32_t m = 0; m < line->member_count; m++) {
                    const struct external_member *a = &line->members[m], *b = &same->members[m];
                    assert_true(str_eq(a->class_name, b->class_name));
                    assert_true(str_eq(a->method_name, b->method_name));
                    assert_true(str_eq(a->method_signature, b->method_signature));
                    assert_int_equal(a->hits, b->hits);
                }
            }
    }
}

static void real_lines_have_their_names_and_branches(void **state)
{
    static const char path[] = "/src/sample/src/Calculator/Arithmetic.cs";
    (void)state;
    struct external coverlet = file_of("fixtures/foreign/coverlet.opencover.xml");
    assert_str(coverlet.tool, "coverlet");
    assert_str(coverlet.files[0].package, "Calculator");
    const struct external_line *line = line_at(&coverlet, path, 9);
    assert_int_equal(line->member_count, 1);
    assert_str(line->members->class_name, "Calculator.Arithmetic");
    assert_str(line->members->method_name, "Apply");
    assert_str(line->members->method_signature, "(System.Char,System.Double,System.Double)");
    assert_int_equal(line->outcome_count, 7);
    assert_int_equal(line->outcomes[2], 6);
    struct external microsoft = file_of("fixtures/foreign/microsoft.cobertura.xml");
    line = line_at(&microsoft, path, 26);
    assert_str(line->members->method_name, "Divide");
    assert_str(line->members->method_signature, "(double, double)");
    assert_int_equal(line->outcome_count, 2);
    assert_null(line->outcomes);
}

/* --- our own ---------------------------------------------------------------------------------- */

static struct report make_report(const struct facts *facts)
{
    struct report report;
    static const struct report_options options = {.timestamp = 1700000123};
    assert_true(whole_report_build(&report, facts, &options, &folder.arena, NULL));
    return report;
}

/* A report of it has the totals of its tool, which adds up lines and branches apart. */
static void hits_decide_whether_a_line_is_covered(void **state)
{
    struct external external;
    struct facts facts;
    (void)state;
    assert_true(external_read(
        &external,
        view_of(LINES("<line number=\"1\" hits=\"1\"/>"
                      "<line number=\"2\" hits=\"0\" condition-coverage=\"100% (2/2)\">"
                      "<conditions><condition number=\"0\" type=\"jump\" coverage=\"100%\"/>"
                      "</conditions></line>"
                      "<line number=\"3\" hits=\"0\" condition-coverage=\"25% (1/4)\"/>")),
        &folder.arena, NULL));
    assert_true(external_facts(&facts, &external, STR("/"), &folder.arena, NULL));
    const struct report_totals totals = make_report(&facts).totals;
    assert_int_equal(totals.lines_valid, 3);
    assert_int_equal(totals.lines_covered, 1);
    assert_int_equal(totals.branches_valid, 6);
    assert_int_equal(totals.branches_covered, 3);
}

static uint32_t same_lines(const struct external *external, const struct report *report,
                           const struct report_class *class)
{
    struct str path;
    assert_true(text_format(&path, &folder.arena, NULL, "%.*s/%.*s", STR_ARGS(report->root),
                            STR_ARGS(class->file)));
    for (uint32_t i = 0; i < class->lines.count; i++) {
        const struct report_line *line = &class->lines.lines[i];
        const struct external_line *got = line_at(external, path.text, line->number);
        assert_int_equal(got->hits, line->hits < INT32_MAX ? line->hits : INT32_MAX);
        assert_int_equal(got->outcome_count, line->outcome_count);
        assert_int_equal(got->covered_count, line->covered_count);
    }
    return class->lines.count;
}

static void lines_and_branches_of_our_own_cobertura_come_back(void **state)
{
    struct facts facts;
    uint32_t count = 0, got = 0;
    (void)state;
    fixture_large(&facts, 100, &folder.arena);
    struct report report = make_report(&facts);
    const char *path = temporary_path(&folder, "cobertura.xml");
    assert_true(format_write(format_find(report_formats, STR("cobertura")), path,
                             &(struct format_job){.report = &report}, NULL));
    struct external external = file_of(path);
    assert_true(str_starts(external.tool, "ilcov "));
    assert_int_equal(external.timestamp, 1700000123);
    for (uint32_t i = 0; i < report.package_count; i++)
        for (uint32_t k = 0; k < report.packages[i].class_count; k++)
            count += same_lines(&external, &report, &report.packages[i].classes[k]);
    for (uint32_t i = 0; i < external.file_count; i++)
        got += external.files[i].line_count;
    assert_int_not_equal(count, 0);
    assert_int_equal(got, count);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(reports_are_read_as_their_writers_mean_them),
    cmocka_unit_test(what_is_refused_says_why),
    cmocka_unit_test(every_truncation_is_read_or_says_why_not),
    cmocka_unit_test(no_truncation_of_xml_is_read),
    cmocka_unit_test(utf16_is_read),
    cmocka_unit_test(taken_branches_of_lines_without_hits_are_named),
    cmocka_unit_test(data_files_are_not_external),
    cmocka_unit_test(tools_are_recognised),
    cmocka_unit_test(timestamps_are_seconds),
    cmocka_unit_test(a_file_gives_what_its_bytes_give),
    cmocka_unit_test(a_file_that_cannot_be_read_says_why),
    cmocka_unit_test(large_files_are_read_in_pieces),
    cmocka_unit_test(a_line_without_end_is_refused),
    cmocka_unit_test(lines_past_the_limit_are_counted),
    cmocka_unit_test(totals_of_real_reports_are_those_that_they_tell),
    cmocka_unit_test(formats_of_one_run_tell_the_same),
    cmocka_unit_test(real_lines_have_their_names_and_branches),
    cmocka_unit_test(hits_decide_whether_a_line_is_covered),
    cmocka_unit_test(lines_and_branches_of_our_own_cobertura_come_back),
};
UNIT_TESTS_WITH(tests, open_folder, close_folder);

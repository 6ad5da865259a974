/* fuzz_external.c - reports of other tools, in whatever format the bytes seem to have. */
#include "coverage/external/external_reader.h"
#include "coverage/facts/facts.h"
#include "tests/fuzz/fuzz.h"

static void check_line(const struct external_line *line)
{
    uint32_t covered = 0;
    FUZZ_ASSERT(line->number != 0 && line->number < FACT_LINE_LIMIT, "line %u is out of range",
                line->number);
    FUZZ_ASSERT(line->covered_count <= line->outcome_count, "more covered than there are");
    for (uint32_t i = 0; line->outcomes != NULL && i < line->outcome_count; i++)
        covered += line->outcomes[i] != 0;
    FUZZ_ASSERT(line->outcomes == NULL || covered == line->covered_count, "covered is miscounted");
    uint64_t most = 0;
    for (uint32_t i = 0; i < line->member_count; i++) {
        const struct external_member *m = &line->members[i];
        most = m->hits > most ? m->hits : most;
        fuzz_read((struct view){(const uint8_t *)m->class_name.text, m->class_name.len});
        fuzz_read((struct view){(const uint8_t *)m->method_name.text, m->method_name.len});
        fuzz_read(
            (struct view){(const uint8_t *)m->method_signature.text, m->method_signature.len});
    }
    FUZZ_ASSERT(line->member_count != 0 && most == line->hits, "methods do not make their line");
}

/* Gives the number of lines without hits whose outcomes were taken. */
static uint32_t check_file(const struct external_file *file)
{
    uint32_t unhit = 0;
    FUZZ_ASSERT(file->line_count != 0, "a file without lines");
    fuzz_read((struct view){(const uint8_t *)file->path.text, file->path.len});
    for (uint32_t i = 0; i < file->line_count; i++) {
        check_line(&file->lines[i]);
        unhit += file->lines[i].hits == 0 && file->lines[i].covered_count != 0;
        FUZZ_ASSERT(i == 0 || file->lines[i - 1].number < file->lines[i].number,
                    "line %u is out of order", file->lines[i].number);
    }
    return unhit;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct external external;
    struct err err = {.code = ERR_NONE};
    struct view bytes = {data, size};
    if (!external_read(&external, bytes, fuzz_arena(), &err)) {
        fuzz_check_err(&err);
        return 0;
    }
    FUZZ_ASSERT(external_is(bytes), "read, but not worth reading");
    uint32_t unhit = 0;
    for (uint32_t i = 0; i < external.file_count; i++) {
        const struct external_file *file = &external.files[i], *before = file - (i != 0);
        int order = i != 0 ? str_cmp(before->package, file->package) : -1;
        FUZZ_ASSERT(order < 0 || (order == 0 && str_cmp(before->path, file->path) < 0),
                    "file %u is out of order", i);
        unhit += check_file(file);
    }
    FUZZ_ASSERT(unhit == external.unhit_count, "%u lines without hits had outcomes, not %u", unhit,
                external.unhit_count);
    return 0;
}

static void add_text(fuzz_add *add, const char *name, const char *text, size_t len)
{
    add(name, (struct view){(const uint8_t *)text, len});
}

void fuzz_seeds(fuzz_add *add)
{
    static const char cobertura[] =
        "<?xml version=\"1.0\" encoding=\"utf-8\"?><!-- ilcov 1 --><!DOCTYPE coverage>"
        "<coverage version=\"1.9\" "
        "timestamp=\"1700000123\"><sources><source>/w</source><source>C:\\"
        "</source></sources><packages><package name=\"P.dll\"><classes><class "
        "name=\"C/&lt;M&gt;d\" "
        "filename=\"a\\..\\b.cs\"><methods><method name=\"M\" signature=\"()\"><lines>"
        "<line number=\"7\" hits=\"12\" branch=\"True\" condition-coverage=\"50% (1/2)\"/></lines>"
        "</method></methods><lines><line number=\"7\" hits=\"12\" branch=\"True\"><conditions>"
        "<condition number=\"0\" type=\"jump\" "
        "coverage=\"50%\"/></conditions></line></lines></class>"
        "</classes></package></packages></coverage>";
    static const char opencover[] =
        "<CoverageSession><Modules><Module "
        "skippedDueTo=\"Filter\"/><Module><ModuleName>M</ModuleName>"
        "<Files><File uid=\"2\" fullPath=\"C:\\b.cs\"/><File uid=\"1\" fullPath=\"/a.cs\"/></Files>"
        "<Classes><Class><FullName>N.C</FullName><Methods><Method><Name>System.Void "
        "N.C::F(T)</Name>"
        "<FileRef uid=\"2\"/><SequencePoint vc=\"2\" sl=\"3\" el=\"5\" fileid=\"1\"/>"
        "<BranchPoint vc=\"1\" sl=\"3\" offset=\"7\" path=\"0\"/><MethodPoint xmlns:p8=\"xsi\"/>"
        "</Method></Methods></Class></Classes></Module></Modules></CoverageSession>";
    static const char lcov[] =
        "TN:t\nSF:/w/a.cs\nFN:1,9,f\nFNDA:3,f\nFNL:0,2\nFNA:0,3,A B::g(C)\nDA:2,3,md5\r\nDA:3,0\n"
        "BRDA:2,e0,0,3\nBRDA:2,0,x,-\nLF:2\nLH:1\nend_of_record\nSF:/w/a.cs\nDA:2,1\n";
    static const char utf16[] = "\xFF\xFE<\0c\0o\0v\0e\0r\0a\0g\0e\0/\0>";
    add_text(add, "cobertura", cobertura, sizeof cobertura - 1);
    add_text(add, "opencover", opencover, sizeof opencover - 1);
    add_text(add, "lcov", lcov, sizeof lcov - 1);
    add_text(add, "utf16", utf16, sizeof utf16);
}

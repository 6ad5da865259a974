/* external.h - coverage reports of other tools, and ilcov's own Cobertura: the data about each line
 * of each file.
 * Source: Cobertura's coverage-loose.dtd; lcov's geninfo(1), "TRACEFILE FORMAT"; OpenCover's
 *         CoverageSession, as OpenCover, AltCover and coverlet write it.
 * Units:  lines from 1; hits saturate. Line 0 and FACT_LINE_LIMIT (facts.h) stand for code
 *         without a source, and are left out, as are files without lines and Cobertura's classes
 *         without a file. So are lines past the limit, which are counted.
 * Owner:  everything lives in the arena; nothing refers to the bytes or the file. */
#pragma once

#include "base/text.h"

/* More branch outcomes on one line than any compiler makes. */
enum {
    EXTERNAL_OUTCOMES_MAX = 1 << 20
};

/* A method with code on a line, as the report spells it; each name may be empty. */
struct external_member {
    struct str class_name, method_name, method_signature;
    uint64_t hits; /* the most of them are those of the line */
};

struct external_line {
    uint32_t number;
    uint64_t hits;                         /* may be 0 although outcomes were taken */
    uint32_t outcome_count, covered_count; /* of its branches */
    uint64_t *outcomes; /* hits of each, ordered by place; NULL: only the fraction is known */
    const struct external_member *members; /* at least one; by name */
    uint32_t member_count;
};

struct external_file {
    struct str package;          /* assembly, without .dll; empty in LCOV, which has none */
    struct str path;             /* '/' between parts; absolute if possible, including "C:/a.cs" */
    struct external_line *lines; /* ascending, each number once */
    uint32_t line_count;
};

struct external {
    struct str format; /* "Cobertura", "LCOV", "OpenCover" */
    struct str tool;   /* "coverlet", "Microsoft.CodeCoverage", "ilcov 0.1.0"; empty: not known */
    int64_t timestamp; /* Unix seconds; 0 if the report has none */
    uint64_t beyond_count;       /* entries left out because their line is past FACT_LINE_LIMIT */
    uint32_t unhit_count;        /* lines without hits, of which outcomes were taken */
    uint32_t unhit_line;         /* the first of them */
    struct str unhit_path;       /* its file */
    struct external_file *files; /* by package, then path, ordinal; each pair once */
    uint32_t file_count;
};

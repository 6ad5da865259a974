/* test_files.h - which tests ran the lines of a source page: files beside the pages, which
 * script.js loads when a reader asks for them. Pages have only numbers, because names would be a
 * thousand times as much. A file of each page has the sets of tests of its lines; the names of all
 * tests are in files of some hundred each, since most tests run many files.
 *
 *   ilcovTests("0f6a3c2b91d4-Order.cs.js", {
 *     "kinds": [TESTS, CLASSES, STATIC, OUTSIDE],     how many of each kind: their order
 *     "sets": [[gap, length, ...], ...],              numbers of tests, as in index_set.h
 *     "lines": [[first, last, [gap, length, ...]], ...]});   numbers of sets, whose union it is
 *   ilcovTests("names-0.js", ["Shop.Tests.OrderTests.Adds_an_item", ...]); */
#pragma once

#include "coverage/report/source_lines.h"
#include "reporters/html/site.h"

/* The folder, and the start of each file in it. */
#define TEST_FILES      "tests"
#define TEST_FILES_HEAD "// Written by ilcov "

/* Its name in the folder of the report: "tests/0f6a3c2b91d4-Order.cs.js"; empty if no line of the
 * page has tests. */
NODISCARD bool test_file_name(struct str *out, const struct site *site,
                              const struct site_file *file, const struct source_lines *lines,
                              struct err *err);
/* Writes it under this name. */
NODISCARD bool test_file_write(struct site *site, struct str name, const struct source_lines *lines,
                               struct err *err);

/* The names of the tests, if the report has any. */
NODISCARD bool test_names_write(struct site *site, struct err *err);

/* Is this the name of such a file, without its folder? */
bool test_file_is_one(struct str file);

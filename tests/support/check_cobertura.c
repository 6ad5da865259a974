/* check_cobertura [--dtd FILE] FILE...: tells each rule of Cobertura's readers that a file
 * violates. Exits with 0 when there is none, 1 when there is, 2 when it was not asked anything. */
#include <libxml/parser.h>
#include <string.h>

#include "tests/support/cobertura_rules.h"

int main(int argc, char **argv)
{
    int first = 1;
    const char *dtd = NULL;
    unsigned violations = 0;
    if (argc > 2 && strcmp(argv[1], "--dtd") == 0) {
        dtd = argv[2];
        first = 3;
    }
    if (first >= argc) {
        (void)fputs("usage: check_cobertura [--dtd FILE] FILE...\n", stderr);
        return 2;
    }
    for (int i = first; i < argc; i++)
        violations += cobertura_check(argv[i], dtd, stdout);
    xmlCleanupParser();
    return violations != 0;
}

/* fuzz_import.c - settings of other tools: what is made of them is a settings file that ilcov
 * takes, whatever their values hold. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options/import.h"
#include "cli/options/settings_file.h"
#include "cli/verbs/verbs.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct import import;
    struct settings_file file;
    struct err err = {.code = ERR_NONE};
    struct arena *arena = fuzz_arena();
    char *made = NULL;
    size_t len = 0;
    if (!import_parse(&import, (struct view){data, size}, "x", verbs, arena, &err)) {
        FUZZ_ASSERT(err.code != ERR_NONE && err.text[0] != '\0', "a failure that says nothing");
        return 0;
    }
    FILE *memory = open_memstream(&made, &len);
    FUZZ_ASSERT(memory != NULL, "out of memory");
    import_print(memory, &import);
    (void)fclose(memory);
    bool ok = settings_file_parse(&file, (struct str){made, len}, "m", verbs, arena, &err);
    FUZZ_ASSERT(ok || err.code == ERR_LIMIT, "%s\n%s", err.text, made);
    const struct import_item *items = import.settings.items;
    size_t settings = 0; /* values of one are together */
    for (uint32_t i = 0; i < import.settings.count; i++)
        settings += i == 0 || items[i - 1].row != items[i].row;
    FUZZ_ASSERT(!ok || file.count == settings, "%zu settings of %zu", file.count, settings);
    free(made);
    return 0;
}

static void add_text(fuzz_add *add, const char *name, const char *text)
{
    add(name, (struct view){(const uint8_t *)text, strlen(text)});
}

#define COLLECTOR(name, configuration)                                                             \
    "<RunSettings><DataCollectionRunSettings><DataCollectors><DataCollector friendlyName='" name   \
    "'><Configuration>" configuration "</Configuration></DataCollector></DataCollectors>"          \
    "</DataCollectionRunSettings></RunSettings>"

void fuzz_seeds(fuzz_add *add)
{
    add_text(add, "coverlet",
             COLLECTOR("XPlat Code Coverage",
                       "<Format>json,lcov</Format><Exclude>[A.tests?]*,[B]*</Exclude><SingleHit>"
                       "true</SingleHit><ExcludeByFile>**/a/*.cs,**/b/**,**/*.g.cs</ExcludeByFile>"
                       "<ExcludeByAttribute>A,B</ExcludeByAttribute><UseSourceLink>x&#10;y"
                       "</UseSourceLink>"));
    add_text(
        add, "microsoft",
        COLLECTOR("Code Coverage",
                  "<Format>cobertura</Format><CodeCoverage><ModulePaths><Exclude><ModulePath>"
                  ".*\\.T\\.dll$</ModulePath></Exclude></ModulePaths><Sources><Exclude><Source>"
                  ".*[\\\\/]g[\\\\/].*</Source></Exclude></Sources><Functions><Exclude>"
                  "<Function>^A\\.B\\..*</Function></Exclude></Functions><Attributes><Exclude>"
                  "<Attribute>^A\\.B$</Attribute></Exclude></Attributes></CodeCoverage>"));
    add_text(add, "properties",
             "<Project><PropertyGroup><Threshold>80,70</Threshold><ThresholdType>line%2cbranch"
             "</ThresholdType><ThresholdStat>total</ThresholdStat><Include>[A]*,[b?]C</Include>"
             "</PropertyGroup></Project>");
}

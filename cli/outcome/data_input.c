#include "cli/outcome/data_input.h"

#include "cli/base/exit.h"
#include "cli/base/say.h"
#include "cli/outcome/compare.h"
#include "coverage/report/outside.h"
#include "coverage/store/store.h"
#include "system/file_exists.h"

int data_input_read(struct facts *facts, struct str *root, const char *data, const char *given_root,
                    struct arena *arena)
{
    struct err err = {0};
    if (!file_exists(data)) {
        say("there is no data file %s: 'ilcov run' writes one", data);
        return EXIT_BAD;
    }
    if (!store_read_summed(facts, data, arena, &err)) {
        say("%s: %s", data, err.text);
        return EXIT_BAD;
    }
    if (!compare_given_root(root, given_root, arena, &err) ||
        !outside_take_in(facts, *root, arena, &err)) {
        say("%s", err.text);
        return EXIT_BAD;
    }
    return EXIT_FINE;
}

#include "reporters/command_name.h"

#include "system/program.h"

static const char usual[] = "ilcov";
static const char *chosen = usual;

const char *command_name(void)
{
    return chosen;
}

void command_name_choose(const char *called)
{
    char path[PATH_ROOM];
    chosen = program_file_find(path, usual) ? usual : called;
}

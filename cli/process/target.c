#include "cli/process/target.h"

#include <errno.h>
#include <string.h>

#include "base/path.h"
#include "base/text.h"
#include "cli/options/exit.h"
#include "system/command.h"
#include "system/file_status.h"
#include "system/program.h"

/* execvp also reports EACCES if a folder of PATH may not be searched: then the command was not
 * found either. */
static bool refuse_command(int why, const char *command, int *status, struct err *err)
{
    char path[PATH_ROOM];
    if (why == EACCES && !program_file_is_path(command) && !program_file_find_any(path, command))
        why = ENOENT;
    *status = why == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
    if (why == ENOENT && !program_file_is_path(command))
        return err_set(err, ERR_IO, "%s: command not found", command);
    if (file_is_folder(command))
        return err_set(err, ERR_IO, "%s is a directory and cannot be executed", command);
    if (why == EACCES && str_ends(str_of(command), ".dll"))
        return err_set(err, ERR_IO, "%s cannot be executed directly: run 'dotnet %s'", command,
                       command);
    errno = why;
    return err_set_errno(err, "%s cannot be executed", command);
}

bool target_start(int *pid, char *const *argv, char *const *environment, int *status,
                  struct err *err)
{
    *pid = command_start(argv, environment);
    return *pid >= 0 || refuse_command(errno, argv[0], status, err);
}

#include "reporters/destination.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "system/whole_file.h"

/* What was buffered may fail as late as here. */
static bool finish(FILE *file, struct err *err)
{
    errno = 0;
    if (fflush(file) == 0 && !ferror(file))
        return true;
    if (errno == 0)
        errno = EIO;
    return err_set_errno(err, "cannot be written");
}

/* Leaves `fd` open. */
static bool write_to(int fd, const struct destination_content *content, struct err *err)
{
    const char *no_color = getenv("NO_COLOR");
    bool colour = isatty(fd) && (no_color == NULL || no_color[0] == '\0');
    int copy = dup(fd);
    FILE *file = copy >= 0 ? fdopen(copy, "w") : NULL;
    bool ok = file != NULL || err_set_errno(err, "cannot be written");
    ok = ok && content->write(file, content->context, colour, err) && finish(file, err);
    if (file != NULL && fclose(file) != 0 && ok)
        ok = err_set_errno(err, "cannot be written");
    else if (file == NULL && copy >= 0)
        (void)close(copy);
    return ok;
}

bool destination_write(const char *path, const struct destination_content *content, struct err *err)
{
    if (path == NULL)
        return write_to(STDERR_FILENO, content, err);
    if (strcmp(path, DESTINATION_STDOUT) == 0)
        return write_to(STDOUT_FILENO, content, err);
    struct output output;
    if (!output_open(&output, path, err))
        return false;
    if (write_to(output.fd, content, err))
        return output_commit(&output, err);
    output_abandon(&output);
    return false;
}

#include "system/file/file_identity.h"

#include <errno.h>
#include <unistd.h>

#include "system/file/file_status.h"

static struct file_identity of(const struct file_status *status)
{
    return (struct file_identity){status->device, status->file};
}

bool file_identity_open(struct file_identity *out, int file)
{
    struct file_status status = {.file = 0};
    bool known = file_status_open(&status, file);
    *out = of(&status);
    return known;
}

bool file_identity_root(struct file_identity *out)
{
    struct file_status status = {.file = 0};
    bool known = file_status_read(&status, "/");
    *out = of(&status);
    return known;
}

bool file_identity_is(const struct file_identity *a, const struct file_identity *b)
{
    return a->device == b->device && a->file == b->file;
}

bool file_identity_is_open(const struct file_identity *identity, int file)
{
    struct file_identity now;
    return file >= 0 && file_identity_open(&now, file) && file_identity_is(&now, identity);
}

int file_identity_demand(const struct file_identity *identity, int file)
{
    if (file < 0 || file_identity_is_open(identity, file))
        return file;
    (void)close(file);
    errno = ESTALE;
    return -1;
}

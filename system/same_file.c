#include "system/same_file.h"

#include <string.h>
#include <sys/stat.h>

bool same_file(const char *a, const char *b)
{
    struct stat left, right;
    if (strcmp(a, b) == 0)
        return true;
    return stat(a, &left) == 0 && stat(b, &right) == 0 && S_ISREG(left.st_mode) &&
           left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}

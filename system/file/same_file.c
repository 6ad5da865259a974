#include "system/file/same_file.h"

#include <string.h>
#include <sys/stat.h>

#include "base/path.h"
#include "system/file/output_path.h"

/* Is it a device or a pipe, where writing twice does no harm? */
static bool is_special(const struct stat *info)
{
    return !S_ISREG(info->st_mode) && !S_ISDIR(info->st_mode);
}

static bool leads_to_same(const char *a, const char *b)
{
    char left[PATH_ROOM], right[PATH_ROOM];
    return strcmp(a, "-") != 0 && strcmp(b, "-") != 0 && output_path(left, a, NULL) &&
           output_path(right, b, NULL) && strcmp(left, right) == 0;
}

bool same_file(const char *a, const char *b)
{
    struct stat left, right;
    if (strcmp(a, b) == 0)
        return true;
    bool has_left = stat(a, &left) == 0, has_right = stat(b, &right) == 0;
    if (!has_left && !has_right)
        return leads_to_same(a, b);
    return has_left && has_right && !is_special(&left) && left.st_dev == right.st_dev &&
           left.st_ino == right.st_ino;
}

#include "system/file/same_file.h"

#include <string.h>

#include "base/path.h"
#include "system/file/file_status.h"
#include "system/file/output_path.h"

/* Is it a device or a pipe, where writing twice does no harm? */
static bool is_special(const struct file_status *status)
{
    return status->kind == FILE_IS_OTHER;
}

static bool leads_to_same(const char *a, const char *b)
{
    char left[PATH_ROOM], right[PATH_ROOM];
    return strcmp(a, "-") != 0 && strcmp(b, "-") != 0 && output_path(left, a, NULL) &&
           output_path(right, b, NULL) && strcmp(left, right) == 0;
}

bool same_file(const char *a, const char *b)
{
    struct file_status left, right;
    if (strcmp(a, b) == 0)
        return true;
    bool has_left = file_status_read(&left, a), has_right = file_status_read(&right, b);
    if (!has_left && !has_right)
        return leads_to_same(a, b);
    return has_left && has_right && !is_special(&left) && file_status_is_same(&left, &right);
}

#include "base/path.h"

static size_t file_start(struct str path)
{
    size_t start = path.len;
    while (start != 0 && path.text[start - 1] != '/')
        start--;
    return start;
}

struct str path_dir(struct str path)
{
    size_t start = file_start(path);
    return (struct str){path.text, start > 1 ? start - 1 : start};
}

struct str path_file(struct str path)
{
    size_t start = file_start(path);
    return (struct str){path.text + start, path.len - start};
}

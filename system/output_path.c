#include "system/output_path.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "system/file_status.h"

/* --- output path ------------------------------------------------------------------------------ */

enum {
    LINKS_MAX = 40,    /* as in the kernel */
    FOLDER_MODE = 0777 /* less the umask */
};

/* --- where it leads --------------------------------------------------------------------------- */

static bool refuse_length(struct err *err)
{
    return err_set(err, ERR_IO, "the path is longer than %d bytes", PATH_ROOM);
}

struct path_walk {
    char *done;           /* absolute, without a slash at its end; empty for the root */
    char rest[PATH_ROOM]; /* what is still to be followed */
    int link_count;
};

static void drop_last(char *path)
{
    char *slash = strrchr(path, '/');
    if (slash != NULL)
        *slash = '\0';
}

/* The target of a link takes the place of its name. */
static bool follow_link(struct path_walk *w, const char *after, struct err *err)
{
    char target[PATH_ROOM], rest[PATH_ROOM];
    ssize_t len = readlink(w->done, target, sizeof target - 1);
    if (len < 0)
        return true; /* not a link, or not there */
    target[len] = '\0';
    if (++w->link_count > LINKS_MAX) {
        errno = ELOOP;
        return err_set_errno(err, "cannot be written");
    }
    int written = snprintf(rest, sizeof rest, "%s/%s", target, after);
    if (written < 0 || (size_t)written >= sizeof rest)
        return refuse_length(err);
    if (target[0] == '/')
        w->done[0] = '\0';
    else
        drop_last(w->done);
    memcpy(w->rest, rest, (size_t)written + 1);
    return true;
}

/* Takes the first part of the rest. */
static bool step_along(struct path_walk *w, struct err *err)
{
    char after[PATH_ROOM];
    const char *part = w->rest + strspn(w->rest, "/");
    size_t len = strcspn(part, "/"), done_len = strlen(w->done);
    (void)snprintf(after, sizeof after, "%s", part + len);
    if (len == 2 && memcmp(part, "..", 2) == 0) {
        drop_last(w->done);
    } else if (len != 0 && !(len == 1 && part[0] == '.')) {
        if (done_len + len + 2 > PATH_ROOM)
            return refuse_length(err);
        w->done[done_len] = '/';
        memcpy(w->done + done_len + 1, part, len);
        w->done[done_len + 1 + len] = '\0';
        (void)snprintf(w->rest, sizeof w->rest, "%s", after);
        return follow_link(w, after, err);
    }
    (void)snprintf(w->rest, sizeof w->rest, "%s", after);
    return true;
}

bool output_path(char out[PATH_ROOM], const char *path, struct err *err)
{
    struct path_walk walk = {.done = out};
    out[0] = '\0';
    if (path[0] == '\0')
        return err_set(err, ERR_IO, "an empty path cannot be written");
    if (strlen(path) >= sizeof walk.rest)
        return refuse_length(err);
    (void)snprintf(walk.rest, sizeof walk.rest, "%s", path);
    if (path[0] != '/' && getcwd(out, PATH_ROOM) == NULL)
        return err_set_errno(err, "the current directory");
    if (strcmp(out, "/") == 0)
        out[0] = '\0';
    while (walk.rest[0] != '\0')
        if (!step_along(&walk, err))
            return false;
    if (out[0] == '\0')
        memcpy(out, "/", sizeof "/");
    return true;
}

/* --- the directories above it ----------------------------------------------------------------- */

static bool make_folder(const char *path, struct err *err)
{
    if (mkdir(path, FOLDER_MODE) == 0 || (errno == EEXIST && file_is_folder(path)))
        return true;
    return err_set_errno(err, "the directory %s cannot be created", path);
}

bool output_path_make_parents(size_t *existing_len, const char *path, struct err *err)
{
    char folder[PATH_ROOM];
    *existing_len = strlen(path);
    if (*existing_len >= sizeof folder)
        return refuse_length(err);
    memcpy(folder, path, *existing_len + 1);
    for (char *slash = strrchr(folder, '/'); slash != NULL; slash = strrchr(folder, '/')) {
        *slash = '\0';
        *existing_len = (size_t)(slash - folder);
        if (folder[0] == '\0' || access(folder, F_OK) == 0)
            break;
    }
    for (size_t len = *existing_len + 1; path[*existing_len] != '\0'; len++) {
        len += strcspn(path + len, "/");
        if (path[len] == '\0')
            return true;
        memcpy(folder, path, len);
        folder[len] = '\0';
        if (!make_folder(folder, err)) {
            output_path_remove_parents(path, *existing_len);
            return false;
        }
    }
    return true;
}

void output_path_remove_parents(const char *path, size_t existing_len)
{
    char folder[PATH_ROOM];
    (void)snprintf(folder, sizeof folder, "%s", path);
    for (char *slash = strrchr(folder, '/'); slash != NULL; slash = strrchr(folder, '/')) {
        *slash = '\0';
        if ((size_t)(slash - folder) <= existing_len)
            return;
        (void)rmdir(folder);
    }
}

/* --- same file -------------------------------------------------------------------------------- */

/* Is it a device or a pipe, where writing twice does no harm? */
static bool is_special_file(const struct file_status *status)
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
    return has_left && has_right && !is_special_file(&left) && file_status_is_same(&left, &right);
}

#include "profiler/kept_image.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hex.h"
#include "contract/session_format.h"

bool kept_image_same_root(const struct profiler *p)
{
    struct stat root;
    return stat("/", &root) == 0 && root.st_dev == p->root_device && root.st_ino == p->root_inode;
}

static bool is_lasting_file(const struct profiler *p, struct str path)
{
    const char *tmp = getenv("TMPDIR");
    return path.len != 0 && path.text[0] == '/' && access(path.text, R_OK) == 0 &&
           !str_starts(path, tmp != NULL && tmp[0] != '\0' ? tmp : "/tmp/") &&
           kept_image_same_root(p);
}

/* False if not everything could be written. */
static bool write_at(int fd, size_t offset, struct view bytes)
{
    for (size_t at = 0; at < bytes.len;) {
        ssize_t n = pwrite(fd, bytes.data + at, bytes.len - at, (off_t)(offset + at));
        if (n <= 0)
            return false;
        at += (size_t)n;
    }
    return true;
}

/* Writes the module as it was in its file, except for what the loader has relocated, which is
 * neither IL nor metadata. The headers of a mapped image end where its first section begins. */
static bool write_image(int fd, const struct pe *pe)
{
    if (fd < 0 || !folder_allows(pe->image.len))
        return false;
    if (!pe->mapped)
        return write_at(fd, 0, pe->image);
    struct view headers = pe->image;
    bool written = true;
    for (uint32_t i = 0; i < pe->section_count; i++) {
        const struct pe_section *section = &pe->sections[i];
        struct view bytes = pe_at(pe, section->rva);
        if (section->file_size == 0)
            continue;
        if (bytes.len > section->file_size)
            bytes.len = section->file_size;
        if (headers.len > section->file_offset)
            headers.len = section->file_offset;
        written = written && write_at(fd, section->file_offset, bytes);
    }
    return written && write_at(fd, 0, headers);
}

void kept_image_write(struct profiler *p, const struct module *module, struct str path)
{
    char mvid[HEX_ROOM(sizeof module->mvid)], name[64], temporary[128];
    if (is_lasting_file(p, path))
        return;
    (void)snprintf(name, sizeof name, "%s" SESSION_MODULE,
                   hex_of(mvid, module->mvid, sizeof module->mvid));
    if (folder_has(&p->folder, name))
        return;
    (void)snprintf(temporary, sizeof temporary, "%s-%ld" SESSION_PART, name, (long)gettid());
    int fd = folder_file(&p->folder, temporary, O_WRONLY | O_CREAT | O_EXCL);
    bool written = write_image(fd, &module->pe);
    if (fd >= 0)
        (void)close(fd);
    if (fd >= 0 && (!written || !folder_rename(&p->folder, temporary, name)))
        folder_remove(&p->folder, temporary);
}

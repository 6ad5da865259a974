#include "coverage/source/source.h"

#include "coverage/source/checksum.h"
#include "coverage/source/embedded.h"
#include "system/file.h"

static bool is_utf16(struct view text)
{
    return text.len >= 2 && ((text.data[0] == 0xFF && text.data[1] == 0xFE) ||
                             (text.data[0] == 0xFE && text.data[1] == 0xFF));
}

bool source_open(struct source *out, const char *path, const struct fact_document *document,
                 struct view embedded, struct arena *arena, struct err *err)
{
    struct err why = {.code = ERR_NONE};
    *out = (struct source){.text = {NULL, 0}};
    enum source_lack lack = SOURCE_LACK_FILE;
    if (file_bytes_read(&out->file, path, &why)) {
        lack = document->hash.len == 0 ? SOURCE_LACK_CHECKSUM : SOURCE_LACK_SAME;
        if (checksum_matches_bytes(out->file, document->hash_algorithm, document->hash))
            out->text = out->file;
        else
            source_close(out);
    }
    if (out->text.len == 0 && embedded.len != 0 && why.code != ERR_MEMORY &&
        !embedded_source(&out->text, embedded, arena, &why))
        out->text = (struct view){NULL, 0};
    if (is_utf16(out->text)) {
        lack = SOURCE_LACK_UTF8;
        source_close(out);
    }
    out->lack = out->text.len == 0 ? lack : SOURCE_LACK_NONE;
    return why.code != ERR_MEMORY || err_set(err, ERR_MEMORY, "%s", why.text);
}

void source_close(struct source *source)
{
    file_bytes_release(&source->file);
    *source = (struct source){.text = {NULL, 0}};
}

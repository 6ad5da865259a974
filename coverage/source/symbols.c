#include "coverage/source/symbols.h"

#include <gcrypt.h>
#include <stdio.h>
#include <string.h>

#include "base/path.h"
#include "coverage/facts/digest.h"
#include "coverage/source/embedded.h"
#include "system/file.h"
#include "system/file_status.h"

enum {
    PDB_ID_LEN = 20,
    DIGEST_LEN_MAX = 64
};

/* The algorithm of a PdbChecksum entry; GCRY_MD_NONE for an unknown name. */
static int digest_algorithm(struct view name)
{
    static const struct {
        const char *name;
        int algorithm;
    } known[] = {
        {"SHA256", GCRY_MD_SHA256},
        {"SHA384", GCRY_MD_SHA384},
        {"SHA512", GCRY_MD_SHA512},
        {"SHA1", GCRY_MD_SHA1},
    };
    struct str text = {(const char *)name.data, name.len};
    for (size_t i = 0; i < ARRAY_LEN(known); i++)
        if (str_is(text, known[i].name))
            return known[i].algorithm;
    return GCRY_MD_NONE;
}

/* Is the digest over the PDB with its id zeroed that of the module's PdbChecksum entry? */
static bool check_digest(bool *matches, const struct pdb *pdb, const struct pe_debug *debug,
                         struct err *err)
{
    static const uint8_t no_id[PDB_ID_LEN];
    size_t id_offset = 0, id_len = 0;
    int algorithm = digest_algorithm(debug->checksum_name);
    *matches = true;
    if (algorithm == GCRY_MD_NONE)
        return true; /* there is none, or none that can be computed: the id must suffice */
    uint8_t digest[DIGEST_LEN_MAX];
    digest_start();
    unsigned digest_len = gcry_md_get_algo_dlen(algorithm);
    pdb_id_range(&id_offset, &id_len, pdb);
    size_t behind = id_offset + id_len;
    gcry_buffer_t parts[] = {
        {.data = (void *)(uintptr_t)pdb->image.data, .len = id_offset},
        {.data = (void *)(uintptr_t)no_id, .len = id_len},
        {.data = (void *)(uintptr_t)(pdb->image.data + behind), .len = pdb->image.len - behind},
    };
    if (gcry_md_hash_buffers(algorithm, 0, digest, parts, (int)ARRAY_LEN(parts)) != 0)
        return err_set(err, ERR_MEMORY, "PDB could not be hashed");
    *matches =
        digest_len == debug->checksum.len && memcmp(digest, debug->checksum.data, digest_len) == 0;
    return true;
}

/* The state of the search. */
struct symbol_search {
    struct module *module;
    bool believe_id;  /* a PDB with another checksum will do */
    bool differs;     /* one was found */
    bool tried;       /* a file was there, but not the right one */
    struct err first; /* why not, for the first such file */
};

/* .NET looks at the id alone, and every PDB of ilasm has another checksum than its module names. */
static bool accept_image(struct symbol_search *search, struct view image, struct err *err)
{
    struct module *module = search->module;
    struct pdb pdb;
    bool matches = false;
    if (!pdb_open(&pdb, image, err) || !pdb_is_of(&pdb, &module->debug, err) ||
        !check_digest(&matches, &pdb, &module->debug, err))
        return false;
    if (!matches && !(search->believe_id && module->debug.has_codeview)) {
        search->differs |= module->debug.has_codeview;
        return err_set(err, ERR_MISMATCH, "PDB does not have the checksum that the module names");
    }
    module->pdb = pdb;
    module->has_pdb = true;
    module->pdb_checksum_differs = !matches;
    return true;
}

/* The first one is reported if nothing is found. */
static void note_wrong_file(struct symbol_search *search, struct err why)
{
    if (!search->tried)
        search->first = why;
    search->tried = true;
}

static bool try_file(struct symbol_search *search, const char *path)
{
    struct view file;
    struct err why = {.code = ERR_NONE};
    if (!file_exists(path))
        return false;
    bool opened = file_bytes_read(&file, path, &why);
    if (opened && accept_image(search, file, &why)) {
        struct module *module = search->module;
        module->pdb_file = file;
        (void)snprintf(module->pdb_path, sizeof module->pdb_path, "%s", path);
        return true;
    }
    if (opened)
        file_bytes_release(&file);
    err_prefix(&why, "%s", path);
    note_wrong_file(search, why);
    return false;
}

/* Tries `head` `tail` `ending`. */
static bool try_path(struct symbol_search *search, struct str head, struct str tail,
                     const char *ending, struct arena *arena)
{
    struct str path;
    struct err why = {.code = ERR_NONE};
    if (text_format(&path, arena, &why, "%.*s%.*s%s", STR_ARGS(head), STR_ARGS(tail), ending))
        return try_file(search, path.text);
    note_wrong_file(search, why);
    return false;
}

static bool try_paths(struct symbol_search *search, struct str dll, struct arena *arena)
{
    const struct pe_debug *debug = &search->module->debug;
    struct str directory = {dll.text, dll.len - any_path_file(dll).len};
    struct str named = {(const char *)debug->pdb_path.data, debug->pdb_path.len};
    struct str none = {NULL, 0};
    return (any_path_file(named).len != 0 &&
            try_path(search, directory, any_path_file(named), "", arena)) ||
           try_path(search, path_stem(dll), none, ".pdb", arena) ||
           (any_path_file(named).len != 0 && try_path(search, named, none, "", arena));
}

bool symbols_find(struct module *module, const char *dll_path, struct arena *arena, struct err *err)
{
    struct symbol_search search = {.module = module};
    if (module->debug.embedded.data != NULL) {
        struct view image;
        search.believe_id = true;
        if (!embedded_pdb(&image, module->debug.embedded, arena, err) ||
            !accept_image(&search, image, err)) {
            err_prefix(err, "embedded PDB");
            return false;
        }
        (void)snprintf(module->pdb_path, sizeof module->pdb_path, "embedded");
        return true;
    }
    if (try_paths(&search, str_of(dll_path), arena))
        return true;
    search.believe_id = search.differs;
    if (search.believe_id && try_paths(&search, str_of(dll_path), arena))
        return true;
    if (!search.tried)
        return true;
    if (err != NULL)
        *err = search.first;
    return false;
}

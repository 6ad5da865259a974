#include "scope/signer.h"

#include "base/fnv.h"
#include "metadata/pe.h"
#include "system/file_bytes.h"

/* fnv_bytes of public keys, and the tokens that .NET and other tools show for them. */
static const uint64_t keys[] = {
    UINT64_C(0xde3e1847f932d356), /* b03f5f7f11d50a3a: MSBuild, VSTest, F#, MSTest, coverage */
    UINT64_C(0x92ed84d02e7d80bb), /* 31bf3856ad364e35: Roslyn, NuGet */
    UINT64_C(0x547afe0a8f5a9a95), /* adb9793829ddae60: the SDK */
    UINT64_C(0x151f17e9be3c168d), /* 8d05b1bb7a6fdb6c: xunit */
    UINT64_C(0x4d088f2588bbbd1e), /* 2638cd05610744eb: NUnit */
    UINT64_C(0xc9adfe5bd56b8876), /* 4cb40d35494691ac: NUnit's adapter */
    UINT64_C(0xc90b5df544c67a0d), /* b8d4030011dbd70c: TUnit */
    UINT64_C(0x11c032c82c528c63), /* 4beb1ad7f05a1c71: coverlet.collector */
    UINT64_C(0x9a5b22b443186869), /* 31d7fc2a7e877089: coverlet.core */
    UINT64_C(0xc0edd23d2df40305), /* 6344a4e5ef01edfc: coverlet.msbuild.tasks */
};

bool signer_is_known(const struct metadata *md)
{
    if (tables_rows(&md->tables, TABLE_Assembly) == 0)
        return false;
    struct view key = row_blob(md, COL_Assembly_PublicKey, 1);
    uint64_t hash = fnv_bytes(FNV_START, key.data, key.len);
    for (size_t i = 0; i < ARRAY_LEN(keys); i++)
        if (hash == keys[i])
            return true;
    return false;
}

static bool is_called(const struct metadata *md, struct str name)
{
    return tables_rows(&md->tables, TABLE_Assembly) != 0 &&
           str_eq_nocase(row_string(md, COL_Assembly_Name, 1), name);
}

bool signer_is_known_of_file(const char *path, struct str assembly)
{
    struct view image;
    struct pe pe;
    struct metadata md;
    if (!file_bytes_read(&image, path, NULL))
        return false;
    bool is = pe_open(&pe, image, false, NULL) && metadata_open(&md, pe.metadata, NULL) &&
              is_called(&md, assembly) && signer_is_known(&md);
    file_bytes_release(&image);
    return is;
}

#include "coverage/source/language.h"

#include <string.h>

/* In the byte order of the #GUID heap: II.24.2.5. */
static const uint8_t visual_basic[16] = {0xb8, 0xd0, 0x12, 0x3a, 0x6c, 0xc2, 0xd0, 0x11,
                                         0xb4, 0x42, 0x00, 0xa0, 0x24, 0x4a, 0x1d, 0xd2};
static const uint8_t fsharp[16] = {0xc9, 0x38, 0x4f, 0xab, 0xe6, 0xb6, 0xba, 0x43,
                                   0xbe, 0x3b, 0x58, 0x08, 0x0b, 0x2c, 0xcc, 0xe3};

static const uint8_t ilasm[16] = {0xd3, 0x6c, 0x04, 0xaf, 0xe1, 0xd0, 0xd2, 0x11,
                                  0x97, 0x7c, 0x00, 0xa0, 0xc9, 0xb4, 0xd5, 0x0c};

enum language language_of(const struct pdb *pdb, uint32_t document_rid)
{
    const struct tables *tables = &pdb->md.tables;
    const uint8_t *guid =
        heap_guid(&pdb->md, tables_get(tables, COL_Document_Language, document_rid));
    if (guid != NULL && memcmp(guid, visual_basic, sizeof visual_basic) == 0)
        return LANGUAGE_VISUAL_BASIC;
    if (guid != NULL && memcmp(guid, fsharp, sizeof fsharp) == 0)
        return LANGUAGE_FSHARP;
    if (guid != NULL && memcmp(guid, ilasm, sizeof ilasm) == 0)
        return LANGUAGE_IL;
    return LANGUAGE_CSHARP;
}

enum language language_of_points(const struct pdb *pdb, const struct seq_points *points)
{
    for (uint32_t p = 0; p < points->count; p++)
        if (!points->points[p].hidden)
            return language_of(pdb, points->points[p].document);
    /* a `function` of F# whose rules only make functions has none */
    return points->count != 0 ? language_of(pdb, points->points[0].document) : LANGUAGE_CSHARP;
}

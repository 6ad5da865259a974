#include "tests/support/signed_image.h"

#include <string.h>

#include "base/hex.h"

/* As in Microsoft's documents, and in every InternalsVisibleTo that names one of its assemblies. */
static const char key[] = "002400000480000094000000060200000024000052534131000400000100010007d1fa57"
                          "c4aed9f0a32e84aa0faefd0d"
                          "e9e8fd6aec8f87fb03766c834c99921eb23be79ad9d5dcc1dd9ad236132102900b723cf9"
                          "80957fc4e177108fc607774f"
                          "29e8320e92ea05ece4e821c0a5efe8f1645c4c0c93c1ab99285d622caa652c1dfad63d74"
                          "5d6f2de5f17e5eaf0fc4963d"
                          "261c8a12436518206dc093344d5ad293";

uint32_t signed_image_key(struct image *image)
{
    uint8_t bytes[(sizeof key - 1) / 2];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(hex_value(key[2 * i]) << 4 | hex_value(key[2 * i + 1]));
    return image_blob(image, bytes, sizeof bytes);
}

struct view signed_image(struct image *image, const char *name, bool is_signed)
{
    static const uint8_t mvid[16] = {1, 2, 3};
    image_begin(image);
    IMAGE_ROW(image, Module, 0, image_string(image, "x.dll"), image_guid(image, mvid), 0, 0);
    IMAGE_ROW(image, Assembly, 0x8004, 1, 0, 0, 0, 0, is_signed ? signed_image_key(image) : 0,
              image_string(image, name), 0);
    return image_pe(image, false);
}

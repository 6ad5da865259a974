/* signed_image.h - assemblies with the public key of Microsoft's tools, or with none. */
#pragma once

#include "tests/support/image.h"

/* The blob of the key whose token is b03f5f7f11d50a3a. */
uint32_t signed_image_key(struct image *image);

/* An assembly of this name and nothing else; image_free frees it. */
struct view signed_image(struct image *image, const char *name, bool is_signed);

/* metadata_fixture.h - metadata that a test writes row by row and then reads.
 * Owner:  metadata_fixture_end frees everything. */
#pragma once

#include "metadata/heaps.h"
#include "tests/support/image.h"

struct metadata_fixture {
    struct image image;
    struct view root;
    struct metadata md;
    struct arena arena;
};

/* For rows of the test's own; metadata_fixture_open reads them. */
struct metadata_fixture *metadata_fixture_begin(void);
void metadata_fixture_open(struct metadata_fixture *f);
/* image_sample, open. */
struct metadata_fixture *metadata_fixture_sample(void);
void metadata_fixture_end(struct metadata_fixture *f);

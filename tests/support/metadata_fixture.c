#include "tests/support/metadata_fixture.h"

#include "tests/support/check.h"

struct metadata_fixture *metadata_fixture_begin(void)
{
    struct metadata_fixture *f = malloc(sizeof *f);
    assert_non_null(f);
    image_begin(&f->image);
    arena_init(&f->arena, NULL, 0, ARENA_NO_LIMIT);
    return f;
}

void metadata_fixture_open(struct metadata_fixture *f)
{
    f->root = exact_copy(image_metadata(&f->image));
    assert_true(metadata_open(&f->md, f->root, NULL));
}

struct metadata_fixture *metadata_fixture_sample(void)
{
    struct metadata_fixture *f = metadata_fixture_begin();
    image_sample(&f->image);
    metadata_fixture_open(f);
    return f;
}

void metadata_fixture_end(struct metadata_fixture *f)
{
    exact_free(f->root);
    arena_free(&f->arena);
    image_free(&f->image);
    free(f);
}

/* Images of the public header when memory runs out: every allocation is made to fail in turn. Not
 * those of libelf and Zstandard. */
#include "failing_heap.h"
#include "unit.h"

/* A file of the source tree; no allocation of a test. */
static char bytes[1 << 17];
static size_t length;

static void read_file(const char *name)
{
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", getenv("WARPBOUND_SOURCE"), name);
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  length = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  assert_in_range(length, 1, sizeof bytes - 1);
}

static warpbound_status list_images(const void *context, warpbound_error *error)
{
  (void)context;
  warpbound_images *images;
  warpbound_status status = warpbound_images_read("file", bytes, length, &images, error);
  warpbound_images_free(images);
  return status;
}

static warpbound_status take_text(const void *context, warpbound_error *error)
{
  (void)context;
  warpbound_images *images;
  char *text = NULL;
  warpbound_status status = warpbound_images_read("file", bytes, length, &images, error);
  if (status == WARPBOUND_OK)
    status = warpbound_images_text(images, warpbound_images_count(images) - 1, &text, error);
  warpbound_text_free(text);
  warpbound_images_free(images);
  return status;
}

/* A name that cannot be demangled for want of memory stays mangled. */
TEST(failing_allocations_are_reported)
{
  static const struct {
    const char *file;
    memory_work *work;
  } rows[] = {
      {"fuzz/seeds/binary/cubin-old", list_images}, {"fuzz/seeds/binary/fat-lz4", list_images},
      {"fuzz/seeds/binary/library", list_images},   {"examples/voronoi.ptx", take_text},
      {"examples/divergence.sass", take_text},
  };
  for (size_t r = 0; r < COUNT_OF(rows); r++) {
    print_message("# %s\n", rows[r].file);
    read_file(rows[r].file);
    assert_true(try_each(rows[r].work, NULL, WARPBOUND_OK).total > 0);
  }
}

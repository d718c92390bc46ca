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

/* A piece of work over the library: whether it was done, or ended for want of memory. */
typedef warpbound_status piece_of_work(warpbound_error *error);

static warpbound_status list_images(warpbound_error *error)
{
  warpbound_images *images;
  warpbound_status status = warpbound_images_read("file", bytes, length, &images, error);
  warpbound_images_free(images);
  return status;
}

static warpbound_status take_text(warpbound_error *error)
{
  warpbound_images *images;
  char *text = NULL;
  warpbound_status status = warpbound_images_read("file", bytes, length, &images, error);
  if (status == WARPBOUND_OK)
    status = warpbound_images_text(images, warpbound_images_count(images) - 1, &text, error);
  warpbound_text_free(text);
  warpbound_images_free(images);
  return status;
}

/* Repeats the work with the first allocation failing, then the second, until it is done. */
static void fail_each_reading(piece_of_work *work)
{
  for (size_t fail_at = 1;; fail_at++) {
    warpbound_error error = {0};
    const size_t live = heap.live;
    heap.count = 0;
    heap.fail_at = fail_at;
    const warpbound_status status = work(&error);
    heap.fail_at = 0;
    assert_int_equal(heap.live, live);
    if (status == WARPBOUND_OK && heap.count < fail_at)
      return;
    /* A name that cannot be demangled for want of memory stays mangled. */
    if (status != WARPBOUND_OK) {
      assert_int_equal(status, WARPBOUND_INTERNAL);
      assert_string_equal(error.message, "out of memory");
    }
  }
}

TEST(test_cubin)
{
  read_file("fuzz/seeds/binary/cubin-old");
  fail_each_reading(list_images);
}

TEST(test_compressed)
{
  read_file("fuzz/seeds/binary/fat-lz4");
  fail_each_reading(list_images);
}

TEST(test_library)
{
  read_file("fuzz/seeds/binary/library");
  fail_each_reading(list_images);
}

TEST(test_texts)
{
  read_file("examples/voronoi.ptx");
  fail_each_reading(take_text);
  read_file("examples/divergence.sass");
  fail_each_reading(take_text);
}

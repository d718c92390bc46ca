/* Listings of cubins when memory runs out: every allocation is made to fail in turn. */
#include "base/file.h"
#include "binary/listing/cubin_listing.h"
#include "failing_heap.h"
#include "unit.h"

static void fail_everywhere(const char *name)
{
  char path[4096];
  struct wb_source source;
  struct wb_cubin cubin;
  warpbound_error error;
  snprintf(path, sizeof path, "%s/binary/vectors/%s", getenv("WARPBOUND_FIXTURES"), name);
  assert_ok(wb_source_read(path, &source, &error));
  assert_ok(
      wb_cubin_read(name, (const unsigned char *)source.bytes, source.length, &cubin, &error));
  size_t live = heap.live;
  warpbound_status status = WARPBOUND_INTERNAL;
  for (size_t fail_at = 1; status != WARPBOUND_OK; fail_at++) {
    struct wb_text text = {0};
    heap.count = 0;
    heap.fail_at = fail_at;
    status = wb_cubin_listing(&cubin, &(struct wb_listing_options){0}, &text, &error);
    heap.fail_at = 0;
    if (status != WARPBOUND_OK)
      assert_string_equal(error.message, "out of memory");
    wb_text_free(&text);
    assert_int_equal(heap.live, live);
  }
  wb_cubin_free(&cubin);
  wb_source_free(&source);
}

TEST(test_words_of_64_bits)
{
  fail_everywhere("old_61.cubin");
}

TEST(test_words_of_128_bits)
{
  fail_everywhere("relocatable_87.cubin");
}

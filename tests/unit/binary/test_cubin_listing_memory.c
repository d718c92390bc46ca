/* Listings of cubins when memory runs out: every allocation is made to fail in turn. */
#include "base/file.h"
#include "binary/listing/cubin_listing.h"
#include "failing_heap.h"
#include "fixtures.h"
#include "unit.h"

static warpbound_status list(const void *context, warpbound_error *error)
{
  FREED_BY(wb_text_free) struct wb_text text = {0};
  const warpbound_status status =
      wb_cubin_listing(context, &(struct wb_listing_options){0}, &text, error);
  return status;
}

TEST(words_of_64_and_of_128_bits)
{
  static const char *const names[] = {"old_61.cubin", "relocatable_87.cubin"};
  for (size_t i = 0; i < COUNT_OF(names); i++) {
    FREED_BY(wb_input_free) struct wb_input source;
    FREED_BY(wb_cubin_free) struct wb_cubin cubin;
    print_message("# %s\n", names[i]);
    fixture_read(&source, "binary/vectors/%s", names[i]);
    assert_ok(
        wb_cubin_read(names[i], (const unsigned char *)source.bytes, source.length, &cubin, NULL));
    assert_true(fail_each(list, &cubin, WARPBOUND_OK) > 0);
  }
}

/* Fuzz target: the reader of raw output bears any bytes, and the times of what it takes are read
 * back. The checksum is taken for right, which chance would never make so. */
#include "analysis/instrument/raw_times.h"
#include "formats/times/times_file.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The kernel of the seed: a loop and a block after it. */
static const char ptx[] = ".version 8.5\n.target sm_80\n.address_size 64\n.entry k() {\n"
                          ".reg .pred %p; mov.b32 %r, 0;\nL: @%p bra L;\nret; }\n";

/* Not assert: it must hold in release builds too. */
static void require(bool holds, const char *what)
{
  if (holds)
    return;
  fprintf(stderr, "fuzz_raw: violated: %s\n", what);
  abort();
}

static void check_times(const struct wb_text *text)
{
  struct wb_times times;
  require(wb_times_parse("times", text->data, text->length, &times, NULL) == WARPBOUND_OK,
          "the times are read back");
  require(times.row_count > 0, "there are times");
  wb_times_free(&times);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const struct wb_point_options blocks = {.places = WB_POINTS_BLOCKS};
  struct wb_instrumentation made;
  struct wb_raw raw;
  struct wb_text text = {0};
  warpbound_error error = {0};
  require(wb_instrument("t.ptx", ptx, strlen(ptx), NULL, &blocks, &made, NULL) == WARPBOUND_OK,
          "the kernel is instrumented");
  warpbound_status status = wb_raw_parse("raw", data, size, &raw, &error);
  if (status == WARPBOUND_OK) {
    raw.checksum = made.checksum;
    status = wb_raw_times("raw", &raw, &made, &text, &error);
  }
  require(status == WARPBOUND_OK || status == WARPBOUND_INVALID_INPUT, "the input is to blame");
  require(status == WARPBOUND_OK || error.message[0] != '\0', "errors have a message");
  if (status == WARPBOUND_OK)
    check_times(&text);
  wb_text_free(&text);
  wb_instrumentation_free(&made);
  return 0;
}

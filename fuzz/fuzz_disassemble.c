/* Fuzz target: any cubin that is read is disassembled or refused in words, the listing is not much
 * longer than the cubin, the SASS front end bears it, and the code of the cubin read directly is
 * the code of the listing. */
#include "binary/cubin/cubin.h"
#include "binary/listing/cubin_listing.h"
#include "code/two_ways.h"
#include "frontend/sass/sass_front_end.h"
#include "model/code.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Most bytes of a listing for one of the cubin. A byte of data takes 6, an instruction of 8 bytes
 * some 100, a label of it some 100; a name may stand at each. */
#define GROWTH 4096

/* Not assert: it must hold in release builds too. */
static void require(bool holds, const char *what)
{
  if (holds)
    return;
  fprintf(stderr, "fuzz_disassemble: violated: %s\n", what);
  abort();
}

static void parse(const struct wb_text *listing)
{
  struct wb_code code;
  warpbound_error error = {0};
  const warpbound_status status = wb_sass_parse("fuzz", listing->data != NULL ? listing->data : "",
                                                listing->length, NULL, &code, &error);
  if (status != WARPBOUND_OK) {
    require(status == WARPBOUND_INVALID_INPUT, "the input is to blame");
    require(error.message[0] != '\0', "errors have a message");
    return;
  }
  const char *broken = wb_code_check(&code);
  require(broken == NULL, broken);
  wb_code_free(&code);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const struct wb_listing_options whole = {0};
  struct wb_cubin cubin;
  struct wb_text listing = {0};
  warpbound_error error = {0};
  if (wb_cubin_read("fuzz", data, size, &cubin, NULL) != WARPBOUND_OK)
    return 0;
  const warpbound_status status = wb_cubin_listing(&cubin, &whole, &listing, &error);
  require(status == WARPBOUND_OK || status == WARPBOUND_INVALID_INPUT, "the input is to blame");
  require(status == WARPBOUND_OK || error.message[0] != '\0', "errors have a message");
  require(listing.length <= GROWTH * (size + 64), "listings are linear");
  if (status == WARPBOUND_OK)
    parse(&listing);
  wb_text_free(&listing);
  wb_cubin_free(&cubin);
  struct two_ways ways;
  compare_two_ways((const char *)data, size, NULL, &ways);
  require(ways.difference[0] == '\0', ways.difference);
  return 0;
}

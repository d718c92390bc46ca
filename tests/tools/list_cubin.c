/* Prints the listing of a cubin, for those who compare it with NVIDIA's: list_cubin FILE [--code]
 * [--kernel NAME] [--no-lines] [--no-encodings]. */
#include "binary/listing/cubin_listing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char **words)
{
  struct wb_listing_options options = {0};
  if (count < 2) {
    fprintf(stderr, "usage: list_cubin FILE [--code] [--kernel NAME] [--no-lines] "
                    "[--no-encodings]\n");
    return 2;
  }
  for (int i = 2; i < count; i++) {
    options.code_only = options.code_only || strcmp(words[i], "--code") == 0;
    options.without_lines = options.without_lines || strcmp(words[i], "--no-lines") == 0;
    options.without_encodings =
        options.without_encodings || strcmp(words[i], "--no-encodings") == 0;
    if (strcmp(words[i], "--kernel") == 0 && i + 1 < count)
      options.kernel = words[++i];
  }
  FILE *file = fopen(words[1], "rb");
  static unsigned char bytes[64 << 20];
  size_t length = file != NULL ? fread(bytes, 1, sizeof bytes, file) : 0;
  struct wb_cubin cubin;
  struct wb_text out = {0};
  warpbound_error error;
  warpbound_status status = wb_cubin_read(words[1], bytes, length, &cubin, &error);
  if (status == WARPBOUND_OK) {
    status = wb_cubin_listing(&cubin, &options, &out, &error);
    wb_cubin_free(&cubin);
  }
  if (status != WARPBOUND_OK)
    fprintf(stderr, "%s\n", error.message);
  else
    fwrite(out.data, 1, out.length, stdout);
  wb_text_free(&out);
  if (file != NULL)
    fclose(file);
  return status == WARPBOUND_OK ? 0 : 1;
}

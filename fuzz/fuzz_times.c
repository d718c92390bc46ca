/* Measured times: their reader takes any bytes, and what it reads is written and read again the
 * same. */
#include "formats/times/times_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool same_text(const char *a, const char *b)
{
  return (a == NULL || *a == '\0') ? (b == NULL || *b == '\0') : b != NULL && strcmp(a, b) == 0;
}

static bool same_row(const struct wb_times_row *a, const struct wb_times_row *b)
{
  return same_text(a->kernel, b->kernel) && same_text(a->run, b->run) &&
         same_text(a->warp, b->warp) && a->from.end == b->from.end && a->to.end == b->to.end &&
         a->cycles == b->cycles && a->count == b->count;
}

/* Names with quotes or line ends are not read back. */
static bool has_quotes(const char *text, size_t length)
{
  return memchr(text, '"', length) != NULL || memchr(text, '\r', length) != NULL;
}

/* All columns of a file, each name in quotes. */
static void write_times(const struct wb_times *times, struct wb_text *text)
{
  for (size_t c = 0; c < times->checksum_count; c++) {
    const char *kernel = times->checksums[c].kernel;
    wb_text_format(text, "# checksum 0x%016" PRIx64 " %s\n", times->checksums[c].checksum,
                   kernel != NULL ? kernel : "");
  }
  wb_text_string(text, "cycles,kernel,run,warp,count,from,to\n");
  for (size_t r = 0; r < times->row_count; r++) {
    const struct wb_times_row *row = &times->rows[r];
    const char *const names[] = {row->kernel, row->run, row->warp};
    wb_text_format(text, "%" PRId64, row->cycles);
    for (size_t n = 0; n < 3; n++)
      wb_text_format(text, ",\"%s\"", names[n] != NULL ? names[n] : "");
    wb_text_string(text, ",");
    if (row->count >= 0)
      wb_text_format(text, "%" PRId64, row->count);
    wb_text_string(text, ",\"");
    wb_times_write_point(&row->from, text);
    wb_text_string(text, "\",\"");
    wb_times_write_point(&row->to, text);
    wb_text_string(text, "\"\n");
  }
}

static void check_read_again(const struct wb_times *times)
{
  struct wb_text text = {0};
  struct wb_times again;
  warpbound_error error = {0};
  write_times(times, &text);
  if (text.failed ||
      wb_times_parse("again", text.data, text.length, &again, &error) != WARPBOUND_OK)
    abort();
  if (again.row_count != times->row_count || again.checksum_count != times->checksum_count)
    abort();
  for (size_t r = 0; r < times->row_count; r++) {
    if (!same_row(&times->rows[r], &again.rows[r]))
      abort();
  }
  wb_times_free(&again);
  wb_text_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const char *text = (const char *)data;
  struct wb_times times;
  warpbound_error error = {0};
  if (wb_times_parse("fuzz", text, size, &times, &error) != WARPBOUND_OK) {
    if (error.message[0] == '\0')
      abort();
    return 0;
  }
  if (!has_quotes(text, size))
    check_read_again(&times);
  wb_times_free(&times);
  return 0;
}

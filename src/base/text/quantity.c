#include "base/text/quantity.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The least number of digits that is read easier in groups. */
#define GROUPED_DIGITS 5

const char *wb_count(uint64_t count, char buffer[WB_COUNT_SIZE])
{
  char digits[WB_COUNT_SIZE];
  int length = snprintf(digits, sizeof digits, "%" PRIu64, count);
  if (length < GROUPED_DIGITS)
    return memcpy(buffer, digits, (size_t)length + 1);
  size_t at = 0;
  for (int i = 0; i < length; i++) {
    if (i > 0 && (length - i) % 3 == 0)
      buffer[at++] = ',';
    buffer[at++] = digits[i];
  }
  buffer[at] = '\0';
  return buffer;
}

const char *wb_count_of(uint64_t count, const char *thing, char buffer[WB_COUNT_OF_SIZE])
{
  snprintf(buffer, WB_COUNT_OF_SIZE, "%s %s%s", WB_COUNT(count), thing, count == 1 ? "" : "s");
  return buffer;
}

void wb_text_count(struct wb_text *text, uint64_t count)
{
  wb_text_string(text, WB_COUNT(count));
}

void wb_text_count_of(struct wb_text *text, uint64_t count, const char *thing)
{
  wb_text_string(text, WB_COUNT_OF(count, thing));
}

void wb_text_bytes(struct wb_text *text, uint64_t bytes)
{
  static const char *const units[] = {"KiB", "MiB", "GiB", "TiB"};
  if (bytes < 1024) {
    wb_text_count_of(text, bytes, "byte");
    return;
  }
  double amount = (double)bytes / 1024;
  size_t unit = 0;
  while (amount >= 1024 && unit + 1 < sizeof units / sizeof *units) {
    amount /= 1024;
    unit++;
  }
  wb_text_format(text, "%.1f %s", amount, units[unit]);
}

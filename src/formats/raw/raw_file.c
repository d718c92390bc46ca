#include "formats/raw/raw_file.h"

#include "base/little_endian.h"

#include <string.h>

#define HEADER_BYTES 40
#define ROW_BYTES 8

static const char magic[8] = {'w', 'a', 'r', 'p', 'r', 'a', 'w', '1'};

/* rows * runs * warps * 8 of a file, where that is at most `limit`; else UINT64_MAX. No product of
 * two numbers of 33 bits or less that fits the limit of 63 bits overflows when it is made in steps.
 */
static uint64_t bytes_of_rows(const struct wb_raw *raw, uint64_t limit)
{
  const uint64_t factors[] = {raw->row_count, raw->run_count,
                              (uint64_t)raw->warp_count + (raw->others ? 1 : 0)};
  uint64_t bytes = ROW_BYTES;
  for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++) {
    if (factors[i] != 0 && bytes > limit / factors[i])
      return UINT64_MAX;
    bytes *= factors[i];
  }
  return bytes;
}

warpbound_status wb_raw_parse(const char *file, const void *bytes, size_t length,
                              struct wb_raw *raw, warpbound_error *error)
{
  *raw = (struct wb_raw){0};
  if (length < sizeof magic || memcmp(bytes, magic, sizeof magic) != 0)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, file, 0, 0,
                      "expected raw times (\"warpraw1\" at byte 0), found something else");
  if (length < HEADER_BYTES)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, file, 0, 0,
                      "expected a header of %d bytes, found %zu", HEADER_BYTES, length);
  const uint32_t others = wb_u32(bytes + 28);
  const uint32_t name_length = wb_u32(bytes + 32);
  if (others > 1)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, file, 0, 0,
                      "expected 0 or 1 at byte 28, found %lu", (unsigned long)others);
  if (wb_u32(bytes + 36) != 0)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, file, 0, 0,
                      "expected 0 at byte 36, found %lu", (unsigned long)wb_u32(bytes + 36));
  if (name_length > WB_RAW_NAME_LIMIT || name_length > length - HEADER_BYTES)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, file, 0, 0,
                      "expected the length of a name at byte 32, found %lu",
                      (unsigned long)name_length);
  *raw = (struct wb_raw){
      .checksum = wb_u64(bytes + 8),
      .row_count = wb_u32(bytes + 16),
      .run_count = wb_u32(bytes + 20),
      .warp_count = wb_u32(bytes + 24),
      .others = others == 1,
      .kernel = (const char *)bytes + HEADER_BYTES,
      .kernel_length = name_length,
      .rows = bytes + HEADER_BYTES + name_length,
  };
  const uint64_t rest = length - HEADER_BYTES - raw->kernel_length;
  const uint64_t needed = bytes_of_rows(raw, INT64_MAX);
  if (needed == rest)
    return WARPBOUND_OK;
  if (needed == UINT64_MAX)
    return wb_fail_at(error, WARPBOUND_INVALID_INPUT, file, 0, 0,
                      "expected rows for %lu runs of %lu warps, found %llu bytes",
                      (unsigned long)raw->run_count, (unsigned long)raw->warp_count,
                      (unsigned long long)rest);
  return wb_fail_at(error, WARPBOUND_INVALID_INPUT, file, 0, 0,
                    "expected %llu bytes of rows after byte %zu, found %llu",
                    (unsigned long long)needed, HEADER_BYTES + raw->kernel_length,
                    (unsigned long long)rest);
}

struct wb_raw_row wb_raw_row_of(const struct wb_raw *raw, size_t run, size_t warp, size_t row)
{
  const size_t warps = (size_t)raw->warp_count + (raw->others ? 1 : 0);
  const unsigned char *bytes =
      raw->rows + ((run * warps + warp) * raw->row_count + row) * ROW_BYTES;
  return (struct wb_raw_row){wb_u32(bytes), wb_u32(bytes + 4)};
}

#include "raw_output.h"

#include <inttypes.h>
#include <string.h>

bool probes_find(const char *ptx, struct probes *probes)
{
  const char *line = strstr(ptx, "// warpbound-instrument ");
  unsigned version = 0;
  if (line == NULL || sscanf(line, "// warpbound-instrument %u %63s %" SCNu32 " %4095s", &version,
                             probes->prefix, &probes->rows, probes->kernel) != 4)
    return false;
  return version == 1 && probes->rows > ROW_WHOLE && probes->rows <= UINT32_C(1) << 20;
}

uint64_t checksum_of(const char *text, size_t length)
{
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (size_t i = 0; i < length; i++)
    hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
  return hash;
}

struct raw_row row_of_lanes(const uint32_t words[DEVICE_ROW_WORDS])
{
  struct raw_row row = {0, 0};
  for (size_t lane = 0; lane < LANES; lane++) {
    const uint32_t longest = words[lane];
    const uint32_t count = words[LANES + lane];
    row.longest = longest > row.longest ? longest : row.longest;
    row.count = count > row.count ? count : row.count;
  }
  return row;
}

/* Writes the `bytes` low bytes of a number, least first. */
static void write_number(FILE *to, uint64_t number, unsigned bytes)
{
  for (unsigned i = 0; i < bytes; i++)
    fputc((int)(number >> (8 * i) & 0xff), to);
}

void raw_write_header(FILE *to, const struct raw_header *header)
{
  const size_t length = strlen(header->kernel);
  fputs("warpraw1", to);
  write_number(to, header->checksum, 8);
  write_number(to, header->rows, 4);
  write_number(to, header->runs, 4);
  write_number(to, header->warps, 4);
  write_number(to, header->others, 4);
  write_number(to, length, 4);
  write_number(to, 0, 4);
  fwrite(header->kernel, 1, length, to);
}

void raw_write_row(FILE *to, struct raw_row row)
{
  write_number(to, row.longest, 4);
  write_number(to, row.count, 4);
}

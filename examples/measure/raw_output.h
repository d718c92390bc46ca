/* What an instrumented kernel keeps, and the raw file of it (doc/measured/instrument.md, "Raw
 * output"). */
#ifndef MEASURE_RAW_OUTPUT_H
#define MEASURE_RAW_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* On the device a row of one warp is 64 words: the longest time of each lane, then its count. */
#define DEVICE_ROW_WORDS 64
#define LANES 32

/* The row of the whole runs of warps. */
#define ROW_WHOLE 2

/* The line that 'warpbound instrument' puts at the beginning. */
struct probes {
  char prefix[64]; /* of the module's variables */
  char kernel[4096];
  uint32_t rows;
};

/* A row in the file. */
struct raw_row {
  uint32_t longest; /* of all lanes */
  uint32_t count;   /* the largest of a lane */
};

/* Finds the line in PTX. false: it has none, or none that is understood. */
bool probes_find(const char *ptx, struct probes *probes);

/* The checksum of a text: FNV-1a, 64 bits. */
uint64_t checksum_of(const char *text, size_t length);

/* The row of the file of one on the device. */
struct raw_row row_of_lanes(const uint32_t words[DEVICE_ROW_WORDS]);

struct raw_header {
  uint64_t checksum;
  uint32_t rows;
  uint32_t runs;
  uint32_t warps;  /* with rows of their own */
  uint32_t others; /* 1: the rows of all other warps follow */
  const char *kernel;
};

/* Write to a file; what went wrong shows in ferror. */
void raw_write_header(FILE *to, const struct raw_header *header);
void raw_write_row(FILE *to, struct raw_row row);

#endif

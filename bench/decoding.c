/* Times the decoder of machine words alone: all instructions of a cubin, several times.
 * usage: decoding CUBIN [RUNS]; prints the instructions and the median seconds of a run. */
#include "binary/cubin/cubin.h"
#include "binary/listing/cubin_listing.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_RUNS = 100 };

static double seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int compare(const void *left, const void *right)
{
  const double *a = left, *b = right;
  return (*a > *b) - (*a < *b);
}

/* The whole file, which the caller frees; NULL: it cannot be read. */
static unsigned char *read_file(const char *path, size_t *length)
{
  FILE *file = fopen(path, "rb");
  long size = -1;
  unsigned char *bytes = NULL;
  if (file == NULL)
    return NULL;
  if (fseek(file, 0, SEEK_END) == 0)
    size = ftell(file);
  rewind(file);
  if (size > 0)
    bytes = malloc((size_t)size);
  *length = bytes != NULL ? fread(bytes, 1, (size_t)size, file) : 0;
  fclose(file);
  return bytes;
}

/* Decodes all instructions; the number of them, and of their characters. */
static size_t decode_all(const struct wb_listed_code *code, size_t *characters)
{
  static struct wb_decoded_word decoded;
  size_t count = 0;
  for (size_t s = 0; s < code->section_count; s++) {
    const struct wb_listed_section *section = &code->sections[s];
    for (size_t w = 0; w < section->word_count; w++) {
      uint64_t word[2];
      if (section->words[w].issue == WB_ISSUE_CONTROL)
        continue;
      wb_listed_bits(code, section, w, word);
      wb_word_decode(code->decoder, word, w * code->word_size, &decoded);
      *characters += decoded.length;
      count++;
    }
  }
  return count;
}

static void time_decoder(const struct wb_listed_code *code, int runs)
{
  double times[MOST_RUNS];
  size_t count = 0, characters = 0;
  for (int r = 0; r < runs; r++) {
    double start = seconds();
    characters = 0;
    count = decode_all(code, &characters);
    times[r] = seconds() - start;
  }
  qsort(times, (size_t)runs, sizeof *times, compare);
  printf("%zu instructions %zu characters %.6f s\n", count, characters, times[runs / 2]);
}

int main(int count, char **words)
{
  int runs = count > 2 ? atoi(words[2]) : 5;
  size_t length;
  unsigned char *bytes = count > 1 ? read_file(words[1], &length) : NULL;
  if (bytes == NULL || runs < 1 || runs > MOST_RUNS) {
    fprintf(stderr, "usage: decoding CUBIN [RUNS]\n");
    return 2;
  }
  struct wb_cubin cubin = {0};
  struct wb_listed_code code = {0};
  warpbound_error error;
  warpbound_status status = wb_cubin_read(words[1], bytes, length, &cubin, &error);
  if (status == WARPBOUND_OK)
    status = wb_listed_code_make(&cubin, &code, &error);
  if (status == WARPBOUND_OK)
    time_decoder(&code, runs);
  else
    fprintf(stderr, "decoding: %s\n", error.message);
  wb_listed_code_free(&code);
  wb_cubin_free(&cubin);
  free(bytes);
  return status == WARPBOUND_OK ? 0 : 1;
}

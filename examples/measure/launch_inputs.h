/* The parameters of the kernel on the device. */
#ifndef MEASURE_LAUNCH_INPUTS_H
#define MEASURE_LAUNCH_INPUTS_H

#include "cuda_driver.h"
#include "measure_options.h"

/* Invariant: of each parameter that is a buffer, addresses has where it lies and bytes its length;
 * pointers are what a launch takes. Zero it; free with inputs_free. */
struct inputs {
  const struct cuda_driver *driver;
  struct parameter parameters[MEASURE_MOST_PARAMETERS];
  cuda_address addresses[MEASURE_MOST_PARAMETERS];
  char *files[MEASURE_MOST_PARAMETERS]; /* contents */
  void *pointers[MEASURE_MOST_PARAMETERS];
  size_t count;
  void *bytes; /* as many as the largest buffer */
};

/* Reads files and allocates buffers. false: it said on stderr what is wrong. */
bool inputs_make(const struct cuda_driver *driver, const struct measure_options *options,
                 struct inputs *inputs);

/* Fills all buffers for a run: random ones by seed and run alone. CUDA_SUCCESS or an error. */
cuda_result inputs_fill(struct inputs *inputs, uint64_t seed, uint64_t run);
void inputs_free(struct inputs *inputs);

/* `length` random bytes; with `most` words of 32 bits from 0 to it. *state goes on. */
void random_bytes(uint64_t *state, uint64_t most, unsigned char *bytes, size_t length);

/* A whole file with a zero behind its end, to be freed; NULL where it cannot be read. */
char *read_whole_file(const char *name, size_t *length);

#endif

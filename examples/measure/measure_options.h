/* The command line of the program. */
#ifndef MEASURE_OPTIONS_H
#define MEASURE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define MEASURE_MOST_PARAMETERS 256

enum parameter_kind {
  PARAMETER_RANDOM, /* a buffer of random bytes, anew for each run */
  PARAMETER_ZEROS,  /* a buffer of zeros, anew for each run */
  PARAMETER_FILE,   /* a buffer with the bytes of a file, anew for each run */
  PARAMETER_INT,    /* 32 bits */
  PARAMETER_LONG,   /* 64 bits */
  PARAMETER_FLOAT,
  PARAMETER_DOUBLE
};

/* A parameter of the kernel, in order. */
struct parameter {
  enum parameter_kind kind;
  size_t bytes;     /* of a buffer */
  uint64_t most;    /* of random bytes as words of 32 bits: the largest; 0: any */
  const char *file; /* of PARAMETER_FILE */
  union {
    int32_t word;
    int64_t wide;
    float single;
    double precise;
  } value;
};

struct measure_options {
  const char *ptx;
  const char *kernel; /* NULL: the instrumented one */
  const char *driver; /* NULL: libcuda.so.1 */
  const char *raw;    /* NULL: none */
  const char *times;  /* of whole launches; NULL: none */
  unsigned grid[3];
  unsigned block[3];
  unsigned shared; /* bytes of dynamic shared memory */
  unsigned runs;
  unsigned warps; /* with rows of their own */
  unsigned device;
  uint64_t seed;
  bool cold; /* caches are emptied before each run */
  struct parameter parameters[MEASURE_MOST_PARAMETERS];
  size_t parameter_count;
};

/* Fills *options. false: it said on stderr what is wrong. */
bool measure_options_read(int count, char **words, struct measure_options *options);
void measure_usage(FILE *to);

#endif

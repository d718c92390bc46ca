/* The two ways from a cubin to code: directly, and by the listing that `disassemble` prints. */
#ifndef WB_TESTS_TWO_WAYS_H
#define WB_TESTS_TWO_WAYS_H

#include <stdbool.h>
#include <stddef.h>

struct two_ways {
  bool read;            /* both made code; else both refused with the same message */
  char difference[512]; /* the first one; empty: none */
};

/* Reads a binary file both ways and compares all that the two codes say. architecture: which image
 * of several; NULL: the file's. */
void compare_two_ways(const char *bytes, size_t length, const char *architecture,
                      struct two_ways *ways);

#endif

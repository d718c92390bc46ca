/* The local memory of one thread, byte by byte, with its loads and stores as they stand in a
 * listing. Shares no code with src/. */
#ifndef TESTS_CROSS_LOCAL_MEMORY_H
#define TESTS_CROSS_LOCAL_MEMORY_H

#include "base/random.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOCAL_BYTES 512

struct local_byte {
  uint32_t address;
  uint8_t value;
};

/* Bytes that were stored, each once; others hold anything. Zero-initialise. */
struct local_memory {
  size_t count;
  struct local_byte bytes[LOCAL_BYTES];
};

/* Does LDL or STL; other stores that may be of local memory overwrite one of its bytes now and
 * then. False: it is no load. registers: R0 to R254. */
bool local_memory_execute(struct local_memory *memory, const char *opcode, const char *operands,
                          uint32_t *registers, struct wb_random *random);

#endif

/* A launch as the user describes it: sizes, parameters and constants. */
#ifndef WB_VALUES_LAUNCH_H
#define WB_VALUES_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Four bytes of a kernel's parameters: --param OFFSET=VALUE. */
struct wb_parameter_value {
  const char *kernel; /* the kernel that has the parameter, NULL: each; borrowed */
  uint32_t offset;    /* in bytes; the first parameter begins at 0 */
  uint32_t value;
};

/* What a source calls a parameter of a kernel. */
struct wb_parameter_name {
  const char *kernel; /* as the code calls it; borrowed */
  uint16_t ordinal;   /* of the parameter */
  const char *name;   /* borrowed; NULL: sources call it differently */
  const char *file;   /* of the source; borrowed; NULL: debug information has the name */
  uint32_t line;      /* of the kernel's name there */
  bool used;          /* a value is given by this name */
};

/* Four bytes of constant memory: --constant BANK:OFFSET=VALUE. */
struct wb_constant_value {
  uint32_t place; /* the bank in bits 16..23, the offset in bytes in bits 0..15 */
  uint32_t value;
};

/* What a load of one function gives, or another instruction that writes an integer, as somebody
 * assumes: a number of `bytes` bytes, each time that a lane does it. */
struct wb_load_range {
  uint32_t instruction; /* index */
  uint16_t number;      /* the register that it writes, of eight bytes that of the lower word */
  uint8_t bytes;        /* 1, 2, 4 or 8 */
  int64_t least, most;
};

/* What a pointer among a kernel's parameters points to, as somebody says: no access that is based
 * on it is elsewhere. */
struct wb_declared_buffer {
  uint32_t parameter;   /* the pointer's offset in the parameters */
  uint64_t bytes;       /* at least 1 */
  uint64_t block_lines; /* lines of 128 bytes of it that one block accesses at most; 0: any */
  bool read_only;       /* the kernel does not store into it */
  bool aligned;         /* the pointer is a multiple of 2^WB_ALIGNED_BITS */
};

/* What cudaMalloc gives is aligned to at least 256 bytes (CUDA C++ Programming Guide, "Device
 * Memory Accesses"). */
#define WB_ALIGNED_BITS 8

/* Threads of a launch: by dimension, the least and the greatest index of a thread in its block and
 * of a block. */
struct wb_launch_slice {
  uint32_t thread[3][2];
  uint32_t block[3][2];
};

/* The arrays are borrowed. */
struct wb_launch {
  uint32_t block[3]; /* threads of a block by dimension, 0 for not known */
  uint32_t grid[3];  /* blocks of the grid by dimension, 0 for not known */
  const struct wb_parameter_value *parameters;
  size_t parameter_count;
  const struct wb_parameter_name *names; /* by ascending kernel, then ordinal */
  size_t name_count;
  const struct wb_constant_value *constants;
  size_t constant_count;
  const struct wb_load_range
      *loads; /* of the function that is analysed, by ascending instruction */
  size_t load_count;
  const struct wb_declared_buffer *buffers; /* of the function that is analysed */
  size_t buffer_count;
  const struct wb_launch_slice *slice; /* what is asked of these threads alone; NULL: of all */
};

#endif

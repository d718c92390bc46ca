/* Computations of addresses as kernels do them, in the forms of four architectures. */
#ifndef WB_TESTS_CROSS_ACCESSES_ADDRESS_CODE_H
#define WB_TESTS_CROSS_ACCESSES_ADDRESS_CODE_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MOST_STEPS 6

enum step_kind {
  FLAT,      /* blockIdx.x * blockDim.x + threadIdx.x */
  ROWS,      /* y * pitch + x */
  THREAD,    /* threadIdx.x */
  STENCIL,   /* clamped y + number, * pitch, + clamped x + number */
  ADD,       /* + number */
  MULTIPLY,  /* * number */
  MINIMUM,   /* min(n - 1) */
  MAXIMUM,   /* max(0) */
  QUOTIENT,  /* / number, as compilers write it */
  REMAINDER, /* % number */
  TILES,     /* i / number * pitch + i % number */
  XOR,       /* ^ (threadIdx.x >> 3 & number) */
  AND,       /* & number */
  SHIFT_RIGHT,
  CHOOSE,  /* threadIdx.x < number ? it : n */
  PERMUTE, /* bytes by the digits of the number; those above 3 are 0 */
  REVERSE, /* n - 1 - it */
  STEP_KINDS
};

enum space { GLOBAL, SHARED, LOCAL, ATOMIC, SPACES };
enum guard { NO_GUARD, THREAD_BELOW, EACH, INDEX_BELOW, GUARDS };

struct step {
  enum step_kind kind;
  uint32_t number;
};

struct computation {
  struct step steps[MOST_STEPS];
  size_t count;
  enum space space;
  unsigned bytes;
  enum guard guard;
  uint32_t guard_number;
  bool lea;                       /* the address is a LEA, or a product */
  size_t sectors, passes, at_one; /* the most that was found */
  int64_t least, most;            /* offsets from the pointer that were found */
  bool any;
};

/* How an architecture writes: the first byte of the parameters and of the block's size. */
struct form {
  unsigned sm;
  unsigned parameters;
  unsigned block;
};

#define ADDRESS_FORMS 4
extern const struct form address_forms[ADDRESS_FORMS];

/* The parameters: pointers for 1, 4, 8 and 16 bytes, then these. */
enum { PITCH = 0x20, LIMIT = 0x24 };

/* The pointer of accesses of so many bytes: 0 to 3. */
unsigned pointer_of(unsigned bytes);

/* Instructions with "; " behind each. The thread's indices are in R0 and R1, the block's in R2, R3.
 */
void write_computation(struct wb_text *text, const struct form *form, const struct computation *it);

#endif

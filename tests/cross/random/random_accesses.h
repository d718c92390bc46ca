/* Random programs of loads and stores with branches, loops and guards, in the forms of sm_52 and
 * sm_87. */
#ifndef TESTS_CROSS_RANDOM_ACCESSES_H
#define TESTS_CROSS_RANDOM_ACCESSES_H

#include "base/random.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ACCESS_REGISTERS 12
#define ACCESS_PREDICATES 3
#define ACCESS_LINE_SIZE 80
#define ACCESS_MOST_LINES 400

enum access_kind {
  ACCESS_PARAMETER,
  ACCESS_TID_X,
  ACCESS_TID_Y,
  ACCESS_LANE,
  ACCESS_BLOCK,
  ACCESS_NUMBER,
  ACCESS_MOVE,
  ACCESS_ADD,
  ACCESS_SUBTRACT,
  ACCESS_ADD_NUMBER,
  ACCESS_MULTIPLY,
  ACCESS_MULTIPLY_NUMBER,
  ACCESS_SCALED_ADD,
  ACCESS_SHIFT_LEFT,
  ACCESS_SHIFT_RIGHT,
  ACCESS_SHIFT_SIGNED,
  ACCESS_LOOKUP,
  ACCESS_LOOKUP_NUMBER,
  ACCESS_SELECT,
  ACCESS_EXTREME,
  ACCESS_PERMUTE,
  ACCESS_FIELD,
  ACCESS_COMPARE,
  ACCESS_COMPARE_NUMBER,
  ACCESS_WIDE_ADD,    /* (d + 1, d) = (b, a) + (e, c), words at will */
  ACCESS_WIDE_SCALED, /* (d + 1, d) = (sign of a, a << n) + (e, c) */
  ACCESS_WIDE_MULTIPLY,
  ACCESS_HALVES, /* XMAD */
  ACCESS_LOAD_SHARED,
  ACCESS_STORE_SHARED,
  ACCESS_LOAD_GLOBAL,
  ACCESS_STORE_GLOBAL,
  ACCESS_STORE_LOCAL,
  ACCESS_ADD_ATOMIC,
  ACCESS_COUNT,
  /* structure */
  ACCESS_IF = ACCESS_COUNT,
  ACCESS_ELSE,
  ACCESS_END_IF,
  ACCESS_LOOP,
  ACCESS_END_LOOP
};

struct access_statement {
  enum access_kind kind;
  unsigned d, a, b, c, e;
  unsigned places, table, bytes;
  uint32_t number;
  unsigned predicate; /* written, read, or of the branch */
  bool turned;        /* the predicate, or the kind's other form */
  int guard;          /* a predicate, -1 for none */
  bool guard_when;
  unsigned label;       /* of structure */
  size_t line, lines;   /* of others: the first one, and how many */
  unsigned instruction; /* of an access */
  bool uniform_pair;    /* of an IF: the other side is there */
};

struct access_program {
  bool volta;
  struct access_statement statements[ACCESS_MOST_LINES];
  size_t count;
  char lines[ACCESS_MOST_LINES][ACCESS_LINE_SIZE];
  const char *pointers[ACCESS_MOST_LINES + 1];
  size_t line_count;
  unsigned instructions;
  unsigned labels;
};

void access_program_make(struct access_program *program, struct wb_random *random, bool volta);

/* Small numbers, powers of two, ends of ranges. */
uint32_t access_number(struct wb_random *random);

static inline uint64_t access_below(struct wb_random *random, uint64_t count)
{
  return wb_random_next(random) % count;
}

#endif

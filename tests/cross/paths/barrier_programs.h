/* Random programs with barriers, for threads of a block: each line has the text of an instruction,
 * and says what it does. */
#ifndef TESTS_CROSS_BARRIER_PROGRAMS_H
#define TESTS_CROSS_BARRIER_PROGRAMS_H

#include "base/random.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LINES 124
#define REGISTERS 4
#define PREDICATES 4
#define WARP 32
#define WORDS 3
#define ALWAYS PREDICATES
#define BLOCK_INDEX 2 /* number of a THREAD that is about the block */

enum barrier_kind {
  THREAD,
  NUMBER,
  PARAMETER,
  ADD,
  TEST_LESS,
  SYNC,
  REDUCE,
  RESULT,
  STORE,
  LOAD,
  GLOBAL, /* number 0: a word that others write; else one that nothing writes, as is said of it */
  JUMP,
  END,
  TEST_WARP,
  CALL,   /* of the function behind the end */
  RETURN, /* behind the last call */
  OTHER
};

struct barrier_line {
  enum barrier_kind kind;
  uint8_t guard; /* ALWAYS: none */
  bool unless;
  uint8_t a, b;
  uint32_t number; /* of a jump the line that it goes to */
};

struct barrier_program {
  struct wb_random random;
  struct barrier_line lines[LINES];
  struct wb_text text;
  size_t count;
  unsigned sm, depth, labels, scopes;
  size_t calls[LINES], call_count;
};

static inline uint32_t draw(struct barrier_program *program, uint32_t bound)
{
  return (uint32_t)wb_random_below(&program->random, bound);
}

/* A structured program, for sm_52 or sm_87: branches and loops in scopes, sides with as many
 * barriers, reductions, loads. */
void barrier_program_draw(uint64_t seed, unsigned sm, struct barrier_program *program);

/* One for sm_87 with loops around barriers, calls of a function with barriers, and ways to the end
 * from anywhere. */
void barrier_program_leaving(uint64_t seed, struct barrier_program *program);

#endif

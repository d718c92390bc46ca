/* The activation stack of a warp, concrete: whose lanes wait where, and for what. */
#ifndef WB_CFG_INTERPRETER_ACTIVATION_STACK_H
#define WB_CFG_INTERPRETER_ACTIVATION_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most entries: a warp that leaves one there in every round of a loop ends by it. */
#define WB_ACTIVATION_LIMIT ((size_t)1 << 20)

/* The top entry runs; its token is WB_TOKEN_NONE. */
struct wb_activation {
  uint32_t mask;  /* its lanes */
  uint32_t point; /* the instruction at which they go on */
  uint8_t token;  /* what they wait for: enum wb_token */
};

/* Invariants: no mask is empty; the lanes above a token's entry are among its own; no entry with
 * WB_TOKEN_NONE has lanes of one above it. Zero-initialise. */
struct wb_activation_stack {
  struct wb_activation *entries; /* the bottom first */
  size_t count;                  /* entries */
  size_t capacity;               /* room in entries */
};

/* False where memory is out. The count must be below WB_ACTIVATION_LIMIT. */
bool wb_activation_push(struct wb_activation_stack *stack, struct wb_activation entry);

/* The first entry with the token from the top down; SIZE_MAX for none. */
size_t wb_activation_find(const struct wb_activation_stack *stack, uint8_t token);

/* The lanes leave every entry from the top down to `keep`, that one excluded (SIZE_MAX: to the
 * bottom one, included). Entries that empty go; the new top's token is forgotten. */
void wb_activation_leave(struct wb_activation_stack *stack, uint32_t lanes, size_t keep);

void wb_activation_free(struct wb_activation_stack *stack);

#endif

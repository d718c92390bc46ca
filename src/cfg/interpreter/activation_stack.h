/* The activation stack of a warp, concrete: whose lanes wait where, and for what. */
#ifndef WB_CFG_INTERPRETER_ACTIVATION_STACK_H
#define WB_CFG_INTERPRETER_ACTIVATION_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most entries: a warp that leaves one behind in every round of a loop ends by it. */
#define WB_ACTIVATION_LIMIT ((size_t)1 << 20)

/* Lanes that go on at a point (an instruction's index); token: what pops them (enum
 * wb_token). The top entry is what runs; its token is WB_TOKEN_NONE. */
struct wb_activation {
  uint32_t mask;
  uint32_t point;
  uint8_t token;
};

/* entries[0] is the bottom. Invariants: no mask is empty; the lanes above a token's entry are
 * among its own; no entry with WB_TOKEN_NONE has lanes of one above it. Zero-initialise. */
struct wb_activation_stack {
  struct wb_activation *entries;
  size_t count;
  size_t capacity;
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

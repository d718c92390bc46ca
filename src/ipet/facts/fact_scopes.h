/* Which facts of a file speak of which code of a function: of the function itself, and of those
 * that are linked behind it. */
#ifndef WB_IPET_FACTS_FACT_SCOPES_H
#define WB_IPET_FACTS_FACT_SCOPES_H

#include "base/arena.h"
#include "model/code.h"
#include "model/flow_facts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Facts and their code. All borrowed, but found, which is of who resolves the facts. */
struct wb_fact_scope {
  const struct wb_kernel_facts *facts; /* NULL: none, of the first scope alone */
  const struct wb_function *function;  /* addresses, labels and the checksum are its */
  uint32_t first;                      /* its first instruction in the function that is analysed */
  uint32_t end;                        /* source lines are of instructions below it, from `first` */
  uint32_t *found;                     /* by place of the facts: see struct wb_resolved_facts */
  bool called; /* it is linked behind: a run of it is one call, of which there may be many */
};

struct wb_fact_scopes {
  struct wb_fact_scope *items; /* the function's own first */
  size_t count;
};

/* The scopes of a function that is analysed, linked or not. Its own facts name the addresses of the
 * linked function or, where their checksum is that, of the function before it was linked. facts:
 * NULL for none. False where the arena has no memory. Linear in parts times kernels of the file. */
bool wb_fact_scopes_make(const struct wb_flow_facts *facts, const struct wb_function *function,
                         struct wb_arena *arena, struct wb_fact_scopes *scopes);

/* The instruction of the analysed function at an address of the scope's; SIZE_MAX: none. */
size_t wb_fact_scope_at(const struct wb_fact_scope *scope, uint32_t address);

#endif

/* Flow facts: what people know of a kernel's paths. Format of the file: doc/flow-facts.md. */
#ifndef WB_MODEL_FLOW_FACTS_H
#define WB_MODEL_FLOW_FACTS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a fact names a place of the code. */
enum wb_place_kind {
  WB_PLACE_ADDRESS, /* of an instruction, from the function's start */
  WB_PLACE_LABEL,   /* of the listing: a symbol of the function */
  WB_PLACE_LINE     /* of the source: file (any ending of its path) and line */
};

struct wb_place {
  enum wb_place_kind kind;
  const char *name; /* label or source file; NULL for an address */
  uint32_t number;  /* address or source line */
};

enum wb_fact_kind {
  WB_FACT_BOUND,    /* back edges of the loop at places[0], for each entry of it */
  WB_FACT_AT_MOST,  /* runs of places[0], for each entry of the loop at places[1], or, with
                       one place, for each run of the kernel */
  WB_FACT_NEVER,    /* places[0] is never executed */
  WB_FACT_EQUAL,    /* all places run equally often */
  WB_FACT_EXCLUSIVE /* in one run of the kernel, at most one of the places is executed */
};

/* per_warp: the number counts the warp's executions; else it is what no thread exceeds. */
struct wb_flow_fact {
  enum wb_fact_kind kind;
  size_t first_place; /* into wb_kernel_facts.places */
  size_t place_count;
  uint64_t number;
  bool per_warp;
  uint32_t line; /* in the fact file */
  uint32_t column;
};

/* The facts of one kernel. checksum: that of the code that they were written for
 * (wb_code_checksum); has_checksum false: none was given. */
struct wb_kernel_facts {
  const char *kernel;
  struct wb_flow_fact *facts;
  size_t fact_count;
  struct wb_place *places;
  size_t place_count;
  uint64_t checksum;
  bool has_checksum;
  uint32_t line;
};

/* Owns all of it; names live in the pool. wb_flow_facts_free. */
struct wb_flow_facts {
  char *name; /* the file's, for messages */
  struct wb_kernel_facts *kernels;
  size_t kernel_count;
  char **pool;
  size_t pool_count;
};

/* The facts of a kernel, or NULL. */
const struct wb_kernel_facts *wb_flow_facts_find(const struct wb_flow_facts *facts,
                                                 const char *kernel);

void wb_flow_facts_free(struct wb_flow_facts *facts);

#endif

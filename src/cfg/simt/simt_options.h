/* What the abstract interpretation takes for granted, and ablations: how much of each domain is
 * used. */
#ifndef WB_CFG_SIMT_SIMT_OPTIONS_H
#define WB_CFG_SIMT_SIMT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whose agreement is tracked. */
enum wb_agreement_extent {
  WB_AGREEMENT_ALL,    /* of the lanes that run and of those that wait */
  WB_AGREEMENT_ACTIVE, /* of the lanes that run */
  WB_AGREEMENT_NONE    /* of no lanes: no register ever agrees */
};

/* How far a BSYNC is trusted to wait for all lanes of its scope. */
enum wb_scope_waiting {
  WB_WAITING_UNLESS_YIELD, /* it does, but in scopes in whose body lanes may yield */
  WB_WAITING_NEVER,        /* no lane waits */
  WB_WAITING_ALWAYS        /* it always does */
};

/* How many calls of a function are under way at once in one thread, at most. */
struct wb_simt_depth {
  uint32_t entry; /* the function's first instruction */
  uint32_t most;
};

/* Zero it for the full analysis. */
struct wb_simt_options {
  bool acyclic_stack;                 /* the stack domain without cycles */
  bool no_groups;                     /* nothing is known of which groups of lanes are empty */
  enum wb_agreement_extent agreement; /* whose agreement is tracked */
  enum wb_scope_waiting waiting;      /* of convergence barriers */
  bool masks_together; /* lanes that do a WARPSYNC of some lanes together stay together */
  const struct wb_simt_depth *depths; /* of recursive functions; borrowed */
  size_t depth_count;
  uint32_t block[3]; /* threads of a block by dimension; 0: not known, but as the function says */
};

#endif

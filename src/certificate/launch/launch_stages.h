/* For the checker of bounds on launches: the theorem that stages in series are paid once
 * (doc/launches/series.md), from the places that the claim gives to resources. Shares no code with
 * the maker. */
#ifndef WB_CERTIFICATE_LAUNCH_LAUNCH_STAGES_H
#define WB_CERTIFICATE_LAUNCH_LAUNCH_STAGES_H

#include "model/timed_code.h"

#include <stdbool.h>
#include <stdint.h>

/* Of each boundary of the series, numbered by the place before it; place 0 is the issue. In cycles.
 */
struct wb_check_stages {
  uint64_t toll[WB_RESOURCE_LIMIT + 1]; /* one request in service may count twice: so much more */
  uint64_t gap[WB_RESOURCE_LIMIT + 1];  /* the longest delay of what crosses it */
  uint64_t change;                      /* of a chain that comes to another partition */
};

/* The timed code is valid. Linear. */
struct wb_check_stages wb_check_stages_of(const struct wb_timed_code *code);

/* The two resources of the GPU that have places, the later one with a queue that is never full
 * (doc/launches/pair.md). */
struct wb_check_pair {
  const struct wb_resource *near, *far; /* NULL: none have */
  uint64_t way;                         /* cycles: the longest from a service's begin at `near` on
                                           until its request is at `far` */
  uint64_t twice;                       /* work that may count at both, at each way back of a chain,
                                           in 1 / denominator cycles */
};

/* The timed code is valid; denominator: a multiple of all servers. Linear. */
struct wb_check_pair wb_check_pair_of(const struct wb_timed_code *code, uint64_t denominator);

/* Whether each request of the stage goes on by itself from `near` to `far`, and is one of the stage
 * after it there. */
bool wb_check_pair_joins(const struct wb_timed_code *code, const struct wb_check_pair *pair,
                         const struct wb_timed_instruction *instruction, size_t stage);

/* Where a run of stages that counts once, for other warps, ends: after stage number `first` and
 * those that follow it in the series. */
size_t wb_check_stages_run(const struct wb_timed_code *code,
                           const struct wb_timed_instruction *instruction, size_t first);

/* What a chain through the instruction may pay at the boundaries, beyond its own delays and
 * services. In cycles. */
uint64_t wb_check_stages_paid(const struct wb_timed_code *code,
                              const struct wb_check_stages *stages,
                              const struct wb_timed_instruction *instruction);

#endif

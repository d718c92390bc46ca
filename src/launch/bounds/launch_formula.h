/* The theorems of doc/launch.md: from sums over the paths of one warp to bounds on a block and on a
 * whole launch. */
#ifndef WB_LAUNCH_BOUNDS_LAUNCH_FORMULA_H
#define WB_LAUNCH_BOUNDS_LAUNCH_FORMULA_H

#include "base/status.h"
#include "model/timed_code.h"

#include <stdbool.h>
#include <stdint.h>

/* Sums that are maximised over (composite) paths of one warp, each by its own integer program. The
 * letters are those of doc/launch.md. */
enum wb_launch_sum {
  WB_SUM_ALONE_OWN,       /* A of one block alone: the chain, and all requests at service / cap */
  WB_SUM_ALONE_PARTITION, /* X of one block alone, with the GPU's resources */
  WB_SUM_ALONE_OTHERS,    /* Y of one block alone, with the GPU's resources */
  WB_SUM_OWN,             /* A of a launch: the chain, and requests to a partition and an SM */
  WB_SUM_PARTITION,       /* X: what one warp blocks a chain of its own partition */
  WB_SUM_OTHERS,          /* Y: what one warp blocks a chain of another partition */
  WB_SUM_UNITS,           /* Z: X of the partition's resources alone */
  WB_SUM_PHASE_UNITS,     /* Z1: the most of Z in one phase */
  WB_SUM_GPU,             /* g: service / cap of requests to the GPU's resources */
  WB_SUM_TOTAL,    /* all own steps and all services in full: of the bound that needs nothing of
                      barriers but that none waits for ever */
  WB_SUM_BARRIERS, /* f - 1 where phases are not told apart; in no formula */
  WB_SUM_COUNT
};

/* What the launch fetches once, of one level of caches: numerators. */
struct wb_cold_terms {
  uint64_t wait;                 /* steps of chains that wait for each of them once */
  uint64_t sm;                   /* work for an SM's resources of all of them, fetched once */
  uint64_t wait_later, sm_later; /* both of what some warps end without */
  uint64_t gpu;                  /* the same for the GPU's */
  uint64_t whole;                /* all steps and services, one after the other */
};

/* The sums of a kernel on a device: numerators over one denominator. Invariant: denominator and
 * phases are at least 1. Formulas of one block alone, and of the total, are used only where
 * WB_SUM_ALONE_OWN and WB_SUM_TOTAL are not 0: no path takes no time. */
struct wb_launch_terms {
  uint64_t denominator;
  uint64_t sum[WB_SUM_COUNT];
  uint64_t after; /* what sum[WB_SUM_OWN] has of the time after a block has left its SM, at its end:
                     stores that are under way at the GPU's level; at most that sum */
  uint64_t same_path; /* where all warps of a block take one path: what own is less than its
                         separate    maxima say; at most (w_P - 1) X + (w - w_P) Y */
  /* Where all warps of the launch take one path: the most that one path has of all sums, each this
   * often; 0: not known, else at least what each path has. Of the sums as they stand here. */
  uint64_t one_path, one_path_times[WB_SUM_COUNT];
  uint64_t longest_unit; /* e: longest service of a partition's resource taken at issue, less 1; 0
                            without barriers; in cycles */
  uint64_t phases;       /* f, one more than the most barriers of a path; 1 without barriers */
  uint32_t partition_warps; /* C: most warps that a partition holds; 0: not known */
  bool barriers_known; /* phases are shown, or all warps of a block pass the same barriers: else the
                          bound by WB_SUM_TOTAL alone holds */
  bool as_many; /* else: all warps of a block pass as many barriers, at different places: sums are
                   of whole paths, and a chain is in at most as many warps as there are phases */
  bool kept;    /* sums are without fetches of data that L2 keeps: formulas add `fetches`, and
                   that of the total does not hold */
  struct wb_cold_terms cold[WB_LEVEL_COUNT]; /* by whose caches: doc/launches/cold-starts.md */
  struct wb_cold_terms
      first;             /* of data that first caches keep, by SM (first-cache.md beside it), */
  bool first_of_block;   /* or by block */
  uint64_t first_recent; /* lines that first caches keep, those used last; 0: all until the blocks
                            that have found them leave */
  uint64_t first_lines;  /* of these: lines of a block, at least 1 */
  bool series;           /* stages in series are paid once */
  uint64_t change;  /* kappa of doc/launches/series.md: what a chain pays besides for each of its
                       phases, on an SM of several partitions; in cycles */
  uint64_t fetches; /* n lambda + (F + W) u of doc/launches/caches.md: a numerator */
};

/* A part of a bound; they add up to it. */
enum wb_launch_part {
  WB_PART_LAUNCH,       /* the launch's overhead */
  WB_PART_OWN,          /* own latencies and stalls of the blocks of one chain; of the formula of
                           the total all steps of all warps */
  WB_PART_OWN_BLOCK,    /* waiting for the other warps of these blocks */
  WB_PART_OTHER_BLOCKS, /* waiting for blocks beside, on the SM's resources and units */
  WB_PART_BARRIERS,     /* what changes of partition at barriers, and of successive blocks, add */
  WB_PART_TAIL,         /* the tail: the last block and its co-residents, with an empty queue */
  WB_PART_GPU,          /* waiting for what the whole GPU shares */
  WB_PART_FOREIGN,      /* waiting for what others than the GPU do at its memory */
  WB_PART_FETCHES,      /* fetches of data that L2 or first caches keep, and what they drive out */
  WB_PART_COLD,         /* what the launch fetches once: code, constants, translations */
  WB_PART_FLOOR,        /* less the fraction that is cut off */
  WB_PART_COUNT
};

/* Which formula gave the bound. */
enum wb_launch_formula {
  WB_FORMULA_BLOCK_ALONE,     /* theorem 1: one block */
  WB_FORMULA_ONE_WAVE,        /* theorem 2, B <= m R */
  WB_FORMULA_ALL_WARPS,       /* theorem 2 with S1 */
  WB_FORMULA_PAIRS,           /* theorem 2 with S2 */
  WB_FORMULA_FULL_PARTITIONS, /* theorem 2 for blocks of one warp that fill all partitions */
  WB_FORMULA_ROUNDS,          /* theorem D: the dispatcher works beside blocks */
  WB_FORMULA_MEAN,            /* theorem E: the mean over all slots, between theorems 2 and D */
  WB_FORMULA_TOTAL,           /* one step or service after the other */
  WB_FORMULA_COUNT
};

struct wb_launch_bound {
  uint64_t cycles;
  enum wb_launch_formula formula;
  int64_t part[WB_PART_COUNT]; /* numerators over the terms' denominator; their sum is cycles *
                                  denominator */
  uint64_t waves;              /* ceil(B / (m R)) */
  uint64_t slot_blocks; /* h of the least S, blocks of one slot before the last ones; 0: none; of
                           theorem D rounds; of theorem E blocks of each slot */
  uint64_t left;        /* how often terms' `after` is taken off: blocks that others wait for */
  uint64_t times[WB_SUM_COUNT]; /* how often each sum counts; UINT64_MAX: more often than fits, of a
                                   sum that is 0 */
};

/* The least bound on the launch that the theorems give, with its overhead, the dispatcher
 * and foreign traffic. Errors: WARPBOUND_INVALID_INPUT where none fits into 64 bits, or a number of
 * the shape is 0. */
warpbound_status wb_launch_bound_evaluate(const struct wb_launch_terms *terms,
                                          const struct wb_launch_shape *shape,
                                          struct wb_launch_bound *bound, warpbound_error *error);

/* The bound on one block alone on the GPU (theorem 1), from the time that it has room until all
 * that it made has ended: without the launch's overhead and the dispatcher. Errors: the same. */
warpbound_status wb_block_bound_evaluate(const struct wb_launch_terms *terms,
                                         const struct wb_launch_shape *shape,
                                         struct wb_launch_bound *bound, warpbound_error *error);

/* What a bound without foreign traffic, T0 = total, grows by with it; UINT64_MAX: it does not fit.
 * What is not taken by others is at least T (1 - u) - b, and that is at most T0
 * (doc/launches/foreign-traffic.md). total, burst: in one unit, fractions of a cycle; share: u, of
 * WB_FOREIGN_WHOLE and less than that. */
uint64_t wb_foreign_part(uint64_t total, uint64_t burst, uint32_t share);

const char *wb_launch_sum_name(enum wb_launch_sum sum);
const char *wb_launch_part_name(enum wb_launch_part part);
const char *wb_launch_formula_name(enum wb_launch_formula formula);

#endif

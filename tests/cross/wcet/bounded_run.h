/* Runs of the oracle that keep loop bounds, for tests: the branches are decided so that no
 * bound is broken, at random or along the counts of a worst path. */
#ifndef TESTS_CROSS_BOUNDED_RUN_H
#define TESTS_CROSS_BOUNDED_RUN_H

#include "analysis/wcet/wcet.h"
#include "base/arena.h"
#include "base/random.h"
#include "base/text.h"
#include "simt_trial.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BOUNDED_LANES 32

/* Which bounds a run keeps: those of the warp, or a number of back edges of each lane. */
enum bounded_level { BOUNDED_WARP, BOUNDED_THREADS };

/* What runs of one function share; made from its WCET, which must outlive it. */
#define BOUNDED_ROUNDS 64

struct bounded {
  struct wb_arena arena; /* of the arrays */
  const struct wb_wcet *wcet;
  struct simt_replay replay;
  size_t loop_count;
  bool *body;    /* loop * blocks + block */
  bool *header;  /* loop * blocks + block: where back edges lead to */
  bool *enters;  /* loop * edges + edge */
  bool *back;    /* loop * edges + edge */
  bool *uniform; /* by instruction */
  bool *summed;  /* by loop: in an iteration of the loop around the warp enters it once at most */
  enum bounded_level level;
  uint64_t lane_bound; /* BOUNDED_THREADS: of every loop */
  bool guided;
  wb_simt_visitor watch; /* told of each step before the bounds are; or NULL */
  void *watch_context;
  struct wb_random random;

  /* one run */
  int64_t *taken; /* by edge */
  int64_t cycles;
  uint64_t *entries;                  /* by loop, of the warp */
  uint64_t *backs;                    /* by loop, of the warp */
  uint64_t *lane_backs;               /* loop * lanes + lane: since the lane entered */
  uint64_t *entry_backs;              /* by loop: of the warp since it was entered last */
  uint32_t lane_block[BOUNDED_LANES]; /* that the lane ran last; UINT32_MAX before */
  /* Loop * BOUNDED_ROUNDS + iterations of a lane in the loop around: the most of a lane in this
   * one; its iterations where the lanes' are too many say nothing. */
  uint64_t *rounds;
  bool many_rounds;
  uint64_t most_entry_backs; /* the largest of entry_backs in the run, over all loops */
  bool broken;               /* a bound could not be kept: the run says nothing */
};

void bounded_run_start(struct bounded *bounded, const struct wb_wcet *wcet);

/* One run. Returns whether it ended and kept the bounds, so that taken and cycles are those of an
 * execution that the bounds allow. A step outside the graph sets bounded->replay.failed. */
bool bounded_run(struct bounded *bounded, uint64_t seed, uint64_t step_limit);

/* A loop that the warp goes round more often in the last run than the sums of its rounds say, for
 * each entry of the loop around; SIZE_MAX: none. */
size_t bounded_beyond_sum(const struct bounded *bounded);

void bounded_run_free(struct bounded *bounded);

/* A file of flow facts: that many back edges of threads for every loop. */
void bounded_write_facts(const struct wb_wcet *wcet, uint64_t bound, struct wb_text *text);

#endif

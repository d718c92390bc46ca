/* The cycles that a beam tries of a state of a whole SM, and what the states are worth. */
#ifndef WB_SM_SEARCH_SM_RULES_H
#define WB_SM_SEARCH_SM_RULES_H

#include "base/arena.h"
#include "model/sm_problem.h"
#include "sm/machine/sm_words.h"
#include "sm/search/sm_estimate.h"

#include <stdbool.h>
#include <stdint.h>

struct wb_sm_offer;

/* How a beam goes on from a state: the class (sm_words.h) of each warp, by its number. The caller
 * sets the first part; the arrays after it are made. */
struct wb_sm_rules {
  const struct wb_sm_problem *problem;
  const struct wb_sm_words *words;
  const uint32_t *string_of; /* by warp; NULL: each may run any string */
  const struct wb_sm_estimate *estimate;
  uint64_t seed; /* of the random preferences */
  uint32_t warps;
  uint32_t *partition_of;     /* by warp */
  uint64_t *keys;             /* by class, for hashes */
  struct wb_sm_offer *offers; /* working memory: the warps that may issue */
  uint32_t *waiting;          /* working memory, by partition and type: warps that wait */
};

/* Makes the arrays in an arena. false: no memory. */
bool wb_sm_rules_start(struct wb_sm_rules *rules, struct wb_arena *arena);

/* The same for states that differ in the names of warps, blocks and partitions only. */
uint64_t wb_sm_rules_hash(const struct wb_sm_rules *rules, const uint32_t *classes);

/* The estimate of a state; equal ones have equal values. */
int64_t wb_sm_rules_value(struct wb_sm_rules *rules, const uint32_t *classes);

/* Makes, at `made`, the rule-th beginning: the class that each warp begins with. */
void wb_sm_rules_begin(const struct wb_sm_rules *rules, uint32_t rule, uint32_t *made);

/* Makes the state that the rule leads to in one cycle from a state of that hash; the same one
 * whenever it is asked for. made and classes do not overlap. */
void wb_sm_rules_make(struct wb_sm_rules *rules, const uint32_t *classes, uint64_t hash,
                      uint32_t rule, uint32_t *made);

#endif

/* A warp precedence string under change: its warp cycle string and makespan, found
 * again after each change of a stretch of places with as little work as possible. */
#ifndef WB_MAKESPAN_ANNEALING_ANNEALING_EVALUATION_H
#define WB_MAKESPAN_ANNEALING_ANNEALING_EVALUATION_H

#include "base/status.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where a type (or the issue slots) keeps its cycles within the words of a state: for
 * each 64 cycles one word of those with a free unit, then `planes` words of a binary
 * counter for each of them, lowest bits first, which starts at 2^planes less the units of
 * a cycle, so that taking the last unit carries out of it. `limits` is all ones where
 * that clears the free cycle, 0 where units are never scarce. So every track is worked
 * on alike, without a branch, and 64 cycles at a time. */
struct wb_annealing_track {
  size_t at;
  uint64_t limits;
};

/* After k places the machine is in a state: per track its cycles, and per warp its last
 * cycle and what it has done. States are kept at every `spacing` places: kept[b] of b * spacing
 * places. Invariant between calls: cycle[k] is where the earliest-cycle rule
 * (wb_precedence_evaluate) places order[k]; makespan is the largest; block_peak[b], peak[b] and
 * tail[b] are the largest in block b, before it, and from it on. canonical: the string is also
 * sorted by cycle, so that places near each other are near in time; keeping a change then sorts it,
 * and where the machine comes back to an old state but for names of warps, the rest of the string
 * is renamed, not evaluated. fair: the problem's; where it has blocks the string is sorted by
 * repetition (wb_precedence_sort), canonical ones within each by cycle, and no change may go beyond
 * a stretch of one repetition. All of it is owned; the problem is not kept. */
struct wb_annealing_evaluation {
  uint32_t warps;
  size_t length;
  size_t entries;
  struct wb_fair_blocks fair;
  uint64_t bytes;
  bool capped;
  bool canonical;
  uint8_t *types;
  size_t words; /* of 64 cycles each */
  unsigned planes;
  struct wb_annealing_track track[WB_UNIT_COUNT];
  struct wb_annealing_track slots;
  size_t state_words;
  size_t last_at; /* words of tracks; each warp's last cycle and what it has done follow */
  size_t spacing;
  size_t blocks;
  uint64_t *start;
  uint64_t *now;
  uint64_t *kept;
  uint64_t *fresh; /* states of the change under trial, where it needs no sorting */
  uint32_t *order;
  uint32_t *cycle;
  uint32_t *block_peak;
  uint32_t *peak;
  uint32_t *tail;
  uint32_t makespan;
  /* The change under trial: places first .. last, their old warps, the new cycles of
   * first .. end - 1, the new makespan. */
  size_t first;
  size_t last;
  size_t end;
  uint32_t *saved;
  uint32_t *trial;
  uint32_t trial_makespan;
  uint32_t *renamed_from;
  uint32_t *renamed_to;
  uint32_t renamed;
  uint32_t *sorted;
  uint32_t *bucket; /* a number for each cycle */
  uint32_t *left;   /* a number for each warp: what callers count in */
};

/* Bytes that an evaluation of the problem takes at least, UINT64_MAX where it cannot be
 * done at all (beyond WB_SCHEDULE_LIMIT). */
uint64_t wb_annealing_evaluation_bytes(const struct wb_problem *problem, uint64_t horizon);

/* Makes room for strings of the problem, with as many states kept as `memory` bytes
 * allow. horizon: a proven upper bound on the makespan. Errors: WARPBOUND_INTERNAL.
 * Free with wb_annealing_evaluation_free, also after an error. */
warpbound_status wb_annealing_evaluation_start(struct wb_annealing_evaluation *evaluation,
                                               const struct wb_problem *problem, uint64_t horizon,
                                               bool canonical, uint64_t memory,
                                               warpbound_error *error);
void wb_annealing_evaluation_free(struct wb_annealing_evaluation *evaluation);

/* Takes a string of warps * length entries, each warp length times, and evaluates it. */
void wb_annealing_evaluation_set(struct wb_annealing_evaluation *evaluation, const uint32_t *order);

/* The places from..to-1 whose instructions are of the same repetition as that of `place`; all of
 * them where the scheduler is not fair between blocks. */
void wb_annealing_stretch(const struct wb_annealing_evaluation *evaluation, size_t place,
                          size_t *from, size_t *to);

/* Begins a change: the caller may then rearrange order[first .. last]. */
void wb_annealing_evaluation_open(struct wb_annealing_evaluation *evaluation, size_t first,
                                  size_t last);

/* Evaluates the change and returns the makespan that it gives. Then it has to be kept or
 * dropped. false of `changed`: the places hold what they held, nothing is to be done.
 * Time: spacing / 2 places replayed, those from the first changed one until the state is
 * an old one again placed, a few operations each. */
uint32_t wb_annealing_evaluation_try(struct wb_annealing_evaluation *evaluation, bool *changed);
void wb_annealing_evaluation_keep(struct wb_annealing_evaluation *evaluation);
void wb_annealing_evaluation_drop(struct wb_annealing_evaluation *evaluation);

#endif

/* A warp precedence string under change, on the machine: its warp cycle string and makespan, found
 * again after each change of a stretch of places with as little work as possible. */
#ifndef WB_MAKESPAN_ANNEALING_ANNEALING_EVALUATION_H
#define WB_MAKESPAN_ANNEALING_ANNEALING_EVALUATION_H

#include "base/arena.h"
#include "base/status.h"
#include "model/problem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Most warps under other names: more are not looked for, it would take too long. */
#define WB_ANNEALING_MOST_RENAMED 64

/* Where a type, or the issue slots, keep their cycles within the words of a state: for each 64
 * cycles one word of those with a free unit, then `planes` words of a binary counter for each of
 * them, lowest bits first. The counter starts at 2^planes less the units of a cycle, so that taking
 * the last unit carries out of it. So every track is worked on alike, without a branch, 64 cycles
 * at a time. */
struct wb_annealing_track {
  size_t at;       /* its first word */
  uint64_t limits; /* all ones where the carry clears the free cycle; 0: units are never scarce */
};

/* A warp precedence string on the machine, and a change of it under trial. After k places the
 * machine is in a state: per track its cycles, and per warp its last cycle and what it has done.
 * States are kept at every `spacing` places. A block is the places between two of them. Invariant
 * between calls: cycle[k] is where the earliest-cycle rule (wb_precedence_evaluate) places
 * order[k]; kept state b is that after b * spacing places. A canonical string is sorted by cycle,
 * so that places near each other are near in time; where the scheduler is fair between blocks it is
 * sorted by repetition (wb_precedence_sort), canonical ones within each by cycle.
 * Owns all arrays; the problem is not kept. */
struct wb_annealing_evaluation {
  uint32_t warps;
  size_t length;  /* of each warp's string */
  size_t entries; /* warps * length: places */
  struct wb_fair_blocks
      fair;       /* the problem's; with blocks, changes stay in a stretch of one repetition */
  uint64_t bytes; /* of all arrays */
  bool capped;    /* issue slots are a track */
  bool canonical;
  uint8_t *types;  /* of each instruction */
  size_t words;    /* of 64 cycles each, of a track */
  unsigned planes; /* of each track's counters */
  struct wb_annealing_track track[WB_UNIT_COUNT];
  struct wb_annealing_track slots;
  size_t state_words; /* of a state */
  size_t last_at;     /* words of tracks; each warp's last cycle and what it has done follow */
  size_t spacing;     /* places between kept states */
  size_t blocks;
  uint64_t *start;      /* the state after no place */
  uint64_t *now;        /* the state that is replayed or placed on */
  uint64_t *kept;       /* by block: the state before it */
  uint64_t *fresh;      /* the same of the change under trial, where it needs no sorting */
  uint32_t *order;      /* by place: the warp */
  uint32_t *cycle;      /* by place */
  uint32_t *block_peak; /* by block: the largest cycle in it */
  uint32_t *peak;       /* by block: the largest before it */
  uint32_t *tail;       /* by block: the largest from it on */
  uint32_t makespan;    /* the largest of all */
  size_t first;         /* the change under trial: its first place */
  size_t last;          /* its last place */
  size_t end;           /* from here on the old cycles hold again */
  uint32_t *saved;      /* the old warps of first .. last */
  uint32_t *trial;      /* by place: the new cycles of first .. end - 1 */
  uint32_t trial_makespan;
  uint32_t *renamed_from; /* warps whose names change in the rest of the string: the old names */
  uint32_t *renamed_to;   /* the new names */
  uint32_t renamed;       /* how many */
  uint32_t *sorted;       /* working memory: places */
  uint32_t *bucket;       /* working memory: a number for each cycle */
  uint32_t *left;         /* working memory of callers: a number for each warp */
  struct wb_arena arena;  /* of the arrays */
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

/* A warp precedence string under change: its warp cycle string and makespan, found
 * again after each change of a stretch of places with as little work as possible. */
#ifndef WB_MAKESPAN_ANNEALING_ANNEALING_EVALUATION_H
#define WB_MAKESPAN_ANNEALING_ANNEALING_EVALUATION_H

#include "makespan/annealing/annealing_machine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

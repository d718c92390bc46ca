/* A linear program as a solver likes it: its columns divided by what their values are near to, its
 * rows so that their largest entry is about 1, its objective so that what it pays most for a column
 * is some number. All factors are powers of 2, so that nothing is rounded. */
#ifndef WB_LINEAR_SCALED_PROGRAM_H
#define WB_LINEAR_SCALED_PROGRAM_H

#include "base/arena.h"
#include "linear/linear_model.h"

#include <stdbool.h>
#include <stddef.h>

/* arrays: of the scaled program, but for the objective. The model is borrowed, the rest lives in an
 * arena. */
struct wb_scaled_program {
  const struct wb_linear_model *model;
  struct wb_linear_arrays arrays;
  double *row;  /* by row: what it was multiplied by */
  double money; /* what the objective was multiplied by */
};

/* By the logarithm; 1 of what is not above 0. */
double wb_nearest_power_of_two(double number);

/* Whether some columns have values so large that a solver's tolerances are too small for them. */
bool wb_scaled_program_is_needed(const struct wb_linear_model *model);

/* False where memory is out: arena->failed. Linear. */
bool wb_scaled_program_make(struct wb_arena *arena, const struct wb_linear_model *model,
                            struct wb_scaled_program *program);

/* Sets arrays.objective, so that the largest gain of a column, if it is larger, becomes about
 * `largest`; losses beyond 2^10 of that become so large. The program maximises. */
void wb_scaled_program_price(struct wb_scaled_program *program, double largest);

/* The scale of a column: 1 where it is not known. */
static inline double wb_linear_scale(const struct wb_linear_column *column)
{
  return column->scale > 0 ? column->scale : 1;
}

/* Turns prices of the scaled program, by row, into those of the model. */
void wb_scaled_program_read(const struct wb_scaled_program *program, double *prices);

#endif

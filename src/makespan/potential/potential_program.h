/* The linear program whose solution is a potential: its unknowns are values and state offsets, its
 * rows the moves met so far (doc/potentials/potentials.md). */
#ifndef WB_MAKESPAN_POTENTIAL_POTENTIAL_PROGRAM_H
#define WB_MAKESPAN_POTENTIAL_POTENTIAL_PROGRAM_H

#include "base/arena.h"
#include "base/work_control.h"
#include "makespan/potential/potential_proof.h"

#include <Clp_C_Interface.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Numbers of potentials are in units of 1 / this cycles. It is divisible by all numbers to 16, so
 * that the small fractions of which solutions consist are exact. */
#define WB_POTENTIAL_SCALE INT64_C(720720)

/* The program under way, solved through its dual: there rows are columns, the basis is only as
 * large as there are unknowns, and what was an answer stays a start. Its columns are, in this
 * order: the own warp's steps inside runs and exits, the bound, the kinds of steps and of idling by
 * view, the positions by component, the state offsets. Borrows pools, potential and state; owns the
 * rest. */
struct wb_potential_program {
  const struct wb_pools *pools;
  struct wb_potential *potential; /* written by wb_potential_program_take */
  const uint64_t *state;          /* the states that have offsets */
  size_t state_count;             /* of them */
  bool sums; /* a state's offset is a sum of one number for each pool's content,
              * by the own warp's pool; else it is an unknown itself */
  size_t first_of[WB_UNIT_COUNT]; /* with sums: the first column of a pool's numbers */
  size_t *column_of;              /* without: by state, the column of its offset in the first
                                   * component, which those of the others follow; else NULL */
  size_t own_leave;               /* the column of the own warp's first kind of exit */
  size_t bound;                   /* that of the bound */
  size_t view_columns;            /* columns of a view: kinds of steps, in the order of
                                   * wb_potential.kind; then idling, by pool */
  size_t idle;                    /* among those: idling in the first pool */
  size_t first_offset;            /* the column of the first state offset */
  size_t columns;                 /* unknowns in all */
  Clp_Simplex *dual; /* a row for each column, two columns for its limits, one for each row */
  double *value;     /* by column, after a solution */
  uint64_t spent;    /* the simplex method's cost so far: iterations times entries of the matrix */
  uint64_t allowed;  /* most of it; set by the caller */
  int *start; /* rows gathered since the last solution: where each begins in index and element */
  size_t start_capacity;
  size_t rows; /* of them */
  int *index;  /* columns */
  size_t index_capacity;
  double *element; /* coefficients */
  size_t element_capacity;
  size_t elements; /* in index and element */
  double *cost;    /* of each row in the dual: its least sum, negated */
  size_t cost_capacity;
  double *worst;         /* working memory: the largest violation of a link, by kind of step */
  double *lack;          /* working memory: the violation of a link, by position */
  struct wb_arena arena; /* of the arrays */
};

/* The number of unknowns for the state offsets of `states` states. */
size_t wb_potential_program_offsets(const struct wb_pools *pools, unsigned components,
                                    size_t states, bool sums);

/* Makes the program without rows for the start of W warps, the state `begin`, its cost not limited.
 * False: memory is out.
 * Free it, failed or not. */
bool wb_potential_program_start(struct wb_potential_program *program, const struct wb_pools *pools,
                                struct wb_potential *potential, const uint64_t *state,
                                size_t state_count, bool sums, uint64_t begin, uint32_t warps);
void wb_potential_program_free(struct wb_potential_program *program);

/* A trust region: holds the values of positions, and the state offsets that are unknowns, within
 * `width` cycles of those that the potential has now. False: memory is out. */
bool wb_potential_program_hold(struct wb_potential_program *program, double width);

/* Gathers a move as a row of a view. False: memory is out. */
bool wb_potential_program_add(struct wb_potential_program *program, unsigned view, uint64_t from,
                              const struct wb_pool_move *move);

/* Gathers the rows that the last solution violates of those that link the values of kinds of steps
 * and of idling to the positions. (Those of active components are in the program from the
 * beginning.) False: memory is out. */
bool wb_potential_program_link(struct wb_potential_program *program);

/* Adds the gathered rows and solves. *bound, in cycles: the rows so far allow no less. *solved:
 * false where there is no solution, or *stop says why it ended early (WB_STOP_MEMORY: too many
 * iterations, or beyond the cost allowed). In floating point: what is built on it is to be
 * checked. */
void wb_potential_program_solve(struct wb_potential_program *program,
                                const struct wb_control *control, double *bound, bool *solved,
                                enum wb_stop *stop);

/* Makes the potential the last solution, rounded to multiples of 1 / WB_POTENTIAL_SCALE. */
void wb_potential_program_take(struct wb_potential_program *program);

#endif

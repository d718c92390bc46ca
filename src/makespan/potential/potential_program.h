/* The linear program behind a potential: its unknowns are the values and heights, its rows
 * the moves met so far (doc/potentials.md). */
#ifndef WB_MAKESPAN_POTENTIAL_POTENTIAL_PROGRAM_H
#define WB_MAKESPAN_POTENTIAL_POTENTIAL_PROGRAM_H

#include "base/control.h"
#include "linear/dual_program.h"
#include "makespan/potential/potential_pieces.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Values are kept in units of 1 / scale cycle: divisible by all numbers to 16, so that the
 * small fractions that linear programs like are exact. */
#define WB_POTENTIAL_SCALE INT64_C(720720)

/* The program under way. sums: a state's height is the sum of one number for what each pool holds,
 * by the own warp's pool; else it is an unknown itself. first_of[p]: the first column of such
 * numbers of pool p; column_of (or NULL): of each state's first height; those of the other pieces
 * follow either. Rows gathered since the last solution are in start/index/element. Borrows the
 * pools and the potential that take_values writes to; owns the rest. */
struct wb_potential_program {
  const struct wb_pools *pools;
  struct wb_potential *potential;
  const uint64_t *state;
  size_t state_count;
  bool sums;
  size_t first_of[WB_UNIT_COUNT];
  size_t *column_of;
  size_t columns;
  struct wb_dual_program dual;
  int *start;
  size_t start_capacity;
  size_t rows;
  int *index;
  size_t index_capacity;
  double *element;
  size_t element_capacity;
  size_t elements;
  double *low;
  size_t low_capacity;
  double *worst; /* of each kind, while links are looked through */
  double *lack;  /* of each position */
};

/* How many unknowns stand for the heights of `states` states in `pieces` pieces, where they are
 * sums or not. */
size_t wb_potential_program_heights(const struct wb_pools *pools, unsigned pieces, size_t states,
                                    bool sums);

/* Starts the program without rows for W warps from the state `begin`; state[0 .. count-1]: the
 * states that have heights. Errors: false where memory is out. Free it, failed or not. */
bool wb_potential_program_start(struct wb_potential_program *program, const struct wb_pools *pools,
                                struct wb_potential *potential, const uint64_t *state,
                                size_t state_count, bool sums, uint64_t begin, uint32_t warps);
void wb_potential_program_free(struct wb_potential_program *program);

/* Holds the values of positions, and the heights where they are no sums, within `width` cycles of
 * those that the potential has now. False where memory is out. */
bool wb_potential_program_hold(struct wb_potential_program *program, double width);

/* Gathers a move as a row of a piece's view. False where memory is out. */
bool wb_potential_program_add(struct wb_potential_program *program, unsigned view, uint64_t from,
                              const struct wb_pool_move *move);

/* Gathers rows that tie the kinds of steps, and those who idle, to positions: those that the
 * last solution breaks. Only pieces for which others answer lack such rows. False where memory
 * is out. */
bool wb_potential_program_link(struct wb_potential_program *program);

/* Adds the gathered rows and solves; *bound: what the rows so far allow at best. solved: false
 * where they allow nothing. Errors: false where memory is out. */
bool wb_potential_program_solve(struct wb_potential_program *program,
                                const struct wb_control *control, double *bound, bool *solved,
                                enum wb_stop *stop);

/* The program's answer, rounded to multiples of 1 / scale, refreshed. */
void wb_potential_program_take(struct wb_potential_program *program);

#endif

/* Where the instrumented kernel reads the clock: its points, chosen on the thread's control flow of
 * the PTX. */
#ifndef WB_INSTRUMENT_POINTS_POINT_CHOICE_H
#define WB_INSTRUMENT_POINTS_POINT_CHOICE_H

#include "model/code.h"

#include <stddef.h>
#include <stdint.h>

enum wb_point_places {
  WB_POINTS_NONE,   /* start and end alone, and those named */
  WB_POINTS_BLOCKS, /* the entry of each basic block */
  WB_POINTS_LOOPS,  /* the header of each loop */
  WB_POINTS_LINES   /* the entry of each block, and each change of the source line */
};

struct wb_point_options {
  enum wb_point_places places;
  const char *const *named; /* label, FILE:LINE of the source, or a line of the PTX */
  size_t named_count;
};

/* The points of a kernel. Number 0 is its start, number 1 all of its ends; the others lie before
 * instructions. Invariant: instructions ascend. Owned; free with wb_points_free. */
struct wb_points {
  uint32_t *instructions; /* of points 2, 3, ... */
  size_t place_count;     /* points but those two */
  uint32_t *point_at;     /* by instruction: its point, 0: none */
};

#define WB_POINT_START 0
#define WB_POINT_END 1
#define WB_POINT_FIRST_PLACE 2

/* The lines of a point: of its read of the clock, and of the rest of its probe. No source has as
 * many: ptxas 13.0 sees no change between two places that differ in the file alone. */
#define WB_POINT_LINE(point) ((unsigned long)(point) + 1000001)
#define WB_PROBE_LINE(point) ((unsigned long)(point) + 2000001)

/* Called for each instruction that a thread can do right after another; SIZE_MAX once where it can
 * end there: it ends there, or runs into the end of the text. */
typedef void wb_successor_visitor(void *context, size_t instruction);
void wb_ptx_successors(const struct wb_function *function, size_t instruction,
                       wb_successor_visitor *visit, void *context);

/* Whether the thread ends at this instruction, or some threads do: exit or ret. trap and its like
 * end the whole kernel, and are none. */
bool wb_ptx_ends_thread(const struct wb_instruction *instruction);

/* Chooses the points of a defined kernel of PTX; those that no thread can reach are left out.
 * Errors: WARPBOUND_INVALID_INPUT for a branch to a place that the text does not name, and for
 * lines without .loc; WARPBOUND_USAGE for a named place that the kernel does not have. Linear, with
 * named places in the product of their number and the instructions'. */
warpbound_status wb_points_choose(const struct wb_code *code, size_t kernel,
                                  const struct wb_point_options *options, struct wb_points *points,
                                  warpbound_error *error);
void wb_points_free(struct wb_points *points);

#endif

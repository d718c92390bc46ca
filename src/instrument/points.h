/* Where the instrumented kernel reads the clock: its points, chosen on the thread's control flow of
 * the PTX; the transitions from point to point, and the rows in which their times are kept: the
 * instrumentation point graph of Betts and Donaldson, "Estimating the WCET of GPU-accelerated
 * applications using hybrid analysis", ECRTS 2013. */
#ifndef WB_INSTRUMENT_POINTS_H
#define WB_INSTRUMENT_POINTS_H

#include "base/arena.h"
#include "model/code.h"

#include <stdbool.h>
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
 * instructions. Invariant: instructions ascend. The arrays are an arena's. */
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
                                  const struct wb_point_options *options, struct wb_arena *arena,
                                  struct wb_points *points, warpbound_error *error);

/* The rows before those of transitions. */
#define WB_ROW_EMPTY 0 /* two reads of the clock, one after the other */
#define WB_ROW_PROBE 1 /* a probe, between its two reads */
#define WB_ROW_WHOLE 2 /* from start to end, less the probes */
#define WB_ROW_FIRST 3

/* Most rows of a kernel. */
#define WB_ROW_LIMIT (UINT32_C(1) << 20)

/* One transition: threads that passed `from` passed no other point until `to`. */
struct wb_point_transition {
  uint32_t from; /* points */
  uint32_t to;
  uint32_t row;
};

/* The row of a transition is the first row of `to` and the colour of `from`: points that lead to a
 * common one have different colours, so that a probe adds two numbers and no more. Owns
 * transitions: free with wb_point_graph_free; the other arrays are an arena's.
 * Invariants: rows of transitions differ and are from WB_ROW_FIRST to row_count - 1; transitions
 * ascend by from, then in the order in which they were found; first has point_count + 1 items. */
struct wb_point_graph {
  struct wb_point_transition *transitions;
  size_t transition_count;
  size_t *first;       /* by `from`: its first transition */
  uint32_t *colour;    /* by point */
  uint32_t *first_row; /* by point */
  size_t point_count;
  uint32_t row_count; /* some may belong to no transition */
};

/* Errors: WARPBOUND_INVALID_INPUT over a limit, WARPBOUND_INTERNAL; the caller frees the graph,
 * after an error too. At most 2^28 steps. */
warpbound_status wb_point_graph_make(const struct wb_code *code, size_t kernel,
                                     const struct wb_points *points, struct wb_arena *arena,
                                     struct wb_point_graph *graph, warpbound_error *error);
void wb_point_graph_free(struct wb_point_graph *graph);

/* ---- the text ---- */

/* Where the text of a PTX module can be added to: the end of its head, the ends of one kernel's
 * body, and the beginning of each instruction of that. */

/* A part of the text, in bytes. */
struct wb_text_part {
  size_t start;
  size_t length;
};

/* An instruction in the text. */
struct wb_instruction_place {
  size_t start;                 /* of its first token: the '@' of a guard, else the opcode */
  struct wb_text_part guard;    /* the predicate's name; length 0: it has none */
  struct wb_text_part location; /* the .loc that holds for it; length 0: none in the body so far */
  bool guard_negated;
};

/* Invariants: head_end < body_start <= body_end; places has one row for each instruction of the
 * kernel, by ascending start, all in the body; they are an arena's. */
struct wb_kernel_text {
  size_t head_end;      /* after .version, .target and .address_size */
  size_t body_start;    /* after the brace that opens the body */
  size_t body_end;      /* at the brace that closes it */
  uint32_t version;     /* 806 of PTX 8.6 */
  uint32_t target;      /* 75 of sm_75; 0: not known */
  uint32_t file_number; /* the largest of a .file or .loc */
  bool wide;            /* addresses have 64 bits; without .address_size: the module declares
                         * registers of 64 bits */
  struct wb_instruction_place *places;
};

/* Finds the places of a kernel in the text that it was parsed from. Errors: WARPBOUND_INTERNAL.
 * Linear. */
warpbound_status wb_kernel_text_read(const struct wb_code *code, size_t kernel, const char *text,
                                     size_t length, struct wb_arena *arena,
                                     struct wb_kernel_text *places, warpbound_error *error);

/* The number N after the largest of all "warpbound" N "_" in the text, a missing N being 0; or 0
 * where there are none: so that names which begin with it are new. Linear. */
uint64_t wb_free_prefix(const char *text, size_t length);

#endif

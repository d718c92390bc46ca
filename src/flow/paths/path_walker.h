/* The edges of a longest path, one after the other. */
#ifndef WB_FLOW_PATHS_PATH_WALKER_H
#define WB_FLOW_PATHS_PATH_WALKER_H

#include "base/status.h"
#include "flow/paths/longest_path.h"

#include <stddef.h>
#include <stdint.h>

enum wb_path_task_kind {
  WB_PATH_TASK_EDGE,       /* the edge itself */
  WB_PATH_TASK_PASS,       /* a pass of the loop, or of the whole graph, that ends in the edge */
  WB_PATH_TASK_FULL_PASSES /* `count` passes of the loop that end in its back edge */
};

/* A part of the path that is still to be walked. */
struct wb_path_task {
  uint8_t kind;   /* enum wb_path_task_kind */
  uint32_t loop;  /* UINT32_MAX: the whole graph */
  uint32_t edge;  /* of a pass: its last edge */
  uint32_t count; /* of full passes */
};

/* Borrows the question and the answer; owns its stack. */
struct wb_path_walker {
  const struct wb_longest_path_question *question;
  const struct wb_longest_path *path;
  struct wb_path_task *stack; /* the next task on top */
  size_t depth;
  size_t capacity;
};

/* Errors: WARPBOUND_INTERNAL (memory); to be freed also then. */
warpbound_status wb_path_walker_make(struct wb_path_walker *walker,
                                     const struct wb_longest_path_question *question,
                                     const struct wb_longest_path *path, warpbound_error *error);
/* The next edge of the path; UINT32_MAX after the last one. Amortised constant time.
 * Errors: WARPBOUND_INTERNAL (memory). */
warpbound_status wb_path_walker_next(struct wb_path_walker *walker, uint32_t *edge,
                                     warpbound_error *error);
void wb_path_walker_free(struct wb_path_walker *walker);

#endif

/* The threads that fill the layers of the guided search. */
#ifndef WB_MAKESPAN_EXACT_LAYERED_CREW_H
#define WB_MAKESPAN_EXACT_LAYERED_CREW_H

#include "base/control.h"
#include "makespan/exact/layered_states.h"
#include "makespan/exact/state_code.h"
#include "makespan/runs/run_table.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wb_layered_member;

/* What all members share. code: of the states; states: of the search, with layers for `cycle` - 1
 * cycles; goal, phase:
 * what is looked for, and what to call it. stop: not WB_STOP_NONE once the search is to end.
 * first: of the layer expanded; next: the first state that no member has taken; until: behind the
 * last; ticket: the first whose successors are not all in the new layer. lock: held by who reads or
 * writes any of these while members run; called: told when ticket or stop changes. */
struct wb_layered_crew {
  const struct wb_run_table *table;
  const struct wb_control *control;
  const struct wb_state_code *code;
  struct wb_layered_states *states;
  const char *phase;
  uint64_t goal;
  uint64_t cycle;
  uint64_t least_value;
  enum wb_stop stop;
  size_t first;
  size_t next;
  size_t until;
  size_t ticket;
  pthread_mutex_t lock;
  pthread_cond_t called;
  struct wb_layered_member *members;
  unsigned member_count;
};

/* The fields up to goal are given, the rest zero. False: memory is out, and there is nothing to
 * free. */
bool wb_layered_crew_start(struct wb_layered_crew *crew);
void wb_layered_crew_free(struct wb_layered_crew *crew);

/* Makes the next layer, of the successors of the last one's states that may reach the goal,
 * on control->threads threads where the layer is large. Every thread expands states of its
 * own, but they hand the successors over in the order of the states: the layer, down to the order
 * in it and the parents, is what one thread makes. In `stop`: whether it was stopped, the layer
 * unfinished. Beside the states' memory every thread takes about a MiB. */
void wb_layered_crew_fill(struct wb_layered_crew *crew);

#endif

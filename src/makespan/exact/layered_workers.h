/* The threads that fill the layers of the guided search. */
#ifndef WB_MAKESPAN_EXACT_LAYERED_WORKERS_H
#define WB_MAKESPAN_EXACT_LAYERED_WORKERS_H

#include "base/work_control.h"
#include "makespan/exact/layered_states.h"
#include "makespan/exact/state_code.h"
#include "makespan/runs/run_table.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wb_layered_worker;

/* Shared by all workers. The fields from `stop` on are read and written by whoever holds the lock.
 */
struct wb_layered_workers {
  const struct wb_run_table *table;
  const struct wb_control *control;
  const struct wb_state_code *code; /* of the states */
  struct wb_layered_states *states; /* of the search, with layers for `cycle` - 1 cycles */
  const char *phase;                /* the name of the search, for progress */
  uint64_t goal;                    /* cycles: of the schedules that are looked for */
  uint64_t cycle;
  uint64_t least_value; /* successors of a lower table value are left out */
  enum wb_stop stop;    /* not WB_STOP_NONE once the search is to end */
  size_t first;         /* state of the layer that is expanded */
  size_t next;          /* the first state that no worker has taken */
  size_t until;         /* after the last state of the layer */
  size_t ticket;        /* the first state whose successors are not all in the new layer */
  pthread_mutex_t lock;
  pthread_cond_t called;          /* is signalled when ticket or stop changes */
  struct wb_layered_worker *list; /* by thread */
  unsigned count;
};

/* The fields up to goal are given, the rest zero. False: memory is out, and there is nothing to
 * free. */
bool wb_layered_workers_start(struct wb_layered_workers *workers);
void wb_layered_workers_free(struct wb_layered_workers *workers);

/* Makes the next layer, of the successors of the last one's states that may reach the goal,
 * on control->threads threads where the layer is large. Every thread expands states of its
 * own, but they hand the successors over in the order of the states: the layer, down to the order
 * in it and the parents, is what one thread makes. In `stop`: whether it was stopped, the layer
 * unfinished. Beside the states' memory every thread takes about a MiB. */
void wb_layered_workers_fill(struct wb_layered_workers *workers);

#endif

/* The runs of an annealing, shared by its threads: which is next, which still count, the best. */
#ifndef WB_MAKESPAN_ANNEALING_ANNEALING_RUNS_H
#define WB_MAKESPAN_ANNEALING_ANNEALING_RUNS_H

#include "base/work_control.h"
#include "makespan/annealing/annealing_result.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Borrows options, control and the runs, which the result owns. */
struct wb_annealing_runs {
  const struct wb_annealing_options *options; /* with defaults */
  const struct wb_control *control;
  uint64_t upper; /* cycles: no string is longer */
  struct wb_annealing_run *list;
  pthread_mutex_t lock;        /* of the control, best, best_run and failed */
  atomic_uint_fast64_t next;   /* the first run that no thread has taken */
  atomic_uint_fast64_t needed; /* runs from this one on do not count: the one before has reached the
                                * upper end. It only falls */
  atomic_uint_fast64_t done;   /* iterations of all runs */
  atomic_int stop;             /* an enum wb_stop */
  uint64_t best;               /* cycles of the longest string */
  uint64_t best_run;           /* the earliest run that met it */
  bool failed;                 /* memory is out */
};

/* Makes room for the runs, in the result. False: memory is out, and there is nothing to end. */
bool wb_annealing_runs_start(struct wb_annealing_runs *runs,
                             const struct wb_annealing_options *options,
                             const struct wb_control *control, uint64_t upper,
                             struct wb_annealing_result *result);
void wb_annealing_runs_end(struct wb_annealing_runs *runs);

/* Takes the next run, whose initial string's kind is set. False: there is none. */
bool wb_annealing_runs_take(struct wb_annealing_runs *runs, uint64_t *number);

/* The kind of a run's initial string. */
enum wb_annealing_initial wb_annealing_runs_initial(const struct wb_annealing_options *options,
                                                    uint64_t number);

/* The seed of a run. Seeds of runs are far apart, also those of neighbouring seeds. */
uint64_t wb_annealing_runs_seed(const struct wb_annealing_runs *runs, uint64_t number);

/* Whether the run is to go on, after so many iterations since it was asked last. Asks the control
 * unless another thread does at the time: its functions are never called two at a time. */
bool wb_annealing_runs_go_on(struct wb_annealing_runs *runs, uint64_t number, uint64_t iterations);

/* Ends a run; made: false where memory was out. Calls keep, one thread at a time, where its longest
 * string is the best: of equal ones that of the earliest run. */
void wb_annealing_runs_offer(struct wb_annealing_runs *runs, uint64_t number, bool made,
                             void (*keep)(void *context), void *context);

/* Leaves the runs that count, and why it stopped, in the result. */
void wb_annealing_runs_conclude(struct wb_annealing_runs *runs, struct wb_annealing_result *result);

#endif

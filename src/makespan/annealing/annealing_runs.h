/* The runs of a simulated annealing on several threads, of a partition's strings or a whole SM's:
 * which run is next, its falling temperature, which worse strings it takes, the best of all runs.
 */
#ifndef WB_MAKESPAN_ANNEALING_ANNEALING_RUNS_H
#define WB_MAKESPAN_ANNEALING_ANNEALING_RUNS_H

#include "base/random.h"
#include "base/status.h"
#include "base/work_control.h"
#include "makespan/annealing/annealing_result.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wb_annealing_runs;

/* A thread and the run that it is at: the first member of what the thread works on. */
struct wb_annealing_thread {
  struct wb_annealing_runs *runs;
  uint64_t number;              /* of the run */
  struct wb_annealing_run *run; /* counts its iterations, gets its improvements */
  struct wb_random random;
  uint64_t polled_at; /* its iteration of the last poll of the control */
  uint64_t best;      /* cycles of the longest string met */
  bool stopped;       /* the run has ended */
  bool failed;        /* memory is out */
};

/* Borrows the control, and the runs, which the result owns. */
struct wb_annealing_runs {
  struct wb_annealing_options options; /* with defaults */
  const struct wb_control *control;
  uint64_t upper; /* cycles: no string is longer */
  /* Does the thread's run, whose initial string's kind is set. */
  void (*anneal)(struct wb_annealing_thread *thread);
  /* Keeps the longest string of the thread's run; never called by two threads at a time. */
  void (*keep)(struct wb_annealing_thread *thread);
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

/* Makes room for the runs, in the result, which is begun. Errors: WARPBOUND_INTERNAL; then the
 * result is empty, and there is nothing to end. */
warpbound_status wb_annealing_runs_start(struct wb_annealing_runs *runs,
                                         const struct wb_annealing_options *options,
                                         const struct wb_control *control, uint64_t upper,
                                         void (*anneal)(struct wb_annealing_thread *thread),
                                         void (*keep)(struct wb_annealing_thread *thread),
                                         struct wb_annealing_result *result,
                                         warpbound_error *error);

/* The kind of a run's initial string. */
enum wb_annealing_initial wb_annealing_runs_initial(const struct wb_annealing_options *options,
                                                    uint64_t number);

/* The seed of a run. Seeds of runs are far apart, also those of neighbouring seeds. */
uint64_t wb_annealing_runs_seed(const struct wb_annealing_runs *runs, uint64_t number);

/* Does the runs on `count` threads, which begin with a struct wb_annealing_thread and stand `size`
 * bytes apart. Of equally long strings that of the earliest run is kept. The runs that count, and
 * why they stopped, are then in the result. Errors: WARPBOUND_INTERNAL. */
warpbound_status wb_annealing_runs_perform(struct wb_annealing_runs *runs, void *threads,
                                           unsigned count, size_t size,
                                           struct wb_annealing_result *result,
                                           warpbound_error *error);

/* Frees what the runs own; with an error the result becomes empty. Returns the status. */
warpbound_status wb_annealing_runs_end(struct wb_annealing_runs *runs, warpbound_status status,
                                       struct wb_annealing_result *result);

/* Whether the variant is the published one. */
static inline bool wb_annealing_is_published(const struct wb_annealing_thread *thread)
{
  return thread->runs->options.variant == WB_ANNEALING_PUBLISHED;
}

/* Whether to take a string whose makespan is `loss` cycles shorter; published: with probability
 * min(1, T / loss), windowed: exp(-loss / T). */
bool wb_annealing_accepts(struct wb_annealing_thread *thread, uint32_t loss, double temperature);

/* Records a makespan above the best so far as an improvement. */
void wb_annealing_improve(struct wb_annealing_thread *thread, uint64_t makespan);

/* The options' iterations in `rounds` rounds: in each T falls linearly from the options'
 * temperature to 0. Calls `restart` before each round but the first, and `step` for each iteration,
 * until the run is stopped. entries: places of a string, which sets how often the control is
 * polled. */
void wb_annealing_cool(struct wb_annealing_thread *thread, size_t entries, uint64_t rounds,
                       void (*restart)(struct wb_annealing_thread *thread),
                       void (*step)(struct wb_annealing_thread *thread, double temperature));

#endif

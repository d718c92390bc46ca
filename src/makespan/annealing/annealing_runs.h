/* What annealing a partition's strings and a whole SM's have in common: the options and the result,
 * the runs on several threads (which one is next, its falling temperature, which worse strings it
 * takes, the best of all), and the neighbourhoods, changes of a warp precedence string. */
#ifndef WB_MAKESPAN_ANNEALING_ANNEALING_RUNS_H
#define WB_MAKESPAN_ANNEALING_ANNEALING_RUNS_H

#include "base/random.h"
#include "base/status.h"
#include "base/work_control.h"
#include "makespan/annealing/annealing_evaluation.h"
#include "makespan/machine/schedule.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* published: any two places of the string change their warps; worse strings are taken
 * with probability min(1, T / (m - m')). windowed (ours): changes within windows of the
 * string sorted by cycle, taken with min(1, exp((m' - m) / T)), and restarts. Where the
 * scheduler is fair between blocks both change places of one repetition only, and the windowed
 * one sorts each repetition by itself and does not restart. */
enum wb_annealing_variant { WB_ANNEALING_WINDOWED, WB_ANNEALING_PUBLISHED };

/* Where a run begins; ALL: run r with the (r mod 4)th. */
enum wb_annealing_initial {
  WB_ANNEALING_ROUND_ROBIN,
  WB_ANNEALING_FIXED_PRIORITY,
  WB_ANNEALING_MOST_PENDING,
  WB_ANNEALING_RANDOM,
  WB_ANNEALING_ALL
};

#define WB_ANNEALING_ITERATIONS UINT64_C(2000000)
#define WB_ANNEALING_RUNS 8u
#define WB_ANNEALING_TEMPERATURE 0.3
#define WB_ANNEALING_RUN_LIMIT 4096u

/* A zeroed struct means the defaults. */
struct wb_annealing_options {
  enum wb_annealing_variant variant;
  enum wb_annealing_initial initial;
  uint64_t iterations; /* of each run; 0: WB_ANNEALING_ITERATIONS */
  uint32_t runs;       /* 0: WB_ANNEALING_RUNS */
  /* T0, in cycles, above 0; it falls linearly to 0. 0: WB_ANNEALING_TEMPERATURE */
  double temperature;
  uint64_t seed;
  uint64_t guide_memory; /* most bytes of the table that says where the windowed variant may begin
                            anew; without it that is anywhere */
};

/* An improvement of a run. */
struct wb_annealing_improvement {
  uint64_t iteration; /* of the run; 0: its initial string */
  uint64_t makespan;  /* in cycles, more than ever before in the run */
  double seconds;     /* since the annealing began */
};

/* A run. */
struct wb_annealing_run {
  enum wb_annealing_initial initial;
  uint64_t iterations;                           /* done */
  struct wb_annealing_improvement *improvements; /* in order */
  size_t count;                                  /* of them */
  size_t capacity;
};

/* The outcome. Free with wb_annealing_result_free. */
struct wb_annealing_result {
  enum wb_annealing_variant variant;
  uint64_t iterations; /* asked of each run */
  double temperature;
  struct wb_annealing_run *runs; /* those that count */
  size_t run_count;
  struct wb_schedule witness; /* the longest schedule, of the earliest run that found it; empty
                                 where there was no time for any */
  enum wb_stop stop;          /* why the annealing ended early */
  uint64_t bytes;             /* of one run */
};

/* "published", "windowed". */
const char *wb_annealing_variant_name(enum wb_annealing_variant variant);
/* "round-robin", ..., "all". */
const char *wb_annealing_initial_name(enum wb_annealing_initial initial);

void wb_annealing_result_free(struct wb_annealing_result *result);

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

/* A number from 0 to bound - 1 without a division; bound > 0, at most 2^32. */
static inline uint64_t wb_annealing_below(struct wb_random *random, uint64_t bound)
{
  return (wb_random_next(random) >> 32) * bound >> 32;
}

/* Swaps the warps of two places. */
void wb_annealing_swap(uint32_t *order, size_t a, size_t b);

/* Moves the warp at one end of the window first..last to the other. */
void wb_annealing_rotate(uint32_t *order, size_t first, size_t last, bool to_end);

/* Warps first..end-1 whose bit, of their number modulo 64, is set. */
struct wb_annealing_group {
  uint32_t first;
  uint32_t end;
  uint64_t bits;
};

/* Makes of a window that holds `saved`: the group's warps before or after the others; both keep
 * their order. */
void wb_annealing_part(uint32_t *order, const uint32_t *saved, size_t count,
                       const struct wb_annealing_group *group, bool to_end);

/* The published neighbour (ETFA 2013): two places, any two, change their warps. Here and below,
 * of one repetition where the scheduler is fair between blocks. */
void wb_annealing_swap_any(struct wb_annealing_evaluation *evaluation, struct wb_random *random);

/* A neighbour within a window of a canonical string, from place `floor` on: two warps
 * swapped, one moved, or the window's warps of a random group (one warp, all but one, or
 * several) served before the others. Windows are of every order of magnitude. Needs two
 * places from `floor` on. The floor is 0 where the scheduler is fair between
 * blocks. */
void wb_annealing_change_window(struct wb_annealing_evaluation *evaluation, size_t floor,
                                struct wb_random *random);

/* The places in random order. */
void wb_annealing_shuffle(struct wb_annealing_evaluation *evaluation, struct wb_random *random);
/* Not where the scheduler is fair between blocks: from place `floor` on, each warp in turn, as
 * often as it stands there. */
void wb_annealing_serve_in_turn(struct wb_annealing_evaluation *evaluation, size_t floor);

#endif

/* Portfolios of beams: beams under many estimates, the best of which are changed at random and
 * tried again, in ever wider beams. What an estimate and a beam are is the caller's part. */
#ifndef WB_MAKESPAN_BEAM_PORTFOLIO_H
#define WB_MAKESPAN_BEAM_PORTFOLIO_H

#include "base/random.h"
#include "base/work_control.h"
#include "makespan/machine/schedule.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Beams of a generation: a fixed number, so that nothing depends on the threads. */
#define WB_PORTFOLIO_GENERATION 8

struct wb_beam_options {
  size_t width;         /* states kept of a cycle, 1 or more */
  size_t branch;        /* about how many moves of a state are tried, 1 or more */
  uint64_t longer_than; /* cycles: only a longer schedule is made */
  uint64_t steps;  /* moves tried and positions looked at after which to give up; 0: no limit */
  uint64_t memory; /* most bytes */
  uint64_t seed;   /* of random preferences, where the beam has them */
};

/* The steps that a beam may take. */
struct wb_beam_budget {
  const struct wb_control *control;
  uint64_t most;     /* steps; 0: no limit */
  uint64_t steps;    /* taken: moves tried, positions looked at */
  uint64_t polled;   /* steps when the control was asked last */
  enum wb_stop stop; /* what the control said */
  bool out_of_steps; /* more than `most` were taken */
};

/* Counts steps, and says whether to go on. */
bool wb_beam_goes_on(struct wb_beam_budget *budget, uint64_t steps);

/* The outcome of a beam. Free the witness with wb_schedule_free. */
struct wb_beam_result {
  uint64_t longest;           /* cycles of the longest schedule found; 0: none was finished */
  struct wb_schedule witness; /* that schedule, where it is longer than asked, else empty */
  bool complete;     /* no state and no move was left out: no other width or estimate finds more */
  enum wb_stop stop; /* why the search ended early */
  bool out_of_steps; /* because of options.steps */
  uint64_t steps;    /* taken */
  uint64_t states;   /* kept in all */
  uint64_t bytes;    /* most held at a time */
};

struct wb_portfolio_options {
  uint64_t lower; /* cycles: only longer schedules count */
  uint64_t upper; /* cycles: nothing is longer */
  uint64_t steps; /* of all beams after which to end; 0: none, then the control must have a limit */
};

/* The outcome. Free the witness with wb_schedule_free. */
struct wb_portfolio_result {
  uint64_t longest; /* cycles of the witness; options.lower where there is none */
  struct wb_schedule witness;
  bool complete; /* a beam has left nothing out */
  /* why it ended, WB_STOP_NONE: its steps are used up, or the upper end is reached */
  enum wb_stop stop;
  uint64_t beams;  /* that were run */
  uint64_t states; /* of all beams */
  uint64_t peak;   /* most states of a cycle in a generation */
  uint64_t steps;  /* of all beams */
  uint64_t bytes;  /* most of a generation, all its beams at a time */
};

/* The caller's part. A job is one of the WB_PORTFOLIO_GENERATION beams, each of which has an
 * estimate of its own; the functions get the context of struct wb_portfolio. */
struct wb_portfolio_kind {
  const char *name;  /* for the control */
  size_t most_width; /* of a beam */
  /* The moves of a state that are tried are half the width, within these. */
  size_t least_branch;
  size_t most_branch;
  unsigned returning;     /* first estimates that are tried again in wider beams */
  uint64_t steps_of_beam; /* the cost of making a beam, in its steps */
  bool seeded;            /* beams have random preferences */
  /* Runs the job's beam; several jobs at a time, in threads of their own. */
  warpbound_status (*run)(void *context, unsigned job, const struct wb_beam_options *options,
                          struct wb_beam_result *result, warpbound_error *error);
  /* The next of the first estimates, for a job. */
  void (*begin)(void *context, unsigned job);
  /* A job's estimate becomes that of another; WB_PORTFOLIO_GENERATION: the best one. */
  void (*copy)(void *context, unsigned to, unsigned from);
  void (*change)(void *context, unsigned job, struct wb_random *random);
};

/* A portfolio at its start: jobs have their first estimates, result is set to zero. */
struct wb_portfolio {
  const struct wb_portfolio_kind *kind;
  void *context;
  const struct wb_portfolio_options *options;
  const struct wb_control *control;
  struct wb_portfolio_result *result;
  struct wb_random random;
  size_t width; /* of the first beams */
};

/* Runs generation after generation: beams under the first estimates, then under random changes of
 * the best one, which is replaced by what is not worse; where that stops paying, beams of twice the
 * width. Deterministic, whatever the number of threads, without a time limit, where the beams are.
 * Errors: WARPBOUND_INTERNAL, with an empty witness. */
warpbound_status wb_portfolio_run(struct wb_portfolio *portfolio, warpbound_error *error);

#endif

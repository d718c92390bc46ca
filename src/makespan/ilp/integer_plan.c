#include "makespan/ilp/integer_plan.h"

#include "base/checked.h"

/* The longest name without its numbers, "conserve_w_i_t", and its end. */
#define NAME_BYTES 15

static const char *const form_names[WB_INTEGER_FORM_COUNT] = {"short", "long", "long-corrected"};

const char *wb_integer_form_name(enum wb_integer_form form)
{
  return form_names[form];
}

bool wb_integer_is_limited(const struct wb_problem *problem, enum wb_unit unit)
{
  return problem->capacity[unit] < problem->warps;
}

bool wb_integer_is_counted(const struct wb_problem *problem, enum wb_unit unit)
{
  return problem->string.count[unit] > 0 &&
         (wb_integer_is_limited(problem, unit) || wb_problem_capped(problem));
}

/* Sums and products that stick at UINT64_MAX. */
static uint64_t plus(uint64_t a, uint64_t b)
{
  uint64_t sum;
  return wb_add(a, b, &sum) ? sum : UINT64_MAX;
}

static uint64_t times(uint64_t a, uint64_t b)
{
  uint64_t product;
  return wb_multiply(a, b, &product) ? product : UINT64_MAX;
}

/* The numbers that all sizes come from. */
struct measure {
  uint64_t warps, length, horizon, cycles; /* cycles: in which one instruction may issue */
  uint64_t starts;                         /* one a warp, instruction and such cycle */
  uint64_t waits;                          /* the same without the last of the cycles */
  uint64_t waited; /* entries of the sums over the cycles up to each, for all waits, once */
  uint64_t counted, limited, counted_starts;
  bool capped;
};

static struct measure measure_of(const struct wb_problem *problem, uint32_t horizon)
{
  struct measure measure = {.warps = problem->warps,
                            .length = problem->string.length,
                            .horizon = horizon,
                            .cycles = horizon - problem->string.length + 1,
                            .capped = wb_problem_capped(problem)};
  uint64_t lines = times(measure.warps, measure.length);
  measure.starts = times(lines, measure.cycles);
  measure.waits = times(lines, measure.cycles - 1);
  measure.waited = times(measure.waits, measure.cycles); /* twice 1 + 2 + .. + (cycles - 1) */
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    uint64_t count = problem->string.count[u];
    if (!wb_integer_is_counted(problem, (enum wb_unit)u))
      continue;
    measure.counted++;
    measure.limited += wb_integer_is_limited(problem, (enum wb_unit)u);
    measure.counted_starts =
        plus(measure.counted_starts, times(times(measure.warps, count), measure.cycles));
  }
  return measure;
}

static uint64_t digits_of(uint64_t number)
{
  return number < 10 ? 1 : 1 + digits_of(number / 10);
}

void wb_integer_plan_make(const struct wb_problem *problem, enum wb_integer_form form,
                          uint32_t horizon, struct wb_integer_plan *plan)
{
  *plan = (struct wb_integer_plan){
      .form = form, .horizon = horizon, .slack = horizon - (uint32_t)problem->string.length};
  struct measure measure = measure_of(problem, horizon);
  uint64_t lines = times(measure.warps, measure.length);
  uint64_t ordered = measure.warps > 2 ? measure.warps - 2 : 0;
  uint64_t counts = times(measure.counted, measure.horizon);
  uint64_t slots = measure.capped ? measure.horizon : 0;
  plan->size.columns = plus(measure.starts, plus(counts, slots));
  plan->size.rows = plus(plus(lines, measure.waits), plus(ordered, plus(counts, times(2, slots))));
  plan->size.entries = plus(measure.starts, measure.waited);
  plan->size.entries = plus(plan->size.entries, times(ordered, times(2, measure.cycles)));
  plan->size.entries = plus(plan->size.entries, plus(counts, measure.counted_starts));
  plan->size.entries = plus(plan->size.entries, times(times(2, slots), measure.counted + 1));
  if (form == WB_INTEGER_SHORT) {
    plan->size.rows = plus(plan->size.rows, measure.waits);
    plan->size.entries = plus(plan->size.entries, plus(measure.waited, times(2, measure.waits)));
  } else {
    bool corrected = form == WB_INTEGER_LONG_CORRECTED;
    uint64_t full = times(measure.limited, measure.horizon);
    uint64_t runs = times(measure.warps, measure.horizon);
    uint64_t truths = corrected ? runs : 0;
    plan->size.columns =
        plus(plan->size.columns, plus(full, plus(measure.waits, plus(runs, truths))));
    plan->size.rows = plus(plan->size.rows, plus(times(2, full), plus(measure.waits, runs)));
    plan->size.rows = plus(plan->size.rows, corrected ? times(2, truths) : measure.waits);
    uint64_t finished = times(measure.warps, times(measure.cycles, measure.cycles));
    plan->size.entries = plus(plan->size.entries,
                              plus(times(4, full), plus(measure.waited, times(3, measure.waits))));
    plan->size.entries = plus(plan->size.entries, plus(runs, plus(measure.starts, finished)));
    plan->size.entries = plus(plan->size.entries, plus(times(2, measure.waits), times(4, truths)));
  }
  uint64_t longest = NAME_BYTES + digits_of(measure.warps) + digits_of(measure.length) +
                     digits_of(measure.horizon);
  plan->size.name_bytes = times(plus(plan->size.columns, plan->size.rows), longest);
  plan->bytes = wb_linear_bytes(&plan->size);
}

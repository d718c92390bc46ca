#include "makespan/ilp/integer_program.h"

#include "base/checked.h"
#include "base/file.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* ---- the plan ---- */

/* The longest name without its numbers, "conserve_w_i_t", and its end. */
#define NAME_BYTES 15

static const char *const form_names[WB_INTEGER_FORM_COUNT] = {"short", "long", "long-corrected"};

const char *wb_integer_form_name(enum wb_integer_form form)
{
  return form_names[form];
}

/* Whether W warps can ever take all units of a type, so that one of them waits for it. */
static bool is_limited(const struct wb_problem *problem, enum wb_unit unit)
{
  return problem->capacity[unit] < problem->warps;
}

/* Whether the program counts the instructions of a type in each cycle. */
static bool is_counted(const struct wb_problem *problem, enum wb_unit unit)
{
  return problem->string.count[unit] > 0 &&
         (is_limited(problem, unit) || wb_problem_capped(problem));
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
  bool capped = wb_problem_capped(problem);
  uint64_t cycles = (uint64_t)plan->slack + 1; /* in which one instruction may issue */
  uint64_t warps = problem->warps;
  uint64_t lines = wb_times(warps, problem->string.length);
  uint64_t starts = wb_times(lines, cycles);
  uint64_t waits = wb_times(lines, cycles - 1); /* the same without the last of the cycles */
  /* Entries of the sums over the cycles up to each, for all waits: twice 1 + 2 + .. + cycles - 1.
   */
  uint64_t waited = wb_times(waits, cycles);
  uint64_t counted = 0, limited = 0, counted_starts = 0;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    if (!is_counted(problem, (enum wb_unit)u))
      continue;
    counted++;
    limited += is_limited(problem, (enum wb_unit)u);
    counted_starts =
        wb_plus(counted_starts, wb_times(wb_times(warps, problem->string.count[u]), cycles));
  }
  uint64_t ordered = warps > 2 ? warps - 2 : 0;
  uint64_t counts = wb_times(counted, horizon);
  uint64_t slots = capped ? horizon : 0;
  plan->size.columns = wb_plus(starts, wb_plus(counts, slots));
  plan->size.rows =
      wb_plus(wb_plus(lines, waits), wb_plus(ordered, wb_plus(counts, wb_times(2, slots))));
  plan->size.entries = wb_plus(starts, waited);
  plan->size.entries = wb_plus(plan->size.entries, wb_times(ordered, wb_times(2, cycles)));
  plan->size.entries = wb_plus(plan->size.entries, wb_plus(counts, counted_starts));
  plan->size.entries = wb_plus(plan->size.entries, wb_times(wb_times(2, slots), counted + 1));
  if (form == WB_INTEGER_SHORT) {
    plan->size.rows = wb_plus(plan->size.rows, waits);
    plan->size.entries = wb_plus(plan->size.entries, wb_plus(waited, wb_times(2, waits)));
  } else {
    bool corrected = form == WB_INTEGER_LONG_CORRECTED;
    uint64_t full = wb_times(limited, horizon);
    uint64_t runs = wb_times(warps, horizon);
    uint64_t truths = corrected ? runs : 0;
    plan->size.columns =
        wb_plus(plan->size.columns, wb_plus(full, wb_plus(waits, wb_plus(runs, truths))));
    plan->size.rows = wb_plus(plan->size.rows, wb_plus(wb_times(2, full), wb_plus(waits, runs)));
    plan->size.rows = wb_plus(plan->size.rows, corrected ? wb_times(2, truths) : waits);
    uint64_t finished = wb_times(warps, wb_times(cycles, cycles));
    plan->size.entries = wb_plus(plan->size.entries,
                                 wb_plus(wb_times(4, full), wb_plus(waited, wb_times(3, waits))));
    plan->size.entries = wb_plus(plan->size.entries, wb_plus(runs, wb_plus(starts, finished)));
    plan->size.entries =
        wb_plus(plan->size.entries, wb_plus(wb_times(2, waits), wb_times(4, truths)));
  }
  uint64_t longest =
      NAME_BYTES + digits_of(warps) + digits_of(problem->string.length) + digits_of(horizon);
  plan->size.name_bytes = wb_times(wb_plus(plan->size.columns, plan->size.rows), longest);
  plan->bytes = wb_linear_bytes(&plan->size);
}

/* ---- building ---- */

/* A program being built. Warps, instructions (w, i) and lateness k count from 0 here and from
 * 1 in names; instruction i that is k cycles late issues in cycle i + k, counted from 0, for
 * no warp can do it sooner, nor later than `slack` if the string is to end in time.
 * The first columns of each kind; the truth values of a cycle are laid out as used is. */
struct build {
  const struct wb_problem *problem;
  struct wb_linear_model *model;
  const uint8_t *types;
  size_t warps, length, horizon, cycles;
  size_t truths; /* cycles in which some instruction may be held: not the last, nor where none can
                  * be late */
  bool capped;
  uint32_t used[WB_UNIT_COUNT];
  uint32_t full[WB_UNIT_COUNT];
  uint32_t slots, held, runs, truth;
};

static uint32_t start_of(const struct build *build, size_t w, size_t i, size_t k)
{
  return (uint32_t)((w * build->length + i) * build->cycles + k);
}

static uint32_t held_of(const struct build *build, size_t w, size_t i, size_t k)
{
  return build->held + (uint32_t)((w * build->length + i) * (build->cycles - 1) + k);
}

/* The most of a type that can issue in a cycle. */
static double most_of(const struct build *build, enum wb_unit unit)
{
  return (double)wb_minimum(build->problem->capacity[unit], build->warps);
}

/* Adds `value` times "instruction i of warp w has issued, at most `late` cycles late". */
static void add_issued(struct build *build, size_t w, size_t i, size_t late, double value)
{
  for (size_t k = 0; k <= late; k++)
    wb_linear_add_entry(build->model, start_of(build, w, i, k), value);
}

/* used: the instructions of a type in a cycle; the column's bound is the capacity. */
static void add_count(struct build *build, enum wb_unit unit, size_t t)
{
  wb_linear_add_row(build->model, 0, 0, "count_%c_t%zu", wb_unit_letter(unit), t + 1);
  wb_linear_add_entry(build->model, build->used[unit] + (uint32_t)t, -1);
  for (size_t w = 0; w < build->warps; w++) {
    for (size_t i = 0; i < build->length && i <= t; i++) {
      if (build->types[i] == unit && t - i < build->cycles)
        wb_linear_add_entry(build->model, start_of(build, w, i, t - i), 1);
    }
  }
}

/* Adds `value` times "instruction i is what warp w waits for when the cycle ends in which i
 * would be k late" (issued: k + 1), or "... when it begins" (issued: k): the one before has
 * issued, this one has not. Returns the constant that belongs on the row's other side. */
static double add_waiting(struct build *build, size_t w, size_t i, size_t k, size_t issued,
                          double value)
{
  if (i > 0)
    add_issued(build, w, i - 1, k, value);
  if (issued > 0)
    add_issued(build, w, i, issued - 1, -value);
  return i == 0 ? value : 0;
}

/* Short form: if the warp still waits when the cycle ends, all units of the type are busy,
 * or all issue slots taken: used >= most (waiting - slots). A type whose units cannot all be
 * busy lets no warp wait but for issue slots. */
static void add_short(struct build *build, size_t w, size_t i, size_t k)
{
  enum wb_unit unit = (enum wb_unit)build->types[i];
  bool busy = is_limited(build->problem, unit);
  double most = busy ? most_of(build, unit) : 1;
  double side = i == 0 ? most : 0;
  uint32_t t = (uint32_t)(i + k);
  wb_linear_add_row(build->model, side, INFINITY, "conserve_w%zu_i%zu_t%zu", w + 1, i + 1,
                    i + k + 1);
  add_waiting(build, w, i, k, k + 1, -most);
  if (busy)
    wb_linear_add_entry(build->model, build->used[unit] + t, 1);
  if (build->capped)
    wb_linear_add_entry(build->model, build->slots + t, most);
}

/* ---- the long forms ---- */

/* Equation 27 for an instruction: held may be 1 only if the instruction is not the warp's
 * next when the cycle begins, or its type is full, or all slots are taken. */
static void add_held(struct build *build, size_t w, size_t i, size_t k)
{
  enum wb_unit unit = (enum wb_unit)build->types[i];
  uint32_t t = (uint32_t)(i + k);
  wb_linear_add_row(build->model, -INFINITY, i == 0 ? 0 : 1, "hold_w%zu_i%zu_t%zu", w + 1, i + 1,
                    i + k + 1);
  wb_linear_add_entry(build->model, held_of(build, w, i, k), 1);
  add_waiting(build, w, i, k, k, 1);
  if (is_limited(build->problem, unit))
    wb_linear_add_entry(build->model, build->full[unit] + t, -1);
  if (build->capped)
    wb_linear_add_entry(build->model, build->slots + t, -1);
}

/* One side of theorem 3 for the m instructions that may be held in the cycle, times 2 m and
 * m: with s the sum of their held, 0 <= s + m runs - m z, and
 * s + m runs - 2 m z <= m - 1. The latter is the strict s + m runs - m < 2 m z, for
 * whole numbers. */
static void add_theorem_side(struct build *build, size_t w, size_t t, bool strict)
{
  double inputs = 0;
  size_t row = build->model->row_count;
  if (strict)
    wb_linear_add_row(build->model, -INFINITY, 0, "or_w%zu_t%zu", w + 1, t + 1);
  else
    wb_linear_add_row(build->model, 0, INFINITY, "and_w%zu_t%zu", w + 1, t + 1);
  for (size_t i = 0; i < build->length && i <= t; i++) {
    if (t - i + 1 >= build->cycles)
      continue;
    wb_linear_add_entry(build->model, held_of(build, w, i, t - i), 1);
    inputs++;
  }
  wb_linear_add_entry(build->model, build->runs + (uint32_t)(w * build->horizon + t), inputs);
  wb_linear_add_entry(build->model, build->truth + (uint32_t)(w * build->truths + t),
                      strict ? -2 * inputs : -inputs);
  if (strict && !build->model->failed)
    build->model->rows[row].upper = inputs - 1;
}

static void add_columns(struct build *build, enum wb_integer_form form)
{
  for (size_t w = 0; w < build->warps; w++) {
    for (size_t i = 0; i < build->length; i++) {
      for (size_t k = 0; k < build->cycles; k++)
        wb_linear_add_column(build->model, 0, 1, true, "x_w%zu_i%zu_t%zu", w + 1, i + 1, i + k + 1);
    }
  }
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    build->used[u] = (uint32_t)build->model->column_count;
    bool wanted = is_counted(build->problem, (enum wb_unit)u);
    for (size_t t = 0; wanted && t < build->horizon; t++)
      wb_linear_add_column(build->model, 0, most_of(build, (enum wb_unit)u), true, "used_%c_t%zu",
                           wb_unit_letter((enum wb_unit)u), t + 1);
  }
  build->slots = (uint32_t)build->model->column_count;
  for (size_t t = 0; build->capped && t < build->horizon; t++)
    wb_linear_add_column(build->model, 0, 1, true, "slots_t%zu", t + 1);
  if (form == WB_INTEGER_SHORT)
    return;
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    build->full[u] = (uint32_t)build->model->column_count;
    bool wanted =
        build->problem->string.count[u] > 0 && is_limited(build->problem, (enum wb_unit)u);
    for (size_t t = 0; wanted && t < build->horizon; t++)
      wb_linear_add_column(build->model, 0, 1, true, "full_%c_t%zu",
                           wb_unit_letter((enum wb_unit)u), t + 1);
  }
  build->held = (uint32_t)build->model->column_count;
  for (size_t w = 0; w < build->warps; w++) {
    for (size_t i = 0; i < build->length; i++) {
      for (size_t k = 0; k + 1 < build->cycles; k++)
        wb_linear_add_column(build->model, 0, 1, true, "held_w%zu_i%zu_t%zu", w + 1, i + 1,
                             i + k + 1);
    }
  }
  build->runs = (uint32_t)build->model->column_count;
  for (size_t w = 0; w < build->warps; w++) {
    for (size_t t = 0; t < build->horizon; t++)
      wb_linear_add_column(build->model, 0, 1, true, "runs_w%zu_t%zu", w + 1, t + 1);
  }
  /* That TL or E must be 1 is said by their bounds. */
  build->truth = (uint32_t)build->model->column_count;
  for (size_t w = 0; form == WB_INTEGER_LONG_CORRECTED && w < build->warps; w++) {
    for (size_t t = 0; t < build->truths; t++)
      wb_linear_add_column(build->model, 1, 1, true, "z_w%zu_t%zu", w + 1, t + 1);
  }
}

static void add_long_form(struct build *build, bool corrected)
{
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    bool wanted =
        build->problem->string.count[u] > 0 && is_limited(build->problem, (enum wb_unit)u);
    char letter = wb_unit_letter((enum wb_unit)u);
    double most = most_of(build, (enum wb_unit)u);
    for (size_t t = 0; wanted && t < build->horizon; t++) {
      /* Equation 27 for a type: full is 1 just if all its units are busy,
       * most full <= used <= most - 1 + full. */
      uint32_t used = build->used[u] + (uint32_t)t, full = build->full[u] + (uint32_t)t;
      wb_linear_add_row(build->model, 0, INFINITY, "busy_%c_t%zu", letter, t + 1);
      wb_linear_add_entry(build->model, used, 1);
      wb_linear_add_entry(build->model, full, -most);
      wb_linear_add_row(build->model, -INFINITY, most - 1, "free_%c_t%zu", letter, t + 1);
      wb_linear_add_entry(build->model, used, 1);
      wb_linear_add_entry(build->model, full, -1);
    }
  }
  for (size_t w = 0; w < build->warps; w++) {
    for (size_t t = 0; t < build->horizon; t++) {
      /* E: the warp issues in this cycle, or has finished before it. */
      size_t last = build->length - 1;
      wb_linear_add_row(build->model, 0, 0, "run_w%zu_t%zu", w + 1, t + 1);
      wb_linear_add_entry(build->model, build->runs + (uint32_t)(w * build->horizon + t), -1);
      for (size_t i = 0; i < build->length && i <= t; i++) {
        if (t - i < build->cycles)
          wb_linear_add_entry(build->model, start_of(build, w, i, t - i), 1);
      }
      if (t > last)
        add_issued(build, w, last, wb_minimum(t - last, build->cycles) - 1, 1);
    }
    for (size_t i = 0; i < build->length; i++) {
      for (size_t k = 0; k + 1 < build->cycles; k++) {
        add_held(build, w, i, k);
        if (!corrected) {
          /* Long form: TL or E is 1, an instruction at a time. */
          wb_linear_add_row(build->model, 1, INFINITY, "tl_or_e_w%zu_i%zu_t%zu", w + 1, i + 1,
                            i + k + 1);
          wb_linear_add_entry(build->model, held_of(build, w, i, k), 1);
          wb_linear_add_entry(build->model, build->runs + (uint32_t)(w * build->horizon + i + k),
                              1);
        }
      }
    }
    if (corrected) {
      /* Where no instruction can be held the and of nothing is true. */
      for (size_t t = 0; t < build->truths; t++) {
        add_theorem_side(build, w, t, false);
        add_theorem_side(build, w, t, true);
      }
    }
  }
}

static void build_all(struct build *build, enum wb_integer_form form)
{
  add_columns(build, form);
  /* Warp W is the one that finishes last: warps are identical. */
  build->model->maximise = true;
  for (size_t k = 0; k < build->cycles && !build->model->failed; k++)
    build->model->columns[start_of(build, build->warps - 1, build->length - 1, k)].objective =
        (double)(build->length + k);
  for (size_t w = 0; w < build->warps; w++) {
    for (size_t i = 0; i < build->length; i++) {
      /* Each instruction issues in one cycle. */
      wb_linear_add_row(build->model, 1, 1, "once_w%zu_i%zu", w + 1, i + 1);
      add_issued(build, w, i, build->cycles - 1, 1);
      /* Instruction i issues after the one before it: it is no less late. */
      for (size_t k = 0; i > 0 && k + 1 < build->cycles; k++) {
        wb_linear_add_row(build->model, 0, INFINITY, "after_w%zu_i%zu_t%zu", w + 1, i + 1,
                          i + k + 1);
        add_issued(build, w, i - 1, k, 1);
        add_issued(build, w, i, k, -1);
      }
    }
  }
  /* The warps but the last are named in the order in which they begin. */
  for (size_t w = 0; w + 2 < build->warps; w++) {
    wb_linear_add_row(build->model, 0, INFINITY, "order_w%zu", w + 1);
    for (size_t k = 1; k < build->cycles; k++) {
      wb_linear_add_entry(build->model, start_of(build, w, 0, k), -(double)k);
      wb_linear_add_entry(build->model, start_of(build, w + 1, 0, k), (double)k);
    }
  }
  for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
    bool wanted = is_counted(build->problem, (enum wb_unit)u);
    for (size_t t = 0; wanted && t < build->horizon; t++)
      add_count(build, (enum wb_unit)u, t);
  }
  for (size_t t = 0; build->capped && t < build->horizon; t++) {
    /* slots is 1 just if all issue slots of the cycle are taken, of which there are `most`:
     * most slots <= issued <= most - 1 + slots. */
    double most = build->problem->issue_slots;
    for (int side = 0; side < 2; side++) {
      if (side == 0)
        wb_linear_add_row(build->model, 0, INFINITY, "taken_t%zu", t + 1);
      else
        wb_linear_add_row(build->model, -INFINITY, most - 1, "cap_t%zu", t + 1);
      for (unsigned u = 0; u < WB_UNIT_COUNT; u++) {
        if (is_counted(build->problem, (enum wb_unit)u))
          wb_linear_add_entry(build->model, build->used[u] + (uint32_t)t, 1);
      }
      wb_linear_add_entry(build->model, build->slots + (uint32_t)t, side == 0 ? -most : -1);
    }
  }
  if (form == WB_INTEGER_SHORT) {
    for (size_t w = 0; w < build->warps; w++) {
      for (size_t i = 0; i < build->length; i++) {
        for (size_t k = 0; k + 1 < build->cycles; k++)
          add_short(build, w, i, k);
      }
    }
  } else
    add_long_form(build, form == WB_INTEGER_LONG_CORRECTED);
}

warpbound_status wb_integer_program_build(const struct wb_problem *problem,
                                          const struct wb_integer_plan *plan,
                                          struct wb_linear_model *model, warpbound_error *error)
{
  *model = (struct wb_linear_model){0};
  warpbound_status status = wb_linear_reserve(model, &plan->size, error);
  if (status != WARPBOUND_OK)
    return status;
  uint8_t *types = wb_kernel_string_expand(&problem->string);
  if (types == NULL)
    return wb_out_of_memory(error);
  struct build build = {.problem = problem,
                        .model = model,
                        .types = types,
                        .warps = problem->warps,
                        .length = problem->string.length,
                        .horizon = plan->horizon,
                        .cycles = (size_t)plan->slack + 1,
                        .truths = plan->slack > 0 ? plan->horizon - 1 : 0,
                        .capped = wb_problem_capped(problem)};
  build_all(&build, plan->form);
  free(types);
  return model->failed ? wb_out_of_memory(error) : WARPBOUND_OK;
}

/* ---- reading back ---- */

warpbound_status wb_integer_program_schedule(const struct wb_problem *problem,
                                             const struct wb_integer_plan *plan,
                                             const double *values, struct wb_schedule *schedule,
                                             warpbound_error *error)
{
  size_t length = problem->string.length;
  size_t cycles = (size_t)plan->slack + 1;
  warpbound_status status = wb_schedule_start(schedule, problem->warps, length, error);
  for (size_t place = 0; status == WARPBOUND_OK && place < problem->warps * length; place++) {
    /* The one k of the instruction whose value is near 1. */
    size_t k = 0, chosen = 0;
    for (size_t other = 0; other < cycles; other++) {
      bool issues = !(values[place * cycles + other] < 0.5);
      k = issues ? other : k;
      chosen += issues;
    }
    if (chosen != 1) {
      status = wb_fail(error, WARPBOUND_CHECK_FAILED,
                       "the solver's solution does not issue instruction %zu of warp %zu in one "
                       "cycle",
                       place % length + 1, place / length + 1);
      break;
    }
    uint64_t cycle = place % length + k + 1;
    schedule->issue_cycle[place] = (uint32_t)cycle;
    schedule->makespan = wb_maximum(schedule->makespan, cycle);
  }
  if (status != WARPBOUND_OK)
    wb_schedule_free(schedule);
  return status;
}

/* ---- the analysis ---- */

/* Letters of the string that a model file's title shows. */
#define LONGEST_STRING 60

/* Two lines on what the file is, and a third where its optimum is no upper bound. */
static char *make_title(const struct wb_problem *problem, const struct wb_integer_result *result)
{
  struct wb_text text = {0};
  struct wb_text string = {0};
  wb_kernel_string_write(&problem->string, &string);
  if (string.failed)
    text.failed = true;
  else
    wb_text_format(&text,
                   "Worst-case makespan of %" PRIu32 " warps: integer program of ECRTS 2012, %s "
                   "form, horizon %" PRIu32 "\nstring %.*s%s; units",
                   problem->warps, wb_integer_form_name(result->plan.form), result->plan.horizon,
                   LONGEST_STRING, string.data, string.length > LONGEST_STRING ? "..." : "");
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++) {
    if (problem->string.count[u] > 0)
      wb_text_format(&text, " %c=%" PRIu32, wb_unit_letter((enum wb_unit)u), problem->capacity[u]);
  }
  if (problem->issue_slots != WB_UNLIMITED)
    wb_text_format(&text, "; %" PRIu32 " issue slots", problem->issue_slots);
  if (result->short_horizon)
    wb_text_string(&text,
                   "\nThe horizon is below every proven bound: it may cut the worst case off");
  wb_text_free(&string);
  return wb_text_take(&text);
}

static warpbound_status solve(const struct wb_problem *problem,
                              const struct wb_integer_options *options,
                              const struct wb_linear_model *model, const struct wb_control *control,
                              struct wb_integer_result *result, warpbound_error *error)
{
  struct wb_linear_outcome outcome;
  warpbound_status status =
      options->command != NULL
          ? wb_linear_solve_by_command(model, options->command, control, &outcome, error)
          : wb_linear_solve_by_cbc(model, 0, control, &outcome, error);
  if (status != WARPBOUND_OK)
    return status;
  result->solver = options->command != NULL ? options->command : "CBC";
  result->status = outcome.status;
  result->objective = outcome.objective;
  result->bound = outcome.bound;
  result->stop = outcome.stop;
  result->seconds = outcome.seconds;
  if (outcome.values != NULL)
    status = wb_integer_program_schedule(problem, &result->plan, outcome.values, &result->schedule,
                                         error);
  wb_linear_outcome_free(&outcome);
  return status;
}

warpbound_status wb_integer_analyse(const struct wb_problem *problem,
                                    const struct wb_integer_options *options,
                                    const struct wb_control *control,
                                    struct wb_integer_result *result, warpbound_error *error)
{
  struct wb_linear_model model;
  warpbound_status status = wb_integer_program_build(problem, &result->plan, &model, error);
  char *title = make_title(problem, result);
  model.title = title;
  if (status == WARPBOUND_OK && title == NULL)
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK) {
    result->built = true;
    result->columns = model.column_count;
    result->integers = 0;
    for (size_t j = 0; j < model.column_count; j++)
      result->integers += model.columns[j].integer;
    result->rows = model.row_count;
    result->entries = model.entry_count;
  }
  if (status == WARPBOUND_OK && options->file != NULL) {
    struct wb_text text = {0};
    wb_linear_write(&model, options->format, &text);
    status = text.failed ? wb_out_of_memory(error)
                         : wb_file_write(options->file, text.data, text.length, error);
    wb_text_free(&text);
  }
  if (status == WARPBOUND_OK && options->solve)
    status = solve(problem, options, &model, control, result, error);
  wb_linear_model_free(&model);
  free(title);
  return status;
}

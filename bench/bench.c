/* Benchmarks: each row times a part of Warpbound against a named rival in the same
 * run, several times in turn, and prints the medians and their ratio.
 * usage: bench [RUNS] */
#include "base/text.h"
#include "base/work_control.h"
#include "brute_force.h"
#include "frontend/ptx/ptx_front_end.h"
#include "makespan/annealing/annealing.h"
#include "makespan/annealing/annealing_runs.h"
#include "makespan/bounds/closed_form.h"
#include "makespan/exact/dense_search.h"
#include "makespan/exact/guided_search.h"
#include "makespan/machine/policy.h"
#include "makespan/runs/run_abstraction.h"
#include "model/instance.h"
#include "plain_annealing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_RUNS 25
#define MEMORY (UINT64_C(1) << 30)

/* One thing to time: what it is called, its work (which returns its answer) and the
 * argument of that. */
struct contestant {
  const char *name;
  uint64_t (*work)(const void *argument);
  const void *argument;
};

static int compare(const void *a, const void *b)
{
  double x = *(const double *)a;
  double y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *times, int runs)
{
  qsort(times, (size_t)runs, sizeof *times, compare);
  return times[runs / 2];
}

static uint64_t timed(const struct contestant *contestant, double *seconds)
{
  double start = wb_clock();
  uint64_t answer = contestant->work(contestant->argument);
  *seconds = wb_clock() - start;
  return answer;
}

static void race(const char *what, const struct contestant *ours, const struct contestant *rival,
                 int runs)
{
  double our_times[MOST_RUNS], rival_times[MOST_RUNS];
  uint64_t our_answer = 0, rival_answer = 0;
  for (int r = 0; r < runs; r++) {
    our_answer = timed(ours, &our_times[r]);
    rival_answer = timed(rival, &rival_times[r]);
  }
  double our_median = median(our_times, runs);
  double rival_median = median(rival_times, runs);
  printf("%-34s %-16s %10.6f s  %-22s %10.6f s  %9.2f\n", what, ours->name, our_median, rival->name,
         rival_median, rival_median / our_median);
  if (our_answer != rival_answer)
    printf("%-34s answers differ: %" PRIu64 " and %" PRIu64 "\n", "", our_answer, rival_answer);
}

static void fail(const char *message)
{
  fprintf(stderr, "bench: %s\n", message);
  exit(1);
}

static struct wb_instance make(const char *string, const char *units, uint32_t slots,
                               uint32_t warps)
{
  struct wb_instance instance;
  struct wb_kernel_string kernel;
  struct wb_sm_configuration sm;
  warpbound_error error;
  wb_sm_configuration_start(&sm, "bench");
  sm.issue_slots = slots;
  if (wb_sm_configuration_parse_units(&sm, units, &error) != WARPBOUND_OK ||
      wb_kernel_string_parse(string, NULL, &kernel, &error) != WARPBOUND_OK ||
      wb_instance_make(&kernel, &sm, warps, 1, NULL, &instance, &error) != WARPBOUND_OK)
    fail(error.message);
  wb_kernel_string_free(&kernel);
  return instance;
}

static uint64_t answer_of(struct wb_search *search, uint32_t warps)
{
  uint64_t answer = search->makespan != NULL ? search->makespan[warps] : 0;
  wb_search_free(search);
  return answer;
}

static uint64_t run_dense(const void *argument)
{
  const struct wb_problem *problem = argument;
  struct wb_control control = wb_control_start(NULL);
  struct wb_search search;
  uint64_t largest;
  if (wb_bound_closed_form(problem, &largest, NULL) != WARPBOUND_OK ||
      wb_dense_search(problem, largest, &control, &search, NULL) != WARPBOUND_OK)
    fail("dense search");
  return answer_of(&search, problem->warps);
}

static uint64_t run_abstraction(const void *argument)
{
  const struct wb_problem *problem = argument;
  struct wb_control control = wb_control_start(NULL);
  struct wb_search search;
  if (wb_run_abstraction_search(problem, UINT64_MAX, MEMORY, &control, &search, NULL) !=
      WARPBOUND_OK)
    fail("run abstraction");
  return answer_of(&search, problem->warps);
}

static uint64_t run_guided(const void *argument)
{
  const struct wb_problem *problem = argument;
  struct wb_control control = wb_control_start(NULL);
  struct wb_guided_result guided = {.lower = 1};
  if (wb_bound_closed_form(problem, &guided.upper, NULL) != WARPBOUND_OK)
    fail("closed form");
  guided.upper++; /* open, however good the closed form is */
  if (wb_guided_search(problem, NULL, &control, &guided, NULL) != WARPBOUND_OK)
    fail("guided search");
  wb_guided_result_free(&guided);
  return guided.lower == guided.upper ? guided.upper : 0;
}

static uint64_t run_brute_force(const void *argument)
{
  const struct wb_instance *instance = argument;
  const struct wb_problem *problem = &instance->problem;
  struct brute_machine machine = {.issue_slots = instance->sm.issue_slots};
  for (unsigned u = 0; u < WB_REAL_UNIT_COUNT; u++)
    machine.capacity[u] = problem->capacity[u] > 0 ? problem->capacity[u] : 1;
  char letters[BRUTE_LENGTH_LIMIT + 1] = {0};
  size_t at = 0;
  for (size_t r = 0; r < problem->string.run_count; r++) {
    memset(letters + at, wb_unit_letter(problem->string.runs[r].unit),
           problem->string.runs[r].length);
    at += problem->string.runs[r].length;
  }
  machine.letters = letters;
  uint32_t cycles = 0;
  if (!brute_makespan(&machine, problem->warps, BRUTE_STATE_LIMIT * 8, &cycles))
    fail("brute force: too large");
  return cycles;
}

static void race_searches(int runs)
{
  static const struct {
    const char *string;
    const char *units;
    uint32_t slots;
    uint32_t warps;
  } rows[] = {
      {"LLCLL", "L=1,C=1", 0, 4},
      {"LLCLL", "L=1,C=1", 0, 8},
      {"5L9C2L9C", "L=1,C=4", 0, 4},
      {"5L9C2L9C", "L=1,C=4", 4, 5},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    struct wb_instance instance = make(rows[i].string, rows[i].units, rows[i].slots, rows[i].warps);
    char what[64];
    snprintf(what, sizeof what, "T(%u) of %s, %s, cap %u", rows[i].warps, rows[i].string,
             rows[i].units, rows[i].slots);
    race(what, &(struct contestant){"dense search", run_dense, &instance.problem},
         &(struct contestant){"brute force", run_brute_force, &instance}, runs);
    wb_instance_clear(&instance);
  }
  struct wb_instance voronoi = make("5L9C2L9C", "L=1,C=4", 0, 7);
  race("T(7) of 5L9C2L9C, L=1,C=4, cap 0",
       &(struct contestant){"guided search", run_guided, &voronoi.problem},
       &(struct contestant){"dense search", run_dense, &voronoi.problem}, runs);
  wb_instance_clear(&voronoi);
  struct wb_instance instance = make("LLCLLCLL", "L=1,C=1", 0, 14);
  race("T(14) of LLCLLCLL, every sigma 1",
       &(struct contestant){"run abstraction", run_abstraction, &instance.problem},
       &(struct contestant){"dense search", run_dense, &instance.problem}, runs);
  wb_instance_clear(&instance);
}

#define WALK_ITERATIONS UINT64_C(100000)
#define WALK_SEED 1

/* The published walk, from the round-robin string. */
struct walk {
  struct wb_problem *problem;
  uint32_t *initial;
};

static uint64_t walk(const void *argument)
{
  const struct walk *given = argument;
  const struct wb_annealing_options options = {.variant = WB_ANNEALING_PUBLISHED,
                                               .iterations = WALK_ITERATIONS,
                                               .runs = 1,
                                               .seed = WALK_SEED};
  struct wb_control control = wb_control_start(NULL);
  struct wb_annealing_result result;
  uint64_t upper;
  control.threads = 1;
  if (wb_bound_closed_form(given->problem, &upper, NULL) != WARPBOUND_OK ||
      wb_annealing_search(given->problem, &options, upper, &control, &result, NULL) != WARPBOUND_OK)
    fail("annealing");
  uint64_t answer = result.witness.makespan;
  wb_annealing_result_free(&result);
  return answer;
}

static uint64_t walk_plainly(const struct walk *given, bool suffix)
{
  const struct wb_annealing_runs runs = {.options = {.seed = WALK_SEED}};
  return plain_annealing(given->problem, given->initial, WALK_ITERATIONS, WB_ANNEALING_TEMPERATURE,
                         wb_annealing_runs_seed(&runs, 0), suffix);
}

static uint64_t walk_by_suffix(const void *argument)
{
  return walk_plainly(argument, true);
}

static uint64_t walk_from_scratch(const void *argument)
{
  return walk_plainly(argument, false);
}

/* One core each; the same swaps, so the answers agree. */
static void race_annealing(int runs)
{
  for (uint32_t slots = 0; slots <= 4; slots += 4) {
    struct wb_instance instance = make("5L9C2L9C", "L=1,C=4", slots, 16);
    struct wb_control control = wb_control_start(NULL);
    struct walk given = {.problem = &instance.problem,
                         .initial = malloc((size_t)16 * 25 * sizeof(uint32_t))};
    char what[64];
    snprintf(what, sizeof what, "100,000 swaps, W = 16, cap %u", slots);
    if (given.initial == NULL || wb_template_fill(WB_TEMPLATE_ROUND_ROBIN, given.problem, &control,
                                                  given.initial, NULL) != WARPBOUND_OK)
      fail("template");
    struct contestant ours = {"annealing", walk, &given};
    race(what, &ours, &(struct contestant){"plain suffix", walk_by_suffix, &given}, runs);
    race(what, &ours, &(struct contestant){"plain from scratch", walk_from_scratch, &given}, runs);
    free(given.initial);
    wb_instance_clear(&instance);
  }
}

#define PTX_INSTRUCTIONS 100000

static char *make_ptx(void)
{
  struct wb_text text = {0};
  wb_text_string(&text, ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param "
                        ".u64 p)\n{\n.reg .b32 %r<100>;\n.reg .b64 %d<9>;\n.reg .f32 %f<100>;\n");
  for (int i = 0; i < PTX_INSTRUCTIONS / 4; i++)
    wb_text_format(&text,
                   "$L%d:\n\tld.global.f32 \t%%f%d, [%%d1+%d];\n\tfma.rn.f32 \t%%f1, %%f2, %%f%d, "
                   "%%f3;\n\tadd.s32 \t%%r%d, %%r%d, 1;\n\tst.global.f32 \t[%%d2], %%f1;\n",
                   i, i % 100, i * 4, i % 100, i % 100, (i + 1) % 100);
  wb_text_string(&text, "\tret;\n}\n");
  return wb_text_take(&text);
}

static uint64_t parse_ptx(const void *argument)
{
  const char *text = argument;
  struct wb_code program;
  warpbound_error error;
  if (wb_ptx_parse("bench", text, strlen(text), NULL, &program, &error) != WARPBOUND_OK)
    fail(error.message);
  uint64_t count = program.functions[0].instruction_count;
  wb_code_free(&program);
  return count;
}

/* What any reader of the text does at least: one look at each byte. Semicolons less
 * the declarations' are the instructions. */
static uint64_t count_semicolons(const void *argument)
{
  const char *volatile text = argument;
  uint64_t count = 0;
  for (const char *at = text; *at != '\0'; at++)
    count += *at == ';';
  return count - 3;
}

static void race_parser(int runs)
{
  char *text = make_ptx();
  if (text == NULL)
    fail("out of memory");
  race("PTX of 100,000 instructions", &(struct contestant){"parser", parse_ptx, text},
       &(struct contestant){"counting semicolons", count_semicolons, text}, runs);
  free(text);
}

static uint64_t run_closed_form(const void *argument)
{
  uint64_t cycles = 0;
  wb_bound_closed_form(argument, &cycles, NULL);
  return cycles;
}

/* Building the problem is part of what the user waits for. */
static uint64_t string_to_bound(const void *argument)
{
  struct wb_instance instance = make(argument, "L=1,C=4", 0, 64);
  uint64_t cycles = run_closed_form(&instance.problem);
  wb_instance_clear(&instance);
  return cycles;
}

static void race_bounds(int runs)
{
  struct wb_text letters = {0};
  for (int i = 0; i < 500000; i++)
    wb_text_string(&letters, "LC");
  struct wb_instance instance = make(letters.data, "L=1,C=4", 0, 64);
  race("closed form, I = 1,000,000, W = 64",
       &(struct contestant){"string to bound", string_to_bound, letters.data},
       &(struct contestant){"bound alone", run_closed_form, &instance.problem}, runs);
  wb_instance_clear(&instance);
  wb_text_free(&letters);
}

int main(int argc, char **argv)
{
  int runs = argc > 1 ? atoi(argv[1]) : 5;
  if (runs < 1 || runs > MOST_RUNS)
    fail("expected 1 to 25 runs");
  printf("medians of %d runs in turn; ratio: the rival's time over ours\n", runs);
  printf("%-34s %-16s %12s  %-22s %12s  %9s\n", "what", "ours", "time", "rival", "time", "ratio");
  race_searches(runs);
  race_annealing(runs);
  race_parser(runs);
  race_bounds(runs);
  return 0;
}

/* Annealing: its evaluation by hand, its variants, limits and determinism, and how its
 * convergence is written. */
#include "base/work_control.h"
#include "makespan/annealing/annealing.h"
#include "makespan/annealing/annealing_evaluation.h"
#include "makespan/annealing/annealing_runs.h"
#include "makespan/machine/policy.h"
#include "makespan_problems.h"
#include "report/makespan/makespan_report.h"
#include "unit.h"

/* LC, one unit each, two warps; worked by hand. */
TEST(a_swap_is_evaluated)
{
  FREED_BY(wb_problem_free) struct wb_problem problem = make_problem("LC", "L=1,C=1", 0, 1, 2, "");
  FREED_BY(wb_annealing_evaluation_free) struct wb_annealing_evaluation e;
  static const uint32_t order[] = {0, 0, 1, 1};
  assert_ok(wb_annealing_evaluation_start(&e, &problem, 4, false, 1 << 16, NULL));
  wb_annealing_evaluation_set(&e, order);
  assert_int_equal(e.makespan, 3);
  bool changed;
  wb_annealing_evaluation_open(&e, 0, 3);
  e.order[0] = 1;
  e.order[3] = 0;
  assert_int_equal(wb_annealing_evaluation_try(&e, &changed), 3);
  assert_true(changed);
  wb_annealing_evaluation_keep(&e);
  static const uint32_t cycles[] = {1, 2, 2, 3}; /* of 1, 0, 1, 0 */
  assert_memory_equal(e.cycle, cycles, sizeof cycles);
  wb_annealing_evaluation_open(&e, 1, 3);
  assert_int_equal(wb_annealing_evaluation_try(&e, &changed), 3);
  assert_false(changed);
}

/* Every neighbour has each warp as often as before, and changes nothing before `floor`. */
TEST(neighbours_are_strings)
{
  struct wb_problem problem = make_problem("LCCLS", "L=1,C=2,S=1", 2, 1, 70, "");
  struct wb_control control = wb_control_start(NULL);
  FREED_BY(wb_annealing_evaluation_free) struct wb_annealing_evaluation e;
  struct wb_random random = {7};
  assert_ok(wb_annealing_evaluation_start(&e, &problem, 350, true, 1 << 20, NULL));
  uint32_t *order = calloc(e.entries, sizeof *order);
  assert_ok(wb_template_fill(WB_TEMPLATE_FIXED_PRIORITY, &problem, &control, order, NULL));
  wb_annealing_evaluation_set(&e, order);
  for (int i = 0; i < 3000; i++) {
    bool changed;
    uint32_t count[70] = {0};
    size_t floor = i % 100 == 50 ? 0 : (size_t)wb_random_below(&random, e.entries - 1);
    memcpy(order, e.order, e.entries * sizeof *order);
    if (i % 100 == 0)
      wb_annealing_serve_in_turn(&e, floor);
    else if (i % 100 == 50)
      wb_annealing_shuffle(&e, &random);
    else
      wb_annealing_change_window(&e, floor, &random);
    assert_memory_equal(order, e.order, floor * sizeof *order);
    for (size_t k = 0; k < e.entries; k++)
      count[e.order[k]]++;
    for (uint32_t w = 0; w < 70; w++)
      assert_int_equal(count[w], 5);
    wb_annealing_evaluation_try(&e, &changed);
    if (changed)
      wb_annealing_evaluation_keep(&e);
  }
  free(order);
  wb_problem_free(&problem);
}

static struct wb_annealing_result anneal(const struct wb_problem *problem,
                                         struct wb_annealing_options options, uint64_t upper,
                                         unsigned threads)
{
  struct wb_control control = wb_control_start(NULL);
  struct wb_annealing_result result;
  control.threads = threads;
  assert_ok(wb_annealing_search(problem, &options, upper, &control, &result, NULL));
  return result;
}

static void same_results(const struct wb_annealing_result *a, const struct wb_annealing_result *b)
{
  assert_int_equal(a->run_count, b->run_count);
  assert_int_equal(a->witness.makespan, b->witness.makespan);
  assert_memory_equal(a->witness.issue_cycle, b->witness.issue_cycle,
                      a->witness.warps * a->witness.length * sizeof *a->witness.issue_cycle);
  for (size_t r = 0; r < a->run_count; r++) {
    assert_int_equal(a->runs[r].iterations, b->runs[r].iterations);
    assert_int_equal(a->runs[r].count, b->runs[r].count);
    for (size_t i = 0; i < a->runs[r].count; i++) {
      assert_int_equal(a->runs[r].improvements[i].iteration, b->runs[r].improvements[i].iteration);
      assert_int_equal(a->runs[r].improvements[i].makespan, b->runs[r].improvements[i].makespan);
    }
  }
}

TEST(threads_change_nothing)
{
  struct wb_problem problem = make_problem("5L9C2L9C", "L=1,C=4", 4, 1, 8, "");
  for (int v = WB_ANNEALING_WINDOWED; v <= WB_ANNEALING_PUBLISHED; v++) {
    struct wb_annealing_options options = {.variant = (enum wb_annealing_variant)v,
                                           .initial = WB_ANNEALING_ALL,
                                           .iterations = 3000,
                                           .runs = 6,
                                           .seed = 3,
                                           .guide_memory = 1 << 24};
    struct wb_annealing_result one = anneal(&problem, options, 200, 1);
    struct wb_annealing_result three = anneal(&problem, options, 200, 3);
    assert_int_equal(one.run_count, 6);
    same_results(&one, &three);
    options.seed = 4;
    struct wb_annealing_result other = anneal(&problem, options, 200, 1);
    assert_true(other.runs[3].count != one.runs[3].count ||
                other.runs[3].improvements[1].iteration != one.runs[3].improvements[1].iteration);
    /* A run that reaches the upper end ends the work, on any number of threads. */
    uint64_t reached = one.witness.makespan;
    options.seed = 3;
    wb_annealing_result_free(&one);
    wb_annealing_result_free(&three);
    wb_annealing_result_free(&other);
    one = anneal(&problem, options, reached, 1);
    three = anneal(&problem, options, reached, 3);
    assert_int_equal(one.witness.makespan, reached);
    same_results(&one, &three);
    wb_annealing_result_free(&one);
    wb_annealing_result_free(&three);
  }
  wb_problem_free(&problem);
}

/* From each initial string the run begins with what the template gives. */
TEST(initial_strings)
{
  struct wb_problem problem = make_problem("5L9C2L9C", "L=1,C=4", 4, 1, 16, "");
  static const uint64_t expected[] = {163, 129, 163};
  for (int i = WB_ANNEALING_ROUND_ROBIN; i <= WB_ANNEALING_RANDOM; i++) {
    struct wb_annealing_options options = {
        .initial = (enum wb_annealing_initial)i, .iterations = 1, .runs = 2};
    struct wb_annealing_result result = anneal(&problem, options, 400, 1);
    assert_int_equal(result.run_count, 2);
    assert_int_equal(result.runs[1].initial, i);
    assert_int_equal(result.runs[1].improvements[0].iteration, 0);
    if (i < WB_ANNEALING_RANDOM)
      assert_int_equal(result.runs[1].improvements[0].makespan, expected[i]);
    wb_annealing_result_free(&result);
  }
  wb_problem_free(&problem);
}

TEST(the_smallest_problem)
{
  FREED_BY(wb_problem_free) struct wb_problem problem = make_problem("L", "L=1", 0, 1, 1, "");
  struct wb_annealing_options options = {.initial = WB_ANNEALING_ALL};
  struct wb_annealing_result result = anneal(&problem, options, 5, 2);
  assert_int_equal(result.witness.makespan, 1);
  assert_int_equal(result.run_count, WB_ANNEALING_RUNS);
  wb_annealing_result_free(&result);
}

TEST(no_memory_is_a_limit)
{
  struct wb_problem problem = make_problem("5L9C2L9C", "L=1,C=4", 0, 1, 16, "");
  struct wb_control control = wb_control_start(NULL);
  struct wb_annealing_options options = {.initial = WB_ANNEALING_ALL};
  FREED_BY(wb_annealing_result_free) struct wb_annealing_result result;
  control.memory_limit = 1000;
  assert_ok(wb_annealing_search(&problem, &options, 160, &control, &result, NULL));
  assert_int_equal(result.stop, WB_STOP_MEMORY);
  assert_int_equal(result.run_count, 0);
  assert_null(result.witness.issue_cycle);
  wb_problem_free(&problem);
}

static bool interrupt_later(void *context)
{
  int *left = context;
  return --*left < 0;
}

/* Interrupted at any time: what was found until then is there. */
TEST(interruption_keeps_the_best)
{
  struct wb_problem problem = make_problem("5L9C2L9C", "L=1,C=4", 0, 1, 16, "");
  for (int polls = 0; polls < 40; polls += 13) {
    int left = polls;
    warpbound_options limits = {.threads = 2, .interrupted = interrupt_later, .context = &left};
    struct wb_control control = wb_control_start(&limits);
    struct wb_annealing_options options = {.initial = WB_ANNEALING_ALL,
                                           .iterations = UINT64_C(1) << 40};
    FREED_BY(wb_annealing_result_free) struct wb_annealing_result result;
    assert_ok(wb_annealing_search(&problem, &options, 400, &control, &result, NULL));
    assert_int_equal(result.stop, WB_STOP_INTERRUPTED);
    if (polls > 13) {
      assert_true(result.run_count >= 1);
      assert_true(result.witness.makespan >= 129);
    }
  }
  wb_problem_free(&problem);
}

/* The guide cuts no later than the table allows: nowhere behind the first cycle from
 * which the goal is out of reach, and at the start where it never was within it. */
TEST(the_guide_knows_what_is_lost)
{
  FREED_BY(wb_problem_free) struct wb_problem problem = make_problem("LCL", "L=1,C=1", 0, 1, 4, "");
  struct wb_control control = wb_control_start(NULL);
  FREED_BY(wb_annealing_guide_free) struct wb_annealing_guide guide;
  FREED_BY(wb_annealing_evaluation_free) struct wb_annealing_evaluation e;
  struct wb_random random = {1};
  uint32_t inside[3];
  uint64_t pending[3];
  uint32_t order[12];
  assert_ok(wb_annealing_guide_start(&guide, &problem, UINT64_MAX, 1 << 20, &control, NULL));
  assert_non_null(guide.run_of);
  assert_ok(wb_annealing_evaluation_start(&e, &problem, 12, true, 1 << 20, NULL));
  assert_ok(wb_template_fill(WB_TEMPLATE_ROUND_ROBIN, &problem, &control, order, NULL));
  wb_annealing_evaluation_set(&e, order);
  for (int i = 0; i < 100; i++) {
    /* T(4) = 9 (doc/makespan.md): no beginning leads to 10. */
    assert_int_equal(wb_annealing_guide_cut(&guide, &e, 10, &random, inside, pending), 0);
    size_t cut = wb_annealing_guide_cut(&guide, &e, 9, &random, inside, pending);
    assert_true(cut == 0 || e.cycle[cut] > e.cycle[cut - 1]);
    assert_true(cut <= e.entries - 2);
  }
}

/* Two runs by hand: the envelope takes from each what is best so far. */
TEST(convergence_is_written)
{
  struct wb_annealing_improvement first[] = {{0, 10, 0.5}, {100, 12, 0.75}};
  struct wb_annealing_improvement second[] = {{0, 11, 1.0}, {10, 13, 1.25}};
  struct wb_annealing_run runs[] = {
      {.initial = WB_ANNEALING_ROUND_ROBIN, .iterations = 1000, .improvements = first, .count = 2},
      {.initial = WB_ANNEALING_RANDOM, .iterations = 1000, .improvements = second, .count = 2}};
  struct wb_annealing_result result = {.runs = runs, .run_count = 2, .iterations = 1000};
  const warpbound_bound upper = {.cycles = 16, .kind = WARPBOUND_UPPER};
  struct wb_text text = {0};
  wb_convergence_csv(&result, &text);
  assert_string_equal(text.data, "time,iterations,run,best\n0.500000,0,1,10\n0.750000,100,1,12\n"
                                 "1.000000,0,2,11\n1.250000,10,2,13\n");
  wb_text_free(&text);
  wb_convergence_svg(&result, &upper, "A <title>", &text);
  assert_false(text.failed);
  assert_non_null(strstr(text.data, "A &lt;title&gt;"));
  assert_non_null(strstr(text.data, ">round-robin<"));
  assert_non_null(strstr(text.data, ">random<"));
  assert_null(strstr(text.data, ">fixed-priority<"));
  const char *envelope = strstr(text.data, "<path class=\"v\"");
  assert_non_null(envelope);
  size_t steps = 0; /* 11 at the start, then 13: the 12 comes too late */
  for (const char *at = envelope; *at != '>'; at++)
    steps += *at == 'V';
  assert_int_equal(steps, 1);
  assert_non_null(strstr(text.data, ">bound from above<"));
  /* The bound lies above all curves: nearer to the top of the page. */
  double top = 0;
  double start = 0;
  assert_int_equal(sscanf(strstr(text.data, "<path class=\"o\" d=\"M64 "), "%*[^M]M64 %lf", &top),
                   1);
  assert_int_equal(sscanf(envelope, "%*[^M]M64.0 %lf", &start), 1);
  assert_true(top < start);
  wb_text_free(&text);
  result.run_count = 0;
  wb_convergence_svg(&result, &upper, "nothing", &text);
  assert_non_null(strstr(text.data, "</svg>"));
  wb_text_free(&text);
}

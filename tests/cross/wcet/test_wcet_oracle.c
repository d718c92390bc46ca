/* WCETs of the fixtures against runs of the oracle that keep the loop bounds: none costs more,
 * the counts of each satisfy every row of the program, and many come to the bound.
 *   WARPBOUND_CROSS_RUNS runs of each kernel (DEFAULT_RUNS without it) */
#include "base/file.h"
#include "base/text.h"
#include "base/work_control.h"
#include "bounded_run.h"
#include "certificate/flow/flow_check.h"
#include "fixtures.h"
#include "formats/flow_facts/flow_facts_file.h"
#include "frontend/sass/sass_front_end.h"
#include "unit.h"

#include <inttypes.h>

#define DEFAULT_WCET_RUNS 30
#define STEP_LIMIT 30000
#define LANE_BOUND 3

struct tally {
  size_t functions, met, refused;
  uint64_t runs, kept, per_thread_runs;
  size_t loops, unbalanced;
};

static void check_run(struct bounded *bounded, const char *what, uint64_t seed)
{
  const struct wb_wcet *wcet = bounded->wcet;
  int64_t cycles;
  warpbound_error error;
  if (wb_check_flow_counts(&wcet->system, bounded->taken, &cycles, &error) != WARPBOUND_OK)
    fail_msg("%s, %s, seed %" PRIu64 ": a run breaks the program: %s", wcet->function->name, what,
             seed, error.message);
  assert_int_equal(cycles, bounded->cycles);
  if (cycles > wcet->ipet.proof.bound)
    fail_msg("%s, %s, seed %" PRIu64 ": a run of %" PRId64 " cycles, the WCET is %" PRId64,
             wcet->function->name, what, seed, cycles, wcet->ipet.proof.bound);
  if (bounded_beyond_sum(bounded) != SIZE_MAX)
    fail_msg("%s, %s, seed %" PRIu64 ": the warp goes round loop %zu more often than its lanes in "
             "the iterations of the loop around",
             wcet->function->name, what, seed, bounded_beyond_sum(bounded));
}

/* Runs that keep the bounds of the warp. Returns the cycles of the longest. */
static int64_t run_all(struct bounded *bounded, const char *what, uint64_t runs,
                       struct tally *tally)
{
  int64_t longest = 0;
  for (uint64_t seed = 1; seed <= runs; seed++) {
    bounded->guided = seed % 4 != 0;
    tally->runs++;
    bool kept = bounded_run(bounded, seed, STEP_LIMIT);
    if (bounded->replay.failed)
      fail_msg("%s, %s, seed %" PRIu64 ": %s", bounded->wcet->function->name, what, seed,
               bounded->replay.reason);
    if (!kept)
      continue;
    tally->kept++;
    check_run(bounded, what, seed);
    longest = bounded->cycles > longest ? bounded->cycles : longest;
  }
  return longest;
}

/* The same by facts on threads, kept by each lane: what that makes of the warp. What the code shows
 * of its loops is left out: its branches are decided at random here, and such facts contradict it.
 */
static void run_per_thread(const char *path, const struct wb_wcet *wcet, uint64_t runs,
                           struct tally *tally)
{
  const struct wb_control control = wb_control_start(NULL);
  FREED_BY(wb_text_free) struct wb_text text = {0};
  FREED_BY(wb_flow_facts_free) struct wb_flow_facts facts;
  FREED_BY(wb_wcet_free) struct wb_wcet bounded_wcet;
  FREED_BY(bounded_run_free) struct bounded bounded;
  warpbound_error error = {.message = ""};
  bool whole = true;
  bounded_write_facts(wcet, LANE_BOUND, &text);
  assert_ok(wb_flow_facts_parse("facts", text.data, text.length, &facts, &error));
  const struct wb_wcet_options options = {
      .facts = &facts, .default_bound = UINT64_MAX, .no_found_bounds = true};
  if (wb_wcet_analyse(wcet->code, wcet->function, &options, &control, &bounded_wcet, &error) !=
      WARPBOUND_OK)
    fail_msg("%s: %s", path, error.message);
  for (size_t l = 0; l < bounded_wcet.forest.loop_count; l++) {
    tally->loops++;
    tally->unbalanced += !bounded_wcet.loops[l].balanced;
    whole = whole && bounded_wcet.loops[l].bound == LANE_BOUND;
  }
  bounded_run_start(&bounded, &bounded_wcet);
  bounded.level = BOUNDED_THREADS;
  bounded.lane_bound = LANE_BOUND;
  if (whole) {
    uint64_t kept = tally->kept;
    (void)run_all(&bounded, "by threads", runs, tally);
    tally->per_thread_runs += tally->kept - kept;
  }
}

static void try_function(const char *path, const struct wb_code *code,
                         const struct wb_function *function, uint64_t runs, struct tally *tally)
{
  const struct wb_control control = wb_control_start(NULL);
  const struct wb_wcet_options options = {.default_bound = 10};
  struct wb_wcet wcet;
  struct bounded bounded;
  warpbound_error error = {.message = ""};
  warpbound_status status = wb_wcet_analyse(code, function, &options, &control, &wcet, &error);
  if (status != WARPBOUND_OK) {
    if (strstr(error.message, "--targets") == NULL)
      fail_msg("%s: %s", path, error.message);
    tally->refused++;
    return;
  }
  tally->functions++;
  bounded_run_start(&bounded, &wcet);
  int64_t longest = run_all(&bounded, "by the warp", runs, tally);
  tally->met += longest == wcet.ipet.proof.bound;
  if (getenv("WARPBOUND_VERBOSE") != NULL)
    print_message("# %s %s: WCET %" PRId64 ", longest run %" PRId64 "\n", path, function->name,
                  wcet.ipet.proof.bound, longest);
  bounded_run_free(&bounded);
  run_per_thread(path, &wcet, runs / 2, tally);
  wb_wcet_free(&wcet);
}

TEST(fixtures)
{
  static const char *const folders[] = {"sm_52/O3", "sm_61/O3", "sm_61/O0"};
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_WCET_RUNS);
  struct tally tally = {0};
  glob_t found = {0};
  for (size_t f = 0; f < COUNT_OF(folders); f++)
    fixtures_find(&found, "sass/%s/*/*.nvdisasm.sass", folders[f]);
  for (size_t p = 0; p < found.gl_pathc; p++) {
    FREED_BY(wb_code_free) struct wb_code code;
    listing_read(found.gl_pathv[p], &code);
    for (size_t f = 0; f < code.function_count; f++)
      try_function(found.gl_pathv[p], &code, &code.functions[f], runs, &tally);
  }
  globfree(&found);
  print_message("# %zu functions (%zu refused for want of targets), %" PRIu64 " runs, %" PRIu64
                " kept the bounds (%" PRIu64 " those of threads); %zu functions met their WCET; "
                "%zu of %zu loops unbalanced\n",
                tally.functions, tally.refused, tally.runs, tally.kept, tally.per_thread_runs,
                tally.met, tally.unbalanced, tally.loops);
  assert_true(tally.met * 2 >= tally.functions);
  assert_true(tally.kept * 3 > tally.runs);
}

/* Lanes that go round one after the other: the bound of threads taken for one of the warp is
 * refuted by a run in which no lane breaks it; the WCET is not. */
TEST(lanes_one_after_the_other)
{
  const struct wb_control control = wb_control_start(NULL);
  FREED_BY(wb_code_free) struct wb_code code;
  char path[1024];
  snprintf(path, sizeof path, "%s/sass/sm_52/O3/branches/no_reconvergence.nvdisasm.sass",
           getenv("WARPBOUND_FIXTURES"));
  listing_read(path, &code);
  size_t f = 0;
  while (f < code.function_count && strcmp(code.functions[f].name, "serial_continue") != 0)
    f++;
  assert_true(f < code.function_count);
  FREED_BY(wb_text_free) struct wb_text text = {0};
  FREED_BY(wb_flow_facts_free) struct wb_flow_facts facts;
  FREED_BY(wb_wcet_free) struct wb_wcet start;
  FREED_BY(wb_wcet_free) struct wb_wcet wcet;
  struct wb_wcet_options options = {.default_bound = 1};
  assert_ok(wb_wcet_analyse(&code, &code.functions[f], &options, &control, &start, NULL));
  bounded_write_facts(&start, LANE_BOUND, &text);
  assert_ok(wb_flow_facts_parse("facts", text.data, text.length, &facts, NULL));
  options.facts = &facts;
  options.default_bound = UINT64_MAX;
  options.no_found_bounds = true; /* that a thread goes back 9 times, for one */
  assert_ok(wb_wcet_analyse(&code, &code.functions[f], &options, &control, &wcet, NULL));
  assert_int_equal(wcet.forest.loop_count, 1);
  assert_false(wcet.loops[0].balanced);
  assert_int_equal(wcet.loops[0].warp_bound, LANE_BOUND * BOUNDED_LANES);
  FREED_BY(bounded_run_free) struct bounded bounded;
  uint64_t most = 0;
  bounded_run_start(&bounded, &wcet);
  bounded.level = BOUNDED_THREADS;
  bounded.lane_bound = LANE_BOUND;
  for (uint64_t seed = 1; seed <= 200; seed++) {
    bounded.guided = seed % 2 == 0;
    if (!bounded_run(&bounded, seed, STEP_LIMIT))
      continue;
    check_run(&bounded, "by threads", seed);
    most = bounded.most_entry_backs > most ? bounded.most_entry_backs : most;
  }
  assert_false(bounded.replay.failed);
  print_message("# %d back edges of a thread, up to %" PRIu64 " of the warp\n", LANE_BOUND, most);
  assert_true(most > LANE_BOUND);
}

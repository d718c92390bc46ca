/* WCETs of random programs against runs of the oracle that keep the loop bounds, of the warp and
 * of threads: the counts of each satisfy every row of the program, and none costs more.
 *   WARPBOUND_CROSS_RUNS  programs, in four parts (DEFAULT_PROGRAMS)
 *   WARPBOUND_CROSS_SEEDS runs of each (DEFAULT_SEEDS)
 *   WARPBOUND_SEED        seed of the first program */
#include "base/text.h"
#include "base/work_control.h"
#include "bounded_run.h"
#include "certificate/flow/flow_check.h"
#include "formats/flow_facts/flow_facts_file.h"
#include "random_simt_program.h"
#include "unit.h"

#include <inttypes.h>

#define DEFAULT_PROGRAMS 800
#define DEFAULT_SEEDS 10
#define PARTS 4
#define DEFAULT_SEED 20261121
#define STEP_LIMIT 4000

/* How programs are tried, and what comes of it; the counts go on from program to program. */
struct attempt {
  enum bounded_level level;
  uint64_t bound;
  bool device; /* as a device function, which ends where it returns */
  uint64_t seeds;
  char reason[400];
  uint64_t analysed, unbounded, refused;
  uint64_t runs, kept, met;
  uint64_t loops, unbalanced, irreducible;
  uint64_t indexed; /* loops whose header is an indexed branch */
  uint64_t summed;  /* loops that the warp enters once in an iteration of the loop around */
};

/* The WCET where every loop has the attempt's bound, as a fact or as the default. */
static warpbound_status analyse(const struct attempt *attempt, const struct wb_code *code,
                                struct wb_wcet *wcet, warpbound_error *error)
{
  const struct wb_control control = wb_control_start(NULL);
  struct wb_wcet_options options = {.default_bound = attempt->bound};
  warpbound_status status =
      wb_wcet_analyse(code, &code->functions[0], &options, &control, wcet, error);
  if (status != WARPBOUND_OK || attempt->level == BOUNDED_WARP)
    return status;
  struct wb_text text = {0};
  struct wb_flow_facts facts = {0};
  bounded_write_facts(wcet, attempt->bound, &text);
  wb_wcet_free(wcet);
  options = (struct wb_wcet_options){.facts = &facts, .default_bound = UINT64_MAX};
  assert_false(text.failed);
  status = wb_flow_facts_parse("facts", text.data, text.length, &facts, error);
  if (status == WARPBOUND_OK)
    status = wb_wcet_analyse(code, &code->functions[0], &options, &control, wcet, error);
  wb_flow_facts_free(&facts);
  wb_text_free(&text);
  return status;
}

static bool holds_run(struct attempt *attempt, struct bounded *bounded, uint64_t seed)
{
  int64_t cycles;
  warpbound_error error;
  attempt->runs++;
  const bool kept = bounded_run(bounded, seed, STEP_LIMIT);
  attempt->reason[0] = '\0';
  if (bounded->replay.failed)
    snprintf(attempt->reason, sizeof attempt->reason, "seed %" PRIu64 ": %s", seed,
             bounded->replay.reason);
  if (!kept || bounded->replay.failed)
    return !bounded->replay.failed;
  attempt->kept++;
  if (wb_check_flow_counts(&bounded->wcet->system, bounded->taken, &cycles, &error) != WARPBOUND_OK)
    snprintf(attempt->reason, sizeof attempt->reason, "seed %" PRIu64 " breaks the program: %.200s",
             seed, error.message);
  else if (cycles != bounded->cycles || cycles > bounded->wcet->ipet.proof.bound)
    snprintf(attempt->reason, sizeof attempt->reason,
             "seed %" PRIu64 ": %" PRId64 " cycles, counted as %" PRId64 ", the WCET is %" PRId64,
             seed, bounded->cycles, cycles, bounded->wcet->ipet.proof.bound);
  else if (bounded_beyond_sum(bounded) != SIZE_MAX)
    snprintf(attempt->reason, sizeof attempt->reason,
             "seed %" PRIu64 ": the warp goes round loop %zu more often than its lanes in the "
             "iterations of the loop around",
             seed, bounded_beyond_sum(bounded));
  return attempt->reason[0] == '\0';
}

static bool holds_runs(struct attempt *attempt, const struct wb_wcet *wcet)
{
  FREED_BY(bounded_run_free) struct bounded bounded;
  bool holds = true;
  bool met = false;
  bounded_run_start(&bounded, wcet);
  for (size_t l = 0; l < bounded.loop_count; l++)
    attempt->summed += bounded.summed[l];
  bounded.level = attempt->level;
  bounded.lane_bound = attempt->bound;
  for (uint64_t seed = 1; seed <= attempt->seeds && holds; seed++) {
    bounded.guided = seed % 3 != 0;
    holds = holds_run(attempt, &bounded, seed);
    met = met || bounded.cycles == wcet->ipet.proof.bound;
  }
  attempt->met += met;
  return holds;
}

static bool refutes(const struct random_program *program, void *context)
{
  struct attempt *attempt = context;
  FREED_BY(wb_code_free) struct wb_code code = {0};
  struct wb_wcet wcet;
  warpbound_error error = {.message = ""};
  simt_program_lower(program, &code);
  code.functions[0].kernel = !attempt->device;
  bool holds = true;
  const warpbound_status status = analyse(attempt, &code, &wcet, &error);
  if (status == WARPBOUND_OK) {
    attempt->analysed++;
    /* Loops may have other bounds in their code. */
    bool counts = true;
    for (size_t l = 0; l < wcet.forest.loop_count; l++) {
      attempt->loops++;
      attempt->unbalanced += !wcet.loops[l].balanced;
      attempt->irreducible += wcet.forest.loops[l].irreducible;
      const uint32_t block = wcet.forest.loops[l].header;
      const struct wb_warp_block *at = &wcet.graph->blocks[block];
      attempt->indexed += at->first == at->last && wcet.function->instructions[at->last].transfer ==
                                                       WB_TRANSFER_INDEXED_BRANCH;
      counts = counts && wcet.loops[l].bound == attempt->bound;
    }
    if (counts || attempt->level == BOUNDED_WARP)
      holds = holds_runs(attempt, &wcet);
  } else if (strstr(error.message, "do not bound") != NULL) {
    attempt->unbounded++;
  } else if (status == WARPBOUND_INTERNAL) {
    snprintf(attempt->reason, sizeof attempt->reason, "%.200s", error.message);
    holds = false;
  } else {
    attempt->refused++;
  }
  if (status == WARPBOUND_OK || status == WARPBOUND_FACTS_MISSING)
    wb_wcet_free(&wcet);
  return !holds;
}

static void try_many(enum bounded_level level, bool wild)
{
  const uint64_t count = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_PROGRAMS) / PARTS;
  const uint64_t first = number_from_environment("WARPBOUND_SEED", DEFAULT_SEED);
  struct attempt attempt = {
      .level = level, .seeds = number_from_environment("WARPBOUND_CROSS_SEEDS", DEFAULT_SEEDS)};
  print_message("# seeds %" PRIu64 " to %" PRIu64 "\n", first, first + count - 1);
  for (uint64_t i = 0; i < count; i++) {
    struct wb_random random = {first + i};
    const size_t length = 4 + (size_t)wb_random_below(&random, wild ? 24 : 50);
    struct random_program program = simt_program_random(&random, length, wild);
    attempt.bound = wb_random_below(&random, 4);
    attempt.device = wild && wb_random_below(&random, 4) == 0;
    const bool refuted = refutes(&program, &attempt);
    if (refuted) {
      FREED_BY(wb_text_free) struct wb_text text = {0};
      program_shrink(&program, refutes, &attempt);
      (void)refutes(&program, &attempt);
      simt_program_print(&program, SIMT_NVDISASM, &text);
      fprintf(stderr, "program %" PRIu64 "%s, bound %" PRIu64 " of %s: %s\n%s", first + i,
              attempt.device ? " as a device function" : "", attempt.bound,
              attempt.level == BOUNDED_WARP ? "the warp" : "threads", attempt.reason,
              text.failed ? "" : text.data);
    }
    program_free(&program);
    if (refuted)
      fail_msg("a run that keeps the bounds is not in the program");
  }
  print_message("# %" PRIu64 " analysed, %" PRIu64 " without a bound, %" PRIu64 " refused; %" PRIu64
                " loops, %" PRIu64 " unbalanced, %" PRIu64 " irreducible, %" PRIu64
                " at an indexed branch, %" PRIu64
                " entered once an iteration of one around; %" PRIu64 " runs, %" PRIu64
                " kept the bounds; %" PRIu64 " programs met their WCET\n",
                attempt.analysed, attempt.unbounded, attempt.refused, attempt.loops,
                attempt.unbalanced, attempt.irreducible, attempt.indexed, attempt.summed,
                attempt.runs, attempt.kept, attempt.met);
  assert_true(attempt.kept > attempt.runs / 10);
}

TEST(compiled_by_the_warp)
{
  try_many(BOUNDED_WARP, false);
}

TEST(compiled_by_threads)
{
  try_many(BOUNDED_THREADS, false);
}

TEST(wild_by_the_warp)
{
  try_many(BOUNDED_WARP, true);
}

TEST(wild_by_threads)
{
  try_many(BOUNDED_THREADS, true);
}

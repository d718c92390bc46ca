/* The search for the longest run of groups, on programs whose longest run is known. */
#include "base/memory.h"
#include "base/random.h"
#include "cfg/interpreter/groups/group_interpreter.h"
#include "groups/simt_text.h"
#include "model/code.h"
#include "unit.h"

/* The longest of many runs of the oracle with groups that keep bounds of loops, for tests: what a
 * WCET may not be below, and where the search is long enough for a small program, what it is. */

/* A loop whose body is instructions first .. last, and what they call; no two loops have one
 * header. */
struct longest_run_loop {
  uint32_t header; /* to which its back edges lead */
  uint32_t first;
  uint32_t last;
  uint64_t bound; /* most back edges of a lane for one entry */
};

/* The question, and what was found. Zero but what is asked. */
struct longest_run {
  const struct wb_code *code;
  const struct wb_function *function;
  const struct longest_run_loop *loops;
  size_t loop_count;
  const uint32_t *uniform; /* instructions on which lanes of a group agree; NULL: none */
  size_t uniform_count;
  const int64_t *cycles; /* by instruction; NULL: 1 each */
  enum wb_group_reconvergence reconvergence;
  bool masks_together;
  uint32_t lanes;      /* 0: 32 */
  uint64_t seed;       /* the first one */
  uint64_t seeds;      /* runs */
  uint64_t step_limit; /* 0: 100,000 */

  int64_t longest; /* cycles of the longest run that ended and kept the bounds; -1: none did */
  uint64_t longest_seed; /* of it */
  uint64_t ended;        /* runs that ended and kept the bounds */
  uint64_t deadlocks;    /* runs that ended so */
  uint64_t broken;       /* runs that could not keep a bound */
};

#define PREDICATES 16 /* P0 to P6, then UP0 to UP6 */
#define DEFAULT_STEPS 100000

/* How an instruction likes its lanes: all or none do it, one, all but one, some, half of them. */
enum way { WAY_ALL, WAY_NONE, WAY_ONE, WAY_BUT_ONE, WAY_SOME, WAY_COUNT };

/* A lane in a loop. */
struct lap {
  uint64_t backs; /* back edges since it entered */
  uint32_t depth; /* pending calls when it entered */
  bool inside;
};

/* One run. */
struct runner {
  struct longest_run *search;
  struct wb_random random;
  struct lap *laps;              /* loop * WB_LANE_LIMIT + lane */
  uint8_t *ways;                 /* by instruction: enum way */
  bool *uniform;                 /* by instruction */
  uint32_t fresh[PREDICATES];    /* lanes in which it was written since it was decided */
  uint32_t depth[WB_LANE_LIMIT]; /* pending calls */
  int64_t cycles;
  bool broken;
};

/* ---- loops ---- */

/* The lane comes to the instruction. */
static void move_lane(struct runner *runner, uint32_t lane, uint32_t instruction)
{
  const struct longest_run *search = runner->search;
  for (size_t l = 0; l < search->loop_count; l++) {
    const struct longest_run_loop *loop = &search->loops[l];
    struct lap *lap = &runner->laps[l * WB_LANE_LIMIT + lane];
    if (lap->inside && runner->depth[lane] > lap->depth)
      continue;
    const bool was = lap->inside;
    lap->inside = instruction >= loop->first && instruction <= loop->last;
    if (!lap->inside)
      continue;
    if (!was)
      *lap = (struct lap){.depth = runner->depth[lane], .inside = true};
    else if (instruction == loop->header && ++lap->backs > loop->bound)
      runner->broken = true;
  }
}

/* Of the lanes those that may go there. */
static uint32_t lanes_that_may(const struct runner *runner, uint32_t lanes, uint32_t instruction)
{
  const struct longest_run *search = runner->search;
  for (size_t l = 0; l < search->loop_count; l++) {
    for (uint32_t lane = 0; search->loops[l].header == instruction && lane < WB_LANE_LIMIT;
         lane++) {
      const struct lap *lap = &runner->laps[l * WB_LANE_LIMIT + lane];
      if (lap->inside && lap->depth == runner->depth[lane] && lap->backs >= search->loops[l].bound)
        lanes &= ~(UINT32_C(1) << lane);
    }
  }
  return lanes;
}

/* ---- deciding ---- */

static uint32_t one_of(struct runner *runner, uint32_t lanes)
{
  uint32_t drawn = 0;
  uint64_t seen = 0;
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    if ((lanes >> lane & 1) != 0 && wb_random_below(&runner->random, ++seen) == 0)
      drawn = UINT32_C(1) << lane;
  }
  return drawn;
}

static uint32_t some_of(struct runner *runner, uint32_t lanes, enum way way)
{
  switch (way) {
  case WAY_ALL:
    return lanes;
  case WAY_NONE:
    return 0;
  case WAY_ONE:
    return one_of(runner, lanes);
  case WAY_BUT_ONE:
    return lanes & ~one_of(runner, lanes);
  default:
    return lanes & (uint32_t)wb_random_next(&runner->random);
  }
}

static enum way draw_way(struct runner *runner)
{
  return (enum way)wb_random_below(&runner->random, WAY_COUNT);
}

/* The index of a predicate; PREDICATES for none. */
static size_t predicate_index(unsigned reg)
{
  if (reg >= WB_REGISTER_PREDICATE && reg < WB_REGISTER_CONDITION_CODE)
    return reg - WB_REGISTER_PREDICATE;
  if (reg >= WB_REGISTER_UNIFORM_PREDICATE && reg < WB_REGISTER_BARRIER)
    return PREDICATES / 2 + reg - WB_REGISTER_UNIFORM_PREDICATE;
  return PREDICATES;
}

/* The lanes in which the instruction may still be decided freely; they are no more afterwards. */
static uint32_t take_fresh(struct runner *runner, const struct wb_instruction *at, uint32_t active)
{
  const size_t predicate = predicate_index(at->guard);
  if (predicate == PREDICATES || at->conditional_code || at->second_predicate)
    return active;
  const uint32_t fresh = runner->fresh[predicate] & active;
  runner->fresh[predicate] &= ~active;
  return fresh;
}

static uint32_t decide(void *context, uint32_t instruction, uint32_t active, uint32_t proposed)
{
  struct runner *runner = context;
  const struct wb_function *function = runner->search->function;
  const struct wb_instruction *at = &function->instructions[instruction];
  const uint32_t fresh = take_fresh(runner, at, active);
  const bool whole = runner->uniform[instruction] || at->together || at->uniform ||
                     (at->guard != WB_NO_REGISTER && at->guard >= WB_REGISTER_UNIFORM_PREDICATE);
  uint32_t may = active;
  const uint32_t may_fall = lanes_that_may(runner, active, instruction + 1);
  if (at->transfer == WB_TRANSFER_BRANCH || at->transfer == WB_TRANSFER_CALL_LINKED)
    may = lanes_that_may(runner, active, function->targets[at->first_target]);
  const bool prefers = wb_random_below(&runner->random, 4) != 0;
  const enum way way = prefers ? (enum way)runner->ways[instruction] : draw_way(runner);
  uint32_t chosen = (some_of(runner, active, way) & fresh) | (proposed & ~fresh);
  if (whole)
    chosen = chosen != 0 ? active : 0;
  if (whole && may != active)
    return 0;
  if (whole && may_fall != active)
    return active;
  return (chosen & may) | (active & ~may_fall);
}

/* ---- a run ---- */

static void note_writes(struct runner *runner, const struct wb_group_step *step)
{
  const struct wb_function *function = runner->search->function;
  const struct wb_instruction *at = &function->instructions[step->instruction];
  for (uint32_t s = 0; s < at->write_count; s++) {
    const struct wb_register_span span = function->spans[at->first_write + s];
    for (unsigned reg = span.first; reg < (unsigned)span.first + span.count; reg++) {
      const size_t predicate = predicate_index(reg);
      if (predicate < PREDICATES)
        runner->fresh[predicate] |= step->doing;
    }
  }
}

static bool visit(void *context, const struct wb_group_step *step)
{
  struct runner *runner = context;
  const struct longest_run *search = runner->search;
  const struct wb_instruction *at = &search->function->instructions[step->instruction];
  runner->cycles += search->cycles != NULL ? search->cycles[step->instruction] : 1;
  note_writes(runner, step);
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++) {
    if ((step->doing & step->linked) >> lane & 1)
      runner->depth[lane]++;
    else if (at->transfer == WB_TRANSFER_RETURN_LINKED && (step->doing >> lane & 1) != 0 &&
             runner->depth[lane] > 0)
      runner->depth[lane]--;
  }
  for (size_t r = 0; r < step->result_count; r++) {
    const struct wb_lane_group *group = &step->results[r].group;
    for (uint32_t lane = 0; group->wait == WB_GROUP_READY && lane < WB_LANE_LIMIT; lane++) {
      const bool joined =
          step->results[r].cause == WB_GROUP_UNITED && (step->active >> lane & 1) == 0;
      if ((group->lanes >> lane & 1) != 0 && !joined)
        move_lane(runner, lane, group->instruction);
    }
  }
  return !runner->broken;
}

static void reset(struct runner *runner, uint64_t seed)
{
  const struct longest_run *search = runner->search;
  runner->random.state = ~seed;
  memset(runner->laps, 0, search->loop_count * WB_LANE_LIMIT * sizeof *runner->laps);
  memset(runner->depth, 0, sizeof runner->depth);
  memset(runner->fresh, 0xff, sizeof runner->fresh);
  for (size_t i = 0; i < search->function->instruction_count; i++)
    runner->ways[i] = (uint8_t)draw_way(runner);
  for (uint32_t lane = 0; lane < WB_LANE_LIMIT; lane++)
    move_lane(runner, lane, 0);
  runner->cycles = 0;
  runner->broken = false;
}

static void run_once(struct runner *runner, uint64_t seed)
{
  struct longest_run *search = runner->search;
  const struct wb_group_run_options options = {
      .seed = seed,
      .lanes = search->lanes > 0 ? search->lanes : WB_LANE_LIMIT,
      .step_limit = search->step_limit > 0 ? search->step_limit : DEFAULT_STEPS,
      .policy = (enum wb_group_policy)(seed % WB_GROUPS_COUNT),
      .reconvergence = search->reconvergence,
      .masks_together = search->masks_together,
      .visit = visit,
      .decide = decide,
      .context = runner};
  struct wb_group_run run;
  warpbound_error error;
  reset(runner, seed);
  if (wb_group_run(search->code, search->function, &options, &run, &error) != WARPBOUND_OK)
    return;
  search->deadlocks += run.deadlock;
  search->broken += runner->broken;
  if (!run.ended || runner->broken)
    return;
  search->ended++;
  if (runner->cycles > search->longest) {
    search->longest = runner->cycles;
    search->longest_seed = seed;
  }
}

/* Searches. Conditional control instructions are decided so that the lanes part, or stay, in as
 * many ways as possible; in each run each instruction has a way that it prefers. A guard that was
 * decided keeps its value until it is written. */
static void longest_run_search(struct longest_run *search)
{
  const size_t count = search->function->instruction_count;
  struct runner runner = {
      .search = search,
      .laps = must(wb_allocate(search->loop_count * WB_LANE_LIMIT, sizeof *runner.laps)),
      .ways = must(wb_allocate(count, sizeof *runner.ways)),
      .uniform = must(wb_allocate(count, sizeof *runner.uniform))};
  for (size_t u = 0; u < search->uniform_count; u++)
    runner.uniform[search->uniform[u]] = true;
  search->longest = -1;
  for (uint64_t s = 0; s < search->seeds; s++)
    run_once(&runner, search->seed + s);
  free(runner.laps);
  free(runner.ways);
  free(runner.uniform);
}

#define SEEDS 3000

/* Searches a program with one loop from "H" to "T", or none where the bound is 0. */
static struct longest_run search(const char *lines, uint32_t lanes, uint64_t bound,
                                 const char *uniform)
{
  FREED_BY(wb_code_free) struct wb_code code;
  simt_text_make_barriers(simt_lines(lines), &code);
  struct longest_run_loop loop = {.bound = bound};
  const uint32_t at = uniform != NULL ? simt_text_label(simt_lines(lines), uniform) : 0;
  if (bound > 0) {
    loop.header = loop.first = simt_text_label(simt_lines(lines), "H");
    loop.last = simt_text_label(simt_lines(lines), "T");
  }
  struct longest_run search = {.code = &code,
                               .function = &code.functions[0],
                               .loops = &loop,
                               .loop_count = bound > 0,
                               .uniform = &at,
                               .uniform_count = uniform != NULL,
                               .lanes = lanes,
                               .seeds = SEEDS,
                               .step_limit = 2000};
  longest_run_search(&search);
  return search;
}

TEST(both_sides_of_a_branch)
{
  static const char lines[] = "BSSY B0 J; A: @P0 BRA E; MOV R1 R2; BSYNC B0; E: BSYNC B0; J: EXIT";
  const struct longest_run both = search(lines, 32, 0, NULL);
  assert_int_equal(both.longest, 6);
  assert_int_equal(both.ended, SEEDS);
  assert_int_equal(search(lines, 32, 0, "A").longest, 5);
  assert_int_equal(search(lines, 1, 0, NULL).longest, 5);
}

/* Who leaves waits: one header more than iterations, and a BSYNC for each time that some leave. */
TEST(loop_with_a_scope)
{
  const struct longest_run found =
      search("BSSY B0 J; H: SETP P0 R1; T: @P0 BRA H; BSYNC B0; J: EXIT", 32, 3, NULL);
  assert_int_equal(found.longest, 1 + 4 * 2 + 4 + 1);
  assert_int_equal(found.broken, 0);
}

/* Lanes that came apart in the body go round by themselves. */
TEST(loop_without_a_scope)
{
  assert_int_equal(
      search("H: SETP P0 R1; @P0 BRA B; MOV R1 R2; B: SETP P1 R1; T: @P1 BRA H; EXIT", 2, 2, NULL)
          .longest,
      2 + 3 + 2 + 2 * (5 + 5 + 1));
}

/* A loop whose end is called is still the loop; the two instructions of one guard agree. */
TEST(calls_and_breaks)
{
  assert_int_equal(
      search("MOV R20 &C; H: CALL.REL F; C: SETP P0 R1; T: @P0 BRA H; EXIT; F: RET.REL R20", 1, 4,
             NULL)
          .longest,
      1 + 5 * 4 + 1);
  assert_int_equal(
      search("BSSY B0 J; SETP P0 R1; @P0 BREAK B0; @P0 BRA O; BSYNC B0; J: MOV R1 R2; O: EXIT", 32,
             0, NULL)
          .longest,
      8);
  const struct longest_run some =
      search("BSSY B0 J; SETP P0 R1; @P0 BRA E; WARPSYNC.ALL; E: BSYNC B0; J: EXIT", 32, 0, NULL);
  assert_true(some.deadlocks > 0 && some.ended > 0);
  assert_int_equal(some.longest, 6);
}

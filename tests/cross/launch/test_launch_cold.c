/* Launches whose caches are empty when they begin (doc/launches/cold-starts.md): bounds, the
 * library's and its independent checker's, against every schedule of random tiny launches. In a
 * quarter instructions wait for constants too, in a quarter accesses for translations of the pages
 * that they touch, which the library is told of by access, in a quarter both.
 *   WARPBOUND_CROSS_RUNS  20 times the launches (20000)
 *   WARPBOUND_SEED        seed of the first one
 *   WARPBOUND_CROSS_STATES
 *                         most states of one search (5000) */
#include "analysis/launch/launch_run_claim.h"
#include "certificate/launch_run/launch_run_check.h"
#include "launch/simulation/launch_simulation.h"
#include "launch/timing/cold_start.h"
#include "launch_brute.h"
#include "launch_makers.h"
#include "launch_shapes.h"
#include "random_launch.h"
#include "unit.h"

#include <inttypes.h>
#include <string.h>

/* States of the search; a launch with more is skipped. */
#define STATE_LIMIT 5000
#define EVENTS ((size_t)1 << 16)
#define CHECK_EVERY 8 /* runs */

struct round {
  uint64_t seed;
  struct random_launch launch;
  struct made_bound made;
  bool shorter;
  size_t kinds; /* of fetches that the library is told of */
  uint32_t worst;
};

static void fail_round(const struct round *round, const char *what)
{
  const struct tiny_cold *cold = &round->launch.tiny.cold;
  struct wb_text text = {0};
  tiny_launch_print(&round->launch.tiny, &text);
  for (size_t i = 0; i < round->launch.tiny.code.instruction_count; i++)
    wb_text_format(&text, "  %zu is in line %u%s, constant %u, touches pages 0x%x\n", i,
                   cold->line[i], cold->entered[i] ? ", entered" : "", cold->constant[i],
                   cold->touches[i]);
  fail_msg("seed %" PRIu64 ": %s\n  worst %" PRIu32 "%s, bound %" PRIu64
           " by %s; %u lines, %u of constants, %u pages of data, kept "
           "by %d; near %u + %u at %u, far %u + %u at %u, page %d: %u + %u at %u\n%s",
           round->seed, what, round->worst, round->shorter ? " with shorter times" : "",
           round->made.launch.cycles, wb_launch_formula_name(round->made.launch.formula),
           cold->lines, cold->constants, cold->data, (int)cold->keeps, cold->near.delay,
           cold->near.service, cold->near.resource, cold->far.delay, cold->far.service,
           cold->far.resource, cold->pages, cold->page.delay, cold->page.service,
           cold->page.resource, text.data);
}

static uint8_t below(struct wb_random *random, uint32_t count)
{
  return (uint8_t)wb_random_below(random, count);
}

/* A resource of the level that requests use, one of the launch's or a new one. */
static uint8_t find_resource(struct wb_random *random, struct wb_timed_code *code,
                             enum wb_resource_level level)
{
  for (uint8_t r = 0; r < code->resource_count; r++) {
    const struct wb_resource *resource = &code->resources[r];
    if (!resource->at_issue && resource->level == level && below(random, 3) > 0)
      return r;
  }
  struct wb_resource *resource = &code->resources[code->resource_count];
  *resource = (struct wb_resource){"cache", level, 1U + below(random, 2), false};
  return (uint8_t)code->resource_count++;
}

/* slow: a delay that is most of all. */
static struct tiny_fetch draw_fetch(struct wb_random *random, struct wb_timed_code *code,
                                    enum wb_resource_level level, bool slow)
{
  const uint8_t resource = find_resource(random, code, level);
  const uint8_t delay = slow ? (uint8_t)(6 + below(random, 10)) : below(random, 3);
  return (struct tiny_fetch){resource, delay, (uint8_t)(1 + below(random, slow ? 1 : 3)),
                             (uint8_t)(1 + below(random, 3) / 2)};
}

static void draw_constants(struct wb_random *random, const struct wb_timed_code *code,
                           struct tiny_cold *cold)
{
  cold->constants = (uint8_t)(1 + below(random, TINY_CONSTANT_LINES));
  for (size_t i = 0; i < code->instruction_count; i++)
    cold->constant[i] = below(random, 2) > 0 ? (uint8_t)(1 + below(random, cold->constants)) : 0;
}

/* The instruction's first stage at the GPU's resources, or NULL. */
static struct wb_request_stage *access_of(const struct wb_timed_code *code, size_t instruction)
{
  const struct wb_timed_instruction *one = &code->instructions[instruction];
  for (uint32_t s = one->first_stage; s < one->first_stage + one->stage_count; s++) {
    if (code->resources[code->stages[s].resource].level == WB_LEVEL_GPU && !code->stages[s].ahead)
      return &code->stages[s];
  }
  return NULL;
}

static void draw_data(struct wb_random *random, const struct wb_timed_code *code,
                      struct tiny_cold *cold)
{
  cold->data = (uint8_t)(1 + below(random, TINY_DATA_PAGES));
  for (size_t i = 0; i < code->instruction_count; i++) {
    const struct wb_request_stage *access = access_of(code, i);
    for (uint32_t r = 0; access != NULL && r < access->requests; r++)
      cold->touches[i] |= (uint8_t)(1U << below(random, cold->data));
  }
}

static void draw_cold(struct wb_random *random, struct random_launch *launch)
{
  struct tiny_cold *cold = &launch->tiny.cold;
  struct wb_timed_code *code = &launch->tiny.code;
  *cold = (struct tiny_cold){.lines = 1, .keeps = (enum tiny_keeps)below(random, TINY_KEEPS_COUNT)};
  for (size_t i = 0; i < code->instruction_count; i++) {
    const bool next = i > 0 && cold->lines < TINY_CODE_LINES && below(random, 3) == 0;
    cold->lines += next;
    cold->line[i] = (uint8_t)(cold->lines - 1);
    cold->entered[i] = next;
  }
  for (size_t v = 0; v < launch->graph.node_count; v++)
    cold->entered[launch->graph.first[v]] = true;
  /* A lone block with slow fetches: there the bound is near, and each delay counts. */
  const bool slow = below(random, 4) == 0;
  if (slow)
    launch->tiny.shape.blocks = 1;
  cold->near = draw_fetch(random, code, WB_LEVEL_SM, slow);
  cold->far = draw_fetch(random, code, WB_LEVEL_GPU, slow);
  cold->pages = below(random, 2) > 0;
  cold->page = draw_fetch(random, code, WB_LEVEL_GPU, slow);
  const uint8_t more = below(random, 4);
  if (more % 2 == 1)
    draw_constants(random, code, cold);
  if (more / 2 == 1)
    draw_data(random, code, cold);
}

/* ---- what the library is told ---- */

static struct wb_request_stage stage_of(const struct tiny_fetch *fetch)
{
  return (struct wb_request_stage){.resource = fetch->resource,
                                   .requests = fetch->requests,
                                   .delay = fetch->delay,
                                   .service = fetch->service};
}

/* How many of the lines from `first` on each path has an instruction in; of: by instruction. */
static uint64_t lines_of_all(const struct tiny_launch *tiny, const uint8_t *of, uint32_t first,
                             uint32_t lines)
{
  uint64_t count = 0;
  for (uint32_t line = first; line < first + lines; line++) {
    bool all = true;
    for (size_t p = 0; p < tiny->path_count; p++) {
      bool found = false;
      for (uint32_t i = 0; i < tiny->paths[p].length; i++)
        found |= of[tiny->paths[p].step[i]] == line;
      all &= found;
    }
    count += all;
  }
  return count;
}

static struct wb_cold_fetch fetch_of(const struct tiny_fetch *fetch)
{
  return (struct wb_cold_fetch){
      .name = "code", .count = 1, .stage_count = 1, .stages = {stage_of(fetch)}};
}

static void add_once(struct wb_timed_code *code, uint64_t count, uint64_t by_all_warps,
                     enum wb_resource_level level, const struct tiny_fetch *fetch)
{
  struct wb_cold_fetch *kind = &code->cold[code->cold_count++];
  *kind = fetch_of(fetch);
  kind->count = count;
  kind->by_all_warps = by_all_warps;
  kind->level = level;
}

/* Of a fetch before an instruction, or an access: its steps. */
static uint32_t steps_of(const struct wb_timed_code *code, const struct tiny_fetch *fetch)
{
  const struct wb_cold_fetch one = fetch_of(fetch);
  return (uint32_t)wb_cold_fetch_steps(code, &one);
}

/* A fetch before each issue: its time, and its requests behind all others. */
static void add_again(struct wb_timed_code *code, size_t instruction,
                      const struct tiny_fetch *fetch)
{
  struct wb_timed_instruction *one = &code->instructions[instruction];
  const size_t first = code->stage_count;
  assert_true(first + one->stage_count + 1 <= code->stage_capacity);
  memcpy(&code->stages[first], &code->stages[one->first_stage],
         one->stage_count * sizeof *code->stages);
  code->stages[first + one->stage_count] = stage_of(fetch);
  code->stages[first + one->stage_count].delay = 0;
  code->stages[first + one->stage_count].ahead = true;
  one->before += steps_of(code, fetch);
  one->first_stage = (uint32_t)first;
  one->stage_count++;
  code->stage_count = first + one->stage_count;
}

/* Translations of data by access: each waits for one, and all of them are work. */
static void tell_data(const struct tiny_cold *cold, struct wb_timed_code *code)
{
  if (cold->data == 0)
    return;
  add_once(code, cold->data, 0, WB_LEVEL_GPU, &cold->page);
  code->cold[code->cold_count - 1].stages[0].delay = 0;
  for (size_t i = 0; i < code->instruction_count; i++) {
    struct wb_request_stage *access = cold->touches[i] != 0 ? access_of(code, i) : NULL;
    if (access != NULL) {
      access->walk = steps_of(code, &cold->page);
      access->delay += access->walk;
    }
  }
}

static void tell(struct random_launch *launch)
{
  const struct tiny_cold *cold = &launch->tiny.cold;
  struct wb_timed_code *code = &launch->tiny.code;
  const size_t capacity = code->stage_capacity + 16 * code->instruction_count + 64;
  struct wb_request_stage *stages = calloc(capacity, sizeof *stages);
  assert_non_null(stages);
  memcpy(stages, code->stages, code->stage_count * sizeof *stages);
  free(code->stages);
  code->stages = stages;
  code->stage_capacity = capacity;
  const uint64_t by_all = lines_of_all(&launch->tiny, cold->line, 0, cold->lines);
  if (cold->keeps == TINY_KEEPS_NEAR)
    add_once(code, cold->lines, by_all, WB_LEVEL_PARTITION, &cold->near);
  if (cold->keeps >= TINY_KEEPS_SM)
    add_once(code, cold->lines, by_all, WB_LEVEL_SM, &cold->far);
  if (cold->pages)
    add_once(code, 1, 0, WB_LEVEL_GPU, &cold->page);
  const uint64_t read_by_all = lines_of_all(&launch->tiny, cold->constant, 1, cold->constants);
  if (cold->constants > 0 && cold->keeps == TINY_KEEPS_NEAR)
    add_once(code, cold->constants, read_by_all, WB_LEVEL_PARTITION, &cold->near);
  if (cold->constants > 0 && cold->keeps >= TINY_KEEPS_SM)
    add_once(code, cold->constants, read_by_all, WB_LEVEL_SM, &cold->far);
  tell_data(cold, code);
  for (size_t i = 0; i < code->instruction_count && cold->keeps < TINY_KEEPS_NEAR; i++) {
    const unsigned fetches = (unsigned)cold->entered[i] + (cold->constant[i] > 0);
    for (unsigned k = 0; k < fetches; k++) {
      add_again(code, i, &cold->near);
      if (cold->keeps < TINY_KEEPS_SM)
        add_again(code, i, &cold->far);
    }
  }
}

/* The search has fetches of its own. */
static void forget(struct wb_timed_code *code)
{
  code->cold_count = 0;
  for (size_t i = 0; i < code->instruction_count; i++) {
    struct wb_timed_instruction *one = &code->instructions[i];
    struct wb_request_stage *access = access_of(code, i);
    if (access != NULL) {
      access->delay -= access->walk;
      access->walk = 0;
    }
    one->before = 0;
    while (one->stage_count > 0 && code->stages[one->first_stage + one->stage_count - 1U].ahead)
      one->stage_count--;
  }
}

static void shorten(struct wb_random *random, struct tiny_fetch *fetch)
{
  fetch->delay = (uint8_t)(fetch->delay - below(random, fetch->delay + 1U));
  fetch->service = (uint8_t)(fetch->service - below(random, fetch->service));
}

/* rounds: of several waves, with a dispatcher that takes time, one block an SM, and slow fetches.
 */
static void make_round(uint64_t seed, bool rounds, struct round *round)
{
  static const struct launch_size *const sizes[] = {&launch_size_tiny, &launch_size_loops,
                                                    &launch_size_tiny, &launch_size_early};
  struct wb_random random = {seed};
  struct tiny_launch *tiny = &round->launch.tiny;
  *round = (struct round){.seed = seed};
  random_launch_draw(&random, sizes[seed % 4], &round->launch);
  draw_cold(&random, &round->launch);
  if (rounds) {
    struct wb_launch_shape *shape = &tiny->shape;
    shape->resident_blocks = 1;
    shape->block_warps = 1;
    shape->sms = 2 + below(&random, 2);
    shape->blocks = shape->sms + 1 + below(&random, shape->sms);
    shape->dispatch = 1 + below(&random, 6);
  }
  /* Of some nothing is said but that warps of a block, or of its groups, pass as many barriers. */
  bool barriers = false;
  for (size_t i = 0; i < tiny->code.instruction_count; i++)
    barriers |= tiny->code.instructions[i].barrier;
  tiny->as_many = !rounds && seed / 4 % 3 == 0 && barriers && tiny->early == TINY_NONE_EARLY;
  if (tiny->as_many && seed % 2 == 1)
    random_launch_groups(&random, tiny);
  tell(&round->launch);
  assert_null(wb_timed_code_check(&tiny->code));
  made_bound_make(&round->launch, round->launch.graph.unphased && !tiny->as_many, &round->made);
  round->shorter = below(&random, 5) == 0;
}

static void begin_search(struct round *round)
{
  struct tiny_launch *tiny = &round->launch.tiny;
  struct wb_random random = {round->seed + 7};
  round->kinds = tiny->code.cold_count;
  forget(&tiny->code);
  if (!round->shorter)
    return;
  random_launch_shorten(&random, &tiny->code);
  shorten(&random, &tiny->cold.near);
  shorten(&random, &tiny->cold.far);
  shorten(&random, &tiny->cold.page);
}

/* ---- simulated runs ---- */

/* Adds a line to the caches that keep such lines, of which the numbers of the kinds of fetches are
 * near and far. Returns one more than the number of the nearest one; 0: none keeps it. */
static uint32_t list_line(struct wb_cold_lines *lines, enum tiny_keeps keeps, uint8_t near,
                          uint8_t far, uint32_t page)
{
  uint32_t behind = page;
  if (keeps >= TINY_KEEPS_SM) {
    lines->lines[lines->count++] = (struct wb_cold_line){.fetch = far, .behind = behind};
    behind = (uint32_t)lines->count;
  }
  if (keeps == TINY_KEEPS_NEAR) {
    lines->lines[lines->count++] = (struct wb_cold_line){.fetch = near, .behind = behind};
    behind = (uint32_t)lines->count;
  }
  return behind;
}

/* The lines one by one, as the simulator has them. Where partitions do not keep them, their fetches
 * take no time; nor do translations of data. */
static void list_lines(struct random_launch *launch)
{
  const struct tiny_cold *cold = &launch->tiny.cold;
  struct wb_timed_code *code = &launch->tiny.code;
  struct wb_cold_lines *lines = &code->cold_lines;
  lines->lines = calloc(2 * (TINY_CODE_LINES + TINY_CONSTANT_LINES) + 1, sizeof *lines->lines);
  lines->first = calloc(code->instruction_count + 1, sizeof *lines->first);
  lines->needs = calloc(2 * code->instruction_count + 1, sizeof *lines->needs);
  assert_true(lines->lines != NULL && lines->first != NULL && lines->needs != NULL);
  /* In the order in which tell() adds them. */
  const uint8_t far = cold->keeps == TINY_KEEPS_NEAR;
  const uint8_t page = (uint8_t)(far + (cold->keeps >= TINY_KEEPS_SM));
  const uint8_t constant = (uint8_t)(page + cold->pages);
  uint32_t of[TINY_CODE_LINES + TINY_CONSTANT_LINES] = {0};
  if (cold->pages)
    lines->lines[lines->count++] = (struct wb_cold_line){.fetch = page};
  for (uint32_t l = 0; l < cold->lines; l++)
    of[l] = list_line(lines, cold->keeps, 0, far, cold->pages);
  for (uint32_t c = 0; c < cold->constants; c++)
    of[cold->lines + c] =
        list_line(lines, cold->keeps, constant, (uint8_t)(constant + far), cold->pages);
  size_t count = 0;
  for (size_t i = 0; i < code->instruction_count; i++) {
    lines->first[i] = count;
    if (of[cold->line[i]] > 0)
      lines->needs[count++] = of[cold->line[i]] - 1;
    if (cold->constant[i] > 0 && of[cold->lines + cold->constant[i] - 1] > 0)
      lines->needs[count++] = of[cold->lines + cold->constant[i] - 1] - 1;
  }
  lines->first[code->instruction_count] = count;
}

/* The independent checker accepts the run, but not without its last fetch, nor in other cycles. */
static void check_run(const struct round *round, const struct wb_simulation_options *options,
                      const struct wb_simulated_launch *run)
{
  const struct tiny_launch *tiny = &round->launch.tiny;
  struct wb_launch_run_owner owner;
  warpbound_error error = {0};
  assert_ok(wb_launch_run_claim_make(&tiny->code, &tiny->shape, NULL, options, run,
                                     WB_CHECK_RUN_NO_STEP, NULL, NULL, &owner, NULL));
  if (wb_check_launch_run(&owner.run, &error) != WARPBOUND_OK)
    fail_msg("seed %" PRIu64 ": the checker refuses a run: %s", round->seed, error.message);
  owner.run.cycles--;
  assert_int_equal(wb_check_launch_run(&owner.run, NULL), WARPBOUND_CHECK_FAILED);
  owner.run.cycles++;
  if (owner.run.fetch_count > 0) {
    owner.run.fetch_count--;
    assert_int_equal(wb_check_launch_run(&owner.run, NULL), WARPBOUND_CHECK_FAILED);
  }
  wb_arena_free(&owner.arena);
}

/* A run by the policy, of the paths that have as many barriers as the first one. */
static uint64_t simulate(const struct round *round, enum wb_launch_policy policy, uint64_t seed)
{
  const struct tiny_launch *tiny = &round->launch.tiny;
  uint32_t steps[TINY_PATHS][TINY_LENGTH];
  struct wb_warp_path paths[TINY_PATHS];
  struct wb_simulation_options options = {.policy = policy,
                                          .seed = seed,
                                          .laggards = seed,
                                          .paths = paths,
                                          .cold = true,
                                          .most_events = seed % CHECK_EVERY == 0 ? EVENTS : 0,
                                          .events_of_run = true};
  uint32_t expected = 0;
  for (size_t p = 0; p < tiny->path_count; p++) {
    uint32_t barriers = 0;
    for (uint32_t i = 0; i < tiny->paths[p].length; i++) {
      steps[p][i] = tiny->paths[p].step[i];
      barriers += tiny->code.instructions[steps[p][i]].barrier;
    }
    expected = p == 0 ? barriers : expected;
    if (barriers == expected)
      paths[options.path_count++] = (struct wb_warp_path){steps[p], tiny->paths[p].length};
  }
  struct wb_simulated_launch run;
  warpbound_error error;
  if (wb_launch_simulate(&tiny->code, &tiny->shape, &options, NULL, &run, &error) != WARPBOUND_OK)
    fail_msg("seed %" PRIu64 ": the simulator fails: %s", round->seed, error.message);
  const uint64_t cycles = run.cycles;
  if (options.most_events > 0)
    check_run(round, &options, &run);
  wb_simulated_launch_free(&run);
  return cycles;
}

/* Simulated runs take no longer than the bound; nor than the worst of all schedules where both have
 * the same fetches and leave their SMs at the same time, and the search has the full queues of
 * convoys. Returns the longest. */
static uint64_t compare_runs(struct round *round)
{
  struct tiny_launch *tiny = &round->launch.tiny;
  const bool same = !round->shorter && tiny->cold.keeps == TINY_KEEPS_NEAR &&
                    tiny->cold.data == 0 && tiny->leave == TINY_LEAVE_EARLY;
  uint64_t longest = 0;
  tiny->code.cold_count = round->kinds;
  list_lines(&round->launch);
  for (uint64_t r = 0; r < 4 * (uint64_t)WB_LAUNCH_POLICY_COUNT; r++) {
    const enum wb_launch_policy policy = (enum wb_launch_policy)(r % WB_LAUNCH_POLICY_COUNT);
    const bool full = wb_launch_policy_convoys(policy) && !tiny->full_queues;
    const uint64_t cycles = simulate(round, policy, r);
    longest = cycles > longest && !full ? cycles : longest;
    if (cycles > round->made.launch.cycles)
      fail_round(round, "a simulated run takes longer than the bound");
    if (same && !full && cycles > round->worst + tiny->shape.overhead)
      fail_round(round, "a simulated run takes longer than every schedule");
  }
  return same ? longest : 0;
}

static void free_round(struct round *round)
{
  made_bound_free(&round->made);
  tiny_launch_free(&round->launch.tiny);
}

/* Every schedule, every order of fetches; and what the independent checker says of the bounds. */
TEST(test_every_schedule)
{
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", 20000) / 20;
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  struct launch_brute *brute =
      launch_brute_start(number_from_environment("WARPBOUND_CROSS_STATES", STATE_LIMIT));
  double *ratios = calloc(runs, sizeof *ratios);
  uint64_t decided = 0, reached = 0, waves = 0, barriers = 0, kept[TINY_KEEPS_COUNT] = {0};
  uint64_t runs_of = 0, worst_found = 0, constants = 0, data = 0;
  struct launch_shapes shapes = {0};
  assert_non_null(brute);
  assert_non_null(ratios);
  for (uint64_t r = 0; r < runs; r++) {
    struct round round;
    make_round(first + r, false, &round);
    const struct tiny_launch *tiny = &round.launch.tiny;
    const uint64_t checked = made_bound_check(&round.launch, &round.made);
    int64_t sum = 0;
    for (size_t p = 0; p < WB_PART_COUNT; p++)
      sum += round.made.launch.part[p];
    assert_true(sum == (int64_t)(round.made.launch.cycles * round.made.maxima.terms.denominator));
    begin_search(&round);
    const bool searched = launch_brute_worst(brute, tiny, &round.worst);
    launch_shapes_count(&shapes, tiny, searched);
    if (searched) {
      const uint64_t worst = round.worst + tiny->shape.overhead;
      if (worst > round.made.launch.cycles)
        fail_round(&round, "from a cold start a schedule takes longer than the bound");
      if (checked < worst)
        fail_round(&round, "of the checker, a schedule takes longer than the bound");
      ratios[decided++] = (double)round.worst / (double)round.made.launch.cycles;
      reached += worst == round.made.launch.cycles;
      waves += tiny->shape.blocks > tiny->shape.sms * tiny->shape.resident_blocks;
      barriers += round.made.maxima.terms.phases > 1;
      kept[tiny->cold.keeps]++;
      const uint64_t longest = compare_runs(&round);
      runs_of += longest > 0;
      worst_found += longest == worst;
      constants += tiny->cold.constants > 0;
      data += tiny->cold.data > 0;
    }
    if (checked < round.made.launch.cycles)
      fail_round(&round, "the checker says fewer cycles are proven than the makers'");
    free_round(&round);
  }
  qsort(ratios, decided, sizeof *ratios, compare_ratios);
  print_message(
      "# seed %" PRIu64 ": %" PRIu64 " of %" PRIu64 " launches searched, bound reached %" PRIu64
      ", worst / bound: median %.2f; several waves %" PRIu64 ", barriers %" PRIu64
      ", kept by none %" PRIu64 ", by SMs %" PRIu64 ", by partitions %" PRIu64 "; of %" PRIu64
      " launches %" PRIu64 " have a simulated run that is the worst; constants %" PRIu64
      ", pages of data %" PRIu64 "\n",
      first, decided, runs, reached, ratios[decided / 2], waves, barriers, kept[TINY_KEEPS_NONE],
      kept[TINY_KEEPS_SM], kept[TINY_KEEPS_NEAR], runs_of, worst_found, constants, data);
  launch_shapes_print(&shapes);
  assert_true(decided * 2 > runs && reached > 0 && waves > 0 && barriers > 0);
  for (size_t k = 0; k < TINY_KEEPS_COUNT; k++)
    assert_true(kept[k] > 0);
  free(ratios);
  launch_brute_free(brute);
}

/* Chains go from SM to SM, and each may begin with nothing in its caches (doc/launch.md, theorem
 * D). */
TEST(test_rounds)
{
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", 20000) / 100;
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  struct launch_brute *brute = launch_brute_start(STATE_LIMIT);
  uint64_t decided = 0, reached = 0, used = 0;
  assert_non_null(brute);
  for (uint64_t r = 0; r < runs; r++) {
    struct round round;
    make_round(first + r, true, &round);
    const struct tiny_launch *tiny = &round.launch.tiny;
    const uint64_t checked = made_bound_check(&round.launch, &round.made);
    begin_search(&round);
    if (launch_brute_worst(brute, tiny, &round.worst)) {
      const uint64_t worst = round.worst + tiny->shape.overhead;
      if (worst > round.made.launch.cycles)
        fail_round(&round, "of rounds from a cold start a schedule takes longer than the bound");
      if (checked < worst)
        fail_round(&round, "of the checker, a schedule takes longer than the bound");
      if (checked < round.made.launch.cycles)
        fail_round(&round, "the checker says fewer cycles are proven than the makers'");
      decided++;
      reached += worst == round.made.launch.cycles;
      used += round.made.launch.formula == WB_FORMULA_ROUNDS;
    }
    free_round(&round);
  }
  print_message("# rounds from cold starts: %" PRIu64 " of %" PRIu64
                " launches searched, by rounds %" PRIu64 ", bound reached %" PRIu64 "\n",
                decided, runs, used, reached);
  assert_true(decided * 4 > runs && used > 0);
  launch_brute_free(brute);
}

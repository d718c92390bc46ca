/* Launches whose data the first caches of SMs keep (doc/launches/first-cache.md): bounds, the
 * library's and its independent checker's, against every schedule of random tiny launches. Loads
 * wait for the sectors that they want, whoever fetches them. The library is given code in which
 * each load goes all the way by itself. WARPBOUND_CROSS_RUNS  20 times the launches (20000)
 *   WARPBOUND_SEED        seed of the first one
 *   WARPBOUND_CROSS_STATES
 *                         most states of one search (800) */
#include "launch/timing/first_data.h"
#include "launch_brute.h"
#include "launch_makers.h"
#include "launch_shapes.h"
#include "random_launch.h"
#include "unit.h"
#include "written_launch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* States of the search; a launch with more is skipped. */
#define STATE_LIMIT 800

struct round {
  uint64_t seed;
  struct random_launch launch; /* as the search has it */
  struct wb_first_buffer buffers[TINY_FIRST_LINES];
  struct wb_timed_code kept; /* as the library makes it */
  struct made_bound made;
  uint64_t checked; /* what the checker says */
  bool shorter;
  uint32_t worst;
};

static uint8_t below(struct wb_random *random, uint32_t count)
{
  return (uint8_t)wb_random_below(random, count);
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
  return a < b ? a : b;
}

static void fail_round(const struct round *round, const char *what)
{
  const struct tiny_first *first = &round->launch.tiny.first;
  struct wb_text text = {0};
  tiny_launch_print(&round->launch.tiny, &text);
  for (size_t i = 0; i < round->launch.tiny.code.instruction_count; i++)
    wb_text_format(&text, "  %zu wants sectors 0x%x before stage %u\n", i, first->wants[i],
                   first->stage[i]);
  for (uint32_t s = 0; s < first->stage_count; s++)
    wb_text_format(&text, "  fetch: %u + %u at %u\n", first->stages[s].delay,
                   first->stages[s].service, first->stages[s].resource);
  fail_msg("seed %" PRIu64 ": %s\n  worst %" PRIu32 "%s, bound %" PRIu64 " by %s, checked %" PRIu64
           "; %u lines, of blocks %d, patience %d, dropped %d, whole 0x%x, paid %d %d, resident "
           "0x%x\n%s",
           round->seed, what, round->worst, round->shorter ? " with shorter times" : "",
           round->made.launch.cycles, wb_launch_formula_name(round->made.launch.formula),
           round->checked, first->lines, first->of_block, first->patience, first->drops,
           first->whole, (int)round->buffers[0].paid, (int)round->buffers[1].paid, first->resident,
           text.data);
}

/* A resource of the level that requests use, one of the launch's or a new one. */
static uint8_t find_resource(struct wb_random *random, struct wb_timed_code *code,
                             enum wb_resource_level level)
{
  for (uint8_t r = 0; r < code->resource_count; r++) {
    const struct wb_resource *resource = &code->resources[r];
    if (!resource->at_issue && resource->level == level && below(random, 4) > 0)
      return r;
  }
  struct wb_resource *resource = &code->resources[code->resource_count];
  *resource = (struct wb_resource){"way", level, 1U + below(random, 4), false};
  return (uint8_t)code->resource_count++;
}

/* The way of a fetch; its last stage may be at the memory behind an L2 that keeps data. Whether
 * fetches are slow. */
static bool draw_way(struct wb_random *random, struct tiny_launch *tiny)
{
  struct tiny_first *first = &tiny->first;
  /* A lone block with slow fetches: there the bound is near, and each delay counts. */
  const uint8_t slow = below(random, tiny->code.kept.count > 0 ? 3 : 8);
  if (slow < 2)
    tiny->shape.blocks = 1;
  first->stage_count = (uint8_t)(1 + below(random, 2));
  for (uint32_t s = 0; s < first->stage_count; s++) {
    const bool last = s + 1U == first->stage_count;
    const bool gpu = last && (first->stage_count == 2 || below(random, 3) > 0);
    first->stages[s] = (struct tiny_fetch){
        .resource = find_resource(random, &tiny->code, gpu ? WB_LEVEL_GPU : WB_LEVEL_SM),
        .delay = slow == 0 ? (uint8_t)(3 + below(random, 6)) : below(random, 3),
        .service = (uint8_t)(slow == 1 ? 3 + below(random, 6) : 1 + below(random, 3)),
        .requests = 1};
  }
  const bool alone = below(random, 2) > 0; /* nothing else comes to the data that L2 keeps */
  first->in_l2 = tiny->code.kept.count > 0;
  for (size_t s = 0; s < tiny->code.stage_count && first->in_l2; s++) {
    struct wb_request_stage *stage = &tiny->code.stages[s];
    if (stage->resource == tiny->memory && slow == 0)
      stage->delay = 30;
    if (stage->buffer == 0)
      continue;
    first->stages[first->stage_count - 1] =
        (struct tiny_fetch){tiny->memory, (uint8_t)stage->delay, (uint8_t)stage->service, 1};
    first->hit = (uint8_t)stage->hit;
    stage->buffer = alone ? 0 : stage->buffer;
    stage->hit = alone ? 0 : stage->hit;
  }
  return slow < 2;
}

/* Whether no stage of the instruction is of a resource on the way. */
static bool is_apart(const struct tiny_launch *tiny, const struct wb_timed_instruction *one)
{
  for (uint32_t s = one->first_stage; s < one->first_stage + one->stage_count; s++) {
    for (uint32_t f = 0; f < tiny->first.stage_count; f++) {
      if (tiny->code.stages[s].resource == tiny->first.stages[f].resource)
        return false;
    }
  }
  return one->stage_count > 0;
}

/* Lets first caches keep a line or two. False where no instruction can load from it. */
static bool draw_first(struct wb_random *random, bool in_l2, struct tiny_launch *tiny)
{
  struct tiny_first *first = &tiny->first;
  bool in_turn = below(random, 3) == 0; /* loads want one sector after the other */
  uint32_t count = 0;
  *first = (struct tiny_first){.lines = (uint8_t)(1 + below(random, TINY_FIRST_LINES)),
                               .resident = (uint8_t)(below(random, 2) * below(random, 256)),
                               .whole = below(random, 4)};
  if (in_l2 && !random_launch_keep_data(random, tiny))
    return false;
  first->of_block = below(random, 2) > 0;
  first->drops = below(random, 4) > 0;
  if (first->of_block && below(random, 2) > 0)
    first->patience = (uint8_t)(2 + below(random, 3) / 2);
  if (draw_way(random, tiny) && below(random, 4) > 0) {
    in_turn = true;
    first->lines = 1;
  }
  for (size_t i = 0; i < tiny->code.instruction_count; i++) {
    struct wb_timed_instruction *one = &tiny->code.instructions[i];
    const bool loads =
        below(random, 4) > 0 && is_apart(tiny, one) && one->read_stages < one->stage_count;
    if (!loads)
      continue;
    const uint32_t line = below(random, first->lines);
    const uint32_t sector = in_turn ? count % 4 : below(random, 4);
    first->wants[i] = (uint8_t)(1U << (4 * line + sector));
    for (uint32_t more = below(random, 6) / 2; more > 0 && !in_turn; more--)
      first->wants[i] |= (uint8_t)(1U << (4 * line + below(random, 4)));
    first->stage[i] =
        (uint8_t)(one->read_stages + below(random, (uint32_t)one->stage_count - one->read_stages));
    one->posted = false;
    count++;
  }
  return count > 0;
}

/* ---- what the library is told ---- */

/* The code in which each load goes the way of a fetch, with a request for each of its sectors. */
static void add_ways(const struct tiny_launch *tiny, struct wb_timed_code *full)
{
  const struct tiny_first *first = &tiny->first;
  struct wb_request_stage *stages =
      calloc(tiny->code.stage_count + 2 * tiny->code.instruction_count + 1, sizeof *stages);
  assert_non_null(stages);
  *full = tiny->code;
  full->instructions = calloc(tiny->code.instruction_count, sizeof *full->instructions);
  assert_non_null(full->instructions);
  full->stages = stages;
  full->stage_count = 0;
  for (size_t i = 0; i < tiny->code.instruction_count; i++) {
    const struct wb_timed_instruction *from = &tiny->code.instructions[i];
    struct wb_timed_instruction *to = &full->instructions[i];
    *to = *from;
    to->first_stage = (uint32_t)full->stage_count;
    for (uint32_t s = 0; s < from->stage_count; s++) {
      for (uint32_t f = 0; f < first->stage_count && first->wants[i] != 0 && s == first->stage[i];
           f++) {
        const bool memory = first->in_l2 && f + 1U == first->stage_count;
        const uint32_t line = first->wants[i] < 16 ? 0 : 1;
        stages[full->stage_count++] = (struct wb_request_stage){
            .resource = first->stages[f].resource,
            .requests = (uint16_t)__builtin_popcount(first->wants[i]),
            .delay = first->stages[f].delay,
            .service = first->stages[f].service,
            .buffer = (uint8_t)(memory ? 1 + line % tiny->code.kept.count : 0),
            .hit = memory ? first->hit : 0};
      }
      stages[full->stage_count++] = tiny->code.stages[from->first_stage + s];
    }
    to->stage_count = (uint8_t)(full->stage_count - to->first_stage);
  }
}

/* The code with the data that first caches keep, by the library. */
static void make_kept(struct wb_random *random, struct round *round)
{
  const struct tiny_launch *tiny = &round->launch.tiny;
  const uint64_t residents = smaller(tiny->shape.resident_blocks, (uint32_t)tiny->shape.blocks);
  /* Lines of so many blocks: some more of the lines used last change nothing. */
  const uint64_t blocks = tiny->first.patience > 0          ? residents - 1 + tiny->first.patience
                          : tiny->shape.resident_blocks > 1 ? tiny->shape.blocks
                                                            : 1;
  const struct wb_first_data data = {
      round->buffers, tiny->first.lines,
      128 * tiny->first.lines * blocks +
          (tiny->first.patience > 0 ? wb_random_below(random, 128U * tiny->first.lines) : 0),
      tiny->first.of_block, tiny->first.patience > 0};
  struct wb_timed_code full;
  uint8_t buffer[64] = {0};
  bool beyond[WB_RESOURCE_LIMIT] = {false};
  bool loaded[TINY_FIRST_LINES] = {false};
  for (size_t i = 0; i < tiny->code.instruction_count; i++) {
    buffer[i] = tiny->first.wants[i] == 0 ? 0 : tiny->first.wants[i] < 16 ? 1 : 2;
    if (buffer[i] > 0)
      loaded[buffer[i] - 1] = true;
  }
  for (uint32_t f = 0; f < tiny->first.stage_count; f++)
    beyond[tiny->first.stages[f].resource] = true;
  for (uint32_t b = 0; b < tiny->first.lines; b++) {
    const uint8_t drawn = below(random, 5);
    round->buffers[b] =
        (struct wb_first_buffer){.bytes = 1,
                                 .block_lines = 1,
                                 .paid = !loaded[b] || drawn == 0 ? WB_FIRST_AS_BEFORE
                                         : drawn < 3              ? WB_FIRST_BY_SECTOR
                                                                  : WB_FIRST_BY_ACCESS};
    /* Who pays as before pays for what it asks for; so do blocks. */
    if (round->buffers[b].paid == WB_FIRST_AS_BEFORE || tiny->first.of_block)
      round->launch.tiny.first.whole &= (uint8_t) ~(1U << b);
  }
  add_ways(tiny, &full);
  assert_null(wb_timed_code_check(&full));
  assert_int_equal(wb_first_data_keep(&full, &data, buffer, beyond, &round->kept), WB_FIRST_DONE);
  assert_null(wb_timed_code_check(&round->kept));
  free(full.stages);
  free(full.instructions);
}

static void shorten(struct wb_random *random, struct tiny_launch *tiny)
{
  random_launch_shorten(random, &tiny->code);
  /* That of the memory is one of the code's too. */
  for (uint32_t f = 0; f + tiny->first.in_l2 < tiny->first.stage_count; f++) {
    struct tiny_fetch *stage = &tiny->first.stages[f];
    stage->delay = (uint8_t)(stage->delay - below(random, stage->delay + 1U));
    stage->service = (uint8_t)(stage->service - below(random, stage->service));
  }
}

/* What launches are searched: as they are drawn; of two SMs with a block of one warp each and a
 * slow dispatcher; of blocks of one warp that fill all partitions; of several paths, of which all
 * warps of a block, or of the launch, take one; of blocks of one warp that come and go beside
 * others on an SM that keeps the lines used last. */
enum family { AS_DRAWN, ROUNDS, FULL_PARTITIONS, ONE_PATH, RECENT };

static uint8_t longest_path(const struct tiny_launch *tiny)
{
  uint8_t longest = 0;
  for (size_t p = 0; p < tiny->path_count; p++)
    longest = tiny->paths[p].length > longest ? tiny->paths[p].length : longest;
  return longest;
}

static void take_family(struct wb_random *random, enum family family, struct tiny_launch *tiny)
{
  struct wb_launch_shape *shape = &tiny->shape;
  if (family == ROUNDS) {
    shape->resident_blocks = shape->block_warps = 1;
    shape->sms = 2;
    shape->blocks = 3 + below(random, 3);
    shape->dispatch = 1 + below(random, 4);
  } else if (family == FULL_PARTITIONS) {
    tiny->partition_places = 1;
    shape->block_warps = shape->sms = 1;
    shape->partitions = shape->resident_blocks = 2;
    shape->blocks = 3 + below(random, 3);
    tiny->first.of_block |= below(random, 2) > 0;
  } else if (family == ONE_PATH) {
    tiny->same_path = below(random, 3) == 0;
    tiny->launch_path = !tiny->same_path;
  } else if (family == RECENT) {
    /* Two blocks begin beside one that stays. */
    const bool is_short = longest_path(tiny) < 3;
    shape->block_warps = 1;
    shape->resident_blocks = 2 + (is_short ? below(random, 3) : below(random, 7) / 6);
    shape->sms = 1 + (shape->resident_blocks == 2 && is_short ? below(random, 2) : 0);
    shape->blocks = shape->resident_blocks * shape->sms + 2 + below(random, is_short ? 3 : 2);
    tiny->first.of_block = tiny->first.drops = true;
    tiny->first.patience = 2;
  }
}

/* Whether the launch, as it was drawn, has something of the family; length: the longest path of
 * RECENT. */
static bool is_of_family(const struct random_launch *launch, enum family family, uint8_t length)
{
  return launch->tiny.shape.sms <= 2 && (family != ONE_PATH || launch->tiny.path_count > 1) &&
         (family != FULL_PARTITIONS || launch->tiny.paths[0].length < 6) &&
         (family != RECENT || (launch->tiny.path_count > 1 && launch->tiny.shape.partitions == 1 &&
                               longest_path(&launch->tiny) <= length));
}

/* The makers' bound, and the checker's, are of the code that the library made. */
static void make_bounds(struct round *round)
{
  struct tiny_launch *tiny = &round->launch.tiny;
  const struct wb_timed_code code = tiny->code;
  tiny->code = round->kept;
  made_bound_make(&round->launch, round->launch.graph.unphased, &round->made);
  round->checked = made_bound_check(&round->launch, &round->made);
  tiny->code = code;
}

/* So many draws of a fifth of the launches look for the shortest paths, of which more blocks can be
 * searched. */
#define SHORT_TRIES 300u

static void make_round(uint64_t seed, enum family family, struct round *round)
{
  static const struct launch_size *const sizes[] = {&launch_size_tiny, &launch_size_loops,
                                                    &launch_size_passes, &launch_size_early};
  struct wb_random random = {seed};
  struct tiny_launch *tiny = &round->launch.tiny;
  uint32_t tries = seed % 5 == 0 ? SHORT_TRIES : 0;
  *round = (struct round){.seed = seed};
  do {
    if (tiny->code.instructions != NULL)
      tiny_launch_free(tiny);
    random_launch_draw(&random, sizes[seed % 4], &round->launch);
    tries -= tries > 0;
  } while (!is_of_family(&round->launch, family, tries > 0 ? 2 : 3) ||
           !draw_first(&random, seed % 3 == 0, tiny));
  take_family(&random, family, tiny);
  make_kept(&random, round);
  make_bounds(round);
  round->shorter = below(&random, 5) == 0;
  if (round->shorter)
    shorten(&random, tiny);
}

/* What comes of some rounds. */
struct tally {
  struct launch_brute *brute;
  double *ratios;
  uint64_t decided, reached, waves, barriers, by_rounds, in_l2, of_block, recent, by_places, less,
      paid[WB_FIRST_BY_ACCESS + 1];
  struct launch_shapes shapes;
};

static void judge(struct round *round, struct tally *tally)
{
  const struct tiny_launch *tiny = &round->launch.tiny;
  const bool searched = launch_brute_worst(tally->brute, tiny, &round->worst);
  launch_shapes_count(&tally->shapes, tiny, searched);
  if (searched) {
    const uint64_t worst = round->worst + tiny->shape.overhead;
    if (worst > round->made.launch.cycles)
      fail_round(round, "with first caches a schedule takes longer than the bound");
    if (worst > round->checked)
      fail_round(round, "of the checker, a schedule takes longer than the bound");
    tally->ratios[tally->decided++] = (double)round->worst / (double)round->made.launch.cycles;
    tally->reached += worst == round->made.launch.cycles;
    tally->waves += tiny->shape.blocks > tiny->shape.sms * tiny->shape.resident_blocks;
    tally->barriers += round->made.maxima.terms.phases > 1;
    tally->in_l2 += tiny->first.in_l2;
    tally->of_block += tiny->first.of_block;
    tally->recent += tiny->first.patience > 0;
    tally->by_rounds += round->made.launch.formula == WB_FORMULA_ROUNDS;
    tally->by_places += round->made.launch.formula == WB_FORMULA_FULL_PARTITIONS;
    tally->less += round->made.maxima.terms.one_path > 0 || round->made.maxima.terms.same_path > 0;
    for (uint32_t b = 0; b < tiny->first.lines; b++)
      tally->paid[round->buffers[b].paid]++;
  }
  /* Of several formulas of one path it takes the least. */
  if (round->checked < round->made.launch.cycles && !tiny->launch_path)
    fail_round(round, "the checker says fewer cycles are proven than the makers'");
  made_bound_free(&round->made);
  wb_timed_code_free(&round->kept);
  tiny_launch_free(&round->launch.tiny);
}

/* Every schedule, every order of fetches; and what the independent checker says of the bounds. */
static void search(uint64_t runs, enum family family, const char *name)
{
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  struct tally tally = {
      .brute = launch_brute_start((family == RECENT ? 20 : 1) *
                                  number_from_environment("WARPBOUND_CROSS_STATES", STATE_LIMIT)),
      .ratios = calloc(runs, sizeof *tally.ratios)};
  assert_non_null(tally.brute);
  assert_non_null(tally.ratios);
  for (uint64_t r = 0; r < runs; r++) {
    struct round round;
    make_round(first + r, family, &round);
    judge(&round, &tally);
  }
  qsort(tally.ratios, tally.decided, sizeof *tally.ratios, compare_ratios);
  print_message(
      "# %s, seed %" PRIu64 ": %" PRIu64 " of %" PRIu64 " launches searched, bound reached %" PRIu64
      ", worst / bound: median %.2f; several waves %" PRIu64 ", barriers %" PRIu64
      ", by rounds %" PRIu64 ", by full partitions %" PRIu64 ", less by one path %" PRIu64
      ", behind an L2 that keeps data %" PRIu64 ", for blocks %" PRIu64 ", used last %" PRIu64
      ", lines paid as before %" PRIu64 ", by sector %" PRIu64 ", by access %" PRIu64 "\n",
      name, first, tally.decided, runs, tally.reached, tally.ratios[tally.decided / 2], tally.waves,
      tally.barriers, tally.by_rounds, tally.by_places, tally.less, tally.in_l2, tally.of_block,
      tally.recent, tally.paid[0], tally.paid[1], tally.paid[2]);
  launch_shapes_print(&tally.shapes);
  assert_true(tally.decided * 3 > runs &&
              (runs < 100 || (tally.paid[1] > 0 && tally.paid[2] > 0 && tally.in_l2 > 0)));
  free(tally.ratios);
  launch_brute_free(tally.brute);
}

TEST(test_first_caches)
{
  search(number_from_environment("WARPBOUND_CROSS_RUNS", 20000) / 20, AS_DRAWN, "first caches");
}

TEST(test_first_caches_by_rounds)
{
  search(number_from_environment("WARPBOUND_CROSS_RUNS", 20000) / 100, ROUNDS,
         "first caches, rounds");
}

TEST(test_first_caches_of_full_partitions)
{
  search(number_from_environment("WARPBOUND_CROSS_RUNS", 20000) / 100, FULL_PARTITIONS,
         "first caches, full partitions");
}

TEST(test_first_caches_of_one_path)
{
  search(number_from_environment("WARPBOUND_CROSS_RUNS", 20000) / 100, ONE_PATH,
         "first caches, one path");
}

TEST(test_first_caches_of_lines_used_last)
{
  search(number_from_environment("WARPBOUND_CROSS_RUNS", 20000) / 50, RECENT,
         "first caches, lines used last");
}

/* A line of which a warp loads one sector after the other, once or three times. Of four blocks that
 * reside on the SM two take the short path, time after time: whenever they have left two others
 * begin, and all sectors go. So the block that stays waits for each of them three times, where it
 * would wait once, and two blocks of a slot twice. */
TEST(test_lines_used_last_come_again)
{
  struct written_launch written;
  struct launch_size size = launch_size_large;
  written_start(&written);
  written_add_port(&written, WB_LEVEL_SM, 4);
  written_add_port(&written, WB_LEVEL_GPU, 4);
  written.random.tiny.code.resources[0].servers = 4; /* no warp waits for another */
  for (uint32_t i = 0; i < 4; i++) {
    struct wb_timed_instruction *load = written_add(&written, 1, 1);
    written_add_stage(&written, load, (struct wb_request_stage){1, 1, 0, 1});
    load->write_scoreboard = 0;
    load->wait_mask = 1;
    written.random.tiny.first.wants[i] = (uint8_t)(1U << i);
  }
  written_add(&written, 1, 1)->wait_mask = 1;
  written_connect(&written, "01 12 23 30 34");
  struct launch_limit *limit = &written.random.graph.limits[written.random.graph.limit_count++];
  limit->constant = 2;
  limit->factor[3] = 1;
  struct tiny_launch *tiny = &written.random.tiny;
  tiny->shape.blocks = 8;
  tiny->shape.resident_blocks = 4;
  tiny->first.lines = 1;
  tiny->first.stage_count = 1;
  tiny->first.stages[0] = (struct tiny_fetch){2, 60, 1, 1};
  tiny->first.of_block = tiny->first.drops = true;
  tiny->first.patience = 2;
  assert_true(random_launch_paths(&written.random, &size));
  struct round round = {.launch = written.random};
  struct wb_random random = {1};
  do {
    wb_timed_code_free(&round.kept);
    make_kept(&random, &round);
  } while (round.buffers[0].paid != WB_FIRST_BY_SECTOR);
  make_bounds(&round);
  struct launch_brute *brute = launch_brute_start(1000000);
  assert_non_null(brute);
  assert_true(launch_brute_worst(brute, &round.launch.tiny, &round.worst));
  /* Without what comes again the bound would be six times half of four fetches less. */
  assert_true(round.worst <= round.made.launch.cycles);
  assert_true(round.worst <= round.checked);
  assert_true(round.made.launch.cycles < round.worst + 6 * 2 * 61);
  launch_brute_free(brute);
  made_bound_free(&round.made);
  wb_timed_code_free(&round.kept);
}

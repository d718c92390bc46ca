/* The theorems on launches of which all warps take one path, for the checker of claims: how often
 * each formula has each sum of that path, and what these come to together. */
#include "base/checked.h"
#include "certificate/launch/launch_fetches.h"
#include "certificate/launch/launch_theorems.h"

/* How often a formula has each sum, and all else in 1 / denominator cycles. */
struct formula {
  uint64_t own, partition, others, units, gpu;
  uint64_t alone_own, alone_partition, alone_others;
  uint64_t rest;
};

struct launch {
  const struct wb_check_launch_terms *terms;
  const struct wb_launch_shape *shape;
  const struct wb_timed_code *code;
  struct wb_check_launch_block_fetches fetched;
  uint64_t w, here, away; /* w, w_P, w - w_P */
  uint64_t start;         /* block_start, and kappa of each phase */
  uint64_t e;
  bool wide; /* blocks beside count as if all their warps were in the chain's partition */
};

static uint64_t in_parts(const struct launch *launch, uint64_t cycles)
{
  return wb_times(cycles, launch->terms->denominator);
}

/* What the formula comes to: by the proof, where what it has more often counts by itself, or by the
 * maxima of all sums. */
static uint64_t value_of(const struct launch *launch, const struct formula *formula)
{
  const uint64_t counts[WB_CHECK_LAUNCH_SUM_COUNT] = {
      [WB_CHECK_LAUNCH_OWN] = formula->own,
      [WB_CHECK_LAUNCH_PARTITION] = formula->partition,
      [WB_CHECK_LAUNCH_OTHERS] = formula->others,
      [WB_CHECK_LAUNCH_PHASE_UNITS] = formula->units,
      [WB_CHECK_LAUNCH_GPU] = formula->gpu,
      [WB_CHECK_LAUNCH_ALONE_OWN] = formula->alone_own,
      [WB_CHECK_LAUNCH_ALONE_PARTITION] = formula->alone_partition,
      [WB_CHECK_LAUNCH_ALONE_OTHERS] = formula->alone_others,
  };
  uint64_t together = wb_plus(formula->rest, launch->terms->sum[WB_CHECK_LAUNCH_ONE_PATH]);
  uint64_t apart = formula->rest;
  for (unsigned s = 0; s < WB_CHECK_LAUNCH_SUM_COUNT; s++) {
    const uint64_t proven = launch->terms->one_path[s];
    if (counts[s] > proven)
      together = wb_plus(together, wb_times(counts[s] - proven, launch->terms->sum[s]));
    apart = wb_plus(apart, wb_times(counts[s], launch->terms->sum[s]));
  }
  return wb_minimum(together, apart);
}

/* The formula, and so many blocks with what is of the chain and its warps; `left` of them are only
 * watched until they leave. */
static void add_chains(const struct launch *launch, uint64_t count, struct formula *formula)
{
  const uint64_t each = wb_plus(launch->start, wb_plus(launch->fetched.steps, launch->fetched.sm));
  formula->own = wb_plus(formula->own, count);
  formula->partition = wb_plus(formula->partition, wb_times(count, launch->here - 1));
  formula->others = wb_plus(formula->others, wb_times(count, launch->away));
  formula->rest = wb_plus(formula->rest, wb_times(count, each));
}

/* So many blocks beside, each met in one partition. */
static void add_met(const struct launch *launch, uint64_t count, bool wide, struct formula *formula)
{
  const uint64_t here = wide ? launch->w : launch->here;
  formula->partition = wb_plus(formula->partition, wb_times(count, here));
  formula->others = wb_plus(formula->others, wb_times(count, wide ? 0 : launch->away));
  formula->rest = wb_plus(formula->rest, wb_times(count, launch->fetched.sm));
}

/* So many blocks that begin beside a slot, each of which may bring its chain to fetch again. */
static void add_begun(const struct launch *launch, uint64_t count, struct formula *formula)
{
  formula->rest = wb_plus(formula->rest, wb_times(count, launch->fetched.steps_again));
}

/* A phase of a block met again in another partition, so often: M. */
static void add_again(const struct launch *launch, uint64_t count, struct formula *formula)
{
  formula->units = wb_plus(formula->units, wb_times(count, launch->here));
  formula->rest = wb_plus(formula->rest, wb_times(count, launch->e));
}

/* So many blocks beside one chain all the way: O+. */
static void add_beside(const struct launch *launch, uint64_t count, struct formula *formula)
{
  const uint64_t changes = wb_times(count, launch->terms->phases - 1);
  add_met(launch, count, launch->wide, formula);
  if (launch->wide)
    return;
  add_again(launch, changes, formula);
  formula->rest = wb_plus(formula->rest, wb_times(changes, launch->e));
}

/* What is served by the GPU's resources, and the dispatcher's services: so many. */
static void add_shared(const struct launch *launch, uint64_t services, struct formula *formula)
{
  const uint64_t blocks = launch->shape->blocks;
  formula->gpu = wb_plus(formula->gpu, wb_times(blocks, launch->w));
  formula->rest = wb_plus(formula->rest, wb_times(blocks, launch->fetched.gpu));
  formula->rest =
      wb_plus(formula->rest, wb_times(services, in_parts(launch, launch->shape->dispatch)));
}

/* The last block, and those beside it. */
static void add_last(const struct launch *launch, struct formula *formula)
{
  const struct wb_launch_shape *shape = launch->shape;
  add_chains(launch, 1, formula);
  add_beside(launch, wb_minimum(shape->resident_blocks, shape->blocks) - 1, formula);
}

/* Less what is under way when h blocks leave. */
static uint64_t without_ends(const struct launch *launch, uint64_t h, uint64_t value)
{
  const uint64_t off = wb_times(h, launch->terms->after);
  return value == WB_CHECK_LAUNCH_UNKNOWN || off > value ? WB_CHECK_LAUNCH_UNKNOWN : value - off;
}

/* How blocks beside the chains of a slot are met: all warps as if in the chain's partition, or
 * again where it changes, or all but one again while it comes back through that one. */
enum way { WAY_WIDE, WAY_PAIRS, WAY_THROUGH, WAY_COUNT };

/* So many changes of a chain's partition; how many chains come through a block beside. */
static uint64_t add_changes(const struct launch *launch, uint64_t count, enum way way,
                            struct formula *formula)
{
  const uint64_t others = (uint64_t)launch->shape->resident_blocks - 1;
  if (way == WAY_PAIRS)
    add_again(launch, wb_times(others, count), formula);
  if (way != WAY_THROUGH)
    return 0;
  add_again(launch, wb_times(others - 1, count), formula);
  formula->own = wb_plus(formula->own, count);
  formula->partition = wb_plus(formula->partition, count);
  return count;
}

static bool has_way(const struct launch *launch, enum way way)
{
  return way != WAY_THROUGH ||
         wb_check_launch_comes_back(launch->terms, launch->shape, launch->code);
}

/* Theorem 2 with h blocks of a slot; by S2 but for the wide way. */
static uint64_t by_slot(const struct launch *launch, uint64_t h, enum way way)
{
  uint64_t chains = h;
  const struct wb_launch_shape *shape = launch->shape;
  const uint64_t on_sm = (shape->blocks - 1) / shape->sms;
  const uint64_t f = launch->terms->phases;
  struct formula formula = {.own = 0};
  add_last(launch, &formula);
  add_shared(launch, shape->blocks, &formula);
  add_chains(launch, h, &formula);
  add_met(launch, on_sm - h, way == WAY_WIDE, &formula);
  add_begun(launch, on_sm - h, &formula);
  if (way != WAY_WIDE) {
    formula.rest = wb_plus(formula.rest, wb_times(wb_times(on_sm - h, f - 1), launch->e));
    chains += add_changes(launch, wb_times(f, h) - 1, way, &formula);
  }
  return without_ends(launch, chains, value_of(launch, &formula));
}

/* Theorem D in so many rounds. */
static uint64_t by_rounds(const struct launch *launch, uint64_t rounds)
{
  const struct wb_launch_shape *shape = launch->shape;
  const uint64_t slots = (uint64_t)shape->sms * shape->resident_blocks;
  struct formula formula = {.own = 0};
  add_last(launch, &formula);
  add_shared(launch, shape->blocks - rounds * (slots - 1), &formula);
  add_chains(launch, rounds, &formula);
  add_beside(launch, wb_times(rounds, wb_times(2, (uint64_t)shape->resident_blocks - 1)), &formula);
  return without_ends(launch, rounds, value_of(launch, &formula));
}

/* Theorem E: a block of each slot so often, and those met beside it. */
static uint64_t by_mean(const struct launch *launch, enum way way)
{
  const struct wb_launch_shape *shape = launch->shape;
  const uint64_t turns = wb_check_launch_mean_turns(launch->terms, shape, launch->code);
  const uint64_t met = wb_times(turns, (uint64_t)shape->resident_blocks - 1);
  const uint64_t f = launch->terms->phases;
  struct formula formula = {.own = 0};
  add_last(launch, &formula);
  add_shared(launch, shape->blocks, &formula);
  add_chains(launch, turns, &formula);
  uint64_t chains = turns;
  add_met(launch, met, way == WAY_WIDE, &formula);
  if (way != WAY_WIDE) {
    formula.rest = wb_plus(formula.rest, wb_times(wb_times(met, f - 1), launch->e));
    chains = wb_plus(chains, add_changes(launch, wb_times(turns, f), way, &formula));
  }
  return without_ends(launch, chains, value_of(launch, &formula));
}

/* Blocks of one warp that fill all partitions, h of them in one place. */
static uint64_t by_places(const struct launch *launch, uint64_t h)
{
  const struct wb_launch_shape *shape = launch->shape;
  const uint64_t places = launch->terms->partition_warps;
  const uint64_t on_sm = (shape->blocks - 1) / shape->sms;
  const uint64_t in_partition = on_sm / shape->partitions;
  const uint64_t inside = in_partition - h + places - 1;
  const uint64_t outside = on_sm - in_partition + shape->resident_blocks - places;
  struct formula formula = {.partition = inside, .others = outside};
  add_chains(launch, 1 + h, &formula);
  add_shared(launch, shape->blocks, &formula);
  formula.rest = wb_plus(formula.rest, wb_times(inside + outside, launch->fetched.sm));
  add_begun(launch, on_sm - h, &formula);
  return without_ends(launch, h, value_of(launch, &formula));
}

/* The theorems of several waves, but for D: those that hold for any h that a slot may have, so that
 * the least of both counts. */
static uint64_t by_waves(const struct launch *launch)
{
  const struct wb_launch_shape *shape = launch->shape;
  const uint64_t on_sm = (shape->blocks - 1) / shape->sms;
  const uint64_t slots = shape->resident_blocks;
  const uint64_t in_partition = on_sm / shape->partitions;
  uint64_t least = WB_CHECK_LAUNCH_UNKNOWN;
  for (unsigned up = 0; up < 2; up++) {
    const uint64_t h = up ? wb_divide_up(on_sm, slots) : on_sm / slots;
    for (unsigned way = WAY_WIDE; way < WAY_COUNT; way++) {
      if ((way == WAY_WIDE || h > 0) && has_way(launch, (enum way)way))
        least = wb_minimum(least, by_slot(launch, h, (enum way)way));
    }
    const uint64_t places = launch->terms->partition_warps;
    if (wb_check_launch_fills_partitions(launch->terms, launch->shape))
      least = wb_minimum(least, by_places(launch, up ? wb_divide_up(in_partition, places)
                                                     : in_partition / places));
  }
  return least;
}

/* One wave: the last block and those beside it; of one block also theorem 1. */
static uint64_t by_one_wave(const struct launch *launch)
{
  struct formula formula = {.own = 0};
  add_last(launch, &formula);
  add_shared(launch, launch->shape->blocks, &formula);
  uint64_t least = value_of(launch, &formula);
  if (launch->shape->blocks == 1) {
    struct formula alone = {.own = 0};
    add_chains(launch, 1, &alone);
    add_shared(launch, 1, &alone);
    alone.alone_own = alone.own;
    alone.alone_partition = alone.partition;
    alone.alone_others = alone.others;
    alone.own = alone.partition = alone.others = alone.gpu = 0;
    least = wb_minimum(least, value_of(launch, &alone));
  }
  return least;
}

/* The least of all theorems, with what the launch fetches once. */
static uint64_t least_of(const struct launch *launch)
{
  const struct wb_check_launch_terms *terms = launch->terms;
  const struct wb_launch_shape *shape = launch->shape;
  const uint64_t slots = (uint64_t)shape->sms * shape->resident_blocks;
  const uint64_t rounds = (shape->blocks - 1) / slots;
  const bool one_wave = shape->blocks <= slots;
  const uint64_t least = one_wave ? by_one_wave(launch) : by_waves(launch);
  const uint64_t once =
      wb_check_launch_fetches(launch->code, shape, terms->phases, terms->denominator, 0);
  if (one_wave)
    return wb_plus(least, once);
  /* Which of all rounds and none is more is a matter of the path. */
  const bool again = launch->fetched.patience > 0 && launch->fetched.patience < slots / shape->sms;
  const uint64_t going_round =
      again ? WB_CHECK_LAUNCH_UNKNOWN : wb_maximum(by_rounds(launch, rounds), by_rounds(launch, 0));
  const uint64_t once_by_rounds =
      wb_check_launch_fetches(launch->code, shape, terms->phases, terms->denominator, rounds);
  uint64_t mean = WB_CHECK_LAUNCH_UNKNOWN;
  /* Theorem E has no terms of what chains fetch again. */
  for (unsigned way = WAY_WIDE; way < WAY_COUNT; way++) {
    if (launch->fetched.patience == 0 && has_way(launch, (enum way)way))
      mean = wb_minimum(mean, by_mean(launch, (enum way)way));
  }
  return wb_minimum(wb_minimum(wb_plus(least, once), wb_plus(going_round, once_by_rounds)),
                    wb_plus(mean, wb_maximum(once, once_by_rounds)));
}

uint64_t wb_check_launch_one_path(const struct wb_check_launch_terms *terms,
                                  const struct wb_launch_shape *shape,
                                  const struct wb_timed_code *code)
{
  if (terms->one_path == NULL || terms->sum[WB_CHECK_LAUNCH_ONE_PATH] == WB_CHECK_LAUNCH_UNKNOWN)
    return WB_CHECK_LAUNCH_UNKNOWN;
  const uint64_t here = wb_divide_up(shape->block_warps, shape->partitions);
  struct launch launch = {.terms = terms,
                          .shape = shape,
                          .code = code,
                          .fetched =
                              wb_check_launch_fetches_of_block(code, shape, terms->denominator),
                          .w = shape->block_warps,
                          .here = here,
                          .away = shape->block_warps - here};
  const uint64_t changes = shape->partitions > 1 ? wb_times(terms->phases, terms->change) : 0;
  launch.start = in_parts(&launch, wb_plus(shape->block_start, changes));
  launch.e = terms->phases > 1 ? in_parts(&launch, terms->longest_unit) : 0;
  const uint64_t narrow = least_of(&launch);
  launch.wide = true;
  return wb_minimum(narrow, least_of(&launch));
}

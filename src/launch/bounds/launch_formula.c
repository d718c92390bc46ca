#include "launch/bounds/launch_formula.h"

#include "base/checked.h"

/* Numbers below are at least 0, and UINT64_MAX stands for all that do not fit: it is never less
 * than the true number, so that a sum of such numbers is never too small. 0 times a number that
 * does not fit is 0. */

/* A combination: how often each sum counts, and what counts in whole cycles. */
struct combination {
  uint64_t sum[WB_SUM_COUNT];
  uint64_t cycles;
  uint64_t left;  /* how often what is under way when a block leaves is taken off: at most as often
                     as WB_SUM_OWN counts */
  uint64_t mates; /* how often the other warps of a block count, of its path where all take one */
  bool fetches;   /* the fetches of all kept data */
  uint64_t cold;  /* what the launch fetches once, over the terms' denominator */
  uint64_t waits, works; /* how often the waits for what a block fetches into its first cache, and
                            the work of that on its SM, count */
  uint64_t begun;        /* blocks that begin beside a chain: so many bring it to fetch again */
};

/* A bound by one of the formulas, in its parts. */
struct candidate {
  enum wb_launch_formula formula;
  struct combination part[WB_PART_COUNT];
  uint64_t slot_blocks;
};

/* The launch, with the numbers and the combinations that the theorems name. */
struct question {
  const struct wb_launch_terms *terms;
  const struct wb_launch_shape *shape;
  uint64_t here;      /* w_P: most warps of a block in one partition */
  uint64_t elsewhere; /* w - w_P */
  uint64_t rest;      /* e, 0 without barriers */
  uint64_t before;    /* N: most blocks that some SM starts before the last block of all starts */
  uint64_t rounds;    /* the same of all slots of the GPU: floor((B - 1) / (m R)) */
  uint64_t residents; /* R' = min(R, B) */
  uint64_t renewed;   /* q: a block fetches again what it had before q others began; 0: never */
  struct combination chain;     /* A: a chain of a block, from the time that there is room for it */
  struct combination mates;     /* (w_P - 1) X + (w - w_P) Y: the other warps of its block */
  struct combination own_block; /* both */
  struct combination slot_chain, slot_block; /* the same of a block that others wait for: until it
                                                leaves its SM */
  struct combination beside;  /* O = w_P X + (w - w_P) Y: interference of one co-resident block,
                               * met in one partition */
  struct combination wide;    /* w X: the same, all of its warps met in the chain's partition */
  struct combination again;   /* M = w_P Z1 + e: one phase of it, met again in another partition */
  struct combination always;  /* O+: interference of one co-resident block with a whole chain */
  struct combination changed; /* all blocks beside met again, where a chain changes its partition */
};

/* ---- combinations ---- */

/* The combination and `count` times another. */
static void include(struct combination *to, uint64_t count, const struct combination *of)
{
  for (size_t s = 0; s < WB_SUM_COUNT; s++)
    to->sum[s] = wb_plus(to->sum[s], wb_times(count, of->sum[s]));
  to->cycles = wb_plus(to->cycles, wb_times(count, of->cycles));
  to->left = wb_plus(to->left, wb_times(count, of->left));
  to->mates = wb_plus(to->mates, wb_times(count, of->mates));
  to->waits = wb_plus(to->waits, wb_times(count, of->waits));
  to->works = wb_plus(to->works, wb_times(count, of->works));
  to->begun = wb_plus(to->begun, wb_times(count, of->begun));
}

/* A quotient, rounded up, of what is UINT64_MAX where it does not fit. */
static uint64_t part_of(uint64_t value, uint64_t parts)
{
  return value == UINT64_MAX ? value : wb_divide_up(value, parts);
}

/* What all fetches of a block come to, where those of the first time come to `once`: a block that
 * begins makes R' - 1 others fetch again, each a q-th of its own (doc/launches/first-cache.md). */
static uint64_t with_renewed(const struct question *question, uint64_t once)
{
  if (question->renewed == 0)
    return once;
  const uint64_t again = wb_times(once, question->residents - 1);
  return wb_plus(once, part_of(again, question->renewed));
}

/* The value of a combination, over the terms' denominator. */
static uint64_t value_of(const struct question *question, const struct combination *combination)
{
  uint64_t value = wb_times(combination->cycles, question->terms->denominator);
  value = wb_plus(value, combination->fetches ? question->terms->fetches : 0);
  value = wb_plus(value, combination->cold);
  if (question->terms->first_of_block) {
    value = wb_plus(value, wb_times(combination->waits, question->terms->first.wait));
    value = wb_plus(
        value, wb_times(combination->works, with_renewed(question, question->terms->first.sm)));
    if (question->renewed > 0)
      value = wb_plus(value, wb_times(combination->begun,
                                      part_of(question->terms->first.wait, question->renewed)));
  }
  for (size_t s = 0; s < WB_SUM_COUNT; s++)
    value = wb_plus(value, wb_times(combination->sum[s], question->terms->sum[s]));
  /* A value that does not fit stays so. */
  const uint64_t off = wb_plus(wb_times(combination->left, question->terms->after),
                               wb_times(combination->mates, question->terms->same_path));
  return value < UINT64_MAX && off <= value ? value - off : value;
}

static uint64_t total_of(const struct question *question, const struct candidate *candidate)
{
  uint64_t total = 0;
  for (size_t p = 0; p < WB_PART_COUNT; p++)
    total = wb_plus(total, value_of(question, &candidate->part[p]));
  return total;
}

/* (R - 1) M. Without barriers a chain can come back through one of the blocks beside, which costs
 * the own steps of that until it leaves, and X, in place of one M:
 * doc/launches/many-blocks.md. */
static struct combination all_again(const struct question *question)
{
  const struct wb_launch_terms *terms = question->terms;
  const uint64_t others = question->shape->resident_blocks - 1;
  struct combination all = {.cycles = 0};
  struct combination through = {.sum = {[WB_SUM_OWN] = 1, [WB_SUM_PARTITION] = 1}, .left = 1};
  include(&all, others, &question->again);
  if (others == 0 || terms->phases > 1 || terms->as_many || terms->series || terms->kept ||
      terms->first_of_block)
    return all;
  include(&through, others - 1, &question->again);
  return value_of(question, &through) < value_of(question, &all) ? through : all;
}

/* q = floor(V / l) + 1 - R': lines of at most R' blocks, and of q - 1 that begin later, fit. 0
 * where none does. */
static uint64_t renewed_of(const struct wb_launch_terms *terms, uint64_t residents)
{
  const uint64_t held = terms->first_recent / wb_maximum(terms->first_lines, 1);
  return held >= residents ? held + 1 - residents : 0;
}

/* Whether the formulas hold: no block fetches anything again while nothing begins but the last
 * block. */
static bool keeps_enough(const struct question *question)
{
  return question->terms->first_recent == 0 || question->renewed >= 2;
}

static struct question ask(const struct wb_launch_terms *terms, const struct wb_launch_shape *shape)
{
  const uint64_t here = wb_divide_up(shape->block_warps, shape->partitions);
  const uint64_t elsewhere = shape->block_warps - here;
  const uint64_t changes = terms->phases - 1;
  const uint64_t rest = changes > 0 ? terms->longest_unit : 0;
  const bool many = terms->as_many; /* all warps count as if in the chain's partition */
  const uint64_t chains = many ? wb_minimum(shape->block_warps, terms->phases) : 1;
  const enum wb_launch_sum units = changes > 0 ? WB_SUM_PHASE_UNITS : WB_SUM_UNITS;
  struct question result = {
      .terms = terms,
      .shape = shape,
      .here = here,
      .elsewhere = elsewhere,
      .rest = rest,
      .before = (shape->blocks - 1) / shape->sms,
      .rounds = (shape->blocks - 1) / shape->sms / shape->resident_blocks,
      .residents = wb_minimum(shape->resident_blocks, shape->blocks),
      .chain = {.sum = {[WB_SUM_OWN] = chains},
                .cycles = shape->block_start,
                .waits = 1,
                .works = 1},
      .mates = {.sum = {[WB_SUM_PARTITION] = here - 1, [WB_SUM_OTHERS] = elsewhere}, .mates = 1},
      .beside = {.sum = {[WB_SUM_PARTITION] = here, [WB_SUM_OTHERS] = elsewhere}, .works = 1},
      .wide = {.sum = {[WB_SUM_PARTITION] = shape->block_warps}, .works = 1},
      .again = {.cycles = rest},
  };
  if (shape->partitions > 1)
    result.chain.cycles = wb_plus(result.chain.cycles, wb_times(terms->phases, terms->change));
  if (many)
    result.mates.sum[WB_SUM_PARTITION] = chains > 1 ? shape->block_warps : shape->block_warps - 1;
  if (many)
    result.mates.sum[WB_SUM_OTHERS] = 0;
  result.again.sum[units] = here;
  result.changed = all_again(&result);
  if (terms->first_recent > 0)
    result.renewed = renewed_of(terms, result.residents);
  result.own_block = result.chain;
  include(&result.own_block, 1, &result.mates);
  result.slot_chain = result.chain;
  result.slot_chain.left = 1;
  result.slot_block = result.own_block;
  result.slot_block.left = 1;

  /* O+ = min(w X, O + (f - 1) (M + e)) */
  result.always = result.beside;
  include(&result.always, changes, &result.again);
  result.always.cycles = wb_plus(result.always.cycles, wb_times(changes, rest));
  if (many || value_of(&result, &result.always) > value_of(&result, &result.wide))
    result.always = result.wide;
  /* Before the last block begins others begin beside a slot's chain; after that none does. */
  result.beside.begun = result.wide.begun = 1;
  return result;
}

/* ---- what is fetched once ---- */

/* Of each level's caches: for how many fetches of a thing a chain can wait, and how many fetch. */
struct caches {
  uint64_t met[WB_LEVEL_COUNT];
  uint64_t met_later[WB_LEVEL_COUNT]; /* more, where a chain comes to an SM later */
  uint64_t all[WB_LEVEL_COUNT];
};

/* The slot's chain and the last one lie on one SM each; those of rounds on any. A chain is in one
 * partition for each of its phases at most, and of each of its warps; those of a slot's blocks are
 * in any. */
static struct caches caches_of(const struct question *question, enum wb_launch_formula formula)
{
  const struct wb_launch_shape *shape = question->shape;
  const uint64_t partitions = shape->partitions;
  const uint64_t warps = wb_minimum(shape->block_warps, question->terms->phases);
  const uint64_t last = wb_minimum(partitions, warps);
  const uint64_t sms = wb_minimum(shape->sms, shape->blocks);
  uint64_t first = last; /* partitions */
  uint64_t later = 0;
  uint64_t sms_later = 0;
  if (formula == WB_FORMULA_ALL_WARPS || formula == WB_FORMULA_PAIRS ||
      formula == WB_FORMULA_FULL_PARTITIONS) {
    first = partitions;
    later = sms > 1 ? last : 0;
    sms_later = sms > 1;
  } else if (formula == WB_FORMULA_ROUNDS) {
    later = wb_minimum(wb_times(sms, partitions) - last, wb_times(question->rounds, last));
    sms_later = wb_minimum(sms - 1, question->rounds);
  }
  return (struct caches){
      .met = {[WB_LEVEL_PARTITION] = first, [WB_LEVEL_SM] = 1, [WB_LEVEL_GPU] = 1},
      .met_later = {[WB_LEVEL_PARTITION] = later, [WB_LEVEL_SM] = sms_later},
      .all = {[WB_LEVEL_PARTITION] = wb_times(sms, partitions),
              [WB_LEVEL_SM] = sms,
              [WB_LEVEL_GPU] = 1},
  };
}

/* Steps in fetches of one level's caches that chains wait for; work of fetches that hold them up,
 * at the SMs where they are, and at the GPU's resources. Where a chain is on an SM later, a block
 * has ended there, and its warps were in all partitions if there are enough of them: what all warps
 * come to is there. */
static uint64_t level_part(const struct question *question, const struct caches *caches,
                           enum wb_resource_level level, const struct wb_cold_terms *cold)
{
  const struct wb_launch_shape *shape = question->shape;
  const uint64_t of_sm = level == WB_LEVEL_PARTITION ? shape->partitions : 1;
  const bool filled = of_sm <= shape->block_warps;
  const uint64_t wait_later = filled ? cold->wait_later : cold->wait;
  const uint64_t sm_later = filled ? cold->sm_later : cold->sm;
  uint64_t sum = wb_times(caches->met[level], cold->wait);
  sum = wb_plus(sum, wb_times(caches->met_later[level], wait_later));
  sum = wb_plus(sum, wb_times(of_sm, cold->sm));
  sum = wb_plus(sum, wb_times(caches->met_later[WB_LEVEL_SM], wb_times(of_sm, sm_later)));
  return wb_plus(sum, wb_times(caches->all[level], cold->gpu));
}

/* Code, constants and translations; `first`: data of first caches. Of the formula of the total all
 * fetches of all caches, one after the other. */
static uint64_t cold_part(const struct question *question, enum wb_launch_formula formula,
                          bool first)
{
  const struct caches caches = caches_of(question, formula);
  const bool total = formula == WB_FORMULA_TOTAL;
  const struct wb_launch_terms *terms = question->terms;
  uint64_t sum = 0;
  /* What blocks fetch is of the chains, and of the blocks beside them; but for the GPU's work. */
  if (first && terms->first_of_block)
    return wb_times(question->shape->blocks,
                    with_renewed(question, total ? terms->first.whole : terms->first.gpu));
  if (first)
    return total ? wb_times(caches.all[WB_LEVEL_SM], terms->first.whole)
                 : level_part(question, &caches, WB_LEVEL_SM, &terms->first);
  for (size_t l = 0; l < WB_LEVEL_COUNT; l++)
    sum = wb_plus(
        sum, total ? wb_times(caches.all[l], terms->cold[l].whole)
                   : level_part(question, &caches, (enum wb_resource_level)l, &terms->cold[l]));
  return sum;
}

/* What is fetched once. The formula of the mean is between those of a slot and of rounds, and has
 * the most of both. */
static uint64_t once_part(const struct question *question, enum wb_launch_formula formula,
                          bool first)
{
  if (formula != WB_FORMULA_MEAN)
    return cold_part(question, formula, first);
  return wb_maximum(cold_part(question, WB_FORMULA_PAIRS, first),
                    cold_part(question, WB_FORMULA_ROUNDS, first));
}

/* ---- formulas ---- */

/* What every formula has: the launch's overhead, and the dispatcher, which serves a block at a
 * time. */
static struct candidate begin(const struct question *question, enum wb_launch_formula formula)
{
  struct candidate result = {.formula = formula};
  result.part[WB_PART_LAUNCH].cycles = question->shape->overhead;
  result.part[WB_PART_GPU].cycles = wb_times(question->shape->blocks, question->shape->dispatch);
  result.part[WB_PART_FETCHES].fetches = true;
  result.part[WB_PART_FETCHES].cold = once_part(question, formula, true);
  result.part[WB_PART_COLD].cold = once_part(question, formula, false);
  return result;
}

/* B w g: each request to the GPU's resources once. */
static void include_gpu(const struct question *question, struct candidate *candidate)
{
  const struct combination warp = {.sum = {[WB_SUM_GPU] = 1}};
  const uint64_t warps = wb_times(question->shape->blocks, question->shape->block_warps);
  include(&candidate->part[WB_PART_GPU], warps, &warp);
}

/* Theorem 1: A + (w_P - 1) X + (w - w_P) Y, with the sums of one block alone. */
static struct candidate by_block_alone(const struct question *question)
{
  struct candidate result = begin(question, WB_FORMULA_BLOCK_ALONE);
  struct combination *mates = &result.part[WB_PART_OWN_BLOCK];
  result.part[WB_PART_OWN].sum[WB_SUM_ALONE_OWN] = question->chain.sum[WB_SUM_OWN];
  result.part[WB_PART_OWN].cycles = question->chain.cycles;
  result.part[WB_PART_OWN].waits = result.part[WB_PART_OWN].works = 1;
  mates->sum[WB_SUM_ALONE_PARTITION] = question->mates.sum[WB_SUM_PARTITION];
  mates->sum[WB_SUM_ALONE_OTHERS] = question->mates.sum[WB_SUM_OTHERS];
  return result;
}

/* Every step and every service of every warp, one after the other. */
static struct candidate by_total(const struct question *question)
{
  struct candidate result = begin(question, WB_FORMULA_TOTAL);
  const struct combination block = {.sum = {[WB_SUM_TOTAL] = question->shape->block_warps},
                                    .cycles = question->shape->block_start};
  include(&result.part[WB_PART_OWN], question->shape->blocks, &block);
  return result;
}

/* B <= m R: own + (min(R, B) - 1) O+ + B w g. */
static struct candidate by_one_wave(const struct question *question)
{
  struct candidate result = begin(question, WB_FORMULA_ONE_WAVE);
  const uint64_t residents = wb_minimum(question->shape->resident_blocks, question->shape->blocks);
  include(&result.part[WB_PART_OWN], 1, &question->chain);
  include(&result.part[WB_PART_OWN_BLOCK], 1, &question->mates);
  include(&result.part[WB_PART_OTHER_BLOCKS], residents - 1, &question->always);
  include_gpu(question, &result);
  return result;
}

/* What the formulas of several waves have in common: own + (R - 1) O+ + B w g, and h own- . With
 * each block more in h, the formula has `more` in place of `less`: h is floor(N / R) where this
 * makes it no less, and ceil(N / R) where it does. */
static struct candidate begin_waves(const struct question *question, enum wb_launch_formula formula,
                                    const struct combination *more, const struct combination *less)
{
  struct candidate result = begin(question, formula);
  const uint32_t slots = question->shape->resident_blocks;
  const bool falls = value_of(question, more) < value_of(question, less);
  result.slot_blocks = falls ? wb_divide_up(question->before, slots) : question->before / slots;
  include(&result.part[WB_PART_OWN], result.slot_blocks, &question->slot_chain);
  include(&result.part[WB_PART_OWN_BLOCK], result.slot_blocks, &question->mates);
  include(&result.part[WB_PART_TAIL], 1, &question->own_block);
  include(&result.part[WB_PART_TAIL], slots - 1, &question->always);
  include_gpu(question, &result);
  return result;
}

/* S1 = h own- + (N - h) w X. */
static struct candidate by_all_warps(const struct question *question)
{
  struct candidate result =
      begin_waves(question, WB_FORMULA_ALL_WARPS, &question->slot_block, &question->wide);
  const uint64_t others = question->before - result.slot_blocks;
  include(&result.part[WB_PART_OTHER_BLOCKS], others, &question->wide);
  return result;
}

/* S2 = h own- + (N - h) (O + (f - 1) e) + (R - 1) (f h - 1) M. */
static struct candidate by_pairs(const struct question *question)
{
  /* S2 falls when h grows by 1 where own- + (R - 1) f M is less than O + (f - 1) e. */
  const uint64_t phases = question->terms->phases;
  struct combination more = question->slot_block;
  struct combination less = question->beside;
  include(&more, phases, &question->changed);
  less.cycles = wb_plus(less.cycles, wb_times(phases - 1, question->rest));
  struct candidate result = begin_waves(question, WB_FORMULA_PAIRS, &more, &less);
  const uint64_t others = question->before - result.slot_blocks;
  const uint64_t pieces = wb_times(phases, result.slot_blocks);
  struct combination *barriers = &result.part[WB_PART_BARRIERS];
  include(&result.part[WB_PART_OTHER_BLOCKS], others, &question->beside);
  include(barriers, pieces - 1, &question->changed);
  barriers->cycles =
      wb_plus(barriers->cycles, wb_times(wb_times(others, phases - 1), question->rest));
  return result;
}

/* Whether blocks are warps, and an SM holds as many as its partitions hold: each partition is then
 * full as long as a block waits. */
static bool fills_partitions(const struct question *question)
{
  const struct wb_launch_shape *shape = question->shape;
  return shape->block_warps == 1 && question->terms->phases == 1 && !question->terms->as_many &&
         question->terms->partition_warps > 0 &&
         shape->resident_blocks == wb_times(question->terms->partition_warps, shape->partitions);
}

/* h own- + (n - h) X + (N - n) Y + own + (C - 1) X + (R - C) Y, n = floor(N / P): of n blocks in
 * the partition of a place that h of them take, one after the other. */
static struct candidate by_full_partitions(const struct question *question)
{
  const struct wb_launch_shape *shape = question->shape;
  const uint64_t places = question->terms->partition_warps;
  const uint64_t here = question->before / shape->partitions;
  const struct combination near = {.sum = {[WB_SUM_PARTITION] = 1}, .works = 1, .begun = 1};
  const struct combination far = {.sum = {[WB_SUM_OTHERS] = 1}, .works = 1, .begun = 1};
  struct combination last_near = near, last_far = far; /* beside the last block */
  const bool falls = value_of(question, &question->slot_block) < value_of(question, &near);
  struct candidate result = begin(question, WB_FORMULA_FULL_PARTITIONS);
  result.slot_blocks = falls ? wb_divide_up(here, places) : here / places;
  include(&result.part[WB_PART_OWN], result.slot_blocks, &question->slot_block);
  include(&result.part[WB_PART_OTHER_BLOCKS], here - result.slot_blocks, &near);
  include(&result.part[WB_PART_OTHER_BLOCKS], question->before - here, &far);
  include(&result.part[WB_PART_TAIL], 1, &question->own_block);
  last_near.begun = last_far.begun = 0;
  include(&result.part[WB_PART_TAIL], places - 1, &last_near);
  include(&result.part[WB_PART_TAIL], shape->resident_blocks - places, &last_far);
  include_gpu(question, &result);
  return result;
}

/* The slots of all SMs but one. */
static uint64_t other_slots(const struct wb_launch_shape *shape)
{
  return wb_times(shape->sms, shape->resident_blocks) - 1;
}

/* So many rounds of all slots, in which the dispatcher works beside a block: a (own- + (2 R - 2) O+
 * - (m R - 1) dispatch). */
static struct candidate of_rounds(const struct question *question, uint64_t rounds)
{
  const struct wb_launch_shape *shape = question->shape;
  const uint64_t slots = shape->resident_blocks;
  const uint64_t others = other_slots(shape);
  struct candidate result = begin(question, WB_FORMULA_ROUNDS);
  result.slot_blocks = rounds;
  const uint64_t beside = wb_times(2 * (slots - 1), result.slot_blocks);
  const uint64_t alone = shape->blocks - wb_times(result.slot_blocks, others);
  include(&result.part[WB_PART_OWN], result.slot_blocks, &question->slot_chain);
  include(&result.part[WB_PART_OWN_BLOCK], result.slot_blocks, &question->mates);
  include(&result.part[WB_PART_OTHER_BLOCKS], beside, &question->always);
  include(&result.part[WB_PART_TAIL], 1, &question->own_block);
  include(&result.part[WB_PART_TAIL], slots - 1, &question->always);
  result.part[WB_PART_GPU].cycles = wb_times(alone, shape->dispatch);
  include_gpu(question, &result);
  return result;
}

/* a = floor((B - 1) / (m R)) rounds, or none where one is less than nothing. */
static struct candidate by_rounds(const struct question *question)
{
  const struct wb_launch_shape *shape = question->shape;
  struct combination round = question->slot_block;
  const struct combination dispatched = {.cycles = wb_times(other_slots(shape), shape->dispatch)};
  include(&round, wb_times(2, (uint64_t)shape->resident_blocks - 1), &question->always);
  return of_rounds(question, value_of(question, &round) > value_of(question, &dispatched)
                                 ? question->rounds
                                 : 0);
}

/* C = ceil( (B - 1) / (m R) * (L - u) / (L - u / 2) ): how often a block of each slot counts, where
 * the dispatcher needs u for all slots but one and a block takes L = own- + (2 R - 2) O+ at most
 * between two turns of its slot. Without a dispatcher, and where a number does not fit, (B - 1) /
 * (m R), which is no less. */
static uint64_t mean_blocks(const struct question *question)
{
  const struct wb_launch_shape *shape = question->shape;
  const uint64_t slots = wb_times(shape->sms, shape->resident_blocks);
  const struct combination dispatched = {.cycles = wb_times(other_slots(shape), shape->dispatch)};
  struct combination turn = question->slot_block;
  include(&turn, wb_times(2, (uint64_t)shape->resident_blocks - 1), &question->always);
  const uint64_t longest = value_of(question, &turn);
  const uint64_t others = value_of(question, &dispatched);
  uint64_t blocks = 0;
  if (longest <= others)
    return 0;
  const uint64_t whole = wb_times(slots, wb_plus(longest, longest - others));
  if (whole <= UINT64_MAX / 4 &&
      wb_multiply_divide_up(shape->blocks - 1, 2 * (longest - others), whole, &blocks))
    return blocks;
  return wb_divide_up(shape->blocks - 1, slots);
}

/* Theorem E, the mean over all slots: C (own- + (R - 1) o), where a block beside costs o = O +
 * (f - 1) e + f M, or w X if that is less. */
static struct candidate by_mean(const struct question *question)
{
  const uint64_t others = question->shape->resident_blocks - 1;
  const uint64_t phases = question->terms->phases;
  struct combination met = {.cycles = wb_times(others, wb_times(phases - 1, question->rest))};
  struct combination pairs = {.cycles = 0};
  struct combination wide = {.cycles = 0};
  struct candidate result = begin(question, WB_FORMULA_MEAN);
  include(&met, others, &question->beside);
  include(&pairs, phases, &question->changed);
  include(&wide, others, &question->wide);
  if (question->terms->as_many ||
      wb_plus(value_of(question, &met), value_of(question, &pairs)) > value_of(question, &wide)) {
    met = wide;
    pairs = (struct combination){.cycles = 0};
  }
  result.slot_blocks = mean_blocks(question);
  include(&result.part[WB_PART_OWN], result.slot_blocks, &question->slot_chain);
  include(&result.part[WB_PART_OWN_BLOCK], result.slot_blocks, &question->mates);
  include(&result.part[WB_PART_OTHER_BLOCKS], result.slot_blocks, &met);
  include(&result.part[WB_PART_BARRIERS], result.slot_blocks, &pairs);
  include(&result.part[WB_PART_TAIL], 1, &question->own_block);
  include(&result.part[WB_PART_TAIL], others, &question->always);
  include_gpu(question, &result);
  return result;
}

/* ---- one path for all warps of the launch ---- */

/* The parts that depend on the path: what that saves is taken off the first ones first. */
static const enum wb_launch_part path_parts[] = {
    WB_PART_OTHER_BLOCKS, WB_PART_TAIL, WB_PART_OWN_BLOCK,
    WB_PART_BARRIERS,     WB_PART_GPU,  WB_PART_OWN,
};

/* The candidate's value where all sums are of one path: what is known of them together, and of what
 * it has more of each sum the most. UINT64_MAX: not known. */
static uint64_t of_one_path(const struct question *question, const struct candidate *candidate)
{
  const struct wb_launch_terms *terms = question->terms;
  const uint64_t total = total_of(question, candidate);
  struct combination all = {.mates = 0};
  uint64_t apart = 0;
  uint64_t together = terms->one_path;
  for (size_t p = 0; p < WB_PART_COUNT; p++)
    include(&all, 1, &candidate->part[p]);
  for (size_t s = 0; s < WB_SUM_COUNT; s++) {
    const uint64_t known = wb_minimum(terms->one_path_times[s], all.sum[s]);
    apart = wb_plus(apart, wb_times(all.sum[s], terms->sum[s]));
    together = wb_plus(together, wb_times(all.sum[s] - known, terms->sum[s]));
  }
  const uint64_t off = wb_times(all.left, terms->after);
  const uint64_t whole = wb_plus(wb_plus(total, off), wb_times(all.mates, terms->same_path));
  together = wb_plus(together, whole - apart);
  if (terms->one_path == 0 || whole == UINT64_MAX || together == UINT64_MAX || together < off)
    return UINT64_MAX;
  return together - off;
}

/* What one path for all warps takes off the candidate. Rounds are as many as make the most of it,
 * all or none, and which these are is a matter of the path. */
static uint64_t saved_by(const struct question *question, const struct candidate *candidate)
{
  const uint64_t total = total_of(question, candidate);
  uint64_t together = of_one_path(question, candidate);
  if (candidate->formula == WB_FORMULA_ROUNDS && candidate->slot_blocks > 0) {
    const struct candidate none = of_rounds(question, 0);
    together =
        wb_maximum(together, wb_minimum(total_of(question, &none), of_one_path(question, &none)));
  }
  return together < total ? total - together : 0;
}

/* ---- results ---- */

uint64_t wb_foreign_part(uint64_t total, uint64_t burst, uint32_t share)
{
  const uint64_t rest = WB_FOREIGN_WHOLE - share;
  const uint64_t own = wb_plus(total, burst);
  if (own == UINT64_MAX)
    return own;
  /* own * share / rest, rounded down: times are whole cycles. */
  return wb_plus(burst, wb_plus(wb_times(own / rest, share), own % rest * share / rest));
}

static warpbound_status take_least(const struct question *question, const struct candidate *items,
                                   size_t count, struct wb_launch_bound *bound,
                                   warpbound_error *error)
{
  size_t best = 0;
  if (count == 0)
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "a bound on the launch: expected the sums of some formula");
  uint64_t saved = saved_by(question, &items[best]);
  for (size_t c = 1; c < count; c++) {
    const uint64_t less = saved_by(question, &items[c]);
    if (total_of(question, &items[c]) - less < total_of(question, &items[best]) - saved) {
      best = c;
      saved = less;
    }
  }
  const uint64_t before = total_of(question, &items[best]) - saved;
  const struct wb_launch_shape *shape = question->shape;
  const uint64_t foreign = wb_foreign_part(
      before, wb_times(shape->foreign_burst, question->terms->denominator), shape->foreign_share);
  const uint64_t total = wb_plus(before, foreign);
  if (total > INT64_MAX)
    return wb_fail(error, WARPBOUND_INVALID_INPUT,
                   "the bound on the launch does not fit into 64 bits");
  const uint64_t wave =
      wb_maximum(1, wb_times(question->shape->sms, question->shape->resident_blocks));
  *bound = (struct wb_launch_bound){.cycles = total / question->terms->denominator,
                                    .formula = items[best].formula,
                                    .waves = wb_divide_up(question->shape->blocks, wave),
                                    .slot_blocks = items[best].slot_blocks};
  for (size_t p = 0; p < WB_PART_COUNT; p++) {
    bound->part[p] = (int64_t)value_of(question, &items[best].part[p]);
    bound->left = wb_plus(bound->left, items[best].part[p].left);
    for (size_t s = 0; s < WB_SUM_COUNT; s++)
      bound->times[s] = wb_plus(bound->times[s], items[best].part[p].sum[s]);
  }
  for (size_t p = 0; p < sizeof path_parts / sizeof *path_parts; p++) {
    int64_t *part = &bound->part[path_parts[p]];
    const uint64_t off = wb_minimum(saved, (uint64_t)*part);
    *part -= (int64_t)off;
    saved -= off;
  }
  bound->part[WB_PART_FOREIGN] = (int64_t)foreign;
  bound->part[WB_PART_FLOOR] = -(int64_t)(total % question->terms->denominator);
  return WARPBOUND_OK;
}

static warpbound_status check(const struct wb_launch_terms *terms,
                              const struct wb_launch_shape *shape, warpbound_error *error)
{
  const bool complete = shape->blocks > 0 && shape->block_warps > 0 && shape->sms > 0 &&
                        shape->partitions > 0 && shape->resident_blocks > 0 &&
                        terms->denominator > 0 && terms->phases > 0 &&
                        shape->foreign_share < WB_FOREIGN_WHOLE;
  return complete ? WARPBOUND_OK
                  : wb_fail(error, WARPBOUND_INVALID_INPUT,
                            "a launch: expected blocks, warps, SMs, partitions, resident blocks "
                            "and phases, each at least 1, and some of the memory for it");
}

static warpbound_status too_few_lines(warpbound_error *error)
{
  return wb_fail(error, WARPBOUND_INVALID_INPUT,
                 "first caches keep too few lines for the blocks that reside on an SM");
}

warpbound_status wb_launch_bound_evaluate(const struct wb_launch_terms *terms,
                                          const struct wb_launch_shape *shape,
                                          struct wb_launch_bound *bound, warpbound_error *error)
{
  warpbound_status status = check(terms, shape, error);
  if (status != WARPBOUND_OK)
    return status;
  const struct question question = ask(terms, shape);
  if (!keeps_enough(&question))
    return too_few_lines(error);
  struct candidate items[6];
  size_t count = 0;
  const bool known = terms->barriers_known || terms->as_many;
  if (known && shape->blocks <= wb_times(shape->sms, shape->resident_blocks)) {
    items[count++] = by_one_wave(&question);
    if (shape->blocks == 1 && terms->sum[WB_SUM_ALONE_OWN] > 0)
      items[count++] = by_block_alone(&question);
  } else if (known) {
    if (!terms->as_many)
      items[count++] = by_pairs(&question);
    items[count++] = by_all_warps(&question);
    /* In a round as many begin as reside: no block fetches anything twice in one. */
    if (question.renewed == 0 || question.renewed >= question.residents)
      items[count++] = by_rounds(&question);
    if (question.renewed == 0) /* it has no terms of what chains fetch again */
      items[count++] = by_mean(&question);
    if (fills_partitions(&question))
      items[count++] = by_full_partitions(&question);
  }
  if (terms->sum[WB_SUM_TOTAL] > 0 && !terms->kept)
    items[count++] = by_total(&question);
  return take_least(&question, items, count, bound, error);
}

warpbound_status wb_block_bound_evaluate(const struct wb_launch_terms *terms,
                                         const struct wb_launch_shape *shape,
                                         struct wb_launch_bound *bound, warpbound_error *error)
{
  warpbound_status status = check(terms, shape, error);
  if (status != WARPBOUND_OK)
    return status;
  struct wb_launch_shape one = *shape;
  one.blocks = 1;
  one.overhead = 0;
  one.dispatch = 0;
  const struct question question = ask(terms, &one);
  if (!keeps_enough(&question))
    return too_few_lines(error);
  struct candidate items[2];
  size_t count = 0;
  if ((terms->barriers_known || terms->as_many) && terms->sum[WB_SUM_ALONE_OWN] > 0)
    items[count++] = by_block_alone(&question);
  if (terms->sum[WB_SUM_TOTAL] > 0 && !terms->kept)
    items[count++] = by_total(&question);
  return take_least(&question, items, count, bound, error);
}

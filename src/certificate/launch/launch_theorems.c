/* The theorems on launches, from maxima of a warp: for the checker of claims. */
#include "certificate/launch/launch_theorems.h"

#include "base/checked.h"
#include "base/status.h"
#include "certificate/launch/launch_fetches.h"

/* Sums and products with what is not known are not known either. */

/* The letters of doc/launch.md, in 1 / denominator cycles. */
struct letters {
  const struct wb_check_launch_terms *terms;
  const struct wb_launch_shape *shape;
  uint64_t chains;         /* warps of a block that a chain is in, where their sums count apart */
  uint64_t w, w_partition; /* w, w_P: warps of a block, and most of them in one partition */
  uint64_t own;            /* own */
  uint64_t until_left;     /* own of a block that others wait for */
  uint64_t all_warps;      /* w X */
  uint64_t other;          /* O */
  uint64_t change;         /* M */
  uint64_t changes;        /* all blocks beside met again: (R - 1) M, or one of them come through */
  uint64_t rest;           /* e */
  uint64_t other_always;   /* O+ */
  struct wb_check_launch_block_fetches fetched; /* by a block, into its first cache */
};

static uint64_t in_parts(const struct letters *letters, uint64_t cycles)
{
  return wb_times(cycles, letters->terms->denominator);
}

/* A block whose longest own steps, and what its warps block, are given: A + (w_P - 1) X +
 * (w - w_P) Y. */
static uint64_t whole_block(const struct letters *letters, enum wb_check_launch_sum own,
                            enum wb_check_launch_sum partition, enum wb_check_launch_sum others)
{
  const uint64_t *of = letters->terms->sum;
  uint64_t alone =
      wb_plus(wb_times(letters->chains, of[own]), in_parts(letters, letters->shape->block_start));
  /* Each phase of a chain may be in another partition. */
  if (letters->shape->partitions > 1)
    alone =
        wb_plus(alone, in_parts(letters, wb_times(letters->terms->phases, letters->terms->change)));
  /* Each warp of a block in which chains change warps is met as if in their partition. */
  if (letters->terms->as_many)
    return wb_plus(alone,
                   wb_times(letters->chains > 1 ? letters->w : letters->w - 1, of[partition]));
  return wb_plus(alone, wb_plus(wb_times(letters->w_partition - 1, of[partition]),
                                wb_times(letters->w - letters->w_partition, of[others])));
}

/* A block's chain waits for what the block fetches, and for the rest of these fetches. */
static uint64_t with_fetches(const struct letters *letters, uint64_t block)
{
  return wb_plus(block, wb_plus(letters->fetched.steps, letters->fetched.sm));
}

/* min(S1, S2) for h blocks of the slot, of n on the SM. */
static uint64_t waiting_blocks(const struct letters *letters, uint64_t n, uint64_t h)
{
  const uint64_t f = letters->terms->phases;
  const uint64_t slot = wb_times(h, letters->until_left);
  /* Each block that begins beside the slot may bring its chain to fetch again. */
  const uint64_t again = letters->fetched.steps_again;
  const uint64_t first = wb_plus(slot, wb_times(n - h, wb_plus(letters->all_warps, again)));
  const uint64_t each = wb_plus(letters->other, wb_plus(wb_times(f - 1, letters->rest), again));
  const uint64_t changes = wb_times(wb_times(f, h) - 1, letters->changes);
  const uint64_t second = wb_plus(slot, wb_plus(wb_times(n - h, each), changes));
  return wb_times(f, h) == WB_CHECK_LAUNCH_UNKNOWN ? first : wb_minimum(first, second);
}

/* own + (R' - 1) O+ + B w g. */
static uint64_t last_block(const struct letters *letters)
{
  const struct wb_launch_shape *shape = letters->shape;
  const uint64_t beside = wb_minimum(shape->resident_blocks, shape->blocks) - 1;
  const uint64_t of_block =
      wb_plus(wb_times(letters->w, letters->terms->sum[WB_CHECK_LAUNCH_GPU]), letters->fetched.gpu);
  const uint64_t shared = wb_times(shape->blocks, of_block);
  return wb_plus(wb_plus(letters->own, wb_times(beside, letters->other_always)), shared);
}

/* The blocks of one partition before the last one of all starts, h of them in one place, and then
 * the last block beside a full SM: blocks of one warp that fill all partitions. */
static uint64_t full_partitions(const struct letters *letters, uint64_t h)
{
  const struct wb_launch_shape *shape = letters->shape;
  const uint64_t *of = letters->terms->sum;
  const uint64_t places = letters->terms->partition_warps;
  const uint64_t on_sm = (shape->blocks - 1) / shape->sms;
  const uint64_t in_partition = on_sm / shape->partitions;
  const uint64_t inside = in_partition - h + places - 1;
  const uint64_t outside = on_sm - in_partition + shape->resident_blocks - places;
  const uint64_t others = wb_plus(wb_times(inside, of[WB_CHECK_LAUNCH_PARTITION]),
                                  wb_times(outside, of[WB_CHECK_LAUNCH_OTHERS]));
  const uint64_t met = wb_plus(wb_times(wb_plus(inside, outside), letters->fetched.sm),
                               wb_times(on_sm - h, letters->fetched.steps_again));
  const uint64_t of_block = wb_plus(of[WB_CHECK_LAUNCH_GPU], letters->fetched.gpu);
  const uint64_t shared =
      wb_plus(met, wb_times(shape->blocks, wb_plus(of_block, in_parts(letters, shape->dispatch))));
  return wb_plus(wb_plus(wb_times(h, letters->until_left), letters->own), wb_plus(others, shared));
}

bool wb_check_launch_fills_partitions(const struct wb_check_launch_terms *terms,
                                      const struct wb_launch_shape *shape)
{
  const uint64_t places = terms->partition_warps;
  return shape->block_warps == 1 && terms->phases == 1 && places > 0 &&
         wb_times(places, shape->partitions) == shape->resident_blocks;
}

/* Theorem 2. Both S are linear in the blocks of the slot: where one falls, it is that for the slot
 * with the most blocks which holds, and it is the less of the two. */
static uint64_t launch_parts(const struct letters *letters)
{
  const struct wb_launch_shape *shape = letters->shape;
  const uint64_t room = (uint64_t)shape->sms * shape->resident_blocks;
  const uint64_t last =
      wb_plus(last_block(letters), wb_times(shape->blocks, in_parts(letters, shape->dispatch)));
  if (shape->blocks <= room)
    return last;
  const uint64_t n = (shape->blocks - 1) / shape->sms;
  const uint64_t few = waiting_blocks(letters, n, n / shape->resident_blocks);
  const uint64_t many = waiting_blocks(letters, n, wb_divide_up(n, shape->resident_blocks));
  const uint64_t least = wb_plus(last, wb_minimum(few, many));
  if (!wb_check_launch_fills_partitions(letters->terms, letters->shape))
    return least;
  const uint64_t in_partition = n / shape->partitions;
  const uint64_t places = letters->terms->partition_warps;
  return wb_minimum(least,
                    wb_minimum(full_partitions(letters, in_partition / places),
                               full_partitions(letters, wb_divide_up(in_partition, places))));
}

/* Theorem D: all slots of the GPU go round, each time while one block is there or the dispatcher
 * works, whichever takes longer. */
static uint64_t round_parts(const struct letters *letters, uint64_t rounds)
{
  const struct wb_launch_shape *shape = letters->shape;
  const uint64_t dispatch = in_parts(letters, shape->dispatch);
  const uint64_t slots = (uint64_t)shape->sms * shape->resident_blocks;
  const uint64_t met = wb_times(2, (uint64_t)shape->resident_blocks - 1);
  const uint64_t block = wb_plus(letters->until_left, wb_times(met, letters->other_always));
  /* So many blocks begin in a round: none may be fetched twice in one. */
  if (letters->fetched.patience > 0 && letters->fetched.patience < shape->resident_blocks)
    return WB_CHECK_LAUNCH_UNKNOWN;
  const uint64_t by_blocks = wb_plus(wb_times(rounds, wb_plus(dispatch, block)),
                                     wb_times(shape->blocks - rounds * slots, dispatch));
  return wb_plus(last_block(letters), wb_maximum(by_blocks, wb_times(shape->blocks, dispatch)));
}

/* Of theorem E: how often each slot of the GPU counts a block. 2 (B - 1) (L - u) over m R (2 L -
 * u), rounded up, with L the most cycles from one turn of a slot to the next and u what the
 * dispatcher needs for all other slots; 2 (L - u) is at most 2 L - u, so that where these do not
 * fit (B - 1) over m R is enough. */
static uint64_t mean_turns(const struct letters *letters)
{
  const struct wb_launch_shape *shape = letters->shape;
  const uint64_t slots = (uint64_t)shape->sms * shape->resident_blocks;
  const uint64_t u = wb_times(slots - 1, in_parts(letters, shape->dispatch));
  const uint64_t met = wb_times(2, (uint64_t)shape->resident_blocks - 1);
  const uint64_t longest = wb_plus(letters->until_left, wb_times(met, letters->other_always));
  if (longest != WB_CHECK_LAUNCH_UNKNOWN && longest <= u)
    return 0;
  const uint64_t below = wb_times(slots, wb_times(2, longest) - wb_minimum(u, longest));
  uint64_t turns;
  const bool fits = wb_times(2, longest) != WB_CHECK_LAUNCH_UNKNOWN && below <= UINT64_MAX / 4;
  return fits && wb_multiply_divide_up(2 * (longest - u), shape->blocks - 1, below, &turns)
             ? turns
             : wb_divide_up(shape->blocks - 1, slots);
}

/* Theorem E: the mean over all slots, each with a block and those met beside it so often. Not
 * where chains fetch again what others have displaced: it has no terms of that. */
static uint64_t mean_parts(const struct letters *letters)
{
  if (letters->fetched.patience > 0)
    return WB_CHECK_LAUNCH_UNKNOWN;
  const struct wb_launch_shape *shape = letters->shape;
  const uint64_t f = letters->terms->phases;
  const uint64_t others = (uint64_t)shape->resident_blocks - 1;
  const uint64_t met = wb_plus(letters->other, wb_times(f - 1, letters->rest));
  const uint64_t pairs = wb_plus(wb_times(others, met), wb_times(f, letters->changes));
  const uint64_t block =
      wb_plus(letters->until_left, wb_minimum(wb_times(others, letters->all_warps), pairs));
  const uint64_t dispatched = wb_times(shape->blocks, in_parts(letters, shape->dispatch));
  return wb_plus(wb_plus(last_block(letters), dispatched), wb_times(mean_turns(letters), block));
}

/* Without barriers: from the begin of a block in the chain's partition through a block beside that
 * is still at work there, to the begin of that one. What is fetched by block, or kept, is left out
 * of this. */
bool wb_check_launch_comes_back(const struct wb_check_launch_terms *terms,
                                const struct wb_launch_shape *shape,
                                const struct wb_timed_code *code)
{
  bool of_blocks = terms->kept || terms->as_many;
  for (size_t r = 0; r < code->resource_count; r++) /* nor are stages in series */
    of_blocks =
        of_blocks || (code->resources[r].place > 0 && code->resources[r].level != WB_LEVEL_GPU);
  for (size_t c = 0; c < code->cold_count; c++)
    of_blocks = of_blocks || (code->first.of_block && code->cold[c].data != WB_FIRST_AS_BEFORE);
  return shape->resident_blocks > 1 && terms->phases == 1 && !of_blocks;
}

static struct letters letters_of(const struct wb_check_launch_terms *terms,
                                 const struct wb_launch_shape *shape,
                                 const struct wb_timed_code *code)
{
  const uint64_t *of = terms->sum;
  const uint64_t w = shape->block_warps;
  const uint64_t w_partition = wb_divide_up(w, shape->partitions);
  struct letters letters = {.terms = terms, .shape = shape, .w = w, .w_partition = w_partition};
  letters.chains = terms->as_many ? wb_minimum(w, terms->phases) : 1;
  letters.fetched = wb_check_launch_fetches_of_block(code, shape, terms->denominator);
  letters.own =
      whole_block(&letters, WB_CHECK_LAUNCH_OWN, WB_CHECK_LAUNCH_PARTITION, WB_CHECK_LAUNCH_OTHERS);
  /* Where all warps of a block take one path, its own maximum, taken for no less than A. */
  uint64_t block = wb_plus(wb_maximum(of[WB_CHECK_LAUNCH_BLOCK], of[WB_CHECK_LAUNCH_OWN]),
                           in_parts(&letters, shape->block_start));
  if (shape->partitions > 1)
    block = wb_plus(block, in_parts(&letters, wb_times(terms->phases, terms->change)));
  letters.own = with_fetches(&letters, letters.own == WB_CHECK_LAUNCH_UNKNOWN
                                           ? letters.own
                                           : wb_minimum(letters.own, block));
  letters.until_left =
      letters.own == WB_CHECK_LAUNCH_UNKNOWN ? WB_CHECK_LAUNCH_UNKNOWN : letters.own - terms->after;
  letters.all_warps = wb_plus(wb_times(w, of[WB_CHECK_LAUNCH_PARTITION]), letters.fetched.sm);
  letters.other = wb_plus(wb_times(w_partition, of[WB_CHECK_LAUNCH_PARTITION]),
                          wb_times(w - w_partition, of[WB_CHECK_LAUNCH_OTHERS]));
  letters.other = wb_plus(letters.other, letters.fetched.sm);
  letters.rest = terms->phases > 1 ? in_parts(&letters, terms->longest_unit) : 0;
  letters.change = wb_plus(wb_times(w_partition, of[WB_CHECK_LAUNCH_PHASE_UNITS]), letters.rest);
  letters.changes = wb_times((uint64_t)shape->resident_blocks - 1, letters.change);
  if (wb_check_launch_comes_back(terms, shape, code) &&
      of[WB_CHECK_LAUNCH_OWN] != WB_CHECK_LAUNCH_UNKNOWN) {
    const uint64_t through =
        wb_plus(of[WB_CHECK_LAUNCH_OWN] - terms->after, of[WB_CHECK_LAUNCH_PARTITION]);
    const uint64_t others = wb_times((uint64_t)shape->resident_blocks - 2, letters.change);
    letters.changes = wb_minimum(letters.changes, wb_plus(through, others));
  }
  const uint64_t changes = wb_times(terms->phases - 1, wb_plus(letters.change, letters.rest));
  letters.other_always = wb_minimum(letters.all_warps, wb_plus(letters.other, changes));
  if (terms->as_many) {
    letters.other_always = letters.all_warps;
    letters.other = WB_CHECK_LAUNCH_UNKNOWN; /* no chain's changes of partition are counted */
  }
  return letters;
}

uint64_t wb_check_launch_mean_turns(const struct wb_check_launch_terms *terms,
                                    const struct wb_launch_shape *shape,
                                    const struct wb_timed_code *code)
{
  const struct letters letters = letters_of(terms, shape, code);
  return mean_turns(&letters);
}

/* The least of theorems 1, 2, D and E, and of that of all steps one after the other; with what is
 * fetched once. */
static uint64_t least_of(const struct letters *letters, const struct wb_timed_code *code)
{
  const struct wb_check_launch_terms *terms = letters->terms;
  const struct wb_launch_shape *shape = letters->shape;
  const uint64_t d = terms->denominator;
  const uint64_t rounds = (shape->blocks - 1) / ((uint64_t)shape->sms * shape->resident_blocks);
  uint64_t least = launch_parts(letters);
  /* Theorem 1, for a launch of one block. */
  if (shape->blocks == 1)
    least = wb_minimum(least,
                       wb_plus(with_fetches(letters, whole_block(letters, WB_CHECK_LAUNCH_ALONE_OWN,
                                                                 WB_CHECK_LAUNCH_ALONE_PARTITION,
                                                                 WB_CHECK_LAUNCH_ALONE_OTHERS)),
                               wb_plus(letters->fetched.gpu, in_parts(letters, shape->dispatch))));
  least = wb_plus(least, wb_check_launch_fetches(code, shape, terms->phases, d, 0));
  if (rounds > 0) {
    const uint64_t of_slot = wb_check_launch_fetches(code, shape, terms->phases, d, 0);
    const uint64_t of_rounds = wb_check_launch_fetches(code, shape, terms->phases, d, rounds);
    const uint64_t by_mean = wb_plus(mean_parts(letters), wb_maximum(of_slot, of_rounds));
    least = wb_minimum(least, wb_plus(round_parts(letters, rounds), of_rounds));
    least = wb_minimum(least, by_mean);
  }
  least = wb_minimum(least, wb_check_launch_one_path(terms, shape, code));
  least = wb_plus(least, terms->fetches);
  if (terms->kept)
    return least;
  const uint64_t start = wb_plus(shape->dispatch, shape->block_start);
  const uint64_t serial = wb_plus(
      wb_times(shape->blocks, in_parts(letters, start)),
      wb_times(shape->blocks, wb_plus(wb_times(letters->w, terms->sum[WB_CHECK_LAUNCH_TOTAL]),
                                      letters->fetched.apart)));
  return wb_minimum(least, wb_plus(serial, wb_check_launch_fetches_apart(code, shape, d)));
}

const char *wb_check_launch_contradiction(const struct wb_check_launch_claim *claim)
{
  if (claim->groups && !claim->as_many)
    return "barriers of groups, and nothing says that the warps of each pass as many";
  if (claim->groups && claim->early_ends)
    return "barriers of groups, and warps that end before others";
  if (claim->groups && (claim->same_path || claim->launch_path))
    return "barriers of groups, and one path for warps of several groups";
  return NULL;
}

uint64_t wb_check_launch_theorems(const struct wb_check_launch_terms *terms,
                                  const struct wb_launch_shape *shape,
                                  const struct wb_timed_code *code)
{
  const struct letters letters = letters_of(terms, shape, code);
  const uint64_t least = least_of(&letters, code);
  if (least == WB_CHECK_LAUNCH_UNKNOWN)
    return WB_CHECK_LAUNCH_UNKNOWN;
  if (shape->foreign_share == 0 && shape->foreign_burst == 0)
    return wb_plus(least / terms->denominator, shape->overhead);
  /* T (1 - u) <= T0 + b, where T0 has the overhead: T is T0 + b over 1 - u at most. */
  const uint64_t rest = WB_FOREIGN_WHOLE - shape->foreign_share;
  const uint64_t known = wb_plus(wb_plus(least, in_parts(&letters, shape->overhead)),
                                 in_parts(&letters, shape->foreign_burst));
  if (known == WB_CHECK_LAUNCH_UNKNOWN)
    return WB_CHECK_LAUNCH_UNKNOWN;
  const uint64_t whole =
      wb_plus(wb_times(known / rest, WB_FOREIGN_WHOLE), known % rest * WB_FOREIGN_WHOLE / rest);
  return whole == WB_CHECK_LAUNCH_UNKNOWN ? WB_CHECK_LAUNCH_UNKNOWN : whole / terms->denominator;
}

#include "certificate/launch/launch_theorems.h"

#include "base/checked.h"

#define UNKNOWN WB_CHECK_LAUNCH_UNKNOWN

/* a + b, where UNKNOWN is more than any number. */
static uint64_t sum(uint64_t a, uint64_t b)
{
  uint64_t result;
  return wb_add(a, b, &result) ? result : UNKNOWN;
}

/* a * b; nothing of what is unknown is nothing. */
static uint64_t product(uint64_t a, uint64_t b)
{
  uint64_t result;
  if (a == 0 || b == 0)
    return 0;
  return wb_multiply(a, b, &result) ? result : UNKNOWN;
}

/* The letters of doc/launch.md, in 1 / denominator cycles. */
struct letters {
  const struct wb_check_launch_terms *terms;
  const struct wb_launch_shape *shape;
  uint64_t w, w_partition; /* w, w_P: warps of a block, and most of them in one partition */
  uint64_t own;            /* own */
  uint64_t all_warps;      /* w X */
  uint64_t other;          /* O */
  uint64_t change;         /* M */
  uint64_t rest;           /* e */
  uint64_t other_always;   /* O+ */
};

static uint64_t in_parts(const struct letters *letters, uint64_t cycles)
{
  return product(cycles, letters->terms->denominator);
}

/* A block whose longest own steps, and what its warps block, are given: A + (w_P - 1) X +
 * (w - w_P) Y. */
static uint64_t whole_block(const struct letters *letters, enum wb_check_launch_sum own,
                            enum wb_check_launch_sum partition, enum wb_check_launch_sum others)
{
  const uint64_t *of = letters->terms->sum;
  const uint64_t alone = sum(of[own], in_parts(letters, letters->shape->block_start));
  return sum(alone, sum(product(letters->w_partition - 1, of[partition]),
                        product(letters->w - letters->w_partition, of[others])));
}

static void find_letters(const struct wb_check_launch_terms *terms,
                         const struct wb_launch_shape *shape, struct letters *letters)
{
  const uint64_t *of = terms->sum;
  const uint64_t w = shape->block_warps;
  const uint64_t w_partition = wb_divide_up(w, shape->partitions);
  *letters = (struct letters){.terms = terms, .shape = shape, .w = w, .w_partition = w_partition};
  letters->own =
      whole_block(letters, WB_CHECK_LAUNCH_OWN, WB_CHECK_LAUNCH_PARTITION, WB_CHECK_LAUNCH_OTHERS);
  letters->all_warps = product(w, of[WB_CHECK_LAUNCH_PARTITION]);
  letters->other = sum(product(w_partition, of[WB_CHECK_LAUNCH_PARTITION]),
                       product(w - w_partition, of[WB_CHECK_LAUNCH_OTHERS]));
  letters->rest = terms->phases > 1 ? in_parts(letters, terms->longest_unit) : 0;
  letters->change = sum(product(w_partition, of[WB_CHECK_LAUNCH_PHASE_UNITS]), letters->rest);
  const uint64_t changes = product(terms->phases - 1, sum(letters->change, letters->rest));
  letters->other_always = wb_minimum(letters->all_warps, sum(letters->other, changes));
}

/* min(S1, S2) for h blocks of the slot, of n on the SM. */
static uint64_t waiting_blocks(const struct letters *letters, uint64_t n, uint64_t h)
{
  const uint64_t f = letters->terms->phases;
  const uint64_t slot = product(h, letters->own);
  const uint64_t first = sum(slot, product(n - h, letters->all_warps));
  const uint64_t each = sum(letters->other, product(f - 1, letters->rest));
  const uint64_t pairs = product(letters->shape->resident_blocks - 1, product(f, h) - 1);
  const uint64_t second = sum(slot, sum(product(n - h, each), product(pairs, letters->change)));
  return product(f, h) == UNKNOWN ? first : wb_minimum(first, second);
}

/* Theorem 2. Both S are linear in the blocks of the slot: where one falls, it is that for the slot
 * with the most blocks which holds, and it is the less of the two. */
static uint64_t launch_parts(const struct letters *letters)
{
  const struct wb_launch_shape *shape = letters->shape;
  const uint64_t room = (uint64_t)shape->sms * shape->resident_blocks;
  const uint64_t beside = wb_minimum(shape->resident_blocks, shape->blocks) - 1;
  const uint64_t last = sum(
      sum(letters->own, product(beside, letters->other_always)),
      sum(product(shape->blocks, in_parts(letters, shape->dispatch)),
          product(product(shape->blocks, letters->w), letters->terms->sum[WB_CHECK_LAUNCH_GPU])));
  if (shape->blocks <= room)
    return last;
  const uint64_t n = (shape->blocks - 1) / shape->sms;
  const uint64_t few = waiting_blocks(letters, n, n / shape->resident_blocks);
  const uint64_t many = waiting_blocks(letters, n, wb_divide_up(n, shape->resident_blocks));
  return sum(last, wb_minimum(few, many));
}

/* All warps and blocks one after the other. */
static uint64_t total_parts(const struct letters *letters)
{
  const struct wb_launch_shape *shape = letters->shape;
  const uint64_t start = sum(shape->dispatch, shape->block_start);
  return sum(
      product(shape->blocks, in_parts(letters, start)),
      product(product(shape->blocks, letters->w), letters->terms->sum[WB_CHECK_LAUNCH_TOTAL]));
}

uint64_t wb_check_launch_evaluate(const struct wb_check_launch_terms *terms,
                                  const struct wb_launch_shape *shape)
{
  struct letters letters;
  find_letters(terms, shape, &letters);
  uint64_t least = wb_minimum(launch_parts(&letters), total_parts(&letters));
  /* Theorem 1, for a launch of one block. */
  if (shape->blocks == 1)
    least = wb_minimum(
        least, sum(whole_block(&letters, WB_CHECK_LAUNCH_ALONE_OWN, WB_CHECK_LAUNCH_ALONE_PARTITION,
                               WB_CHECK_LAUNCH_ALONE_OTHERS),
                   in_parts(&letters, letters.shape->dispatch)));
  if (least == UNKNOWN)
    return UNKNOWN;
  return sum(least / terms->denominator, shape->overhead);
}

#include "makespan/annealing/annealing_evaluation.h"

#include "base/checked.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Pairs the warps whose state differs, new with old, so that each pair agrees. Those of
 * one name in both stay. false: there is no such pairing, or it is not looked for. */
static bool pair_warps(struct wb_annealing_evaluation *evaluation, uint64_t *old)
{
  const uint32_t *old_last = wb_annealing_last_cycles(evaluation, old);
  const uint32_t *old_done = wb_annealing_done_counts(evaluation, old);
  const uint32_t *new_last = wb_annealing_last_cycles(evaluation, evaluation->now);
  const uint32_t *new_done = wb_annealing_done_counts(evaluation, evaluation->now);
  uint32_t count = 0;
  evaluation->renamed = 0;
  for (uint32_t w = 0; w < evaluation->warps; w++) {
    if (old_last[w] == new_last[w] && old_done[w] == new_done[w])
      continue;
    if (count == WB_ANNEALING_MOST_RENAMED)
      return false;
    evaluation->renamed_from[count] = w;
    evaluation->renamed_to[count++] = w;
  }
  for (uint32_t i = 0; i < count; i++) {
    uint32_t from = evaluation->renamed_from[i];
    uint32_t j = i;
    while (j < count && (old_last[from] != new_last[evaluation->renamed_to[j]] ||
                         old_done[from] != new_done[evaluation->renamed_to[j]]))
      j++;
    if (j == count)
      return false;
    uint32_t to = evaluation->renamed_to[j];
    evaluation->renamed_to[j] = evaluation->renamed_to[i];
    evaluation->renamed_to[i] = to;
  }
  evaluation->renamed = count;
  return true;
}

/* Whether the machine is as it was before the block, names of warps aside where the
 * string is canonical. */
static bool is_back(struct wb_annealing_evaluation *evaluation, size_t block)
{
  uint64_t *old = wb_annealing_kept_state(evaluation, block);
  if (memcmp(evaluation->now, old, evaluation->last_at * sizeof *old) != 0)
    return false;
  size_t bytes = evaluation->warps * 2 * sizeof(uint32_t);
  if (memcmp(evaluation->now + evaluation->last_at, old + evaluation->last_at, bytes) == 0)
    return true;
  return evaluation->canonical && pair_warps(evaluation, old);
}

static uint32_t largest(const uint32_t *cycle, size_t from, size_t to)
{
  uint32_t peak = 0;
  for (size_t k = from; k < to; k++)
    peak = cycle[k] > peak ? cycle[k] : peak;
  return peak;
}

uint32_t wb_annealing_evaluation_try(struct wb_annealing_evaluation *evaluation, bool *changed)
{
  /* Narrows the change to the places that differ. */
  const uint32_t *order = evaluation->order;
  uint32_t *saved = evaluation->saved; /* of the places from the first of the change on */
  while (evaluation->first <= evaluation->last && order[evaluation->first] == *saved) {
    evaluation->first++;
    saved++;
  }
  *changed = evaluation->first <= evaluation->last;
  if (!*changed)
    return evaluation->makespan;
  while (order[evaluation->last] == saved[evaluation->last - evaluation->first])
    evaluation->last--;
  memmove(evaluation->saved, saved,
          (evaluation->last - evaluation->first + 1) * sizeof *evaluation->saved);
  size_t block = evaluation->first / evaluation->spacing;
  size_t begin = block * evaluation->spacing;
  memcpy(evaluation->now, wb_annealing_kept_state(evaluation, block),
         evaluation->state_words * sizeof *evaluation->now);
  wb_annealing_replay(evaluation, begin, evaluation->first);
  uint32_t peak = largest(evaluation->cycle, begin, evaluation->first);
  peak = evaluation->peak[block] > peak ? evaluation->peak[block] : peak;
  evaluation->renamed = 0;
  for (size_t k = evaluation->first;;) {
    block++;
    size_t end = block < evaluation->blocks ? block * evaluation->spacing : evaluation->entries;
    uint32_t here = wb_annealing_place(evaluation, k, end);
    peak = here > peak ? here : peak;
    k = end;
    if (k == evaluation->entries || (k > evaluation->last && is_back(evaluation, block)))
      break;
    if (!evaluation->canonical)
      memcpy(evaluation->fresh + block * evaluation->state_words, evaluation->now,
             evaluation->state_words * sizeof *evaluation->now);
  }
  evaluation->end = block < evaluation->blocks ? block * evaluation->spacing : evaluation->entries;
  evaluation->trial_makespan = peak > evaluation->tail[block] ? peak : evaluation->tail[block];
  return evaluation->trial_makespan;
}

void wb_annealing_evaluation_open(struct wb_annealing_evaluation *evaluation, size_t first,
                                  size_t last)
{
  assert(first <= last && last < evaluation->entries);
  evaluation->first = first;
  evaluation->last = last;
  memcpy(evaluation->saved, evaluation->order + first,
         (last - first + 1) * sizeof *evaluation->saved);
}

void wb_annealing_evaluation_drop(struct wb_annealing_evaluation *evaluation)
{
  memcpy(evaluation->order + evaluation->first, evaluation->saved,
         (evaluation->last - evaluation->first + 1) * sizeof *evaluation->saved);
}

/* Sorts the places from .. to - 1 by cycle, equal ones in their order. The cycles of
 * places before are not larger, nor those after smaller (doc/makespan.md). */
static void sort_by_cycle(struct wb_annealing_evaluation *evaluation, size_t from, size_t to)
{
  uint32_t least = evaluation->cycle[from];
  uint32_t most = evaluation->cycle[from];
  for (size_t k = from; k < to; k++) {
    least = evaluation->cycle[k] < least ? evaluation->cycle[k] : least;
    most = evaluation->cycle[k] > most ? evaluation->cycle[k] : most;
  }
  uint32_t *bucket = evaluation->bucket;
  memset(bucket, 0, (most - least + 1) * sizeof *bucket);
  for (size_t k = from; k < to; k++)
    bucket[evaluation->cycle[k] - least]++;
  uint32_t before = 0;
  for (uint32_t c = 0; c <= most - least; c++) {
    uint32_t here = bucket[c];
    bucket[c] = before;
    before += here;
  }
  for (size_t k = from; k < to; k++)
    evaluation->sorted[bucket[evaluation->cycle[k] - least]++] = evaluation->order[k];
  memcpy(evaluation->order + from, evaluation->sorted, (to - from) * sizeof *evaluation->order);
  size_t k = from;
  for (uint32_t c = 0; c <= most - least; c++) {
    for (; k < from + bucket[c]; k++)
      evaluation->cycle[k] = c + least;
  }
}

void wb_annealing_stretch(const struct wb_annealing_evaluation *evaluation, size_t place,
                          size_t *from, size_t *to)
{
  *from = 0;
  *to = evaluation->entries;
  if (evaluation->fair.count == 0)
    return;
  wb_fair_stretch(&evaluation->fair, evaluation->length, place / evaluation->warps, from, to);
  *from *= evaluation->warps;
  *to *= evaluation->warps;
}

/* Gives the warps of the places from `end` on, and of the states kept there, their new
 * names. */
static void rename_rest(struct wb_annealing_evaluation *evaluation)
{
  uint32_t last[WB_ANNEALING_MOST_RENAMED];
  uint32_t done[WB_ANNEALING_MOST_RENAMED];
  const uint32_t *from = evaluation->renamed_from;
  const uint32_t *to = evaluation->renamed_to;
  if (evaluation->renamed == 0)
    return;
  uint32_t *name = evaluation->left;
  for (uint32_t w = 0; w < evaluation->warps; w++)
    name[w] = w;
  for (uint32_t i = 0; i < evaluation->renamed; i++)
    name[from[i]] = to[i];
  for (size_t k = evaluation->end; k < evaluation->entries; k++)
    evaluation->order[k] = name[evaluation->order[k]];
  for (size_t b = evaluation->end / evaluation->spacing; b < evaluation->blocks; b++) {
    uint64_t *state = wb_annealing_kept_state(evaluation, b);
    uint32_t *last_of = wb_annealing_last_cycles(evaluation, state);
    uint32_t *done_of = wb_annealing_done_counts(evaluation, state);
    for (uint32_t i = 0; i < evaluation->renamed; i++) {
      last[i] = last_of[from[i]];
      done[i] = done_of[from[i]];
    }
    for (uint32_t i = 0; i < evaluation->renamed; i++) {
      last_of[to[i]] = last[i];
      done_of[to[i]] = done[i];
    }
  }
}

void wb_annealing_evaluation_keep(struct wb_annealing_evaluation *evaluation)
{
  size_t first = evaluation->first, end = evaluation->end;
  memcpy(evaluation->cycle + first, evaluation->trial + first,
         (end - first) * sizeof *evaluation->cycle);
  if (evaluation->canonical) {
    size_t begin, stretch_end;
    for (size_t at = first; at < end; at = stretch_end) {
      wb_annealing_stretch(evaluation, at, &begin, &stretch_end);
      sort_by_cycle(evaluation, at, (size_t)wb_minimum(stretch_end, end));
    }
    rename_rest(evaluation);
  }
  /* The kept states of the blocks that begin after place `first` and before `end`: those met in the
   * trial, or, where the places were sorted, those of their new order. */
  size_t block = first / evaluation->spacing, last = (end - 1) / evaluation->spacing;
  size_t bytes = evaluation->state_words * sizeof *evaluation->now;
  if (!evaluation->canonical)
    memcpy(wb_annealing_kept_state(evaluation, block + 1),
           evaluation->fresh + (block + 1) * evaluation->state_words, (last - block) * bytes);
  else if (block < last)
    memcpy(evaluation->now, wb_annealing_kept_state(evaluation, block), bytes);
  for (; evaluation->canonical && block < last; block++) {
    wb_annealing_replay(evaluation, block * evaluation->spacing, (block + 1) * evaluation->spacing);
    memcpy(wb_annealing_kept_state(evaluation, block + 1), evaluation->now, bytes);
  }
  /* The largest cycles of the changed blocks, and of what stands before and after each block. */
  for (size_t b = first / evaluation->spacing; b * evaluation->spacing < end; b++)
    evaluation->block_peak[b] =
        largest(evaluation->cycle, b * evaluation->spacing,
                (size_t)wb_minimum((b + 1) * evaluation->spacing, evaluation->entries));
  for (size_t b = 0; b < evaluation->blocks; b++)
    evaluation->peak[b + 1] = (uint32_t)wb_maximum(evaluation->peak[b], evaluation->block_peak[b]);
  for (size_t b = evaluation->blocks; b-- > 0;)
    evaluation->tail[b] = (uint32_t)wb_maximum(evaluation->tail[b + 1], evaluation->block_peak[b]);
  evaluation->makespan = evaluation->trial_makespan;
}

void wb_annealing_evaluation_set(struct wb_annealing_evaluation *evaluation, const uint32_t *order)
{
  memcpy(evaluation->order, order, evaluation->entries * sizeof *evaluation->order);
  memcpy(evaluation->now, evaluation->start, evaluation->state_words * sizeof *evaluation->now);
  memcpy(wb_annealing_kept_state(evaluation, 0), evaluation->start,
         evaluation->state_words * sizeof *evaluation->now);
  evaluation->first = 0;
  evaluation->end = evaluation->entries;
  evaluation->renamed = 0;
  evaluation->trial_makespan = 0;
  for (size_t b = 0; b < evaluation->blocks; b++) {
    size_t from = b * evaluation->spacing;
    size_t to = (size_t)wb_minimum(from + evaluation->spacing, evaluation->entries);
    if (!evaluation->canonical)
      memcpy(evaluation->fresh + b * evaluation->state_words, evaluation->now,
             evaluation->state_words * sizeof *evaluation->now);
    uint32_t here = wb_annealing_place(evaluation, from, to);
    evaluation->trial_makespan =
        here > evaluation->trial_makespan ? here : evaluation->trial_makespan;
  }
  wb_annealing_evaluation_keep(evaluation);
}

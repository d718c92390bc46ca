#include "makespan/annealing/annealing_evaluation.h"

#include "base/checked.h"
#include "makespan/machine/schedule.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- the machine ---- */

#define WORD_CYCLES 64
/* Places between two kept states: fewer cost time to write them, more to replay. */
#define LEAST_SPACING 32
/* Whether there is a track for u, a type or WB_UNIT_COUNT for the issue slots; its limit. */
static bool is_tracked(const struct wb_problem *problem, unsigned u, uint32_t *limit)
{
  *limit = u < WB_UNIT_COUNT ? problem->capacity[u] : problem->issue_slots;
  return u < WB_UNIT_COUNT ? problem->string.count[u] > 0 : wb_problem_capped(problem);
}

/* The tracks' common number of planes: enough to count to the largest limit that can
 * bind. */
static void measure(struct wb_annealing_evaluation *evaluation, const struct wb_problem *problem,
                    uint64_t horizon)
{
  evaluation->warps = problem->warps;
  evaluation->length = problem->string.length;
  evaluation->entries = problem->warps * problem->string.length;
  evaluation->capped = wb_problem_capped(problem);
  evaluation->words = (size_t)(wb_minimum(horizon, evaluation->entries) + 2) / WORD_CYCLES + 1;
  evaluation->planes = 0;
  size_t tracks = 0;
  for (unsigned u = 0; u <= WB_UNIT_COUNT; u++) {
    uint32_t limit;
    if (!is_tracked(problem, u, &limit))
      continue;
    tracks++;
    while (limit < evaluation->warps && UINT64_C(1) << evaluation->planes < limit)
      evaluation->planes++;
  }
  evaluation->last_at = tracks * evaluation->words * (evaluation->planes + 1);
  evaluation->state_words = evaluation->last_at + evaluation->warps; /* two halves each */
}

uint64_t wb_annealing_evaluation_bytes(const struct wb_problem *problem, uint64_t horizon)
{
  uint64_t entries;
  if (!wb_multiply(problem->warps, problem->string.length, &entries) || entries > WB_SCHEDULE_LIMIT)
    return UINT64_MAX;
  struct wb_annealing_evaluation evaluation;
  measure(&evaluation, problem, horizon);
  return entries * (5 * sizeof(uint32_t)) + evaluation.words * WORD_CYCLES * sizeof(uint32_t) +
         4 * evaluation.state_words * sizeof(uint64_t);
}

warpbound_status wb_annealing_evaluation_start(struct wb_annealing_evaluation *evaluation,
                                               const struct wb_problem *problem, uint64_t horizon,
                                               bool canonical, uint64_t memory,
                                               warpbound_error *error)
{
  *evaluation = (struct wb_annealing_evaluation){.canonical = canonical, .fair = problem->fair};
  measure(evaluation, problem, horizon);
  uint64_t most_states = wb_maximum(memory / 4 / (evaluation->state_words * sizeof(uint64_t)), 1);
  evaluation->spacing =
      (size_t)wb_maximum(LEAST_SPACING, wb_divide_up(evaluation->entries, most_states));
  evaluation->blocks = (size_t)wb_divide_up(evaluation->entries, evaluation->spacing);
  evaluation->bytes = wb_annealing_evaluation_bytes(problem, horizon) +
                      2 * evaluation->blocks * evaluation->state_words * sizeof(uint64_t);
  evaluation->types = wb_kernel_string_expand(&problem->string);
  struct wb_arena *arena = &evaluation->arena;
  evaluation->start = wb_arena_array(arena, uint64_t, evaluation->state_words);
  evaluation->now = wb_arena_array(arena, uint64_t, evaluation->state_words);
  evaluation->kept = wb_arena_array(arena, uint64_t, evaluation->blocks * evaluation->state_words);
  evaluation->fresh =
      wb_arena_array(arena, uint64_t, canonical ? 1 : evaluation->blocks * evaluation->state_words);
  evaluation->order = wb_arena_array(arena, uint32_t, evaluation->entries);
  evaluation->cycle = wb_arena_array(arena, uint32_t, evaluation->entries);
  evaluation->saved = wb_arena_array(arena, uint32_t, evaluation->entries);
  evaluation->trial = wb_arena_array(arena, uint32_t, evaluation->entries);
  evaluation->sorted = wb_arena_array(arena, uint32_t, evaluation->entries);
  evaluation->bucket = wb_arena_array(arena, uint32_t, evaluation->words * WORD_CYCLES);
  evaluation->left = wb_arena_array(arena, uint32_t, evaluation->warps);
  evaluation->block_peak = wb_arena_array(arena, uint32_t, evaluation->blocks + 1);
  evaluation->peak = wb_arena_array(arena, uint32_t, evaluation->blocks + 1);
  evaluation->tail = wb_arena_array(arena, uint32_t, evaluation->blocks + 1);
  evaluation->renamed_from = wb_arena_array(arena, uint32_t, WB_ANNEALING_MOST_RENAMED);
  evaluation->renamed_to = wb_arena_array(arena, uint32_t, WB_ANNEALING_MOST_RENAMED);
  if (evaluation->types == NULL || arena->failed)
    return wb_out_of_memory(error);
  /* Lays out the tracks one after the other, and writes the free machine into start. */
  size_t at = 0;
  size_t stride = evaluation->planes + 1;
  for (unsigned u = 0; u <= WB_UNIT_COUNT; u++) {
    uint32_t limit;
    if (!is_tracked(problem, u, &limit))
      continue;
    bool limits = limit < evaluation->warps;
    uint64_t first = limits ? (UINT64_C(1) << evaluation->planes) - limit : 0;
    for (size_t word = 0; word < evaluation->words; word++) {
      evaluation->start[at + word * stride] = UINT64_MAX;
      for (unsigned p = 0; p < evaluation->planes; p++)
        evaluation->start[at + word * stride + 1 + p] = first >> p & 1 ? UINT64_MAX : 0;
    }
    *(u < WB_UNIT_COUNT ? &evaluation->track[u] : &evaluation->slots) =
        (struct wb_annealing_track){at, limits ? UINT64_MAX : 0};
    at += evaluation->words * stride;
  }
  assert(at == evaluation->last_at);
  return WARPBOUND_OK;
}

void wb_annealing_evaluation_free(struct wb_annealing_evaluation *evaluation)
{
  free(evaluation->types);
  wb_arena_free(&evaluation->arena);
  *evaluation = (struct wb_annealing_evaluation){0};
}

/* The warps' last cycles in a state. */
static uint32_t *last_cycles(const struct wb_annealing_evaluation *evaluation, uint64_t *state)
{
  return (uint32_t *)(state + evaluation->last_at);
}

/* The instructions that the warps have done in a state. */
static uint32_t *done_counts(const struct wb_annealing_evaluation *evaluation, uint64_t *state)
{
  return last_cycles(evaluation, state) + evaluation->warps;
}

/* The kept state before a block. */
static uint64_t *kept_state(const struct wb_annealing_evaluation *evaluation, size_t block)
{
  return evaluation->kept + block * evaluation->state_words;
}

/* Takes one unit of the cycle `bit` of a word: a binary counter over 64 cycles at once. */
static inline void occupy(uint64_t *word, uint64_t bit, uint64_t limits, unsigned planes)
{
  uint64_t carry = bit;
  for (unsigned p = 1; p <= planes; p++) {
    uint64_t plane = word[p];
    word[p] = plane ^ carry;
    carry &= plane;
  }
  word[0] &= ~(carry & limits);
}

/* Puts the warps of the places from .. to - 1 into the cycles that are known. */
static inline void replay_stretch(struct wb_annealing_evaluation *evaluation, size_t from,
                                  size_t to, bool capped, unsigned planes)
{
  uint64_t *now = evaluation->now;
  uint32_t *last = last_cycles(evaluation, now);
  uint32_t *done = done_counts(evaluation, now);
  for (size_t k = from; k < to; k++) {
    uint32_t warp = evaluation->order[k];
    uint32_t cycle = evaluation->cycle[k];
    size_t word = cycle / WORD_CYCLES * (planes + 1);
    uint64_t bit = UINT64_C(1) << (cycle % WORD_CYCLES);
    const struct wb_annealing_track *track = &evaluation->track[evaluation->types[done[warp]++]];
    occupy(now + track->at + word, bit, track->limits, planes);
    if (capped)
      occupy(now + evaluation->slots.at + word, bit, evaluation->slots.limits, planes);
    last[warp] = cycle;
  }
}

/* Places from .. to - 1 by the earliest-cycle rule: the first cycle after the warp's last
 * one that is free in its type's track and in that of the slots. Returns the largest. */
static inline uint32_t place_stretch(struct wb_annealing_evaluation *evaluation, size_t from,
                                     size_t to, bool capped, unsigned planes)
{
  uint64_t *slots = evaluation->now + evaluation->slots.at;
  uint32_t *last = last_cycles(evaluation, evaluation->now);
  uint32_t *done = done_counts(evaluation, evaluation->now);
  uint32_t peak = 0;
  for (size_t k = from; k < to; k++) {
    uint32_t warp = evaluation->order[k];
    const struct wb_annealing_track *track = &evaluation->track[evaluation->types[done[warp]++]];
    uint64_t *cycles = evaluation->now + track->at;
    uint32_t cycle = last[warp] + 1;
    size_t word = cycle / WORD_CYCLES * (planes + 1);
    uint64_t free = cycles[word] & (UINT64_MAX << (cycle % WORD_CYCLES));
    if (capped)
      free &= slots[word];
    cycle -= cycle % WORD_CYCLES;
    while (free == 0) {
      word += planes + 1;
      cycle += WORD_CYCLES;
      free = capped ? cycles[word] & slots[word] : cycles[word];
    }
    uint64_t bit = free & -free;
    occupy(cycles + word, bit, track->limits, planes);
    if (capped)
      occupy(slots + word, bit, evaluation->slots.limits, planes);
    cycle += (uint32_t)__builtin_ctzll(free);
    last[warp] = cycle;
    evaluation->trial[k] = cycle;
    peak = cycle > peak ? cycle : peak;
  }
  return peak;
}

/* Goes on from evaluation->now over the places from .. to - 1 by the cycles that are known.
 * Each loop has a copy of its own for the numbers of planes that are common. */
static void replay(struct wb_annealing_evaluation *evaluation, size_t from, size_t to)
{
  switch (evaluation->planes * 2 + evaluation->capped) {
  case 0:
    replay_stretch(evaluation, from, to, false, 0);
    break;
  case 1:
    replay_stretch(evaluation, from, to, true, 0);
    break;
  case 2:
    replay_stretch(evaluation, from, to, false, 1);
    break;
  case 3:
    replay_stretch(evaluation, from, to, true, 1);
    break;
  case 4:
    replay_stretch(evaluation, from, to, false, 2);
    break;
  case 5:
    replay_stretch(evaluation, from, to, true, 2);
    break;
  default:
    replay_stretch(evaluation, from, to, evaluation->capped, evaluation->planes);
  }
}

/* The same by the earliest-cycle rule, into evaluation->trial. Returns the largest cycle. */
static uint32_t place_from(struct wb_annealing_evaluation *evaluation, size_t from, size_t to)
{
  switch (evaluation->planes * 2 + evaluation->capped) {
  case 0:
    return place_stretch(evaluation, from, to, false, 0);
  case 1:
    return place_stretch(evaluation, from, to, true, 0);
  case 2:
    return place_stretch(evaluation, from, to, false, 1);
  case 3:
    return place_stretch(evaluation, from, to, true, 1);
  case 4:
    return place_stretch(evaluation, from, to, false, 2);
  case 5:
    return place_stretch(evaluation, from, to, true, 2);
  default:
    return place_stretch(evaluation, from, to, evaluation->capped, evaluation->planes);
  }
}

/* ---- changes ---- */

/* Whether the machine is as it was before the block, names of warps aside where the string is
 * canonical: pairs the warps whose state differs, new with old, so that each pair agrees. Those of
 * one name in both stay. false too where such a pairing is not looked for. */
static bool is_back(struct wb_annealing_evaluation *evaluation, size_t block)
{
  uint64_t *old = kept_state(evaluation, block);
  if (memcmp(evaluation->now, old, evaluation->last_at * sizeof *old) != 0)
    return false;
  const size_t bytes = evaluation->warps * 2 * sizeof(uint32_t);
  if (memcmp(evaluation->now + evaluation->last_at, old + evaluation->last_at, bytes) == 0)
    return true;
  if (!evaluation->canonical)
    return false;
  const uint32_t *old_last = last_cycles(evaluation, old);
  const uint32_t *old_done = done_counts(evaluation, old);
  const uint32_t *new_last = last_cycles(evaluation, evaluation->now);
  const uint32_t *new_done = done_counts(evaluation, evaluation->now);
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
  memcpy(evaluation->now, kept_state(evaluation, block),
         evaluation->state_words * sizeof *evaluation->now);
  replay(evaluation, begin, evaluation->first);
  uint32_t peak = largest(evaluation->cycle, begin, evaluation->first);
  peak = evaluation->peak[block] > peak ? evaluation->peak[block] : peak;
  evaluation->renamed = 0;
  for (size_t k = evaluation->first;;) {
    block++;
    size_t end = block < evaluation->blocks ? block * evaluation->spacing : evaluation->entries;
    uint32_t here = place_from(evaluation, k, end);
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
    uint64_t *state = kept_state(evaluation, b);
    uint32_t *last_of = last_cycles(evaluation, state);
    uint32_t *done_of = done_counts(evaluation, state);
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
  /* Updates the checkpoints inside the changed window: from the trial or, where places were sorted,
   * anew in their new order. */
  size_t block = first / evaluation->spacing, last = (end - 1) / evaluation->spacing;
  size_t bytes = evaluation->state_words * sizeof *evaluation->now;
  if (!evaluation->canonical)
    memcpy(kept_state(evaluation, block + 1),
           evaluation->fresh + (block + 1) * evaluation->state_words, (last - block) * bytes);
  else if (block < last)
    memcpy(evaluation->now, kept_state(evaluation, block), bytes);
  for (; evaluation->canonical && block < last; block++) {
    replay(evaluation, block * evaluation->spacing, (block + 1) * evaluation->spacing);
    memcpy(kept_state(evaluation, block + 1), evaluation->now, bytes);
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
  memcpy(kept_state(evaluation, 0), evaluation->start,
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
    uint32_t here = place_from(evaluation, from, to);
    evaluation->trial_makespan =
        here > evaluation->trial_makespan ? here : evaluation->trial_makespan;
  }
  wb_annealing_evaluation_keep(evaluation);
}

#include "makespan/annealing/annealing_evaluation.h"

#include "base/checked.h"
#include "base/memory.h"
#include "makespan/machine/schedule.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define WORD_CYCLES 64
/* Places between two kept states: fewer cost time to write them, more to replay. */
#define LEAST_SPACING 32
/* More warps than these that changed names are not told apart: it would take too long. */
#define MOST_RENAMED 64

static uint32_t *last_cycles(const struct wb_annealing_evaluation *e, uint64_t *state)
{
  return (uint32_t *)(state + e->last_at);
}

static uint32_t *done_counts(const struct wb_annealing_evaluation *e, uint64_t *state)
{
  return last_cycles(e, state) + e->warps;
}

static uint64_t *kept_state(const struct wb_annealing_evaluation *e, size_t block)
{
  return e->kept + block * e->state_words;
}

static uint32_t track_limit(const struct wb_problem *problem, unsigned u)
{
  return u < WB_UNIT_COUNT ? problem->capacity[u] : problem->issue_slots;
}

/* Whether the track exists: u is a type, or WB_UNIT_COUNT for the issue slots. */
static bool is_tracked(const struct wb_problem *problem, unsigned u)
{
  return u < WB_UNIT_COUNT ? problem->string.count[u] > 0 : wb_problem_capped(problem);
}

/* The tracks' common number of planes: enough to count to the largest limit that can
 * bind. */
static void measure(struct wb_annealing_evaluation *e, const struct wb_problem *problem,
                    uint64_t horizon)
{
  e->warps = problem->warps;
  e->length = problem->string.length;
  e->entries = problem->warps * problem->string.length;
  e->capped = wb_problem_capped(problem);
  e->words = (size_t)(wb_minimum(horizon, e->entries) + 2) / WORD_CYCLES + 1;
  e->planes = 0;
  size_t tracks = 0;
  for (unsigned u = 0; u <= WB_UNIT_COUNT; u++) {
    if (!is_tracked(problem, u))
      continue;
    tracks++;
    uint32_t limit = track_limit(problem, u);
    while (limit < e->warps && UINT64_C(1) << e->planes < limit)
      e->planes++;
  }
  e->last_at = tracks * e->words * (e->planes + 1);
  e->state_words = e->last_at + e->warps; /* two halves each */
}

uint64_t wb_annealing_evaluation_bytes(const struct wb_problem *problem, uint64_t horizon)
{
  uint64_t entries;
  if (!wb_multiply(problem->warps, problem->string.length, &entries) || entries > WB_SCHEDULE_LIMIT)
    return UINT64_MAX;
  struct wb_annealing_evaluation e;
  measure(&e, problem, horizon);
  return entries * (5 * sizeof(uint32_t)) + e.words * WORD_CYCLES * sizeof(uint32_t) +
         4 * e.state_words * sizeof(uint64_t);
}

/* Lays out the tracks one behind the other, and writes the free machine into start. */
static void lay_tracks(struct wb_annealing_evaluation *e, const struct wb_problem *problem)
{
  size_t at = 0;
  size_t stride = e->planes + 1;
  for (unsigned u = 0; u <= WB_UNIT_COUNT; u++) {
    if (!is_tracked(problem, u))
      continue;
    uint32_t limit = track_limit(problem, u);
    bool limits = limit < e->warps;
    uint64_t first = limits ? (UINT64_C(1) << e->planes) - limit : 0;
    for (size_t word = 0; word < e->words; word++) {
      e->start[at + word * stride] = UINT64_MAX;
      for (unsigned p = 0; p < e->planes; p++)
        e->start[at + word * stride + 1 + p] = first >> p & 1 ? UINT64_MAX : 0;
    }
    *(u < WB_UNIT_COUNT ? &e->track[u] : &e->slots) =
        (struct wb_annealing_track){at, limits ? UINT64_MAX : 0};
    at += e->words * stride;
  }
  assert(at == e->last_at);
}

warpbound_status wb_annealing_evaluation_start(struct wb_annealing_evaluation *e,
                                               const struct wb_problem *problem, uint64_t horizon,
                                               bool canonical, uint64_t memory,
                                               warpbound_error *error)
{
  *e = (struct wb_annealing_evaluation){.canonical = canonical, .fair = problem->fair};
  measure(e, problem, horizon);
  uint64_t most_states = wb_maximum(memory / 4 / (e->state_words * sizeof(uint64_t)), 1);
  e->spacing = (size_t)wb_maximum(LEAST_SPACING, wb_divide_up(e->entries, most_states));
  e->blocks = (size_t)wb_divide_up(e->entries, e->spacing);
  e->bytes = wb_annealing_evaluation_bytes(problem, horizon) +
             2 * e->blocks * e->state_words * sizeof(uint64_t);
  e->types = wb_kernel_string_expand(&problem->string);
  e->start = wb_allocate(e->state_words, sizeof *e->start);
  e->now = wb_allocate(e->state_words, sizeof *e->now);
  e->kept = wb_allocate(e->blocks * e->state_words, sizeof *e->kept);
  e->fresh = wb_allocate(canonical ? 1 : e->blocks * e->state_words, sizeof *e->fresh);
  e->order = wb_allocate(e->entries, sizeof *e->order);
  e->cycle = wb_allocate(e->entries, sizeof *e->cycle);
  e->saved = wb_allocate(e->entries, sizeof *e->saved);
  e->trial = wb_allocate(e->entries, sizeof *e->trial);
  e->sorted = wb_allocate(e->entries, sizeof *e->sorted);
  e->bucket = wb_allocate(e->words * WORD_CYCLES, sizeof *e->bucket);
  e->left = wb_allocate(e->warps, sizeof *e->left);
  e->block_peak = wb_allocate(e->blocks + 1, sizeof *e->block_peak);
  e->peak = wb_allocate(e->blocks + 1, sizeof *e->peak);
  e->tail = wb_allocate(e->blocks + 1, sizeof *e->tail);
  e->renamed_from = wb_allocate(MOST_RENAMED, sizeof *e->renamed_from);
  e->renamed_to = wb_allocate(MOST_RENAMED, sizeof *e->renamed_to);
  if (e->types == NULL || e->start == NULL || e->now == NULL || e->kept == NULL ||
      e->fresh == NULL || e->order == NULL || e->cycle == NULL || e->saved == NULL ||
      e->trial == NULL || e->sorted == NULL || e->bucket == NULL || e->left == NULL ||
      e->block_peak == NULL || e->peak == NULL || e->tail == NULL || e->renamed_from == NULL ||
      e->renamed_to == NULL)
    return wb_out_of_memory(error);
  lay_tracks(e, problem);
  return WARPBOUND_OK;
}

void wb_annealing_evaluation_free(struct wb_annealing_evaluation *e)
{
  free(e->types);
  free(e->start);
  free(e->now);
  free(e->kept);
  free(e->fresh);
  free(e->order);
  free(e->cycle);
  free(e->saved);
  free(e->trial);
  free(e->sorted);
  free(e->bucket);
  free(e->left);
  free(e->block_peak);
  free(e->peak);
  free(e->tail);
  free(e->renamed_from);
  free(e->renamed_to);
  *e = (struct wb_annealing_evaluation){0};
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
static inline void replay_stretch(struct wb_annealing_evaluation *e, size_t from, size_t to,
                                  bool capped, unsigned planes)
{
  uint64_t *now = e->now;
  uint32_t *last = last_cycles(e, now);
  uint32_t *done = done_counts(e, now);
  for (size_t k = from; k < to; k++) {
    uint32_t warp = e->order[k];
    uint32_t cycle = e->cycle[k];
    size_t word = cycle / WORD_CYCLES * (planes + 1);
    uint64_t bit = UINT64_C(1) << (cycle % WORD_CYCLES);
    const struct wb_annealing_track *track = &e->track[e->types[done[warp]++]];
    occupy(now + track->at + word, bit, track->limits, planes);
    if (capped)
      occupy(now + e->slots.at + word, bit, e->slots.limits, planes);
    last[warp] = cycle;
  }
}

/* Places from .. to - 1 by the earliest-cycle rule: the first cycle after the warp's last
 * one that is free in its type's track and in that of the slots. Returns the largest. */
static inline uint32_t place_stretch(struct wb_annealing_evaluation *e, size_t from, size_t to,
                                     bool capped, unsigned planes)
{
  uint64_t *slots = e->now + e->slots.at;
  uint32_t *last = last_cycles(e, e->now);
  uint32_t *done = done_counts(e, e->now);
  uint32_t peak = 0;
  for (size_t k = from; k < to; k++) {
    uint32_t warp = e->order[k];
    const struct wb_annealing_track *track = &e->track[e->types[done[warp]++]];
    uint64_t *cycles = e->now + track->at;
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
      occupy(slots + word, bit, e->slots.limits, planes);
    cycle += (uint32_t)__builtin_ctzll(free);
    last[warp] = cycle;
    e->trial[k] = cycle;
    peak = cycle > peak ? cycle : peak;
  }
  return peak;
}

/* The two loops for the numbers of planes that are common, each of its own. */
static void replay(struct wb_annealing_evaluation *e, size_t from, size_t to)
{
  switch (e->planes * 2 + e->capped) {
  case 0:
    replay_stretch(e, from, to, false, 0);
    break;
  case 1:
    replay_stretch(e, from, to, true, 0);
    break;
  case 2:
    replay_stretch(e, from, to, false, 1);
    break;
  case 3:
    replay_stretch(e, from, to, true, 1);
    break;
  case 4:
    replay_stretch(e, from, to, false, 2);
    break;
  case 5:
    replay_stretch(e, from, to, true, 2);
    break;
  default:
    replay_stretch(e, from, to, e->capped, e->planes);
  }
}

static uint32_t place(struct wb_annealing_evaluation *e, size_t from, size_t to)
{
  switch (e->planes * 2 + e->capped) {
  case 0:
    return place_stretch(e, from, to, false, 0);
  case 1:
    return place_stretch(e, from, to, true, 0);
  case 2:
    return place_stretch(e, from, to, false, 1);
  case 3:
    return place_stretch(e, from, to, true, 1);
  case 4:
    return place_stretch(e, from, to, false, 2);
  case 5:
    return place_stretch(e, from, to, true, 2);
  default:
    return place_stretch(e, from, to, e->capped, e->planes);
  }
}

/* Pairs the warps whose state differs, new with old, so that each pair agrees. Those of
 * one name in both stay. false: there is no such pairing, or it is not looked for. */
static bool pair_warps(struct wb_annealing_evaluation *e, uint64_t *old)
{
  const uint32_t *old_last = last_cycles(e, old);
  const uint32_t *old_done = done_counts(e, old);
  const uint32_t *new_last = last_cycles(e, e->now);
  const uint32_t *new_done = done_counts(e, e->now);
  uint32_t count = 0;
  e->renamed = 0;
  for (uint32_t w = 0; w < e->warps; w++) {
    if (old_last[w] == new_last[w] && old_done[w] == new_done[w])
      continue;
    if (count == MOST_RENAMED)
      return false;
    e->renamed_from[count] = w;
    e->renamed_to[count++] = w;
  }
  for (uint32_t i = 0; i < count; i++) {
    uint32_t from = e->renamed_from[i];
    uint32_t j = i;
    while (j < count && (old_last[from] != new_last[e->renamed_to[j]] ||
                         old_done[from] != new_done[e->renamed_to[j]]))
      j++;
    if (j == count)
      return false;
    uint32_t to = e->renamed_to[j];
    e->renamed_to[j] = e->renamed_to[i];
    e->renamed_to[i] = to;
  }
  e->renamed = count;
  return true;
}

/* Whether the machine is as it was before the block, names of warps aside where the
 * string is canonical. */
static bool is_back(struct wb_annealing_evaluation *e, size_t block)
{
  uint64_t *old = kept_state(e, block);
  if (memcmp(e->now, old, e->last_at * sizeof *old) != 0)
    return false;
  size_t bytes = e->warps * 2 * sizeof(uint32_t);
  if (memcmp(e->now + e->last_at, old + e->last_at, bytes) == 0)
    return true;
  return e->canonical && pair_warps(e, old);
}

/* The state before place k, from the kept one before it. */
static void go_to(struct wb_annealing_evaluation *e, size_t k)
{
  size_t block = k / e->spacing;
  memcpy(e->now, kept_state(e, block), e->state_words * sizeof *e->now);
  replay(e, block * e->spacing, k);
}

static uint32_t largest(const uint32_t *cycle, size_t from, size_t to)
{
  uint32_t peak = 0;
  for (size_t k = from; k < to; k++)
    peak = cycle[k] > peak ? cycle[k] : peak;
  return peak;
}

/* Narrows the change to the places that differ; false where none does. */
static bool narrow(struct wb_annealing_evaluation *e)
{
  size_t begin = e->first;
  while (e->first <= e->last && e->order[e->first] == e->saved[e->first - begin])
    e->first++;
  if (e->first > e->last)
    return false;
  while (e->order[e->last] == e->saved[e->last - begin])
    e->last--;
  memmove(e->saved, e->saved + (e->first - begin), (e->last - e->first + 1) * sizeof *e->saved);
  return true;
}

uint32_t wb_annealing_evaluation_try(struct wb_annealing_evaluation *e, bool *changed)
{
  *changed = narrow(e);
  if (!*changed)
    return e->makespan;
  size_t block = e->first / e->spacing;
  go_to(e, e->first);
  uint32_t peak = largest(e->cycle, block * e->spacing, e->first);
  peak = e->peak[block] > peak ? e->peak[block] : peak;
  e->renamed = 0;
  for (size_t k = e->first;;) {
    block++;
    size_t end = block < e->blocks ? block * e->spacing : e->entries;
    uint32_t here = place(e, k, end);
    peak = here > peak ? here : peak;
    k = end;
    if (k == e->entries || (k > e->last && is_back(e, block)))
      break;
    if (!e->canonical)
      memcpy(e->fresh + block * e->state_words, e->now, e->state_words * sizeof *e->now);
  }
  e->end = block < e->blocks ? block * e->spacing : e->entries;
  e->trial_makespan = peak > e->tail[block] ? peak : e->tail[block];
  return e->trial_makespan;
}

void wb_annealing_evaluation_open(struct wb_annealing_evaluation *e, size_t first, size_t last)
{
  assert(first <= last && last < e->entries);
  e->first = first;
  e->last = last;
  memcpy(e->saved, e->order + first, (last - first + 1) * sizeof *e->saved);
}

void wb_annealing_evaluation_drop(struct wb_annealing_evaluation *e)
{
  memcpy(e->order + e->first, e->saved, (e->last - e->first + 1) * sizeof *e->saved);
}

/* Sorts the places from .. to - 1 by cycle, equal ones in their order. The cycles of
 * places before are not larger, nor those behind smaller (doc/makespan.md). */
static void sort_by_cycle(struct wb_annealing_evaluation *e, size_t from, size_t to)
{
  uint32_t least = e->cycle[from];
  uint32_t most = e->cycle[from];
  for (size_t k = from; k < to; k++) {
    least = e->cycle[k] < least ? e->cycle[k] : least;
    most = e->cycle[k] > most ? e->cycle[k] : most;
  }
  uint32_t *bucket = e->bucket;
  memset(bucket, 0, (most - least + 1) * sizeof *bucket);
  for (size_t k = from; k < to; k++)
    bucket[e->cycle[k] - least]++;
  uint32_t before = 0;
  for (uint32_t c = 0; c <= most - least; c++) {
    uint32_t here = bucket[c];
    bucket[c] = before;
    before += here;
  }
  for (size_t k = from; k < to; k++)
    e->sorted[bucket[e->cycle[k] - least]++] = e->order[k];
  memcpy(e->order + from, e->sorted, (to - from) * sizeof *e->order);
  size_t k = from;
  for (uint32_t c = 0; c <= most - least; c++) {
    for (; k < from + bucket[c]; k++)
      e->cycle[k] = c + least;
  }
}

void wb_annealing_stretch(const struct wb_annealing_evaluation *e, size_t place, size_t *from,
                          size_t *to)
{
  *from = 0;
  *to = e->entries;
  if (e->fair.count == 0)
    return;
  wb_fair_stretch(&e->fair, e->length, place / e->warps, from, to);
  *from *= e->warps;
  *to *= e->warps;
}

/* The same within each stretch of one repetition. */
static void sort_stretches(struct wb_annealing_evaluation *e, size_t from, size_t to)
{
  size_t begin, end;
  for (size_t at = from; at < to; at = end) {
    wb_annealing_stretch(e, at, &begin, &end);
    sort_by_cycle(e, at, (size_t)wb_minimum(end, to));
  }
}

/* Gives the warps of a kept state their new names. */
static void rename_state(const struct wb_annealing_evaluation *e, uint64_t *state)
{
  uint32_t last[MOST_RENAMED];
  uint32_t done[MOST_RENAMED];
  uint32_t *last_of = last_cycles(e, state);
  uint32_t *done_of = done_counts(e, state);
  for (uint32_t i = 0; i < e->renamed; i++) {
    last[i] = last_of[e->renamed_from[i]];
    done[i] = done_of[e->renamed_from[i]];
  }
  for (uint32_t i = 0; i < e->renamed; i++) {
    last_of[e->renamed_to[i]] = last[i];
    done_of[e->renamed_to[i]] = done[i];
  }
}

/* Gives the warps of the places from `end` on, and of the states kept there, their new
 * names. */
static void rename_rest(struct wb_annealing_evaluation *e)
{
  if (e->renamed == 0)
    return;
  uint32_t *name = e->left;
  for (uint32_t w = 0; w < e->warps; w++)
    name[w] = w;
  for (uint32_t i = 0; i < e->renamed; i++)
    name[e->renamed_from[i]] = e->renamed_to[i];
  for (size_t k = e->end; k < e->entries; k++)
    e->order[k] = name[e->order[k]];
  for (size_t b = e->end / e->spacing; b < e->blocks; b++)
    rename_state(e, kept_state(e, b));
}

/* The kept states of the blocks that begin after place `first` and before `end`: those
 * met in the trial, or, where the places were sorted, those of their new order. */
static void keep_states(struct wb_annealing_evaluation *e, size_t first, size_t end)
{
  size_t block = first / e->spacing;
  size_t last = (end - 1) / e->spacing;
  size_t bytes = e->state_words * sizeof *e->now;
  if (!e->canonical) {
    memcpy(kept_state(e, block + 1), e->fresh + (block + 1) * e->state_words,
           (last - block) * bytes);
    return;
  }
  if (block < last)
    memcpy(e->now, kept_state(e, block), bytes);
  for (; block < last; block++) {
    replay(e, block * e->spacing, (block + 1) * e->spacing);
    memcpy(kept_state(e, block + 1), e->now, bytes);
  }
}

/* The largest cycles of the blocks that hold places from `first` to end - 1, and of what
 * stands before and behind each. */
static void keep_peaks(struct wb_annealing_evaluation *e, size_t first, size_t end)
{
  for (size_t b = first / e->spacing; b * e->spacing < end; b++)
    e->block_peak[b] =
        largest(e->cycle, b * e->spacing, (size_t)wb_minimum((b + 1) * e->spacing, e->entries));
  for (size_t b = 0; b < e->blocks; b++)
    e->peak[b + 1] = e->peak[b] > e->block_peak[b] ? e->peak[b] : e->block_peak[b];
  for (size_t b = e->blocks; b-- > 0;)
    e->tail[b] = e->tail[b + 1] > e->block_peak[b] ? e->tail[b + 1] : e->block_peak[b];
}

void wb_annealing_evaluation_keep(struct wb_annealing_evaluation *e)
{
  memcpy(e->cycle + e->first, e->trial + e->first, (e->end - e->first) * sizeof *e->cycle);
  if (e->canonical) {
    sort_stretches(e, e->first, e->end);
    rename_rest(e);
  }
  keep_states(e, e->first, e->end);
  keep_peaks(e, e->first, e->end);
  e->makespan = e->trial_makespan;
}

void wb_annealing_evaluation_set(struct wb_annealing_evaluation *e, const uint32_t *order)
{
  memcpy(e->order, order, e->entries * sizeof *e->order);
  memcpy(e->now, e->start, e->state_words * sizeof *e->now);
  memcpy(kept_state(e, 0), e->start, e->state_words * sizeof *e->now);
  e->first = 0;
  e->end = e->entries;
  e->renamed = 0;
  e->trial_makespan = 0;
  for (size_t b = 0; b < e->blocks; b++) {
    size_t from = b * e->spacing;
    size_t to = (size_t)wb_minimum(from + e->spacing, e->entries);
    if (!e->canonical)
      memcpy(e->fresh + b * e->state_words, e->now, e->state_words * sizeof *e->now);
    uint32_t here = place(e, from, to);
    e->trial_makespan = here > e->trial_makespan ? here : e->trial_makespan;
  }
  wb_annealing_evaluation_keep(e);
}

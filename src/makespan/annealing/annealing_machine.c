#include "makespan/annealing/annealing_machine.h"

#include "base/checked.h"
#include "makespan/machine/schedule.h"

#include <assert.h>
#include <stdlib.h>

#define WORD_CYCLES 64
/* Places between two kept states: fewer cost time to write them, more to replay. */
#define LEAST_SPACING 32
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
    if (!is_tracked(problem, u))
      continue;
    tracks++;
    uint32_t limit = track_limit(problem, u);
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

/* Lays out the tracks one after the other, and writes the free machine into start. */
static void lay_tracks(struct wb_annealing_evaluation *evaluation, const struct wb_problem *problem)
{
  size_t at = 0;
  size_t stride = evaluation->planes + 1;
  for (unsigned u = 0; u <= WB_UNIT_COUNT; u++) {
    if (!is_tracked(problem, u))
      continue;
    uint32_t limit = track_limit(problem, u);
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
  lay_tracks(evaluation, problem);
  return WARPBOUND_OK;
}

void wb_annealing_evaluation_free(struct wb_annealing_evaluation *evaluation)
{
  free(evaluation->types);
  wb_arena_free(&evaluation->arena);
  *evaluation = (struct wb_annealing_evaluation){0};
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
  uint32_t *last = wb_annealing_last_cycles(evaluation, now);
  uint32_t *done = wb_annealing_done_counts(evaluation, now);
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
  uint32_t *last = wb_annealing_last_cycles(evaluation, evaluation->now);
  uint32_t *done = wb_annealing_done_counts(evaluation, evaluation->now);
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

/* Each loop has a copy of its own for the numbers of planes that are common. */
void wb_annealing_replay(struct wb_annealing_evaluation *evaluation, size_t from, size_t to)
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

uint32_t wb_annealing_place(struct wb_annealing_evaluation *evaluation, size_t from, size_t to)
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

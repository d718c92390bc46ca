#include "makespan/beam/beam_candidates.h"

#include "base/arena.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* ---- the candidates ---- */

/* Candidates that are gathered for each one kept, before they are cut down. */
#define GATHERED 4

uint64_t wb_beam_candidates_bytes(size_t width)
{
  size_t capacity = GATHERED * width + 64;
  return capacity * (uint64_t)sizeof(struct wb_candidate) + wb_hash_table_need(capacity);
}

bool wb_beam_candidates_start(struct wb_beam_candidates *candidates, size_t width)
{
  size_t capacity = GATHERED * width + 64;
  *candidates = (struct wb_beam_candidates){.width = width, .capacity = capacity};
  candidates->list = wb_allocate(capacity, sizeof *candidates->list);
  if (candidates->list == NULL || !wb_hash_table_reserve(&candidates->table, capacity))
    return false;
  wb_beam_candidates_empty(candidates);
  return true;
}

void wb_beam_candidates_free(struct wb_beam_candidates *candidates)
{
  free(candidates->list);
  wb_hash_table_free(&candidates->table);
  free(candidates->words);
  free(candidates->spare);
  *candidates = (struct wb_beam_candidates){0};
}

void wb_beam_candidates_empty(struct wb_beam_candidates *candidates)
{
  candidates->count = 0;
  candidates->word_count = 0;
  candidates->threshold = INT64_MIN;
  wb_hash_table_clear(&candidates->table);
}

static bool same_hash(const void *list, uint32_t index, const void *hash)
{
  return ((const struct wb_candidate *)list)[index].hash == *(const uint64_t *)hash;
}

/* The slot of a hash, whose lowest bits are no good. */
static uint32_t *slot_of(const struct wb_beam_candidates *candidates, uint64_t hash)
{
  return wb_hash_table_slot(&candidates->table, hash >> 20, same_hash, candidates->list, &hash);
}

bool wb_beam_candidates_are_valid(const struct wb_beam_candidates *candidates)
{
  if (candidates->count > candidates->capacity ||
      !wb_hash_table_is_valid(&candidates->table, candidates->count))
    return false;
  for (size_t i = 0; i < candidates->count; i++) {
    const struct wb_candidate *candidate = &candidates->list[i];
    if (*slot_of(candidates, candidate->hash) != i + 1 ||
        candidate->words > candidates->word_count ||
        candidate->word_count > candidates->word_count - candidate->words)
      return false;
  }
  return true;
}

bool wb_beam_candidates_wants(struct wb_beam_candidates *candidates, int64_t value, uint64_t hash)
{
  if (value <= candidates->threshold) {
    candidates->dropped = true;
    return false;
  }
  return *slot_of(candidates, hash) == 0;
}

uint32_t *wb_beam_candidates_add(struct wb_beam_candidates *candidates,
                                 const struct wb_candidate *candidate)
{
  if (candidates->count == candidates->capacity && !wb_beam_candidates_narrow(candidates))
    return NULL;
  bool fits = candidates->word_count <= UINT32_MAX - candidate->word_count &&
              wb_grow(candidates->words, &candidates->word_capacity,
                      candidates->word_count + candidate->word_count);
  if (!fits)
    return NULL;
  struct wb_candidate *added = &candidates->list[candidates->count];
  *added = *candidate;
  added->words = (uint32_t)candidates->word_count;
  *slot_of(candidates, candidate->hash) = (uint32_t)++candidates->count;
  candidates->word_count += candidate->word_count;
  return candidates->words + added->words;
}

static void exchange(struct wb_candidate *a, struct wb_candidate *b)
{
  struct wb_candidate kept = *a;
  *a = *b;
  *b = kept;
}

bool wb_beam_candidates_narrow(struct wb_beam_candidates *candidates)
{
  if (candidates->count <= candidates->width)
    return true;
  candidates->dropped = true;
  /* Brings the `width` first of the list to its front (Hoare's selection). */
  struct wb_candidate *list = candidates->list;
  for (size_t low = 0, high = candidates->count; high - low > 1;) {
    exchange(&list[low], &list[low + (high - low) / 2]);
    size_t end = low;
    for (size_t i = low + 1; i < high; i++) {
      /* Whether i is to be kept rather than low; hashes are distinct, so one of two is. */
      if (list[i].value != list[low].value ? list[i].value > list[low].value
                                           : list[i].hash < list[low].hash)
        exchange(&list[++end], &list[i]);
    }
    exchange(&list[low], &list[end]);
    if (end == candidates->width)
      break;
    if (end < candidates->width)
      low = end + 1;
    else
      high = end;
  }
  candidates->count = candidates->width;
  wb_hash_table_clear(&candidates->table);
  int64_t least = INT64_MAX;
  for (size_t i = 0; i < candidates->count; i++) {
    least = candidates->list[i].value < least ? candidates->list[i].value : least;
    *slot_of(candidates, candidates->list[i].hash) = (uint32_t)i + 1;
  }
  /* One of the threshold's own value can still displace another by its hash. */
  candidates->threshold = least - 1;
  /* Copies the words of the candidates kept to a fresh array, in their order. */
  if (!wb_grow(candidates->spare, &candidates->spare_capacity, candidates->word_capacity))
    return false;
  size_t kept = 0;
  for (size_t i = 0; i < candidates->count; i++) {
    struct wb_candidate *candidate = &candidates->list[i];
    if (candidate->word_count > 0)
      memcpy(candidates->spare + kept, candidates->words + candidate->words,
             candidate->word_count * sizeof *candidates->words);
    candidate->words = (uint32_t)kept;
    kept += candidate->word_count;
  }
  uint32_t *words = candidates->words;
  size_t capacity = candidates->word_capacity;
  candidates->words = candidates->spare;
  candidates->word_capacity = candidates->spare_capacity;
  candidates->spare = words;
  candidates->spare_capacity = capacity;
  candidates->word_count = kept;
  assert(wb_beam_candidates_are_valid(candidates));
  return true;
}

/* ---- the history ---- */

uint32_t wb_beam_history_add(struct wb_beam_history *history, uint32_t parent,
                             const uint32_t *words, size_t word_count)
{
  bool fits = history->count < WB_NO_NODE && history->word_count <= UINT32_MAX - word_count &&
              wb_grow(history->nodes, &history->capacity, history->count + 1) &&
              wb_grow(history->words, &history->word_capacity, history->word_count + word_count);
  if (!fits)
    return WB_NO_NODE;
  history->nodes[history->count] = (struct wb_history_node){parent, (uint32_t)history->word_count};
  if (word_count > 0)
    memcpy(history->words + history->word_count, words, word_count * sizeof *words);
  history->word_count += word_count;
  return (uint32_t)history->count++;
}

static size_t words_end(const struct wb_beam_history *history, size_t node)
{
  return node + 1 < history->count ? history->nodes[node + 1].words : history->word_count;
}

bool wb_beam_history_collect(struct wb_beam_history *history, uint32_t *live, size_t count)
{
  uint32_t *place = wb_allocate(history->count, sizeof *place);
  if (place == NULL)
    return false;
  /* place[i]: 1 where node i leads to a living one, else 0; then its new place. */
  for (size_t i = 0; i < count; i++)
    place[live[i]] = 1;
  for (size_t i = history->count; i-- > 0;) {
    if (place[i] != 0 && history->nodes[i].parent != WB_NO_NODE)
      place[history->nodes[i].parent] = 1;
  }
  size_t kept = 0, words = 0;
  for (size_t i = 0; i < history->count; i++) {
    if (place[i] == 0)
      continue;
    struct wb_history_node node = history->nodes[i];
    size_t node_words = words_end(history, i) - node.words;
    memmove(history->words + words, history->words + node.words,
            node_words * sizeof *history->words);
    if (node.parent != WB_NO_NODE)
      node.parent = place[node.parent];
    history->nodes[kept] = (struct wb_history_node){node.parent, (uint32_t)words};
    words += node_words;
    place[i] = (uint32_t)kept++;
  }
  history->count = kept;
  history->word_count = words;
  for (size_t i = 0; i < count; i++)
    live[i] = place[live[i]];
  free(place);
  return true;
}

warpbound_status wb_beam_history_schedule(const struct wb_beam_history *history, uint32_t node,
                                          const struct wb_problem *problem,
                                          struct wb_schedule *schedule, warpbound_error *error)
{
  const size_t length = problem->string.length;
  uint32_t cycles = 0;
  for (uint32_t n = node; history->nodes[n].parent != WB_NO_NODE; n = history->nodes[n].parent)
    cycles++;
  warpbound_status status = wb_schedule_start(schedule, problem->warps, length, error);
  struct wb_arena arena = {0};
  uint32_t *path = wb_arena_array(&arena, uint32_t, cycles);
  /* The warps waiting at each position, as stacks: top[p], and below[w]; WB_NO_NODE ends them. */
  uint32_t *top = wb_arena_array(&arena, uint32_t, length + 1);
  uint32_t *below = wb_arena_array(&arena, uint32_t, problem->warps);
  if (status == WARPBOUND_OK && arena.failed)
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK) {
    for (uint32_t i = cycles; i-- > 0; node = history->nodes[node].parent)
      path[i] = node;
    for (size_t p = 0; p <= length; p++)
      top[p] = WB_NO_NODE;
    for (uint32_t w = problem->warps; w-- > 0; top[0] = w)
      below[w] = top[0];
    for (uint32_t cycle = 1; cycle <= cycles; cycle++) {
      /* All words of a cycle take from stacks as they were before it: words stand in descending
       * order of positions. */
      const uint32_t at = path[cycle - 1];
      for (size_t i = history->nodes[at].words; i < words_end(history, at); i++) {
        size_t position = wb_move_position(history->words[i]);
        for (uint32_t k = wb_move_warps(history->words[i]); k > 0; k--) {
          uint32_t warp = top[position];
          top[position] = below[warp];
          below[warp] = top[position + 1];
          top[position + 1] = warp;
          schedule->issue_cycle[warp * length + position] = cycle;
        }
      }
    }
    schedule->makespan = cycles;
  } else {
    wb_schedule_free(schedule);
  }
  wb_arena_free(&arena);
  return status;
}

void wb_beam_history_free(struct wb_beam_history *history)
{
  free(history->nodes);
  free(history->words);
  *history = (struct wb_beam_history){0};
}

#include "makespan/beam/beam_history.h"

#include "base/arena.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

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

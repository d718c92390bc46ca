#include "makespan/beam/beam_history.h"

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

/* Moves the marked nodes together; place[i] becomes the new place of node i. */
static void compact(struct wb_beam_history *history, uint32_t *place)
{
  size_t kept = 0, words = 0;
  for (size_t i = 0; i < history->count; i++) {
    if (place[i] == 0)
      continue;
    struct wb_history_node node = history->nodes[i];
    size_t count = words_end(history, i) - node.words;
    memmove(history->words + words, history->words + node.words, count * sizeof *history->words);
    if (node.parent != WB_NO_NODE)
      node.parent = place[node.parent];
    history->nodes[kept] = (struct wb_history_node){node.parent, (uint32_t)words};
    words += count;
    place[i] = (uint32_t)kept++;
  }
  history->count = kept;
  history->word_count = words;
}

bool wb_beam_history_collect(struct wb_beam_history *history, uint32_t *live, size_t count)
{
  uint32_t *place = wb_allocate(history->count, sizeof *place);
  if (place == NULL)
    return false;
  /* place[i]: 1 where node i leads to a living one, else 0. */
  for (size_t i = 0; i < count; i++)
    place[live[i]] = 1;
  for (size_t i = history->count; i-- > 0;) {
    if (place[i] != 0 && history->nodes[i].parent != WB_NO_NODE)
      place[history->nodes[i].parent] = 1;
  }
  compact(history, place);
  for (size_t i = 0; i < count; i++)
    live[i] = place[live[i]];
  free(place);
  return true;
}

uint64_t wb_beam_history_bytes(const struct wb_beam_history *history)
{
  return history->capacity * sizeof *history->nodes +
         history->word_capacity * sizeof *history->words;
}

/* Warps waiting at each position, as stacks: top[p], and below[w] under warp w; WB_NO_NODE
 * ends them. */
struct stacks {
  uint32_t *top;
  uint32_t *below;
};

static bool start_stacks(struct stacks *stacks, uint32_t warps, size_t length)
{
  stacks->top = wb_allocate(length + 1, sizeof *stacks->top);
  stacks->below = wb_allocate(warps, sizeof *stacks->below);
  if (stacks->top == NULL || stacks->below == NULL)
    return false;
  for (size_t p = 0; p <= length; p++)
    stacks->top[p] = WB_NO_NODE;
  for (uint32_t w = warps; w-- > 0; stacks->top[0] = w)
    stacks->below[w] = stacks->top[0];
  return true;
}

/* Lets the warps of one word issue. All words of a cycle take from stacks as they were
 * before it: words stand in descending order of positions. */
static void issue_word(struct stacks *stacks, uint32_t word, struct wb_schedule *schedule,
                       uint32_t cycle)
{
  size_t position = wb_move_position(word);
  for (uint32_t k = wb_move_warps(word); k > 0; k--) {
    uint32_t warp = stacks->top[position];
    stacks->top[position] = stacks->below[warp];
    stacks->below[warp] = stacks->top[position + 1];
    stacks->top[position + 1] = warp;
    schedule->issue_cycle[warp * schedule->length + position] = cycle;
  }
}

static void replay(const struct wb_beam_history *history, const uint32_t *path, uint32_t cycles,
                   struct stacks *stacks, struct wb_schedule *schedule)
{
  for (uint32_t cycle = 1; cycle <= cycles; cycle++) {
    uint32_t node = path[cycle - 1];
    for (size_t i = history->nodes[node].words; i < words_end(history, node); i++)
      issue_word(stacks, history->words[i], schedule, cycle);
  }
  schedule->makespan = cycles;
}

warpbound_status wb_beam_history_schedule(const struct wb_beam_history *history, uint32_t node,
                                          const struct wb_problem *problem,
                                          struct wb_schedule *schedule, warpbound_error *error)
{
  uint32_t cycles = 0;
  for (uint32_t n = node; history->nodes[n].parent != WB_NO_NODE; n = history->nodes[n].parent)
    cycles++;
  warpbound_status status =
      wb_schedule_start(schedule, problem->warps, problem->string.length, error);
  uint32_t *path = wb_allocate(cycles, sizeof *path);
  struct stacks stacks = {0};
  if (status == WARPBOUND_OK &&
      (!start_stacks(&stacks, problem->warps, problem->string.length) || path == NULL))
    status = wb_out_of_memory(error);
  if (status == WARPBOUND_OK) {
    for (uint32_t i = cycles; i-- > 0; node = history->nodes[node].parent)
      path[i] = node;
    replay(history, path, cycles, &stacks, schedule);
  } else {
    wb_schedule_free(schedule);
  }
  free(path);
  free(stacks.top);
  free(stacks.below);
  return status;
}

void wb_beam_history_free(struct wb_beam_history *history)
{
  free(history->nodes);
  free(history->words);
  *history = (struct wb_beam_history){0};
}

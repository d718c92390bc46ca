#include "plain_annealing.h"

#include "base/memory.h"
#include "makespan/annealing/annealing_runs.h"

#include <stdlib.h>
#include <string.h>

/* used[u * cycles + c]: instructions of type u in cycle c; issued[c]: of all. before[k]:
 * the last cycle of the place's warp before the place. */
struct plain {
  const struct wb_problem *problem;
  uint8_t *types;
  size_t entries;
  size_t cycles;
  uint32_t *used;
  uint32_t *issued;
  uint32_t *done;
  uint32_t *last;
  uint32_t *order;
  uint32_t *cycle;
  uint32_t *before;
};

static bool start(struct plain *p, const struct wb_problem *problem, const uint32_t *initial)
{
  *p = (struct plain){.problem = problem,
                      .entries = problem->warps * problem->string.length,
                      .types = wb_kernel_string_expand(&problem->string)};
  p->cycles = p->entries + 2;
  p->used = wb_allocate(WB_UNIT_COUNT * p->cycles, sizeof *p->used);
  p->issued = wb_allocate(p->cycles, sizeof *p->issued);
  p->done = wb_allocate(problem->warps, sizeof *p->done);
  p->last = wb_allocate(problem->warps, sizeof *p->last);
  p->order = wb_allocate(p->entries, sizeof *p->order);
  p->cycle = wb_allocate(p->entries, sizeof *p->cycle);
  p->before = wb_allocate(p->entries, sizeof *p->before);
  bool started = p->types != NULL && p->used != NULL && p->issued != NULL && p->done != NULL &&
                 p->last != NULL && p->order != NULL && p->cycle != NULL && p->before != NULL;
  if (started)
    memcpy(p->order, initial, p->entries * sizeof *p->order);
  return started;
}

static void finish(struct plain *p)
{
  free(p->types);
  free(p->used);
  free(p->issued);
  free(p->done);
  free(p->last);
  free(p->order);
  free(p->cycle);
  free(p->before);
}

static void place(struct plain *p, size_t k)
{
  uint32_t warp = p->order[k];
  unsigned type = p->types[p->done[warp]++];
  uint32_t *used = p->used + type * p->cycles;
  uint32_t cycle = p->last[warp] + 1;
  while (used[cycle] == p->problem->capacity[type] || p->issued[cycle] == p->problem->issue_slots)
    cycle++;
  used[cycle]++;
  p->issued[cycle]++;
  p->before[k] = p->last[warp];
  p->last[warp] = cycle;
  p->cycle[k] = cycle;
}

static void take_back(struct plain *p, size_t k)
{
  uint32_t warp = p->order[k];
  p->used[p->types[--p->done[warp]] * p->cycles + p->cycle[k]]--;
  p->issued[p->cycle[k]]--;
  p->last[warp] = p->before[k];
}

/* Nothing is placed. */
static void clear(struct plain *p)
{
  memset(p->used, 0, WB_UNIT_COUNT * p->cycles * sizeof *p->used);
  memset(p->issued, 0, p->cycles * sizeof *p->issued);
  memset(p->done, 0, p->problem->warps * sizeof *p->done);
  memset(p->last, 0, p->problem->warps * sizeof *p->last);
}

/* Places from `first` on what is not placed, and returns the makespan. */
static uint32_t evaluate(struct plain *p, size_t first)
{
  uint32_t makespan = 0;
  for (size_t k = first; k < p->entries; k++)
    place(p, k);
  for (size_t k = 0; k < p->entries; k++)
    makespan = p->cycle[k] > makespan ? p->cycle[k] : makespan;
  return makespan;
}

/* Swaps two places, and evaluates again what the method has to. */
static uint32_t swapped(struct plain *p, size_t first, size_t last, bool suffix)
{
  if (suffix) {
    for (size_t k = p->entries; k-- > first;)
      take_back(p, k);
  } else {
    clear(p);
  }
  uint32_t warp = p->order[first];
  p->order[first] = p->order[last];
  p->order[last] = warp;
  return evaluate(p, suffix ? first : 0);
}

uint64_t plain_annealing(const struct wb_problem *problem, const uint32_t *initial,
                         uint64_t iterations, double temperature, uint64_t seed, bool suffix)
{
  struct plain p;
  struct wb_random random = {seed};
  uint64_t best = 0;
  if (start(&p, problem, initial)) {
    uint32_t makespan = evaluate(&p, 0);
    best = makespan;
    for (uint64_t i = 0; i < iterations; i++) {
      size_t a = (size_t)wb_annealing_below(&random, p.entries);
      size_t b = (size_t)wb_annealing_below(&random, p.entries);
      if (p.order[a] == p.order[b])
        continue;
      size_t first = a < b ? a : b;
      size_t last = a < b ? b : a;
      double t = temperature * (1 - (double)i / (double)iterations);
      uint32_t now = swapped(&p, first, last, suffix);
      bool taken = now >= makespan ||
                   (double)(wb_random_next(&random) >> 11) * 0x1p-53 * (makespan - now) < t;
      if (taken)
        makespan = now;
      else
        swapped(&p, first, last, suffix);
      best = makespan > best ? makespan : best;
    }
  }
  finish(&p);
  return best;
}

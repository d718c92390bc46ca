#include "bound_watch.h"

#include "base/memory.h"
#include "unit.h"

#include <inttypes.h>

void bound_watch_start(struct bound_watch *watch, const struct bounded_function *bounded)
{
  const struct wb_warp_graph *graph = bounded->graph;
  const struct wb_loop_forest *forest = &bounded->forest;
  *watch = (struct bound_watch){
      .bounded = bounded, .worst = SIZE_MAX, .early = SIZE_MAX, .beyond = SIZE_MAX};
  watch->counts = wb_allocate(forest->loop_count, sizeof *watch->counts);
  watch->greatest = wb_allocate(forest->loop_count, sizeof *watch->greatest);
  watch->fewest = wb_allocate(forest->loop_count, sizeof *watch->fewest);
  watch->sums = wb_allocate(forest->loop_count, sizeof *watch->sums);
  watch->largest = wb_allocate(forest->loop_count, sizeof *watch->largest);
  watch->is_back = wb_allocate(forest->loop_count * graph->edge_count, sizeof *watch->is_back);
  watch->inside = wb_allocate(forest->loop_count * graph->block_count, sizeof *watch->inside);
  assert_true(watch->sums != NULL && watch->largest != NULL);
  assert_true(watch->counts != NULL && watch->greatest != NULL && watch->fewest != NULL &&
              watch->is_back != NULL && watch->inside != NULL);
  for (size_t l = 0; l < forest->loop_count; l++) {
    const struct wb_loop *loop = &forest->loops[l];
    watch->fewest[l] = UINT64_MAX;
    for (size_t i = 0; i < loop->back_edge_count; i++)
      watch->is_back[l * graph->edge_count + forest->back_edges[loop->first_back_edge + i]] = true;
    for (size_t i = 0; i < loop->node_count; i++)
      watch->inside[l * graph->block_count + forest->nodes[loop->first_node + i]] = true;
  }
}

/* The thread has left the loop, or ended in it. */
static void note_end(struct bound_watch *watch, size_t loop)
{
  if (watch->counts[loop] < watch->fewest[loop])
    watch->fewest[loop] = watch->counts[loop];
  if (watch->counts[loop] < watch->bounded->found[loop].least)
    watch->early = loop;
}

static void visit(void *context, size_t edge)
{
  struct bound_watch *watch = context;
  const struct bounded_function *bounded = watch->bounded;
  const struct wb_warp_edge *taken = &bounded->graph->edges[edge];
  watch->taken++;
  watch->at = taken->to;
  for (size_t l = 0; l < bounded->forest.loop_count; l++) {
    const bool *inside = &watch->inside[l * bounded->graph->block_count];
    if (inside[taken->from] && !inside[taken->to])
      note_end(watch, l);
    const uint32_t around = bounded->forest.loops[l].parent;
    if (!inside[taken->from])
      watch->counts[l] = 0;
    if (around != UINT32_MAX && !watch->inside[around * bounded->graph->block_count + taken->from])
      watch->sums[l] = 0;
    if (!watch->is_back[l * bounded->graph->edge_count + edge])
      continue;
    watch->counts[l]++;
    if (++watch->sums[l] > watch->largest[l])
      watch->largest[l] = watch->sums[l];
    if (bounded->found[l].summed && watch->sums[l] > bounded->found[l].sum)
      watch->beyond = l;
    if (watch->counts[l] > watch->greatest[l])
      watch->greatest[l] = watch->counts[l];
    if (bounded->found[l].found && watch->counts[l] > bounded->found[l].bound)
      watch->worst = l;
  }
}

void bound_watch_run(struct bound_watch *watch, const struct thread_launch *launch, uint64_t seed,
                     uint64_t most, const char *what)
{
  const struct bounded_function *bounded = watch->bounded;
  struct wb_random random = {seed};
  for (size_t l = 0; l < bounded->forest.loop_count; l++)
    watch->counts[l] = watch->sums[l] = 0;
  watch->taken = 0;
  watch->at = bounded->graph->entry_block;
  const size_t count = bounded->function->instruction_count;
  const char *wrong = thread_run(bounded->graph, launch, &random, most, visit, watch);
  bool left = false; /* a run that goes a way that is cut ends nowhere */
  for (size_t i = 0; i < count && launch->left != NULL; i++)
    left |= launch->left[i];
  if (wrong != NULL)
    fail_msg("%s: %s: %s", what, bounded->function->name, wrong);
  for (size_t l = 0; l < bounded->forest.loop_count && watch->taken < most && !left; l++) {
    if (watch->inside[l * bounded->graph->block_count + watch->at])
      note_end(watch, l);
  }
  if (watch->early != SIZE_MAX)
    fail_msg("%s: %s: the loop at 0x%04" PRIx32 " is left after %" PRIu64
             " back edges; found: at least %" PRIu64,
             what, bounded->function->name, bounded_header(bounded, watch->early)->address,
             watch->fewest[watch->early], bounded->found[watch->early].least);
  if (watch->worst != SIZE_MAX)
    fail_msg("%s: %s: the loop at 0x%04" PRIx32 " is gone round %" PRIu64 " times; found: %s", what,
             bounded->function->name, bounded_header(bounded, watch->worst)->address,
             watch->greatest[watch->worst], bounded->found[watch->worst].reason);
  if (watch->beyond != SIZE_MAX)
    fail_msg("%s: %s: the loop at 0x%04" PRIx32 " is gone round %" PRIu64
             " times for one entry of the loop around; found: %s",
             what, bounded->function->name, bounded_header(bounded, watch->beyond)->address,
             watch->largest[watch->beyond], bounded->found[watch->beyond].reason);
}

void bound_watch_free(struct bound_watch *watch)
{
  free(watch->counts);
  free(watch->greatest);
  free(watch->fewest);
  free(watch->sums);
  free(watch->largest);
  free(watch->is_back);
  free(watch->inside);
}

/* A size from 1 to `most`, often small. */
static uint32_t random_size(struct wb_random *random, uint32_t most)
{
  const uint64_t range = wb_random_below(random, 2) == 0 && most > 8 ? 8 : most;
  return 1 + (uint32_t)wb_random_below(random, range);
}

struct thread_launch random_launch(struct wb_random *random)
{
  struct thread_launch launch = {.block = {random_size(random, 1024), 1, 1},
                                 .grid = {random_size(random, 70000), random_size(random, 4), 1}};
  for (size_t p = 0; p < THREAD_PARAMETERS; p++)
    launch.parameters[p] = wb_random_below(random, 8) == 0
                               ? (uint32_t)wb_random_next(random)
                               : (uint32_t)wb_random_below(random, 60) - 5;
  random_thread(random, &launch);
  return launch;
}

void random_thread(struct wb_random *random, struct thread_launch *launch)
{
  for (unsigned axis = 0; axis < 3; axis++) {
    launch->thread[axis] = (uint32_t)wb_random_below(random, launch->block[axis]);
    launch->index[axis] = (uint32_t)wb_random_below(random, launch->grid[axis]);
    if (wb_random_below(random, 4) == 0)
      launch->thread[axis] = wb_random_below(random, 2) == 0 ? 0 : launch->block[axis] - 1;
  }
}

struct wb_launch known_launch(struct wb_random *random, const struct thread_launch *launch,
                              struct wb_parameter_value *words)
{
  struct wb_launch known = {.parameters = words};
  for (unsigned axis = 0; axis < 3; axis++) {
    if (wb_random_below(random, 2) == 0)
      known.block[axis] = launch->block[axis];
    if (wb_random_below(random, 2) == 0)
      known.grid[axis] = launch->grid[axis];
  }
  for (uint32_t p = 0; p < THREAD_PARAMETERS; p++) {
    if (wb_random_below(random, 2) == 0)
      words[known.parameter_count++] =
          (struct wb_parameter_value){NULL, 4 * p, launch->parameters[p]};
  }
  return known;
}

/* How many writes there are, by which loops that try again can fail. */
#include "base/checked.h"
#include "base/memory.h"
#include "flow/retries/retry_loops.h"
#include "isa/opcode.h"

#include <stdlib.h>

#define NONE UINT32_MAX

/* From sm_90 on threads of other blocks can write to the shared memory of a block. */
#define CLUSTERS_FROM 90

/* What is counted for a loop. */
struct count {
  const struct wb_warp_graph *graph;
  const struct wb_loop_forest *forest;
  const uint64_t *bounds;
  const struct wb_retry_bound *retries; /* by loop: which try again */
  const struct wb_retry_loop *loop;     /* of whose word writes count; NULL: of any such loop's */
  uint64_t writes; /* of one thread, by byte that is written; UINT64_MAX: not known */
};

static void add_writes(struct count *count, uint64_t runs, uint64_t times)
{
  uint64_t more;
  if (count->writes == UINT64_MAX || runs == UINT64_MAX || !wb_multiply(runs, times, &more) ||
      !wb_add(count->writes, more, &count->writes))
    count->writes = UINT64_MAX;
}

/* How often a thread runs a block that is in this loop, and in none inside it; NONE: in none. Not
 * known: UINT64_MAX. */
static uint64_t runs_in(const struct count *count, uint32_t loop)
{
  uint64_t runs = 1;
  for (; loop != NONE; loop = count->forest->loops[loop].parent) {
    const uint64_t bound = count->bounds[loop];
    if (count->forest->loops[loop].irreducible || bound == UINT64_MAX ||
        !wb_multiply(runs, bound + 1, &runs))
      return UINT64_MAX;
  }
  return runs;
}

/* Whether an instruction may write the word of a loop. */
static bool may_write_word(const struct wb_retry_loop *loop, const struct wb_access_kind *kind)
{
  if (loop->generic || kind->space == WB_SPACE_GENERIC)
    return true;
  return (kind->space == WB_SPACE_SHARED || kind->action == WB_ACTION_COPY) == loop->shared;
}

/* Whether an instruction may write a word that is asked for. */
static bool may_write(const struct count *count, const struct wb_access_kind *kind)
{
  bool some = count->loop != NULL && may_write_word(count->loop, kind);
  for (size_t l = 0; l < count->forest->loop_count && count->loop == NULL && !some; l++)
    some = count->retries[l].loop.found && may_write_word(&count->retries[l].loop, kind);
  return some;
}

static void count_instruction(struct count *count, uint32_t loop, uint32_t index)
{
  const struct wb_instruction *instruction = &count->graph->function->instructions[index];
  const struct wb_access_kind *kind = wb_access_kind_of((enum wb_opcode)instruction->number);
  if (instruction->unknown || instruction->outside ||
      instruction->transfer == WB_TRANSFER_CALL_OUTSIDE || kind->action == WB_ACTION_BULK) {
    count->writes = UINT64_MAX;
    return;
  }
  if (!wb_writes_shared_memory(count->graph->function, index) || !may_write(count, kind))
    return;
  /* A loop that tries again writes once for each entry: then it ends. */
  if (loop != NONE && count->retries[loop].loop.found && count->retries[loop].loop.swap == index) {
    add_writes(count, runs_in(count, count->forest->loops[loop].parent), 1);
    return;
  }
  /* Bytes of one access may be written apart, and be of the words of several turns. */
  add_writes(count, runs_in(count, loop), wb_access_bytes(instruction));
}

/* The writes of one thread, of memory in which the word of the loop may be. */
static uint64_t writes_of_thread(const struct wb_warp_graph *graph,
                                 const struct wb_loop_forest *forest, const uint64_t *bounds,
                                 const struct wb_retry_bound *retries,
                                 const struct wb_retry_loop *loop)
{
  struct count count = {
      .graph = graph, .forest = forest, .bounds = bounds, .retries = retries, .loop = loop};
  for (uint32_t b = 0; b < graph->block_count && count.writes != UINT64_MAX; b++) {
    for (uint32_t i = graph->blocks[b].first; i <= graph->blocks[b].last; i++)
      count_instruction(&count, forest->innermost[b], i);
  }
  return count.writes;
}

/* Words of which the same writes count. */
#define WORD_KINDS 8

static size_t kind_of_word(const struct wb_retry_loop *loop)
{
  return (loop->bytes == 8 ? 4U : 0U) + (loop->shared ? 2U : 0U) + (loop->generic ? 1U : 0U);
}

/* The threads of the launch, or of a block. False where they are not known. */
static bool count_threads(const struct wb_launch *launch, bool of_block, uint64_t *threads)
{
  *threads = 1;
  for (size_t d = 0; d < 3; d++) {
    if (launch->block[d] == 0 || !wb_multiply(*threads, launch->block[d], threads))
      return false;
    if (!of_block && (launch->grid[d] == 0 || !wb_multiply(*threads, launch->grid[d], threads)))
      return false;
  }
  return true;
}

/* How often a thread runs the swaps of all loops that are bounded, in all their entries: it fails
 * as often as there are writes, none of which makes it fail twice, and once for each entry where it
 * compares an older value; it succeeds once for each entry. */
static void bound_sum(struct count *count, const struct wb_launch *launch, uint64_t writes,
                      struct wb_retry_sum *sum)
{
  const struct wb_loop_forest *forest = count->forest;
  bool of_block = true;
  for (size_t l = 0; l < forest->loop_count; l++)
    of_block = of_block && (!count->retries[l].found || count->retries[l].of_block);
  uint64_t threads;
  sum->found = writes != UINT64_MAX && count_threads(launch, of_block, &threads) &&
               wb_multiply(writes, threads, &sum->runs);
  for (size_t l = 0; l < forest->loop_count && sum->found; l++) {
    const struct wb_retry_bound *retry = &count->retries[l];
    const uint64_t entries = retry->found ? runs_in(count, forest->loops[l].parent) : 0;
    uint64_t more;
    sum->found = entries != UINT64_MAX &&
                 wb_multiply(entries, retry->loop.reloads ? 1 : 2, &more) &&
                 wb_add(sum->runs, more, &sum->runs);
  }
}

/* The bound of one loop, by the writes of one thread. */
static void bound_loop(const struct wb_launch *launch, uint32_t sm, uint64_t writes,
                       struct wb_retry_bound *retry)
{
  /* The first turn may compare what an older load has given. */
  const uint64_t first = retry->loop.reloads ? 0 : 1;
  retry->of_block = retry->loop.shared && sm != 0 && sm < CLUSTERS_FROM;
  retry->found = writes != UINT64_MAX && count_threads(launch, retry->of_block, &retry->threads) &&
                 wb_multiply(writes, retry->threads, &retry->writes) &&
                 wb_add(retry->writes, first, &retry->bound);
}

warpbound_status wb_retry_bounds_find(const struct wb_warp_graph *graph,
                                      const struct wb_loop_forest *forest,
                                      const struct wb_launch *launch, const uint64_t *bounds,
                                      struct wb_retry_bound *retries, struct wb_retry_sum *sum,
                                      warpbound_error *error)
{
  struct wb_thread_flow flow;
  bool some = false;
  *sum = (struct wb_retry_sum){.found = false};
  for (size_t l = 0; l < forest->loop_count; l++)
    retries[l] = (struct wb_retry_bound){.found = false};
  warpbound_status status = wb_thread_flow_make(graph, forest, &flow, error);
  for (uint32_t l = 0; l < forest->loop_count && status == WARPBOUND_OK && flow.whole; l++) {
    if (!wb_retry_loop_find(&flow, forest, l, &retries[l].loop))
      status = wb_out_of_memory(error);
    some = some || retries[l].loop.found;
  }
  wb_thread_flow_free(&flow);
  uint64_t writes[WORD_KINDS]; /* of memory in which such a word may be */
  bool counted[WORD_KINDS] = {false};
  for (uint32_t l = 0; l < forest->loop_count && status == WARPBOUND_OK && some; l++) {
    const struct wb_retry_loop *loop = &retries[l].loop;
    const size_t kind = kind_of_word(loop);
    if (!loop->found)
      continue;
    if (!counted[kind])
      writes[kind] = writes_of_thread(graph, forest, bounds, retries, loop);
    counted[kind] = true;
    bound_loop(launch, graph->function->sm, writes[kind], &retries[l]);
  }
  struct count count = {.graph = graph, .forest = forest, .bounds = bounds, .retries = retries};
  if (status == WARPBOUND_OK && some)
    bound_sum(&count, launch, writes_of_thread(graph, forest, bounds, retries, NULL), sum);
  return status;
}

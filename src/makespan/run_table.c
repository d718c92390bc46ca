#include "makespan/run_table.h"

#include "base/checked.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Ranks larger than this, and than the memory allowed, are not worth counting. */
#define COUNTED_BYTES (UINT64_C(1) << 26)

/* Bytes of the ranks for every run, saturated. */
static uint64_t rank_bytes(const struct wb_problem *problem, struct wb_run_cut cut)
{
  uint64_t width = (uint64_t)problem->warps + 1;
  uint64_t bytes;
  if (!wb_multiply(width * (width + 1) * sizeof(uint64_t), cut.count + 1, &bytes))
    return UINT64_MAX;
  return bytes;
}

/* Adds a run in front of the runs behind it, whose states next[room] counts: fills
 * count[room] for every room; false where one exceeds the limit. */
static bool count_run(const struct wb_run *run, uint32_t warps, const uint64_t *next,
                      uint64_t *count, uint64_t limit)
{
  for (uint32_t room = 0; room <= warps; room++) {
    uint64_t sum = 0;
    for (uint32_t n = 0; n <= room; n++) {
      uint64_t spread, states;
      if (!wb_multiply(n, run->length - 1, &spread) ||
          !wb_multiply(spread + 1, next[room - n], &states) || !wb_add(sum, states, &sum) ||
          sum > limit)
        return false;
    }
    count[room] = sum;
  }
  return true;
}

/* Cells of the table, or 0 where they are more than `limit`. Gives up at the first
 * run, from the last, that goes beyond. */
static uint64_t count_states(const struct wb_problem *problem, struct wb_run_cut cut,
                             uint64_t limit, uint64_t *scratch)
{
  size_t width = (size_t)problem->warps + 1;
  uint64_t *next = scratch;
  uint64_t *count = scratch + width;
  for (size_t m = 0; m < width; m++)
    next[m] = 1;
  for (size_t r = cut.count; r-- > 0;) {
    if (!count_run(&cut.runs[r], problem->warps, next, count, limit))
      return 0;
    memcpy(next, count, width * sizeof *next);
  }
  return next[problem->warps];
}

/* Bytes of a cell: a path from any state has at most W * I cycles. Two bytes are
 * the least, as signed numbers, for which processors have a vector maximum. */
static unsigned cell_width(const struct wb_problem *problem)
{
  uint64_t largest;
  if (!wb_multiply(problem->warps, problem->string.length, &largest) || largest > INT32_MAX)
    return 0;
  return largest <= INT16_MAX ? 2 : 4;
}

uint64_t wb_run_table_plan(const struct wb_problem *problem, struct wb_run_cut cut, uint64_t memory,
                           uint64_t *needed)
{
  *needed = UINT64_MAX;
  uint64_t ranks = rank_bytes(problem, cut);
  unsigned width = cell_width(problem);
  if (width == 0 || ranks > (memory > COUNTED_BYTES ? memory : COUNTED_BYTES))
    return 0;
  uint64_t *scratch = wb_allocate(2 * ((size_t)problem->warps + 1), sizeof *scratch);
  if (scratch == NULL)
    return 0;
  uint64_t states = count_states(problem, cut, UINT64_MAX / 64, scratch);
  free(scratch);
  if (states == 0)
    return 0;
  *needed = ranks + states * width;
  return *needed <= memory ? states : 0;
}

static void fill_ranks(struct wb_run_table *table)
{
  size_t columns = (size_t)table->warps + 1;
  for (uint32_t room = 0; room <= table->warps; room++)
    table->count[table->run_count * columns + room] = 1;
  for (size_t r = table->run_count; r-- > 0;) {
    const uint64_t *next = wb_run_counts(table, r + 1);
    for (uint32_t room = 0; room <= table->warps; room++) {
      uint64_t *offset = table->offset + (r * columns + room) * columns;
      uint64_t sum = 0;
      for (uint32_t n = 0; n <= room; n++) {
        offset[n] = sum;
        sum += (n * (table->runs[r].length - 1) + 1) * next[room - n];
      }
      table->count[r * columns + room] = sum;
    }
  }
}

warpbound_status wb_run_table_start(struct wb_run_table *table, const struct wb_problem *problem,
                                    struct wb_run_cut cut, uint64_t states, warpbound_error *error)
{
  size_t runs = cut.count;
  size_t columns = (size_t)problem->warps + 1;
  *table = (struct wb_run_table){.problem = problem,
                                 .run_count = runs,
                                 .runs = cut.runs,
                                 .warps = problem->warps,
                                 .states = states};
  table->count = wb_allocate((runs + 1) * columns, sizeof *table->count);
  table->offset = wb_allocate(runs * columns * columns, sizeof *table->offset);
  if (table->count == NULL || table->offset == NULL ||
      !wb_value_table_start(&table->values, states, cell_width(problem)))
    return wb_out_of_memory(error);
  fill_ranks(table);
  return WARPBOUND_OK;
}

void wb_run_table_free(struct wb_run_table *table)
{
  wb_value_table_free(&table->values);
  free(table->count);
  free(table->offset);
  *table = (struct wb_run_table){0};
}

uint64_t wb_run_table_makespan(const struct wb_run_table *table, uint32_t w)
{
  uint64_t rank = wb_run_rank_part(table, 0, table->warps, w, w * (uint64_t)table->runs[0].length);
  return wb_value_get(&table->values, rank);
}

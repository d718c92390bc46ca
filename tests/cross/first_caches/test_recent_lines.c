/* A cache that keeps the lines used last, on an SM where blocks come and go (doc/launches/
 * first-cache.md, "What blocks keep where others come and go"): a block does not fetch a line again
 * before so many others have begun as the page says. Traces at random of blocks that use lines of
 * a small pool, each a few of them, and of lines that come a while after they were asked for.
 *   WARPBOUND_CROSS_RUNS  traces (20000)
 *   WARPBOUND_SEED        seed of the first one */
#include "base/random.h"
#include "unit.h"

#include <inttypes.h>
#include <string.h>

#define PLACES 4u
#define POOL 16u
#define STEPS 300u
#define NEVER UINT32_MAX

struct block {
  bool here;
  uint8_t lines[POOL]; /* that it may use */
  uint32_t had[POOL];  /* by line: blocks that had begun when it had it last; NEVER */
  uint32_t first;      /* blocks that had begun when it began, with itself */
  uint32_t fetches[POOL];
};

struct trace {
  struct wb_random random;
  uint32_t residents, block_lines, capacity, patience;
  uint32_t begun;
  struct block blocks[PLACES];
  uint8_t order[POOL]; /* lines that are there, that of the last use first */
  uint32_t held;
  bool coming[POOL];
  bool waits[POOL][PLACES];
  uint64_t again,
      reached; /* fetches of what a block had before; when no more had begun than must */
};

static uint32_t below(struct trace *trace, uint32_t count)
{
  return (uint32_t)wb_random_below(&trace->random, count);
}

static uint32_t place_of(const struct trace *trace, uint8_t line)
{
  uint32_t at = 0;
  while (at < trace->held && trace->order[at] != line)
    at++;
  return at;
}

/* A line is used, which is there or has just come; the one used longest ago makes room for it. */
static void use(struct trace *trace, uint8_t line)
{
  const uint32_t at = place_of(trace, line);
  if (at == trace->held && trace->held < trace->capacity)
    trace->held++;
  const uint32_t last = at < trace->held ? at : trace->held - 1;
  memmove(&trace->order[1], trace->order, last);
  trace->order[0] = line;
}

static void begin(struct trace *trace, struct block *block)
{
  *block = (struct block){.here = true};
  for (uint32_t n = 0; n < trace->block_lines; n++)
    block->lines[n] = (uint8_t)below(trace, POOL);
  for (uint32_t n = 0; n < POOL; n++)
    block->had[n] = NEVER;
  block->first = ++trace->begun;
}

static bool is_waiting(const struct trace *trace, uint32_t k)
{
  for (uint32_t n = 0; n < POOL; n++) {
    if (trace->waits[n][k])
      return true;
  }
  return false;
}

/* The block has the line now. */
static void have(struct trace *trace, struct block *block, uint8_t line)
{
  block->had[line] = trace->begun;
}

static void load(struct trace *trace, uint32_t k)
{
  struct block *block = &trace->blocks[k];
  const uint8_t line = block->lines[below(trace, trace->block_lines)];
  if (place_of(trace, line) < trace->held) {
    use(trace, line);
    have(trace, block, line);
    return;
  }
  if (!trace->coming[line]) { /* it fetches it */
    const bool again = block->had[line] != NEVER;
    if (again && trace->begun - block->had[line] < trace->patience)
      fail_msg("a line goes when %" PRIu32 " blocks have begun, not %" PRIu32,
               trace->begun - block->had[line], trace->patience);
    trace->again += again;
    trace->reached += again && trace->begun - block->had[line] == trace->patience;
    block->fetches[line]++;
    assert_true(block->fetches[line] <= 1 + (trace->begun - block->first) / trace->patience);
  }
  trace->coming[line] = true;
  trace->waits[line][k] = true;
}

/* The first line from that one on that is on its way. */
static void come(struct trace *trace, uint8_t line)
{
  for (uint32_t n = 0; n < POOL && !trace->coming[line]; n++)
    line = (uint8_t)((line + 1) % POOL);
  if (!trace->coming[line])
    return;
  trace->coming[line] = false;
  use(trace, line);
  for (uint32_t k = 0; k < trace->residents; k++) {
    if (trace->waits[line][k])
      have(trace, &trace->blocks[k], line);
    trace->waits[line][k] = false;
  }
}

static void run_trace(uint64_t seed, uint64_t *again, uint64_t *reached)
{
  struct trace trace = {.random = {seed}};
  trace.residents = 1 + below(&trace, PLACES);
  trace.block_lines = 1 + below(&trace, 3);
  trace.capacity = trace.residents * trace.block_lines + below(&trace, 4);
  if (trace.capacity > POOL)
    trace.capacity = POOL;
  trace.patience = trace.capacity / trace.block_lines + 1 - trace.residents;
  for (uint32_t s = 0; s < STEPS; s++) {
    const uint32_t k = below(&trace, trace.residents);
    struct block *block = &trace.blocks[k];
    const uint32_t what = below(&trace, 8);
    if (!block->here)
      begin(&trace, block);
    else if (what < 2 && !is_waiting(&trace, k))
      block->here = false;
    else if (what < 6)
      load(&trace, k);
    else
      come(&trace, (uint8_t)below(&trace, POOL));
  }
  *again += trace.again;
  *reached += trace.reached;
}

TEST(lines_used_last_stay_while_few_blocks_begin)
{
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", 20000);
  const uint64_t first = number_from_environment("WARPBOUND_SEED", 1);
  uint64_t again = 0, reached = 0;
  for (uint64_t r = 0; r < runs; r++)
    run_trace(first + r, &again, &reached);
  print_message("# seed %" PRIu64 ": %" PRIu64 " traces, %" PRIu64 " lines fetched again, %" PRIu64
                " as soon as they may\n",
                first, runs, again, reached);
  assert_true(runs < 1000 || reached > 0);
}

/* The WCET from measured times against the static one, on fixtures: times are those of executions
 * of the oracle with a known table of costs.
 * - Whole blocks, on all architectures: never above the static WCET with that table; equal to it
 *   where every block of the worst path was measured, and where what was not measured has static
 *   costs; a block that is left out is named.
 * - Segments between the beginnings of all blocks, where one group of lanes runs at a time: the
 *   same.
 * - Segments between some points: at least the longest run, with observed counts, and where static
 *   costs are those of what was not measured, with the bounds that the runs kept (of groups: where
 *   there is no loop). Also by lanes, with the counts of the lane that has most, and with rows of
 *   some whole blocks besides.
 * Not tested: that it is close to anything where points are few; functions that call those of other
 * sections, or with more than MOST_BLOCKS blocks.
 *   WARPBOUND_CROSS_RUNS runs of each kernel (DEFAULT_RUNS without it)
 *   WARPBOUND_CROSS_EVERY one of so many listings (1 without it)
 *   WARPBOUND_SEED        added to their seeds */
#include "analysis/hybrid/hybrid_result.h"
#include "base/arena.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/work_control.h"
#include "bounded_run.h"
#include "cfg/interpreter/groups/group_interpreter.h"
#include "cfg/interpreter/simt_interpreter.h"
#include "cfg/warp_graph/warp_graph.h"
#include "fixtures.h"
#include "flow/costs.h"
#include "formats/times/times_file.h"
#include "frontend/sass/sass_front_end.h"
#include "unit.h"

#include <inttypes.h>

/* Measured times of executions of the oracle with known costs, for tests of the WCET from times. */

#define RECORDED_LANES 32

enum recorded_kind {
  RECORD_BLOCKS, /* whole blocks; a lane's clock runs while its group does */
  RECORD_WARP,   /* segments of the warp, whichever lanes run */
  RECORD_LANES,  /* segments of lanes; the clock is the warp's */
  RECORD_EACH    /* the same with the counts of the lane that has most, as instrumented code has */
};

/* The cells of one run: by from and to. */
struct recorded_cell {
  int64_t cycles; /* the longest */
  int64_t count;  /* 0: none */
};

struct recorded_times {
  struct wb_arena arena; /* of the arrays */
  enum recorded_kind kind;
  const struct wb_function *function; /* borrowed, as are the costs */
  const int64_t *cycles;
  uint32_t *place_of;    /* by instruction: its place; UINT32_MAX: none */
  uint32_t *block_last;  /* by instruction that begins a block */
  uint32_t *instruction; /* by place */
  size_t place_count;
  struct recorded_cell *cells; /* from * (places + 1) + to; from = places: the start, to: the end */
  uint32_t *lane_counts;       /* of RECORD_EACH: by cell * RECORDED_LANES + lane; else NULL */
  struct wb_times times;       /* of all runs that were kept */
  int64_t longest;             /* whole run */

  /* one run; by lane, of RECORD_WARP lane 0 alone */
  int64_t clock;
  uint32_t live;
  uint64_t event; /* passes of points so far */
  uint32_t last[RECORDED_LANES];
  int64_t last_time[RECORDED_LANES];
  uint64_t last_event[RECORDED_LANES];
  int64_t lane_clock[RECORDED_LANES];
};

#define NOWHERE UINT32_MAX

/* points: by instruction, whether it is one; NULL: the first instructions of the united graph's
 * blocks. Of whole blocks it is NULL. */
static void recorded_times_start(struct recorded_times *recorded, enum recorded_kind kind,
                                 const struct wb_warp_graph *united, const int64_t *cycles,
                                 const bool *points)
{
  const size_t count = united->function->instruction_count;
  *recorded = (struct recorded_times){.kind = kind, .function = united->function, .cycles = cycles};
  recorded->place_of = must(wb_arena_array(&recorded->arena, uint32_t, count));
  recorded->block_last = must(wb_arena_array(&recorded->arena, uint32_t, count));
  recorded->instruction = must(wb_arena_array(&recorded->arena, uint32_t, count));
  for (size_t i = 0; i < count; i++)
    recorded->place_of[i] = NOWHERE;
  for (size_t b = 0; b < united->block_count; b++) {
    for (uint32_t i = united->blocks[b].first; i <= united->blocks[b].last; i++) {
      if (points != NULL ? !points[i] : i > united->blocks[b].first)
        continue;
      recorded->place_of[i] = (uint32_t)recorded->place_count;
      recorded->block_last[i] = united->blocks[b].last;
      recorded->instruction[recorded->place_count++] = i;
    }
  }
  const size_t side = recorded->place_count + 1;
  recorded->cells = must(wb_arena_allocate(&recorded->arena, side * side, sizeof *recorded->cells));
  if (kind == RECORD_EACH)
    recorded->lane_counts =
        must(wb_arena_array(&recorded->arena, uint32_t, side * side * RECORDED_LANES));
}

/* Before each run. */
static void recorded_times_reset(struct recorded_times *recorded)
{
  const size_t side = recorded->place_count + 1;
  memset(recorded->cells, 0, side * side * sizeof *recorded->cells);
  if (recorded->lane_counts != NULL)
    memset(recorded->lane_counts, 0, side * side * RECORDED_LANES * sizeof *recorded->lane_counts);
  recorded->clock = 0;
  recorded->event = 1;
  recorded->live = UINT32_MAX;
  for (unsigned lane = 0; lane < RECORDED_LANES; lane++) {
    recorded->last[lane] =
        recorded->kind == RECORD_BLOCKS ? NOWHERE : (uint32_t)recorded->place_count;
    recorded->last_time[lane] = recorded->lane_clock[lane] = 0;
    recorded->last_event[lane] = 0;
  }
}

static void add_cell(struct recorded_times *recorded, uint32_t from, uint32_t to, int64_t cycles,
                     bool counts)
{
  struct recorded_cell *cell = &recorded->cells[from * (recorded->place_count + 1) + to];
  cell->cycles = cycles > cell->cycles ? cycles : cell->cycles;
  cell->count += counts;
}

/* Lanes that came from one pass of a point count once. */
static bool is_counted(const struct recorded_times *recorded, uint32_t lanes, unsigned lane)
{
  for (unsigned other = 0; other < lane; other++) {
    if ((lanes >> other & 1) && recorded->last_event[other] == recorded->last_event[lane])
      return false;
  }
  return true;
}

/* The lanes pass a place, or their end. */
static void pass(struct recorded_times *recorded, uint32_t lanes, uint32_t to)
{
  for (unsigned lane = 0; lane < RECORDED_LANES; lane++) {
    if (!(lanes >> lane & 1))
      continue;
    add_cell(recorded, recorded->last[lane], to, recorded->clock - recorded->last_time[lane],
             recorded->kind != RECORD_EACH && is_counted(recorded, lanes, lane));
    if (recorded->kind == RECORD_EACH) {
      /* Counts the pass for the lane; a cell has the largest count of its lanes. */
      const size_t cell = recorded->last[lane] * (recorded->place_count + 1) + to;
      const int64_t count = ++recorded->lane_counts[cell * RECORDED_LANES + lane];
      if (count > recorded->cells[cell].count)
        recorded->cells[cell].count = count;
    }
  }
  for (unsigned lane = 0; lane < RECORDED_LANES; lane++) {
    if (!(lanes >> lane & 1))
      continue;
    recorded->last[lane] = to;
    recorded->last_time[lane] = recorded->clock;
    recorded->last_event[lane] = recorded->event;
  }
  recorded->event++;
}

/* A whole block, by the clock of each lane. */
static void step_block(struct recorded_times *recorded, uint32_t instruction, uint32_t active)
{
  bool counted = false;
  for (unsigned lane = 0; lane < RECORDED_LANES; lane++) {
    if (!(active >> lane & 1))
      continue;
    if (recorded->place_of[instruction] != NOWHERE) {
      recorded->last[lane] = instruction;
      recorded->last_time[lane] = recorded->lane_clock[lane];
    }
    recorded->lane_clock[lane] += recorded->cycles[instruction];
    const uint32_t first = recorded->last[lane];
    if (first == NOWHERE || recorded->block_last[first] != instruction)
      continue;
    add_cell(recorded, recorded->place_of[first], (uint32_t)recorded->place_count,
             recorded->lane_clock[lane] - recorded->last_time[lane], !counted);
    counted = true;
  }
}

/* An instruction of lanes that are at it, while `live` ones have not ended. */
static void recorded_times_step(struct recorded_times *recorded, uint32_t instruction,
                                uint32_t active, uint32_t live)
{
  const uint32_t at = recorded->place_of[instruction];
  if (recorded->kind == RECORD_BLOCKS) {
    step_block(recorded, instruction, active);
  } else if (recorded->kind == RECORD_WARP) {
    if (at != NOWHERE)
      pass(recorded, 1, at);
  } else {
    pass(recorded, recorded->live & ~live, (uint32_t)recorded->place_count);
    recorded->live = live;
    if (at != NOWHERE)
      pass(recorded, active, at);
  }
  recorded->clock += recorded->cycles[instruction];
}

static void add_row(struct recorded_times *recorded, const struct wb_times_row *row)
{
  struct wb_times *times = &recorded->times;
  if (!wb_grow(times->rows, &times->row_capacity, times->row_count + 1))
    abort();
  times->rows[times->row_count++] = *row;
}

static struct wb_times_point place(const struct recorded_times *recorded, size_t number)
{
  const struct wb_instruction *at =
      &recorded->function->instructions[recorded->instruction[number]];
  return (struct wb_times_point){.end = WB_TIMES_PLACE,
                                 .place = {.address = at->address, .has_address = true}};
}

/* After all runs: rows that say of each place that it is a point, also where no run came. */
static void recorded_times_declare(struct recorded_times *recorded)
{
  for (size_t p = 0; p < recorded->place_count; p++) {
    const struct wb_times_row row = {.from = place(recorded, p), .to.end = WB_TIMES_STOP};
    add_row(recorded, &row);
  }
}

static void keep_cell(struct recorded_times *recorded, const char *run, size_t from, size_t to)
{
  const size_t places = recorded->place_count;
  const struct recorded_cell *cell = &recorded->cells[from * (places + 1) + to];
  struct wb_times_row row = {
      .run = run, .cycles = cell->cycles, .count = cell->count, .from.end = WB_TIMES_START};
  if (cell->count == 0 || (from == places && to == places))
    return;
  if (from < places)
    row.from = place(recorded, from);
  if (to < places)
    row.to = place(recorded, to);
  else
    row.to.end = recorded->kind == RECORD_BLOCKS ? WB_TIMES_BLOCK : WB_TIMES_STOP;
  add_row(recorded, &row);
}

/* The run has ended: its rows are kept. whole: also that of the whole run. */
static void recorded_times_keep(struct recorded_times *recorded, uint64_t run, bool whole)
{
  char text[24];
  snprintf(text, sizeof text, "%" PRIu64, run);
  const char *name = must((void *)wb_name_pool_copy(&recorded->times.names, text, strlen(text)));
  if (recorded->kind == RECORD_WARP)
    pass(recorded, 1, (uint32_t)recorded->place_count);
  else if (recorded->kind != RECORD_BLOCKS)
    pass(recorded, recorded->live, (uint32_t)recorded->place_count);
  for (size_t from = 0; from <= recorded->place_count; from++) {
    for (size_t to = 0; to <= recorded->place_count; to++)
      keep_cell(recorded, name, from, to);
  }
  if (whole)
    add_row(recorded, &(struct wb_times_row){.run = name,
                                             .from.end = WB_TIMES_START,
                                             .to.end = WB_TIMES_STOP,
                                             .cycles = recorded->clock,
                                             .count = 1});
  if (recorded->clock > recorded->longest)
    recorded->longest = recorded->clock;
}

static void recorded_times_free(struct recorded_times *recorded)
{
  wb_arena_free(&recorded->arena);
  wb_times_free(&recorded->times);
  *recorded = (struct recorded_times){0};
}

#define DEFAULT_RUNS 12
#define STEP_LIMIT 20000
/* Blocks of a function whose segments are recorded in a square table. */
#define MOST_BLOCKS 400
/* Points of the other recordings: theirs has a cell for each lane too. */
#define MOST_POINTS 100

static const char cost_text[] =
    "default 2\nMOV 3\nBRA 7\nLDG 43\nSTG 19\nIADD 1\nBSYNC 5\nEXIT 11\n";

static struct wb_costs costs;

static int read_costs(void **state)
{
  (void)state;
  return (int)wb_costs_parse("costs", cost_text, sizeof cost_text - 1, &costs, NULL);
}

static int free_costs(void **state)
{
  (void)state;
  wb_costs_free(&costs);
  return 0;
}

/* What is recorded of the runs of one function. */
struct recording {
  struct recorded_times blocks;   /* whole blocks */
  struct recorded_times segments; /* from block to block */
  struct recorded_times some;     /* between some points, also inside blocks */
  struct recorded_times each;     /* the same with counts of single lanes */
};

struct tally {
  size_t functions, runs, kept;
  size_t blocks_met, segments_met; /* equal to the static WCET by measured times alone */
  size_t above_runs; /* results from some points that were compared with the longest run */
  size_t named;      /* blocks that were left out, and named */
};

/* A function under test. */
struct subject {
  const char *path;
  const struct wb_code *code;
  const struct wb_function *function;
  struct wb_wcet wcet;
  struct recording recording;
  uint64_t first_seed;
  struct tally *tally;
};

/* ---- runs ---- */

static void step_all(struct recording *recording, uint32_t instruction, uint32_t active,
                     uint32_t live)
{
  recorded_times_step(&recording->blocks, instruction, active, live);
  recorded_times_step(&recording->segments, instruction, active, live);
  recorded_times_step(&recording->some, instruction, active, live);
  recorded_times_step(&recording->each, instruction, active, live);
}

static void reset_all(struct recording *recording)
{
  recorded_times_reset(&recording->blocks);
  recorded_times_reset(&recording->segments);
  recorded_times_reset(&recording->some);
  recorded_times_reset(&recording->each);
}

static void keep_all(struct recording *recording, uint64_t run)
{
  recorded_times_keep(&recording->blocks, run, true);
  recorded_times_keep(&recording->segments, run, true);
  recorded_times_keep(&recording->some, run, true);
  recorded_times_keep(&recording->each, run, true);
}

static bool watch_warp(void *context, const struct wb_simt_step *step)
{
  step_all(context, step->instruction, step->active, UINT32_MAX);
  return true;
}

static bool watch_groups(void *context, const struct wb_group_step *step)
{
  step_all(context, step->instruction, step->active, step->live);
  return true;
}

/* Runs that keep the loop bounds of the WCET, most of them along its worst path. */
static void run_warps(struct subject *subject, uint64_t runs)
{
  FREED_BY(bounded_run_free) struct bounded bounded;
  bounded_run_start(&bounded, &subject->wcet);
  bounded.watch = watch_warp;
  bounded.watch_context = &subject->recording;
  for (uint64_t run = 0; run < runs; run++) {
    bounded.guided = run % 4 != 0;
    reset_all(&subject->recording);
    subject->tally->runs++;
    if (!bounded_run(&bounded, subject->first_seed + run, STEP_LIMIT))
      continue;
    subject->tally->kept++;
    keep_all(&subject->recording, run);
  }
}

/* Runs of groups, which keep no bounds. */
static void run_groups(struct subject *subject, uint64_t runs)
{
  for (uint64_t run = 0; run < runs; run++) {
    struct wb_group_run_options options = {.seed = subject->first_seed + run,
                                           .step_limit = STEP_LIMIT,
                                           .lanes = RECORDED_LANES,
                                           .bias = run % 3 == 0   ? 0
                                                   : run % 3 == 1 ? 200
                                                                  : 60,
                                           .reconvergence = WB_RECONVERGENCE_YIELD,
                                           .visit = watch_groups,
                                           .context = &subject->recording};
    struct wb_group_run done = {0};
    warpbound_error error;
    reset_all(&subject->recording);
    subject->tally->runs++;
    if (wb_group_run(subject->code, subject->function, &options, &done, &error) != WARPBOUND_OK ||
        !done.ended)
      continue;
    subject->tally->kept++;
    keep_all(&subject->recording, run);
  }
}

/* ---- results ---- */

#define REFUTE(subject, ...)                                                                       \
  do {                                                                                             \
    print_message("# %s, %s, seeds from %" PRIu64 ":\n", (subject)->path,                          \
                  (subject)->function->name, (subject)->first_seed);                               \
    fail_msg(__VA_ARGS__);                                                                         \
  } while (0)

static struct wb_wcet_options wcet_options(void)
{
  return (struct wb_wcet_options){.default_bound = 3, .costs = &costs};
}

/* One analysis; its bound, or -1 where code is not measured. */
static int64_t bound_of(const struct subject *subject, const struct wb_times *times,
                        enum wb_unmeasured_cost unmeasured, bool observed, struct wb_hybrid *hybrid)
{
  const struct wb_control control = wb_control_start(NULL);
  struct wb_hybrid_options options = {.wcet = wcet_options(),
                                      .times = times,
                                      .unmeasured = unmeasured,
                                      .observed_counts = observed};
  warpbound_error error = {.message = ""};
  if (observed) {
    options.wcet.default_bound = UINT64_MAX;
    options.wcet.no_found_bounds = true;
  }
  const warpbound_status status =
      wb_hybrid_analyse(subject->code, subject->function, &options, &control, hybrid, &error);
  if (status == WARPBOUND_FACTS_MISSING && hybrid->gap_count > 0)
    return -1;
  if (status != WARPBOUND_OK)
    REFUTE(subject, "%s", error.message);
  if (hybrid->wcet.ipet.taken != NULL) {
    int64_t sum = hybrid->before;
    for (size_t b = 0; b < hybrid->path_count; b++)
      sum += hybrid->path[b].cycles;
    if (sum != hybrid->wcet.ipet.cycles)
      REFUTE(subject, "the path's blocks sum up to %" PRId64 ", not %" PRId64, sum,
             hybrid->wcet.ipet.cycles);
  }
  return hybrid->wcet.ipet.proof.bound;
}

static int64_t just_bound_of(const struct subject *subject, const struct wb_times *times,
                             enum wb_unmeasured_cost unmeasured, bool observed)
{
  FREED_BY(wb_hybrid_free) struct wb_hybrid hybrid;
  const int64_t bound = bound_of(subject, times, unmeasured, observed, &hybrid);
  return bound;
}

/* Of whole blocks, or of all segments of one group: equal to the static WCET, or below it where
 * something is not measured and costs nothing. Returns whether measured times alone were equal. */
static bool check_exact(const struct subject *subject, const struct wb_times *times,
                        bool path_measured, const char *what)
{
  const int64_t wcet = subject->wcet.ipet.proof.bound;
  const int64_t full = just_bound_of(subject, times, WB_UNMEASURED_STATIC, false);
  const int64_t free_of = just_bound_of(subject, times, WB_UNMEASURED_CYCLES, false);
  const int64_t measured = just_bound_of(subject, times, WB_UNMEASURED_REFUSED, false);
  if (full != wcet)
    REFUTE(subject, "%s, the rest static: %" PRId64 ", the WCET is %" PRId64, what, full, wcet);
  if (free_of > wcet || (path_measured && free_of != wcet))
    REFUTE(subject, "%s, the rest free: %" PRId64 ", the WCET is %" PRId64 " (path %s)", what,
           free_of, wcet, path_measured ? "measured" : "not all measured");
  if (measured >= 0 && measured != wcet)
    REFUTE(subject, "%s: %" PRId64 ", the WCET is %" PRId64, what, measured, wcet);
  return measured == wcet || (path_measured && free_of == wcet);
}

/* No run that was measured is longer than the result. bounded: the runs kept all bounds. */
static void check_runs(const struct subject *subject, const struct recorded_times *recorded,
                       bool bounded, const char *what)
{
  const int64_t observed = just_bound_of(subject, &recorded->times, WB_UNMEASURED_REFUSED, true);
  if (observed < recorded->longest)
    REFUTE(subject, "%s, observed counts: %" PRId64 ", a run took %" PRId64, what, observed,
           recorded->longest);
  subject->tally->above_runs++;
  if (!bounded)
    return;
  const int64_t full = just_bound_of(subject, &recorded->times, WB_UNMEASURED_STATIC, false);
  if (full < recorded->longest)
    REFUTE(subject, "%s: %" PRId64 ", a run took %" PRId64, what, full, recorded->longest);
  subject->tally->above_runs++;
}

/* Without the rows of the block that the worst path runs first, it is named. */
static void check_left_out(struct subject *subject)
{
  const struct wb_times *all = &subject->recording.blocks.times;
  const uint32_t address =
      subject->function
          ->instructions[subject->wcet.graph->blocks[subject->wcet.graph->entry_block].first]
          .address;
  struct wb_times part = *all;
  struct wb_hybrid hybrid;
  bool named = false;
  part.rows = wb_allocate(all->row_count, sizeof *part.rows);
  assert_non_null(part.rows);
  part.row_count = 0;
  for (size_t r = 0; r < all->row_count; r++) {
    if (all->rows[r].from.end != WB_TIMES_PLACE || all->rows[r].from.place.address != address)
      part.rows[part.row_count++] = all->rows[r];
  }
  assert_true(part.row_count < all->row_count);
  if (part.row_count > 0) {
    assert_int_equal(bound_of(subject, &part, WB_UNMEASURED_REFUSED, false, &hybrid), -1);
    for (size_t g = 0; g < hybrid.gap_count; g++)
      named |= !hybrid.gaps[g].segment &&
               subject->function->instructions[hybrid.gaps[g].first].address == address;
    wb_hybrid_free(&hybrid);
    assert_true(named);
    subject->tally->named++;
  }
  free(part.rows);
}

static void check_subject(struct subject *subject)
{
  const bool groups = subject->wcet.graph->groups;
  struct recording *recording = &subject->recording;
  struct tally *tally = subject->tally;
  /* Whether every block of the static worst path has a row. */
  const struct wb_times *times = &subject->recording.blocks.times;
  const struct wb_control_flow *flow = &subject->wcet.flow;
  bool path = subject->wcet.instruction_runs != NULL;
  for (size_t b = 0; b < flow->united.block_count && path; b++) {
    const uint32_t first = flow->united.blocks[b].first;
    bool found = subject->wcet.instruction_runs[first] == 0;
    for (size_t r = 0; r < times->row_count && !found; r++)
      found = times->rows[r].from.end == WB_TIMES_PLACE &&
              times->rows[r].from.place.address == subject->function->instructions[first].address;
    path = found;
  }

  const bool bounded = !groups || subject->wcet.forest.loop_count == 0;
  tally->functions++;
  tally->blocks_met += check_exact(subject, &recording->blocks.times, path, "whole blocks");
  if (!groups)
    tally->segments_met += check_exact(subject, &recording->segments.times, false, "segments");
  check_runs(subject, &recording->segments, bounded, "segments");
  check_runs(subject, &recording->some, bounded, "segments between some points");
  check_runs(subject, &recording->each, groups && bounded, "the same by lanes, with their counts");
  /* Segments between all blocks, and beside them the rows of some whole blocks. */
  const struct wb_times *segments = &subject->recording.segments.times;
  const struct wb_times *blocks = &subject->recording.blocks.times;
  struct wb_random random = {.state = subject->first_seed};
  struct recorded_times mixed = {.longest = subject->recording.segments.longest,
                                 .times = *segments};
  mixed.times.rows = wb_allocate(segments->row_count + blocks->row_count, sizeof *mixed.times.rows);
  assert_non_null(mixed.times.rows);
  memcpy(mixed.times.rows, segments->rows, segments->row_count * sizeof *segments->rows);
  const uint64_t chosen = wb_random_next(&random);
  for (size_t r = 0; r < blocks->row_count; r++) {
    const struct wb_times_row *row = &blocks->rows[r];
    if (row->to.end == WB_TIMES_BLOCK && (chosen >> (row->from.place.address / 8 % 64) & 1))
      mixed.times.rows[mixed.times.row_count++] = *row;
  }
  check_runs(subject, &mixed, bounded, "segments and whole blocks");
  free(mixed.times.rows);
  check_left_out(subject);
}

/* ---- fixtures ---- */

/* Of every third block its beginning, and of some any instruction; at most about MOST_POINTS. */
static bool *some_points(const struct wb_warp_graph *united, struct wb_random *random)
{
  const uint32_t rest = 1 + (uint32_t)united->block_count / MOST_POINTS;
  bool *points = wb_allocate(united->function->instruction_count, sizeof *points);
  assert_non_null(points);
  assert_true(united->block_count > 0);
  for (uint32_t b = 0; b < united->block_count; b++) {
    const struct wb_warp_block *block = &united->blocks[b];
    if (wb_random_below(random, 3 * rest) == 0)
      points[block->first] = true;
    for (unsigned i = 0; i < 2; i++) {
      if (wb_random_below(random, 4 * rest) == 0)
        points[block->first + wb_random_below(random, block->last - block->first + 1)] = true;
    }
  }
  points[united->blocks[wb_random_below(random, united->block_count)].first] = true;
  return points;
}

static void try_function(const char *path, const struct wb_code *code,
                         const struct wb_function *function, uint64_t runs, struct tally *tally)
{
  const struct wb_control control = wb_control_start(NULL);
  const struct wb_wcet_options options = wcet_options();
  struct subject subject = {.path = path,
                            .code = code,
                            .function = function,
                            .first_seed = number_from_environment("WARPBOUND_SEED", 0) + 1,
                            .tally = tally};
  warpbound_error error = {.message = ""};
  const warpbound_status status =
      wb_wcet_analyse(code, function, &options, &control, &subject.wcet, &error);
  if (status == WARPBOUND_FACTS_MISSING)
    wb_wcet_free(&subject.wcet);
  if (status != WARPBOUND_OK)
    return;
  subject.function = subject.wcet.function;
  if (subject.wcet.flow.united.block_count <= MOST_BLOCKS) {
    const struct wb_warp_graph *united = &subject.wcet.flow.united;
    const enum recorded_kind segments = subject.wcet.graph->groups ? RECORD_LANES : RECORD_WARP;
    struct wb_random random = {.state = subject.first_seed};
    bool *points = some_points(united, &random);
    recorded_times_start(&subject.recording.blocks, RECORD_BLOCKS, united, subject.wcet.cycles,
                         NULL);
    recorded_times_start(&subject.recording.segments, segments, united, subject.wcet.cycles, NULL);
    recorded_times_start(&subject.recording.some, segments, united, subject.wcet.cycles, points);
    recorded_times_start(&subject.recording.each, RECORD_EACH, united, subject.wcet.cycles, points);
    free(points);
    if (subject.wcet.graph->groups)
      run_groups(&subject, runs);
    else
      run_warps(&subject, runs);
    recorded_times_declare(&subject.recording.segments);
    if (subject.recording.blocks.times.row_count > 0)
      check_subject(&subject);
    recorded_times_free(&subject.recording.blocks);
    recorded_times_free(&subject.recording.segments);
    recorded_times_free(&subject.recording.some);
    recorded_times_free(&subject.recording.each);
  }
  wb_wcet_free(&subject.wcet);
}

static void try_folder(const char *folder, struct tally *tally)
{
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS);
  glob_t found = {0};
  fixtures_find(&found, "sass/%s/*/*.nvdisasm.sass", folder);
  for (size_t p = 0; p < found.gl_pathc; p += number_from_environment("WARPBOUND_CROSS_EVERY", 1)) {
    FREED_BY(wb_code_free) struct wb_code code;
    listing_read(found.gl_pathv[p], &code);
    for (size_t f = 0; f < code.function_count; f++)
      try_function(found.gl_pathv[p], &code, &code.functions[f], runs, tally);
  }
  globfree(&found);
  print_message("# %s: %zu functions, %zu of %zu runs kept; whole blocks: %zu equal to the static "
                "WCET by measured times alone; segments: %zu; %zu results at least the longest "
                "run; %zu blocks left out and named\n",
                folder, tally->functions, tally->kept, tally->runs, tally->blocks_met,
                tally->segments_met, tally->above_runs, tally->named);
}

TEST_BETWEEN(read_costs, free_costs, one_group)
{
  struct tally tally = {0};
  try_folder("sm_61/O3", &tally);
  assert_true(tally.functions > 0 && tally.blocks_met * 2 > tally.functions);
  assert_true(tally.segments_met * 3 > tally.functions);
}

TEST_BETWEEN(read_costs, free_costs, groups)
{
  struct tally tally = {0};
  try_folder("sm_87/O3", &tally);
  assert_true(tally.functions > 0 && tally.blocks_met * 2 > tally.functions);
}

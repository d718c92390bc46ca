/* Times of a warp's own steps on the fixtures that have control words, with the bundled devices:
 * runs of the two oracles of SIMT execution are sequences of instructions that a warp issues, and
 * the longest chain over each must not be above the times of the nodes that it ran. And how long
 * large code takes.
 *   WARPBOUND_CROSS_SEEDS  runs of each kernel (4)
 * Left out: what accesses need (all count as if nothing were known of addresses). */
#include "base/file.h"
#include "base/memory.h"
#include "base/work_control.h"
#include "cfg/interpreter/groups/group_interpreter.h"
#include "cfg/interpreter/simt_interpreter.h"
#include "cfg/simt_analysis.h"
#include "cfg/warp_graph/warp_graph.h"
#include "formats/device/device_file.h"
#include "frontend/sass/sass_front_end.h"
#include "launch/timing/timing_code.h"
#include "one_warp_run.h"
#include "unit.h"

#include <glob.h>
#include <inttypes.h>
#include <time.h>

#define DEFAULT_SEEDS 4
#define PATH_SIZE 1024
#define STEPS (4 * RANDOM_STEPS)

/* A function on a device. */
struct subject {
  const struct wb_code *code;
  const struct wb_function *function;
  struct wb_simt_analysis *analysis;
  struct wb_warp_graph united;
  struct wb_timed_code timed;
  struct wb_timing_graph flow;
  uint32_t *first, *last, *from, *to; /* of flow */
  bool *interleaved, *ends;
  uint32_t start;
  uint32_t *node_at; /* by instruction: the node that begins with it; UINT32_MAX for none */
  struct wb_warp_times times;
};

struct tally {
  struct wb_device_timing device;
  size_t functions, untimed, runs, ended;
  uint64_t instructions;
  double chain, bound; /* in cycles, of all runs */
};

/* ---- the flow: blocks cut behind barriers ---- */

static void add_edge(struct subject *subject, uint32_t from, uint32_t to)
{
  subject->from[subject->flow.edge_count] = from;
  subject->to[subject->flow.edge_count++] = to;
}

/* The nodes of a block; the last one. */
static uint32_t add_block(struct subject *subject, uint32_t block)
{
  const struct wb_warp_block *at = &subject->united.blocks[block];
  uint32_t first = at->first;
  uint32_t before = UINT32_MAX;
  for (uint32_t i = at->first; i <= at->last; i++) {
    if (!subject->timed.instructions[i].barrier && i != at->last)
      continue;
    const uint32_t node = (uint32_t)subject->flow.node_count++;
    subject->first[node] = first;
    subject->last[node] = i;
    subject->interleaved[node] = !wb_block_is_whole(&subject->united, block);
    subject->node_at[first] = node;
    if (before != UINT32_MAX)
      add_edge(subject, before, node);
    before = node;
    first = i + 1;
  }
  return before;
}

static void make_flow(struct subject *subject)
{
  const size_t most = subject->function->instruction_count;
  const size_t edges = most + subject->united.edge_count;
  uint32_t *last_node = wb_allocate(subject->united.block_count, sizeof *last_node);
  subject->first = wb_allocate(most, sizeof *subject->first);
  subject->last = wb_allocate(most, sizeof *subject->last);
  subject->interleaved = wb_allocate(most, sizeof *subject->interleaved);
  subject->ends = wb_allocate(most, sizeof *subject->ends);
  subject->node_at = wb_allocate(most, sizeof *subject->node_at);
  subject->from = wb_allocate(edges, sizeof *subject->from);
  subject->to = wb_allocate(edges, sizeof *subject->to);
  for (size_t i = 0; i < most; i++)
    subject->node_at[i] = UINT32_MAX;
  for (uint32_t b = 0; b < subject->united.block_count; b++) {
    last_node[b] = add_block(subject, b);
    subject->ends[last_node[b]] = subject->united.ends[b];
  }
  for (size_t e = 0; e < subject->united.edge_count; e++) {
    const struct wb_warp_edge *edge = &subject->united.edges[e];
    add_edge(subject, last_node[edge->from],
             subject->node_at[subject->united.blocks[edge->to].first]);
  }
  free(last_node);
  subject->start = subject->node_at[subject->united.blocks[subject->united.entry_block].first];
  subject->flow.first = subject->first;
  subject->flow.last = subject->last;
  subject->flow.interleaved = subject->interleaved;
  subject->flow.ends = subject->ends;
  subject->flow.from = subject->from;
  subject->flow.to = subject->to;
  subject->flow.starts = &subject->start;
  subject->flow.start_count = 1;
}

/* False where the function has no times: no control words, calls to code that is not there. */
static bool start(struct subject *subject, const struct tally *tally)
{
  const struct wb_control control = wb_control_start(NULL);
  const struct wb_simt_options options = {0};
  struct wb_list assumptions = {0};
  warpbound_error error = {0};
  if (wb_simt_analyse(subject->code, subject->function, &options, &control, &subject->analysis,
                      &error) != WARPBOUND_OK)
    return false;
  assert_ok(
      wb_warp_graph_unite(wb_simt_analysis_graph(subject->analysis), &subject->united, &error));
  const warpbound_status status = wb_timed_code_make(NULL, subject->function, &tally->device, NULL,
                                                     NULL, &subject->timed, &assumptions, &error);
  wb_list_free(&assumptions);
  if (status != WARPBOUND_OK) {
    if (strstr(error.message, "its encoding") == NULL &&
        strstr(error.message, "not in the listing") == NULL)
      fail_msg("%s: %s", subject->code->name, error.message);
    return false;
  }
  assert_null(wb_timed_code_check(&subject->timed));
  make_flow(subject);
  assert_ok(wb_warp_times_find(&subject->timed, &subject->flow, &subject->times, &error));
  return true;
}

static void end(struct subject *subject)
{
  wb_simt_analysis_free(subject->analysis);
  wb_warp_graph_free(&subject->united);
  wb_timed_code_free(&subject->timed);
  wb_warp_times_free(&subject->times);
  free(subject->first);
  free(subject->last);
  free(subject->interleaved);
  free(subject->ends);
  free(subject->node_at);
  free(subject->from);
  free(subject->to);
}

/* ---- runs ---- */

struct sequence {
  struct timed_step steps[STEPS];
  size_t count;
};

static bool add_step(struct sequence *sequence, uint32_t instruction)
{
  sequence->steps[sequence->count++] = (struct timed_step){.instruction = instruction};
  return sequence->count < STEPS;
}

static bool add_group_step(void *context, const struct wb_group_step *step)
{
  return add_step(context, step->instruction);
}

static bool add_warp_step(void *context, const struct wb_simt_step *step)
{
  return add_step(context, step->instruction);
}

/* Whether the warp ended. */
static bool run(const struct subject *subject, uint64_t seed, struct sequence *sequence)
{
  warpbound_error error = {0};
  sequence->count = 0;
  if (subject->united.groups) {
    const struct wb_group_run_options options = {.seed = seed,
                                                 .step_limit = STEPS,
                                                 .lanes = WB_LANE_LIMIT,
                                                 .policy =
                                                     (enum wb_group_policy)(seed % WB_GROUPS_COUNT),
                                                 .visit = add_group_step,
                                                 .context = sequence};
    struct wb_group_run result = {0};
    return wb_group_run(subject->code, subject->function, &options, &result, &error) ==
               WARPBOUND_OK &&
           result.ended;
  }
  const struct wb_simt_run_options options = {.seed = seed,
                                              .step_limit = STEPS,
                                              .lanes = WB_LANE_LIMIT,
                                              .visit = add_warp_step,
                                              .context = sequence};
  struct wb_simt_run result = {0};
  return wb_simt_run(subject->code, subject->function, &options, &result, &error) == WARPBOUND_OK &&
         result.ended;
}

/* What the warp paid in advance of a node, on the edge from that of the nodes before it which ran
 * last; of several such edges the least. ran: by node, the step at which it ran last, plus 1. */
static uint64_t advance_of(const struct subject *subject, const size_t *ran, uint32_t node)
{
  size_t newest = 0;
  uint64_t least = 0;
  for (size_t e = 0; e < subject->flow.edge_count; e++) {
    const size_t when = ran[subject->from[e]];
    const uint64_t advance = subject->times.advance[e];
    if (subject->to[e] != node || when == 0 || when < newest)
      continue;
    least = when > newest || advance < least ? advance : least;
    newest = when;
  }
  return least;
}

static void compare(const struct subject *subject, uint64_t seed, struct tally *tally)
{
  static struct sequence sequence;
  const bool ended = run(subject, seed, &sequence);
  uint64_t bound = ended ? subject->times.end : 0;
  size_t *ran = wb_allocate(subject->flow.node_count, sizeof *ran);
  for (size_t s = 0; s < sequence.count; s++) {
    const uint32_t node = subject->node_at[sequence.steps[s].instruction];
    if (node != UINT32_MAX) {
      assert_true(subject->times.reached[node]);
      bound += subject->times.cycles[node] + advance_of(subject, ran, node);
      ran[node] = s + 1;
    }
  }
  free(ran);
  const uint64_t chain = longest_chain(&subject->timed, subject->times.denominator, sequence.steps,
                                       NULL, sequence.count, ended);
  if (chain > bound)
    fail_msg("%s: %s, seed %" PRIu64 ": a chain of %" PRIu64 " is above %" PRIu64,
             subject->code->name, subject->function->name, seed, chain, bound);
  tally->runs++;
  tally->ended += ended;
  tally->instructions += sequence.count;
  tally->chain += (double)chain / (double)subject->times.denominator;
  tally->bound += (double)bound / (double)subject->times.denominator;
}

static void try_listing(const char *path, struct tally *tally)
{
  struct wb_input source;
  struct wb_code code;
  warpbound_error error = {0};
  if (wb_input_read(path, &source, &error) != WARPBOUND_OK)
    fail_msg("%s", error.message);
  const warpbound_status status =
      wb_sass_parse(path, source.bytes, source.length, NULL, &code, &error);
  wb_input_free(&source);
  if (status != WARPBOUND_OK)
    return;
  for (size_t f = 0; f < code.function_count; f++) {
    struct subject subject = {.code = &code, .function = &code.functions[f]};
    if (!subject.function->kernel || subject.function->instruction_count == 0)
      continue;
    tally->functions++;
    if (start(&subject, tally)) {
      const uint64_t seeds = number_from_environment("WARPBOUND_CROSS_SEEDS", DEFAULT_SEEDS);
      for (uint64_t seed = 1; seed <= seeds; seed++)
        compare(&subject, seed, tally);
    } else {
      tally->untimed++;
    }
    end(&subject);
  }
  wb_code_free(&code);
}

static void fixtures(const char *folder, const char *device, size_t least)
{
  struct tally tally = {0};
  warpbound_error error = {0};
  if (wb_device_timing_bundled(device, &tally.device, &error) != WARPBOUND_OK)
    fail_msg("%s", error.message);
  static const char *const kinds[] = {"cuobjdump", "nvdisasm-hex"};
  char pattern[PATH_SIZE];
  for (size_t k = 0; k < 2; k++) {
    glob_t found = {0};
    snprintf(pattern, sizeof pattern, "%s/sass/%s/*/*/*.%s.sass", getenv("WARPBOUND_FIXTURES"),
             folder, kinds[k]);
    if (glob(pattern, 0, NULL, &found) != 0)
      continue;
    for (size_t p = 0; p < found.gl_pathc; p++)
      try_listing(found.gl_pathv[p], &tally);
    globfree(&found);
  }
  print_message("# %s on %s: %zu kernels, %zu without times; %zu runs, %zu to the end, of %.0f "
                "instructions: %.1f cycles of the chain an instruction, bound / chain %.3f\n",
                folder, device, tally.functions, tally.untimed, tally.runs, tally.ended,
                (double)tally.instructions / (double)tally.runs,
                tally.chain / (double)tally.instructions, tally.bound / tally.chain);
  wb_device_timing_free(&tally.device);
  assert_true(tally.functions - tally.untimed >= least);
  assert_true(tally.ended > 0);
}

TEST(pascal_stays_below)
{
  fixtures("sm_61", "gtx-1080", 60);
}

TEST(turing_and_ampere_stay_below)
{
  fixtures("sm_75", "orin-agx", 20);
  fixtures("sm_87", "orin-agx", 5);
}

/* ---- large code ---- */

static double seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Loops within loops, whose scoreboards are pending everywhere. */
TEST(large_code_is_fast)
{
  enum { NODES = 1250, EACH = 8, EDGES = 2 * NODES };
  FREED_BY(wb_timed_code_free) struct wb_timed_code code = {0};
  static uint32_t first[NODES], last[NODES], from[EDGES], to[EDGES];
  const uint32_t start = 0;
  struct wb_timing_graph graph = {.node_count = NODES,
                                  .first = first,
                                  .last = last,
                                  .from = from,
                                  .to = to,
                                  .starts = &start,
                                  .start_count = 1};
  timed_resource(&code, WB_LEVEL_PARTITION, 1, true);
  const uint8_t cache = timed_resource(&code, WB_LEVEL_GPU, 16, false);
  for (uint32_t n = 0; n < NODES; n++) {
    first[n] = (uint32_t)code.instruction_count;
    for (uint32_t i = 0; i < EACH; i++)
      timed_instruction(&code,
                        (struct made_instruction){.stall = 1 + (n + i) % 7,
                                                  .write = (uint8_t)((n + i) % 7),
                                                  .wait_mask = (uint8_t)(1U << (n * 5 + i) % 6),
                                                  .latency = (n * 37 + i * 11) % 400,
                                                  .stages = {{cache, 4, 10, 3}}});
    last[n] = (uint32_t)code.instruction_count - 1;
    if (n + 1 < NODES)
      from[graph.edge_count] = n, to[graph.edge_count++] = n + 1;
    if (n % 4 != 0)
      from[graph.edge_count] = n, to[graph.edge_count++] = n - n % (n % 3 == 0 ? 16 : 4);
  }
  assert_int_equal(code.instruction_count, 10000);
  FREED_BY(wb_warp_times_free) struct wb_warp_times times;
  const double begin = seconds();
  assert_ok(wb_warp_times_find(&code, &graph, &times, NULL));
  const double time = seconds() - begin;
  print_message("# 10000 instructions in %d nodes: %.1f ms\n", (int)NODES, time * 1000);
  assert_true(time < 2); /* far above what it takes, for slow machines and sanitizers */
}

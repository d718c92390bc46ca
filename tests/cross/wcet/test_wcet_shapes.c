/* The shapes of control flow in tests/golden/data/sass/shapes: the most issues of each, derived by
 * hand, is the longest run of the oracle with groups, and the WCET but where the table says that
 * it is above.
 *   WARPBOUND_CROSS_RUNS  least runs of each shape (500 without it); more until the number is
 * reached */
#include "analysis/wcet/wcet.h"
#include "base/file.h"
#include "base/work_control.h"
#include "bounded_listing.h"
#include "cfg/interpreter/groups/group_interpreter.h"
#include "fixtures.h"
#include "formats/flow_facts/flow_facts_file.h"
#include "unit.h"

#include <inttypes.h>

#define DEFAULT_RUNS 500
#define MOST_RUNS 40000 /* a run that parts every lane is rare */
#define STEP_LIMIT 3000
#define LANES 32
#define MOST_LOOPS 4
#define PATH_SIZE 1024

/* A row of the table. The rules under which the number holds. */
struct rule {
  const char *name;
  enum wb_group_reconvergence reconvergence;
  enum wb_scope_waiting waiting;
  bool masks_together;
};

static const struct rule rules[] = {
    {"yield", WB_RECONVERGENCE_YIELD, WB_WAITING_UNLESS_YIELD, false},
    {"apart", WB_RECONVERGENCE_YIELD, WB_WAITING_UNLESS_YIELD, false},
    {"together", WB_RECONVERGENCE_YIELD, WB_WAITING_UNLESS_YIELD, true},
    {"never", WB_RECONVERGENCE_NEVER, WB_WAITING_NEVER, false},
    {"always", WB_RECONVERGENCE_ALWAYS, WB_WAITING_ALWAYS, false},
};

/* Its listing and facts are owned. */
struct shape {
  char name[64];
  const struct rule *rule;
  uint64_t expected; /* instructions issued */
  bool above;        /* the WCET is not that number, but above it */
  struct wb_code code;
  struct wb_flow_facts facts;
};

static void shape_path(char path[PATH_SIZE], const char *name, const char *suffix)
{
  snprintf(path, PATH_SIZE, "%s/tests/golden/data/sass/shapes/%s%s", getenv("WARPBOUND_SOURCE"),
           name, suffix);
}

static const struct rule *find_rule(const char *name)
{
  for (size_t r = 0; r < COUNT_OF(rules); r++)
    if (strcmp(rules[r].name, name) == 0)
      return &rules[r];
  fail_msg("shapes.txt: there is no rule %s", name);
  return NULL;
}

/* Shapes without loops have no file of facts. */
static void read_facts(struct shape *shape)
{
  char path[PATH_SIZE];
  struct wb_input source;
  warpbound_error error = {.message = ""};
  shape->facts = (struct wb_flow_facts){0};
  shape_path(path, shape->name, ".facts");
  if (wb_input_read(path, &source, &error) != WARPBOUND_OK)
    return;
  if (wb_flow_facts_parse(path, source.bytes, source.length, &shape->facts, &error) != WARPBOUND_OK)
    fail_msg("%s:%zu: %s", path, error.line, error.message);
  wb_input_free(&source);
}

/* Compares a number with that of each row of the table. */
static void each_shape(const char *what, uint64_t (*number)(const struct shape *shape))
{
  char path[PATH_SIZE];
  char line[PATH_SIZE];
  size_t count = 0;
  size_t others = 0;
  shape_path(path, "shapes.txt", "");
  FILE *table = fopen(path, "r");
  assert_non_null(table);
  while (fgets(line, sizeof line, table) != NULL) {
    struct shape shape;
    char rule[16];
    char mark = ' ';
    if (line[0] == '#')
      continue;
    if (sscanf(line, "%63s %15s %" SCNu64 "%c", shape.name, rule, &shape.expected, &mark) < 3)
      fail_msg("shapes.txt: not understood: %s", line);
    shape.rule = find_rule(rule);
    shape.above = mark == '+';
    shape_path(path, shape.name, ".sass");
    listing_read(path, &shape.code);
    assert_int_equal(shape.code.function_count, 1);
    read_facts(&shape);
    const uint64_t found = number(&shape);
    others += found != shape.expected;
    if (found != shape.expected)
      print_message("# %s, %s: %s %" PRIu64 ", by hand %" PRIu64 "\n", shape.name, shape.rule->name,
                    what, found, shape.expected);
    wb_flow_facts_free(&shape.facts);
    wb_code_free(&shape.code);
    count++;
  }
  fclose(table);
  print_message("# %zu rows\n", count);
  assert_true(count >= 80);
  assert_int_equal(others, 0);
}

/* A loop with one back edge, whose body stands from its header on. */
struct watched_loop {
  uint32_t header;       /* instruction */
  uint32_t back;         /* instruction */
  uint64_t bound;        /* back edges of a lane for each entry */
  uint64_t backs[LANES]; /* of each lane since it entered */
};

/* Loops and a run of one function. */
struct watch {
  struct watched_loop loops[MOST_LOOPS];
  size_t loop_count;
  bool broken; /* a bound was not kept */
};

static void watch_fact(struct watch *watch, const struct wb_function *function,
                       const struct wb_kernel_facts *facts, const struct wb_flow_fact *fact)
{
  const uint32_t line = facts->places[fact->first_place].source_line;
  assert_int_equal(fact->kind, WB_FACT_LOOP);
  assert_int_equal(fact->place_count, 1);
  assert_true(watch->loop_count < MOST_LOOPS);
  for (uint32_t i = 0; i < function->instruction_count; i++) {
    const struct wb_instruction *instruction = &function->instructions[i];
    if (instruction->source_line != line || instruction->transfer != WB_TRANSFER_BRANCH)
      continue;
    assert_true(function->targets[instruction->first_target] <= i);
    watch->loops[watch->loop_count++] = (struct watched_loop){
        .header = function->targets[instruction->first_target], .back = i, .bound = fact->number};
    return;
  }
  fail_msg("%s: no branch is on line %" PRIu32, function->name, line);
}

/* Of the lanes those that may take the loop's back edge once more. */
static uint32_t lanes_within(const struct watched_loop *loop, uint32_t lanes)
{
  uint32_t within = 0;
  for (uint32_t lane = 0; lane < LANES; lane++)
    if ((lanes >> lane & 1) != 0 && loop->backs[lane] < loop->bound)
      within |= UINT32_C(1) << lane;
  return within;
}

static uint32_t keep_bounds(void *context, uint32_t instruction, uint32_t active, uint32_t proposed)
{
  const struct watch *watch = context;
  (void)active;
  for (size_t l = 0; l < watch->loop_count; l++)
    if (watch->loops[l].back == instruction)
      return lanes_within(&watch->loops[l], proposed);
  return proposed;
}

/* Counts back edges and entries. */
static bool watch_step(void *context, const struct wb_group_step *step)
{
  struct watch *watch = context;
  for (size_t l = 0; l < watch->loop_count; l++) {
    struct watched_loop *loop = &watch->loops[l];
    if (step->instruction == loop->back) {
      watch->broken |= lanes_within(loop, step->doing) != step->doing;
      for (uint32_t lane = 0; lane < LANES; lane++)
        loop->backs[lane] += step->doing >> lane & 1;
    }
    for (size_t r = 0; r < step->result_count; r++)
      if (step->results[r].group.instruction == loop->header && step->instruction < loop->header) {
        uint32_t lanes = step->results[r].group.lanes;
        for (uint32_t lane = 0; lane < LANES; lane++)
          if ((lanes >> lane & 1) != 0)
            loop->backs[lane] = 0;
      }
  }
  return !watch->broken;
}

/* Issues of one run; 0 where a bound was not kept. */
static uint64_t run_once(const struct shape *shape, uint64_t seed)
{
  static const uint32_t biases[] = {0, 128, 32, 224, 0, 64, 192, 16, 240};
  const struct wb_function *function = &shape->code.functions[0];
  struct watch watch;
  warpbound_error error = {.message = ""};
  struct wb_group_run run;
  const struct wb_group_run_options options = {
      .seed = seed,
      .step_limit = STEP_LIMIT,
      .lanes = LANES,
      .bias = biases[seed % (COUNT_OF(biases))],
      .policy = (enum wb_group_policy)(seed % WB_GROUPS_COUNT),
      .reconvergence = shape->rule->reconvergence,
      .masks_together = shape->rule->masks_together,
      .visit = watch_step,
      .decide = keep_bounds,
      .context = &watch,
  };
  const struct wb_kernel_facts *facts = wb_flow_facts_find(&shape->facts, function->name);
  watch = (struct watch){0};
  for (size_t f = 0; facts != NULL && f < facts->fact_count; f++)
    watch_fact(&watch, function, facts, &facts->facts[f]);
  if (wb_group_run(&shape->code, function, &options, &run, &error) != WARPBOUND_OK)
    fail_msg("%s: %s", shape->name, error.message);
  if (watch.broken)
    return 0;
  if (!run.ended || run.unbound > 0)
    fail_msg("%s, seed %" PRIu64 ": %s", shape->name, seed,
             run.ended ? "a barrier register was unbound" : "the run did not end");
  return run.steps;
}

static uint64_t longest_run(const struct shape *shape)
{
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS);
  uint64_t longest = 0;
  for (uint64_t seed = 1; seed <= runs || (longest < shape->expected && seed <= MOST_RUNS);
       seed++) {
    const uint64_t steps = run_once(shape, seed);
    longest = steps > longest ? steps : longest;
  }
  return longest;
}

TEST(longest_runs)
{
  each_shape("longest run", longest_run);
}

static uint64_t wcet_of(const struct shape *shape)
{
  const struct wb_control control = wb_control_start(NULL);
  warpbound_error error = {.message = ""};
  FREED_BY(wb_wcet_free) struct wb_wcet wcet;
  const struct wb_wcet_options options = {
      .simt = {.waiting = shape->rule->waiting,
               .masks_together = shape->rule->masks_together,
               .block = {64, 1, 1}}, /* the oracle's warps have 32 lanes */
      .facts = &shape->facts,
      .default_bound = UINT64_MAX,
  };
  if (wb_wcet_analyse(&shape->code, &shape->code.functions[0], &options, &control, &wcet, &error) !=
      WARPBOUND_OK)
    fail_msg("%s: %s", shape->name, error.message);
  const uint64_t bound = (uint64_t)wcet.ipet.proof.bound;
  return shape->above && bound > shape->expected ? shape->expected : bound;
}

TEST(wcets)
{
  each_shape("WCET", wcet_of);
}

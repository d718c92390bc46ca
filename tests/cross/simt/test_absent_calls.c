/* Code whose ways to instructions that no thread does are cut, against runs of the code as it is,
 * on random programs: a run in which a lane goes a way that is cut does such an instruction, or
 * does not end. WARPBOUND_CROSS_RUNS  programs of each style (400 without it) WARPBOUND_SEED seed
 * of the first program */
#include "cfg/interpreter/groups/group_interpreter.h"
#include "flow/paths/absent_calls.h"
#include "random_group_program.h"
#include "unit.h"

#define DEFAULT_PROGRAMS 400
#define DEFAULT_SEED 20261130
#define RUNS_OF_EACH 24
#define STEP_LIMIT 600

struct watch {
  const struct wb_function *function, *cut;
  const bool *absent;
  struct wb_random random;
  bool met;   /* some lane did an instruction that none does */
  bool left;  /* some lane went a way that is cut */
  bool stays; /* a lane that may choose goes no way that is cut */
};

/* Which of the lanes are to do an instruction, by what is cut; false: nothing is. */
static bool is_cut(const struct watch *watch, uint32_t instruction, uint32_t active,
                   uint32_t *doing)
{
  const struct wb_instruction *before = &watch->function->instructions[instruction];
  const struct wb_instruction *after = &watch->cut->instructions[instruction];
  if (watch->absent[instruction] || before->never || !wb_instruction_conditional(before) ||
      wb_instruction_conditional(after))
    return false;
  *doing = after->never ? 0 : active;
  return true;
}

static bool visit(void *context, const struct wb_group_step *step)
{
  struct watch *watch = context;
  uint32_t doing = 0;
  watch->met = watch->met || (watch->absent[step->instruction] && step->doing != 0);
  watch->left = watch->left ||
                (is_cut(watch, step->instruction, step->active, &doing) && doing != step->doing);
  return true;
}

/* Mostly on the ways that are left, else some go any other way now and then. */
static uint32_t decide(void *context, uint32_t instruction, uint32_t active, uint32_t proposed)
{
  struct watch *watch = context;
  uint32_t doing = 0;
  if (!is_cut(watch, instruction, active, &doing))
    return proposed;
  return watch->stays || wb_random_below(&watch->random, 4) > 0 ? doing : proposed;
}

/* What the trials found. */
struct sums {
  uint64_t programs, refused, cut, ended, kept, met;
};

/* Some instructions that no lane does: those that end lanes, or any. */
static void draw_absent(struct wb_random *random, const struct wb_function *function, bool *absent)
{
  const size_t count = function->instruction_count;
  const bool ends = wb_random_below(random, 2) == 0;
  for (uint64_t n = 1 + wb_random_below(random, 3); n > 0; n--) {
    const size_t i = (size_t)wb_random_below(random, count);
    if (!ends || function->instructions[i].transfer == WB_TRANSFER_EXIT)
      absent[i] = true;
  }
}

static void run_all(const struct wb_code *code, struct watch *watch, bool refused,
                    struct sums *sums)
{
  for (uint64_t s = 0; s < RUNS_OF_EACH; s++) {
    const struct wb_group_run_options options = {
        .seed = wb_random_next(&watch->random),
        .step_limit = STEP_LIMIT,
        .lanes = s % 3 == 0 ? 1 : WB_LANE_LIMIT,
        .policy = (enum wb_group_policy)(s % WB_GROUPS_COUNT),
        .reconvergence = (enum wb_group_reconvergence)(s % 3),
        .visit = visit,
        .decide = refused ? NULL : decide,
        .context = watch};
    struct wb_group_run run;
    watch->met = watch->left = false;
    watch->stays = s % 2 == 0;
    if (wb_group_run(code, watch->function, &options, &run, NULL) != WARPBOUND_OK || !run.ended)
      continue;
    sums->ended++;
    sums->met += watch->met;
    sums->kept += !watch->met && !refused;
    if (!watch->met && (watch->left || refused))
      fail_msg("a run goes a way that is cut and does nothing that no thread does");
  }
}

static void try_program(uint64_t seed, enum group_style style, struct sums *sums)
{
  struct wb_random random = {seed};
  struct random_program program =
      group_program_random(&random, 5 + (size_t)wb_random_below(&random, 40), style);
  FREED_BY(wb_code_free) struct wb_code code;
  FREED_BY(wb_arena_free) struct wb_arena arena = {0};
  group_program_lower(&program, &code);
  const struct wb_function *function = &code.functions[0];
  bool *absent = wb_arena_array(&arena, bool, function->instruction_count);
  bool *left = wb_arena_array(&arena, bool, function->instruction_count);
  draw_absent(&random, function, absent);
  struct watch watch = {.function = function, .cut = function, .absent = absent, .random = random};
  const warpbound_status status =
      wb_absent_calls_cut(function, absent, &arena, &watch.cut, left, NULL);
  assert_true(status == WARPBOUND_OK || status == WARPBOUND_INVALID_INPUT);
  for (uint32_t i = 0; i < function->instruction_count; i++) {
    uint32_t doing = 0;
    sums->cut += is_cut(&watch, i, 1, &doing);
    assert_true(!left[i] || (absent[i] && status == WARPBOUND_OK));
  }
  sums->programs++;
  sums->refused += status != WARPBOUND_OK;
  run_all(&code, &watch, status != WARPBOUND_OK, sums);
  program_free(&program);
}

static void try_all(enum group_style style)
{
  const uint64_t count = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_PROGRAMS);
  const uint64_t first = number_from_environment("WARPBOUND_SEED", DEFAULT_SEED);
  struct sums sums = {0};
  for (uint64_t i = 0; i < count; i++)
    try_program(first + i, style, &sums);
  printf(
      "# %llu programs, %llu whose start leads there; %llu ways cut; %llu runs that end, of which "
      "%llu keep to the ways left, %llu do what no thread does\n",
      (unsigned long long)sums.programs, (unsigned long long)sums.refused,
      (unsigned long long)sums.cut, (unsigned long long)sums.ended, (unsigned long long)sums.kept,
      (unsigned long long)sums.met);
  assert_true(sums.refused * 2 < sums.programs);
  assert_true(sums.cut * 20 > count);
  assert_true(sums.kept > count && sums.met > count);
}

TEST(compiled_programs)
{
  try_all(GROUP_COMPILED);
}

TEST(wild_programs)
{
  try_all(GROUP_WILD);
}

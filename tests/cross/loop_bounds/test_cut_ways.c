/* Code of which the ways to calls that no thread makes are cut, and what is known of threads that
 * go the other ways: random programs of counting loops with tests that lead to such calls. Threads
 * run by the real meaning of the instructions until they go a way that is cut: until then no bound
 * is exceeded, none comes to, or does, what none is said to; and none goes a way that is cut where
 * all are said to keep the other one, nor any where no call is said to be come to.
 *   WARPBOUND_CROSS_RUNS programs (400 without it), WARPBOUND_SEED */
#include "base/arena.h"
#include "base/text.h"
#include "bound_watch.h"
#include "flow/paths/absent_calls.h"
#include "flow/paths/dead_instructions.h"
#include "random_counters.h"
#include "unit.h"
#include "volta_dialect.h"

#define DEFAULT_RUNS 400
#define THREADS 8
#define MOST_EDGES 400
#define MOST_TESTS 4

struct totals {
  size_t programs;
  size_t cut;      /* ways that are cut */
  size_t kept;     /* of those, which no thread is said to go */
  size_t left;     /* which some thread went */
  size_t settled;  /* programs in which no call is said to be come to */
  size_t bounded;  /* loops with a bound */
  size_t reached;  /* of those, reached by a thread */
  size_t narrowed; /* loops that have a bound, or a less one, by what the other ways say */
  size_t ended;    /* runs that went no way that is cut */
};

/* Puts a line before another one, unless there is no room. */
static bool insert(struct counters_program *program, size_t at, const char *line)
{
  if (program->count + 1 >= COUNTERS_MOST)
    return false;
  memmove(program->text[at + 1], program->text[at], (program->count - at) * sizeof *program->text);
  snprintf(program->text[at], COUNTERS_WIDTH, "%s", line);
  program->count++;
  return true;
}

/* Tests behind comparisons that lead to a call: by a branch to it, past it, an end before it, or
 * its guard. The calls are instructions that do nothing, with a text of their own. */
static void write_tests(struct wb_random *random, struct counters_program *program)
{
  char line[COUNTERS_WIDTH];
  size_t tests = 0;
  for (size_t i = 0; i < program->count && tests < MOST_TESTS; i++) {
    unsigned number;
    if (sscanf(program->text[i], "ISETP%*s P%u,", &number) != 1 || number > 6 ||
        wb_random_below(random, 3) != 0)
      continue;
    const char *negated = wb_random_below(random, 2) == 0 ? "!" : "";
    tests++;
    switch (wb_random_below(random, 4)) {
    case 0:
      snprintf(line, sizeof line, "@%sP%u NOP", negated, number);
      insert(program, i + 1, line);
      break;
    case 1:
      snprintf(line, sizeof line, "good%zu:", tests);
      insert(program, i + 1, line);
      insert(program, i + 1, "NOP");
      snprintf(line, sizeof line, "@%sP%u BRA good%zu", negated, number, tests);
      insert(program, i + 1, line);
      break;
    default:
      snprintf(line, sizeof line, "@%sP%u BRA bad", negated, number);
      insert(program, i + 1, line);
    }
  }
  insert(program, program->count, "EXIT");
  insert(program, program->count, "bad:");
  insert(program, program->count, "MOV R20, RZ");
  insert(program, program->count, "NOP");
  for (size_t i = 0; i < program->count; i++)
    program->lines[i] = program->text[i];
  program->lines[program->count] = NULL;
}

/* Loops of both graphs, by the address of the header: what the tests tell. */
static size_t count_narrowed(const struct bounded_function *cut,
                             const struct bounded_function *plain)
{
  size_t narrowed = 0;
  for (size_t l = 0; l < cut->forest.loop_count; l++) {
    const struct wb_found_bound *found = &cut->found[l];
    for (size_t k = 0; k < plain->forest.loop_count && found->found; k++) {
      const struct wb_found_bound *other = &plain->found[k];
      if (bounded_header(cut, l)->address == bounded_header(plain, k)->address)
        narrowed += !other->found || other->bound > found->bound;
    }
  }
  return narrowed;
}

/* The function as a compiler would have made it without the tests. */
static void forget_tests(const struct wb_function *cut, struct wb_function *plain)
{
  *plain = *cut;
  plain->uncut = NULL;
}

static void try_program(uint64_t seed, bool volta, struct totals *totals)
{
  static struct counters_program program; /* large */
  static struct counters_program translated;
  struct wb_random random = {seed};
  FREED_BY(wb_code_free) struct wb_code code;
  FREED_BY(wb_arena_free) struct wb_arena arena = {0};
  FREED_BY(bounded_free) struct bounded_function bounded;
  FREED_BY(bounded_free) struct bounded_function without;
  struct wb_parameter_value words[THREAD_PARAMETERS];
  FREED_BY(bound_watch_free) struct bound_watch watch;
  FREED_BY(wb_text_free) struct wb_text text = {0};
  bool absent[COUNTERS_MOST + 1] = {false}, ends[COUNTERS_MOST + 1] = {false};
  bool dead[COUNTERS_MOST + 1] = {false}, idle[COUNTERS_MOST + 1] = {false};
  bool kept[COUNTERS_MOST + 1] = {false}, reached[COUNTERS_MOST + 1] = {false};
  bool left[COUNTERS_MOST + 1];
  warpbound_error error;
  counters_random(&random, &program);
  write_tests(&random, &program);
  if (volta) {
    counters_to_volta(&program, &random, &translated);
    program = translated;
  }
  wb_text_format(&text, "WARPBOUND_SEED=%llu WARPBOUND_CROSS_RUNS=1\n", (unsigned long long)seed);
  for (size_t i = 0; i < program.count; i++)
    wb_text_format(&text, "%s\n", program.lines[i]);
  assert_false(text.failed);
  listing_make_for(volta ? 87 : 52, program.lines, &code);
  const struct wb_function *function = &code.functions[0];
  assert_in_range(function->instruction_count, 1, COUNTERS_MOST + 1);
  for (size_t i = 0; i < function->instruction_count; i++)
    absent[i] = strcmp(function->instructions[i].opcode, "NOP") == 0;
  const struct wb_function *cut = NULL;
  if (wb_absent_calls_cut(function, absent, &arena, &cut, ends, &error) != WARPBOUND_OK)
    return;
  totals->programs++;
  struct thread_launch launch = random_launch(&random);
  struct wb_launch known = known_launch(&random, &launch, words);
  struct wb_function plain;
  forget_tests(cut, &plain);
  assert_true(bounded_make(&code, cut, &known, &bounded));
  assert_true(bounded_make(&code, &plain, &known, &without));
  assert_ok(wb_dead_instructions_find(bounded.graph, &bounded.forest, &known, dead, idle, &error));
  assert_ok(wb_kept_ways_find(bounded.graph, &bounded.forest, &known, kept, &error));
  assert_ok(wb_absent_calls_reached(cut, absent, kept, reached, &error));
  launch.dead = dead;
  launch.idle = idle;
  launch.left = left;
  launch.absent = ends;
  bool any = false;
  for (size_t i = 0; i < cut->instruction_count; i++) {
    any |= reached[i];
    totals->cut += wb_instruction_is_cut(cut, (uint32_t)i);
    totals->kept += wb_instruction_is_cut(cut, (uint32_t)i) && kept[i];
  }
  totals->settled += !any;
  totals->narrowed += count_narrowed(&bounded, &without);
  bound_watch_start(&watch, &bounded);
  for (int t = 0; t < THREADS; t++) {
    bool ended = true;
    memset(left, 0, sizeof left);
    random_thread(&random, &launch);
    bound_watch_run(&watch, &launch, wb_random_next(&random), MOST_EDGES, text.data);
    for (size_t i = 0; i < cut->instruction_count; i++) {
      ended &= !left[i];
      totals->left += left[i];
      if (left[i] && kept[i])
        fail_msg("%s: a thread goes a way at 0x%04x that none is said to go", text.data,
                 (unsigned)cut->instructions[i].address);
      if (left[i] && !any)
        fail_msg("%s: a thread goes to a call that none is said to come to", text.data);
    }
    totals->ended += ended;
  }
  for (size_t l = 0; l < bounded.forest.loop_count; l++) {
    const struct wb_found_bound *found = &bounded.found[l];
    totals->bounded += found->found && found->bound > 0;
    totals->reached += found->found && found->bound > 0 && found->bound == watch.greatest[l];
  }
}

static void try_programs(bool volta)
{
  const uint64_t seed = number_from_environment("WARPBOUND_SEED", 1);
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS);
  struct totals totals = {0};
  for (uint64_t n = 0; n < runs; n++)
    try_program(seed + n, volta, &totals);
  printf("# seeds %llu to %llu: %zu programs, %zu ways cut, %zu of them kept by all, %zu times one "
         "was gone; %zu programs in which no call is come to; %zu loops bounded, %zu of them "
         "reached, %zu by what the tests say; %zu runs without such a call\n",
         (unsigned long long)seed, (unsigned long long)(seed + runs - 1), totals.programs,
         totals.cut, totals.kept, totals.left, totals.settled, totals.bounded, totals.reached,
         totals.narrowed, totals.ended);
  if (runs >= DEFAULT_RUNS) {
    assert_true(totals.programs * 2 > runs && totals.cut > totals.programs / 2);
    assert_true(totals.kept > 0 && totals.left > 0 && totals.settled > 0 && totals.ended > 0);
    assert_true(totals.narrowed > 0 && totals.reached * 4 > totals.bounded);
  }
}

/* Two tests of one predicate in the idiom of a division, of which no symbol is followed: that both
 * ways were taken to be of one word made a loop that may go on for ever one without back edges. */
TEST(tests_of_one_predicate)
{
  struct totals totals = {0};
  try_program(1011584, false, &totals);
  try_program(1011584, true, &totals);
}

TEST(no_thread_exceeds)
{
  try_programs(false);
}

TEST(no_thread_exceeds_from_volta_on)
{
  try_programs(true);
}

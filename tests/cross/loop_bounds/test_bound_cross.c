/* Bounds that random programs of counting loops show are never exceeded by a thread with the real
 * meaning of integer instructions, no thread leaves a loop before it has taken the back edges that
 * the code is said to show at least, and none comes to, or does, what none is said to.
 *   WARPBOUND_CROSS_RUNS programs (400 without it), WARPBOUND_SEED */
#include "base/text.h"
#include "bound_watch.h"
#include "flow/paths/dead_instructions.h"
#include "isa/integer_results.h"
#include "isa/opcode.h"
#include "random_counters.h"
#include "unit.h"
#include "volta_dialect.h"

#define DEFAULT_RUNS 400
#define THREADS 8
#define MOST_EDGES 400

struct totals {
  size_t loops;
  size_t bounded;
  size_t reached;
  size_t none;
  size_t least;           /* of which back edges are shown that every thread takes */
  size_t lowest;          /* of those, left by a thread after just so many */
  size_t exact;           /* of those, with that number as the bound too */
  size_t far;             /* of those, with another bound, or none */
  size_t loaded;          /* bounded by what loads are assumed to give alone, or others */
  size_t written;         /* of those, where others than loads are assumed to give something */
  size_t wide;            /* bounded and reached, by a counter of two registers */
  size_t ranked;          /* bounded by what shrinks in each iteration */
  size_t ranked_reached;  /* of those, reached by a thread */
  size_t summed;          /* with a sum over the iterations of the loop around */
  size_t sums_reached;    /* of those, reached by a thread */
  size_t bits;            /* over set bits */
  size_t of_sums;         /* bounded by a counter that is a sum of registers, or less one */
  size_t of_sums_reached; /* of those, reached by a thread */
  size_t rests;           /* bounded by a number less a counter */
  size_t rests_reached;   /* of those, reached by a thread */
  size_t dead;            /* instructions that no thread comes to */
  size_t idle;            /* others that none does */
};

/* A number of a range: mostly small, else any of the width. */
static int64_t random_end(struct wb_random *random, uint8_t bytes)
{
  if (wb_random_below(random, 8) == 0)
    return bytes == 8 ? (int64_t)wb_random_next(random) : (int32_t)wb_random_next(random);
  return (int64_t)wb_random_below(random, 40) - (wb_random_below(random, 3) == 0 ? 20 : 0);
}

/* Ranges for some loads of a function, of all widths, and for some other instructions that write
 * integers; *others: how many of these. */
static size_t random_ranges(struct wb_random *random, const struct wb_function *function,
                            struct wb_load_range ranges[COUNTERS_MOST], size_t *others)
{
  size_t count = 0;
  *others = 0;
  for (uint32_t i = 0; i < function->instruction_count; i++) {
    const struct wb_instruction *it = &function->instructions[i];
    const bool loads = wb_instruction_loads(it);
    struct wb_integer_result result;
    /* What the thread itself stored is no one's to assume, nor what the steps of a division give,
     * nor a mask of lanes of which a predicate tells: a run in which they give something else is
     * none. */
    const bool tells = strncmp(it->opcode, "VOTE", 4) == 0 && strstr(it->operands, " PT,") == NULL;
    if (tells ||
        !(loads
              ? strncmp(it->opcode, "LDL", 3) != 0
              : wb_instruction_gives_integer(function, it, &result) &&
                    (strncmp(it->opcode, "F2I", 3) != 0 || strstr(it->operands, "R250") != NULL)) ||
        wb_random_below(random, 4) == 0)
      continue;
    const uint8_t bytes = loads ? wb_access_bytes(it) : result.bytes;
    const int64_t ends[2] = {random_end(random, bytes), random_end(random, bytes)};
    *others += !loads;
    ranges[count++] = (struct wb_load_range){
        .instruction = i,
        .number = loads ? function->spans[it->first_write].first : result.number,
        .bytes = bytes,
        .least = ends[0] < ends[1] ? ends[0] : ends[1],
        .most = ends[0] < ends[1] ? ends[1] : ends[0]};
  }
  return count;
}

/* An instruction that gives a register a number which the code does not tell, for the line of one
 * that gives it a number. */
static void write_source(struct wb_random *random, bool volta, unsigned to,
                         char line[COUNTERS_WIDTH])
{
  static const char *const types[] = {"", "", ".U8", ".S8", ".U16", ".S16"};
  static const char *const guards[] = {"", "", "", "@P1 ", "@!P2 "};
  const char *guard = guards[wb_random_below(random, sizeof guards / sizeof *guards)];
  static const char *const votes[] = {"ALL", "ALL", "ANY", "EQ"};
  switch (wb_random_below(random, 13)) {
  case 8:
    snprintf(line, COUNTERS_WIDTH,
             volta ? "%sATOMG.E.ADD.STRONG.GPU PT, R%u, [R8], R250"
                   : "%sATOM.E.ADD R%u, [R8], R250",
             guard, to);
    break;
  case 9:
    snprintf(line, COUNTERS_WIDTH, "%sLDC R%u, c[0x3][R250]", guard, to);
    break;
  case 10:
    snprintf(line, COUNTERS_WIDTH, volta ? "%sMATCH.ANY R%u, R250" : "%sVOTE.ANY R%u, PT, P3",
             guard, to);
    break;
  case 11:
  case 12:
    snprintf(line, COUNTERS_WIDTH, "%sVOTE.%s R%u, P%u, %sP%u", guard,
             votes[wb_random_below(random, sizeof votes / sizeof *votes)], to,
             (unsigned)wb_random_below(random, 4), wb_random_below(random, 2) == 0 ? "!" : "",
             (unsigned)wb_random_below(random, 4));
    break;
  case 0:
    snprintf(line, COUNTERS_WIDTH, "%sF2I.FTZ.U32.F32.TRUNC R%u, R250", guard, to);
    break;
  case 1:
    snprintf(line, COUNTERS_WIDTH, "%sF2I.S64.F64.FLOOR R%u, R250", guard, to);
    break;
  case 2:
    snprintf(line, COUNTERS_WIDTH, "%sS2R R%u, SR_CLOCKLO", guard, to);
    break;
  case 3:
    snprintf(line, COUNTERS_WIDTH, "%sSHFL.BFLY PT, R%u, R250, 0x1, 0x1f", guard, to);
    break;
  default:
    snprintf(line, COUNTERS_WIDTH, "LDG.E%s R%u, [R8]",
             types[wb_random_below(random, sizeof types / sizeof *types)], to);
  }
}

/* Some numbers are moved by way of a uniform register that reads a clock, or a sum of the warp's
 * lanes. */
static void write_uniform_sources(struct wb_random *random, struct counters_program *program)
{
  for (size_t i = 0; i < program->count && program->count + 1 < COUNTERS_MOST; i++) {
    unsigned to;
    if (sscanf(program->text[i], "MOV R%u, 0x", &to) != 1 ||
        strstr(program->text[i], ", 0x") == NULL || wb_random_below(random, 10) != 0)
      continue;
    memmove(program->text[i + 1], program->text[i], (program->count - i) * sizeof *program->text);
    program->count++;
    snprintf(program->text[i], COUNTERS_WIDTH,
             wb_random_below(random, 2) == 0 ? "%sS2UR UR4, SR_CLOCKLO" : "%sREDUX.SUM UR4, R250",
             wb_random_below(random, 4) == 0 ? "@P1 " : "");
    snprintf(program->text[++i], COUNTERS_WIDTH, "MOV R%u, UR4", to);
  }
  for (size_t i = 0; i < program->count; i++)
    program->lines[i] = program->text[i];
  program->lines[program->count] = NULL;
}

/* Some numbers take the place of a vote's mask where a predicate says so that tells of the mask. */
static void write_votes(struct wb_random *random, struct counters_program *program)
{
  static const char *const kinds[] = {"ALL", "ALL", "ANY", "EQ"};
  for (size_t i = 0; i < program->count && program->count + 1 < COUNTERS_LINES; i++) {
    unsigned to, number;
    if (sscanf(program->text[i], "MOV32I R%u, 0x%x", &to, &number) != 2 ||
        wb_random_below(random, 12) != 0)
      continue;
    memmove(program->text[i + 1], program->text[i], (program->count - i) * sizeof *program->text);
    program->count++;
    const unsigned told = (unsigned)wb_random_below(random, 4);
    snprintf(program->text[i], COUNTERS_WIDTH, "VOTE.%s R%u, P%u, P%u",
             kinds[wb_random_below(random, sizeof kinds / sizeof *kinds)], to, told,
             (unsigned)wb_random_below(random, 4));
    snprintf(program->text[++i], COUNTERS_WIDTH, "@%sP%u MOV32I R%u, 0x%x",
             wb_random_below(random, 2) == 0 ? "!" : "", told, to, number);
  }
  for (size_t i = 0; i < program->count; i++)
    program->lines[i] = program->text[i];
  program->lines[program->count] = NULL;
}

static void try_program(uint64_t seed, bool volta, struct totals *totals)
{
  static struct counters_program program; /* large */
  static struct counters_program translated;
  struct wb_random random = {seed};
  FREED_BY(wb_code_free) struct wb_code code;
  FREED_BY(bounded_free) struct bounded_function bounded;
  struct wb_parameter_value words[THREAD_PARAMETERS];
  FREED_BY(bound_watch_free) struct bound_watch watch;
  FREED_BY(wb_text_free) struct wb_text text = {0};
  counters_random(&random, &program);
  /* Some numbers are loaded instead, or come from elsewhere. */
  for (size_t i = 0; i < program.count; i++) {
    unsigned to;
    if ((sscanf(program.text[i], "MOV32I R%u", &to) == 1 ||
         sscanf(program.text[i], "MOV R%u, c", &to) == 1) &&
        strchr(program.text[i], 'x') != NULL && wb_random_below(&random, 3) == 0)
      write_source(&random, volta, to, program.text[i]);
  }
  write_votes(&random, &program);
  if (volta) {
    counters_to_volta(&program, &random, &translated);
    program = translated;
    write_uniform_sources(&random, &program);
  }
  wb_text_format(&text, "WARPBOUND_SEED=%llu WARPBOUND_CROSS_RUNS=1\n", (unsigned long long)seed);
  for (size_t i = 0; i < program.count; i++)
    wb_text_format(&text, "%s\n", program.lines[i]);
  assert_false(text.failed);
  listing_make_for(volta ? 87 : 52, program.lines, &code);
  struct thread_launch launch = random_launch(&random);
  struct wb_launch known = known_launch(&random, &launch, words);
  FREED_BY(bounded_free) struct bounded_function unassumed;
  struct wb_load_range loads[COUNTERS_MOST];
  assert_true(bounded_make(&code, &code.functions[0], &known, &unassumed));
  launch.loads = known.loads = loads;
  size_t others;
  launch.load_count = known.load_count = random_ranges(&random, &code.functions[0], loads, &others);
  assert_true(bounded_make(&code, &code.functions[0], &known, &bounded));
  bool dead[COUNTERS_MOST + 1] = {false};
  bool idle[COUNTERS_MOST + 1] = {false};
  warpbound_error error;
  assert_in_range(code.functions[0].instruction_count, 1, COUNTERS_MOST + 1);
  assert_ok(wb_dead_instructions_find(bounded.graph, &bounded.forest, &known, dead, idle, &error));
  launch.dead = dead;
  launch.idle = idle;
  for (size_t i = 0; i < code.functions[0].instruction_count; i++) {
    totals->dead += dead[i];
    totals->idle += idle[i] && !dead[i];
  }
  bound_watch_start(&watch, &bounded);
  for (int t = 0; t < THREADS; t++) {
    random_thread(&random, &launch);
    bound_watch_run(&watch, &launch, wb_random_next(&random), MOST_EDGES, text.data);
  }
  totals->loops += bounded.forest.loop_count;
  for (size_t l = 0; l < bounded.forest.loop_count; l++) {
    const struct wb_found_bound *found = &bounded.found[l];
    const bool reached = found->found && found->bound == watch.greatest[l];
    /* Loops that no thread enters, or leaves at once, show little. */
    totals->none += found->found && found->bound == 0;
    totals->bounded += found->found && found->bound > 0;
    totals->loaded += found->found && !found->by_width && !unassumed.found[l].found;
    totals->written += found->found && !found->by_width && !unassumed.found[l].found && others > 0;
    totals->reached += reached && found->bound > 0;
    const bool lowest = found->least > 0 && found->least == watch.fewest[l];
    const bool exact = found->found && found->bound == found->least;
    totals->least += found->least > 0;
    totals->lowest += lowest;
    totals->exact += lowest && exact;
    totals->far += lowest && !exact;
    const bool ranked = found->found && strstr(found->reason, "in each iteration:") != NULL;
    totals->summed += found->summed;
    totals->sums_reached += found->summed && found->sum == watch.largest[l];
    totals->bits += found->found && strstr(found->reason, "clears a bit") != NULL;
    const char *starts = found->found ? strstr(found->reason, " starts at ") : NULL;
    const char *plus = starts != NULL ? strstr(found->reason, " + R") : NULL;
    const bool less = starts != NULL && *found->reason == '-';
    totals->of_sums += plus != NULL && plus < starts;
    totals->of_sums_reached += plus != NULL && plus < starts && reached;
    totals->rests += less && found->bound > 0;
    totals->rests_reached += less && found->bound > 0 && reached;
    totals->ranked += ranked && found->bound > 0;
    totals->ranked_reached += ranked && reached && found->bound > 0;
    totals->wide += reached && found->bound > 0 && strstr(found->reason, ":R") != NULL;
  }
}

static void try_programs(bool volta)
{
  const uint64_t seed = number_from_environment("WARPBOUND_SEED", 1);
  const uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS);
  struct totals totals = {0};
  for (uint64_t n = 0; n < runs; n++)
    try_program(seed + n, volta, &totals);
  printf(
      "# seeds %llu to %llu: %zu loops, %zu bounded, %zu of them reached by a thread, %zu by one "
      "with a counter of 64 bits; %zu without back edges; %zu with a least number, %zu left after "
      "just so many: %zu with that as the bound, %zu without; %zu bounded by loads and the like "
      "alone, %zu with others "
      "than loads; %zu by what shrinks, %zu of them reached; %zu with a sum, %zu of them reached; "
      "%zu over set bits; "
      "%zu by a sum of registers, %zu of them reached; %zu by what is left, %zu of them reached; "
      "%zu instructions that no thread "
      "comes to, %zu others that none does\n",
      (unsigned long long)seed, (unsigned long long)(seed + runs - 1), totals.loops, totals.bounded,
      totals.reached, totals.wide, totals.none, totals.least, totals.lowest, totals.exact,
      totals.far, totals.loaded, totals.written, totals.ranked, totals.ranked_reached,
      totals.summed, totals.sums_reached, totals.bits, totals.of_sums, totals.of_sums_reached,
      totals.rests, totals.rests_reached, totals.dead, totals.idle);
  if (runs >= DEFAULT_RUNS) {
    assert_true(totals.bounded * 10 > totals.loops);
    assert_true(totals.reached * 4 > totals.bounded);
    assert_true(totals.of_sums_reached > 0 || runs < 4 * DEFAULT_RUNS); /* as are these */
    assert_true(totals.rests_reached > 0 || runs < 4 * DEFAULT_RUNS);
    assert_true(totals.wide > 0 || runs < 4 * DEFAULT_RUNS); /* these are few */
    assert_true(totals.loaded * 100 > totals.bounded && totals.written * 100 > totals.bounded);
    assert_true(totals.summed > 0 && totals.sums_reached * 4 > totals.summed);
    assert_true(totals.lowest * 4 > totals.least);
    assert_true(totals.exact > 0 && totals.far > 0);
    assert_true(totals.dead > 0 && totals.idle > 0);
  }
}

TEST(no_thread_exceeds)
{
  try_programs(false);
}

TEST(no_thread_exceeds_from_volta_on)
{
  try_programs(true);
}

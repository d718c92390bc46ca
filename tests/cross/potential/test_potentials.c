/* The checker of potentials against a second enumeration of the moves, and what it
 * accepts against the worst case by its definition.
 *   WARPBOUND_CROSS_RUNS  50 times the number of instances (20000)
 *   WARPBOUND_SEED        seed of the first one */
#include "both_checkers.h"
#include "reference_potential.h"
#include "unit.h"

#define RUNS_PER_INSTANCE 50
#define DESCENTS 60
#define SPOILS 40
#define GAIN 12
#define WORK_LIMIT UINT64_C(100000000)

/* What one instance is tested with. exact: T(W). The others count, over all
 * instances, claims accepted and refused, bounds that end at T(W), numbers of warps for
 * which a line was compared. */
struct trial {
  struct instance instance;
  struct reference_potential potential;
  uint32_t exact;
  uint64_t accepted;
  uint64_t refused;
  uint64_t tight;
  uint64_t lines;
};

static _Noreturn void complain(const struct trial *trial, const char *what, const char *message)
{
  char command[256];
  instance_command(&trial->instance, command, sizeof command);
  const struct reference_potential *potential = &trial->potential;
  for (size_t p = 0; p < potential->pool_count; p++)
    fprintf(stderr, "# pool %c: K %u, B %u\n", potential->pools[p].type, potential->pools[p].warps,
            potential->pools[p].work);
  fail_msg("%s: %s (%s)", command, what, message);
  abort();
}

static int64_t divide_down(int64_t a, int64_t b)
{
  return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/* Whether the claim holds by the moves as written down. */
static bool holds(const struct reference_potential *potential, uint64_t cycles)
{
  int64_t bound = divide_down(reference_total(potential), GAIN);
  if (bound < (int64_t)strlen(potential->instance->letters) || bound > (int64_t)cycles)
    return false;
  for (size_t m = 0; m < potential->move_count; m++) {
    if (reference_gain(potential, &potential->moves[m]) < GAIN)
      return false;
  }
  return true;
}

/* Both sides judge alike, and what is accepted is true. */
static void compare(struct trial *trial, uint64_t cycles)
{
  struct wb_check_potential_claim claim = reference_claim(&trial->potential, GAIN, cycles);
  struct wb_check_potential_verdict proof = {0};
  warpbound_error error = {0};
  warpbound_status status = wb_check_potential(&claim, WORK_LIMIT, &proof, &error);
  if (status != WARPBOUND_OK && status != WARPBOUND_CHECK_FAILED)
    complain(trial, "neither accepted nor refused", error.message);
  bool expected = holds(&trial->potential, cycles);
  if (expected != (status == WARPBOUND_OK))
    complain(trial, expected ? "refused although it holds" : "accepted although it does not hold",
             error.message);
  trial->accepted += expected;
  trial->refused += !expected;
  if (!expected)
    return;
  if ((int64_t)proof.cycles != divide_down(reference_total(&trial->potential), GAIN))
    complain(trial, "another bound", "");
  if (proof.cycles < trial->exact)
    complain(trial, "a bound below the makespan", "");
}

/* Where the start is that of every larger number of warps, the line holds for some of
 * these too; where it is not, it is refused. */
static void check_line(struct trial *trial)
{
  struct reference_potential *potential = &trial->potential;
  struct wb_check_potential_claim claim = reference_claim(potential, GAIN, UINT32_MAX);
  struct wb_check_potential_verdict proof;
  warpbound_error error = {0};
  claim.from_warps = trial->instance.warps;
  warpbound_status status = wb_check_potential(&claim, WORK_LIMIT, &proof, &error);
  const struct wb_check_potential_state *start = &potential->states[0];
  bool common =
      start->warps[0] == potential->pools[0].warps && start->work[0] == potential->pools[0].work;
  if (common != (status == WARPBOUND_OK))
    complain(trial, common ? "the line is refused" : "a line without a common start",
             error.message);
  struct brute_machine machine = instance_machine(&trial->instance);
  for (uint32_t warps = trial->instance.warps; common && warps < trial->instance.warps + 3;
       warps++) {
    uint32_t exact;
    if (brute_makespan(&machine, warps, BRUTE_STATE_LIMIT, &exact) &&
        divide_down(proof.slope * warps + proof.offset, GAIN) < exact)
      complain(trial, "the line is below the makespan of more warps", "");
    trial->lines++;
  }
}

static bool draw_trial(struct trial *trial, struct wb_random *random)
{
  do
    trial->instance = instance_random(random);
  while (strlen(trial->instance.letters) > 6);
  trial->instance.warps = 1 + (uint32_t)wb_random_below(random, 4);
  struct brute_machine machine = instance_machine(&trial->instance);
  if (!brute_makespan(&machine, trial->instance.warps, BRUTE_STATE_LIMIT, &trial->exact))
    return false;
  /* Pools with limits a little above the least, with work kept or not. */
  uint32_t above[WB_CHECK_POTENTIAL_POOLS];
  uint32_t work[WB_CHECK_POTENTIAL_POOLS];
  for (size_t p = 0; p < WB_CHECK_POTENTIAL_POOLS; p++) {
    above[p] = (uint32_t)wb_random_below(random, 3);
    work[p] = wb_random_below(random, 2) == 0 ? 0 : 1 + (uint32_t)wb_random_below(random, 6);
  }
  return reference_potential_make(&trial->instance, above, work, &trial->potential);
}

static int64_t random_change(struct wb_random *random)
{
  static const int64_t changes[] = {-12, -6, -4, -3, -2, -1, 1, 2, 3, 4, 6, 12};
  return changes[wb_random_below(random, COUNT_OF(changes))];
}

/* From the serial potential, in which every step is worth a cycle, to ever lower
 * totals: two values are changed at random, and kept where state offsets exist under which
 * the total has not grown. The checker has to accept each on the way. */
static void descend(struct trial *trial, struct wb_random *random)
{
  struct reference_potential *potential = &trial->potential;
  for (size_t k = 0; k < potential->first[4]; k++)
    potential->steps[k].value = GAIN;
  if (!reference_offsets(potential, GAIN))
    complain(trial, "the serial potential has no heights", "");
  int64_t best = reference_total(potential);
  compare(trial, UINT32_MAX);
  for (int i = 0; i < DESCENTS; i++) {
    struct wb_check_potential_value kept[REFERENCE_STEPS];
    memcpy(kept, potential->steps, sizeof kept);
    for (int change = 0; change < 2; change++)
      potential->steps[wb_random_below(random, potential->first[4])].value += random_change(random);
    if (reference_offsets(potential, GAIN) && reference_total(potential) <= best) {
      best = reference_total(potential);
      compare(trial, UINT32_MAX);
    } else {
      memcpy(potential->steps, kept, sizeof kept);
    }
  }
  if (!reference_offsets(potential, GAIN))
    complain(trial, "heights once found are gone", "");
  trial->tight += divide_down(best, GAIN) == trial->exact;
}

/* All states are within reach of the start, so that none may be missing. */
static void drop_states(struct trial *trial)
{
  struct reference_potential *potential = &trial->potential;
  struct wb_check_potential_claim claim = reference_claim(potential, GAIN, UINT32_MAX);
  claim.state_count--;
  struct wb_check_potential_state *last = &potential->states[potential->state_count - 1];
  for (size_t s = 0; s < potential->state_count; s++) {
    struct wb_check_potential_state kept = potential->states[s];
    struct wb_check_potential_verdict proof;
    warpbound_error error = {0};
    potential->states[s] = *last;
    if (wb_check_potential(&claim, WORK_LIMIT, &proof, &error) != WARPBOUND_CHECK_FAILED)
      complain(trial, "a state is missing", error.message);
    if (strstr(error.message, "not listed") == NULL)
      complain(trial, "another reason than the missing state", error.message);
    potential->states[s] = kept;
  }
}

TEST(both_judge_alike_and_truly)
{
  uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS) / RUNS_PER_INSTANCE;
  uint64_t seed = number_from_environment("WARPBOUND_SEED", DEFAULT_SEED);
  struct trial trial = {0};
  uint64_t drawn = 0;
  for (uint64_t run = 0; run < runs; run++) {
    struct wb_random random = {seed + run};
    if (!draw_trial(&trial, &random))
      continue;
    drawn++;
    descend(&trial, &random);
    check_line(&trial);
    /* One number changed at a time, and put back. */
    struct reference_potential *potential = &trial.potential;
    for (int i = 0; i < SPOILS; i++) {
      int64_t *number =
          &potential->states[wb_random_below(&random, potential->state_count)].offset[0];
      if (i % 2 == 0)
        number = &potential->steps[wb_random_below(&random, potential->first[4])].value;
      int64_t kept = *number;
      *number += random_change(&random);
      compare(&trial, UINT32_MAX);
      *number = kept;
    }
    compare(&trial, trial.exact);
    compare(&trial, trial.exact + 1);
    drop_states(&trial);
    reference_potential_free(&trial.potential);
  }
  print_message("# %llu potentials, %llu accepted claims, %llu refused, %llu end at T(W), "
                "%llu points of lines\n",
                (unsigned long long)drawn, (unsigned long long)trial.accepted,
                (unsigned long long)trial.refused, (unsigned long long)trial.tight,
                (unsigned long long)trial.lines);
  assert_true(runs < 10 || drawn * 2 > runs);
}

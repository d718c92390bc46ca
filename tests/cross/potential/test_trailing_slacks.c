/* The bounds that the checker finds by following trailing warps, against the worst case by its
 * definition, on random instances.
 *   WARPBOUND_CROSS_RUNS  ten times the number of instances (800)
 *   WARPBOUND_SEED        seed of the first one */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "both_checkers.h"
#include "certificate/potential/potential_claim.h"
#include "formats/potential/potential_file.h"
#include "makespan/potential/potential_search.h"
#include "trial.h"

#include <string.h>

#define DEFAULT_REARS 800
#define MOST_REAR 5
#define MOST_WARPS_OF_LINE 7
#define MOST_WARPS_OF_LINE 7
#define SPOILS 24

/* Bounds of potentials with trailing warps followed, those of them below the bound without, and
 * those equal to T(W); the same for potentials with a number changed; numbers of warps for which a
 * line was compared, and those where it was below the line without. exact_of[w]: T(w) of the
 * instance at hand, 0 where it is not known. */
struct found {
  uint64_t bounds;
  uint64_t lower;
  uint64_t exact;
  uint64_t spoilt_bounds;
  uint64_t spoilt_lower;
  uint64_t lines;
  uint64_t lower_lines;
  uint32_t exact_of[MOST_WARPS_OF_LINE + 1];
};

/* Two or three types in a string of up to 8 instructions, up to 5 warps, capacities up to 3. */
static struct instance make_instance(struct wb_random *random)
{
  struct instance instance = {{0}, {0}, 0, 0, {0}};
  static const char letters[] = "LCS";
  uint64_t types = 2 + wb_random_below(random, 2);
  uint64_t repeat_of_8 = wb_random_below(random, 6);
  size_t length = 2 + (size_t)wb_random_below(random, 7);
  for (size_t i = 0; i < length; i++)
    instance.letters[i] = i > 0 && wb_random_below(random, 8) < repeat_of_8
                              ? instance.letters[i - 1]
                              : letters[wb_random_below(random, types)];
  for (unsigned u = 0; u < INSTANCE_UNIT_TYPES; u++)
    instance.capacity[u] = 1 + (uint32_t)wb_random_below(random, 3);
  if (wb_random_below(random, 2) == 0)
    instance.issue_slots = 1 + (uint32_t)wb_random_below(random, 4);
  instance.warps = 2 + (uint32_t)wb_random_below(random, 4);
  return instance;
}

static bool line_at(const struct wb_check_potential_claim *claim,
                    const struct wb_check_potential_verdict *verdict, uint32_t warps,
                    int64_t *cycles)
{
  int64_t sum = verdict->slope * (int64_t)warps + verdict->offset;
  *cycles = sum / claim->gain;
  return claim->from_warps > 0 && warps >= claim->from_warps && sum >= 0;
}

/* From the warps of the line on, as far as the truth is known. */
static bool line_is_true(struct trial *trial, const struct wb_check_potential_claim *claim,
                         const struct wb_check_potential_verdict *plain,
                         const struct wb_check_potential_verdict *verdict)
{
  struct found *found = trial->found;
  for (uint32_t w = (uint32_t)claim->from_warps; w <= MOST_WARPS_OF_LINE; w++) {
    int64_t with, without;
    uint32_t exact = found->exact_of[w];
    if (exact == 0)
      return true;
    if (!line_at(claim, verdict, w, &with) || with < (int64_t)exact)
      return refute(trial, "rear %llu: the line is below T(%u) = %u",
                    (unsigned long long)claim->trailing, w, exact);
    if (line_at(claim, plain, w, &without) && with > without)
      return refute(trial, "rear %llu: the line is above that without, at %u warps",
                    (unsigned long long)claim->trailing, w);
    found->lines++;
    found->lower_lines += with < without;
  }
  return true;
}

/* With ever more trailing warps followed the bounds never rise, and none is below T(W). */
static bool trailing_is_true(struct trial *trial, struct wb_check_potential_claim *claim,
                             uint32_t exact, uint64_t *bounds, uint64_t *lower)
{
  struct found *found = trial->found;
  struct wb_check_potential_verdict plain = {0};
  claim->trailing = 0;
  claim->cycles = INT64_MAX;
  if (wb_check_potential(claim, WB_CHECK_POTENTIAL_WORK_LIMIT, &plain, NULL) != WARPBOUND_OK)
    return true;
  uint64_t last = plain.cycles;
  for (claim->trailing = 1; claim->trailing <= MOST_REAR && claim->trailing <= claim->warps;
       claim->trailing++) {
    struct wb_check_potential_verdict verdict = {0};
    warpbound_error error = {.message = ""};
    /* The least number of warps from which on all of them begin alike, with the trailing warps
     * taken off. */
    uint64_t first = 1;
    const struct wb_check_potential_pool *pool = claim->pools;
    while (first < claim->problem.length &&
           claim->problem.letters[first] == claim->problem.letters[0])
      first++;
    while (pool->type != claim->problem.letters[0])
      pool++;
    uint64_t work = (pool->work + first - 1) / first;
    claim->from_warps = claim->trailing + (pool->warps > work ? pool->warps : work);
    if (wb_check_potential(claim, WB_CHECK_POTENTIAL_WORK_LIMIT, &verdict, &error) !=
        WARPBOUND_OK) {
      /* Those of fewer warps need not list the start of the line. */
      claim->from_warps = 0;
      if (wb_check_potential(claim, WB_CHECK_POTENTIAL_WORK_LIMIT, &verdict, &error) !=
          WARPBOUND_OK)
        return refute(trial, "rear %llu: %.150s", (unsigned long long)claim->trailing,
                      error.message);
    }
    if (verdict.cycles < exact || verdict.cycles > last)
      return refute(trial, "rear %llu: %llu cycles, %llu with fewer, T = %u",
                    (unsigned long long)claim->trailing, (unsigned long long)verdict.cycles,
                    (unsigned long long)last, exact);
    /* All warps followed, the slacks of a schedule are its sum of gains but for T: the least leaves
     * the longest schedule. Several components may lose more. */
    if (claim->trailing == claim->warps && claim->component_count == 0 && verdict.cycles != exact)
      return refute(trial, "all warps followed: %llu cycles, T = %u",
                    (unsigned long long)verdict.cycles, exact);
    last = verdict.cycles;
    (*bounds)++;
    *lower += last < plain.cycles;
    found->exact += lower == &found->lower && last == exact;
    if (claim->from_warps > 0) {
      uint64_t from = claim->from_warps;
      struct wb_check_potential_verdict line = {0};
      struct wb_check_potential_claim without = *claim;
      without.trailing = 0;
      if (wb_check_potential(&without, WB_CHECK_POTENTIAL_WORK_LIMIT, &line, NULL) != WARPBOUND_OK)
        return refute(trial, "no line from %llu without the rear", (unsigned long long)from);
      if (!line_is_true(trial, claim, &line, &verdict))
        return false;
    }
    claim->from_warps = 0;
  }
  return true;
}

/* One number of the values, state offsets or shares changed at a time: slacks become many and
 * various. */
static bool spoilt_is_true(struct trial *trial, struct wb_potential_file *file, uint32_t exact)
{
  struct found *found = trial->found;
  struct wb_check_potential_claim *claim = &file->claim;
  struct wb_random random = {trial->seed};
  size_t components = claim->component_count;
  bool holds = true;
  for (int change = 0; holds && change < SPOILS; change++) {
    uint64_t what = wb_random_below(&random, 3);
    int64_t by = (int64_t)wb_random_below(&random, (uint64_t)claim->gain) + 1;
    if (what == 0) {
      struct wb_check_potential_state *state =
          (struct wb_check_potential_state *)&claim
              ->states[wb_random_below(&random, claim->state_count)];
      state->offset[wb_random_below(&random, components > 0 ? components : 1)] +=
          change % 2 == 0 ? by : -by;
    } else if (what == 1 && components > 0) {
      struct wb_check_potential_component *component =
          (struct wb_check_potential_component *)&claim
              ->components[wb_random_below(&random, components)];
      component->weights[wb_random_below(&random, components)] += 1;
    } else if (components > 0) {
      int64_t *values = (int64_t *)claim->components[0].values;
      values[wb_random_below(&random, components * claim->problem.length)] += by;
    } else {
      struct wb_check_potential_value *values =
          (struct wb_check_potential_value *)claim->leave.list;
      values[wb_random_below(&random, claim->leave.count)].value += by;
    }
    holds = trailing_is_true(trial, claim, exact, &found->spoilt_bounds, &found->spoilt_lower);
  }
  return holds;
}

/* As found, and spoilt more and more. */
static bool proof_is_true(struct trial *trial, const struct wb_potential_proof *proof)
{
  struct found *found = trial->found;
  struct wb_text text = {0};
  struct wb_potential_file file = {0};
  wb_potential_file_write(proof, &text);
  /* T of the instance for one warp up to two more than it has, and MOST_WARPS_OF_LINE at most. */
  struct brute_machine machine = instance_machine(trial->instance);
  for (uint32_t w = 1; w <= MOST_WARPS_OF_LINE; w++) {
    found->exact_of[w] = 0;
    if (w <= trial->instance->warps + 2 &&
        !brute_makespan(&machine, w, BRUTE_STATE_LIMIT, &found->exact_of[w]))
      return refute(trial, "brute force gives up");
  }

  bool holds =
      !text.failed && wb_json_parse_as("proof", text.data, text.length, wb_potential_file_read,
                                       &file, NULL) == WARPBOUND_OK;
  if (holds) {
    file.claim.warps = trial->instance->warps;
    file.claim.from_warps = 0;
    holds = trailing_is_true(trial, &file.claim, found->exact_of[file.claim.warps], &found->bounds,
                             &found->lower) &&
            spoilt_is_true(trial, &file, found->exact_of[file.claim.warps]);
  }
  wb_arena_free(&file.arena);
  wb_text_free(&text);
  return holds;
}

/* Potentials for the instance itself, or for twenty warps more, of which more trail; of
 * one component, the first that is found, or the best. */
static bool holds_all(struct trial *trial)
{
  struct wb_potential_search_result result;
  struct wb_potential_search_options options = {.below = UINT64_MAX,
                                                .enough = trial->seed % 4 < 2 ? UINT64_MAX : 0,
                                                .depth = WB_POTENTIAL_QUICK};
  if (!wb_pools_suit(&trial->problem))
    return true;
  trial->problem.warps += trial->seed % 2 == 0 ? 0 : 20;
  warpbound_status status =
      wb_potential_search(&trial->problem, &options, &trial->control, &result, NULL);
  bool holds = true;
  if (status != WARPBOUND_OK)
    holds = refute(trial, "the search fails");
  else if (result.found)
    holds = proof_is_true(trial, &result.proof);
  if (status == WARPBOUND_OK)
    wb_potential_proof_free(&result.proof);
  return holds;
}

static void following_is_safe(void **state)
{
  (void)state;
  struct found found = {0};
  uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_REARS) / 10;
  trial_run_many(make_instance, holds_all, runs, &found);
  print_message("# bounds %llu, lower by the rear %llu, exact %llu; spoilt %llu, lower %llu\n",
                (unsigned long long)found.bounds, (unsigned long long)found.lower,
                (unsigned long long)found.exact, (unsigned long long)found.spoilt_bounds,
                (unsigned long long)found.spoilt_lower);
  print_message("# lines %llu, lower by the rear %llu\n", (unsigned long long)found.lines,
                (unsigned long long)found.lower_lines);
  assert_true(runs < 50 || (found.bounds > runs && found.lower > runs / 20 &&
                            found.spoilt_lower > runs && found.lower_lines > runs));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(following_is_safe),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

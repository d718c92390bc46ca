/* Potentials against the definition and against their checker, on random instances.
 *   WARPBOUND_CROSS_RUNS  instances (a tenth of them; 120 without it)
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
#include "potential_trial.h"

#define DEFAULT_POTENTIALS 1200

/* Potentials found, those equal to T(W), claims of several components that were spoilt in one
 * number, and those of them that were accepted. */
struct found {
  uint64_t potentials;
  uint64_t exact;
  uint64_t spoilt;
  uint64_t accepted;
};

/* Changes one number of the components' values or state offsets, or of the shares, in claims of
 * several components: what the checker still accepts is not below the truth. */
static bool spoilt_is_true(struct trial *trial, struct wb_potential_file *file, uint32_t exact,
                           struct wb_random *random)
{
  struct found *found = trial->found;
  struct wb_check_potential_claim *claim = &file->claim;
  size_t values = claim->component_count * claim->problem.length;
  for (int change = 0; change < 8; change++) {
    size_t at = (size_t)wb_random_below(random, values + claim->state_count + 1);
    int64_t by = (int64_t)wb_random_below(random, 2 * (uint64_t)claim->gain + 1) - claim->gain;
    size_t component = (size_t)wb_random_below(random, claim->component_count);
    int64_t *number =
        at < values
            ? (int64_t *)claim->components[0].values + at
            : (int64_t *)claim->states[(at - values) % claim->state_count].offset + component;
    struct wb_check_potential_component *spoilt =
        (struct wb_check_potential_component *)&claim->components[component];
    struct wb_check_potential_component kept = *spoilt;
    int64_t before = *number;
    if (at == values + claim->state_count)
      spoilt->weights[component] += 1 + wb_random_below(random, 3);
    else
      *number += by;
    claim->cycles = INT64_MAX;
    struct wb_check_potential_verdict verdict = {0};
    warpbound_status status =
        wb_check_potential(claim, WB_CHECK_POTENTIAL_WORK_LIMIT, &verdict, NULL);
    found->spoilt++;
    found->accepted += status == WARPBOUND_OK;
    if (status == WARPBOUND_OK && verdict.cycles < exact)
      return refute(trial, "a spoilt claim of %llu cycles passes, T = %u",
                    (unsigned long long)verdict.cycles, exact);
    *number = before;
    *spoilt = kept;
  }
  return true;
}

static bool spoilt_components_are_true(struct trial *trial, const struct wb_potential_proof *proof)
{
  const struct instance *instance = trial->instance;
  struct brute_machine machine = instance_machine(instance);
  struct wb_random random = {proof->cycles};
  struct wb_text text = {0};
  struct wb_potential_file file = {0};
  uint32_t exact;
  if (proof->potential.shape.count == 1)
    return true;
  wb_potential_file_write(proof, &text);
  bool holds = wb_json_parse_as("proof", text.data, text.length, wb_potential_file_read, &file,
                                NULL) == WARPBOUND_OK &&
               brute_makespan(&machine, instance->warps, BRUTE_STATE_LIMIT, &exact) &&
               spoilt_is_true(trial, &file, exact, &random);
  wb_arena_free(&file.arena);
  wb_text_free(&text);
  return holds;
}

static bool holds_all(struct trial *trial)
{
  struct wb_potential_search_result result;
  struct found *found = trial->found;
  struct wb_potential_search_options options = {.below = UINT64_MAX, .depth = WB_POTENTIAL_QUICK};
  if (trial->problem.warps < 2 || !wb_pools_suit(&trial->problem))
    return true;
  warpbound_status status =
      wb_potential_search(&trial->problem, &options, &trial->control, &result, NULL);
  bool holds = status == WARPBOUND_OK || refute(trial, "status %d", (int)status);
  if (holds && result.found) {
    found->potentials++;
    holds = potential_is_safe(trial, &result.proof, &found->exact) &&
            potential_is_checked(trial, &result.proof) &&
            spoilt_components_are_true(trial, &result.proof);
  }
  wb_potential_proof_free(&result.proof);
  return holds;
}

static void potentials_are_safe_and_checked(void **state)
{
  (void)state;
  struct found found = {0};
  uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_POTENTIALS) / 10;
  trial_run_many(instance_random, holds_all, runs, &found);
  print_message("# potentials found for %llu, exact for %llu\n",
                (unsigned long long)found.potentials, (unsigned long long)found.exact);
  print_message("# spoilt claims of several pieces: %llu, of which accepted %llu\n",
                (unsigned long long)found.spoilt, (unsigned long long)found.accepted);
  assert_true(runs < 100 || (found.potentials > runs / 3 && found.exact > runs / 10 &&
                             found.spoilt > 10 && found.accepted < found.spoilt));
}

/* Lines of which exact values are known; one component gives more (doc/potentials/potentials.md).
 */
static void components_reach_known_makespans(void **state)
{
  (void)state;
  static const struct {
    struct instance instance;
    uint64_t cycles;
  } rows[] = {
      {{"CCLCLLLLCCLCLLLLCCLCLLLC", {1, 1, 0, 0}, 0, 40}, 609},
      {{"LSLCSCLS", {1, 2, 3, 0}, 0, 24}, 77},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    struct wb_problem problem;
    struct wb_control control = wb_control_start(NULL);
    struct wb_potential_search_options options = {.below = UINT64_MAX, .enough = rows[i].cycles};
    struct wb_potential_search_result result;
    struct trial trial = {0};
    assert_true(instance_problem(&rows[i].instance, &problem));
    assert_int_equal(wb_potential_search(&problem, &options, &control, &result, NULL),
                     WARPBOUND_OK);
    assert_true(result.found);
    assert_int_equal(result.proof.cycles, rows[i].cycles);
    if (!potential_is_checked(&trial, &result.proof))
      fail_msg("%s", trial.reason);
    wb_potential_proof_free(&result.proof);
    wb_problem_free(&problem);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(potentials_are_safe_and_checked),
      cmocka_unit_test(components_reach_known_makespans),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Potentials against the definition and against their checker, on random instances.
 *   WARPBOUND_CROSS_RUNS  instances (a tenth of them; 2000 without it)
 *   WARPBOUND_SEED        seed of the first one */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "both_checkers.h"
#include "certificate/potential_check.h"
#include "frontend/potential_file.h"
#include "makespan/potential_search.h"
#include "report/certificate_report.h"
#include "trial.h"

/* Potentials found, and those equal to T(W). */
struct found {
  uint64_t potentials;
  uint64_t exact;
};

/* The checker, reading the file that the proof is written as, comes to the same bound and
 * the same line. */
static bool checker_agrees(struct trial *trial, const struct wb_potential_proof *proof)
{
  struct wb_text text = {0};
  struct wb_potential_file file = {0};
  struct wb_potential_verdict verdict = {0};
  warpbound_error error = {.message = ""};
  wb_potential_json(proof, &text);
  bool holds = !text.failed && wb_potential_file_parse("proof", text.data, text.length, &file,
                                                       &error) == WARPBOUND_OK;
  holds = holds && wb_potential_check(&file.claim, WB_POTENTIAL_WORK_LIMIT, &verdict, &error) ==
                       WARPBOUND_OK;
  if (!holds)
    refute(trial, "the checker refuses: %.150s", error.message);
  else if (verdict.cycles != proof->cycles ||
           (file.claim.from_warps > 0 &&
            (verdict.slope != proof->slope || verdict.offset != proof->offset)))
    holds = refute(trial, "the checker comes to %llu cycles, the maker to %llu",
                   (unsigned long long)verdict.cycles, (unsigned long long)proof->cycles);
  wb_potential_file_free(&file);
  wb_text_free(&text);
  return holds;
}

/* Neither the bound nor, for any number of warps from which it holds, the line is below
 * the truth. */
static bool never_below(struct trial *trial, const struct wb_potential_proof *proof)
{
  const struct instance *instance = trial->instance;
  struct found *found = trial->found;
  struct brute_machine machine = instance_machine(instance);
  for (uint32_t w = 1; w <= instance->warps; w++) {
    uint32_t exact;
    uint64_t cycles = proof->cycles;
    if (w != instance->warps && (w < proof->steady_from || !wb_potential_line(proof, w, &cycles)))
      continue;
    if (!brute_makespan(&machine, w, BRUTE_STATE_LIMIT, &exact))
      return refute(trial, "brute force gives up at %u warps", w);
    if (cycles < exact)
      return refute(trial, "%llu for %u warps, T = %u", (unsigned long long)cycles, w, exact);
    found->exact += w == instance->warps && cycles == exact;
  }
  return true;
}

static bool holds_all(struct trial *trial)
{
  struct wb_potential_search_result result;
  struct found *found = trial->found;
  if (trial->problem.warps < 2 || !wb_pools_suit(&trial->problem))
    return true;
  warpbound_status status = wb_potential_search(&trial->problem, UINT64_MAX, 0, WB_POTENTIAL_QUICK,
                                                &trial->control, &result, NULL);
  bool holds = status == WARPBOUND_OK || refute(trial, "status %d", (int)status);
  if (holds && result.found) {
    found->potentials++;
    holds = never_below(trial, &result.proof) && checker_agrees(trial, &result.proof);
  }
  wb_potential_proof_free(&result.proof);
  return holds;
}

static void potentials_are_safe_and_checked(void **state)
{
  (void)state;
  struct found found = {0};
  uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", DEFAULT_RUNS) / 10;
  trial_run_many(instance_random, holds_all, runs, &found);
  print_message("# potentials found for %llu, exact for %llu\n",
                (unsigned long long)found.potentials, (unsigned long long)found.exact);
  assert_true(runs < 100 || (found.potentials > runs / 3 && found.exact > runs / 10));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(potentials_are_safe_and_checked),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

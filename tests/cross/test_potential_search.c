/* Potentials against the definition and against their checker, on random instances.
 *   WARPBOUND_CROSS_RUNS  instances (a tenth of them; 120 without it)
 *   WARPBOUND_SEED        seed of the first one */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/control.h"
#include "brute_force.h"
#include "certificate/potential_check.h"
#include "frontend/potential_file.h"
#include "makespan/potential_search.h"
#include "random_instance.h"
#include "report/certificate_report.h"

#include <stdio.h>
#include <stdlib.h>

#define DEFAULT_RUNS 120
#define DEFAULT_SEED 20261121

struct trial {
  uint64_t found;
  uint64_t exact;
  uint64_t spoilt;   /* claims of several pieces, with one number changed */
  uint64_t accepted; /* of these */
  char reason[200];
};

static uint64_t number_from_environment(const char *name, uint64_t fallback)
{
  const char *text = getenv(name);
  return text != NULL ? strtoull(text, NULL, 10) : fallback;
}

static bool refute(struct trial *trial, const char *format, ...) WB_PRINTF(2, 3);

static bool refute(struct trial *trial, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(trial->reason, sizeof trial->reason, format, arguments);
  va_end(arguments);
  return false;
}

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
static bool never_below(struct trial *trial, const struct instance *instance,
                        const struct wb_potential_proof *proof)
{
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
    trial->exact += w == instance->warps && cycles == exact;
  }
  return true;
}

/* Changes one number of the pieces' values or heights, or of the shares, in claims of several
 * pieces: what the checker still accepts is not below the truth. */
static bool spoilt_is_true(struct trial *trial, struct wb_potential_file *file, uint32_t exact,
                           struct wb_random *random)
{
  struct wb_potential_claim *claim = &file->claim;
  size_t values = claim->piece_count * claim->length;
  for (int change = 0; change < 8; change++) {
    size_t at = (size_t)wb_random_below(random, values + claim->state_count + 1);
    int64_t by = (int64_t)wb_random_below(random, 2 * (uint64_t)claim->gain + 1) - claim->gain;
    size_t piece = (size_t)wb_random_below(random, claim->piece_count);
    int64_t *number = at < values ? &file->members.values[at]
                                  : &file->states[(at - values) % claim->state_count].height[piece];
    struct wb_potential_piece kept = file->members.pieces[piece];
    int64_t before = *number;
    if (at == values + claim->state_count)
      file->members.pieces[piece].shares[piece] += 1 + wb_random_below(random, 3);
    else
      *number += by;
    claim->cycles = INT64_MAX;
    struct wb_potential_verdict verdict = {0};
    warpbound_status status = wb_potential_check(claim, WB_POTENTIAL_WORK_LIMIT, &verdict, NULL);
    trial->spoilt++;
    trial->accepted += status == WARPBOUND_OK;
    if (status == WARPBOUND_OK && verdict.cycles < exact)
      return refute(trial, "a spoilt claim of %llu cycles passes, T = %u",
                    (unsigned long long)verdict.cycles, exact);
    *number = before;
    file->members.pieces[piece] = kept;
  }
  return true;
}

static bool spoilt_pieces_are_true(struct trial *trial, const struct instance *instance,
                                   const struct wb_potential_proof *proof)
{
  struct brute_machine machine = instance_machine(instance);
  struct wb_random random = {proof->cycles};
  struct wb_text text = {0};
  struct wb_potential_file file = {0};
  uint32_t exact;
  if (proof->potential.shape.count == 1)
    return true;
  wb_potential_json(proof, &text);
  bool holds =
      wb_potential_file_parse("proof", text.data, text.length, &file, NULL) == WARPBOUND_OK &&
      brute_makespan(&machine, instance->warps, BRUTE_STATE_LIMIT, &exact) &&
      spoilt_is_true(trial, &file, exact, &random);
  wb_potential_file_free(&file);
  wb_text_free(&text);
  return holds;
}

static bool holds_all(struct trial *trial, const struct instance *instance)
{
  struct wb_problem problem;
  struct wb_control control = wb_control_start(NULL);
  struct wb_potential_search_result result;
  struct wb_potential_search_options options = {.below = UINT64_MAX, .depth = WB_POTENTIAL_QUICK};
  if (!instance_problem(instance, &problem))
    return refute(trial, "normalisation refuses it");
  bool holds = true;
  if (problem.warps >= 2 && wb_pools_suit(&problem)) {
    warpbound_status status = wb_potential_search(&problem, &options, &control, &result, NULL);
    holds = status == WARPBOUND_OK || refute(trial, "status %d", (int)status);
    if (holds && result.found) {
      trial->found++;
      holds = never_below(trial, instance, &result.proof) && checker_agrees(trial, &result.proof) &&
              spoilt_pieces_are_true(trial, instance, &result.proof);
    }
    wb_potential_proof_free(&result.proof);
  }
  wb_problem_free(&problem);
  return holds;
}

static bool trial_fails(const struct instance *instance, void *context)
{
  return !holds_all(context, instance);
}

static void report_failure(const struct instance *instance, uint64_t seed)
{
  struct trial trial = {0};
  char command[200];
  struct instance smallest = instance_shrink(*instance, trial_fails, &trial);
  holds_all(&trial, &smallest);
  instance_command(&smallest, command, sizeof command);
  fail_msg("seed %llu: %s: %s", (unsigned long long)seed, command, trial.reason);
}

static void potentials_are_safe_and_checked(void **state)
{
  (void)state;
  uint64_t runs = number_from_environment("WARPBOUND_CROSS_RUNS", 10 * DEFAULT_RUNS) / 10;
  uint64_t seed = number_from_environment("WARPBOUND_SEED", DEFAULT_SEED);
  struct trial trial = {0};
  double start = wb_clock();
  print_message("# %llu instances, seed %llu\n", (unsigned long long)runs,
                (unsigned long long)seed);
  for (uint64_t run = 0; run < runs; run++) {
    struct wb_random random = {seed + run};
    struct instance instance = instance_random(&random);
    if (!holds_all(&trial, &instance))
      report_failure(&instance, seed + run);
  }
  print_message("# potentials found for %llu, exact for %llu; %.1f s\n",
                (unsigned long long)trial.found, (unsigned long long)trial.exact,
                wb_clock() - start);
  print_message("# spoilt claims of several pieces: %llu, of which accepted %llu\n",
                (unsigned long long)trial.spoilt, (unsigned long long)trial.accepted);
  assert_true(runs < 100 || (trial.found > runs / 3 && trial.exact > runs / 10 &&
                             trial.spoilt > 10 && trial.accepted < trial.spoilt));
}

/* Lines of which exact values are known; one piece gives more (doc/potentials.md). */
static void pieces_reach_known_makespans(void **state)
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
    if (!checker_agrees(&trial, &result.proof))
      fail_msg("%s", trial.reason);
    wb_potential_proof_free(&result.proof);
    wb_problem_free(&problem);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(potentials_are_safe_and_checked),
      cmocka_unit_test(pieces_reach_known_makespans),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

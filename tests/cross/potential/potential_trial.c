#include "potential_trial.h"

#include "certificate/potential/potential_claim.h"
#include "formats/potential/potential_file.h"

bool potential_is_safe(struct trial *trial, const struct wb_potential_proof *proof, uint64_t *exact)
{
  const struct instance *instance = trial->instance;
  struct brute_machine machine = instance_machine(instance);
  for (uint32_t w = 1; w <= instance->warps; w++) {
    uint32_t makespan;
    uint64_t cycles = proof->cycles;
    if (w != instance->warps &&
        (w < proof->steady_from || !wb_potential_line_at(proof, w, &cycles)))
      continue;
    if (!brute_makespan(&machine, w, BRUTE_STATE_LIMIT, &makespan))
      return refute(trial, "brute force gives up at %u warps", w);
    if (cycles < makespan)
      return refute(trial, "%u followed: %llu for %u warps, T = %u", proof->trailing,
                    (unsigned long long)cycles, w, makespan);
    *exact += w == instance->warps && cycles == makespan;
  }
  return true;
}

/* The checker's line, from which it may leave a part of a cycle away, is the maker's. */
static bool lines_agree(const struct wb_potential_proof *proof,
                        const struct wb_check_potential_claim *claim,
                        const struct wb_check_potential_verdict *verdict)
{
  if (claim->from_warps == 0)
    return true;
  for (uint32_t w = proof->steady_from; w < proof->steady_from + 20; w++) {
    uint64_t line;
    int64_t checked = (verdict->slope * w + verdict->offset) / claim->gain;
    if (!wb_potential_line_at(proof, w, &line) || checked > (int64_t)line + 1 ||
        (proof->trailing == 0 && checked != (int64_t)line))
      return false;
  }
  return true;
}

bool potential_is_checked(struct trial *trial, const struct wb_potential_proof *proof)
{
  struct wb_text text = {0};
  struct wb_potential_file file = {0};
  struct wb_check_potential_verdict verdict = {0};
  warpbound_error error = {.message = ""};
  wb_potential_file_write(proof, &text);
  bool holds =
      !text.failed && wb_json_parse_as("proof", text.data, text.length, wb_potential_file_read,
                                       &file, &error) == WARPBOUND_OK;
  holds = holds && wb_check_potential(&file.claim, WB_CHECK_POTENTIAL_WORK_LIMIT, &verdict,
                                      &error) == WARPBOUND_OK;
  bool agrees =
      verdict.cycles == proof->cycles || (proof->trailing > 0 && verdict.cycles < proof->cycles);
  if (!holds)
    refute(trial, "%u followed: the checker refuses: %.150s", proof->trailing, error.message);
  else if (!agrees || !lines_agree(proof, &file.claim, &verdict))
    holds = refute(trial, "%u followed: the checker comes to %llu cycles, the maker to %llu",
                   proof->trailing, (unsigned long long)verdict.cycles,
                   (unsigned long long)proof->cycles);
  wb_arena_free(&file.arena);
  wb_text_free(&text);
  return holds;
}

#include "cli/output/proof.h"

void proof_record(struct proof *proof, struct wb_text *doubts)
{
  proof->bounds++;
  proof->estimates += doubts->length > 0 || doubts->failed;
  if (proof->first.length == 0 && doubts->length > 0)
    wb_text_append(&proof->first, doubts->data, doubts->length);
  proof->first.failed = proof->first.failed || doubts->failed;
  wb_text_free(doubts);
}

warpbound_status proof_judge(const struct proof *proof, const struct arguments *arguments,
                             warpbound_error *error)
{
  if (arguments->value[OPTION_REQUIRE_PROOF] == NULL || proof->estimates == 0)
    return WARPBOUND_OK;
  if (proof->first.failed)
    return wb_out_of_memory(error);
  if (proof->bounds == 1)
    return wb_fail(error, WARPBOUND_CHECK_FAILED,
                   "--require-proof: the bound is an estimate: %.420s", proof->first.data);
  return wb_fail(error, WARPBOUND_CHECK_FAILED,
                 "--require-proof: %zu of %zu bounds are estimates, the first because of %.400s",
                 proof->estimates, proof->bounds, proof->first.data);
}

void proof_free(struct proof *proof)
{
  wb_text_free(&proof->first);
}

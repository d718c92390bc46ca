/* --require-proof: bounds that are estimates make the exit status 1. */
#ifndef WB_CLI_OUTPUT_PROOF_H
#define WB_CLI_OUTPUT_PROOF_H

#include "base/status.h"
#include "base/text.h"
#include "cli/options/options.h"

#include <stdbool.h>
#include <stddef.h>

/* The bounds of a command so far. Zero-initialise; proof_free. */
struct proof {
  size_t bounds, estimates;
  struct wb_text first; /* of the first estimate: what makes it one */
};

/* Counts a bound. doubts: what makes it an estimate, for people, of one that is named in it; empty:
 * it is proven. Frees *doubts. */
void proof_record(struct proof *proof, struct wb_text *doubts);

/* WARPBOUND_CHECK_FAILED, with a message, where a proof is asked for and a bound is an estimate. */
warpbound_status proof_judge(const struct proof *proof, const struct arguments *arguments,
                             warpbound_error *error);
void proof_free(struct proof *proof);

#endif

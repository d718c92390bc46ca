/* The certificate of a bound over all paths: a claim for the independent checker. */
#ifndef WB_ANALYSIS_RESULT_PATH_CERTIFICATE_H
#define WB_ANALYSIS_RESULT_PATH_CERTIFICATE_H

#include "certificate/flow/paths_check.h"
#include "model/unit.h"

#include <stdint.h>

/* The flow system and the proofs that the claim names are borrowed from the analysis of the
 * paths. */
struct wb_path_certificate {
  struct wb_check_paths_claim claim;
  uint64_t (*letters)[WB_UNIT_COUNT];   /* claim.letters; owned */
  struct wb_check_path_maximum *maxima; /* claim.maxima; owned */
};

void wb_path_certificate_free(struct wb_path_certificate *certificate);

#endif

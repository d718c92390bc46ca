/* Writer of certificates of bounds over all paths ("warpbound-paths-1", doc/formats.md). */
#ifndef WB_REPORT_MAKESPAN_PATHS_CERTIFICATE_H
#define WB_REPORT_MAKESPAN_PATHS_CERTIFICATE_H

#include "base/text.h"
#include "certificate/flow/paths_check.h"

/* Borrows the claim; the caller checks text->failed. Linear in the claim. */
void wb_paths_certificate_json(const struct wb_check_paths_claim *claim, struct wb_text *text);

#endif

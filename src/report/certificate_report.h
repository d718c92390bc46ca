/* Writers of certificates: files that prove an upper end, for `verify` (formats in
 * doc/potentials.md and doc/formats.md). */
#ifndef WB_REPORT_CERTIFICATE_REPORT_H
#define WB_REPORT_CERTIFICATE_REPORT_H

#include "base/text.h"
#include "makespan/potential.h"

/* A potential ("warpbound-potential-1"). Numbers and letters only: nothing to escape.
 * The caller checks text->failed. */
void wb_potential_json(const struct wb_potential_proof *proof, struct wb_text *text);

#endif

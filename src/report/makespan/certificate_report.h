/* Writers of certificates: files that prove an upper end, for `verify` (formats in
 * doc/potentials.md and doc/formats.md). */
#ifndef WB_REPORT_MAKESPAN_CERTIFICATE_REPORT_H
#define WB_REPORT_MAKESPAN_CERTIFICATE_REPORT_H

#include "analysis/makespan/makespan_analysis.h"
#include "base/text.h"
#include "makespan/potential/potential_proof.h"
#include "model/problem.h"

#include <stddef.h>
#include <stdint.h>

/* A potential ("warpbound-potential-1"). Numbers and letters only: nothing to escape.
 * The caller checks text->failed. */
void wb_potential_json(const struct wb_potential_proof *proof, struct wb_text *text);

/* A cut of the string ("warpbound-runs-1") whose run abstraction has no path longer than
 * `cycles` from the problem's warps before the first piece. lengths: of the `count`
 * pieces; each is of one type and together they are the string, which is not checked
 * here. Borrows all; the caller checks text->failed. Linear in count. */
void wb_run_certificate_json(const struct wb_problem *problem, const uint32_t *lengths,
                             size_t count, uint64_t cycles, struct wb_text *text);

/* Of a result of one string, the certificate that proves the least: its cut or its potential.
 * Returns the cycles that it proves; 0, with nothing written, where there is none. The caller
 * checks text->failed. */
uint64_t wb_certificate_json(const struct warpbound_result *result, struct wb_text *text);

/* The certificates of all phases of a result in one object ("warpbound-phases-1"), each the one
 * that proves the least. Returns the cycles that they prove together; 0, with nothing written,
 * where a phase has no certificate. The caller checks text->failed. */
uint64_t wb_phases_certificate_json(const struct warpbound_result *result, struct wb_text *text);

#endif

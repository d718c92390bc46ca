/* The certificate of a makespan result, a file that proves its upper end for `verify`: which of the
 * formats with certificates proves the least, written by that format's writer. */
#ifndef WB_REPORT_MAKESPAN_CERTIFICATE_REPORT_H
#define WB_REPORT_MAKESPAN_CERTIFICATE_REPORT_H

#include "analysis/makespan/makespan_analysis.h"
#include "base/text.h"

#include <stdint.h>

/* Of a result of one string, the certificate that proves the least: a run file or a potential file.
 * Returns the cycles that it proves; 0, with nothing written, where there is none. The caller
 * checks text->failed. */
uint64_t wb_certificate_json(const struct warpbound_result *result, struct wb_text *text);

/* The certificates of all phases of a result in one phases file, each the one that proves the
 * least. Returns the cycles that they prove together; 0, with nothing written, where a phase has no
 * certificate. The caller checks text->failed. */
uint64_t wb_phases_certificate_json(const struct warpbound_result *result, struct wb_text *text);

#endif

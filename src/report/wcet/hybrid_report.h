/* Writers of WCETs from measured times: JSON for scripts, text for people. */
#ifndef WB_REPORT_WCET_HYBRID_REPORT_H
#define WB_REPORT_WCET_HYBRID_REPORT_H

#include "analysis/hybrid/hybrid_result.h"
#include "base/text.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* One kernel's object (doc/schema/hybrid.json); NULL where memory is out. The result has a proof.
 */
json_t *wb_hybrid_json(const struct wb_hybrid *hybrid);

/* What makes the result an estimate, as wb_wcet_doubts. */
void wb_hybrid_doubts(const struct warpbound_hybrid *result, struct wb_text *text);

/* The JSON object of `warpbound hybrid --json`. The caller checks text->failed. */
void wb_hybrid_list_json(const struct warpbound_hybrid *const *results, size_t count,
                         struct wb_text *text);

/* Kernels for people: the answer for each in a line, then (unless quiet) what each is made of, and
 * what all rest on. colour: with escapes. A failure is the text's. */
void wb_hybrid_text(const struct warpbound_hybrid *const *results, size_t count, bool quiet,
                    bool colour, struct wb_text *text);

/* The code of a result that no row covers, for people, each part a line; nothing where there is
 * none. */
void wb_hybrid_gaps_text(const struct warpbound_hybrid *result, struct wb_text *text);

/* What is wrong where the result is below the high-water mark, as a sentence; "" where it is not.
 */
void wb_hybrid_warning(const struct warpbound_hybrid *result, struct wb_text *text);

#endif

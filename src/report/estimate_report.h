/* Why a result is an estimate, and what would mend it: text for people, JSON for scripts. */
#ifndef WB_REPORT_ESTIMATE_REPORT_H
#define WB_REPORT_ESTIMATE_REPORT_H

#include "base/text.h"
#include "model/estimate.h"

#include <jansson.h>
#include <stdbool.h>

/* The member beside an end of kind estimate, in every command. */
#define WB_ESTIMATE_REASONS "estimate_reasons"

/* Lines "what because: PLACE: REASON; to prove it: REMEDY", the first few; nothing where it is
 * none. what: "estimate". */
void wb_estimate_text(const struct wb_estimate *estimate, const char *what, bool colour,
                      struct wb_text *text);

/* The first reason in a line, and how many there are beside it: "PLACE: REASON; to prove it:
 * REMEDY; and 2 more reasons". Nothing where it is none. */
void wb_estimate_summary(const struct wb_estimate *estimate, struct wb_text *text);

/* A list of objects with name, reason, place and remedy; NULL where memory is out. */
json_t *wb_estimate_json(const struct wb_estimate *estimate);

/* Puts that list into an object (wb_json_put) where it is an estimate. */
void wb_estimate_put(json_t **object, const struct wb_estimate *estimate);

#endif

/* The verdict on a file, for people and for scripts. */
#ifndef WB_REPORT_VERDICT_REPORT_H
#define WB_REPORT_VERDICT_REPORT_H

#include "analysis/verify/verify.h"
#include "base/text.h"

#include <jansson.h>

/* One or two lines. The caller checks text->failed. */
void wb_verdict_text(const struct warpbound_verdict *verdict, struct wb_text *text);

/* The object of contract "verify" (doc/formats.md); NULL where memory is out. The caller drops it
 * with json_decref. */
json_t *wb_verdict_json(const struct warpbound_verdict *verdict);

#endif

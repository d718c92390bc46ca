/* Writers of the bounds on launches together: text, JSON, a picture. */
#ifndef WB_REPORT_FRAME_FRAME_REPORT_H
#define WB_REPORT_FRAME_FRAME_REPORT_H

#include "analysis/together/frame_result.h"
#include "base/text.h"

#include <stdbool.h>

/* The handle of the public header. */
struct warpbound_frame {
  struct wb_frame frame;
};

/* The caller checks text->failed, here and below. */
void wb_frame_text(const struct wb_frame *frame, bool quiet, bool colour, struct wb_text *text);
/* doc/schema/frame.json */
void wb_frame_json(const struct wb_frame *frame, struct wb_text *text);
/* The longest paths to all steps, a row for each stream; nothing where there is no graph. */
void wb_frame_svg(const struct wb_frame *frame, struct wb_text *text);

/* Whether the upper end keeps the deadline, or there is none. */
bool wb_frame_in_time(const struct wb_frame *frame);

/* "launch", "copy to device", ... */
const char *wb_frame_kind_name(warpbound_step_kind kind);

#endif

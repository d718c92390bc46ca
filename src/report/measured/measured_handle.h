/* The handle of the public header for the analysis of measured times. */
#ifndef WB_REPORT_MEASURED_MEASURED_HANDLE_H
#define WB_REPORT_MEASURED_MEASURED_HANDLE_H

#include "analysis/measured/measured_result.h"

/* Owns the result, and the text that its bound's source points to. */
struct warpbound_measured {
  struct wb_measured result;
  char *bound_source;
};

#endif

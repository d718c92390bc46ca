/* The handle of the public header for measured times. */
#ifndef WB_API_MEASURED_SAMPLES_H
#define WB_API_MEASURED_SAMPLES_H

#include "evt/samples/samples.h"

/* Owns the series. */
struct warpbound_samples {
  struct wb_samples samples;
};

#endif

/* The rules that choose a threshold of a scan. */
#ifndef WB_EVT_EXTREMES_THRESHOLD_RULES_H
#define WB_EVT_EXTREMES_THRESHOLD_RULES_H

#include "evt/extremes/thresholds.h"

/* Fills false_discovery_p of the points and what each rule chooses, from all else of the points. */
void wb_threshold_rules_apply(struct wb_threshold_scan *scan, double significance);

#endif

/* Flow facts that give one place two numbers. */
#ifndef WB_IPET_FACTS_FACT_REPETITION_H
#define WB_IPET_FACTS_FACT_REPETITION_H

#include "base/status.h"
#include "ipet/facts/place_resolution.h"

/* Refuses two facts that count the same (back edges of one loop, or runs of one block, for the same
 * entries, both per thread or both per warp) and give different numbers. Needs the places of all
 * facts (resolved->found). Errors, at the later one's number: WARPBOUND_INVALID_INPUT;
 * WARPBOUND_INTERNAL. Time: n log n of the facts, times the logarithm of the graph. */
warpbound_status wb_facts_check_twice(struct wb_fact_resolver *resolver);

#endif

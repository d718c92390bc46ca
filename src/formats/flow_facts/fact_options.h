/* Facts that options say in their own words. */
#ifndef WB_FORMATS_FLOW_FACTS_FACT_OPTIONS_H
#define WB_FORMATS_FLOW_FACTS_FACT_OPTIONS_H

#include "formats/flow_facts/flow_facts_file.h"

/* Reads PLACE<=N, PLACE>=N, PLACE=A..B or PLACE=unchanged as the line `load PLACE` of a file and
 * appends it to the facts of a kernel; names are kept in `names`. said: how messages call it,
 * borrowed. Errors: WARPBOUND_USAGE, with the text that was found; WARPBOUND_INTERNAL. */
warpbound_status wb_load_fact_parse(const char *text, const char *said, struct wb_name_pool *names,
                                    struct wb_kernel_facts *facts, warpbound_error *error);

/* The same of PLACE<=N, PLACE>=N or PLACE=A..B as the line `value PLACE`. */
warpbound_status wb_value_fact_parse(const char *text, const char *said, struct wb_name_pool *names,
                                     struct wb_kernel_facts *facts, warpbound_error *error);

/* The same of NAME=CYCLES or ADDRESS=CYCLES as the line `call NAME takes CYCLES`. */
warpbound_status wb_call_fact_parse(const char *text, const char *said, struct wb_name_pool *names,
                                    struct wb_kernel_facts *facts, warpbound_error *error);

#endif

/* What results of `analyze` and `check` have in common in SARIF 2.1.0: the rules and the frame of a
 * log. */
#ifndef WB_REPORT_SARIF_H
#define WB_REPORT_SARIF_H

#include "base/text.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a result can say; the order is that of the rules in the file. */
enum wb_sarif_rule {
  WB_SARIF_DEADLINE,
  WB_SARIF_BUDGET,
  WB_SARIF_ACCESS,
  WB_SARIF_PROOF,
  WB_SARIF_GROWTH,
  WB_SARIF_FACTS,
  WB_SARIF_RULES
};

/* A result of the rule, at the rule's level; the caller adds where it is. Frees the words. NULL
 * where memory is out. */
json_t *wb_sarif_result(enum wb_sarif_rule rule, struct wb_text *words);

/* The tool, with its first `rules` rules. */
json_t *wb_sarif_tool(unsigned rules);

/* Accesses that are one cause, as the unrolled copies of one in a source line: groups[key] has how
 * many there are, and the index of the one that is worth most, the first of equal ones. Frees the
 * key. False where memory is out. */
bool wb_sarif_group(json_t *groups, struct wb_text *key, size_t index, uint64_t worth);

/* One of the groups, in the order of their first members. */
struct wb_sarif_cause {
  size_t index, count;
};
struct wb_sarif_cause wb_sarif_cause_of(const json_t *group);

/* ", and 15 more accesses of the line": what a result says of the others. */
void wb_sarif_write_others(size_t count, struct wb_text *words);

/* Adds the log of one run, which it frees. */
void wb_sarif_write(json_t *run, struct wb_text *text);

#endif

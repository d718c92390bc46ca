/* Writers of warp-level control-flow graphs: one result object, four writers. */
#ifndef WB_REPORT_CFG_REPORT_H
#define WB_REPORT_CFG_REPORT_H

#include "analysis/control_flow.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a worst path spends where: by block of the united graph how often it runs and its cycles
 * in all; total: of the whole path. */
struct wb_cfg_heat {
  int64_t *runs;
  int64_t *cycles;
  int64_t total;
};

/* What to write of a listing: all borrowed. contexts: also what calling contexts there are, and
 * which of them each block is in. quiet: for people, the answer alone. heat: by flow, for a picture
 * that is coloured by it, or NULL. */
struct wb_cfg_report {
  const struct wb_machine_code *code;
  const struct wb_simt_options *options;
  const struct wb_control_flow *flows;
  size_t count;
  bool contexts;
  bool quiet;
  const struct wb_cfg_heat *heat;
};

/* The JSON object of contract "cfg" (doc/formats.md). The caller checks text->failed. */
void wb_cfg_json(const struct wb_cfg_report *report, struct wb_text *text);

/* For people: the answer in a line, a table of the functions where there are several, then each
 * with its blocks, loops, divergence points and uniform branches, and what all rest on. The caller
 * checks text->failed. */
void wb_cfg_text(const struct wb_cfg_report *report, bool colour, struct wb_text *text);

/* A graph for Graphviz, the functions that were analysed side by side. Divergence points,
 * reactivation edges and loops stand out, and a legend says how. The caller checks
 * text->failed. */
void wb_cfg_dot(const struct wb_cfg_report *report, struct wb_text *text);

#endif
